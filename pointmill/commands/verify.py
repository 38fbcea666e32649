# SPDX-License-Identifier: Apache-2.0
"""`pointmill verify`: JSON lines, SSH signatures and signed commits, answered one by one."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from .. import sshsig
from ..device import DEFAULT_RULE, MODES, Device, DeviceError, Error, Job, Result
from ..library import CONFIGS
from ..rules import RULES
from .common import (CommandError, add_device_options, exit_code, explain, messages, open_device,
                     open_input, output, progress_bar, write_json)
from .lines import CHUNK_BATCHES, CHUNK_JOBS, Item, read_items

SHOWN = 50
"""Refused signatures that the table for people lists at most."""

NOT_SSH = "not an SSH signature"


def add_parser(commands: Any) -> None:
    """Adds the command to the sub-parsers of argparse."""
    parser: ArgumentParser = commands.add_parser(
        "verify", help="verify signatures",
        description="Verifies Ed25519 signatures on the device. Exit code 0: all are valid, 1: "
                    "some are not, 2: usage or device error.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", metavar="FILE|-",
                      help='JSON lines {"pk", "msg", "sig"} in hex, optionally "tag" and "rule"; '
                           "- for standard input")
    what.add_argument("--sshsig", nargs="+", metavar="FILE",
                      help="files with their SSH signature beside them (FILE.sig), or .sig files")
    what.add_argument("--git", metavar="REPO", help="all SSH-signed commits of a git repository")
    parser.add_argument("--namespace", default="file", help="of --sshsig (default: %(default)s)")
    parser.add_argument("--rule", default=DEFAULT_RULE, choices=list(RULES),
                        help="rule set of jobs without one of their own (default: %(default)s)")
    parser.add_argument("--mode", default="single", choices=list(MODES),
                        help="how signatures are taken: each by itself, many together, or with keys "
                             "that are kept prepared; verdicts are the same (default: %(default)s; the "
                             "others want --config bulk)")
    parser.add_argument("--json", action="store_true", help="one JSON line for each job")
    add_device_options(parser)
    parser.set_defaults(run=run)


# ---- where items come from


def _job_item(tag: str, rule: str, make: Callable[[], sshsig.Job]) -> Item:
    """The item of a job that `make` reads, or of the reason why it cannot."""
    try:
        job = make()
    except (sshsig.SshSigError, OSError) as error:
        return Item(tag, rule, None, explain(error))
    return Item(tag, rule, Job(job.pk, job.msg, job.sig, rule, tag))


def sshsig_items(files: list[str], namespace: str, rule: str, most: int = CHUNK_JOBS
                 ) -> Iterator[list[Item]]:
    """Items of files and their SSH signatures, `most` together; the tag is the name as given."""
    def item(name: str) -> Item:
        signature = Path(name if name.endswith(".sig") else f"{name}.sig")
        message = signature.with_suffix("")
        return _job_item(name, rule, lambda: sshsig.make_job(
            signature.read_bytes(), message.read_bytes(), namespace))

    for start in range(0, len(files), most):
        yield [item(name) for name in files[start:start + most]]


def git_items(repo: str, rule: str, report: sshsig.CommitReport, most: int = CHUNK_JOBS
              ) -> Iterator[list[Item]]:
    """Items of the SSH-signed commits of a repository, `most` together; the tag is the commit.

    A commit whose SSH signature gives no job is an item too; other signatures are not (they are
    counted in `report`).
    """
    items: list[Item] = []
    noticed = 0

    def unusable() -> None:
        nonlocal noticed
        for skipped in report.skipped[noticed:]:
            if not skipped.reason.startswith(NOT_SSH):
                items.append(Item(skipped.commit, rule, None, skipped.reason))
        noticed = len(report.skipped)

    for commit in sshsig.ssh_signed_commits(repo, report):
        unusable()
        items.append(Item(commit.commit, rule,
                          Job(commit.pk, commit.msg, commit.sig, rule, commit.commit)))
        if len(items) >= most:
            yield items
            items = []
    unusable()
    if items:
        yield items


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


def record_of(item: Item, result: Result) -> dict[str, Any]:
    """The JSON line of one answer."""
    record = {"tag": item.tag, "valid": result.valid, "reason": result.reason, "rule": item.rule,
              "cycles": result.cycles}
    if item.error is not None:
        record["error"] = item.error
    return record


class Summary:
    """Counts answers, and keeps the first refused ones for people."""

    def __init__(self) -> None:
        self.reasons: Counter[str] = Counter()
        self.cycles = 0
        self.timed = 0
        self.refused: list[dict[str, Any]] = []

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
        counts = ", ".join(f"{reason} {count}" for reason, count in self.reasons.most_common())
        console.print(f"{self.valid} of {self.total} signatures valid"
                      + (f" ({counts})" if counts else ""))
        if self.timed:
            console.print(f"{self.cycles / self.timed:,.0f} cycles from header to answer (mean)")


def answer_all(device: Device, chunks: Iterator[list[Item]], as_json: bool,
               advance: Callable[[int], None]) -> tuple[Summary, DeviceError | None]:
    """Answers every item, also when the device failed: those that follow are `aborted`."""
    summary, failure = Summary(), None
    for items in chunks:
        if failure is None:
            results, failure = verify_items(device, items, advance)
        else:
            results = [Result(item.tag, False, "aborted" if item.job else "malformed_job",
                              item.rule, 0) for item in items]
        for item, result in zip(items, results, strict=True):
            record = record_of(item, result)
            summary.add(record)
            if as_json:
                write_json(record)
        if as_json:
            sys.stdout.flush()
    return summary, failure


def _has_mode(config: str, mode: str) -> bool:
    """Whether a named configuration is built with a mode."""
    needs = {"single": "Contexts", "batch": "Batch", "cached": "Keys"}
    return bool(CONFIGS[config].get(needs[mode]))


def _no_mode(args: Namespace) -> str:
    having = ", ".join(config for config in CONFIGS if _has_mode(config, args.mode))
    return f"mode {args.mode} is not built into configuration {args.config}; it is into {having}"


def _set_mode(device: Device, args: Namespace) -> None:
    """Chooses the mode; `CommandError` if the core has none such."""
    try:
        device.set_mode(args.mode)
    except DeviceError as error:
        if error.code != Error.MODE:
            raise
        raise CommandError(f"{args.device}: {error} ({args.mode})") from error


def run(args: Namespace) -> int:
    """Runs the command; exit code."""
    if args.device == "sim" and not _has_mode(args.config, args.mode):
        raise CommandError(_no_mode(args))  # before anything is compiled
    report = sshsig.CommitReport()
    most = CHUNK_BATCHES if args.mode == "batch" else CHUNK_JOBS
    with open_input(args.file, sshsig.GitError) as (stream, total):
        if args.sshsig:
            chunks = sshsig_items(args.sshsig, args.namespace, args.rule, most)
            total = len(args.sshsig)
        elif args.git:
            chunks = git_items(args.git, args.rule, report, most)
        else:
            chunks = read_items(stream, args.rule, most)
        with open_device(args) as device, progress_bar("verifying", total) as advance:
            _set_mode(device, args)
            summary, failure = answer_all(device, chunks, args.json, advance)
    if not args.json:
        summary.show()
    if args.git and (report.unsigned or len(report.skipped)):
        others = sum(s.reason.startswith(NOT_SSH) for s in report.skipped)
        messages().print(f"not looked at: {report.unsigned} unsigned commits, "
                         f"{others} signed otherwise than by SSH")
    return exit_code(args, summary.valid == summary.total, failure)
