# SPDX-License-Identifier: Apache-2.0
"""The source files that a figure depends on, and their hash.

A unit depends on its own file and on those that its modules and packages name, one behind the other; comments do not
count as names. Modules are named as their files (scripts/lint.py). So another module in the same file list
does not make a figure stale.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from pointmill.simbuild import ROOT, Source, resolve_sources

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"\b[A-Za-z_]\w*")


@lru_cache(maxsize=None)
def _read_at(path: Path, changed: int, size: int) -> tuple[bytes, frozenset[str]]:
    data = path.read_bytes()
    return data, frozenset(_WORD.findall(_COMMENT.sub(" ", data.decode("utf-8", "replace"))))


def _read(path: Path) -> tuple[bytes, frozenset[str]]:
    """Contents of a file, and the words of its code; read again when it has changed."""
    stat = path.stat()
    return _read_at(path, stat.st_mtime_ns, stat.st_size)


def closure(top: str, sources: Source | Iterable[Source]) -> list[Path]:
    """The files of `sources` that module `top` is made of; `ValueError` when none is named as `top`."""
    known = {path.stem: path for path in resolve_sources(sources)}
    if top not in known:
        raise ValueError(f"no file of module {top}")
    found: dict[str, Path] = {}
    pending = [top]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = known[name]
            pending += _read(known[name])[1] & known.keys()
    return sorted(found.values())


def digest(files: Iterable[Path], text: str = "") -> str:
    """Hash of `text`, and of the paths and contents of `files` in any order."""
    total = hashlib.sha256(text.encode())
    for path in sorted(set(files)):
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
        total.update(f"\0{name}\0".encode() + hashlib.sha256(_read(path)[0]).digest())
    return total.hexdigest()
