# SPDX-License-Identifier: Apache-2.0
"""`pointmill bench`: measures cycles, shows ours beside the published figures, writes the records and the pages."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from pointmill.bench import edverify, multicurve, ratchet, short
from pointmill.bench.records import ROOT, WHATS, Record, in_table
from pointmill.bench.render import render
from pointmill.device import Device
from pointmill.evidence import cycles, store
from pointmill.evidence.measure import measure
from pointmill.evidence.plan import Measurement, measurements
from pointmill.library import CONFIGS
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
    parser.add_argument("--update-ratchet", action="store_true",
                        help=f"write the cycle counts to {ratchet.FILE.relative_to(ROOT)}")
    parser.add_argument("--what", action="store_true", help="list the words of `what` and stop")
    return parser  # fmt: skip


def chosen(core: str | None, no_load: bool) -> list[Measurement]:
    """The measurements of cycles, of one core or of all."""
    return [one for one in measurements().values()
            if one.kind == "bench" and core in (None, one.words[0]) and not (no_load and one.words[1] == "load")]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the bench; exit code 1 where a printed figure of a paper is not reached, or a count is worse."""
    args = _parser().parse_args(argv)
    console = Console()
    if args.what:
        for word, text in WHATS.items():
            console.print(f"{word}: {text}")
        return 0
    if min(args.signatures, args.steady_signatures) < 2:
        _parser().error("the numbers of signatures must be at least 2")
    cores = [args.core] if args.core else [*cycles.CORES]
    measured = {} if args.core in ("x25519", "mpu") else {"test": short_figures(cores)}
    missed = []
    if not args.short:
        whole = (args.signatures, args.steady_signatures) == (cycles.SIGNATURES, cycles.STEADY_SIGNATURES)
        records = bench(console, chosen(args.core, args.no_load), args.signatures, args.steady_signatures, whole)
        missed = [record for record in records if _missed(record)]
        for record in missed:
            console.print(f"not reached: {record.id} {record.config} {record.value} > {record.published}")
        measured |= by_section(records, cores) if whole else dict.fromkeys(ratchet.OF_CORE.values())
    worse = check_ratchet(console, measured, args.update_ratchet)
    return 1 if missed or worse else 0


def bench(console: Console, plan: Sequence[Measurement], few: int, many: int, whole: bool) -> list[Record]:
    """Makes the measurements and shows each; `whole`: with the numbers of signatures that the records have, so that they
    and the pages are written."""
    found: list[Record] = []
    for one in plan:
        entry = measure(one, lambda one: cycles.run(one, few, many))
        show(console, one.name, entry.figures)
        found += entry.figures
        if whole:
            store.save(entry)
    if not whole:
        console.print("no record is written: not as many signatures as the records have")
    for path in render() if whole else ():
        console.print(f"page {path.relative_to(ROOT)}")
    return found


def short_figures(cores: Sequence[str]) -> dict[str, int]:
    """The figures of the short run, in every configuration; those of other cores stay as they are committed."""
    found = dict(ratchet.committed("test"))
    if multicurve.CORE in cores:
        found = ratchet.of_core(found, edverify.CORE) | multicurve_short()
    if edverify.CORE in cores:
        found = ratchet.of_core(found, multicurve.CORE)
        for config in CONFIGS:
            with Device(config) as device:
                found |= short.measure(device, config)
    return found


def multicurve_short() -> dict[str, int]:
    """The figures of the short run of `multicurve`."""
    found = {}
    for config in multicurve.CONFIGS:
        probe = multicurve.Probe(config)
        found |= multicurve.short(config, lambda jobs, probe=probe: [seen.cycles for seen in probe.run(jobs)])
    return found


def by_section(records: Sequence[Record], cores: Sequence[str]) -> dict[str, dict[str, float]]:
    """The counts of the records by section of the ratchet; of cores that were not measured the committed ones stand."""
    found: dict[str, dict[str, float]] = {}
    for core in cores:
        own = ratchet.figures(record for record in records if record.id.startswith(f"{core}."))
        found[ratchet.OF_CORE[core]] = found.get(ratchet.OF_CORE[core], {}) | own
    for other in (core for core in cycles.CORES if core not in cores and ratchet.OF_CORE[core] in found):
        section = ratchet.OF_CORE[other]
        found[section] |= ratchet.of_core(ratchet.committed(section), other)
    return found


def check_ratchet(console: Console, measured: dict[str, dict | None], update: bool) -> bool:
    """Compares with the committed counts, or writes those that may be written; whether one is worse.
    None: this section was not measured as a whole."""
    known = {section: ratchet.committed(section) for section in ratchet.SECTIONS}
    failed = False
    for section, figures in measured.items():
        if figures is None:
            console.print(f"ratchet: {section} not compared, not the whole bench")
            continue
        outcome = ratchet.check(section, figures)
        for sentence in outcome.complaints():
            console.print(sentence)
        for change in [*outcome.better, *outcome.allowed]:
            console.print(f"ratchet, to be written by `{ratchet.UPDATE}`: {change}")
        failed = failed or bool(outcome.failed)
        known[section] = figures
    if update and not failed:
        ratchet.write(known)
        console.print(f"written {ratchet.FILE.name}")
    return failed


def _missed(record: Record) -> bool:
    more_is_better = record.what == "utilisation"
    return not more_is_better and record.published is not None and record.value > record.published
