# SPDX-License-Identifier: Apache-2.0
"""Runs every generator of the project; with --check fails if that changed, added or removed a file."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("data", "docs", "dv", "hw", "pointmill", "sw", "syn", "tests")
GENERATORS = (("-m", "pointmill.gen"), ("scripts/gen_cores.py",), ("scripts/gen_ipxact.py",),
              ("scripts/gen_proto.py",), ("-m", "soc.picture"),
              ("-m", "pointmill.report.render"))


def snapshot() -> dict[Path, bytes]:
    """Contents of all files that generators may write to."""
    found = {path for folder in FOLDERS for path in (ROOT / folder).rglob("*")}
    return {path: path.read_bytes() for path in {*found, ROOT / "README.md"}
            if path.is_file() and "__pycache__" not in path.parts}


def main() -> int:
    """Exit code 0: all generators ran (and, with --check, nothing differed)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a generated file was stale")
    check = parser.parse_args().check
    before = snapshot() if check else {}
    for generator in GENERATORS:
        subprocess.run([sys.executable, *generator], cwd=ROOT, check=True)
    if not check:
        return 0
    after = snapshot()
    stale = sorted(path for path in before.keys() | after.keys()
                   if before.get(path) != after.get(path))
    for path in stale:
        print(f"check-gen: {path.relative_to(ROOT)} was not up to date (it is now)")
    if not stale:
        print("check-gen: generated files are up to date")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
