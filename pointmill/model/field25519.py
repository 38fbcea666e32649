# SPDX-License-Identifier: Apache-2.0
"""The field of p = 2^255 - 19. Elements are Python ints in [0, p) unless said otherwise."""

from __future__ import annotations

P = 2**255 - 19

SQRT_M1 = pow(2, (P - 1) // 4, P)
"""The even square root of -1 (RFC 8032, 5.1.3: 2^((p-1)/4))."""


def inverse(a: int) -> int:
    """1/a mod p for any integer a; 0 for a = 0 mod p, as Fermat's a^(p-2) gives."""
    return pow(a, P - 2, P)


def sqrt_ratio(u: int, v: int) -> int | None:
    """A root x in [0, p) of v*x^2 = u mod p, or None if u/v is not a square.

    u and v are any integers, v not 0 mod p. Which of the two roots is returned is not specified.
    Source: RFC 8032, 5.1.3; Xue et al. 2022, J. Commun. 43(3), eqs. (6) and (7).
    """
    t = pow(u * pow(v, 7, P), (P - 5) // 8, P)
    x = u * pow(v, 3, P) * t % P
    check = v * x * x % P
    if check == u % P:
        return x
    if check == -u % P:
        return x * SQRT_M1 % P
    return None
