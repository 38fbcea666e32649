# SPDX-License-Identifier: Apache-2.0
"""What the programs of `multicurve` compute, by program and block."""

from .contexts import CONTEXTS
from .weierstrass import CHECK, ECMUL, LOAD, MODARITH, XDH, XDH_KNOWN
from .windows import WINDOW, WINDOW_ONE

PROGRAMS = {"params": LOAD, "ecmul": ECMUL, "xdh": XDH, "xdh_known": XDH_KNOWN, "check": CHECK, "modarith": MODARITH,
            "window": WINDOW, "window_one": WINDOW_ONE, "contexts": CONTEXTS}
