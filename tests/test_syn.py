# SPDX-License-Identifier: Apache-2.0
"""Synthesis: how cells are counted, and what single units must take."""

from __future__ import annotations

import pytest

from pointmill.simbuild import lint
from syn import ecp5, xc7
from syn.yosys import read_units, run, wrong_counts


def test_counts() -> None:
    cells = {"LUT1": 1, "LUT6": 2, "INV": 1, "RAM32M": 3, "SRL16E": 1, "FDRE": 5, "FDCE": 2,
             "DSP48E1": 9, "RAMB18E1": 1, "RAMB36E1": 2, "CARRY4": 4, "MUXF7": 1}
    assert xc7.count(cells) == {"lut": 17, "ff": 7, "dsp": 9, "ramb18": 5, "carry": 4}
    with pytest.raises(ValueError, match="GTXE2"):
        xc7.count({"GTXE2": 1})
    cells = {"LUT4": 5, "CCU2C": 2, "TRELLIS_FF": 7, "TRELLIS_DPR16X4": 1, "DP16KD": 2,
             "MULT18X18D": 3, "PFUMX": 9}
    assert ecp5.count(cells) == {"lut": 13, "ff": 7, "dsp": 3, "ebr": 2}
    with pytest.raises(ValueError, match="DCUA"):
        ecp5.count({"DCUA": 1})


def test_every_unit_of_the_table_exists() -> None:
    units = read_units()
    assert units["pm_mulmod"].expect["xc7"] == {"dsp": 81}
    for unit in units.values():
        lint(unit.top, unit.sources, unit.params)


def test_addsub_takes_no_multiplier() -> None:
    unit = read_units()["pm_addsub"]
    _, counts = run(unit, xc7.XC7)
    assert counts["dsp"] == counts["ramb18"] == 0
    assert counts["lut"] > 255


def test_mulmod_takes_81_multipliers() -> None:
    unit = read_units()["pm_mulmod"]
    _, counts = run(unit, xc7.XC7)
    assert wrong_counts(unit, xc7.XC7, counts) == []
    assert counts["dsp"] == 81
