# SPDX-License-Identifier: Apache-2.0
"""Runs test programs in C, each with the number of a change in PM_MUTANT; built once, with sanitizers."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pointmill.library import compiler
from pointmill.simbuild import quoted_includes, run_tool

FLAGS = ("-std=c11", "-w", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
NUMBER = """#include <stdlib.h>
int pm_mutant;
__attribute__((constructor)) static void read_number(void) {
  const char *text = getenv("PM_MUTANT");
  pm_mutant = text == NULL ? 0 : atoi(text);
}
"""
"""Reads the number before a program begins."""
BY_CLOCK = 10  # times as long by the clock as by the processor, on a busy machine


@dataclass(frozen=True)
class Program:
    """Sources, as patterns below the root, words for the compiler, and the bytes of the file of zeros that it is given
    to map, if any."""

    sources: tuple[str, ...]
    flags: tuple[str, ...] = ()
    mapped: int = 0


class Programs:
    """The test programs of a tree."""

    def __init__(self, tree: Path, known: Mapping[str, Program]) -> None:
        self.tree, self.known = tree, known
        self.built: dict[str, Path] = {}

    def _program(self, name: str) -> Path:
        """A program, built where its sources or its flags are new; `BuildError` where it cannot be."""
        if name not in self.built:
            one, folder = self.known[name], self.tree / "build" / "programs"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "number.c").write_text(NUMBER)
            sources = [path for pattern in one.sources for path in sorted(self.tree.glob(pattern))]
            flags = [f"-I{self.tree / flag[2:]}" if flag.startswith("-I") else flag for flag in one.flags]
            command = [compiler(), *FLAGS, *flags, *map(str, [folder / "number.c", *sources, "-o", folder / name])]
            text = [*command, *(path.read_text() for path in [*sources, *quoted_includes(sources, flags)])]
            stamp, digest = folder / f"{name}.stamp", hashlib.sha256("\0".join(text).encode()).hexdigest()
            if not stamp.is_file() or stamp.read_text() != digest:
                run_tool(command, self.tree)
                stamp.write_text(digest)
            self.built[name] = folder / name
        return self.built[name]

    def ask(self, number: int, names: Sequence[str], seconds: int) -> dict:
        """Runs programs until one fails, as measure.mutation.server runs tests."""
        programs = [self._program(name) for name in names]
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        code: int | None = 0
        text = b""
        for name, program in zip(names, programs, strict=True):
            words: list[str | Path] = [program]
            if size := self.known[name].mapped:
                words.append(program.with_suffix(".mapped"))
                program.with_suffix(".mapped").write_bytes(bytes(size))
            with subprocess.Popen(words, cwd=self.tree, env={**os.environ, "PM_MUTANT": str(number)},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
                try:
                    text, _ = process.communicate(timeout=BY_CLOCK * seconds)
                    code = min(process.returncode, 1)
                except subprocess.TimeoutExpired:
                    code = None
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            if code != 0:
                break
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = now.ru_utime + now.ru_stime - spent.ru_utime - spent.ru_stime
        return {"code": code, "seconds": round(took, 2), "text": text[-4000:].decode(errors="replace")}
