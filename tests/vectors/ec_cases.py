# SPDX-License-Identifier: Apache-2.0
"""What a known answer of an elliptic-curve operation is, and what every reader of such needs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from pointmill.curves import Curve, MontgomeryCurve, oid
from pointmill.rfc6979 import hash_of

from .sources import VectorSet


@dataclass(frozen=True)
class EcCase:
    """One known answer. `values` are the inputs and results of `operation` by the schema's names."""

    operation: str
    curve: Curve | MontgomeryCurve
    values: dict
    source: str
    id: str
    category: str = ""


EcVectors = VectorSet[EcCase]


def digest_of(hash_name: str, message: bytes) -> bytes:
    """The digest that ECDSA gets; SHAKE gives twice its strength in bits (RFC 8702, section 3)."""
    name = hash_of(hash_name)
    if name in ("shake128", "shake256"):
        return hashlib.new(name, message).digest(32 if name == "shake128" else 64)
    return hashlib.new(name, message).digest()


def signature_pair(sig: bytes, raw: bool, n: int) -> tuple[int, int] | None:
    """(r, s) of a signature in DER, or as two integers of n's bytes; None if it is not so encoded."""
    if raw:
        size = -(-n.bit_length() // 8)
        if len(sig) != 2 * size:
            return None
        return int.from_bytes(sig[:size], "big"), int.from_bytes(sig[size:], "big")
    try:
        return decode_dss_signature(sig)
    except ValueError:
        return None


# ---- DER ----------------------------------------------------------------------------------------

EC_PUBLIC_KEY = "1.2.840.10045.2.1"


def _der(tag: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([129, size]) if size < 256 else bytes([130, size >> 8, size & 255])
    return bytes([tag]) + length + content


def _oid(dotted: str) -> bytes:
    first, second, *rest = map(int, dotted.split("."))
    content = bytearray()
    for number in (40 * first + second, *rest):
        group = [number & 127]
        while number := number >> 7:
            group.append(number & 127 | 128)
        content += bytes(reversed(group))
    return _der(6, bytes(content))


def public_key_prefix(curve: Curve) -> bytes:
    """What stands before the coordinates in the one DER encoding of an uncompressed public key on a named curve
    (SubjectPublicKeyInfo, RFC 5480). KeyError for a curve without object identifier."""
    number = oid(curve.name)
    if number is None:
        raise KeyError(curve.name)
    point = bytes(2 * curve.bytes)
    algorithm = _der(0x30, _oid(EC_PUBLIC_KEY), _oid(number))
    return _der(0x30, algorithm, _der(3, b"\0\4", point))[:-len(point)]


def der_items(data: bytes) -> list[tuple[int, bytes]]:
    """Tags and contents of DER items one behind the other. ValueError where the lengths do not fit."""
    items = []
    while data:
        size, start = data[1] if len(data) > 1 else 0, 2
        if size > 127:
            start += size - 128
            size = int.from_bytes(data[2:start], "big")
        if len(data) < start + size:
            raise ValueError("cut DER")
        items.append((data[0], data[start:start + size]))
        data = data[start + size:]
    return items
