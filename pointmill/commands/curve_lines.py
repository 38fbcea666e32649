# SPDX-License-Identifier: Apache-2.0
"""JSON lines of the commands of `multicurve` and `mpu`: what a line asks of the core, and the line of its result."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from .. import curve_plans as plans
from ..curve_device import CurveResult
from ..curve_plans import TWO_OPERANDS, Plan, order_bytes
from ..curves import MAX_BITS, Curve, CurveError, by_name, read_params, weierstrass
from ..errors import InputError
from ..mpu_device import BITS as MPU_BITS
from ..reasons import OF_CURVES
from .lines import Item, LineError, bytes_of, object_of, tag_of

_INTEGER = re.compile(r"[0-9a-fA-F]+")


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
    value = bytes_of(record, name)
    if len(value) != size:
        raise LineError(f"{name} has {len(value)} bytes, not {size}")
    return int.from_bytes(value, "little")


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


def _point(record: dict[str, Any], x: str, y: str, bits: int = MAX_BITS) -> tuple[int, int]:
    return integer(record, x, bits), integer(record, y, bits)


def _optional_point(record: dict[str, Any], bits: int = MAX_BITS) -> tuple[int, int] | None:
    """px and py, None if neither is there."""
    return _point(record, "px", "py", bits) if "px" in record or "py" in record else None


def _ecmul(record: dict[str, Any], default: Curve | None, bits: int = MAX_BITS) -> Plan:
    curve = curve_of(record, default, bits)
    return plans.multiply(curve, integer(record, "k", bits), _optional_point(record, bits))


def _ecmul2(record: dict[str, Any], default: Curve | None) -> Plan:
    curve, point = curve_of(record, default), _optional_point(record)
    u, v = integer(record, "u"), integer(record, "v")
    return plans.multiply_two(curve, u, point, v, _point(record, "qx", "qy"))


def _pubkey_check(record: dict[str, Any], default: Curve | None) -> Plan:
    return plans.check_point(curve_of(record, default), _point(record, "qx", "qy"))


def _ecdh(record: dict[str, Any], default: Curve | None) -> Plan:
    return plans.ecdh(curve_of(record, default), integer(record, "d"), _point(record, "qx", "qy"))


def _keygen(record: dict[str, Any], default: Curve | None) -> Plan:
    return plans.generate_key(curve_of(record, default), _optional(record, "d"))


def _optional(record: dict[str, Any], name: str) -> int | None:
    return integer(record, name) if name in record else None


def _ecdsa_verify(record: dict[str, Any], default: Curve | None) -> Plan:
    digest, curve = bytes_of(record, "digest"), curve_of(record, default)
    return plans.ecdsa_verify(curve, digest, _point(record, "qx", "qy"), integer(record, "r"), integer(record, "s"))


def _ecdsa_sign(record: dict[str, Any], default: Curve | None) -> Plan:
    digest, curve = bytes_of(record, "digest"), curve_of(record, default)
    return plans.ecdsa_sign(curve, digest, integer(record, "d"), _optional(record, "k"), record.get("hash"))


def _sm2_verify(record: dict[str, Any], default: Curve | None) -> Plan:
    e, curve = integer(record, "e"), curve_of(record, default)
    return plans.sm2_verify(curve, e, _point(record, "qx", "qy"), integer(record, "r"), integer(record, "s"))


def _sm2_sign(record: dict[str, Any], default: Curve | None) -> Plan:
    e, curve = integer(record, "e"), curve_of(record, default)
    return plans.sm2_sign(curve, e, integer(record, "d"), _optional(record, "k"))


def _xdh(name: str, record: dict[str, Any]) -> Plan:
    size = by_name(name).bytes
    return plans.key_agreement(name, _wire(record, "k", size), _wire(record, "u", size))


def _modarith(record: dict[str, Any], default: Curve | None, bits: int = MAX_BITS) -> Plan:
    option = record.get("op")
    if option not in plans.MODULAR:
        raise LineError(f"op is none of {', '.join(plans.MODULAR)}")
    mod, a = integer(record, "mod", bits), integer(record, "a", bits)
    return plans.modular(option, mod, a, integer(record, "b", bits) if option in TWO_OPERANDS else 0)


Makers = dict[str, Callable[[dict[str, Any], Curve | None], Plan]]
MAKERS: Makers = {
    "ecmul": _ecmul,
    "pubkey-check": _pubkey_check,
    "ecdh": _ecdh,
    "keygen": _keygen,
    "x25519": lambda record, default: _xdh("X25519", record),
    "x448": lambda record, default: _xdh("X448", record),
    "modarith": _modarith,
    "ecmul2": _ecmul2,
    "ecdsa-verify": _ecdsa_verify,
    "ecdsa-sign": _ecdsa_sign,
    "sm2-verify": _sm2_verify,
    "sm2-sign": _sm2_sign,
}
"""What makes a plan of a line, by command, of `multicurve`."""
MPU_MAKERS: Makers = {"ecmul": partial(_ecmul, bits=MPU_BITS), "modarith": partial(_modarith, bits=MPU_BITS)}
"""The same of `mpu`."""


def parse_line(command: str, line: bytes, index: int, default: Curve | None,
               fields: dict[str, Any] | None = None, makers: Makers = MAKERS) -> Item:
    """The item of one line; its job is a Plan. Never raises. index: the tag if the line has none. fields:
    those of lines without one of their own. makers: those of the core."""
    tag: Any = index
    try:
        record = object_of(line)
        tag = tag_of(record, index)
        return Item(tag, None, makers[command]((fields or {}) | record, default))
    except InputError as error:
        return Item(tag, None, None, str(error))


# ---- answers

VERDICTS = ("pubkey-check", "ecdsa-verify", "sm2-verify")
"""Commands that answer whether something is valid."""
RESULTS = {
    "ecmul": ("rx", "ry"), "ecmul2": ("rx", "ry"), "keygen": ("qx", "qy"), "ecdh": ("z",),
    "ecdsa-sign": ("r", "s"), "sm2-sign": ("r", "s"), "modarith": ("r",),
}  # fmt: skip
"""Names of the numbers that the others answer."""

def refusal(command: str, tag: Any, reason: str, detail: str | None = None) -> dict[str, Any]:
    """The line of an item without result."""
    detail = detail or OF_CURVES.get(reason, reason)
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
    size, record = item.job.size, {"tag": item.tag}
    if command in VERDICTS:
        record |= {"valid": True, "reason": "ok"}
    elif command in ("x25519", "x448"):
        record |= {"out": result.payload[0].to_bytes(size, "little").hex(), "all_zero": result.all_zero}
    elif result.infinity:
        record |= {"r_infinity": True}
    else:
        if command == "keygen":
            record["d"] = _hex(item.job.job.operands[0], order_bytes(item.job.curve))
        for name, number in zip(RESULTS[command], result.payload, strict=False):
            record[name] = _hex(number, size)
    return {**record, "cycles": result.cycles}
