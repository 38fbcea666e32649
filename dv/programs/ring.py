# SPDX-License-Identifier: Apache-2.0
"""Exact rational functions over the integers or a prime field, by FLINT, and equality modulo relations.

Equality is decided by reduction: a difference that the relations reduce to 0 lies in their ideal, so that what is found
equal is equal wherever the relations hold. What is not found equal may be equal nevertheless.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

import flint


class Ring:
    """Polynomials in `names`, over the integers, or modulo a prime. `relations` are pairs of expressions (left, right)
    whose difference is 0; what stands on the left is replaced by what stands on the right."""

    def __init__(self, names: Sequence[str], p: int | None, relations: Sequence[tuple[str, str]] = ()) -> None:
        first = [name for left, _ in relations for name in identifiers([left])]
        self.names = list(dict.fromkeys([name for name in first if name in names] + sorted(names)))
        if p is None:
            self.context = flint.fmpz_mpoly_ctx.get(self.names, "lex")
        else:
            self.context = flint.fmpz_mod_mpoly_ctx.get(self.names, p, "lex")
        self.p = p
        self.one = self.context.constant(1)
        self.symbols = dict(zip(self.names, self.context.gens()))
        self.relations: list[Any] = []
        for left, right in relations:
            difference = self.number(left) - self.number(right)
            self.relations.append(difference.top)

    def constant(self, value: int) -> Any:
        """A constant polynomial."""
        return self.context.constant(value)

    def symbol(self, name: str) -> Fraction:
        """A generator."""
        return Fraction(self, self.symbols[name], self.one)

    def number(self, value: Any, scope: dict[str, Any] | None = None) -> Fraction:
        """A number, polynomial, fraction or expression as a fraction; `scope` says what the names of an expression are
        beside the generators."""
        if isinstance(value, str):
            own = {name: Fraction(self, symbol, self.one) for name, symbol in self.symbols.items()}
            value = eval(value, {"__builtins__": {}}, own | (scope or {}))
        if isinstance(value, Fraction):
            return value
        return Fraction(self, self.constant(value) if isinstance(value, int) else value, self.one)

    def reduce(self, value: Any) -> Any:
        """A polynomial modulo the relations, as far as division by each of them goes."""
        while True:
            before = value
            for relation in self.relations:
                value = divmod(value, relation)[1]
            if value == before:
                return value


class Fraction:
    """A quotient of polynomials, not reduced."""

    def __init__(self, ring: Ring, top: Any, bottom: Any) -> None:
        self.ring, self.top, self.bottom = ring, top, bottom

    def _other(self, other: Any) -> Fraction:
        return self.ring.number(other)

    def __add__(self, other: Any) -> Fraction:
        other = self._other(other)
        if self.bottom == other.bottom:
            return Fraction(self.ring, self.top + other.top, self.bottom)
        return Fraction(self.ring, self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __neg__(self) -> Fraction:
        return Fraction(self.ring, -self.top, self.bottom)

    def __sub__(self, other: Any) -> Fraction:
        return self + -self._other(other)

    def __mul__(self, other: Any) -> Fraction:
        other = self._other(other)
        return Fraction(self.ring, self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other: Any) -> Fraction:
        other = self._other(other)
        return Fraction(self.ring, self.top * other.bottom, self.bottom * other.top)

    def __pow__(self, exponent: int) -> Fraction:
        return Fraction(self.ring, self.top**exponent, self.bottom**exponent)

    def __radd__(self, other: Any) -> Fraction:
        return self + other

    def __rsub__(self, other: Any) -> Fraction:
        return -self + other

    def __rmul__(self, other: Any) -> Fraction:
        return self * other

    def __rtruediv__(self, other: Any) -> Fraction:
        return self._other(other) / self

    def same(self, other: Any) -> bool:
        """Whether both are equal where the relations hold, and no denominator vanishes identically there."""
        other, ring = self._other(other), self.ring
        if ring.reduce(self.bottom).is_zero() or ring.reduce(other.bottom).is_zero():
            return False
        return ring.reduce(self.top * other.bottom - other.top * self.bottom).is_zero()


def identifiers(expressions: Iterable[str]) -> list[str]:
    """The names in expressions, in order."""
    found: dict[str, None] = {}
    for text in expressions:
        for node in ast.walk(ast.parse(text, mode="eval")):
            if isinstance(node, ast.Name):
                found[node.id] = None
    return list(found)
