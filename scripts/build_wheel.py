# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel that has simulated cores inside (`make wheel`): dist/pointmill-<version>-py3-none-<platform>.whl.

    python scripts/build_wheel.py [--folder FOLDER] [--core CORE-CONFIGURATION ...]

Whoever installs it needs neither compiler nor Verilator. auditwheel checks what its libraries ask of a machine, and
names the platform. Builds of the same revision by the same tools are alike to the byte, wherever they are made
(scripts/verify_release.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pointmill import library
from pointmill.resources import ROOT
from pointmill.simbuild import BUILD, BuildError, locked, run_tool

INSIDE = ("edverify-throughput", "edverify-bulk", "multicurve-fast", "x25519-tile", "mpu-full")
"""The simulated cores inside: core and configuration."""
PLATFORM = "manylinux_2_36_x86_64"
"""That of Debian 12."""
MOST = 60 << 20
"""Bytes that the wheel may have."""
WORK = BUILD / "wheel"


def stripped(folder: Path, cores: Sequence[str]) -> None:
    """Fills a folder with the driver and the modules of cores, without symbols that nobody needs to load them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    built = [library.driver(), *(library.module(*core.split("-", 1)) for core in cores)]
    for path in built:
        run_tool(["strip", "--strip-unneeded", "-o", folder / path.name, path])


def committed() -> str:
    """Seconds of the last commit since 1970, for the files in the wheel; of 1980 where there is no repository."""
    found = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "315532800"


@contextmanager
def settled(**environment: str) -> Iterator[None]:
    """Further variables of the environment, and the umask of Debian: modes of files go into the wheel."""
    mask, saved = os.umask(0o022), dict(os.environ)
    os.environ.update(environment)
    try:
        yield
    finally:
        os.umask(mask)
        os.environ.clear()
        os.environ.update(saved)


def build(target: Path, cores: Sequence[str] = INSIDE, work: Path = WORK) -> Path:
    """The wheel, in the folder `target`. `BuildError` if it is too large, or of no such platform."""
    stripped(work / "devices", cores)
    shutil.rmtree(work / "plain", ignore_errors=True)
    shutil.rmtree(work / "repaired", ignore_errors=True)
    with locked(BUILD / "package"), settled(PM_WHEEL_DEVICES=str(work / "devices"), SOURCE_DATE_EPOCH=committed()):
        # build/package is where setup.py gathers the files
        run_tool([sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps",
                  "--no-build-isolation", "--wheel-dir", work / "plain", ROOT])
        (plain,) = (work / "plain").glob("*.whl")
        run_tool(["auditwheel", "repair", "--plat", PLATFORM, "--only-plat", "--wheel-dir", work / "repaired", plain])
    (wheel,) = (work / "repaired").glob("*.whl")
    if wheel.stat().st_size >= MOST:
        raise BuildError(f"{wheel.name} has {wheel.stat().st_size:,} bytes, {MOST:,} are the limit")
    target.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(wheel, target))


def main() -> int:
    """Builds it and says where it is."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "dist", help="where it goes (default: dist)")
    parser.add_argument("--core", action="append", help="instead of all: a core, as edverify-throughput (repeatable)")
    args = parser.parse_args()
    wheel = build(args.folder, args.core or INSIDE)
    print(f"{wheel}: {wheel.stat().st_size / (1 << 20):.1f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
