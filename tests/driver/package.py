# SPDX-License-Identifier: Apache-2.0
"""The C library as a package: installed below build/, and used from there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pointmill import simbuild

INSTALL = simbuild.ROOT / "scripts" / "install.sh"
DEVICES = ("edverify-throughput", "x25519-tile")


def install(prefix: Path, build: Path, *devices: str) -> None:
    """Runs scripts/install.sh with this folder of the build; `BuildError` with its messages."""
    environment = {**simbuild.tool_env(), "PYTHON": sys.executable, "BUILD": str(build)}
    done = run(INSTALL, prefix, *devices, env=environment)
    if done.returncode:
        raise simbuild.BuildError(done.stdout + done.stderr)


@cache
def installed() -> Path:
    """Prefix of an installed package with two simulated cores, in build/."""
    prefix, build = simbuild.BUILD / "installed", simbuild.BUILD / "cmake" / "install"
    with simbuild.locked(build):
        install(prefix, build, *DEVICES)
        listed = (build / "install_manifest.txt").read_text().splitlines()
        for file in prefix.rglob("*"):
            if not file.is_dir() and str(file) not in listed:
                file.unlink()  # what an earlier version of this tree installed
    return prefix


def user(prefix: Path, **more: str) -> dict[str, str]:
    """The environment of somebody who installed the package below `prefix`, and has no checkout."""
    left = {key: value for key, value in os.environ.items() if not key.startswith(("PM_", "POINTMILL_"))}
    return {**left, "LD_LIBRARY_PATH": str(prefix / "lib"), "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig"),
            "CMAKE_PREFIX_PATH": str(prefix), **more}


def run(*words: str | Path, env: Mapping[str, str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a command and keeps what it prints."""
    return subprocess.run(words, env=env, cwd=cwd, capture_output=True, text=True, check=False, timeout=580)
