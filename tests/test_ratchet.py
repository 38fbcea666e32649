# SPDX-License-Identifier: Apache-2.0
"""The ratchet: what may change, what must be said, and what it compares with."""

from __future__ import annotations

import io
import shutil
import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from pointmill import cli
from pointmill.commands import bench, measure
from pointmill.cores import X25519
from pointmill.measure import cycles, plan, ratchet, run, store
from pointmill.measure.plan import Measurement
from pointmill.measure.records import WHATS, Record
from pointmill.measure.store import Entry

CHANGELOG = """# Changelog

## Unreleased

- Two contexts more. Ratchet: throughput/edverify.short_alone_zip215/cycles, and Ratchet: paper/verify/cycles_mean.

## 1.0.0

- Ratchet: paper/queue/zip215
"""


def entry_of(name: str, *figures: Record) -> Entry:
    """A record with these figures."""
    return Entry(name, "make", {}, {}, "0" * 40, False, "2026-01-31", "0" * 64, 1, figures)


def test_names_of_the_changelog() -> None:
    """Only those of the section Unreleased, without the full stop of a sentence."""
    assert ratchet.named(CHANGELOG) == {"throughput/edverify.short_alone_zip215/cycles", "paper/verify/cycles_mean"}
    assert ratchet.named("# Changelog\n\n## 1.0.0\n\n- Ratchet: a/b\n") == set()
    assert ratchet.named("## Unreleased\n\n- Ratchet: a/b\n") == {"a/b"}


def test_comparison() -> None:
    known = {"same": 5, "worse": 5, "named": 5, "better": 5, "gone": 5, "gone_named": 5}
    measured = {"same": 5, "worse": 6, "named": 6.1, "better": 4, "new": 1}
    outcome = ratchet.compare(known, measured, {"named", "gone_named"})
    assert [change.name for change in outcome.failed] == ["gone", "worse"]
    assert [change.name for change in outcome.allowed] == ["gone_named", "named"]
    assert [change.name for change in outcome.better] == ["better", "new"]
    assert str(outcome.failed[1]) == "worse: 5 -> 6"
    assert str(outcome.failed[0]) == "gone: 5, not measured any more"
    assert str(outcome.better[1]) == "new: 1, new"
    assert not outcome.better[1].worse and not outcome.failed[0].worse


def test_less_of_a_score_is_worse() -> None:
    known = {"a/trust.mutation/score": 0.96, "a/trust.mutation/mutants": 600, "b/trust.mutation/score": 0.97}
    measured = {"a/trust.mutation/score": 0.95, "a/trust.mutation/mutants": 601, "b/trust.mutation/score": 0.97}
    outcome = ratchet.compare(known, measured, ())
    assert [change.name for change in outcome.failed] == ["a/trust.mutation/score"]
    assert [change.name for change in outcome.better] == ["a/trust.mutation/mutants"]


def test_figures_that_count() -> None:
    """Cycles of the core alone, exact or the mean; resources, not after packing; gate equivalents."""
    figures = ratchet.figures([
        entry_of("bench.edverify.verify.paper", Record("edverify.verify", "paper", "cycles_mean", 7436.2, "cycles"),
                 Record("edverify.verify", "paper", "products", 3130, "products"),
                 Record("edverify.load_fixed_0.1", "throughput", "latency_mean", 19000, "cycles"),
                 Record("edverify.multiplier", "paper", "in_spacing", 12, "cycles")),
        entry_of("syn.xc7.pm_a", Record("pm_a", "xc7", "dsp", 1, "DSP"), Record("pm_a", "xc7", "carry", 9, "CARRY4")),
        entry_of("pnr.ecp5.pm_a.1", Record("pm_a", "ecp5 seed 1", "dsp", 9, "")),
        entry_of("asic.pm_a", Record("pm_a", "toy", "kge", 1.5, "kGE"), Record("pm_a", "toy", "area", 15, "um2")),
    ])
    assert figures == {"paper/edverify.verify/cycles_mean": 7436.2, "xc7/pm_a/dsp": 1, "toy/pm_a/kge": 1.5}


def test_the_rules_are_words_and_no_values() -> None:
    """Every word is one of records, and every record of their kinds has such a figure."""
    rules = ratchet._rules()
    assert rules.keys() <= {one.kind for one in plan.measurements().values()}
    assert all(isinstance(words, list) and set(words) <= WHATS.keys() for words in rules.values())
    for entry in store.load_all().values():
        kind, *words = entry.measurement.split(".")
        without = {"load", "multiplier", "faults", "leakage", "coordinates"} & {*words}
        assert bool(ratchet.figures([entry])) == (kind in rules and not without)


# ---- the last commit ------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with one committed record and an empty changelog."""
    folder = tmp_path / "data" / "records"
    monkeypatch.setattr(ratchet, "ROOT", tmp_path)
    monkeypatch.setattr(ratchet, "CHANGELOG", tmp_path / "CHANGELOG.md")
    monkeypatch.setattr(store, "FOLDER", folder)
    monkeypatch.setattr(store, "load_all", partial(store.load_all, folder))
    (tmp_path / "CHANGELOG.md").write_text("## Unreleased\n")
    save(tmp_path, 10, 2)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    commit(tmp_path)
    return tmp_path


def commit(tree: Path) -> None:
    """Everything."""
    for words in (["add", "."], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *words], cwd=tree, check=True)


