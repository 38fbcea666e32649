# SPDX-License-Identifier: Apache-2.0
"""What the flow for standard cells reads of a Liberty file: cells, areas, pins, loads, and the wires it puts there.

data/wires.yaml names for a library how long a net is by its readers, and what a micrometre of wire loads and resists.
`with_wires` writes that into a copy of the library as its only wire-load model, so that `abc` and OpenSTA see the same
wires. A library that the file does not name keeps what it has.

Units: area as the library has it, square micrometres; capacitance pF; resistance kOhm; length um.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import yaml

from pointmill.simbuild import ROOT, BuildError

WIRES = ROOT / "data" / "wires.yaml"
MODEL = "pointmill"

_GROUP = re.compile(r"(\w+)\s*\(([^(){};]*)\)\s*\{|\}")
_BUFFER = re.compile(r"(?:\w+_)?buf")
_SIZED = re.compile(r"(\w+?)_(\d+)")
_UNIT = re.compile(r'time_unit\s*:\s*"?1(ns|ps)')
_PICOFARAD = re.compile(r'capacitive_load_unit\s*\(\s*1(?:\.0*)?\s*,\s*"?pf"?\s*\)', re.IGNORECASE)
_OWN_MODEL = re.compile(r"default_wire_load(?:_selection|_mode)?\s*:[^;]*;")


def _value(name: str, text: str) -> str | None:
    found = re.search(rf'\b{name}\s*:\s*"?([^";]*)"?\s*;', text)
    return found[1].strip() if found else None


def _number(name: str, text: str) -> float:
    return float(_value(name, text) or 0)


def groups(text: str) -> Iterator[tuple[tuple[str, ...], str, int, int]]:
    """Every group `kind(name) { ... }`: the kinds around it and its own, name, begin and end; inner ones first."""
    stack: list[tuple[str, str, int]] = []
    for match in _GROUP.finditer(text):
        if match[0] != "}":
            stack.append((match[1], match[2].strip().strip('"'), match.start()))
        elif stack:
            _, name, begin = stack[-1]
            yield tuple(kind for kind, _, _ in stack), name, begin, match.end()
            stack.pop()


def without(text: str, parts: Iterable[tuple[int, int]]) -> str:
    """A text less some parts of it, by begin and end, none within another."""
    for begin, end in sorted(parts, reverse=True):
        text = text[:begin] + text[end:]
    return text


@dataclass(frozen=True)
class Pin:
    """A pin of a cell: whether it drives, its capacitance, of an output the most that it may drive."""

    output: bool
    capacitance: float
    most: float


@dataclass(frozen=True)
class Cell:
    """A cell. common: the pins of clock, asynchronous set and reset; gate: it is a clock gate."""

    name: str
    area: float
    pins: Mapping[str, Pin]
    common: frozenset[str]
    gate: bool = False


@dataclass(frozen=True)
class Wires:
    """lengths: of nets with 1, 2, ... readers, micrometres; slope: a further reader; both per micrometre."""

    lengths: Sequence[float]
    slope: float
    capacitance: float
    resistance: float
    source: str

    def length(self, count: int) -> float:
        """Of a net with `count` readers."""
        beyond = max(0, count - len(self.lengths))
        return self.lengths[min(count, len(self.lengths)) - 1] + beyond * self.slope if count else 0.0

    def model(self) -> str:
        """The Liberty group."""
        lengths = " ".join(f"fanout_length({count}, {length});" for count, length in enumerate(self.lengths, 1))
        return (f'  wire_load("{MODEL}") {{ capacitance : {self.capacitance}; resistance : {self.resistance}; '
                f"slope : {self.slope}; {lengths} }}\n"
                f'  default_wire_load : "{MODEL}";\n  default_wire_load_mode : "top";\n')


def read_wires(path: Path = WIRES) -> dict[str, Wires]:
    """The wires by library."""
    return {name: Wires(**entry) for name, entry in yaml.safe_load(path.read_text())["wires"].items()}


def with_wires(text: str, wires: Wires) -> str:
    """A Liberty file with `wires` as its only wire-load model; `BuildError` where its unit of capacitance is another
    than that of `wires`."""
    if not _PICOFARAD.search(text):
        raise BuildError("the timing library does not count capacitance in pF")
    own = [(begin, end) for kinds, _, begin, end in groups(text)
           if kinds[-1] in ("wire_load", "wire_load_selection") and len(kinds) == 2]  # fmt: skip
    text = _OWN_MODEL.sub("", without(text, own))
    first = re.search(r"^[ \t]*cell\s*\(", text, re.MULTILINE)
    if first is None:
        raise BuildError("the timing library has no cell")
    return text[:first.start()] + wires.model() + text[first.start():]


@dataclass(frozen=True)
class Library:
    """A Liberty file, plain, with its wires."""

    path: Path
    cells: Mapping[str, Cell]
    units_per_ns: int
    wires: Wires | None = None
    families: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Of the file, without its ending."""
        return self.path.stem

    def output(self, kind: str, port: str) -> bool:
        """Whether a port drives: of a cell, or of a gate of Yosys."""
        return self.cells[kind].pins[port].output if kind in self.cells else port in ("Y", "Q")

    def common(self, kind: str, port: str) -> bool:
        """Whether a pin is one of clock, asynchronous set or reset."""
        return kind in self.cells and port in self.cells[kind].common

    def register(self, kind: str) -> bool:
        """Whether a cell has a clock."""
        return kind in self.cells and bool(self.cells[kind].common)

    @property
    def nand2(self) -> float:
        """Area of the smallest two-input NAND; `BuildError` when there is none."""
        for name, cell in self.cells.items():
            if re.fullmatch(r"(?:\w+_)?nand2_1", name):
                return cell.area
        raise BuildError("the timing library has no cell named *nand2_1")

    def gate(self, kind: str) -> bool:
        """Whether a cell is a clock gate."""
        return kind in self.cells and self.cells[kind].gate

    @cached_property
    def buffers(self) -> Sequence[str]:
        """The buffers by size; `BuildError` when there is none."""
        for stem, names in self.families.items():
            if _BUFFER.fullmatch(stem):
                return names
        raise BuildError("the timing library has no cell named *buf_1")

    def wire(self, count: int) -> float:
        """Capacitance of a net with `count` readers."""
        return self.wires.length(count) * self.wires.capacitance if self.wires else 0.0

    def sizes(self, kind: str) -> Sequence[str]:
        """The cells of the same function as `kind`, by size."""
        match = _SIZED.fullmatch(kind)
        return self.families.get(match[1], (kind,)) if match else (kind,)


