# SPDX-License-Identifier: Apache-2.0
"""pm_limb_canon: numbers around 0, p and 2p, however their carries lie, and random ones."""

from __future__ import annotations

import random
import struct

from field_common import counters

from pointmill import simbuild
from pointmill.model import limb
from pointmill.model.limb import LIMBS, P

RTL = ["hw/lib/field/pm_limb_pkg.sv", "hw/lib/field/pm_limb_canon.sv"]


def spread(value: int, rng: random.Random) -> list[int]:
    """Limbs of a value, carries left in random limbs where they fit."""
    limbs = limb.limbs_of(value % 2**255)
    limbs[-1] += value >> 255 << 15
    for i in reversed(range(1, LIMBS)):
        if limbs[i] and limbs[i - 1] < 1 << 15 and rng.random() < 0.5:
            limbs[i] -= 1
            limbs[i - 1] += 1 << 15
    assert limb.value_of(limbs) == value and max(limbs) < 1 << 16
    return limbs


def test_numbers() -> None:
    rng = random.Random(4)
    edges = [v for base in (0, P, 2**255, 2 * P) for v in range(base - 25, base + 25) if 0 <= v < 2 * P]
    values = 4 * edges + [rng.randrange(2 * P) for _ in range(3000)]
    values += [P + rng.randrange(1 << rng.randrange(1, 255)) for _ in range(500)]
    rows = []
    for value in values:
        limbs = spread(value, rng)
        rows.append(struct.pack("<34H", *limbs, *limb.limbs_of(limb.canonical(limbs))))
    sim = simbuild.build_cpp("pm_limb_canon", RTL, "dv/lib/field/pm_limb_canon_bench.cpp",
                             cflags=("-Idv/common",), out_dir="build/sim/pm_limb_canon")  # fmt: skip
    assert len(values) == 4 * 150 + 3500
    zeros = sum(value in (0, P) for value in values)
    assert zeros >= 12
    assert counters(sim, b"".join(rows)) == {"numbers": len(values), "zeros": zeros, "cleared": len(values) // 5}
