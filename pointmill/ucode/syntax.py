# SPDX-License-Identifier: Apache-2.0
"""Program text to statements, by the grammar microcode.lark; nothing here knows a machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import UnexpectedToken, VisitError


class AssemblyError(Exception):
    """A program that cannot be assembled; the message names file, line and column."""


@dataclass(frozen=True)
class Place:
    """Where a statement begins: file, line and column, from 1 on."""

    file: str
    line: int
    column: int

    def error(self, message: str) -> AssemblyError:
        """An error at this place."""
        return AssemblyError(f"{self.file}:{self.line}:{self.column}: {message}")


@dataclass(frozen=True)
class Condition:
    """A condition by name."""

    name: str
    inverted: bool


@dataclass(frozen=True)
class Control:
    """A control statement: dispatch, goto, refuse, accept, loop, start or wait, and what it names."""

    place: Place
    op: str
    argument: str | int | None = None
    condition: Condition | None = None


@dataclass(frozen=True)
class Expression:
    """op: `*`, `+`, `-`, `signed` (a * (x +- y)) or `scaled` (scale (x - y)). operands: as written; double: which of
    the two is taken twice."""

    op: str
    operands: tuple[str, ...]
    double: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Call:
    """A formula and its arguments."""

    formula: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Assignment:
    """Results, and what they are of; rider: a side unit that is started with the product."""

    place: Place
    results: tuple[str, ...]
    canonical: bool
    value: Expression | Call
    rider: str | None


@dataclass(frozen=True)
class StartOperation:
    """A side unit started in a block, with its operand if it has one."""

    place: Place
    unit: str
    operands: tuple[str, ...]


Statement = Assignment | StartOperation


@dataclass(frozen=True)
class Formula:
    """Statements that are inlined where the formula is called."""

    place: Place
    name: str
    inputs: tuple[str, ...]
    results: tuple[str, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class BlockText:
    """Statements that are scheduled together; names: the options that name something (on, from, leaves), numbers: the
    others (weight, pause, length); closing: a control statement that goes with the last word."""

    place: Place
    name: str
    names: dict[str, str]
    numbers: dict[str, int]
    body: tuple[Statement, ...]
    closing: Control | None


@dataclass(frozen=True)
class Declaration:
    """Another statement of a file: include, global, table, interface, label, overlay or endloop. name: of the file that
    is included, the bank, the interface or the label; members: globals, each with all its names, the table, or what an
    interface has; size: of a table."""

    place: Place
    kind: str
    name: str = ""
    members: tuple[tuple[str, ...], ...] = ()
    size: int = 0


Item = Declaration | Formula | BlockText | Control


@v_args(meta=True)
class _Statements(Transformer):
    """Parse tree to statements."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def _at(self, meta: Any) -> Place:
        return Place(self.file, meta.line, meta.column)

    def start(self, meta: Any, items: list[Any]) -> list[Any]:
        return [Declaration(Place(self.file, item.line or 0, item.column or 0), str(item))
                if isinstance(item, Token) else item for item in items]

    def include(self, meta: Any, words: list[Any]) -> Declaration:
        return Declaration(self._at(meta), "include", str(words[0]))

    def globals(self, meta: Any, words: list[Any]) -> Declaration:
        return Declaration(self._at(meta), "global", str(words[0]), tuple(words[1:]))

    def alias(self, meta: Any, names: list[Any]) -> tuple[str, ...]:
        return tuple(map(str, names))

    def table(self, meta: Any, words: list[Any]) -> Declaration:
        return Declaration(self._at(meta), "table", str(words[0]), ((str(words[1]),),), int(words[2]))

    def interface(self, meta: Any, names: list[Any]) -> Declaration:
        name, *members = map(str, names)
        return Declaration(self._at(meta), "interface", name, (tuple(members),))

    def label(self, meta: Any, names: list[Any]) -> Declaration:
        return Declaration(self._at(meta), "label", str(names[0]))

    def names(self, meta: Any, names: list[Any]) -> tuple[str, ...]:
        return tuple(map(str, names))

    def formula(self, meta: Any, parts: list[Any]) -> Formula:
        name, inputs, results, *body = parts
        return Formula(self._at(meta), str(name), inputs or (), results, tuple(one for one in body if one is not None))

    def option(self, meta: Any, words: list[Any]) -> tuple[Place, str, str | int]:
        kind, value = words
        number = isinstance(value, Token) and value.type == "INT"
        return self._at(meta), str(kind), int(value) if number else str(value)

    def block(self, meta: Any, parts: list[Any]) -> BlockText:
        name, *rest = parts
        names: dict[str, str] = {}
        numbers: dict[str, int] = {}
        options: list[str] = []
        for one in rest:
            if isinstance(one, tuple):
                place, kind, value = one
                if kind in options or {kind, *options} >= {"on", "from"}:
                    raise place.error(f"{kind} after {', '.join(options)}")
                options.append(kind)
                if isinstance(value, int):
                    numbers[kind] = value
                else:
                    names[kind] = value
        body = tuple(one for one in rest if isinstance(one, Statement))
        closing = rest[-1] if isinstance(rest[-1], Control) else None
        return BlockText(self._at(meta), str(name), names, numbers, body, closing)

    def condition(self, meta: Any, words: list[Any]) -> Condition:
        return Condition(str(words[1]), words[0] is not None)

    def dispatch(self, meta: Any, _: list[Any]) -> Control:
        return Control(self._at(meta), "dispatch")

    def goto(self, meta: Any, parts: list[Any]) -> Control:
        return Control(self._at(meta), "goto", str(parts[0]), parts[1])

    def refuse(self, meta: Any, parts: list[Any]) -> Control:
        return Control(self._at(meta), "refuse", str(parts[0]), parts[1])

    def accept(self, meta: Any, parts: list[Any]) -> Control:
        return Control(self._at(meta), "accept", None, parts[0])

    def loop(self, meta: Any, parts: list[Any]) -> Control:
        return Control(self._at(meta), "loop", int(parts[0]))

    def start_unit(self, meta: Any, parts: list[Any]) -> Control:
        return Control(self._at(meta), "start", parts[0])

    def wait(self, meta: Any, parts: list[Any]) -> Control:
        return Control(self._at(meta), "wait", None, parts[0])

    def wipe(self, meta: Any, _parts: list[Any]) -> Control:
        return Control(self._at(meta), "wipe")

    def start_operation(self, meta: Any, parts: list[Any]) -> StartOperation:
        unit, operand = parts
        return StartOperation(self._at(meta), unit, () if operand is None else (operand,))

    def assignment(self, meta: Any, parts: list[Any]) -> Assignment:
        sign = next(i for i, part in enumerate(parts) if isinstance(part, Token))
        canonical = parts[sign].type == "ASSIGN_CANONICAL"
        value, rider = parts[sign + 1 :]
        return Assignment(self._at(meta), tuple(parts[:sign]), canonical, value, rider)

    def call(self, meta: Any, parts: list[Any]) -> Call:
        return Call(str(parts[0]), tuple(parts[1:]))

    def scaled(self, meta: Any, operands: list[Any]) -> Expression:
        return Expression("scaled", tuple(operands))

    def signed(self, meta: Any, parts: list[Any]) -> Expression:
        (double, first), x, y = parts
        if double:
            raise self._at(meta).error("a product takes no factor 2")
        return Expression("signed", (first, x, y))

    def binary(self, meta: Any, parts: list[Any]) -> Expression:
        (double_x, x), sign, (double_y, y) = parts
        return Expression(str(sign), (x, y), (double_x, double_y))

    def factor(self, meta: Any, parts: list[Any]) -> tuple[bool, str]:
        number, operand = parts
        if number is not None and number != "2":
            raise self._at(meta).error(f"the only factor of an operand is 2, not {number}")
        return number is not None, operand

    def operand(self, meta: Any, parts: list[Any]) -> str:
        if len(parts) > 1 and isinstance(parts[0], Token) and parts[0].type == "AT":
            return f"@{parts[1]}"
        return f"{parts[0]}[{parts[1]}]" if len(parts) > 1 and parts[1] is not None else str(parts[0])

    def index(self, meta: Any, parts: list[Any]) -> str:
        return "^".join(map(str, parts))

    def unit(self, meta: Any, parts: list[Any]) -> str:
        return f"{parts[0]}[{parts[1]}]" if parts[1] is not None else str(parts[0])


