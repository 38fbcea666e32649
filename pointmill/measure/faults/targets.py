# SPDX-License-Identifier: Apache-2.0
"""What is disturbed: verification of invalid signatures, key agreement, signing, ECDSA, by the name of the target."""

from __future__ import annotations

import hashlib
import random
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pointmill.cores import CORES
from pointmill.curve_device import CurveJob, load_job
from pointmill.measure.benches.edverify import Signature, beats, signatures
from pointmill.measure.benches.multicurve import packet as curve_packet, signature_jobs, weierstrass
from pointmill.measure.benches.packets import beats_of
from pointmill.measure.faults.campaign import BIT, CONTROL, END, REGISTER, Stream
from pointmill.model import ed25519, scalar
from pointmill.rules import OPERATIONS

NEXT = 99
"""Tag of the job behind a hang."""
_BYTES = "ref10_bytes"
"""A rule that compares the bytes of R."""


@dataclass(frozen=True)
class Target:
    """A core, its parameters, the streams by name; share: of all flips of its group it gets so many where all targets
    of it get the sum of their shares. A flip in a target with a small share takes long. ways, pairs: which flips are
    drawn, as Campaign.draw has them."""

    core: str
    params: Mapping[str, int]
    streams: Callable[[], dict[str, Stream]]
    share: int
    ways: tuple[str, ...] = (BIT, REGISTER, END)
    pairs: bool = True


def _secret(tag: int, op: str, body: bytes) -> bytes:
    return beats_of(struct.pack("<BBHI", 0, OPERATIONS[op].opcode, 0, tag) + body)


def invalid(seed: int) -> dict[str, tuple[str, Signature]]:
    """A rule set and a signature for each reason to reject it that a forger meets; the reason is that of the golden
    model, `RuntimeError` where it is another."""
    honest, other = signatures(2, seed, length=40)
    s = scalar.from_bytes(honest.sig[32:])
    no_point = next(data for number in range(2, 99)
                    if ed25519.edwards.decode(data := number.to_bytes(32, "little"), True) is None)  # fmt: skip
    small = bytes([1, *[0] * 31])
    found = {
        "equation_fails": ("rfc8032_cofactorless", Signature(honest.pk, other.msg, honest.sig)),
        "s_out_of_range": ("zip215", Signature(honest.pk, honest.msg,
                                               honest.sig[:32] + (s + scalar.L).to_bytes(32, "little"))),
        "a_not_decodable": ("ref10_bytes", Signature(no_point, honest.msg, honest.sig)),
        "r_not_decodable": ("rfc8032_cofactored", Signature(honest.pk, honest.msg, no_point + honest.sig[32:])),
        "small_order_a": ("dalek_strict", Signature(small, honest.msg, honest.sig)),
    }
    for name, (rule, item) in found.items():
        reason = ed25519.verify(rule, item.pk, item.msg, item.sig).reason.name
        if reason != name:
            raise RuntimeError(f"an invalid signature is {reason}, not {name}")
    return found


def prepared(seed: int) -> dict[str, tuple[str, Signature]]:
    """Rule sets and invalid signatures that a forger who knows where a bit will flip has made valid for that flip:
    message: bit 0 of a signed message; scalar: bit 0 of S; digest: with a key of the forger's own, bit 0 of
    SHA-512(R || A || M); challenge: bit 200 of that modulo L; small_order: S and R for an A of small order; sign: R = 1
    with the sign bit of an x that is 0. `RuntimeError` where the golden model accepts one."""
    honest, = signatures(1, seed, length=40)
    rng = random.Random(seed)
    secret = rng.randbytes(32)
    a, key = scalar.clamp(hashlib.sha512(secret).digest()[:32]), ed25519.public_key(secret)
    nonce = rng.randrange(scalar.L)
    point = ed25519.edwards.encode(ed25519.edwards.multiply(nonce, ed25519.edwards.BASE))
    one = bytes([1, *[0] * 31])
    signed_one = bytes([1, *[0] * 30, 0x80])

    def challenge(r: bytes) -> int:
        return int.from_bytes(hashlib.sha512(r + key + honest.msg).digest(), "little")

    def own(k: int, r: bytes = point, log: int = nonce) -> Signature:
        return Signature(key, honest.msg, r + ((log + k * a) % scalar.L).to_bytes(32, "little"))

    found = {
        "message": (_BYTES, Signature(honest.pk, bytes([honest.msg[0] ^ 1]) + honest.msg[1:], honest.sig)),
        "scalar": (_BYTES, Signature(honest.pk, honest.msg, honest.sig[:32] + bytes([honest.sig[32] ^ 1])
                                     + honest.sig[33:])),
        "digest": (_BYTES, own(challenge(point) ^ 1)),
        "challenge": (_BYTES, own(challenge(point) % scalar.L ^ 1 << 200)),
        "small_order": ("dalek_strict", Signature(one, honest.msg, point + nonce.to_bytes(32, "little"))),
        "sign": (_BYTES, own(challenge(signed_one), signed_one, 0)),
    }  # fmt: skip
    for name, (rule, item) in found.items():
        if ed25519.verify(rule, item.pk, item.msg, item.sig).valid:
            raise RuntimeError(f"the prepared signature {name} is valid")
    return found


