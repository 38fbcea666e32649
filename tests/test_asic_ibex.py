# SPDX-License-Identifier: Apache-2.0
"""The flow for standard cells on a known design: Ibex, a 32-bit RISC-V core, whose clock in sky130hd is published.

OpenROAD-flow-scripts places and routes it (flow/designs/sky130hd/ibex: constraint.sdc, rules-base.json) at a period of
10 ns, inputs and outputs taking 2 ns each, and accepts it while the slack is -0.5 ns at worst; the area it accepts
after synthesis is 147,000 um2. This flow, before placement, must find that period under the same constraints to within
30 %.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
import pythondata_cpu_ibex

from pointmill.measure.synthesis import asic, liberty, sta
from pointmill.measure.synthesis.yosys import OUT, Unit
from pointmill.simbuild import ROOT

LIBRARY = "sky130hd_tt"
PERIOD, PORTS = 10.0, 2.0
"""Nanoseconds, as published: the period, and what inputs and outputs take of it."""
AREA = 147_000
TOLERANCE = 0.3
CONSTRAINTS = (f"set inputs [list]\nforeach port [all_inputs] {{ if {{[get_property $port full_name] ne \"clk_i\"}} "
               f"{{ lappend inputs $port }} }}\nset_input_delay {PORTS} -clock clk $inputs\n"
               f"set_output_delay {PORTS} -clock clk [all_outputs]\n")

RTL = Path(pythondata_cpu_ibex.data_location) / "rtl"
PRIM = RTL.parent / "vendor" / "lowrisc_ip" / "ip" / "prim" / "rtl"
INCLUDES = (PRIM, RTL.parent / "vendor" / "lowrisc_ip" / "dv" / "sv" / "dv_utils", RTL)
PACKAGES = (PRIM / "prim_ram_1p_pkg.sv", PRIM / "prim_secded_pkg.sv", RTL / "ibex_pkg.sv")
MODULES = ("alu", "branch_predict", "compressed_decoder", "controller", "core", "counter", "cs_registers", "csr",
           "decoder", "ex_block", "fetch_fifo", "id_stage", "if_stage", "load_store_unit", "multdiv_fast",
           "multdiv_slow", "prefetch_buffer", "register_file_ff", "top", "wb_stage")
GENERIC = """
module prim_buf #(parameter int Width = 1) (input [Width-1:0] in_i, output logic [Width-1:0] out_o);
  assign out_o = in_i;
endmodule
module prim_clock_gating #(parameter bit NoFpgaGate = 0, parameter bit FpgaBufGlobal = 1)
    (input clk_i, input en_i, input test_en_i, output logic clk_o);
  assign clk_o = clk_i;
endmodule
module prim_flop #(parameter int Width = 1, parameter logic [Width-1:0] ResetValue = 0)
    (input clk_i, input rst_ni, input [Width-1:0] d_i, output logic [Width-1:0] q_o);
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) q_o <= ResetValue; else q_o <= d_i;
endmodule
"""
"""Buffer, clock gate that is always open, and register of the technology, which the package leaves to its build."""


def _text(path: Path) -> str:
    """A file with those that it includes. The net is written as one: Yosys takes its declaration for a first value."""
    def included(match: re.Match[str]) -> str:
        found = [folder / match[1] for folder in INCLUDES if (folder / match[1]).is_file()]
        return _text(found[0]) if found else match[0]  # for formal tools alone

    text = path.read_text().replace("logic unused_scramble_inputs = ", "wire unused_scramble_inputs = ")
    return re.sub(r'^\s*`include "([\w.]+)".*$', included, text, flags=re.MULTILINE)


def ibex() -> Unit:
    """Ibex with its default parameters and registers of flip-flops, as one file below build/."""
    path = OUT / "ibex" / "ibex.sv"
    path.parent.mkdir(parents=True, exist_ok=True)
    files = [*PACKAGES, *(RTL / f"ibex_{name}.sv" for name in MODULES)]
    path.write_text("`define SYNTHESIS\n" + "\n".join([_text(file) for file in files]) + GENERIC)
    return Unit("ibex_top", [str(path.relative_to(ROOT))], "ibex_top")


@pytest.mark.long
def test_published_clock_of_ibex() -> None:
    """Period and area within 30 % of the published ones; no net with more readers than the flow allows."""
    folder = os.environ.get("PM_LIBERTY")
    paths = [path for path in asic.liberty_files() if path.name.startswith(LIBRARY)] if folder else []
    if not paths or shutil.which("sta") is None:
        pytest.skip(f"PM_LIBERTY has no {LIBRARY}, or OpenSTA is not installed")
    library, unit = asic.unpacked(paths[0]), ibex()
    assert library.wires == liberty.read_wires()[LIBRARY]
    cells = asic.mapped(unit, asic.gates(unit), library)
    period = PERIOD - sta.worst(sta.run(unit, library, cells.netlist, PERIOD, CONSTRAINTS))
    print(f"Ibex: {period:.2f} ns, published {PERIOD} ns; {cells.area:,.0f} um2, published {AREA:,} um2")
    assert period == pytest.approx(PERIOD, rel=TOLERANCE)
    assert cells.area == pytest.approx(AREA, rel=TOLERANCE)
    assert cells.readers <= asic.MOST
