# SPDX-License-Identifier: Apache-2.0
"""The text of a source file without what no figure depends on: comments, whitespace, docstrings, folders of includes.

Python: the syntax tree without imports. C, C++ and .vlt: tokens, with preprocessor lines as one token each. YAML: the
data. Programs in .pmu: their statements. Any other file: as it is.
"""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path, PurePosixPath

import yaml

_LITERAL = r"""R"([^\s()\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\b\d(?:'?[\w.])*|'(?:\\.|[^'\\\n])+'"""
_COMMENT = re.compile(rf"{_LITERAL}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_OPERATOR = r"<=>|<<=|>>=|->\*|\.\.\.|::|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^<>=!]="
_TOKEN = re.compile(rf"^[ \t]*#[^\n]*|{_LITERAL}|\w+|{_OPERATOR}|\S", re.DOTALL | re.MULTILINE)
_INCLUDE = re.compile(r'\s*#\s*include\s*["<](.*)[">]')


def c_tokens(text: str) -> list[str]:
    """Of C, C++ or a .vlt file."""
    text = text.replace("\\\n", " ")
    text = _COMMENT.sub(lambda found: " " if found[0].startswith("/") else found[0], text)
    return [_directive(found[0]) if found[0].lstrip().startswith("#") else found[0] for found in _TOKEN.finditer(text)]


def _directive(line: str) -> str:
    included = _INCLUDE.match(line)
    return f"#include {PurePosixPath(included[1]).name}" if included else " ".join(line.split())


def _shape(node: object) -> object:
    """A syntax tree as nested lists, without empty fields, which versions of Python do not share."""
    if isinstance(node, list):
        return [_shape(one) for one in node if not _idle(one)]
    if not isinstance(node, ast.AST):
        return repr(node)
    return [type(node).__name__, *((name, _shape(value)) for name, value in ast.iter_fields(node)
                                   if value is not None and value != [])]  # fmt: skip


def _idle(node: object) -> bool:
    """An import, which says where something is and not what; a docstring, or a string that explains a constant."""
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return text or isinstance(node, ast.Import | ast.ImportFrom)


def _statements(text: str) -> list[str]:
    lines = (" ".join(line.partition("#")[0].split()) for line in text.splitlines())
    return [line for line in lines if line]


_READERS = {
    **dict.fromkeys((".c", ".h", ".cpp", ".vlt"), c_tokens),
    ".py": lambda text: _shape(ast.parse(text)),
    ".yaml": yaml.safe_load,
    ".pmu": _statements,
}


@cache
def _read(path: Path, changed: int, size: int) -> str:
    return json.dumps(_READERS.get(path.suffix, str)(path.read_text()))


def tokens(path: Path) -> str:
    """What counts of a file, as one string; read again when the file has changed."""
    stat = path.stat()
    return _read(path, stat.st_mtime_ns, stat.st_size)
