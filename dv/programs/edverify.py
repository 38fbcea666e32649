# SPDX-License-Identifier: Apache-2.0
"""What the programs of `edverify` compute, block by block: RFC 8032 and RFC 7748."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from .claims import Claim

SIGNS = ((False,) * 8, (True,) * 8)
SQUARE_ROOT = "2**252 - 3"
"""(p - 5) / 8 (RFC 8032, 5.1.3)."""


def _doubling(t: bool, **options: object) -> Claim:
    return Claim(["(X_, Y_, Z_, T_) == rfc8032_double(X, Y, Z)" if t
                  else "(X_, Y_, Z_) == rfc8032_double(X, Y, Z)[:3]"], **options)  # type: ignore[arg-type]


def _addition(t: bool, point: str, given: dict[str, str] | None = None, **options: object) -> Claim:
    left, part = ("(X_, Y_, Z_, T_)", "") if t else ("(X_, Y_, Z_)", "[:3]")
    return Claim([f"{left} == rfc8032_add(X, Y, Z, T, {point}){part}"], given or {},
                 **options)  # type: ignore[arg-type]


def _fixed(step: int = 0) -> tuple[str, dict[str, str]]:
    """The point of the digit, (u, v) or its negative, and the external values for it."""
    u, v, minus, at = f"u{step}", f"v{step}", f"neg[{step}]", step or ""
    given = {f"@g_yp{at}": f"{v} - {u} if {minus} else {v} + {u}", f"@g_ym{at}": f"{v} + {u} if {minus} else {v} - {u}",
             f"@g_t2d{at}": f"2 * d * {u} * {v}", "nil": "0"}
    return f"-{u} if {minus} else {u}, {v}, 1, -{u} * {v} if {minus} else {u} * {v}", given


def _entry(sign: str, z: bool) -> str:
    """The table's entry at the index, with sign; affine if not z."""
    cached = "yp[i[0]], ym[i[0]], t2d[i[0]], " + ("z2[i[0]]" if z else "2 + 0 * X")
    point = f"unniels({cached})"
    return f"*{point}" if sign == "+" else f"-{point}[0], {point}[1], {point}[2], -{point}[3]"


def _order(flag_of: str, given: dict[str, str] | None = None) -> Claim:
    return Claim([f"flags[0] == order_product({flag_of})"], given or {})


def _reduced(x: str) -> Claim:
    return Claim([f"{x}_ == {x}", f"flags[0] == {x}"])


def _negated(x: str) -> Claim:
    return Claim([f"{x}_ == -{x}"])


def _multiples(x: str, y: str, last: int) -> list[tuple[str, str]]:
    """Cuts for 2P and 3P, 5P, ... of the affine point (x, y)."""
    cuts = [("X2, Y2, Z2, T2", f"rfc8032_double({x}, {y}, 1)"),
            ("X3, Y3, Z3, T3", f"rfc8032_add(X2, Y2, Z2, T2, {x}, {y}, 1, {x} * {y})")]
    for k in range(5, last + 1, 2):
        before = f"X{k - 2}, Y{k - 2}, Z{k - 2}, T{k - 2}"
        # A batch adds the multiple to twice the point, the others twice the point to the multiple: the same polynomials
        # but for the order of factors.
        cuts.append((f"X{k}, Y{k}, Z{k}, T{k}", f"rfc8032_add({before}, X2, Y2, Z2, T2)"))
    return cuts


def _point(k: int, x: str, y: str) -> str:
    return f"{x}, {y}, 1, {x} * {y}" if k == 1 else f"X{k}, Y{k}, Z{k}, T{k}"


def _tables(x: str, y: str, last: int, first: int, more: Iterable[str] = ()) -> Claim:
    equal = [f"(yp_[{first + k // 2}], ym_[{first + k // 2}], t2d_[{first + k // 2}], z2_[{first + k // 2}])"
             f" == niels({_point(k, x, y)})" for k in range(1, last + 1, 2)]
    return Claim([*equal, *more], cuts=_multiples(x, y, last))


