# SPDX-License-Identifier: Apache-2.0
"""The revision of the tree that figures come from."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from pointmill.simbuild import ROOT


def revision(files: Sequence[Path] = ()) -> tuple[str, bool]:
    """The git revision of the tree, and whether one of `files`, or without any the tree, differs from it; unknown and
    dirty without git."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    try:
        return git("rev-parse", "HEAD"), bool(git("status", "--porcelain", "--", *map(str, files)))
    except (OSError, subprocess.CalledProcessError):
        return "unknown", True
