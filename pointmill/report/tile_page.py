# SPDX-License-Identifier: Apache-2.0
"""Table and figure of docs/edverify-tile.md: a tile by its contexts, from the sweep of it."""

from __future__ import annotations

from pathlib import Path

from pointmill.measure import plan
from pointmill.measure.records import ROOT
from pointmill.measure.subjects.tile import TILES
from pointmill.report import plane
from pointmill.report.figures import Figures
from pointmill.report.marks import filled
from pointmill.report.tables import Table

PAGE = ROOT / "docs" / "edverify-tile.md"
PICTURE = ROOT / "docs" / "images" / "edverify-tile.svg"
SWEEP = "tile"
RESOURCES = {"comb": "TRELLIS_COMB", "ff": "flip-flops", "dsp": "MULT18X18D", "ebr": "DP16KD"}


def _contexts() -> list[int]:
    return [int(count) for count in plan.sweeps()[SWEEP].parameters["NumContexts"]]


def _microseconds(cycles: float | None, mhz: float | None) -> float | None:
    return cycles / mhz if cycles and mhz else None


def forms(figures: Figures) -> list[plane.Form]:
    """Area of a tile and nanoseconds of a verification on TILES of them, by contexts, where both were measured."""
    found = []
    for count in _contexts():
        cycles, mhz, comb = (figures.value(f"sweep.{SWEEP}", what, f"NumContexts={count}")
                             for what in ("cycles_per_verification", "mhz", "comb"))  # fmt: skip
        if comb and (time := _microseconds(cycles, mhz)):
            found.append(plane.Form(f"{count} contexts", comb, 1000 * time, True))
    return found


def by_contexts(figures: Figures) -> Table:
    """A row for each number of contexts, a star for those on the front of area and time."""
    front = {form.name for form in plane.pareto(forms(figures))}
    rows = []
    for count in _contexts():
        words = ("cycles_per_verification", "mhz", *RESOURCES)
        cycles, mhz, *cells = (figures.value(f"sweep.{SWEEP}", what, f"NumContexts={count}") for what in words)
        star = " *" if f"{count} contexts" in front else ""
        rows.append([f"{count}{star}", cycles, f"{mhz:.1f}" if mhz else None, _microseconds(cycles, mhz), *cells])
    heads = ["contexts", f"cycles a verification, {TILES} tiles", "MHz, a tile", "us a verification",
             *RESOURCES.values()]  # fmt: skip
    return Table(heads, rows)


def documents(figures: Figures) -> dict[Path, str]:
    """The document with its table, and the figure where there is something to draw."""
    drawn = plane.draw("pm_edverify_tile by its contexts", forms(figures), "TRELLIS_COMB of a tile",
                       f"ns a verification, {TILES} tiles at the clock of one alone")  # fmt: skip
    return {PAGE: filled(PAGE, {"contexts": by_contexts(figures).markdown()}), **({PICTURE: drawn} if drawn else {})}
