# SPDX-License-Identifier: Apache-2.0
"""A sweep from what is known to what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pointmill.sweep.store import Store
from pointmill.sweep.task import Outcome, Task

Executor = Callable[[Sequence[Task]], Iterator[tuple[Task, Outcome]]]


@dataclass(frozen=True)
class Counts:
    """Tasks of a sweep: with figures from before, done now, and of these without figures."""

    kept: int
    done: int
    failed: int


def run(tasks: Sequence[Task], store: Store, execute: Executor,
        progress: Callable[[], None] = lambda: None) -> Counts:  # fmt: skip
    """Has those tasks executed whose figures are not known, and records each outcome as it comes, so that an
    interrupted run goes on where it was. `RuntimeError` if a task is answered twice or not at all."""
    waiting = {task.name: task for task in tasks if not store.holds(task)}
    counts, failed = Counts(len(tasks) - len(waiting), len(waiting), 0), 0
    for _ in range(counts.kept):
        progress()
    for task, outcome in execute(list(waiting.values())) if waiting else ():
        if waiting.pop(task.name, None) is None:
            raise RuntimeError(f"{task.name} was answered twice")
        store.write(task, outcome)
        failed += outcome.error is not None
        progress()
    if waiting:
        raise RuntimeError(f"no answer for {', '.join(waiting)}")
    return Counts(counts.kept, counts.done, failed)
