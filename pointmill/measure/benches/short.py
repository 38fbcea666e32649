# SPDX-License-Identifier: Apache-2.0
"""The short run of `edverify`, whose exact cycle counts `make test` compares with the committed record.

For every rule set: the sum of the cycles of a few jobs, each alone in the core. Then the cycles for which the core is
busy with a queue of jobs.
"""

from __future__ import annotations

from pointmill.device import Device, Job, Result
from pointmill.measure.benches.edverify import CORE, signatures
from pointmill.measure.records import Record
from pointmill.rules import RULES

ALONE, QUEUE = 3, 60
RULE = "rfc8032_cofactorless"


def _verify(device: Device, jobs: list[Job], rule: str) -> list[Result]:
    results = device.verify_batch(jobs, rule)
    if not all(result.valid for result in results):
        raise RuntimeError(f"{rule}: an honest signature is rejected")
    return results


def measure(config: str, seed: int = 41) -> list[Record]:
    """The figures of a configuration; `RuntimeError` where a signature is refused."""
    jobs = [Job(item.pk, item.msg, item.sig) for item in signatures(QUEUE, seed)]
    found = {}
    with Device(config) as device:
        for rule in RULES:
            found[f"alone_{rule}"] = sum(_verify(device, [job], rule)[0].cycles for job in jobs[:ALONE])
        before = device.counters().busy
        _verify(device, jobs, RULE)
        found[f"queue_{RULE}"] = device.counters().busy - before
    return [Record(f"{CORE}.short_{name}", config, "cycles", value, "cycles") for name, value in found.items()]
