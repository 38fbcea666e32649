# SPDX-License-Identifier: Apache-2.0
"""pm_named_prime: the special primes and nothing else; the rows that the package makes of their terms."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import Timer
from mont_vectors import PRIMES, WIDTH, moduli

from pointmill import simbuild
from pointmill.gen import named_prime
from pointmill.gen.named_prime import LANE_BITS, MASK, SEGMENT, WORD_BITS, Named

RTL = ["hw/lib/field/pm_named_prime_pkg.sv", "hw/lib/field/pm_named_prime.sv"]
FACTS = {"P-192": (3, 3), "P-224": (4, 4), "P-256": (4, 4), "P-384": (6, 9), "P-521": (9, 14),
         "sm2p256v1": (4, 4), "curve25519": (4, 4), "curve448": (7, 11)}
"""Digits of 64 bits and cycles of a product, in the order of the numbers."""

HALVES = {"P-521": (261, 9, 5), "X448": (224, 7, 4)}
"""Bits of the lower half of a factor, digits of it, cycles for the product of the sums of halves."""

ENDS = (0, 1, 2, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 63, MASK - (1 << 32), MASK - 1, MASK)


@cocotb.test()
async def recognition(dut: HierarchyObject) -> None:
    """Each prime has its number and facts; other moduli, and all in distance of one bit, have none."""
    numbers = {PRIMES[name]: i for i, name in enumerate(FACTS, 1)}
    others = [p ^ (1 << bit) for p in numbers for bit in range(WIDTH)]
    others += [0, (1 << WIDTH) - 1, *moduli()]
    seen = 0
    for p in (*numbers, *others):
        dut.p_i.value = p
        await Timer(1, "ns")
        got = tuple(int(port.value) for port in (dut.named_o, dut.digits_o, dut.cycles_o))
        facts = list(FACTS.values())
        number = numbers.get(p, 0)
        assert got == ((number, *facts[number - 1]) if number else (0, 0, 0)), hex(p)
        seen += number > 0
    assert seen == 2 * len(FACTS)  # they are among `moduli` too
    assert len(others) > len(FACTS) * WIDTH


def test_recognition() -> None:
    simbuild.run_cocotb("pm_named_prime", RTL, __name__, expect=1)


@pytest.mark.parametrize("prime", [one for one in named_prime.named() if one.name not in HALVES],
                         ids=lambda prime: prime.name)
def test_rows(prime: Named) -> None:
    """Terms and rows, of every word and correction, add q p to what ends in t; every lane sum fits."""
    rng = random.Random(prime.p)
    top = SEGMENT * (prime.segments - 1) + LANE_BITS
    lowest = 0 if any(term.at == 0 for term in prime.terms()) else 1
    for t in (*ENDS, *(rng.getrandbits(64) for _ in range(2000))):
        words = prime.words(t)
        wanted = words["q"] * prime.p + lowest * t
        assert (t + words["q"] * prime.p) & MASK == 0
        assert sum(term.sign * words[term.word] << term.at for term in prime.terms()) == wanted
        rows = 0
        for place in prime.places():
            plus, minus = place.plus_ones, place.minus_ones
            if place.plus:
                assert 0 <= words[place.plus[1]] < 1 << WORD_BITS[place.plus[1]]
                assert plus & words[place.plus[1]] << place.plus[0] == 0
                plus += words[place.plus[1]] << place.plus[0]
            if place.minus:
                ones = (1 << WORD_BITS[place.minus[1]]) - 1
                assert 0 <= words[place.minus[1]] <= ones
                assert minus & ones << place.minus[0] == 0
                minus += (ones - words[place.minus[1]]) << place.minus[0]
            assert max(plus, minus) < 1 << LANE_BITS
            if place.segment < prime.segments - 1:
                assert plus + minus + (1 << 132) + (1 << 67) <= 1 << LANE_BITS
            rows += (plus + minus) << (SEGMENT * place.segment)
        assert rows % (1 << top) == wanted


def test_halves() -> None:
    """The arrays take all digits of both halves, and then of their sum; such a prime has no rows."""
    made = {one.name: one for one in named_prime.named() if one.half}
    assert {name: (one.half, one.steps - one.second, one.second) for name, one in made.items()} == HALVES
    for one in made.values():
        largest = 1 << min(64 * one.digits, WIDTH)
        assert largest >> one.half <= 1 << (32 * (one.steps - one.second))
        assert (largest >> one.half) + (1 << one.half) <= 1 << (64 * one.second)
        assert one.places() == ()


def test_lanes() -> None:
    """The lanes of a place are those that meet its segment when the schedule is walked through."""
    for prime in named_prime.named():
        s, first = prime.segments, 0
        met: dict[int, set[int]] = {j: set() for j in range(s)}
        work = [j for _ in range(prime.steps) for j in range(s)]
        for first in range(0, len(work), 4):
            for lane, segment in enumerate(work[first:first + 4]):
                met[segment].add(lane)
        assert len(work) == 4 * prime.cycles
        for place in prime.places():
            assert place.lanes == sum(1 << lane for lane in met[place.segment])


def test_primes_without_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="no rule for a prime that ends in"):
        Named("secp256k1", PRIMES["secp256k1"]).terms()
    for bits in (288, 408):  # 5 steps of 5 segments; 7 of 6, of which one would begin in lane 3
        with pytest.raises(ValueError, match="out of time with the lanes"):
            _ = Named("no prime", (1 << bits) - (1 << 80) - 1).cycles
