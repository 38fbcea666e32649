# SPDX-License-Identifier: Apache-2.0
"""The curve table against its definitions, OpenSSL and the reference folder; files of user parameters."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from pointmill import curves
from pointmill.curves import Curve, CurveError, EdwardsCurve, MontgomeryCurve
from pointmill.model import montgomery, weierstrass
from pointmill.yaml_file import read_yaml
from vectors import ec_openssl

ALL = [curves.by_name(name) for name in curves.known()]
WEIERSTRASS = [curve for curve in ALL if isinstance(curve, Curve)]
P7 = {"p": "7", "a": "3", "b": "4"}


def test_the_table() -> None:
    assert len(ALL) == 38 and len(WEIERSTRASS) == 33
    bits = {curve.name: curve.bits for curve in ALL}
    assert {name: bits[name] for name in ("P-192", "P-521", "brainpoolP320t1", "X25519", "X448")} == {
        "P-192": 192, "P-521": 521, "brainpoolP320t1": 320, "X25519": 255, "X448": 448}  # fmt: skip
    assert max(bits.values()) <= curves.MAX_BITS
    for alias, name in (("secp256r1", "P-256"), ("SM2", "sm2p256v1"), ("curve448", "X448"),
                        ("PRIME192V1", "P-192"), ("1.3.132.0.34", "P-384"), ("edwards25519", "Ed25519"),
                        ("bls12-381", "BLS12-381-G1"), ("1.3.101.113", "Ed448")):  # fmt: skip
        assert curves.by_name(alias) is curves.by_name(name)
    with pytest.raises(CurveError, match="no curve P-255; there are P-192, P-224"):
        curves.by_name("P-255")
    with pytest.raises(CurveError, match=r"no curve 1\.3\.132\.0\.99; there are"):
        curves.by_name("1.3.132.0.99")
    with pytest.raises(CurveError, match="X448 is no short Weierstrass curve; W-448 has the same points as one"):
        curves.weierstrass("X448")


def test_names_are_one_curve_each() -> None:
    """No name, alias or object identifier stands for two curves."""
    entries = [(name, entry) for form in read_yaml(curves.DATA_FILE).values() for name, entry in form.items()]
    words = [word.lower() for name, entry in entries for word in (name, *entry.get("aliases", ()))]
    oids = [entry["oid"] for _, entry in entries if "oid" in entry]
    assert (len(entries), len(words), len(oids)) == (38, 54, 31)
    assert len(set(words)) == len(words) and len(set(oids)) == len(oids)
    assert all(entry["source"] for _, entry in entries)


@pytest.mark.parametrize("curve", WEIERSTRASS, ids=lambda curve: curve.name)
def test_weierstrass_curve(curve: Curve) -> None:
    """p and n prime, no singular point, the base point on the curve and of order n; the number of points is n times the
    cofactor, since no other multiple of n is in the interval of Hasse."""
    assert curves.is_prime(curve.p) and curves.is_prime(curve.n) and curve.source
    assert (4 * curve.a**3 + 27 * curve.b**2) % curve.p
    assert curve.contains(*curve.g)
    assert weierstrass.multiply(curve, curve.n, curve.g) is None
    assert (curve.p + 1 - curve.n * curve.cofactor) ** 2 <= 4 * curve.p and curve.n**2 > 16 * curve.p


def test_cofactors() -> None:
    assert {curve.name: curve.cofactor for curve in WEIERSTRASS if curve.cofactor > 1} == {
        "W-25519": 8, "Wei25519": 8, "W-448": 4, "W-Ed448": 4, "W-41417": 8,
        "BLS12-381-G1": 0x396c8c005555e1568c00aaab0000aaab}


@pytest.mark.parametrize("name", ["X25519", "X448"])
def test_montgomery_curve(name: str) -> None:
    curve = curves.by_name(name)
    assert isinstance(curve, MontgomeryCurve)
    assert curves.is_prime(curve.p) and curves.is_prime(curve.n)
    assert (curve.A**2 - 4) % curve.p and 4 * curve.a24 + 2 == curve.A
    square = (curve.u**3 + curve.A * curve.u**2 + curve.u) % curve.p
    assert pow(square, (curve.p - 1) // 2, curve.p) == 1
    assert montgomery.ladder(curve, curve.n, curve.u, curve.bits)[1] == 0
    assert (curve.p + 1 - curve.n * curve.cofactor) ** 2 <= 4 * curve.p


def test_maps_of_edwards_curves() -> None:
    """Multiples of the base point go to those of the form's, and back; so do the points of order 1 and 2. Others have
    no image, or one that is not on the curve."""
    complete = [curve for curve in ALL if isinstance(curve, EdwardsCurve)]
    assert len(complete) == 3
    for curve in complete:
        form, p, (gx, gy) = curve.form, curve.p, curve.g
        (x, y), image = curve.g, form.g
        for _ in range(8):
            assert curve.contains(x, y) and curve.to_form(x, y) == image and curve.from_form(image) == (x, y)
            assert not curve.contains(x, y + p) and curve.to_form(x + p, y) is curve.to_form(x, y + p) is None
            turned = curve.to_form(x, y + 1 if y + 2 < p else 2)
            assert turned is None or not form.contains(*turned)
            product = curve.d * x * gx * y * gy
            x, y = ((x * gy + gx * y) * pow(1 + product, -1, p) % p,
                    (y * gy - curve.a * x * gx) * pow(1 - product, -1, p) % p)
            image = weierstrass.add(form, image, form.g)
        assert curve.to_form(0, 1) is None and curve.from_form(None) == (0, 1)
        two = curve.to_form(0, p - 1)
        assert two is not None and two[1] == 0 and form.contains(*two) and curve.from_form(two) == (0, p - 1)
        assert curve.to_form(0, 2) is curve.to_form(5, 1) is curve.to_form(5, p - 1) is None


def test_openssl_has_the_same_parameters() -> None:
    """Parameters and object identifiers of every curve that the command `openssl` has."""
    both = [(curve, theirs) for curve in WEIERSTRASS if (theirs := ec_openssl.openssl_name(curve.name))]
    assert len(both) == 26
    for curve, theirs in both:
        known = (curve.p, curve.a, curve.b, curve.n, *curve.g, curve.cofactor)
        assert ec_openssl.parameters(theirs) == known, curve.name
        assert ec_openssl.identifier(theirs) == curves.oid(curve.name), curve.name
    others = {curve.name for curve in WEIERSTRASS} - {curve.name for curve, _ in both}
    assert others == {"FRP256v1", "W-25519", "Wei25519", "W-448", "W-Ed448", "W-41417", "BLS12-381-G1"}


def test_openssl_has_the_same_base_points() -> None:
    """[1]g and [n - 1]g of every curve that both know."""
    theirs = {name.lower(): name for name in ec._CURVE_TYPES}
    both = [(curve, theirs[alias]) for curve in WEIERSTRASS
            for alias in (curve.name.lower(), *curves.aliases(curve.name)) if alias in theirs]
    assert len(both) >= 8
    for curve, name in both:
        for d, y in ((1, curve.g[1]), (curve.n - 1, curve.p - curve.g[1])):
            numbers = ec.derive_private_key(d, ec._CURVE_TYPES[name]).public_key().public_numbers()
            assert (numbers.x, numbers.y) == (curve.g[0], y)


def test_reference_folder(vectors_dir: Path) -> None:
    """The parameters of Wycheproof's curve list."""
    path = vectors_dir / "wycheproof" / "ec_prime_order_curves_test.json.gz"
    groups = json.loads(gzip.decompress(path.read_bytes()))["testGroups"]
    listed = [test for group in groups for test in group["tests"]]
    assert len(listed) == 26
    for test in listed:
        curve = curves.by_name(test["name"])
        known = (curve.p, curve.a, curve.b, curve.n, *curve.g)
        assert known == tuple(int(test[key], 16) for key in ("p", "a", "b", "n", "gx", "gy"))


