# SPDX-License-Identifier: Apache-2.0
"""pm_mod_addsub_pair: edges and random operands at 544 bits, side by side and chained."""

from __future__ import annotations

import random

from field_common import counters
from mont_vectors import edges, group, moduli, operand

from pointmill import simbuild

RTL = ["hw/lib/field/pm_mod_addsub.sv", "hw/lib/field/pm_mod_addsub_pair.sv"]
PER_CONTROL = 60


def results(control: int, p: int, a0: int, b0: int, a1: int, b1: int) -> tuple[int, int]:
    """Results of both units; bits of control: sub0, sub1, chain_a1, chain_b1."""
    r0 = (a0 - b0 if control & 1 else a0 + b0) % p
    a1, b1 = r0 if control & 4 else a1, r0 if control & 8 else b1
    return r0, (a1 - b1 if control & 2 else a1 + b1) % p


def limits(sub: int, p: int, a: int, b: int) -> tuple[int, int]:
    """Operands at the end of the range: a - b = -p, or a + b = 2p - 1 with a anywhere below 2p."""
    return (a, min(a + p, 2**544 - 1)) if sub else (2 * p - 1 - b, b)


def test_full_width() -> None:
    """All pairs of edge values in the first unit, random ones, and operands beyond p."""
    rng = random.Random(3)
    out, count, zeros = [], 0, 0
    for p in moduli(3):
        special = edges(p, p)
        for control in range(16):
            operands = [tuple(operand(rng, p) for _ in range(4)) for _ in range(PER_CONTROL)]
            if control in (0, 13):
                operands += [(a, b, rng.choice(special), rng.choice(special))
                             for a in special for b in special]
            if p.bit_length() < 544 and not control & 12:
                operands += [(*limits(control & 1, p, a, b), *limits(control & 2, p, b, a))
                             for a in special for b in special[:4]]
            wanted = [results(control, p, *four) for four in operands]
            out.append(group((control,), [(p, *[0] * 5), *((*four, *two) for four, two
                                                          in zip(operands, wanted, strict=True))]))
            count += len(operands)
            zeros += sum(two.count(0) for two in wanted)
    sim = simbuild.build_cpp("pm_mod_addsub_pair", RTL, "dv/lib/field/pm_mod_addsub_bench.cpp",
                             cflags=("-Idv/common",), out_dir="build/sim/pm_mod_addsub_pair")
    assert counters(sim, "file", b"".join(out)) == {"vectors": count, "zeros": zeros}
    assert count > 200_000
    assert zeros > 5_000
