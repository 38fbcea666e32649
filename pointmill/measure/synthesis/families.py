# SPDX-License-Identifier: Apache-2.0
"""FPGA families: how Yosys synthesises for them, and how their cells are counted, before placement.

xc7     Xilinx 7 series. lut: LUT1..LUT6, INV and shift registers at 1 each, plus the LUTs of distributed RAM. Two small
        functions in one LUT6 are not merged, so that a vendor's tool reports less. ramb18: halves of block RAM.
ecp5    Lattice ECP5. lut: LUT4 at 1, carry cells CCU2C at 2, distributed RAM at 4.
nexus   Lattice Nexus. lut: LUT4, INV and WIDEFN9 at 1, 1 and 2; carry cells CCU2 at 2; distributed RAM at 4.
        ff: without those that Yosys packs into a multiplier. dsp: multipliers of 18 bits, those of 9 at a half, rounded
        up. lram: large RAM.
"""

from __future__ import annotations

from pointmill.measure.synthesis.yosys import Target

XC7 = Target(
    "xc7", "synth_xilinx -family xc7 -noiopad -flatten -top {top}",
    {"lut": "LUT", "ff": "FF", "dsp": "DSP48E1", "ramb18": "RAMB18", "carry": "CARRY4"},
    {"lut": {r"LUT[1-6]|INV|SRL16E|SRLC16E|SRLC32E|RAM32X1S|RAM64X1S": 1, "RAM128X1S|RAM32X1D|RAM64X1D": 2,
             "RAM256X1S|RAM128X1D|RAM32M|RAM64M": 4},
     "ff": {r"FD[RSCP]E(_1)?|LD[CP]E": 1}, "dsp": {"DSP48E1": 1}, "ramb18": {"RAMB18E1": 1, "RAMB36E1": 2},
     "carry": {"CARRY4": 1}},
    r"MUXF7|MUXF8|BUFG|\$scopeinfo")  # fmt: skip
ECP5 = Target(
    "ecp5", "synth_ecp5 -noiopad -top {top}",
    {"lut": "LUT4", "ff": "TRELLIS_FF", "dsp": "MULT18X18D", "ebr": "DP16KD"},
    {"lut": {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}, "ff": {"TRELLIS_FF": 1}, "dsp": {"MULT18X18D": 1},
     "ebr": {"DP16KD": 1}},
    r"PFUMX|L6MUX21|\$scopeinfo")  # fmt: skip
NEXUS = Target(
    "nexus", "synth_nexus -noiopad -top {top}",
    {"lut": "LUT4", "ff": "FD1P3", "dsp": "MULT18X18", "ebr": "EBR", "lram": "LRAM"},
    {"lut": {"LUT4|INV": 1, "WIDEFN9|CCU2": 2, "DPR16X4": 4}, "ff": {r"FD1P3[BDIJ][XZ]": 1},
     "dsp": {"MULT9X9": 0.5, "MULT18X18|MULTADDSUB18X18": 1, "MULT18X36|MULTADDSUB9X9WIDE|MULTADDSUB18X36": 2,
             "MULT36X36|MULTADDSUB36X36": 4},
     "ebr": {r"(PDP|DP|SP|PDPSC|DPSC)16K(_MODE)?": 1}, "lram": {r"(P?DPSC512K)(_MODE)?|SP512K|LRAM": 1}},
    r"VHI|VLO|\$scopeinfo")  # fmt: skip
FAMILIES = {target.name: target for target in (XC7, ECP5, NEXUS)}
