# SPDX-License-Identifier: Apache-2.0
"""pm_digit_mul: all products of 135 shapes; illegal tiles."""

from __future__ import annotations

import pytest
from field_common import counters

from pointmill import simbuild

RTL = ["hw/lib/field/pm_digit_mul.sv"]


def test_exhaustive() -> None:
    sim = simbuild.build_cpp("pm_digit_mul_tb", [*RTL, "dv/lib/field/pm_digit_mul_tb.sv"],
                             "dv/lib/field/pm_digit_mul_bench.cpp", cflags=("-Idv/common",),
                             out_dir="build/sim/pm_digit_mul")
    assert counters(sim) == {"products": 135 << 15}


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="Tile at least half of it"):
        simbuild.lint("pm_digit_mul", RTL, {"Tile": 15})
