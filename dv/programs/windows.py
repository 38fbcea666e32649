# SPDX-License-Identifier: Apache-2.0
"""What the programs `window` and `window_one` of `multicurve` compute, block by block."""

from __future__ import annotations

from .claims import Claim
from .weierstrass import INVERSE, LADDER, LOAD, ON_CURVE, RESULT, SIGNATURES

_POINT = [f"flags[0] == {ON_CURVE}", f"note_point[0] == {ON_CURVE}"]
_ENTRY = ["entry_x[0] == Px_", "entry_y[0] == Py_"]
_STORES = "ratio_x ratio_y entry_x entry_y"

# P and D = 2P with the Z of D, 2 y.
_FIRST = Claim(["(Dx_, Dy_) == jacobian_double(Px, Py, 1, Dx)[:2]",
                "(Px_, Py_) == (Px * (2 * Py)**2, Py * (2 * Py)**3)",
                "ratio_x[0] == (2 * Py)**2", "ratio_y[0] == (2 * Py)**3", *_ENTRY, "flags[0] == 2 * Py"],
               starts=f"table_first {_STORES}")

_NEXT = ["(Px_, Py_, Dx_, Dy_) == meloni_add(Dx, Dy, Px, Py)", "(rr_, rrr_) == ((Dx - Px)**2, (Dx - Px)**3)",
         "ratio_x[0] == rr_", "ratio_y[0] == rrr_", *_ENTRY, "flags[0] == Dx - Px"]

_SCALE = Claim(["entry_x[0] == at_tx * rr", "entry_y[0] == at_ty * rrr", "rr_ == rr * at_tx1", "rrr_ == rrr * at_ty1"],
               starts="entry_x entry_y take_ratio take_below")

_TABLES = {
    "enter": Claim(["(Px_, Py_, Dx_, sr_, srr_) == (at_x, at_y, a, 1, 1)", *_POINT]),
    "table_double": _FIRST,
    "table_add": Claim(_NEXT, starts=f"table_up {_STORES}"),
    "table_scale": _SCALE,
    "table_rescale": Claim(["entry_x[0] == at_tx * rr", "entry_y[0] == at_ty * rrr"],
                           starts="entry_x entry_y take_below"),
    "both_ratios": Claim(["(rr_, rrr_) == (rr * sr, rrr * srr)"]),
    "enter_next_point": Claim(["(Px_, Py_, Dx_) == (at_x * rr, at_y * rrr, a * rr**2)", "(sr_, srr_) == (rr, rrr)"]),
    "kept_alone": Claim(["(rr_, rrr_, r1_) == (1, 1, 1)"]),
    "kept_enter": Claim(["(Px_, Py_, Dx_, r1_) == (at_x, at_y, a, 2 * at_y)"]),
    "kept_double": _FIRST,
    "kept_add": Claim([*_NEXT, "r1_ == r1 * (Dx - Px)"], starts=f"table_up {_STORES}"),
    "base_leave": Claim(["inverter[0] == r1", "foldB_ == at_fold"]),
    "base_ratio": Claim(["(rr_, rrr_) == (ri**2, ri**3)"], {"foldB": "f", "@inv": "R * fi * ri"}, INVERSE,
                        starts="table_top take_below"),
    "base_scale": _SCALE,
}

_SET, _SET_BASE = "(X_, Y_, Z_) == (at_tx, at_ty, 1)", "(X_, Y_, Z_) == (at_tx * rr, at_ty * rrr, 1)"



def _sum(x: str, y: str, z: str, t: str, zl: str) -> str:
    """The table's point added to (x, y, z), brought to z by t and t zl."""
    return f"jacobian_from({x}, {y}, at_tx * {t}, at_ty * {t} * {zl}, {z})"


_END = {
    "leave": Claim(["inverter[0] == Z**3 * rrr", "X_ == X * at_fold**2 * S * (Z**2 * rr)**2", "Y_ == Y * at_fold * S"]),
    "affine": Claim(["result_x[0] == n * ei**2 * S", "result_y[0] == m * ei * S"],
                    {"X": "n * f**2 * S", "Y": "m * f * S", "@inv": "R * fi * ei"}, INVERSE),
}
"""x = X (Z^2 r^2)^2 / (Z^3 r^3)^2 and y = Y / Z^3 r^3."""


