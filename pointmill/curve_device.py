# SPDX-License-Identifier: Apache-2.0
"""Python client of the core `multicurve` (sw/include/pm_curve.h, hw/multicurve/core.yaml).

    with CurveDevice() as device:
        _, product = device.batch([load_job(by_name("P-256")), CurveJob("ecmul_base", (k,))])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import register_map
from .client import FFI, Client, Error, Progress
from .cores import MULTICURVE
from .curves import AnyCurve, EdwardsCurve, MontgomeryCurve
from .errors import InputError
from .gen.multicurve import load

DATA = load()
NUMBER_BYTES = 68
"""Of a number: 544 bits (PM_NUMBER_BYTES)."""
REASONS: dict[int, str] = {number: name for name, number in DATA["reasons"].items()}
SIGNING = ("ecdsa_sign", "sm2_sign")
"""Operations that are always sent with the flag `secret`."""
TIMEOUT = 5_000_000
"""Clock cycles, more than any job takes."""


@dataclass(frozen=True)
class CurveJob:
    """One job of hw/multicurve/core.yaml: operands in its order, integers in [0, 2^544), of `mpu` in [0, 2^704).

    option: a name of the operation's options, None for the first. flags: names of flags. tag: anything,
    echoed.
    """

    op: str
    operands: tuple[int, ...] = field(repr=False)
    option: str | None = None
    flags: tuple[str, ...] = ()
    tag: Any = None


@dataclass(frozen=True)
class CurveResult:
    """One result. reason: a name of hw/multicurve/core.yaml. payload: its numbers, if that is "ok".

    infinity: the point is infinity. all_zero: the coordinate of a ladder is zero. cycles: clock cycles from
    header to verdict, 0 if there was no answer.
    """

    tag: Any
    reason: str
    payload: tuple[int, ...] = field(default=(), repr=False)
    infinity: bool = False
    all_zero: bool = False
    cycles: int = 0


def load_job(curve: AnyCurve, comb: bool = False) -> CurveJob:
    """The job that loads a curve; without base point, `ecmul_base` has none to multiply, and without order or
    base point there are no signatures. Of an Edwards curve its short Weierstrass form. comb: make a comb of the base
    point too, if the curve has one."""
    if isinstance(curve, EdwardsCurve):
        curve = curve.form
    if isinstance(curve, MontgomeryCurve):
        a24 = (curve.A + 2) * pow(4, -1, curve.p) % curve.p
        return CurveJob("load_curve", (curve.p, a24, 0, 0, 0, 0), flags=("montgomery",))
    return CurveJob("load_curve", (curve.p, curve.a, curve.b, *(curve.g or (0, 0)), curve.n or 0),
                    option="no_base" if not curve.g else "comb" if comb else "base")


def takes_comb(job: CurveJob) -> bool:
    """Whether a job has a secret product of the base point, which a comb makes shorter."""
    return job.op in SIGNING or (job.op == "ecmul_base" and "secret" in job.flags)


def digest_numbers(digest: bytes) -> tuple[int, int]:
    """Operands `digest` and `length` of ECDSA: the leftmost 544 bits of a digest, and how many there are."""
    kept = digest[:NUMBER_BYTES]
    return int.from_bytes(kept, "big"), 8 * len(kept)


class CurveDevice(Client):
    """An opened core `multicurve`; a context manager. One thread at a time."""

    PREFIX = "pm_curve"
    CORE = "multicurve"

    def __init__(self, config: str = MULTICURVE.default, backend: str = "sim", settings: str = "", *,
                 lib: Path | None = None, module: Path | None = None) -> None:
        """As `Client`; config: a name of `MULTICURVE.parameters`."""
        super().__init__(config, backend, settings, lib=lib, module=module)

    def read(self, address: int) -> int:
        """Value of the register at a byte address; `DeviceError` ADDRESS, BUS (refused)."""
        value = FFI.new("uint32_t *")
        self._check(self._lib.pm_curve_read_reg(self._open, address, value))
        return value[0]

    @property
    def has_comb(self) -> bool:
        """Whether the core keeps a comb of the base point if it is asked to; `DeviceError`."""
        config = self.read(register_map.address("multicurve", "CONFIG"))
        return bool(register_map.field("multicurve", "CONFIG", "comb").of(config))

    @staticmethod
    def _fill(raw: Any, job: CurveJob, index: int) -> Any:
        """Writes `job` into a pm_curve_job; returns its numbers, which must stay alive."""
        operation = DATA["operations"][job.op]
        if len(job.operands) != len(operation["operands"]):
            raise InputError(f"{job.op} takes {', '.join(operation['operands'])}")
        options, flags = operation["options"], list(DATA["flags"])
        numbers = FFI.new("uint8_t[]", NUMBER_BYTES * len(job.operands))
        for i, operand in enumerate(job.operands):
            data = operand.to_bytes(NUMBER_BYTES, "little")
            FFI.memmove(numbers + i * NUMBER_BYTES, data, NUMBER_BYTES)
        raw.tag, raw.op, raw.numbers, raw.count = index, operation["opcode"], numbers, len(job.operands)
        raw.option = 0 if job.option is None else options.index(job.option)
        chosen = {*job.flags, "secret"} if job.op in SIGNING else job.flags
        raw.flags = sum(1 << flags.index(flag) for flag in chosen)
        return numbers

    @staticmethod
    def _result(raw: Any, job: CurveJob) -> CurveResult | None:
        """None for a reason that is none, or another number of results than the operation has."""
        reason = REASONS.get(raw.reason)
        if reason is None or raw.count != len(DATA["operations"][job.op]["payload"]) * (reason == "ok"):
            return None
        data = bytes(FFI.buffer(raw.numbers, NUMBER_BYTES * raw.count))
        payload = tuple(int.from_bytes(data[i:i + NUMBER_BYTES], "little")
                        for i in range(0, len(data), NUMBER_BYTES))
        return CurveResult(job.tag, reason, payload, bool(raw.infinity),
                           bool(raw.all_zero), raw.cycles)

    def batch(self, jobs: Sequence[CurveJob], progress: Progress | None = None
              ) -> list[CurveResult]:
        """Does all jobs in their order; as many results.

        progress: called with (done, total) after each result; an exception in it stops the batch and is
        raised again here. `InputError` for a job that cannot be sent, before anything is; `DeviceError`
        with `results`, those without answer being `aborted`.
        """
        device = self._open
        raw = FFI.new("pm_curve_job[]", max(1, len(jobs)))
        answers = FFI.new("pm_curve_result[]", max(1, len(jobs)))
        keep = [self._fill(raw[i], job, i) for i, job in enumerate(jobs)]
        with self._reporting(progress) as report:
            error = self._lib.pm_curve_batch(device, raw, len(jobs), TIMEOUT, report, FFI.NULL, answers)
            for numbers in keep:
                FFI.buffer(numbers)[:] = bytes(FFI.sizeof(numbers))
        results = [self._result(answers[i], job) for i, job in enumerate(jobs)]
        FFI.buffer(answers)[:] = bytes(FFI.sizeof(answers))
        settled = [result or CurveResult(job.tag, "aborted")
                   for result, job in zip(results, jobs, strict=True)]
        self._check(error or (Error["PROTOCOL"] if None in results else Error["OK"]), settled)
        return settled
