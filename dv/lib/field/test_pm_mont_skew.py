# SPDX-License-Identifier: Apache-2.0
"""pm_mont_skew: products modulo numbers of all widths, exact values and cycles; chains."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from field_common import counters
from mont_vectors import PRIMES, group, moduli, operand

from pointmill import simbuild
from pointmill.ucode.mont_scaled import Scaled

ROOM = "hw/lib/field"
RTL = [f"{ROOM}/{name}.sv" for name in
       ("pm_mul_leaf", "pm_mont_skew_pkg", "pm_csa", "pm_csa_late", "pm_cs_mul", "pm_column_sum", "pm_mont_column",
        "pm_mont_named", "pm_mont_skew")]
BENCH = "dv/lib/field/pm_mont_skew_bench.cpp"
WIDTH = 768  # bits of a value in a vector file


@dataclass(frozen=True)
class Form:
    """Parameters of the unit."""

    digit: int
    columns: int
    tile: int = 0
    named: int = 0
    named_period: int = 4

    @property
    def period(self) -> int:
        """Cycles between the digits of a product."""
        return 6 if self.tile else 4

    def build(self) -> Path:
        """The bench of this form."""
        flags = ("-Idv/common", f"-DPM_WORDS={WIDTH // 32}", f"-DPM_DIGIT={self.digit}",
                 f"-DPM_COLUMNS={self.columns}", f"-DPM_PERIOD={self.period}",
                 f"-DPM_NAMED_PERIOD={self.named_period}")
        name = "_".join(str(value) for value in self.params().values())
        return simbuild.build_cpp("pm_mont_skew", RTL, BENCH, self.params(), cflags=flags,
                                  out_dir=f"build/sim/pm_mont_skew_{name}")

    def params(self) -> dict[str, int]:
        """As the module names them."""
        return {"Digit": self.digit, "Columns": self.columns, "Tile": self.tile, "Named": self.named,
                "NamedPeriod": self.named_period}

    @property
    def prime(self) -> int:
        """That of the parameter."""
        return PRIMES["P-256"] if self.named == 256 else (1 << self.named) - 1

    def settings(self, scaled: Scaled) -> list[tuple[int, bool]]:
        """(digits, wide): as few as the modulus allows; all digits of a lap, two laps without need, all of them."""
        narrow, most = self.columns + 1, min(2 * self.columns + 1, WIDTH // self.digit)
        few = (scaled.digits, scaled.digits > narrow)
        return [few, *sorted({(max(few[0], narrow), few[1]), (few[0], True), (most, True)} - {few})]


ASIC = Form(39, 7)
BLOCKS = Form(36, 8, tile=18)
LARGE = Form(36, 10)  # 704 bits
TOY = Form(4, 3)
NAMED = [Form(45, 6, named=256, named_period=5), Form(42, 13, named=521)]
NAMED_FORMS = pytest.mark.parametrize("form", [NAMED[0], pytest.param(NAMED[1], marks=pytest.mark.long)])


def edges(scaled: Scaled) -> list[int]:
    """Numbers below `top` that look for trouble: at its ends, at p and k p, and with digits of zeros and ones."""
    ones, count = (1 << scaled.digit) - 1, scaled.digits
    values = {0, 1, 2, scaled.p - 1, scaled.p, scaled.modulus - 1, scaled.modulus, scaled.modulus + 1, scaled.top - 1,
              scaled.top - 2, ones, ones + 1, (1 << scaled.digit * (count - 1)) - 1,
              sum(ones << scaled.digit * i for i in range(0, count, 2)),
              sum(ones << scaled.digit * i for i in range(1, count, 2)),
              scaled.top - 1 & ~ones, scaled.into(1)}  # fmt: skip
    return sorted(value for value in values if 0 <= value < scaled.top)


def lazy(rng: random.Random, scaled: Scaled, digits: int) -> tuple[int, int]:
    """A pair beyond `top` where R allows it, at the ends of its ranges more often than elsewhere."""
    r = 1 << scaled.digit * digits
    x = operand(rng, min(r, scaled.modulus << rng.randrange(1, (r // scaled.modulus).bit_length())))
    y = min(r * scaled.modulus // (x + 1), r - scaled.modulus - 1)
    return x, y if rng.randrange(2) else operand(rng, y + 1)


def named_vectors(form: Form, pairs: int, seed: int) -> tuple[bytes, int]:
    """A file of products modulo the named prime, two digits of x a step, between some modulo the same prime by one
    digit a step; all pairs of edge values and twice `pairs` random ones, of R with the fewest digits and with most."""
    rng, out, total = random.Random(seed), [], 0
    scaled, room = Scaled(form.prime, form.digit), 1 << form.digit * form.columns
    assert scaled.modulus == form.prime
    few = scaled.digits + scaled.digits % 2
    most = form.columns + 1 & ~1
    for digits in sorted({few, most}):
        special = edges(scaled)
        records = [(x, y) for x in special for y in special]
        records += [(operand(rng, scaled.top), operand(rng, scaled.top)) for _ in range(pairs)]
        for _ in range(pairs):
            x, y = lazy(rng, scaled, digits)
            records.append((x, min(y, room - form.prime - 1)))
        header = (scaled.modulus + 1, 0, 0)
        plain = [(x, y, scaled.product(x, y, digits)) for x, y in records[:: len(records) // 20]]
        out += [group((digits, 0, 1), [header, *((x, y, scaled.product(x, y, digits)) for x, y in records)], WIDTH),
                group((digits, 0, 0), [header, *plain], WIDTH)]
        total += len(records) + len(plain)
    return b"".join(out), total


def vectors(form: Form, chosen: Sequence[int], per_modulus: int, seed: int) -> tuple[bytes, int]:
    """A file of products modulo `chosen`, and their number: all pairs of edge values, `per_modulus` random ones and
    as many with larger operands, and a tenth of both in every other setting."""
    rng, out, total = random.Random(seed), [], 0
    for p in chosen:
        scaled = Scaled(p, form.digit)
        for i, (digits, wide) in enumerate(form.settings(scaled)):
            special = edges(scaled)
            pairs = [(x, y) for x in special for y in special] if i == 0 else []
            count = per_modulus if i == 0 else max(1, per_modulus // 10)
            pairs += [(operand(rng, scaled.top), operand(rng, scaled.top)) for _ in range(count)]
            pairs += [lazy(rng, scaled, digits) for _ in range(count)]
            records = [(x, y, scaled.product(x, y, digits)) for x, y in pairs]
            assert all(product < scaled.top for _, _, product in records)
            out.append(group((digits, int(wide)), [(scaled.modulus + 1, 0, 0), *records], WIDTH))
            total += len(pairs)
    return b"".join(out), total


@pytest.mark.parametrize(("form", "width", "every", "random_pairs", "least"), [
    pytest.param(ASIC, 544, 3, 60, 14_000, marks=pytest.mark.long),
    pytest.param(BLOCKS, 544, 5, 60, 8_000, marks=pytest.mark.long),
    pytest.param(ASIC, 544, 1, 3_000, 500_000, marks=pytest.mark.long),
    pytest.param(BLOCKS, 544, 1, 600, 100_000, marks=pytest.mark.long),
    pytest.param(LARGE, 704, 24, 60, 1_600, marks=pytest.mark.long),
    pytest.param(LARGE, 704, 1, 600, 100_000, marks=pytest.mark.long),
    (ASIC, 544, 11, 20, 3_500),
    (BLOCKS, 544, 17, 20, 2_000),
])
@pytest.mark.parametrize("stalls", [0, 7])
def test_products(form: Form, width: int, every: int, random_pairs: int, least: int, stalls: int) -> None:
    """Values of the model, not only residues, for moduli of every width; with and without pauses, where every eighth
    product begins in the cycle in which the result before it comes."""
    data, count = vectors(form, moduli(1 + stalls, width)[stalls % every::every], random_pairs, 1 + stalls)
    got = counters(form.build(), data, stalls)
    assert got["vectors"] == count >= least
    assert (got["chained"] > count // 10) == bool(stalls)


@pytest.mark.long
@pytest.mark.parametrize("form", [ASIC, BLOCKS])
def test_every_width(form: Form) -> None:
    """Two random moduli of every width from 2 to 544 bits."""
    rng = random.Random(8)
    chosen = [1 | 1 << bits - 1 | rng.getrandbits(bits - 1) for bits in range(2, 545) for _ in range(2)]
    data, count = vectors(form, chosen, 20, 8)
    assert counters(form.build(), data, 9)["vectors"] == count > 200_000


@pytest.mark.parametrize("wide", [False, True])
def test_exhaustive(wide: bool) -> None:
    """All products of digits of 4 bits modulo 3, 7, 9, 11 and 15, with one lap and with two."""
    out, total = [], 0
    for p in (3, 7, 9, 11, 15):
        scaled = Scaled(p, TOY.digit)
        records = [(x, y, scaled.product(x, y)) for x in range(scaled.top) for y in range(scaled.top)]
        out.append(group((scaled.digits, int(wide)), [(scaled.modulus + 1, 0, 0), *records], WIDTH))
        total += len(records)
    got = counters(TOY.build(), b"".join(out), 0)
    assert got["vectors"] == total == 2 * 30**2 + 2 * 126**2 + 286**2


@pytest.mark.parametrize(("form", "extra"), [
    (TOY, 60), (Form(4, 5), 20), (Form(5, 3), 20), (Form(7, 5, tile=4), 20), (Form(6, 8, tile=3), 20), (Form(9, 3), 20),
])
def test_toy(form: Form, extra: int) -> None:
    """Small digits, where every carry and every digit of zeros and ones is met often, for every odd modulus of 2 to 7
    bits and some wider ones; even and odd numbers of Booth digits, and uneven tiles."""
    most = (2 * form.columns + 1) * form.digit - form.digit - 2
    chosen = [p for p in range(3, 128, 2) if p.bit_length() <= most]
    chosen += [(1 << bits) - 1 for bits in range(8, most + 1)] + [(1 << bits - 1) + 1 for bits in range(8, most + 1)]
    data, count = vectors(form, chosen, extra, 5)
    got = counters(form.build(), data, 3)
    assert got["vectors"] == count > 10_000


@NAMED_FORMS
@pytest.mark.parametrize("stalls", [0, 7])
@pytest.mark.parametrize("pairs", [50, *(pytest.param(pairs, marks=pytest.mark.long) for pairs in (500, 100_000))])
def test_named(form: Form, stalls: int, pairs: int) -> None:
    """Products modulo the named prime, values of the model and cycles of the header."""
    data, count = named_vectors(form, pairs, 11 + stalls)
    got = counters(form.build(), data, stalls)
    assert got["vectors"] == count > 2 * pairs
    assert (got["chained"] > count // 10) == bool(stalls)


@pytest.mark.parametrize("form", [Form(4, 5, named=13), Form(5, 3, named=11), Form(4, 7, named=19, named_period=5)])
@pytest.mark.parametrize("pairs", [4_000, pytest.param(20_000, marks=pytest.mark.long)])
def test_named_toy(pairs: int, form: Form) -> None:
    """Small digits, where every carry and every digit of zeros and ones is met often."""
    data, count = named_vectors(form, pairs, 12)
    assert counters(form.build(), data, 3)["vectors"] == count > 2 * pairs


@NAMED_FORMS
def test_named_other(form: Form) -> None:
    """Other moduli in a unit that knows a named one."""
    widest = (2 * form.columns + 1) * form.digit - form.digit - 2
    data, count = vectors(form, [p for p in moduli(3, 544) if p.bit_length() <= widest][::9], 20, 13)
    assert counters(form.build(), data, 3)["vectors"] == count > 3_000


def test_named_rate() -> None:
    """Five products under way, each three steps of five cycles, and the cycles from operands to result."""
    form, count = NAMED[0], 400
    scaled = Scaled(form.prime, form.digit)
    value = scaled.into(3)
    record = (value, value, scaled.product(value, value, 6))
    got = counters(form.build(), group((6, 0, 1), [(scaled.modulus + 1, 0, 0), *[record] * count], WIDTH), 0)
    turns, rest = divmod(count - 1, 5)
    assert got["cycles"] == turns * 15 + rest + 17


CYCLES = {"P-192": 5, "P-224": 7, "P-256": 7, "P-384": 22, "P-521": 28, "curve25519": 8, "curve448": 24}
"""Cycles from one product to the next with operands always offered, digits of 39 bits in 7 columns."""


@pytest.mark.parametrize("name", CYCLES)
def test_rate(name: str) -> None:
    """The cycles of a product, and those from operands to result."""
    scaled = Scaled(PRIMES[name], ASIC.digit)
    digits, count = scaled.digits, 400
    value = scaled.into(3)
    record = (value, value, scaled.product(value, value))
    wide = digits > ASIC.columns + 1
    data = group((digits, int(wide)), [(scaled.modulus + 1, 0, 0), *[record] * count], WIDTH)
    got = counters(ASIC.build(), data, 0)
    latency, at_a_time = (digits + 1) * ASIC.period + 1, ASIC.period // 2 if wide else ASIC.period
    turns, rest = divmod(count - 1, at_a_time)
    assert got["vectors"] == count
    assert got["cycles"] == turns * digits * ASIC.period + rest * (2 if wide else 1) + latency
    assert digits * ASIC.period // at_a_time == CYCLES[name]


def test_model() -> None:
    """The model by its own rules: residues, ranges, the way into the domain and out of it."""
    rng = random.Random(4)
    for p in moduli(3, 704)[::4]:
        scaled = Scaled(p, 39)
        assert scaled.modulus % p == 0 and (scaled.modulus + 1) % (1 << 39) == 0
        for _ in range(20):
            a, b = rng.randrange(p), rng.randrange(p)
            product = scaled.product(scaled.into(a), scaled.into(b))
            assert product < scaled.top and scaled.out_of(product) == a * b % p
            x, y = rng.randrange(scaled.top), rng.randrange(scaled.top)
            assert scaled.product(x, y) < scaled.top and scaled.product(x, 1) <= scaled.modulus
    with pytest.raises(ValueError, match="odd"):
        Scaled(10, 39)


def test_illegal_parameters() -> None:
    with pytest.raises(simbuild.BuildError, match="no multiple of Period"):
        simbuild.lint("pm_mont_skew", RTL, {"Digit": 4, "Columns": 8})
    with pytest.raises(simbuild.BuildError, match="Digit must be at least 4"):
        simbuild.lint("pm_mont_skew", RTL, {"Digit": 10, "Tile": 4})
    with pytest.raises(simbuild.BuildError, match="Named is for standard cells"):
        simbuild.lint("pm_mont_skew", RTL, {"Digit": 6, "Columns": 8, "Tile": 3, "Named": 13})
    with pytest.raises(simbuild.BuildError, match="a NamedPeriod of 4 or 5"):
        simbuild.lint("pm_mont_skew", RTL, {"Digit": 4, "Columns": 5, "Named": 13, "NamedPeriod": 6})
    with pytest.raises(simbuild.BuildError, match="powers of p"):
        simbuild.lint("pm_mont_skew", RTL, {"Digit": 4, "Columns": 3, "Named": 13})
