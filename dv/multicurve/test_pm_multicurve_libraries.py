# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve on every short Weierstrass curve of the table beside independent libraries: keys, key agreement and
ECDSA of OpenSSL and of python-ecdsa, BLS12-381 of arkworks; points outside the subgroup; what is rejected."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from dv.multicurve.multicurve_core import Core
from pointmill.curve_plans import order_bytes
from pointmill.curves import Coordinates, Curve, EdwardsCurve, by_name, known
from pointmill.model.weierstrass import add, multiply
from vectors.ec_openssl import Key, openssl_name
from vectors.ec_pure import Library, bls12_381_product, edwards_multiple

CURVES = [name for name in known() if isinstance(by_name(name), Curve)]
SM2 = "sm2p256v1"
"""OpenSSL has this curve for its own signatures alone."""
OPENSSL = [name for name in CURVES if openssl_name(name) and name != SM2]
OTHERS = [name for name in CURVES if name not in OPENSSL]
SECRET = ("secret",)


def in_the_long_run(*names: str) -> list:
    """The names as parameters: those of wide curves that are to the core as others are, in the long run."""
    alike = (*(f"brainpoolP{bits}{form}1" for bits in (320, 384, 512) for form in "rt"), "W-Ed448")
    return [pytest.param(name, marks=pytest.mark.long) if name in alike else name for name in names]


configs = pytest.mark.parametrize("config", [
    pytest.param(name, marks=() if name == "fast" else pytest.mark.long) for name in ("fast", "paper", "throughput")])


def test_all_curves_are_here() -> None:
    assert (len(CURVES), len(OPENSSL), len(OTHERS)) == (33, 25, 8)


def known_curve(name: str) -> tuple[Curve, int, Coordinates]:
    """A curve, its order, its base point."""
    curve = by_name(name)
    assert isinstance(curve, Curve) and curve.n is not None and curve.g is not None
    return curve, curve.n, curve.g


def loaded(core: Core, curve: Curve) -> None:
    """Loads a curve with the comb, which the core makes where the order allows one."""
    assert core.load(curve, option="comb").reason == "ok"


@configs
@pytest.mark.parametrize("name", in_the_long_run(*OPENSSL))
def test_openssl(name: str, config: str, tmp_path: Path) -> None:
    """Public keys, an agreement, signatures both ways, one forged each way."""
    curve, n, _ = known_curve(name)
    rng, theirs, size = random.Random(name), openssl_name(name), order_bytes(curve)
    assert theirs is not None
    d, k = rng.randrange(1, n), rng.randrange(1, n)
    key, peer = Key(tmp_path, theirs, d, size), Key(tmp_path, theirs, rng.randrange(1, n), size)
    digest = rng.randbytes(32)
    number = int.from_bytes(digest, "big"), 256
    with Core(config) as core:
        loaded(core, curve)
        assert core.ask("ecmul_base", d, option="ladder", flags=SECRET).point == key.public(curve.bytes)
        shared = core.ask("ecmul", d, *peer.public(curve.bytes), option="ladder", flags=SECRET)
        assert shared.payload[0] == key.agree(peer) == peer.agree(key)
        r, s = core.ask("ecdsa_sign", d, k, *number, flags=SECRET).payload
        assert key.verifies(digest, encode_dss_signature(r, s))
        assert not key.verifies(digest, encode_dss_signature(r, s % (n - 1) + 1))
        r, s = decode_dss_signature(key.sign(digest))
        q = key.public(curve.bytes)
        assert core.ask("ecdsa_verify", *number, *q, r, s).reason == "ok"
        if curve.bits <= 256:
            assert core.ask("ecdsa_verify", *number, *q, r, s % (n - 1) + 1).reason == "bad_signature"


@configs
@pytest.mark.parametrize("name", in_the_long_run(*OTHERS))
def test_python_ecdsa(name: str, config: str) -> None:
    """The curves that OpenSSL has not: the same, and a product of a public scalar."""
    curve, n, _ = known_curve(name)
    rng, library = random.Random(name), Library.of(curve)
    d, k, other = (rng.randrange(1, n) for _ in range(3))
    q, peer, digest = library.public_key(d), library.public_key(other), rng.randbytes(64)
    number = int.from_bytes(digest, "big"), 512
    if name == "BLS12-381-G1":
        assert q == bls12_381_product(d) and peer == bls12_381_product(other)
    with Core(config) as core:
        loaded(core, curve)
        assert core.ask("ecmul_base", d, option="ladder", flags=SECRET).point == q
        assert core.ask("ecmul", k, *q).point == library.product(k, q)
        shared = core.ask("ecmul", d, *peer, option="ladder", flags=SECRET)
        assert shared.point == library.product(d, peer) == library.product(other, q)
        signature = core.ask("ecdsa_sign", d, k, *number, flags=SECRET).payload
        assert signature == library.sign(digest, d, k) and library.verifies(digest, q, signature)
        r, s = library.sign(digest, d, other)
        assert core.ask("ecdsa_verify", *number, *q, r, s).reason == "ok"
        if curve.bits <= 256:
            assert core.ask("ecdsa_verify", *number, *q, r, s % (n - 1) + 1).reason == "bad_signature"
            assert not library.verifies(digest, q, (r, s % (n - 1) + 1))


