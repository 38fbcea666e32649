# SPDX-License-Identifier: Apache-2.0
"""Cycles of the configurations with cached keys or batches in steady state, at the ports of the core: signatures of
cached keys, and batches.

Cached keys: as many as the core keeps, one after the other, one-block messages signed by OpenSSL. Batches: the
signatures of `throughput.workload` under a cofactored rule. Their results come a batch at a time, or several, so
that a count between two of them is off by a few batches: the cycles of a signature are here the products
of the whole run, for each signature, over the share of cycles in which one starts in steady state.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pointmill.cores import EDVERIFY
from pointmill.device import Device, Job
from pointmill.library import INCLUDE
from pointmill.measure.benches.edverify import CORE, signatures
from pointmill.measure.benches.throughput import LEAVES, MAIN_RULE, leaves, verify_steady, workload
from pointmill.measure.records import Record

CONFIG = "bulk"
MODES = {"cached": MAIN_RULE, "batch": "zip215"}
"""Modes and the rule under which they are measured."""
NEEDS = {"cached": "Keys", "batch": "Batch"}
"""The parameter of a configuration that has them."""

EDGES = {"cached": 200, "batch": 20 * EDVERIFY.parameters[CONFIG]["Batch"]}
"""Answers at either end that are not counted."""

KEYS = EDVERIFY.parameters[CONFIG]["Keys"]
"""Keys that sign: as many as any configuration keeps."""

SEED = re.findall(r"SEED\d_offset (0x[0-9a-f]+)", (INCLUDE / "pm_edverify_regs.h").read_text())
"""Addresses of the registers that the driver fills at random."""


def jobs_of(mode: str, count: int, seed: int) -> Sequence[Job]:
    """At least `count` jobs, and enough that three times as many are counted as left out."""
    count = max(count, 8 * EDGES[mode])
    if mode == "batch":
        return workload(count, seed)
    made = signatures(count, seed, keys=KEYS)
    return [Job(item.pk, item.msg, item.sig) for item in made]


def use_fixed_seed(device: Device, jobs: Sequence[Job]) -> int:
    """The same multipliers in every run, since the time of a sum depends on them. The first is already made, of the
    random seed that the driver wrote: one batch uses it up, whose products are returned."""
    for word, address in enumerate(SEED):
        device.write(int(address, 16), word + 1)
    device.verify_batch(jobs[: EDVERIFY.parameters[CONFIG]["Batch"]], MODES["batch"])
    return device.counters().muls


def measure(count: int, config: str = CONFIG, seed: int = 2026) -> list[Record]:
    """The records of the modes that a configuration has, over at least `count` signatures each."""
    found = []
    for mode, rule in MODES.items():
        if not EDVERIFY.parameters[config].get(NEEDS[mode]):
            continue
        with Device(config) as device:
            device.set_mode(mode)
            jobs = jobs_of(mode, count, seed)
            before = use_fixed_seed(device, jobs) if mode == "batch" else 0
            steady = verify_steady(device, jobs, rule, EDGES[mode])
            cycles, products = steady.cycles, steady.products
            if mode == "batch":
                products = (device.counters().muls - before) / len(jobs)
                cycles = products / steady.utilisation
        name, busy = f"{CORE}.verify_{mode}", steady.utilisation * LEAVES / leaves(config)
        found += [
            Record(name, config, "cycles_per_verification", round(cycles, 1), "cycles"),
            Record(name, config, "products", round(products, 1), "products"),
            Record(name, config, "utilisation", round(busy, 4), "ratio"),
            Record(name, config, "dsp_cycles", round(leaves(config) * cycles), "DSP-cycles"),
        ]
    return found
