# SPDX-License-Identifier: Apache-2.0
"""The measurement of the wheel beside other packages that verify Ed25519 signatures: size, packages, time to the first
verdict. Each package is installed into a virtual environment of its own.

Times are those of the processor, from start to end of a new process: what it takes where nothing else runs, the least
of several runs. They depend on the machine, so that those of one record belong together.
"""

from __future__ import annotations

import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import yaml

from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.resources import ROOT
from pointmill.simbuild import BuildError

RUNS = 15
BUILDER = ROOT / "scripts" / "build_wheel.py"
PEERS = ("PyNaCl", "cryptography")
"""Of requirements/dev.txt, at the versions there."""
_CASE = "pk, message, signature = (bytes.fromhex(text) for text in {case!r})\n"
PROGRAMS = {
    "pointmill": ("import pointmill", "with pointmill.open() as device:\n"
                  "    assert device.verify(pk, message, signature)"),
    "PyNaCl": ("from nacl.signing import VerifyKey", "VerifyKey(pk).verify(message, signature)"),
    "cryptography": ("from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey",
                     "Ed25519PublicKey.from_public_bytes(pk).verify(signature, message)"),
}
"""Import, and verification of a signature, of each package."""


def _spent() -> float:
    """Seconds of the processor that processes of this one have taken, those that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass(frozen=True)
class Environment:
    """A virtual environment with one package, and the bytes of its wheel."""

    folder: Path
    wheel: Path

    def milliseconds(self, *words: str, data: str = "") -> float:
        """The least processor time of several runs of a program of the environment, from its start to its end.
        `BuildError` if it fails."""
        least = float("inf")
        for _ in range(RUNS):
            before = _spent()
            done = subprocess.run([self.folder / "bin" / words[0], *words[1:]], input=data, text=True, check=False,
                                  capture_output=True, cwd=self.folder, env={"PATH": os.devnull})
            least = min(least, _spent() - before)
            if done.returncode:
                raise BuildError(f"{words[0]} failed: {done.stderr}")
        return round(least * 1e3, 1)


def _pip(python: Path | str, *words: str | Path) -> str:
    done = subprocess.run([python, "-I", "-m", "pip", "--disable-pip-version-check", *words], check=True, text=True,
                          stdout=subprocess.PIPE)
    return done.stdout


def _case() -> dict[str, str]:
    """Test 1 of RFC 8032, in hex."""
    entry = yaml.safe_load((ROOT / "data" / "selftest.yaml").read_text(encoding="utf-8"))[0]
    return {"pk": entry["pk"], "msg": entry["msg"], "sig": entry["r"] + entry["s"]}


def constraints(folder: Path) -> Path:
    """A file with the locked versions alone: with hashes pip would want one of the wheel, too."""
    text = "".join(lock.read_text(encoding="utf-8") for lock in sorted((ROOT / "requirements").glob("*.lock")))
    pins = re.findall(r"^[\w.-]+==\S+", text, re.MULTILINE)
    file = folder / "constraints.txt"
    file.write_text("\n".join(pins) + "\n", encoding="utf-8")
    return file


def _prepared(package: str, work: Path) -> Environment:
    """An environment with the package and what it needs."""
    wheels = work / "wheels"
    if package == "pointmill":
        subprocess.run([sys.executable, BUILDER, "--folder", wheels], check=True, stdout=subprocess.DEVNULL)
    else:
        _pip(sys.executable, "download", "--quiet", "--no-deps", "--dest", wheels, f"{package}=={version(package)}")
    (wheel,) = wheels.glob("*.whl")
    venv.create(work / "venv", with_pip=True)
    _pip(work / "venv/bin/python", "install", "--quiet", wheel, "--constraint", constraints(work))
    return Environment(work / "venv", wheel)


def _packages(environment: Environment) -> int:
    """Packages beside itself that came with it."""
    listed = json.loads(_pip(environment.folder / "bin/python", "list", "--format=json"))
    return len(listed) - 1 - sum(entry["name"] in ("pip", "setuptools") for entry in listed)


def _figures(package: str, environment: Environment) -> list[Record]:
    case = _case()
    load, verify = PROGRAMS[package]
    given = _CASE.format(case=list(case.values()))
    name = f"install.{package.lower()}"
    found = [Record(name, "python", "wheel_bytes", environment.wheel.stat().st_size, "bytes"),
             Record(name, "python", "dependencies", _packages(environment), "packages"),
             Record(name, "python", "import_ms", environment.milliseconds("python", "-c", load), "ms"),
             Record(name, "python", "verdict_ms",
                    environment.milliseconds("python", "-c", f"{load}\n{given}{verify}"), "ms")]
    if package == "pointmill":
        line = json.dumps(case)
        found += [Record(name, "command", "verdict_ms",
                         environment.milliseconds("pointmill", "verify", "--json", "-", data=line), "ms"),
                  Record("install.none", "python", "import_ms", environment.milliseconds("python", "-c", "pass"), "ms")]
    return found


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on, but for everything that is in the wheel: how it is built, and what loads first."""
    package = ROOT / "pointmill"
    return Inputs((), [Path(__file__), BUILDER, ROOT / "setup.py",
                       *(package / name for name in ("__init__.py", "cli.py", "client.py", "library.py", "resources.py",
                                                     "api/session.py", "api/engine.py"))])


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the run."""
    return {"runs": RUNS, "python": platform.python_version(), "processor": _processor()}


def _processor() -> str:
    """The name of the processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def tools(one: Measurement) -> dict[str, str]:
    """Versions of the packages beside ours."""
    return {package: version(package) for package in PEERS}


def run(one: Measurement) -> list[Record]:
    """The figures."""
    found = []
    for package in PROGRAMS:
        with tempfile.TemporaryDirectory() as work:
            found += _figures(package, _prepared(package, Path(work)))
    return found
