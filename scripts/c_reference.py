# SPDX-License-Identifier: Apache-2.0
"""Markdown of the public C headers: the leading comment of each, and every declaration below its comment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

BLOCK = re.compile(r"(?:/\*(?P<comment>.*?)\*/\s*)?(?P<code>.+)", re.DOTALL)
NAMES = (re.compile(r"^\}\s*(\w+);", re.MULTILINE), re.compile(r"\(\*(\w+)\)\("), re.compile(r"\b(\w+)\("),
         re.compile(r"^(?:typedef struct \w+|extern const \w+|typedef \w+|enum) (\w+)", re.MULTILINE),
         re.compile(r"^\s*(PM_\w+) =", re.MULTILINE))
"""What a declaration declares, the first that fits: a struct or enum, a function type, a function, a type or variable,
the first constant."""


def plain(comment: str) -> str:
    """The text of a comment as Markdown, without its margin."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment.strip().splitlines()]
    text = "\n".join(line for line in lines if "SPDX-License-Identifier" not in line).strip().replace("<", "&lt;")
    text = re.sub(r"^(?! +- )(.*\S.*)\n(?= +- )", r"\1\n\n", text, count=1, flags=re.MULTILINE)  # before a list
    text = re.sub(r"^ {2}", "", text, flags=re.MULTILINE)
    return re.sub(r"(?<![`\w])((?:pm|PM)_\w+(?:\(\))?)", r"`\1`", text)


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Name, comment and code of each declaration between the marks of a header; `ValueError` for one without name."""
    public = text.split("/* [declarations] */")[1].split("/* [end of declarations] */")[0]
    for part in re.split(r"\n\s*\n", public.strip()):
        found = BLOCK.fullmatch(part.strip())
        if not found:  # a comment alone
            continue
        name = next((match[1] for pattern in NAMES if (match := pattern.search(found["code"]))), None)
        if name is None:
            raise ValueError(f"what is declared here? {found['code']}")
        yield name, found["comment"] or "", found["code"]


def document(header: Path) -> str:
    """The document of a header. One that is generated, or has no marks, is shown as it is."""
    text = header.read_text(encoding="utf-8")
    lead = re.match(r"/\*(.*?)\*/", text, re.DOTALL)
    said = re.sub(r"^ *[\w.]+: ", "", plain(lead[1] if lead else ""))
    parts = [f"# {header.name}", said[:1].upper() + said[1:]]
    if "/* [declarations] */" not in text:
        return "\n\n".join([*parts, f"```c\n{text.strip()}\n```", ""])
    for name, comment, code in blocks(text):
        parts += [f"## {name}", plain(comment), f"```c\n{code}\n```"]
    return "\n\n".join([*parts, ""])
