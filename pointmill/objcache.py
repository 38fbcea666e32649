# SPDX-License-Identifier: Apache-2.0
"""Compiler wrapper that keeps the objects of Verilator's run-time library.

Verilator's make rules start `$(OBJCACHE) <compiler> <arguments>`. Every simulation compiles the same few
sources of the run-time library anew, which takes longer than most designs; this program copies
their objects from build/cache/objects when the compiler and its arguments are the same. Every other
compilation is passed on as it is.

Usage: ``python objcache.py <cache folder> <compiler> <arguments>``
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def cache_key(command: list[str], source: Path) -> str:
    """Hash of the arguments, of the compiler and of the folder that holds the run-time library, which knows nothing of
    this project's macros."""
    compiler = os.path.realpath(shutil.which(command[0]) or command[0])
    words = [word for word in command if not word.startswith("-DPM_")]
    total = hashlib.sha256("\0".join(words).encode())
    for file in (Path(compiler), *sorted(source.parent.glob("verilated*"))):
        stat = file.stat()
        total.update(f"{file}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode())
    return total.hexdigest()


def keep(path: Path, stored: Path) -> None:
    """Copies `path` to `stored` so that another process sees all of it or nothing."""
    with tempfile.NamedTemporaryFile(dir=stored.parent, delete=False) as copy:
        copy.write(path.read_bytes())
    os.replace(copy.name, stored)


def main(arguments: list[str]) -> int:
    """Runs or replaces one compilation; its exit code."""
    cache, command = Path(arguments[0]), arguments[1:]
    source = Path(command[-1])
    runtime = (source.name.startswith("verilated") and source.suffix == ".cpp"
               and (source.parent / "verilated.mk").is_file())
    if not runtime or "-c" not in command or "-o" not in command:
        os.execvp(command[0], command)
    product = Path(command[command.index("-o") + 1])
    dependencies = product.with_suffix(".d")
    stored = cache / f"{cache_key(command, source)}.o"
    stored_dependencies = stored.with_suffix(".d")
    if stored.is_file() and stored_dependencies.is_file():
        shutil.copyfile(stored_dependencies, dependencies)
        shutil.copyfile(stored, product)
        return 0
    code = subprocess.run(command, check=False).returncode
    if code == 0 and dependencies.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        keep(dependencies, stored_dependencies)
        keep(product, stored)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
