# SPDX-License-Identifier: Apache-2.0
"""Measurements and their records: what makes one stale, what is kept, what a run that is broken off leaves."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from pointmill.commands import measure
from pointmill.measure import cycles, plan, resources, run, store, sweeps
from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.measure.store import Entry, revision
from pointmill.measure.synthesis.yosys import Unit
from pointmill.simbuild import ROOT, resolve_sources
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


TOP = """// A counter.
module pm_top
  import pm_sums_pkg::*;
#(
  parameter int unsigned Width = 4,
  parameter bit Deep = 1'b0
) (
  input logic clk_i,
  output logic [Width-1:0] count_o
);
  if (Deep) begin : g_deep
    pm_deep u_deep (.clk_i);
  end else begin : g_flat
    pm_flat #(.Step(2)) u_flat (.clk_i, .count_o);
  end
endmodule
"""
FLAT = """module pm_flat #(
  parameter int unsigned Step = 1,
  parameter int unsigned Width = 4
) (
  input logic clk_i,
  output logic [Width-1:0] count_o
);
  always_ff @(posedge clk_i) count_o <= pm_sums_pkg::sum(count_o, Width'(Step));
endmodule
"""
SUMS = """package pm_sums_pkg;
  function automatic logic [3:0] sum(input logic [3:0] x, input logic [3:0] y);
    return x + y + pm_offset_pkg::Offset;
  endfunction
endpackage
"""
OFFSET = "package pm_offset_pkg;\n  localparam logic [3:0] Offset = 0;\nendpackage\n"
DEEP = "module pm_deep (input logic clk_i);\n  logic unused;\n  assign unused = clk_i;\nendmodule\n"
DESIGN = {"offset": OFFSET, "sums": SUMS, "pm_flat": FLAT, "pm_deep": DEEP, "pm_top": TOP}


def design(folder: Path, params: dict[str, int] | None = None, **texts: str) -> Inputs:
    """The small design in files of a folder, with other texts or further files."""
    folder.mkdir()
    files = {name: folder / f"{name}.sv" for name in DESIGN | texts}
    for name, path in files.items():
        path.write_text((DESIGN | texts)[name])
    return Inputs([Unit("small", [*map(str, files.values())], "pm_top", params or {})])


def test_what_of_a_design_counts(tmp_path: Path) -> None:
    """Tokens of what is instantiated and of the packages that it names, and the parameters; nothing else."""
    first = design(tmp_path / "as_it_is")
    known = first.digest()
    assert {path.stem for path in first.paths()} == {"pm_top", "pm_flat", "sums", "offset"}
    same = {
        "comment": {"pm_flat": "/* what */ " + FLAT.replace("Step = 1,", "Step = 1, // or 2")},
        "layout": {"pm_flat": " ".join(FLAT.split()), "sums": SUMS.replace("x + y", "x\n+y")},
        "not_instantiated": {"pm_deep": DEEP.replace("clk_i;", "!clk_i;"), "other": "module pm_other;\nendmodule\n"},
    }
    for name, texts in same.items():
        assert design(tmp_path / name, **texts).digest() == known, name
    (tmp_path / "as_it_is").rename(tmp_path / "elsewhere")
    moved = [path.rename(path.with_stem(f"other_{path.stem}")) for path in sorted((tmp_path / "elsewhere").iterdir())]
    packages_first = sorted(moved, key=lambda path: "pm_" in path.stem)
    assert Inputs([Unit("x", [*map(str, packages_first)], "pm_top", {})]).digest() == known
    others = {
        "operator": {"pm_flat": FLAT.replace("posedge", "negedge")},
        "adjacent": {"sums": SUMS.replace("x + y", "x & y")},
        "apart": {"sums": SUMS.replace("x + y", "x && y")},
        "nested": {"sums": SUMS.replace("x + y", "x & &y")},
        "default": {"pm_top": TOP.replace("Width = 4", "Width = 3")},
        "function": {"sums": SUMS.replace("x + y", "x - y")},
        "constant": {"offset": OFFSET.replace("= 0", "= 1")},
        "branch": {"pm_top": TOP.replace("if (Deep)", "if (!Deep)")},
    }
    found = [known, *(design(tmp_path / name, **texts).digest() for name, texts in others.items()),
             *(design(tmp_path / f"p{i}", params).digest() for i, params in enumerate(({"Width": 3}, {"Deep": 1})))]
    assert len(set(found)) == len(found)


def test_a_design_without_its_top(tmp_path: Path) -> None:
    path = tmp_path / "x.sv"
    path.write_text("module pm_x;\nendmodule\n")
    with pytest.raises(ValueError, match="no module pm_y"):
        Inputs([Unit("y", [str(path)], "pm_y", {})]).digest()


def test_files_of_a_core(tmp_path: Path) -> None:
    """Those of its configuration alone; a comment in one does not count, an operator does; in under five seconds."""
    one = plan.measurements()["bench.edverify.verify.paper"]
    begin = time.monotonic()
    known = cycles.inputs(one)
    names = {path.stem for path in known.paths()}
    assert time.monotonic() - begin < 5
    assert {"pm_mulmod", "pm_karatsuba", "pm_sha512", "pm_edverify_paper_rom", "pm_edverify_paper_ucode_pkg"} <= names
    assert not {"pm_edverify_barrel_core", "pm_mont_mul", "pm_edverify_bulk_rom"} & names
    found = {path.name: path for path in resolve_sources("hw/edverify/edverify.f")}
    text = found["pm_naf_bits.sv"].read_text()
    assert " ^ " in text
    for changed, holds in ((f"// A comment.\n{text}", True), (text.replace(" ^ ", " | ", 1), False)):
        copy = tmp_path / "copy.sv"
        copy.write_text(changed)
        sources = [str(copy if name == "pm_naf_bits.sv" else path) for name, path in found.items()]
        unit = replace(known.units[0], sources=sources)
        assert (replace(known, units=[unit]).digest() == known.digest()) == holds


@pytest.mark.parametrize(("suffix", "text", "same", "other"), [
    (".py", "from a.b import c\nX = (1, 2)\n",
     '"""What."""\nfrom d import b, c  # moved\nimport e\nX = (1,\n     2)\n"""Why."""\n',
     "from a.b import c\nX = (1, 3)\n"),
    (".py", "def f():\n    return 'a'\n", 'def f():\n    "What."\n    return "a"\n', "def f():\n    return 'a', 1\n"),
    (".cpp", '#include "a/b.h"\nint x = a & &b;\n', '#include "c/b.h"\n/* why */ int x=a& &b; // what\n',
     '#include "a/b.h"\nint x = a && b;\n'),
    (".h", '#define F(x) "//" // one\n', '#define  F(x)  "//"\n', '#define F (x) "//"\n'),
    (".vlt", 'public_flat -module "m"\n', '// x\npublic_flat   -module "m"\n', 'public_flat -module "n"\n'),
    (".yaml", "a: [1, 2]\n", "# x\na:\n  - 1\n  - 2\n", "a: [1, 3]\n"),
    (".pmu", "a = b * c\n", "# x\n  a = b  * c  # y\n\n", "a = b\n* c\n"),
])  # fmt: skip
def test_what_of_a_file_counts(suffix: str, text: str, same: str, other: str, tmp_path: Path) -> None:
    """Not its name, its comments, its layout; what it says does, and so do the text beside it and further files."""
    path, moved = tmp_path / f"x{suffix}", tmp_path / f"y{suffix}"
    path.write_text(text)
    moved.write_text(same)
    known = Inputs((), [path]).digest()
    assert known == Inputs((), [moved]).digest() == Inputs((), [moved, path]).digest()
    assert len({known, Inputs((), [path], "x").digest(), Inputs().digest()}) == 3
    moved.write_text(other)
    assert len({known, Inputs((), [moved]).digest(), Inputs((), [moved, path]).digest()}) == 3


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
        run.make(some(), QUIET, folder=tmp_path, runner=breaks)
    assert seen == ["pm_addsub", "pm_fifo"] and [*store.load_all(tmp_path)] == ["syn.xc7.pm_addsub"]

    def fails(one: Measurement) -> list[Record]:
        if one.words[-1] == "pm_fifo":
            raise RuntimeError("wrong")
        return figures_of(one)

    outcome = run.make(some(), QUIET, folder=tmp_path, runner=fails)
    assert outcome.kept == ["syn.xc7.pm_addsub"] and outcome.made == ["syn.xc7.pm_lifo"]
    assert outcome.failed == {"syn.xc7.pm_fifo": "wrong"}
    assert [*store.load_all(tmp_path)] == ["syn.xc7.pm_addsub", "syn.xc7.pm_lifo"]
    again = run.make(some(), QUIET, again=True, folder=tmp_path, runner=figures_of)
    assert len(again.made) == 3 and not again.kept


def test_what_cannot_be_read_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged record, unless it is made again, and a design that slang does not read."""
    addsub, fifo, lifo = some()
    assert len(run.make(some(), QUIET, folder=tmp_path, runner=figures_of).made) == 3
    store.path_of(addsub.name, tmp_path).write_text("<<<<<<< HEAD")
    of = resources.inputs

    def unread(one: Measurement) -> Inputs:
        if one.name == fifo.name:
            raise ValueError("slang does not read it")
        return of(one)

    monkeypatch.setattr(resources, "inputs", unread)
    outcome = run.make(some(), QUIET, folder=tmp_path, runner=figures_of)
    assert outcome.failed.keys() == {addsub.name, fifo.name} and outcome.kept == [lifo.name]
    again = run.make(some(), QUIET, again=True, folder=tmp_path, runner=figures_of)
    assert again.made == [addsub.name, lifo.name] and again.failed == {fifo.name: "slang does not read it"}


def test_the_command_rewrites_pages_of_new_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when everything is kept, or the run is broken off."""
    rendered: list[int] = []
    monkeypatch.setattr(measure, "render", lambda: rendered.append(1) or [])
    outcomes = iter([run.Outcome(["x"], [], {}, {}, []), run.Outcome([], ["x"], {}, {}, []),
                     run.Outcome([], [], {}, {"x": "wrong"}, []), run.Outcome([], [], {}, {}, ["x/y"])])
    monkeypatch.setattr(measure, "make", lambda *_: next(outcomes))
    assert [measure.main(["syn.xc7.pm_fifo"]) for _ in range(4)] == [0, 0, 1, 1] and len(rendered) == 1

    def breaks(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "make", breaks)
    assert measure.main(["syn.xc7.pm_fifo"]) == 130 and len(rendered) == 1


def test_what_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed source, a changed parameter; not a change elsewhere. What does not come with the project is left
    out."""
    source = tmp_path / "pm_addsub.sv"
    source.write_text("module pm_addsub;\nendmodule")
    unit = Unit("pm_addsub", [str(source)], "pm_addsub", {})
    monkeypatch.setattr(resources, "inputs", lambda one: Inputs([unit]))
    records, one = tmp_path / "records", some()[0]
    assert run.state(one, store.load_all(records)) == run.MISSING
    run.make([one], QUIET, folder=records, runner=figures_of)
    entries = store.load_all(records)
    assert run.state(one, entries) == run.KEPT and entries[one.name].dirty  # git does not know the file
    source.write_text("module pm_addsub; wire x;\nendmodule")
    assert run.state(one, entries) == run.STALE
    assert run.make([one], QUIET, folder=records, runner=figures_of).made == [one.name]
    entries = store.load_all(records)
    monkeypatch.setattr(resources, "inputs", lambda one: Inputs([unit], (), "another command"))
    assert run.state(one, entries) == run.STALE

    def changes(one: Measurement) -> list[Record]:
        source.write_text("module pm_addsub; wire y, z;\nendmodule")
        return figures_of(one)

    assert "changed" in run.make([one], QUIET, again=True, folder=records, runner=changes).failed[one.name]
    assert store.load_all(records) == entries

    def missing(one: Measurement) -> list[Record]:
        raise resources.Missing("no timing library")

    outcome = run.make([one], QUIET, folder=records, runner=missing)
    assert outcome.left_out == {one.name: "no timing library"} and not outcome.failed


def test_names_stand_for_what_goes_on_behind_them() -> None:
    known = plan.measurements()
    assert [one.name for one in plan.select(known, ["syn.xc7.pm_mulmod"])] == ["syn.xc7.pm_mulmod"]
    loads = plan.select(known, ["bench.edverify.load", "pnr.ecp5.pm_modl"])
    assert [one.name for one in loads] == [
        "bench.edverify.load.throughput", "bench.edverify.load.latency", "pnr.ecp5.pm_modl.1"]
    assert len(plan.select(known, [])) == len(known)
    with pytest.raises(KeyError, match=r"syn\.xc8"):
        plan.select(known, ["syn.xc8"])


def test_revision_and_dirt(monkeypatch: pytest.MonkeyPatch) -> None:
    if (ROOT / ".git").exists():
        sha, _ = revision([ROOT / "Makefile"])
        assert len(sha) == 40

    def no_git(*words: object, **options: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", no_git)
    assert revision([]) == ("unknown", True)


# ---- sweeps ---------------------------------------------------------------------------------------


def test_a_sweep_is_one_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of all points in one record, which is stale when a point's sources or the points change; none where a
    point fails."""
    steps = plan.Sweep("steps", "cycles of a step", "tests.sweep_probe", {"mul": [8, 9], "sum": [1, 3]},
                             {"folder": str(tmp_path), "free": 99, "dies": 0, "times": 0}, (), ("cycles",),
                       ())  # fmt: skip
    sweeps_known = {"steps": steps}
    monkeypatch.setattr(plan, "sweeps", lambda: sweeps_known)
    one = Measurement("sweep", ("steps",), "make measure M=sweep.steps")
    outcome = run.make([one], QUIET, folder=tmp_path, runner=lambda it: sweeps.run(it, tmp_path / "points"))
    assert outcome.made == [one.name], outcome.failed
    entry = store.load(one.name, tmp_path)
    assert [(figure.config, figure.value) for figure in entry.figures] == [
        (f"mul={mul},sum={sums}", length(mul, sums)) for mul in (8, 9) for sums in (1, 3)]
    assert entry.tools.keys() == {"ortools"} and ROOT / "tests" / "sweep_probe.py" in sweeps.inputs(one).paths()
    assert run.state(one, {one.name: entry}) == run.KEPT
    sweeps_known["steps"] = replace(steps, parameters={"mul": [8, 9], "sum": [3]})
    assert run.state(one, {one.name: entry}) == run.STALE
    sweeps_known["steps"] = replace(steps, measures=("cycles", "clock"))
    failed = run.make([one], QUIET, again=True, folder=tmp_path, runner=lambda it: sweeps.run(it, tmp_path / "points"))
    assert "2 points have no figures" in failed.failed[one.name]
