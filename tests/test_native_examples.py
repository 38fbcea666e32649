# SPDX-License-Identifier: Apache-2.0
"""The examples in C, Rust and shell are short; that in shell runs (test_c_package.py, test_rust.py: the others)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pointmill.simbuild import ROOT

EXAMPLES = ROOT / "examples"
LINES = 24
PROGRAMS = ("c/verify.c", "rust/verify.rs", "shell/sign_and_verify.sh")


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_example_is_short(program: str) -> None:
    assert len((EXAMPLES / program).read_text().splitlines()) <= LINES


def test_the_example_in_shell() -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["sh", EXAMPLES / "shell" / "sign_and_verify.sh"], env={**os.environ, "PATH": path},
                          capture_output=True, text=True, check=False, timeout=580)
    assert (done.returncode, done.stdout) == (0, "ok\nequation_fails\n"), done.stderr


@pytest.mark.parametrize("fails", ["sign", "verify"])
def test_the_example_in_shell_fails(fails: str, tmp_path: Path) -> None:
    """With the exit code of the command that does."""
    tool = tmp_path / "pointmill"
    tool.write_text(f'#!/bin/sh\ncat >/dev/null\n[ "$1" != {fails} ] || exit 2\n')
    tool.chmod(0o755)
    done = subprocess.run(["sh", EXAMPLES / "shell" / "sign_and_verify.sh"], check=False,
                          env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"})
    assert done.returncode != 0
