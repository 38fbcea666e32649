# SPDX-License-Identifier: Apache-2.0
"""The examples that drive the RTL of a core: with cocotb, and from C++ with waves, by make and by FuseSoC."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pointmill.simbuild import ROOT, tool_env

COCOTB, VERILATOR = ROOT / "examples" / "cocotb", ROOT / "examples" / "verilator"
SHARED = "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"  # RFC 7748, section 5.2
LINES = 45
needs_lz4 = pytest.mark.skipif(not Path("/usr/include/lz4.h").exists(), reason="the headers of LZ4 are not installed")


def run(*words: str | Path, folder: Path) -> str:
    """What a command prints; `AssertionError` with it where the command fails."""
    done = subprocess.run(words, cwd=folder, env=tool_env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, timeout=580)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.mark.parametrize("path", [COCOTB / "x25519.py", VERILATOR / "x25519.cpp"], ids=lambda path: path.parent.name)
def test_an_example_is_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LINES


@pytest.mark.long
def test_cocotb(tmp_path: Path) -> None:
    said = run(sys.executable, COCOTB / "x25519.py", folder=tmp_path)
    assert "TESTS=1 PASS=1 FAIL=0" in said and re.search(r"\d+ cycles, core 0x32584d50", said)


def check(said: str, waves: Path) -> None:
    """The packet that the C++ program prints, and its waves."""
    beats = re.findall(r"^\d ([0-9a-f]{16})$", said, re.MULTILINE)
    assert beats[0] == "0000000700010000" and len(beats) == 6
    assert b"".join(bytes.fromhex(beat)[::-1] for beat in beats[2:]).hex() == SHARED
    assert waves.stat().st_size > 1_000_000


@pytest.mark.long
@needs_lz4
def test_verilator(tmp_path: Path) -> None:
    folder = shutil.copytree(VERILATOR, tmp_path / "examples" / "verilator", ignore=shutil.ignore_patterns("build"))
    (tmp_path / "hw").symlink_to(ROOT / "hw")
    check(run("make", folder=folder), folder / "build" / "x25519.fst")


@pytest.mark.long
@needs_lz4
def test_fusesoc(tmp_path: Path) -> None:
    """The same program, built by FuseSoC from the files of the core."""
    roots = [word for name in ("hw", "lint", "examples") for word in ("--cores-root", ROOT / name)]
    said = run("env", *(f"XDG_{kind}_HOME={tmp_path}" for kind in ("CACHE", "CONFIG", "DATA")),
               "fusesoc", *roots, "run", "--target=sim", "--work-root", "work", "pointmill:example:x25519",
               folder=tmp_path)
    check(said, tmp_path / "work" / "x25519.fst")


def test_saved_view() -> None:
    """Its signals are those of the core."""
    text = (ROOT / "hw" / "x25519" / "rtl" / "pm_x25519.sv").read_text()
    names = re.findall(r"^TOP\.(?:pm_x25519\.)?(\w+)", (VERILATOR / "x25519.gtkw").read_text(), re.MULTILINE)
    assert len(names) == 16 and all(re.search(rf"\b{name}\b", text) for name in names)
