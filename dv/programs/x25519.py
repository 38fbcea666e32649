# SPDX-License-Identifier: Apache-2.0
"""What the programs of `x25519` compute, block by block: RFC 7748."""

from __future__ import annotations

from itertools import product

from .claims import Claim
from .edverify import LADDER

_PAPER_STEP = Claim(["(X_[0], Z_[0]) == montgomery_double(X[i[0]], Z[i[0]], 121665)",
                     "(X_[1], Z_[1]) == montgomery_add(X[i[0]], Z[i[0]], X[i[0] ^ 1], Z[i[0] ^ 1], at_u)"],
                    starts="digit", indices=list(product((0, 1), repeat=2)), turns=255)

PAPER = {
    "begin": Claim(["(X_[0], Z_[0], X_[1], Z_[1]) == (1, 0, at_u, 1)"]),
    "ladder_step": _PAPER_STEP,
    "bit_0": Claim(["Z_[1] == Z[0]**(q - 2)", "Z_[0] == Z[0]**2**255"], until="bits"),
    "quotient": Claim(["X_[0] == X[0] * Z[1]", "result[0] == X[0] * Z[1]"]),
}

RANDOMISED = PAPER | {"begin": Claim(["(X_[0], Z_[0], X_[1], Z_[1]) == (at_r, 0, at_u * at_r, at_r)"])}

_LONE_STEP = Claim(["(x_[0], z_[0]) == montgomery_double(x[i[0]], z[i[0]], 121665)",
                    "(4 * x_[1], 4 * z_[1]) == montgomery_add(x[i[0]], z[i[0]], x[i[0] ^ 1], z[i[0] ^ 1], at_u)"],
                   starts="digit", indices=list(product((0, 1), repeat=2)), turns=255)

TILE = {
    "begin": LADDER["begin"],
    "ladder_step": LADDER["ladder_step"],
    "lone_step": _LONE_STEP,
    "denominator": Claim(["inverter[0] == z[0]"]),
    "quotient": Claim(["x_[0] == x[0] * at_inv"]),
    "outcome": Claim(["result[0] == x[0]"]),
}

PROGRAMS = {"paper": PAPER, "randomised": RANDOMISED, "tile": TILE}
