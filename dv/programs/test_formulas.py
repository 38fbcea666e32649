# SPDX-License-Identifier: Apache-2.0
"""The formulas to which programs are compared are the affine group laws: identities of rational functions, modulo the
equations of the curves."""

from dv.programs import formulas as f
from dv.programs.ring import Fraction, Ring


def _edwards() -> tuple[Ring, list[Fraction]]:
    relations = [(f"x{k}**2*y{k}**2", f"(y{k}**2 - x{k}**2 - 1) * {pow(f.d, -1, f.q)}") for k in (1, 2)]
    ring = Ring(["x1", "y1", "x2", "y2", "z", "w"], f.q, relations)
    return ring, [ring.symbol(name) for name in ("x1", "y1", "x2", "y2", "z", "w")]


def _weierstrass(*names: str) -> tuple[Ring, list[Fraction]]:
    """The ring with two points of the curve, and its coefficients; names: further indeterminates."""
    relations = [(f"y{k}**2", f"x{k}**3 + a*x{k} + b") for k in (1, 2)]
    ring = Ring(["x1", "y1", "x2", "y2", "a", "b", *names], None, relations)
    return ring, [ring.symbol(name) for name in ("x1", "y1", "x2", "y2", "a", "b", *names)]


def _tangent(x: Fraction, y: Fraction, a: Fraction) -> tuple[Fraction, Fraction]:
    return f.chord((3 * x * x + a) / (2 * y), x, y, x)


def _secant(x1: Fraction, y1: Fraction, x2: Fraction, y2: Fraction) -> tuple[Fraction, Fraction]:
    return f.chord((y2 - y1) / (x2 - x1), x1, y1, x2)


