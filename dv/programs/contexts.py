# SPDX-License-Identifier: Apache-2.0
"""What the blocks of the contexts of `multicurve` compute. Y of a point is V - W. A number that is loaded as it is, n,
is the element n S; the operand of is_zero is the element and 1 as they are."""

from __future__ import annotations

from .claims import Claim

_DOUBLE = "(X_, V_ - W_, Z_) == jacobian_double(X, V - W, Z, {})"
_ADD = "(X_, V_ - W_, Z_) == jacobian_add(X, V - W, Z, PX, {}, 1)"
_H = "is_zero[0] == (PX * Z**2 - X + 1) * S"

CONTEXTS = {
    "enter": Claim(["(PX_, PY_) == (x, y)", "(X_, V_ - W_, Z_) == (x, y, 1)", "scalar[0] == k * S",
                    "is_zero[0] == (equation(x, y, a, b) + 1) * S"], {"PX": "x * S", "PY": "y * S", "K": "k * S"}),
    "walk_double_m3": Claim([_DOUBLE.format("-3")]),
    "walk_double_0": Claim([_DOUBLE.format("0")]),
    "walk_double_any": Claim([_DOUBLE.format("a")]),
    "walk_add": Claim([_ADD.format("PY")]),
    "walk_sub": Claim([_ADD.format("-PY")]),
    "walk_exact_add": Claim(["is_zero[0] == (Z + 1) * S"]),
    "walk_exact_sub": Claim(["is_zero[0] == (Z + 1) * S"]),
    "exact_x": Claim([_H]),
    "exact_sub_x": Claim([_H]),
    "exact_y": Claim(["is_zero[0] == (PY * Z**3 - (V - W) + 1) * S"]),
    "exact_sub_y": Claim(["is_zero[0] == (PY * Z**3 + (V - W) + 1) * S"]),
    "exact_plus": Claim(["(X_, V_ - W_, Z_) == (PX, PY, 1)"]),
    "exact_minus": Claim(["(X_, V_ - W_, Z_) == (PX, -PY, 1)"]),
    "last": Claim(["is_zero[0] == (Z + 1) * S"]),
    "power": Claim(["(inverse_, power_) == (Z, Z**2)", "exponent[0] == at_exponent * S"]),
    "walk_power_one": Claim(["(inverse_, power_) == (inverse * power, power**2)"]),
    "walk_power_zero": Claim(["power_ == power**2"]),
    "affine": Claim(["(X_, V_) == (X * inverse**2 * at_k * S, (V - W) * inverse**3 * at_k * S)",
                     "is_zero[0] == (equation(X * inverse**2, (V - W) * inverse**3, a, b) + 1) * S"]),
    "results": Claim(["(result_x[0], result_y[0]) == (X, V)"]),
    "load_begin": Claim(["power_ == power**2", "exponent[0] == at_exponent * S"]),
    "load_r2": Claim(["power_ == 2**256", "inverse_ == 2**17", "W_ == 2**56", "is_zero[0] == S"],
                     {"inverse": "R * u"}, [("u*at_k", "1")]),
    "load_short": Claim(["put_r2[0] == power * inverse"]),
    "load_long": Claim(["put_r2[0] == power * W"]),
    "load_wide_short": Claim(["put_r2[0] == power**2 * inverse**2"]),
    "load_wide_long": Claim(["put_r2[0] == 8 * power**2 * inverse * W"]),
    "load_a": Claim(["(put_a[0], put_b[0]) == (R * X, R * V)"]),
    "load_zero": Claim(["is_zero[0] == (1 - a) * S"]),
    "load_minus_3": Claim(["is_zero[0] == (a + 3 + 1) * S"]),
    "load_check": Claim(["is_zero[0] == (4 * a**3 + 27 * b**2 + 1) * S"]),
}
