# SPDX-License-Identifier: Apache-2.0
"""`pointmill ratchet [--update]`: compares the committed records with data/ratchet.yaml, or writes it from them.

An area of the ratchet that no record has any more counts as worse. A cycle count that has no record is no error here: it is
compared when it is measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from pointmill.bench import ratchet
from pointmill.bench.ratchet import Outcome
from pointmill.evidence import store
from pointmill.evidence.store import Entry
from pointmill.usage import Parser


def sections(entries: Mapping[str, Entry]) -> dict[str, dict[str, float]]:
    """What the records hold of the ratchet, by section; cycles that they lack are those of the ratchet."""
    found: dict[str, dict[str, float]] = {"area": {}}
    for section in set(ratchet.OF_CORE.values()):
        found[section] = dict(ratchet.committed(section))
    for entry in entries.values():
        if entry.measurement.startswith("bench."):
            found[ratchet.OF_CORE[entry.measurement.split(".")[1]]] |= ratchet.figures(entry.figures)
        else:
            found["area"] |= ratchet.areas(entry.figures)
    return found


def compare(entries: Mapping[str, Entry]) -> dict[str, Outcome]:
    """The outcome of each section."""
    return {section: ratchet.check(section, figures) for section, figures in sections(entries).items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 1 where a figure is worse and the changelog does not say so."""
    parser = Parser(prog="pointmill ratchet", description=__doc__)
    parser.add_argument("--update", action="store_true", help=f"write {ratchet.FILE.name}")
    args = parser.parse_args(argv)
    console, entries = Console(), store.load_all()
    failed, open_ = [], 0
    for outcome in compare(entries).values():
        failed += outcome.complaints()
        open_ += len(outcome.better) + len(outcome.allowed)
    for sentence in failed:
        console.print(sentence, highlight=False, soft_wrap=True)
    console.print(f"{len(failed)} worse, {open_} to be written by `pointmill ratchet --update`", highlight=False, soft_wrap=True)
    if args.update and not failed:
        ratchet.write({section: ratchet.committed(section) for section in ratchet.SECTIONS} | sections(entries))
        console.print(f"written {ratchet.FILE.name}")
    return 1 if failed else 0
