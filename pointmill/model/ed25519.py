# SPDX-License-Identifier: Apache-2.0
"""Ed25519 verification under six rule sets, and key making and signing for tests.

The rule sets and the order of the reasons are those of hw/edverify/core.yaml. k is always the
SHA-512 of R, A and the message as received, reduced mod L before the scalar multiplication.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from ..rules import RULES, Reason, Rule, find_rule
from . import edwards, scalar
from .edwards import Point


@dataclass(frozen=True)
class Verdict:
    """The answer to one job under one rule set.

    valid is reason == Reason["ok"]. k is in [0, L); q is the encoding of [S]B - [k]A, None where A
    does not decode under the rule or S is not below L. Both are None for a malformed job.
    """

    valid: bool
    reason: Reason
    k: int | None = None
    q: bytes | None = None


class Examination:
    """What can be said of a signature before a rule judges it; every part is computed once.

    pk: 32 bytes, sig: 64 bytes (ValueError otherwise), msg: any length.
    """

    def __init__(self, pk: bytes, msg: bytes, sig: bytes) -> None:
        if len(pk) != 32 or len(sig) != 64:
            raise ValueError("a public key has 32 bytes and a signature 64")
        self.pk, self.msg, self.r_bytes = pk, msg, sig[:32]
        self.s = scalar.from_bytes(sig[32:])

    @cached_property
    def k(self) -> int:
        """SHA-512(R, A, message) mod L."""
        return scalar.reduce(hashlib.sha512(self.r_bytes + self.pk + self.msg).digest())

    @cached_property
    def _points(self) -> dict[tuple[bytes, bool], Point | None]:
        """Decodings already made, by encoding and strictness."""
        return {}

    def point(self, data: bytes, strict: bool) -> Point | None:
        """The decoding of A's or R's bytes, or None."""
        if (data, strict) not in self._points:
            self._points[data, strict] = edwards.decode(data, strict)
        return self._points[data, strict]

    def _decoded(self, data: bytes, strict: bool) -> Point:
        """The decoding of bytes that have one."""
        return cast(Point, self.point(data, strict))

    @cached_property
    def q(self) -> Point:
        """[S]B - [k]A with A decoded leniently; only asked for where A decodes."""
        minus_a = edwards.negate(self._decoded(self.pk, strict=False))
        return edwards.double_multiply(self.s, edwards.BASE, self.k, minus_a)

    @cached_property
    def q_bytes(self) -> bytes:
        """The encoding of q."""
        return edwards.encode(self.q)

    def _equation_holds(self, rule: Rule) -> bool:
        """The rule's equation, for a job that passed everything before it."""
        if not rule.decode_r:
            return self.q_bytes == self.r_bytes
        r = self._decoded(self.r_bytes, rule.strict_r)
        if not rule.cofactored:
            return edwards.equal(self.q, r)
        difference = edwards.add(self.q, edwards.negate(r))
        return edwards.equal(edwards.multiply(8, difference), edwards.NEUTRAL)

    def _reason(self, rule: Rule) -> Reason:
        """The first reason, in the order of their numbers, for which the rule refuses."""
        if not scalar.in_range(self.s):
            return Reason["s_out_of_range"]
        if self.point(self.pk, rule.strict_a) is None:
            return Reason["a_not_decodable"]
        if rule.decode_r and self.point(self.r_bytes, rule.strict_r) is None:
            return Reason["r_not_decodable"]
        if rule.small_a and edwards.is_small_order(self.pk):
            return Reason["small_order_a"]
        if rule.small_r and edwards.is_small_order(self.r_bytes):
            return Reason["small_order_r"]
        return Reason["ok"] if self._equation_holds(rule) else Reason["equation_fails"]

    def judge(self, rule: Rule | str | int) -> Verdict:
        """The verdict under one rule set; KeyError if there is no such rule."""
        rule = find_rule(rule)
        reason = self._reason(rule)
        has_q = reason not in (Reason["s_out_of_range"], Reason["a_not_decodable"])
        return Verdict(reason == Reason["ok"], reason, self.k, self.q_bytes if has_q else None)


def verify(rule: Rule | str | int, pk: bytes, msg: bytes, sig: bytes) -> Verdict:
    """The verdict of one rule set (name, id or Rule) on a signature.

    A key that has not 32 bytes or a signature that has not 64 is a malformed job; so is an id that
    names no rule set, as in hardware. A name that is unknown is a KeyError.
    """
    if isinstance(rule, int):
        try:
            rule = find_rule(rule)
        except KeyError:
            return Verdict(False, Reason["malformed_job"])
    if len(pk) != 32 or len(sig) != 64:
        find_rule(rule)
        return Verdict(False, Reason["malformed_job"])
    return Examination(pk, msg, sig).judge(rule)


def verify_all(pk: bytes, msg: bytes, sig: bytes) -> dict[str, Verdict]:
    """The verdicts of all rule sets by name, for little more than the cost of one."""
    if len(pk) != 32 or len(sig) != 64:
        return {name: Verdict(False, Reason["malformed_job"]) for name in RULES}
    examination = Examination(pk, msg, sig)
    return {name: examination.judge(rule) for name, rule in RULES.items()}


def _expand(seed: bytes) -> tuple[int, bytes]:
    """(secret scalar, prefix) of a 32-byte seed (RFC 8032, 5.1.5)."""
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")
    digest = hashlib.sha512(seed).digest()
    return scalar.clamp(digest[:32]), digest[32:]


def public_key(seed: bytes) -> bytes:
    """The 32-byte public key of a 32-byte seed; for tests, not constant time."""
    return edwards.encode(edwards.multiply(_expand(seed)[0], edwards.BASE))


def sign(seed: bytes, msg: bytes) -> bytes:
    """The 64-byte signature of RFC 8032, 5.1.6; for tests, not constant time."""
    a, prefix = _expand(seed)
    r = scalar.reduce(hashlib.sha512(prefix + msg).digest())
    r_bytes = edwards.encode(edwards.multiply(r, edwards.BASE))
    k = scalar.reduce(hashlib.sha512(r_bytes + public_key(seed) + msg).digest())
    return r_bytes + scalar.to_bytes((r + k * a) % scalar.L)
