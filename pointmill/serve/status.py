# SPDX-License-Identifier: Apache-2.0
"""The state of the service as one JSON object, for its view in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .service import Service


def status(service: Service, mark: dict[str, Any]) -> dict[str, Any]:
    """Counts since the start, what waits, and each device. mark: further fields."""
    metrics = service.metrics
    return {
        "ready": service.ready, "draining": service.draining, **mark,
        "accepted": sum(metrics.jobs_accepted.values()), "answered": sum(metrics.answers.values()),
        "queue": {"jobs": service.backlog.waiting, "capacity": service.backlog.capacity,
                  "priorities": service.backlog.by_priority()},
        "latency_seconds": {"p50": metrics.latency.quantile(0.5), "p99": metrics.latency.quantile(0.99)},
        "reasons": metrics.reasons(), "turned_away": dict(metrics.turned_away),
        **({"replicas": service.replicas} if service.replicas else {}),
        "devices": [{"name": device.name, "state": device.state, "restarts": sum(device.restarts.values()),
                     "busy_seconds": round(device.busy_seconds, 3)} for device in service.devices]}
