# SPDX-License-Identifier: Apache-2.0
"""What `multicurve` has to return for two-scalar products and signatures, reason by reason."""

from __future__ import annotations

from functools import cache

from dv.multicurve.toy_curves import multiples
from pointmill.curves import Curve
from pointmill.model import weierstrass

Point = tuple[int, int] | None
TOY_BITS = 10
"""Up to this width products are taken from tables of all multiples."""


@cache
def _on_curve(curve: Curve, x: int, y: int) -> bool:
    return curve.contains(x, y)


def multiply(curve: Curve, k: int, point: tuple[int, int]) -> Point:
    """[k]P for a point of the curve."""
    if curve.bits > TOY_BITS:
        return weierstrass.multiply(curve, k, point)
    table = multiples(curve, point)
    return table[k % len(table)]


def answer(curve: Curve, name: str, *numbers: int) -> tuple[str, tuple[int, ...] | None]:
    """(reason, payload) of an operation of hw/multicurve/core.yaml; payload None is infinity. `curve` has a base
    point."""
    if name == "ecmul2":
        return _ecmul2(curve, *numbers)
    if not curve.n:
        return "no_order", ()
    if name.endswith("sign"):
        return _sign(curve, name == "sm2_sign", *numbers)
    return _verify(curve, name == "sm2_verify", *numbers), ()


def _ecmul2(curve: Curve, u: int, px: int, py: int, v: int, qx: int, qy: int):
    if max(u, v) >> (curve.bits + 1):
        return "scalar_out_of_range", ()
    if not (_on_curve(curve, px, py) and _on_curve(curve, qx, qy)):
        return "invalid_point", ()
    return "ok", weierstrass.add(curve, multiply(curve, u, (px, py)), multiply(curve, v, (qx, qy)))


def _leftmost(digest: int, length: int, n: int) -> int:
    """SEC 1, 4.1.3, step 5."""
    return digest >> max(0, length - n.bit_length())


def _verify(curve: Curve, sm2: bool, *numbers: int) -> str:
    *message, qx, qy, r, s = numbers
    n = curve.n
    if not _on_curve(curve, qx, qy):
        return "invalid_point"
    if not (0 < r < n and 0 < s < n):
        return "signature_out_of_range"
    if sm2:  # GB/T 32918.2, 7.1
        e, u, v, shift = message[0], s, (r + s) % n, message[0]
        if v == 0:
            return "signature_out_of_range"
    else:  # SEC 1, 4.1.4
        e, shift = _leftmost(*message, n), 0
        w = pow(s, -1, n)
        u, v = e * w % n, r * w % n
    point = weierstrass.add(curve, multiply(curve, u, curve.g), multiply(curve, v, (qx, qy)))
    return "ok" if point is not None and (point[0] + shift) % n == r else "bad_signature"


def _sign(curve: Curve, sm2: bool, d: int, k: int, *message: int):
    n = curve.n
    if not (0 < d < n - sm2 and 0 < k < n):
        return "scalar_out_of_range", ()
    x = multiply(curve, k, curve.g)[0]
    if sm2:  # GB/T 32918.2, 6.1
        r = (message[0] + x) % n
        s = pow(1 + d, -1, n) * (k - r * d) % n
        usable = r and s and r + k != n
    else:  # SEC 1, 4.1.3
        r = x % n
        s = pow(k, -1, n) * (_leftmost(*message, n) + r * d) % n
        usable = r and s
    return ("ok", (r, s)) if usable else ("unusable_nonce", ())