def _stored(x: str, y: str, first: int) -> Claim:
    """The same, stored in the tables of a batch; the first entry is affine and has no Z."""
    equal = []
    for number, k in enumerate(range(1, 8, 2)):
        names = [f"store_{part}_{first + number}[0]" for part in ("yp", "ym", "t2d", "z2")][: 3 if k == 1 else 4]
        equal.append(f"({', '.join(names)}) == niels({_point(k, x, y)})[:{len(names)}]")
    square = {"yya" if y == "at_ya" else "yyr": f"{y}**2"}
    return Claim(equal, square, cuts=_multiples(x, y, 7))


def _roots(p: str, root: str = "", more: Iterable[str] = ()) -> Claim:
    y = f"at_y{p}"
    return Claim([f"yy{p}_ == {y}**2", f"u{p}_ == {y}**2 - 1", f"v{p}_ == d * {y}**2 + 1",
                  f"w{root}_ == u{p}_ * v{p}_**3",
                  f"z{root}_ == u{p}_ * v{p}_**7", *more])


def _other_root(p: str) -> Claim:
    return Claim([f"flags[0] == f{p} + u{p}", f"x{p}_ == x{p} * root_of_minus_1", f"flags[1] == x{p}_"])


def _one_root(x: str, f: str, v: str, yy: str, more: Iterable[str] = ()) -> Claim:
    """The path of the chain of one root, to the question whether v x^2 = u."""
    return Claim([f"{x}_ == za**({SQUARE_ROOT}) * wa", f"{f}_ == {v} * {x}_**2", f"flags[0] == {f}_ - ({yy} - 1)",
                  "base_ == za**(2**100 - 1)", "ten_ == za**(2**50 - 1)", *more], until="check_root")


_ORIGIN = ["X_ == 0", "Y_ == 1", "Z_ == 1", "T_ == 0"]

_DECOMPRESS = {
    "roots_a": _roots("a", "a"),
    "roots_r": _roots("r", "r"),
    "chain_5": Claim([f"xa_ == za**({SQUARE_ROOT}) * wa", f"xr_ == zr**({SQUARE_ROOT}) * wr", "fa_ == va * xa_**2",
                      "flags[0] == fa_ - (yya - 1)", "br_ == zr**(2**100 - 1)", "sa_ == za**(2**50 - 1)",
                      "sr_ == zr**(2**50 - 1)"], until="check_root_of_a"),
    "other_root_of_a": _other_root("a"),
    "negate_a": _negated("xa"),
    "check_root_of_r": Claim(["fr_ == vr * xr**2", "flags[0] == fr_ - (yyr - 1)"]),
    "other_root_of_r": _other_root("r"),
    "negate_r": _negated("xr"),
    "root_of_a": _reduced("xa"),
    "root_of_r": _reduced("xr"),
}

_COMPARE = Claim(["flags[0] == X", "flags[1] == Y - Z"])

_BY_TABLE = {f"walk_{name}{'_t' if t else ''}": _addition(t, _entry(sign, z), indices=[(k,) for k in range(8)])
             for t in (False, True)
             for name, sign, z in (("add_first", "+", False), ("sub_first", "-", False), ("add", "+", True),
                                   ("sub", "-", True))}

HALFSIZE = _DECOMPRESS | _BY_TABLE | {
    "odd_multiples_of_a": _tables("xa", "at_ya", 7, 0),
    "odd_multiples_of_r": _tables("xr", "at_yr", 7, 4, [*_ORIGIN, "nil_ == 0"]),
    "walk_double": _doubling(False),
    "walk_double_t": _doubling(True),
    "walk_add_fixed": _addition(False, *_fixed(), signs=SIGNS),
    "walk_add_fixed_t": _addition(True, *_fixed(), signs=SIGNS),
    "clear_cofactor": _doubling(False, turns=3),
    "compare_identity": _COMPARE,
    "bad_order_of_a": _order("at_ya", {"yya": "at_ya**2"}),
    "bad_order_of_r": _order("at_yr", {"yyr": "at_yr**2"}),
    "order_of_a": _order("at_ya", {"yya": "at_ya**2"}),
    "order_of_r": _order("at_yr", {"yyr": "at_yr**2"}),
}

_ONE = {"one": "1"}

