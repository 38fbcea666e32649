# SPDX-License-Identifier: Apache-2.0
"""Known answers of elliptic curves in text formats: CAVP of NIST, examples of NIST, OpenSSL (RFC 6979), Botan,
point-at-infinity.org. A format is recognised by its content."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from pointmill import curves
from pointmill.curves import Curve, CurveError, is_prime
from pointmill.model.weierstrass import multiply

from .ec_cases import EcCase, EcVectors, der_items, digest_of, signature_pair

Record = dict[str, str]
_FIELD = re.compile(r"^(\w+) *= *(.*?) *$", re.M)
_SECTION = re.compile(r"^\[([^\]\n]*)\] *$", re.M)
_PARAMETER_SETS = dict(zip(("EA", "EB", "EC", "ED", "EE"), ("P-192", "P-224", "P-256", "P-384", "P-521"), strict=True))
"""Names that CAVP uses for curves in key agreement."""
_TRUNCATED = {"SHA-512224": "SHA-512/224", "SHA-512256": "SHA-512/256"}


def parse_text(text: str, source: str) -> EcVectors | None:
    """Cases of a file in one of the formats; None for another one."""
    text = text.replace("\r", "")
    if "PrivPubKeyPair" in text:
        return _openssl(text, source)
    if "Result = OK" in text and "Pubkey = 30" in text:
        return _explicit_curves(text, source)
    if re.search(r"^Group = ", text, re.M):
        return _botan_signatures(text, source)
    if "point-at-infinity.org" in text:
        return _multiples(text, source)
    if "Elliptic Curve Digital Signature Algorithm\nCurve = " in text:
        return _examples(text, source)
    if re.search(r"^\[(\w-\d+|E[A-E])\b", text, re.M):
        return _cavp(text, source)
    return None


def _records(text: str) -> Iterator[Record]:
    """The fields of each paragraph that has some."""
    for paragraph in re.split(r"\n *\n", text):
        if fields := dict(_FIELD.findall(paragraph)):
            yield fields


# ---- CAVP ---------------------------------------------------------------------------------------


def _curve_of(section: str) -> Curve | None:
    """The curve of a section's name; None for one over a binary field."""
    name = _PARAMETER_SETS.get(section, section)
    try:
        return curves.by_name({"K-256": "secp256k1"}.get(name, name))
    except CurveError:
        return None


def _hex(record: Record, **names: str) -> dict[str, int]:
    return {ours: int(record[theirs], 16) for ours, theirs in names.items()}


def _cavp_case(record: Record, hash_name: str) -> tuple[str, dict] | None:
    """Operation and values of a record; None if it says nothing of an operation."""
    passed = record.get("Result", "P").startswith("P")
    if "Msg" in record:
        values = {"digest": digest_of(hash_name, bytes.fromhex(record["Msg"])), "hash": hash_name,
                  **_hex(record, qx="Qx", qy="Qy", r="R", s="S")}
        if "k" in record:
            return "ecdsa-sign", values | _hex(record, d="d", k="k")
        return "ecdsa-verify", values | {"valid": passed}
    if "ZIUT" in record:
        return "ecdh", _hex(record, d="dIUT", qx="QCAVSx", qy="QCAVSy", z="ZIUT", own_qx="QIUTx", own_qy="QIUTy")
    if "dsIUT" in record:
        reason = int(re.search(r"\d+", record["Result"])[0])
        if reason in (5, 6):  # the own public key is wrong
            return "pubkey-check", {**_hex(record, qx="QsIUTx", qy="QsIUTy"), "valid": False}
        values = _hex(record, d="dsIUT", qx="QsCAVSx", qy="QsCAVSy", z="Z")
        if reason in (1, 2):
            values["z"] = None
        return ("ecdh", values) if passed or reason in (1, 2) else None
    if "d" in record:
        return "ecmul", _hex(record, k="d", rx="Qx", ry="Qy")
    if "Qx" in record:
        return "pubkey-check", {**_hex(record, qx="Qx", qy="Qy"), "valid": passed}
    return None


def _cavp(text: str, source: str) -> EcVectors:
    """Sections are named by curve, or curve and hash; those of binary fields, and agreements in which the other
    side changed d or Z, are not run."""
    found = EcVectors()
    curve, hash_name, section = None, "SHA-1", ""
    place = 0
    marks = [*_SECTION.finditer(text), None]
    for mark in marks:
        for index, record in enumerate(_records(text[place:mark.start() if mark else len(text)])):
            if curve is None or not (made := _cavp_case(record, hash_name)):
                if record.keys() & {"Qx", "QIUTx", "QsIUTx"}:
                    found.not_run[f"{source} {section}"] = "binary field, or a comparison of the caller"
                continue
            found.cases.append(EcCase(made[0], curve, made[1], source, f"{section} {index}",
                                      record.get("Result", "")))
        if mark:
            place = mark.end()
            if re.match(r"[A-Z]-\d|E[A-E]\b", mark[1]):
                section = mark[1]
                name, _, sha = section.replace(" - ", ",").partition(",")
                curve, hash_name = _curve_of(name), _TRUNCATED.get(sha, sha) or "SHA-1"
    return found


# ---- others -------------------------------------------------------------------------------------


