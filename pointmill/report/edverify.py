# SPDX-License-Identifier: Apache-2.0
"""Figures of `edverify`: the way from the published cycles to today's, where cycles go, latency against load."""

from __future__ import annotations

from pointmill.measure.benches.edverify import CORE
from pointmill.measure.benches.load import DISTANCES, LOADS
from pointmill.measure.records import CLASSES, published
from pointmill.report.charts import Bar, Step, colour, frame, key, stacked, waterfall
from pointmill.report.figures import Figures, complete
from pointmill.report.load_page import PACE, measured_loads
from pointmill.report.svg import Svg

CONFIGS = ("paper", "throughput", "latency")

# Phases of a verification: our record, its name in the picture, the published record.
PHASES = (
    ("phase_receive", "receive", None),
    ("phase_decompression", "decompress A and R", "decompression"),
    ("phase_challenge", "k mod L", "modl"),
    ("phase_double_scalar", "S*G - k*A", "double_scalar"),
    ("phase_compare", "compare", None),
)


def way(figures: Figures) -> Svg:
    """Waterfall from the published cycles of a verification to today's.

    Between `paper` and `throughput` lie two changes that are told apart by the products of both: in cycles without a
    product, and in products."""
    def cycles(config: str, name: str = "verify") -> float | None:
        return figures.found(name, PACE, config)

    paper, fast = cycles("paper"), cycles("throughput")
    few = figures.found("verify", "products", "throughput")
    many = figures.found("verify", "products", "paper")
    busy = None
    if paper is not None and fast is not None and few is not None and many is not None:
        busy = paper - ((paper - many) - (fast - few))
    steps = [
        Step("published", published("edverify")["verify"], True, "Xue et al. 2022"),
        Step("other schedules, no inversion", paper, False, "the same method"),
        Step("paper", paper, True, "one job at a time"),
        Step("twelve jobs at a time", busy, False, "multiplier never waits"),
        Step("half-size scalars", fast, False, "fewer products"),
        Step("throughput", fast, True, "any key, each decided alone"),
        Step("batches of 64", cycles("bulk", "verify_batch"), True, "bulk, cofactored rules"),
        Step("cached keys", cycles("bulk", "verify_cached"), True, "bulk, keys that come often"),
    ]
    return waterfall("From the published cycles of a verification to today's", steps, "cycles a verification")


def phases(figures: Figures) -> Svg:
    """Where the cycles of one verification go, beside the published."""
    printed = published("edverify")
    ours = complete(figures.found(name, "cycles_mean", "paper") for name, _, _ in PHASES)
    theirs = [printed[name] if name else 0 for _, _, name in PHASES]
    names = [name for _, name, _ in PHASES] + ["not printed apart"]
    bars = [Bar("published", [*theirs, printed["verify"] - sum(theirs)]),
            Bar("paper", None if ours is None else [*ours, 0])]
    return stacked("Where the cycles of a verification go", names, bars, "cycles of a verification alone")


def multiplier(figures: Figures) -> Svg:
    """What the multiplier does in steady state."""
    names = ["a product", "product of scalar unit", "word without product", "waits for digest", "waits for a unit",
             "held", "spacing of results", "no job"]
    bars = [Bar(config, complete(figures.found("multiplier", f"in_{word}", config) for word in CLASSES))
            for config in CONFIGS]
    return stacked("What the multiplier does in each cycle", names, bars, "share of the cycles in steady state",
                   share=True, totals=False)


def load(figures: Figures) -> Svg | None:
    """Latency against load, mean and 95 of 100; None where it was not measured."""
    found = measured_loads(figures)
    if not found:
        return None
    values = {(config, distances, what): [figures.measured(f"{CORE}.load_{distances}_{load:.1f}", what, config)
                                          for load in LOADS]
              for config in found for distances in DISTANCES for what in ("latency_mean", "latency_p95")}
    every = [value for row in values.values() for value in row]
    paces = {config: figures.measured(f"{CORE}.verify", PACE, config) for config in found}
    most = max(1e6 / pace for pace in paces.values())
    plot = frame("Latency against load", (0, 1.05 * most, "verifications offered per million cycles", False),
                 (min(every) * 0.8, max(every) * 1.2, "cycles from arrival to answer", True))
    entries = []
    for place, config in enumerate(found):
        for distances, dash in zip(DISTANCES, ("", "5 3"), strict=True):
            for what, width in (("latency_mean", 1.8), ("latency_p95", 0.9)):
                points = [(plot.x(1e6 * load / paces[config]), plot.y(value))
                          for load, value in zip(LOADS, values[config, distances, what], strict=True)]
                plot.picture.path(points, colour(place), dash, width)
            for load, mean, late in zip(LOADS, values[config, distances, "latency_mean"],
                                        values[config, distances, "latency_p95"], strict=True):
                plot.picture.mark(plot.x(1e6 * load / paces[config]), plot.y(mean), ("circle", "square")[place % 2],
                                  colour(place), f"{config}, {distances} distances, load {load}: mean {mean:,.0f}, "
                                  f"95 of 100 within {late:,.0f} cycles", distances == "random")
            entries.append((f"{config}, {distances} distances", "dashed" if dash else "line", colour(place), False))
    key(plot.picture, entries, 74, 40)
    return plot.picture
