# SPDX-License-Identifier: Apache-2.0
"""Runs one test of the project on a copy of the sources in which one file has a deliberate defect."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import yaml

from pointmill.measure.mutation.tree import copy_sources, environment
from pointmill.simbuild import ROOT

BUGS = Path(__file__).parent / "bugs.yaml"
CORES = tuple(f"dv/{core}/" for core in ("edverify", "multicurve", "x25519", "mpu"))
SECONDS = 900  # longest time for one test, on a busy machine
SAMPLED = 24  # benches of the normal run


@dataclass(frozen=True)
class Bug:
    """One defect, and the test that must fail for it."""

    id: str
    file: str
    """The changed file, relative to the root."""
    find: str
    """Text that occurs once in it."""
    replace: str
    """What stands there instead."""
    test: str
    """Node id of the test, as narrow as there is one."""
    shows: str
    """Regular expression for the complaint: the failure must have this reason."""
    why: str
    long: bool = False
    """Whether it is too slow for the normal run."""

    @property
    def bench(self) -> str:
        """The file of the test; its folder for tests of a core and its parts, whose compilation takes up to two
        minutes."""
        file = self.test.partition("::")[0]
        return str(Path(file).parent) if file.startswith(CORES) else file


def load() -> list[Bug]:
    """All bugs of bugs.yaml, in its order."""
    return [Bug(**entry) for entry in yaml.safe_load(BUGS.read_text())]


def sample(bugs: list[Bug]) -> list[Bug]:
    """One defect of each of SAMPLED benches, of those that are not long: that whose id has the least hash."""
    least: dict[str, Bug] = {}
    for bug in sorted(bugs, key=lambda bug: hashlib.sha256(bug.id.encode()).digest()):
        if not bug.long:
            least.setdefault(bug.bench, bug)
    return list(least.values())[:SAMPLED]


def defective(bug: Bug) -> str:
    """Text of the file with the defect; ValueError when the place is not there exactly once."""
    text = (ROOT / bug.file).read_text()
    if text.count(bug.find) != 1:
        raise ValueError(f"{bug.id}: {bug.file} holds the text {text.count(bug.find)} times")
    changed = text.replace(bug.find, bug.replace)
    if changed == text:
        raise ValueError(f"{bug.id} changes nothing")
    return changed


def plant(bug: Bug | None, tree: Path) -> None:
    """Copies the sources to `tree`, with the defect of `bug` if one is given."""
    shutil.rmtree(tree, ignore_errors=True)
    copy_sources(tree)
    # Compiled Python holds time and size of its source: that of the changed file is not used. Nothing writes there.
    for folder, inner, _ in os.walk(tree):
        inner[:] = [name for name in inner if name != "build"]
        compiled = ROOT / Path(folder).relative_to(tree) / "__pycache__"
        if compiled.is_dir():
            (Path(folder) / "__pycache__").symlink_to(compiled)
    if bug:
        (tree / bug.file).write_text(defective(bug))


@dataclass(frozen=True)
class Outcome:
    """What became of one test: passed, failed, or broken (not run to a verdict)."""

    state: str
    text: str


def run(test: str, tree: Path) -> Outcome:
    """Runs one test of `tree` in a process of its own."""
    report = tree / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--long", "-p", "no:cacheprovider", f"--junit-xml={report}",
               test]
    env = environment(tree) | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tree, env=env, text=True, check=False,
                          timeout=SECONDS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if not report.is_file():
        return Outcome("broken", done.stdout)
    return judge(report.read_text(), done.returncode, done.stdout)


# A failure that says nothing about the design: the tools refused their input, or Python did. An assertion of the RTL
# that stops the simulation does.
_NOT_A_VERDICT = re.compile(
    r"BuildError: \S*/(verilator|gcc|cc|g\+\+|c\+\+) |BuildError: cocotb build|"
    r"%Error(?!: \S+: (Assertion failed|Verilog \$stop))"
    r"|(Syntax|Indentation|Import|ModuleNotFound|Name|Attribute)Error: ")


def judge(report: str, code: int, output: str) -> Outcome:
    """Outcome of one test from its JUnit report, pytest's exit code and output."""
    suite = ElementTree.fromstring(report)
    cases = list(suite.iter("testcase"))
    failures = list(suite.iter("failure"))
    if len(cases) != 1 or suite.find(".//error") is not None or suite.find(".//skipped") is not None:
        return Outcome("broken", output)
    if code == 0 and not failures:
        return Outcome("passed", output)
    if code != 1 or len(failures) != 1:
        return Outcome("broken", output)
    text = f"{failures[0].get('message', '')}\n{failures[0].text or ''}"
    state = "broken" if _NOT_A_VERDICT.search(text) else "failed"
    return Outcome(state, text)
