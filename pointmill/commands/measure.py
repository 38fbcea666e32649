# SPDX-License-Identifier: Apache-2.0
"""`pointmill measure [NAME ...]`, `make measure`, `make syn`, `make pnr`, `make asic`: makes the measurements of
data/measurements.yaml and writes their records.

A name stands for every measurement that begins with it (`syn.xc7`, `bench.x25519`); without one all are made. Results
of unchanged inputs are kept unless --again is given, so that a run that was broken off goes on where it was. A
measurement that fails does not stop the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from pointmill.measure import store
from pointmill.measure.plan import FILE, Measurement, measurements, nearest, select
from pointmill.measure.run import Outcome, make, state
from pointmill.report.render import render
from pointmill.simbuild import ROOT
from pointmill.usage import Parser


def plain_console() -> Console:
    """Standard output for lines that are printed as they are."""
    return Console(highlight=False, markup=False, soft_wrap=True)


def show_states(console: Console, chosen: Sequence[Measurement]) -> None:
    """A line for each measurement: what its record is."""
    entries = store.load_all()
    for one in chosen:
        entry = entries.get(one.name)
        since = f", {entry.date}, {entry.seconds} s" if entry else ""
        console.print(f"{one.name}: {state(one, entries)}{since}")


def conclude(console: Console, outcome: Outcome) -> int:
    """Rewrites the documents when there are new records, says what was done, and returns the exit code."""
    for path in render() if outcome.made else ():
        console.print(f"written {path.relative_to(ROOT)}")
    for name, why in outcome.left_out.items():
        console.print(f"left out: {name}: {why}")
    for name, why in outcome.failed.items():
        console.print(f"failed: {name}: {why.splitlines()[0] if why else ''}")
    console.print(f"{len(outcome.made)} measured, {len(outcome.kept)} kept, {len(outcome.left_out)} left out, "
                  f"{len(outcome.failed)} failed, {len(outcome.worse)} figures worse")
    return outcome.code


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 1 where a measurement failed or a figure is worse, 130 where the run was broken off."""
    parser = Parser(prog="pointmill measure", description=__doc__)
    parser.add_argument("name", nargs="*", help="measurement, or the beginning of its name")
    parser.add_argument("--again", action="store_true", help="also what is there and holds")
    parser.add_argument("--list", action="store_true", help="only say what is missing, stale or kept")
    args = parser.parse_args(argv)
    console = plain_console()
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
    return conclude(console, outcome)
