# SPDX-License-Identifier: Apache-2.0
"""The figure of docs/mpu-soc.md: what it takes from the document, and what it rejects there."""

from __future__ import annotations

import pytest

from soc import picture

WAYS = ("software", "products", "points", "joye", "ladder", "joye_dma", "ladder_dma")


def test_figures_of_the_page() -> None:
    ways = picture.figures(picture.PAGE.read_text(encoding="utf-8"))
    assert tuple(ways) == WAYS
    assert all(len(phases) == len(picture.PHASES) for phases in ways.values())
    assert ways["software"][1:] == (0, 0) and all(min(ways[name]) > 0 for name in WAYS[1:])


def test_picture_shows_them() -> None:
    """The same figures give the same picture, others another one."""
    first, again, other = (picture.draw({"one": (900, 70, 10 * wait), "two": (1, 1, 2)}).document()
                           for wait in (3, 3, 4))
    assert first == again != other
    for text in (">90%<", ">7%<", ">1,000<", ">one<", ">compute<"):
        assert text in first
    assert ">3%<" not in first  # no room for it


@pytest.mark.parametrize(("row", "text"), [
    ("| `a` | 10 | 5 | 3 | 1 | 1 |", "the row of a contradicts itself"),
    ("| `a` | 10 | 5 | 3 | 2 | 1 |\n| `b` | 4 | 2 | 1 | 1 | 2.4 |", "the row of b contradicts itself"),
    ("| a | 10 |", "no table of cycles")])
def test_pages_that_are_refused(row: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        picture.figures(f"{picture.BEFORE} 1\n\n{row}\n\n| `c` | 1 | 1 | 1 | 1 | 1 |\n")


def test_rows_that_are_taken() -> None:
    page = (f"| `z` | 1 | 1 | 0 | 0 | 1 |\n\n{picture.BEFORE} 1\n\n"
            "| `a` | 1,000 | 500 | 300 | 200 | 1 |\n| `b` | 400 | 200 | 100 | 100 | 2.5 |\n")
    assert picture.figures(page) == {"a": (500, 300, 200), "b": (200, 100, 100)}
