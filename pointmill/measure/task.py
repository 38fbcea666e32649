# SPDX-License-Identifier: Apache-2.0
"""One measure of one point: what it is, and its execution, in a process of its own or on a node of a cluster.

`python -m pointmill.measure.task` reads a task and writes its outcome, both JSON.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import platform
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType

from pointmill.measure.inputs import Inputs, merged
from pointmill.measure.records import WHATS

Params = Mapping[str, int | str]
ERROR_END = 4000  # characters of an error that are kept, its last ones


@dataclass(frozen=True)
class Figure:
    """One figure; `what` is a word of records.WHATS."""

    what: str
    value: float
    unit: str

    def __post_init__(self) -> None:
        if self.what not in WHATS:
            raise ValueError(f"{self.what} is not one of the words of records.WHATS")


@dataclass(frozen=True)
class Measure:
    """What a subject can be asked: `run` gives the figures of a point, `inputs` what they depend on beside the subject,
    `tools` the packages; `programs`: what else it runs, with what says its version."""

    run: Callable[[Params], Sequence[Figure]]
    inputs: Callable[[Params], Inputs]
    tools: tuple[str, ...] = ()
    programs: Mapping[str, Callable[[], str]] = field(default_factory=dict)

    def versions(self) -> dict[str, str]:
        """Of the tools and programs, by name."""
        return {name: importlib.metadata.version(name) for name in self.tools} | {
            name: ask() for name, ask in self.programs.items()}


@dataclass(frozen=True)
class Task:
    """A measure of a point of a sweep. point: its name; params: all parameters of the measure."""

    sweep: str
    subject: str
    what: str
    point: str
    params: Params

    @property
    def name(self) -> str:
        """Different for every task of a sweep."""
        return f"{self.point}.{self.what}"

    @property
    def record(self) -> str:
        """Name of its record."""
        return f"sweep.{self.sweep}.{self.name}"

    def measure(self) -> Measure:
        """What carries it out."""
        return subject_module(self.subject).MEASURES[self.what]

    def inputs(self) -> Inputs:
        """The subject, the parameters, the tools and what else the figures depend on."""
        own = Inputs((), [Path(str(subject_module(self.subject).__file__))])
        text = json.dumps([dict(self.params), self.measure().versions()], sort_keys=True)
        return merged([own, self.measure().inputs(self.params)], text)


@dataclass(frozen=True)
class Outcome:
    """What became of a task: its figures, or the error. node: where that was; inputs: of the sources there."""

    figures: Sequence[Figure]
    seconds: float
    node: str
    inputs: str
    error: str | None = None

    def text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))


def outcome_of(text: str) -> Outcome:
    """The outcome that `Outcome.text` wrote; ValueError, TypeError or KeyError for anything else."""
    raw = json.loads(text)
    return Outcome(**{**raw, "figures": [Figure(**figure) for figure in raw["figures"]]})


def subject_module(name: str) -> ModuleType:
    """The module of a subject: one of pointmill.measure.subjects, or, with a dot in its name, any other.
    ValueError if there is none."""
    path = name if "." in name else f"pointmill.measure.subjects.{name}"
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name and not path.startswith(error.name):
            raise
        raise ValueError(f"no subject {name}") from error


def perform(task: Task, node: str = "") -> Outcome:
    """Carries a task out; whatever goes wrong is the error of its outcome. node: "" for this machine."""
    begin = time.monotonic()
    figures: Sequence[Figure] = ()
    inputs, error = "", None
    try:
        inputs = task.inputs().digest()
        figures = list(task.measure().run(task.params))
    except Exception as problem:
        last = traceback.extract_tb(problem.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        error = f"{type(problem).__name__}: {problem}"[-ERROR_END:] + f" ({place})"
    return Outcome(figures, round(time.monotonic() - begin, 2), node or platform.node(), inputs, error)


def main() -> int:
    """Standard output of the tools goes to standard error: the outcome must stand alone."""
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    answer.write(perform(Task(**json.load(sys.stdin))).text())
    answer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
