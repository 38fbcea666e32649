# SPDX-License-Identifier: Apache-2.0
"""sign.input: 1,024 published Ed25519 signatures, as the package cryptography_vectors carries them."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple


class Signed(NamedTuple):
    """A message, and its signature by the key of `seed`."""

    seed: bytes
    pk: bytes
    msg: bytes
    sig: bytes


def parse(text: str, source: str) -> list[Signed]:
    """The signatures of `seed||pk : pk : msg : sig||msg :` lines in hex.

    `ValueError` for a line of another form, or whose key or message differs between its fields.
    """
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        seed_pk, pk, msg, sig_msg = map(bytes.fromhex, line.rstrip(":").split(":"))
        if seed_pk[32:] != pk or sig_msg[64:] != msg:
            raise ValueError(f"line {number} of {source} contradicts itself")
        found.append(Signed(seed_pk[:32], pk, msg, sig_msg[:64]))
    return found


def signatures() -> list[Signed]:
    """All of them; message i has i - 1 bytes."""
    file = files("cryptography_vectors") / "asymmetric" / "Ed25519" / "sign.input"
    return parse(file.read_text(encoding="ascii"), file.name)
