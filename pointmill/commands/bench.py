# SPDX-License-Identifier: Apache-2.0
"""`pointmill bench`: measures cycles, shows ours beside the published figures, writes records and documents."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from pointmill.commands.measure import conclude, plain_console
from pointmill.measure import cycles
from pointmill.measure.plan import Measurement, measurements
from pointmill.measure.records import WHATS, Record, in_table
from pointmill.measure.run import make
from pointmill.usage import Parser


def _ratio(record: Record) -> str:
    if not record.published or not record.value:
        return ""
    return f"{record.published / record.value:.2f}"


def show(console: Console, title: str, records: list[Record]) -> None:
    """A table of records: ours, the published figure, published / ours."""
    table = Table(title=title, title_justify="left")
    table.add_column("id")
    table.add_column("what")
    for name in ("ours", "published", "published / ours"):
        table.add_column(name, justify="right")
    for record in records:
        table.add_row(
            record.id.partition(".")[2],
            record.what,
            in_table(record.value),
            in_table(record.published),
            _ratio(record),
        )
    console.print(table)


def _parser() -> Parser:
    parser = Parser(prog="pointmill bench", description=__doc__)
    parser.add_argument("core", nargs="?", choices=tuple(cycles.CORES), help="only this core (default: all)")
    parser.add_argument("--signatures", type=int, default=cycles.SIGNATURES,
                        help=f"with one-block messages per main rule set (default {cycles.SIGNATURES})")
    parser.add_argument("--steady-signatures", type=int, default=cycles.STEADY_SIGNATURES,
                        help=f"for the configurations with several jobs (default {cycles.STEADY_SIGNATURES})")
    parser.add_argument("--no-load", action="store_true", help="leave out latency against load (minutes)")
    parser.add_argument("--short", action="store_true", help="only the short run, whose counts `make test` compares")
    parser.add_argument("--what", action="store_true", help="list the words of `what` and stop")
    return parser  # fmt: skip


def chosen(core: str | None, no_load: bool, short: bool) -> list[Measurement]:
    """The measurements of cycles, of one core or of all, without the load, or the short run alone."""
    return [one for one in measurements().values()
            if one.kind == "bench" and core in (None, one.words[0]) and not (no_load and one.words[1] == "load")
            and (not short or one.words[1] == "short")]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the bench; exit code 1 where a printed figure of a paper is not reached, or a count is worse."""
    args = _parser().parse_args(argv)
    console = plain_console()
    if args.what:
        for word, text in WHATS.items():
            console.print(f"{word}: {text}")
        return 0
    if min(args.signatures, args.steady_signatures) < 2:
        _parser().error("the numbers of signatures must be at least 2")
    records: list[Record] = []

    def run(one: Measurement) -> list[Record]:
        found = cycles.run(one, args.signatures, args.steady_signatures)
        show(console, one.name, found)
        records.extend(found)
        return found

    plan = chosen(args.core, args.no_load, args.short)
    if (args.signatures, args.steady_signatures) == (cycles.SIGNATURES, cycles.STEADY_SIGNATURES):
        code = conclude(console, make(plan, console, again=True, runner=run))
    else:
        code = 0
        for one in plan:
            run(one)
        console.print("nothing is written or compared: not as many signatures as the records have")
    missed = [record for record in records if _missed(record)]
    for record in missed:
        console.print(f"not reached: {record.id} {record.config} {record.value} > {record.published}")
    return 1 if missed else code


def _missed(record: Record) -> bool:
    more_is_better = record.what == "utilisation"
    return not more_is_better and record.published is not None and record.value > record.published
