# SPDX-License-Identifier: Apache-2.0
"""What the programs of `mpu` compute, block by block; indeterminates are those of `weierstrass`. Points of `points` are
elements in the domain, p1 of @x1 and so on; those of `ecmul` are integers."""

from __future__ import annotations

from .claims import Claim
from .weierstrass import BITS, EITHER, INVERSE, ladder_affine, ladder_leave, ladder_step

LOAD = {
    "begin": Claim(["modulus[0] == at_n1 * S"]),
    "bits_32": Claim(["h_ == at_pinv * S", "two_ == 2 * S", "e_ == at_pinv * at_n1 * S**2"]),
    **{f"to_{bits}": Claim(["e_ == (two + at_low * S) * h"]) for bits in (64, 128, 256, 512, 1024)},
    **{f"bits_{bits}": Claim(["h_ == at_low * S", "e_ == at_low * at_n1 * S**2"]) for bits in (64, 128, 256, 512)},
    "bits_1024": Claim(["h_ == at_low * S", "put_pinv[0] == at_low * S"]),
    "inverse_power": Claim(["inverter[0] == S**3"]),
    "domain": Claim(["put_one[0] == 1", "put_r2[0] == R", "put_unit[0] == S", "R2_ == R"], {"@inv": "R**2"}),
    "coefficients": Claim(["put_a[0] == at_x1", "put_b[0] == at_x2", "flags[0] == 4 * at_x1**3 + 27 * at_x2**2"],
                          {"R2": "R"}),
}

# Plain products are the multiplier's other use: `h` is what it gives for both numbers.
ARITH = {
    "sum": Claim(["r_ == (at_x1 + at_x2) * S"]),
    "put_r": Claim(["put_x1[0] == r"]),
    "difference": Claim(["r_ == (at_x1 - at_x2) * S"]),
    "plain_product": Claim(["h_ == at_n1 * at_n2 * S**2"]),
    "put_halves": Claim(["put_x1[0] == at_low * S", "put_x2[0] == h"]),
    "reduce": Claim(["r_ == (at_n1 * S + at_x2) * S"]),
    "product": Claim(["r_ == at_x1 * at_x2 * S**2"]),
    "invert": Claim(["inverter[0] == at_x1 * S"]),
    "inverse": Claim(["r_ == xi * S"], {"@inv": "xi"}, INVERSE),
    "invert_domain": Claim(["r_ == xi * R"], {"@inv": "xi"}, INVERSE),
}

_POINTS = {"@x1": "R * p1", "@y1": "R * q1", "@x2": "R * p2", "@y2": "R * q2"}
_INVERTED = {"@inv": "S * ki"}
_A = "(rise**2 - 2 * x1 * run**2)"
_B = f"(2 * rise * (x1 * run**2 - {_A}) - run**4)"
_ALONE = Claim(["(x1_, y1_) == (p1, q1)"], _POINTS)

POINTS = {
    "add_enter": Claim(["(x1_, y1_, x2_, rise_, run_) == (p1, q1, p2, q2 - q1, p2 - p1)", "flags[0] == p2 - p1"],
                       _POINTS),
    "slope_begin": Claim(["inverter[0] == run", "riseR_ == rise * R"]),
    "slope_end": Claim(["(put_x1[0], put_y1[0]) == chord(rho * ki, x1, y1, x2)"], {"riseR": "R * rho", **_INVERTED},
                       INVERSE,
                       starts="finite1"),
    "opposite": Claim(["flags[0] == q2 + y1"], _POINTS),
    "equal": Claim(["flags[0] == rise"]),
    "tangent": Claim(["(rise_, run_) == (3 * x1**2 + a, 2 * y1)"]),
    "second_alone": Claim(["(x1_, y1_) == (p2, q2)"], _POINTS),
    "first_alone": _ALONE,
    "put_alone": Claim(["(put_x1[0], put_y1[0]) == (x1, y1)"], starts="finite1"),
    "dq_enter": Claim(["(x1_, y1_, rise_, run_) == (p1, q1, 3 * p1**2 + a, 2 * q1)", "flags[0] == 2 * q1"], _POINTS),
    # With A and B of 2P = (A / run^2, B / 2 run^3): the slopes by run B.
    "dq_middle": Claim([f"inverter[0] == {_B} * run", f"riseR_ == R * {_B} * rise",
                        f"nume_ == R * (3 * {_A}**2 + a * run**4)", "x2_ == x1", f"flags[0] == {_B}"]),
    "dq_end": Claim(["(put_x1[0], put_y1[0]) == chord(rho * ki, x1, y1, x1)",
                     "(put_x2[0], put_y2[0]) == chord(nu * ki, put_x1[0], put_y1[0], put_x1[0])"],
                    {"riseR": "R * rho", "nume": "R * nu", **_INVERTED}, INVERSE, starts="finite1 finite2"),
    "joye_enter": Claim(["(xp_, yp_) == (at_x1, at_y1)", "flags[0] == equation(at_x1, at_y1, a, b)",
                         "note_point[0] == equation(at_x1, at_y1, a, b)", "scalar[0] == at_n2 * S"]),
    "set": Claim(["(put_x1[0], put_y1[0]) == (xp, yp)"], starts="finite1"),
    "set_minus": Claim(["(put_x1[0], put_y1[0]) == (xp, -yp)"], starts="finite1"),
    "negate": Claim(["x1_ == p1", "(put_x1[0], put_y1[0]) == (p1, -q1)"], _POINTS, starts="finite1"),
    "made": Claim(["(x1_, y1_) == (p1, q1)", "flags[0] == equation(p1, q1, a, b)",
                   "note_point[0] == equation(p1, q1, a, b)"],
                  _POINTS),
    "leave": Claim(["(put_x1[0], put_y1[0]) == (p1 * S, q1 * S)"], _POINTS, starts="finite1"),
}

