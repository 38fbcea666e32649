# SPDX-License-Identifier: Apache-2.0
"""Copies of the sources in which tests run on a defect, and the environment of these tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pointmill.simbuild import BUILD, CCACHE, ROOT

FOLDER = BUILD / "mutate"
_LEFT_OUT = shutil.ignore_patterns(".*", "build", "__pycache__", "*.egg-info")


def copy_sources(tree: Path, waived: str = "-rule UNUSEDSIGNAL") -> None:
    """Copies the sources to `tree`, where what was built stays. waived: warnings of Verilator that are no verdict; a
    defect may leave a signal unused."""
    tree.mkdir(parents=True, exist_ok=True)
    for old in tree.iterdir():
        if old.is_dir() and not old.is_symlink() and old.name != "build":
            shutil.rmtree(old)
    shutil.copytree(ROOT, tree, ignore=_LEFT_OUT, dirs_exist_ok=True)
    (tree / "lint" / "planted.vlt").write_text(f"`verilator_config\nlint_off {waived}\n")
    # What the defect leaves as it is need not be made again: schedules, kept by their question, and what all
    # simulations have in common.
    (tree / "build" / "cache").mkdir(parents=True, exist_ok=True)
    for name in ("solutions", "runtime"):
        kept, link = BUILD / "cache" / name, tree / "build" / "cache" / name
        kept.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(kept)


def environment(tree: Path) -> dict[str, str]:
    """Environment of a test run inside `tree`: its packages first, the real cache of objects."""
    env = {key: value for key, value in os.environ.items()
           if not key.startswith(("PYTEST_", "COCOTB_")) and key not in ("PM_WAVES", "PM_MUTANT")}
    paths = [str(tree), *(str(tree / folder) for folder in ("tests", "scripts")), env.get("PYTHONPATH", "")]
    env["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    env.setdefault("CCACHE_DIR", CCACHE["CCACHE_DIR"])
    return env
