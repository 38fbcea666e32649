# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_table: random writes and takes against an array."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pointmill import simbuild

HERE = Path(__file__).parent
CYCLES = 50_000


def test_random_writes_and_takes() -> None:
    bench = simbuild.build_cpp("pm_multicurve_table", "hw/multicurve/multicurve.f",
                               HERE / "pm_multicurve_table_bench.cpp",
                               {"Width": 32, "AddrBits": 4}, cflags=("-Idv/common",))
    said = subprocess.run([bench, str(CYCLES)], text=True, capture_output=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    takes, word, zeros, _ = said.stdout.split()
    assert word == "takes" and CYCLES / 5 < int(takes) < CYCLES / 3 and zeros == "1"
