# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/faults.md, docs/timing.md and docs/leakage.md."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from pointmill.measure.coordinates.record import TESTS as COORDINATES
from pointmill.measure.faults.record import OUTCOMES
from pointmill.measure.faults.targets import GROUPS, TARGETS
from pointmill.measure.leakage.record import TESTS
from pointmill.measure.leakage.remains import ENDS
from pointmill.measure.leakage.targets import TARGETS as SECRET_TARGETS
from pointmill.measure.records import ROOT
from pointmill.measure.timing import OPERATIONS
from pointmill.report.charts import ABSENT
from pointmill.report.figures import Figures
from pointmill.report.marks import filled
from pointmill.report.tables import Table

FAULTS, TIMING, LEAKAGE = (ROOT / "docs" / name for name in ("faults.md", "timing.md", "leakage.md"))
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


def _shown(value: float | None, form: str = ",.0f") -> str:
    return ABSENT if value is None else format(value, form)


def timing(figures: Figures) -> Table:
    """A row for each operation."""
    rows = [[f"`{name}`", f"`{operation.core}`, `{operation.config}`",
             *(_shown(figures.value("trust.timing", what, name)) for what in ("secrets", "cycles_max", "deviation"))]
            for name, operation in OPERATIONS.items()]
    return Table(["operation", "core, configuration", "secrets", "cycles", "deviation"], rows, left=2)


def leakage(figures: Figures) -> Table:
    """A row for each operation, two columns for each test."""
    rows = []
    for name, target in SECRET_TARGETS.items():
        known = partial(figures.value, f"trust.leakage.{name}")
        rows.append([f"`{name}`", f"`{target.core}`, `{target.config}`",
                     *(_shown(known(what, TESTS[0])) for what in ("traces", "cycles")),
                     *(_shown(known(what, test), form) for test in TESTS
                       for what, form in (("t_max", ",.1f"), ("leaking", ".2%")))])
    heads = [head for test in TESTS for head in (f"{test}: largest", "cycles above")]
    return Table(["operation", "core, configuration", "traces a test", "cycles", *heads], rows, left=2)


def coordinates(figures: Figures) -> Table:
    """A row for each form of the engine and test: all registers, then those of the scalar."""
    rows = []
    for form, tests in COORDINATES.items():
        for test in tests:
            known = partial(figures.value, config=test)
            name = f"trust.coordinates.{form}"
            rows.append([form, test, *(_shown(known(name, what)) for what in ("traces", "cycles")),
                         *(_shown(known(name + part, what), shape) for part in ("", ".scalar")
                           for what, shape in (("t_max", ",.1f"), ("leaking", ".2%")))])
    return Table(["engine", "test", "traces", "cycles", "all registers: largest", "cycles above",
                  "scalar: largest", "cycles above"], rows, left=2)


def remains(figures: Figures) -> Table:
    """A row for each operation and end: bits, and the modules that have them, the most first."""
    rows = []
    for name in SECRET_TARGETS:
        for end in ENDS:
            modules = [(record.value, record.id.rpartition(".")[2]) for record in figures.records
                       if record.id.startswith(f"trust.remains.{name}.") and record.config == end]  # fmt: skip
            rows.append([f"`{name}`", end, _shown(figures.value(f"trust.remains.{name}", "remaining", end)),
                         ", ".join(f"`{module}` {bits:,.0f}" for bits, module in sorted(modules, reverse=True))])
    return Table(["operation", "behind", "bits", "in"], rows, left=2)


def documents(figures: Figures) -> dict[Path, str]:
    """The documents with their tables; `ValueError` if one is without its marks."""
    faults = {"outcomes": outcomes(figures, "plain").markdown(), "modules": modules(figures).markdown(),
              "hardened": outcomes(figures, "hardened").markdown()}  # fmt: skip
    return {FAULTS: filled(FAULTS, faults), TIMING: filled(TIMING, {"timing": timing(figures).markdown()}),
            LEAKAGE: filled(LEAKAGE, {"leakage": leakage(figures).markdown(),
                                      "coordinates": coordinates(figures).markdown(),
                                      "remains": remains(figures).markdown()})}