def prepared_streams() -> dict[str, Stream]:
    """A stream for each of them."""
    honest, = signatures(1, 7, length=40)
    after = (beats(NEXT, "zip215", honest),)
    return {name: Stream((beats(1, *item), beats(2, *invalid(11)["s_out_of_range"])), after, frozenset({1}))
            for name, item in prepared(13).items()}  # fmt: skip


def _verifications() -> dict[str, Stream]:
    """A stream for each reason: the invalid signature, behind it another one, which is valid or soon rejected."""
    honest, = signatures(1, 7, length=40)
    bad = invalid(11)
    rule, short = bad["s_out_of_range"]
    found = {}
    for name, (own_rule, item) in bad.items():
        jobs = (beats(1, own_rule, item), beats(2, rule, short))
        found[name] = Stream(jobs, (beats(NEXT, "zip215", honest),), frozenset({1}))
    return found


def _attacks() -> dict[str, Stream]:
    return _verifications() | prepared_streams()


def _x25519() -> dict[str, Stream]:
    rng = random.Random(25519)
    jobs = tuple(_secret(tag, "x25519", rng.randbytes(64)) for tag in (1, 2))
    return {"x25519": Stream(jobs, (_secret(NEXT, "x25519", rng.randbytes(64)),), frozenset({1}), secret=True)}


def _signing() -> dict[str, Stream]:
    rng = random.Random(8032)
    jobs = (_secret(1, "sign", rng.randbytes(64)), _secret(2, "keygen", rng.randbytes(32)))
    return {"sign": Stream(jobs, (_secret(NEXT, "keygen", rng.randbytes(32)),), frozenset({1}), secret=True)}


def _curve(tag: int, job: CurveJob) -> bytes:
    """The packet of a job with a tag, which is in the upper half of the first beat."""
    raw = bytearray(curve_packet(job))
    raw[4:8] = tag.to_bytes(4, "little")
    return bytes(raw)


def _ecdsa() -> dict[str, Stream]:
    curve, n, _ = weierstrass("P256")
    (sign, verify, _), = signature_jobs("ecdsa", 1)
    *head, s = verify.operands
    wrong = CurveJob(verify.op, (*head, s % (n - 1) + 1))
    load = _curve(0, load_job(curve))
    after = (load, _curve(NEXT, wrong))
    return {
        "ecdsa_verify": Stream((load, _curve(1, wrong)), after, frozenset({1}), warm=1),
        "ecdsa_sign": Stream((load, _curve(1, sign)), after, frozenset({1}), warm=1, secret=True),
    }


PLAIN = {
    "edverify_paper": Target("edverify", CORES["edverify"].parameters["paper"], _verifications, 5000),
    "edverify_tiles": Target("edverify", CORES["edverify"].parameters["tiles"], _verifications, 300),
    "x25519_tile": Target("x25519", CORES["x25519"].parameters["tile"], _x25519, 200),
    "edverify_throughput": Target("edverify", CORES["edverify"].parameters["throughput"], _signing, 60),
    "multicurve_paper": Target("multicurve", CORES["multicurve"].parameters["paper"], _ecdsa, 120),
}  # fmt: skip
HARDENED = {
    "edverify_hardened": Target("edverify", CORES["edverify"].parameters["hardened"], _attacks, 1,
                                (BIT, REGISTER, END, CONTROL), pairs=False),
}
GROUPS = {"plain": PLAIN, "hardened": HARDENED}
"""Targets of a measurement: without protection against faults, and with it."""
TARGETS = PLAIN | HARDENED


def share_of(name: str, flips: int) -> int:
    """The part that a target gets of so many flips of its group."""
    group = next(targets for targets in GROUPS.values() if name in targets)
    return flips * group[name].share // sum(target.share for target in group.values())
