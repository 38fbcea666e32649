# SPDX-License-Identifier: Apache-2.0
"""Small changes of sources: which there are, that tests find a sample of them, and that what is not found is seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pointmill.measure import plan, store
from pointmill.measure.mutation import c, changes, equivalence, python, verilog
from pointmill.measure.mutation.changes import Change, Form
from pointmill.measure.mutation.judge import EQUAL, KILLED, SURVIVED, Baseline, Result, judge, result_of
from pointmill.measure.mutation.plan import Mutant, groups
from pointmill.measure.mutation.programs import Program, Programs
from pointmill.measure.mutation.record import figures
from pointmill.measure.run import KEPT, state
from pointmill.simbuild import BUILD, ROOT

GROUPS = groups()
SAMPLE = {"rtl": ("hw/lib/prim/pm_skid.sv", "hw/lib/prim/pm_segadd.sv"), "driver": ("sw/src/mpu.c", "sw/src/keys.c"),
          "python": ("pointmill/model/naf.py",)}
"""Files of each group, whose first changes of the sample are made; those of RTL in the normal run."""

VERILOG = b"""module m #(parameter int Width = 8 + 1) (input logic clk_i, input logic [Width-1:0] a_i,
                                         output logic b_o, c_o);
  if (Width > 3) begin : g_wide
    logic [3:0] q;
    always_ff @(posedge clk_i) if (a_i[0] && !b_o) q <= q + 4'd15; else q <= '0;
    assign b_o = q < 4'(Width);
    assign c_o = q inside {4'd3, 4'd5};
  end
  logic unused;
  assign unused = ^a_i;
