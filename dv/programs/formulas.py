# SPDX-License-Identifier: Apache-2.0
"""Formulas as their sources have them, on anything that can be added and multiplied.

Affine group laws are those of the definitions (RFC 8032, 5.1; SEC 1, 2.2.1; RFC 7748 and Montgomery 1987); what works
in other coordinates is proved equal to them in `test_formulas.py`. The names do not follow the programs'.
"""

from __future__ import annotations

from typing import Any

q = 2**255 - 19
d = -121665 * pow(121666, -1, q) % q
root_of_minus_1 = pow(2, (q - 1) // 4, q)
ORDER_8_SQUARED = 53699909539325142115343624207863611371097067213659596252119297355370707899025


# ---- twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 ----


def edwards_sum(x1: Any, y1: Any, x2: Any, y2: Any) -> tuple[Any, Any]:
    """The affine addition law."""
    t = d * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) / (1 + t), (y1 * y2 + x1 * x2) / (1 - t)


def rfc8032_add(X1: Any, Y1: Any, Z1: Any, T1: Any, X2: Any, Y2: Any, Z2: Any, T2: Any) -> tuple[Any, ...]:
    """RFC 8032, 5.1.4, point addition."""
    A = (Y1 - X1) * (Y2 - X2)
    B = (Y1 + X1) * (Y2 + X2)
    C = T1 * 2 * d * T2
    D = Z1 * 2 * Z2
    E, F, G, H = B - A, D - C, D + C, B + A
    return E * F, G * H, F * G, E * H


def rfc8032_double(X1: Any, Y1: Any, Z1: Any) -> tuple[Any, ...]:
    """RFC 8032, 5.1.4, doubling."""
    A, B, C = X1 * X1, Y1 * Y1, 2 * Z1 * Z1
    H = A + B
    E = H - (X1 + Y1) * (X1 + Y1)
    G = A - B
    F = C + G
    return E * F, G * H, F * G, E * H


def niels(X: Any, Y: Any, Z: Any, T: Any) -> tuple[Any, ...]:
    """(Y + X, Y - X, 2dT, 2Z), what is kept of a point for additions."""
    return Y + X, Y - X, 2 * d * T, 2 * Z


def unniels(yp: Any, ym: Any, t2d: Any, z2: Any) -> tuple[Any, ...]:
    """(X, Y, Z, T) of which `niels` makes that."""
    return (yp - ym) / 2, (yp + ym) / 2, z2 / 2, t2d / (2 * d)


def edwards_equation(X: Any, Y: Any, Z: Any) -> Any:
    """0 for (X/Z, Y/Z) on the curve, if Z is not 0."""
    return (Y * Y - X * X - Z * Z) * Z * Z - d * X * X * Y * Y


def order_product(y: Any) -> Any:
    """0 for the y of the points whose order divides 8, and no others (order 1 and 2, 4, 8)."""
    return (y * y - 1) * y * (y * y - ORDER_8_SQUARED)


# ---- Montgomery curves b y^2 = x^3 + A x^2 + x ----


def montgomery_double(X: Any, Z: Any, a24: Any) -> tuple[Any, Any]:
    """RFC 7748, 5, with a24 = (A - 2) / 4: x of 2P."""
    AA, BB = (X + Z) * (X + Z), (X - Z) * (X - Z)
    E = AA - BB
    return AA * BB, E * (AA + a24 * E)


def montgomery_add(X2: Any, Z2: Any, X3: Any, Z3: Any, x1: Any) -> tuple[Any, Any]:
    """RFC 7748, 5: x of P + Q from that of P, Q and P - Q."""
    DA, CB = (X3 - Z3) * (X2 + Z2), (X3 + Z3) * (X2 - Z2)
    return (DA + CB) * (DA + CB), x1 * (DA - CB) * (DA - CB)


# ---- short Weierstrass curves y^2 = x^3 + a x + b ----


def equation(x: Any, y: Any, a: Any, b: Any) -> Any:
    """0 for the points of the curve."""
    return y * y - (x * x * x + a * x + b)


def chord(slope: Any, x1: Any, y1: Any, x2: Any) -> tuple[Any, Any]:
    """The affine sum of two points on a line of that slope (SEC 1, 2.2.1), a tangent if they are equal."""
    x3 = slope * slope - x1 - x2
    return x3, slope * (x1 - x3) - y1


