# SPDX-License-Identifier: Apache-2.0
"""CP-SAT as the schedulers use it: the same result on every machine, and no model solved twice.

A solution is kept by its question: the hash of the model, of the time, and of the version and the parameters of the
solver. Changed rules of a scheduler, a changed machine or program make other models, so other questions.

- build/cache/solutions has every solution of this tree, since generators and tests of several processes ask for the
  same schedules.
- data/solutions.jsonl, a generated file, has those of the programs of the project that took long to find, so that a
  fresh checkout need not find them again. Such a solution is used when CP-SAT has confirmed that it satisfies every
  constraint of its question and that its objective is right. Only its bound is taken on trust; a long test finds all of
  them anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from pointmill.simbuild import BUILD, ROOT, write_whole

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar

CP_SECONDS = 60.0
"""Deterministic time of a search."""

LONG = 0.04
"""Deterministic time of a search from which on its answer is kept in SOLUTIONS."""

CACHE = BUILD / "cache" / "solutions"
SOLUTIONS = ROOT / "data" / "solutions.jsonl"

_PARAMETERS = {"num_search_workers": 1, "random_seed": 1}


class SolutionError(ValueError):
    """An answer of SOLUTIONS does not answer its question."""


@dataclass(frozen=True)
class Answer:
    """The best that was found for a model: values of its variables, of the objective, and the proved bound of that;
    what was asked, and the deterministic time of the search."""

    values: list[int]
    objective: float
    bound: float
    optimal: bool
    what: str = ""
    time: float = 0.0

    def value(self, variable: IntVar) -> int:
        """Of an integer or Boolean variable of the model."""
        return self.values[variable.index]


_met: dict[str, Answer] = {}


def new_model() -> CpModel:
    """An empty model. `ModuleNotFoundError` without OR-Tools, which only those need who make a schedule."""
    from ortools.sat.python import cp_model

    return cp_model.CpModel()


def solve(model: CpModel, seconds: float | None = None, what: str = "") -> Answer | None:
    """The answer found within `seconds` of deterministic time, or CP_SECONDS; None if there is none. `what` says what
    is asked, for the reader of SOLUTIONS. `SolutionError` for a wrong answer there."""
    seconds = seconds or CP_SECONDS
    question = f"{version('ortools')} {seconds} {_PARAMETERS}\n{model.proto}"
    key = hashlib.sha256(question.encode()).hexdigest()
    kept = CACHE / f"{key}.json"
    answer: Answer | None
    if kept.is_file():
        answer = Answer(**json.loads(kept.read_text()))
    elif answer := solutions().get(key):
        _confirm(model, answer)
    else:
        answer = _search(model, seconds, what)
    if answer:
        _met[key] = answer
        if not kept.is_file():
            write_whole(kept, json.dumps(asdict(answer)))
    return answer


@cache
def solutions() -> dict[str, Answer]:
    """The answers of SOLUTIONS by the hash of their question; none where there is no such file."""
    lines = SOLUTIONS.read_text().splitlines() if SOLUTIONS.is_file() else []
    return {entry.pop("question"): Answer(**entry) for entry in map(json.loads, lines)}


def solutions_text() -> str:
    """SOLUTIONS as it is right for the questions that this process has met."""
    lines = [json.dumps({"question": key, **asdict(answer)})
             for key, answer in sorted(_met.items()) if answer.time >= LONG]
    return "".join(f"{line}\n" for line in lines)


def _solver(seconds: float) -> CpSolver:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    for name, value in _PARAMETERS.items():
        setattr(solver.parameters, name, value)
    solver.parameters.max_deterministic_time = seconds
    return solver


def _confirm(model: CpModel, answer: Answer) -> None:
    """`SolutionError` unless the values satisfy all constraints and give the objective, which does not pass the
    bound."""
    from ortools.sat.python import cp_model

    asked, solver = model.clone(), _solver(CP_SECONDS)
    asked.clear_hints()
    for index, value in enumerate(answer.values):
        asked.add_hint(asked.get_int_var_from_proto_index(index), value)
    solver.parameters.fix_variables_to_their_hinted_value = True
    right = (len(answer.values) == len(model.proto.variables) and answer.bound <= answer.objective
             and answer.optimal == (answer.bound == answer.objective)
             and solver.solve(asked) == cp_model.OPTIMAL and solver.objective_value == answer.objective)  # fmt: skip
    if not right:
        raise SolutionError(f"{SOLUTIONS.name}: the solution for {answer.what} is none; `make gen` without the line "
                            "finds it anew")


def _search(model: CpModel, seconds: float, what: str) -> Answer | None:
    from ortools.sat.python import cp_model

    solver = _solver(seconds)
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return Answer(list(solver.response_proto.solution), solver.objective_value, solver.best_objective_bound,
                  status == cp_model.OPTIMAL, what, round(solver.response_proto.deterministic_time, 3))  # fmt: skip
