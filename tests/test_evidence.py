# SPDX-License-Identifier: Apache-2.0
"""Measurements and their records: what makes one stale, what is kept, what a run that is broken off leaves."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from pointmill.bench import ratchet
from pointmill.bench.records import Record
from pointmill.evidence import inputs, measure, plan, ratcheted, store, sweeps, synthesis
from pointmill.evidence.plan import Measurement
from pointmill.evidence.store import Entry
from pointmill.simbuild import ROOT
from pointmill.sweep import plan as sweep_plan
from tests.sweep_probe import length

QUIET = Console(quiet=True)
UNITS = ("pm_addsub", "pm_fifo", "pm_lifo")


def some() -> list[Measurement]:
    """Three measurements of synthesis."""
    return [plan.measurements()[f"syn.xc7.{unit}"] for unit in UNITS]


def figures_of(one: Measurement) -> list[Record]:
    """Figures as a measurement would give them."""
    return [Record(one.words[-1], "xc7", "lut", len(one.name), "LUT")]


def entry_of(name: str, *figures: Record) -> Entry:
    """A record with these figures."""
    return Entry(name, "make", {}, {}, "0" * 40, False, "2026-01-31", "0" * 64, 1, figures)


# ---- inputs ---------------------------------------------------------------------------------------


def test_files_of_a_unit() -> None:
    """Those that it names, and what they name; not another unit of the same list, nor one named in a comment."""
    names = {path.stem for path in inputs.closure("pm_addsub", ["rtl/field/field.f"])}
    assert "pm_addsub" in names and "pm_mulmod" not in names and "pm_mont_mul" not in names
    whole = {path.stem for path in inputs.closure("pm_edverify", ["rtl/cores/edverify/edverify.f"])}
    assert {"pm_mulmod", "pm_karatsuba", "pm_sha512", "pm_edverify_rom", "pm_edverify_ucode_pkg"} <= whole
    with pytest.raises(ValueError, match="pm_nothing"):
        inputs.closure("pm_nothing", ["rtl/field/field.f"])


def test_closure_and_hash(tmp_path: Path) -> None:
    texts = {"pm_a": "module pm_a; pm_b u_b (); // pm_c\nendmodule", "pm_b": "module pm_b;\nendmodule",
             "pm_c": "module pm_c;\nendmodule"}
    paths = {name: tmp_path / f"{name}.sv" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text)
    found = inputs.closure("pm_a", list(paths.values()))
    assert found == [paths["pm_a"], paths["pm_b"]]
    before = inputs.digest(found, "x")
    assert before == inputs.digest(reversed(found), "x") != inputs.digest(found, "y")
    paths["pm_c"].write_text("module pm_c; wire x;\nendmodule")
    assert inputs.digest(found, "x") == before
    paths["pm_b"].write_text("module pm_b; wire x;\nendmodule")
    assert inputs.digest(found, "x") != before


# ---- records --------------------------------------------------------------------------------------


def test_record_file(tmp_path: Path) -> None:
    """What is written is what is read; other keys, other names and doubles are refused."""
    figure = Record("pm_x", "xc7", "lut", 7, "LUT", 9)
    entry = entry_of("syn.xc7.pm_x", figure, replace(figure, what="ff", published=None))
    path = store.save(entry, tmp_path)
    assert path.name == "syn.xc7.pm_x.json" and [*tmp_path.iterdir()] == [path]
    assert store.load("syn.xc7.pm_x", tmp_path) == entry and store.load("syn.xc7.pm_y", tmp_path) is None
    assert store.load_all(tmp_path) == {entry.measurement: entry}
    data = json.loads(path.read_text())
    for wrong, message in (({**data, "typed": 1}, "keys"), ({**data, "measurement": "x"}, "holds"),
                           ({**data, "figures": data["figures"] * 2}, "twice")):
        with pytest.raises(ValueError, match=message):
            store.parse(json.dumps(wrong), "syn.xc7.pm_x")
    with pytest.raises(ValueError, match="too"):
        store.figures({"a": entry, "b": replace(entry, measurement="b")})


def test_committed_records() -> None:
    """Each belongs to a measurement of the plan, was made of a revision without changes, and has figures."""
    entries, known = store.load_all(), plan.measurements()
    for name, entry in entries.items():
        assert name in known and entry.command == known[name].command
        assert entry.figures and not entry.dirty and len(entry.revision) == 40
    assert len(store.figures(entries)) == sum(len(entry.figures) for entry in entries.values())


# ---- the run --------------------------------------------------------------------------------------


def test_a_run_that_is_broken_off_goes_on(tmp_path: Path) -> None:
    """What was made before the break is there and kept, the rest is made; a failure does not stop the others."""
    seen: list[str] = []

    def breaks(one: Measurement) -> list[Record]:
        seen.append(one.words[-1])
        if one.words[-1] == "pm_fifo":
            raise KeyboardInterrupt
        return figures_of(one)

    with pytest.raises(KeyboardInterrupt):
        measure.make(some(), QUIET, folder=tmp_path, runner=breaks)
    assert seen == ["pm_addsub", "pm_fifo"] and [*store.load_all(tmp_path)] == ["syn.xc7.pm_addsub"]

    def fails(one: Measurement) -> list[Record]:
        if one.words[-1] == "pm_fifo":
            raise RuntimeError("wrong")
        return figures_of(one)

    outcome = measure.make(some(), QUIET, folder=tmp_path, runner=fails)
    assert outcome.kept == ["syn.xc7.pm_addsub"] and outcome.made == ["syn.xc7.pm_lifo"]
    assert outcome.failed == {"syn.xc7.pm_fifo": "wrong"}
    assert [*store.load_all(tmp_path)] == ["syn.xc7.pm_addsub", "syn.xc7.pm_lifo"]
    again = measure.make(some(), QUIET, again=True, folder=tmp_path, runner=figures_of)
    assert len(again.made) == 3 and not again.kept


def test_the_command_rewrites_pages_of_new_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when everything is kept, or the run is broken off."""
    rendered: list[int] = []
    monkeypatch.setattr(measure, "render", lambda: rendered.append(1) or [])
    outcomes = iter([measure.Outcome(["x"], [], {}, {}), measure.Outcome([], ["x"], {}, {}),
                     measure.Outcome([], [], {}, {"x": "wrong"})])
    monkeypatch.setattr(measure, "make", lambda *_: next(outcomes))
    assert [measure.main(["syn.xc7.pm_fifo"]) for _ in range(3)] == [0, 0, 1] and len(rendered) == 1

    def breaks(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "make", breaks)
    assert measure.main(["syn.xc7.pm_fifo"]) == 130 and len(rendered) == 1


