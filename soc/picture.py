# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/mpu-soc.svg, how each way of scalar multiplication divides its cycles, from the table of
docs/mpu-soc.md that has the scalar of 256 bits.

Command line: ``python -m soc.picture`` writes the file; it depends on that table alone.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pointmill.report.charts import Bar, stacked
from pointmill.report.svg import Svg

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mpu-soc.md"
PICTURE = ROOT / "docs" / "images" / "mpu-soc.svg"
PHASES = ("compute", "bus", "wait")
BEFORE = "`make soc-long`:"
"""What stands before the table."""
_ROW = re.compile(r"\| `(\w+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,.]+) \|")


def figures(text: str) -> dict[str, tuple[int, ...]]:
    """Cycles by phase of each way in the page's text. `ValueError` where a row's phases are not its cycles, its ratio
    is not that to the first row, or there is no row."""
    found: dict[str, tuple[int, ...]] = {}
    software = 0
    for line in text.partition(BEFORE)[2].split("\n\n")[1:2]:
        for name, *columns, ratio in _ROW.findall(line):
            total, *phases = (int(column.replace(",", "")) for column in columns)
            software = software or total
            shown = ratio.replace(",", "")
            digits = len(shown.partition(".")[2])
            if sum(phases) != total or f"{software / total:.{digits}f}" != shown:
                raise ValueError(f"{PAGE.name}: the row of {name} contradicts itself")
            found[name] = tuple(phases)
    if not found:
        raise ValueError(f"{PAGE.name}: no table of cycles behind {BEFORE}")
    return found


def draw(ways: dict[str, tuple[int, ...]]) -> Svg:
    """One bar a way, divided as its cycles are, with their number beside it."""
    return stacked("Where the cycles of a scalar multiplication go", PHASES,
                   [Bar(name, phases) for name, phases in ways.items()],
                   "share of the cycles of a scalar multiplication by 256 bits, and their number", share=True)


def main() -> int:
    """Writes the picture."""
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(draw(figures(PAGE.read_text(encoding="utf-8"))).document())
    return 0


if __name__ == "__main__":
    sys.exit(main())
