# SPDX-License-Identifier: Apache-2.0
"""Lines for the service, good, wrong and malformed, with the reasons that the golden model gives."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from pointmill.device import Job
from pointmill.model import ed25519
from pointmill.rules import RULES

SEEDS = [bytes([i]) * 32 for i in range(4)]
MALFORMED = ("{", '{"pk": "00"}', '{"pk": "zz", "msg": "", "sig": ""}', "[1, 2]")
PER_POOL = 40


@dataclass(frozen=True)
class Line:
    """A line without tag, its job if it is one, and its reason."""

    text: str
    job: Job | None
    reason: str


@cache
def pool() -> tuple[Line, ...]:
    """40 lines: under every rule set valid ones, and one in eight altered; two in 40 malformed."""
    keys = [ed25519.public_key(seed) for seed in SEEDS]
    found = []
    for index in range(PER_POOL):
        if index % 20 == 7:
            found.append(Line(MALFORMED[index // 20], None, "malformed_job"))
            continue
        key, msg, rule = keys[index % 4], b"message %d" % index, list(RULES)[index % 6]
        signature = bytearray(ed25519.sign(SEEDS[index % 4], msg))
        if index % 8 == 3:
            signature[(index * 5) % 64] ^= 1 << index % 8
        reason = ed25519.verify(rule, key, msg, bytes(signature)).reason.name
        record = {"pk": key.hex(), "msg": msg.hex(), "sig": bytes(signature).hex(), "rule": rule}
        found.append(Line(json.dumps(record), Job(key, msg, bytes(signature), rule), reason))
    return tuple(found)


def body(count: int, first: int = 0) -> tuple[bytes, list[str]]:
    """So many lines of the pool from one on, again and again, and their reasons."""
    chosen = [pool()[(first + index) % PER_POOL] for index in range(count)]
    return "".join(f"{line.text}\n" for line in chosen).encode(), [line.reason for line in chosen]


def reasons(answer: bytes) -> list[str]:
    """Of the answers, in their order; `AssertionError` for one whose tag, mark or verdict does not fit."""
    found = []
    for index, text in enumerate(answer.splitlines()):
        record = json.loads(text)
        assert record["tag"] == index and record["device"] == "model", record
        assert record["valid"] == (record["reason"] == "ok"), record
        found.append(record["reason"])
    return found
