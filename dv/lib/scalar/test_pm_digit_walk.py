# SPDX-License-Identifier: Apache-2.0
"""pm_digit_walk: operations and bits of every short scalar and of random ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pointmill import simbuild

HERE = Path(__file__).parent
LIMIT = 11
SCALARS = sum(2 << count for count in range(1, LIMIT + 1)) + 2 * 5000


def test_all_short_scalars() -> None:
    bench = simbuild.build_cpp("pm_digit_walk", "hw/lib/scalar/scalar.f",
                               HERE / "pm_digit_walk_bench.cpp", {"Width": 32}, cflags=("-Idv/common",))
    said = subprocess.run([bench, str(LIMIT)], text=True, capture_output=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout.split() == [str(SCALARS), "scalars", "ok"]


def test_width_is_refused() -> None:
    with pytest.raises(simbuild.BuildError, match="must be at least 2"):
        simbuild.lint("pm_digit_walk", "hw/lib/scalar/scalar.f", {"Width": 1})
