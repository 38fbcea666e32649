# SPDX-License-Identifier: Apache-2.0
"""What blocks of `multicurve` and `mpu` compute that several programs have: ladders, checks of points, inverses.

`f` is what the external value `fold` is, `fi` its inverse, the inverter's result `R**2 * fi` over the operand as it is
held: over x R for the element x."""

from __future__ import annotations

from itertools import product

from .claims import Claim

BITS = list(product((0, 1), repeat=2))
EITHER = [(0, 0), (1, 1)]
INVERSE = [("f*fi", "1")]
ON_CURVE = "equation(at_x, at_y, a, b)"
_A, _B = "x[i[0]], z[i[0]]", "x[i[0] ^ 1], z[i[0] ^ 1]"


def _named(text: str, x: str, z: str) -> str:
    return text.replace("x[", f"{x}[").replace("z[", f"{z}[").replace("x_[", f"{x}_[").replace("z_[", f"{z}_[")


def ladder_step(x: str = "x", z: str = "z") -> Claim:
    """A step of the ladder on x for any curve."""
    return Claim([_named(f"(x_[0], z_[0]) == ladder_double({_A}, a, b)", x, z),
                  _named(f"(x_[1], z_[1]) == ladder_add({_A}, {_B}, xp, a, b)", x, z)], starts="digit", indices=BITS)


def ladder_leave(x: str, z: str, xn: str, yn: str, inverter: str, fold: str) -> Claim:
    """Numerators of x and y by fold, and their denominator to the inverter."""
    point = _named(f"ladder_y({_A}, {_B}, xp, yp, a, b)", x, z)
    zero = _named("z[i[0]]", x, z)
    return Claim([f"{inverter}[0] == {point}[2]", f"{xn}_ == {point}[0] * {fold} * S",
                  f"{yn}_ == {point}[1] * {fold} * S",
                  f"flags[0] == {zero}", f"note_infinity[0] == {zero}", f"flags[1] == {point}[2]",
                  f"pick[0] == {point}[2]"], starts="pick", indices=EITHER)


def ladder_affine(x: str, z: str, xn: str, yn: str, fold: str = "f", inverse: str = "R * fi * di") -> Claim:
    """x and y behind the inverter, whose result times fold is the inverse in the domain, and -P for the case without;
    all of them as they are."""
    return Claim([f"({x}_[0], {z}_[0]) == (n * di * S, m * di * S)", f"({x}_[1], {z}_[1]) == (xp * S, -yp * S)"],
                 {xn: f"n * {fold} * S", yn: f"m * {fold} * S", "@inv": inverse}, INVERSE)


LADDER = {
    "ladder_enter": Claim(["(xp_, yp_) == (at_x, at_y)", "(x_[0], z_[0], x_[1], z_[1]) == (1, 0, at_x, 1)",
                           f"flags[0] == {ON_CURVE}", f"note_point[0] == {ON_CURVE}"]),
    "ladder_step": ladder_step(),
    "ladder_leave": ladder_leave("x", "z", "xn", "yn", "inverter", "at_fold"),
    "ladder_affine": ladder_affine("x", "z", "xn", "yn"),
    "ladder_result": Claim(["result_x[0] == x[i[0]]", "result_y[0] == z[i[0]]"], indices=EITHER),
    "both_enter": Claim(["(x1_, y1_) == (at_x * S, at_y * S)", "rise_ == z[i[0]] - y1_", "run_ == x[i[0]] - x1_",
                         "flags[0] == run_", "x_[0] == x[i[0]]"], indices=EITHER),
    "both_equal_x": Claim(["rise_ == (3 * u**2 + a) * S", "run_ == 2 * v * S", "flags[0] == (w + 2 * v) * S"],
                          {"x1": "u * S", "y1": "v * S", "rise": "w * S"}),
    "slope": Claim(["inverter[0] == run", "foldL_ == at_fold * S"]),
    "both_affine": Claim(["(result_x[0] * R, result_y[0] * R) == chord(w * ri, u, v, k)"],
                         {"x1": "u * S", "y1": "v * S", "x[0]": "k * S", "rise": "w * S", "foldL": "f * S",
                          "@inv": "R**2 * fi * ri"}, INVERSE),
    "first_alone": Claim(["flags[0] == 1", "note_infinity[0] == 1"]),
}

