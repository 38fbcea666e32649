# SPDX-License-Identifier: Apache-2.0
"""`pointmill measure [NAME ...]`, `make measure`, `make syn`, `make pnr`, `make asic`: makes the measurements of data/measurements.yaml and writes their records.

A name stands for every measurement that begins with it (`syn.xc7`, `bench.x25519`); without one all are made. Results of
unchanged inputs are kept unless --again is given, so that a run that was broken off goes on where it was. A
measurement that fails does not stop the others.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pointmill.bench.records import Record
from pointmill.bench.render import render
from pointmill.evidence import cycles, store, sweeps, synthesis
from pointmill.evidence.inputs import digest
from pointmill.evidence.plan import FILE, Measurement, measurements
from pointmill.evidence.revision import revision
from pointmill.evidence.store import Entry
from pointmill.simbuild import ROOT
from pointmill.usage import Parser

KINDS = {"bench": cycles, "syn": synthesis, "pnr": synthesis, "asic": synthesis, "sweep": sweeps}
MISSING, STALE, KEPT = "not measured", "stale", "kept"


def inputs(one: Measurement) -> str:
    """Hash of what the figures of a measurement depend on, as it is now."""
    kind = KINDS[one.kind]
    return digest(kind.files(one), kind.text(one))


def state(one: Measurement, entries: dict[str, Entry]) -> str:
    """MISSING, STALE when something that the figures depend on has changed, or KEPT."""
    if one.name not in entries:
        return MISSING
    return KEPT if entries[one.name].inputs == inputs(one) else STALE


def run(one: Measurement) -> list[Record]:
    """The figures of a measurement."""
    return KINDS[one.kind].run(one)


def measure(one: Measurement, runner: Callable[[Measurement], list[Record]] = run) -> Entry:
    """Makes a measurement. What `runner` raises goes on to the caller; `RuntimeError` where the sources change meanwhile."""
    kind = KINDS[one.kind]
    before, begin = inputs(one), time.monotonic()
    sha, dirty = revision(kind.files(one))
    figures = runner(one)
    if inputs(one) != before:
        raise RuntimeError("its sources changed while it was measured")
    return Entry(one.name, one.command, kind.config(one), kind.tools(one), sha, dirty,
                 datetime.now(UTC).date().isoformat(), before, round(time.monotonic() - begin), tuple(figures))  # fmt: skip


@dataclass
class Outcome:
    """What happened to each measurement: names by what was done, sentences of those that failed or were left out."""

    made: list[str]
    kept: list[str]
    left_out: dict[str, str]
    failed: dict[str, str]


def summary(entry: Entry, most: int = 6) -> str:
    """The first figures of an entry in a line."""
    shown = [f"{figure.what} {figure.value:,}" for figure in entry.figures[:most]]
    more = len(entry.figures) - most
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def make(chosen: Sequence[Measurement], console: Console, again: bool = False, folder: Path = store.FOLDER,
         runner: Callable[[Measurement], list[Record]] = run) -> Outcome:
    """Makes what is missing or stale of `chosen`, everything with `again`, and writes each record as soon as it is there."""
    outcome = Outcome([], [], {}, {})
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
        task = progress.add_task("", total=len(chosen))
        for one in chosen:
            progress.update(task, description=one.name)
            entry = store.load(one.name, folder)
            if entry and not again and entry.inputs == inputs(one):
                outcome.kept.append(one.name)
            else:
                try:
                    entry = measure(one, runner)
                    store.save(entry, folder)
                    outcome.made.append(one.name)
                    console.print(f"{one.name}: {summary(entry)} ({entry.seconds} s)", highlight=False, soft_wrap=True)
                except (synthesis.Missing, cycles.NotYet) as error:
                    outcome.left_out[one.name] = str(error)
                except (RuntimeError, ValueError, OSError, subprocess.CalledProcessError) as error:
                    outcome.failed[one.name] = str(error)
                    console.print(f"{one.name} failed: {error}", highlight=False, markup=False, soft_wrap=True)
            progress.advance(task)
    return outcome


def select(known: dict[str, Measurement], names: Sequence[str]) -> list[Measurement]:
    """Those measurements whose name is one of `names` or goes on behind it; `KeyError` for a name that fits none."""
    for name in names:
        if not any(f"{other}.".startswith(f"{name}.") for other in known):
            raise KeyError(name)
    return [one for one in known.values() if not names or any(f"{one.name}.".startswith(f"{name}.") for name in names)]


def nearest(known: Collection[str], name: str) -> list[str]:
    """Up to three names, or beginnings of names, that are like `name`."""
    whole = (one.split(".") for one in known)
    beginnings = dict.fromkeys(".".join(words[:count]) for words in whole for count in range(1, len(words) + 1))
    return get_close_matches(name, beginnings)


def show_states(console: Console, chosen: Sequence[Measurement]) -> None:
    """A line for each measurement: what its record is."""
    entries = store.load_all()
    for one in chosen:
        entry = entries.get(one.name)
        since = f", {entry.date}, {entry.seconds} s" if entry else ""
        console.print(f"{one.name}: {state(one, entries)}{since}", highlight=False, soft_wrap=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 1 where a measurement failed, 130 where the run was broken off. Rewrites the pages when there are new records."""
    parser = Parser(prog="pointmill measure", description=__doc__)
    parser.add_argument("name", nargs="*", help="measurement, or the beginning of its name")
    parser.add_argument("--again", action="store_true", help="also what is there and holds")
    parser.add_argument("--list", action="store_true", help="only say what is missing, stale or kept")
    args = parser.parse_args(argv)
    console = Console()
    try:
        chosen = select(measurements(), args.name)
    except KeyError as error:
        near = nearest(measurements(), error.args[0])
        hint = f"near it: {', '.join(near)}; " if near else ""
        parser.error(f"no measurement {error.args[0]} in {FILE.relative_to(ROOT)}; {hint}"
                     "`pointmill measure --list` lists all")
    if args.list:
        show_states(console, chosen)
        return 0
    try:
        outcome = make(chosen, console, args.again)
    except KeyboardInterrupt:
        console.print("broken off; the same command goes on here")
        return 130
    for path in render() if outcome.made else ():
        console.print(f"page {path.relative_to(ROOT)}", highlight=False)
    for name, why in outcome.left_out.items():
        console.print(f"left out: {name}: {why}", highlight=False, markup=False, soft_wrap=True)
    for name, why in outcome.failed.items():
        console.print(f"failed: {name}: {why.splitlines()[0] if why else ''}", highlight=False, markup=False, soft_wrap=True)
    console.print(f"{len(outcome.made)} measured, {len(outcome.kept)} kept, {len(outcome.left_out)} left out, "
                  f"{len(outcome.failed)} failed", highlight=False, soft_wrap=True)
    return 1 if outcome.failed else 0
