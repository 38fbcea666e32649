# SPDX-License-Identifier: Apache-2.0
"""Cycles of the core `x25519` in every form, at its ports: one single job, and jobs in steady state.

Every job takes the same cycles, so that a few are enough.
"""

from __future__ import annotations

import random
from functools import cache

from pointmill.device import SecretJob, X25519Device
from pointmill.measure.records import Record, published
from pointmill.measure.synthesis.yosys import read_units

CORE = "x25519"
WIPING = 1000  # cycles in which an engine is surely ready for the next job
ALONE = 3  # jobs for the latency of one alone
EDGE = 5  # answers at either end that are not counted: the core fills and drains
STEADY = 5 * EDGE  # jobs for the steady state


def exchange_engine(config: str) -> str:
    """Unit of data/units.yaml that is the engine of a configuration."""
    return "pm_x25519_tile" if config == "tile" else f"pm_x25519_{config}_engine"


def exchange_core(config: str) -> str:
    """Unit of data/units.yaml that is the whole core of a configuration."""
    return "pm_x25519_tile_core" if config == "tile" else f"pm_x25519_{config}"


@cache
def resources(config: str) -> dict[str, int]:
    """What the engine takes of a 7-series FPGA, as data/units.yaml expects and synthesis checks: dsp, lut."""
    return read_units()[exchange_engine(config)].expect["xc7"]


def workload(count: int) -> list[SecretJob]:
    """Random jobs."""
    rng = random.Random(25519)
    return [SecretJob("x25519", rng.randbytes(32), rng.randbytes(32)) for _ in range(count)]


def measure(config: str) -> list[Record]:
    """Cycles of a job alone, of one in steady state, and DSP slices times the latter; `RuntimeError` if a job is
    not answered rightly, or in another time than the others."""
    ends: list[int] = []
    with X25519Device(config) as device:
        alone = []
        for job in workload(ALONE):
            device.run(WIPING)
            alone += device.secret_batch([job])
        steady = device.secret_batch(workload(STEADY), lambda done, total: ends.append(device.elapsed()))
    if not all(result.valid for result in (*alone, *steady)):
        raise RuntimeError(f"{config}: a job was rejected")
    times = [result.cycles for result in alone]
    if max(times) != min(times):
        raise RuntimeError(f"{config}: {times} cycles")
    cycles = round((ends[-EDGE - 1] - ends[EDGE - 1]) / (STEADY - 2 * EDGE), 1)
    name, printed = f"{CORE}.x25519", published(CORE)
    paper = printed["cycles"] if config == "paper" else None
    return [Record(name, config, "cycles_alone", max(times), "cycles", paper),
            Record(name, config, "cycles_per_operation", cycles, "cycles", paper),
            Record(name, config, "dsp_cycles", round(resources(config)["dsp"] * cycles), "DSP-cycles",
                   printed["dsp_cycles"])]  # fmt: skip
