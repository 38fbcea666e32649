# SPDX-License-Identifier: Apache-2.0
"""What is changed, and which tests must find it: data/mutation.yaml.

A group is a language with its files. Each file has its tests, by default those that bear its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from pointmill.measure.mutation import c, changes, python, verilog
from pointmill.measure.mutation.changes import Change, Form
from pointmill.measure.mutation.programs import Program
from pointmill.simbuild import ROOT

FILE = ROOT / "data" / "mutation.yaml"


@dataclass(frozen=True)
class Language:
    """How a language is changed. find: all changes of a text; numbered: the text, with its choices, that reads the
    number; suffix: of its files."""

    find: Callable[[bytes], list[Change]]
    numbered: Callable[[bytes], bytes]
    form: Form
    suffix: str


LANGUAGES = {
    "rtl": Language(verilog.changes, verilog.with_number, verilog.FORM, ".sv"),
    "driver": Language(c.changes, c.with_number, c.FORM, ".c"),
    "python": Language(python.changes, python.with_number, python.FORM, ".py"),
}


@dataclass(frozen=True)
class Mutant:
    """A change of a file by its number, from 1, in the tree of its group."""

    group: str
    number: int
    file: str
    change: Change
    line: int
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.change.what}"


@dataclass(frozen=True)
class Group:
    """The files of a language with their tests, those that are left out with the reason, and the survivors that are
    known, by file, line and change, with theirs. each: changes of a file; fewer: of those in these folders; programs:
    where tests are programs in C, by name."""

    name: str
    seed: int
    each: int
    fewer: Mapping[str, int]
    files: Mapping[str, tuple[str, ...]]
    left_out: Mapping[str, str]
    survivors: Mapping[str, str]
    programs: Mapping[str, Program]

    @property
    def language(self) -> Language:
        """How its files are changed."""
        return LANGUAGES[self.name]

    def mutants(self) -> list[Mutant]:
        """The sample, numbered in the order of the files and of their text."""
        found: list[Mutant] = []
        for file, tests in self.files.items():
            text = (ROOT / file).read_bytes()
            count = self.fewer.get(str(Path(file).parent), self.each)
            chosen = changes.drawn(file, self.language.find(text), count, self.seed)
            found += [Mutant(self.name, len(found) + place, file, one, changes.line_of(text, one.begin), tests)
                      for place, one in enumerate(chosen, start=1)]
        return found


def _tests(folder: str, name: str, given: str | Sequence[str] | None) -> tuple[str, ...]:
    """The tests of a file: those that are given, or of RTL the bench of its name."""
    if given is None:
        below = Path(folder).relative_to("hw").parts
        return (f"dv/{'/'.join(part for part in below if part != 'rtl')}/test_{name}.py",)
    return (given,) if isinstance(given, str) else tuple(given)


def groups(path: Path = FILE) -> dict[str, Group]:
    """The groups by name; `ValueError` for a file that stands twice."""
    found = {}
    for name, entry in yaml.safe_load(path.read_text()).items():
        suffix = LANGUAGES[name].suffix
        files = {f"{folder}/{stem}{suffix}": _tests(folder, stem, given)
                 for folder, members in entry["files"].items() for stem, given in members.items()}
        left_out = {f"{folder}/{stem}{suffix}": reason for reason, folders in entry.get("left_out", {}).items()
                    for folder, members in folders.items() for stem in members}
        if twice := files.keys() & left_out.keys():
            raise ValueError(f"{path.name}: both changed and left out: {', '.join(sorted(twice))}")
        programs = {program: Program(tuple(words["sources"]), tuple(words.get("flags", ())), words.get("mapped", 0))
                    for program, words in entry.get("programs", {}).items()}
        found[name] = Group(name, entry["seed"], entry["each"], entry.get("fewer", {}), files, left_out,
                            entry.get("survivors") or {}, programs)
    return found