_VERIFY_ROOTS = [f"{line}" for p in "ar" for line in (
    f"u{p}_ == at_y{p}**2 - 1", f"v{p}_ == d * at_y{p}**2 + 1", f"x{p}_ == u{p}_ * v{p}_**3 * (u{p}_ * v{p}_**7)",
    f"c{p}_ == (u{p}_ * v{p}_**7)**4")]

# x is u v^3 a, then that times a^4, a^8, ..., a^(2^251): u v^3 a^(2^252 - 3), a = u v^7.
VERIFY = {
    "roots": Claim([*_VERIFY_ROOTS, "one_ == 1"]),
    "powers": Claim([f"{line}" for p in "ar" for line in (
        f"x{p}_ == x{p} * c{p}**(2**250 - 1)", f"c{p}_ == c{p}**2**250")], until="powers"),
    "check_roots": Claim(["ia_ == xa * root_of_minus_1", "ir_ == xr * root_of_minus_1", "flags[0] == ua - va * xa**2",
                          "flags[1] == ua + va * xa**2", "flags[2] == ur - vr * xr**2",
                          "flags[3] == ur + vr * xr**2"], _ONE),
    "other_root_of_a": Claim(["xa_ == ia", "flags[0] == ia"], _ONE),
    "reduce_xa": Claim(["xa_ == xa", "flags[0] == xa"], _ONE),
    "negate_xa": Claim(["xa_ == -xa"], _ONE),
    "other_root_of_r": Claim(["xr_ == ir", "flags[0] == ir"], _ONE),
    "reduce_xr": Claim(["xr_ == xr", "flags[0] == xr"], _ONE),
    "negate_xr": Claim(["xr_ == -xr"], _ONE),
    "order_of_a": _order("at_ya", _ONE),
    "order_of_r": _order("at_yr", _ONE),
    "odd_multiples": Claim([*_tables("xa", "at_ya", 15, 0).equal, *_ORIGIN], _ONE, cuts=_multiples("xa", "at_ya", 15)),
    "walk_double": _doubling(True),
    "walk_add_g": _addition(True, "u, v, 1, u * v", {"@g_yp": "v + u", "@g_ym": "v - u", "@g_t2d": "2 * d * u * v"}),
    "walk_sub_g": _addition(True, "-u, v, 1, -u * v", {"@g_yp": "v + u", "@g_ym": "v - u", "@g_t2d": "2 * d * u * v"}),
    "walk_add_a": _addition(True, _entry("+", True), indices=[(k,) for k in range(8)]),
    "walk_sub_a": _addition(True, _entry("-", True), indices=[(k,) for k in range(8)]),
    "compare_points": Claim(["flags[0] == X - xr * Z", "flags[1] == Y - at_yr * Z", "flags[2] == xr"], _ONE),
    "subtract_r": _addition(True, "-xr, at_yr, 1, -xr * at_yr", _ONE),
    "clear_cofactor": _doubling(True, turns=3),
    "compare_identity": Claim(_COMPARE.equal, _ONE),
}

_TWICE = ["flags[0] == order_product(at_y{p})", "flags[1] == order_product(at_y{p})"]
_DIFFERENCE = "rfc8032_add(X, Y, Z, T, -xr, at_yr, 1, -xr * at_yr)"

HARDENED = VERIFY | {
    "order_of_a": Claim([line.format(p="a") for line in _TWICE]),
    "order_of_r": Claim([line.format(p="r") for line in _TWICE]),
    "check_point": Claim(["flags[0] == Z**2", "flags[1] == edwards_equation(X, Y, Z) * Z**2"]),
    "compare_points": Claim(["flags[0] == (X - xr * Z) * Z", "flags[1] == (Y - at_yr * Z) * Z", "flags[2] == xr"]),
    "parity_again": Claim(["flags[0] == xr"]),
    "subtract_r": Claim(["(X_, Y_, Z_, T_) == (Xd, Yd, Zd, Td)", "flags[0] == Zd**2",
                         "flags[1] == edwards_equation(Xd, Yd, Zd) * Zd**2"], _ONE,
                        cuts=[("Xd, Yd, Zd, Td", _DIFFERENCE)]),
    "compare_identity": Claim(["flags[0] == X * Z", "flags[1] == (Y - Z) * Z"]),
}

