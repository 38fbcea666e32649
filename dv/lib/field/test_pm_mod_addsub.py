# SPDX-License-Identifier: Apache-2.0
"""pm_mod_addsub: every modulus and operand of 4 bits, through the pair, and illegal parameters."""

from __future__ import annotations

import pytest
from field_common import counters

from pointmill import simbuild

RTL = ["hw/lib/field/pm_mod_addsub.sv", "hw/lib/field/pm_mod_addsub_pair.sv"]


def test_toy_exhaustive() -> None:
    """Also even moduli and 1: nothing here needs an odd one."""
    sim = simbuild.build_cpp("pm_mod_addsub_pair", RTL, "dv/lib/field/pm_mod_addsub_bench.cpp",
                             {"Width": 4}, cflags=("-Idv/common",),
                             out_dir="build/sim/pm_mod_addsub_pair_4")
    got = counters(sim, "all", 4)
    assert got["vectors"] == sum(16 * p**3 for p in range(16))
    assert got["zeros"] > got["vectors"] // 15


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="Width must be at least 2"):
        simbuild.lint("pm_mod_addsub", RTL[:1], {"Width": 1})
