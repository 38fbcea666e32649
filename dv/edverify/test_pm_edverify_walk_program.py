# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_walk_program rejects ROMs of `throughput` and `bulk` whose digit scans stand at different addresses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pointmill import simbuild

HW = simbuild.ROOT / "hw"
GEN = HW / "edverify" / "gen"
BULK = GEN / "pm_edverify_bulk_ucode_pkg.sv"
OTHERS = [HW / "lib" / "scalar" / "pm_scalar_pkg.sv", GEN / "pm_edverify_throughput_ucode_pkg.sv",
          GEN / "pm_edverify_latency_ucode_pkg.sv", GEN / "pm_edverify_tile_ucode_pkg.sv"]
BLOCKS = re.findall(r"\bAtWalk(?!Cached)\w+", BULK.read_text())


def lint(bulk: Path) -> None:
    simbuild.lint("pm_edverify_walk_program", [*OTHERS, bulk, HW / "edverify" / "rtl" / "pm_edverify_walk_program.sv"])


def test_blocks_of_the_walk() -> None:
    """They are those of this bench, and elaborate."""
    half = OTHERS[1].read_text()
    assert len(set(BLOCKS)) == len(BLOCKS) == 16
    assert re.findall(r"\bAtWalk\w+", half) == BLOCKS
    lint(BULK)


@pytest.mark.parametrize("block", BLOCKS)
def test_another_address_is_refused(tmp_path: Path, block: str) -> None:
    moved = tmp_path / BULK.name
    text, count = re.subn(rf"(\b{block} = )(\d+);", lambda m: f"{m[1]}{int(m[2]) + 1};", BULK.read_text())
    assert count == 1
    moved.write_text(text)
    with pytest.raises(simbuild.BuildError, match="must have the same addresses of a digit scan"):
        lint(moved)
