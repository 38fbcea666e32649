# SPDX-License-Identifier: Apache-2.0
"""pm_digit_mul and pm_digit_mac, generic and for standard cells: all products of 135 shapes, and with addends; illegal
tiles."""

from __future__ import annotations

import pytest
from field_common import counters

from pointmill import simbuild

RTL = ["hw/lib/field/pm_digit_mul.sv", "hw/lib/field/pm_digit_mac.sv"]
CELLS = ["hw/lib/field/pm_csa.sv", "syn/tech/cells/pm_digit_mul.sv", "syn/tech/cells/pm_digit_mac.sv"]


@pytest.mark.parametrize("sources", [RTL, CELLS], ids=["generic", "cells"])
def test_exhaustive(sources: list[str]) -> None:
    sim = simbuild.build_cpp("pm_digit_mul_tb", [*sources, "dv/lib/field/pm_digit_mul_tb.sv"],
                             "dv/lib/field/pm_digit_mul_bench.cpp", cflags=("-Idv/common",),
                             out_dir=f"build/sim/pm_digit_mul_{len(sources)}")
    assert counters(sim) == {"products": 135 << 15, "sums": 135 << 15}


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="Tile at least half of it"):
        simbuild.lint("pm_digit_mul", RTL[:1], {"Tile": 15})