_LADDER = Claim(["(x_[0], z_[0]) == montgomery_double(x[i[0]], z[i[0]], 121665)",
                 "(x_[1], z_[1]) == montgomery_add(x[i[0]], z[i[0]], x[i[0] ^ 1], z[i[0] ^ 1], at_u)"],
                starts="digit", indices=list(product((0, 1), repeat=2)), turns=255)

INVERSE = Claim(["run_ == base**(q - 2)", "five_ == base**(2**100 - 1)", "ten_ == base**(2**50 - 1)",
                 "eleven_ == base**11"], until="power_last")

LADDER = {
    "begin": Claim(["(x_[0], z_[0], x_[1], z_[1]) == (1, 0, at_u, 1)"]),
    "ladder_step": _LADDER,
    "denominator": Claim(["base_ == z[0]"]),
    "power_5": INVERSE,
}

X25519 = LADDER | {"quotient": Claim(["flags[0] == x[0] * run", "result_u[0] == x[0] * run"])}


def _digits(first: int, point: str, doublings: int) -> Claim:
    """Doublings, then the points of two digits; `first` is how many steps the digit scan has gone before the first."""
    cuts, now = [], point
    for k in range(doublings):
        names = f"X{k}d, Y{k}d, Z{k}d"
        last = k == doublings - 1
        cuts.append((f"{names}, T{k}d" if last else f"{names}, _", f"rfc8032_double({', '.join(now.split(', ')[:3])})"))
        now = f"{names}, T{k}d" if last else names
    one, two = _fixed(first), _fixed(first + 1)
    cuts.append(("X1a, Y1a, Z1a, T1a", f"rfc8032_add({now}, {one[0]})"))
    return Claim([f"(X_, Y_, Z_) == rfc8032_add(X1a, Y1a, Z1a, T1a, {two[0]})[:3]"], one[1] | two[1], cuts=cuts,
                 starts=" ".join(["digit"] * (first + 1)), turns=14 if doublings else None,
                 signs=[(False, *signs) if first else (*signs, False) for signs in product((False, True), repeat=2)])


_KEPT = ["XA_ == X", "YA_ == Y", "ZA_ == Z"]

FIXED_BASE = {
    "begin": Claim([*_ORIGIN, "nil_ == 0"]),
    "highest_digits": _digits(0, "X, Y, Z, T", 0),
    "next_digits": _digits(1, "X, Y, Z", 9),
    "next_scalar": Claim([*_KEPT, *_ORIGIN], starts="digit"),
    "only_scalar": Claim(_KEPT),
    "denominators": Claim(["base_ == ZA * Z"]),
    "power_5": INVERSE,
    "encodings": Claim(["result_a[0] == YA * run * Z", "result_a_flag[0] == XA * run * Z", "flags[0] == YA * run * Z",
                        "flags[1] == XA * run * Z", "result_r[0] == Y * run * ZA", "result_r_flag[0] == X * run * ZA",
                        "flags[2] == Y * run * ZA", "flags[3] == X * run * ZA"]),
}


FIXED_BASE_TILE = {name: claim for name, claim in FIXED_BASE.items() if name != "encodings"} | {
    "encoding_of_a": Claim(["result_a[0] == YA * run * Z", "result_a_flag[0] == XA * run * Z",
                            "flags[0] == YA * run * Z", "flags[1] == XA * run * Z", "ir_ == run * ZA"]),
    "encoding_of_r": Claim(["result_r[0] == Y * ir", "result_r_flag[0] == X * ir", "flags[0] == Y * ir",
                            "flags[1] == X * ir"]),
}


def _put(k: int, z: str, more: Iterable[str] = ()) -> Claim:
    parts = {"yp": f"S{k}", "ym": f"M{k}", "t2d": f"D{k}"}
    equal = [f"put_{part}[0] == {held} * {z}" for part, held in parts.items()]
    return Claim([*equal, *(f"flags[{n}] == {held} * {z}" for n, held in enumerate(parts.values())), *more])


