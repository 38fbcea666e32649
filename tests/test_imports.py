# SPDX-License-Identifier: Apache-2.0
"""Imports of the package go one way: measure <- report <- their commands; nothing else knows either."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pointmill.cli import TOOLS
from pointmill.simbuild import ROOT

MAY_NOT = {"measure": ("report", "commands"), "report": ("commands",)}
"""By folder of pointmill, which others it must not import."""


def imported(path: Path, root: Path) -> Iterator[str]:
    """Full names of what a module imports anywhere in it."""
    package = path.relative_to(root).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


def wrong_way(root: Path) -> list[str]:
    """Imports below root/pointmill that go the wrong way, as `module: import`."""
    found = []
    for path in sorted((root / "pointmill").rglob("*.py")):
        own = path.relative_to(root / "pointmill").parts[0]
        tool = own == "commands" and path.stem in TOOLS
        banned = () if tool else MAY_NOT.get(own, ("measure", "report"))
        found += [f"{path.relative_to(root)}: {name}" for name in imported(path, root)
                  if any(f"{name}.".startswith(f"pointmill.{other}.") for other in banned)]  # fmt: skip
    return found


def test_imports_go_one_way() -> None:
    assert wrong_way(ROOT) == []
    assert (ROOT / "pointmill" / "measure").is_dir() and (ROOT / "pointmill" / "report").is_dir()
    assert all((ROOT / "pointmill" / "commands" / f"{name}.py").is_file() for name in TOOLS)


@pytest.mark.parametrize(("path", "text", "found"), [
    ("measure/run.py", "from pointmill.report.render import render\n", ["pointmill.report.render.render"]),
    ("measure/synthesis/yosys.py", "from ...report import svg\n", ["pointmill.report.svg"]),
    ("measure/run.py", "from pointmill import report\n", ["pointmill.report"]),
    ("measure/run.py", "from pointmill.report_card import x\nfrom pointmill.model import y\n", []),
    ("report/page.py", "from pointmill.measure import store\n", []),
    ("report/page.py", "from pointmill.commands import common\n", ["pointmill.commands.common"]),
    ("ucode/timeline.py", "def f():\n    import pointmill.measure.records\n", ["pointmill.measure.records"]),
    ("gen.py", "from .report import render\n", ["pointmill.report.render"]),
    ("commands/verify.py", "from ..measure import store\n", ["pointmill.measure.store"]),
    ("commands/measure.py", "from ..measure import store\nfrom ..report import render\n", []),
])
def test_a_wrong_import_is_found(path: str, text: str, found: list[str], tmp_path: Path) -> None:
    file = tmp_path / "pointmill" / path
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert wrong_way(tmp_path) == [f"pointmill/{path}: {name}" for name in found]
