# SPDX-License-Identifier: Apache-2.0
"""`pointmill ratchet`: compares the records of this tree with those of the last commit (docs/testing.md)."""

from __future__ import annotations

from collections.abc import Sequence

from pointmill.commands.common import EXIT_OK, EXIT_REFUSED, CommandError
from pointmill.commands.measure import plain_console
from pointmill.measure import ratchet, store
from pointmill.usage import Parser


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 1 where a figure is worse and the changelog does not say so; `CommandError` without a commit."""
    Parser(prog="pointmill ratchet", description=__doc__).parse_args(argv)
    console = plain_console()
    try:
        outcome = ratchet.check(ratchet.last_commit().values(), store.load_all().values())
    except ratchet.NoCommit as error:
        raise CommandError(f"{error}: nothing to compare with") from error
    for line in (*outcome.complaints(), *outcome.allowed, *outcome.better):
        console.print(str(line))
    console.print(f"{len(outcome.failed)} worse, {len(outcome.allowed)} worse as the changelog says, "
                  f"{len(outcome.better)} better or new")
    return EXIT_REFUSED if outcome.failed else EXIT_OK
