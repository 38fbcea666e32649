# SPDX-License-Identifier: Apache-2.0
"""Every deliberate defect of bugs.yaml makes its test fail, for the right reason.

The normal run takes a sample, one defect of each of some benches (`Bug.bench`); `--long` takes all.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from dv.seeded.seeded_tree import SAMPLED, Bug, Outcome, defective, judge, load, plant, run, sample
from pointmill.measure.mutation.tree import environment
from pointmill.simbuild import BUILD, ROOT

ALL = load()
SAMPLE = sample(ALL)


@pytest.mark.parametrize("bug", [
    pytest.param(bug, id=bug.id, marks=[] if bug in SAMPLE else [pytest.mark.long]) for bug in ALL])
def test_bug_is_caught(bug: Bug) -> None:
    tree = BUILD / "seeded" / bug.id
    try:
        plant(bug, tree)
        outcome = run(bug.test, tree)
    finally:
        shutil.rmtree(tree, ignore_errors=True)
    assert outcome.state == "failed", f"{outcome.state}\n{outcome.text[-6000:]}"
    assert re.search(bug.shows, outcome.text), f"no {bug.shows!r} in\n{outcome.text[-6000:]}"


def test_sample_reaches_many_benches() -> None:
    """SAMPLED benches have exactly one defect in the sample, which is not long."""
    assert len({bug.bench for bug in SAMPLE}) == len(SAMPLE) == SAMPLED == 24
    assert not any(bug.long for bug in SAMPLE)


def test_every_bug_can_be_planted() -> None:
    """Each text is still there, once; ids are unique; no two do the same."""
    assert len(ALL) >= 16
    assert max(Counter(bug.id for bug in ALL).values()) == 1
    assert len({(bug.file, defective(bug), bug.test) for bug in ALL}) == len(ALL)


def test_every_named_test_exists() -> None:
    """The node ids select exactly one test each; the long run shows that all pass."""
    nodes = {bug.test for bug in ALL}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "--long", "-p", "no:xdist",
         "-p", "no:cacheprovider", *sorted(nodes)],
        cwd=ROOT, env=environment(ROOT), text=True, check=False, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {line for line in done.stdout.splitlines() if "::" in line} == nodes


def test_without_a_defect_the_copy_passes() -> None:
    """The copy itself is not what fails."""
    tree = BUILD / "seeded" / "no-defect"
    try:
        plant(None, tree)
        outcome = run("tests/test_gen_bus.py::test_number_of_files", tree)
    finally:
        shutil.rmtree(tree, ignore_errors=True)
    assert outcome.state == "passed", outcome.text


def report(body: str) -> str:
    return f'<testsuites><testsuite><testcase name="t">{body}</testcase></testsuite></testsuites>'


@pytest.mark.parametrize(("body", "code", "state"), [
    ("", 0, "passed"),
    ("<skipped/>", 0, "broken"),
    ('<error message="fixture"/>', 1, "broken"),
    ('<failure message="AssertionError: assert 1 == 2">t.py:3</failure>', 1, "failed"),
    ('<failure message="pointmill.simbuild.BuildError: /b/sim/x/x_sim 1&#10;exit 1&#10;FAIL r"/>',
     1, "failed"),
    ('<failure message="BuildError: /p/bin/verilator --cc&#10;exit 1&#10;oops"/>', 1, "broken"),
    ('<failure message="BuildError: cocotb build of x failed"/>', 1, "broken"),
    ('<failure message="BuildError: x_sim"> %Error: x.sv:3: syntax</failure>', 1, "broken"),
    ('<failure message="AssertionError">%Error: x.sv:3: Assertion failed in x&#10;'
     "%Error: x.sv:3: Verilog $stop</failure>", 1, "failed"),
    ('<failure message="NameError: name x"/>', 1, "broken"),
    ('<failure message="AssertionError"/>', 2, "broken"),
])
def test_verdicts_of_the_runner(body: str, code: int, state: str) -> None:
    """A tool's refusal of its input is not a caught bug."""
    assert judge(report(body), code, "output").state == state
    assert isinstance(judge(report(body), code, "output"), Outcome)
