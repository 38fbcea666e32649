# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/faults.md and docs/timing.md."""

from __future__ import annotations

from pathlib import Path

from pointmill.measure.faults.record import OUTCOMES
from pointmill.measure.faults.targets import GROUPS, TARGETS
from pointmill.measure.records import ROOT
from pointmill.measure.timing import OPERATIONS
from pointmill.report.charts import ABSENT
from pointmill.report.figures import Figures
from pointmill.report.marks import filled
from pointmill.report.tables import Table

FAULTS, TIMING = (ROOT / "docs" / name for name in ("faults.md", "timing.md"))
BAD = ("accepted", "wrong_results", "hangs_kept")
"""Outcomes for which a module gets a row."""


def _count(figures: Figures, name: str, what: str, group: str) -> str:
    value = figures.value(name, what, group)
    return "" if value is None else f"{value:,.0f}"


def outcomes(figures: Figures, group: str) -> Table:
    """A row for each target of a group, for its draws, and for all where there are several."""
    rows = []
    targets = [(f"trust.faults.{name}", f"`{name}`") for name in GROUPS[group]]
    draws = (("", ""), (".by_bit", "every bit alike"), (".by_register", "every register alike"),
             (".by_end", "the same, last cycles"), (".by_control", "every register of control alike"))
    for name, text in (*targets, *([("trust.faults", "all")] if len(targets) > 1 else [])):
        for draw, label in draws:
            part = name + draw
            if not draw or figures.value(part, "flips", group) is not None:
                flips = _count(figures, part, "flips", group) or ABSENT
                rows.append([label or text, flips, *(_count(figures, part, what, group) for what in OUTCOMES)])
    return Table(["target", "flips", *(what.replace("_", " ") for what in OUTCOMES)], rows)


def modules(figures: Figures) -> Table:
    """A row for each module of a target in which flips had a bad outcome, the worst share first."""
    counts: dict[tuple[str, str], dict[str, float]] = {}
    for record in figures.records:
        words = record.id.split(".")
        if words[:2] == ["trust", "faults"] and len(words) == 4 and not words[3].startswith("by_"):
            counts.setdefault((words[2], words[3]), {})[record.what] = record.value
    bad = {key: row for key, row in counts.items() if any(row.get(what) for what in BAD)}

    def place(key: tuple[str, str]) -> tuple[int, float, str]:
        share = sum(bad[key].get(what, 0) for what in BAD) / bad[key]["flips"]
        return list(TARGETS).index(key[0]), -share, key[1]

    order = sorted(bad, key=place)
    rows = [[f"`{target}`", f"`{module}`", f"{bad[target, module]['flips']:,.0f}",
             *(f"{bad[target, module].get(what, 0):,.0f}" for what in BAD)] for target, module in order]
    return Table(["target", "module", "flips", *(what.replace("_", " ") for what in BAD)], rows, left=2)


def timing(figures: Figures) -> Table:
    """A row for each operation."""
    rows = []
    for name, operation in OPERATIONS.items():
        cells = [figures.value("trust.timing", what, name) for what in ("secrets", "cycles_max", "deviation")]
        rows.append([f"`{name}`", f"`{operation.core}`, `{operation.config}`",
                     *(ABSENT if cell is None else f"{cell:,.0f}" for cell in cells)])
    return Table(["operation", "core, configuration", "secrets", "cycles", "deviation"], rows, left=2)


def documents(figures: Figures) -> dict[Path, str]:
    """The documents with their tables; `ValueError` if one is without its marks."""
    faults = {"outcomes": outcomes(figures, "plain").markdown(), "modules": modules(figures).markdown(),
              "hardened": outcomes(figures, "hardened").markdown()}  # fmt: skip
    return {FAULTS: filled(FAULTS, faults), TIMING: filled(TIMING, {"timing": timing(figures).markdown()})}
