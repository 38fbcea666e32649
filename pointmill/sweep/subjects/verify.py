# SPDX-License-Identifier: Apache-2.0
"""`edverify` with several contexts, by their number, engines and depth: cycles of honest signatures in the verilated core
under the main rule set, with its queue always full and one at a time, and what the core takes."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

from pointmill import library
from pointmill.bench import edverify, throughput
from pointmill.device import Device
from pointmill.evidence.cycles import CLIENT
from pointmill.evidence.inputs import closure
from pointmill.simbuild import ROOT
from pointmill.sweep import rtl
from pointmill.sweep.task import Figure, Measure, Params
from syn.yosys import Unit

PARAMETERS = {
    "Contexts": "of an engine: signatures that it works on at the same time, 2 to 32",
    "Engines": "each with its multiplier",
    "Scheduled": "1: the program for a shallow datapath",
    "Segment": "bits of a carry chain of the datapath, 0 for whole ones",
    "SecretOps": "0: verification alone",
    "signatures": "of which the mean is taken, without those that fill and empty the core",
}
SIGNATURES = 256
ALONE = 4  # signatures, one at a time
SEED = 2026


def unit(params: Params) -> Unit:
    """The core with these parameters."""
    own = {name: value for name, value in params.items() if name != "signatures"}
    return rtl.as_unit(library.CORE_TOP, [str(library.CORE_FILES.relative_to(ROOT))], own)


def cycles(params: Params) -> list[Figure]:
    """In steady state and alone, and the share of cycles in which a multiplier starts a product. `BuildError` where the
    core refuses its parameters, `RuntimeError` where it refuses a signature."""
    core = unit(params).params
    engines = int(core.get("Engines", 1))
    edge = 2 * engines * int(core["Contexts"])  # answers at either end while the contexts fill and drain
    jobs = throughput.workload(int(params.get("signatures", SIGNATURES)) + 2 * edge, SEED)
    with Device("swept", lib=library.simulation_library("swept", params=core)) as device:
        alone = throughput.run_alone(device, jobs[:ALONE])
        steady = throughput.run_steady(device, jobs, throughput.MAIN_RULE, edge)
    return [Figure("cycles_per_verification", round(steady.cycles, 1), "cycles"),
            Figure("utilisation", round(steady.utilisation / engines, 4), "ratio"),
            Figure("cycles_alone", round(fmean(alone), 1), "cycles")]  # fmt: skip


def _inputs(_: Params) -> list[Path]:
    return [*closure(library.CORE_TOP, library.CORE_FILES), *CLIENT, Path(edverify.__file__), Path(throughput.__file__)]


MEASURES = {"cycles": Measure(cycles, _inputs, ("verilator",)), **rtl.synthesis(unit)}
