# SPDX-License-Identifier: Apache-2.0
"""Measurement records, the only source of figures for README and docs.

build/bench.json is a list of {"id", "config", "what", "value", "unit", "published"}: `id` is
core.operation, `what` one of `WHATS`, `published` the printed figure of the same thing or null.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
BENCH_FILE = ROOT / "build" / "bench.json"

CLASSES = {
    "word_product": "a word's product",
    "scalar_product": "a product of the scalar unit",
    "no_product": "a word without a product",
    "wait_digest": "a job waits for its digest",
    "wait_unit": "a job waits for its operation list, or for another unit",
    "held": "held for the scalar unit",
    "spacing": "no job is due: each waits for results of its own words",
    "no_job": "no job",
}
"""What the multiplier does in a cycle, or why it starts no product; one of them holds in each cycle."""

WHATS = {
    "cycles": "clock cycles, the same every time",
    "cycles_mean": "clock cycles, mean over the workload",
    "cycles_max": "clock cycles, longest of the workload",
    "cycles_per_verification": "clock cycles between answers in steady state, mean",
    "additions": "point additions, mean",
    "doublings": "point doublings, mean",
    "table_additions": "point additions for the table of the key",
    "table_doublings": "point doublings for the table of the key",
    "cycles_per_operation": "clock cycles between answers in steady state, every operation the same",
    "cycles_alone": "clock cycles of a job with nothing else in the core, mean",
    "dsp_cycles": "DSP slices times clock cycles between answers in steady state",
    "products": "field products, mean",
    "latency_mean": "clock cycles from the arrival of a job to its answer, mean",
    "latency_p95": "the same, of which 95 of 100 jobs stay within",
    "latency_max": "the same, longest of the workload",
    **{f"in_{name}": f"clock cycles of the multiplier, exact count: {text}"
       for name, text in CLASSES.items()},
    "in_butterfly": "clock cycles in which the butterfly works, exact count",
    "utilisation": "share of cycles in which a unit, the multiplier if none is named, starts an operation; of "
                   "multicurve: in which its multipliers work",
    "lut": "look-up tables, xc7, before placement",
    "ff": "flip-flops",
    "dsp": "DSP slices",
    "ramb18": "block RAMs of 18 kbit",
    "interval": "clock cycles from one operation to the next, at least",
    "mhz": "clock, ECP5-85, placed and routed",
    "table_bits": "bits of the tables of points",
}


@dataclass(frozen=True)
class Record:
    """One figure."""

    id: str
    config: str
    what: str
    value: float
    unit: str
    published: float | None = None

    def __post_init__(self) -> None:
        if self.what not in WHATS:
            raise ValueError(f"{self.what} is not one of the words of records.WHATS")


def published(core: str) -> dict:
    """The printed figures of the system that `core` implements (data/published.yaml)."""
    return yaml.safe_load((ROOT / "data" / "published.yaml").read_text())[core]


def save(records: list[Record], path: Path = BENCH_FILE) -> None:
    """Write the records as JSON, in place of those of their cores; other cores' stay."""
    cores = {record.id.partition(".")[0] for record in records}
    kept = json.loads(path.read_text()) if path.is_file() else []
    kept = [record for record in kept if record["id"].partition(".")[0] not in cores]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([*kept, *(asdict(record) for record in records)], indent=1) + "\n")
