# SPDX-License-Identifier: Apache-2.0
"""Sweeps: points, what is kept and what is done again, failures, marks; on this machine. The cluster is in
test_sweep_cluster.py."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from pointmill import cli
from pointmill.commands import sweep as command
from pointmill.measure import plan, store, sweeps
from pointmill.measure.records import WHATS
from pointmill.measure.subjects import mont_mul, mont_skew, mulmod, rtl, verify, windows
from pointmill.measure.sweeps import Counts, complete
from pointmill.measure.task import Figure, Outcome, Task, outcome_of, subject_module
from pointmill.simbuild import BUILD, ROOT
from pointmill.ucode import basetable
from tests.sweep_probe import length, resources, starts

MUL, SUM = [8, 9, 10], [1, 3]
POINTS = len(MUL) * len(SUM)
SWEEPS = plan.sweeps()
MEASURED_DOUBLE_SCALAR = 5_271
"""Cycles of S G - k A in the core, configuration `paper`, mean."""


class Bench:
    """A sweep of tests/sweep_probe.py in a folder of its own, through the command line."""

    def __init__(self, folder: Path, **fixed: int | str):
        self.work, self.results, self.plan = folder / "work", folder / "results", folder / "plan.yaml"
        self.work.mkdir()
        self.plan.write_text(yaml.safe_dump({"sweep": {"steps": {
            "doc": "steps", "subject": "tests.sweep_probe", "parameters": {"mul": MUL, "sum": SUM},
            "fixed": {"folder": str(self.work), **fixed}, "measures": ["area"], "pareto": ["mhz", "lut"]}}},
                                            sort_keys=False))

    def words(self, *more: str) -> list[str]:
        return ["sweep", "steps", "--plan", str(self.plan), "--folder", str(self.results), "--jobs", "2", *more]

    def records(self) -> dict[str, dict]:
        return {path.name: json.loads(path.read_text()) for path in self.results.glob("*")}

    def ran(self) -> Counter[tuple[int, int]]:
        """How often each point was begun."""
        return Counter((entry["mul"], entry["sum"]) for entry in starts(self.work))


def tally(known: int, done: int, failed: int, tasks: int = POINTS) -> str:
    return f"{POINTS} points, {tasks} tasks: {known} known before, {done} done, {failed} failed"


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


# ------------------------------------------------------------------------------------------ points


@pytest.mark.parametrize("name", SWEEPS)
def test_sweeps_of_the_project(name: str) -> None:
    """Subject, parameters, measures and words exist; no two points or tasks have one name."""
    sweep = plan.chosen(SWEEPS[name], [], [])
    points, tasks = sweep.points(), sweep.tasks()
    module = subject_module(sweep.subject)
    assert len(points) > 3 and len(tasks) == len(points) * len(sweep.measures)
    assert len({plan.point_name(point) for point in points}) == len(points)
    assert len({task.name for task in tasks}) == len(tasks)
    assert set(sweep.pareto) <= WHATS.keys() and sweep.pareto
    assert all(task.params.keys() <= module.PARAMETERS.keys() for task in tasks)
    assert len({task.inputs().digest() for task in tasks}) == len(tasks)


def test_there_are_sweeps() -> None:
    assert SWEEPS.keys() >= {"mulmod", "mulmod-depth", "mont_mul", "mont_skew", "contexts",
                             "windows"}


def test_points() -> None:
    """All combinations in order, but those that agree with an entry of `without` in all that it says."""
    sweep = plan.Sweep("x", "x", "mulmod", {"Levels": [1, 2], "FoldStages": [2, 3, 4]}, {"W": 258},
                       [{"Levels": 1, "FoldStages": 4}, {"FoldStages": 3, "Levels": 2}], ("cycles", "area"), ())
    assert [tuple(point.values()) for point in sweep.points()] == [(1, 2), (1, 3), (2, 2), (2, 4)]
    tasks = sweep.tasks()
    assert [task.what for task in tasks] == ["cycles"] * 4 + ["area"] * 4
    assert tasks[1].name == "Levels=1,FoldStages=3.cycles"
    assert tasks[1].params == {"W": 258, "Levels": 1, "FoldStages": 3}


@pytest.mark.parametrize(("words", "text"), [
    (["nope"], "no sweep nope; there are mulmod,"),
    (["mulmod", "--set", "Level=3"], "no parameter Level; there are N, C, W, Levels,"),
    (["mulmod", "--set", "Levels"], "'Levels' is not NAME=VALUE,..."),
    (["mulmod", "--set", "Levels="], "Levels: '' is neither a whole number nor a word"),
    (["mulmod", "--set", "Levels=3,../x"], "Levels: '../x' is neither"),
    (["mulmod", "--set", "Levels=3,0x3"], "Levels: a value stands there twice"),
    (["mont_mul-forms", "--set", "packed=0", "--set", "Named=1"], "no point is left"),
    (["mulmod", "--measures", "cycles,volume"], "no measure volume; there are cycles, area, clock"),
    (["mulmod", "--jobs", "0"], "--jobs must be at least 1"),
    (["mulmod", "--retries", "-1"], "--retries at least 0"),
    (["mulmod", "--plan", "README.md"], "README.md: no file of sweeps"),
    (["mulmod", "--plan", "no/such/file"], "no/such/file: no file of sweeps"),
    (["mulmod", "--address", "127.0.0.1:1"], "no cluster at 127.0.0.1:1"),
    (["mulmod", "--address", "ray://127.0.0.1:1"], "no cluster at ray://127.0.0.1:1"),
    ([], "name a sweep, or say --list"),
])
def test_refusals(words: list[str], text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One line says what is wrong; nothing is begun."""
    assert cli.main(["sweep", *words, "--folder", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().out.splitlines()
    answer = json.loads(line)
    assert answer["valid"] is False and text in answer["error"], answer
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("change", "text"), [
    ({"subject": "nothing"}, "no subject nothing"),
    ({"parameters": {"mul": []}}, "mul: a list of values is wanted"),
    ({"parameters": {"mul": 3}}, "mul: a list of values is wanted"),
    ({"parameters": {"mul": [True]}}, "True is neither"),
    ({"parameters": {"mul": [1.5]}}, "1.5 is neither"),
    ({"parameters": {"mul": [8, 9, 8]}}, "a value stands there twice"),
    ({"fixed": {"mull": 3}}, "no parameter mull"),
    ({"measure": ["cycles"]}, "unknown keys measure"),
    ({"doc": None}, "no doc"),
], ids=["subject", "empty", "no_list", "boolean", "fraction", "twice", "fixed", "keys", "doc"])
def test_refused_plans(change: dict[str, Any], text: str, tmp_path: Path) -> None:
    entry = {"doc": "x", "subject": "tests.sweep_probe", "parameters": {"mul": [8]}, "measures": ["cycles"]} | change
    file = tmp_path / "plan.yaml"
    file.write_text(yaml.safe_dump({"sweep": {"x": {k: v for k, v in entry.items() if v is not None}}}))
    with pytest.raises(ValueError, match=text):
        plan.chosen(plan.sweeps(file)["x"], [], [])


# ------------------------------------------------------------------------------------------ figures


@pytest.mark.parametrize(("params", "latency"), [({}, 6), ({"OpReg": 1}, 7), ({"Levels": 2, "FoldStages": 3}, 6)])
def test_cycles_of_the_multiplier(params: dict[str, int], latency: int) -> None:
    """Those of docs/field-multiplier.md, from the module itself."""
    assert mulmod.cycles(params) == [Figure("cycles", latency, "cycles")]


def test_the_module_refuses_its_parameters() -> None:
    with pytest.raises(ValueError, match="W must be even"):
        mulmod.cycles({"W": 259})


def test_cycles_by_windows() -> None:
    """With the windows of the design close to what the core takes (docs/performance.md); longer ones cost tables."""
    found = {at: [figure.value for figure in windows.cycles({"g": at[0], "a": at[1], "pairs": 200})]
             for at in ((10, 5), (5, 5), (10, 3))}  # fmt: skip
    assert abs(found[10, 5][0] - MEASURED_DOUBLE_SCALAR) < 60
    assert found[5, 5][0] > found[10, 5][0] < found[10, 3][0]
    assert found[10, 5][1] - found[5, 5][1] == (256 - 8) * 3 * 255
    with pytest.raises(ValueError, match="at least 3 bits"):
        windows.cycles({"g": 2, "a": 5})


@pytest.mark.long
@pytest.mark.parametrize(("params", "expected"), [
    ({"bits": 521}, 34), ({"bits": 384, "packed": 1}, 18), ({"bits": 384, "packed": 1, "Named": 1}, 9),
    ({"Half": 320, "Digit": 16}, 16)])
def test_cycles_of_montgomery_products(params: dict[str, int], expected: int) -> None:
    """Those of the headers of both units, from the verilated units."""
    assert mont_mul.cycles(params) == [Figure("cycles", expected, "cycles")]


@pytest.mark.long
@pytest.mark.parametrize(("params", "expected"), [
    ({}, 34), ({"contexts": 4}, 8.5), ({"contexts": 5}, 7), ({"bits": 521, "contexts": 4}, 28)])
def test_cycles_of_chains_of_products(params: dict[str, int], expected: float) -> None:
    """One more than the latency of pm_mont_skew by the products at a time, but not less than its interval."""
    assert mont_skew.cycles(params) == [Figure("cycles_per_operation", expected, "cycles")]


@pytest.mark.long
def test_cycles_of_verifications() -> None:
    """Two contexts, which wait for nothing but their own jobs, end two in the time of one."""
    found = {figure.what: figure.value for figure in verify.cycles({"Contexts": 2, "SecretOps": 0, "signatures": 40})}
    assert found["cycles_per_verification"] == pytest.approx(found["cycles_alone"] / 2, rel=0.02)
    products = found["utilisation"] * found["cycles_per_verification"]
    assert 2000 < products < 2200


def test_area() -> None:
    """A table of four words has a flip-flop for each different column that is not constant."""
    words = basetable.packed(4)
    columns = {tuple(word >> bit & 1 for word in words) for bit in range(basetable.ENTRY_BITS)}
    found = {figure.what: figure.value for figure in subject_module("windows").MEASURES["area"].run({"g": 4, "a": 5})}
    assert found.keys() == {"lut", "ff", "dsp", "ramb18"} and len(words) == 4
    assert (found["ff"], found["dsp"], found["ramb18"]) == (len(columns - {(0,) * 4, (1,) * 4}), 0, 0)


@pytest.mark.long
def test_clock() -> None:
    """Place and route of a small module: a clock that registers of this family can have, and no multiplier."""
    found = {figure.what: figure for figure in
             rtl.clock(rtl.as_unit("pm_fifo", ["hw/lib/prim/prim.f"], {"Width": 8, "Depth": 4}))}  # fmt: skip
    assert found.keys() == {"mhz", "comb", "ff", "dsp", "ebr"}
    assert found["mhz"].unit == "MHz" and 200 < found["mhz"].value < 1000
    assert found["comb"].value > 0 and found["ff"].value > 0 and found["dsp"].value == found["ebr"].value == 0


def test_a_modulus_that_does_not_fit() -> None:
    with pytest.raises(ValueError, match="66 digits of 8 bits are more than 2 x 256 bits"):
        mont_mul.cycles({"bits": 521, "Digit": 8, "Half": 256})


# ----------------------------------------------------------------------------- what is kept, what is done


def test_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file for each task with its figures; then nothing is left to do."""
    bench = Bench(tmp_path)
    assert cli.main(bench.words("--measures", "cycles")) == 0
    assert last_line(capsys) == tally(0, POINTS, 0)
    found = bench.records()
    assert found.keys() == {f"sweep.steps.mul={m},sum={i}.cycles.json" for m in MUL for i in SUM}
    for record in found.values():
        m, i = record["config"]["mul"], record["config"]["sum"]
        assert record["measurement"] == f"sweep.steps.mul={m},sum={i}.cycles" and record["error"] is None
        assert record["figures"] == [{"id": "sweep.steps", "config": f"mul={m},sum={i}", "what": "cycles",
                                      "value": length(m, i), "unit": "cycles", "published": None}]  # fmt: skip
        assert record["tools"].keys() == {"ortools"} and len(record["inputs"]) == 64 and record["seconds"] > 0
    assert cli.main(bench.words("--measures", "cycles")) == 0
    assert last_line(capsys) == tally(POINTS, 0, 0)
    assert bench.records() == found and bench.ran() == dict.fromkeys(bench.ran(), 1)


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, id="SIGINT", marks=pytest.mark.long),
                                    pytest.param(signal.SIGTERM, id="SIGTERM")])
def test_an_interrupted_sweep_goes_on(number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C or a batch system's signal in the middle: answered points are kept, what runs is ended; then only the
    others are done."""
    bench = Bench(tmp_path, free=3)
    # What runs in the background of a shell may ignore SIGINT, and its children do so too.
    driver = subprocess.Popen([sys.executable, "-m", "pointmill.cli", *bench.words()], cwd=ROOT, text=True,
                              stdout=subprocess.PIPE, start_new_session=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        end = time.monotonic() + 120
        while len(bench.records()) < 3 or len(starts(bench.work)) < 5:
            assert driver.poll() is None and time.monotonic() < end
            time.sleep(0.05)
        driver.send_signal(number)
        said = driver.communicate(timeout=60)[0]
    finally:
        driver.kill()
        driver.wait()
    assert driver.returncode == 128 + number
    assert json.loads(said.splitlines()[-1])["reason"] == "interrupted"
    before, begun = bench.records(), bench.ran()
    assert len(before) == 3 and begun.total() == 5 and all(name.endswith(".json") for name in before)
    for entry in starts(bench.work):
        with pytest.raises(ProcessLookupError):
            os.kill(entry["pid"], 0)
    (bench.work / "release").touch()
    assert cli.main(bench.words()) == 0
    assert last_line(capsys) == tally(3, POINTS - 3, 0)
    after = bench.records()
    assert len(after) == POINTS and {name: after[name] for name in before} == before
    again = bench.ran() - begun
    done = {(record["config"]["mul"], record["config"]["sum"]) for record in before.values()}
    assert again == Counter({(m, i): 1 for m in MUL for i in SUM if (m, i) not in done})


def test_changed_inputs_are_measured_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a figure depends on counts, not when or where it was."""
    source = BUILD / f"sweep-input-{os.getpid()}.txt"
    source.parent.mkdir(exist_ok=True)
    try:
        source.write_text("one")
        bench = Bench(tmp_path, input=str(source.relative_to(ROOT)))
        for text, again in (("one", POINTS), ("one", 0), ("two", POINTS), ("two", 0)):
            source.write_text(text)
            assert cli.main(bench.words()) == 0
            assert last_line(capsys) == tally(POINTS - again, again, 0)
    finally:
        source.unlink(missing_ok=True)
    assert set(bench.ran().values()) == {2} and len(bench.ran()) == POINTS


def test_points_that_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are recorded with their error, and named; the others are answered, and the failed ones tried again."""
    bench = Bench(tmp_path)
    for known in (0, 2 * POINTS - 2):
        assert cli.main(bench.words("--measures", "area,clock")) == 1
        out = capsys.readouterr()
        assert out.out.splitlines()[-1] == tally(known, 2 * POINTS - known, 2, tasks=2 * POINTS)
        assert out.err.count("ValueError: nine cycles are too many (sweep_probe.py:") == 2
    found = bench.records()
    wrong = {name for name, record in found.items() if record["error"] is not None}
    assert wrong == {f"sweep.steps.mul=9,sum={i}.clock.json" for i in SUM} and len(found) == 2 * POINTS
    assert not any(found[name]["figures"] for name in wrong)
    assert all(record["figures"] for name, record in found.items() if name not in wrong)


@pytest.mark.parametrize(("times", "failed"), [(1, 0), (99, 2)])
def test_a_process_dies(times: int, failed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its task runs again, so often as it may; no other task suffers."""
    bench = Bench(tmp_path, dies=9, times=times)
    assert cli.main(bench.words("--retries", "1")) == int(failed > 0)
    assert last_line(capsys) == tally(0, POINTS, failed)
    assert bench.ran() == Counter({(m, i): 2 if m == 9 else 1 for m in MUL for i in SUM})
    errors = [record["error"] for record in bench.records().values() if record["error"]]
    assert len(errors) == failed and all("ended 2 times without an answer, exit -9" in error for error in errors)


def made_up(count: int) -> list[Task]:
    return [Task("steps", "tests.sweep_probe", "cycles", f"mul={i}", {"mul": i}) for i in range(count)]


def answered(tasks: Sequence[Task]) -> Iterator[tuple[Task, Outcome]]:
    for task in tasks:
        yield task, Outcome([Figure("cycles", 1, "cycles")], 1, "here", task.inputs().digest())


@pytest.mark.parametrize(("execute", "text"), [
    (lambda tasks: answered([*tasks, tasks[1]]), "mul=1.cycles returned two results"),
    (lambda tasks: answered(tasks[:-2]), "no result for mul=4.cycles, mul=5.cycles"),
], ids=["twice", "never"])
def test_every_task_is_answered_once(execute: Callable, text: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=text):
        complete(made_up(6), tmp_path, execute)


def test_a_record_is_whole_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that is lost while it writes leaves the record as it was; half a file counts as none."""
    tasks = made_up(3)
    assert complete(tasks, tmp_path, answered) == Counts(0, 3, 0)

    def power_fails(*_: object) -> None:
        raise OSError("power")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="power"):
        patch.setattr(os, "replace", power_fails)
        sweeps.save(tasks[0], Outcome([], 1, "here", "", "new"), tmp_path, ("", True))
    assert sweeps.holds(tasks[0], tmp_path) and sweeps.known(tasks[0], tmp_path).figures[0].value == 1
    path = store.path_of(tasks[1].record, tmp_path)
    text = path.read_text()
    path.write_text(text[: len(text) // 2])
    assert complete(tasks, tmp_path, answered) == Counts(2, 1, 0)
    assert path.read_text() == text


def test_outcomes_as_text() -> None:
    outcome = Outcome([Figure("lut", 3, "LUT"), Figure("mhz", 1.5, "MHz")], 0.5, "x", "y", "z")
    assert outcome_of(outcome.text()) == outcome
    with pytest.raises(ValueError, match="pages is not one of the words"):
        outcome_of(outcome.text().replace("lut", "pages", 1))


# ------------------------------------------------------------------------------------------ marks


def test_front() -> None:
    """The points that none other beats, by comparing all pairs; more of `mhz` is better, fewer of the others."""
    rng = random.Random(3)
    for _ in range(200):
        points = {str(i): {"lut": rng.randrange(5), "cycles": rng.randrange(5), "mhz": rng.randrange(5)}
                  for i in range(rng.randrange(1, 12))}  # fmt: skip

        def beats(a: dict[str, int], b: dict[str, int]) -> bool:
            no_worse = a["lut"] <= b["lut"] and a["cycles"] <= b["cycles"] and a["mhz"] >= b["mhz"]
            return no_worse and a != b

        best = {name for name, row in points.items() if not any(beats(other, row) for other in points.values())}
        partial = {"incomplete": {"lut": -1, "cycles": -1}}
        assert command.front(points | partial, ["lut", "cycles", "mhz"]) == best
        assert best
    assert command.front({"a": {"lut": 1}}, []) == set()


def test_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each point; the mark stands with the points of the front."""
    bench = Bench(tmp_path)
    assert cli.main(bench.words("--measures", "area,clock", "--set", "mul=8,10")) == 0
    rows = [[cell.strip() for cell in line.strip("│").split("│")]
            for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    # 8 cycles give the higher clock, and less area at the same sum.
    assert rows == [[str(m), str(i), f"{resources(m, i):,}", str(200 - m), "*" if (m, i) == (8, 3) else "", ""]
                    for m in (8, 10) for i in SUM]  # fmt: skip