def test_edwards_formulas_are_the_addition_law_and_complete() -> None:
    """Sum and double; Z is 0 for no pair of points, because d is no square (Bernstein and Lange 2007, theorem 3.3)."""
    _, (x1, y1, x2, y2, z, w) = _edwards()
    x3, y3 = f.edwards_sum(x1, y1, x2, y2)
    X, Y, Z, T = f.rfc8032_add(x1 * z, y1 * z, z, x1 * y1 * z, x2 * w, y2 * w, w, x2 * y2 * w)
    assert (X / Z).same(x3) and (Y / Z).same(y3) and (T / Z).same(x3 * y3)
    t = f.d * x1 * x2 * y1 * y2
    assert Z.same(4 * z * z * w * w * (1 - t) * (1 + t))
    x3, y3 = f.edwards_sum(x1, y1, x1, y1)
    X, Y, Z, T = f.rfc8032_double(x1 * z, y1 * z, z)
    assert (X / Z).same(x3) and (Y / Z).same(y3) and (T / Z).same(x3 * y3)
    t = f.d * x1 * x1 * y1 * y1
    assert Z.same(-(z * z * z * z) * (1 - t) * (1 + t))
    assert pow(f.d, (f.q - 1) // 2, f.q) == f.q - 1
    assert pow(f.q - 1, (f.q - 1) // 2, f.q) == 1, "-1 is a square, as the theorem wants of a"


def test_constants_of_the_edwards_curve() -> None:
    """The root of -1, and the y of order 8: 2P has y = 0 there."""
    assert f.root_of_minus_1**2 % f.q == f.q - 1
    s = f.ORDER_8_SQUARED
    assert pow(s, (f.q - 1) // 2, f.q) == 1
    # y of 2P is 0 where y^2 + x^2 = 0; with x^2 = (y^2 - 1) / (d y^2 + 1).
    assert (s * (f.d * s + 1) + s - 1) % f.q == 0
    other = -pow(f.d * s, -1, f.q) % f.q
    assert (other * (f.d * other + 1) + other - 1) % f.q == 0 and pow(other, (f.q - 1) // 2, f.q) == f.q - 1
    _, (x1, y1, *_) = _edwards()
    assert all(one.same(held) for one, held in zip(f.unniels(*f.niels(x1, y1, x1, x1 * y1)), (x1, y1, x1, x1 * y1)))


def test_montgomery_formulas_are_the_group_law() -> None:
    """Double and differential addition (RFC 7748, 5) on any Montgomery curve."""
    ring = Ring(["x1", "y1", "x2", "y2", "A", "z", "w"], None, [(f"y{k}**2", f"x{k}**3 + A*x{k}**2 + x{k}")
                                                               for k in (1, 2)])
    x1, y1, x2, y2, A, z, w = (ring.symbol(name) for name in ("x1", "y1", "x2", "y2", "A", "z", "w"))
    slope = (3 * x1 * x1 + 2 * A * x1 + 1) / (2 * y1)
    X, Z = f.montgomery_double(x1 * z, z, (A - 2) / 4)
    assert (X / Z).same(slope * slope - A - 2 * x1)
    total, difference = ((y2 - y1) / (x2 - x1), (y2 + y1) / (x2 - x1))
    X, Z = f.montgomery_add(x1 * z, z, x2 * w, w, difference * difference - A - x1 - x2)
    assert (X / Z).same(total * total - A - x1 - x2)


def test_jacobian_formulas_are_the_group_law() -> None:
    """Double, sum, the sum of points with a common Z, and a double and a sum."""
    _, (x1, y1, x2, y2, a, _, z, w) = _weierstrass("z", "w")
    X, Y, Z = f.jacobian_double(x1 * z * z, y1 * z * z * z, z, a)
    x3, y3 = _tangent(x1, y1, a)
    assert (X / (Z * Z)).same(x3) and (Y / (Z * Z * Z)).same(y3)
    X, Y, Z = f.jacobian_add(x1 * z * z, y1 * z * z * z, z, x2 * w * w, y2 * w * w * w, w)
    x3, y3 = _secant(x1, y1, x2, y2)
    assert (X / (Z * Z)).same(x3) and (Y / (Z * Z * Z)).same(y3)
    X, Y, W, A = f.meloni_add(x1 * z * z, y1 * z * z * z, x2 * z * z, y2 * z * z * z)
    Z = z * (x1 - x2) * z * z
    assert (X / (Z * Z)).same(x3) and (Y / (Z * Z * Z)).same(y3)
    assert (W / (Z * Z)).same(x1) and (A / (Z * Z * Z)).same(y1)
    X, Y, Z = f.jacobian_double_add(x1 * z * z, y1 * z * z * z, z, x2, y2)
    x3, y3 = _secant(*_tangent(x1, y1, a), x2, y2)
    assert (X / (Z * Z)).same(x3) and (Y / (Z * Z * Z)).same(y3)


def test_ladder_on_any_curve_is_the_group_law() -> None:
    """x of 2P and of P + Q, and y of Q (Brier and Joye 2002)."""
    _, (x1, y1, x2, y2, a, b, z, w) = _weierstrass("z", "w")
    X, Z = f.ladder_double(x1 * z, z, a, b)
    assert (X / Z).same(_tangent(x1, y1, a)[0])
    X, Z = f.ladder_add(x1 * z, z, x2 * w, w, _secant(x1, -y1, x2, y2)[0], a, b)
    assert (X / Z).same(_secant(x1, y1, x2, y2)[0])
    xs = _secant(x1, y1, x2, y2)[0]
    xD, yD, D = f.ladder_y(x1 * z, z, xs * w, w, x2, y2, a, b)
    assert (xD / D).same(x1) and (yD / D).same(y1)


def test_hamburg_ladder_is_the_group_law() -> None:
    """A step goes from Q, Q + P to 2Q, 2Q + P, with Z grown by (x(Q) - x(R)) Z^2 s; and what comes out of the state."""
    _, (xp, yp, xq, yq, a, _, z) = _weierstrass("z")
    xr, _ = _secant(xp, yp, xq, yq)
    slope = (yq - yp) / (xq - xp)

    def state(x1: Fraction, x2: Fraction, m: Fraction, Z: Fraction) -> tuple[Fraction, ...]:
        # The line through P, Q and -R with that slope; the state has it through (x(P), yz / 2 Z^3).
        return (x1 - xp) * Z * Z, (x2 - xp) * Z * Z, 2 * Z * m, 2 * yp * Z * Z * Z

    XQ, XR, M, Y = state(xq, xr, slope, z)
    s, D = Y + M * XQ, XQ - XR
    assert s.same(2 * yq * z * z * z)
    x2, y2 = _tangent(xq, yq, a)
    # 2Q and 2Q + P: the line through P, 2Q and -(2Q + P).
    new = f.hamburg_step(XQ, XR, M, Y)
    wanted = state(x2, _secant(xp, yp, x2, y2)[0], (y2 - yp) / (x2 - xp), z * D * s)
    assert [one.same(other) for one, other in zip(new, wanted)] == [True] * 4
    # At the end (hw/mpu/ucode/ecmul.pmu, block recover): 1 / Z^2 from the state, by the tangent at P or, where that is
    # level, by x(P); y of Q.
    tangent, Z2 = 3 * xp * xp + a, z * z
    assert (2 * XQ * XR + M * Y).same(2 * tangent * Z2 * Z2)
    assert (M * M - 4 * (XQ + XR)).same(12 * xp * Z2)
    assert ((Y + M * XQ) / (2 * Z2 * z)).same(yq)
    bracket = (2 * XQ * XR + M * Y) * tangent
    assert (2 * yp * yp * bracket / (tangent * tangent * Y * Y)).same(1 / Z2)
    level = 2 * (M * M - 4 * (XQ + XR)) * (M * M - 4 * (XQ + XR))
    assert (2 * yp * yp * level / (144 * xp * xp * Y * Y)).same(1 / Z2)


def test_two_doublings_with_one_inversion() -> None:
    """2P and the slope of its tangent over a common denominator (hw/mpu/ucode/points.pmu, block dq_middle)."""
    _, (x, y, *_, a, _) = _weierstrass()
    D, M = 2 * y, 3 * x * x + a
    A = M * M - 2 * x * D * D
    B = 2 * M * (x * D * D - A) - D * D * D * D
    x2, y2 = _tangent(x, y, a)
    assert (A / (D * D)).same(x2) and (B / (2 * D * D * D)).same(y2)
    assert (M * B / (D * B)).same(M / D)
    assert ((3 * A * A + a * D * D * D * D) / (D * B)).same((3 * x2 * x2 + a) / (2 * y2))


def test_a_wrong_formula_is_seen() -> None:
    """Equality is not found where it does not hold: the sum with a sign changed, in each coordinate."""
    _, (x1, y1, x2, y2, *_) = _edwards()
    x3, y3 = f.edwards_sum(x1, y1, x2, y2)
    X, Y, Z, _ = f.rfc8032_add(x1, y1, 1, x1 * y1, -x2, y2, 1, -x2 * y2)
    assert not (X / Z).same(x3) and not (Y / Z).same(y3)
