# SPDX-License-Identifier: Apache-2.0
"""Makes measurements and writes their records.

Results of unchanged inputs are kept unless told otherwise, so that a run that was broken off goes on where it was. A
measurement that fails does not stop the others.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pointmill.measure import (
    boards,
    cycles,
    derived,
    handshakes,
    install,
    ratchet,
    resources,
    serving,
    store,
    sweeps,
    trust,
)
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.measure.store import Entry, revision

KINDS = {"bench": cycles, "tls": handshakes, "syn": resources, "pnr": resources, "asic": resources,
         "board": boards, "derived": derived, "install": install, "serve": serving, "trust": trust, "sweep": sweeps}
MISSING, STALE, KEPT = "not measured", "stale", "kept"


def inputs(one: Measurement) -> str:
    """Hash of what the figures of a measurement depend on, as it is now."""
    return KINDS[one.kind].inputs(one).digest()


def state(one: Measurement, entries: Mapping[str, Entry]) -> str:
    """MISSING, STALE when something that the figures depend on has changed, or KEPT."""
    if one.name not in entries:
        return MISSING
    return KEPT if entries[one.name].inputs == inputs(one) else STALE


def run(one: Measurement) -> list[Record]:
    """The figures of a measurement."""
    return KINDS[one.kind].run(one)


def measure(one: Measurement, runner: Callable[[Measurement], list[Record]] = run) -> Entry:
    """Makes a measurement. What `runner` raises goes to the caller; `RuntimeError` where the sources change."""
    kind = KINDS[one.kind]
    before, begin = inputs(one), time.monotonic()
    sha, dirty = revision(kind.inputs(one).paths())
    figures = runner(one)
    if inputs(one) != before:
        raise RuntimeError("its sources changed while it was measured")
    seconds, date = round(time.monotonic() - begin), datetime.now(UTC).date().isoformat()
    timing = kind.timing(one) if one.kind in ("pnr", "asic", "board") else {}
    return Entry(one.name, one.command, kind.config(one), kind.tools(one), sha, dirty, date, before, seconds,
                 tuple(figures), timing=timing)  # fmt: skip


@dataclass
class Outcome:
    """What happened to each measurement: names by what was done, sentences of those that failed or were left out; names
    of figures that are worse than the committed ones."""

    made: list[str]
    kept: list[str]
    left_out: dict[str, str]
    failed: dict[str, str]
    worse: list[str]

    @property
    def code(self) -> int:
        """The exit code of a command that made the measurements."""
        return 1 if self.failed or self.worse else 0


def summary(entry: Entry, most: int = 6) -> str:
    """The first figures of an entry in a line, with the slowest paths."""
    shown = [f"{figure.what} {figure.value:,}" for figure in entry.figures[:most]]
    more = len(entry.figures) - most
    notes = [entry.timing, *(note for note in entry.timing.values() if isinstance(note, dict))]
    paths = "".join(f"; {note['slowest']}" for note in notes if "slowest" in note)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "") + paths


def make(chosen: Sequence[Measurement], console: Console, again: bool = False, folder: Path = store.FOLDER,
         runner: Callable[[Measurement], list[Record]] = run) -> Outcome:
    """Makes what is missing or stale of `chosen`, everything with `again`, writes each record as soon as it is there,
    and compares it with the committed one."""
    outcome = Outcome([], [], {}, {}, [])
    known, note = ratchet.committed()
    if note:
        console.print(note)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
        task = progress.add_task("", total=len(chosen))
        for one in chosen:
            progress.update(task, description=one.name)
            try:
                entry = None if again else store.load(one.name, folder)
                if entry and entry.inputs == inputs(one):
                    outcome.kept.append(one.name)
                else:
                    entry = measure(one, runner)
                    store.save(entry, folder)
                    outcome.made.append(one.name)
                    console.print(f"{one.name}: {summary(entry)} ({entry.seconds} s)")
                    found = ratchet.check([known[one.name]] if one.name in known else [], [entry])
                    outcome.worse += [change.name for change in found.failed]
                    for sentence in (*found.complaints(), *(f"ratchet: {change}" for change in found.allowed)):
                        console.print(sentence)
            except (resources.Missing, cycles.NotYet) as error:
                outcome.left_out[one.name] = str(error)
            except (RuntimeError, ValueError, OSError, subprocess.CalledProcessError) as error:
                outcome.failed[one.name] = str(error)
                console.print(f"{one.name} failed: {error}")
            progress.advance(task)
    return outcome
