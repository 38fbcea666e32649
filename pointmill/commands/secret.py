# SPDX-License-Identifier: Apache-2.0
"""`pointmill sign`, `keygen` and `x25519`: JSON lines, one result a line."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from typing import Any

from ..device import Device, DeviceError, Result, SecretJob
from ..reasons import OF_SECRETS
from . import curve
from .common import DEFAULTS, CommandError, add_device_options, exit_code, open_device, open_input, open_x25519_device
from .lines import CHUNK_JOBS, SECRET_FIELDS, Item, read_secret_items
from .output import progress_bar, write_json

HELP = {
    "sign": ("sign messages with Ed25519", 'JSON lines {"d", "msg"} in hex', "Ed25519 signatures (RFC 8032)"),
    "keygen": ("generate Ed25519 public keys", 'JSON lines {"d"} in hex', "Ed25519 public keys (RFC 8032)"),
    "x25519": ("X25519 key agreement", 'JSON lines {"k", "u"} in hex', "X25519 (RFC 7748)"),
}

CORES = {"sign": ["edverify"], "keygen": ["edverify", "multicurve"], "x25519": ["x25519", "edverify", "multicurve"]}
"""Cores that have the operation, that of the command line first."""


def _count(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if not 1 <= value <= 1_000_000_000:
        raise ArgumentTypeError("is no number from 1 on")
    return value


def add_parsers(commands: Any) -> None:
    """Adds the commands to the sub-parsers of argparse."""
    for op, (short, lines, what) in HELP.items():
        parser: ArgumentParser = commands.add_parser(
            op, help=short, description=f"Computes {what} on the device, one JSON line for each. "
            "Exit code 0: all lines have a result, 1: some have not, 2: usage or device error.")
        inputs = parser.add_mutually_exclusive_group(required=True) if op == "keygen" else parser
        inputs.add_argument("file", nargs="?" if op == "keygen" else None, metavar="FILE|-",
                            help=f'{lines}, optionally "tag"; - for standard input')
        if op == "keygen":
            inputs.add_argument("--random", type=_count, metavar="N",
                                help="N new keys; their seeds, from the operating system, are "
                                     "printed as d")
        if op != "sign":
            parser.add_argument("--core", default=CORES[op][0], choices=CORES[op],
                                help="the core (default: %(default)s)")
        if op == "keygen":
            curve.add_curve_options(parser)
        parser.add_argument("--json", action="store_true", help="JSON lines, as always here")
        if op == "sign":
            add_device_options(parser)
        else:
            add_device_options(parser, None, None)  # which there are, the core decides
        parser.set_defaults(run=run, op=op)


def random_items(count: int) -> Iterator[list[Item]]:
    """Items of keygen with new seeds; the tag is the index."""
    for start in range(0, count, CHUNK_JOBS):
        yield [Item(tag, None, SecretJob("keygen", os.urandom(32), tag=tag))
               for tag in range(start, min(start + CHUNK_JOBS, count))]


def record_of(item: Item, result: Result | None, show_seed: bool) -> dict[str, Any]:
    """The JSON line of one answer; result None: the line is no job."""
    if result is None or item.job is None:
        return {"tag": item.tag, "reason": "malformed_job", "error": item.error}
    if not result.valid:
        error = OF_SECRETS.get(result.reason, result.reason)
        return {"tag": item.tag, "reason": result.reason, "error": error}
    record: dict[str, Any] = {"tag": item.tag}
    if item.job.op == "x25519":
        record |= {"out": result.payload.hex(), "all_zero": result.all_zero}
    else:
        if show_seed:
            record["d"] = item.job.secret.hex()
        record["pk"] = result.payload[:32].hex()
        if item.job.op == "sign":
            record["sig"] = result.payload[32:].hex()
    return {**record, "cycles": result.cycles}


def results_of(device: Device, items: list[Item], advance: Callable[[int], None]
               ) -> tuple[list[Result | None], DeviceError | None]:
    """Results of the items in their order, and the error if the device failed on the way."""
    jobs = [item.job for item in items if item.job is not None]
    failure = None
    try:
        answers = device.secret_batch(jobs, progress=lambda done, total: advance(1))
    except DeviceError as error:
        if error.results is None:
            raise
        answers, failure = error.results, error
    advance(len(items) - len(jobs))
    answered = iter(answers)
    return [None if item.job is None else next(answered) for item in items], failure


def answer_all(device: Device, chunks: Iterator[list[Item]], show_seed: bool,
               advance: Callable[[int], None]) -> tuple[bool, DeviceError | None]:
    """Answers every item, also when the device failed: those that follow are `aborted`.

    Whether all have a result, and the failure.
    """
    complete, failure = True, None
    for items in chunks:
        results: list[Result | None]
        if failure is None:
            results, failure = results_of(device, items, advance)
        else:
            results = [item.job and Result(item.tag, False, "aborted", 0, 0) for item in items]
        for item, result in zip(items, results, strict=True):
            record = record_of(item, result, show_seed)
            complete = complete and "error" not in record
            write_json(record)
        sys.stdout.flush()
    return complete, failure


def run(args: Namespace) -> int:
    """Runs one of the commands; exit code."""
    core = getattr(args, "core", CORES[args.op][0])
    args.config = args.config or DEFAULTS[core]
    if core == "multicurve":
        return curve.run(args)
    if getattr(args, "curve", None) or getattr(args, "params", None):
        raise CommandError("--curve and --params are for --core multicurve")
    show_seed = args.op == "keygen" and args.random is not None
    with open_input(args.file) as (stream, total):
        if show_seed:
            chunks, total = random_items(args.random), args.random
        else:
            chunks = read_secret_items(stream, args.op)  # type: ignore[arg-type]  # there is a file by default
        opened = open_x25519_device(args) if core == "x25519" else open_device(args)
        with opened as device, progress_bar(args.op, total, lines=True) as advance:
            if core == "edverify" and not device.info().secret_ops:
                raise CommandError(f"{', '.join(SECRET_FIELDS)} are not built into configuration "
                                   f"{args.config}", "device_error")
            complete, failure = answer_all(device, chunks, show_seed, advance)
    return exit_code(args, complete, failure)
