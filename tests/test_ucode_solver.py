# SPDX-License-Identifier: Apache-2.0
"""Results of CP-SAT: kept by their model, never taken for another."""

from __future__ import annotations

from pathlib import Path

import pytest
from ortools.sat.python import cp_model

from pointmill.ucode import solver


def knapsack(limit: int) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """At most so many of three kinds, of weights 2, 3 and 4 and values 3, 5 and 7, within a weight of 10."""
    model = cp_model.CpModel()
    counts = [model.new_int_var(0, limit, "") for _ in range(3)]
    model.add(2 * counts[0] + 3 * counts[1] + 4 * counts[2] <= 10)
    model.maximize(3 * counts[0] + 5 * counts[1] + 7 * counts[2])
    return model, counts


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(solver, "CACHE", tmp_path / "solutions")
    return tmp_path / "solutions"


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
