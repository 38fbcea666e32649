# SPDX-License-Identifier: Apache-2.0
"""What every simulation of a bench compiles alike, made once: Verilator's run-time library and a precompiled header.

A bench of a small unit takes half a second to compile what is its own, and several for the headers and the run-time
library of Verilator. Here these are one archive and one precompiled header.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .resources import ROOT

OPT = "-Og"
"""Level of optimisation of the benches and of the header: most cores are simulated as fast as at -O1, and compile in
half to two thirds of the time."""

ARCHIVE_OPT = "-O2"
"""That of the archive, which is compiled once for all of them."""

ARCHIVE, HEADER = "libverilated.a", "pm_runtime.h"

COLD = ROOT / "sw" / "backends" / "sim" / "pm_cold.h"
"""Header of the builds that are compiled with more than the precompiled one; at that level it saves nothing."""

SPLIT = "--output-split"
"""Word for Verilator: the generated code in many compilations, each of so many statements."""

_PARTS = ("verilated_vpi", "verilated", "verilated_threads", "verilated_dpi")
_HEADERS = ("cstdint", "cstdio", "cstdlib", "cstring", "deque", "memory", "string", "vector",
            "verilated.h", "verilated_dpi.h", "verilated_vpi.h")
_FLAGS = ("-std=gnu++20", "-faligned-new", "-fPIC", "-DVERILATOR=1",
          *(f"-DVM_{feature}=0" for feature in ("COVERAGE", "SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_SAIF",
                                                "TRACE_VCD")))  # fmt: skip
_OTHER = ("--trace", "--timing", "--coverage", "--savable", "--prof", "--threads")
_HARMLESS = ("-I", "-D", "-fPIC", "-H")


def serves(opt: str, words: Sequence[str]) -> bool:
    """Whether a build with this level of optimisation and these words for Verilator can use the archive. The library of
    the product, at -O3 and alone on a fresh machine, is built sooner without."""
    return opt in (OPT, "-O1", "-O2") and not any(word.startswith(_OTHER) for word in words)


def _header_serves(opt: str, words: Sequence[str]) -> bool:
    """Whether such a build can use the header: compiled with the same options, but for definitions and folders. Where
    the level is another one, GCC 12 breaks off."""
    options = [word for before, word in itertools.pairwise(words) if before == "-CFLAGS"]
    return opt == OPT and all(option.startswith(_HARMLESS) for option in options)


def ingredients() -> list[str]:
    """All that archive and header depend on, but for the tools."""
    return [*_FLAGS, OPT, ARCHIVE_OPT, *_HEADERS, *_PARTS]


def make(directory: Path, include: Path, compiler: Sequence[str], run: Callable[[Sequence[str | Path]], str]) -> None:
    """Makes archive and header in `directory`. include: of Verilator; compiler: its words; run: runs a command."""
    def compiled(part: str) -> Path:
        if part == HEADER:
            header.write_text("".join(f"#include <{name}>\n" for name in _HEADERS))
            run([*compiler, *flags, OPT, "-x", "c++-header", header, "-o", f"{header}.gch"])
            return header
        made = directory / f"{part}.o"
        run([*compiler, *flags, ARCHIVE_OPT, "-c", include / f"{part}.cpp", "-o", made])
        return made

    flags = [*_FLAGS, "-I", str(include), "-I", str(include / "vltstd")]
    header = directory / HEADER
    with ThreadPoolExecutor(2) as pool:
        _, *objects = pool.map(compiled, (HEADER, *_PARTS))
    run(["ar", "-rcs", directory / ARCHIVE, *objects])
    for made in objects:
        made.unlink()


def verilator_words(directory: Path | None, opt: str, words: Sequence[str]) -> list[str]:
    """What Verilator is given beside `words`: to build with the archive in `directory`, and with its header where that
    serves; without `directory`, to build all. A design in many compilations has Verilator's own precompiled header,
    which must be the first."""
    header = ["-CFLAGS", f"-include {COLD}"]
    if SPLIT in words:
        header = []
    elif directory is not None and _header_serves(opt, words):
        header = ["-CFLAGS", f"-fPIC -include {directory / HEADER}"]
    if directory is None:
        return header
    return [*header, "-MAKEFLAGS", "VM_GLOBAL_FAST=", "-MAKEFLAGS", "VM_GLOBAL_SLOW=", str(directory / ARCHIVE)]
