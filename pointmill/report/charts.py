# SPDX-License-Identifier: Apache-2.0
"""Kinds of figures: stacked bars, waterfall, frames of diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pointmill.report.svg import COLOURS, GREY, INK, WIDTH, Scale, Svg, fill, short

ABSENT = "not measured"
"""What a figure shows in place of a value that belongs there and has no record."""

_LETTER = 6.6


@dataclass(frozen=True)
class Bar:
    """A row of stacked bars: name, parts by series, None for one that was not measured."""

    name: str
    parts: Sequence[float] | None


def stacked(title: str, series: Sequence[str], bars: Sequence[Bar], unit: str, share: bool = False,
            totals: bool = True) -> Svg:
    """Bars one below the other, each divided by the series; share: every bar is as long as the others; totals: their
    sums stand beside them."""
    left = min(max(_LETTER * len(bar.name) for bar in bars) + 8, 170)
    kept = [place for place in range(len(series)) if any(bar.parts and bar.parts[place] for bar in bars)]
    picture = Svg(0, title)
    top = picture.legend([series[place] for place in kept], 12, kept) + 6
    most = max((sum(bar.parts) for bar in bars if bar.parts), default=1)
    right = WIDTH - (62 if totals else 8)
    for row, bar in enumerate(bars):
        y = top + 26 * row
        picture.text(left - 6, y + 14, bar.name, "end")
        if bar.parts is None:
            picture.text(left + 2, y + 14, ABSENT, colour=GREY)
            continue
        total = sum(bar.parts)
        scale = Scale(0, total if share else most, left, right)
        at = 0.0
        for place, part in enumerate(bar.parts):
            begin, end = scale(at), scale(at + part)
            picture.rect(begin, y, end - begin, 20, fill(place),
                         f"{bar.name}, {series[place]}: {part:,.0f} {unit}, {part / total:.1%}")
            said = f"{part / total:.0%}" if share else f"{part:,.0f}"
            if end - begin > _LETTER * len(said) + 6:
                middle, wide = (begin + end) / 2, _LETTER * len(said) + 4
                picture.rect(middle - wide / 2, y + 3, wide, 14, "#fff", opacity="0.85", pointer_events="none")
                picture.text(middle, y + 14, said, "middle", 11)
            at += part
        if totals:
            picture.text(scale(total) + 5, y + 14, f"{total:,.0f}", bold=True)
    picture.height = top + 26 * len(bars) + 16
    picture.text(WIDTH, picture.height - 4, unit, "end", 11, GREY)
    return picture


@dataclass(frozen=True)
class Step:
    """A step of a waterfall: where it ends; `total`: a figure of its own, not a change."""

    name: str
    value: float | None
    total: bool
    note: str = ""


def waterfall(title: str, steps: Sequence[Step], unit: str) -> Svg:
    """Totals as bars from 0, changes as bars from the last value to the next; rows from above to below."""
    left, right = 196.0, WIDTH - 62.0
    picture = Svg(34 * len(steps) + 26, title)
    most = max(step.value for step in steps if step.value is not None)
    scale = Scale(0, most, left, right)
    last = None
    for row, step in enumerate(steps):
        y = 34 * row + 4
        picture.text(left - 8, y + (12 if step.note else 17), step.name, "end", bold=step.total)
        if step.note:
            picture.text(left - 8, y + 25, step.note, "end", 10, GREY)
        if step.value is None:
            picture.text(left + 4, y + 17, ABSENT, colour=GREY)
            continue
        begin = 0 if step.total or last is None else last
        low, high = sorted((begin, step.value))
        place = 0 if step.total else 2 if step.value <= begin else 5
        said = f"{step.value:,.0f}" if step.total else f"{step.value - begin:+,.0f}"
        picture.rect(scale(low), y, max(scale(high) - scale(low), 1.5), 22, fill(place), f"{step.name}: {said} {unit}")
        picture.text(scale(high) + 5, y + 16, said, bold=step.total)
        if row + 1 < len(steps) and not (step.total and steps[row + 1].total):
            picture.line(scale(step.value), y + 22, scale(step.value), y + 34, GREY, 0.8, "2 2")
        last = step.value
    picture.line(left, 0, left, 34 * len(steps), INK)
    picture.text(WIDTH, picture.height - 6, unit, "end", 11, GREY)
    return picture


@dataclass(frozen=True)
class Frame:
    """A diagram with two axes; x and y map values into it."""

    picture: Svg
    x: Scale
    y: Scale


def frame(title: str, x: tuple[float, float, str, bool], y: tuple[float, float, str, bool], height: float = 360,
          top: float = 22, right: float = 14) -> Frame:
    """Axes with a grid. x, y: least and greatest value, name, whether by logarithm."""
    picture = Svg(height, title)
    across = Scale(x[0], x[1], 52, WIDTH - right, x[3])
    upward = Scale(y[0], y[1], height - 44, top, y[3])
    for value in across.ticks():
        picture.line(across(value), upward.begin, across(value), upward.end, "#dddddd", 0.7)
        picture.text(across(value), upward.begin + 16, short(value), "middle", 11)
    for value in upward.ticks():
        picture.line(across.begin, upward(value), across.end, upward(value), "#dddddd", 0.7)
        picture.text(across.begin - 6, upward(value) + 4, short(value), "end", 11)
    picture.line(across.begin, upward.begin, across.end, upward.begin)
    picture.line(across.begin, upward.begin, across.begin, upward.end)
    picture.text((across.begin + across.end) / 2, height - 8, x[2], "middle")
    picture.text(0, 12, y[2])
    return Frame(picture, across, upward)


def key(picture: Svg, entries: Sequence[tuple[str, str, str, bool]], x: float, y: float) -> None:
    """Names of marks or lines: text, shape or dashes, colour, hollow."""
    for row, (name, shape, colour, hollow) in enumerate(entries):
        at = y + 17 * row
        if shape in ("line", "dashed"):
            picture.line(x - 9, at, x + 9, at, colour, 2, "5 3" if shape == "dashed" else "")
        else:
            picture.mark(x, at, shape, colour, hollow=hollow)
        picture.text(x + 14, at + 4, name, halo=True)


def colour(place: int) -> str:
    """The colour of a series of lines or marks."""
    return COLOURS[place % len(COLOURS)]
