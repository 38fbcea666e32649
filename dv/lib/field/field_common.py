# SPDX-License-Identifier: Apache-2.0
"""What the benches of hw/lib/field share."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pointmill import simbuild

RTL = "hw/lib/field/field.f"


def popcount(mask: int) -> int:
    """Number of ones of `mask`."""
    return mask.bit_count()


def counters(sim: Path, *words: object) -> dict[str, int]:
    """Runs a C++ bench, returns the `name value` pairs it prints. It gets vectors, `bytes` among the words, by the name
    of a file. `BuildError` when it fails."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(word for word in words if isinstance(word, bytes)))
        file.flush()
        out = simbuild.run_tool([sim, *(file.name if isinstance(word, bytes) else str(word) for word in words)]).split()
    return dict(zip(out[::2], map(int, out[1::2]), strict=True))


def weak_product(a: int, b: int, n: int = 255, c: int = 19, w: int = 258) -> int:
    """Result of pm_mulmod bit by bit: two rounds of alg. 7 of Xue et al. 2022 on the product.

    a, b: operands below 2^w, w even. The triple of Karatsuba products is written out, so that the
    value, not only its residue modulo 2^n - c, is what the unit must give.
    """
    m = w // 2
    a1, a0 = divmod(a, 1 << m)
    b1, b0 = divmod(b, 1 << m)
    t = (c << (w - n)) * (a1 * b1) + ((a1 * b0 + a0 * b1) << m) + a0 * b0
    return c * (t >> n) + t % (1 << n)
