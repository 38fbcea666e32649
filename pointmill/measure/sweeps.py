# SPDX-License-Identifier: Apache-2.0
"""Sweeps from what is known to what is not, and a whole sweep as one measurement.

Every point leaves a record of its own for each measure in build/sweep, so that a sweep that was broken off goes on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pointmill.measure import local, plan, store
from pointmill.measure.inputs import Inputs, merged
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.measure.store import Entry
from pointmill.measure.task import Outcome, Task
from pointmill.simbuild import BUILD

FOLDER = BUILD / "sweep"
RETRIES = 3
Executor = Callable[[Sequence[Task]], Iterator[tuple[Task, Outcome]]]


@dataclass(frozen=True)
class Counts:
    """Tasks of a sweep: with figures from before, done now, and of these without figures."""

    kept: int
    done: int
    failed: int


def known(task: Task, folder: Path) -> Entry | None:
    """The record of a task; None where there is none, or half of one."""
    try:
        return store.load(task.record, folder)
    except ValueError:
        return None


def done(task: Task, folder: Path) -> Entry:
    """The record of a task that was done; `RuntimeError` where there is none."""
    entry = known(task, folder)
    if entry is None:
        raise RuntimeError(f"{task.name} has no record")
    return entry


def holds(task: Task, folder: Path) -> bool:
    """Whether the task need not be done again: it had figures, and nothing they depend on has changed."""
    entry = known(task, folder)
    return entry is not None and entry.error is None and entry.inputs == task.inputs().digest()


def save(task: Task, outcome: Outcome, folder: Path, revision: tuple[str, bool]) -> None:
    """Records an outcome, in place of an older one."""
    figures = (Record(f"sweep.{task.sweep}", task.point, one.what, one.value, one.unit) for one in outcome.figures)
    store.save(Entry(task.record, f"pointmill sweep {task.sweep} --measures {task.what}", dict(task.params),
                     task.measure().versions(), *revision, f"{datetime.now(UTC):%Y-%m-%d}", outcome.inputs,
                     outcome.seconds, tuple(figures), outcome.node, outcome.error), folder)  # fmt: skip


def complete(tasks: Sequence[Task], folder: Path, execute: Executor,
             progress: Callable[[], None] = lambda: None) -> Counts:  # fmt: skip
    """Has those tasks executed whose figures are not known, and records each outcome as it comes. `RuntimeError` if a
    task is answered twice or not at all."""
    waiting = {task.name: task for task in tasks if not holds(task, folder)}
    counts, failed, revision = Counts(len(tasks) - len(waiting), len(waiting), 0), 0, store.revision()
    for _ in range(counts.kept):
        progress()
    for task, outcome in execute(list(waiting.values())) if waiting else ():
        if waiting.pop(task.name, None) is None:
            raise RuntimeError(f"{task.name} returned two results")
        save(task, outcome, folder, revision)
        failed += outcome.error is not None
        progress()
    if waiting:
        raise RuntimeError(f"no result for {', '.join(waiting)}")
    return Counts(counts.kept, counts.done, failed)


# ---- a whole sweep --------------------------------------------------------------------------------


def tasks(one: Measurement) -> list[Task]:
    """The tasks of the sweep; `KeyError` for an unknown one."""
    return plan.sweeps()[one.words[0]].tasks()


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on: the points, and what is measured of each."""
    chosen = tasks(one)
    return merged([task.inputs() for task in chosen], json.dumps([[task.what, dict(task.params)] for task in chosen]))


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the configuration."""
    found = plan.sweeps()[one.words[0]]
    return {"sweep": found.name, **found.fixed, **found.parameters}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    return {tool: version for task in tasks(one) for tool, version in task.measure().versions().items()}


def run(one: Measurement, folder: Path = FOLDER) -> list[Record]:
    """The figures of every point; `RuntimeError` where one has none."""
    chosen = tasks(one)
    complete(chosen, folder, partial(local.execute, jobs=os.cpu_count() or 1, retries=RETRIES))
    entries = [done(task, folder) for task in chosen]
    if wrong := [entry for entry in entries if entry.error is not None]:
        raise RuntimeError(f"{len(wrong)} points have no figures, {wrong[0].measurement}: {wrong[0].error}")
    return [figure for entry in entries for figure in entry.figures]
