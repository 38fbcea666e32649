# SPDX-License-Identifier: Apache-2.0
"""Changes of a C file: operators, conditions, constants, and statements of expressions that are left out, in functions.

What must be constant stays: sizes of arrays, labels of cases, static data.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from pointmill.measure.mutation.changes import Change, Form, distinct

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

FORM = Form("(pm_mutant == {n} ? ({new}) : ({old}))", "{ if (pm_mutant != {n}) {old} }")
NUMBER = b"extern int pm_mutant;\n"
"""Declares the number, which a program takes from its environment."""

BINARY = {
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("*",), "==": ("!=",), "!=": ("==",), "<": ("<=", ">="),
    "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "&&": ("||",), "||": ("&&",), "&": ("|",), "|": ("&",),
    "^": ("|",), "<<": (">>",), ">>": ("<<",), "+=": ("-=",), "-=": ("+=",), "|=": ("&=",), "&=": ("|=",),
}  # fmt: skip
_FIXED = ("array_declarator", "sizeof_expression", "enum_specifier", "bitfield_clause", "static_assert_declaration",
          "string_literal", "type_descriptor", "field_designator", "subscript_designator", "preproc_if")
_CONDITIONS = ("if_statement", "while_statement", "conditional_expression")


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_c

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))


def changes(text: bytes) -> list[Change]:
    """All changes of the functions in `text`, of those that are understood before macros are replaced."""
    return distinct(_inside(_parser().parse(text).root_node, False))


def with_number(text: bytes) -> bytes:
    """The file with the number declared before all else."""
    return NUMBER + text


def _source(node: Node) -> bytes:
    assert node.text is not None
    return node.text


def _static(node: Node) -> bool:
    return node.type == "declaration" and any(_source(one) == b"static" for one in node.children)


def _inside(node: Node, in_function: bool) -> Iterator[Change]:
    """Changes of a node and below it."""
    if node.type in _FIXED or _static(node) or (node.type == "function_definition" and node.has_error):
        return
    if in_function:
        yield from _own(node)
    label = node.child_by_field_name("value") if node.type == "case_statement" else None
    for child in node.children:
        if child != label:
            yield from _inside(child, in_function or (node.type == "function_definition" and
                               child.type == "compound_statement"))


def _own(node: Node) -> Iterator[Change]:
    def change(new: bytes, what: str, drop: bool = False) -> Change:
        return Change(node.start_byte, node.end_byte, new, what, drop)

    match node.type:
        case "binary_expression" | "assignment_expression":
            left, sign, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
            assert left and sign and right
            for new in BINARY.get(old := _source(sign).decode(), ()):
                yield change(_source(left) + f" {new} ".encode() + _source(right), f"{old} -> {new}")
        case "unary_expression" if (argument := node.child_by_field_name("argument")) is not None:
            prefix = node.children[0].type
            if prefix in "!~":
                yield change((b"!!" if prefix == "!" else b"") + _source(argument),
                             f"{prefix} -> {'!!' if prefix == '!' else 'nothing'}")
        case "update_expression":
            old, new = ("++", "--") if b"++" in _source(node) else ("--", "++")
            yield change(_source(node).replace(old.encode(), new.encode()), f"{old} -> {new}")
        case "number_literal":
            text = _source(node).decode()
            digits = text.rstrip("uUlL")
            yield change(str(int(digits, 0) + 1).encode() + text[len(digits):].encode(), f"{text} increased by 1")
        case "true" | "false":
            new = "false" if node.type == "true" else "true"
            yield change(new.encode(), f"{node.type} -> {new}")
        case "expression_statement" if node.named_child_count and _left_out(node.named_children[0]):
            yield change(b";", f"left out: {' '.join(_source(node).decode().split())}", drop=True)
    if node.type in _CONDITIONS and (condition := node.child_by_field_name("condition")) is not None:
        if condition.type == "parenthesized_expression":
            condition = condition.named_children[0]
        for value in (b"0", b"1") if node.type != "while_statement" else (b"0",):
            yield Change(condition.start_byte, condition.end_byte, value, f"condition -> {value.decode()}")


def _left_out(expression: Node) -> bool:
    """Whether a statement of this expression does something when it is not left out."""
    return expression.type in ("assignment_expression", "call_expression", "update_expression")
