# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/mpu-soc.svg, how each way to multiply a point divides its cycles, from the table of
docs/mpu-soc.md that has the scalar of 256 bits.

Command line: ``python -m soc.picture`` writes the file; it depends on the page alone.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mpu-soc.md"
PICTURE = ROOT / "docs" / "images" / "mpu-soc.svg"
PHASES = ("compute", "bus", "wait")
BEFORE = "`make soc-long`:"
"""What stands before the table."""
_COLOURS = ("#35618f", "#d9903d", "#7a7a7a")
_ROW = re.compile(r"\| `(\w+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,.]+) \|")


def figures(text: str) -> dict[str, tuple[int, ...]]:
    """Cycles by phase of each way in the page's text. `ValueError` where a row's phases are not its cycles, its ratio is
    not that to the first row, or there is no row."""
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


def draw(ways: dict[str, tuple[int, ...]], path: Path) -> None:
    """One bar a way, divided as its cycles are; how many there are stands beside it."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "pointmill"
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(9, 0.6 + 0.4 * len(ways)), layout="constrained")
    left = [0.0] * len(ways)
    for phase, (name, colour) in enumerate(zip(PHASES, _COLOURS, strict=True)):
        widths = [100 * phases[phase] / sum(phases) for phases in ways.values()]
        axis.barh(range(len(ways)), widths, left=left, color=colour, edgecolor="white", label=name)
        for row, width in enumerate(widths):
            if width > 4:
                axis.text(left[row] + width / 2, row, f"{width:.0f} %", ha="center", va="center", fontsize=8, color="white")
        left = [start + width for start, width in zip(left, widths, strict=True)]
    for row, phases in enumerate(ways.values()):
        axis.text(101, row, f"{sum(phases):,}", va="center", fontsize=9, weight="bold")
    axis.set_yticks(range(len(ways)), list(ways))
    axis.set_ylim(len(ways) - 0.4, -0.6)
    axis.set_xlim(0, 118)
    axis.set_xticks(range(0, 101, 20))
    axis.set_xlabel("percent of the cycles of a product by a scalar of 256 bits; beside the bars their number", fontsize=8)
    axis.legend(fontsize=7, ncols=3, loc="upper center", bbox_to_anchor=(0.43, 1.2), frameon=False)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": "pointmill"})
    pyplot.close(figure)


def main() -> int:
    """Writes the picture."""
    draw(figures(PAGE.read_text(encoding="utf-8")), PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
