# SPDX-License-Identifier: Apache-2.0
"""Merged recoded digit sequences and their digit scans in plain Python; packing of list entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from naf_reference import naf

KINDS = ("g0", "g1", "a", "r")
SIGNS = (1, 1, -1, -1)
"""The list stands for s0 G0 + s1 G1 - c A - d R."""


class Entry(NamedTuple):
    """Addition of (-1)^neg * (2*idx + 1) * 2^pos times the point `kind` (index into KINDS)."""

    pos: int
    kind: int
    neg: int
    more: int
    idx: int

    def packed(self) -> int:
        """As list_entry_t, 21 bits."""
        return (self.pos << 12 | self.kind << 10 | self.neg << 9 | self.more << 8 | self.idx)

    @classmethod
    def unpacked(cls, word: int) -> Entry:
        """Inverse of `packed`."""
        return cls(word >> 12, word >> 10 & 3, word >> 9 & 1, word >> 8 & 1, word & 0xFF)


class Op(NamedTuple):
    """Operation of a walk: "double" or "add"; kind, neg, idx of the point, 0 for a doubling."""

    op: str
    need_t: int
    kind: int = 0
    neg: int = 0
    idx: int = 0


def merge(scalars: Sequence[int], windows: Sequence[int] = (10, 10, 4, 4)) -> list[Entry]:
    """List of (s0, s1, c, d), any signs, in the order of the pushes."""
    found: list[tuple[int, int, int, int]] = []
    for kind, (scalar, sign, window) in enumerate(zip(scalars, SIGNS, windows, strict=True)):
        flip = int(sign * scalar < 0)
        found += [(d.pos, -kind, d.neg ^ flip, d.idx) for d in naf(abs(scalar), window)]
    entries, last = [], -1
    for pos, minus_kind, neg, idx in sorted(found):
        entries.append(Entry(pos, -minus_kind, neg, int(pos == last), idx))
        last = pos
    return entries


def value(entries: Sequence[Entry]) -> tuple[int, ...]:
    """The four scalars (s0, s1, c, d) that a list adds up to."""
    sums = [0, 0, 0, 0]
    for e in entries:
        sums[e.kind] += SIGNS[e.kind] * (1 - 2 * e.neg) * (2 * e.idx + 1) << e.pos
    return tuple(sums)


def walk(entries: Sequence[Entry]) -> list[Op]:
    """Operations from the highest entry down to position 0."""
    ops: list[Op] = []
    by_pos: dict[int, list[Entry]] = {}
    for entry in reversed(entries):
        by_pos.setdefault(entry.pos, []).append(entry)
    if not by_pos:
        return ops
    highest = max(by_pos)
    for pos in range(highest, -1, -1):
        here = by_pos.get(pos, [])
        if pos != highest:
            ops.append(Op("double", int(bool(here))))
        for left, entry in zip(range(len(here) - 1, -1, -1), here, strict=True):
            ops.append(Op("add", int(left > 0), entry.kind, entry.neg, entry.idx))
    return ops
