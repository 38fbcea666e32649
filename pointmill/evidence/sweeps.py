# SPDX-License-Identifier: Apache-2.0
"""The measurement of a whole sweep, and what it depends on: the figures of all its points in one record.

Points that `pointmill sweep` has left in build/sweep are kept, so that a sweep that was broken off goes on.
"""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

from pointmill.bench.records import Record
from pointmill.evidence.plan import Measurement
from pointmill.sweep import local, plan
from pointmill.sweep.command import FOLDER
from pointmill.sweep.run import run as sweep
from pointmill.sweep.store import Store
from pointmill.sweep.task import Task

RETRIES = 3


def tasks(one: Measurement) -> list[Task]:
    """The tasks of the sweep; `KeyError` for an unknown one."""
    return plan.read()[one.words[0]].tasks()


def files(one: Measurement) -> list[Path]:
    """Source files that the figures depend on."""
    return sorted({path for task in tasks(one) for path in task.files()})


def text(one: Measurement) -> str:
    """What else they depend on: the points, and what is measured of each."""
    return json.dumps([[task.what, dict(task.params)] for task in tasks(one)])


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the configuration."""
    found = plan.read()[one.words[0]]
    return {"sweep": found.name, **found.fixed, **found.parameters}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    return {tool: version for task in tasks(one) for tool, version in task.measure().versions().items()}


def run(one: Measurement, folder: Path = FOLDER) -> list[Record]:
    """The figures of every point; `RuntimeError` where one has none."""
    chosen, store = tasks(one), Store(folder)
    sweep(chosen, store, partial(local.execute, jobs=os.cpu_count() or 1, retries=RETRIES))
    outcomes = [record for _, record in store.known(chosen)]
    if wrong := [record for record in outcomes if record["error"] is not None]:
        raise RuntimeError(f"{len(wrong)} points have no figures, {wrong[0]['measurement']}: {wrong[0]['error']}")
    return [Record(**figure) for record in outcomes for figure in record["figures"]]
