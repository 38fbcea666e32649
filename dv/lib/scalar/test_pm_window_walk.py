# SPDX-License-Identifier: Apache-2.0
"""pm_window_walk and pm_window_digits: operations of pairs of scalars against the definition of their digits."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pointmill import simbuild

HERE = Path(__file__).parent
LIMIT = 100
WALKS = 6 * (LIMIT * LIMIT + 5000) + 36_000 + 1


def test_pairs_of_scalars() -> None:
    bench = simbuild.build_cpp("pm_window_walk", "hw/lib/scalar/scalar.f", HERE / "pm_window_walk_bench.cpp",
                               {"Width": 32, "MaxWindow": 8}, cflags=("-Idv/common",))
    said = subprocess.run([bench, str(LIMIT)], text=True, capture_output=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout.split() == [str(WALKS), "walks", "ok"]


@pytest.mark.parametrize("parameters", [{"Width": 15}, {"MaxWindow": 2}, {"MaxWindow": 9}])
def test_parameters_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(simbuild.BuildError, match="must be at least 16, MaxWindow 3 to 8"):
        simbuild.lint("pm_window_digits", "hw/lib/scalar/scalar.f", parameters)