def test_what_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed source, a changed parameter; not a change elsewhere. What does not come with the project is left out."""
    source = tmp_path / "pm_addsub.sv"
    source.write_text("module pm_addsub;\nendmodule")
    monkeypatch.setattr(synthesis, "files", lambda one: [source])
    records, one = tmp_path / "records", some()[0]
    assert measure.state(one, store.load_all(records)) == measure.MISSING
    measure.make([one], QUIET, folder=records, runner=figures_of)
    entries = store.load_all(records)
    assert measure.state(one, entries) == measure.KEPT and entries[one.name].dirty  # git does not know the file
    source.write_text("module pm_addsub; wire x;\nendmodule")
    assert measure.state(one, entries) == measure.STALE
    assert measure.make([one], QUIET, folder=records, runner=figures_of).made == [one.name]
    entries = store.load_all(records)
    monkeypatch.setattr(synthesis, "text", lambda one: "other parameters")
    assert measure.state(one, entries) == measure.STALE

    def changes(one: Measurement) -> list[Record]:
        source.write_text("module pm_addsub; wire y, z;\nendmodule")
        return figures_of(one)

    assert "changed" in measure.make([one], QUIET, again=True, folder=records, runner=changes).failed[one.name]
    assert store.load_all(records) == entries

    def missing(one: Measurement) -> list[Record]:
        raise synthesis.Missing("no timing library")

    outcome = measure.make([one], QUIET, folder=records, runner=missing)
    assert outcome.left_out == {one.name: "no timing library"} and not outcome.failed


def test_names_stand_for_what_goes_on_behind_them() -> None:
    known = plan.measurements()
    assert [one.name for one in measure.select(known, ["syn.xc7.pm_mulmod"])] == ["syn.xc7.pm_mulmod"]
    loads = measure.select(known, ["bench.edverify.load", "pnr.ecp5.pm_modl"])
    assert [one.name for one in loads] == [
        "bench.edverify.load.throughput", "bench.edverify.load.latency", "pnr.ecp5.pm_modl.1"]
    assert len(measure.select(known, [])) == len(known)
    with pytest.raises(KeyError, match="syn.xc8"):
        measure.select(known, ["syn.xc8"])


def test_revision_and_dirt(monkeypatch: pytest.MonkeyPatch) -> None:
    if (measure.ROOT / ".git").exists():
        sha, _ = measure.revision([measure.ROOT / "Makefile"])
        assert len(sha) == 40

    def no_git(*words: object, **options: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", no_git)
    assert measure.revision([]) == ("unknown", True)


# ---- sweeps ---------------------------------------------------------------------------------------


def test_a_sweep_is_one_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of all points in one record, which is stale when a point's sources or the points change; none where a point fails."""
    steps = sweep_plan.Sweep("steps", "cycles of a step", "tests.sweep_probe", {"mul": [8, 9], "interval": [1, 3]},
                             {"folder": str(tmp_path), "free": 99, "dies": 0, "times": 0}, (), ("cycles",), ())  # fmt: skip
    sweeps_known = {"steps": steps}
    monkeypatch.setattr(sweep_plan, "read", lambda: sweeps_known)
    one = Measurement("sweep", ("steps",), "make measure M=sweep.steps")
    outcome = measure.make([one], QUIET, folder=tmp_path, runner=lambda it: sweeps.run(it, tmp_path / "points"))
    assert outcome.made == [one.name], outcome.failed
    entry = store.load(one.name, tmp_path)
    assert [(figure.config, figure.value) for figure in entry.figures] == [
        (f"mul={mul},interval={interval}", length(mul, interval)) for mul in (8, 9) for interval in (1, 3)]
    assert entry.tools.keys() == {"ortools"} and ROOT / "tests" / "sweep_probe.py" in sweeps.files(one)
    assert measure.state(one, {one.name: entry}) == measure.KEPT
    sweeps_known["steps"] = replace(steps, parameters={"mul": [8, 9], "interval": [3]})
    assert measure.state(one, {one.name: entry}) == measure.STALE
    sweeps_known["steps"] = replace(steps, measures=("cycles", "clock"))
    failed = measure.make([one], QUIET, again=True, folder=tmp_path, runner=lambda it: sweeps.run(it, tmp_path / "points"))
    assert "2 points have no figures" in failed.failed[one.name]


