# SPDX-License-Identifier: Apache-2.0
"""Jobs of the operations of `multicurve` and `mpu`: which one a request takes, on which curve, with which nonce.

Nothing here decides what the core decides; what is missing is a number that the caller leaves to the software: a
nonce, a key, the numbers that stand for a digest.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from .curve_device import DATA, CurveJob, CurveResult, digest_numbers
from .curves import Coordinates, Curve, MontgomeryCurve, by_name
from .errors import InputError
from .rfc6979 import hash_of, nonces

SECRET: dict[str, Any] = {"option": "ladder", "flags": ("secret",)}
"""How a product with a secret scalar is asked for: in the same time for all."""
NONCES = 64
"""Nonces that are tried before a signature is given up; on any curve of practice the first will do."""
HASHES = ("sha1", "sha224", "sha256", "sha384", "sha512")
"""Hashes by which nonces are derived where none is named."""
MODULAR: tuple[str, ...] = tuple(DATA["operations"]["modarith"]["options"])
"""Operations of modular arithmetic."""
TWO_OPERANDS = ("add", "sub", "mul")
"""Those of them that take a second operand."""


@dataclass(frozen=True)
class Plan:
    """What a request asks of the core. curve: to be loaded, None for modular arithmetic. size: bytes of a number in
    its result. refused: the reason if no job can be made. others: jobs to try in its place as long as the nonce is
    unusable."""

    curve: Curve | MontgomeryCurve | None
    job: CurveJob | None
    size: int
    refused: str | None = None
    others: Iterator[CurveJob] | None = field(default=None, repr=False)


def base_point(curve: Curve) -> Coordinates:
    """The base point; `InputError` without one."""
    if curve.g is None:
        raise InputError("the parameters have no base point (gx, gy)")
    return curve.g


def _operand(curve: Curve, point: Coordinates) -> Coordinates:
    """The coordinates of a point as the core takes them. A point of an Edwards curve without image becomes one that is
    out of range, which the core rejects as `invalid_point`."""
    return point if curve.edwards is None else curve.edwards.to_form(*point) or (curve.p, curve.p)


def in_own_coordinates(curve: Curve | MontgomeryCurve | None, result: CurveResult) -> CurveResult:
    """A result with the point in the coordinates of its curve."""
    if not isinstance(curve, Curve) or curve.edwards is None or result.infinity or len(result.payload) != 2:
        return result
    x, y = result.payload
    return replace(result, payload=curve.edwards.from_form((x, y)))


def _own_form(curve: Curve, what: str) -> None:
    """`InputError` for an Edwards curve, of whose points no standard has `what`."""
    if curve.edwards is not None:
        raise InputError(f"{what} takes a short Weierstrass curve: of {curve.name} this is {curve.edwards.form.name}")


def order_bytes(curve: Curve) -> int:
    """Bytes of a number below the order, or of a coordinate if that is unknown."""
    return -(-curve.n.bit_length() // 8) if curve.n else curve.bytes


def random_scalar(n: int) -> int:
    """A number in [1, n), uniform, from the operating system."""
    return 1 + secrets.randbelow(n - 1)


def _order(curve: Curve, name: str) -> int:
    """The order, wanted to choose the number `name`. `InputError` if it is unknown."""
    if not curve.n or curve.n < 2:
        raise InputError(f"{name} is missing, and without the order n none can be chosen")
    return curve.n


def _private(curve: Curve, d: int) -> str | None:
    """The reason for which d is no private key, if it is none."""
    return None if d > 0 and (not curve.n or d < curve.n) else "scalar_out_of_range"


# ---- scalar multiplication, keys


def multiply(curve: Curve, k: int, point: Coordinates | None = None) -> Plan:
    """[k] of a point, without one of the base point; k is public."""
    if point is None:
        base_point(curve)
        return Plan(curve, CurveJob("ecmul_base", (k,)), curve.bytes)
    return Plan(curve, CurveJob("ecmul", (k, *_operand(curve, point))), curve.bytes)


def multiply_two(curve: Curve, u: int, p: Coordinates | None, v: int, q: Coordinates) -> Plan:
    """[u]P + [v]Q, P being the base point if it is None; u and v are public."""
    first = base_point(curve) if p is None else _operand(curve, p)
    return Plan(curve, CurveJob("ecmul2", (u, *first, v, *_operand(curve, q))), curve.bytes)


def check_point(curve: Curve, point: Coordinates) -> Plan:
    """Whether a point is on its curve."""
    return Plan(curve, CurveJob("check", _operand(curve, point)), curve.bytes)


def ecdh(curve: Curve, d: int, point: Coordinates) -> Plan:
    """The x-coordinate of [d] of a point; d is secret."""
    _own_form(curve, "ecdh")
    return Plan(curve, CurveJob("ecmul", (d, *point), **SECRET), curve.bytes, _private(curve, d))


def generate_key(curve: Curve, d: int | None = None) -> Plan:
    """The public key of d, without d of a random one, which is the operand of the job."""
    base_point(curve)
    key = random_scalar(_order(curve, "d")) if d is None else d
    return Plan(curve, CurveJob("ecmul_base", (key,), **SECRET), curve.bytes, _private(curve, key))


def key_agreement(name: str, k: int, u: int) -> Plan:
    """X25519 or X448 (RFC 7748); k is secret."""
    curve = by_name(name)
    assert isinstance(curve, MontgomeryCurve)
    return Plan(curve, CurveJob("ladder", (k, u), name.lower(), ("secret",)), curve.bytes)


# ---- signatures


def _check(op: str, curve: Curve, message: tuple[int, ...], point: Coordinates, r: int, s: int) -> Plan:
    _own_form(curve, op)
    base_point(curve)
    return Plan(curve, CurveJob(op, (*message, *point, r, s)), curve.bytes)


def _signing(op: str, curve: Curve, message: tuple[int, ...], d: int, k: int | None,
             derive: Callable[[int, int], Iterator[int]]) -> Plan:
    """A signature by the nonce k, or by the first usable one that `derive` makes of d and n."""
    _own_form(curve, op)
    base_point(curve)
    if k is not None:
        return Plan(curve, CurveJob(op, (d, k, *message)), order_bytes(curve))
    n = _order(curve, "k")
    if refused := _private(curve, d):
        return Plan(curve, None, 0, refused)
    jobs = (CurveJob(op, (d, nonce, *message)) for nonce in islice(derive(d, n), NONCES))
    return Plan(curve, next(jobs), order_bytes(curve), others=jobs)


def hmac_hash(name: Any) -> str:
    """The hash of a name, for HMAC; `InputError` if there is none such."""
    try:
        hmac.new(b"", b"", known := hash_of(name))
    except (AttributeError, TypeError, ValueError):
        raise InputError("hash is none that HMAC can use") from None
    return known


def _nonce_hash(name: Any, digest: bytes, n: int) -> str:
    """The hash that derives nonces: the one that is named, or SHA-1 or SHA-2 with a digest as long as this one, or the
    first of SHA-256, SHA-384 and SHA-512 that is as long as n."""
    if name is not None:
        return hmac_hash(name)
    sizes = {hmac.new(b"", b"", name).digest_size: name for name in HASHES}
    return sizes.get(len(digest)) or HASHES[2 + (n.bit_length() > 256) + (n.bit_length() > 384)]


def ecdsa_verify(curve: Curve, digest: bytes, point: Coordinates, r: int, s: int) -> Plan:
    """The check of a signature (FIPS 186-5) of a digest by the public key `point`."""
    return _check("ecdsa_verify", curve, digest_numbers(digest), point, r, s)


def ecdsa_sign(curve: Curve, digest: bytes, d: int, k: int | None = None, hash_name: Any = None) -> Plan:
    """A signature of a digest by the private key d, with the nonce k, or that of RFC 6979 with the hash `hash_name`."""
    return _signing("ecdsa_sign", curve, digest_numbers(digest), d, k,
                    lambda d, n: nonces(digest, d, n, _nonce_hash(hash_name, digest, n)))


def sm2_verify(curve: Curve, e: int, point: Coordinates, r: int, s: int) -> Plan:
    """The check of a signature (GB/T 32918.2); e: the digest of Z and the message as an integer."""
    return _check("sm2_verify", curve, (e,), point, r, s)


def sm2_sign(curve: Curve, e: int, d: int, k: int | None = None) -> Plan:
    """A signature by the private key d, with the nonce k or a random one."""
    return _signing("sm2_sign", curve, (e,), d, k, lambda d, n: iter(lambda: random_scalar(n), None))


# ---- modular arithmetic


def modular(op: str, modulus: int, a: int, b: int = 0) -> Plan:
    """a op b modulo any odd number, op one of `MODULAR`; `InputError` for another one."""
    if op not in MODULAR:
        raise InputError(f"op is none of {', '.join(MODULAR)}")
    return Plan(None, CurveJob("modarith", (modulus, a, b), op), max(1, -(-modulus.bit_length() // 8)))
