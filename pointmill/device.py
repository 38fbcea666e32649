# SPDX-License-Identifier: Apache-2.0
"""Python clients of the C driver libpointmill (sw/include/pointmill.h, docs/driver.md): `Device` for the
core `edverify`, `X25519Device` for `x25519`.

    with Device() as device:
        results = device.verify_batch([Job(pk, msg, sig)], rule="ref10_bytes")
        signed = device.secret_batch([SecretJob("sign", d, msg=msg)])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import register_map
from .client import FFI, Client, DeviceError, Error, Progress, declarations
from .cores import EDVERIFY, X25519
from .errors import InputError
from .rules import OPERATIONS, RULES, RULES_BY_ID, Reason

DEFAULT_RULE = "ref10_bytes"
"""What Go, OpenSSL and BoringSSL do."""

Rule = str | int

MODES = {name.lower(): int(value)
         for name, value in re.findall(r"PM_MODE_(\w+) = (\d+)", declarations("pointmill.h"))}
"""How verifications are carried out: numbers of single, batch and cached."""


@dataclass(frozen=True)
class Job:
    """One signature to verify: bytes as on the wire, of any length; wrong ones are refused.

    rule: name or number of a rule set, None for the one of the batch. tag: anything, echoed.
    """

    pk: bytes
    msg: bytes
    sig: bytes
    rule: Rule | None = None
    tag: Any = None


@dataclass(frozen=True)
class SecretJob:
    """One job with a secret operand: bytes as in RFC 7748 and 8032; wrong lengths are refused.

    op: "x25519" (secret k and u), "keygen" (seed d) or "sign" (seed d and msg). tag: anything, echoed.
    The bytes stay in Python's memory; the driver overwrites its own copies.
    """

    op: str
    secret: bytes = field(repr=False)
    u: bytes = b""
    msg: bytes = b""
    tag: Any = None


@dataclass(frozen=True)
class Result:
    """One result. reason: a name of hw/edverify/core.yaml, "ok" if and only if valid. rule: as in the
    job, by name if it has one. cycles: clock cycles in the core, 0 if the driver answered.

    payload, if valid: of x25519 the u-coordinate, of keygen the public key, of sign public key, R, S;
    all_zero: that of x25519 is zero.
    """

    tag: Any
    valid: bool
    reason: str
    rule: Rule
    cycles: int
    payload: bytes = field(default=b"", repr=False)
    all_zero: bool = False


@dataclass(frozen=True)
class Info:
    """What is behind the device; version as "major.minor.patch", config_word is CONFIG, contexts the
    jobs that the core works on at the same time. The other properties are of `edverify` alone."""

    backend: str
    config: str
    name: str
    version: str
    config_word: int
    elapsed_cycles: int
    stray_answers: int

    def _built(self, name: str) -> int:
        """A field of CONFIG (hw/edverify/regs.rdl; `contexts` is the same in every core)."""
        return register_map.field("edverify", "CONFIG", name).of(self.config_word)

    @property
    def contexts(self) -> int:
        """Jobs that the core works on at the same time."""
        return self._built("contexts")

    @property
    def secret_ops(self) -> bool:
        """x25519, keygen and sign are built in."""
        return bool(self._built("secret_ops"))

    @property
    def modes(self) -> tuple[str, ...]:
        """What `Device.set_mode` takes."""
        built = {"single": True, "batch": self._built("batch"), "cached": self._built("keys")}
        return tuple(mode for mode in MODES if built[mode])


@dataclass(frozen=True)
class Identity:
    """What a bitstream says of itself. clock_khz: of the core, as placed and routed; revision: git hash of the
    sources, from which files differed if it is modified; configuration: "edverify-tiles_secret"."""

    clock_khz: int
    modified: bool
    revision: str
    board: str
    configuration: str


@dataclass(frozen=True)
class Counters:
    """Counters of the core: jobs answered, valid, malformed or aborted; clock cycles, those with a
    job in the core, and products started in the multiplier, 0 of `x25519`."""

    jobs: int
    valid: int
    errors: int
    cycles: int
    busy: int
    muls: int


def rule_number(rule: Rule) -> int:
    """Number of a rule set, by name; a number is passed on. `InputError` for an unknown name or a
    number outside 32 bits."""
    if isinstance(rule, int):
        if not 0 <= rule < 2**32:
            raise InputError(f"rule number {rule} does not fit 32 bits")
        return rule
    if rule not in RULES:
        raise InputError(f"no rule set {rule!r}; known are {', '.join(RULES)}")
    return RULES[rule].id


class Device(Client):
    """An opened core `edverify`; a context manager. One thread at a time."""

    PREFIX = "pm"
    CORE = "edverify"
    NAME = "PMED"
    """What the register NAME must say."""

    def __init__(self, config: str = EDVERIFY.default, backend: str = "sim", settings: str = "", *,
                 lib: Path | None = None, module: Path | None = None) -> None:
        """As `Client`; `DeviceError` DEVICE also for another core."""
        self._tags: dict[int, Any] = {}
        self._next_tag = 0
        super().__init__(config, backend, settings, lib=lib, module=module)
        name = self.info().name
        if name != self.NAME:
            self.close()
            raise DeviceError(Error["DEVICE"], f"the device is {name}, not a core {self.CORE} ({self.NAME})")

    # ---- jobs

    def set_mode(self, mode: str) -> None:
        """How verifications are carried out from now on: "single" (at first), "batch" or "cached".

        Verdicts and reasons are the same. `InputError` for another name, `DeviceError` MODE if the core has
        none such.
        """
        if mode not in MODES:
            raise InputError(f"no mode {mode!r}; known are {', '.join(MODES)}")
        self._check(self._lib.pm_set_mode(self._open, MODES[mode]))

    def _fill(self, target: Any, job: Job, rule: Rule, tag: int) -> list[Any]:
        """Writes `job` into a pm_job; returns what must stay alive as long as it is used."""
        target.rule = rule_number(rule if job.rule is None else job.rule)
        return self._fill_bytes(target, tag, pk=job.pk, sig=job.sig, msg=job.msg)

    def _fill_secret(self, target: Any, job: SecretJob, tag: int) -> list[Any]:
        """The same with a pm_secret_job; `InputError` for an operation that is none."""
        operation = OPERATIONS.get(job.op)
        if operation is None or not operation.secret:
            known = ", ".join(name for name, entry in OPERATIONS.items() if entry.secret)
            raise InputError(f"no operation {job.op!r}; known are {known}")
        target.op = operation.opcode
        return self._fill_bytes(target, tag, secret=job.secret, u=job.u, msg=job.msg)

    @staticmethod
    def _fill_bytes(target: Any, tag: int, **strings: bytes) -> list[Any]:
        keep = []
        for name, data in strings.items():
            view = FFI.from_buffer("uint8_t[]", data)
            keep.append(view)
            setattr(target, name, view)
            setattr(target, f"{name}_len", len(data))
        target.tag = tag
        return keep

    @staticmethod
    def _result(raw: Any, tag: Any) -> Result:
        rule = RULES_BY_ID[raw.rule].name if raw.rule in RULES_BY_ID else raw.rule
        return Result(tag, bool(raw.valid), Reason(raw.reason).name, rule, raw.cycles,
                      bytes(FFI.buffer(raw.payload, raw.length)), bool(raw.all_zero))

    def verify_batch(self, jobs: Sequence[Job], rule: Rule = DEFAULT_RULE,
                     progress: Progress | None = None) -> list[Result]:
        """Verifies all jobs; as many results in the same order.

        rule: for the jobs without one of their own. progress: called with (done, total) after each
        result; an exception in it stops the batch and is raised again here.
        `InputError` for an unknown rule, before anything is sent; `DeviceError` with `results`.
        """
        raw = FFI.new("pm_job[]", max(1, len(jobs)))
        keep = [self._fill(raw[i], job, rule, i) for i, job in enumerate(jobs)]
        results = self._batch(self._lib.pm_verify_batch, raw, jobs, progress)
        del keep
        return results

    def secret_batch(self, jobs: Sequence[SecretJob], progress: Progress | None = None
                     ) -> list[Result]:
        """Does all jobs, in any mixture of operations; otherwise as `verify_batch`."""
        raw = FFI.new("pm_secret_job[]", max(1, len(jobs)))
        keep = [self._fill_secret(raw[i], job, i) for i, job in enumerate(jobs)]
        results = self._batch(self._lib.pm_secret_batch, raw, jobs, progress)
        del keep
        return results

    def _batch(self, function: Any, raw: Any, jobs: Sequence[Job | SecretJob],
               progress: Progress | None) -> list[Result]:
        """Runs one of the driver's batches on `raw`, the C form of `jobs`."""
        answers = FFI.new("pm_result[]", max(1, len(jobs)))
        with self._reporting(progress) as report:
            self._check(self._lib.pm_set_progress(self._open, report, FFI.NULL))
            try:
                error = function(self._open, raw, len(jobs), answers)
            finally:
                self._lib.pm_set_progress(self._open, FFI.NULL, FFI.NULL)
        if error == Error["ARGUMENT"]:
            self._check(error)
        results = [self._result(answers[i], job.tag) for i, job in enumerate(jobs)]
        FFI.buffer(answers)[:] = bytes(FFI.sizeof(answers))
        self._check(error, results)
        return results

    def submit(self, job: Job, rule: Rule = DEFAULT_RULE) -> None:
        """Queues one job; `DeviceError` FULL if 1,024 are outstanding."""
        raw = FFI.new("pm_job *")
        keep = self._fill(raw, job, rule, self._next_tag)
        self._check(self._lib.pm_submit(self._open, raw))
        del keep
        self._remember(job.tag)

    def submit_secret(self, job: SecretJob) -> None:
        """The same for an operation with a secret operand."""
        raw = FFI.new("pm_secret_job *")
        keep = self._fill_secret(raw, job, self._next_tag)
        self._check(self._lib.pm_submit_secret(self._open, raw))
        del keep
        self._remember(job.tag)

    def _remember(self, tag: Any) -> None:
        self._tags[self._next_tag] = tag
        self._next_tag += 1

    def _taken(self, error: int, raw: Any) -> Result:
        if error not in (Error["OK"], Error["PROTOCOL"]):
            self._check(error)
        if raw.tag not in self._tags:
            raise DeviceError(Error["PROTOCOL"], f"a result has tag {raw.tag}, which no job has")
        result = self._result(raw, self._tags.pop(raw.tag))
        self._check(error, [result])
        return result

    def poll(self) -> Result | None:
        """A finished result, in the order in which jobs end, or None if there is none now;
        `DeviceError` IDLE without jobs."""
        raw = FFI.new("pm_result *")
        error = self._lib.pm_poll(self._open, raw)
        return None if error == Error["AGAIN"] else self._taken(error, raw)

    def wait(self, timeout_cycles: int = 10_000_000) -> Result:
        """The next finished result; `DeviceError` TIMEOUT (the jobs stay outstanding), IDLE."""
        raw = FFI.new("pm_result *")
        return self._taken(self._lib.pm_wait(self._open, timeout_cycles, raw), raw)

    @property
    def outstanding(self) -> int:
        """Jobs submitted whose result was not taken yet."""
        count = FFI.new("size_t *")
        self._check(self._lib.pm_outstanding(self._open, count))
        return count[0]

    def soft_reset(self) -> None:
        """Ends every outstanding job with an answer, to be taken as usual."""
        self._check(self._lib.pm_soft_reset(self._open))

    def run(self, cycles: int) -> None:
        """Lets the device run for `cycles` clock cycles."""
        self._check(self._lib.pm_run(self._open, cycles))

    def set_batch_timeout(self, cycles: int) -> None:
        """Cycles without progress after which `verify_batch` gives up."""
        self._check(self._lib.pm_set_batch_timeout(self._open, cycles))

    # ---- registers

    def read(self, address: int) -> int:
        """Value of the register at a byte address; `DeviceError` ADDRESS, BUS (refused)."""
        value = FFI.new("uint32_t *")
        self._check(self._lib.pm_read_reg(self._open, address, value))
        return value[0]

    def write(self, address: int, value: int) -> None:
        """Writes the register at a byte address; `DeviceError` ADDRESS, BUS (refused)."""
        self._check(self._lib.pm_write_reg(self._open, address, value))

    def elapsed(self) -> int:
        """Device clock cycles since opening; may be called in the progress function of a batch."""
        cycles = FFI.new("uint64_t *")
        self._check(self._lib.pm_elapsed(self._open, cycles))
        return cycles[0]

    def info(self) -> Info:
        """Identity and state."""
        raw = FFI.new("pm_device_info *")
        self._check(self._lib.pm_info(self._open, raw))
        version = ".".join(str(raw.version >> shift & 255) for shift in (16, 8, 0))
        backend, config, name = (FFI.string(text).decode("latin-1") for text in (raw.backend, raw.config, raw.name))
        return Info(backend, config, name, version, raw.config_word, raw.elapsed_cycles, raw.stray_answers)

    def identity(self) -> Identity | None:
        """The identity of the bitstream; None where the back-end reaches none."""
        raw = FFI.new("pm_identity *")
        error = self._lib.pm_read_identity(self._open, raw)
        if error == Error["ADDRESS"]:
            return None
        self._check(error)
        texts = (FFI.string(text).decode("ascii", "replace") for text in (raw.revision, raw.board, raw.configuration))
        return Identity(raw.clock_khz, bool(raw.modified), *texts)

    def counters(self) -> Counters:
        """Counters of the core since reset or `clear_counters`."""
        raw = FFI.new("pm_counter_values *")
        self._check(self._lib.pm_counters(self._open, raw))
        return Counters(raw.jobs, raw.valid, raw.errors, raw.cycles, raw.busy, raw.muls)

    def clear_counters(self) -> None:
        """Sets the counters to zero; `DeviceError` BUS while a job is under way."""
        self._check(self._lib.pm_clear_counters(self._open))


class X25519Device(Device):
    """An opened core `x25519`: of all jobs, it does those of operation "x25519", in their order, and answers all
    others `malformed_job`."""

    CORE = "x25519"
    NAME = "PMX2"

    def __init__(self, config: str = X25519.default, backend: str = "sim", settings: str = "", *,
                 lib: Path | None = None, module: Path | None = None) -> None:
        """As `Device`; config: a name of `X25519.parameters`."""
        super().__init__(config, backend, settings, lib=lib, module=module)
