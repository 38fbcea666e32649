# SPDX-License-Identifier: Apache-2.0
"""Outcomes of sweeps on disk: one file for each task."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from pointmill.evidence.revision import revision
from pointmill.evidence.store import write
from pointmill.sweep.task import Outcome, Task


class Store:
    """The files of the tasks of one sweep, in `folder`/<sweep>/<point>.<measure>.json."""

    def __init__(self, folder: Path):
        self.folder = folder

    @cached_property
    def _revision(self) -> tuple[str, bool]:
        return revision()

    def path(self, task: Task) -> Path:
        """Of a task's file."""
        return self.folder / task.sweep / f"{task.name}.json"

    def read(self, task: Task) -> dict[str, Any] | None:
        """What is known of a task; None if nothing is."""
        try:
            return json.loads(self.path(task).read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return None

    def holds(self, task: Task) -> bool:
        """Whether the task need not be done again: it had figures, and nothing they depend on has changed."""
        known = self.read(task)
        return known is not None and known["error"] is None and known["inputs"] == task.inputs()

    def write(self, task: Task, outcome: Outcome) -> None:
        """Records an outcome, in place of an older one."""
        sha, dirty = self._revision
        write(self.path(task), {
            "measurement": f"sweep.{task.sweep}.{task.name}",
            "command": f"pointmill sweep {task.sweep} --measures {task.what}",
            "config": dict(task.params),
            "tools": task.measure().versions(),
            "revision": sha,
            "dirty": dirty,
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "inputs": outcome.inputs,
            "seconds": outcome.seconds,
            "node": outcome.node,
            "error": outcome.error,
            "figures": [{"id": f"sweep.{task.sweep}", "config": task.point, "what": figure.what, "value": figure.value,
                         "unit": figure.unit, "published": None} for figure in outcome.figures],
        })  # fmt: skip

    def known(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, dict[str, Any]]]:
        """The tasks of which something is known, and that."""
        for task in tasks:
            if (record := self.read(task)) is not None:
                yield task, record
