# SPDX-License-Identifier: Apache-2.0
"""Resources of `edverify` and its parts on a 7-series FPGA, from the records of synthesis, beside tables 4 and 8.

The modules are cut differently: the paper's ALU is multiplier, reduction and adders; its register file
holds the recoded scalars and the table of A, which here lie in the walker and in the register banks.
"""

from __future__ import annotations

from collections.abc import Iterable

from pointmill.bench.edverify import CORE
from pointmill.bench.records import Record, published

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
         "pm_edverify_latency": "latency",
         "pm_edverify_bulk": "bulk", "pm_edverify_compact27": "compact27"}
FAMILY = "xc7"


def records(found: Iterable[Record]) -> list[Record]:
    """LUT, FF and DSP of every module and of the whole cores, RAMB18 of the cores, as far as they are among the
    figures `found`."""
    paper = published(CORE)
    known = {(record.id, record.what): record for record in found if record.config == FAMILY}
    made = []
    for name in (*MODULES, *CORES):
        whole = name in CORES
        printed = paper["total"] if whole else paper["area"].get(MODULES[name], (None,) * 3)
        columns = dict(zip(COLUMNS, printed)) | ({"ramb18": 0} if whole else {})
        where = (f"{CORE}.core", CORES[name]) if whole else (f"{CORE}.{name.removeprefix('pm_')}", "unit")
        made += [
            Record(*where, what, known[name, what].value, known[name, what].unit, value)
            for what, value in columns.items() if (name, what) in known
        ]
    return made


def unit_of(identity: str, config: str) -> str | None:
    """The unit of a figure that `records` makes; None for another figure."""
    core, _, operation = identity.partition(".")
    if core != CORE:
        return None
    names = {("core", config): unit for unit, config in CORES.items()}
    names |= {(unit.removeprefix("pm_"), "unit"): unit for unit in MODULES}
    return names.get((operation, config))
