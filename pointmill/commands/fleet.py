# SPDX-License-Identifier: Apache-2.0
"""`pointmill fleet`: files of any size verified on many devices, on this machine or a Ray cluster (docs/serve.md)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from pointmill.commands.common import EXIT_OK, EXIT_REFUSED, FUNCTIONAL, CommandError, explain
from pointmill.commands.output import output, progress_bar
from pointmill.cores import EDVERIFY
from pointmill.device import DEFAULT_RULE
from pointmill.rules import RULES
from pointmill.usage import Parser


def _parser() -> Parser:
    parser = Parser(prog="pointmill fleet", description=__doc__)
    verify = parser.add_subparsers(dest="command", required=True, metavar="COMMAND").add_parser(
        "verify", help="verify a file of signatures", description="A result for each row, in the same order. A run "
        "that was ended goes on with the same command. Exit code as `pointmill verify`.")
    verify.add_argument("input", metavar="IN", help="JSON lines, or Parquet with the same columns (*.parquet); with "
                        "--address at a path or URL that all nodes can read")
    verify.add_argument("--out", type=Path, required=True, help="result lines, or Parquet (*.parquet)")
    verify.add_argument("--address", help="of a Ray cluster: auto, HOST:PORT, ray://HOST:PORT (default: this machine)")
    verify.add_argument("--devices", type=int, default=os.cpu_count(), metavar="N",
                        help="at the same time (default: processors of this machine, %(default)s)")
    verify.add_argument("--device", default="sim", choices=("sim", "uio", FUNCTIONAL))
    verify.add_argument("--config", default=EDVERIFY.default, choices=list(EDVERIFY.parameters))
    verify.add_argument("--settings", default="", metavar="KEY=VALUE,...", help="of the back-end (docs/driver.md)")
    verify.add_argument("--rule", default=DEFAULT_RULE, choices=list(RULES), help="of rows without one")
    verify.add_argument("--rows", type=int, default=4096, metavar="N",
                        help="that a device takes, and that are done again after a fault (default: %(default)s)")
    verify.add_argument("--json", action="store_true", help="the summary as a JSON line")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0 if all rows are valid and there is one, 1 if not, 2 if the run could not end."""
    args = _parser().parse_args(argv)
    if args.devices < 1 or args.rows < 1:
        raise CommandError("--devices and --rows must be at least 1")
    if args.out.resolve() == Path(args.input).resolve():
        raise CommandError("--out is the input")
    from pointmill.fleet.cluster import ClusterError
    from pointmill.fleet.job import verify
    from pointmill.fleet.verifier import What

    what = What(str(args.input), args.rule, args.config, args.device, args.settings)
    with ExitStack() as stack:
        def begin(left: int) -> Callable[[int], None]:
            advance: Callable[[int], None] = stack.enter_context(progress_bar("verifying", left))
            return advance

        try:
            done = verify(what, args.out, args.rows, args.devices, args.address, begin)
        except ClusterError as error:
            raise CommandError(str(error), "device_error") from error
        except (OSError, ValueError) as error:
            raise CommandError(explain(error), "input_error") from error
    total = sum(done.reasons.values())
    if args.json:
        sys.stdout.write(json.dumps({"summary": True, "total": total, "valid": done.reasons.get("ok", 0),
                                     "reasons": done.reasons, "kept": done.kept, "done": done.done}) + "\n")
    else:
        counts = ", ".join(f"{reason} {count}" for reason, count in sorted(done.reasons.items()))
        output().print(f"{done.reasons.get('ok', 0)} of {total} signatures valid ({counts}); {done.kept} rows were "
                       "done before")
    return EXIT_OK if done.reasons.get("ok", 0) == total > 0 else EXIT_REFUSED
