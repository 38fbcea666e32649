# SPDX-License-Identifier: Apache-2.0
"""What a figure depends on, and its hash.

A design counts by the modules that are instantiated from its top with its parameters, the packages that these name, and
the parameters; other files by what they say (measure.tokens). Comments, layout, names and places of files, and modules
that are not instantiated do not count. A package counts where a module names it, even in a branch that is not
elaborated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pointmill.measure.synthesis import slang
from pointmill.measure.synthesis.yosys import Unit
from pointmill.measure.tokens import tokens
from pointmill.simbuild import resolve_sources


@dataclass(frozen=True)
class Inputs:
    """units: designs, by top, sources and parameters; files: that are not RTL; text: anything else."""

    units: Sequence[Unit] = ()
    files: Sequence[Path] = ()
    text: str = ""

    def paths(self) -> list[Path]:
        """All source files. `ValueError` for a design that slang does not read."""
        return sorted({*self.files, *(path for unit in self.units for path in _design(unit)[0])})

    def digest(self) -> str:
        """SHA-256 over all, in any order. `ValueError` for a design that slang does not read."""
        total = hashlib.sha256(self.text.encode())
        for one in sorted({*(_design(unit)[1] for unit in self.units), *(_hash(tokens(path)) for path in self.files)}):
            total.update(one.encode())
        return total.hexdigest()


def merged(all_of: Iterable[Inputs], text: str) -> Inputs:
    """Designs and files of several, with a text in place of theirs."""
    found = list(all_of)
    return Inputs([unit for one in found for unit in one.units], [path for one in found for path in one.files], text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _design(unit: Unit) -> tuple[list[Path], str]:
    """Files of a design, and its hash."""
    sources = resolve_sources(unit.sources)
    stamps = tuple((path, (stat := path.stat()).st_mtime_ns, stat.st_size) for path in sources)
    return _elaborated(unit.top, json.dumps(unit.params, sort_keys=True), stamps)


@cache
def _elaborated(top: str, params: str, stamps: tuple[tuple[Path, int, int], ...]) -> tuple[list[Path], str]:
    unit = Unit(top, [str(path) for path, _, _ in stamps], top, json.loads(params))
    found = slang.parts(unit)
    return [part.path for part in found], _hash(json.dumps([top, params, [part.tokens for part in found]]))
