# SPDX-License-Identifier: Apache-2.0
"""Devices on the fake back-end (fake_backend.c), and jobs whose verdict it decides as wished."""

from __future__ import annotations

import random
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

from pointmill import library
from pointmill.device import Device, Job

HERE = Path(__file__).resolve().parent


def fake_library() -> Path:
    """libpointmill with the back-end "fake" alone."""
    return library.shared_library([*library.DRIVER, HERE / "fake_backend.c"],
                                  {"PM_EXTRA_BACKEND": "pm_backend_fake"})


def fake_device(config: str = library.DEFAULT_CONFIG, settings: str = "") -> Device:
    """An opened fake device."""
    return Device(config, "fake", settings, fake_library())


def fake_job(rng: random.Random, length: int, valid: bool = True, *, start: bytes = b"",
             **more: Any) -> Job:
    """A job with a message of `length` bytes that begins with `start`."""
    message = (start + rng.randbytes(length))[:length]
    pk, r = rng.randbytes(32), rng.randbytes(32)
    s = reduce(xor, pk + r + message, 0) ^ (not valid)
    return Job(pk, message, r + bytes([s]) + rng.randbytes(30) + b"\0", **more)
