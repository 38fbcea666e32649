# SPDX-License-Identifier: Apache-2.0
"""Points and ECDSA of python-ecdsa on any short Weierstrass curve, its Edwards curves, and BLS12-381 of arkworks. They
share nothing with this project but the parameters that they do not have themselves."""

from __future__ import annotations

from ecdsa import BadSignatureError, SigningKey, VerifyingKey, curves
from ecdsa.eddsa import generator_ed448, generator_ed25519
from ecdsa.ellipticcurve import INFINITY, CurveEdTw, CurveFp, PointEdwards, PointJacobi
from py_arkworks_bls12381 import G1Point, Scalar

from pointmill.curves import Coordinates, Curve

Point = Coordinates | None

_P41417 = 2**414 - 17
_X41417 = 0x1A334905141443300218C0631C326E5FCD46369F44C03EC7F57FF35498A4AB4D6D6BA111301A73FAA8537C64C4FD3812F3CBC595
EDWARDS = {
    "Ed25519": generator_ed25519, "Ed448": generator_ed448,
    "Curve41417": PointEdwards(CurveEdTw(_P41417, 1, 3617), _X41417, 34, 1, _X41417 * 34 % _P41417),
}  # fmt: skip
"""Base points of Edwards curves: those of python-ecdsa, and that of the paper on Curve41417."""


def edwards_product(name: str, k: int) -> Coordinates:
    """[k] of the base point of an Edwards curve, for k that is no multiple of the order."""
    product = k * EDWARDS[name]
    return int(product.x()), int(product.y())


def edwards_multiple(name: str, k: int, point: Coordinates) -> Coordinates:
    """[k] of a point of an Edwards curve for k >= 8. Points of small order the library takes for infinity."""
    x, y = point
    curve = EDWARDS[name].curve()
    product = k * PointEdwards(curve, x, y, 1, x * y % curve.p())
    return int(product.x()), int(product.y())


def bls12_381_product(k: int) -> Coordinates:
    """[k] of the base point of BLS12-381 G1 by arkworks, for k in [1, n)."""
    data = (G1Point() * Scalar(k)).to_xy_bytes_be()
    return int.from_bytes(data[:48], "big"), int.from_bytes(data[48:], "big")


class Library:
    """A short Weierstrass curve of python-ecdsa, of these parameters."""

    def __init__(self, p: int, a: int, b: int, n: int, gx: int, gy: int, cofactor: int) -> None:
        curve = CurveFp(p, a, b, cofactor)
        self.group = curve
        self.curve = curves.Curve("curve", curve, PointJacobi(curve, gx, gy, 1, n), None)

    @classmethod
    def of(cls, curve: Curve) -> Library:
        """With the parameters of one of our curves."""
        assert curve.g is not None and curve.n is not None and curve.cofactor is not None
        return cls(curve.p, curve.a, curve.b, curve.n, *curve.g, curve.cofactor)

    def product(self, k: int, point: Coordinates) -> Point:
        """[k] of a point of any order but 2, which the library takes for infinity."""
        product = k * PointJacobi(self.group, *point, 1)
        return None if product == INFINITY else (int(product.x()), int(product.y()))

    def public_key(self, d: int) -> Coordinates:
        """[d] of the base point."""
        point = SigningKey.from_secret_exponent(d, self.curve).verifying_key.pubkey.point
        return int(point.x()), int(point.y())

    def sign(self, digest: bytes, d: int, k: int) -> Coordinates:
        """(r, s) of ECDSA with the nonce k."""
        return SigningKey.from_secret_exponent(d, self.curve).sign_digest(
            digest, sigencode=lambda r, s, n: (int(r), int(s)), k=k, allow_truncate=True)

    def verifies(self, digest: bytes, point: Coordinates, signature: Coordinates) -> bool:
        """Whether an ECDSA signature is valid."""
        key = VerifyingKey.from_public_point(PointJacobi(self.group, *point, 1), self.curve)
        try:
            return key.verify_digest(signature, digest, sigdecode=lambda pair, n: pair, allow_truncate=True)
        except BadSignatureError:
            return False