def _multiple(k: int) -> Claim:
    """kP from the multiple two before it, and what is kept of that."""
    before = f"XM, YM, W{k - 2}, TM"
    more = "Z * W3" if k == 5 else f"C{k - 4} * W{k - 2}"
    return Claim([f"(S{k - 2}_, M{k - 2}_, D{k - 2}_) == niels({before})[:3]", f"C{k - 2}_ == {more}",
                  f"(XM_, YM_, W{k}_, TM_) == rfc8032_add({before}, *unniels(p2, m2, t2, zz2))"])


KEY = {
    "root": _roots("a", "a"),
    "chain_5": _one_root("xa", "fa", "va", "yya", ["run_ == za**((2**200 - 1) * 2**50)"]),
    "other_root": _other_root("a"),
    "negate": _negated("xa"),
    "order": Claim(["flags[0] == order_product(at_ya)", "nil_ == 0"], {"yya": "at_ya**2"}),
    "first_base": Claim(["Y_ == at_ya", "Z_ == 1", "T_ == xa * at_ya"], {"nil": "0"}),
    "multiples": Claim(["(S1_, M1_, D1_, zz1_) == niels(X, Y, Z, T)",
                        "(XM_, YM_, W3_, TM_) == rfc8032_double(X, Y, Z)"]),
    "multiple_3": Claim(["(p2_, m2_, t2_, zz2_) == niels(XM, YM, W3, TM)",
                         "(XM_, YM_, W3_, TM_) == rfc8032_add(XM, YM, W3, TM, *unniels(S1, M1, D1, zz1))"]),
    **{f"multiple_{k}": _multiple(k) for k in range(5, 16, 2)},
    "last_multiple": Claim(["(S15_, M15_, D15_) == niels(XM, YM, W15, TM)[:3]", "invert[0] == C13 * W15"]),
    "point_15": _put(15, "at_inverse * C13", ["I_ == at_inverse * W15"]),
    **{f"point_{k}": _put(k, f"I * C{k - 2}", [f"I_ == I * W{k}"]) for k in range(13, 4, -2)},
    "point_3": _put(3, "I * Z", ["I_ == I * W3"]),
    "point_1": _put(1, "I"),
    "next_base": _doubling(False, turns=31),
    "next_base_t": _doubling(True),
    "first_root": _reduced("xa"),
}

CACHED = {
    "begin": Claim(["X_ == 0", "Y_ == 1"]),
    "begin_list": Claim(["Z_ == 1", "T_ == 0", "nil_ == 0"]),
    "walk_cached_double": _doubling(False),
    "walk_cached_double_t": _doubling(True),
    "walk_cached_add": _addition(False, *_fixed(), signs=SIGNS),
    "walk_cached_add_t": _addition(True, *_fixed(), signs=SIGNS),
    "walk_cached_done": Claim(["invert[0] == Z"]),
    "encode": Claim(["yq_ == Y * at_inverse", "xq_ == X * at_inverse", "flags[0] == (yq_ - at_yr)**2",
                     "flags[1] == xq_"]),
    "order_of_equal_r": _order("yq"),
    "decompress": _roots("r", "a"),
    "chain_5": _one_root("xr", "fr", "vr", "yyr"),
    "other_root": _other_root("r"),
    "negate": _negated("xr"),
    "order_of_r": _order("at_yr", {"yyr": "at_yr**2"}),
    "difference": Claim(["(X_, Y_, Z_) == rfc8032_add(xq, yq, 1, xq * yq, -xr, at_yr, 1, -xr * at_yr)[:3]"]),
    "clear_cofactor": _doubling(False, turns=3),
    "compare": _COMPARE,
    "root": _reduced("xr"),
    "bad_order": _order("at_yr", {"yyr": "at_yr**2"}),
}

PREPARE = _DECOMPRESS | {
    "odd_multiples_of_a": _stored("xa", "at_ya", 0),
    "odd_multiples_of_r": _stored("xr", "at_yr", 4),
}

_BATCH = ("-U if neg[0] else U, V, W, -T2 if neg[0] else T2",
          {"@g_yp": "V - U if neg[0] else V + U", "@g_ym": "V + U if neg[0] else V - U", "@g_t2d": "2 * d * T2",
           "@g_z2": "2 * W", "nil": "0"})

