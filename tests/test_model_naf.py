# SPDX-License-Identifier: Apache-2.0
"""Non-adjacent forms and the interleaved product, by their definition and the plain product."""

from __future__ import annotations

import random
import statistics

import pytest
from hypothesis import given, settings, strategies as st

from pointmill.model import edwards, naf
from pointmill.model.edwards import BASE, NEUTRAL, TORSION
from pointmill.model.scalar import L

FIXED_10 = naf.odd_multiples(BASE, 10)

scalars = st.one_of(
    st.integers(0, L - 1),
    st.sampled_from([0, 1, 2, 15, 16, 17, 511, 512, 513, L - 1, L - 2, 2**252, 2**252 - 1]),
    st.builds(lambda n, s: ((1 << n) - 1 << s) % L, st.integers(1, 252), st.integers(0, 252)),
)


@given(st.integers(0, 2**300), st.integers(2, 12))
def test_recoding(n: int, width: int) -> None:
    digits = naf.recode(n, width)
    assert sum(digit << i for i, digit in enumerate(digits)) == n
    assert all(digit == 0 or (digit % 2 and abs(digit) < 2 ** (width - 1)) for digit in digits)
    for i, digit in enumerate(digits):
        if digit:
            assert not any(digits[i + 1 : i + width])
    assert not digits or digits[-1] > 0
    assert len(digits) <= n.bit_length() + 1


@given(scalars, st.sampled_from([5, 10]))
def test_length_below_l(n: int, width: int) -> None:
    assert len(naf.recode(n, width)) <= 254


def test_recoding_of_small_numbers() -> None:
    assert naf.recode(0, 5) == []
    assert naf.recode(15, 5) == [15]
    assert naf.recode(17, 5) == [-15, 0, 0, 0, 0, 1]
    assert naf.recode(7, 2) == [-1, 0, 0, 1]
    with pytest.raises(ValueError, match="width"):
        naf.recode(3, 1)
    with pytest.raises(ValueError, match="n >= 0"):
        naf.recode(-3, 5)


def test_recoding_is_unique_and_of_least_weight() -> None:
    """Width 3: the numbers below 256 have 256 different forms, each of the least weight of all
    forms with digits in {0, 1, -1, 3, -3}."""
    least = {0: 0}
    for weight in range(1, 6):
        for n in list(least):
            for shift in range(10):
                for digit in (1, -1, 3, -3):
                    least.setdefault(n + (digit << shift), weight)
        least = {n: w for n, w in least.items() if abs(n) < 2048}
    forms = [tuple(naf.recode(n, 3)) for n in range(256)]
    assert len(set(forms)) == 256
    assert [sum(map(bool, form)) for form in forms] == [least[n] for n in range(256)]


@settings(max_examples=60, deadline=None)
@given(scalars, scalars, scalars, st.integers(0, 7), st.sampled_from([(10, 5), (5, 5), (2, 2)]))
def test_interleaved_product(s: int, k: int, a: int, i: int, widths: tuple[int, int]) -> None:
    point = edwards.add(edwards.multiply(a, BASE), TORSION[i])
    result, counts = naf.multiply_subtract(s, k, point, *widths)
    expected = edwards.double_multiply(s, BASE, k, edwards.negate(point))
    assert edwards.equal(result, expected) and edwards.is_on_curve(result)
    digits = [naf.recode(n, w) for n, w in zip((s, k), widths, strict=True)]
    nonzero = sum(1 for form in digits for digit in form if digit)
    assert counts.loop_adds == max(0, nonzero - 1)
    assert counts.loop_doubles == max(0, max(map(len, digits)) - 1)
    assert (counts.table_doubles, counts.table_adds) == (1, 2 ** (widths[1] - 2) - 1)


def test_product_of_nothing() -> None:
    result, counts = naf.multiply_subtract(0, 0, BASE, fixed=FIXED_10)
    assert edwards.equal(result, NEUTRAL)
    assert counts.loop_adds == counts.loop_doubles == 0


def test_odd_multiples() -> None:
    table = naf.odd_multiples(TORSION[1], 5)
    assert len(table) == 8 and len(FIXED_10) == 256
    for i, entry in enumerate(table):
        assert edwards.equal(entry, TORSION[(2 * i + 1) % 8])
    assert edwards.equal(FIXED_10[-1], edwards.multiply(511, BASE))


def test_counts_agree_with_the_paper() -> None:
    """Xue et al. 2022, table 1, w1 = 10, w2 = 5: 65 additions and 253 doublings in the loop, and
    7 additions and 1 doubling for the table. Random scalars need 65 additions in the mean; 253
    doublings are the most, about 250 the mean."""
    rng = random.Random(2022)
    all_counts = [
        naf.multiply_subtract(rng.randrange(L), rng.randrange(L), BASE, fixed=FIXED_10)[1]
        for _ in range(200)
    ]
    assert {(c.table_doubles, c.table_adds) for c in all_counts} == {(1, 7)}
    assert statistics.mean(c.loop_adds for c in all_counts) == pytest.approx(65, abs=1.0)
    assert max(c.loop_doubles for c in all_counts) <= 253
    assert statistics.mean(c.loop_doubles for c in all_counts) == pytest.approx(250, abs=1.0)
    assert all(c.adds == c.loop_adds + 7 for c in all_counts)
    assert all(c.doubles == c.loop_doubles + 1 for c in all_counts)
