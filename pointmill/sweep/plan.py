# SPDX-License-Identifier: Apache-2.0
"""Named sweeps (data/sweeps.yaml) and their points."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from pointmill.simbuild import ROOT
from pointmill.sweep.task import Params, Task, subject_module

PLAN = ROOT / "data" / "sweeps.yaml"
_KEYS = {"doc", "subject", "parameters", "fixed", "without", "measures", "pareto"}
_VALUE = re.compile(r"[\w.+-]+")


class PlanError(ValueError):
    """A sweep that cannot be run, and why."""


@dataclass(frozen=True)
class Sweep:
    """A named sweep: every combination of the values of `parameters`, but those that agree with an entry of
    `without`; `fixed` are parameters that are the same in all. pareto: the figures that are weighed against
    each other; settings: how its values differ from those of the file."""

    name: str
    doc: str
    subject: str
    parameters: Mapping[str, Sequence[int | str]]
    fixed: Params
    without: Sequence[Params]
    measures: tuple[str, ...]
    pareto: tuple[str, ...]
    settings: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """What runs this sweep."""
        words = [self.name, "--measures", ",".join(self.measures), *(f"--set {text}" for text in self.settings)]
        return f"pointmill sweep {' '.join(words)}"

    def points(self) -> list[Params]:
        """The combinations, in the order of the values."""
        combinations = (dict(zip(self.parameters, values, strict=True))
                        for values in itertools.product(*self.parameters.values()))
        return [point for point in combinations
                if not any(entry.items() <= point.items() for entry in self.without)]

    def tasks(self) -> list[Task]:
        """One for each point and measure; those of a measure stand together, cheap ones first."""
        return [Task(self.name, self.subject, what, point_name(point), {**self.fixed, **point})
                for what in self.measures for point in self.points()]  # fmt: skip


def point_name(point: Params) -> str:
    """How a point is called, also in names of files."""
    return ",".join(f"{name}={value}" for name, value in point.items())


def _scalars(where: str, values: object) -> list[int | str]:
    """The values of a parameter; PlanError unless they are whole numbers or words, at least one, no two alike."""
    if not isinstance(values, list) or not values:
        raise PlanError(f"{where}: a list of values is wanted, not {values!r}")
    for value in values:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole and not (isinstance(value, str) and _VALUE.fullmatch(value)):
            raise PlanError(f"{where}: {value!r} is neither a whole number nor a word")
    if len(set(values)) != len(values):
        raise PlanError(f"{where}: a value stands there twice")
    return values


def _sweep(name: str, entry: Mapping) -> Sweep:
    if missing := {"doc", "subject", "parameters", "measures"} - entry.keys():
        raise PlanError(f"sweep {name}: no {', '.join(sorted(missing))}")
    if unknown := entry.keys() - _KEYS:
        raise PlanError(f"sweep {name}: unknown keys {', '.join(sorted(unknown))}")
    parameters = {key: _scalars(f"sweep {name}, {key}", values) for key, values in entry["parameters"].items()}
    return Sweep(name, entry["doc"], entry["subject"], parameters, entry.get("fixed", {}), entry.get("without", []),
                 tuple(entry["measures"]), tuple(entry.get("pareto", ())))  # fmt: skip


def read(path: Path = PLAN) -> dict[str, Sweep]:
    """The sweeps of a file by name; PlanError for what is wrong in it."""
    try:
        entries = yaml.safe_load(path.read_text())["sweeps"]
        return {name: _sweep(name, entry) for name, entry in entries.items()}
    except (OSError, yaml.YAMLError, TypeError, KeyError, AttributeError) as error:
        raise PlanError(f"{path}: no file of sweeps: {error}") from error


def chosen(sweep: Sweep, settings: Sequence[str], measures: Sequence[str]) -> Sweep:
    """`sweep` with other values, each setting NAME=VALUE,..., and other measures; PlanError where its subject does
    not know them, or nothing is left."""
    module = subject_module(sweep.subject)
    parameters = dict(sweep.parameters)
    for setting in settings:
        name, sign, text = setting.partition("=")
        if not sign:
            raise PlanError(f"{setting!r} is not NAME=VALUE,...")
        words = [_number(word) for word in text.split(",")]
        parameters[name] = _scalars(f"sweep {sweep.name}, {name}", words)
    fixed = {name: value for name, value in sweep.fixed.items() if name not in parameters}
    if unknown := [name for name in (*parameters, *fixed) if name not in module.PARAMETERS]:
        raise PlanError(f"sweep {sweep.name}: no parameter {', '.join(unknown)}; "
                        f"there are {', '.join(module.PARAMETERS)}")  # fmt: skip
    if unknown := [name for name in measures or sweep.measures if name not in module.MEASURES]:
        raise PlanError(f"sweep {sweep.name}: no measure {', '.join(unknown)}; there are {', '.join(module.MEASURES)}")
    found = replace(sweep, parameters=parameters, fixed=fixed, measures=tuple(measures) or sweep.measures,
                    settings=tuple(settings))  # fmt: skip
    if not found.points():
        raise PlanError(f"sweep {sweep.name}: no point is left")
    return found


def _number(word: str) -> int | str:
    """The whole number that a word is, or the word."""
    try:
        return int(word, 0)
    except ValueError:
        return word
