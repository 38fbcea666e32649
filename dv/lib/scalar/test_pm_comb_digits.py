# SPDX-License-Identifier: Apache-2.0
"""pm_comb_digits: the columns of all scalars against what they stand for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pointmill import simbuild

HERE = Path(__file__).parent


def test_all_scalars() -> None:
    bench = simbuild.build_cpp("pm_comb_digits", "hw/lib/scalar/scalar.f", HERE / "pm_comb_digits_bench.cpp",
                               {"Width": 16, "Teeth": 4}, cflags=("-Idv/common",))
    said = subprocess.run([bench], text=True, capture_output=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout.split() == [str(2**8 + 2**16), "walks"]


@pytest.mark.parametrize("parameters", [{"Teeth": 1}, {"Width": 40}])
def test_parameters_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(simbuild.BuildError, match="Teeth must be at least 2, Width a multiple of twice that"):
        simbuild.lint("pm_comb_digits", "hw/lib/scalar/scalar.f", parameters)