def _plain(kind: str, aZ4: str, t: str, zero: str) -> dict[str, Claim]:
    """Doublings and additions for a = 0 (t empty), and for any a: ZT is W = a (Z r)^4. `zero` is 2 Z or 2."""
    first = [("p, r, s", f"jacobian_tangent(X, Y, Z, {aZ4})")] + ([("t1", "16 * Y**4 * ZT")] if t else [])
    flag, again = f"flags[0] == 2 * Y * {zero}", f"2 * r * {'s' if zero == 'Z' else '1'}"
    made = "flags[0] == s" if zero == "Z" else flag
    taken, base = _sum("p", "r", "s", "s**2", "s"), _sum("p", "r", "s", "(s * r1)**2", "s * r1")

    def grown(before: str, h: str) -> list[str]:
        return [f"ZT_ == {before} * ({h})**4"] if t else []

    return {
        f"walk_set_{kind}": Claim([_SET, *(["ZT_ == a * rr**2"] if t else [])]),
        f"walk_set_base_{kind}": Claim([_SET_BASE, *(["ZT_ == a * rr**2"] if t else [])]),
        f"walk_double_{kind}": Claim([f"(X_, Y_, Z_) == jacobian_tangent(X, Y, Z, {aZ4})", flag,
                                      *(["ZT_ == 16 * Y**4 * ZT"] if t else [])]),
        f"walk_pair_{kind}": Claim([f"(X_, Y_, Z_) == jacobian_tangent(p, r, s, {'t1' if t else '0'})", made,
                                    f"flags[1] == {again}", *(["ZT_ == 16 * r**4 * t1"] if t else [])], cuts=first),
        f"walk_add_{kind}": Claim([f"(X_, Y_, Z_) == {taken}", made, "flags[1] == at_tx * s**2 - p",
                                   *grown("t1", "at_tx * s**2 - p")], cuts=first),
        f"walk_add_base_{kind}": Claim([f"(X_, Y_, Z_) == {base}", "z1_ == s", made,
                                        "flags[1] == at_tx * (s * r1)**2 - p",
                                        *grown("t1", "at_tx * (s * r1)**2 - p")], cuts=first),
        f"walk_also_{kind}": Claim([f"(X_, Y_, Z_) == {_sum('X', 'Y', 'Z', 'Z**2', 'Z')}",
                                    "flags[0] == at_tx * Z**2 - X", *grown("ZT", "at_tx * Z**2 - X")]),
    }


# a = -3, T = (Z r)^2 in ZT.
_T = [("p, r, s", "jacobian_tangent(X, Y, Z, -3 * ZT**2)"), ("t1", "4 * Y**2 * ZT")]

_MINUS_3 = {
    "walk_set_m3": Claim([_SET, "ZT_ == rr"]),
    "walk_set_base_m3": Claim([_SET_BASE, "ZT_ == rr"]),
    "walk_double_m3": Claim(["(X_, Y_, Z_) == jacobian_tangent(X, Y, Z, -3 * ZT**2)", "ZT_ == 4 * Y**2 * ZT",
                             "flags[0] == Z_"]),
    "walk_pair_m3": Claim(["(X_, Y_, Z_) == jacobian_tangent(p, r, s, -3 * t1**2)", "ZT_ == 4 * r**2 * t1",
                           "flags[0] == s", "flags[1] == Z_"], cuts=_T),
    "walk_add_m3": Claim([f"(X_, Y_, Z_) == {_sum('p', 'r', 's', 's**2', 's')}", "ZT_ == t1 * (at_tx * s**2 - p)**2",
                          "flags[0] == s", "flags[1] == at_tx * s**2 - p"], cuts=_T),
    "walk_add_base_m3": Claim([f"(X_, Y_, Z_) == {_sum('p', 'r', 's', 't1', 's * r1')}", "z1_ == s",
                               "ZT_ == t1 * (at_tx * t1 - p)**2", "flags[0] == s", "flags[1] == at_tx * t1 - p"],
                              cuts=_T),
    "walk_also_m3": Claim([f"(X_, Y_, Z_) == {_sum('X', 'Y', 'Z', 'Z**2', 'Z')}", "ZT_ == ZT * (at_tx * Z**2 - X)**2",
                           "flags[0] == at_tx * Z**2 - X"]),
}

