# SPDX-License-Identifier: Apache-2.0
"""`python -m pointmill.measure.mutation [GROUP] [--seconds N]`: judges changes of a group, or of all, and prints each
as soon as it is known, at the end those that survived. With --seconds it stops then; the next run goes on there."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from pointmill.measure.mutation.judge import SURVIVED, judge
from pointmill.measure.mutation.plan import groups
from pointmill.usage import Parser


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 1 where a change survived, 3 where the time was over."""
    known = groups()
    parser = Parser(prog="python -m pointmill.measure.mutation", description=__doc__)
    parser.add_argument("group", nargs="*", help=f"of {', '.join(known)}")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time after which no further one begins")
    parser.add_argument("--file", default="", help="only files whose path has this in it")
    parser.add_argument("--jobs", type=int, default=1, help="tests that run at once")
    args = parser.parse_args(argv)
    until, missing, survived = time.monotonic() + args.seconds, 0, []
    for name in args.group or known:
        mutants = [one for one in known[name].mutants() if args.file in one.file]
        results = judge(known[name], mutants, lambda line: print(line, flush=True), until,
                        args.jobs)
        missing += len(mutants) - len(results)
        survived += [one for one, result in results.items() if result.state == SURVIVED]
        print(f"{name}: {len(results)} of {len(mutants)} changes judged")
    for one in survived:
        print(f"survived: {one}")
    return 3 if missing else int(bool(survived))


if __name__ == "__main__":
    sys.exit(main())