def _cells(text: str) -> dict[str, Cell]:
    found: dict[str, Cell] = {}
    pins: dict[str, Pin] = {}
    common: set[str] = set()
    for kinds, name, begin, end in groups(text):
        if kinds[1:] == ("cell", "pin"):
            body = text[begin:end]
            pins[name] = Pin(_value("direction", body) == "output", _number("capacitance", body),
                             _number("max_capacitance", body))
        elif kinds[1:] in (("cell", "ff"), ("cell", "latch")):
            body = text[begin:end]
            words = (_value(what, body) or "" for what in ("clocked_on", "enable", "clear", "preset"))
            common |= {word for text_of in words for word in re.findall(r"\w+", text_of)}
        elif kinds[1:] == ("cell",):
            body = text[begin:end]
            found[name] = Cell(name, _number("area", body), pins, frozenset(common),
                               _value("clock_gating_integrated_cell", body) is not None)
            pins, common = {}, set()
    return found


def read(path: Path, wires: Wires | None = None) -> Library:
    """The library of a plain file; `BuildError` unless it counts in ns or ps."""
    text = path.read_text()
    unit = _UNIT.search(text)
    if unit is None:
        raise BuildError(f"{path.name}: time unit neither 1ns nor 1ps")
    cells = _cells(text)
    families: dict[str, list[str]] = {}
    for name in cells:
        if match := _SIZED.fullmatch(name):
            families.setdefault(match[1], []).append(name)
    by_size = {stem: sorted(names, key=lambda name: int(name.rpartition("_")[2])) for stem, names in families.items()}
    return Library(path, cells, 1000 if unit[1] == "ps" else 1, wires, by_size)
