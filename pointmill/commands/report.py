# SPDX-License-Identifier: Apache-2.0
"""`pointmill report`: writes build/report/index.html, without anything from elsewhere, of the committed records
(docs/evidence.md)."""

from __future__ import annotations

from collections.abc import Sequence

from pointmill.commands.measure import plain_console
from pointmill.report import page
from pointmill.simbuild import ROOT
from pointmill.usage import Parser


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0."""
    Parser(prog="pointmill report", description=__doc__).parse_args(argv)
    plain_console().print(f"written {page.write().relative_to(ROOT)}")
    return 0
