# SPDX-License-Identifier: Apache-2.0
"""A figure of a measurement, and its words.

The committed records (measure.store) hold the figures and are their only source for README, docs and the report.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from pointmill.resources import ROOT

CLASSES = {
    "word_product": "a multiplication of a microinstruction",
    "scalar_product": "a multiplication for the scalar unit",
    "no_product": "a microinstruction without a multiplication",
    "wait_digest": "a job waits for its digest",
    "wait_unit": "a job waits for its recoded digit sequence, or for another unit",
    "held": "held for the scalar unit",
    "spacing": "no job is due: each waits for results of its own microinstructions",
    "no_job": "no job",
}
"""What the multiplier does in a cycle, or why it starts no product; one of them holds in each cycle."""

WHATS = {
    "cycles": "clock cycles, the same every time",
    "cycles_mean": "clock cycles, mean over the workload",
    "cycles_max": "clock cycles, longest of the workload",
    "cycles_per_verification": "clock cycles between results in steady state, mean",
    "additions": "point additions, mean",
    "doublings": "point doublings, mean",
    "table_additions": "point additions for the table of the key",
    "table_doublings": "point doublings for the table of the key",
    "cycles_per_operation": "clock cycles between results in steady state, every operation the same",
    "cycles_alone": "clock cycles of a job with nothing else in the core, mean",
    "dsp_cycles": "DSP slices times clock cycles between results in steady state",
    "products": "field products, mean",
    "latency_mean": "clock cycles from the arrival of a job to its result, mean",
    "latency_p95": "the same, of which 95 of 100 jobs stay within",
    "latency_max": "the same, longest of the workload",
    **{f"in_{name}": f"clock cycles of the multiplier, exact count: {text}"
       for name, text in CLASSES.items()},
    "in_butterfly": "clock cycles in which the butterfly works, exact count",
    "utilisation": "share of cycles in which a unit, the multiplier if none is named, starts an operation, of those in "
                   "which it can; of multicurve: in which its multipliers work",
    "lut": "look-up tables, before placement",
    "ff": "flip-flops",
    "dsp": "DSP slices, or multipliers of 18 x 18 bits",
    "ramb18": "block RAMs of 18 kbit",
    "carry": "carry cells",
    "ebr": "block RAMs of 16 or 18 kbit",
    "lram": "large RAMs",
    "comb": "logic cells after packing",
    "mhz": "clock: after place and route, or of the paths between registers in standard cells",
    "pll_mhz": "clock of the PLL of a board",
    "right": "jobs of a simulated netlist with the right result",
    "resets": "soft resets of it in the middle of jobs",
    "aborted": "jobs that these ended",
    "area": "area of the standard cells, before placement",
    "kge": "the same in thousand areas of the smallest NAND2",
    "kge_macros": "the same with register arrays as memory macros, an estimate",
    "product_ns": "time of a product at that clock",
    "P256": "area in standard cells times time of a scalar multiplication on P-256, without inversion",
    "P521": "the same of P-521",
    "table_bits": "bits of the tables of points",
    "traces": "recorded traces of a test",
    "t_max": "largest |t| of Welch's test in any cycle",
    "remaining": "bits that depend on the secret of a job when it is over",
    "module_bits": "those of one module",
    "leaking": "share of cycles with |t| above the threshold",
    "wheel_bytes": "size of the wheel",
    "dependencies": "packages that are installed with a package",
    "import_ms": "processor time of a process that only imports a package, the least of several",
    "verdict_ms": "processor time of a process that verifies one signature, the least of several",
    "score": "share of small changes of the sources that tests find, of those that are not proved to change nothing",
    "mutants": "such changes that were drawn and tested",
    "survivors": "changes among them that no test finds",
    "equal": "changes beside them that are proved to change nothing",
    "flips": "runs with one bit of a register or memory flipped, or two, drawn by a seed",
    "accepted": "those after which an invalid signature is accepted",
    "wrong_results": "those after which an operation with a secret gives a wrong result as a good one",
    "other_reason": "those after which the job is rejected for another reason",
    "disturbed": "those after which another job of the stream has another result, or none",
    "hangs": "those without a result in time, after which a soft reset brings the core back",
    "hangs_kept": "the same where it does not",
    "unchanged": "those after which every result is right",
    "secrets": "secrets, random and chosen ones, each in a job of its own",
    "deviation": "clock cycles from the shortest to the longest of these jobs",
    "program_us": "microseconds of processors that the service takes a job, without its devices",
    "device_us": "microseconds of processors that functional devices take a job",
    "request_bytes": "bytes that a client sends a job",
    "alone": "latency of a request at an idle service, in parts of what its device takes for it",
    "reached": "jobs a second with a full queue, in parts of what the device does without the service",
    "latency_p50": "latency in the middle of all requests, in times that a device takes for one",
    "latency_p99": "the same that 99 of 100 requests stay within",
    "served": "share of the requests that were not turned away",
    "per_second": "operations per second by OpenSSL on one processor of the machine that measured",
}


def in_table(value: float | None) -> str:
    """A figure as tables on the terminal show it."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4g}" if value < 1 else f"{value:,.1f}"


@dataclass(frozen=True)
class Record:
    """One figure. id: core.operation, or a unit of data/units.yaml; published: the printed figure of the same thing."""

    id: str
    config: str
    what: str
    value: float
    unit: str
    published: float | None = None

    def __post_init__(self) -> None:
        if self.what not in WHATS:
            raise ValueError(f"{self.what} is not one of the words of records.WHATS")


@lru_cache(maxsize=1)
def _published() -> dict:
    return yaml.safe_load((ROOT / "data" / "published.yaml").read_text())


def published(section: str) -> Any:
    """A section of data/published.yaml, only to be read: the printed figures of the system that a core implements, or
    other systems and their sources."""
    return _published()[section]