def save(tree: Path, lut: int, dsp: int) -> None:
    """Writes the record of a unit with these resources."""
    figures = Record("pm_a", "xc7", "lut", lut, "LUT"), Record("pm_a", "xc7", "dsp", dsp, "DSP48E1")
    store.save(entry_of("syn.xc7.pm_a", *figures), tree / "data" / "records")


def test_worse_records_fail_by_name(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unless the changelog names them; what is better or new is said, a lost record fails."""
    assert cli.main(["ratchet"]) == 0 and capsys.readouterr().out.startswith("0 worse")
    save(tree, 11, 1)
    assert cli.main(["ratchet"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "ratchet, worse: xc7/pm_a/lut: 10 -> 11; say why in CHANGELOG.md: Ratchet: xc7/pm_a/lut",
        "xc7/pm_a/dsp: 2 -> 1",
        "1 worse, 0 worse as the changelog says, 1 better or new"]
    (tree / "CHANGELOG.md").write_text("## Unreleased\n\n- Ratchet: xc7/pm_a/lut\n")
    assert cli.main(["ratchet"]) == 0 and "xc7/pm_a/lut: 10 -> 11" in capsys.readouterr().out
    (tree / "data" / "records" / "syn.xc7.pm_a.json").unlink()
    assert cli.main(["ratchet"]) == 1
    assert "xc7/pm_a/dsp: 2, not measured any more" in capsys.readouterr().out


def test_without_git(tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Said, not passed over: in a tree without repository, in one inside another repository, without the program."""
    known = store.load_all()
    save(tree, 11, 1)
    assert ratchet.committed() == (known, "")
    save(tree, 10, 2)
    shutil.copytree(tree / "data", tree / "inside" / "data")
    with monkeypatch.context() as patch:
        patch.setattr(ratchet, "ROOT", tree / "inside")
        with pytest.raises(ratchet.NoCommit, match="of another one"):
            ratchet.last_commit()
    shutil.rmtree(tree / ".git")
    assert cli.main(["ratchet"]) == 2 and "no git repository" in capsys.readouterr().out
    found, note = ratchet.committed()
    assert found == known and "no git repository" in note and "as they are now" in note

    def no_git(*words: object, **options: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", no_git)
    with pytest.raises(ratchet.NoCommit):
        ratchet.last_commit()


@pytest.mark.parametrize("git", [True, False])
def test_a_worse_measurement_fails(git: bool, tree: Path) -> None:
    """`pointmill measure` compares what it measures with the last commit, or with the record that it replaces."""
    if not git:
        shutil.rmtree(tree / ".git")
    one = Measurement("syn", ("xc7", "pm_addsub"), "make")
    known = replace(entry_of(one.name, Record("pm_addsub", "xc7", "lut", 5, "LUT")), inputs="x")
    store.save(known, tree / "data" / "records")
    if git:
        commit(tree)
    for value, worse in ((6, ["xc7/pm_addsub/lut"]), (4, [])):
        said = Console(file=io.StringIO(), width=200)
        store.save(known, tree / "data" / "records")
        outcome = run.make([one], said, folder=tree / "data" / "records",
                               runner=lambda _, value=value: [Record("pm_addsub", "xc7", "lut", value, "LUT")])
        assert outcome.made == [one.name] and outcome.worse == worse and outcome.code == bool(worse)
        assert ("worse: xc7/pm_addsub/lut: 5 -> 6" in said.file.getvalue()) == bool(worse)
        assert ("no git repository" in said.file.getvalue()) != git


def test_bench_of_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures that core alone, writes its records, and compares them; another number of signatures writes nothing."""
    saved, worse = [], {"by": 0}
    committed = store.load_all()

    def worsened(one: Measurement, few: int, many: int) -> list[Record]:
        known = committed[one.name].figures
        return [replace(figure, value=figure.value + worse["by"], published=None) for figure in known]

    monkeypatch.setattr(cycles, "run", worsened)
    monkeypatch.setattr(store, "save", lambda entry, folder: saved.append(entry.measurement))
    monkeypatch.setattr(measure, "render", list)
    assert bench.main(["x25519"]) == 0
    assert saved == [f"bench.x25519.exchange.{config}" for config in X25519.parameters]
    assert bench.main(["x25519", "--signatures", "5"]) == 0 and len(saved) == len(X25519.parameters)
    worse["by"] = 1
    assert bench.main(["x25519"]) == 1


def test_measurements_of_the_bench() -> None:
    """Of all cores or of one, without the load, and the short run alone."""
    names = {words: [one.name for one in bench.chosen(*words)] for words in
             ((None, False, False), ("mpu", False, False), ("edverify", True, False), (None, False, True))}
    every, mpu, no_load, short = names.values()
    assert len(every) == sum(one.kind == "bench" for one in plan.measurements().values()) and len(mpu) == 1
    assert no_load and not any(".load." in name for name in no_load)
    assert len(short) == 9 and all(".short." in name for name in short)


def test_committed_records_are_not_worse() -> None:
    """The records of this tree beside those of the last commit."""
    try:
        known = ratchet.last_commit()
    except ratchet.NoCommit as error:
        pytest.skip(str(error))
    failed = ratchet.check(known.values(), store.load_all().values()).failed
    assert not failed, "; ".join(map(str, failed))
