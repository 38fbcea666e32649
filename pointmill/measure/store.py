# SPDX-License-Identifier: Apache-2.0
"""Committed records: data/records/<measurement>.json, one file for a run of one command.

A file holds what was run and when, the tools and the revision of the tree, a hash of what the figures depend on, and
the figures. `dirty`: some of those sources differed from the revision. Points of sweeps are stored alike, in
build/sweep.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from pointmill.measure.records import Record
from pointmill.simbuild import ROOT, write_whole

FOLDER = ROOT / "data" / "records"


@dataclass(frozen=True)
class Entry:
    """One record file. inputs: hash (measure.inputs); seconds: how long the command took. timing: of place and route
    (synthesis.pnr, boards) and of standard cells, by library (resources.in_cells). node and error: of a point of a
    sweep alone, where it was measured and why it has no figures."""

    measurement: str
    command: str
    config: dict[str, object]
    tools: dict[str, str]
    revision: str
    dirty: bool
    date: str
    inputs: str
    seconds: float
    figures: tuple[Record, ...]
    node: str = ""
    error: str | None = None
    timing: dict[str, object] = field(default_factory=dict)


_OF_POINTS = {"node", "error"}
_OPTIONAL = _OF_POINTS | {"timing"}
_KEYS = {one.name for one in fields(Entry)} - _OPTIONAL


def parse(data: str, name: str) -> Entry:
    """The entry of a file; `ValueError` for other keys, a figure twice, or another measurement than `name`."""
    found = json.loads(data)
    if {*found} - _OPTIONAL != _KEYS:
        raise ValueError(f"{name}: keys {list(found)}, not {sorted(_KEYS)}")
    if found["measurement"] != name:
        raise ValueError(f"{name}: holds the measurement {found['measurement']}")
    figures = tuple(Record(**figure) for figure in found.pop("figures"))
    if len({(figure.id, figure.config, figure.what) for figure in figures}) != len(figures):
        raise ValueError(f"{name}: a figure stands twice")
    return Entry(**found, figures=figures)


def path_of(name: str, folder: Path = FOLDER) -> Path:
    """The file of a measurement."""
    return folder / f"{name}.json"


def save(entry: Entry, folder: Path = FOLDER) -> Path:
    """Writes an entry, all of it or nothing, a line for each figure so that differences are readable; its file."""
    head = asdict(entry)
    lines = ",\n".join("  " + json.dumps(figure) for figure in head.pop("figures"))
    left_out = (set() if entry.node else _OF_POINTS) | (set() if entry.timing else {"timing"})
    head = {key: value for key, value in head.items() if key not in left_out}
    path = path_of(entry.measurement, folder)
    write_whole(path, json.dumps(head, indent=1)[:-2] + f',\n "figures": [\n{lines}\n ]\n}}\n')
    return path


def load(name: str, folder: Path = FOLDER) -> Entry | None:
    """The record of a measurement; None when there is none."""
    path = path_of(name, folder)
    return parse(path.read_text(), name) if path.is_file() else None


def load_all(folder: Path = FOLDER) -> dict[str, Entry]:
    """All records by measurement, sorted."""
    return {path.stem: parse(path.read_text(), path.stem) for path in sorted(folder.glob("[!.]*.json"))}


def figures(entries: Mapping[str, Entry]) -> list[Record]:
    """The figures of all entries; `ValueError` where two records have the same one."""
    found: dict[tuple[str, str, str], Record] = {}
    for entry in entries.values():
        for figure in entry.figures:
            key = (figure.id, figure.config, figure.what)
            if key in found:
                raise ValueError(f"{entry.measurement}: {key} is in another record too")
            found[key] = figure
    return list(found.values())


def revision(files: Sequence[Path] = ()) -> tuple[str, bool]:
    """The git revision of the tree, and whether one of `files`, or without any the tree, differs from it; unknown and
    dirty without git."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    try:
        return git("rev-parse", "HEAD"), bool(git("status", "--porcelain", "--", *map(str, files)))
    except (OSError, subprocess.CalledProcessError):
        return "unknown", True
