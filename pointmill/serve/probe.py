# SPDX-License-Identifier: Apache-2.0
"""What a device must show before it gets jobs, and of every result before it is believed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import yaml

from ..api.calls import Call, Outcome
from ..curve_device import CurveResult
from ..device import Job, Result, SecretJob
from ..errors import PointmillError
from ..resources import ROOT
from ..rules import RULES, Reason

_REASONS = frozenset(reason.name for reason in Reason)


class DistrustError(PointmillError):
    """A device contradicts its job, or gives a wrong known answer."""


def known_answers() -> tuple[list[Job], list[str]]:
    """A valid signature of RFC 8032, the same over another message and with S beyond L; their reasons."""
    case = yaml.safe_load((ROOT / "data" / "selftest.yaml").read_text(encoding="utf-8"))[0]
    pk, msg, r, s = (bytes.fromhex(case[name]) for name in ("pk", "msg", "r", "s"))
    jobs = [Job(pk, msg, r + s, "ref10_bytes", "probe-0"), Job(pk, msg + b"!", r + s, "ref10_bytes", "probe-1"),
            Job(pk, msg, r + b"\xff" * 32, "ref10_bytes", "probe-2")]
    return jobs, ["ok", "equation_fails", "s_out_of_range"]


def _fits(call: Call, outcome: Outcome) -> bool:
    """Whether an outcome can be one of a call: of its kind, with its tag and rule set, and without contradiction."""
    if isinstance(call, Job):
        rule = RULES[call.rule].id if isinstance(call.rule, str) else call.rule
        return (isinstance(outcome, Result) and outcome.tag == call.tag and outcome.valid == (outcome.reason == "ok")
                and outcome.reason in _REASONS and (RULES[outcome.rule].id if isinstance(outcome.rule, str)
                                                    else outcome.rule) == rule)
    if isinstance(call, SecretJob):
        return isinstance(outcome, Result) and outcome.tag == call.tag
    return isinstance(outcome, CurveResult)


def check(calls: Sequence[Call], outcomes: Sequence[Outcome]) -> None:
    """`DistrustError` unless there is one outcome that fits for each call."""
    if len(calls) != len(outcomes):
        raise DistrustError(f"{len(outcomes)} results for {len(calls)} jobs")
    if not all(map(_fits, calls, outcomes)):
        raise DistrustError("a result has the tag or the rule set of another job, or contradicts itself")


def check_known(outcomes: Sequence[Outcome], reasons: Sequence[str]) -> None:
    """`DistrustError` unless the known answers have their reasons."""
    found = [outcome.reason for outcome in outcomes]
    if found != list(reasons):
        raise DistrustError(f"known answers: {', '.join(found)} instead of {', '.join(reasons)}")


def check_opened(core: str, run: Callable[[list[Call]], list[Outcome]]) -> None:
    """Has a new device of a core carry out verifications; `DistrustError` unless it gives the known answers."""
    if core == "edverify":
        jobs, reasons = known_answers()
        outcomes = run([*jobs])
        check(jobs, outcomes)
        check_known(outcomes, reasons)
