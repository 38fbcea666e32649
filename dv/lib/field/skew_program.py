# SPDX-License-Identifier: Apache-2.0
"""Programs for pm_skew_datapath: values by formula, placed cycle by cycle (list scheduling along the longest path),
with their registers; and the point doubling in Jacobian coordinates for a = -3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pointmill.ucode.mont_scaled import Scaled

SUM, PRODUCT, OUTSIDE = range(3)
SUM_CYCLES = 4  # from a microinstruction to the cycle in which its sum is written


@dataclass(eq=False)
class Node:
    """A value: operands and what is done with them; c is scale's power of two, or 0, and `bound` what the value is
    below, in multiples of k p."""

    kind: int
    operands: tuple[Node, ...] = field(repr=False)
    value: int
    bound: int
    sub: int = 0
    shift: int = 0
    scale: int = 0
    users: list[Node] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        for operand in self.operands:
            operand.users.append(self)


class Formula:
    """Values over a modulus, which grow in the order in which they are written down."""

    def __init__(self, scaled: Scaled, digits: int) -> None:
        self.scaled, self.digits = scaled, digits
        self.nodes: list[Node] = []

    def _add(self, node: Node) -> Node:
        self.nodes.append(node)
        return node

    def outside(self, value: int) -> Node:
        """A number below 2 k p from outside."""
        return self._add(Node(OUTSIDE, (), value, 2))

    def mul(self, x: Node, y: Node) -> Node:
        """x y R^-1; `ValueError` where R does not allow the operands."""
        if x.bound * y.bound * self.scaled.modulus > 1 << self.scaled.digit * self.digits:
            raise ValueError("the operands of a product are too large")
        return self._add(Node(PRODUCT, (x, y), self.scaled.product(x.value, y.value, self.digits), 2))

    def add(self, x: Node, y: Node, shift: int = 0) -> Node:
        """x + 2^shift y."""
        return self._add(Node(SUM, (x, y), x.value + (y.value << shift), x.bound + (y.bound << shift), 0, shift))

    def sub(self, x: Node, y: Node, shift: int = 0) -> Node:
        """x - 2^shift y + c k p, with the least power of two c that keeps it from falling below 0."""
        scale = ((y.bound << shift) - 1).bit_length()
        value = x.value - (y.value << shift) + (self.scaled.modulus << scale)
        return self._add(Node(SUM, (x, y), value, x.bound + (1 << scale), 1, shift, scale + 1))

    def double(self, x: Node, y: Node, z: Node) -> tuple[Node, Node, Node]:
        """2 (x : y : z), a = -3: dbl-2001-b of the Explicit-Formulas Database, 8 products, with alpha negative."""
        gamma, delta = self.mul(y, y), self.mul(z, z)
        third = self.mul(self.sub(delta, x), self.add(x, delta))
        both = self.add(y, z)
        beta, alpha = self.mul(x, gamma), self.add(third, third, 1)
        x3 = self.sub(self.mul(alpha, alpha), beta, 3)
        z3 = self.sub(self.sub(self.mul(both, both), gamma), delta)
        y3 = self.sub(self.mul(alpha, self.sub(x3, beta, 2)), self.mul(gamma, gamma), 3)
        return x3, y3, z3


@dataclass
class Word:
    """A microinstruction: the value that begins, the one that is written, and the one that is compared."""

    begins: Node | None = None
    writes: Node | None = None
    reads: Node | None = None


@dataclass
class Program:
    """Microinstructions of a formula, and the register of each value."""

    words: list[Word]
    register: dict[Node, int]
    length: int  # cycles until the last value can be read


def place(formula: Formula, period: int, results: Sequence[Node]) -> Program:
    """The values of a formula on the datapath; `results` are read at the end."""
    latency = {SUM: SUM_CYCLES, PRODUCT: (formula.digits + 1) * period + 2, OUTSIDE: 0}
    path: dict[Node, int] = {}
    for node in reversed(formula.nodes):
        path[node] = latency[node.kind] + 1 + max((path[user] for user in node.users), default=0)
    start: dict[Node, int] = {}
    writes: dict[int, Node] = {}
    begins: dict[int, Node] = {}
    busy = [0] * period  # cycles from which an issue slot takes a product
    waiting, cycle = set(formula.nodes), 0
    while waiting:
        ready = [node for node in waiting if all(operand in start and start[operand] + latency[operand.kind] < cycle
                                                 for operand in node.operands)]
        for node in sorted(ready, key=lambda node: (-path[node], formula.nodes.index(node))):
            if cycle + latency[node.kind] in writes or (node.kind != OUTSIDE and cycle in begins):
                continue
            if node.kind == PRODUCT:
                if busy[cycle % period] > cycle:
                    continue
                busy[cycle % period] = cycle + formula.digits * period
            if node.kind != OUTSIDE:
                begins[cycle] = node
            writes[cycle + latency[node.kind]] = node
            start[node] = cycle
            waiting.remove(node)
        cycle += 1
    end = max(writes) + 1
    words = [Word(begins.get(i), writes.get(i)) for i in range(end)] + [Word(reads=node) for node in results]
    return Program(words, _registers(start, latency, writes, {node: end + i for i, node in enumerate(results)}), end)


def _registers(start: dict[Node, int], latency: dict[int, int], writes: dict[int, Node],
               read: dict[Node, int]) -> dict[Node, int]:
    """A register for each value, from its write to its last use. A register is free in the cycle of that."""
    last = {node: max([read.get(node, 0), *(start[user] for user in node.users)]) for node in start}
    register: dict[Node, int] = {}
    free_from: list[int] = []
    for cycle in sorted(writes):
        node = writes[cycle]
        found = next((i for i, free in enumerate(free_from) if free <= cycle), len(free_from))
        free_from[found:found + 1] = [last[node]]
        register[node] = found
    return register
