# SPDX-License-Identifier: Apache-2.0
"""JSON lines of the commands of `multicurve`: what a line asks of the core, and the line of its answer."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..curve_device import DATA, CurveJob, CurveResult
from ..curves import MAX_BITS, Curve, CurveError, MontgomeryCurve, by_name, read_params
from .lines import Item, LineError, object_of, tag_of

AnyCurve = Curve | MontgomeryCurve
SECRET = {"option": "ladder", "flags": ("secret",)}
"""How a product with a secret scalar is asked for: in the same time for all."""

_INTEGER = re.compile(r"[0-9a-fA-F]+")
_WIRE = re.compile(r"(?:[0-9a-fA-F]{2})+")


@dataclass(frozen=True)
class Request:
    """What a line asks for. curve: to be loaded, None for modular arithmetic. shown: fields that are
    repeated in the answer; size: bytes of a number in it. refused: the reason if no job can be made."""

    curve: AnyCurve | None
    job: CurveJob | None
    size: int
    shown: dict[str, str] = field(default_factory=dict, repr=False)
    refused: str | None = None


def integer(record: dict[str, Any], name: str) -> int:
    """The big-endian hex integer in a field, below 2^544; LineError otherwise, which repeats no value."""
    if name not in record:
        raise LineError(f"{name} is missing")
    value = record[name]
    if not isinstance(value, str) or not _INTEGER.fullmatch(value):
        raise LineError(f"{name} is not a string of hex digits")
    number = int(value, 16)
    if number.bit_length() > MAX_BITS:
        raise LineError(f"{name} has more than {MAX_BITS} bits")
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


def curve_of(record: dict[str, Any], default: Curve | None) -> Curve:
    """The curve of a line: its `curve` or `params`, or that of the command line."""
    try:
        if "params" in record:
            if "curve" in record or not isinstance(record["params"], dict):
                raise CurveError("curve and params exclude each other" if "curve" in record
                                 else "params is not an object")
            return read_params(record["params"])
        if "curve" in record:
            if not isinstance(record["curve"], str):
                raise CurveError("curve is not a name")
            return weierstrass(record["curve"])
    except CurveError as error:
        raise LineError(str(error)) from None
    if default is None:
        raise LineError("curve is missing")
    return default


def _require_base(curve: Curve) -> None:
    if curve.g is None:
        raise LineError("the parameters have no base point (gx, gy)")


def _ecmul(record: dict[str, Any], default: Curve | None) -> Request:
    curve = curve_of(record, default)
    k = integer(record, "k")
    if "px" in record or "py" in record:
        job = CurveJob("ecmul", (k, integer(record, "px"), integer(record, "py")))
    else:
        _require_base(curve)
        job = CurveJob("ecmul_base", (k,))
    return Request(curve, job, curve.bytes)


def _pubkey_check(record: dict[str, Any], default: Curve | None) -> Request:
    curve = curve_of(record, default)
    return Request(curve, CurveJob("check", (integer(record, "qx"), integer(record, "qy"))), curve.bytes)


def _private(curve: Curve, d: int) -> str | None:
    """The reason for which d is no private key, if it is none."""
    return None if 0 < d and (curve.n is None or d < curve.n) else "scalar_out_of_range"


def _ecdh(record: dict[str, Any], default: Curve | None) -> Request:
    curve = curve_of(record, default)
    d, qx, qy = (integer(record, name) for name in ("d", "qx", "qy"))
    return Request(curve, CurveJob("ecmul", (d, qx, qy), **SECRET), curve.bytes, refused=_private(curve, d))


def random_key(curve: Curve) -> int:
    """A private key in [1, n), uniform, from the operating system. LineError if n is unknown."""
    if curve.n is None or curve.n < 2:
        raise LineError("d is missing, and without the order n none can be chosen")
    bits = curve.n.bit_length()
    while True:
        d = int.from_bytes(os.urandom(-(-bits // 8)), "little") & (1 << bits) - 1
        if 0 < d < curve.n:
            return d


def _keygen(record: dict[str, Any], default: Curve | None) -> Request:
    curve = curve_of(record, default)
    _require_base(curve)
    d = integer(record, "d") if "d" in record else random_key(curve)
    width = curve.bytes if curve.n is None else -(-curve.n.bit_length() // 8)
    return Request(curve, CurveJob("ecmul_base", (d,), **SECRET), curve.bytes,
                   {"d": f"{d:0{2 * width}x}"}, _private(curve, d))


def _xdh(name: str, record: dict[str, Any]) -> Request:
    curve = by_name(name)
    k, u = (_wire(record, field, curve.bytes) for field in ("k", "u"))
    return Request(curve, CurveJob("ladder", (k, u), name.lower(), ("secret",)), curve.bytes)


def _modarith(record: dict[str, Any], default: Curve | None) -> Request:
    options = DATA["operations"]["modarith"]["options"]
    option = record.get("op")
    if option not in options:
        raise LineError(f"op is none of {', '.join(options)}")
    mod, a = integer(record, "mod"), integer(record, "a")
    b = integer(record, "b") if option in ("add", "sub", "mul") else 0
    return Request(None, CurveJob("modarith", (mod, a, b), option), max(1, -(-mod.bit_length() // 8)))


MAKERS: dict[str, Callable[[dict[str, Any], Curve | None], Request]] = {
    "ecmul": _ecmul,
    "pubkey-check": _pubkey_check,
    "ecdh": _ecdh,
    "keygen": _keygen,
    "x25519": lambda record, default: _xdh("X25519", record),
    "x448": lambda record, default: _xdh("X448", record),
    "modarith": _modarith,
}
"""What makes a request of a line, by command."""


def parse_line(command: str, line: bytes, index: int, default: Curve | None) -> Item:
    """The item of one line; its job is a Request. Never raises. index: the tag if the line has none."""
    tag: Any = index
    try:
        record = object_of(line)
        tag = tag_of(record, index)
        return Item(tag, None, MAKERS[command](record, default))
    except LineError as error:
        return Item(tag, None, None, str(error))


# ---- answers

DETAILS = {
    "no_curve": "the core has no curve for this",
    "modulus_not_odd": "the modulus is even or below 3",
    "parameter_out_of_range": "a parameter is not below the modulus",
    "singular_curve": "the curve is singular",
    "invalid_point": "the point is not on the curve, or a coordinate not below p",
    "scalar_out_of_range": "the scalar is outside the range of this operation and curve",
    "not_invertible": "there is no inverse",
    "infinity": "the point is infinity",
    "secret_refused": "the core refused a secret operand",
    "aborted": "the device failed before the answer",
    "malformed_job": "the core does not know this operation",
}
"""What reasons mean here."""


def refusal(command: str, tag: Any, reason: str, detail: str | None = None) -> dict[str, Any]:
    """The line of an item without result."""
    detail = detail or DETAILS.get(reason, reason)
    if command in ("x25519", "x448"):  # as `x25519` answers with the core edverify
        return {"tag": tag, "reason": reason, "error": detail}
    if command == "pubkey-check":
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
    if command == "pubkey-check":
        record |= {"valid": True, "reason": "ok"}
    elif command in ("x25519", "x448"):
        record |= {"out": result.payload[0].to_bytes(size, "little").hex(), "all_zero": result.all_zero}
    elif result.infinity:
        record |= {"r_infinity": True}
    else:
        names = {"ecmul": ("rx", "ry"), "keygen": ("qx", "qy"), "ecdh": ("z",), "modarith": ("r",)}
        for name, number in zip(names[command], result.payload, strict=False):
            record[name] = _hex(number, size)
    return {**record, "cycles": result.cycles}
