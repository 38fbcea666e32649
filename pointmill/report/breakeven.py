# SPDX-License-Identifier: Apache-2.0
"""One engine against one core of a CPU, over the clock of the engine: where they are level, and who is ahead at the
clock that place and route found."""

from __future__ import annotations

from dataclasses import dataclass

from pointmill.measure.benches.keyexchange import exchange_core
from pointmill.report.charts import ABSENT, colour, frame
from pointmill.report.figures import Figures
from pointmill.report.plane import published_rows
from pointmill.report.resource_tables import clock
from pointmill.report.svg import GREY, SHAPES
from pointmill.report.tables import Cell, Table

DASHES = ("", "7 2", "2 2", "9 3 2 3")
LOW, HIGH = 20, 500
"""Clocks of the chart, in MHz."""

TASKS = {"ed25519_verify": "verifications of Ed25519", "x25519": "X25519",
         "p256_multiply": "products of a point, P-256"}
# task: name of the engine, (id, what, configuration) of its cycles, unit that is placed and routed.
ENGINES = {
    "ed25519_verify": (
        ("tiles", ("edverify.verify", "cycles_per_verification", "tiles"), "pm_edverify_tiles"),
        ("tiles, cached keys", ("edverify.verify_cached", "cycles_per_verification", "tiles"), "pm_edverify_tiles"),
        ("throughput", ("edverify.verify", "cycles_per_verification", "throughput"), "pm_edverify_verify"),
        ("batches", ("edverify.verify_batch", "cycles_per_verification", "bulk"), None),
        ("cached keys", ("edverify.verify_cached", "cycles_per_verification", "bulk"), None),
        ("paper", ("edverify.verify", "cycles_per_verification", "paper"), None)),
    "x25519": tuple(
        (config, ("x25519.x25519", "cycles_per_operation", config), exchange_core(config))
        for config in ("tile", "paper")),
    "p256_multiply": (
        ("fast", ("multicurve.P256_whole_inversion", "cycles_mean", "fast"), None),
        ("paper", ("multicurve.P256_whole_inversion", "cycles_mean", "paper"), None)),
}


@dataclass(frozen=True)
class Engine:
    """An engine: cycles of an operation, None where not measured; routed clock in MHz, None likewise."""

    name: str
    cycles: float | None
    mhz: float | None

    def rate(self, mhz: float) -> float:
        """Operations a second at a clock; `ValueError` where the cycles were not measured."""
        return 1e6 * mhz / self.measured()

    def measured(self) -> float:
        """The cycles; `ValueError` where they were not measured."""
        if self.cycles is None:
            raise ValueError(f"{self.name} was not measured")
        return self.cycles


def engines(figures: Figures, task: str) -> list[Engine]:
    """The engines of a task."""
    return [Engine(name, figures.value(*key), clock(figures, unit) if unit else None)
            for name, key, unit in ENGINES[task]]


def draw(figures: Figures, task: str) -> str | None:
    """Rates over the clock, both logarithmic, of the engines that were routed; None where none was."""
    known = [engine for engine in engines(figures, task) if engine.cycles and engine.mhz]
    if not known:
        return None
    cpus = sorted(published_rows("software", task), key=lambda row: row["rate"])
    rates = [row["rate"] for row in cpus] + [engine.rate(mhz) for engine in known for mhz in (LOW, HIGH)]
    plot = frame(TASKS[task], (LOW, HIGH, "clock of the engine, MHz", True),
                 (min(rates) / 1.3, max(rates) * 1.3, f"{TASKS[task]} a second", True), height=400, right=152)
    plot.picture.data = {"low": LOW, "high": HIGH, "begin": plot.x.begin, "end": plot.x.end, "top": plot.y.end,
                         "bottom": plot.y.begin}
    taken: list[float] = []
    for row in cpus:
        y = plot.y(row["rate"])
        plot.picture.line(plot.x.begin, y, plot.x.end, y, GREY, 1, "6 3",
                          f"{row['name']}, one core: {row['rate']:,} a second")
        taken.append(_free(y - 4, taken, -1))
        plot.picture.text(plot.x.begin + 5, taken[-1], row["name"], size=10.5, colour=GREY, halo=True)
    taken = []
    for place, engine in enumerate(known):
        ends = [(plot.x(mhz), plot.y(engine.rate(mhz))) for mhz in (LOW, HIGH)]
        plot.picture.path(ends, colour(place), DASHES[place % len(DASHES)], 2)
        taken.append(_free(ends[1][1] + 4, taken, 1))
        plot.picture.text(plot.x.end + 6, taken[-1], engine.name, size=11.5, colour=colour(place), bold=True,
                          data_cycles=engine.cycles)
        if engine.mhz:
            plot.picture.mark(plot.x(engine.mhz), plot.y(engine.rate(engine.mhz)), SHAPES[place % len(SHAPES)],
                              colour(place),
                              f"{engine.name}, routed on an ECP5-85: {engine.mhz:.1f} MHz, "
                              f"{engine.rate(engine.mhz):,.0f} a second")
    return str(plot.picture)


def _free(base: float, taken: list[float], step: int) -> float:
    """The nearest base line to `base` in a direction that is no letter's height away from one of `taken`."""
    while any(abs(base - other) < 13 for other in taken):
        base += step
    return base


def verdict(engine: Engine, rate: float) -> str:
    """The clock in MHz at which engine and CPU are level and, at the routed clock, who is ahead by how much."""
    level = f"{engine.measured() * rate / 1e6:,.1f}"
    if not engine.mhz:
        return level
    ratio = engine.rate(engine.mhz) / rate
    return f"{level}: engine {ratio:.1f}x" if ratio >= 1 else f"{level}: CPU {1 / ratio:.1f}x"


def table(figures: Figures, task: str) -> Table:
    """A row for each engine; for each CPU the clock at which they are level, and who is ahead at the routed one."""
    cpus = sorted(published_rows("software", task), key=lambda row: -row["rate"])
    heads = ["engine", "cycles", "routed MHz", *(f"{row['name']}, {row['rate']:,} a second" for row in cpus)]
    rows: list[list[Cell]] = []
    for engine in engines(figures, task):
        if engine.cycles is None:
            rows.append([f"`{engine.name}`", *[ABSENT] * (2 + len(cpus))])
            continue
        routed = f"{engine.mhz:.1f}" if engine.mhz else ABSENT
        rows.append([f"`{engine.name}`", engine.cycles, routed, *(verdict(engine, row["rate"]) for row in cpus)])
    return Table(heads, rows)
