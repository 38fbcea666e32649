# SPDX-License-Identifier: Apache-2.0
"""What the modules of the project import."""

from __future__ import annotations

import ast
from pathlib import Path

from pointmill.simbuild import ROOT


def imports(path: Path, text: str | None = None) -> set[str]:
    """The modules that a file of the project imports, by their full names; `text` stands for what it holds."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text() if text is None else text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = path.relative_to(ROOT).with_suffix("").parts[: -node.level] if node.level else ()
            module = ".".join([*parts, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found
