# SPDX-License-Identifier: Apache-2.0
"""`pointmill bench`: measure, print ours beside the published figures, write build/bench.json."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pointmill.bench import area, bulk, edverify, flow, keyexchange, load, multicurve, ratchet, short, throughput
from pointmill.bench.records import BENCH_FILE, ROOT, WHATS, Record, published, save
from pointmill.bench.render import render, render_multicurve, wiredancer
from pointmill.device import Device
from pointmill.library import CONFIGS, X25519_CONFIGS
from pointmill.ucode.gantt import draw, find

SIGNATURES = 1000
STEADY_SIGNATURES = 2048
PICTURES = ROOT / "build" / "schedules"


def _value(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4g}" if value < 1 else f"{value:,.1f}"


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
            _value(record.value),
            _value(record.published),
            _ratio(record),
        )
    console.print(table)


def draw_point_operations(folder: Path) -> list[Path]:
    """Gantt pictures of the point operations, as used and in the order of the printed tables."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in ("walk_double", "walk_add_a", "walk_add_g", "tables"):
        machine, schedules = find(name)
        paths.append(folder / f"{name}.svg")
        draw(machine, schedules, paths[-1])
    return paths


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pointmill bench", description=__doc__)
    parser.add_argument(
        "core", nargs="?", choices=(multicurve.CORE, keyexchange.CORE), help="only this core (default: all)"
    )
    parser.add_argument(
        "--signatures",
        type=int,
        default=SIGNATURES,
        help=f"signatures with one-block messages per main rule set (default {SIGNATURES})",
    )
    parser.add_argument(
        "--steady-signatures",
        type=int,
        default=STEADY_SIGNATURES,
        help=f"signatures for the configuration throughput (default {STEADY_SIGNATURES})",
    )
    parser.add_argument(
        "--no-area", action="store_true", help="leave out the synthesis runs (minutes)"
    )
    parser.add_argument(
        "--no-load", action="store_true", help="leave out latency against load (minutes)"
    )
    parser.add_argument(
        "--short", action="store_true", help="only the short run, whose counts `make test` compares"
    )
    parser.add_argument(
        "--update-ratchet",
        action="store_true",
        help=f"write the cycle counts to {ratchet.FILE.relative_to(ROOT)}",
    )
    parser.add_argument("--what", action="store_true", help="list the words of `what` and stop")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the bench; exit code 1 where a printed figure of the paper is not reached."""
    args = _parser().parse_args(argv)
    console = Console()
    if args.what:
        for word, text in WHATS.items():
            console.print(f"{word}: {text}")
        return 0
    if min(args.signatures, args.steady_signatures) < 2:
        _parser().error("the numbers of signatures must be at least 2")
    if args.core == multicurve.CORE:
        return bench_multicurve(console, args.short, args.update_ratchet)
    if args.core == keyexchange.CORE:
        measured = {keyexchange.CORE: ratchet.figures(exchange_records(console))}
        return int(check_ratchet(console, measured, args.update_ratchet))
    if args.short:
        return int(check_ratchet(console, {"test": short_figures()}, args.update_ratchet))
    paper = published(edverify.CORE)
    records = edverify.measure(args.signatures)

    def group(*prefixes: str) -> list[Record]:
        return [r for r in records if r.id.partition(".")[2].startswith(prefixes)]

    console.print(f"edverify, configuration paper, beside {paper['source']}\n")
    verify = group("verify")
    show(console, f"Whole verification, {args.signatures} signatures (table 8)", verify)
    show(console, "Where the cycles go, rfc8032_cofactorless", group("phase"))
    units = [r for r in records if r.id.partition(".")[2] in paper and r not in verify]
    show(console, "Units inside the core (table 5)", units)
    show(console, "Point operations, formulas as printed (tables 2 and 3)", group("printed"))
    show(console, "Point operations, formulas as used", group("used"))
    show(console, "Expected operations by windows (table 1)", group("windows"))
    steady = []
    for config in throughput.CONFIGS:
        found = throughput.measure(args.steady_signatures, config)
        console.print(f"edverify, configuration {config}, {args.steady_signatures} signatures\n")
        show(console, "Whole verification, steady state", found)
        steady += found
    found = bulk.measure(args.steady_signatures)
    console.print(f"edverify, configuration {bulk.CONFIG}, kept keys and batches\n")
    show(console, "Whole verification, steady state", found)
    steady += found
    console.print(f"wiredancer: {wiredancer():,} DSP-cycles a verification, derived from its source\n")
    records += steady
    flows = multiplier_records(args.steady_signatures)
    show(console, "Multiplier and butterfly in steady state, cycles", flows)
    records += flows
    if not args.no_load:
        for config, pace in _paces(steady):
            console.print(f"latency against load, configuration {config}")
            records += load.measure(config, pace)
    if not args.no_area:
        resources = area.records()
        show(console, "Resources: Yosys synth_xilinx, before placement (tables 4 and 8)", resources)
        records += resources
    curves = multicurve_records(console)
    records += curves
    exchanges = exchange_records(console)
    save(records + exchanges)
    whole = (args.signatures, args.steady_signatures) == (SIGNATURES, STEADY_SIGNATURES)
    if args.no_area or args.no_load or not whole:
        console.print("pages are not rewritten: not the whole bench")
    else:
        for path in render():
            console.print(f"page {path.relative_to(ROOT)}")
    for path in draw_point_operations(PICTURES):
        console.print(f"picture {path.relative_to(ROOT)}")
    console.print(f"records {BENCH_FILE.relative_to(ROOT)}")
    missed = [r for r in verify + units + group("printed", "used") + steady + curves + exchanges if _missed(r)]
    _say_missed(console, missed)
    measured = {"test": short_figures(), "bench": ratchet.figures(records) if whole else None,
                keyexchange.CORE: ratchet.figures(exchanges)}
    worse = check_ratchet(console, measured, args.update_ratchet)
    return 1 if missed or worse else 0


def multiplier_records(count: int) -> list[Record]:
    """What the multiplier does in steady state, in every configuration of one engine; an
    eighth of them where one job comes after the other."""
    found = []
    for config in flow.ENGINES:
        alone = CONFIGS[config]["Contexts"] == 1
        edge = 1 if alone else throughput.EDGE
        jobs = throughput.workload(max(count // 8 if alone else count, 2 * edge + 2), 2026)
        found += flow.steady_records(config, jobs, throughput.MAIN_RULE, edge)
    return found


def multicurve_records(console: Console) -> list[Record]:
    """The records of `multicurve` in all configurations of one engine, with a table of each."""
    found = []
    console.print(f"multicurve, beside {published(multicurve.CORE)['source']}\n")
    for config in multicurve.CONFIGS:
        records = multicurve.measure(config)
        show(console, f"multicurve, configuration {config}", records)
        found += records
    return found


def exchange_records(console: Console) -> list[Record]:
    """The records of `x25519` in all configurations, with a table."""
    found = [record for config in X25519_CONFIGS for record in keyexchange.measure(config)]
    keyexchange.show(console, found)
    return found


def bench_multicurve(console: Console, only_short: bool, update: bool) -> int:
    """`multicurve` alone: as `main`; of the other core the committed counts stand."""
    missed, measured = [], {}
    if not only_short:
        records = multicurve_records(console)
        save(records)
        for path in render_multicurve():
            console.print(f"page {path.relative_to(ROOT)}")
        missed = [record for record in records if _missed(record)]
        _say_missed(console, missed)
        measured["bench"] = ratchet.figures(records)
    measured["test"] = multicurve_short()
    for section, figures in measured.items():
        figures |= ratchet.of_core(ratchet.committed(section), edverify.CORE)
    worse = check_ratchet(console, measured, update)
    return 1 if missed or worse else 0


def multicurve_short() -> dict[str, int]:
    """The figures of the short run of `multicurve`."""
    found = {}
    for config in multicurve.CONFIGS:
        probe = multicurve.Probe(config)
        found |= multicurve.short(config, lambda jobs, probe=probe: [seen.cycles for seen in probe.run(jobs)])
    return found


def short_figures() -> dict[str, int]:
    """The figures of the short run, in every configuration."""
    found = dict(multicurve_short())
    for config in CONFIGS:
        with Device(config) as device:
            found |= short.measure(device, config)
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
        for change in outcome.failed:
            console.print(f"ratchet, worse: {change}; say why in CHANGELOG.md: Ratchet: {change.name}")
        for change in [*outcome.better, *outcome.allowed]:
            console.print(f"ratchet, to be written by `{ratchet.UPDATE}`: {change}")
        failed = failed or bool(outcome.failed)
        known[section] = figures
    if update and not failed:
        ratchet.write(known)
        console.print(f"written {ratchet.FILE.name}")
    return failed


def _paces(steady: Sequence[Record]) -> list[tuple[str, float]]:
    """Configurations with a curve of latency against load, and their cycles a verification."""
    key = (f"{edverify.CORE}.verify", "cycles_per_verification")
    return [(r.config, r.value) for r in steady if (r.id, r.what) == key and r.config in flow.ENGINES]


def _missed(record: Record) -> bool:
    more_is_better = record.what == "utilisation"
    return not more_is_better and record.published is not None and record.value > record.published


def _say_missed(console: Console, missed: Sequence[Record]) -> None:
    for record in missed:
        console.print(f"not reached: {record.id} {record.config} {record.value} > {record.published}")
