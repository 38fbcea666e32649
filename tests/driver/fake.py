# SPDX-License-Identifier: Apache-2.0
"""Devices on the fake back-end (fake_backend.c), and jobs whose verdict it decides as wished."""

from __future__ import annotations

import dataclasses
import random
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

from pointmill import library
from pointmill.cores import EDVERIFY, X25519
from pointmill.device import Device, DeviceError, Job, Result, SecretJob, X25519Device
from pointmill.model import ed25519
from pointmill.model.x25519 import x25519

HERE = Path(__file__).resolve().parent


def fake_library() -> Path:
    """libpointmill with the back-end "fake" alone."""
    return library.driver([*library.DRIVER, HERE / "fake_backend.c"],
                                  {"PM_EXTRA_BACKEND": "pm_backend_fake"})


def fake_device(config: str = EDVERIFY.default, settings: str = "") -> Device:
    """An opened fake device."""
    return Device(config, "fake", settings, lib=fake_library())


def fake_payload(job: SecretJob) -> bytes:
    """What the fake core computes in place of X25519, key and signature."""
    if job.op == "x25519":
        return bytes(map(xor, job.secret, job.u))
    pk = bytes((byte + 1) & 0xFF for byte in job.secret)
    if job.op == "keygen":
        return pk
    return pk + bytes([reduce(xor, job.secret + job.msg, 0)]) * 32 + job.secret[::-1]


def true_payload(job: SecretJob) -> bytes:
    """What the golden model computes."""
    if job.op == "x25519":
        return x25519(job.secret, job.u)
    pk = ed25519.public_key(job.secret)
    return pk if job.op == "keygen" else pk + ed25519.sign(job.secret, job.msg)


class Modelled(Device):
    """A fake device whose secret operations give what the golden model computes."""

    def secret_batch(self, jobs: Any, progress: Any = None) -> list[Result]:
        """The fake core's answers with another payload; `DeviceError` likewise."""
        try:
            return self._corrected(jobs, super().secret_batch(jobs, progress))
        except DeviceError as error:
            error.results = error.results and self._corrected(jobs, error.results)
            raise

    @staticmethod
    def _corrected(jobs: Any, results: list[Result]) -> list[Result]:
        corrected = []
        for job, result in zip(jobs, results, strict=True):
            if result.valid:
                assert result.payload == fake_payload(job)
                payload = true_payload(job)
                result = dataclasses.replace(
                    result, payload=payload,
                    all_zero=job.op == "x25519" and payload == bytes(32))
            corrected.append(result)
        return corrected


class ModelDevice(Modelled):
    """Such a core `edverify`."""

    def __init__(self, config: str = EDVERIFY.default, settings: str = "") -> None:
        super().__init__(config, "fake", settings, lib=fake_library())


class ModelX25519Device(Modelled, X25519Device):
    """Such a core `x25519`."""

    def __init__(self, config: str = X25519.default, settings: str = "") -> None:
        X25519Device.__init__(self, config, "fake", ",".join(filter(None, ("x25519=1", settings))), lib=fake_library())


def fake_job(rng: random.Random, length: int, valid: bool = True, *, start: bytes = b"",
             pk: bytes | None = None, **more: Any) -> Job:
    """A job with a message of `length` bytes that begins with `start`, under a key, or any."""
    message = (start + rng.randbytes(length))[:length]
    pk, r = rng.randbytes(32) if pk is None else pk, rng.randbytes(32)
    s = reduce(xor, pk + r + message, 0) ^ (not valid)
    return Job(pk, message, r + bytes([s]) + rng.randbytes(30) + b"\0", **more)
