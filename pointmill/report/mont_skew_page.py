# SPDX-License-Identifier: Apache-2.0
"""Table and figure of docs/field-montgomery.md: the unit of skewed columns by digit, from the sweeps of it."""

from __future__ import annotations

from pathlib import Path

from pointmill.measure import plan
from pointmill.measure.records import ROOT
from pointmill.measure.subjects.mont_skew import columns
from pointmill.report import plane
from pointmill.report.charts import ABSENT
from pointmill.report.figures import Figures
from pointmill.report.marks import filled
from pointmill.report.tables import Table

PAGE = ROOT / "docs" / "field-montgomery.md"
PICTURE = ROOT / "docs" / "images" / "mont-skew.svg"
CELLS, CHAINS = "mont_skew", "mont_skew-contexts"


def _digits() -> list[int]:
    return [int(digit) for digit in plan.sweeps()[CELLS].parameters["Digit"]]


def forms(figures: Figures) -> list[plane.Form]:
    """Area and time of a product of every digit that was measured."""
    found = []
    for digit in _digits():
        area, time = (figures.value(f"sweep.{CELLS}", what, f"Digit={digit}") for what in ("kge", "product_ns"))
        if area and time:
            found.append(plane.Form(f"{digit} bits", area, time, True))
    return found


def table(figures: Figures) -> Table:
    """A row for each digit, a star for those on the front of area and time."""
    contexts = plan.sweeps()[CHAINS].parameters["contexts"]
    front = {form.name for form in plane.pareto(forms(figures))}
    rows = []
    for digit in _digits():
        cells = [figures.value(f"sweep.{CELLS}", what, f"Digit={digit}") for what in ("kge", "mhz", "product_ns")]
        chains = [figures.value(f"sweep.{CHAINS}", "cycles_per_operation", f"Digit={digit},contexts={count}")
                  for count in contexts]  # fmt: skip
        rows.append([f"{digit}{' *' if f'{digit} bits' in front else ''}", str(columns(digit)),
                     *(ABSENT if value is None else f"{value:,.1f}" for value in (*cells, *chains))])
    heads = ["bits of a digit", "columns", "kGE", "MHz", "product, ns",
             *(f"cycles, {count} {'chain' if count == 1 else 'chains'}" for count in contexts)]
    return Table(heads, rows)


def documents(figures: Figures) -> dict[Path, str]:
    """The document with its table, and the figure where there is something to draw."""
    drawn = plane.draw("pm_mont_skew by the bits of a digit", forms(figures), "thousand gate equivalents, sky130",
                       "ns a product of 256 bits, four at a time")  # fmt: skip
    return {PAGE: filled(PAGE, {"skew": table(figures).markdown()}), **({PICTURE: drawn} if drawn else {})}
