# SPDX-License-Identifier: Apache-2.0
"""JSON lines of the commands of `multicurve` and `mpu`: what a line asks of the core, and the line of its result."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from ..curve_device import DATA, CurveJob, CurveResult, digest_numbers
from ..curves import MAX_BITS, Curve, CurveError, MontgomeryCurve, by_name, read_params
from ..mpu_device import BITS as MPU_BITS
from ..rfc6979 import hash_of, nonces
from .lines import Item, LineError, bytes_of, object_of, tag_of

AnyCurve = Curve | MontgomeryCurve
SECRET: dict[str, Any] = {"option": "ladder", "flags": ("secret",)}
"""How a product with a secret scalar is asked for: in the same time for all."""
NONCES = 64
"""Nonces that are tried before a signature is given up; on any curve of practice the first will do."""
HASHES = ("sha1", "sha224", "sha256", "sha384", "sha512")
"""Hashes by which nonces are derived where none is named."""

_INTEGER = re.compile(r"[0-9a-fA-F]+")
_WIRE = re.compile(r"(?:[0-9a-fA-F]{2})+")


@dataclass(frozen=True)
class Request:
    """What a line asks for. curve: to be loaded, None for modular arithmetic. shown: fields that are
    repeated in the answer; size: bytes of a number in it. refused: the reason if no job can be made.
    others: jobs to try in its place as long as the nonce is unusable."""

    curve: AnyCurve | None
    job: CurveJob | None
    size: int
    shown: dict[str, str] = field(default_factory=dict, repr=False)
    refused: str | None = None
    others: Iterator[CurveJob] | None = field(default=None, repr=False)


def integer(record: dict[str, Any], name: str, bits: int = MAX_BITS) -> int:
    """The big-endian hex integer in a field, below 2^bits; LineError otherwise, which repeats no value."""
    if name not in record:
        raise LineError(f"{name} is missing")
    value = record[name]
    if not isinstance(value, str) or not _INTEGER.fullmatch(value):
        raise LineError(f"{name} is not a string of hex digits")
    number = int(value, 16)
    if number.bit_length() > bits:
        raise LineError(f"{name} has more than {bits} bits")
    return number


def _wire(record: dict[str, Any], name: str, size: int) -> int:
    """The little-endian number in a field of `size` bytes in hex."""
    if name not in record:
        raise LineError(f"{name} is missing")
    value = record[name]
    if not isinstance(value, str) or not _WIRE.fullmatch(value):
        raise LineError(f"{name} is not a string of pairs of hex digits")
    if len(value) != 2 * size:
        raise LineError(f"{name} has {len(value) // 2} bytes, not {size}")
    return int.from_bytes(bytes.fromhex(value), "little")


def weierstrass(name: str) -> Curve:
    """The curve of a name; `CurveError` for one that is unknown or of the other form."""
    curve = by_name(name)
    if not isinstance(curve, Curve):
        raise CurveError(f"{curve.name} is no short Weierstrass curve")
    return curve


def curve_of(record: dict[str, Any], default: Curve | None, bits: int = MAX_BITS) -> Curve:
    """The curve of a line: its `curve` or `params`, of at most so many bits, or that of the command line."""
    try:
        if "params" in record:
            if "curve" in record or not isinstance(record["params"], dict):
                raise CurveError("curve and params exclude each other" if "curve" in record
                                 else "params is not an object")
            return read_params(record["params"], bits=bits)
        if "curve" in record:
            if not isinstance(record["curve"], str):
                raise CurveError("curve is not a name")
            return weierstrass(record["curve"])
    except CurveError as error:
        raise LineError(str(error)) from None
    if default is None:
        raise LineError("curve is missing")
    return default


def _base(curve: Curve) -> tuple[int, int]:
    if curve.g is None:
        raise LineError("the parameters have no base point (gx, gy)")
    return curve.g


def _ecmul(record: dict[str, Any], default: Curve | None, bits: int = MAX_BITS) -> Request:
    curve = curve_of(record, default, bits)
    k = integer(record, "k", bits)
    if "px" in record or "py" in record:
        job = CurveJob("ecmul", (k, integer(record, "px", bits), integer(record, "py", bits)))
    else:
        _base(curve)
        job = CurveJob("ecmul_base", (k,))
    return Request(curve, job, curve.bytes)


def _ecmul2(record: dict[str, Any], default: Curve | None) -> Request:
    curve = curve_of(record, default)
    given = "px" in record or "py" in record
    point = (integer(record, "px"), integer(record, "py")) if given else _base(curve)
    u, v, qx, qy = (integer(record, name) for name in ("u", "v", "qx", "qy"))
    return Request(curve, CurveJob("ecmul2", (u, *point, v, qx, qy)), curve.bytes)


def _pubkey_check(record: dict[str, Any], default: Curve | None) -> Request:
    curve = curve_of(record, default)
    return Request(curve, CurveJob("check", (integer(record, "qx"), integer(record, "qy"))), curve.bytes)


def _private(curve: Curve, d: int) -> str | None:
    """The reason for which d is no private key, if it is none."""
    return None if d > 0 and (not curve.n or d < curve.n) else "scalar_out_of_range"


def _ecdh(record: dict[str, Any], default: Curve | None) -> Request:
    curve = curve_of(record, default)
    d, qx, qy = (integer(record, name) for name in ("d", "qx", "qy"))
    return Request(curve, CurveJob("ecmul", (d, qx, qy), **SECRET), curve.bytes, refused=_private(curve, d))


def _order(curve: Curve, name: str) -> int:
    """The order, wanted to choose the number `name`. LineError if it is unknown."""
    if not curve.n or curve.n < 2:
        raise LineError(f"{name} is missing, and without the order n none can be chosen")
    return curve.n


def random_scalar(n: int) -> int:
    """A number in [1, n), uniform, from the operating system."""
    return 1 + secrets.randbelow(n - 1)


def _keygen(record: dict[str, Any], default: Curve | None) -> Request:
    curve = curve_of(record, default)
    _base(curve)
    d = integer(record, "d") if "d" in record else random_scalar(_order(curve, "d"))
    return Request(curve, CurveJob("ecmul_base", (d,), **SECRET), curve.bytes,
                   {"d": _hex(d, _order_bytes(curve))}, _private(curve, d))


def _order_bytes(curve: Curve) -> int:
    """Bytes of a number below the order, or of a coordinate if that is unknown."""
    return -(-curve.n.bit_length() // 8) if curve.n else curve.bytes


def _signature(op: str, record: dict[str, Any], default: Curve | None, message: tuple[int, ...]) -> Request:
    """The check of a signature. message: the numbers that stand for it."""
    curve = curve_of(record, default)
    _base(curve)
    rest = tuple(integer(record, name) for name in ("qx", "qy", "r", "s"))
    return Request(curve, CurveJob(op, (*message, *rest)), curve.bytes)


def _signing(op: str, record: dict[str, Any], default: Curve | None, message: tuple[int, ...],
             derive: Callable[[int, int], Iterator[int]]) -> Request:
    """A signature by the nonce k of the line, or by the first usable one that `derive` makes of d and n."""
    curve = curve_of(record, default)
    _base(curve)
    d = integer(record, "d")
    if "k" in record:
        return Request(curve, CurveJob(op, (d, integer(record, "k"), *message)), _order_bytes(curve))
    n = _order(curve, "k")
    if refused := _private(curve, d):
        return Request(curve, None, 0, refused=refused)
    jobs = (CurveJob(op, (d, k, *message)) for k in islice(derive(d, n), NONCES))
    return Request(curve, next(jobs), _order_bytes(curve), others=jobs)


def hmac_hash(name: Any) -> str:
    """The hash of a name, for HMAC; LineError if there is none such."""
    try:
        hmac.new(b"", b"", known := hash_of(name))
    except (AttributeError, TypeError, ValueError):
        raise LineError("hash is none that HMAC can use") from None
    return known


def _nonce_hash(record: dict[str, Any], digest: bytes, n: int) -> str:
    """The hash that derives nonces: that of the line, or SHA-1 or SHA-2 with a digest as long as this one, or
    the first of SHA-256, SHA-384 and SHA-512 that is as long as n."""
    if "hash" in record:
        return hmac_hash(record["hash"])
    sizes = {hmac.new(b"", b"", name).digest_size: name for name in HASHES}
    return sizes.get(len(digest)) or HASHES[2 + (n.bit_length() > 256) + (n.bit_length() > 384)]


def _ecdsa_sign(record: dict[str, Any], default: Curve | None) -> Request:
    digest = bytes_of(record, "digest")
    return _signing("ecdsa_sign", record, default, digest_numbers(digest),
                    lambda d, n: nonces(digest, d, n, _nonce_hash(record, digest, n)))


def _sm2_sign(record: dict[str, Any], default: Curve | None) -> Request:
    return _signing("sm2_sign", record, default, (integer(record, "e"),),
                    lambda d, n: iter(lambda: random_scalar(n), None))


def _xdh(name: str, record: dict[str, Any]) -> Request:
    curve = by_name(name)
    k, u = (_wire(record, field, curve.bytes) for field in ("k", "u"))
    return Request(curve, CurveJob("ladder", (k, u), name.lower(), ("secret",)), curve.bytes)


def _modarith(record: dict[str, Any], default: Curve | None, bits: int = MAX_BITS) -> Request:
    options = DATA["operations"]["modarith"]["options"]
    option = record.get("op")
    if option not in options:
        raise LineError(f"op is none of {', '.join(options)}")
    mod, a = integer(record, "mod", bits), integer(record, "a", bits)
    b = integer(record, "b", bits) if option in ("add", "sub", "mul") else 0
    return Request(None, CurveJob("modarith", (mod, a, b), option), max(1, -(-mod.bit_length() // 8)))


Makers = dict[str, Callable[[dict[str, Any], Curve | None], Request]]
MAKERS: Makers = {
    "ecmul": _ecmul,
    "pubkey-check": _pubkey_check,
    "ecdh": _ecdh,
    "keygen": _keygen,
    "x25519": lambda record, default: _xdh("X25519", record),
    "x448": lambda record, default: _xdh("X448", record),
    "modarith": _modarith,
    "ecmul2": _ecmul2,
    "ecdsa-verify": lambda record, default: _signature(
        "ecdsa_verify", record, default, digest_numbers(bytes_of(record, "digest"))),
    "ecdsa-sign": _ecdsa_sign,
    "sm2-verify": lambda record, default: _signature(
        "sm2_verify", record, default, (integer(record, "e"),)),
    "sm2-sign": _sm2_sign,
}
"""What makes a request of a line, by command, of `multicurve`."""
MPU_MAKERS: Makers = {"ecmul": partial(_ecmul, bits=MPU_BITS), "modarith": partial(_modarith, bits=MPU_BITS)}
"""The same of `mpu`."""


def parse_line(command: str, line: bytes, index: int, default: Curve | None,
               fields: dict[str, Any] | None = None, makers: Makers = MAKERS) -> Item:
    """The item of one line; its job is a Request. Never raises. index: the tag if the line has none. fields:
    those of lines without one of their own. makers: those of the core."""
    tag: Any = index
    try:
        record = object_of(line)
        tag = tag_of(record, index)
        return Item(tag, None, makers[command]((fields or {}) | record, default))
    except LineError as error:
        return Item(tag, None, None, str(error))


# ---- answers

VERDICTS = ("pubkey-check", "ecdsa-verify", "sm2-verify")
"""Commands that answer whether something is valid."""
RESULTS = {
    "ecmul": ("rx", "ry"), "ecmul2": ("rx", "ry"), "keygen": ("qx", "qy"), "ecdh": ("z",),
    "ecdsa-sign": ("r", "s"), "sm2-sign": ("r", "s"), "modarith": ("r",),
}  # fmt: skip
"""Names of the numbers that the others answer."""

DETAILS = {
    "no_curve": "the core has no curve for this",
    "modulus_not_odd": "the modulus is even or below 3",
    "parameter_out_of_range": "a parameter is not below the modulus, or the order of a signature is even or 1",
    "singular_curve": "the curve is singular",
    "invalid_point": "the point is not on the curve, or a coordinate not below p",
    "scalar_out_of_range": "the scalar is outside the range of this operation and curve",
    "not_invertible": "there is no inverse",
    "result_off_curve": "the core's result is not on the curve: a fault",
    "bad_signature": "the signature does not fit",
    "no_order": "the parameters have no order n",
    "signature_out_of_range": "r or s is not in the range of a signature",
    "unusable_nonce": "r or s would be 0 with this nonce",
    "infinity": "the point is infinity",
    "secret_refused": "the core rejected a secret operand",
    "aborted": "the device failed before the result",
    "malformed_job": "the core does not know this operation",
}
"""What reasons mean here."""


def refusal(command: str, tag: Any, reason: str, detail: str | None = None) -> dict[str, Any]:
    """The line of an item without result."""
    detail = detail or DETAILS.get(reason, reason)
    if command in ("x25519", "x448"):  # as `x25519` answers with the core edverify
        return {"tag": tag, "reason": reason, "error": detail}
    if command in VERDICTS:
        return {"tag": tag, "valid": False, "reason": reason, "detail": detail}
    return {"tag": tag, "error": reason, "detail": detail}


def _hex(number: int, size: int) -> str:
    return f"{number:0{2 * size}x}"


def record_of(command: str, item: Item, result: CurveResult | None) -> dict[str, Any]:
    """The JSON line of an answer; result None: no job was made of the item."""
    if item.job is None:
        return refusal(command, item.tag, "malformed_job", item.error)
    if result is None:
        return refusal(command, item.tag, item.job.refused)
    if result.reason != "ok":
        return refusal(command, item.tag, result.reason)
    if result.infinity and command in ("ecdh", "keygen"):
        return refusal(command, item.tag, "infinity")
    size, record = item.job.size, {"tag": item.tag, **item.job.shown}
    if command in VERDICTS:
        record |= {"valid": True, "reason": "ok"}
    elif command in ("x25519", "x448"):
        record |= {"out": result.payload[0].to_bytes(size, "little").hex(), "all_zero": result.all_zero}
    elif result.infinity:
        record |= {"r_infinity": True}
    else:
        for name, number in zip(RESULTS[command], result.payload, strict=False):
            record[name] = _hex(number, size)
    return {**record, "cycles": result.cycles}
