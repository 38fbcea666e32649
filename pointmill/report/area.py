# SPDX-License-Identifier: Apache-2.0
"""Resources of `edverify` and its parts on a 7-series FPGA, from the records of synthesis, beside tables 4 and 8.

The modules are cut differently: the paper's ALU is multiplier, reduction and adders; its register file
holds the recoded scalars and the table of A, which here lie in the digit scan and in the register banks.
"""

from __future__ import annotations

from collections.abc import Iterable

from pointmill.measure.benches.edverify import CORE
from pointmill.measure.records import Record, published

# Unit of data/units.yaml to the module of table 4.
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
         "pm_edverify_bulk": "bulk", "pm_edverify_tiles": "tiles", "pm_edverify_tiles_secret": "tiles_secret"}
FAMILY = "xc7"


def parts() -> dict[tuple[str, str, str], tuple[str, float | None]]:
    """The unit and the published figure of each resource of `edverify`: of every module and of the whole cores LUT, FF
    and DSP, of the cores RAMB18 too. By id, configuration and word of the figure."""
    paper = published(CORE)
    found: dict[tuple[str, str, str], tuple[str, float | None]] = {}
    for unit in (*MODULES, *CORES):
        whole = unit in CORES
        printed = paper["total"] if whole else paper["area"].get(MODULES[unit], (None,) * 3)
        where = (f"{CORE}.core", CORES[unit]) if whole else (f"{CORE}.{unit.removeprefix('pm_')}", "unit")
        columns = dict(zip(COLUMNS, printed)) | ({"ramb18": 0} if whole else {})
        found |= {(*where, what): (unit, value) for what, value in columns.items()}
    return found


def records(found: Iterable[Record]) -> list[Record]:
    """The figures of `parts`, as far as their units are among the figures `found`."""
    known = {(record.id, record.what): record for record in found if record.config == FAMILY}
    return [Record(name, config, what, known[unit, what].value, known[unit, what].unit, printed)
            for (name, config, what), (unit, printed) in parts().items() if (unit, what) in known]  # fmt: skip
