# SPDX-License-Identifier: Apache-2.0
"""Curves, keys and ECDSA of the command `openssl`, which shares nothing with this project."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

from pointmill.curves import Coordinates, aliases


def openssl(*words: str | Path, data: bytes = b"") -> bytes:
    """What the command prints; `CalledProcessError` where it fails."""
    return subprocess.run(["openssl", *words], input=data, capture_output=True, check=True, timeout=60).stdout


@cache
def _listed() -> dict[str, str]:
    """The curves over prime fields that the command has, by their names in lower case."""
    text = openssl("ecparam", "-list_curves").decode()
    return {name.lower(): name for name in re.findall(r"^ +(\S+) *: .* prime field$", text, re.MULTILINE)}


def openssl_name(name: str) -> str | None:
    """The command's name of one of our curves; None if it has not the curve."""
    return next((_listed()[other] for other in (name.lower(), *aliases(name)) if other in _listed()), None)


def parameters(theirs: str) -> tuple[int, ...]:
    """(p, a, b, n, gx, gy, cofactor) of a curve of the command."""
    text = openssl("ecparam", "-name", theirs, "-param_enc", "explicit", "-text", "-noout").decode()
    fields = dict(re.findall(r"^(\S.*?):(.*\n(?: .*\n)*)", text, re.MULTILINE))

    def number(key: str) -> int:  # as octets, or if it is short as "7 (0x7)"
        return int(re.sub(r"[:\s]|.*\(0x|\)", "", fields[key]), 16)

    p, a, b, n, cofactor = (number(key) for key in ("Prime", "A", "B", "Order", "Cofactor"))
    size = -(-p.bit_length() // 8)
    return (p, a, b, n, *point_of(number("Generator (uncompressed)").to_bytes(2 * size + 1, "big"), size), cofactor)


def identifier(theirs: str) -> str:
    """The object identifier of a curve of the command, in dotted decimals."""
    numbers, value = [], 0
    for byte in _named(theirs)[2:]:
        value = value << 7 | byte & 127
        if byte < 128:
            numbers.append(value)
            value = 0
    return ".".join(map(str, (*divmod(numbers[0], 40), *numbers[1:])))


def _named(theirs: str) -> bytes:
    return openssl("ecparam", "-name", theirs, "-param_enc", "named_curve", "-outform", "DER")


def point_of(data: bytes, size: int) -> Coordinates:
    """The point that ends in two coordinates of `size` bytes."""
    return int.from_bytes(data[-2 * size : -size], "big"), int.from_bytes(data[-size:], "big")


class Key:
    """A key of the command; its files are in a folder. size: bytes of the order."""

    def __init__(self, folder: Path, theirs: str, d: int, size: int) -> None:
        curve, number = _named(theirs), d.to_bytes(size, "big")
        body = bytes((2, 1, 1, 4, size)) + number + bytes((0xA0, len(curve))) + curve  # RFC 5915
        self.file, self.public_file = (folder / f"{theirs}-{hash(d)}.{ending}" for ending in ("pem", "pub"))
        openssl("ec", "-inform", "DER", "-out", self.file, data=bytes((0x30, len(body))) + body)
        openssl("ec", "-in", self.file, "-pubout", "-out", self.public_file)

    def public(self, size: int) -> Coordinates:
        """The public key; `size`: bytes of a coordinate."""
        return point_of(openssl("ec", "-pubin", "-in", self.public_file, "-outform", "DER"), size)

    def agree(self, other: Key) -> int:
        """The x-coordinate that is agreed on with the key of another."""
        return int.from_bytes(openssl("pkeyutl", "-derive", "-inkey", self.file, "-peerkey", other.public_file), "big")

    def sign(self, digest: bytes) -> bytes:
        """An ECDSA signature, in DER, by a nonce of OpenSSL's."""
        return openssl("pkeyutl", "-sign", "-inkey", self.file, data=digest)

    def verifies(self, digest: bytes, signature: bytes) -> bool:
        """Whether the command takes a signature in DER."""
        file = self.file.with_suffix(".sig")
        file.write_bytes(signature)
        words = ("openssl", "pkeyutl", "-verify", "-inkey", self.file, "-sigfile", file)
        done = subprocess.run(words, input=digest, capture_output=True, timeout=60)
        assert done.stdout.startswith((b"Signature Verified", b"Signature Verification Failure"))
        return done.returncode == 0
