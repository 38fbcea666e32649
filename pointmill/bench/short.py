# SPDX-License-Identifier: Apache-2.0
"""The short run whose exact cycle counts `make test` compares with data/ratchet.yaml.

For every configuration and rule set: the sum of the cycles of a few jobs, each alone in the core. For every
configuration: the cycles for which the core is busy with a queue of jobs.
"""

from __future__ import annotations

from pointmill.bench.edverify import signatures
from pointmill.device import Device, Job, Result
from pointmill.rules import RULES

ALONE, QUEUE = 3, 60
RULE = "rfc8032_cofactorless"


def _verify(device: Device, jobs: list[Job], rule: str) -> list[Result]:
    results = device.verify_batch(jobs, rule)
    if not all(result.valid for result in results):
        raise RuntimeError(f"{rule}: an honest signature is refused")
    return results


def measure(device: Device, config: str, seed: int = 41) -> dict[str, int]:
    """The figures of a configuration by name; `RuntimeError` where a signature is refused."""
    jobs = [Job(item.pk, item.msg, item.sig) for item in signatures(QUEUE, seed)]
    found = {}
    for rule in RULES:
        cycles = [_verify(device, [job], rule)[0].cycles for job in jobs[:ALONE]]
        found[f"{config}/alone/{rule}"] = sum(cycles)
    before = device.counters().busy
    _verify(device, jobs, RULE)
    found[f"{config}/queue/{RULE}"] = device.counters().busy - before
    return found
