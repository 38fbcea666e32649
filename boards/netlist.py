# SPDX-License-Identifier: Apache-2.0
"""Netlist of a board's top module after synthesis, in ECP5 cells, as a program with a serial line."""

from __future__ import annotations

from pathlib import Path

from pointmill import simruntime
from pointmill.measure.synthesis.netlist import VERILATOR, cells
from pointmill.simbuild import ROOT, locked

from . import wire
from .board import HERE, Board
from .build import synthesise

SPLIT = (simruntime.SPLIT, "20000")
"""Verilator: the generated code, some hundred MB, in many compilations."""

OWN = ("TRELLIS_FF", "TRELLIS_DPR16X4", "LUT4", "CCU2C")
"""Cells with models in boards/sim: those of Yosys give them an initial value, or are simulated slowly."""


def program(board: Board) -> Path:
    """The program, as boards/wire.py has it; its netlist is in netlist.sim.json in the folder of the board. It differs
    from that of the bitstream in the rate of the line. `BuildError` from the tools."""
    folder = board.folder.relative_to(ROOT)
    with locked(board.folder):
        synthesise(board, wire.DIVIDER, "netlist",
                   [f"write_json {folder}/netlist.sim.json",
                    *(f"chtype -set pm_{cell.lower()} t:{cell}" for cell in OWN),
                    f"write_verilog -noattr {folder}/netlist.v"])
    return wire.build(board.name, [*cells(), *sorted((HERE / "sim").glob("*.sv")), board.folder / "netlist.v"],
                      wire.BOARDS[board.name], {}, opt="-O1", name="netlist", verilator_args=(*VERILATOR, *SPLIT))
