# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a document, `$ command` in its console blocks, and writes into it what they print, and the
diagrams that they draw into docs/images.

    python scripts/printed.py docs/add-a-curve.md
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pointmill.resources import ROOT

IMAGES = ROOT / "docs" / "images"


def sections(document: Path) -> list[tuple[str, str]]:
    """(command, output as printed) of all console blocks, in order."""
    found: list[tuple[str, list[str]]] = []
    for fence in re.findall(r"^```console\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL):
        for line in fence.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line + "\n")
    return [(command, "".join(output)) for command, output in found]


def run_document(document: Path, folder: Path) -> list[str]:
    """What the commands print, run one behind the other by one shell in a folder where hw/ and docs/ are those of the
    project."""
    for name in ("hw", "docs"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "bin").mkdir()
    tool = folder / "bin" / "pointmill"
    tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pointmill.cli "$@"\n')
    tool.chmod(0o755)
    # The exit code of each command is left to the next one.
    script = "".join(f"{command}\ncode=$?; printf '\\036'; (exit $code)\n" for command, _ in sections(document))
    env = os.environ | {"PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=env, text=True, check=True, stdout=subprocess.PIPE,
                          timeout=500)
    *outputs, rest = done.stdout.split("\x1e")
    if rest:
        raise ValueError(f"{document}: the last command left {rest!r}")
    return outputs


def written(document: Path, outputs: list[str]) -> str:
    """The document with these outputs in place of those that it shows."""
    text, at = document.read_text(), 0
    for (command, shown), printed in zip(sections(document), outputs, strict=True):
        head = f"$ {command}\n"
        at = text.index(head + shown, at) + len(head)
        text = text[:at] + printed + text[at + len(shown):]
    return text


def main() -> int:
    for document in map(Path, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as name:
            document.write_text(written(document, run_document(document, Path(name))))
            for picture in Path(name).glob("*.svg"):
                if (IMAGES / picture.name).is_file():
                    shutil.copy(picture, IMAGES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
