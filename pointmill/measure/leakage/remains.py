# SPDX-License-Identifier: Apache-2.0
"""The measurement trust.remains: bits of registers and memories that depend on the secret of a job when it is over.

Jobs of different secrets, all else alike, each in a core of its own: bits that differ between any two depend on the
secret. result: some cycles behind the result; abort: behind a soft reset in the middle of the job. By module too.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import accumulate, pairwise
from pathlib import Path

from pointmill import register_map
from pointmill.measure.inputs import Inputs
from pointmill.measure.leakage import record
from pointmill.measure.leakage.targets import TARGETS
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record

SECRETS = 12
SEED = 7
ENDS = ("result", "abort")
BENCH = Path(__file__).with_name("remains.cpp")
PART = 0.6
"""Of the cycles of a job, when it is aborted."""

config, tools = record.config, record.tools


def remaining(name: str, end: str, secrets: int = SECRETS, seed: int = SEED) -> Counter[str]:
    """Bits that depend on the secret, by module. `RuntimeError` for a wrong result."""
    import numpy as np

    target, rng = TARGETS[name], random.Random(seed)
    packets, wanted = zip(*(target.job(rng.randrange(1, target.below), random.Random(seed)) for _ in range(secrets)),
                          strict=True)  # fmt: skip
    cycles = 0 if end == "result" else int(PART * record.toggles(target, [packets[0]], [wanted[0]]).shape[1])
    control = register_map.address(target.core, "CTRL")
    sizes, lines, rows, known = record.simulated(BENCH, target, packets, control, cycles)
    if end == "result":
        record.check(name, lines, wanted)
    differ = np.bitwise_or.reduce(rows ^ rows[0], axis=0)
    found: Counter[str] = Counter()
    for register, (begin, after) in zip(known, pairwise(accumulate(map(int, sizes.split()), initial=0)), strict=True):
        found[register.module] += int(np.bitwise_count(differ[begin:after]).sum())
    return +found


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` for a wrong result."""
    name, found = f"trust.remains.{one.words[-1]}", []
    for end in ENDS:
        modules = remaining(one.words[-1], end)
        found += [Record(name, end, "remaining", modules.total(), "bits"),
                  *(Record(f"{name}.{module}", end, "module_bits", bits, "bits") for module, bits in modules.items())]
    return found


def inputs(one: Measurement) -> Inputs:
    """The core with its parameters, the benches, the workload."""
    own = record.inputs(one)
    return Inputs(own.units, own.files, f"{one.name} {SECRETS} {SEED}")
