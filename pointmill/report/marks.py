# SPDX-License-Identifier: Apache-2.0
"""Parts of hand-written documents that are made of records, between `<!-- name:start -->` and `<!-- name:end -->`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path


def filled(page: Path, parts: Mapping[str, str]) -> str:
    """The text of a document with its parts by name, each of which ends with a newline; `ValueError` if one of them is
    not there once."""
    text = page.read_text()
    for name, part in parts.items():
        found = list(re.finditer(rf"<!-- {name}:start -->\n(.*?)<!-- {name}:end -->", text, re.DOTALL))
        if len(found) != 1:
            raise ValueError(f"{page.name}: {len(found)} sections {name}")
        start, end = found[0].span(1)
        text = text[:start] + part + text[end:]
    return text
