# SPDX-License-Identifier: Apache-2.0
"""Jobs on pm_multicurve_contexts in simulation."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pointmill import simbuild
from pointmill.curves import Curve
from pointmill.ucode.build import link
from pointmill.ucode.machine import Machine
from pointmill.ucode.multicurve_contexts import NARROW, Form, Job as Model, Point, Shared, registers

FILES = "hw/multicurve/multicurve_contexts.f"
BENCH = Path(__file__).with_name("pm_multicurve_contexts_bench.cpp")
MODULUS = 7
"""LoadModulus of pm_multicurve_contexts_pkg."""


class Job(NamedTuple):
    """[k]P on a curve; without P the curve is loaded. A job has its curve loaded before it, where that is not that of
    the job before."""

    curve: Curve
    k: int = 0
    point: Point | None = None
    exponent: int | None = None
    """For all jobs from this one on, another one than that of the inverse."""


def _machine() -> Machine:
    return link("multicurve", ("contexts",), "contexts").machine


class Result(NamedTuple):
    """What came of it: context, reason, cycles from start to end, cycle of the end, x and y."""

    context: int
    reason: str
    cycles: int
    end: int
    point: Point


def _number(form: Form, register: int, value: int) -> list[int]:
    return [register, *(value >> form.digit * j & (1 << form.digit) - 1 for j in range(form.digits))]


def _numbers(form: Form, numbers: Mapping[int, int]) -> list[int]:
    return [len(numbers), *(word for number in numbers.items() for word in _number(form, *number))]


def _curve(shared: Shared) -> list[int]:
    form = shared.form
    externals, numbers, globals_ = _machine().externals, shared.numbers(), registers()
    common = {externals[name]: numbers[name] for name in ("k", "exponent")} | {MODULUS: shared.scaled.modulus + 1}
    own = {globals_[name]: value for name, value in Model(shared).loaded().items()}
    facts = [int(shared.long), int(shared.named), shared.curve.p.bit_length()]
    return [*facts, *_numbers(form, common), *_numbers(form, own)]


def _coordinate(shared: Shared, digits: Sequence[int]) -> int:
    """The number below p; exactly k times it has come, and k p for 0."""
    value = sum(digit << shared.form.digit * j for j, digit in enumerate(digits))
    assert value % shared.k == 0 and 0 <= value <= shared.scaled.modulus
    return value // shared.k % shared.curve.p


def run(jobs: Sequence[Job], form: Form = NARROW) -> tuple[list[Result], int, int]:
    """The results of jobs, in their order, and the cycles and products of all. Jobs of one curve that follow each other
    are in contexts at the same time."""
    simulation = simbuild.build_cpp("pm_multicurve_contexts", FILES, BENCH, form.parameters,
                                     cflags=("-Idv/common", f"-DPM_COLUMNS={form.columns}", f"-DPM_DIGIT={form.digit}"))
    commands: list[list[object]] = []
    asked: list[int] = []
    """The lines of the jobs, between those of curves that were loaded for them."""
    curve, lines = None, 0
    for job in jobs:
        if job.curve != curve or job.point is None:
            commands.append(["curve", *_curve(Shared(job.curve, form))])
            lines += 1
        curve = job.curve
        if job.exponent is not None:
            commands.append(["shared", *_numbers(form, {_machine().externals["exponent"]: job.exponent})])
        if job.point is not None:
            loaded = Model(Shared(curve, form), job.k, job.point).loaded()
            numbers = _numbers(form, {registers()[name]: one for name, one in loaded.items()})
            commands.append(["job", *numbers])
            lines += 1
        asked.append(lines - 1)
    text = "\n".join(" ".join(map(str, command)) for command in commands)
    said = subprocess.run([simulation], input=text, text=True, capture_output=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    names = {number: name for name, number in _machine().reasons.items()}
    *found, last = (list(map(int, line.split())) for line in said.stdout.splitlines())
    results = []
    for job, line in zip(jobs, asked, strict=True):
        context, reason, cycles, end, *digits = found[line]
        x, y = (_coordinate(Shared(job.curve, form), part) for part in (digits[: form.digits], digits[form.digits :]))
        results.append(Result(context, names[reason], cycles, end, (x, y)))
    return results, last[0], last[1]