def test_primes() -> None:
    sieve = [n for n in range(2, 3000) if all(n % d for d in range(2, int(n**0.5) + 1))]
    assert [n for n in range(3000) if curves.is_prime(n)] == sieve
    assert not curves.is_prime(3215031751) and not curves.is_prime(2**521 + 1)
    assert not curves.is_prime(curves.by_name("P-256").p * curves.by_name("P-256").n)


# ---- user parameters ----------------------------------------------------------------------------


def test_parameters_of_a_known_curve(tmp_path: Path) -> None:
    known = curves.by_name("P-384")
    params = {"p": f"{known.p:X}", "a": f"0x{known.a:x}", "b": f"{known.b:x}"}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(params))
    curve = curves.from_file(path)
    assert (curve.name, curve.p, curve.a, curve.b) == ("mine.json", known.p, known.a, known.b)
    assert curve.n is None and curve.g is None
    path.write_text(json.dumps(params | {"n": f"{known.n:x}", "gx": f"{known.g[0]:x}", "gy": f"{known.g[1]:x}"}))
    assert (curves.from_file(path).n, curves.from_file(path).g) == (known.n, known.g)


@pytest.mark.parametrize("change,message", [
    ({"p": None}, "p is missing"), ({"b": None, "a": None}, "a, b is missing"),
    ({"gx": "1"}, "one of gx and gy is missing"), ({"p": "zz"}, "p is not a hexadecimal number"),
    ({"p": 7}, "p is not a hexadecimal number"), ({"a": "-1"}, "a is negative"),
    ({"p": "8"}, "p is even"), ({"p": "3"}, "p is below 5"), ({"p": "f"}, "p is composite"),
    ({"p": f"{2**544 + 1:x}"}, "more than 544 bits"), ({"a": "7"}, "a is not below p"),
    ({"b": "9"}, "b is not below p"), ({"a": "0", "b": "0"}, "singular"), ({"n": "0"}, "order n is 0"),
    ({"gx": "1", "gy": "2"}, "base point is not on the curve"), ({"h": "1"}, "unknown parameter h"),
    ({"name": ["P7"]}, "name is not a string"),
])  # fmt: skip
def test_refused_parameters(change: dict, message: str) -> None:
    params = {key: value for key, value in (P7 | change).items() if value is not None}
    with pytest.raises(CurveError, match=message):
        curves.from_params(params)


def test_refused_files(tmp_path: Path) -> None:
    with pytest.raises(CurveError, match="No such file"):
        curves.from_file(tmp_path / "none.json")
    for text, message in (("{", "Expecting"), ("[]", "not an object")):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(CurveError, match=message):
            curves.from_file(tmp_path / "bad.json")
