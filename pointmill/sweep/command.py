# SPDX-License-Identifier: Apache-2.0
"""`pointmill sweep`: figures of many settings of one part, on this machine or on a Ray cluster (docs/sweep.md)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pointmill.commands.common import EXIT_OK, EXIT_REFUSED, CommandError
from pointmill.commands.output import messages, output, progress_bar, write_json
from pointmill.simbuild import ROOT
from pointmill.sweep import cluster, local, plan, show
from pointmill.sweep.run import run
from pointmill.sweep.store import Store
from pointmill.usage import Parser

FOLDER = ROOT / "build" / "sweep"


def _parser() -> Parser:
    parser = Parser(prog="pointmill sweep", description=__doc__)
    parser.add_argument("name", nargs="?", help="a sweep of data/sweeps.yaml")
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
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the results (default: build/sweep)")
    parser.add_argument("--plan", type=Path, default=plan.PLAN, metavar="FILE", help="another file of sweeps")
    parser.add_argument("--json", action="store_true", help="records as JSON lines instead of a table")
    return parser


def _list(sweeps: dict[str, plan.Sweep]) -> None:
    for name, sweep in sweeps.items():
        output().print(f"{name}: {sweep.doc}; {len(sweep.points())} points, {', '.join(sweep.measures)}")
        for parameter, values in sweep.parameters.items():
            output().print(f"    {parameter}: {', '.join(map(str, values))}")


def _chosen(args: argparse.Namespace) -> plan.Sweep:
    """The sweep of the options; `CommandError` where they make no sense."""
    sweeps = plan.read(args.plan)
    if args.name not in sweeps:
        raise CommandError(f"no sweep {args.name}; there are {', '.join(sweeps)}")
    if args.jobs < 1 or args.retries < 0:
        raise CommandError("--jobs must be at least 1, --retries at least 0")
    return plan.chosen(sweeps[args.name], args.settings, [word for word in args.measures.split(",") if word])


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 1 where a point could not be measured."""
    parser = _parser()
    args = parser.parse_args(argv)
    if not args.list and args.name is None:
        parser.error("name a sweep, or say --list")
    try:
        if args.list:
            _list(plan.read(args.plan))
            return EXIT_OK
        return _run(args, _chosen(args))
    except cluster.ClusterError as error:
        raise CommandError(str(error), "device_error") from error
    except ValueError as error:
        raise CommandError(str(error)) from error


def _run(args: argparse.Namespace, sweep: plan.Sweep) -> int:
    tasks, store = sweep.tasks(), Store(args.folder)
    if args.address:
        execute = partial(cluster.execute, address=args.address, retries=args.retries)
    else:
        execute = partial(local.execute, jobs=args.jobs, retries=args.retries)
    with progress_bar(sweep.name, len(tasks)) as advance:
        counts = run(tasks, store, execute, advance)
    known = list(store.known(tasks))
    errors: dict[str, list[str]] = {}
    for task, record in known:
        if record["error"] is not None:
            errors.setdefault(task.point, []).append(task.what)
            messages().print(f"{task.name}: {record['error']}", style="red", markup=False)
    if args.json:
        for _, record in known:
            write_json(record)
    else:
        output().print(show.table(sweep, show.figures(sweep, store), errors))
        output().print(f"{len(sweep.points())} points, {len(tasks)} tasks: {counts.kept} known before, "
                       f"{counts.done} done, {counts.failed} failed")  # fmt: skip
    return EXIT_REFUSED if counts.failed else EXIT_OK
