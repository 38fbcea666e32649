# SPDX-License-Identifier: Apache-2.0
"""Results of CP-SAT: kept by their model, never taken for another; those of the checkout are right."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ortools.sat.python import cp_model

from pointmill.gen import __main__ as gen
from pointmill.ucode import build, solver
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule

INTERFACE = ("walk_double, walk_double_t, walk_add_fixed, walk_add_fixed_t, walk_add_first, walk_add_first_t, "
             "walk_sub_first, walk_sub_first_t, walk_add, walk_add_t, walk_sub, walk_sub_t")
"""Blocks of `halfsize` on `edverify`, configuration `latency`, of which the checkout has the answer."""


CHECKED_IN = solver.SOLUTIONS


def knapsack(limit: int) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """At most so many of three kinds, of weights 2, 3 and 4 and values 3, 5 and 7, within a weight of 10."""
    model = cp_model.CpModel()
    counts = [model.new_int_var(0, limit, "") for _ in range(3)]
    model.add(2 * counts[0] + 3 * counts[1] + 4 * counts[2] <= 10)
    model.maximize(3 * counts[0] + 5 * counts[1] + 7 * counts[2])
    return model, counts


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of answers; nothing met so far, and the checkout's answers read again before and after."""
    monkeypatch.setattr(solver, "CACHE", tmp_path / "solutions")
    monkeypatch.setattr(solver, "_met", {})
    solver.solutions.cache_clear()
    yield tmp_path / "solutions"
    solver.solutions.cache_clear()


def test_answer_is_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, counts = knapsack(1)
    first = solver.solve(model)
    assert [first.value(count) for count in counts] == [1, 1, 1]
    assert (first.objective, first.bound, first.optimal) == (15, 15, True)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(solver, "_search", lambda model, seconds: pytest.fail("searched again"))
    assert solver.solve(knapsack(1)[0]) == first


@pytest.mark.parametrize("change", ["model", "seconds", "version"])
def test_other_question_other_answer(cache: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    solver.solve(knapsack(1)[0])
    if change == "seconds":
        monkeypatch.setattr(solver, "CP_SECONDS", 30.0)
    if change == "version":
        monkeypatch.setattr(solver, "version", lambda _: "another")
    found = solver.solve(knapsack(2 if change == "model" else 1)[0])
    assert found.objective == (17 if change == "model" else 15)
    assert len(list(cache.iterdir())) == 2


def test_without_an_answer_nothing_is_kept(cache: Path) -> None:
    model, counts = knapsack(1)
    model.add(sum(counts) == 4)
    assert solver.solve(model) is None
    assert not cache.exists()


def checkout(folder: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[dict[str, Any]], dict[str, Any] | None],
             entries: list[dict[str, Any]] | None = None) -> int:
    """Makes a checkout whose answers are changed, or left out where the change gives None; how many there are."""
    if entries is None:
        entries = [json.loads(line) for line in CHECKED_IN.read_text().splitlines()]
    kept = [entry for entry in map(change, entries) if entry]
    (folder / "solutions.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in kept))
    monkeypatch.setattr(solver, "SOLUTIONS", folder / "solutions.jsonl")
    solver.solutions.cache_clear()
    return len(kept)


WRONG: dict[str, dict[str, Any]] = {
    "other objective": {"objective": 14.0, "bound": 14.0},
    "infeasible": {"values": [2, 1, 1], "objective": 18.0, "bound": 18.0},
    "too few values": {"values": [1, 1]},
    "not proved": {"optimal": False},
    "not the bound": {"bound": 12.0},
}


@pytest.mark.parametrize("wrong", [None, *WRONG])
def test_answer_of_the_checkout(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                wrong: str | None) -> None:
    """It is taken without a search; a wrong one is an error, not a schedule."""
    monkeypatch.setattr(solver, "LONG", 0.0)
    right = solver.solve(knapsack(1)[0], what="knapsack")
    entries = [json.loads(line) for line in solver.solutions_text().splitlines()]
    assert len(entries) == 1 and entries[0]["what"] == "knapsack"
    assert checkout(tmp_path, monkeypatch, lambda entry: entry | WRONG.get(wrong or "", {}), entries) == 1
    monkeypatch.setattr(solver, "CACHE", tmp_path / "fresh")
    monkeypatch.setattr(solver, "_search", lambda *_: pytest.fail("searched again"))
    if wrong:
        with pytest.raises(solver.SolutionError, match="knapsack"):
            solver.solve(knapsack(1)[0])
    else:
        assert solver.solve(knapsack(1)[0]) == right
    assert (tmp_path / "fresh").is_dir() == (wrong is None)


def verify() -> dict[str, Schedule]:
    """Schedules of the verification, made now."""
    machine = Machine("edverify", "latency")
    return build.build_file(machine.path.parent / "halfsize.pmu", machine)[2]


def test_schedule_of_the_checkout(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong start of an operation is an error; what claims no proof loses the bound, which the generated files
    state; without the answer the search finds the same."""
    right = verify()
    bounds = {name: schedule.bound for name, schedule in right.items()}
    assert all(bounds[name] == right[name].length for name in INTERFACE.split(", "))
    answers = [answer for answer in solver._met.values() if answer.what == INTERFACE]
    assert len(answers) == 1

    def changed(**values: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
        return lambda entry: entry | (values if entry["what"] == INTERFACE else {})

    values = answers[0].values
    for number, change in enumerate((changed(values=[*values[:-1], values[-1] + 1]),
                                     changed(optimal=False, bound=answers[0].bound / 2), lambda entry:
                                     entry if entry["what"] != INTERFACE else None)):  # fmt: skip
        folder = tmp_path / str(number)
        folder.mkdir()
        assert checkout(folder, monkeypatch, change) > 40
        monkeypatch.setattr(solver, "CACHE", folder / "cache")
        solver._met.clear()
        if number == 0:
            with pytest.raises(solver.SolutionError, match="walk_double"):
                verify()
        elif number == 1:
            assert {name: schedule.bound for name, schedule in verify().items()} != bounds
        else:
            assert {name: schedule.bound for name, schedule in verify().items()} == bounds
            assert [answer for answer in solver._met.values() if answer.what == INTERFACE] == answers


@pytest.mark.long
def test_every_answer_of_the_checkout_is_found_again(cache: Path, tmp_path: Path,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """All schedules of the project, solved without any answer; this also proves the bounds anew."""
    text = solver.SOLUTIONS.read_text()
    assert text.count("\n") > 40
    name = str(solver.SOLUTIONS.relative_to(gen.ROOT))
    monkeypatch.setattr(solver, "solutions", dict)
    build.build.cache_clear()
    build.link.cache_clear()
    assert gen.outputs()[name] == text
