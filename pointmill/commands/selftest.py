# SPDX-License-Identifier: Apache-2.0
"""`pointmill selftest`: known answers on the device, the rejections included."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from dataclasses import dataclass
from typing import Any

import yaml
from rich.table import Table

from ..device import DeviceError, Job, Result
from ..rules import RULES
from ..simbuild import ROOT
from .common import EXIT_OK, EXIT_REFUSED, CommandError, add_device_options, open_device
from .output import output, progress_bar, write_json
from .verify import marked

ANSWERS = ROOT / "data" / "selftest.yaml"


@dataclass(frozen=True)
class KnownAnswer:
    """A job and the reason that the device must give."""

    name: str
    job: Job
    reason: str

    def agrees(self, result: Result) -> bool:
        """Whether the device gave it, and the verdict that belongs to it."""
        return result.reason == self.reason and result.valid == (self.reason == "ok")


def known_answers() -> list[KnownAnswer]:
    """The cases of data/selftest.yaml under every rule set; malformed jobs."""
    answers = []
    for case in yaml.safe_load(ANSWERS.read_text(encoding="utf-8")):
        pk, msg, r, s = (bytes.fromhex(case[name]) for name in ("pk", "msg", "r", "s"))
        reasons = case["reasons"]
        for rule in RULES:
            reason = reasons if isinstance(reasons, str) else reasons[rule]
            answers.append(KnownAnswer(case["name"], Job(pk, msg, r + s, rule), reason))
    pk, msg, sig = answers[0].job.pk, answers[0].job.msg, answers[0].job.sig
    malformed = {
        "rule 0": Job(pk, msg, sig, 0), "rule 7": Job(pk, msg, sig, 7),
        "rule 255": Job(pk, msg, sig, 255), "short key": Job(pk[:31], msg, sig, "ref10_bytes"),
        "long signature": Job(pk, msg, sig + b"\0", "ref10_bytes"),
    }
    return [*answers, *(KnownAnswer(name, job, "malformed_job") for name, job in malformed.items())]


def add_parser(commands: Any) -> None:
    """Adds the command to the sub-parsers of argparse."""
    text = "run known-answer tests under every rule set"
    parser: ArgumentParser = commands.add_parser("selftest", help=text, description=text)
    parser.add_argument("--json", action="store_true", help="one JSON line for each check")
    add_device_options(parser, functional=True)
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Runs the checks; exit code 1 if one fails."""
    answers = known_answers()
    with open_device(args) as device, progress_bar("checking", len(answers)) as advance:
        try:
            results = device.verify_batch([answer.job for answer in answers],
                                          progress=lambda done, total: advance(1))
        except DeviceError as error:
            raise CommandError(f"{args.device}: {error}", "device_error") from error
    wrong = []
    for answer, result in zip(answers, results, strict=True):
        passed = answer.agrees(result)
        record = {"check": answer.name, "rule": answer.job.rule, "passed": passed,
                  "valid": result.valid, "reason": result.reason, "expected": answer.reason, **marked(args.device)}
        if args.json:
            write_json(record)
        if not passed:
            wrong.append(record)
    if not args.json:
        show(answers, wrong)
    return EXIT_REFUSED if wrong else EXIT_OK


def show(answers: list[KnownAnswer], wrong: list[dict[str, Any]]) -> None:
    """Prints what failed, or how many checks of each reason passed."""
    console = output()
    if wrong:
        table = Table("check", "rule", "result", "expected")
        for record in wrong:
            table.add_row(record["check"], str(record["rule"]), record["reason"],
                          record["expected"])
        console.print(table)
    counts = Counter(answer.reason for answer in answers)
    console.print(f"{len(answers) - len(wrong)} of {len(answers)} checks passed ("
                  + ", ".join(f"{reason} {count}" for reason, count in counts.items()) + ")")
