# SPDX-License-Identifier: Apache-2.0
"""`pointmill sweep`: figures of many settings of one part, on this machine or on a Ray cluster (docs/sweep.md)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.table import Table

from pointmill.commands.common import EXIT_OK, EXIT_REFUSED, CommandError
from pointmill.commands.output import messages, output, progress_bar, write_json
from pointmill.measure import cluster, local, plan, sweeps
from pointmill.measure.plan import Sweep, point_name
from pointmill.measure.records import in_table
from pointmill.usage import Parser

MORE_IS_BETTER = {"mhz", "utilisation"}


def _parser() -> Parser:
    parser = Parser(prog="pointmill sweep", description=__doc__)
    parser.add_argument("name", nargs="?", help="a sweep of data/measurements.yaml")
    parser.add_argument("--list", action="store_true", help="list the sweeps and stop")
    parser.add_argument("--measures", default="", metavar="NAME,...", help="only these (default: those of the sweep)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE,...", dest="settings",
                        help="other values of a parameter")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="tasks at a time on this machine (default: its processors, %(default)s)")
    parser.add_argument("--address", help="of a Ray cluster: auto, HOST:PORT or ray://HOST:PORT; without it the tasks "
                        "run on this machine")
    parser.add_argument("--retries", type=int, default=3, metavar="N",
                        help="processes or nodes that a task may lose (default %(default)s)")
    parser.add_argument("--folder", type=Path, default=sweeps.FOLDER, help="of the results (default: build/sweep)")
    parser.add_argument("--plan", type=Path, default=plan.FILE, metavar="FILE", help="another file of sweeps")
    parser.add_argument("--json", action="store_true", help="records as JSON lines instead of a table")
    return parser


def _list(known: dict[str, Sweep]) -> None:
    for name, sweep in known.items():
        output().print(f"{name}: {sweep.doc}; {len(sweep.points())} points, {', '.join(sweep.measures)}")
        for parameter, values in sweep.parameters.items():
            output().print(f"    {parameter}: {', '.join(map(str, values))}")


def _chosen(args: argparse.Namespace) -> Sweep:
    """The sweep of the options; `CommandError` where they make no sense."""
    known = plan.sweeps(args.plan)
    if args.name not in known:
        raise CommandError(f"no sweep {args.name}; there are {', '.join(known)}")
    if args.jobs < 1 or args.retries < 0:
        raise CommandError("--jobs must be at least 1, --retries at least 0")
    return plan.chosen(known[args.name], args.settings, [word for word in args.measures.split(",") if word])


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 1 where a point could not be measured."""
    parser = _parser()
    args = parser.parse_args(argv)
    if not args.list and args.name is None:
        parser.error("name a sweep, or say --list")
    try:
        if args.list:
            _list(plan.sweeps(args.plan))
            return EXIT_OK
        return _run(args, _chosen(args))
    except cluster.ClusterError as error:
        raise CommandError(str(error), "device_error") from error
    except ValueError as error:
        raise CommandError(str(error)) from error


def _run(args: argparse.Namespace, sweep: Sweep) -> int:
    tasks = sweep.tasks()
    if args.address:
        execute = partial(cluster.execute, address=args.address, retries=args.retries)
    else:
        execute = partial(local.execute, jobs=args.jobs, retries=args.retries)
    with progress_bar(sweep.name, len(tasks)) as advance:
        counts = sweeps.complete(tasks, args.folder, execute, advance)
    figures: dict[str, dict[str, float]] = {point_name(point): {} for point in sweep.points()}
    errors: dict[str, list[str]] = {}
    for task in tasks:
        entry = sweeps.done(task, args.folder)
        figures[task.point] |= {figure.what: figure.value for figure in entry.figures}
        if entry.error is not None:
            errors.setdefault(task.point, []).append(task.what)
            messages().print(f"{task.name}: {entry.error}", style="red", markup=False)
        if args.json:
            write_json(asdict(entry))
    if not args.json:
        output().print(table(sweep, figures, errors))
        output().print(f"{len(sweep.points())} points, {len(tasks)} tasks: {counts.kept} known before, "
                       f"{counts.done} done, {counts.failed} failed")  # fmt: skip
    return EXIT_REFUSED if counts.failed else EXIT_OK


def front(points: Mapping[str, Mapping[str, float]], axes: Sequence[str]) -> set[str]:
    """The points of which none other is as good in every figure of `axes` and better in one; points that lack one of
    them do not take part."""
    rows = {name: [row[what] * (-1 if what in MORE_IS_BETTER else 1) for what in axes]
            for name, row in points.items() if all(what in row for what in axes)}  # fmt: skip

    def beaten(row: list[float]) -> bool:
        return any(other != row and all(a <= b for a, b in zip(other, row, strict=True)) for other in rows.values())

    return {name for name, row in rows.items() if axes and not beaten(row)}


def table(sweep: Sweep, found: Mapping[str, Mapping[str, float]], errors: Mapping[str, Sequence[str]]) -> Table:
    """A row for each point: parameters, figures, a star if it is on the front, and which measures failed."""
    words = list(dict.fromkeys(word for row in found.values() for word in row))
    axes = [word for word in sweep.pareto if word in words]
    best = front(found, axes)
    result = Table(title=f"{sweep.name}: {sweep.doc}", title_justify="left")
    for name in (*sweep.parameters, *words):
        result.add_column(name, justify="right")
    result.add_column("best" if axes else "", justify="center")
    result.add_column("failed" if errors else "")
    for point in sweep.points():
        name = point_name(point)
        result.add_row(*map(str, point.values()), *(in_table(found[name].get(word)) for word in words),
                       "*" if name in best else "", ", ".join(errors.get(name, ())))  # fmt: skip
    if axes:
        result.caption = f"*: no other point is as good in {', '.join(axes)}"
    return result
