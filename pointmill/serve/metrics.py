# SPDX-License-Identifier: Apache-2.0
"""Metrics of the service for Prometheus: counted here, a batch at a time, and read when they are asked for."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from ..api.calls import Outcome
from .batch import PRIORITIES, Batch, reasons_of
from .device_loop import STATES

if TYPE_CHECKING:
    from .service import Service

SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096)


class Histogram:
    """Counts of observations up to each bound."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float, times: int = 1) -> None:
        """Counts a value so many times."""
        self.counts[bisect_left(self.bounds, value)] += times
        self.total += value * times

    def quantile(self, share: float) -> float | None:
        """A bound below which this share of all observations is; None without any, or beyond the last bound."""
        wanted, seen = share * sum(self.counts), 0
        for bound, count in zip((*self.bounds, None), self.counts):
            seen += count
            if seen >= wanted > 0:
                return bound
        return None

    def buckets(self) -> list[tuple[str, float]]:
        """Cumulative counts, as Prometheus wants them."""
        found, seen = [], 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), self.counts):
            seen += count
            found.append((bound, float(seen)))
        return found


class Metrics(Collector):
    """Of one service; a collector of prometheus_client."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.jobs_accepted: Counter[str] = Counter()
        self.answers: Counter[tuple[str, str]] = Counter()
        self.cycles: Counter[str] = Counter()
        self.turned_away: Counter[str] = Counter()
        self.latency = Histogram(SECONDS)
        self.groups = Histogram(SIZES)
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def accepted(self, batch: Batch) -> None:
        """Counts jobs that were accepted, so that each of them has to be answered."""
        self.jobs_accepted[batch.core] += len(batch)

    def answered(self, batch: Batch, outcomes: Sequence[Outcome]) -> None:
        """Counts answers of a batch, the first of each job."""
        if not outcomes:
            return
        for reason, count in reasons_of(outcomes).items():
            self.answers[batch.core, reason] += count
        self.cycles[batch.core] += sum(outcome.cycles for outcome in outcomes)
        self.latency.observe(asyncio.get_running_loop().time() - batch.accepted, len(outcomes))

    def malformed(self, count: int) -> None:
        """Counts lines or messages that were no jobs, and got their answer at once."""
        if count:
            self.answers["none", "malformed_job"] += count

    def group(self, size: int) -> None:
        """Counts a group that a device has answered."""
        self.groups.observe(size)

    def away(self, cause: str) -> None:
        """Counts a request that was turned away."""
        self.turned_away[cause] += 1

    def reasons(self) -> dict[str, int]:
        """Answers by reason."""
        found: Counter[str] = Counter()
        for (_, reason), count in self.answers.items():
            found[reason] += count
        return dict(found)

    def text(self) -> bytes:
        """In the format of Prometheus."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily]:
        """All metrics; of prometheus_client."""
        accepted = CounterMetricFamily("pointmill_jobs_accepted", "Jobs accepted.", labels=["core"])
        for core, count in self.jobs_accepted.items():
            accepted.add_metric([core], count)
        answers = CounterMetricFamily("pointmill_answers", "Answers by reason.", labels=["core", "reason"])
        for labels, count in self.answers.items():
            answers.add_metric(labels, count)
        cycles = CounterMetricFamily("pointmill_cycles", "Clock cycles of jobs, header to result.", labels=["core"])
        for core, count in self.cycles.items():
            cycles.add_metric([core], count)
        away = CounterMetricFamily("pointmill_turned_away", "Requests turned away.", labels=["cause"])
        for cause, count in self.turned_away.items():
            away.add_metric([cause], count)
        yield from (accepted, answers, cycles, away)
        yield HistogramMetricFamily("pointmill_latency_seconds", "From acceptance of a job to its answer.",
                                    buckets=self.latency.buckets(), sum_value=self.latency.total)
        yield HistogramMetricFamily("pointmill_group_jobs", "Jobs that a device took together.",
                                    buckets=self.groups.buckets(), sum_value=self.groups.total)
        yield from self._state()

    def _state(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        backlog, devices = self._service.backlog, self._service.devices
        queue = GaugeMetricFamily("pointmill_queue_jobs", "Jobs that wait.", labels=["priority"])
        waiting = backlog.by_priority()
        for name in PRIORITIES:
            queue.add_metric([name], waiting[name])
        yield queue
        yield GaugeMetricFamily("pointmill_queue_capacity_jobs", "Jobs that may wait.", value=backlog.capacity)
        yield GaugeMetricFamily("pointmill_queue_bytes", "Bytes that wait.", value=backlog.size)
        state = GaugeMetricFamily("pointmill_device_state", "1 for the state of a device.", labels=["device", "state"])
        restarts = CounterMetricFamily("pointmill_device_restarts", "Devices ended and opened anew.",
                                       labels=["device", "cause"])
        busy = CounterMetricFamily("pointmill_device_busy_seconds", "Time with jobs.", labels=["device"])
        for device in devices:
            for name in STATES:
                state.add_metric([device.name, name], device.state == name)
            for cause, count in device.restarts.items():
                restarts.add_metric([device.name, cause], count)
            busy.add_metric([device.name], device.busy_seconds)
        yield from (state, restarts, busy)
        if self._service.replicas:
            replicas = GaugeMetricFamily("pointmill_replicas", "Replicas that run, by core.", labels=["core"])
            for core, count in self._service.replicas.items():
                replicas.add_metric([core], count)
            yield replicas
