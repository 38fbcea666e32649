# SPDX-License-Identifier: Apache-2.0
"""The operations of all cores, as methods; a session and a pool of devices have them alike."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from ..curve_device import CurveResult
from ..curve_plans import random_scalar
from ..curves import MAX_BITS, Curve, weierstrass
from ..device import DEFAULT_RULE, Job, Result, Rule, SecretJob, rule_number
from ..errors import InputError, RejectedError, UnsupportedError
from ..mpu_device import BITS as MPU_BITS
from ..reasons import OF_CURVES, OF_SECRETS
from .calls import Call, CurveCall, Outcome, Progress
from .results import (
    CurveKey,
    CurveSignature,
    Ed25519Key,
    Ed25519Signature,
    Number,
    Point,
    SharedSecret,
    Verdict,
)

CURVE = ("multiply", "modular")
SIGNATURES = ("multiply_two", "check_point", "ecdh", "generate_curve_key", "ecdsa_sign", "ecdsa_verify", "sm2_sign",
              "sm2_verify", "x25519", "x448")
OPERATIONS = {"edverify": ("verify", "sign", "generate_key", "x25519"), "x25519": ("x25519",),
              "multicurve": (*CURVE, *SIGNATURES), "mpu": CURVE}
"""Which core has which operations."""
CHUNK = 256
"""Verifications of a stream that a session takes together."""


@runtime_checkable
class HasRawBytes(Protocol):
    """A public key that gives its bytes, such as the Ed25519 and X25519 keys of `cryptography`."""

    def public_bytes_raw(self) -> bytes:
        """The encoded key."""


PublicKey = bytes | HasRawBytes
Signed = Job | tuple[PublicKey, bytes, bytes]
"""A verification: a job, or public key, message and signature."""


def _octets(name: str, value: Any, length: int | None = None) -> bytes:
    """`value` as bytes; `InputError` for another type, or another length than `length`."""
    if not isinstance(value, bytes | bytearray | memoryview):
        raise InputError(f"{name} is {type(value).__name__}, not bytes")
    data = bytes(value)
    if length is not None and len(data) != length:
        raise InputError(f"{name} has {len(data)} bytes, not {length}")
    return data


def _public(value: PublicKey) -> bytes:
    return value.public_bytes_raw() if isinstance(value, HasRawBytes) else _octets("public_key", value)


def job_of(item: Signed) -> Job:
    """A verification as a job; `InputError` for what is none."""
    if isinstance(item, Job):
        return Job(_octets("pk", item.pk), _octets("msg", item.msg), _octets("sig", item.sig), item.rule, item.tag)
    if not isinstance(item, tuple) or len(item) != 3:
        raise InputError("a verification is a Job, or public key, message and signature")
    key, message, signature = item
    return Job(_public(key), _octets("message", message), _octets("signature", signature))


def _curve(curve: str | Curve) -> Curve:
    return weierstrass(curve) if isinstance(curve, str) else curve


def _verdict(outcome: Outcome) -> Verdict:
    rule = outcome.rule if isinstance(outcome, Result) else None
    return Verdict(outcome.reason == "ok", outcome.reason, outcome.cycles, rule, outcome.tag)


class Operations(ABC):
    """Operations on a core. `InputError` for an argument that no core can be given, `UnsupportedError` for an operation
    that this core does not have, `RejectedError` where the core gives a reason in place of a result, `DeviceError` if
    the device fails.

    Byte strings are as in RFC 8032 and RFC 7748. A curve is a name of data/curves.yaml or a `Curve`; coordinates and
    scalars are integers. Secrets take programs of fixed schedule; Python itself is not constant time.
    """

    core: str
    """Name of the core: `edverify`, `x25519`, `multicurve` or `mpu`."""

    @abstractmethod
    def _run(self, calls: Sequence[Call], progress: Progress | None = None) -> list[Outcome]:
        """Outcomes in the order of the calls."""

    def _stream(self, calls: Iterator[Call], chunk: int) -> Iterator[Outcome]:
        """Outcomes in the order of the calls, of which a chunk is taken at a time."""
        while taken := list(islice(calls, chunk)):
            yield from self._run(taken)

    def _require(self, operation: str) -> None:
        if operation not in OPERATIONS[self.core]:
            having = ", ".join(core for core, names in OPERATIONS.items() if operation in names)
            raise UnsupportedError(f"core {self.core} has no operation {operation}; it is on {having}")

    def _secret(self, operation: str, job: SecretJob) -> Result:
        self._require(operation)
        (outcome,) = self._run([job])
        assert isinstance(outcome, Result)
        if not outcome.valid:
            raise RejectedError(outcome.reason, OF_SECRETS.get(outcome.reason, "no result"), outcome.cycles)
        return outcome

    def _planned(self, operation: str, plan: str, *arguments: Any) -> CurveResult:
        """The outcome of a plan, of any reason."""
        self._require(operation)
        (outcome,) = self._run([CurveCall(plan, arguments)])
        assert isinstance(outcome, CurveResult)
        return outcome

    def _number_of(self, name: str, value: Any) -> int:
        """`value`; `InputError` unless it is an integer that the core has room for."""
        bits = MPU_BITS if self.core == "mpu" else MAX_BITS
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{name} is {type(value).__name__}, not an integer")
        if not 0 <= value < 1 << bits:
            raise InputError(f"{name} is negative or has more than {bits} bits")
        return value

    def _point_of(self, point: tuple[int, int]) -> tuple[int, int]:
        if not isinstance(point, tuple) or len(point) != 2:
            raise InputError("a point is a pair of coordinates")
        return self._number_of("x", point[0]), self._number_of("y", point[1])

    # ---- Ed25519, X25519, X448

    def verify(self, public_key: PublicKey, message: bytes, signature: bytes, *, rule: Rule = DEFAULT_RULE) -> Verdict:
        """Verifies one Ed25519 signature. rule: a rule set (docs/verification-rules.md). A key or signature of another
        length is not valid, for the reason `malformed_job`."""
        return self.verify_many([(public_key, message, signature)], rule=rule)[0]

    def verify_many(self, items: Iterable[Signed], *, rule: Rule = DEFAULT_RULE,
                    progress: Progress | None = None) -> list[Verdict]:
        """Verifies Ed25519 signatures, as many at the same time as the core has contexts; verdicts in their order.

        rule: of those without one of their own. progress: called with (done, total); an exception in it stops the batch
        and is raised again.
        """
        self._require("verify")
        return [_verdict(outcome) for outcome in self._run(self._jobs(items, rule), progress)]

    def verify_stream(self, items: Iterable[Signed], *, rule: Rule = DEFAULT_RULE,
                      chunk: int = CHUNK) -> Iterator[Verdict]:
        """Verdicts of any number of signatures in their order, while they come; `chunk` of them are taken together."""
        self._require("verify")
        if chunk < 1:
            raise InputError("chunk is less than 1")
        rule_number(rule)
        return map(_verdict, self._stream((self._with_rule(item, rule) for item in items), chunk))

    def _jobs(self, items: Iterable[Signed], rule: Rule) -> list[Call]:
        rule_number(rule)
        return [self._with_rule(item, rule) for item in items]

    @staticmethod
    def _with_rule(item: Signed, rule: Rule) -> Job:
        job = job_of(item)
        if job.rule is None:
            return Job(job.pk, job.msg, job.sig, rule, job.tag)
        rule_number(job.rule)
        return job

    def sign(self, seed: bytes, message: bytes, *, check: bool = False) -> Ed25519Signature:
        """Signs with Ed25519. seed: the private key, 32 bytes. check: the core verifies the signature before it is
        returned; where it does not, `RejectedError` with reason `fault_detected` and nothing of the signature."""
        job = SecretJob("sign", _octets("seed", seed, 32), msg=_octets("message", message))
        result = self._secret("sign", job)
        public, signature, cycles = result.payload[:32], result.payload[32:], result.cycles
        if check:
            verdict = self.verify(public, job.msg, signature)
            cycles += verdict.cycles
            if not verdict:
                raise RejectedError("fault_detected", "the signature that the core made is not valid", cycles)
        return Ed25519Signature(signature, public, cycles)

    def generate_key(self, seed: bytes | None = None) -> Ed25519Key:
        """The Ed25519 key pair of a seed, without one of a new one from the operating system."""
        chosen = secrets.token_bytes(32) if seed is None else _octets("seed", seed, 32)
        result = self._secret("generate_key", SecretJob("keygen", chosen))
        return Ed25519Key(chosen, result.payload, result.cycles)

    def x25519(self, private_key: bytes, public_key: PublicKey) -> SharedSecret:
        """X25519 key agreement; scalar and u-coordinate of 32 bytes, clamped and masked by the core."""
        k, u = _octets("private_key", private_key, 32), _octets("public_key", _public(public_key), 32)
        if self.core == "multicurve":
            return self._key_agreement("X25519", k, u)
        result = self._secret("x25519", SecretJob("x25519", k, u=u))
        return SharedSecret(result.payload, result.all_zero, result.cycles)

    def x448(self, private_key: bytes, public_key: PublicKey) -> SharedSecret:
        """X448 key agreement; scalar and u-coordinate of 56 bytes."""
        return self._key_agreement("X448", _octets("private_key", private_key, 56),
                                   _octets("public_key", _public(public_key), 56))

    def _key_agreement(self, name: str, k: bytes, u: bytes) -> SharedSecret:
        numbers = (int.from_bytes(k, "little"), int.from_bytes(u, "little"))
        result = self._accepted(self._planned(name.lower(), "key_agreement", name, *numbers))
        return SharedSecret(result.payload[0].to_bytes(len(k), "little"), result.all_zero, result.cycles)

    # ---- curves

    @staticmethod
    def _accepted(result: CurveResult) -> CurveResult:
        if result.reason != "ok":
            raise RejectedError(result.reason, OF_CURVES.get(result.reason, "no result"), result.cycles)
        return result

    def _finite(self, result: CurveResult) -> CurveResult:
        if self._accepted(result).infinity:
            raise RejectedError("infinity", OF_CURVES["infinity"], result.cycles)
        return result

    @staticmethod
    def _as_point(result: CurveResult) -> Point:
        if result.infinity:
            return Point(None, None, result.cycles)
        x, y = result.payload
        return Point(x, y, result.cycles)

    def multiply(self, curve: str | Curve, k: int, point: tuple[int, int] | None = None) -> Point:
        """Scalar multiplication [k]P, without a point of the base point. k is public: the time depends on it."""
        arguments = _curve(curve), self._number_of("k", k), None if point is None else self._point_of(point)
        return self._as_point(self._accepted(self._planned("multiply", "multiply", *arguments)))

    def multiply_two(self, curve: str | Curve, u: int, p: tuple[int, int] | None, v: int, q: tuple[int, int]) -> Point:
        """Double-scalar multiplication [u]P + [v]Q, P being the base point if it is None. u and v are public."""
        arguments = (_curve(curve), self._number_of("u", u), None if p is None else self._point_of(p),
                     self._number_of("v", v), self._point_of(q))
        return self._as_point(self._accepted(self._planned("multiply_two", "multiply_two", *arguments)))

    def check_point(self, curve: str | Curve, point: tuple[int, int]) -> Verdict:
        """Whether a public key is on its curve."""
        return _verdict(self._planned("check_point", "check_point", _curve(curve), self._point_of(point)))

    def generate_curve_key(self, curve: str | Curve, d: int | None = None) -> CurveKey:
        """The key pair of a private key d, without one of a new one from the operating system."""
        chosen = _curve(curve)
        if d is None and (not chosen.n or chosen.n < 2):
            raise InputError("d is missing, and without the order n none can be chosen")
        key = random_scalar(chosen.n or 2) if d is None else self._number_of("d", d)
        result = self._finite(self._planned("generate_curve_key", "generate_key", chosen, key))
        x, y = result.payload
        return CurveKey(key, x, y, result.cycles)

    def ecdh(self, curve: str | Curve, d: int, point: tuple[int, int]) -> SharedSecret:
        """ECDH key agreement: the x-coordinate of [d] of the peer's public key, highest byte first."""
        chosen = _curve(curve)
        result = self._finite(self._planned("ecdh", "ecdh", chosen, self._number_of("d", d), self._point_of(point)))
        return SharedSecret(result.payload[0].to_bytes(chosen.bytes, "big"), False, result.cycles)

    def ecdsa_sign(self, curve: str | Curve, digest: bytes, d: int, *, hash_name: str | None = None) -> CurveSignature:
        """Signs a digest with ECDSA (FIPS 186-5) by the nonce of RFC 6979, which `hash_name` derives; by default a hash
        as long as the digest."""
        return self._signature("ecdsa_sign", _curve(curve), _octets("digest", digest), self._number_of("d", d), None,
                               hash_name)

    def ecdsa_verify(self, curve: str | Curve, digest: bytes, point: tuple[int, int],
                     signature: tuple[int, int]) -> Verdict:
        """Verifies an ECDSA signature (r, s) of a digest by the public key `point`."""
        r, s = self._pair(signature)
        return _verdict(self._planned("ecdsa_verify", "ecdsa_verify", _curve(curve), _octets("digest", digest),
                                      self._point_of(point), r, s))

    def ecdsa_verify_many(self, curve: str | Curve, items: Iterable[tuple[bytes, tuple[int, int], tuple[int, int]]], *,
                          progress: Progress | None = None) -> list[Verdict]:
        """The same of many: digest, public key and signature (r, s) of each; verdicts in their order."""
        self._require("ecdsa_verify")
        chosen = _curve(curve)
        calls = [CurveCall("ecdsa_verify", (chosen, _octets("digest", digest), self._point_of(point),
                                            *self._pair(signature))) for digest, point, signature in items]
        return [_verdict(outcome) for outcome in self._run(calls, progress)]

    def sm2_sign(self, curve: str | Curve, e: int, d: int) -> CurveSignature:
        """Signs with SM2 (GB/T 32918.2) by a random nonce. e: the digest of Z and the message as an integer."""
        return self._signature("sm2_sign", _curve(curve), self._number_of("e", e), self._number_of("d", d))

    def sm2_verify(self, curve: str | Curve, e: int, point: tuple[int, int], signature: tuple[int, int]) -> Verdict:
        """Verifies an SM2 signature (r, s)."""
        r, s = self._pair(signature)
        return _verdict(self._planned("sm2_verify", "sm2_verify", _curve(curve), self._number_of("e", e),
                                      self._point_of(point), r, s))

    def _pair(self, signature: tuple[int, int]) -> tuple[int, int]:
        if not isinstance(signature, tuple) or len(signature) != 2:
            raise InputError("a signature is a pair of numbers")
        return self._number_of("r", signature[0]), self._number_of("s", signature[1])

    def _signature(self, operation: str, curve: Curve, *arguments: Any) -> CurveSignature:
        result = self._accepted(self._planned(operation, operation, curve, *arguments))
        r, s = result.payload
        return CurveSignature(r, s, result.cycles)

    # ---- modular arithmetic

    def modular(self, op: str, modulus: int, a: int, b: int = 0) -> Number:
        """a op b modulo any odd number: "add", "sub", "mul"; "inv" and "reduce" of a alone."""
        numbers = (self._number_of(name, value) for name, value in (("modulus", modulus), ("a", a), ("b", b)))
        result = self._accepted(self._planned("modular", "modular", op, *numbers))
        return Number(result.payload[0], result.cycles)
