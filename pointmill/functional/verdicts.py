# SPDX-License-Identifier: Apache-2.0
"""Verdicts on Ed25519 signatures under the rule sets of hw/edverify/core.yaml, the reasons in the order of the core.

libsodium decides signatures that it accepts, and rejects ordinary ones where encodings are compared. What has a point
of small order, an encoding that is not canonical, or has to satisfy the cofactored equation is computed by `group`.
"""

from __future__ import annotations

import hashlib
from functools import cache

from nacl import bindings as sodium
from nacl.exceptions import BadSignatureError

from ..rules import Rule
from . import group


def _challenge(r: bytes, pk: bytes, msg: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + pk + msg).digest(), "little") % group.L


class _Signature:
    """A signature taken apart. pk: 32 bytes, sig: 64."""

    def __init__(self, pk: bytes, msg: bytes, sig: bytes) -> None:
        self.pk, self.msg, self.sig = pk, msg, sig
        self.r = sig[:32]
        self.s = int.from_bytes(sig[32:], "little")
        self.a_point, self.r_point = group.canonical(pk), group.canonical(self.r)
        self.small_a, self.small_r = group.has_small_order(pk), group.has_small_order(self.r)

    @property
    def ordinary(self) -> bool:
        """Canonical encodings, and no point of small order."""
        return not (self.small_a or self.small_r) and self.a_point == self.pk and self.r_point == self.r

    def _q(self) -> bytes:
        """[S]B - [k]A."""
        k = _challenge(self.r, self.pk, self.msg)
        return group.subtract(group.multiply_base(self.s), group.multiply(k, self.a_point))

    def equation_holds(self, rule: Rule) -> bool:
        """The equation of the rule, exactly, for a signature that passed everything before it."""
        q = self._q()
        if not rule.decode_r:
            return q == self.r
        if not rule.cofactored:
            return q == self.r_point
        return group.times_eight(group.subtract(q, self.r_point)) == group.IDENTITY


def _accepted(pk: bytes, msg: bytes, sig: bytes) -> bool:
    """Whether libsodium accepts."""
    try:
        sodium.crypto_sign_open(sig + msg, pk)
    except BadSignatureError:
        return False
    return True


@cache
def compares_encodings() -> bool:
    """Whether this libsodium compares the encoding of [S]B - [k]A with R, as releases did for long, or only their
    multiples by 8: decided by a signature of a key of mixed order, which differs in the former."""
    pk = group.add(group.multiply_base(1), group.SOME_SMALL)
    r = group.multiply_base(2)
    msg, k = next((msg, k) for msg in map(bytes, range(256)) if (k := _challenge(r, pk, msg)) % 8)
    return not _accepted(pk, msg, r + ((2 + k) % group.L).to_bytes(32, "little"))


def reason_of(rule: Rule, pk: bytes, msg: bytes, sig: bytes) -> str:
    """The first reason of the core's order for which the rule rejects, "ok" if there is none."""
    if len(pk) != 32 or len(sig) != 64:
        return "malformed_job"
    signature = _Signature(pk, msg, sig)
    ordinary = signature.ordinary
    decided = rule.cofactored or compares_encodings()
    if ordinary and decided and _accepted(pk, msg, sig):
        return "ok"
    if signature.s >= group.L:
        return "s_out_of_range"
    if (rule.strict_a and signature.a_point != pk) or not group.is_point(signature.a_point):
        return "a_not_decodable"
    if rule.decode_r and ((rule.strict_r and signature.r_point != signature.r)
                          or not group.is_point(signature.r_point)):
        return "r_not_decodable"
    if rule.small_a and signature.small_a:
        return "small_order_a"
    if rule.small_r and signature.small_r:
        return "small_order_r"
    if ordinary and decided and not rule.cofactored:
        return "equation_fails"
    return "ok" if signature.equation_holds(rule) else "equation_fails"
