# SPDX-License-Identifier: Apache-2.0
"""Section and picture of docs/performance.md on latency against load, and on what the multiplier does."""

from __future__ import annotations

from pointmill.bench.load import DISTANCES, JOBS, LOADS
from pointmill.bench.records import CLASSES

PACE = "cycles_per_verification"


def configs(figures, name: str, what: str) -> list[str]:
    """Configurations of which this figure was measured."""
    return [c for key, c, w in figures.by_key if (key, w) == (f"edverify.{name}", what)]


def multiplier_section(figures) -> str:
    """Table: share of the cycles in steady state by what the multiplier does in them; empty where it was not measured."""
    found = configs(figures, "multiplier", "in_word_product")
    if not found:
        return ""
    counts = {c: [int(figures.found("multiplier", f"in_{k}", c)) for k in CLASSES] for c in found}
    text = (
        "\n## What the multiplier does\n\nEvery cycle of the steady state belongs to exactly one line; "
        "cycles counted inside the verilated core.\n\n| cycles with | "
        + " | ".join(f"`{c}` | share" for c in found)
        + " |\n|---|" + "---:|---:|" * len(found) + "\n"
    )
    for i, meaning in enumerate(CLASSES.values()):
        cells = (f"{counts[c][i]:,} | {counts[c][i] / sum(counts[c]):.2%}" for c in found)
        text += f"| {meaning} | {' | '.join(cells)} |\n"
    sums = (f"{sum(counts[c]):,} | 100%" for c in found)
    text += f"| all | {' | '.join(sums)} |\n"
    busy = (int(figures.found("butterfly", "in_butterfly", c)) for c in found)
    cells = (f"{n:,} | {n / sum(counts[c]):.2%}" for n, c in zip(busy, found, strict=True))
    return text + f"| the butterfly at work, beside all that | {' | '.join(cells)} |\n"


def measured_loads(figures) -> list[str]:
    """Configurations with latencies at every load, and with the pace that load 1 is."""
    return [config for config in configs(figures, "load_fixed_0.1", "latency_mean")
            if figures.found("verify", PACE, config)]


def load_section(figures, picture: str) -> str:
    """Table of mean, 95th percentile and longest latency at every load; empty where they were not measured."""
    found = measured_loads(figures)
    if not found:
        return ""
    text = (
        f"\n## Latency against load\n\nCycles from the arrival of a job, when its first beat is offered, to "
        f"its answer, over {JOBS} verifications at each load. Load 1 is the rate of the configuration's "
        "steady state. Jobs arrive at fixed distances, or at random ones (exponential, seeded); at random "
        "distances and load 1 the queue grows without bound, so that those figures belong to this number "
        f"of jobs.\n\n![Latency against load]({picture})\n"
    )
    for config in found:
        text += f"\n### {config}\n\n| load | " + " | ".join(
            f"{d}: mean | 95 % | longest" for d in DISTANCES) + " |\n|---:|" + "---:|" * 6 + "\n"
        for load in LOADS:
            cells = (
                f"{figures.found(f'load_{d}_{load:.1f}', what, config):,.0f}"
                for d in DISTANCES for what in ("latency_mean", "latency_p95", "latency_max")
            )
            text += f"| {load:.1f} | {' | '.join(cells)} |\n"
    return text
