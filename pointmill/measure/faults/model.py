# SPDX-License-Identifier: Apache-2.0
"""Builds a core, whose RTL does not change, with a bench in C++ that reads and writes each of its registers."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from pointmill.cores import CORES
from pointmill.measure.faults.registers import Register, placed, registers, table
from pointmill.measure.synthesis.yosys import Unit
from pointmill.simbuild import BUILD, build_cpp, resolve_sources, run_tool, verilator_bin, waivers, write_whole

HERE = Path(__file__).parent
MODEL = ("--flatten", "-fno-dedup")
"""Words for Verilator: one class for the whole model, every register in it on its own."""
OPT = "-O2"


@cache
def built(core: str, params: tuple[tuple[str, int], ...], bench: Path,
          cflags: tuple[str, ...] = ()) -> tuple[Path, list[Register], list[Register]]:  # fmt: skip
    """A bench that includes state.h, with the core, the registers of the core, and those of its model; cflags: further
    words for the compiler of both. `ValueError` where the model has no registers."""
    one = CORES[core]
    sources = resolve_sources(one.files)
    known = registers(Unit(core, [str(one.files)], one.top, dict(params)))
    folder = BUILD / "faults" / "-".join([core, *(f"{key}{value}" for key, value in params)])
    header = folder / "model" / f"V{one.top}___024root.h"
    text = sha256("".join([str(params), *(path.read_text() for path in sources)]).encode()).hexdigest()
    stamp = folder / "model" / "stamp"
    if not stamp.is_file() or stamp.read_text() != text:  # the class of the model says what its registers are called
        header.parent.mkdir(parents=True, exist_ok=True)
        words = [f"-G{key}={value}" for key, value in params]
        run_tool([verilator_bin(), "--cc", "--top-module", one.top, "--prefix", f"V{one.top}", "-O3", "--assert",
                  *MODEL, *words, "--Mdir", header.parent, *waivers(), *sources])  # fmt: skip
        write_whole(stamp, text)
    members = placed(known, header.read_text())
    if not members:
        raise ValueError(f"{core}: the model has none of the registers")
    listed = folder / "registers.inc"
    if not listed.is_file() or listed.read_text() != table(members):
        write_whole(listed, table(members))
    program = build_cpp(one.top, [one.files], [bench], dict(params), folder / bench.stem,
                        cflags=(f"-I{folder}", f"-I{HERE}", "-Isw/backends/sim", f"-DPM_TOP={one.top}", *cflags),
                        deps=[listed], verilator_args=MODEL, opt=OPT, name=bench.stem)  # fmt: skip
    return program, known, list(members)
