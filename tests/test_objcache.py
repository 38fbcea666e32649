# SPDX-License-Identifier: Apache-2.0
"""The compiler wrapper: what it compiles once, and what it passes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pointmill import objcache

COMPILER = """#!/bin/sh
echo "$*" >>"{log}"
while [ "$1" != -o ]; do shift; done
echo "object of $3" >"$2"
echo "dependencies" >"${{2%.o}}.d"
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A run-time library of one source, and a compiler that logs its calls."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include/verilated.mk").write_text("")
    (tmp_path / "include/verilated.cpp").write_text("first")
    (tmp_path / "cxx").write_text(COMPILER.format(log=tmp_path / "calls"))
    (tmp_path / "cxx").chmod(0o755)
    return tmp_path


def compile_in(library: Path, folder: str, *flags: str, source: str = "verilated.cpp") -> str:
    """Runs the wrapper in a build folder; text of the object."""
    build = library / folder
    build.mkdir(exist_ok=True)
    command = [sys.executable, "-S", "-E", objcache.__file__, str(library / "cache"),
               str(library / "cxx"), *flags, "-c", "-o", "out.o", str(library / "include" / source)]
    subprocess.run(command, cwd=build, check=True)
    assert (build / "out.d").read_text() == "dependencies\n"
    return (build / "out.o").read_text()


def calls(library: Path) -> int:
    """How often the compiler ran."""
    return len((library / "calls").read_text().splitlines())


def test_run_time_library_is_compiled_once(library: Path) -> None:
    objects = {compile_in(library, folder) for folder in ("one", "two", "three")}
    assert objects == {f"object of {library}/include/verilated.cpp\n"}
    assert calls(library) == 1
    compile_in(library, "four", "-DPM_SIM_TOP=top")
    assert calls(library) == 1


def test_other_flags_or_another_library_compile_again(library: Path) -> None:
    compile_in(library, "one", "-O1")
    compile_in(library, "one", "-O2")
    assert calls(library) == 2
    (library / "include/verilated.cpp").write_text("second version")
    compile_in(library, "one", "-O2")
    assert calls(library) == 3
    compile_in(library, "one", "-O2", "-DVL_DEBUG")
    assert calls(library) == 4


def test_design_sources_are_passed_on(library: Path) -> None:
    for _ in range(2):
        compile_in(library, "one", source="Vtop.cpp")
    assert calls(library) == 2
    assert not (library / "cache").exists()


def test_failure_is_passed_on_and_not_kept(library: Path) -> None:
    (library / "cxx").write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(subprocess.CalledProcessError) as failure:
        compile_in(library, "one")
    assert failure.value.returncode == 3
    assert not (library / "cache").exists()
