# SPDX-License-Identifier: Apache-2.0
"""pm_mont_mul_packed: x y R^-1 mod p for moduli of all widths, exact cycles, protocol."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import cocotb
import pytest
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge
from cocotb_pm_mont_mul import Modulus, receive, send, start
from field_common import counters
from mont_vectors import (
    DIGIT,
    PRIMES,
    WIDTH,
    digits,
    edges,
    group,
    hundred_products,
    operand,
    packed_cycles,
    products,
    wide,
)
from test_pm_named_prime import ENDS

from dv.common.handshake import cycles, pulse
from pointmill import simbuild
from pointmill.gen.named_prime import CURVES, MASK, Named, named

RTL = ["hw/lib/field/pm_named_prime_pkg.sv", "hw/lib/field/pm_digit_mul.sv",
       *(f"hw/lib/field/pm_named_halves{part}.sv" for part in ("_pkg", "_operands", "_products", "_sum", "")),
       "hw/lib/field/pm_mont_mul_packed.sv"]
BENCH = "dv/lib/field/pm_mont_mul_bench.cpp"
FLAGS = ("-Idv/common", "-DPM_PACKED")

CYCLES = {"P-192": 6, "P-224": 7, "P-256": 8, "curve25519": 8, "brainpoolP320r1": 13, "P-384": 18,
          "curve448": 25, "brainpoolP512r1": 32, "P-521": 34}
NAMED_CYCLES = {"P-192": 3, "P-224": 4, "P-256": 4, "P-384": 9, "P-521": 14, "sm2p256v1": 4,
                "X25519": 4, "X448": 11}


def settings(p: int) -> list[tuple[int, int]]:
    """(digits, wide): as narrow as p allows; then every legal pair."""
    narrow = (digits(p), int(wide(p)))
    every = [(m, two) for m in range(narrow[0], WIDTH // DIGIT + 1) for two in range(narrow[1], 2)]
    return [narrow, *(pair for pair in every if pair != narrow)]


def full_width(named: int = 0) -> Path:
    """Plain products without names, products in pieces with them."""
    return simbuild.build_cpp("pm_mont_mul_packed", RTL, BENCH, {"Tile": 24 * named, "Named": named},
                              cflags=FLAGS, out_dir=f"build/sim/pm_mont_mul_packed_named_{named}")


def play(per_modulus: int, seed: int, stalls: int, sim: Path, every: int = 1) -> int:
    """Plays products, modulo one of `every` moduli, compares their number and cycles; returns the number."""
    data, count, cycles = products(per_modulus, seed, settings, packed_cycles, every)
    assert counters(sim, "file", data, stalls) == {"vectors": count, "cycles": cycles}
    return count


@pytest.mark.parametrize(("stalls", "named"), [(0, 0), (7, 1)])
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)])
def test_products(every: int, stalls: int, named: int) -> None:
    """Edges and random operands, every number of digits; each valid, ready and result in its cycle."""
    assert play(20, 1 + stalls, stalls, full_width(named), every) > 30_000 // every


@pytest.mark.long
@pytest.mark.parametrize("named", [0, 1])
def test_many_products(named: int) -> None:
    assert sum(play(500, seed, seed % 2, full_width(named))
               for seed in range(100 + 10 * named, 107 + 10 * named)) > 1_000_000


def steered(prime: Named, y: int, lowest: Sequence[int]) -> int:
    """The x with which each sum x_i y of a product, y odd, ends in a wanted digit of 64 bits."""
    x = z = 0
    for i, t in enumerate(lowest):
        digit = (t - z) * pow(y, -1, MASK + 1) & MASK & ((1 << (WIDTH - 64 * i)) - 1)
        x |= digit << (64 * i)
        z += digit * y
        z = (z + prime.words(z & MASK)["q"] * prime.p) >> 64
    return x


def named_pairs(prime: Named, count: int, ends: int, rng: random.Random) -> list[tuple[int, int]]:
    """Operands: edges, sums that end as the quotient's logic likes least, `ends` of them at random, `count` others."""
    p, top = prime.p, 1 << min(64 * prime.digits, WIDTH)
    pairs = [(x, y) for x in edges(p, top) for y in edges(p, p)]
    for end in (*ENDS, *(rng.choice(ENDS) for _ in range(ends))):
        for y in (1, p - 2, p // 2 | 1, rng.randrange(p) | 1):
            wanted = [end if end in ENDS[:3] else rng.choice((end, *ENDS))
                      for _ in range(prime.digits)]
            pairs += [(steered(prime, y, wanted), y), (steered(prime, y, [end] * prime.digits), y)]
    if prime.half:
        # A sum of halves that passes its carry through all digits of it, before a product that must not see it.
        carries = (1 << 128 << prime.half) | ((1 << prime.half) - 1)
        pairs += [pair for y in edges(p, p) for pair in ((carries % top, y), (p - 1, y))]
    return [*pairs, *((operand(rng, top), operand(rng, p)) for _ in range(count))]


def play_named(prime: Named, number: int, count: int, stalls: int, ends: int = 100) -> int:
    """Plays products of a named prime, compares their number and cycles; returns the number."""
    pairs = named_pairs(prime, count, ends, random.Random(number))
    inverse = pow(1 << (64 * prime.digits), -1, prime.p)
    # What else is said of the modulus must not matter.
    data = group((number % 18, number % 2, 0xDEADBEEF, number),
                 [(prime.p, 0, 0), *((x, y, x * y * inverse % prime.p) for x, y in pairs)])
    assert counters(full_width(1), "file", data, stalls) == {
        "vectors": len(pairs), "cycles": len(pairs) * NAMED_CYCLES[prime.name]}
    return len(pairs)


@pytest.mark.parametrize("number", range(1, len(CURVES) + 1), ids=lambda i: CURVES[i - 1])
@pytest.mark.parametrize(("count", "ends"), [(500, 20), pytest.param(3_000, 100, marks=pytest.mark.long)])
def test_named(count: int, ends: int, number: int) -> None:
    """Edges, ends of sums, random operands of a named prime, with pauses too."""
    prime = named()[number - 1]
    assert play_named(prime, number, count, 0, ends) > count + 10 * ends
    assert play_named(prime, number, count // 10, 5, ends) > count // 10 + 10 * ends


@pytest.mark.long
@pytest.mark.parametrize("number", range(1, len(CURVES) + 1), ids=lambda i: CURVES[i - 1])
def test_named_many(number: int) -> None:
    assert play_named(named()[number - 1], number, 125_000, 0) > 125_000


def test_names_and_others_mixed() -> None:
    """A product begins well after one of any other modulus and form."""
    rng = random.Random(8)
    data, cycles = [], 0
    for _ in range(1500):
        number = rng.randrange(len(CURVES) + 1)
        prime = named()[number - 1] if number else Named("any", rng.choice(tuple(PRIMES.values())))
        m = digits(prime.p)
        r = 1 << (64 * prime.digits if number else DIGIT * m)
        x, y = operand(rng, min(r, 1 << WIDTH)), operand(rng, prime.p)
        pinv = -pow(prime.p, -1, 1 << DIGIT) % (1 << DIGIT)
        two = int(wide(prime.p))
        data.append(group((m, two, pinv, number),
                          [(prime.p, 0, 0), (x, y, x * y * pow(r, -1, prime.p) % prime.p)]))
        cycles += NAMED_CYCLES[prime.name] if number else packed_cycles(m, two)
    assert counters(full_width(1), "file", b"".join(data), 0) == {"vectors": 1500, "cycles": cycles}


def test_cycles() -> None:
    """The cycles of the documentation, measured as the sum over products."""
    for name, expected in CYCLES.items():
        got = counters(full_width(), "file", hundred_products(PRIMES[name]), 0)
        assert got == {"vectors": 100, "cycles": 100 * expected}


def toy_digits(p: int, digit: int, half: int, extra: int) -> range:
    narrow = -(-p.bit_length() // digit)
    return range(narrow, min(narrow + extra, 2 * half // digit) + 1)


@pytest.mark.parametrize(("digit", "half", "extra", "chosen"), [
    (1, 8, 0, (257, 511)),
    (1, 8, 11, (3, 7)),
    (1, 8, 5, (15, 17, 31)),
    (2, 12, 1, (127,)),
    pytest.param(2, 12, 1, (511,), marks=pytest.mark.long),
    pytest.param(1, 8, 1, (1021, 1023), marks=pytest.mark.long),
    pytest.param(1, 8, 3, tuple(range(3, 128, 2)), marks=pytest.mark.long),
    pytest.param(2, 12, 0, (4093, 4095), marks=pytest.mark.long),
])
def test_toy_exhaustive(digit: int, half: int, extra: int, chosen: tuple[int, ...]) -> None:
    """Every x below R and every y below p, for the moduli named, up to `extra` digits more."""
    sim = simbuild.build_cpp("pm_mont_mul_packed", RTL, BENCH, {"Digit": digit, "Half": half},
                             cflags=FLAGS, out_dir=f"build/sim/pm_mont_mul_packed_{digit}_{half}")
    got = counters(sim, "all", digit, half, extra, *chosen)
    each = [(p << (digit * m), packed_cycles(m, two, digit, half)) for p in chosen
            for m in toy_digits(p, digit, half, extra) for two in range(int(p >> half > 0), 2)]
    assert got == {"vectors": sum(n for n, _ in each), "cycles": sum(n * c for n, c in each)}
    assert got["vectors"] > 10_000


def test_illegal_parameters() -> None:
    for params in ({"Half": 128}, {"Half": 270}):
        with pytest.raises(simbuild.BuildError, match="Half / 4 must be more than Digit"):
            simbuild.lint("pm_mont_mul_packed", RTL, params)
    with pytest.raises(simbuild.BuildError, match="Named wants a Digit of 32 and a Half of 272"):
        simbuild.lint("pm_mont_mul_packed", RTL, {"Named": 1, "Digit": 16})


@cocotb.test()
async def wipe(dut: HierarchyObject) -> None:
    """Clears every register that holds data, at any time; the next product is right."""
    await start(dut)
    m = Modulus("P-384")
    m.set(dut)
    for wait in range(0, m.latency(dut) + 2, 3):
        await send(dut, random.randrange(m.r), random.randrange(m.p))
        await cycles(dut, wait, FallingEdge)
        dut.x_i.value = dut.y_i.value = 0
        await pulse(dut, "wipe_i", edge=FallingEdge)
        for name in ("x_q", "y_q", "v_q", "digit_q", "q_q", "over_q", "carry_q"):
            assert int(getattr(dut, name).value) == 0, name
        await receive(dut, 0.0)
        x, y = random.randrange(m.r), random.randrange(m.p)
        await send(dut, x, y)
        assert await receive(dut, 0.3) == m.product(x, y)


@cocotb.test()
async def wipe_halves(dut: HierarchyObject) -> None:
    """As `wipe`, where pm_named_halves makes the product."""
    await start(dut)
    prime = next(one for one in named() if one.name == "P-521")
    inverse = pow(1 << (64 * prime.digits), -1, prime.p)
    dut.p_i.value, dut.named_i.value = prime.p, CURVES.index(prime.name) + 1
    for wait in range(prime.cycles + 2):
        await send(dut, random.getrandbits(WIDTH), random.randrange(prime.p))
        await cycles(dut, wait, FallingEdge)
        dut.x_i.value = dut.y_i.value = 0
        await pulse(dut, "wipe_i", edge=FallingEdge)
        for name in ("x_q", "y_q", "v_q"):
            assert int(getattr(dut, name).value) == 0, name
        halves = dut.gen_named.u_halves
        assert int(halves.u_operands.x_carry_q.value) == 0
        for name in ("high_a_q", "high_b_q", "low_1_q", "low_2_q", "v_carry_q", "u_carry_q"):
            assert int(getattr(halves.u_products, name).value) == 0, name
        await receive(dut, 0.0)
        x, y = random.getrandbits(WIDTH), random.randrange(prime.p)
        await send(dut, x, y)
        assert await receive(dut, 0.3) == x * y * inverse % prime.p


@pytest.mark.parametrize(("testcase", "named"), [("wipe", 0), ("wipe_halves", 1)])
def test_wipe(testcase: str, named: int) -> None:
    simbuild.run_cocotb("pm_mont_mul_packed", RTL, __name__, {"Named": named}, depth=3, expect=1,
                        testcase=testcase)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_mont_mul_packed", RTL, "cocotb_pm_mont_mul", expect=4)
