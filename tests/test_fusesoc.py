# SPDX-License-Identifier: Apache-2.0
"""Targets sim and synth of the cores of FuseSoC; tests/test_project.py has lint."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml

from gen_cores import core_text, file_lists
from pointmill.cores import CORES
from pointmill.gen.registers import compile_rdl
from pointmill.simbuild import ROOT, tool_env

ROOTS = [word for name in ("hw", "lint", "syn", "examples") for word in ("--cores-root", str(ROOT / name))]
needs_tcl = pytest.mark.skipif(shutil.which("tclsh") is None, reason="tclsh is not installed")


def run(target: str, core: str, folder: Path) -> str:
    """What FuseSoC prints, working in folder/work."""
    yosys = folder / "bin" / "yosys"
    yosys.parent.mkdir()
    program = f'exec "{sys.executable}" "{ROOT / "tests" / "tcl_yosys.py"}" "$@"'
    cache = os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")  # of compiled WebAssembly
    yosys.write_text(f'#!/bin/sh\nexport XDG_CACHE_HOME="{cache}"\n{program}\n')
    yosys.chmod(0o755)
    env = tool_env() | {f"XDG_{kind}_HOME": str(folder) for kind in ("CACHE", "CONFIG", "DATA")}
    env["PATH"] = f"{yosys.parent}:{env['PATH']}"
    env["MAKEFLAGS"] = "VM_PARALLEL_BUILDS=0 OPT_GLOBAL=-O0"  # of Verilator: few compilations, and quick ones
    done = subprocess.run(["fusesoc", *ROOTS, "run", f"--target={target}", "--work-root", "work", core], cwd=folder,
                          env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@needs_tcl
@pytest.mark.parametrize(("core", "top", "least"), [
    ("prim", "pm_seed_check", 50), pytest.param("x25519", "pm_x25519", 3000, marks=pytest.mark.long)])
def test_synth(core: str, top: str, least: int, tmp_path: Path) -> None:
    """A netlist of ECP5 cells of the last module of the list alone, and of nothing else."""
    run("synth", f"pointmill:rtl:{core}", tmp_path)
    (netlist,) = (tmp_path / "work").glob("*.json")
    module = json.loads(netlist.read_text())["modules"][top]
    cells = Counter(cell["type"] for cell in module["cells"].values())
    assert set(cells) <= {"LUT4", "TRELLIS_FF", "CCU2C", "PFUMX", "L6MUX21", "DP16KD", "MULT18X18D", "TRELLIS_DPR16X4"}
    assert cells["LUT4"] + cells["TRELLIS_FF"] > least


@pytest.mark.parametrize("core", ["x25519", *(
    pytest.param(core, marks=pytest.mark.long) for core in CORES if core != "x25519")])
def test_sim(core: str, tmp_path: Path) -> None:
    """The registers of the core, as its description has them."""
    said = run("sim", f"pointmill:rtl:{core}", tmp_path)
    values = dict(re.findall(r"^(\w\w): ([0-9a-f]{8})$", said, re.MULTILINE))
    known = {f"{reg.address_offset:02x}": sum(field.get_property("reset") << field.low for field in reg.fields())
             for reg in list(compile_rdl(core).registers())[:2]}
    assert {at: int(value, 16) for at, value in values.items()} == known


def test_targets() -> None:
    """Of every list: all have lint and synth, what has registers sim."""
    texts = {path.stem: yaml.safe_load(core_text(path)) for path in file_lists()}
    assert len(texts) >= 13 and set(CORES) <= set(texts)
    for name, text in texts.items():
        assert set(text["targets"]) == {"default", "lint", "synth", *(["sim"] if name in CORES else [])}
