# SPDX-License-Identifier: Apache-2.0
"""A wheel is what its revision builds (`make verify-release`)."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pointmill.resources import ROOT
from verify_release import cores, differences


def archive(path: Path, data: str, mode: int = 0o644, year: int = 2026) -> Path:
    """A wheel with one module, and a file that has `data`, its mode and its year."""
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("pointmill/_devices/pointmill-sim-edverify-bulk.so", "module")
        entry = zipfile.ZipInfo("pointmill/data.txt", (year, 1, 1, 0, 0, 0))
        entry.external_attr = mode << 16
        made.writestr(entry, data)
    return path


def test_every_difference_is_named(tmp_path: Path) -> None:
    one = archive(tmp_path / "one", "data")
    assert cores(one) == ["edverify-bulk"]
    assert differences(one, one) == []
    for data, mode, year in (("date", 0o644, 2026), ("data", 0o664, 2026), ("data", 0o644, 2025)):
        assert "pointmill/data.txt" in differences(one, archive(tmp_path / "other", data, mode, year))
    (tmp_path / "other").write_bytes(one.read_bytes() + b"\0")
    assert differences(one, tmp_path / "other") == ["one"]


@pytest.mark.long
def test_builds_in_two_places_are_alike(tmp_path: Path) -> None:
    """Under another umask, in a folder with a name of another length; a changed file is found."""
    copy = tmp_path / "a-checkout-elsewhere"
    subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
    environment = {**os.environ, "PYTHONPATH": str(copy), "CCACHE_DISABLE": "1"}
    old = os.umask(0o077)
    try:
        subprocess.run([sys.executable, "scripts/build_wheel.py", "--folder", tmp_path, "--core", "x25519-tile"],
                       cwd=copy, env=environment, check=True)
    finally:
        os.umask(old)
    (wheel,) = tmp_path.glob("*.whl")
    command = [sys.executable, ROOT / "scripts/verify_release.py", wheel, "--revision", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"{wheel.name} is what HEAD builds: SHA-256 " in done.stdout
    with zipfile.ZipFile(wheel, "a") as changed:
        changed.writestr("pointmill/more.py", "")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "differs: pointmill/more.py\n")
