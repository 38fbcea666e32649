# SPDX-License-Identifier: Apache-2.0
"""A table of a page, as Markdown and as HTML; cells are text, numbers or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

Cell = str | float | int | None


def number(value: float | None) -> str:
    """A figure as pages print it; empty for None."""
    if value is None:
        return ""
    if 0 < value < 1:
        return f"{value:.3f}"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.2f}"


def in_html(text: str) -> str:
    """Text escaped for HTML; what stands in backticks becomes code."""
    text = escape(text)
    while text.count("`") > 1:
        text = text.replace("`", "<code>", 1).replace("`", "</code>", 1)
    return text


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else number(cell)


@dataclass(frozen=True)
class Table:
    """left: how many columns, from the first, are text, set to the left. marks: rows to be set off, by their number."""

    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    left: int = 1
    marks: frozenset[int] = frozenset()

    def markdown(self) -> str:
        """The table in Markdown."""
        rule = "|" + "---|" * self.left + "---:|" * (len(self.heads) - self.left)
        lines = [f"| {' | '.join(self.heads)} |", rule]
        lines += [f"| {' | '.join(map(_text, row))} |" for row in self.rows]
        return "\n".join(lines) + "\n"

    def html(self) -> str:
        """The table in HTML; text cells are escaped, in backticks they become code."""
        def cell(tag: str, place: int, content: str) -> str:
            return f"<{tag}{' class=n' if place >= self.left else ''}>{in_html(content)}</{tag}>"

        head = "".join(cell("th", place, text) for place, text in enumerate(self.heads))
        body = ""
        for place, row in enumerate(self.rows):
            cells = "".join(cell("td", i, _text(content)) for i, content in enumerate(row))
            body += f"<tr{' class=mark' if place in self.marks else ''}>{cells}</tr>\n"
        return f"<div class=scroll><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>\n"
