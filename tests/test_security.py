# SPDX-License-Identifier: Apache-2.0
"""docs/security.md and docs/soundness.md: what they name exists, and what is claimed as protected is tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pointmill.resources import ROOT

SECURITY, SOUNDNESS = ROOT / "docs" / "security.md", ROOT / "docs" / "soundness.md"
FILE = re.compile(r"`((?:dv|hw|sw|tests)/[\w./]+)`")
PROTECTED, NOT_PROTECTED, STEPS = 22, 10, 21
"""Claims of security.md by kind, and steps of soundness.md."""


def rows(document: Path, heading: str = "") -> list[list[str]]:
    """The cells of the tables of a document, or of those below a heading, without their heads."""
    text = document.read_text(encoding="utf-8")
    if heading:
        text = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    tables = [block.splitlines()[2:] for block in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for table in tables for line in table]


@pytest.mark.parametrize("document", [SECURITY, SOUNDNESS], ids=lambda path: path.stem)
def test_every_file_exists(document: Path) -> None:
    found = FILE.findall(document.read_text(encoding="utf-8"))
    assert len(found) > 15
    assert [name for name in found if not (ROOT / name).exists()] == []


def test_every_protected_claim_names_its_test() -> None:
    """And what is not protected names none."""
    kinds = {"P": 0, "N": 0}
    for claim, kind, how, where in rows(SECURITY, "Claims"):
        kinds[kind] += 1
        assert bool(FILE.search(where)) == (kind == "P"), claim
        assert how or kind == "N", claim
    assert kinds == {"P": PROTECTED, "N": NOT_PROTECTED}


def test_every_step_names_its_proof_or_test() -> None:
    steps = rows(SOUNDNESS)
    assert len(steps) == STEPS
    assert [cells[0] for cells in steps if not FILE.search(cells[-1])] == []