def _examples(text: str, source: str) -> EcVectors:
    """NIST's worked signatures: each is made with a given k, and verified."""
    found = EcVectors()
    for part in text.split("Curve = ")[1:]:
        curve = curves.by_name(part.split()[0])
        bits = int(re.search(r"Hash Length = (\d+)", part)[1])
        fields = {name: "".join(value.split()) for name, value in
                  re.findall(r"^(\w+) is\s*((?:^[0-9A-F]+(?: [0-9A-F]+)*\s*$\s*)+)", part, re.M)}
        v = {ours: int(fields[theirs], 16) for ours, theirs in
             (("d", "D"), ("k", "K"), ("r", "R"), ("s", "S"), ("qx", "Q_x"), ("qy", "Q_y"))}
        v["digest"] = int(fields["E"], 16).to_bytes(bits // 8, "big")
        found.cases.append(EcCase("ecdsa-sign", curve, v, source, curve.name))
        found.cases.append(EcCase("ecdsa-verify", curve, {**v, "valid": True}, source, curve.name))
    return found


def _multiples(text: str, source: str) -> EcVectors:
    """Multiples of a base point; k is decimal."""
    curve = curves.by_name(re.search(r"NIST (P-\d+) curve", text)[1])
    found = EcVectors()
    for record in _records(text):
        values = {"k": int(record["k"]), **_hex(record, rx="x", ry="y")}
        found.cases.append(EcCase("ecmul", curve, values, source, record["k"]))
    return found


def _openssl(text: str, source: str) -> EcVectors:
    """Deterministic signatures (RFC 6979): without k, which is the client's to derive; and their verification."""
    found = EcVectors()
    keys: dict[str, tuple[Curve, dict[str, int]]] = {}
    for name, pem in re.findall(r"^PrivateKey=(\S+)_PRIV\n(-----BEGIN .*?END PRIVATE KEY-----)", text, re.M | re.S):
        try:
            numbers = load_pem_private_key(pem.encode(), None).private_numbers()
        except UnsupportedAlgorithm:
            found.not_run[f"{source} {name}"] = "binary field"
            continue
        public = numbers.public_numbers
        keys[name] = curves.by_name(name), {"d": numbers.private_value, "qx": public.x, "qy": public.y}
    for index, record in enumerate(_records(text)):
        name = record.get("Key", "").rpartition("_")[0]
        sha = record.get("DigestSign") or record.get("DigestVerify")
        if name not in keys or sha is None:
            continue
        curve, numbers = keys[name]
        pair = signature_pair(bytes.fromhex(record["Output"]), False, curve.n)
        values = {"digest": digest_of(sha, record["Input"].strip('"').encode()), "hash": sha, **numbers,
                  "r": pair[0], "s": pair[1]}
        operation = "ecdsa-sign" if "DigestSign" in record else "ecdsa-verify"
        if operation == "ecdsa-verify":
            values["valid"] = "Result" not in record
        found.cases.append(EcCase(operation, curve, values, source, f"{name} {sha} {index}"))
    return found


def _botan_signatures(text: str, source: str) -> EcVectors:
    """Signatures of what is a digest already."""
    found = EcVectors()
    for index, record in enumerate(_records(text)):
        curve = _curve_of(record.get("Group", ""))
        if curve is None:
            found.not_run[f"{source} {record.get('Group')}"] = "a curve that is not in the table"
            continue
        pair = signature_pair(bytes.fromhex(record["Signature"]), True, curve.n)
        if pair is None:
            found.refused[source] += 1
            continue
        qx, qy = (int(record[name], 16 if record[name].startswith("0x") else 10) for name in ("Px", "Py"))
        values = {"digest": bytes.fromhex(record["Msg"]), "qx": qx, "qy": qy, "r": pair[0], "s": pair[1],
                  "valid": record.get("Valid", "1") == "1"}
        found.cases.append(EcCase("ecdsa-verify", curve, values, source, str(index)))
    return found


def _explicit_curves(text: str, source: str) -> EcVectors:
    """Public keys with the parameters of their curve. Refused here: a composite p, a wrong order or cofactor,
    which a core does not look at."""
    found = EcVectors()
    for index, record in enumerate(_records(text)):
        if "Pubkey" not in record:
            continue
        (_, key), = der_items(bytes.fromhex(record["Pubkey"]))
        (_, algorithm), (_, point) = der_items(key)
        (_, parameters) = der_items(algorithm)[1]
        _, (_, field), (_, coefficients), (_, base), (_, n), (_, h) = der_items(parameters)
        p = int.from_bytes(der_items(field)[1][1], "big")
        a, b = (int.from_bytes(item[1], "big") for item in der_items(coefficients)[:2])
        size = (len(base) - 1) // 2
        curve = Curve(f"{source} {index}", p, a, b, int.from_bytes(n, "big"), _affine(base, size))
        qx, qy = _affine(point[1:], size)
        visible = a < p and b < p and (4 * a**3 + 27 * b * b) % p and curve.contains(*curve.g)
        sound = is_prime(p) and is_prime(curve.n) and h == b"\1" and multiply(curve, curve.n, curve.g) is None
        if visible and not sound:
            found.refused[source] += 1
            continue
        valid = record["Result"] == "OK"
        if valid != bool(visible):
            raise ValueError(f"{source} {index}: {record['Result']}")
        values = {"qx": qx, "qy": qy, "valid": valid}
        found.cases.append(EcCase("pubkey-check", curve, values, source, str(index), record["Result"]))
    return found


def _affine(data: bytes, size: int) -> tuple[int, int]:
    """The coordinates of an uncompressed point."""
    return int.from_bytes(data[1:1 + size], "big"), int.from_bytes(data[1 + size:], "big")
