# SPDX-License-Identifier: Apache-2.0
"""pm_addsub: edges and random operands at full width, all operands of 8 bits."""

from __future__ import annotations

import pytest
from field_common import RTL, counters

from pointmill import simbuild


def test_ranges_of_the_header() -> None:
    """The default K covers what the header says it covers, and no more."""
    p = 2**255 - 19
    weak = p + 19 + 19 * (2**133 + 1191)  # one above the largest result of pm_mulmod
    k, top = 4 * p, 2**258
    assert k == 2**257 - 76
    assert 2 * weak < 2**256 + 2**139 < k              # y: a sum of two products, or one doubled
    assert 4 * weak > k                                # y: not the double of such a sum
    assert 2 * weak + k < top                          # x: likewise in the difference
    assert 4 * weak < top                              # sum of two doubled products
    assert (weak + k) + 2 * weak < top                 # sum of a difference and a doubled product


@pytest.mark.parametrize("count", [150_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_full_width(count: int) -> None:
    sim = simbuild.build_cpp("pm_addsub", RTL, "dv/lib/field/pm_addsub_bench.cpp",
                             out_dir="build/sim/pm_addsub")
    got = counters(sim, 1, count)
    assert got["edge_pairs"] == 4 * 64**2
    assert got["total"] == got["edge_pairs"] + count
    assert got["sums"] > 0.3 * count
    assert got["differences"] > 0.2 * count


def test_toy_exhaustive() -> None:
    sim = simbuild.build_cpp("pm_addsub", RTL, "dv/lib/field/pm_addsub_toy_bench.cpp",
                             params={"W": 8, "K": "8'h7c"}, out_dir="build/sim/pm_addsub_toy")
    shifted = [(x << i, y << j) for x in range(256) for y in range(256)
               for i in range(2) for j in range(2)]
    assert counters(sim) == {
        "total": 2**18,
        "sums": sum(x + y < 256 for x, y in shifted),
        "differences": sum(x < 132 and y <= 124 for x, y in shifted),
    }
