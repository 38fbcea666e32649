# SPDX-License-Identifier: Apache-2.0
"""Committed records: data/records/<measurement>.json, one file for a run of one command.

A file holds what was run and when, the tools and the revision of the tree, a hash of the source files that the figures
depend on, and the figures. `dirty`: some of those files differed from the revision.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pointmill.bench.records import Record
from pointmill.simbuild import ROOT, write_whole

FOLDER = ROOT / "data" / "records"


@dataclass(frozen=True)
class Entry:
    """One record file. inputs: hash (evidence.inputs); seconds: how long the command took."""

    measurement: str
    command: str
    config: dict[str, object]
    tools: dict[str, str]
    revision: str
    dirty: bool
    date: str
    inputs: str
    seconds: int
    figures: tuple[Record, ...]


_KEYS = [field.name for field in fields(Entry)]


def write(path: Path, record: Mapping[str, Any]) -> None:
    """Writes a record, all of it or nothing, a line for each figure so that differences are readable."""
    head = {key: value for key, value in record.items() if key != "figures"}
    lines = ",\n".join("  " + json.dumps(figure) for figure in record["figures"])
    write_whole(path, json.dumps(head, indent=1)[:-2] + f',\n "figures": [\n{lines}\n ]\n}}\n')


def parse(data: str, name: str) -> Entry:
    """The entry of a file; `ValueError` for other keys, a figure twice, or another measurement than `name`."""
    found = json.loads(data)
    if list(found) != _KEYS:
        raise ValueError(f"{name}: keys {list(found)}, not {_KEYS}")
    if found["measurement"] != name:
        raise ValueError(f"{name}: holds the measurement {found['measurement']}")
    figures = tuple(Record(**figure) for figure in found.pop("figures"))
    if len({(figure.id, figure.config, figure.what) for figure in figures}) != len(figures):
        raise ValueError(f"{name}: a figure stands twice")
    return Entry(**found, figures=figures)


def save(entry: Entry, folder: Path = FOLDER) -> Path:
    """Writes an entry; its file."""
    path = folder / f"{entry.measurement}.json"
    write(path, asdict(entry))
    return path


def load(name: str, folder: Path = FOLDER) -> Entry | None:
    """The record of a measurement; None when there is none."""
    path = folder / f"{name}.json"
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
                raise ValueError(f"{entry.measurement}: {key} stands in another record too")
            found[key] = figure
    return list(found.values())
