# SPDX-License-Identifier: Apache-2.0
"""Records beside those of the last commit: figures may get better but not worse unsaid.

data/ratchet.yaml names the words of `what` that count, by kind of measurement. More of them, or less of those of
LESS_IS_WORSE, is worse, by whatever little: the simulated core takes the same cycles and the same tools the same cells
every time. A figure that got worse, or is not measured any more, is an error unless the section Unreleased of
CHANGELOG.md has `Ratchet: <name>`.
"""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import yaml

from pointmill.measure import store
from pointmill.measure.store import Entry
from pointmill.simbuild import ROOT

FILE = ROOT / "data" / "ratchet.yaml"
CHANGELOG = ROOT / "CHANGELOG.md"
LESS_IS_WORSE = ("score", "mutants")
_UNRELEASED = re.compile(r"^## Unreleased$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"Ratchet: ([\w/.]*\w)")


class NoCommit(RuntimeError):
    """This tree is no git repository with a commit."""


@dataclass(frozen=True)
class Change:
    """A figure that is not the committed one; `committed` None: there is none yet, `measured` None: it was not
    measured."""

    name: str
    committed: float | None
    measured: float | None

    @property
    def worse(self) -> bool:
        """Whether both figures are there and the measured one is worse."""
        if self.committed is None or self.measured is None:
            return False
        more = self.measured - self.committed
        return (-more if self.name.endswith(LESS_IS_WORSE) else more) > 0

    def __str__(self) -> str:
        if self.committed is None:
            return f"{self.name}: {self.measured}, new"
        if self.measured is None:
            return f"{self.name}: {self.committed}, not measured any more"
        return f"{self.name}: {self.committed} -> {self.measured}"


@dataclass(frozen=True)
class Outcome:
    """What a comparison found: worse and not allowed, worse and allowed, better or new."""

    failed: list[Change]
    allowed: list[Change]
    better: list[Change]

    def complaints(self) -> list[str]:
        """A sentence for each figure that is worse and not allowed to be."""
        return [f"ratchet, worse: {change}; say why in CHANGELOG.md: Ratchet: {change.name}" for change in self.failed]


@lru_cache(maxsize=1)
def _rules() -> dict[str, list[str]]:
    return yaml.safe_load(FILE.read_text())


def _text(files: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    """What is in a file of an archive; `ValueError` where the member is none."""
    opened = files.extractfile(member)
    if opened is None:
        raise ValueError(f"{member.name} is no file")
    return opened.read().decode()


def last_commit() -> dict[str, Entry]:
    """The records of the last commit by measurement; `NoCommit` where this tree has none."""
    def git(*words: str) -> bytes:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout

    try:
        if git("rev-parse", "--show-prefix").strip():
            raise NoCommit("this tree lies in the git repository of another one: there is no last commit of it")
        archive = git("archive", "HEAD", str(store.FOLDER.relative_to(ROOT)))
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoCommit("this tree is no git repository, or has no commit with records") from error
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        names = {member.name.rpartition("/")[2].removesuffix(".json"): member for member in files if member.isfile()}
        return {name: store.parse(_text(files, member), name) for name, member in names.items()}


def committed() -> tuple[dict[str, Entry], str]:
    """The records to compare with: of the last commit; without one those of the tree, and a sentence that says so."""
    try:
        return last_commit(), ""
    except NoCommit as error:
        return store.load_all(), f"ratchet: {error}; compared with the records of the tree as they are now"


def figures(entries: Iterable[Entry]) -> dict[str, float]:
    """Those figures of records that must not get worse, by name: configuration, operation or unit, word."""
    return {f"{figure.config}/{figure.id}/{figure.what}": figure.value for entry in entries for figure in entry.figures
            if figure.what in _rules().get(entry.measurement.partition(".")[0], ())}  # fmt: skip


def named(changelog: str) -> set[str]:
    """Names of the figures that the section Unreleased lets get worse."""
    found = _UNRELEASED.search(changelog)
    return set(_NAMED.findall(found[1])) if found else set()


def compare(known: Mapping[str, float], measured: Mapping[str, float], names: Iterable[str]) -> Outcome:
    """Compares measured figures with the committed ones; `names` may get worse.

    A committed figure that was not measured fails like a worse one."""
    failed: list[Change] = []
    allowed: list[Change] = []
    better: list[Change] = []
    names = set(names)
    for name in sorted({*known, *measured}):
        change = Change(name, known.get(name), measured.get(name))
        if change.committed is None:
            better.append(change)
        elif change.measured is None or change.worse:
            (allowed if name in names else failed).append(change)
        elif change.measured != change.committed:
            better.append(change)
    return Outcome(failed, allowed, better)


def check(known: Iterable[Entry], now: Iterable[Entry]) -> Outcome:
    """Compares records with committed ones and the changelog of this tree."""
    return compare(figures(known), figures(now), named(CHANGELOG.read_text()))
