# SPDX-License-Identifier: Apache-2.0
"""Python client of the core `mpu` (sw/include/pm_mpu.h, hw/mpu/core.yaml): its operations individually, or jobs as
`multicurve` takes them.

    with MpuDevice() as device:
        _, product = device.batch([load_job(by_name("P-256")), CurveJob("ecmul_base", (k,))])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from . import curve_device
from .client import FFI, Client, DeviceError, Error, Progress
from .cores import MPU
from .curve_device import CurveJob, CurveResult
from .curves import Curve
from .errors import InputError
from .gen.mpu import entries, load

DATA = load()
BITS: int = DATA["memory"]["width"]
"""Of a number."""
ENTRIES: dict[str, int] = entries(DATA)
REASONS: dict[int, str] = {number: name for name, number in DATA["reasons"].items()}
JOBS = ("load_curve", "ecmul", "ecmul_base", "modarith")
"""Operations of hw/multicurve/core.yaml that `batch` does."""
SETTINGS = {"device": "/dev/uio0", "mhz": "100"}
"""Settings of the back-end "uio", and their defaults."""
TIMEOUT = 5_000_000
"""Clock cycles, more than any operation takes."""
DIGIT = 32
"""Bits of the digits of R."""

# Where jobs keep their numbers: two entries, and a buffer for each of two points.
X, Y, PRODUCT = 0, 1, 1


def _settings(text: str) -> dict[str, str]:
    """All settings of the back-end "uio"; `InputError` for one that there is not."""
    known = dict(SETTINGS)
    for word in filter(None, text.split(",")):
        key, equals, value = word.partition("=")
        if key not in known or not equals:
            raise InputError(f"no setting {word!r}; known are {', '.join(known)}")
        known[key] = value
    return known


class MpuDevice(Client):
    """An opened core `mpu`; a context manager. One thread at a time."""

    PREFIX = "pm_mpu"
    CORE = "mpu"

    def __init__(self, config: str = MPU.default, backend: str = "sim", settings: str = "", *,
                 lib: Path | None = None, module: Path | None = None) -> None:
        """As `Client`; config: a name of `MPU.parameters`."""
        self._settings = _settings(settings) if backend == "uio" else {}
        self._backend = backend
        self._state: Any = None
        self._modulus: int | None = None
        self._curve: Curve | None = None
        self._cycles = 0
        super().__init__(config, backend, settings, lib=lib, module=module)

    # ---- opening

    def _opened(self, backend: str, config: str) -> Any:
        if backend == "sim":
            handle = FFI.new("void **")
            self._check(self._lib.pm_mpu_sim_open(config.encode(), handle))
            self._state = handle[0]
        else:
            device, mhz = self._settings["device"], self._settings["mhz"]
            if not mhz.isdecimal() or int(mhz) >= 2**32:
                raise InputError(f"mhz is no number: {mhz!r}")
            self._state = FFI.new("pm_mpu_uio *")
            self._check(self._lib.pm_mpu_uio_open(self._state, device.encode(), int(mhz)))
        mpu = FFI.new("pm_mpu *")
        functions = FFI.addressof(self._lib, f"pm_mpu_{backend}_backend")
        try:
            self._check(self._lib.pm_mpu_open(mpu, functions, self._state, TIMEOUT, True))
        except DeviceError:
            self._release(mpu)
            raise
        return mpu

    def _release(self, device: Any) -> None:
        getattr(self._lib, f"pm_mpu_{self._backend}_close")(self._state)

    # ---- operations

    def put(self, entry: int, number: int) -> None:
        """Writes an entry of the operand memory. `OverflowError` for a number outside [0, 2^704)."""
        words = FFI.from_buffer("uint32_t[]", number.to_bytes(BITS // 8, "little"))
        self._check(self._lib.pm_mpu_put(self._open, entry, words))

    def get(self, entry: int) -> int:
        """Reads an entry."""
        words = FFI.new("uint32_t[]", BITS // 32)
        self._check(self._lib.pm_mpu_get(self._open, entry, words))
        return int.from_bytes(FFI.buffer(words), "little")

    def put_infinity(self, flags: int) -> None:
        """Says which buffers hold the point at infinity, one bit each."""
        self._check(self._lib.pm_mpu_put_infinity(self._open, flags))

    def infinity(self) -> int:
        """Which buffers hold it."""
        flags = FFI.new("uint32_t *")
        self._check(self._lib.pm_mpu_get_infinity(self._open, flags))
        return flags[0]

    def put_scalar_bits(self, bits: int) -> None:
        """Says how many bits scalars may have; 0: as many as the curve's order can have."""
        self._check(self._lib.pm_mpu_put_scalar_bits(self._open, bits))

    def run(self, op: str, *, src1: int = 0, src2: int = 0, dst1: int = 0, dst2: int = 0,
            secret: bool = False) -> tuple[str, int]:
        """Does an operation of hw/mpu/core.yaml; its reason and clock cycles. `DeviceError` TIMEOUT: the core was
        reset; PROTOCOL: the reason is none."""
        if op in ("load_modulus", "load_curve"):
            self._modulus = self._curve = None
        command = FFI.new("pm_mpu_command *", {"op": DATA["operations"][op]["opcode"], "src1": src1, "src2": src2,
                                               "dst1": dst1, "dst2": dst2, "secret": secret})
        reason, cycles = FFI.new("uint32_t *"), FFI.new("uint32_t *")
        error = self._lib.pm_mpu_run(self._open, command, reason)
        if error == Error["TIMEOUT"]:
            self._modulus = self._curve = None
        self._check(error)
        self._check(self._lib.pm_mpu_cycles(self._open, cycles))
        if reason[0] not in REASONS:
            self._check(Error["PROTOCOL"])
        return REASONS[reason[0]], cycles[0]

    def read(self, address: int) -> int:
        """Value of the register at a byte address; `DeviceError` ADDRESS, BUS (refused)."""
        if address % 4 or not 0 <= address <= 0xfc:
            self._check(Error["ADDRESS"])
        value = FFI.new("uint32_t *")
        self._check(self._open.backend.read32(self._state, address, value))
        return value[0]

    # ---- jobs

    def _do(self, op: str, **places: Any) -> str:
        """The reason of an operation, whose cycles are counted for the job."""
        reason, cycles = self.run(op, **places)
        self._cycles += cycles
        return reason

    def _step(self, op: str, **places: int) -> None:
        """An operation that the core has no reason to refuse; `DeviceError` PROTOCOL if it does."""
        if (reason := self._do(op, **places)) != "ok":
            self._modulus = self._curve = None
            raise DeviceError(Error["PROTOCOL"], f"the core rejected {op}: {reason}")

    def _multiply(self, k: int, point: tuple[int, int], bits: int = 0) -> str:
        """[k]point to PRODUCT, for k of at most so many bits."""
        for entry, number in ((X, point[0]), (Y, point[1]), (ENTRIES["k"], k)):
            self.put(entry, number)
        self.put_infinity(0)
        self.put_scalar_bits(bits)
        return self._do("ecmul", dst1=PRODUCT)

    def _load_curve(self, curve: Curve) -> str:
        """Loads a curve; the reason for which it or its base point is none; the order serves nothing here."""
        for name in "pab":
            self.put(ENTRIES[name], getattr(curve, name))
        reason = self._do("load_curve")
        if reason == "ok" and curve.g is not None:
            reason = self._multiply(0, curve.g, 1)
            # p is not a prime; what was asked is whether the base point is on the curve
            if reason == "result_off_curve":
                reason = "ok"
        if reason == "operand_out_of_range":
            reason = "parameter_out_of_range"
        if reason == "ok":
            self._modulus, self._curve = curve.p, curve
        return reason

    def _ecmul(self, k: int, point: tuple[int, int] | None) -> CurveResult:
        """[k]point, or of the base point."""
        curve = self._curve
        if curve is None or (factor := point or curve.g) is None:
            return CurveResult(None, "no_curve")
        if k.bit_length() > curve.bits + 1:  # before the point is looked at, as `multicurve` does
            return CurveResult(None, "scalar_out_of_range")
        reason = self._multiply(k, factor)
        if reason != "ok":
            return CurveResult(None, "invalid_point" if reason == "operand_out_of_range" else reason)
        if self.infinity() >> PRODUCT & 1:
            return CurveResult(None, "ok", infinity=True, cycles=self._cycles)
        product = self.get(2 * PRODUCT), self.get(2 * PRODUCT + 1)
        return CurveResult(None, "ok", product, cycles=self._cycles)

    def _put_residue(self, entry: int, number: int, always: bool = False) -> None:
        """Writes number mod p to an entry, reduced in the core digit of R by digit of R if it is not below p."""
        modulus = cast(int, self._modulus)
        if number < modulus and not always:
            self.put(entry, number)
            return
        size = -(-modulus.bit_length() // DIGIT) * DIGIT
        self.put(entry, 0)
        for shift in reversed(range(0, max(1, number.bit_length()), size)):
            self.put(ENTRIES["k"], number >> shift & (1 << size) - 1)
            self._step("reduction", src1=ENTRIES["k"], src2=entry, dst1=entry)
            self._step("mont_mul", src1=entry, src2=ENTRIES["r2"], dst1=entry)

    def _modarith(self, op: str, modulus: int, a: int, b: int) -> CurveResult:
        """a op b modulo any odd number."""
        if self._modulus != modulus:
            self.put(ENTRIES["p"], modulus)
            if (reason := self._do("load_modulus")) != "ok":
                return CurveResult(None, reason)
            self._modulus = modulus
        self._put_residue(X, a, op == "reduce")
        reason = "ok"
        if op == "inv":
            reason = self._do("invert", src1=X, dst1=X)
        elif op != "reduce":
            self._put_residue(Y, b)
            self._step("mont_mul" if op == "mul" else op, src1=X, src2=Y, dst1=X)
            if op == "mul":
                self._step("mont_mul", src1=X, src2=ENTRIES["r2"], dst1=X)
        payload = (self.get(X),) if reason == "ok" else ()
        return CurveResult(None, reason, payload, cycles=self._cycles)

    def _answer(self, job: CurveJob) -> CurveResult:
        self._cycles = 0
        operands = job.operands
        if job.op == "load_curve":
            p, a, b, gx, gy, n = operands
            base = None if job.option == "no_base" else (gx, gy)
            return CurveResult(None, self._load_curve(Curve("", p, a, b, n, base)), cycles=self._cycles)
        if job.op == "modarith":
            return self._modarith(job.option or "add", *operands)
        return self._ecmul(operands[0], cast(tuple[int, int] | None, operands[1:] or None))

    @staticmethod
    def _require(job: CurveJob) -> None:
        """`InputError` for a job that cannot be sent."""
        if job.op not in JOBS or job.flags:
            raise InputError(f"core mpu has no operation {' '.join((job.op, *job.flags))}")
        operation = curve_device.DATA["operations"][job.op]
        if len(job.operands) != len(operation["operands"]):
            raise InputError(f"{job.op} takes {', '.join(operation['operands'])}")
        if job.option is not None and job.option not in operation["options"]:
            raise InputError(f"{job.op} has no option {job.option}")
        if any(not 0 <= number < 1 << BITS for number in job.operands):
            raise InputError(f"an operand of {job.op} is negative or has more than {BITS} bits")

    def batch(self, jobs: Sequence[CurveJob], progress: Progress | None = None) -> list[CurveResult]:
        """Does jobs of `JOBS` in their order, as `CurveDevice.batch` does, with the same reasons; numbers may
        have 704 bits. Products are those of the ladder: any option gives the same. cycles: those of all of
        the core's operations for the job, loading of a modulus included.

        progress: called with (done, total) after each result; an exception in it stops the batch. `InputError` for a
        job that cannot be sent, before anything is; `DeviceError` with `results`, those without answer being
        `aborted`.
        """
        for job in jobs:
            self._require(job)
        results: list[CurveResult] = []
        for job in jobs:
            try:
                answer = self._answer(job)
            except DeviceError as error:
                rest = [CurveResult(job.tag, "aborted") for job in jobs[len(results):]]
                raise DeviceError(error.code, str(error), results + rest) from None
            results.append(replace(answer, tag=job.tag))
            if progress is not None:
                progress(len(results), len(jobs))
        return results