@pytest.mark.parametrize("name", [*in_the_long_run(*OTHERS),
                                  *(pytest.param(name, marks=pytest.mark.long) for name in OPENSSL)])
def test_hostile_operands(name: str) -> None:
    """Points off the curve and coordinates that are not reduced, scalars 0, n and too long, keys, nonces and signatures
    out of range: 23 jobs by their reasons, and multiples of n."""
    (curve, n, (x, y)), p = known_curve(name), by_name(name).p
    long, q = 1 << curve.bits + 1, (x, p - y)
    off = [(x, y ^ 1), (x + 1, y), (p + x, y), (x, p + y), (p, 0), (0, 0)]
    assert not any(curve.contains(*point) for point in off)
    seen: Counter[str] = Counter()
    with Core("fast") as core:
        assert core.load(curve, option="no_base").reason == "ok"
        for point in off:
            seen[core.ask("check", *point).reason] += 1
            seen[core.ask("ecmul", 2, *point).reason] += 1
        for k in (0, n):
            assert core.ask("ecmul", k, x, y).infinity, hex(k)
        seen[core.ask("ecmul", long, x, y).reason] += 1
        seen[core.ask("ecmul2", 1, x, y, long, *q).reason] += 1
        assert core.ask("ecmul2", 1, x, y, 1, *q).infinity
        assert core.load(curve).reason == "ok"
        for d, k in ((0, 1), (n, 1), (1, 0), (1, n)):
            seen[core.ask("ecdsa_sign", d, k, 5, 8, flags=SECRET).reason] += 1
        for r, s in ((0, 1), (n, 1), (1, 0), (1, n)):
            seen[core.ask("ecdsa_verify", 5, 8, *q, r, s).reason] += 1
        seen[core.ask("ecdsa_verify", 5, 8, x, y ^ 1, 1, 1).reason] += 1
    assert seen == {"invalid_point": 13, "scalar_out_of_range": 6, "signature_out_of_range": 4}


def point_of_order(curve: Curve, order: int, rng: random.Random) -> Coordinates:
    """A point of an order that is a power of a prime and divides the cofactor."""
    assert curve.cofactor is not None and curve.n is not None and curve.cofactor % order == 0
    prime = next(q for q in (2, 3) if order % q == 0)
    while True:
        x = rng.randrange(curve.p)
        y = square_root(x**3 + curve.a * x + curve.b, curve.p)
        if y is None:
            continue
        found = multiply(curve, curve.n * curve.cofactor // order, (x, y))
        if found is not None and multiply(curve, order // prime, found) is not None:
            return found


def square_root(square: int, p: int) -> int | None:
    """A root modulo p, which is 3 mod 4 or 5 mod 8; None without one."""
    root = pow(square, (p + 1) // 4 if p % 4 == 3 else (p + 3) // 8, p)
    return next((y for y in (root, root * pow(2, (p - 1) // 4, p) % p) if (y * y - square) % p == 0), None)


@pytest.mark.parametrize(("name", "order", "count"), [
    ("W-25519", 8, 3), *(pytest.param(name, order, order - 1, marks=pytest.mark.long) for name, order in (
        ("W-25519", 8), ("W-448", 4), ("W-Ed448", 4), ("W-41417", 8), ("BLS12-381-G1", 3)))])
@configs
def test_points_outside_the_subgroup(name: str, order: int, count: int, config: str) -> None:
    """Points of small order, all or one of each, and of mixed order are on the curve; their multiples and sums are
    exact, also those by a secret scalar, always in the same cycles; n times one of them tells that it is not in the
    subgroup."""
    (curve, n, g), rng = known_curve(name), random.Random(name)
    edwards = next((one for one in map(by_name, known()) if isinstance(one, EdwardsCurve) and one.form == curve), None)
    small = point_of_order(curve, order, rng)
    mixed = add(curve, multiply(curve, rng.randrange(n), g), small)
    assert mixed is not None
    jobs, cycles = 0, set()
    with Core(config) as core:
        assert core.load(curve).reason == "ok"
        factors = range(1, order) if count == order - 1 else [1 << i for i in range(count)]
        points = [point for i in factors if (point := multiply(curve, i, small)) is not None] + [mixed]
        for point in points:
            assert core.ask("check", *point).reason == "ok"
            for k in (2, order, n, rng.getrandbits(curve.bits)):
                answer = core.ask("ecmul", k, *point)
                assert answer.point == multiply(curve, k, point), (point, hex(k))
                jobs += 1
                if k == n:
                    assert not answer.infinity
            k = rng.getrandbits(curve.bits)
            secret = core.ask("ecmul", k, *point, option="ladder", flags=SECRET)
            assert secret.point == multiply(curve, k, point)
            cycles.add(secret.cycles)
            if edwards is not None and point == mixed:
                assert edwards.from_form(secret.point) == edwards_multiple(edwards.name, k, edwards.from_form(mixed))
            total = core.ask("ecmul2", k, *point, 3, *mixed)
            assert total.point == add(curve, multiply(curve, k, point), multiply(curve, 3, mixed))
    assert jobs == 4 * (count + 1) and len(cycles) == 1
