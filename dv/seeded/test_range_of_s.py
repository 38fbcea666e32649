# SPDX-License-Identifier: Apache-2.0
"""The range of S on the core, at its very ends.

With A the neutral element the equation is [S]B = R for every message, so that each of these
signatures satisfies it and only the comparison of S with L decides.
"""

from __future__ import annotations

from collections import Counter

from dv.edverify.edverify_core import Core, check, judged
from pointmill.model import edwards, scalar
from pointmill.model.scalar import L
from pointmill.rules import Reason
from vectors.ed25519_vectors import Case

BELOW = [0, 1, 2**252 - 1, 2**252, L - 2, L - 1]
BEYOND = [L, L + 1, L + 2**125, 2 * L - 1, 2 * L, 2**253, 8 * L, 15 * L, 2**256 - 1]


def signature(s: int) -> Case:
    """S = s and R = [s]B under the neutral element as key."""
    r = edwards.encode(edwards.multiply(s % L, edwards.BASE))
    return Case(edwards.encode(edwards.NEUTRAL), b"", r + scalar.to_bytes(s), {}, "range", hex(s))


def test_both_sides_of_l() -> None:
    core = Core()
    found = {}
    for name, values in (("below", BELOW), ("beyond", BEYOND)):
        results = check(core, judged(signature(s) for s in values))
        found[name] = Counter(Reason(result.reason) for result in results)
    core.close()
    assert found["beyond"] == {Reason.s_out_of_range: 6 * len(BEYOND)}
    # Two of the six rule sets refuse such a key.
    assert found["below"] == {Reason.ok: 4 * len(BELOW), Reason.small_order_a: 2 * len(BELOW)}