# ---- ratchet --------------------------------------------------------------------------------------


def test_worse_areas_fail_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worse count and a lost record fail, a better and a new one ask to be written; clocks and packed cells do not count."""
    known = {"xc7/pm_a/lut": 10, "xc7/pm_a/dsp": 2, "xc7/pm_b/lut": 5}
    monkeypatch.setattr(ratchet, "committed", lambda section: known if section == "area" else {})
    monkeypatch.setattr(ratchet, "CHANGELOG", Path("/dev/null"))
    entry = entry_of("syn.xc7.pm_a", Record("pm_a", "xc7", "lut", 11, "LUT"), Record("pm_a", "xc7", "dsp", 1, "DSP48E1"),
                     Record("pm_a", "ecp5 seed 1", "dsp", 9, ""), Record("pm_a", "xc7", "carry", 9, "CARRY4"))
    outcome = ratcheted.compare({entry.measurement: entry})["area"]
    assert [str(change) for change in outcome.failed] == [
        "xc7/pm_a/lut: 10 -> 11", "xc7/pm_b/lut: 5, not measured any more"]
    assert [change.name for change in outcome.better] == ["xc7/pm_a/dsp"]


def test_cycles_without_a_record_are_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"paper/verify/cycles_mean": 7435.8, "paper/inversion/cycles_mean": 205.8}
    monkeypatch.setattr(ratchet, "committed", lambda section: known if section == "bench" else {})
    figure = Record("edverify.verify", "paper", "cycles_mean", 7436.0, "cycles")
    entry = entry_of("bench.edverify.verify.paper", figure)
    outcome = ratcheted.compare({entry.measurement: entry})["bench"]
    assert [change.name for change in outcome.failed] == ["paper/verify/cycles_mean"]


def test_committed_records_hold_the_ratchet() -> None:
    """No committed record is worse than data/ratchet.yaml allows."""
    failed = [change for outcome in ratcheted.compare(store.load_all()).values() for change in outcome.failed]
    assert not failed, "; ".join(map(str, failed))
