# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/mutation.md: what the tests find of small changes of the sources, and what they do not."""

from __future__ import annotations

from pointmill.measure.mutation.plan import groups
from pointmill.measure.records import ROOT
from pointmill.report.charts import ABSENT
from pointmill.report.figures import Figures
from pointmill.report.marks import filled
from pointmill.report.tables import Cell, Table

PAGE = ROOT / "docs" / "mutation.md"
GROUPS = {"rtl": "RTL", "driver": "C driver", "python": "`pointmill/`"}


def score_table(figures: Figures) -> Table:
    """A line for each group."""
    known = groups()
    lines: list[list[Cell]] = []
    for name, title in GROUPS.items():
        score, *counts = (figures.value("trust.mutation", what, name)
                          for what in ("score", "mutants", "survivors", "equal"))
        shown = [ABSENT if count is None else f"{count:,.0f}" for count in counts]
        lines.append([title, len(known[name].files), *shown, ABSENT if score is None else f"{score:.1%}"])
    return Table(["group", "files", "changes", "of them not found", "beside them proved equal", "score"], lines)


def survivors_table() -> Table:
    """The changes that no test finds, with their reasons."""
    return Table(["change that no test finds", "reason"],
                 [[f"`{change.replace('|', chr(92) + '|')}`", reason] for group in groups().values()
                  for change, reason in group.survivors.items()], left=2)


def document(figures: Figures) -> str:
    """The document with its tables; `ValueError` if it is without the marks."""
    return filled(PAGE, {"mutation": score_table(figures).markdown() + "\n" + survivors_table().markdown()})