RESULT = {"made_point": Claim(["(X_, Y_) == (at_x, at_y)", f"flags[0] == {ON_CURVE}", f"note_point[0] == {ON_CURVE}"],
                              starts="result")}

SIGNATURES = {
    "enter_second": Claim([f"flags[0] == {ON_CURVE}", f"note_point[0] == {ON_CURVE}"]),
    "inverse": Claim(["inverter[0] == at_y * S"]),
    "sm2_inverse": Claim(["inverter[0] == (at_x + 1) * S"]),
    "reduce_enter": Claim(["(E_, power_, foldN_) == (0, 1, at_fold * S)"]),
    "reduce_step": Claim(["E_ == E + at_e * power * S", "power_ == power * R"], starts="next_digits"),
    "scalars": Claim(["put_u[0] == m * si * S", "put_v[0] == at_x * si * S"],
                     {"E": "m * S", "foldN": "f * S", "@inv": "R**2 * fi * si"}, INVERSE),
    "sm2_scalars": Claim(["put_v[0] == (at_x + at_y) * S", "flags[0] == (at_x + at_y) * S"]),
    "coordinate_mod_n": Claim(["x1_ == at_x * S"]),
    "sm2_equation": Claim(["x1_ == x1 + E"]),
    "equation_holds": Claim(["flags[0] == x1 - at_x * S"]),
    "terms": Claim(["E_ == E + x1 * at_x", "flags[0] == x1", "note_zero[0] == x1"]),
    "sm2_terms": Claim(["x1_ == x1 + E", "E_ == at_y * S - x1_ * at_x", "flags[0] == x1_", "note_zero[0] == x1_",
                        "flags[1] == x1_ + at_y * S", "note_zero[1] == x1_ + at_y * S"]),
    "signature": Claim(["result_x[0] == x1", "result_y[0] == m * si * S", "flags[0] == m * si * S",
                        "note_zero[0] == m * si * S"],
                       {"E": "m * S", "foldN": "f * S", "@inv": "R**2 * fi * si"}, INVERSE),
    "sm2_key_range": Claim(["flags[0] == (at_x + 1) * S", "note_zero[0] == (at_x + 1) * S"]),
}

_SQUARE = {"@inv": "R**2"}
"""What the inverter's other use gives."""

LOAD = {
    "domain": Claim(["put_one[0] == 1", "put_r2[0] == R", "R2_ == R"], _SQUARE),
    "coefficients": Claim(["put_a[0] == at_x", "put_b[0] == at_y", "flags[0] == at_x", "kind_zero[0] == at_x",
                           "flags[1] == at_x + 3", "kind_minus_3[0] == at_x + 3",
                           "flags[2] == 4 * at_x**3 + 27 * at_y**2"], {"R2": "R"}),
    "base": Claim([f"flags[0] == {ON_CURVE}"], {"R2": "R"}),
    "order_domain": Claim(["put_one[0] == 1", "put_r2[0] == R", "R2_ == R"], _SQUARE),
    "m_domain": Claim(["put_one[0] == 1", "put_r2[0] == R", "R2_ == R", "put_a[0] == at_x", "flags[0] == at_x",
                       "flags[1] == at_x - 1"], _SQUARE),
}

CHECK = {"point": Claim([f"flags[0] == {ON_CURVE}"])}

MODARITH = {
    "enter": Claim(["(A_, B_) == (at_x, at_y)"], _SQUARE),
    "sum": Claim(["r_ == A + B"]),
    "difference": Claim(["r_ == A - B"]),
    "times": Claim(["r_ == A * B"]),
    "inverse": Claim(["inverter[0] == A"]),
    "inverted": Claim(["r_ == at_inv * S"]),
    "reduce": Claim(["r_ == A"]),
    "result": Claim(["result_x[0] == r * S"]),
}

