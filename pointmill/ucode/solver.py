# SPDX-License-Identifier: Apache-2.0
"""CP-SAT as the schedulers use it: the same result on every machine, and no model solved twice.

A result is kept below build/cache by the hash of its model, of the time and of the version of the solver, since
generators and tests of several processes ask for the same schedules.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from pointmill.simbuild import BUILD, write_whole

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

CP_SECONDS = 60.0
"""Deterministic time of a search."""

CACHE = BUILD / "cache" / "solutions"


@dataclass(frozen=True)
class Answer:
    """The best that was found for a model: values of its variables, of the objective, and the proved bound of that."""

    values: list[int]
    objective: float
    bound: float
    optimal: bool

    def value(self, variable: IntVar) -> int:
        """Of an integer or Boolean variable of the model."""
        return self.values[variable.index]


def new_model() -> CpModel:
    """An empty model. `ModuleNotFoundError` without OR-Tools, which only those need who make a schedule."""
    from ortools.sat.python import cp_model

    return cp_model.CpModel()


def solve(model: CpModel, seconds: float | None = None) -> Answer | None:
    """The answer found within `seconds` of deterministic time, or CP_SECONDS; None if there is none."""
    seconds = seconds or CP_SECONDS
    key = f"{version('ortools')} {seconds}\n{model.proto}"
    kept = CACHE / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
    if kept.is_file():
        return Answer(**json.loads(kept.read_text()))
    answer = _search(model, seconds)
    if answer:
        write_whole(kept, json.dumps(asdict(answer)))
    return answer


def _search(model: CpModel, seconds: float) -> Answer | None:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_search_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = seconds
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return Answer(list(solver.response_proto.solution), solver.objective_value, solver.best_objective_bound,
                  status == cp_model.OPTIMAL)  # fmt: skip
