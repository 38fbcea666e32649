# SPDX-License-Identifier: Apache-2.0
"""Messages of pointmill.proto as items, and outcomes as messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import curve_plans as plans
from ..api.calls import Outcome
from ..commands.lines import Item
from ..curve_device import CurveResult
from ..curves import MAX_BITS, weierstrass
from ..device import DEFAULT_RULE, Job, Result, SecretJob
from ..errors import InputError
from ..reasons import OF_CURVES, OF_SECRETS
from ..rules import RULES
from .operations import own_tag
from .pb import pointmill_pb2 as pb

SECRET = ("x25519", "ecdh")
"""Operations with a secret operand."""


def _number(name: str, data: bytes) -> int:
    if not data:
        raise InputError(f"{name} is missing")
    number = int.from_bytes(data, "big")
    if number.bit_length() > MAX_BITS:
        raise InputError(f"{name} has more than {MAX_BITS} bits")
    return number


def _numbers(message: Any, *names: str) -> list[int]:
    return [_number(name, getattr(message, name)) for name in names]


def _ed25519(message: pb.Ed25519) -> Any:
    rule = message.rule or DEFAULT_RULE
    if rule not in RULES:
        raise InputError(f"rule is none of {', '.join(RULES)}")
    return Job(message.public_key, message.message, message.signature, rule)


def _x25519(message: pb.X25519) -> Any:
    for name, data in (("k", message.k), ("u", message.u)):
        if len(data) != 32:
            raise InputError(f"{name} has {len(data)} bytes, not 32")
    return SecretJob("x25519", message.k, message.u)


def _ecdsa(message: pb.Ecdsa) -> Any:
    x, y, r, s = _numbers(message, "qx", "qy", "r", "s")
    return plans.ecdsa_verify(weierstrass(message.curve), message.digest, (x, y), r, s)


def _sm2(message: pb.Sm2) -> Any:
    e, x, y, r, s = _numbers(message, "e", "qx", "qy", "r", "s")
    return plans.sm2_verify(weierstrass(message.curve), e, (x, y), r, s)


def _ecdh(message: pb.Ecdh) -> Any:
    d, x, y = _numbers(message, "d", "qx", "qy")
    return plans.ecdh(weierstrass(message.curve), d, (x, y))


_MAKERS: dict[str, Callable[[Any], Any]] = {
    "ed25519": _ed25519, "x25519": _x25519, "ecdsa": _ecdsa, "sm2": _sm2, "ecdh": _ecdh}


def item_of(job: pb.Job) -> Item:
    """The item of a message; never raises. No error repeats a secret."""
    kind = job.WhichOneof("operation")
    rule = (job.ed25519.rule or DEFAULT_RULE) if kind == "ed25519" else None
    if kind is None:
        return Item(job.id, None, None, "the job has no operation")
    try:
        return own_tag(Item(job.id, rule, _MAKERS[kind](getattr(job, kind))))
    except InputError as error:
        return Item(job.id, rule, None, str(error))


def is_secret(job: pb.Job) -> bool:
    """Whether a message has a secret operand."""
    return job.WhichOneof("operation") in SECRET


def _shared(item: Item, outcome: Outcome) -> tuple[bytes, bool]:
    """The shared secret of a key agreement, and whether it is zero."""
    if isinstance(outcome, Result):
        return outcome.payload, outcome.all_zero
    is_agreement = item.job.job is not None and "secret" in item.job.job.flags
    if not is_agreement or not outcome.payload:
        return b"", False
    return outcome.payload[0].to_bytes(item.job.size, "big"), outcome.all_zero


def verdict_of(item: Item, outcome: Outcome | None) -> pb.Verdict:
    """The verdict of an item."""
    verdict = pb.Verdict(id=item.tag, rule=item.rule or "")
    refused = getattr(item.job, "refused", None)
    if outcome is None:
        verdict.reason = refused or "malformed_job"
        verdict.error = item.error or OF_CURVES.get(verdict.reason, "")
        return verdict
    verdict.reason, verdict.cycles = outcome.reason, outcome.cycles
    if outcome.reason == "ok" and isinstance(outcome, CurveResult) and outcome.infinity:
        verdict.reason = "infinity"
    verdict.valid = verdict.reason == "ok"
    if verdict.valid:
        verdict.shared, verdict.all_zero = _shared(item, outcome)
    elif isinstance(item.job, SecretJob):
        verdict.error = OF_SECRETS.get(outcome.reason, "")
    return verdict
