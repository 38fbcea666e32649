# SPDX-License-Identifier: Apache-2.0
"""What libpointmill exports, and what its public headers declare."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pointmill import library, simbuild

_ASIDE = re.compile(r"/\*.*?\*/|//[^\n]*|^#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)
"""Comments and lines of the preprocessor."""


def exported(lib: Path) -> set[str]:
    """Names that `lib` defines for others, but for those of C++."""
    lines = simbuild.run_tool(["nm", "--dynamic", "--defined-only", lib]).splitlines()
    return {name for name in (line.split()[-1] for line in lines) if not name.startswith("_Z")}


def declared(headers: Iterable[Path]) -> set[str]:
    """Functions and objects of C headers."""
    text = "\n".join(_ASIDE.sub("", header.read_text()) for header in headers)
    return {*re.findall(r"\b(pm_\w+)\(", text), *re.findall(r"^extern const \w+ (\w+);", text, re.MULTILINE)}


def public_headers(*others: str) -> list[Path]:
    """Those of sw/include, but for back-ends that a library does not have."""
    return [header for header in sorted(library.INCLUDE.glob("*.h")) if header.name not in others]