_M = "(3 * at_x1**2 + a)"

ECMUL = {
    # P and 2P, exchanged, with Z = 2 y.
    "enter": Claim([f"x_[0] == {_M}**2 - 12 * at_x1 * at_y1**2", "x_[1] == 0", f"lam_ == 2 * {_M}",
                    "yz_ == 16 * at_y1**4",
                    "x12_ == 12 * at_x1", "(t_[0], t_[1]) == (0, 1)", f"coef_ == {_M}",
                    "flags[0] == equation(at_x1, at_y1, a, b)", "note_point[0] == equation(at_x1, at_y1, a, b)",
                    f"flags[1] == {_M}", f"pick[0] == {_M}", "scalar[0] == at_n2 * S"], starts="pick"),
    "factor": Claim(["mask_ == t[i[0]]", "coef_ == coef + x12 * t[i[0]]", "flags[0] == coef_"], indices=[(0,), (1,)]),
    "step": Claim(["(x_[0], x_[1], lam_, yz_) == hamburg_step(x[i[0]], x[i[0] ^ 1], lam, yz)", "flags[0] == yz"],
                  starts="digit", indices=BITS),
    "recover": Claim(["(t_[0], t_[1]) == (1, x[i[0] ^ 1])", "flags[0] == yz", "pick[0] == yz",
                      "inverter[0] == coef * yz", "yn_ == (yz + lam * x[i[0]]) * at_y1 * coef",
                      "xn_ == R * x[i[0]] * 2 * at_y1**2 * ((2 * x[i[0]] * x[i[0] ^ 1] + lam * yz) * coef"
                      " + 2 * (lam**2 - 4 * (x[i[0]] + x[i[0] ^ 1]))**2 * mask)"], starts="pick", indices=EITHER),
    "infinity": Claim(["flags[0] == t[i[0]]", "note_infinity[0] == t[i[0]]"], indices=EITHER),
    "affine": Claim(["t_[0] == (m * ei**2 + at_x1) * S", "t_[1] == at_x1 * S", "yn_ == n * ei * S"],
                    {"xn": "R * m", "yn": "n", "@inv": "S * ei"}, INVERSE),
    "result_x": Claim(["xr_ == t[i[0]]", "(t_[0], t_[1]) == (yn, -at_y1 * S)"], indices=EITHER),
    "result_y": Claim(["yr_ == t[i[0]]"], indices=EITHER),
    "made_point": Claim(["flags[0] == equation(R * xr, R * yr, a, b)",
                         "note_point[0] == equation(R * xr, R * yr, a, b)"]),
    "made_put": Claim(["(put_x1[0], put_y1[0]) == (xr, yr)"]),
    "complete_enter": Claim(["(xp_, yp_) == (at_x1, at_y1)", "(xc_[0], zc_[0], xc_[1], zc_[1]) == (1, 0, at_x1, 1)"]),
    "complete_step": ladder_step("xc", "zc"),
    "complete_recover": ladder_leave("xc", "zc", "xs", "ys", "inverter", "R**2"),
    "complete_affine": ladder_affine("xc", "zc", "xs", "ys", "R**2", "S * di"),
    "complete_result": Claim(["(xr_, yr_) == (xc[i[0]], zc[i[0]])"], indices=EITHER),
}

PROGRAMS = {"load": LOAD, "arith": ARITH, "points": POINTS, "ecmul": ECMUL}
