# SPDX-License-Identifier: Apache-2.0
"""Resources of `edverify` and its parts on a 7-series FPGA, by Yosys, beside tables 4 and 8.

The modules are cut differently: the paper's ALU is multiplier, reduction and adders; its register file
holds the recoded scalars and the table of A, which here lie in the walker and in the register banks.
"""

from __future__ import annotations

from pointmill.bench.edverify import CORE
from pointmill.bench.records import Record, published
from syn.xc7 import XC7
from syn.yosys import read_units, run

# Unit of syn/units.yaml to the module of table 4.
MODULES = {
    "pm_mulmod": "alu",
    "pm_addsub": None,
    "pm_butterfly_datapath": None,
    "pm_sha512": "sha512",
    "pm_sequencer": "control",
    "pm_inverter": "inverter",
    "pm_modl": None,
    "pm_naf_recoder": None,
}
COLUMNS = ("lut", "ff", "dsp")
# Units that are whole cores, and their configurations.
CORES = {"pm_edverify": "paper", "pm_edverify_throughput": "throughput",
         "pm_edverify_throughput_x2": "throughput_x2", "pm_edverify_latency": "latency",
         "pm_edverify_bulk": "bulk"}


def records() -> list[Record]:
    """LUT, FF and DSP of every module and of the whole cores; RAMB18 of the cores."""
    paper = published(CORE)
    units = read_units()
    found = []
    for name, module in [*MODULES.items(), *((core, None) for core in CORES)]:
        counts = run(units[name], XC7)[1]
        whole = name in CORES
        printed = paper["total"] if whole else paper["area"].get(module, (None,) * 3)
        config = CORES.get(name, "unit")
        operation = "core" if whole else name.removeprefix("pm_")
        found += [
            Record(f"{CORE}.{operation}", config, what, counts[what], what.upper(), value)
            for what, value in zip(COLUMNS, printed)
        ]
        if whole:
            found.append(
                Record(f"{CORE}.core", config, "ramb18", counts["ramb18"], "RAMB18", 0)
            )
    return found
