# SPDX-License-Identifier: Apache-2.0
"""Builds a wheel again from its revision and compares every byte (`make verify-release WHEEL=<file>`).

    python scripts/verify_release.py WHEEL [--revision REVISION]

The revision, by default the tag of the wheel's version, is cloned to a folder of its own and builds the same simulated
cores with the tools of this environment. Compilers of other versions make other libraries: releases are built by those
of Debian 12 and of requirements/dev.lock. Exit code 1, and the files that differ, unless the wheels are alike.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from argparse import ArgumentParser
from pathlib import Path

from pointmill.resources import ROOT

_MODULE = "pointmill-sim-"


def cores(wheel: Path) -> list[str]:
    """The simulated cores inside, as scripts/build_wheel.py names them."""
    stems = [Path(name).stem for name in zipfile.ZipFile(wheel).namelist()]
    return sorted(stem.removeprefix(_MODULE) for stem in stems if stem.startswith(_MODULE))


def members(wheel: Path) -> dict[str, str]:
    """Hash of each file inside, with its time and mode."""
    archive = zipfile.ZipFile(wheel)
    return {one.filename: f"{hashlib.sha256(archive.read(one)).hexdigest()} {one.date_time} {one.external_attr:o}"
            for one in archive.infolist()}


def differences(one: Path, other: Path) -> list[str]:
    """Names of the files that are not the same in two wheels; the archive itself where only that differs."""
    if one.read_bytes() == other.read_bytes():
        return []
    left, right = members(one), members(other)
    return sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name)) or [one.name]


def rebuilt(revision: str, wanted: list[str], folder: Path) -> Path:
    """The wheel that a clone of a revision builds."""
    subprocess.run(["git", "clone", "--quiet", ROOT, folder / "tree"], check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", revision], cwd=folder / "tree", check=True)
    words = [word for core in wanted for word in ("--core", core)]
    subprocess.run([sys.executable, "scripts/build_wheel.py", "--folder", folder / "dist", *words],
                   cwd=folder / "tree", env={**os.environ, "PYTHONPATH": str(folder / "tree")}, check=True,
                   stdout=subprocess.DEVNULL)
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


def main() -> int:
    """0 where the wheels are alike."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--revision", help="what it was built from (default: the tag of its version)")
    args = parser.parse_args()
    revision = args.revision or f"v{args.wheel.name.split('-')[1]}"
    with tempfile.TemporaryDirectory() as folder:
        found = differences(args.wheel, rebuilt(revision, cores(args.wheel), Path(folder)))
    for name in found:
        print(f"differs: {name}")
    if not found:
        print(f"{args.wheel.name} is what {revision} builds: "
              f"SHA-256 {hashlib.sha256(args.wheel.read_bytes()).hexdigest()}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
