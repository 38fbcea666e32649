# SPDX-License-Identifier: Apache-2.0
"""Cycles of the core `x25519` in every form, at its ports: one job alone, and jobs in steady state.

Every job takes the same cycles, so that a few are enough. In an engine with several contexts one that comes alone
waits for the turn of its context; the longest time is taken.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

from rich.console import Console
from rich.table import Table

from pointmill.bench.records import Record, published
from pointmill.device import SecretJob, X25519Device
from pointmill.library import X25519_CONFIGS
from syn.yosys import read_units

CORE = "x25519"
WIPING = 1000  # cycles in which an engine is surely ready for the next job
ALONE = 3  # jobs for the latency of one alone
EDGE = 5  # answers at either end that are not counted: the contexts fill and drain
STEADY = 5 * EDGE  # jobs for the steady state


@lru_cache(maxsize=None)
def resources(config: str) -> dict[str, int]:
    """What the engine takes of a 7-series FPGA, as syn/units.yaml expects and synthesis checks: dsp, lut."""
    return read_units()[f"pm_x25519_{config}_engine"].expect["xc7"]


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
        raise RuntimeError(f"{config}: a job was refused")
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


def show(console: Console, records: Sequence[Record]) -> None:
    """A table with a line for each form, and one for the published figures."""
    paper = published(CORE)
    table = Table("form", title="X25519, cycles at the ports of the core", title_justify="left")
    for name in ("one alone", "in steady state", "DSP", "DSP x cycles"):
        table.add_column(name, justify="right")
    found = {(record.config, record.what): record.value for record in records}
    for config in X25519_CONFIGS:
        if (config, "cycles_alone") in found:
            alone, cycles, cost = (found[config, what] for what in ("cycles_alone", "cycles_per_operation", "dsp_cycles"))
            table.add_row(config, f"{alone:,}", f"{cycles:,}", str(resources(config)["dsp"]), f"{cost:,}")
    table.add_row(paper["source"], *[f"{paper['cycles']:,}"] * 2, str(paper["dsp"]), f"{paper['dsp_cycles']:,}")
    console.print(table)
