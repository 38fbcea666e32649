# SPDX-License-Identifier: Apache-2.0
"""Resources on a Xilinx 7-series FPGA: ``python -m syn.xc7 [unit ...]``, all units by default.

Counts are those of Yosys' `synth_xilinx -family xc7 -noiopad -flatten`, before placement:

lut     sum of LUT1..LUT6, INV and shift registers at 1 each, plus the LUTs of distributed RAM
        (RAM32M and RAM64M 4, RAM128X1D 4, RAM32X1D and RAM64X1D 2, ...). Two small functions in one
        LUT6 are not merged, so that a vendor's tool reports less.
ff      all flip-flops      dsp     DSP48E1      carry   CARRY4
ramb18  block RAM in halves of 18 kbit: RAMB18E1 at 1, RAMB36E1 at 2
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from syn.yosys import Target, main

COLUMNS = {"lut": "LUT", "ff": "FF", "dsp": "DSP48E1", "ramb18": "RAMB18", "carry": "CARRY4"}

_LUTS = {"INV": 1, "SRL16E": 1, "SRLC16E": 1, "SRLC32E": 1,
         "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4,
         "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM32M": 4, "RAM64M": 4}
_FLIP_FLOPS = re.compile(r"(FD[RSCP]E(_1)?|LD[CP]E)")


def count(cells: Mapping[str, int]) -> dict[str, int]:
    """The columns of the table from the numbers of cells by type.

    `ValueError` for a cell type it does not know, so that nothing goes uncounted.
    """
    totals = dict.fromkeys(COLUMNS, 0)
    for kind, number in cells.items():
        if re.fullmatch(r"LUT[1-6]", kind):
            totals["lut"] += number
        elif kind in _LUTS:
            totals["lut"] += number * _LUTS[kind]
        elif _FLIP_FLOPS.fullmatch(kind):
            totals["ff"] += number
        elif kind == "DSP48E1":
            totals["dsp"] += number
        elif kind in ("RAMB18E1", "RAMB36E1"):
            totals["ramb18"] += number * (2 if kind == "RAMB36E1" else 1)
        elif kind == "CARRY4":
            totals["carry"] += number
        elif kind not in ("MUXF7", "MUXF8", "BUFG", "$scopeinfo"):
            raise ValueError(f"cell type {kind} ({number}) is not counted")
    return totals


XC7 = Target("xc7", "synth_xilinx -family xc7 -noiopad -flatten -top {top}", COLUMNS, count)


if __name__ == "__main__":
    sys.exit(main(XC7, "Xilinx 7 series"))