endmodule
"""
C = b"""static const int table[2 + 1] = {1, 2, 3};
int f(int a) {
  static int calls = 0;
  if (a < 2) calls += a; else g(table[a & 1]);
  switch (a) { case 3: return !a; default: return 0; }
}
"""
PYTHON = b'''"""Text."""
from __future__ import annotations
LIMIT = 3 + 1
def f(a: int = 2) -> int:
    """a - 1."""
    return a - 1 if a > LIMIT and not a == 9 else f"{a + 1}"
'''


def whats(found: list[Change]) -> Counter[str]:
    return Counter(one.what for one in found)


def test_changes_of_a_module() -> None:
    """Neither of parameters, generate conditions, indices, sets of `inside` and unused signals."""
    assert whats(verilog.changes(VERILOG)) == Counter({
        "condition inverted": 1, "condition -> 1'b0": 1, "condition -> 1'b1": 1, "&& -> ||": 1, "! -> '0 !=": 1,
        "+ -> -": 1, "4'd15 -> 4'd0": 1, "'0 -> '1": 1, "< -> <=": 1, "< -> >=": 1, "left out: q <= q + 4'd15;": 1,
        "left out: q <= '0;": 1})


def test_changes_of_a_c_file() -> None:
    """Neither of static data, sizes and labels."""
    assert whats(c.changes(C)) == Counter({
        "condition -> 0": 1, "condition -> 1": 1, "< -> <=": 1, "< -> >=": 1, "2 increased by 1": 1, "+= -> -=": 1,
        "left out: calls += a;": 1, "left out: g(table[a & 1]);": 1, "& -> |": 1, "1 increased by 1": 1, "! -> !!": 1,
        "0 increased by 1": 1})


def test_changes_of_a_python_module() -> None:
    """Only of bodies of functions, without docstrings and texts."""
    assert whats(python.changes(PYTHON)) == Counter({
        "condition -> False": 1, "condition -> True": 1, "- -> +": 1, "1 -> 2": 1, "> -> >=": 1, "> -> <=": 1,
        "and -> or": 1, "sign or not -> nothing": 1, "== -> !=": 1, "9 -> 10": 1})


def test_choices_of_a_module() -> None:
    """Every number makes its change alone, also where changes lie within others."""
    found = python.changes(PYTHON)
    text = python.with_number(changes.with_choices(PYTHON, dict(enumerate(found, start=1)), python.FORM))
    assert text.index(b"pm_mutant =") < text.index(b"LIMIT =")

    def result(code: bytes, number: int, value: int) -> object:
        names: dict = {}
        exec(code.replace(b"pm_os.environ.get('PM_MUTANT', '0')", str(number).encode()), names)
        return names["f"](value)

    values = (0, 4, 5, 9, 10, 11)
    right = [result(PYTHON, 0, value) for value in values]
    for number, one in enumerate([None, *found]):
        alone = PYTHON if one is None else changes.planted(PYTHON, one)
        made = [result(text, number, value) for value in values]
        assert made == [result(alone, 0, value) for value in values]
        assert (made == right) == (one is None), one


def test_statements_that_are_left_out_keep_their_else() -> None:
    drop = next(one for one in verilog.changes(VERILOG) if one.what.startswith("left out: q <= q"))
    text = changes.with_choices(VERILOG, {7: drop}, verilog.FORM)
    assert b"begin if (pm_mutant != 7) q <= q + 4'd15; end else q" in text


def test_a_larger_sample_holds_a_smaller_one() -> None:
    found = [Change(at, at + 1, b"x", str(at)) for at in range(50)]
    few, many = changes.drawn("a", found, 5, 1), changes.drawn("a", found, 20, 1)
    assert len(few) == 5 and len(many) == 20 and set(few) < set(many)
    assert few != changes.drawn("a", found, 5, 2) and changes.drawn("a", found, 99, 1) == found


def test_every_rtl_file_is_in_a_list() -> None:
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "hw").rglob("*.sv") if path.parent.name != "gen"}
    rtl = GROUPS["rtl"]
    assert files == rtl.files.keys() | rtl.left_out.keys()
    assert len(files) >= 170 and all(len(reason) > 10 for reason in rtl.left_out.values())


def test_samples() -> None:
    """How many changes, each of its own; tests and programs exist; survivors are changes of the sample."""
    for name, fewest in (("rtl", 600), ("driver", 200), ("python", 200)):
        group = GROUPS[name]
        mutants = group.mutants()
        assert len(mutants) >= fewest
        assert [one.number for one in mutants] == list(range(1, len(mutants) + 1))
        for test in {test for one in mutants for test in one.tests}:
            assert test in group.programs or (ROOT / test.partition("::")[0]).is_file(), test
        assert group.survivors.keys() <= {str(one) for one in mutants}
        assert all(len(reason) > 10 for reason in group.survivors.values())


def test_records_are_of_these_lists() -> None:
    """Every survivor is listed, unless the record is stale."""
    entries, known = store.load_all(), plan.measurements()
    for entry in entries.values():
        if entry.measurement.startswith("trust.mutation.") and state(known[entry.measurement], entries) == KEPT:
            name = entry.measurement.rpartition(".")[2]
            found = {figure.what: figure.value for figure in entry.figures}
            assert found["survivors"] == len(GROUPS[name].survivors)
            assert found["score"] >= 0.95


@pytest.mark.parametrize(("name", "each"), [
    ("rtl", 2), *(pytest.param(name, 5, marks=pytest.mark.long) for name in SAMPLE)])
def test_sample_is_found(name: str, each: int) -> None:
    """All changes but those that are listed as survivors, or proved to change nothing."""
    group = GROUPS[name]
    mutants = [one for file in SAMPLE[name] for one in [m for m in group.mutants() if m.file == file][:each]]
    assert len(mutants) == each * len(SAMPLE[name])
    known = [one for one in mutants if str(one) not in group.survivors]
    results = judge(group, known, folder=BUILD / "mutate-sample")
    counts = Counter(result.state for result in results.values())
    assert counts[KILLED] + counts[EQUAL] == len(known) and counts[KILLED] >= each, results


def test_what_no_test_finds_is_seen(tmp_path: Path) -> None:
    """A program that has nothing to do with a file finds none of its changes, and gives a low score."""
    group = GROUPS["driver"]
    mutants = [replace(one, tests=("mpu",)) for one in group.mutants() if one.file == "sw/src/queue.c"][:3]
    assert len(mutants) == 3
    results = judge(group, mutants, folder=tmp_path)
    assert all(result.state in (SURVIVED, EQUAL) for result in results.values())
    assert SURVIVED in {result.state for result in results.values()}


def test_tests_that_fail_by_themselves_are_no_success(tmp_path: Path) -> None:
    group = replace(GROUPS["driver"], programs={"mpu": replace(GROUPS["driver"].programs["mpu"], mapped=0)})
    with pytest.raises(Baseline, match="mpu without a change"):
        judge(group, [one for one in group.mutants() if one.file == "sw/src/mpu.c"][:1], folder=tmp_path)


def test_only_tests_that_ran_or_cannot_be_loaded_judge() -> None:
    states = {code: result_of({"code": code, "seconds": 1.0, "text": ""}).state for code in (None, -9, 0, 1, 2)}
    assert states == {None: KILLED, -9: KILLED, 0: SURVIVED, 1: KILLED, 2: KILLED}
    for code in (3, 4, 5):
        with pytest.raises(RuntimeError, match=f"did not run, code {code}"):
            result_of({"code": code, "seconds": 1.0, "text": ""})


def test_a_program_that_hangs_is_found(tmp_path: Path) -> None:
    (tmp_path / "hang.c").write_text("extern int pm_mutant;\nint main(void) { while (pm_mutant == 1) {} return 0; }\n")
    (tmp_path / "build").mkdir()
    programs = Programs(tmp_path, {"hang": Program(("hang.c",))})
    assert programs.ask(0, ["hang"], 1)["code"] == 0
    assert programs.ask(1, ["hang"], 1)["code"] not in (0, 1)


def changed(file: str, old: bytes, new: bytes) -> Mutant:
    """A change of a file by its text, which stands there once."""
    text = (ROOT / file).read_bytes()
    assert text.count(old) == 1
    return Mutant("rtl", 1, file, Change(text.index(old), text.index(old) + len(old), new, "changed"), 1, ())


def test_proofs() -> None:
    skid = "hw/lib/prim/pm_skid.sv"
    assert equivalence.proved(changed(skid, b"spare_q || valid_i", b"valid_i || spare_q"))
    assert not equivalence.proved(changed(skid, b"spare_q || valid_i", b"spare_q && valid_i"))
    wipe = b"overwrite(memory, 0, length)"
    assert equivalence.same_code(changed("sw/src/wipe.c", wipe, wipe.replace(b"overwrite", b"(overwrite)")))
    assert not equivalence.same_code(changed("sw/src/wipe.c", wipe, wipe.replace(b"0", b"1")))


def test_figures() -> None:
    """Proved changes do not count; survivors do."""
    mutant = Mutant("rtl", 1, "a.sv", Change(0, 1, b"", ""), 1, ())
    states = [KILLED] * 19 + [SURVIVED] + [EQUAL] * 5
    found = figures("rtl", {replace(mutant, number=n): Result(state, "", 0.0) for n, state in enumerate(states)})
    assert {(one.config, one.what): one.value for one in found} == {
        ("rtl", "score"): 0.95, ("rtl", "mutants"): 20, ("rtl", "survivors"): 1, ("rtl", "equal"): 5}
    assert {one.id for one in found} == {"trust.mutation"}


def test_form() -> None:
    """A choice and an omission around a text."""
    form = Form("<{n}:{new}|{old}>", "[{n}:{old}]")
    found = {1: Change(0, 5, b"new", ""), 2: Change(0, 1, b"A", ""), 3: Change(6, 9, b"", "", drop=True)}
    assert changes.with_choices(b"a + b c()", found, form) == b"<1:new|<2:A|a> + b> [3:c()]"
