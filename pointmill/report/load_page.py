# SPDX-License-Identifier: Apache-2.0
"""Section and figure of docs/performance.md on latency against load, and on what the multiplier does."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from pointmill.measure.benches.edverify import CORE
from pointmill.measure.benches.load import DISTANCES, JOBS, LOADS
from pointmill.measure.records import CLASSES
from pointmill.report.figures import Figures
from pointmill.report.tables import Table

PACE = "cycles_per_verification"


def configs(figures: Figures, name: str, what: str) -> list[str]:
    """Configurations of which this figure was measured."""
    return [c for key, c, w in figures.by_key if (key, w) == (f"{CORE}.{name}", what)]


def multiplier_section(figures: Figures) -> str:
    """Table: share of the cycles in steady state by what the multiplier does in them; empty where it was not
    measured."""
    found = configs(figures, "multiplier", "in_word_product")
    if not found:
        return ""
    counts = {c: [int(figures.measured(f"{CORE}.multiplier", f"in_{k}", c)) for k in CLASSES] for c in found}
    sums = [sum(counts[c]) for c in found]

    def row(meaning: str, values: Iterable[int]) -> list[str]:
        cells = ((f"{n:,}", f"{n / total:.2%}") for n, total in zip(values, sums, strict=True))
        return [meaning, *chain.from_iterable(cells)]

    rows = [row(meaning, (counts[c][i] for c in found)) for i, meaning in enumerate(CLASSES.values())]
    rows.append(["all", *chain.from_iterable((f"{total:,}", "100%") for total in sums)])
    busy = (int(figures.measured(f"{CORE}.butterfly", "in_butterfly", c)) for c in found)
    rows.append(row("the butterfly at work, beside all that", busy))
    return ("\n## What the multiplier does\n\nEvery cycle of the steady state belongs to exactly one line; "
            "cycles counted inside the verilated core.\n\n"
            + Table(["cycles with", *chain.from_iterable((f"`{c}`", "share") for c in found)], rows).markdown())


def measured_loads(figures: Figures) -> list[str]:
    """Configurations with latencies at every load, and with the pace that load 1 is."""
    return [config for config in configs(figures, "load_fixed_0.1", "latency_mean")
            if figures.found("verify", PACE, config)]


def load_section(figures: Figures, picture: str) -> str:
    """Table of mean, 95th percentile and longest latency at every load; empty where they were not measured."""
    found = measured_loads(figures)
    if not found:
        return ""
    text = (
        f"\n## Latency against load\n\nCycles from the arrival of a job, when its first beat is offered, to "
        f"its result, over {JOBS} verifications at each load. Load 1 is the rate of the configuration's "
        "steady state. Jobs arrive at fixed distances, or at random ones (exponential, seeded); at random "
        "distances and load 1 the queue grows without bound, so that those figures belong to this number "
        f"of jobs.\n\n![Latency against load]({picture})\n"
    )
    for config in found:
        rows = [[f"{load:.1f}", *(f"{figures.found(f'load_{d}_{load:.1f}', what, config):,.0f}" for d in DISTANCES
                                  for what in ("latency_mean", "latency_p95", "latency_max"))] for load in LOADS]
        heads = ["load", *chain.from_iterable((f"{d}: mean", "95 %", "longest") for d in DISTANCES)]
        text += f"\n### {config}\n\n{Table(heads, rows, left=0).markdown()}"
    return text
