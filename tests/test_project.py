# SPDX-License-Identifier: Apache-2.0
"""The project's own files: file lists, FuseSoC cores, test selection, README."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml

from gen_cores import file_lists
from imported import imports
from lint import MACHINE_PATH, check_python, long_lines
from pointmill.simbuild import ROOT, read_filelist, tool_env

LISTS = [str(path.relative_to(ROOT)) for path in file_lists()]


def test_there_are_file_lists() -> None:
    assert {"hw/lib/prim/prim.f", "hw/lib/field/field.f", "hw/lib/hash/hash.f",
            "hw/lib/scalar/scalar.f", "hw/lib/axi/axi.f"} <= set(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_fusesoc_lints_the_files_of_the_list(name: str, tmp_path: Path) -> None:
    """FuseSoC resolves each core to exactly the files of its list, and its lint target passes."""
    core = f"pointmill:rtl:{Path(name).stem}"
    command = ["fusesoc", "--cores-root", str(ROOT / "hw"), "--cores-root", str(ROOT / "lint"),
               "run", "--target=lint", "--build-root", str(tmp_path / "out"), core]
    env = tool_env() | {f"XDG_{kind}_HOME": str(tmp_path) for kind in ("CACHE", "CONFIG", "DATA")}
    done = subprocess.run(command, cwd=tmp_path, env=env, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    (description,) = (tmp_path / "out").rglob("*.eda.yml")
    resolved = [Path(file["name"]).name for file in yaml.safe_load(description.read_text())["files"]
                if file["file_type"] == "systemVerilogSource"]
    assert sorted(resolved) == sorted(path.name for path in read_filelist(name))


@pytest.mark.parametrize(("text", "found"), [
    ("path = '/" + "home/someone/x'", True), ("see /" + "tmp/x", True),
    ("-I/" + "work/rtl", False), ("a/" + "work/b", False), ("${ROOT}/" + "work/b", False),
    ("#!/usr/bin/env bash", False), ("https://host/" + "home/x", False)])
def test_machine_paths_are_recognised(text: str, found: bool) -> None:
    assert bool(MACHINE_PATH.search(text)) == found


@pytest.mark.parametrize(("text", "found"), [
    ("import os", "F401"), (f"NAME = '{'x' * 120}'", "E501"), ("NUMBER: int = 'one'", "[assignment]"),
    ("def same(x):\n    return x", "[no-untyped-def]"), ("def same(x: int) -> int:\n    return x", None)])
def test_faults_in_python_are_found(tmp_path: Path, text: str, found: str | None) -> None:
    """By ruff and mypy, each finding on a line of its own."""
    path = tmp_path / "planted.py"
    path.write_text(f"{text}\n")
    lines = list(check_python(path))
    assert len(lines) == bool(found) and all(f"{path.name}:1:" in line and str(found) in line for line in lines)


@pytest.mark.parametrize(("name", "most"), [("a.sv", 100), ("a.c", 120), ("a.h", 120), ("a.cpp", 120)])
def test_long_lines_are_found(name: str, most: int) -> None:
    text = f"{'x' * most}\n{'x' * (most + 1)}\n"
    assert long_lines(Path(name), text) == [2]
    assert long_lines(Path(name), f"// Generated\n{text}") == []


# ------------------------------------------------------------------------- product and tests

TESTS = ("tests", "dv")
TEST_MODULES = {*TESTS, *(path.stem for folder in TESTS for path in (ROOT / folder).rglob("*")
                          if path.is_dir() or path.suffix == ".py")}


def of_tests(path: Path, text: str | None = None) -> set[str]:
    """What a file imports of tests and benches."""
    return {name for name in imports(path, text) if name.partition(".")[0] in TEST_MODULES}


def test_product_imports_nothing_of_its_tests() -> None:
    files = [path for folder in ("pointmill", "soc") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 100
    assert {str(path): names for path in files if (names := of_tests(path))} == {}


@pytest.mark.parametrize("text", [
    "from vectors.hostile import hostile_cases", "from vectors import hostile", "import tests.vectors",
    "import planted",
    "def run():\n    from dv.edverify.edverify_core import Core"])
def test_an_import_of_test_material_is_noticed(text: str) -> None:
    path = ROOT / "pointmill" / "measure" / "benches" / "throughput.py"
    assert of_tests(path, f"{path.read_text()}\n{text}\n")


# ------------------------------------------------------------------------------- test selection


@pytest.mark.parametrize("processes", [0, 2])
def test_left_out_tests_are_counted_aloud(tmp_path: Path, processes: int) -> None:
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n long: x\n soak: x\n")
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "def test_a(): pass\n"
        "def test_b(): pytest.skip('why')\n"
        "@pytest.mark.long\n@pytest.mark.parametrize('n', range(3))\ndef test_c(n): pass\n"
        "@pytest.mark.soak\ndef test_d(): pass\n"
        "def test_e(vectors_dir): pass\n")
    env = {key: value for key, value in os.environ.items()
           if key != "PM_VECTORS" and not key.startswith("PYTEST_")}

    def run(*options: str, **extra: str) -> list[str]:
        command = [sys.executable, "-m", "pytest", "-n", str(processes), *options]
        done = subprocess.run(command, cwd=tmp_path, env=env | extra, text=True, check=True,
                              capture_output=True)
        return done.stdout.splitlines()

    lines = run()
    assert "3 long tests left out (run them with --long)" in lines
    assert "1 soak tests left out (run them with --soak)" in lines
    assert "2 tests skipped, reasons above" in lines
    assert any(line.startswith("PM_VECTORS is not set") for line in lines)
    assert "1 passed, 2 skipped" in lines[-1]
    lines = run("--long", "--soak", PM_VECTORS=".")
    assert "long tests: run" in lines
    assert f"PM_VECTORS={tmp_path}: present" in lines
    assert "6 passed, 1 skipped" in lines[-1]
    lines = run("test_it.py::test_c[1]", "test_it.py::test_d")
    assert "2 passed" in lines[-1]


def test_normal_run_has_a_quarter_of_the_cases(tmp_path: Path) -> None:
    """Of a slow test, and of each configuration some; all of others, and of seeded bugs."""
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n long: x\n soak: x\n")
    text = ("import pytest\n"
            "@pytest.mark.parametrize('config', ['a', 'b', pytest.param('c', marks=pytest.mark.long)])\n"
            "@pytest.mark.parametrize('n', range(9))\n"
            "def test_x(n, config): pass\n"
            "@pytest.mark.soak\n@pytest.mark.parametrize('config', ['s', 't'])\ndef test_y(config): pass\n")
    files = {"e": "dv/edverify", "seeded_bugs": "dv/seeded", "quick": "tests"}
    for name, folder in files.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / f"test_{name}.py").write_text(text)

    def collected(*options: str) -> Counter[tuple[str, str]]:
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *options]
        done = subprocess.run(command, cwd=tmp_path, text=True, check=True, capture_output=True)
        return Counter(re.findall(r"test_(\w+)\.py.*\[(?:\d-)?(\w)\]", done.stdout))

    found = collected()
    assert found["e", "a"] + found["e", "b"] == 5 and min(found["e", "a"], found["e", "b"]) > 0
    assert {found[file, one] for file in ("seeded_bugs", "quick") for one in "ab"} == {9}
    assert not any(found[file, "c"] for file in files)
    assert set(collected("--long").values()) == {9} and collected("--long").total() == 81
    assert collected("--soak", "-m", "soak") == {(file, one): 1 for file in files for one in "st"}


def test_order_of_the_tests() -> None:
    """Files of cores in turns of their folders, those of units, Python, seeded bugs."""
    turn, seen = runpy.run_path(str(ROOT / "conftest.py"))["_turn"], Counter[str]()
    files = ["dv/a/test_1.py", "dv/a/test_2.py", "dv/b/test_1.py", "dv/lib/x/test_1.py",
             "dv/seeded/test_seeded_bugs.py", "tests/test_1.py"]
    assert sorted(files, key=lambda file: turn(file, seen)) == [files[i] for i in (0, 2, 1, 3, 5, 4)]


def test_one_worker_takes_all_tests_of_a_file(tmp_path: Path) -> None:
    """But seeded bugs may go to any."""
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n long: x\n soak: x\n")
    text = ("import os, pathlib, time, pytest\n"
            "@pytest.mark.parametrize('n', range(6))\n"
            "def test_x(n):\n"
            "    time.sleep(0.2)\n"
            "    pathlib.Path(f'{__file__}.{n}').write_text(os.environ['PYTEST_XDIST_WORKER'])\n")
    files = [tmp_path / name for name in ("tests/test_a.py", "tests/test_b.py", "dv/seeded/test_seeded_bugs.py")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    subprocess.run([sys.executable, "-m", "pytest", "-n", "2"], cwd=tmp_path, env=env, check=True)
    workers = [{(file.parent / f"{file.name}.{n}").read_text() for n in range(6)} for file in files]
    assert [len(some) for some in workers] == [1, 1, 2]


def test_readme_is_short() -> None:
    """At most 100 lines; the status, one table of the cores and one figure come before the commands."""
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 100
    places = [text.index(part) for part in ("<!-- bench:start -->", "**Status.**", "![", "make demo")]
    assert places == sorted(places) and text.count("![") == 1
