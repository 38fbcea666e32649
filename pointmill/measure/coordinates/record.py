# SPDX-License-Identifier: Apache-2.0
"""The measurement trust.coordinates: Welch's t over the toggles of pm_x25519_paper_engine, without and with Randomised.

The tests are those of trust.leakage; `repeated` is `fixed` with the same random number in all traces, as of a source of
no entropy: the parameter is set, and what it protects must show. Figures are of all registers, and of those alone that
the bits of the scalar are shifted through.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from pointmill.measure.faults.registers import placed, registers
from pointmill.measure.inputs import Inputs
from pointmill.measure.leakage.welch import THRESHOLD, t_values
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.measure.synthesis.yosys import Unit
from pointmill.model.x25519 import x25519
from pointmill.simbuild import BUILD, ROOT, build_cpp, resolve_sources, run_tool, verilator_bin, waivers, write_whole

if TYPE_CHECKING:
    import numpy as np

TRACES = 200
SEED = 47
TESTS = {"plain": ("fixed", "random", "control"), "randomised": ("fixed", "random", "control", "repeated")}
"""By form of the engine."""
PARTS = ("field", "scalar")
"""Of registers: those of field values, control and result; those that bits of the scalar are shifted through."""
SCALAR = ("k_q", "before_q")
TOP, SOURCES = "pm_x25519_paper_engine", "hw/x25519/x25519.f"
BENCH = Path(__file__).with_name("traces.cpp")
MODEL = ("--flatten", "-fno-dedup")
"""Words for Verilator: one class for the whole model."""

Job = tuple[bytes, bytes, bytes]
"""Scalar, coordinate, random number."""


def unit(form: str) -> Unit:
    """The engine with its parameter."""
    return Unit(TOP, [SOURCES], TOP, {"Randomised": int(form == "randomised")})


@cache
def built(form: str) -> Path:
    """The bench with the engine. `ValueError` where the model lacks a register."""
    one, folder = unit(form), BUILD / "coordinates" / form
    known, sources = registers(one), resolve_sources(one.sources)
    model = folder / "model"
    model.mkdir(parents=True, exist_ok=True)
    run_tool([verilator_bin(), "--cc", "--top-module", TOP, "--prefix", f"V{TOP}", "-O3", "--assert", *MODEL,
              *(f"-G{key}={value}" for key, value in one.params.items()), "--Mdir", model, *waivers(),
              *sources])  # fmt: skip
    members = placed(known, (model / f"V{TOP}___024root.h").read_text())
    lines = [f"PM_REGISTER({int(register.path.rpartition('.')[2] in SCALAR)}, {member})\n"
             for register, member in members.items()]  # fmt: skip
    if sum(line.startswith("PM_REGISTER(1,") for line in lines) != len(SCALAR):
        raise ValueError(f"{TOP}: the model lacks registers of the scalar")
    text, listed = "".join(lines), folder / "registers.inc"
    if not listed.is_file() or listed.read_text() != text:
        write_whole(listed, text)
    return build_cpp(TOP, sources, [BENCH], one.params, folder / "bench",
                     cflags=(f"-I{folder}", "-Idv/common", f"-DPM_PARTS={len(PARTS)}"), deps=[listed],
                     verilator_args=MODEL, opt="-O2")  # fmt: skip


def jobs(test: str, traces: int, seed: int) -> Iterator[tuple[bool, Job]]:
    """Whether a trace is of the first set, and its job. The sets are mixed at random, half of the traces in each."""
    rng = random.Random(f"{seed} {test}")
    secret, public, number = (rng.randbytes(32) for _ in range(3))
    for first in rng.sample([True, False], traces, counts=[traces - traces // 2, traces // 2]):
        yield first, (secret if first and test != "control" else rng.randbytes(32),
                      public if test in ("fixed", "repeated") else rng.randbytes(32),
                      number if test == "repeated" else rng.randbytes(32))  # fmt: skip


def toggles(form: str, work: Sequence[Job]) -> np.ndarray:
    """Bits that change, by job, part and cycle. `RuntimeError` for a wrong result, or different times."""
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        given, rows = (Path(folder) / name for name in ("jobs", "rows"))
        given.write_bytes(b"".join(b"".join(job) for job in work))
        done = subprocess.run([built(form), given, rows], check=False, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{TOP}, {form}: exit code {done.returncode}: {done.stderr[-500:]}")
        results = [bytes.fromhex(line)[::-1] for line in done.stdout.split()]
        if results != [x25519(k, u) for k, u, _ in work]:
            raise RuntimeError(f"{TOP}, {form}: a result is wrong")
        return np.fromfile(rows, dtype="<u4").reshape(len(work), len(PARTS), -1)


def measure(form: str, traces: int = TRACES, seed: int = SEED) -> list[Record]:
    """The figures of a form."""
    name, found = f"trust.coordinates.{form}", []
    for test in TESTS[form]:
        firsts, work = zip(*jobs(test, traces, seed), strict=True)
        counts = toggles(form, work)
        first = [number for number, one in enumerate(firsts) if one]
        second = [number for number, one in enumerate(firsts) if not one]
        found += [Record(name, test, "traces", len(counts), "traces"),
                  Record(name, test, "cycles", counts.shape[2], "cycles")]
        for part, rows in (("", counts.sum(axis=1)), (f".{PARTS[1]}", counts[:, 1])):
            t = abs(t_values(rows[first], rows[second]))
            found += [Record(name + part, test, "t_max", round(float(t.max()), 1), "t"),
                      Record(name + part, test, "leaking", round(float((t > THRESHOLD).mean()), 4), "ratio")]
    return found


def inputs(one: Measurement) -> Inputs:
    """The engine with its parameter, the bench, the workload."""
    own = [path for pattern in ("*.py", "*.cpp") for path in sorted(BENCH.parent.glob(pattern))]
    others = [ROOT / "pointmill/measure" / name for name in ("faults/registers.py", "leakage/welch.py")]
    return Inputs([unit(one.words[-1])], [*own, *others], f"{one.name} {TRACES} {SEED}")


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the run."""
    return {"engine": TOP, "params": unit(one.words[-1]).params, "traces": TRACES, "seed": SEED}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    return {name: version(name) for name in ("verilator", "pyslang", "numpy")}


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` for a wrong result."""
    return measure(one.words[-1])
