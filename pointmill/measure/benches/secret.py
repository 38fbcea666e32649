# SPDX-License-Identifier: Apache-2.0
"""Cycles of X25519, key generation and signing on `edverify`, at the ports of the core: results in steady state, and a
single job.

Operands are random; what is signed has one block together with R and A. The time of a job does not depend on its
operands.
"""

from __future__ import annotations

import random

from pointmill.device import Device, SecretJob
from pointmill.measure.benches.edverify import CORE
from pointmill.measure.benches.throughput import Steady, run_steady
from pointmill.measure.records import Record

OPERATIONS = ("x25519", "keygen", "sign")
EDGE = 84
"""Answers at either end that are not counted; results come in rounds of all contexts, 7 or 12."""

JOBS = 3 * EDGE
MESSAGE = 32


def jobs_of(operation: str, count: int, seed: int) -> list[SecretJob]:
    """Jobs of random operands."""
    rng = random.Random(seed)
    return [SecretJob(operation, rng.randbytes(32), rng.randbytes(32) if operation == "x25519" else b"",
                      rng.randbytes(MESSAGE) if operation == "sign" else b"") for _ in range(count)]


def _steady(device: Device, jobs: list[SecretJob]) -> Steady:
    return run_steady(device, lambda progress: device.secret_batch(jobs, progress), EDGE)


def measure(config: str, seed: int = 2026) -> list[Record]:
    """The records of a configuration; `RuntimeError` where a job is refused."""
    found = []
    for operation in OPERATIONS:
        jobs = jobs_of(operation, JOBS, seed)
        with Device(config) as device:
            alone, = device.secret_batch(jobs[:1])
            steady = _steady(device, jobs)
        name = f"{CORE}.{operation}"
        found += [Record(name, config, "cycles_per_operation", round(steady.cycles, 1), "cycles"),
                  Record(name, config, "products", round(steady.products, 1), "products"),
                  Record(name, config, "cycles_alone", alone.cycles, "cycles")]
    return found
