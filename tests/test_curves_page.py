# SPDX-License-Identifier: Apache-2.0
"""docs/curves.md: every curve and every name in it, and the cycles of the records."""

from __future__ import annotations

import re

from pointmill import curves
from pointmill.curves import Curve, by_name
from pointmill.measure.benches.multicurve import NAMES
from pointmill.measure.records import Record
from pointmill.report import curves_page
from pointmill.report.figures import Figures


def rows(text: str, heading: str) -> dict[str, list[str]]:
    """Cells behind the first one, by that, of the first table below a heading."""
    below = text.split(f"\n## {heading}\n")[1]
    lines = re.findall(r"^\| `(.*?)` \| (.*) \|$", below.split("\n## ")[0], re.MULTILINE)
    return {name: cells.split(" | ") for name, cells in lines}


def test_every_curve_is_in_it() -> None:
    text = curves_page.document(Figures([]))
    short, others = rows(text, "Short Weierstrass curves"), rows(text, "Edwards and Montgomery curves")
    assert [*short] == [name for name in curves.known() if isinstance(by_name(name), Curve)]
    assert [*short, *others] == curves.known()
    for name, cells in (short | others).items():
        assert re.findall(r"`(.*?)`", cells[0]) == curves.aliases(name)
        assert cells[1] == (curves.oid(name) or "") and cells[2] == by_name(name).source
    assert short["P-521"][3:] == ["-3", "521", "521", "1"] and short["secp160k1"][3:] == ["0", "160", "161", "1"]
    assert short["BLS12-381-G1"][3:] == ["0", "381", "255", "126 bits"]
    assert others["Ed448"][3:] == ["x^2 + y^2 = 1 - 39081 x^2 y^2", "`W-Ed448`", "448", "446", "4"]
    assert others["X25519"][3:] == ["v^2 = u^3 + 486662 u^2 + u", "`W-25519`", "255", "253", "8"]


def test_cycles_are_those_of_the_records() -> None:
    figures = Figures([Record("multicurve.W448_whole_inversion", "fast", "cycles_mean", 25001.6, "cycles"),
                       Record("multicurve.W448_secret", "fast", "cycles", 50500, "cycles"),
                       Record("multicurve.W448_secret", "paper", "cycles", 1, "cycles")])  # fmt: skip
    table = rows(curves_page.document(figures), "Performance")
    assert table["W-448"] == ["yes", "28", "11", "25,002", "50,500"]
    assert table["W-Ed448"] == ["yes", "28", "11", "", ""] and table["brainpoolP320r1"] == ["", "20", "13", "", ""]
    assert set(NAMES.values()) <= set(curves.known()) and len(table) == 33
