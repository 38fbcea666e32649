# SPDX-License-Identifier: Apache-2.0
"""Every program on its datapath: blocks in the order of the ROM, what each unit does in each cycle, and how busy the
multipliers are. Made of the committed schedules (ucode/*/*.schedule.json)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from pointmill.report.svg import GREY, WIDTH, Scale, Svg, fill, short
from pointmill.simbuild import ROOT
from pointmill.ucode.dual_gantt import recorded_bars

PRODUCT_256 = {"multicurve": 8, "mpu": 22}
"""Cycles of a product for which programs with many lengths are drawn: of 256 bits, and of 704."""

SERIES = ("product", "sum or difference", "start of another unit")


@dataclass(frozen=True)
class Block:
    """A block: its cycles, share of them in which the multipliers work, and what works when.

    lanes: for each unit its intervals as (first cycle, cycles, number in SERIES)."""

    name: str
    cycles: int
    utilisation: float
    optimal: bool
    lanes: dict[str, list[tuple[int, int, int]]]


@dataclass(frozen=True)
class Program:
    """A program and its blocks."""

    core: str
    name: str
    config: str
    words: int
    blocks: list[Block]

    @property
    def title(self) -> str:
        """Core, program and configuration."""
        return f"{self.core}: {self.name}, configuration {self.config}"


_UNITS = {"mul": ("multiplier", 0), "bf": ("butterfly", 1), "start": ("side units", 2)}


def _single(name: str, block: dict, interval: int) -> Block:
    """interval: from one product to the next."""
    lanes: dict[str, list[tuple[int, int, int]]] = {}
    for op in block["ops"]:
        lane, kind = _UNITS[op["unit"]]
        lanes.setdefault(lane, []).append((op["cycle"], 1 if kind else interval, kind))
    return Block(name, block["length"], interval * block["products"] / block["length"], block["bound"] == block["length"], lanes)


def _dual(name: str, block: dict, length: int) -> Block:
    timed = block["lengths"][str(length)]
    lanes: dict[str, list[tuple[int, int, int]]] = {}
    for lane, begin, wide, _ in recorded_bars(name, block, length).bars:
        kind = 0 if lane.startswith("mul") else 1
        lanes.setdefault(lane.replace("mul", "multiplier ").replace("sum", "adder "), []).append((begin, wide, kind))
    return Block(name, timed["cycles"], timed["utilisation"], timed["bound"] == timed["cycles"], lanes)


@lru_cache(maxsize=None)
def machine(core: str, config: str) -> dict:
    """The file of a datapath."""
    return yaml.safe_load((ROOT / "ucode" / core / f"{config}.yaml").read_text())


def _limb(name: str, block: dict, latency: dict[str, int]) -> Block:
    lanes: dict[str, list[tuple[int, int, int]]] = {}
    for cycle, started in block["starts"].items():
        for lane, text in started.items():
            if lane == "start":
                lanes.setdefault("side units", []).append((int(cycle), 1, 2))
                continue
            op = ("small" if "@a24" in text else "mul") if " * " in text else "add" if " + " in text else "sub"
            kind = 0 if " * " in text else 1
            lanes.setdefault(lane.replace("unit", "unit "), []).append((int(cycle), latency[op], kind))
    return Block(name, block["length"], block["utilisation"], block["bound"] == block["length"], lanes)


def block_of(core: str, config: str, name: str, block: dict) -> Block:
    """A block of a schedule file."""
    if "ops" in block:
        return _single(name, block, machine(core, config).get("interval", 1))
    if "lengths" in block:
        return _dual(name, block, PRODUCT_256[core])
    return _limb(name, block, machine(core, config)["latency"])


def programs(folder: Path = ROOT / "ucode") -> Iterator[Program]:
    """All programs, by core."""
    for path in sorted(folder.glob("*/*.schedule.json")):
        found = json.loads(path.read_text())
        core, config = path.parent.name, found["config"]
        blocks = [block_of(core, config, name, block) for name, block in found["blocks"].items()]
        yield Program(core, path.name.removesuffix(".schedule.json"), config, found["words"], blocks)


def draw(program: Program) -> str:
    """The picture of a program: a strip for each block, its units below each other, cycles from left to right."""
    left, right, lane_height = 150.0, WIDTH - 104.0, 7.0
    shown = [block for block in program.blocks if block.lanes]
    picture = Svg(0, program.title)
    kinds = sorted({kind for block in shown for lane in block.lanes.values() for *_, kind in lane})
    top = picture.legend([SERIES[kind] for kind in kinds], 12, kinds) + 18
    scale = Scale(0, max(block.cycles for block in shown), left, right)
    y = top
    for block in shown:
        lanes = sorted(block.lanes.items(), key=lambda item: (min(kind for *_, kind in item[1]), item[0]))
        high = lane_height * len(lanes)
        picture.rect(left, y, scale(block.cycles) - left, high, "#f1f1f1")
        for row, (lane, intervals) in enumerate(lanes):
            for kind in kinds:
                places = [(scale(begin), max(scale(begin + wide) - scale(begin) - 0.3, 0.6))
                          for begin, wide, own in intervals if own == kind]
                if places:
                    picture.bars(places, y + lane_height * row, lane_height - 1, fill(kind),
                                 f"{block.name}, {lane}: {len(places)} times {SERIES[kind]}")
        base = y + high / 2 + 4
        picture.text(left - 6, base, block.name, "end", 11)
        said = f"{block.cycles} cycles, {block.utilisation:.0%}{'' if block.optimal else ' *'}"
        picture.text(WIDTH, base, said, "end", 11)
        y += max(high, 13) + 5
    for value in scale.ticks():
        picture.line(scale(value), top - 5, scale(value), y - 3, "#bbbbbb", 0.5)
        picture.text(scale(value), top - 8, short(value), "middle", 10, GREY)
    picture.height = y + 4
    return str(picture)


def utilisation(blocks: Sequence[Block]) -> tuple[int, float]:
    """Cycles of all blocks, each once, and the share in which the multipliers work."""
    cycles = sum(block.cycles for block in blocks)
    return cycles, sum(block.cycles * block.utilisation for block in blocks) / cycles
