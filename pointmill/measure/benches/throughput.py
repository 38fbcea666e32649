# SPDX-License-Identifier: Apache-2.0
"""Cycles of the configurations of `edverify` with several contexts, at the ports of the core: results in
steady state, and one single job.

The signatures of sign.input, which are real ones, come first, then one-block messages signed by OpenSSL.
The messages of sign.input have at most 9 SHA-512 blocks of 84 cycles, so that the hash is not
what bounds the rate; the honest signatures are all valid, so that nothing ends early.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from pointmill import sign_input
from pointmill.cores import EDVERIFY
from pointmill.device import Counters, Device, Job, Progress, Result
from pointmill.measure.benches.edverify import CORE, signatures
from pointmill.measure.records import Record, published
from pointmill.rules import RULES

CONFIGS = ("hardened", "throughput", "latency", "tiles", "tiles_secret")
ALL_RULES = ("throughput",)  # measured under every rule set, the others under the main one
LEAVES = 81  # of a multiplier that takes a product every cycle; a leaf is a DSP, no other unit has one (units.yaml)
TILE_LEAVES = 27
MAIN_RULE = "rfc8032_cofactorless"
EDGE = 24  # answers at either end that are not counted: the contexts fill and drain
ALONE = 24  # jobs for the latency of one alone
FEWEST = 4 * EDGE


@dataclass(frozen=True)
class Steady:
    """What a long run took, without its ends. products and cycles: means for an answer; utilisation: products started
    a cycle; latency: from header to answer, of all jobs."""

    cycles: float
    products: float
    utilisation: float
    latency: list[int]


def workload(count: int, seed: int) -> list[Job]:
    """`count` valid jobs, the 1,024 of sign.input first."""
    real = sign_input.signatures()[:count]
    more = signatures(count - len(real), seed)
    return [*(Job(item.pk, item.msg, item.sig) for item in real), *(Job(item.pk, item.msg, item.sig) for item in more)]


def run_steady(device: Device, batch: Callable[[Progress], list[Result]], edge: int = EDGE) -> Steady:
    """Runs a batch of jobs with the queue always full, and leaves `edge` answers out at either end; `RuntimeError` if
    a job is refused."""
    ends: list[int] = []
    marks: list[Counters] = []

    def answered(done: int, total: int) -> None:
        ends.append(device.elapsed())
        if done in (edge, total - edge):
            marks.append(device.counters())

    results = batch(answered)
    refused = [i for i, result in enumerate(results) if not result.valid]
    if refused:
        raise RuntimeError(f"rejected jobs {refused[:5]}")
    answers = len(results) - 2 * edge
    first, last = marks
    products = last.muls - first.muls
    return Steady(
        (ends[-edge - 1] - ends[edge - 1]) / answers,
        products / answers,
        products / (last.cycles - first.cycles),
        [result.cycles for result in results],
    )


def verify_steady(device: Device, jobs: Sequence[Job], rule: str, edge: int = EDGE) -> Steady:
    """`run_steady` of verifications."""
    return run_steady(device, lambda progress: device.verify_batch(jobs, rule, progress), edge)


def run_alone(device: Device, jobs: Sequence[Job]) -> list[int]:
    """Cycles of each job with nothing else in the core."""
    return [device.verify_batch([job], MAIN_RULE)[0].cycles for job in jobs]


def records_of(name: str, config: str, steady: Steady, printed: float | None) -> list[Record]:
    """The records of one rule set."""
    busy = steady.utilisation * LEAVES / leaves(config)
    return [
        Record(
            name, config, "cycles_per_verification", round(steady.cycles, 1), "cycles", printed
        ),
        Record(name, config, "cycles_mean", round(fmean(steady.latency), 1), "cycles"),
        Record(name, config, "cycles_max", max(steady.latency), "cycles"),
        Record(name, config, "products", round(steady.products, 1), "products"),
        Record(name, config, "utilisation", round(busy, 4), "ratio"),
    ]


def leaves(config: str) -> int:
    """Leaves of the multipliers that verify; a product is the work of LEAVES of them in one cycle."""
    parameters = EDVERIFY.parameters[config]
    return TILE_LEAVES * parameters["Tiles"] if "Tiles" in parameters else LEAVES


def measure(count: int, config: str, seed: int = 2026) -> list[Record]:
    """All records of a configuration, over `count` signatures under the main rule set and a quarter under
    the others."""
    jobs = workload(max(count, FEWEST), seed)
    paper = published(CORE)
    name = f"{CORE}.verify"
    with Device(config) as device:
        alone = run_alone(device, jobs[:ALONE])
        steady = verify_steady(device, jobs, MAIN_RULE)
        cost = round(leaves(config) * steady.cycles)
        found = [
            *records_of(name, config, steady, paper["verify"]),
            Record(name, config, "cycles_alone", round(fmean(alone), 1), "cycles"),
            Record(name, config, "dsp_cycles", cost, "DSP-cycles", paper["dsp_cycles"]),
        ]
        if config in ALL_RULES:
            share = jobs[: max(count // 4, FEWEST)]
            for rule in RULES:
                if rule != MAIN_RULE:
                    other = verify_steady(device, share, rule)
                    found += records_of(f"{name}_{rule}", config, other, None)
    return found
