# SPDX-License-Identifier: Apache-2.0
"""Resources on a Lattice ECP5: ``python -m syn.ecp5 [unit ...]``, all units by default.

Counts are those of Yosys' `synth_ecp5 -noiopad`, before placement:

lut   LUT4 at 1, carry cells CCU2C and distributed RAM TRELLIS_DPR16X4 at 2 (carry) and 4 (RAM)
ff    TRELLIS_FF        dsp   MULT18X18D        ebr   block RAM DP16KD
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from syn.yosys import Target, main

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


if __name__ == "__main__":
    sys.exit(main(ECP5, "Lattice ECP5"))