# For one multiplier: T is ZT ZF; an addition that doubles is (P + Q) + P.
_TF = [("t0", "ZT * ZF"), ("p, r, s", "jacobian_tangent(X, Y, Z, -3 * t0**2)"), ("f1", "4 * Y**2")]
_HS = "(at_tx * Z**2 - X)"
_DIFFERENCES = [("h", _HS), ("m", "at_ty * Z**3 - Y")]
_SUM_X, _SUM_Y, _SUM_Z = (f"jacobian_from(X, Y, X + h, Y + m, Z)[{k}]" for k in range(3))

_MINUS_3_ONE = {
    "walk_set_m3": Claim([_SET, "(ZT_, ZF_) == (rr, 1)"]),
    "walk_set_base_m3": Claim([_SET_BASE, "(ZT_, ZF_) == (rr, 1)"]),
    "walk_double_m3": Claim(["(X_, Y_, Z_) == jacobian_tangent(X, Y, Z, -3 * (ZT * ZF)**2)",
                             "(ZT_, ZF_) == (ZT * ZF, 4 * Y**2)", "flags[0] == 2 * Y"]),
    "walk_pair_m3": Claim(["(X_, Y_, Z_) == jacobian_tangent(p, r, s, -3 * ZT_**2)",
                           "(ZT_, ZF_) == (t0 * f1, 4 * r**2)",
                           "flags[0] == 2 * Y", "flags[1] == 2 * r"], cuts=_TF),
    # The first one with the Z of the sum, then both added; (X, Y, Z) and (X, -Y, -Z) are the same point.
    "walk_add_m3": Claim([f"(X_, -Y_) == meloni_add(X * h**2, Y * h**3, {_SUM_X}, {_SUM_Y})[:2]",
                          f"-Z_ == {_SUM_Z} * (X * h**2 - {_SUM_X})", "(ZT_, ZF_) == (Z_**2, rr)", "flags[0] == h",
                          f"flags[1] == {_SUM_X} - X * h**2"], cuts=_DIFFERENCES),
    "walk_add_base_m3": Claim([f"(X_, Y_, Z_) == {_sum('p', 'r', 's', 't1', 's * r1')}", "z1_ == s",
                               "(ZT_, ZF_) == (t1, (at_tx * t1 - p)**2)", "flags[0] == 2 * Y",
                               "flags[1] == at_tx * t1 - p"], cuts=[*_TF, ("t1", "t0 * f1")]),
    "walk_also_m3": Claim([f"(X_, Y_, Z_) == {_sum('X', 'Y', 'Z', 'Z**2', 'Z')}",
                           f"(ZT_, ZF_) == (ZT * ZF, {_HS}**2)", f"flags[0] == {_HS}"]),
}

_COLUMN = [("p, r, s", "jacobian_tangent(X, Y, Z, a * T**2)"), ("t1", "4 * Y**2 * T")]
_COLUMNS = [("p, r, s", "jacobian_tangent(X, Y, Z, -3 * T**2)"), ("t1", "4 * Y**2 * T"),
            ("k, l, m", "jacobian_from(p, r, at_tx1 * t1, at_ty1 * t1 * s, s)"), ("t2", "t1 * (at_tx1 * t1 - p)**2"),
            ("k2, l2, m2", "jacobian_tangent(k, l, m, -3 * t2**2)"), ("t3", "4 * l**2 * t2")]
_TOOTH = {"foldP": "f", "@inv": "R * fi * zi"}

