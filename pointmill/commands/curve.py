# SPDX-License-Identifier: Apache-2.0
"""`pointmill ecmul`, `ecmul2`, `pubkey-check`, `ecdh`, `ecdsa-verify`, `ecdsa-sign`, `sm2-verify`, `sm2-sign`,
`x448`, `modarith`, and `keygen` and `x25519` on the core `multicurve`, `ecmul` and `modarith` on the core `mpu`
too: JSON lines, one result a line.

The lines of a chunk are sent curve by curve (curve_runner), and results keep the order of the lines.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cores import MPU, MULTICURVE
from ..curve_device import CurveDevice
from ..curve_plans import hmac_hash
from ..curve_runner import Runner
from ..curves import MAX_BITS, Curve, CurveError, read_params, weierstrass
from ..errors import InputError
from ..mpu_device import BITS as MPU_BITS, MpuDevice
from .common import DEFAULTS, CommandError, add_device_options, exit_code, open_core, open_input, require_config
from .curve_lines import MAKERS, MPU_MAKERS, Makers, parse_line, record_of
from .lines import CHUNK_JOBS, Item, read_lines
from .output import progress_bar, write_json

HELP = {
    "ecmul": ("scalar multiplication k*P on any curve", '{"k"} or {"k", "px", "py"}', "[k]P, P or the base point"),
    "ecmul2": ("double-scalar multiplication u*P + v*Q", '{"u", "px", "py", "v", "qx", "qy"} or without px, py',
               "sums [u]P + [v]Q, P or the base point"),
    "pubkey-check": ("check that public keys are on their curve", '{"qx", "qy"}', "whether points are on their curve"),
    "ecdh": ("ECDH key agreement", '{"d", "qx", "qy"}', "x-coordinates of [d]Q"),
    "ecdsa-verify": ("verify ECDSA signatures", '{"digest", "qx", "qy", "r", "s"}',
                     "whether signatures are valid (FIPS 186-5)"),
    "ecdsa-sign": ("sign with ECDSA", '{"digest", "d"} or {"digest", "d", "k"}',
                   "signatures (FIPS 186-5), without k by the nonce of RFC 6979"),
    "sm2-verify": ("verify SM2 signatures", '{"e", "qx", "qy", "r", "s"}',
                   "whether signatures are valid (GB/T 32918.2)"),
    "sm2-sign": ("sign with SM2", '{"e", "d"} or {"e", "d", "k"}',
                 "signatures (GB/T 32918.2), without k by a random nonce"),
    "x448": ("X448 key agreement", '{"k", "u"}', "X448 (RFC 7748)"),
    "modarith": ("modular arithmetic", '{"mod", "op", "a", "b"}',
                 "sums, differences, products, inverses and residues modulo any odd number"),
}


@dataclass(frozen=True)
class Core:
    """A core with these commands: client, configurations, bits of its numbers, what reads its lines."""

    client: Callable[[str, str, str], CurveDevice | MpuDevice]
    configs: Collection[str]
    bits: int
    makers: Makers


CORES = {"multicurve": Core(CurveDevice, MULTICURVE.parameters, MAX_BITS, MAKERS),
         "mpu": Core(MpuDevice, MPU.parameters, MPU_BITS, MPU_MAKERS)}


def add_parsers(commands: Any) -> None:
    """Adds the commands to the sub-parsers of argparse."""
    for name, (short, lines, what) in HELP.items():
        parser: ArgumentParser = commands.add_parser(
            name, help=short, description=f"Computes {what} on the core multicurve{' or mpu' * (name in MPU_MAKERS)}, "
                                          "one JSON line for "
            "each. Exit code 0: all lines have a result, 1: some have not, 2: usage or device error.")
        parser.add_argument("file", metavar="FILE|-",
                            help=f'JSON lines {lines}, integers in hex, optionally "tag"'
                                 + (', "curve" or "params"' if _takes_curve(name) else ""))
        if _takes_curve(name):
            add_curve_options(parser)
        if name == "ecdsa-sign":
            parser.add_argument("--hash", metavar="NAME",
                                help="hash of RFC 6979 for lines without one of their own (default: one as "
                                     "long as the digest)")
        parser.add_argument("--json", action="store_true", help="JSON lines, as always here")
        parser.set_defaults(run=run, op=name, core="multicurve")
        if name in MPU_MAKERS:
            parser.add_argument("--core", choices=list(CORES), help="the core (default: %(default)s)")
        add_device_options(parser, None, None)  # which there are, the core decides


def _takes_curve(name: str) -> bool:
    return name not in ("x25519", "x448", "modarith")


def add_curve_options(parser: ArgumentParser) -> None:
    """--curve and --params."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--curve", metavar="NAME", help="curve of lines without one of their own")
    which.add_argument("--params", metavar="FILE",
                       help='its parameters instead: JSON {"p", "a", "b"}, optionally "n", "gx", "gy"')


def default_curve(args: Namespace) -> Curve | None:
    """The curve that the options name. `CommandError` for none."""
    try:
        if getattr(args, "curve", None) is not None:
            return weierstrass(args.curve)
        if getattr(args, "params", None) is not None:
            params = json.loads(Path(args.params).read_text(encoding="utf-8"))
            if not isinstance(params, dict):
                raise CurveError("not a JSON object")
            return read_params(params, args.params, CORES[args.core].bits)
    except CurveError as error:
        raise CommandError(str(error)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{args.params}: {error}", "input_error") from None
    return None


def default_fields(args: Namespace) -> dict[str, Any]:
    """Fields for lines without one of their own. `CommandError` for a hash that is none."""
    if getattr(args, "hash", None) is None:
        return {}
    try:
        return {"hash": hmac_hash(args.hash)}
    except InputError as error:
        raise CommandError(f"--hash {args.hash}: {error}") from None


def open_curve_core(args: Namespace) -> AbstractContextManager[CurveDevice | MpuDevice]:
    """The device that the options name; `CommandError` when there is none or it does not open."""
    core = CORES[args.core]
    require_config(args, args.core, core.configs)
    return open_core(core.client, args)


def answer_all(command: str, runner: Runner, chunks: Iterator[list[Item]]) -> bool:
    """Answers every item, also when the device failed; whether all have a result, and all keys are valid."""
    complete = True
    for items in chunks:
        for item, result in zip(items, runner.results([item.job for item in items]), strict=True):
            complete = complete and result is not None and result.reason == "ok"
            record = record_of(command, item, result)
            complete = complete and "error" not in record
            write_json(record)
        sys.stdout.flush()
    return complete


def random_items(count: int, curve: Curve | None) -> Iterator[list[Item]]:
    """Items of keygen with new keys; the tag is the index."""
    for start in range(0, count, CHUNK_JOBS):
        yield [parse_line("keygen", b"{}", tag, curve) for tag in range(start, min(start + CHUNK_JOBS, count))]


def run(args: Namespace) -> int:
    """Runs one of the commands; exit code."""
    args.config = args.config or DEFAULTS[args.core]
    curve, fields, makers = default_curve(args), default_fields(args), CORES[args.core].makers
    count = getattr(args, "random", None)
    with open_input(args.file) as (stream, total):
        if count is not None:
            chunks, total = random_items(count, curve), count
        else:
            chunks = read_lines(stream, None,  # type: ignore[arg-type]  # there is a file by default
                                lambda line, index: parse_line(args.op, line, index, curve, fields, makers))
        with open_curve_core(args) as device, progress_bar(args.op, total, lines=True) as advance:
            runner = Runner(device, advance)
            complete = answer_all(args.op, runner, chunks)
    return exit_code(args, complete, runner.failure)
