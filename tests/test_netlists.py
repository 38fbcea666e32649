# SPDX-License-Identifier: Apache-2.0
"""Netlists of small modules do what their RTL does (dv/formal/netlists.py), and a damaged one does not."""

from __future__ import annotations

import re

import pytest

from dv.formal.netlists import OUT, main, prove, units
from pointmill.simbuild import ROOT, BuildError

UNITS = units()
LONG = ("pm_modl_bits", "pm_edverify_rx", "pm_edverify_tx", "pm_canon", "pm_mont_inverter", "pm_window_digits")


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) if name in LONG else name
                                  for name in UNITS])
def test_netlist_does_what_the_rtl_does(name: str) -> None:
    assert prove(UNITS[name]) > 0
    log = (OUT / f"{name}.log").read_text()
    assert re.search(r"^ +[1-9]\d* +(LUT4|TRELLIS_FF)$", log, re.MULTILINE), "no cells"


def test_a_damaged_netlist_does_not() -> None:
    """One lookup table of it gives 0 always."""
    with pytest.raises(BuildError, match="unproven"):
        prove(UNITS["pm_job_control"], "setparam -set INIT 16'd0 t:LUT4 %R1")


def test_all_modules_are_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "formal.md").read_text()
    (section,) = re.findall(r"^## Netlists\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"`(pm_\w+)`", section)) == UNITS.keys() and len(UNITS) == 22
    with pytest.raises(SystemExit):
        main(["pm_none"])
    assert "no such proof: pm_none" in capsys.readouterr().err