SUM = {
    "identity": Claim([*_ORIGIN, "nil_ == 0"]),
    "sum_double": _doubling(False),
    "sum_double_t": _doubling(True),
    "sum_add_affine": _addition(False, *_fixed(), signs=SIGNS),
    "sum_add_affine_t": _addition(True, *_fixed(), signs=SIGNS),
    "sum_add": _addition(False, *_BATCH, signs=SIGNS),
    "sum_add_t": _addition(True, *_BATCH, signs=SIGNS),
    "clear_cofactor": _doubling(False, turns=3),
    "compare_identity": _COMPARE,
}

_TWICE_BASE = "rfc8032_double(X, Y, Z)"

_POWERS = {"run": "(2**200 - 1) * 2**50", "ten": "2**50 - 1", "a11": "11"}
"""What root_power.pmu leaves: exponents of za."""
_OF_Z = {name: f"z**({exponent})" for name, exponent in _POWERS.items()}

CACHED_TILE = {name: claim for name, claim in CACHED.items() if name != "walk_cached_done"} | {
    "walk_cached_double": _doubling(False, starts="ask"),
    "walk_cached_double_t": _doubling(True, starts="ask"),
    "walk_cached_add_fixed": _addition(False, *_fixed(), signs=SIGNS, starts="ask"),
    "walk_cached_add_fixed_t": _addition(True, *_fixed(), signs=SIGNS, starts="ask"),
    "walk_cached_add": _addition(False, *_BATCH, signs=SIGNS, starts="ask"),
    "walk_cached_add_t": _addition(True, *_BATCH, signs=SIGNS, starts="ask"),
    "invert": Claim(["za_ == Z", "flags[0] == nil"]),
    "chain_5": Claim([*(f"{name}_ == za**({exponent})" for name, exponent in _POWERS.items()),
                      "base_ == za**(2**100 - 1)"], until="run_200"),
    "encode": Claim(["xq_ == X * z**(q - 2)", "yq_ == Y * z**(q - 2)", "flags[0] == (yq_ - at_yr)**2"], _OF_Z),
    "parity": Claim(["flags[0] == xq"]),
    "decompress": _roots("r", "a", ["flags[0] == 1"]),
    "check_root": Claim([f"xr_ == z**({SQUARE_ROOT}) * wa", "fr_ == vr * xr_**2", "flags[0] == fr_ - (yyr - 1)"],
                        _OF_Z | {"za": "z"}),
    "order_of_r": Claim(["flags[0] == order_product(at_yr)", "nil_ == 0"], {"yyr": "at_yr**2"}),
    "first_base": Claim(["X_ == xr", "Y_ == at_yr", "Z_ == 1", "T_ == xr * at_yr"], {"nil": "0"},
                        starts="tables"),
    "base": Claim(["(po_, mo_, to_, zo_) == niels(X, Y, Z, T)", f"pd_ == {_TWICE_BASE}[1] + {_TWICE_BASE}[0]",
                   f"md_ == {_TWICE_BASE}[1] - {_TWICE_BASE}[0]", f"(zd_, td_) == {_TWICE_BASE}[2:]"]),
    "multiple": Claim(["(put_yp[0], put_ym[0], put_t2d[0], put_z2[0]) == niels(X1, Y1, Z1, T1)",
                       "(po_, mo_, to_, zo_) == niels(X3, Y3, Z3, T3)"],
                      {"pd": "Y2 + X2", "md": "Y2 - X2", "po": "Y1 + X1", "mo": "Y1 - X1", "to": "2 * d * T1",
                       "zo": "2 * Z1"},
                      cuts=[("X3, Y3, Z3, T3", "rfc8032_add(X2, Y2, zd, td, X1, Y1, Z1, T1)")], turns=8),
    "next_base": KEY["next_base"],
    "next_base_t": KEY["next_base_t"],
}

PROGRAMS = {"verify": VERIFY, "hardened": HARDENED, "halfsize": HALFSIZE, "x25519": X25519, "x25519_tile": X25519,
            "fixed_base": FIXED_BASE, "fixed_base_tile": FIXED_BASE_TILE, "key": KEY, "cached": CACHED,
            "cached_tile": CACHED_TILE, "batch_prepare": PREPARE, "batch_sum": SUM}