@lru_cache(maxsize=1)
def _parser() -> Lark:
    text = Path(__file__).with_name("microcode.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=True)


_SHOWN = {"NAME": "a name", "INT": "a number", "PATH": "a file", "_NL": "the end of the line",
          "$END": "the end of the file"}


def _expected(error: UnexpectedInput) -> str:
    wanted = getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed",
                                                                                            None) or ()
    patterns = {terminal.name: terminal.pattern.value for terminal in _parser().terminals}
    return ", ".join(sorted(_SHOWN.get(name) or f"`{patterns.get(name, name)}`".replace("\\", "") for name in wanted))


def parse(path: Path, text: str | None = None) -> Sequence[Item]:
    """The statements of a file, in order. `AssemblyError` for what the grammar does not allow, or a file that is
    none."""
    try:
        text = path.read_text(encoding="utf-8") if text is None else text
    except (OSError, UnicodeDecodeError) as error:
        raise AssemblyError(f"{path.name}: {error}") from None
    try:
        tree = _parser().parse(text + "\n")
    except UnexpectedInput as error:
        place = Place(path.name, max(error.line, 1), max(error.column, 1))
        if isinstance(error, UnexpectedToken):
            found = {"_NL": "the end of the line", "$END": "the end of the file"}.get(error.token.type,
                                                                                      f"`{error.token}`")
        else:
            at = error.pos_in_stream or 0
            found = f"`{text[at:at + 1]}`"
        line = text.splitlines()[place.line - 1].strip() if place.line <= len(text.splitlines()) else ""
        raise place.error(f"{found} in `{line}`; expected {_expected(error)}") from None
    try:
        return _Statements(path.name).transform(tree)
    except VisitError as error:
        if isinstance(error.orig_exc, AssemblyError):
            raise error.orig_exc from None
        raise
