# SPDX-License-Identifier: Apache-2.0
"""Finds expressions that lint/words.yaml replaces by a term of the field.

Checked are the documents, the leading comment or docstring of each source file, command help, and error texts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePath

import yaml

from pointmill.simbuild import ROOT

DOCUMENTS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
HELP = {"help", "description"}
LINE_COMMENT = {".sv": "//", ".c": "//", ".h": "//", ".cpp": "//", ".pmu": "#", ".yaml": "#"}
CODE = re.compile(r"^```.*?^```|`+[^`\n]*`+|\]\([^)\n]*\)|<!--.*?-->", re.MULTILINE | re.DOTALL)
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*)"')
SV_ERROR = re.compile(r'\$(?:error|fatal)\(\s*(?:1,\s*)?"([^"\n]*)"')


@cache
def rules() -> list[tuple[re.Pattern[str], str, tuple[str, ...]]]:
    """Pattern, term and excepted files of each entry of lint/words.yaml."""
    entries = yaml.safe_load((ROOT / "lint" / "words.yaml").read_text())
    return [(re.compile(entry["pattern"].replace(" ", r"\s+"), re.IGNORECASE), entry["write"],
             tuple(entry.get("except", ()))) for entry in entries]


def without_code(text: str) -> str:
    """Markdown text with spaces in place of code, link targets and HTML comments."""
    return CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _header(text: str, mark: str) -> str:
    """The comment lines with which a file begins, without their marks."""
    lines = []
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith((mark, "/*", "*")):
            break
        lines.append(line.replace(mark, " " * len(mark), 1))
    return without_code("\n".join(lines))


def _strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """String constants of a part of a Python program but its docstrings, with their lines."""
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.lineno, without_code(node.value) if " " in node.value else ""


def _python(name: PurePath, text: str) -> Iterator[tuple[int, str]]:
    """Docstring of a module, help of its commands, texts of what it raises; every text of a command."""
    tree = ast.parse(text)
    if name.match("pointmill/commands/*.py") or name.match("pointmill/cli.py"):
        yield from _strings(tree)
    if ast.get_docstring(tree):
        yield tree.body[0].lineno, without_code(tree.body[0].value.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            yield from _strings(node)
        elif isinstance(node, ast.keyword) and node.arg in HELP:
            yield from _strings(node.value)


def _prose(name: PurePath, text: str) -> Iterator[tuple[int, str]]:
    """The checked parts of a file, each with the line in which it begins."""
    if name.suffix == ".md":
        if str(name) in DOCUMENTS or name.parts[0] == "docs":
            yield 1, without_code(text)
    elif name.suffix == ".py":
        yield from _python(name, text)
    elif name.suffix in LINE_COMMENT:
        yield 1, _header(text, LINE_COMMENT[name.suffix])
        found = SV_ERROR if name.suffix == ".sv" else TEXT if name.parts[0] == "sw" else None
        for message in found.finditer(text) if found else ():
            yield text.count("\n", 0, message.start()) + 1, message[1]


def findings(path: Path, text: str) -> Iterator[str]:
    """What is to be written otherwise in a file, as `file:line: "word": write "term"`."""
    name = PurePath(path.relative_to(ROOT)) if path.is_absolute() else PurePath(path)
    chosen = [rule for rule in rules() if not any(name.match(one) for one in rule[2])]
    for start, prose in _prose(name, text):
        for pattern, term, _ in chosen:
            for found in pattern.finditer(prose):
                line = start + prose.count("\n", 0, found.start())
                yield f'{name}:{line}: "{" ".join(found[0].split())}": write "{term}"'
