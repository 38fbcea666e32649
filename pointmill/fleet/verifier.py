# SPDX-License-Identifier: Apache-2.0
"""The actor that has a device and verifies parts with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..api.pool import DevicePool
from ..commands.lines import parse_line
from ..commands.verify import marked, record_of
from ..device import Job, Result
from .parts import Part, read


@dataclass(frozen=True)
class What:
    """name: of the input. rule: of rows without one. config to settings: as in `pointmill.open`."""

    name: str
    rule: str
    config: str | None
    device: str
    settings: str


def verified(pool: DevicePool, what: What, part: Part) -> bytes:
    """The result lines of a part, in the order of its rows; blank rows have none."""
    items = [parse_line(line, part.first + index, what.rule)
             for index, line in enumerate(read(what.name, part)) if line.strip()]
    jobs = [Job(item.job.pk, item.job.msg, item.job.sig, item.job.rule, index)
            for index, item in enumerate(items) if item.job is not None]
    found = {verdict.tag: verdict for verdict in pool.verify_many(jobs, rule=what.rule)}
    if found.keys() != {job.tag for job in jobs}:
        raise RuntimeError("a result has no job, or a job no result")
    lines = []
    for index, item in enumerate(items):
        verdict = found.get(index)
        result = (Result(item.tag, False, "malformed_job", item.rule, 0) if verdict is None else
                  Result(item.tag, verdict.valid, verdict.reason, verdict.rule or 0, verdict.cycles))
        lines.append(json.dumps(record_of(item, result) | marked(what.device)))
    return "".join(f"{line}\n" for line in lines).encode()


class Verifier:
    """For `Dataset.map_batches`: a row is a part, and gives a row with its result lines. The device is in a process of
    its own, and replaced if that ends."""

    def __init__(self, what: What) -> None:
        self._what = what
        self._pool = DevicePool(1, "edverify", what.config, what.device, settings=what.settings)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Of a batch of any number of parts."""
        numbers, texts = [], []
        for values in zip(*(batch[name] for name in ("number", "first", "rows", "start", "end")), strict=True):
            part = Part(*map(int, values))
            numbers.append(part.number)
            texts.append(verified(self._pool, self._what, part))
        return {"number": numbers, "text": texts}
