# SPDX-License-Identifier: Apache-2.0
"""Intermediate form of a field program: values, operations, blocks and control words."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Home:
    """A register: bank and number. If indexed, the number is XOR-ed with the digit's index, which lies
    below `span`, a power of two; the register is then one of `span`."""

    bank: str
    register: int
    indexed: bool = False
    span: int = 1

    def covers(self) -> list[Home]:
        """The registers that this may be, as plain ones."""
        return [Home(self.bank, self.register ^ i) for i in range(self.span)]


@dataclass(eq=False)
class Value:
    """A field value. `bound` is inclusive; `home` is None until registers are allocated."""

    name: str
    bank: str
    bound: int
    home: Home | None = None
    producer: Op | None = None
    external: str | None = None
    readers: list[Op] = field(default_factory=list)

    @property
    def allocated(self) -> Home:
        """Its register. ValueError for a value that has none."""
        if self.home is None:
            raise ValueError(f"{self.name} has no register")
        return self.home

    @property
    def is_source(self) -> bool:
        """Whether the value exists before the block begins."""
        return self.producer is None


@dataclass(eq=False)
class Op:
    """One operation of a block.

    unit `mul`: out["mul"] = a * b, or if signed a * (x + y), where a negative digit makes it
    a * (x - y + 4p), and with a side unit its start, whose operand is a; unit `bf`: out["sum"] = x + y, out["diff"] = x
    - y + 4p, with x and y doubled where told; if scaled out["sum"] is the machine's scale factor times the difference;
    unit `start`: a side unit, with an operand or none. `after` holds operations that must have been started a number of
    cycles before, for other reasons than their results. On datapaths of one file of registers out["reg"] is that of
    unit `sum`, x + y, or x - y if `minus`, with 2^(scale - 1) times the modulus if `scale` is not 0, of `mul`, `small`,
    `add` and `sub`.
    """

    unit: str
    args: tuple[Value, ...]
    out: dict[str, Value] = field(default_factory=dict)
    canon: bool = False
    double: tuple[bool, bool] = (False, False)
    signed: bool = False
    scaled: bool = False
    minus: bool = False
    scale: int = 0
    side_unit: str | None = None
    after: list[tuple[Op, int]] = field(default_factory=list)
    line: int = 0

    @property
    def label(self) -> str:
        """What a picture writes on the operation."""
        names = ",".join(value.name for value in self.out.values())
        return names or f"start {self.side_unit}"


@dataclass
class Block:
    """Operations that are scheduled together, entered at the top and left at the bottom."""

    name: str
    ops: list[Op]
    entry: str | None = None
    exit: str | None = None
    weight: int = 1
    pause: int = 1
    length: int | None = None
    leaves: list[Home] = field(default_factory=list)
    closing: Control | None = None
    written: dict[Home, Value] = field(default_factory=dict)
    old_readers: dict[Home, list[Op]] = field(default_factory=dict)


@dataclass
class Control:
    """A control operation; `target` is a label, a unit, a reason or a number."""

    op: str
    target: str | int | None = None
    condition: str = "always"
    inverted: bool = False
    line: int = 0


@dataclass
class Label:
    """A place in the program."""

    name: str


@dataclass
class Program:
    """An assembled program: what stands in the ROM, in order, before scheduling."""

    name: str
    items: list[Block | Control | Label]
    interfaces: dict[str, list[str]]
    globals: dict[str, Home]
    tables: dict[str, tuple[Home, int]]

    @property
    def blocks(self) -> list[Block]:
        """The blocks, in order."""
        return [item for item in self.items if isinstance(item, Block)]

    @property
    def pinned(self) -> set[Home]:
        """The registers of all globals and tables."""
        tables = {Home(home.bank, home.register + i) for home, count in self.tables.values() for i in range(count)}
        return tables | set(self.globals.values())
