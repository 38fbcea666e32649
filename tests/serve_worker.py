# SPDX-License-Identifier: Apache-2.0
"""The process of a device that fails on purpose: `pointmill.api.worker` with a functional device behind a fault, which
the settings name.

| settings | the device |
|---|---|
| `swap=N` | gives the results of the first two jobs of every Nth run each other's verdict and tag |
| `lie=N` | says `valid` beside another reason in every Nth run |
| `short=N` | leaves out the last result of every Nth run |
| `die=N` | ends its process in every Nth run |
| `poison` | ends its process whenever a message begins with `poison` |
| `defect` | raises what nobody expects whenever a message begins with `poison` |
| `slow=MS` | takes so many milliseconds a job |
| `open=S` | takes so many seconds until it is open |
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pointmill.api import worker
from pointmill.api.engine import Engine, JobEngine
from pointmill.functional.device import FunctionalDevice


class Faulty(JobEngine):
    """A functional device behind a fault. Runs of known answers do not count."""

    def __init__(self, fault: str) -> None:
        super().__init__(FunctionalDevice())
        self.kind, _, number = fault.partition("=")
        self.number = int(number or 1)
        self.runs = 0

    def run(self, calls: Sequence[Any], progress: Any = lambda done, total: None) -> list[Any]:
        """Results, with the fault."""
        if str(calls[0].tag).startswith("probe"):
            return super().run(calls, progress)
        if self.kind == "poison" and any(call.msg.startswith(b"poison") for call in calls):
            os._exit(9)
        if self.kind == "defect" and any(call.msg.startswith(b"poison") for call in calls):
            raise TypeError(calls[-1].msg)
        if self.kind == "slow":
            for index in range(len(calls)):
                time.sleep(self.number / 1000)
                progress(index + 1, len(calls))
        found = super().run(calls, progress)
        self.runs += 1
        if self.kind in ("slow", "poison", "defect") or self.runs % self.number:
            return found
        if self.kind == "die":
            os._exit(9)
        if self.kind == "swap" and len(found) > 1:
            found[:2] = [found[1], found[0]]
        if self.kind == "lie":
            found[0] = replace(found[0], valid=not found[0].valid)
        return found[:-1] if self.kind == "short" else found


def open_faulty(core: str, config: str | None, device: str, settings: str, module: Any) -> Engine:
    """In place of `open_engine`."""
    if settings.startswith("open="):
        time.sleep(int(settings.removeprefix("open=")))
    return Faulty(settings)


if __name__ == "__main__":
    worker.open_engine = open_faulty
    worker.main()
