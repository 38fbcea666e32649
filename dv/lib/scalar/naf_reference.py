# SPDX-License-Identifier: Apache-2.0
"""Width-w NAF and interleaved-NAF digit scan in plain integers; the reference of the scalar benches."""

from __future__ import annotations

from typing import NamedTuple

L = 2**252 + 27742317777372353535851937790883648493
"""Order of the prime-order subgroup of Ed25519 (RFC 8032, section 5.1)."""


class Digit(NamedTuple):
    """Digit (-1)^neg * (2*idx + 1) * 2^pos."""

    pos: int
    neg: int
    idx: int

    @property
    def value(self) -> int:
        """The signed odd digit, without its power of two."""
        return (1 - 2 * self.neg) * (2 * self.idx + 1)


class Step(NamedTuple):
    """One operation of the walk: "double", "add_g" or "add_a"; neg and idx of its digit, else 0."""

    op: str
    neg: int = 0
    idx: int = 0


def naf(scalar: int, window: int) -> list[Digit]:
    """Nonzero digits of the width-`window` NAF of `scalar` >= 0, ascending positions."""
    digits, pos = [], 0
    while scalar:
        if scalar % 2:
            value = scalar % 2**window
            if value >= 2 ** (window - 1):
                value -= 2**window
            scalar -= value
            digits.append(Digit(pos, int(value < 0), (abs(value) - 1) // 2))
        scalar //= 2
        pos += 1
    return digits


def walk(g: list[Digit], a: list[Digit]) -> list[Step]:
    """Operations of Xue et al. 2022, J. Commun. 43(3), algorithm 5, steps 4 to 6, in order."""
    by_pos_g = {digit.pos: digit for digit in g}
    by_pos_a = {digit.pos: digit for digit in a}
    steps: list[Step] = []
    highest = max([*by_pos_g, *by_pos_a], default=None)
    if highest is None:
        return steps
    for pos in range(highest, -1, -1):
        if pos != highest:
            steps.append(Step("double"))
        if pos in by_pos_g:
            steps.append(Step("add_g", by_pos_g[pos].neg, by_pos_g[pos].idx))
        if pos in by_pos_a:
            steps.append(Step("add_a", by_pos_a[pos].neg, by_pos_a[pos].idx))
    return steps


def evaluate(steps: list[Step]) -> tuple[int, int]:
    """Multiples (of G, of A) that a walk adds up."""
    g = a = 0
    for step in steps:
        value = (1 - 2 * step.neg) * (2 * step.idx + 1)
        if step.op == "double":
            g, a = 2 * g, 2 * a
        elif step.op == "add_g":
            g += value
        else:
            a += value
    return g, a


def longest_recoding(bits: int, window: int) -> tuple[int, list[int]]:
    """Longest run of a recoder that spends a cycle per digit and one per 4 zero positions.

    Returns (cycles from acceptance to done, the digit positions that cause it). Every sequence of
    positions at least `window` apart and below `bits` belongs to the scalar with these digits 1.
    """
    best: dict[int, tuple[int, list[int]]] = {}
    for pos in range(bits + window, -1, -1):
        if pos >= bits:
            best[pos] = (1, [])  # the cycle that finds the end
            continue
        options = [(-(-(bits - pos) // 4) + 1, [])]
        for digit in range(pos, bits):
            cycles, rest = best[digit + window]
            options.append((-(-(digit - pos) // 4) + 1 + cycles, [digit, *rest]))
        best[pos] = max(options)
    cycles, positions = best[0]
    return cycles + 1, positions
