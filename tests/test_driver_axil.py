# SPDX-License-Identifier: Apache-2.0
"""AXI4-Lite transfers of the simulated back-ends on a register with delays, and with deliberate defects."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dv.common.planted import planted, planted_file
from pointmill import library, simbuild

TEST = Path(__file__).resolve().parent / "driver" / "test_axil.cpp"
HEADER = library.SW / "backends" / "sim" / "axil.h"
FLAGS = ("-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{TEST.parent}")
CHECKS = 4 * (6 * 6 * 3 + 6 * 6 * 3 * 6)

# What is replaced in axil.h, by what.
BUGS = {
    "read stays asked": ("  core.s_axil_arvalid = 0;\n  core.s_axil_rready = 0;\n", "  core.s_axil_rready = 0;\n"),
    "write stays addressed": ("  core.s_axil_awvalid = 0;\n  core.s_axil_wvalid = 0;\n", "  core.s_axil_wvalid = 0;\n"),
    "data stay offered": ("  core.s_axil_wvalid = 0;\n  core.s_axil_bready = 0;\n", "  core.s_axil_bready = 0;\n"),
    "answers taken for ever": ("  core.s_axil_wvalid = 0;\n  core.s_axil_bready = 0;\n", "  core.s_axil_wvalid = 0;\n"),
    "reads taken for ever": ("  core.s_axil_arvalid = 0;\n  core.s_axil_rready = 0;\n", "  core.s_axil_arvalid = 0;\n"),
    "ready before the address": ("!core.s_axil_arvalid && clock.Ready()", "clock.Ready()"),
    "ready before the data": (" && !core.s_axil_wvalid && clock", " && clock"),
    "answer not waited for": ("core.s_axil_bvalid && core.s_axil_bready", "core.s_axil_bvalid"),
    "data not waited for": ("core.s_axil_rvalid && core.s_axil_rready", "core.s_axil_rvalid"),
    "address given twice": ("    if (addressed) {\n      core.s_axil_awvalid = 0;\n    }\n", "    (void)addressed;\n"),
    "every byte": ("core.s_axil_wstrb = strobe;", "core.s_axil_wstrb = strobe | 0xf;"),
}  # fmt: skip


def run(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compiles and runs the test program."""
    program = folder / "test_axil"
    simbuild.run_tool(["g++", *FLAGS, source, "-o", program])
    return subprocess.run([program], capture_output=True, text=True, check=False)


def test_transfers(tmp_path: Path) -> None:
    done = run(TEST, tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{CHECKS} checks\n"), done.stdout


@pytest.mark.parametrize("bug", BUGS)
def test_seeded_bug_is_caught(bug: str, tmp_path: Path) -> None:
    header = planted_file(HEADER, *BUGS[bug], tmp_path)
    source = tmp_path / TEST.name
    source.write_text(planted(TEST.read_text(), "../../sw/backends/sim/axil.h", str(header)))
    done = run(source, tmp_path)
    assert done.returncode == 1 and "does not hold" in done.stdout
