# SPDX-License-Identifier: Apache-2.0
"""What the blocks of the contexts of `multicurve` compute. Y of Q is Y[0] - Y[1], or Y[1] - Y[0] where the index of the
digit is 1: Q has the other sign. ZZ is Z^2. A number that is loaded as it is, n, is the element n S; the operand of
is_zero is the element and 1 as they are."""

from __future__ import annotations

from .claims import Claim

_Z = {"Z": "z", "ZZ": "z**2"}
_INDICES = [(0,), (1,)]
_Y = "(Y[i[0]] - Y[1 - i[0]])"
_H = "is_zero[0] == (PX * Z**2 - X + 1) * S"


def _point(point: str, indices: bool = True) -> Claim:
    """Q becomes a point."""
    return Claim([f"(X_, Y_[0] - Y_[1], Z_) == {point}", "ZZ_ == Z_**2"], _Z, indices=_INDICES[: 1 + indices])


def _double(a: str, indices: bool = False) -> Claim:
    return _point(f"jacobian_double(X, {_Y}, Z, {a})", indices)


CONTEXTS = {
    "enter": Claim(["(PX_, PY_) == (x, y)", "(X_, Y_[0] - Y_[1], Z_, ZZ_) == (x, y, 1, 1)", "scalar[0] == k * S",
                    "is_zero[0] == (equation(x, y, a, b) + 1) * S"], {"PX": "x * S", "PY": "y * S", "K": "k * S"}),
    "walk_double_m3": _double("-3"),
    "walk_double_0": _double("0"),
    "walk_double_any": _double("a", True),
    "walk_double_add": _point(f"jacobian_double_add(X, {_Y}, Z, PX, PY)"),
    "walk_add": _point(f"jacobian_add(X, {_Y}, Z, PX, PY, 1)"),
    "walk_exact_add": Claim(["is_zero[0] == (Z + 1) * S"]),
    "exact_x": Claim([_H], _Z),
    "exact_y": Claim([f"is_zero[0] == (PY * Z**3 - {_Y} + 1) * S"], _Z, indices=_INDICES),
    "exact_first": _point("(PX, PY, 1)"),
    "last": Claim(["is_zero[0] == (Z + 1) * S"]),
    "power": Claim(["(inverse_, power_) == (Z, Z**2)", "exponent[0] == at_exponent * S"]),
    "walk_power_one": Claim(["(inverse_, power_) == (inverse * power, power**2)"]),
    "walk_power_zero": Claim(["power_ == power**2"]),
    "affine": Claim([f"(X_, Z_) == (X * inverse**2 * at_k * S, {_Y} * inverse**3 * at_k * S)",
                     f"is_zero[0] == (equation(X * inverse**2, {_Y} * inverse**3, a, b) + 1) * S"], indices=_INDICES),
    "load_begin": Claim(["power_ == power**2", "exponent[0] == at_exponent * S"]),
    "load_r2": Claim(["power_ == 2**256", "inverse_ == 2**14", "low_ == 2**56", "is_zero[0] == S"],
                     {"inverse": "R * u"}, [("u*at_k", "1")]),
    "load_short": Claim(["put_r2[0] == power * inverse"]),
    "load_long": Claim(["put_r2[0] == 8 * power * low"]),
    "load_wide_short": Claim(["put_r2[0] == 64 * power**2 * inverse**2", "power_ == power**2"]),
    "load_wide_long": Claim(["put_r2[0] == 64 * power**2 * inverse * low", "power_ == power**2"]),
    "load_a": Claim(["(put_a[0], put_b[0]) == (R * X, R * Z)"]),
    "load_zero": Claim(["is_zero[0] == (1 - a) * S"]),
    "load_minus_3": Claim(["is_zero[0] == (a + 3 + 1) * S", "Z_ == 1"]),
    "load_check": Claim(["is_zero[0] == (4 * a**3 + 27 * b**2 + 1) * S",
                         "(power_, inverse_, X_) == (a**2, a**3, b**2)"]),
}
