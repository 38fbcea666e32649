# SPDX-License-Identifier: Apache-2.0
"""The project's own files: pins, file lists, FuseSoC cores, bootstrap, test selection."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from gen_cores import file_lists
from lint import MACHINE_PATH
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pointmill.simbuild import ROOT, VERILATOR_VERSION, read_filelist, tool_env

LISTS = [str(path.relative_to(ROOT)) for path in file_lists()]


def pins(name: str) -> dict[str, str]:
    """Versions by canonical package name; every line must be an exact pin."""
    found = {}
    for line in (ROOT / name).read_text().splitlines():
        if line and not line.startswith("#"):
            package, version = re.fullmatch(r"([\w.-]+)==([\w.]+)", line).groups()
            found[canonicalize_name(package)] = version
    return found


def test_every_package_is_pinned_and_installed_as_pinned() -> None:
    direct, others = pins("requirements.txt"), pins("constraints.txt")
    assert not direct.keys() & others.keys()
    needed, pending = set(), list(direct)
    while pending:
        name = pending.pop()
        if name in needed:
            continue
        needed.add(name)
        for text in importlib.metadata.requires(name) or []:
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                pending.append(canonicalize_name(requirement.name))
    every = direct | others
    assert needed <= every.keys(), "not pinned"
    installed = {name: importlib.metadata.version(name) for name in needed}
    assert installed == {name: every[name] for name in needed}
    assert direct["verilator"] == VERILATOR_VERSION


def test_there_are_file_lists() -> None:
    assert {"rtl/common/common.f", "rtl/field/field.f", "rtl/hash/hash.f",
            "rtl/scalar/scalar.f", "rtl/bus/bus.f"} <= set(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_fusesoc_lints_the_files_of_the_list(name: str, tmp_path: Path) -> None:
    """FuseSoC resolves each core to exactly the files of its list, and its lint target passes."""
    core = f"pointmill:rtl:{Path(name).stem}"
    command = ["fusesoc", "--cores-root", str(ROOT / "rtl"), "--cores-root", str(ROOT / "lint"),
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


# ------------------------------------------------------------------------------------ bootstrap


def run_setup(tmp_path: Path, hidden: set[str], **stubs: str) -> subprocess.CompletedProcess[str]:
    """Runs the bootstrap in a copy, with all programs of PATH but `hidden`, and with `stubs`."""
    copy, programs = tmp_path / "copy", tmp_path / "bin"
    (copy / "scripts").mkdir(parents=True)
    programs.mkdir()
    for name in ("requirements.txt", "constraints.txt", "pyproject.toml", "scripts/setup.sh"):
        shutil.copy(ROOT / name, copy / name)
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in Path(folder).glob("*") if folder else ():
            link = programs / program.name
            if program.name not in hidden | stubs.keys() and not link.is_symlink():
                link.symlink_to(program)
    for name, text in stubs.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    return subprocess.run(["bash", str(copy / "scripts/setup.sh")], text=True, check=False,
                          capture_output=True, env={"PATH": str(programs), "HOME": str(tmp_path)})


def test_setup_without_rights_names_the_one_line(tmp_path: Path) -> None:
    done = run_setup(tmp_path, {"perl"}, id="echo 1000", sudo="exit 1")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends perl'")
    assert not (tmp_path / "copy/.venv").exists()


def test_setup_as_root_installs_and_checks_again(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    done = run_setup(tmp_path, {"perl", "ssh-keygen"}, id="echo 0",
                     **{"apt-get": f'echo "$*" >>{calls}'})
    assert calls.read_text().splitlines() == [
        "update", "install -y --no-install-recommends perl openssh-client"]
    assert done.returncode == 1
    assert "still missing after the installation: perl openssh-client" in done.stderr


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
