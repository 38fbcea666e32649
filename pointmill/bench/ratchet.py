# SPDX-License-Identifier: Apache-2.0
"""Committed cycle counts and areas (data/ratchet.yaml), which may get better but not worse unsaid.

`test` holds the figures of a short run, which `make test` repeats, `bench` those of `make bench`, `x25519` and `mpu` those of
`pointmill bench x25519` and `mpu`, `area` resources and gate equivalents. All are exact: the simulated core takes the same cycles
and the same tools the same cells every time. A figure that got worse is an error unless the section Unreleased of
CHANGELOG.md has `Ratchet: <name>`. A better one asks to be written. `make test` cannot measure again: it compares the
committed records (evidence.ratcheted).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import yaml

from pointmill.bench.records import ROOT, Record

FILE = ROOT / "data" / "ratchet.yaml"
CHANGELOG = ROOT / "CHANGELOG.md"
UPDATE = "pointmill bench --update-ratchet"
SECTIONS = ("test", "bench", "x25519", "mpu", "area")
OF_CORE = {"edverify": "bench", "multicurve": "bench", "x25519": "x25519", "mpu": "mpu"}
"""Section of the cycle counts of a core."""

AREAS = ("lut", "ff", "dsp", "ramb18", "ebr", "lram", "kge")
WHATS = ("cycles", "cycles_mean", "cycles_per_verification", "cycles_per_operation", "cycles_alone")
_HEAD = f"""\
# SPDX-License-Identifier: Apache-2.0
# Cycle counts and areas that must not get worse unsaid (docs/testing.md#ratchet). Written by `{UPDATE}`, areas
# by `pointmill ratchet --update`.
"""
_UNRELEASED = re.compile(r"^## Unreleased$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"Ratchet: ([\w/.]*\w)")


@dataclass(frozen=True)
class Change:
    """A figure that is not the committed one; `committed` None: there is none yet, `measured` None:
    it was not measured."""

    name: str
    committed: float | None
    measured: float | None

    def __str__(self) -> str:
        if self.committed is None:
            return f"{self.name}: {self.measured}, not in {FILE.name} yet"
        if self.measured is None:
            return f"{self.name}: {self.committed}, not measured any more"
        return f"{self.name}: {self.committed} -> {self.measured}"


@dataclass(frozen=True)
class Outcome:
    """What a comparison found: worse and not allowed, worse and allowed, and what asks to be written."""

    failed: list[Change]
    allowed: list[Change]
    better: list[Change]

    def complaints(self) -> list[str]:
        """A sentence for each figure that is worse and not allowed to be."""
        return [f"ratchet, worse: {change}; say why in CHANGELOG.md: Ratchet: {change.name}" for change in self.failed]


def committed(section: str) -> dict[str, float]:
    """The figures of a section; KeyError for an unknown one."""
    return yaml.safe_load(FILE.read_text())[section] or {}


def named(changelog: str) -> set[str]:
    """Names of the figures that the section Unreleased lets get worse."""
    found = _UNRELEASED.search(changelog)
    return set(_NAMED.findall(found[1])) if found else set()


def compare(known: Mapping[str, float], measured: Mapping[str, float], names: Iterable[str]) -> Outcome:
    """Compares measured figures with the committed ones; `names` may get worse.

    A committed figure that was not measured fails like a worse one; a new one asks to be written."""
    failed, allowed, better = [], [], []
    names = set(names)
    for name in sorted({*known, *measured}):
        change = Change(name, known.get(name), measured.get(name))
        if change.committed is None:
            better.append(change)
        elif change.measured is None or change.measured > change.committed:
            (allowed if name in names else failed).append(change)
        elif change.measured < change.committed:
            better.append(change)
    return Outcome(failed, allowed, better)


def check(section: str, measured: Mapping[str, float]) -> Outcome:
    """Compares with the committed figures of a section and the changelog of this tree."""
    return compare(committed(section), measured, named(CHANGELOG.read_text()))


def figures(records: Iterable[Record]) -> dict[str, float]:
    """The cycle counts among records of the bench, by name; those of loads are no counts of the core
    alone, longest ones depend on single signatures."""
    found = {}
    for record in records:
        core, _, operation = record.id.partition(".")
        prefix = "" if core == "edverify" else f"{core}/"
        if record.unit == "cycles" and record.what in WHATS:
            found[f"{prefix}{record.config}/{operation}/{record.what}"] = record.value
    return found


def areas(records: Iterable[Record]) -> dict[str, float]:
    """Resources and gate equivalents among records of synthesis, by name. Not those after packing, which
    change with the seed."""
    return {f"{record.config}/{record.id}/{record.what}": record.value for record in records
            if record.what in AREAS and " seed " not in record.config}


def of_core(figures: Mapping[str, float], core: str) -> dict[str, float]:
    """Those figures that are of a core: names of `multicurve` begin with it."""
    return {name: value for name, value in figures.items()
            if name.startswith("multicurve/") == (core == "multicurve")}


def write(sections: Mapping[str, Mapping[str, float]]) -> None:
    """Writes the measured figures in place of the committed ones, section by section."""
    text = _HEAD
    for section, measured in sections.items():
        text += f"\n{section}:\n"
        text += "".join(f"  {name}: {value}\n" for name, value in sorted(measured.items()))
    FILE.write_text(text)
