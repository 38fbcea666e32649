# SPDX-License-Identifier: Apache-2.0
"""Diagrams of scheduled blocks: a strip for each block, its units below each other, cycles from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pointmill.report.svg import GREY, WIDTH, Scale, Svg, fill, short
from pointmill.simbuild import ROOT
from pointmill.ucode import images
from pointmill.ucode.emitter import PRODUCT, SIDE_UNIT, SUM
from pointmill.ucode.timeline import Timeline

SERIES = {PRODUCT: "multiplication", SUM: "addition or subtraction", SIDE_UNIT: "start of a side unit"}
_LETTER = 4.4
"""Width of a letter of the operations' texts."""

BLOCKS = {
    "multicurve-paper": ("paper", ("ecmul.walk_double_m3", "ecmul.walk_add_m3", "xdh.ladder_step")),
    "multicurve-windows": ("fast", ("window.walk_double_m3", "window.walk_pair_m3", "window.walk_add_m3")),
}
"""Figures of blocks of `multicurve` in the documents: machine, blocks."""


def drawn() -> dict[Path, str]:
    """The figures of BLOCKS by path."""
    files = {}
    for name, (config, blocks) in BLOCKS.items():
        found = []
        for program, block in (block.split(".") for block in blocks):
            found += [one for one in images.timelines("multicurve", config, program) if one.block == block]
        picture = draw(f"Blocks of multicurve, machine {config}", found, labelled=True)
        files[ROOT / "docs" / "images" / f"{name}.svg"] = picture.document()
    return files


def draw(title: str, timelines: Sequence[Timeline], labelled: bool = False) -> Svg:
    """The blocks on one scale. labelled: lanes are named, and operations have their text where there is room for it."""
    left, right = (96.0, WIDTH) if labelled else (150.0, WIDTH - 104.0)
    height, gap = (17.0, 26.0) if labelled else (7.0, 5.0)
    shown = [one for one in timelines if one.works]
    picture = Svg(0, title)
    kinds = sorted({work.kind for one in shown for work in one.works})
    top = picture.legend([SERIES[kind] for kind in kinds], 12, kinds) + 18 + (gap if labelled else 0)
    scale = Scale(0, max(one.cycles for one in shown), left, right)
    y = top
    for one in shown:
        lanes = one.lanes()
        tall = height * len(lanes)
        picture.rect(left, y, scale(one.cycles) - left, tall, "#f1f1f1")
        for row, lane in enumerate(lanes):
            _lane(picture, one, lane, scale, y + height * row, height, labelled)
        if labelled:
            picture.text(0, y - 5, one.title(), size=11)
        else:
            picture.text(left - 6, y + tall / 2 + 4, one.block, "end", 11)
            said = f"{one.cycles} cycles, {one.utilisation:.0%}{'' if one.bound == one.cycles else ' *'}"
            picture.text(WIDTH, y + tall / 2 + 4, said, "end", 11)
        y += max(tall, 13) + gap
    for value in scale.ticks():
        picture.line(scale(value), top - 5, scale(value), y - gap + 2, "#bbbbbb", 0.5)
        picture.text(scale(value), y - gap + 13 if labelled else top - 8, short(value), "middle", 10, GREY)
    picture.height = y + 4
    return picture


def _lane(picture: Svg, one: Timeline, lane: str, scale: Scale, y: float, height: float, labelled: bool) -> None:
    works = [work for work in one.works if work.unit == lane]
    for kind in sorted({work.kind for work in works}):
        places = [(scale(work.cycle), max(scale(work.cycle + work.cycles) - scale(work.cycle) - 0.3, 0.6))
                  for work in works if work.kind == kind]
        picture.bars(places, y, height - 1, fill(kind), f"{one.block}, {lane}: {len(places)} times {SERIES[kind]}")
    if not labelled:
        return
    picture.text(scale.begin - 5, y + height - 5, lane, "end", 9)
    for work in works:
        begin, wide = scale(work.cycle), scale(work.cycle + work.cycles) - scale(work.cycle)
        if wide > _LETTER * len(work.text) + 4:
            picture.text(begin + wide / 2, y + height - 5, work.text, "middle", 8, halo=True)
