# SPDX-License-Identifier: Apache-2.0
"""The wheel in a fresh virtual environment outside the tree, on a PATH without any program."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import venv
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import build_wheel as builder
from driver.commands import line
from pointmill import __version__, resources
from pointmill.cli import OF_CHECKOUT, TOOLS, make_parser
from pointmill.commands import curve, secret
from pointmill.cores import CORES
from pointmill.measure.install import constraints
from pointmill.resources import ROOT
from vectors.ed25519_vectors import rfc8032_cases

BUILT = ("edverify-throughput", "multicurve-fast", "x25519-tile", "mpu-full")
"""Cores that other tests build too."""
DEPENDENCIES = ("cffi", "PyYAML", "rich")
CASE = rfc8032_cases()[0]


@dataclass
class Installed:
    """An environment with the wheel. Programs run in an empty folder."""

    folder: Path
    wheel: Path

    @property
    def package(self) -> Path:
        """The installed package."""
        return next((self.folder / "lib").glob("python3*/site-packages/pointmill"))

    def run(self, *words: str, data: str = "", code: int = 0, **environment: str) -> str:
        """Standard output of a program of the environment."""
        work = self.folder / "empty"
        work.mkdir(exist_ok=True)
        done = subprocess.run([self.folder / "bin" / words[0], *words[1:]], input=data, text=True, check=False,
                              cwd=work, env={"PATH": str(work), **environment}, capture_output=True, timeout=120)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def pointmill(self, *words: str, data: str = "", code: int = 0, **environment: str) -> list[dict[str, Any]]:
        """JSON lines of a command."""
        return [json.loads(text) for text in self.run("pointmill", *words, data=data, code=code, **environment)
                .splitlines()]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    work = tmp_path_factory.mktemp("wheel")
    wheel = builder.build(work, BUILT, work / "work")
    venv.create(work / "venv")
    pins = [f"{name}=={version(name)}" for name in DEPENDENCIES]
    subprocess.run([sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "--python",
                    work / "venv/bin/python", "install", "--quiet", wheel, *pins, "--constraint", constraints(work)],
                   check=True, cwd=work)
    return Installed(work / "venv", wheel)


def test_contents(installed: Installed) -> None:
    assert installed.wheel.name == f"pointmill-{__version__}-py3-none-{builder.PLATFORM}.whl"
    names = zipfile.ZipFile(installed.wheel).namelist()
    libraries = sorted(Path(name).name for name in names if name.endswith(".so"))
    assert libraries == ["libpointmill.so", *sorted(f"pointmill-sim-{core}.so" for core in BUILT)]
    shipped = {str(path.relative_to(ROOT)) for pattern in resources.SHIPPED for path in ROOT.glob(pattern)}
    assert {name.removeprefix("pointmill/_tree/") for name in names
            if "/_tree/" in name and not name.endswith("/")} == shipped and len(shipped) > 60
    assert "pointmill/py.typed" in names and "pointmill/ucode/microcode.lark" in names
    assert not [name for name in names if name.startswith(("tests", "dv", "soc", "scripts"))]
    assert set(builder.INSIDE) > set(BUILT)


def test_it_asks_for_three_packages(installed: Installed) -> None:
    metadata = installed.run("python", "-c", "from importlib.metadata import requires; print(*requires('pointmill'))")
    own = re.sub(r"[\w.-]+(?:\[[\w,]+\])?; extra == \S+", "", metadata)
    assert re.findall(r"([\w-]+)(?: |$)(?!;)", own) == ["cffi", "pyyaml", "rich"]


def test_first_verdict(installed: Installed) -> None:
    before = os.times()
    (record,) = installed.pointmill("verify", "--json", "-", data=line(CASE))
    after = os.times()
    assert record == {"tag": 0, "valid": True, "reason": "ok", "rule": "ref10_bytes", "cycles": record["cycles"]}
    assert sum(after[2:4]) - sum(before[2:4]) < 3  # seconds of the processor, whatever else it does
    spent = installed.run("python", "-c", "import time; start = time.process_time(); import pointmill; "
                          "print(time.process_time() - start)")
    assert float(spent) < 0.15


SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
LINES = {"sign": {"d": SEED, "msg": ""}, "keygen": {"d": SEED}, "x25519": {"k": "02" * 32, "u": "09" + "00" * 31},
         "x448": {"k": "02" * 56, "u": "05" + "00" * 55}, "ecmul": {"k": "2"}, "ecdsa-sign": {"digest": "00", "d": "2"},
         "sm2-sign": {"e": "1", "d": "2"}, "modarith": {"mod": "61", "op": "inv", "a": "2a"}}
"""Lines of which the command makes a result."""
REJECTED = {"ecmul2": {"u": "1", "v": "2", "qx": "1", "qy": "1"}, "pubkey-check": {"qx": "1", "qy": "1"},
            "ecdh": {"d": "2", "qx": "1", "qy": "1"},
            "ecdsa-verify": {"digest": "00", "qx": "1", "qy": "1", "r": "1", "s": "1"},
            "sm2-verify": {"e": "1", "qx": "1", "qy": "1", "r": "1", "s": "1"}}
"""Lines that the core rejects."""
ELSEWHERE = {"verify", "info", "selftest", "regs", "demo", *TOOLS}
"""Commands that other tests run."""


def test_every_command_has_a_test() -> None:
    commands = re.findall(r"^    ([a-z][\w-]*)", make_parser().format_help(), re.MULTILINE)
    assert {*LINES, *REJECTED, *ELSEWHERE} == set(commands)


@pytest.mark.parametrize("command", [*LINES, *REJECTED])
def test_commands_on_lines(installed: Installed, command: str) -> None:
    of_curve = ["--curve", "P-256"] if command in curve.HELP and command not in ("x448", "modarith") else []
    data = json.dumps((LINES | REJECTED)[command])
    (record,) = installed.pointmill(command, *of_curve, "-", data=data, code=command in REJECTED)
    if command in LINES:
        assert record["cycles"] > 0
    else:
        assert "invalid_point" in record.values()
    assert command in {*curve.HELP, *secret.HELP}


def test_other_commands(installed: Installed) -> None:
    assert all(record["passed"] for record in installed.pointmill("selftest", "--json"))
    for core in CORES:
        (record,) = installed.pointmill("info", "--core", core, "--json")
        assert (record["core"], record["config"]) == (core, CORES[core].default)
    (record,) = installed.pointmill("ecmul", "--core", "mpu", "--curve", "P-256", "-", data='{"k":"2"}')
    assert record["cycles"] > 0


@pytest.mark.parametrize(("words", "text"), [
    *((f"{command} --help", f"{command} works in a checkout of Pointmill alone") for command in OF_CHECKOUT),
    ("schedule walk_double", "pip install 'pointmill[report]'"),
    ("simulate walk_double", "pip install 'pointmill[report]'"),
    ("regs", "the Python package systemrdl is not installed: pip install 'pointmill[report]'"),
    ("demo", "the Python package cryptography_vectors is not installed: pip install 'pointmill[demo]'"),
    ("info --config latency", "`python -m pointmill.library edverify latency` builds it"),
    ("info --core multicurve --config paper", "`python -m pointmill.library multicurve paper` builds it")])
def test_what_is_not_inside_is_said(installed: Installed, words: str, text: str) -> None:
    record = installed.pointmill(*words.split(), code=2)[-1]
    assert record["reason"] == "device_error" and text in record["error"] and "\n" not in record["error"]


def test_modules_of_a_folder(installed: Installed, tmp_path: Path) -> None:
    """A configuration that is not inside comes from a folder, by the setting or the variable."""
    module = installed.package / "_devices" / "pointmill-sim-edverify-throughput.so"
    (tmp_path / "pointmill-sim-edverify-latency.so").write_bytes(module.read_bytes())
    for words, environment in ((["--settings", f"modules={tmp_path}"], {}), ([], {"PM_SIM_PATH": str(tmp_path)})):
        (record,) = installed.pointmill("info", "--config", "latency", "--json", *words, **environment)
        assert record["config"] == "latency"


DAMAGES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("libpointmill.so", lambda data: data[: len(data) // 2], "libpointmill.so is damaged, or no shared library"),
    ("libpointmill.so", lambda data: b"text", "libpointmill.so is damaged, or no shared library"),
    ("pointmill-sim-edverify-throughput.so", lambda data: data[:100_000], "is damaged or no shared library")]


@pytest.mark.parametrize(("name", "damage", "text"), DAMAGES)
def test_a_damaged_library_is_one_sentence(installed: Installed, name: str, damage: Callable[[bytes], bytes],
                                           text: str) -> None:
    path = installed.package / "_devices" / name
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(damage(whole))
    try:
        (record,) = installed.pointmill("verify", "--json", "-", data=line(CASE), code=2)
        assert record["reason"] == "device_error" and text in record["error"] and "\n" not in record["error"]
    finally:
        path.unlink()
        path.write_bytes(whole)
    assert installed.pointmill("verify", "--json", "-", data=line(CASE))[0]["valid"]


def test_two_processes_of_eight_threads(installed: Installed) -> None:
    program = f"""if True:
        from concurrent.futures import ThreadPoolExecutor
        import pointmill
        case = [bytes.fromhex(text) for text in {[CASE.pk.hex(), CASE.msg.hex(), CASE.sig.hex()]!r}]
        def work(i):
            with pointmill.open() as device:
                return device.verify(*case).valid and not device.verify(case[0], b"!", case[2])
        with ThreadPoolExecutor(8) as threads:
            print(sum(threads.map(work, range(8))))
    """
    with ThreadPoolExecutor(2) as processes:
        assert list(processes.map(lambda _: installed.run("python", "-c", program), range(2))) == ["8\n"] * 2


def test_kill_leaves_nothing(installed: Installed) -> None:
    before = sorted(path for path in installed.folder.rglob("*") if "__pycache__" not in path.parts)
    program = subprocess.Popen([installed.folder / "bin/pointmill", "verify", "--json", "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, env={"PATH": os.devnull}, text=True)
    assert program.stdin is not None and program.stdout is not None
    feeder = threading.Thread(target=lambda: _feed(program))
    feeder.start()
    assert json.loads(program.stdout.readline())["valid"]
    program.kill()
    program.wait()
    program.stdout.close()
    feeder.join()
    assert sorted(path for path in installed.folder.rglob("*") if "__pycache__" not in path.parts) == before
    assert installed.pointmill("verify", "--json", "-", data=line(CASE))[0]["valid"]


def _feed(program: subprocess.Popen[str]) -> None:
    try:
        assert program.stdin is not None
        for _ in range(100_000):
            program.stdin.write(line(CASE) + "\n")
            program.stdin.flush()
    except BrokenPipeError:
        pass


@pytest.mark.long
def test_whole_wheel(tmp_path: Path) -> None:
    """All cores that the wheel is meant to have, and none that there is not."""
    made = builder.build(tmp_path, work=tmp_path / "work")
    assert made.stat().st_size < builder.MOST
    names = {Path(name).name for name in zipfile.ZipFile(made).namelist()}
    assert {f"pointmill-sim-{core}.so" for core in builder.INSIDE} <= names
