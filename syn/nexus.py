# SPDX-License-Identifier: Apache-2.0
"""Resources on a Lattice Nexus: ``python -m syn.nexus [unit ...]``, all units by default.

Counts are those of Yosys' `synth_nexus -noiopad`, before placement:

lut   LUT4, INV and WIDEFN9 at 1, 1 and 2; carry cells CCU2 at 2; distributed RAM DPR16X4 at 4
ff    flip-flops FD1P3..., without those that Yosys packs into a multiplier
dsp   multipliers of 18 bits: MULT18X18 at 1, MULT18X36 at 2, MULT36X36 at 4, MULT9X9 at a half, rounded up
ebr   block RAM PDPSC16K and its kin        lram  large RAM
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from math import ceil

from syn.yosys import Target, main

COLUMNS = {"lut": "LUT4", "ff": "FD1P3", "dsp": "MULT18X18", "ebr": "EBR", "lram": "LRAM"}

_KINDS = {"LUT4": ("lut", 1), "INV": ("lut", 1), "WIDEFN9": ("lut", 2), "CCU2": ("lut", 2), "DPR16X4": ("lut", 4),
          "MULT9X9": ("dsp", 0.5), "MULT18X18": ("dsp", 1), "MULT18X36": ("dsp", 2), "MULT36X36": ("dsp", 4),
          "MULTADDSUB18X18": ("dsp", 1), "MULTADDSUB9X9WIDE": ("dsp", 2), "MULTADDSUB18X36": ("dsp", 2),
          "MULTADDSUB36X36": ("dsp", 4)}  # fmt: skip
_MEMORIES = re.compile(r"P?DP(SC)?16K(_MODE)?|SP16K(_MODE)?|P?DPSC512K(_MODE)?|DPSC512K|SP512K|LRAM")


def count(cells: Mapping[str, int]) -> dict[str, int]:
    """The columns of the table from the numbers of cells by type; `ValueError` for an unknown one."""
    totals = dict.fromkeys(COLUMNS, 0.0)
    for kind, number in cells.items():
        if kind in _KINDS:
            column, weight = _KINDS[kind]
            totals[column] += number * weight
        elif re.fullmatch(r"FD1P3[BDIJ][XZ]", kind):
            totals["ff"] += number
        elif _MEMORIES.fullmatch(kind):
            totals["lram" if "512K" in kind or kind == "LRAM" else "ebr"] += number
        elif kind not in ("VHI", "VLO", "$scopeinfo"):
            raise ValueError(f"cell type {kind} ({number}) is not counted")
    return {column: ceil(total) for column, total in totals.items()}


NEXUS = Target("nexus", "synth_nexus -noiopad -top {top}", COLUMNS, count)


if __name__ == "__main__":
    sys.exit(main(NEXUS, "Lattice Nexus"))
