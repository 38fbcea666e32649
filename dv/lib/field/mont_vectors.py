# SPDX-License-Identifier: Apache-2.0
"""Moduli and operands for the benches of the units with a modulus given at run time."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterable, Sequence

WIDTH = 544
DIGIT = 32
HALF = 272

PRIMES = {
    "P-192": 2**192 - 2**64 - 1,
    "P-224": 2**224 - 2**96 + 1,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "P-384": 2**384 - 2**128 - 2**96 + 2**32 - 1,
    "P-521": 2**521 - 1,
    "secp256k1": 2**256 - 2**32 - 977,
    "sm2p256v1": 2**256 - 2**224 - 2**96 + 2**64 - 1,
    "curve25519": 2**255 - 19,
    "curve448": 2**448 - 2**224 - 1,
    "brainpoolP160r1": 0xE95E4A5F737059DC60DFC7AD95B3D8139515620F,
    "brainpoolP192r1": 0xC302F41D932A36CDA7A3463093D18DB78FCE476DE1A86297,
    "brainpoolP224r1": 0xD7C134AA264366862A18302575D1D787B09F075797DA89F57EC8C0FF,
    "brainpoolP256r1": 0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377,
    "brainpoolP320r1": int(
        "D35E472036BC4FB7E13C785ED201E065F98FCFA6F6F40DEF4F92B9EC7893EC28FCD412B1F1B32E27", 16),
    "brainpoolP384r1": int(
        "8CB91E82A3386D280F5D6F7E50E641DF152F7109ED5456B412B1DA197FB71123ACD3A729901D1A71"
        "874700133107EC53", 16),
    "brainpoolP512r1": int(
        "AADD9DB8DBE9C48B3FD4E6AE33C9FC07CB308DB3B3C9D20ED6639CCA703308717D4D9B009BC66842"
        "AECDA12AE6A380E62881FF2F2D82C68528AA6056583A48F3", 16),
}
"""Moduli of the named curves."""

PRODUCT_CYCLES = {"P-192": 6, "P-224": 7, "P-256": 8, "P-384": 24, "P-521": 34, "curve25519": 8,
                  "curve448": 28}
"""Cycles of a product, Liu et al. 2023 (Acta Electronica Sinica 51(6)), table 1."""

INVERSION_CYCLES = {"P-192": 386, "P-224": 450, "P-256": 514, "P-384": 770, "P-521": 1044,
                    "curve25519": 512, "curve448": 898}
"""Cycles of an inversion, ibid."""


def digits(p: int) -> int:
    """Digits of 32 bits of p."""
    return -(-p.bit_length() // DIGIT)


def wide(p: int) -> bool:
    """Whether p is beyond half the width of the units."""
    return p.bit_length() > HALF


def packed_cycles(m: int, two: int, digit: int = DIGIT, half: int = HALF) -> int:
    """Cycles of a product of pm_mont_mul_packed: four segments of half / 4 bits in each."""
    segments = max(4, -(-digit * m // (half // 4))) if two else 4
    return -(-segments * m // 4)


def moduli(seed: int = 1, width: int = WIDTH) -> list[int]:
    """Named primes, the least and the greatest odd numbers of widths at every boundary of the units,
    and two random odd ones of each width of those and of some others; all odd, 3 to 2^width - 1 (544 or 704)."""
    rng = random.Random(seed)
    widths = {2, 3, 8, 15, 31, 32, 33, 63, 64, 65, 96, 160, 191, 240, 241, 256, 257, 271, 272, 273,
              287, 288, 289, 320, 383, 416, 480, 511, 512, 513, 520, 543, 544}
    widths |= {545, 576, 577, 607, 608, 640, 672, 673, 702, 703, 704} if width > WIDTH else set()
    found = list(PRIMES.values())
    for bits in sorted(widths):
        top = 1 << (bits - 1)
        found += [top | 1, 2 * top - 1, *(top | 1 | rng.getrandbits(bits) for _ in range(2))]
    return sorted({p for p in found if p >= 3})


def edges(p: int, top: int) -> list[int]:
    """Values below `top` that look for trouble modulo p."""
    bits = p.bit_length()
    values = {0, 1, 2, 3, p - 2, p - 1, p, p + 1, 2 * p - 1, 2 * p, p // 2, p // 2 + 1, top - 1,
              top - 2, (1 << DIGIT) - 1, 1 << DIGIT, (1 << HALF) - 1, 1 << HALF, 1 << (bits - 1),
              (1 << (bits - 1)) - 1, top - (1 << HALF), top - (1 << DIGIT),
              pow(2, DIGIT * digits(p), p), sum(1 << i for i in range(0, bits, DIGIT)),
              sum(((1 << DIGIT) - 1) << i for i in range(0, bits, 2 * DIGIT))}
    return sorted(v for v in values if 0 <= v < top)


def operand(rng: random.Random, top: int) -> int:
    """A value below `top`: uniform, short, sparse, nearly all ones, near the top, or a run of ones."""
    bits = top.bit_length()
    kind = rng.randrange(7)
    if kind == 0:
        value = rng.getrandbits(rng.randrange(1, bits + 1))
    elif kind == 1:
        value = sum(1 << rng.randrange(bits) for _ in range(3))
    elif kind == 2:
        value = top - 1 - (1 << rng.randrange(bits))
    elif kind == 3:
        value = top - 1 - rng.getrandbits(6)
    elif kind == 4:
        value = (1 << rng.randrange(1, bits + 1)) - (1 << rng.randrange(bits))
    else:
        value = rng.randrange(top)
    return value % top


def plain_products(rng: random.Random, bits: int, count: int) -> list[tuple[int, int, int, int]]:
    """Two numbers of `bits` bits, the upper half of their product, the lower half: all pairs of edge values, and
    `count` random ones."""
    top = 1 << bits
    special = edges(1 << (bits - 1) | 1, top)
    pairs = [(x, y) for x in special for y in special]
    pairs += [(operand(rng, top), operand(rng, top)) for _ in range(count)]
    return [(x, y, x * y >> bits, x * y % top) for x, y in pairs]


def group(small: Sequence[int], records: Iterable[Sequence[int]], width: int = WIDTH) -> bytes:
    """One group of a vector file: number of records, at most five small numbers, the records.

    Values of records are little-endian words of 32 bits, as many as `width` has: 17 or 22.
    """
    body = [b"".join(value.to_bytes(width // 8, "little") for value in record)
            for record in records]
    return struct.pack("<6I", len(body), *small, *[0] * (5 - len(small))) + b"".join(body)


def hundred_products(p: int) -> bytes:
    """Products modulo p with as few digits as it allows: a group whose cycles tell what one takes."""
    inverse = pow(1 << (DIGIT * digits(p)), -1, p)
    return group((digits(p), int(wide(p)), -pow(p, -1, 1 << DIGIT) % (1 << DIGIT)),
                 [(p, 0, 0), *((x, p - 1, x * (p - 1) * inverse % p) for x in range(100))])


def products(per_modulus: int, seed: int, settings: Callable[[int], list[tuple[int, int]]],
             cycles_of: Callable[[int, int], int], every: int = 1) -> tuple[bytes, int, int]:
    """A file of products for a multiplier, their number, and the sum of their cycles.

    settings: the (digits, wide) to use of a modulus. Each modulus, or one of `every`, gets all pairs of edge
    values with the first of them and `per_modulus` random pairs, and a tenth of that with each other; x is any value
    below R, y any below p. cycles_of: cycles of a product, from digits and wide.
    """
    rng = random.Random(seed)
    out, count, cycles = [], 0, 0
    for p in moduli(seed)[::every]:
        for i, (m, two) in enumerate(settings(p)):
            r = 1 << (DIGIT * m)
            inverse = pow(r, -1, p)
            pairs = [(x, y) for x in edges(p, r) for y in edges(p, p)] if i == 0 else []
            pairs += [(operand(rng, r), operand(rng, p))
                      for _ in range(per_modulus if i == 0 else per_modulus // 10)]
            pinv = -pow(p, -1, 1 << DIGIT) % (1 << DIGIT)
            out.append(group((m, two, pinv), [(p, 0, 0), *((x, y, x * y * inverse % p)
                                                          for x, y in pairs)]))
            count += len(pairs)
            cycles += len(pairs) * cycles_of(m, two)
    return b"".join(out), count, cycles
