# SPDX-License-Identifier: Apache-2.0
"""Clock and reset of the benches are in one place."""

from __future__ import annotations

import re

import pytest

from pointmill.simbuild import ROOT

CLOCK = {".py": r"cocotb\.clock|\bClock\(", ".cpp": r"\bclk_i = 1\b", ".h": r"\bclk_i = 1\b"}


@pytest.mark.parametrize(("suffixes", "where"), [((".py",), "handshake.py"), ((".cpp", ".h"), "pm_tb_clock.h")])
def test_no_bench_has_a_clock_of_its_own(suffixes: tuple[str, ...], where: str) -> None:
    files = [path for path in (ROOT / "dv").rglob("*") if path.suffix in suffixes and path.name != "test_handshake.py"]
    assert len(files) > 40
    assert [path.name for path in files if re.search(CLOCK[path.suffix], path.read_text())] == [where]
