# SPDX-License-Identifier: Apache-2.0
"""Latency against load: jobs arrive at fixed or at random distances, and wait where the core is busy.

The latency of a job lasts from its arrival, when its first beat is offered, to the cycle of its result. Load
1 is the rate of the steady state. At random distances (exponential, so that arrivals are those of a
Poisson process) the queue has no bound at load 1: those figures belong to the number of jobs that they are
made of.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean

from pointmill.measure.benches import flow
from pointmill.measure.benches.edverify import CORE, signatures
from pointmill.measure.records import Record

RULE = "rfc8032_cofactorless"
LOADS = tuple(tenth / 10 for tenth in range(1, 11))
DISTANCES = ("fixed", "random")
JOBS = 300  # of each load that count
EDGE = 24  # jobs before them, and behind, at the same load, that do not


@dataclass(frozen=True)
class Latency:
    """Latencies of the jobs of one load, in cycles."""

    mean: float
    p95: int
    longest: int


def arrivals(distances: str, distance: float, count: int, seed: int) -> list[int]:
    """Cycles at which `count` jobs arrive, `distance` cycles apart in the mean, the first at 0."""
    if distances == "fixed":
        return [round(i * distance) for i in range(count)]
    rng = random.Random(seed)
    steps = (rng.expovariate(1 / distance) for _ in range(count - 1))
    return [round(time) for time in accumulate(steps, initial=0.0)]


def summary(latencies: Sequence[int]) -> Latency:
    """Mean, 95th percentile (the least latency that 95 of 100 jobs do not exceed) and maximum."""
    ordered = sorted(latencies)
    return Latency(fmean(ordered), ordered[math.ceil(0.95 * len(ordered)) - 1], ordered[-1])


def measure(config: str, capacity: float, jobs: int = JOBS, seed: int = 31) -> list[Record]:
    """Latencies of `jobs` verifications at every load of `LOADS`; capacity: cycles of a verification in
    steady state."""
    items = signatures(jobs + 2 * EDGE, seed)
    found = []
    for distances in DISTANCES:
        for load in LOADS:
            times = arrivals(distances, capacity / load, len(items), seed)
            answers = flow.run(config, RULE, items, times).answers
            counted = [a.latency for a in answers if EDGE <= a.tag < EDGE + jobs]
            latency = summary(counted)
            name = f"{CORE}.load_{distances}_{load:.1f}"
            found += [
                Record(name, config, "latency_mean", round(latency.mean, 1), "cycles"),
                Record(name, config, "latency_p95", latency.p95, "cycles"),
                Record(name, config, "latency_max", latency.longest, "cycles"),
            ]
    return found
