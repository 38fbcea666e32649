# SPDX-License-Identifier: Apache-2.0
"""Changes of a SystemVerilog module: operators, conditions, constants, and assignments to registers that are left out.

What is fixed at elaboration stays: parameters, widths, indices, conditions of generate blocks, loops, assertions.
Sets of `inside` too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pointmill.measure.mutation.changes import Change, Form, distinct

if TYPE_CHECKING:
    pass

FORM = Form("(pm_mutant == {n} ? ({new}) : ({old}))", "begin if (pm_mutant != {n}) {old} end")
NUMBER = (' int pm_mutant; initial pm_mutant = $c32("(std::getenv(\\"PM_MUTANT\\") '
          '? std::atoi(std::getenv(\\"PM_MUTANT\\")) : 0)");')
"""Declares the number in a module: that of the environment, read by the C++ of Verilator."""

BINARY = {
    "+": ("-",), "-": ("+",), "*": ("+",), "==": ("!=",), "!=": ("==",), "<": ("<=", ">="), "<=": ("<", ">"),
    ">": (">=", "<="), ">=": (">", "<"), "&&": ("||",), "||": ("&&",), "&": ("|",), "|": ("&",), "^": ("|",),
    "<<": (">>",), ">>": ("<<",), ">>>": (">>",),
}  # fmt: skip
_SIZED = re.compile(r"(\d*)\s*'(s?)([bodh])\s*([0-9a-f_]+)", re.IGNORECASE)
# Not !!: of two unary operators in a row the language wants the second in parentheses.
PREFIX = {"!": "'0 != ", "~": "", "|": "&", "&": "|", "^": "~^"}

_INVERTED_BY_OPERATOR = ("UnaryLogicalNot", "Equality", "Inequality", "LessThan", "GreaterThan")

# What is constant, or no part of the circuit.
_LEFT_OUT = ("Parameter", "RangeDimension", "ElementSelect", "ElabSystemTask", "ConcurrentAssertion", "ActionBlock",
             "Immediate", "InitialBlock", "FinalBlock", "TypedefDeclaration", "GenvarDeclaration", "ModuleHeader",
             "EventControl", "SignalEvent", "DefaultClocking", "Import", "Property", "Sequence", "SystemName",
             "NamedType", "LogicType", "IntType", "BitType", "EnumType", "StructType")  # fmt: skip


def changes(text: bytes) -> list[Change]:
    """All changes of the module in `text`. `ValueError` where slang does not read it."""
    from pyslang.syntax import SyntaxTree

    tree = SyntaxTree.fromText(text.decode())
    if any(found.isError() for found in tree.diagnostics):
        raise ValueError("slang does not read the module")
    return distinct(_Walk(text).visit(tree.root))


def with_number(text: bytes) -> bytes:
    """The module with the number declared behind its header."""
    from pyslang.syntax import SyntaxTree

    for member in _below(SyntaxTree.fromText(text.decode()).root):
        if member.kind.name == "ModuleHeader":
            end = member.sourceRange.end.offset
            return text[:end] + NUMBER.encode() + text[end:]
    raise ValueError("no module")


def _below(node: Any) -> Iterator[Any]:
    """A node and all below it."""
    yield node
    for child in node:
        if hasattr(child, "sourceRange"):
            yield from _below(child)


def _nodes(node: Any) -> list[Any]:
    return [child for child in node if hasattr(child, "sourceRange")]


class _Walk:
    """Finds the changes in the syntax of a module."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.fixed: set[str] = set()
        self.constant_calls: set[str] = set()

    def visit(self, root: Any) -> Iterator[Change]:
        """All changes below a node."""
        for node in _below(root):
            kind = node.kind.name
            if kind in ("LoopGenerate", "ForVariableDeclaration", "GenvarDeclaration", "ForeachLoopList"):
                self.fixed |= _loop_names(node)
            if kind.startswith(_LEFT_OUT) or kind in ("IfGenerate", "LoopGenerate"):
                parts = [node] if kind.startswith(_LEFT_OUT) else _head(node)
                self.constant_calls |= {str(one.left).strip() for part in parts for one in _below(part)
                                        if one.kind.name == "InvocationExpression"}
        yield from self._walk(root)

    def _source(self, node: Any) -> bytes:
        span = node.sourceRange
        return self.text[span.start.offset:span.end.offset]

    def _walk(self, node: Any) -> Iterator[Change]:
        kind = node.kind.name
        if kind.startswith(_LEFT_OUT):
            return
        if kind == "AssignmentExpression" and str(node.left).strip().startswith("unused"):
            return
        if kind == "FunctionDeclaration" and str(node.prototype.name).strip() in self.constant_calls:
            return
        yield from self._own(node, kind)
        for child in self._inside(node, kind):
            yield from self._walk(child)

    def _inside(self, node: Any, kind: str) -> list[Any]:
        """What is looked at below a node."""
        match kind:
            case "IfGenerate" | "LoopGenerate" | "CaseGenerate":
                head = [one.sourceRange for one in _head(node)]
                return [one for one in _nodes(node) if one.sourceRange not in head]
            case "ForLoopStatement":
                return [node.statement]
            case "ForeachLoopStatement":
                return [node.statement]
            case "StandardCaseItem":
                return [node.clause]
            case "CastExpression" | "AssignmentExpression" | "NonblockingAssignmentExpression":
                return [node.right]
            case "MultipleConcatenationExpression":
                return [node.concatenation]
            case "InsideExpression":  # Verilator wants constants in the set
                return [node.expr]
            case "DataDeclaration" if not self.procedural(node):
                return []
            case "FunctionDeclaration":
                return _nodes(node.items)
        if kind.endswith("Expression") and self._constant(node) and not kind.endswith(("LiteralExpression",
                                                                                      "VectorExpression")):
            return []
        return _nodes(node)

    @staticmethod
    def procedural(node: Any) -> bool:
        """Whether a declaration stands in a block of statements."""
        while node is not None:
            if node.kind.name in ("SequentialBlockStatement", "FunctionDeclaration"):
                return True
            node = node.parent
        return False

    def _constant(self, node: Any) -> bool:
        """Whether an expression names parameters and loop variables only: names with a capital are parameters."""
        names = [one for one in _below(node) if one.kind.name in ("IdentifierName", "IdentifierSelectName")]
        return all((word := str(one.identifier).strip())[:1].isupper() or word in self.fixed for one in names)

    def _change(self, node: Any, new: bytes, what: str, drop: bool = False) -> Change:
        span = node.sourceRange
        return Change(span.start.offset, span.end.offset, new, what, drop)

    def _own(self, node: Any, kind: str) -> Iterator[Change]:
        """Changes of a node itself."""
        match kind:
            case "ConditionalStatement" | "ConditionalExpression":
                yield from self._condition(node.predicate)
            case "ExpressionStatement" if node.expr.kind.name == "NonblockingAssignmentExpression":
                yield self._change(node, b";", f"left out: {self._source(node).decode()}", drop=True)
            case "IntegerVectorExpression" | "IntegerLiteralExpression" | "UnbasedUnsizedLiteralExpression":
                if new := _other_number(old := self._source(node).decode()):
                    yield self._change(node, new.encode(), f"{old} -> {new}")
        operator = str(node.operatorToken.valueText) if hasattr(node, "operatorToken") else ""
        if not operator or not kind.endswith("Expression") or "Assignment" in kind or self._constant(node):
            return
        if hasattr(node, "operand") and operator in PREFIX and kind.startswith("Unary"):
            new = PREFIX[operator]
            what = f"{operator} -> {new.strip() or 'nothing'}"
            yield self._change(node, new.encode() + self._source(node.operand), what)
        elif hasattr(node, "left") and hasattr(node, "right"):
            for new in BINARY.get(operator, ()):
                text = self._source(node.left) + f" {new} ".encode() + self._source(node.right)
                yield self._change(node, text, f"{operator} -> {new}")

    def _condition(self, predicate: Any) -> Iterator[Change]:
        if len(predicate.conditions) != 1 or self._constant(predicate):
            return
        old = self._source(predicate).decode()
        if not predicate.conditions[0].expr.kind.name.startswith(_INVERTED_BY_OPERATOR):
            yield self._change(predicate, f"!({old})".encode(), "condition inverted")
        for value in ("1'b0", "1'b1"):
            yield self._change(predicate, value.encode(), f"condition -> {value}")


def _head(node: Any) -> list[Any]:
    """The constant expressions of a generate construct."""
    match node.kind.name:
        case "LoopGenerate":
            return [node.initialExpr, node.stopExpr, node.iterationExpr]
        case _:
            return [node.condition]


def _loop_names(node: Any) -> set[str]:
    """Names of loop variables that a node declares."""
    match node.kind.name:
        case "LoopGenerate":
            return {str(node.identifier).strip()}
        case "ForVariableDeclaration":
            return {str(node.declarator.name).strip()}
    return {str(one.identifier).strip() for one in _below(node) if hasattr(one, "identifier")}


def _other_number(text: str) -> str:
    """A literal with another value of the same width; "" for one with unknown bits."""
    if text in ("'0", "'1"):
        return "'1" if text == "'0" else "'0"
    if text.replace("_", "").isdigit():
        return str(int(text) + 1)
    found = _SIZED.fullmatch(text)
    if found is None:
        return ""
    width, sign, base, digits = found.groups()
    number = int(digits.replace("_", ""), {"b": 2, "o": 8, "d": 10, "h": 16}[base.lower()]) + 1
    return f"{width}'{sign}d{number % 2 ** int(width or 32)}"