def jacobian_tangent(X: Any, Y: Any, Z: Any, aZ4: Any) -> tuple[Any, ...]:
    """Doubling of (X / Z^2, Y / Z^3), with a Z^4 given (EFD, shortw jacobian, dbl-1986-cc)."""
    S, M = 4 * X * Y * Y, 3 * X * X + aZ4
    X3 = M * M - 2 * S
    return X3, M * (S - X3) - 8 * Y * Y * Y * Y, 2 * Y * Z


def jacobian_double(X: Any, Y: Any, Z: Any, a: Any) -> tuple[Any, ...]:
    """The same for the coefficient a."""
    return jacobian_tangent(X, Y, Z, a * Z * Z * Z * Z)


def jacobian_from(U1: Any, S1: Any, U2: Any, S2: Any, Z: Any) -> tuple[Any, ...]:
    """Addition of points with coordinates brought to a common Z (EFD, shortw jacobian, add-1998-cmo)."""
    H, r = U2 - U1, S2 - S1
    X3 = r * r - H * H * H - 2 * U1 * H * H
    return X3, r * (U1 * H * H - X3) - S1 * H * H * H, H * Z


def jacobian_add(X1: Any, Y1: Any, Z1: Any, X2: Any, Y2: Any, Z2: Any) -> tuple[Any, ...]:
    """The same formula for any two points."""
    return jacobian_from(X1 * Z2 * Z2, Y1 * Z2 * Z2 * Z2, X2 * Z1 * Z1, Y2 * Z1 * Z1 * Z1, Z1 * Z2)


def meloni_add(X1: Any, Y1: Any, X2: Any, Y2: Any) -> tuple[Any, ...]:
    """X and Y of the sum of points with a common Z, and of the first one with the sum's Z, which is X1 - X2 times
    theirs (Meloni 2007)."""
    C, D = (X1 - X2) * (X1 - X2), (Y1 - Y2) * (Y1 - Y2)
    W1, W2 = X1 * C, X2 * C
    A1 = Y1 * (W1 - W2)
    X3 = D - W1 - W2
    return X3, (Y1 - Y2) * (W1 - X3) - A1, W1, A1


def jacobian_double_add(X: Any, Y: Any, Z: Any, PX: Any, PY: Any) -> tuple[Any, ...]:
    """2Q + P as (Q + P) + Q, which have a common Z where Q has that of the sum."""
    X3, Y3, Z3 = jacobian_add(X, Y, Z, PX, PY, 1)
    H = PX * Z * Z - X
    X1, Y1 = X * H * H, Y * H * H * H
    return (*meloni_add(X3, Y3, X1, Y1)[:2], Z3 * (X3 - X1))


def ladder_double(X: Any, Z: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """x of 2P (Brier and Joye 2002, section 4)."""
    return ((X * X - a * Z * Z) * (X * X - a * Z * Z) - 8 * b * X * Z * Z * Z,
            4 * (X * Z * (X * X + a * Z * Z) + b * Z * Z * Z * Z))


def ladder_add(X1: Any, Z1: Any, X2: Any, Z2: Any, x: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """x of P + Q from that of P, Q and P - Q, which is x (the same)."""
    T = (X1 * Z2 - X2 * Z1) * (X1 * Z2 - X2 * Z1)
    return 2 * (X1 * Z2 + X2 * Z1) * (X1 * X2 + a * Z1 * Z2) + 4 * b * Z1 * Z1 * Z2 * Z2 - x * T, T


def ladder_y(X1: Any, Z1: Any, X2: Any, Z2: Any, x: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any, Any]:
    """(x D, y D, D) of Q from x of Q = X1 / Z1, x of Q + P = X2 / Z2 and P = (x, y) (the same, y-coordinate)."""
    u, v = x * Z1 - X1, x * Z1 + X1
    return (2 * y * X1 * Z1 * Z2, (x * X1 + a * Z1) * v * Z2 + 2 * b * Z1 * Z1 * Z2 - X2 * u * u, 2 * y * Z1 * Z1 * Z2)


def hamburg_step(XQ: Any, XR: Any, M: Any, Y: Any) -> tuple[Any, ...]:
    """From Q and R = Q + P to 2Q and Q + R (Hamburg 2020), on the state of hw/mpu/ucode/ecmul.pmu."""
    s, D = Y + M * XQ, XQ - XR
    w, v = XQ * D * D, Y * D * D * D * s
    A, B = s * s, s * s - M * D * s
    return w * w - v, A * B, A + B - 2 * w, v * A
