# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/boards.md: what bitstreams were routed at, by seed, and the simulated netlists."""

from __future__ import annotations

from collections.abc import Mapping

from pointmill.measure.plan import Measurement, measurements
from pointmill.measure.records import ROOT
from pointmill.measure.synthesis.pnr import COLUMNS
from pointmill.report.charts import ABSENT
from pointmill.report.figures import Figures
from pointmill.report.marks import filled
from pointmill.report.tables import Cell, Table

PAGE = ROOT / "docs" / "boards.md"
INITIALS = ("zero", "random", "one")


def planned(known: Mapping[str, Measurement]) -> dict[str, list[str]]:
    """Seeds by board."""
    found: dict[str, list[str]] = {}
    for one in known.values():
        if one.kind == "board" and one.words[1].isdecimal():
            found.setdefault(one.words[0], []).append(one.words[1])
    return found


def clock_table(figures: Figures, boards: Mapping[str, list[str]]) -> Table:
    """A line for each seed of each board."""
    lines: list[list[Cell]] = []
    for board, seeds in boards.items():
        for seed in seeds:
            pll, routed, *cells = (figures.value(f"board.{board}", what, f"seed {seed}")
                                   for what in ("pll_mhz", "mhz", *COLUMNS))
            margin = ABSENT if pll is None or routed is None else f"{routed / pll - 1:.1%}"
            lines.append([f"`{board}`", seed, pll, ABSENT if routed is None else f"{routed:.1f}", margin, *cells])
    return Table(["board", "seed", "PLL, MHz", "routed, MHz", "margin", *COLUMNS.values()], lines)


def netlist_table(figures: Figures, boards: Mapping[str, list[str]]) -> Table:
    """A line for each initial state of each board that was simulated."""
    lines: list[list[Cell]] = []
    for board in boards:
        for initial in INITIALS:
            counts = [figures.value(f"board.{board}", what, initial) for what in ("right", "resets", "aborted")]
            if counts[0] is not None:
                lines.append([f"`{board}`", initial, *counts])
    return Table(["netlist of", "registers and memories begin as", "jobs with the right result", "soft resets",
                  "jobs that they ended"], lines, left=2)  # fmt: skip


def document(figures: Figures) -> str:
    """The document with its tables; `ValueError` if it is without the marks."""
    boards = planned(measurements())
    return filled(PAGE, {"bitstreams": clock_table(figures, boards).markdown(),
                         "netlists": netlist_table(figures, boards).markdown()})
