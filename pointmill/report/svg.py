# SPDX-License-Identifier: Apache-2.0
"""Inline SVG: shapes, hatched fills and scales.

Figures are WIDTH units wide, with letters of 12, so that they are readable both on a telephone and on a wide screen
without being drawn twice. Series differ in colour (Okabe and Ito), and in hatching or in the shape of their marks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 560
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442")
INK, GREY = "#222222", "#777777"
_HATCHES = ("", "M0,6 l6,-6", "M0,0 h6 M0,3 h6", "M1,0 v6 M4,0 v6", "M0,0 l6,6", "M0,6 l6,-6 M0,0 l6,6",
            "M3,1 v2 M0,5 h1", "")
_SIZES = {"circle": 4.5, "square": 8, "up": 5.5, "down": 5.5, "diamond": 6, "cross": 4.5}
SHAPES = tuple(_SIZES)


def _patterns() -> str:
    text = ""
    for place, (colour, hatch) in enumerate(zip(COLOURS, _HATCHES, strict=True)):
        line = f'<path d="{hatch}" stroke="#fff" stroke-width="0.9" fill="none"/>' if hatch else ""
        text += (f'<pattern id="fill{place}" width="6" height="6" patternUnits="userSpaceOnUse">'
                 f'<rect width="6" height="6" fill="{colour}"/>{line}</pattern>')
    return f"<defs>{text}</defs>"


def patterns() -> str:
    """The fills of all series, once in a page."""
    return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{_patterns()}</svg>\n'


def fill(place: int) -> str:
    """The fill of a series by its number."""
    return f"url(#fill{place % len(COLOURS)})"


def short(value: float) -> str:
    """A number of an axis: 20 k, 1.5 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


@dataclass(frozen=True)
class Scale:
    """Maps values from low to high to places from begin to end, linearly or by logarithm."""

    low: float
    high: float
    begin: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self) -> list[float]:
        """Round values from low to high, about five."""
        if self.log:
            decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            steps = (1, 2, 5) if len(decades) < 4 else (1,)
            found = [step * 10.0**power for power in decades for step in steps]
        else:
            raw = (self.high - self.low) / 5
            size = 10.0 ** math.floor(math.log10(raw))
            step = next(size * n for n in (1, 2, 5, 10) if size * n >= raw)
            found = [step * n for n in range(math.ceil(self.low / step), math.floor(self.high / step + 1e-9) + 1)]
        return [value for value in found if self.low <= value * (1 + 1e-9) and value <= self.high * (1 + 1e-9)]


class Svg:
    """A picture that is put together from above to below. Every shape may have a tip, which a pointer shows. data: what
    the script of the page reads."""

    def __init__(self, height: float, title: str, width: float = WIDTH):
        self.width, self.height, self.title = width, height, title
        self.data: dict[str, object] = {}
        self._parts: list[str] = []

    def _add(self, element: str, tip: str = "", **attributes: object) -> None:
        words = " ".join(f'{name.replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items())
        inside = f"><title>{escape(tip)}</title></{element}>" if tip else "/>"
        self._parts.append(f"<{element} {words}{inside}")

    def rect(self, x: float, y: float, width: float, height: float, fill: str, tip: str = "", **more: object) -> None:
        """A filled rectangle."""
        self._add("rect", tip, x=f"{x:.1f}", y=f"{y:.1f}", width=f"{max(width, 0):.1f}", height=f"{height:.1f}",
                  fill=fill, **more)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = INK, width: float = 1, dash: str = "",
             tip: str = "") -> None:
        """A straight line."""
        more = {"stroke_dasharray": dash} if dash else {}
        self._add("line", tip, x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", stroke=stroke,
                  stroke_width=width, **more)

    def path(self, points: Sequence[tuple[float, float]], stroke: str, dash: str = "", width: float = 1.8) -> None:
        """Straight lines from point to point."""
        more = {"stroke_dasharray": dash} if dash else {}
        way = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._add("path", d=way, fill="none", stroke=stroke, stroke_width=width, **more)

    def bars(self, bars: Sequence[tuple[float, float]], y: float, height: float, fill: str, tip: str = "") -> None:
        """Rectangles of one row as one shape: left edges and widths."""
        way = "".join(f"M{x:.1f},{y:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}z" for x, width in bars)
        self._add("path", tip, d=way, fill=fill)

    def mark(self, x: float, y: float, shape: str, colour: str, tip: str = "", hollow: bool = False) -> None:
        """A mark of SHAPES."""
        size = _SIZES[shape]
        paint = {"fill": "#fff" if hollow else colour, "stroke": colour, "stroke_width": 1.6}
        if shape == "circle":
            self._add("circle", tip, cx=f"{x:.1f}", cy=f"{y:.1f}", r=size, **paint)
            return
        way = {"square": f"M{x - 4:.1f},{y - 4:.1f}h8v8h-8z", "up": f"M{x:.1f},{y - 5:.1f}l5,9h-10z",
               "down": f"M{x:.1f},{y + 5:.1f}l5,-9h-10z", "diamond": f"M{x:.1f},{y - 6:.1f}l6,6l-6,6l-6,-6z",
               "cross": f"M{x - 4:.1f},{y - 4:.1f}l8,8M{x - 4:.1f},{y + 4:.1f}l8,-8"}[shape]  # fmt: skip
        self._add("path", tip, d=way, **paint)

    def text(self, x: float, y: float, text: str, anchor: str = "start", size: float = 12, colour: str = INK,
             bold: bool = False, halo: bool = False, **data: object) -> None:
        """A line of text; y: its base line. halo: white round the letters, where they may lie on lines. data: further
        attributes."""
        more = dict(data) | ({"font_weight": "bold"} if bold else {})
        if halo:
            more |= {"stroke": "#fff", "stroke_width": 3, "paint_order": "stroke"}
        words = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in more.items())
        self._parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}" '
                           f"{words}>{escape(text)}</text>")

    def legend(self, names: Sequence[str], y: float, used: Sequence[int] | None = None) -> float:
        """Boxes and names of series in as many rows as they need; returns where the picture may go on."""
        x = 0.0
        for place, name in zip(used or range(len(names)), names, strict=True):
            wide = 26 + 7.1 * len(name)
            if x and x + wide > self.width:
                x, y = 0.0, y + 18
            self.rect(x, y - 10, 12, 12, fill(place))
            self.text(x + 16, y, name)
            x += wide
        return y + 10

    def document(self) -> str:
        """The picture as a file of its own, with the fills that it needs, on white."""
        inside = "\n".join(self._parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -4 {self.width + 16:g} {self.height + 8:g}" '
                f'font-family="sans-serif">\n<title>{escape(self.title)}</title>\n{_patterns()}\n'
                f'<rect x="-8" y="-4" width="100%" height="100%" fill="#fff"/>\n{inside}\n</svg>\n')

    def __str__(self) -> str:
        inside = "\n".join(self._parts)
        data = "".join(f' data-{name}="{value}"' for name, value in self.data.items())
        return (f'<svg class="chart"{data} viewBox="0 0 {self.width:g} {self.height:g}" role="img" '
                f'aria-label="{escape(self.title)}" font-family="inherit">\n{inside}\n</svg>\n')
