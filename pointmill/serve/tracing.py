# SPDX-License-Identifier: Apache-2.0
"""Traces by OpenTelemetry, where it is installed and asked for; otherwise nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Span(Protocol):
    """What is used of a span."""

    def set_attributes(self, attributes: dict[str, Any]) -> None:
        """Adds attributes."""


class _Nothing:
    def set_attributes(self, attributes: dict[str, Any]) -> None:
        """Drops them."""


class Tracer:
    """Opens spans. source: a tracer of OpenTelemetry, or None."""

    def __init__(self, source: Any = None) -> None:
        self._source = source

    @contextmanager
    def span(self, name: str, **attributes: Any) -> Iterator[Span]:
        """A span around what is done in the context."""
        if self._source is None:
            yield _Nothing()
            return
        with self._source.start_as_current_span(name, attributes=attributes) as span:
            yield span


def exporting(endpoint: str) -> Tracer:
    """A tracer whose spans go to a collector by OTLP over HTTP; `ModuleNotFoundError` without OpenTelemetry."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "pointmill"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint)))
    return Tracer(provider.get_tracer("pointmill.serve"))
