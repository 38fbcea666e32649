# SPDX-License-Identifier: Apache-2.0
"""Changes of a Python module: operators, conditions, constants, and statements that are left out, in functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pointmill.measure.mutation.changes import Change, Form, distinct

FORM = Form("(({new}) if pm_mutant == {n} else ({old}))", "")
NUMBER = b"import os as pm_os\npm_mutant = int(pm_os.environ.get('PM_MUTANT', '0'))\n"
"""Reads the number from the environment."""

BINARY: dict[type[ast.AST], tuple[str, tuple[str, ...]]] = {
    ast.Add: ("+", ("-",)), ast.Sub: ("-", ("+",)), ast.Mult: ("*", ("+",)), ast.FloorDiv: ("//", ("*",)),
    ast.Mod: ("%", ("//",)), ast.Pow: ("**", ("*",)), ast.LShift: ("<<", (">>",)), ast.RShift: (">>", ("<<",)),
    ast.BitAnd: ("&", ("|",)), ast.BitOr: ("|", ("&",)), ast.BitXor: ("^", ("|",)), ast.And: ("and", ("or",)),
    ast.Or: ("or", ("and",)), ast.Eq: ("==", ("!=",)), ast.NotEq: ("!=", ("==",)), ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")), ast.Gt: (">", (">=", "<=")), ast.GtE: (">=", (">", "<")),
    ast.In: ("in", ("not in",)), ast.NotIn: ("not in", ("in",)), ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
}  # fmt: skip


def changes(text: bytes) -> list[Change]:
    """All changes of the functions in `text`; `SyntaxError` where it is no Python."""
    return distinct(_Walk(text).module())


def with_number(text: bytes) -> bytes:
    """The module with the number before the first statement that may be preceded by another one."""
    body = ast.parse(text).body
    first = next(node for node in body if not _must_be_first(node))
    decorators: Sequence[ast.expr] = getattr(first, "decorator_list", ())
    begin = _Walk(text).offset(min([first.lineno, *(one.lineno for one in decorators)]), 0)
    return text[:begin] + NUMBER + text[begin:]


def _must_be_first(node: ast.stmt) -> bool:
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


class _Walk:
    """Finds the changes in the syntax tree of a module."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.lines = [0]
        for line in text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        """Of a place, lines from 1 and columns in bytes."""
        return self.lines[line - 1] + column

    def module(self) -> Iterator[Change]:
        """Changes of all functions and methods."""
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.FunctionDef):
                for statement in node.body:
                    yield from self._inside(statement)

    def _inside(self, node: ast.AST) -> Iterator[Change]:
        if isinstance(node, ast.JoinedStr | ast.Assert | ast.Raise | ast.FunctionDef | ast.AnnAssign | ast.MatchValue):
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        yield from self._own(node)
        for child in ast.iter_child_nodes(node):
            yield from self._inside(child)

    def _span(self, first: ast.AST, last: ast.AST) -> tuple[int, int]:
        assert isinstance(first, ast.expr | ast.stmt) and isinstance(last, ast.expr | ast.stmt)
        assert last.end_lineno is not None and last.end_col_offset is not None
        return (self.offset(first.lineno, first.col_offset), self.offset(last.end_lineno, last.end_col_offset))

    def _change(self, node: ast.AST, new: bytes, what: str) -> Change:
        return Change(*self._span(node, node), new, what)

    def _replaced(self, node: ast.AST, left: ast.AST, right: ast.AST, sign: ast.AST) -> Iterator[Change]:
        """The operator between two operands of `node` by others."""
        old, others = BINARY.get(type(sign), ("", ()))
        begin, end = self._span(node, node)
        (_, after), (before, _) = self._span(left, left), self._span(right, right)
        gap = self.text[after:before]
        for new in others:
            changed = gap.replace(old.encode(), new.encode(), 1)
            yield Change(begin, end, self.text[begin:after] + changed + self.text[before:end], f"{old} -> {new}")

    def _own(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.BinOp(left, sign, right) if not isinstance(left, ast.Constant | ast.JoinedStr) or isinstance(
                    left.value if isinstance(left, ast.Constant) else "", int):
                yield from self._replaced(node, left, right, sign)
            case ast.BoolOp(sign, [left, right]):
                yield from self._replaced(node, left, right, sign)
            case ast.Compare(left, [sign], [right]):
                yield from self._replaced(node, left, right, sign)
            case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
                yield self._change(node, self.text[slice(*self._span(operand, operand))], "sign or not -> nothing")
            case ast.Constant(bool() as value):
                yield self._change(node, str(not value).encode(), f"{value} -> {not value}")
            case ast.Constant(int() as value):
                yield self._change(node, str(value + 1).encode(), f"{value} -> {value + 1}")
        if isinstance(node, ast.If | ast.IfExp | ast.comprehension | ast.While):
            tests: Sequence[ast.expr] = node.ifs if isinstance(node, ast.comprehension) else [node.test]
            for test in tests:
                for fixed in ("False",) if isinstance(node, ast.While) else ("False", "True"):
                    yield self._change(test, fixed.encode(), f"condition -> {fixed}")
