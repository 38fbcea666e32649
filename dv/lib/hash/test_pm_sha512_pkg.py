# SPDX-License-Identifier: Apache-2.0
"""Constants of pm_sha512_pkg, recomputed from their definition (FIPS 180-4, 4.2.3 and 5.3.5)."""

from __future__ import annotations

import re
from itertools import count, islice
from math import isqrt

from pointmill.simbuild import ROOT

MASK = (1 << 64) - 1


def primes(number: int) -> list[int]:
    """The first `number` primes."""
    return list(islice((n for n in count(2) if all(n % d for d in range(2, isqrt(n) + 1))), number))


def icbrt(n: int) -> int:
    """Largest integer whose cube is at most n."""
    low, high = 0, 1 << (n.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**3 <= n else (low, middle - 1)
    return low


def test_constants() -> None:
    text = (ROOT / "hw" / "lib" / "hash" / "pm_sha512_pkg.sv").read_text()
    found = [int(digits, 16) for digits in re.findall(r"64'h([0-9a-f]{16})\b", text)]
    init = [isqrt(p << 128) & MASK for p in primes(8)]
    rounds = [icbrt(p << 192) & MASK for p in primes(80)]
    assert len(found) == 88
    # literals stand in descending order of the index
    assert found == [*reversed(init), *reversed(rounds)]
    assert rounds[0] == 0x428A2F98D728AE22 and init[0] == 0x6A09E667F3BCC908
