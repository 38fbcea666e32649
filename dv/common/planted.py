# SPDX-License-Identifier: Apache-2.0
"""Deliberate defects of tests that replace a text of a source themselves, unlike those of dv/seeded."""

from __future__ import annotations

from pathlib import Path


def planted(text: str, right: str, wrong: str) -> str:
    """`text` with `wrong` in the place of `right`, which must stand there exactly once."""
    assert text.count(right) == 1, f"{right!r} stands there {text.count(right)} times"
    return text.replace(right, wrong)


def planted_file(file: Path, right: str, wrong: str, folder: Path) -> Path:
    """A copy of the file in `folder`, with the defect."""
    copy = folder / file.name
    copy.write_text(planted(file.read_text(encoding="utf-8"), right, wrong), encoding="utf-8")
    return copy
