# SPDX-License-Identifier: Apache-2.0
"""The registers and memories of an elaborated design: what always_ff assigns, found by slang.

`table` writes them for inject.cpp by the names that Verilator gives them, of a model that is one class (--flatten).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pointmill.measure.synthesis import slang
from pointmill.measure.synthesis.yosys import Unit


@dataclass(frozen=True)
class Register:
    """path: hierarchical name; module: that declares it; width: bits of an element; words: elements, more than 1 of a
    memory; others: names of the same register outside its module."""

    path: str
    module: str
    width: int
    words: int
    others: tuple[str, ...] = ()

    @property
    def members(self) -> list[str]:
        """What it may be called in the class of the model, which may drop the name of a port for that of what it
        drives, or have it beside the instance. The ports of the top have no path."""
        *outer, name = [""] if FIELD in self.path else self.path.split(".")
        cells = [_member(".".join([*outer[:place], f"__Vcellout__{'.'.join(outer[place:])}__{name}"]))
                 for place in range(1, len(outer))]  # fmt: skip
        ports = [path.partition(".")[2] for path in (self.path, *self.others) if path.count(".") == 1]
        return [*map(_member, (self.path, *self.others)), *cells, *ports]


FIELD = "<field>"
"""Stands in a path before the fields of an unpacked structure."""


def _member(path: str) -> str:
    names = [re.sub(r"\[(\d+)\]", r"__BRA__\1__KET__", name) for name in path.split(".")]
    plain, fields = names, []
    if FIELD in names:
        first = names.index(FIELD)
        plain, fields = names[:first], names[first + 1 :]
    return ".".join(["__DOT__".join(plain), *(f"__PVT__{name}" for name in fields)])


def _driven(instance: Any) -> dict[str, str]:
    """What the output ports of an instance drive, where that is a variable and no part of one: paths by paths."""
    found: dict[str, str] = {}
    for connection in instance.portConnections:
        outer = connection.expression
        if outer is not None and outer.kind.name == "Assignment":
            outer = outer.left
        inner = getattr(connection.port, "internalSymbol", None)
        if inner is not None and outer is not None and outer.kind.name == "NamedValue":
            found[inner.hierarchicalPath] = outer.symbol.hierarchicalPath
    return found


def _elaborated(member: Any, *others: str) -> bool:
    """Whether a member is a generate block, or of `others`, that the parameters leave in."""
    return (member.kind.name in ("GenerateBlock", "GenerateBlockArray", *others)
            and not getattr(member, "isUninstantiated", False))  # fmt: skip


def _instances(body: Any, driven: dict[str, str]) -> Iterator[Any]:
    """The body, and those of the instances below it; `driven` gets what their ports drive."""
    yield body
    pending = [body]
    while pending:
        for member in pending.pop():
            kind = member.kind.name
            if kind == "Instance":
                driven.update(_driven(member))
                yield from _instances(member.body, driven)
            elif _elaborated(member, "InstanceArray"):
                pending.append(member)


def _processes(scope: Any) -> Iterator[Any]:
    """Procedural blocks of a module, not of the instances in it."""
    for member in scope:
        if member.kind.name == "ProceduralBlock":
            yield member
        elif _elaborated(member):
            yield from _processes(member)


def _targets(left: Any) -> Iterator[Any]:
    """The variables that the left side of an assignment names."""
    if left.kind.name == "Concatenation":
        for operand in left.operands:
            yield from _targets(operand)
        return
    while left.kind.name in ("ElementSelect", "RangeSelect", "MemberAccess"):
        left = left.value
    yield left.symbol


def _assigned(process: Any) -> list[Any]:
    from pyslang.ast import AssignmentExpression

    found: list[Any] = []

    def look(node: object) -> None:
        if isinstance(node, AssignmentExpression) and node.isNonBlocking:
            found.extend(_targets(node.left))

    process.visit(look)
    return found


def _leaves(path: str, module: str, kind: Any) -> Iterator[Register]:
    """The registers of a variable: one, or one for each field of an unpacked structure."""
    kind = kind.canonicalType
    if kind.isIntegral:
        yield Register(path, module, kind.bitstreamWidth, 1)
    elif kind.isUnpackedArray and kind.elementType.canonicalType.isIntegral:
        width = kind.elementType.bitstreamWidth
        yield Register(path, module, width, kind.bitstreamWidth // width)
    elif kind.isUnpackedArray:
        raise ValueError(f"{path}: a memory of {kind.elementType}")
    else:
        base = path if FIELD in path else f"{path}.{FIELD}"
        for field in kind:
            yield from _leaves(f"{base}.{field.name}", module, field.type)


def registers(unit: Unit) -> list[Register]:
    """All of a design, sorted by path; `ValueError` where there are none."""
    found: dict[str, Register] = {}
    driven: dict[str, str] = {}
    for body in _instances(slang.top_body(unit), driven):
        for process in _processes(body):
            for symbol in _assigned(process):
                if symbol.hierarchicalPath not in found:
                    for one in _leaves(symbol.hierarchicalPath, body.definition.name, symbol.type):
                        found[one.path] = one
    if not found:
        raise ValueError(f"{unit.top}: no registers")
    return [replace(found[path], others=tuple(_chain(path, driven))) for path in sorted(found)]


def _chain(path: str, driven: dict[str, str]) -> Iterator[str]:
    while path in driven:
        path = driven[path]
        yield path


def placed(found: Iterable[Register], header: str) -> dict[Register, str]:
    """Those that a model has, with their members; header: text of its class."""
    members = set(re.findall(r"^ +\w+(?:<.*>)?(?:/\*[\d:]*\*/)?(?:, \d+>)? (\w+);$", header, re.MULTILINE))
    members |= set(re.findall(r"\bVL_OUT\w*\(&?(\w+),", header))  # ports of the top
    known = {one: next((name for name in one.members if name.partition(".")[0] in members), "") for one in found}
    return {one: member for one, member in known.items() if member}


def table(members: Mapping[Register, str]) -> str:
    """registers.inc of inject.cpp."""
    return "".join(f"PM_REGISTER({one.width}, {member})\n" for one, member in members.items())