_MONTGOMERY_STEP = ["(x_[0], z_[0]) == montgomery_double(x[i[0]], z[i[0]], {})",
                    "(x_[1], z_[1]) == montgomery_add(x[i[0]], z[i[0]], x[i[0] ^ 1], z[i[0] ^ 1], u)"]


def _montgomery(a24: str) -> dict[str, Claim]:
    """The first step, that of the highest bit, and the others."""
    return {
        "enter": Claim(["u_ == at_x", "(x_[1], z_[1]) == (at_x, 1)",
                        f"(x_[0], z_[0]) == montgomery_double(at_x, 1, {a24})"], starts="restart digit"),
        "step": Claim([_MONTGOMERY_STEP[0].format(a24), _MONTGOMERY_STEP[1]], starts="digit", indices=BITS),
    }


XDH = {
    "enter_any": Claim(["u_ == at_x", "(x_[0], z_[0], x_[1], z_[1]) == (1, 0, at_x, 1)"], starts="restart"),
    "enter": _montgomery("a - 1")["enter"],
    "ladder_step": _montgomery("a - 1")["step"],
    "denominator": Claim(["inverter[0] == z[i[0]]", "xf_ == x[i[0]] * at_fold * S"], indices=EITHER),
    "quotient": Claim(["result_x[0] == n * zi * S"], {"xf": "n * f * S", "@inv": "R * fi * zi"}, INVERSE),
}


def _known(curve: str, a24: int, steps: int, doublings: int) -> dict[str, Claim]:
    of = _montgomery(str(a24))
    step = of["step"]
    return {
        f"{curve}_enter": of["enter"],
        f"{curve}_step": Claim(step.equal, starts="digit", indices=BITS, turns=steps),
        f"{curve}_double": Claim(step.equal[:1], starts="digit", indices=BITS, turns=doublings),
    }


# Of 255 and 448 bits the highest is 1, and the lowest 3 and 2 are 0 (RFC 7748, 5).
XDH_KNOWN = XDH | _known("curve25519", 121665, 255 - 1 - 3, 3) | _known("curve448", 39081, 448 - 1 - 2, 2)

_POINT = ["flags[0] == equation(at_x, at_y, a, b)", "note_point[0] == equation(at_x, at_y, a, b)"]
_H = "X * ZQ**2 - XQ * Z**2"


def _walk(kind: str, a: str) -> dict[str, Claim]:
    double = f"(X_, Y_, Z_) == jacobian_double(X, Y, Z, {a})"
    return {f"walk_double_{kind}": Claim([double, "flags[0] == Z_"])} | {
        f"walk_{name}_{kind}": Claim([double, f"(XQ_, YQ_, ZQ_) == jacobian_add(XQ, YQ, ZQ, X, {y}, Z)",
                                      f"flags[0] == {_H}", "flags[1] == Z_"])
        for name, y in (("add", "Y"), ("sub", "-Y"))}


ECMUL = LADDER | RESULT | SIGNATURES | _walk("m3", "-3") | _walk("0", "0") | _walk("any", "a") | {
    "enter": Claim(["(X_, Y_, Z_) == (at_x, at_y, 1)", *_POINT]),
    "enter_next": Claim(["(X_, Y_, Z_) == (at_x, at_y, 1)"]),
    "walk_set": Claim(["(XQ_, YQ_, ZQ_) == (X, Y, Z)"]),
    "walk_set_minus": Claim(["(XQ_, YQ_, ZQ_) == (X, -Y, Z)"]),
    "walk_last": Claim(["(XQ_, YQ_, ZQ_) == jacobian_add(XQ, YQ, ZQ, X, Y, Z)", f"flags[0] == {_H}"]),
    "leave": Claim(["inverter[0] == ZQ", "fold_ == at_fold * S", "foldR_ == at_fold"]),
    "affine": Claim(["result_x[0] == XQ * zi**2 * S", "result_y[0] == YQ * zi**3 * S"],
                    {"fold": "f * S", "foldR": "f", "@inv": "R * fi * zi"}, INVERSE),
}
