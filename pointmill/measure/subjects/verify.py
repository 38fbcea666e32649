# SPDX-License-Identifier: Apache-2.0
"""`edverify` with several contexts, by their number and depth: cycles of honest signatures in the verilated core
under the main rule set, with its queue always full and one at a time, and what the core takes."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import cast

from pointmill import library
from pointmill.cores import EDVERIFY
from pointmill.device import Device
from pointmill.measure.benches import edverify, throughput
from pointmill.measure.cycles import CLIENT
from pointmill.measure.inputs import Inputs
from pointmill.measure.subjects import rtl
from pointmill.measure.synthesis.yosys import Unit
from pointmill.measure.task import Figure, Measure, Params
from pointmill.simbuild import ROOT

PARAMETERS = {
    "Contexts": "signatures that it works on at the same time, 2 to 32",
    "Scheduled": "1: the program for a shallow datapath",
    "SecretOps": "0: verification alone",
    "signatures": "of which the mean is taken, without those that fill and empty the core",
}
SIGNATURES = 256
ALONE = 4  # signatures, one at a time
SEED = 2026


def unit(params: Params) -> Unit:
    """The core with these parameters."""
    own = {name: value for name, value in params.items() if name != "signatures"}
    return rtl.as_unit(EDVERIFY.top, [str(EDVERIFY.files.relative_to(ROOT))], own)


def cycles(params: Params) -> list[Figure]:
    """In steady state and alone, and the share of cycles in which the multiplier starts a product. `BuildError` where
    the core refuses its parameters, `RuntimeError` where it refuses a signature."""
    core = unit(params).params
    edge = 2 * int(core["Contexts"])  # answers at either end while the contexts fill and drain
    jobs = throughput.workload(int(params.get("signatures", SIGNATURES)) + 2 * edge, SEED)
    with Device("swept", module=library.module("edverify", "swept", params=cast(dict[str, int], core))) as device:
        alone = throughput.run_alone(device, jobs[:ALONE])
        steady = throughput.verify_steady(device, jobs, throughput.MAIN_RULE, edge)
    return [Figure("cycles_per_verification", round(steady.cycles, 1), "cycles"),
            Figure("utilisation", round(steady.utilisation, 4), "ratio"),
            Figure("cycles_alone", round(fmean(alone), 1), "cycles")]  # fmt: skip


def _inputs(params: Params) -> Inputs:
    return Inputs([unit(params)], [*CLIENT, Path(edverify.__file__), Path(throughput.__file__)])


MEASURES = {"cycles": Measure(cycles, _inputs, ("verilator",)), **rtl.synthesis(unit)}
