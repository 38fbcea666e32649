# SPDX-License-Identifier: Apache-2.0
"""What can be asked of the service: operations, their JSON lines and those of their results."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..api.calls import Outcome
from ..commands import curve_lines
from ..commands.lines import Item, parse_line, parse_secret_line
from ..commands.secret import record_of as secret_record
from ..commands.verify import record_of as verify_record
from ..curve_device import CurveResult
from ..device import Job, Result, SecretJob

_tags = itertools.count()


@dataclass(frozen=True)
class Operation:
    """secret: whether it takes a private key, for which the operator has to allow it. parse: the item of a line, its
    index and the rule set of jobs without one. record: the JSON line of an answer, None of an item without job."""

    name: str
    core: str
    secret: bool
    parse: Callable[[bytes, int, str], Item]
    record: Callable[[Item, Any], dict[str, Any]]


def own_tag(item: Item) -> Item:
    """The item with a job whose tag no other job of this process has, so that results can be told apart."""
    job = item.job
    if isinstance(job, Job):
        return Item(item.tag, item.rule, Job(job.pk, job.msg, job.sig, job.rule, next(_tags)), item.error, item.shown,
                    item.reason)
    if isinstance(job, SecretJob):
        return replace(item, job=replace(job, tag=next(_tags)))
    return item  # results of curve operations have no tag: the core does its jobs in their order


def _verify(line: bytes, index: int, rule: str) -> Item:
    return own_tag(parse_line(line, index, rule))


def _verdict(item: Item, outcome: Outcome | None) -> dict[str, Any]:
    return verify_record(item, outcome if isinstance(outcome, Result)
                         else Result(item.tag, False, "malformed_job", item.rule, 0))


def _agreement(item: Item, outcome: Outcome | None) -> dict[str, Any]:
    return secret_record(item, outcome if isinstance(outcome, Result) else None, False)


def _on_curve(name: str) -> Operation:
    def record(item: Item, outcome: Outcome | None) -> dict[str, Any]:
        if item.job is not None and item.job.refused:
            outcome = None
        return curve_lines.record_of(name, item, outcome if isinstance(outcome, CurveResult) else None)

    return Operation(name, "multicurve", name not in curve_lines.VERDICTS,
                     lambda line, index, rule: curve_lines.parse_line(name, line, index, None), record)


OPERATIONS = {operation.name: operation for operation in (
    Operation("verify", "edverify", False, _verify, _verdict),
    Operation("x25519", "edverify", True, lambda line, index, rule: own_tag(parse_secret_line(line, index, "x25519")),
              _agreement),
    *map(_on_curve, ("ecdsa-verify", "sm2-verify", "ecdh")))}
"""By the name in the path of a request."""
