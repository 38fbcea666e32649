# SPDX-License-Identifier: Apache-2.0
"""Builds the system of LiteX (soc/litex/system.py) and boots programs on it.

LiteX runs in a process of its own: it keeps things of the design in its modules.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import sys
from functools import cache
from pathlib import Path

import litex

from pointmill import simbuild
from soc import bench, build

from .core import CORE_FILES

HERE = Path(__file__).resolve().parent
TOP = "pm_litex"
IMAGE = f"{TOP}_main_ram.init"
"""Name of the file with the content of the RAM, which the Verilog of LiteX reads."""


@cache
def generated() -> Path:
    """The folder of what LiteX makes of the system."""
    total = hashlib.sha256(str([importlib.metadata.version(name) for name in ("litex", "migen")]).encode())
    total.update(str(simbuild.read_filelist(CORE_FILES)).encode())
    for file in (HERE / "core.py", HERE / "system.py"):
        total.update(file.read_bytes())
    folder = simbuild.BUILD / "soc" / f"litex-{total.hexdigest()[:16]}"
    with simbuild.locked(folder):
        if not (folder / "system.json").is_file():
            simbuild.run_tool([sys.executable, "-m", "soc.litex.system", folder])
    return folder


def described() -> dict:
    """What soc/litex/system.py says of the system."""
    return json.loads((generated() / "system.json").read_text())


def simulation() -> Path:
    """The system as a program of the host. `BuildError` from the tools."""
    sources = [HERE / "litex.vlt", *described()["sources"], generated() / f"{TOP}.v"]
    return simbuild.build_cpp(TOP, sources, HERE / "main.cpp", opt="-O2",
                              verilator_args=("--x-assign", "fast", "--x-initial", "fast"))


def target() -> build.Target:
    """The system as programs see it."""
    software = Path(litex.__file__).parent / "soc"
    folders = (generated() / "include", software / "software" / "include", software / "cores" / "cpu" / "picorv32")
    return build.Target((HERE / "vector.S", build.START, HERE / "soc.c", build.PRINT),
                        tuple(f"-isystem{folder}" for folder in folders), described()["regions"]["main_ram"])


def run(program: bytes, given: bytes, cycles: int, folder: Path) -> str:
    """Boots the system with `program`, in a folder of the run's own, and returns what it printed.

    `SocError` unless the program ends with status 0 in at most `cycles` clock cycles.
    """
    (folder / IMAGE).write_text(build.ram_image(program, given))
    return build.printed([simulation()], cycles, folder)


def measure(problem: bench.Problem, cycles: int, folder: Path) -> bench.Report:
    """Boots the system on `problem`; as `run`."""
    return bench.parse(run(build.firmware(build.CORE_PROGRAM, target()), problem.encode(), cycles, folder))
