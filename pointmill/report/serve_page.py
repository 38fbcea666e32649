# SPDX-License-Identifier: Apache-2.0
"""Tables and the figure of docs/serve.md: processor time a job, latency against load, what many verifications take."""

from __future__ import annotations

from math import ceil

from pointmill.measure.records import ROOT
from pointmill.measure.serving import LOADS, WAYS
from pointmill.report import resource_tables
from pointmill.report.charts import ABSENT, colour, frame, key
from pointmill.report.figures import Figures, complete
from pointmill.report.marks import filled
from pointmill.report.svg import Svg
from pointmill.report.tables import Table

PAGE = ROOT / "docs" / "serve.md"
PICTURE = ROOT / "docs" / "images" / "serve-load.svg"
CONFIG = "model"
NAMES = {"bare": "functional device alone", "http": "HTTP", "grpc": "gRPC"}
MANY = 10**6
"""Verifications a second of the last table."""
HOST = 16
"""Processors of a host there."""
JOB_BYTES = 8 * (1 + 12 + 2)
"""Of a job with a message of 14 bytes at the port of the core (docs/bus-stream.md)."""
BOARDS = (("tiles", "pm_edverify_tiles"), ("tiles_secret", "pm_edverify_tiles_secret"))
"""Configurations that were routed on an ECP5-85, one core of which it holds, and their units."""


def overhead(figures: Figures) -> Table:
    """A row for the device alone and for each way to the service."""
    bare = figures.value("serve.bare", "device_us", CONFIG)
    rows: list[list[str | float | None]] = []
    if bare is not None:
        rows.append([NAMES["bare"], None, bare, None, 1.0, 2e6 / bare])
    for way in WAYS:
        values = complete((bare, figures.value(f"serve.{way}", "program_us", CONFIG),
                           figures.value(f"serve.{way}", "device_us", CONFIG)))
        if values is None:
            rows.append([NAMES[way], ABSENT, None, None, None, None])
            continue
        alone, program, device = values
        whole = program + device
        rows.append([NAMES[way], program, device, f"{whole - alone:.1f}", whole / alone, 2e6 / whole])
    return Table(["", "program, us", "device, us", "more than the device alone, us", "in parts of it",
                  "jobs a second on two processors"], rows)


def _loads(figures: Figures) -> dict[float, list[float]]:
    """Middle and 99th percentile of the latency, and the share that was served, by load."""
    found = {part: complete(figures.value(f"serve.load_{part:.1f}", what, CONFIG)
                            for what in ("latency_p50", "latency_p99", "served")) for part in LOADS}
    return {part: values for part, values in found.items() if values is not None}


def loads(figures: Figures) -> Table:
    """A row for each load."""
    rows = [[f"{part:.1f}", f"{p50:.1f}", f"{p99:.1f}", f"{served:.1%}"]
            for part, (p50, p99, served) in _loads(figures).items()]
    return Table(["load", "latency, 50 %", "99 %", "served"], rows, left=0)


def reached(figures: Figures) -> str:
    """The sentence on an idle service and a full one; empty where they were not measured."""
    values = complete(figures.value("serve.load", what, CONFIG) for what in ("alone", "reached"))
    if values is None:
        return ""
    return (f"A request alone takes {values[0]:.2f} of the device's time for it; with a full queue the service reaches "
            f"{values[1]:.1%} of the rate of its device.\n")


def picture(figures: Figures) -> Svg | None:
    """Latency against load; None where it was not measured."""
    found = _loads(figures)
    if not found:
        return None
    every = [value for p50, p99, _ in found.values() for value in (p50, p99)]
    plot = frame("Latency of the service against load",
                 (0, 1.05 * max(found), "jobs offered, in parts of what the service reaches", False),
                 (min(every) * 0.8, max(every) * 1.2, "latency, in times of the device for a request", True))
    entries = []
    for place, name in enumerate(("50 of 100 requests", "99 of 100 requests")):
        plot.picture.path([(plot.x(part), plot.y(values[place])) for part, values in found.items()], colour(place))
        for part, values in found.items():
            plot.picture.mark(plot.x(part), plot.y(values[place]), "circle", colour(place),
                              f"load {part}: {name} within {values[place]:.1f}, {values[2]:.1%} served")
        entries.append((name, "line", colour(place), False))
    key(plot.picture, entries, 74, 40)
    return plot.picture


def scale(figures: Figures) -> Table:
    """What many verifications a second take of each kind: what one does, and how many there have to be."""
    rows: list[list[str | float | None]] = []
    for config, unit in BOARDS:
        mhz, cycles = resource_tables.clock(figures, unit), figures.found("verify", "cycles_per_verification", config)
        if mhz is not None and cycles is not None:
            rate = mhz * 1e6 / cycles
            rows += [[f"boards with an ECP5-85, `{config}` at its routed {mhz:.1f} MHz", f"{rate:,.0f} a second",
                      f"{ceil(MANY / rate):,}"],
                     [f"link to each of them, `{config}`", f"{JOB_BYTES} bytes a job",
                      f"{rate * JOB_BYTES * 8 / 1e6:,.1f} Mbit/s"]]
    if bare := figures.value("serve.bare", "device_us", CONFIG):
        rows.append(["in place of boards: processors with libsodium", f"{bare:.1f} us a job",
                     f"{ceil(bare * MANY / 1e6):,}"])
    for way in WAYS:
        program, size = (figures.value(f"serve.{way}", what, CONFIG) for what in ("program_us", "request_bytes"))
        if program is None or size is None:
            continue
        programs = ceil(program * MANY / 1e6)
        rows += [[f"programs of the service, a processor each, {NAMES[way]}", f"{program:.1f} us a job",
                  f"{programs:,}"],
                 [f"hosts of {HOST} processors for them", "", f"{ceil(programs / HOST):,}"],
                 [f"network from the clients, {NAMES[way]}", f"{size:.0f} bytes a job",
                  f"{size * 8 * MANY / 1e9:,.1f} Gbit/s"]]
    return Table(["", "one", f"for {MANY:,} a second"], rows)


def document(figures: Figures) -> str:
    """The document with its tables; `ValueError` if it is without the marks."""
    return filled(PAGE, {"overhead": overhead(figures).markdown(),
                         "load": f"{reached(figures)}\n{loads(figures).markdown()}",
                         "scale": scale(figures).markdown()})
