# SPDX-License-Identifier: Apache-2.0
"""The examples in Python and the notebook: each runs, is short, and prints what it is meant to."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from pointmill.resources import ROOT

EXAMPLES = ROOT / "examples"
MOST_LINES = 24
PRINTED = {
    "python/verify.py": r"message True ok \d+\nanother message False equation_fails \d+\n",
    "python/stream.py": r"not valid: 9 19 29 39\n",
    "python/ecdsa.py": r"signature ok \d+\nsame secret True\nrejected: invalid_point\n",
    "python/key_objects.py": r"valid\nnot valid: equation_fails\n",
    "python/progress.py": r"(\d of 20\n){5}stopped: enough\nall valid: True\n",
}
"""What each example prints."""


def test_every_example_is_there() -> None:
    assert {f"python/{path.name}" for path in (EXAMPLES / "python").iterdir()} == PRINTED.keys()
    table = (EXAMPLES / "README.md").read_text()
    files = [path for path in EXAMPLES.rglob("*.*") if path.suffix in (".py", ".ipynb", ".sh", ".c", ".rs")]
    assert len(files) >= 9 and all(f"`{path.relative_to(EXAMPLES)}`" in table for path in files)


def printed(path: Path, folder: Path) -> str:
    """What an example prints in an empty folder."""
    done = subprocess.run([sys.executable, path], cwd=folder, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.long) if name == "python/stream.py" else name for name in PRINTED])
def test_example(name: str, tmp_path: Path) -> None:
    path = EXAMPLES / name
    assert len(path.read_text().splitlines()) <= MOST_LINES
    assert re.fullmatch(PRINTED[name], printed(path, tmp_path))


def test_start_of_the_stream(tmp_path: Path) -> None:
    """The example with twelve messages in place of forty."""
    text = (EXAMPLES / "python" / "stream.py").read_text()
    assert text.count("range(40)") == 1 and len(text.splitlines()) <= MOST_LINES
    path = tmp_path / "stream.py"
    path.write_text(text.replace("range(40)", "range(12)"))
    assert printed(path, tmp_path) == "not valid: 9\n"


def outputs(cell: Any) -> str:
    """What a cell printed."""
    return "".join(output.get("text", "") for output in cell.outputs)


def test_notebook() -> None:
    """It is executed as it is; without outputs in the repository."""
    notebook = nbformat.read(EXAMPLES / "notebook" / "pointmill.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES / "notebook")}}).execute()
    verify, cycles, schedule, change = cells
    assert outputs(verify) == "96 of 96 valid\nforged: equation_fails\n"
    alone, among, between = (int(number) for number in re.findall(r": (\d+)", outputs(cycles)))
    assert between < alone < among
    assert outputs(schedule).startswith("walk_double: 16 cycles (optimal), 8 products")
    assert "<svg" in schedule.outputs[-1]["data"]["image/svg+xml"]
    found = re.findall(r"(\d+) multiplications, (\d+) cycles", outputs(change))
    (general, slow), (mixed, fast) = [(int(products), int(cycles)) for products, cycles in found]
    assert (general, mixed) == (12, 11) and fast < slow and outputs(change).endswith("the same point: True\n")