COMB = {
    "comb_nonce_scalar": Claim(["scalar_ == at_y * S"]),
    "comb_reduce_enter": Claim(["(scalar_, x1_) == (0, 1)"]),
    "comb_reduce": Claim(["scalar_ == scalar + at_e * x1 * S", "x1_ == x1 * R"], starts="next_digits"),
    "comb_digits": Claim(["flags[0] == scalar", "note_infinity[0] == scalar", "comb_scalar[0] == scalar",
                          "comb_opposite[0] == -scalar"], starts="comb_scalar comb_opposite"),
    "comb_set": Claim(["(X_, Y_, Z_, T_) == (at_tx, at_ty, 1, 1)"]),
    "comb_columns_m3": Claim(["(x1_, y1_, z1_) == (p, r, s)", "T_ == t3 * (at_tx2 * t3 - k2)**2",
                              "(X_, Y_, Z_) == jacobian_from(k2, l2, at_tx2 * t3, at_ty2 * t3 * m2, m2)",
                              "flags[0] == s", "flags[1] == at_tx1 * t1 - p", "flags[2] == m2",
                              "flags[3] == at_tx2 * t3 - k2"], cuts=_COLUMNS, starts="take_below take_below"),
    "comb_column_any": Claim(["(x1_, y1_, z1_) == (p, r, s)", "T_ == t1 * (at_tx1 * t1 - p)**2",
                              "(X_, Y_, Z_) == jacobian_from(p, r, at_tx1 * t1, at_ty1 * t1 * s, s)", "flags[0] == s",
                              "flags[1] == at_tx1 * t1 - p"], cuts=_COLUMN, starts="take_below"),
    "comb_last": Claim(["(xs_[0], ys_[0], zs_[0]) == jacobian_from(p, r, at_tx1 * t1, at_ty1 * t1 * s, s)",
                        "(xs_[1], ys_[1], zs_[1]) == jacobian_double(at_tx1, at_ty1, 1, a)", "flags[0] == s",
                        "flags[1] == at_tx1 * t1 - p", "pick[0] == at_tx1 * t1 - p"], cuts=_COLUMN,
                       starts="take_below pick"),
    "comb_leave": Claim(["inverter[0] == zs[i[0]]**3", "X_ == xs[i[0]] * at_fold**2 * S * zs[i[0]]**4",
                         "Y_ == ys[i[0]] * at_fold * S"], indices=[(0,), (1,)]),
    "comb_base": Claim(["(xS_, yS_, zS_, xP_, yP_) == (at_x, at_y, 1, at_x, at_y)"], starts="comb_begin"),
    "comb_twice": Claim(["(xP_, yP_, zP_) == jacobian_double(xP, yP, 1, a)", "inverter[0] == zP_",
                         "foldP_ == at_fold"]),
    "comb_twice_affine": Claim(["(xP_, yP_, zP_, w1_) == (xP * zi**2, yP * zi**3, 1, a)", "entry_x[0] == xP_",
                                "entry_y[0] == yP_"], _TOOTH, INVERSE, starts="entry_x entry_y table_top"),
    "comb_double": Claim(["(xP_, yP_, zP_) == jacobian_tangent(xP, yP, zP, w1)", "w1_ == 16 * yP**4 * w1",
                          "flags[0] == zP_"], starts="take_below"),
    "comb_tooth_leave": Claim(["inverter[0] == zP", "foldP_ == at_fold"]),
    "comb_tooth_sum": Claim(["(xP_, yP_) == (xP * zi**2, yP * zi**3)",
                             "(xS_, yS_, zS_) == jacobian_add(xS, yS, zS, xP_, yP_, 1)",
                             "flags[0] == xP_ * zS**2 - xS"],
                            _TOOTH, INVERSE, starts="next_tooth"),
    "comb_first": Claim(["entry_x[0] == xS", "entry_y[0] == yS"], starts="entry_x entry_y"),
    "comb_entry": Claim(["(xS_, yS_, zS_) == jacobian_add(xS, yS, zS, at_tx1, at_ty1, 1)", "entry_x[0] == xS_",
                         "entry_y[0] == yS_", "ratio_x[0] == (at_tx1 * zS**2 - xS)**2",
                         "ratio_y[0] == (at_tx1 * zS**2 - xS)**3", "flags[0] == at_tx1 * zS**2 - xS"],
                        starts=f"table_up take_step {_STORES}"),
    "comb_entries_leave": Claim(["inverter[0] == zS", "foldP_ == at_fold"]),
    "comb_entries_ratio": Claim(["(xP_, yP_) == (zi**2, zi**3)"], _TOOTH, INVERSE, starts="table_top take_below"),
    "comb_scale": Claim(["entry_x[0] == at_tx * xP", "entry_y[0] == at_ty * yP",
                         "(xP_, yP_) == (xP * at_tx1, yP * at_ty1)"],
                        starts="entry_x entry_y take_ratio take_below"),
    "comb_again": Claim(["(xS_, yS_, zS_) == (at_tx, at_ty, 1)"]),
}

_BOTH = LADDER | RESULT | SIGNATURES | LOAD | _TABLES | _END

WINDOW = _BOTH | _MINUS_3 | _plain("0", "0", "", "Z") | _plain("any", "ZT", "W", "Z") | COMB
WINDOW_ONE = _BOTH | _MINUS_3_ONE | _plain("0", "0", "", "1") | _plain("any", "ZT", "W", "1")
