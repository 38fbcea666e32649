# SPDX-License-Identifier: Apache-2.0
"""Packed structs at the ports of a unit, as integers."""

from __future__ import annotations

from types import SimpleNamespace


class Struct:
    """A packed struct by the widths of its fields, the first one in the highest bits."""

    def __init__(self, **widths: int) -> None:
        self.widths = widths

    def pack(self, **values: int) -> int:
        """The word; fields that are not named are 0. ValueError for a value that does not fit, TypeError for a name
        that is no field."""
        if unknown := values.keys() - self.widths.keys():
            raise TypeError(f"no field {', '.join(sorted(unknown))}")
        word = 0
        for name, width in self.widths.items():
            value = int(values.get(name, 0))
            if value >> width:
                raise ValueError(f"{name} has {width} bits, not {value:#x}")
            word = word << width | value
        return word

    def unpack(self, word: int) -> SimpleNamespace:
        """The fields of a word."""
        fields = {}
        for name, width in reversed(self.widths.items()):
            fields[name] = word & ((1 << width) - 1)
            word >>= width
        return SimpleNamespace(**fields)
