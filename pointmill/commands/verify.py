# SPDX-License-Identifier: Apache-2.0
"""`pointmill verify`: signatures in JSON lines, of files by SSH keys, of commits and tags."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from .. import allowed_signers, gitsig
from ..cores import EDVERIFY
from ..device import DEFAULT_RULE, MODES, Device, DeviceError, Error, Result
from ..rules import RULES
from .common import FUNCTIONAL, CommandError, add_device_options, exit_code, explain, open_device, open_input
from .lines import CHUNK_BATCHES, CHUNK_JOBS, Item, read_items
from .output import messages, output, progress_bar, write_json
from .ssh_items import Policy, git_items, sshsig_items

SHOWN = 50
"""Refused signatures that the table for people lists at most."""


def add_parser(commands: Any) -> None:
    """Adds the command to the sub-parsers of argparse."""
    parser: ArgumentParser = commands.add_parser(
        "verify", help="verify signatures",
        description="Verifies Ed25519 signatures on the device. Exit code 0: all are valid, 1: "
                    "some are not, or there was none to verify, 2: usage or device error.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", metavar="FILE|-",
                      help='JSON lines {"pk", "msg", "sig"} in hex, optionally "tag" and "rule"; '
                           "- for standard input")
    what.add_argument("--sshsig", nargs="+", metavar="FILE",
                      help="files with their SSH signature beside them (FILE.sig), or .sig files")
    what.add_argument("--git", metavar="REPO", help="SSH-signed commits and tags of a git repository")
    parser.add_argument("--revision", action="append", default=[], metavar="RANGE",
                        help="of --git: the commits of this range alone, such as main or v1..main (may be repeated)")
    parser.add_argument("--require-signed", action="store_true",
                        help="of --git: a commit or tag without an SSH signature of an Ed25519 key is not valid")
    parser.add_argument("--allowed-signers", metavar="FILE",
                        help="of --git and --sshsig: only these keys count (format of ssh-keygen)")
    parser.add_argument("--namespace", default="file", help="of --sshsig (default: %(default)s)")
    parser.add_argument("--rule", default=DEFAULT_RULE, choices=list(RULES),
                        help="rule set of jobs without one of their own (default: %(default)s)")
    parser.add_argument("--mode", default="single", choices=list(MODES),
                        help="verify signatures individually, in batches or with cached keys; the results are "
                             "the same (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON line for each job")
    add_device_options(parser, None, EDVERIFY.parameters, functional=True)
    parser.set_defaults(run=run)


# ---- answering


def verify_items(device: Device, items: list[Item], advance: Callable[[int], None]
                 ) -> tuple[list[Result], DeviceError | None]:
    """Results of the items in their order, and the error if the device failed on the way."""
    jobs = [item.job for item in items if item.job is not None]
    failure = None
    try:
        answers = device.verify_batch(jobs, progress=lambda done, total: advance(1))
    except DeviceError as error:
        if error.results is None:
            raise
        answers, failure = error.results, error
    answered = iter(answers)
    results = []
    for item in items:
        if item.job is None:
            advance(1)
            results.append(Result(item.tag, False, "malformed_job", item.rule, 0))
        else:
            results.append(next(answered))
    return results, failure


def marked(device: str) -> dict[str, Any]:
    """What every result line of a device says of it: of the functional device that it is none of the RTL."""
    return {"device": device} if device == FUNCTIONAL else {}


def record_of(item: Item, result: Result) -> dict[str, Any]:
    """The JSON line of one answer."""
    reason = item.reason if item.reason and (result.valid or item.job is None) else result.reason
    record = {"tag": item.tag, "valid": reason == "ok", "reason": reason, "rule": item.rule, "cycles": result.cycles,
              **item.shown}
    if item.error is not None and item.reason in (None, reason):
        record["error"] = item.error
    return record


class Summary:
    """Counts answers, and keeps the first refused ones for people."""

    def __init__(self) -> None:
        self.reasons: Counter[str] = Counter()
        self.cycles = 0
        self.timed = 0
        self.refused: list[dict[str, Any]] = []
        self.unsigned = 0
        self.other = 0

    @property
    def passed(self) -> bool:
        """Whether all are valid, and there is one."""
        return self.valid == self.total > 0

    def record(self) -> dict[str, Any]:
        """The counts as a JSON line: results, signatures that count, objects that were not looked at."""
        return {"summary": True, "total": self.total, "valid": self.valid, "invalid": self.total - self.valid,
                "reasons": dict(self.reasons), "unsigned": self.unsigned, "signed_otherwise": self.other}

    def add(self, record: dict[str, Any]) -> None:
        """Takes one answer."""
        self.reasons[record["reason"]] += 1
        if record["cycles"]:
            self.cycles += record["cycles"]
            self.timed += 1
        if not record["valid"] and len(self.refused) < SHOWN:
            self.refused.append(record)

    @property
    def valid(self) -> int:
        """Number of valid signatures."""
        return self.reasons["ok"]

    @property
    def total(self) -> int:
        """Number of answers."""
        return sum(self.reasons.values())

    def show(self) -> None:
        """Prints the refused ones and the counts."""
        console = output()
        if self.refused:
            table = Table("tag", "reason", "rule", "what is wrong")
            for record in self.refused:
                words = (str(record["tag"]), record["reason"], str(record["rule"]),
                         record.get("error", ""))
                table.add_row(*(escape(w.encode("ascii", "backslashreplace").decode())
                                for w in words))
            console.print(table)
            more = self.total - self.valid - len(self.refused)
            if more:
                console.print(f"... and {more} more")
        if not self.total:
            console.print("no signature to verify")
            return
        counts = ", ".join(f"{reason} {count}" for reason, count in self.reasons.most_common())
        console.print(f"{self.valid} of {self.total} signatures valid"
                      + (f" ({counts})" if counts else ""))
        if self.timed:
            console.print(f"{self.cycles / self.timed:,.0f} cycles from header to result (mean)")


def answer_all(device: Device, chunks: Iterator[list[Item]], as_json: bool, advance: Callable[[int], None],
               mark: dict[str, Any]) -> tuple[Summary, DeviceError | None]:
    """Answers every item, also when the device failed: those that follow are `aborted`. mark: further fields of every
    answer."""
    summary, failure = Summary(), None
    for items in chunks:
        if failure is None:
            results, failure = verify_items(device, items, advance)
        else:
            results = [Result(item.tag, False, "aborted" if item.job else "malformed_job",
                              item.rule, 0) for item in items]
        for item, result in zip(items, results, strict=True):
            record = record_of(item, result) | mark
            summary.add(record)
            if as_json:
                write_json(record)
        if as_json:
            sys.stdout.flush()
    return summary, failure


def _has_mode(config: str, mode: str) -> bool:
    """Whether a named configuration is built with a mode."""
    needs = {"single": "Contexts", "batch": "Batch", "cached": "Keys"}
    return bool(EDVERIFY.parameters[config].get(needs[mode]))


def _config_of(mode: str) -> str:
    """The configuration used without --config: the default one if it has the mode, else the first that has."""
    return next(config for config in (EDVERIFY.default, *EDVERIFY.parameters) if _has_mode(config, mode))


def _no_mode(args: Namespace) -> str:
    having = ", ".join(config for config in EDVERIFY.parameters if _has_mode(config, args.mode))
    return f"mode {args.mode} is not built into configuration {args.config}; it is into {having}"


def _set_mode(device: Device, args: Namespace) -> None:
    """Chooses the mode; `CommandError` if the core has none such."""
    try:
        device.set_mode(args.mode)
    except DeviceError as error:
        if error.code != Error["MODE"]:
            raise
        raise CommandError(f"{args.device}: {error} ({args.mode})") from error


def policy_of(args: Namespace) -> Policy:
    """What the options demand of a signature. `CommandError` for options that do not fit, or a file that is none."""
    if not args.git and (args.require_signed or args.revision):
        raise CommandError("--require-signed and --revision go with --git")
    if args.allowed_signers is None:
        return Policy(args.require_signed)
    if args.file is not None:
        raise CommandError("--allowed-signers goes with --git and --sshsig")
    try:
        text = Path(args.allowed_signers).read_bytes().decode("utf-8")  # a carriage return ends no line
        return Policy(args.require_signed, allowed_signers.parse(text))
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--allowed-signers: {explain(error)}", "input_error") from None
    except allowed_signers.AllowedSignersError as error:
        raise CommandError(f"--allowed-signers: {args.allowed_signers}: {error}", "input_error") from None


def run(args: Namespace) -> int:
    """Runs the command; exit code."""
    args.config = args.config or _config_of(args.mode)
    if args.device in ("sim", FUNCTIONAL) and not _has_mode(args.config, args.mode):
        raise CommandError(_no_mode(args))  # before anything is compiled
    most = CHUNK_BATCHES if args.mode == "batch" else CHUNK_JOBS
    policy = policy_of(args)
    with open_input(args.file, gitsig.GitError) as (stream, total):
        if args.sshsig:
            chunks = sshsig_items(args.sshsig, args.namespace, args.rule, policy, most)
            total = len(args.sshsig)
        elif args.git:
            chunks = git_items(args.git, args.revision, args.rule, policy, most)
        else:
            chunks = read_items(stream, args.rule, most)  # type: ignore[arg-type]  # there is a file by default
        with open_device(args) as device, progress_bar("verifying", total, args.json) as advance:
            _set_mode(device, args)
            summary, failure = answer_all(device, chunks, args.json, advance, marked(args.device))
    summary.unsigned, summary.other = policy.unsigned, policy.other
    if args.json:
        print(json.dumps(summary.record()), file=sys.stderr)
    else:
        summary.show()
        if args.device == FUNCTIONAL:
            messages().print("by the functional device, not the RTL")
        if policy.unsigned or policy.other:
            messages().print(f"not looked at: {policy.unsigned} unsigned commits and tags, {policy.other} signed "
                             "otherwise than by SSH")
    return exit_code(args, summary.passed, failure)
