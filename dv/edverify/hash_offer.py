# SPDX-License-Identifier: Apache-2.0
"""What a client has for the hash of `edverify`, as `to_hash_t` of pm_edverify_core_pkg lays it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Offer:
    clear: int
    valid: int
    beat: tuple[int, int, int]
    """Data, the bytes of it that count, last beat of the message."""
    ready: int
    """The digest is taken."""

    WIDTH: ClassVar[int] = 76

    @classmethod
    def of(cls, bits: int) -> Offer:
        return cls(bits >> 75, bits >> 74 & 1, (bits >> 1 & (1 << 64) - 1, bits >> 65 & 0xFF, bits >> 73 & 1), bits & 1)

    @property
    def bits(self) -> int:
        data, keep, last = self.beat
        return self.clear << 75 | self.valid << 74 | last << 73 | keep << 65 | data << 1 | self.ready
