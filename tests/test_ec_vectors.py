# SPDX-License-Identifier: Apache-2.0
"""The readers of known answers of elliptic curves: which files they take, and what they reject."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pointmill.curves import by_name
from vectors import ec_cases, ec_texts, ec_vectors

CURVES = {"P-192": ec.SECP192R1(), "P-224": ec.SECP224R1(), "P-256": ec.SECP256R1(), "P-384": ec.SECP384R1(),
          "P-521": ec.SECP521R1(), "secp256k1": ec.SECP256K1(), "brainpoolP256r1": ec.BrainpoolP256R1(),
          "brainpoolP384r1": ec.BrainpoolP384R1(), "brainpoolP512r1": ec.BrainpoolP512R1()}  # fmt: skip


@pytest.mark.parametrize("name", CURVES)
def test_public_keys(name: str) -> None:
    """The encoding is that of a library; any other octet before the coordinates makes it another one."""
    curve = by_name(name)
    key = ec.EllipticCurvePublicNumbers(*curve.g, CURVES[name]).public_key()
    data = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    prefix = ec_cases.public_key_prefix(curve)
    assert data == prefix + b"".join(c.to_bytes(curve.bytes, "big") for c in curve.g)
    assert ec_vectors._public_point(data, True, curve) == curve.g
    off_the_curve = data[:-1] + bytes([data[-1] ^ 1])
    assert ec_vectors._public_point(off_the_curve, True, curve) == (curve.g[0], curve.g[1] ^ 1)
    for wrong in (data[:-1], data + b"\0", data[len(prefix) - 1:],
                  *(data[:i] + bytes([data[i] ^ 1]) + data[i + 1:] for i in range(len(prefix)))):
        assert ec_vectors._public_point(wrong, True, curve) is None
    assert ec_vectors._public_point(data[len(prefix) - 1:], False, curve) == curve.g


def test_der_items() -> None:
    assert ec_cases.der_items(b"\x02\x01\x05\x04\x81\x80" + bytes(128)) == [(2, b"\5"), (4, bytes(128))]
    for cut in (b"\x02", b"\x02\x02\x05", b"\x04\x81\x80"):
        with pytest.raises(ValueError, match="cut"):
            ec_cases.der_items(cut)


def test_texts_of_the_packages() -> None:
    found = ec_vectors.text_cases()
    assert Counter((case.source.split("/")[-1], case.operation) for case in found.cases) == {
        ("KeyPair.rsp", "ecmul"): 100, ("PKV.rsp", "pubkey-check"): 120, ("SigGen.txt", "ecdsa-sign"): 450,
        ("SigGen.txt", "ecdsa-verify"): 1125, ("SigVer.rsp", "ecdsa-verify"): 450,
        ("evppkey_ecdsa_rfc6979.txt", "ecdsa-sign"): 50, ("evppkey_ecdsa_rfc6979.txt", "ecdsa-verify"): 100,
        ("KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax", "ecdh"): 110,
        ("KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax", "pubkey-check"): 20,
        ("KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_resp.fax", "ecdh"): 110,
        ("KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_resp.fax", "pubkey-check"): 20,
        ("KAS_ECC_CDH_PrimitiveTest.txt", "ecdh"): 125, ("SigVer_TruncatedSHAs.rsp", "ecdsa-verify"): 150,
        **{(f"point-at-infinity.org-P{bits}.txt", "ecmul"): 52 for bits in (192, 224, 256, 384, 521)},
    }  # fmt: skip
    verdicts = Counter(case.values["valid"] for case in found.cases if case.operation == "ecdsa-verify")
    assert verdicts == {True: 1295, False: 530}
    assert sum(case.operation == "ecdh" and case.values["z"] is None for case in found.cases) == 40
    assert all("K-" in name or "B-" in name or "KAS" in name for name in found.not_run)
    assert ec_texts.parse_text("words", "x") is None


def test_texts_of_a_folder(tmp_path: Path) -> None:
    """By content, whatever the name; curves that are not in the table are said aloud."""
    g = by_name("P-256").g
    signature = f"Px = 0x{g[0]:X}\nPy = {g[1]}\nMsg = 00\nSignature = {'01' * 64}\nValid = 0\n"
    (tmp_path / "botan").write_text(f"Group = secp256r1\n{signature}\nGroup = "
                                    f"secp256r1\n{signature.replace('01' * 64, '01' * 63)}\n\n"
                                    f"Group = x962_p239v1\n{signature}")
    (tmp_path / "crlf.rsp").write_text("# CAVS\r\n\r\n[P-256]\r\n\r\n"
                                       f"Qx = {g[0]:x}\r\nQy = {g[1]:x}\r\nResult = P (0 )\r\n\r\n[K-163]\r\n\r\n"
                                       "Qx = 1\r\nQy = 2\r\nResult = P (0 )\r\n")
    order = {name: f"00{getattr(by_name('P-224'), name):x}" for name in ("p", "a", "b", "n")}
    order |= {"gx": f"{by_name('P-224').g[0]:x}", "gy": f"{by_name('P-224').g[1]:x}", "name": "mine", "tcId": 4}
    (tmp_path / "order.json").write_text(json.dumps({"testGroups": [{"type": "EcCurveTest", "tests": [order]}]}))
    (tmp_path / "README").write_text("words")
    found = ec_vectors.folder_cases(tmp_path)
    assert found.counts("operation") == {"ecdsa-verify": 1, "pubkey-check": 1, "ecmul": 1}
    assert [(case.values["qx"], case.values["qy"]) for case in found.cases[:2]] == [g, g]
    assert found.refused == {"botan": 1}
    assert found.not_run == {
        "botan x962_p239v1": "a curve that is not in the table", "README": "no known format",
        "crlf.rsp K-163": "binary field, or a comparison of the caller"}


def test_bitcoin_signatures() -> None:
    """The upper half of s is refused here, as that rule is the client's."""
    curve = by_name("secp256k1")
    group = {"type": "EcdsaBitcoinVerify", "sha": "SHA-256",
             "publicKey": {"curve": "secp256k1", "wx": f"{curve.g[0]:x}", "wy": f"{curve.g[1]:x}"}}
    for s, refused in ((curve.n // 2, 0), (curve.n // 2 + 1, 1)):
        sig = ec_cases._der(0x30, b"\2\1\1", ec_cases._der(2, s.to_bytes(32, "big")))
        test = {"tcId": 1, "msg": "", "sig": sig.hex(), "result": "invalid"}
        found = ec_vectors.parse_wycheproof({"testGroups": [{**group, "tests": [test]}]}, "bitcoin")
        assert (len(found.cases), found.refused.total()) == (1 - refused, refused)


def test_explicit_curves() -> None:
    """What a core sees of wrong parameters is a case, the rest is refused; a result that contradicts both is
    an error."""
    curve = by_name("P-256")
    der = ec_cases._der

    def key(p: int, a: int, n: int, h: int) -> str:
        number = [der(2, b"\0" + value.to_bytes(32, "big")) for value in (p, n)]
        point = b"\4" + b"".join(c.to_bytes(32, "big") for c in curve.g)
        coefficients = der(0x30, *(der(4, value.to_bytes(32, "big")) for value in (a, curve.b)))
        parameters = der(0x30, der(2, b"\1"), der(0x30, ec_cases._oid("1.2.840.10045.1.1"), number[0]), coefficients,
                         der(4, point), number[1], der(2, bytes([h])))
        return der(0x30, der(0x30, ec_cases._oid(ec_cases.EC_PUBLIC_KEY), parameters), der(3, b"\0" + point)).hex()

    good = (curve.p, curve.a, curve.n, 1)
    parts = [(good, "OK"), ((curve.p, curve.a - 1, curve.n, 1), "bad a"), ((curve.p, curve.p + 1, curve.n, 1), "big a"),
             ((curve.p, curve.a, curve.n - 2, 1), "bad n"), ((curve.p, curve.a, curve.n, 2), "bad h")]
    text = "\n\n".join(f"Pubkey = {key(*numbers)}\nResult = {result}" for numbers, result in parts)
    found = ec_texts.parse_text(text, "explicit")
    assert [case.values["valid"] for case in found.cases] == [True, False, False]
    assert found.refused == {"explicit": 2} and found.cases[0].values["qx"] == curve.g[0]
    with pytest.raises(ValueError, match="explicit 0: bad"):
        ec_texts.parse_text(text.replace("OK", "bad") + "\n\nResult = OK", "explicit")
