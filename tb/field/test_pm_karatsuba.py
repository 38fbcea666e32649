# SPDX-License-Identifier: Apache-2.0
"""pm_karatsuba: all operand pairs of small widths, with and without registers; refusals."""

from __future__ import annotations

import pytest
from field_common import RTL, counters, popcount

from pointmill import simbuild

SLOTS = [(width, levels) for width in range(1, 10) for levels in range(4) if width >> levels]


@pytest.mark.parametrize("masks", [(0, 0, 0, 0), (0, 1, 1, 0b110), (0b101, 2, 2, 0b111)])
def test_exhaustive(masks: tuple[int, int, int, int]) -> None:
    pre, into, out, rec = masks
    sim = simbuild.build_cpp(
        "pm_karatsuba_tb", [RTL, "tb/field/pm_karatsuba_tb.sv"],
        "tb/field/pm_karatsuba_bench.cpp",
        params={"PreMask": pre, "InReg": into, "MulReg": out, "RecMask": rec},
        out_dir=f"build/sim/pm_karatsuba_{pre}{into}{out}{rec}")
    got = counters(sim)
    assert got["slots"] == len(SLOTS) == 25
    assert got["latencies"] == sum(
        popcount(pre & ((1 << levels) - 1)) + into + out + popcount(rec & ((1 << levels) - 1))
        for _, levels in SLOTS)
    assert got["pairs"] == 2**18
    assert got["products"] == 25 * 2**18
    assert got["frozen"] > 2**15


@pytest.mark.parametrize(("params", "sentence"), [
    ({"W": 9, "Levels": 4}, "W must be at least 2\\^Levels"),
    ({"W": 130, "Levels": 17}, "W must be at least 2\\^Levels"),
    ({"W": 130, "Levels": 0, "InReg": 3}, "InReg must be 0, 1 or 2"),
])
def test_illegal_parameters_are_refused(params: dict[str, int], sentence: str) -> None:
    with pytest.raises(simbuild.BuildError, match=sentence):
        simbuild.lint("pm_karatsuba", RTL, params)
