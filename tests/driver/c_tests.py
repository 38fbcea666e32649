# SPDX-License-Identifier: Apache-2.0
"""Runs the C unit tests of the driver: programs that count their checks and end at the first that does not hold."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

from pointmill import library, simbuild

SECONDS, HANG_SECONDS = 120, 4
"""A program with sanitizers may take the first; a defective one that takes the second hangs."""


def checks(program: Path, sources: Sequence[Path], *flags: str, arguments: Sequence[Path] = ()) -> int:
    """Compiles `program` as strict C11 with address and undefined-behaviour sanitizers and runs it; how many
    checks held. `AssertionError` when one does not."""
    simbuild.run_tool(["gcc", *library.C_FLAGS, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                       *flags, *sources, "-o", program])
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return int(re.fullmatch(r"(\d+) checks\n", done.stdout)[1])


def compiled(folder: Path, sources: Collection[Path], *flags: str) -> dict[str, Path]:
    """Objects of sources, by their names."""
    made = {source.name: folder / f"{source.stem}.o" for source in sources}
    for source in sources:
        simbuild.run_tool(["gcc", *flags, "-c", source, "-o", made[source.name]])
    return made


def fails(program: Path, *arguments: Path | str) -> bool:
    """Whether a compiled program fails or hangs."""
    try:
        done = subprocess.run([program, *arguments], capture_output=True, check=False, timeout=HANG_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0
