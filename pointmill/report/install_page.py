# SPDX-License-Identifier: Apache-2.0
"""Table of docs/python.md: size of the wheel, packages, processor time to the first verdict; beside other packages."""

from __future__ import annotations

from pointmill.measure.install import PROGRAMS
from pointmill.measure.records import ROOT
from pointmill.report.charts import ABSENT
from pointmill.report.figures import Figures
from pointmill.report.marks import filled
from pointmill.report.tables import Table

PAGE = ROOT / "docs" / "python.md"


def page_table(figures: Figures) -> Table:
    """A line for each package, and one for an interpreter that loads nothing."""

    def value(package: str, what: str, config: str = "python", scale: float = 1, digits: int = 0) -> str:
        found = figures.value(f"install.{package.lower()}", what, config)
        return ABSENT if found is None else f"{found / scale:,.{digits}f}"

    lines = [[f"`{name}`", value(name, "wheel_bytes", scale=1e6, digits=1), value(name, "dependencies"),
              value(name, "import_ms"), value(name, "verdict_ms")] for name in PROGRAMS]
    lines.insert(1, ["`pointmill verify --json -`", "", "", "", value("pointmill", "verdict_ms", "command")])
    lines.append(["Python that imports nothing", "", "", value("none", "import_ms"), ""])
    return Table(["package", "wheel, MB", "packages it installs", "import, CPU ms", "first verdict, CPU ms"], lines)


def document(figures: Figures) -> str:
    """The document with its table; `ValueError` if it is without the marks."""
    return filled(PAGE, {"install": page_table(figures).markdown()})
