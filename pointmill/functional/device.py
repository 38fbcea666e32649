# SPDX-License-Identifier: Apache-2.0
"""`FunctionalDevice`: the methods of `pointmill.device.Device` for batches, without a core behind them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl import bindings as sodium

from .. import register_map
from ..client import DeviceError, Error, Progress
from ..cores import EDVERIFY
from ..device import DEFAULT_RULE, MODES, Info, Job, Result, Rule, SecretJob, rule_number
from ..errors import InputError
from ..rules import OPERATIONS, RULES_BY_ID
from .cycles import Cycles, cycles_of
from .verdicts import reason_of

MESSAGE_BYTES = 16384
"""Longest message that the core signs (hw/edverify/rtl/pm_edverify.sv)."""


def _settings(text: str) -> dict[str, float]:
    """The settings, "mhz=NUMBER" being all there are; `DeviceError` CONFIG for others."""
    try:
        found = {name: float(value) for name, value in (word.split("=") for word in filter(None, text.split(",")))}
        if found.keys() - {"mhz"} or not all(0 < value < math.inf for value in found.values()):
            raise ValueError
    except ValueError:
        raise DeviceError(Error["CONFIG"], f"settings {text!r} are none of the functional device: mhz=NUMBER") from None
    return found


def _x25519(job: SecretJob) -> tuple[bytes, bool]:
    """The payload, and whether it is zero, which libsodium rejects."""
    try:
        return sodium.crypto_scalarmult(job.secret, job.u), False
    except RuntimeError:
        return bytes(32), True


class FunctionalDevice:
    """A functional `edverify`; a context manager. One thread at a time.

    Verdicts and reasons are those of the core, `cycles` those of its records for verifications, otherwise 0. settings:
    with "mhz=NUMBER" a batch takes as long as the core would at that clock, otherwise as long as it takes.
    """

    CORE = "edverify"

    def __init__(self, config: str = EDVERIFY.default, backend: str = "model", settings: str = "") -> None:
        """config: a named configuration of `edverify`. `InputError` for another one, `DeviceError`."""
        if config not in EDVERIFY.parameters:
            known = ", ".join(EDVERIFY.parameters)
            raise InputError(f"core edverify has no configuration {config!r}; it has {known}")
        self._config, self._parameters = config, EDVERIFY.parameters[config]
        self._mhz = _settings(settings).get("mhz")
        self._mode = "single"
        self._elapsed = 0

    def info(self) -> Info:
        """Identity: back-end `model`, contexts and modes of the configuration."""
        built = {"contexts": self._parameters["Contexts"], "secret_ops": self._has_secrets,
                 "keys": self._exponent("Keys"), "batch": self._exponent("Batch")}
        word = sum(int(value) << register_map.field("edverify", "CONFIG", name).low for name, value in built.items())
        return Info("model", self._config, "PMED", "0.0.0", word, self._elapsed, 0)

    def _exponent(self, parameter: str) -> int:
        """That of a power of two, as CONFIG has it; 0 where the configuration has none."""
        return max(1, self._parameters.get(parameter, 0)).bit_length() - 1

    @property
    def _has_secrets(self) -> bool:
        throughput = self._parameters["Contexts"] > 1 and "Scheduled" not in self._parameters
        return bool(self._parameters.get("SecretOps", throughput))

    def set_mode(self, mode: str) -> None:
        """As `Device.set_mode`; only cycles depend on it."""
        if mode not in MODES:
            raise InputError(f"no mode {mode!r}; known are {', '.join(MODES)}")
        if mode not in self.info().modes:
            raise DeviceError(Error["MODE"], "the core was built without this mode")
        self._mode = mode

    def verify_batch(self, jobs: Sequence[Job], rule: Rule = DEFAULT_RULE, progress: Progress | None = None
                     ) -> list[Result]:
        """As `Device.verify_batch`."""
        numbers = [rule_number(rule if job.rule is None else job.rule) for job in jobs]
        costs = [cycles_of(self._config, RULES_BY_ID[n].name, self._mode) if n in RULES_BY_ID else None
                 for n in numbers]

        def result(index: int) -> Result:
            job, number = jobs[index], numbers[index]
            if number not in RULES_BY_ID:
                return Result(job.tag, False, "malformed_job", number, 0)
            known = RULES_BY_ID[number]
            reason = reason_of(known, job.pk, job.msg, job.sig)
            cost = costs[index] if reason != "malformed_job" else None
            return Result(job.tag, reason == "ok", reason, known.name, cost.of(len(jobs)) if cost else 0)

        return self._paced(len(jobs), result, next(filter(None, costs), None), progress)

    def secret_batch(self, jobs: Sequence[SecretJob], progress: Progress | None = None) -> list[Result]:
        """As `Device.secret_batch`."""
        for job in jobs:
            if job.op not in OPERATIONS or not OPERATIONS[job.op].secret:
                known = ", ".join(name for name, entry in OPERATIONS.items() if entry.secret)
                raise InputError(f"no operation {job.op!r}; known are {known}")
        return self._paced(len(jobs), lambda index: self._secret(jobs[index]), None, progress)

    def _secret(self, job: SecretJob) -> Result:
        lengths = len(job.secret) == 32 and len(job.u) == (32 if job.op == "x25519" else 0)
        if not (self._has_secrets and lengths) or (job.msg and job.op != "sign"):
            return Result(job.tag, False, "malformed_job", 0, 0)
        if job.op == "x25519":
            payload, zero = _x25519(job)
            return Result(job.tag, True, "ok", 0, 0, payload, zero)
        key = Ed25519PrivateKey.from_private_bytes(job.secret)
        public = key.public_key().public_bytes_raw()
        if job.op == "keygen":
            return Result(job.tag, True, "ok", 0, 0, public)
        if len(job.msg) > MESSAGE_BYTES:
            return Result(job.tag, False, "message_too_long", 0, 0)
        return Result(job.tag, True, "ok", 0, 0, public + key.sign(job.msg))

    def _paced(self, count: int, result: Callable[[int], Result], cost: Cycles | None,
               progress: Progress | None) -> list[Result]:
        """All results; not before the core would have them, where a clock is set."""
        begin, results = time.monotonic(), []
        for index in range(count):
            results.append(result(index))
            if progress is not None:
                progress(index + 1, count)
        if cost is not None:
            cycles = cost.run(count)
            self._elapsed += cycles
            if self._mhz:
                time.sleep(max(0.0, begin + cycles / (self._mhz * 1e6) - time.monotonic()))
        return results

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
