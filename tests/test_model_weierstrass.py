# SPDX-License-Identifier: Apache-2.0
"""The golden models of Weierstrass and Montgomery curves: toy curves in full, OpenSSL, vectors."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.x448 import X448PrivateKey, X448PublicKey

from pointmill import curves, rfc6979
from pointmill.curves import Curve
from pointmill.model import montgomery, weierstrass
from pointmill.model.weierstrass import Reason, Refused
from vectors import ec_vectors
from vectors.ec_cases import EcCase

OPENSSL = {"P-224": ec.SECP224R1(), "P-256": ec.SECP256R1(), "P-384": ec.SECP384R1(),
           "P-521": ec.SECP521R1(), "secp256k1": ec.SECP256K1(),
           "brainpoolP256r1": ec.BrainpoolP256R1(), "brainpoolP512r1": ec.BrainpoolP512R1()}  # fmt: skip
P256 = curves.by_name("P-256")


def points(curve: Curve) -> list[weierstrass.Point]:
    """All points of a small curve by trying all coordinates, infinity first."""
    m = range(curve.p)
    return [None, *((x, y) for x in m for y in m if (y * y - x**3 - curve.a * x - curve.b) % curve.p == 0)]


def answer(case: EcCase) -> dict | Reason:
    """What the model says to a case, in the names of its values; a reason where it refuses."""
    v, curve = case.values, case.curve
    try:
        if case.operation == "ecmul":
            p = (v["px"], v["py"]) if "px" in v else None
            product = weierstrass.ecmul(curve, v["k"], p)
        elif case.operation == "ecmul2":
            product = weierstrass.ecmul2(curve, v["u"], (v["px"], v["py"]), v["v"], (v["qx"], v["qy"]))
        elif case.operation == "ecdh":
            return {"z": weierstrass.ecdh(curve, v["d"], (v["qx"], v["qy"]))}
        elif case.operation == "ecdsa-verify":
            verdict = weierstrass.ecdsa_verify(curve, v["digest"], (v["qx"], v["qy"]), v["r"], v["s"])
            return {"valid": verdict.valid}
        elif case.operation == "ecdsa-sign":
            k = v["k"] if "k" in v else rfc6979.nonce(v["digest"], v["d"], curve.n, rfc6979.hash_of(v["hash"]))
            r, s = weierstrass.ecdsa_sign(curve, v["digest"], v["d"], k)
            qx, qy = weierstrass.public_key(curve, v["d"])
            return {"r": r, "s": s, "qx": qx, "qy": qy}
        elif case.operation == "sm2-verify":
            return {"valid": weierstrass.sm2_verify(curve, v["e"], (v["qx"], v["qy"]), v["r"], v["s"]).valid}
        elif case.operation == "pubkey-check":
            sound = curve.g is None or weierstrass.check_point(curve, *curve.g) == Reason.OK
            return {"valid": sound and weierstrass.check_public_key(curve, v["qx"], v["qy"]) == Reason.OK}
        else:
            k, u = v["k"], v["u"]
            for _ in range(v.get("iterations", 1)):  # of (k, u) = (X25519(k, u), k), RFC 7748, 5.2
                k, u = montgomery.xdh(curve, k, u), k
            return {"out": k, "all_zero": not any(k)}
    except Refused as refused:
        return refused.reason
    return {"r_infinity": True} if product is None else {"rx": product[0], "ry": product[1]}


def agrees(case: EcCase) -> bool:
    """Whether the model gives the results that the case names; where it names none, whether it refuses."""
    said = answer(case)
    if isinstance(said, Reason):
        return case.values.get("expect") == "invalid_point" or case.values.get("z", 0) is None
    return any(name in case.values for name in said) and all(
        case.values.get(name, value) == value for name, value in said.items()
    )


# ---- the group law ------------------------------------------------------------------------------


@pytest.mark.parametrize("params,order", [
    (("7", "0", "3"), 13), (("7", "5", "0"), 8), (("b", "8", "a"), 7), (("11", "e", "6"), None),
])  # fmt: skip
def test_small_groups(params: tuple[str, str, str], order: int | None) -> None:
    """Closed, commutative, associative, with inverses; [k]P by repeated addition for every k up to 3 orders,
    also on curves with points of order 2."""
    curve = curves.from_params(dict(zip("pab", params)))
    group = points(curve)
    assert order is None or len(group) == order
    for p in group:
        assert weierstrass.add(curve, p, weierstrass.negate(curve, p)) is None
        total = None
        for k in range(3 * len(group)):
            assert weierstrass.multiply(curve, k, p) == total
            total = weierstrass.add(curve, total, p)
        assert weierstrass.multiply(curve, len(group), p) is None
        for q in group:
            both = weierstrass.add(curve, p, q)
            assert both in group and both == weierstrass.add(curve, q, p)
            for r in group[:6]:
                assert weierstrass.add(curve, both, r) == weierstrass.add(curve, p, weierstrass.add(curve, q, r))


def test_scalars_around_the_order() -> None:
    for name in ("P-256", "P-521", "brainpoolP160t1"):
        curve = curves.by_name(name)
        for i in range(-2, 3):
            near = weierstrass.ecmul(curve, curve.n + i)
            x, y = weierstrass.multiply(curve, abs(i), curve.g) or (None, None)
            assert near == (None if i == 0 else (x, y if i > 0 else curve.p - y))
        top = (1 << curve.n.bit_length()) - curve.n
        assert weierstrass.ecmul(curve, top) == weierstrass.ecmul(curve, top + curve.n)


def test_refusals() -> None:
    x, y = P256.g
    other = Curve("unknown order", P256.p, P256.a, P256.b)
    for reason, call in {
        Reason.COORDINATE: lambda: weierstrass.ecmul(P256, 1, (x + P256.p, y)),
        Reason.NOT_ON_CURVE: lambda: weierstrass.ecmul(P256, 1, (x, y + 1)),
        Reason.KEY: lambda: weierstrass.ecdh(P256, P256.n, P256.g),
        Reason.NO_ORDER: lambda: weierstrass.public_key(other, 1),
        Reason.NONCE: lambda: weierstrass.ecdsa_sign(P256, b"", 1, 0),
        Reason.INFINITY: lambda: weierstrass.ecdh(other, P256.n, P256.g),
    }.items():
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.reason == reason
    for d in (0, P256.n - 1):
        with pytest.raises(Refused, match="key_out_of_range"):
            weierstrass.sm2_sign(P256, 1, d, 1)
    assert weierstrass.check_public_key(P256, 0, P256.p) == Reason.COORDINATE
    even = curves.from_params({"p": "7", "a": "5", "b": "0", "n": "7"})
    assert weierstrass.check_public_key(even, 0, 0) == Reason.WRONG_ORDER


def test_reasons_of_verdicts() -> None:
    digest, d, k = b"\x11" * 32, 77, 99
    q = weierstrass.public_key(P256, d)
    ec_r, ec_s = weierstrass.ecdsa_sign(P256, digest, d, k)
    e = int.from_bytes(digest, "big")
    sm_r, sm_s = weierstrass.sm2_sign(P256, e, d, k)
    ecdsa = partial(weierstrass.ecdsa_verify, P256, digest)
    sm2 = partial(weierstrass.sm2_verify, P256, e)
    for verify, r, s in ((ecdsa, ec_r, ec_s), (sm2, sm_r, sm_s)):
        assert verify(q, r, s) == weierstrass.Verdict(True, Reason.OK)
        assert verify(q, 0, 0).reason == verify(q, P256.n, s).reason == Reason.R_RANGE
        assert verify(q, r, 0).reason == verify(q, r, P256.n).reason == Reason.S_RANGE
        assert verify((q[0], q[1] + 1), r, s).reason == Reason.NOT_ON_CURVE
        assert verify(q, r, s ^ 1).reason == verify(P256.g, r, s).reason == Reason.EQUATION
    assert sm2(q, sm_r, P256.n - sm_r).reason == Reason.EQUATION


# ---- OpenSSL ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPENSSL)
def test_openssl(name: str) -> None:
    """Keys, agreement, signatures both ways (nonce of RFC 6979), one forged in each part."""
    curve, theirs, rng = curves.by_name(name), OPENSSL[name], random.Random(name)
    prehashed = ec.ECDSA(utils.Prehashed(hashes.SHA384()))
    for d in (1, curve.n - 1, rng.randrange(1, curve.n)):
        key = ec.derive_private_key(d, theirs)
        numbers = key.public_key().public_numbers()
        assert weierstrass.public_key(curve, d) == (numbers.x, numbers.y)
    peer = ec.derive_private_key(rng.randrange(1, curve.n), theirs).public_key()
    peer_point = (peer.public_numbers().x, peer.public_numbers().y)
    assert key.exchange(ec.ECDH(), peer) == weierstrass.ecdh(curve, d, peer_point).to_bytes(curve.bytes, "big")
    digest = rng.randbytes(48)
    q = (numbers.x, numbers.y)
    r, s = utils.decode_dss_signature(key.sign(digest, prehashed))
    assert weierstrass.ecdsa_verify(curve, digest, q, r, s).valid
    k = rfc6979.nonce(digest, d, curve.n, "sha384")
    r, s = weierstrass.ecdsa_sign(curve, digest, d, k)
    key.public_key().verify(utils.encode_dss_signature(r, s), digest, prehashed)
    for forged in ((r ^ 1, s), (r, s ^ 1)):
        assert not weierstrass.ecdsa_verify(curve, digest, q, *forged).valid
        with pytest.raises(InvalidSignature):
            key.public_key().verify(utils.encode_dss_signature(*forged), digest, prehashed)


def test_openssl_x448() -> None:
    curve, rng = curves.by_name("X448"), random.Random(4)
    for _ in range(3):
        k, u = rng.randbytes(56), rng.randbytes(56)
        assert montgomery.xdh(curve, k, u) == X448PrivateKey.from_private_bytes(k).exchange(
            X448PublicKey.from_public_bytes(u))  # fmt: skip


def test_lengths_for_x448() -> None:
    curve = curves.by_name("X448")
    for length in (55, 57):
        with pytest.raises(ValueError, match="56 bytes"):
            montgomery.xdh(curve, bytes(length), bytes(56))
        with pytest.raises(ValueError, match="56 bytes"):
            montgomery.xdh(curve, bytes(56), bytes(length))


# ---- vectors ------------------------------------------------------------------------------------


def test_counts_of_the_packages() -> None:
    found = ec_vectors.wycheproof_cases()
    assert found.counts("operation") == {"ecdsa-verify": 7584, "ecdh": 2236, "xdh": 1016}
    assert found.refused.total() == 4142 and not found.not_run
    assert Counter(case.curve.name for case in found.cases if case.operation == "ecdh") == {
        "P-224": 455, "P-256": 346, "P-384": 787, "P-521": 648}  # fmt: skip
    valid = Counter(case.values.get("valid") for case in found.cases)
    assert valid[True] == 5370 and valid[False] == 2214


@pytest.mark.parametrize(("every", "count"), [
    (200, 73), *(pytest.param(*one, marks=pytest.mark.long) for one in ((60, 198), (1, 10836)))])
def test_wycheproof(every: int, count: int) -> None:
    cases = ec_vectors.sample(ec_vectors.wycheproof_cases().cases, every)
    assert len(cases) == count
    assert [case.source + case.id for case in cases if not agrees(case)] == []


@pytest.mark.parametrize(("every", "count"), [
    (75, 46), *(pytest.param(*one, marks=pytest.mark.long) for one in ((25, 135), (1, 3190)))])
def test_texts(every: int, count: int) -> None:
    cases = ec_vectors.sample(ec_vectors.text_cases().cases, every)
    assert len(cases) == count
    assert [case.source + case.id for case in cases if not agrees(case)] == []


def test_rfc7027() -> None:
    cases = ec_vectors.rfc7027_cases()
    assert len(cases) == 6
    for case in cases:
        own = weierstrass.public_key(case.curve, case.values["d"])
        assert agrees(case) and own == (case.values["own_qx"], case.values["own_qy"])


# RFC 6979, A.2.5: private key, then hash, message, k and s of SHA-256.
_KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
_NONCES = {
    ("sha1", b"sample"): 0x882905F1227FD620FBF2ABF21244F0BA83D0DC3A9103DBBEE43A1FB858109DB4,
    ("sha256", b"sample"): 0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60,
    ("sha512", b"test"): 0x6915D11632ACA3C40D5D51C08DAF9C555933819548784480E93499000D9F0B7F,
}


def test_rfc6979() -> None:
    for (name, message), k in _NONCES.items():
        digest = ec_vectors.digest_of(name, message)
        assert rfc6979.nonce(digest, _KEY, P256.n, name) == k
    digest = ec_vectors.digest_of("sha256", b"sample")
    assert weierstrass.ecdsa_sign(P256, digest, _KEY, _NONCES["sha256", b"sample"]) == (
        0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
        0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8)  # fmt: skip


# GB/T 32918.5, annex A.2: e, d, k, r, s on the recommended curve.
_SM2 = (0xF0B43E94BA45ACCAACE692ED534382EB17E6AB5A19CE7B31F4486FDFC0D28640,
        0x3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8,
        0x59276E27D506861A16680F3AD9C02DCCEF3CC1FA3CDBE4CE6D54B80DEAC1BC21,
        0xF5A03B0648D2C4630EEAC513E1BB81A15944DA3827D5B74143AC7EACEEE720B3,
        0xB1B6AA29DF212FD8763182BC0D421CA1BB9038FD1F7F42D4840B69C485BBC1AA)  # fmt: skip


def test_sm2() -> None:
    curve = curves.by_name("sm2p256v1")
    e, d, k, r, s = _SM2
    assert weierstrass.sm2_sign(curve, e, d, k) == (r, s)
    assert weierstrass.sm2_verify(curve, e, weierstrass.public_key(curve, d), r, s).valid


@pytest.mark.parametrize(("every", "iterations"), [
    (400, 100), *(pytest.param(every, 1000, marks=pytest.mark.long) for every in (150, 1))])
def test_reference_folder(vectors_dir: Path, every: int, iterations: int) -> None:
    """A sample of each file, and all of the small files; nonces of the RFC 6979 file are derived."""
    found = ec_vectors.folder_cases(vectors_dir)
    assert len(found.cases) > 20000
    few = [case for case in found.cases if case.values.get("iterations", 1) <= iterations]
    small = [case for case in few if case.source.startswith("rfc/")]
    large = [case for case in few if not case.source.startswith("rfc/")]
    assert len(small) == {100: 83, 1000: 85}[iterations]
    for case in small + ec_vectors.sample(large, every):
        assert agrees(case), (case.source, case.id)
    for case in small:
        if "rfc6979" in case.source:
            v = case.values
            assert v["k"] == rfc6979.nonce(v["digest"], v["d"], case.curve.n, rfc6979.hash_of(v["hash"]))
