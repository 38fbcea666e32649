# SPDX-License-Identifier: Apache-2.0
"""The simulated system on a chip and its program."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from soc import build

HERE = Path(__file__).resolve().parent / "firmware"


def given(first: int, status: int) -> bytes:
    """Input of system.c."""
    return struct.pack("<3I", first, 0x89abcdef, status)


@pytest.fixture(scope="module")
def program() -> bytes:
    return build.firmware([HERE / "system.c"])


def test_registers_of_the_system(program: bytes, tmp_path: Path) -> None:
    lines = build.run(program, given(0x01234567, 0), 200_000, tmp_path / "ram.hex").splitlines()
    assert [line for line in lines if not line.startswith("phases")] == [
        "hello world 1234abcd 4294967295", "zeroed 0 filled 4", "input 01234567 89abcdef",
        "nothing there 00000000 errors 2 then 0", "input 01234567"]
    (phases,) = (re.fullmatch(r"phases (\d+) (\d+) (\d+) still", line) for line in lines if "phases" in line)
    for phase, count in enumerate(map(int, phases.groups()), start=1):
        assert 1000 * phase < count < 1000 * phase + 300


@pytest.mark.parametrize(("first", "status", "cycles", "message"), [
    (1, 7, 200_000, "status 7"), (0xFFFFFFFF, 0, 200_000, "the processor stopped"),
    (1, 0, 2000, "not ended after 2000 cycles")])
def test_failures_are_told(program: bytes, tmp_path: Path, first: int, status: int, cycles: int,
                           message: str) -> None:
    with pytest.raises(build.SocError, match=message):
        build.run(program, given(first, status), cycles, tmp_path / "ram.hex")
