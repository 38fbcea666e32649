# SPDX-License-Identifier: Apache-2.0
"""All static checks of the project; prints every finding and exits with 1 if there is one.

1. File lists: every module below hw/ is named by exactly one list, every list resolves.
2. Verilator -Wall and the slang front end on every list, with all its modules.
3. verible-verilog-format on hand-written SystemVerilog.
4. House rules: licence line, one module per file named as the file, no absolute path of some machine in any file,
   lines of at most 100 columns in SystemVerilog and 120 in C and C++.
5. Words: the terms of the field in documents, headers, help and error texts (lint/words.yaml).
6. Python: ruff, with lines of at most 120 columns, and the types by mypy, both set in pyproject.toml.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path

import words
from gen_cores import file_lists
from pointmill.measure.synthesis.slang import parsed
from pointmill.measure.synthesis.yosys import elaboration, read_units
from pointmill.simbuild import (
    ROOT,
    BuildError,
    list_entries,
    read_filelist,
    resolve_sources,
    run_tool,
    verilator_bin,
    waivers,
)

COLUMNS = {".sv": 100} | dict.fromkeys((".c", ".h", ".cpp", ".hpp"), 120)
FORMAT = (f"--column_limit={COLUMNS['.sv']}", "--indentation_spaces=2")
SPDX = "SPDX-License-Identifier: Apache-2.0"
NEEDS_SPDX = {".sv", ".py", ".c", ".h", ".cpp", ".hpp", ".rdl", ".rs", ".sh", ".toml", ".yaml",
              ".core", ".vlt"}
SKIPPED = {".git", ".venv", "build", "__pycache__", ".pytest_cache", ".hypothesis"}
MACHINE_DIRS = ("home", "root", "work", "farm", "mnt", "srv", "Users", "tmp")
MACHINE_PATH = re.compile(r"(?<![\w.$}*)>/~-])/(?:" + "|".join(MACHINE_DIRS) + r")/[\w.]")


def files() -> list[Path]:
    """Files of the project: what git tracks or would track; without git everything but products."""
    try:
        out = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT,
                             capture_output=True, check=True).stdout
        found = [ROOT / name.decode() for name in out.split(b"\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*")
                 if not SKIPPED.intersection(path.relative_to(ROOT).parts)
                 and not any(part.endswith(".egg-info") for part in path.parts)]
    return sorted(path for path in found if path.is_file())


def text_of(path: Path) -> str | None:
    """Contents of a text file, None for a binary one."""
    data = path.read_bytes()
    return None if b"\0" in data[:4096] else data.decode("utf-8", "replace")


def is_generated(text: str) -> bool:
    """Whether a file says in its first lines that a program wrote it."""
    return re.search(r"\bgenerated (?:from|by)\b", "\n".join(text.splitlines()[:3]), re.IGNORECASE) is not None


def check_lists() -> Iterator[str]:
    """Every SystemVerilog file below hw/ in one list, and every list readable."""
    count = Counter(file for path in file_lists() for _, kind, file in list_entries(path) if kind == "file")
    for source in sorted((ROOT / "hw").rglob("*.sv")):
        if count[source] != 1:
            yield f"{source.relative_to(ROOT)}: named by {count[source]} file lists, not one"
    for path in file_lists():
        try:
            read_filelist(path)
        except BuildError as error:
            yield str(error)


def check_verilator() -> Iterator[str]:
    """`verilator --lint-only -Wall` of all modules of each list."""
    for path in file_lists():
        try:
            run_tool([verilator_bin(), "--lint-only", "-Wall", "-Wno-MULTITOP", *waivers(),
                      *read_filelist(path)])
        except BuildError as error:
            yield f"verilator, {path.relative_to(ROOT)}:\n{error}"


def check_slang() -> Iterator[str]:
    """Elaboration by slang, the front end that synthesis uses: of each list, and of each unit with its
    parameters, since slang looks only at branches that are taken."""
    lists = [(path.relative_to(ROOT), [], read_filelist(path)) for path in file_lists()]
    units = [(unit.name, elaboration(unit), resolve_sources(unit.sources))
             for unit in read_units().values()]
    for name, options, sources in [*lists, *units]:
        driver = parsed(options, sources)
        if driver is None or not driver.runFullCompilation(True):
            yield f"slang rejects {name} (messages above)"


def check_format() -> Iterator[str]:
    """verible-verilog-format --verify on every hand-written SystemVerilog file."""
    sources = [path for path in files() if path.suffix in (".sv", ".svh")
               and not is_generated(path.read_text())]
    if not sources:
        return
    # The formatter verifies one file reliably; with several it stops at the first that differs.
    for source in sources:
        try:
            run_tool(["verible-verilog-format", "--verify", *FORMAT, source])
        except BuildError:
            yield (f"{source.relative_to(ROOT)}: not formatted; "
                   f"verible-verilog-format --inplace {' '.join(FORMAT)}")


def long_lines(path: Path, text: str) -> list[int]:
    """The numbers of the lines that are longer than COLUMNS allows in such a file; of a generated one none."""
    if path.suffix not in COLUMNS or is_generated(text):
        return []
    return [number for number, line in enumerate(text.splitlines(), start=1) if len(line) > COLUMNS[path.suffix]]


def check_house() -> Iterator[str]:
    """Licence lines, module names, lengths of lines, machine paths."""
    for path in files():
        text, name = text_of(path), path.relative_to(ROOT)
        if text is None:
            continue
        if path.suffix in NEEDS_SPDX and SPDX not in text[:600] and not is_generated(text):
            yield f"{name}: no `{SPDX}` at its beginning"
        for number, line in enumerate(text.splitlines(), start=1):
            if MACHINE_PATH.search(line):
                yield f"{name}:{number}: absolute path of a machine: {line.strip()[:100]}"
        yield from (f"{name}:{number}: longer than {COLUMNS[path.suffix]} columns" for number in long_lines(path, text))
        if path.suffix == ".sv" and name.parts[0] == "hw":
            declared = re.findall(r"^(?:module|package|interface)\s+(?:automatic\s+)?(\w+)", text,
                                  re.MULTILINE)
            if declared != [path.stem]:
                yield f"{name}: declares {declared}, one module named as the file is wanted"


def check_words() -> Iterator[str]:
    """Expressions for which the field has a term."""
    for path in files():
        if (text := text_of(path)) is not None:
            yield from words.findings(path, text)


def python_findings(*words: str | Path) -> Iterator[str]:
    """The lines that a Python tool prints at the root of the project, if it finds anything or cannot run."""
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        yield from (line for line in (done.stdout + done.stderr).splitlines() if line)


def check_python(*paths: Path) -> Iterator[str]:
    """Findings of ruff and mypy, of these files or of all that pyproject.toml names."""
    yield from python_findings("ruff", "check", "--config=pyproject.toml", "--quiet", "--output-format=concise", *paths)
    yield from python_findings("mypy", "--no-error-summary", *paths)


CHECKS = (check_slang, check_verilator, check_format, check_python, check_words, check_house, check_lists)
"""All, those that take longest first."""


def findings_of(check: Callable[[], Iterator[str]]) -> list[str]:
    """What it finds."""
    return list(check())


def main() -> int:
    """Runs all checks, two at a time."""
    findings = 0
    with ProcessPoolExecutor(2) as pool:
        for finding in chain.from_iterable(pool.map(findings_of, CHECKS)):
            print(f"lint: {finding}")
            findings += 1
    print(f"lint: {findings} findings" if findings else "lint: clean")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
