# SPDX-License-Identifier: Apache-2.0
"""Columns of a ROM for the bits of a microinstruction. Where no word uses two bits with different values, one column
holds both: field encoding of horizontal microcode, with the fields that a word does not use as don't-cares."""

from __future__ import annotations

from pointmill.ucode.machine import Isa

Column = tuple[int, int]
"""The words that have a one there, and those that use the bit, as sets of bits."""


def columns(isa: Isa, words: list[int], most: int) -> tuple[list[list[int]], list[int]]:
    """The bits of each column, and the words of the narrower ROM; bits that no word sets have no column.

    Bits share columns only until there are at most `most`; ValueError where that many do not suffice."""
    used = [isa.used(word) for word in words]
    bits = {bit: _column(bit, words, used) for bit in range(isa.word_bits)}
    bits = {bit: column for bit, column in bits.items() if column[0]}
    optional = {field.lsb + bit for field in isa.fields.values() if field.used_by for bit in range(field.width)}
    shared: list[list[int]] = []
    values: list[Column] = []
    excess = len(bits) - most
    for bit in sorted(bits, key=lambda bit: bit in optional):
        fits = (at for at, column in enumerate(values) if _agree(column, bits[bit]))
        at = next(fits, None) if excess > 0 and bit in optional else None
        if at is None:
            shared.append([bit])
            values.append(bits[bit])
        else:
            shared[at].append(bit)
            values[at] = (values[at][0] | bits[bit][0], values[at][1] | bits[bit][1])
            excess -= 1
    if excess > 0:
        raise ValueError(f"the words take {most + excess} columns, where {most} are wanted")
    narrow = [sum((ones >> at & 1) << column for column, (ones, _) in enumerate(values)) for at in range(len(words))]
    return shared, narrow


def _column(bit: int, words: list[int], used: list[int]) -> Column:
    """A bit in all words; ones where it is used alone."""
    uses = sum((mask >> bit & 1) << at for at, mask in enumerate(used))
    return sum((word >> bit & 1) << at for at, word in enumerate(words)) & uses, uses


def _agree(one: Column, other: Column) -> bool:
    return not (one[0] ^ other[0]) & one[1] & other[1]
