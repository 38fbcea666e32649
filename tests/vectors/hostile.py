# SPDX-License-Identifier: Apache-2.0
"""Signatures made to tell the rule sets, and wrong implementations, apart.

Every case is built from scalars that are known: A = aB + T[i] and R = rB + T[j], where T[1] has
order 8 and S = r + ka mod L. Then [S]B - [k]A - R = -(ki + j)T[1], so that the cofactored equation
always holds and the cofactorless one exactly if ki + j = 0 mod 8. The verdicts under all rule sets
are computed by the golden model.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator

from pointmill.model import edwards, scalar
from pointmill.model.ed25519 import verify_all
from pointmill.model.edwards import BASE, TORSION, Point
from pointmill.model.field25519 import P
from pointmill.model.scalar import L

from .ed25519_vectors import Case

Signature = tuple[bytes, bytes, bytes]
"""Public key, message, signature."""

_BLOCK_EDGES = (0, 1, 46, 47, 48, 62, 63, 64, 65, 111, 112, 127, 128, 175, 176, 191, 192)
"""Message lengths around which padding or the number of SHA-512 blocks changes (R and A take the
first 64 bytes), or where a 64-byte word of data just ends."""


class _Source:
    """Random material of one case."""

    def __init__(self, seed: str, max_message: int) -> None:
        self.rng = random.Random(seed)
        self.max_message = max_message

    def scalar(self) -> int:
        """Uniform in [1, L)."""
        return self.rng.randrange(1, L)

    def torsion(self) -> int:
        """Uniform in 1..7."""
        return self.rng.randrange(1, 8)

    def message(self) -> bytes:
        """A message of 0..max_message bytes, mostly short and often of an awkward length."""
        draw = self.rng.random()
        if draw < 0.3:
            length = self.rng.choice(_BLOCK_EDGES)
        elif draw < 0.97:
            length = self.rng.randrange(300)
        else:
            length = self.rng.randrange(self.max_message + 1)
        return self.rng.randbytes(min(length, self.max_message))


def _k_full(r_bytes: bytes, pk: bytes, msg: bytes) -> int:
    """SHA-512(R, A, message), not reduced."""
    return scalar.from_bytes(hashlib.sha512(r_bytes + pk + msg).digest())


def _point(n: int, i: int = 0) -> Point:
    """nB + T[i]."""
    return edwards.add(edwards.multiply(n, BASE), TORSION[i])


def spellings(point: Point) -> list[bytes]:
    """All 32-byte strings that a lenient decoder takes for the point, the canonical one first."""
    x, y = edwards.to_affine(point)
    signs = (x & 1, 1 - (x & 1)) if x == 0 else (x & 1,)
    ys = (y, y + P) if y + P < 2**255 else (y,)
    return [(v | s << 255).to_bytes(32, "little") for v in ys for s in signs]


def _finish(a: int, pk: bytes, r: int, r_bytes: bytes, msg: bytes) -> Signature:
    """The signature with S = r + ka mod L."""
    s = (r + _k_full(r_bytes, pk, msg) % L * a) % L
    return pk, msg, r_bytes + scalar.to_bytes(s)


def _grind(
    source: _Source, pk: bytes, r_bytes: bytes, wanted: Callable[[int], bool]
) -> bytes:
    """A message whose unreduced k is as wanted; its last 8 bytes are searched."""
    head = source.message()[:-8]
    while True:
        msg = head + source.rng.randbytes(min(8, source.max_message))
        if wanted(_k_full(r_bytes, pk, msg)):
            return msg


def _torsion_pair(
    source: _Source, a: int, i: int, r: int, j: int, wanted: Callable[[int], bool] | None = None
) -> Signature:
    """A = aB + T[i], R = rB + T[j], canonical, over a ground message if `wanted` is given."""
    pk, r_bytes = edwards.encode(_point(a, i)), edwards.encode(_point(r, j))
    msg = _grind(source, pk, r_bytes, wanted) if wanted else source.message()
    return _finish(a, pk, r, r_bytes, msg)


def _honest(source: _Source) -> Signature:
    """A valid signature of an honest key."""
    return _torsion_pair(source, source.scalar(), 0, source.scalar(), 0)


def _flip(data: bytes, bit: int) -> bytes:
    """data with one bit changed."""
    return (int.from_bytes(data, "little") ^ 1 << bit).to_bytes(len(data), "little")


def _off_curve(source: _Source) -> bytes:
    """A canonical 32-byte string that is no point."""
    while True:
        data = scalar.to_bytes(source.rng.randrange(P) | source.rng.getrandbits(1) << 255)
        if edwards.decode(data, strict=False) is None:
            return data


def _flipped_key(source: _Source) -> Signature:
    pk, msg, sig = _honest(source)
    return _flip(pk, source.rng.randrange(256)), msg, sig


def _flipped_r(source: _Source) -> Signature:
    pk, msg, sig = _honest(source)
    return pk, msg, _flip(sig, source.rng.randrange(256))


def _flipped_s(source: _Source) -> Signature:
    pk, msg, sig = _honest(source)
    return pk, msg, _flip(sig, 256 + source.rng.randrange(256))


def _flipped_message(source: _Source) -> Signature:
    pk, msg, sig = _honest(source)
    return pk, (_flip(msg, source.rng.randrange(8 * len(msg))) if msg else b"\0"), sig


def _negated_r(source: _Source) -> Signature:
    """R of the opposite sign, S made for it: the equation holds only if signs are ignored."""
    a, r = source.scalar(), source.scalar()
    pk, r_bytes = edwards.encode(_point(a)), _flip(edwards.encode(_point(r)), 255)
    return _finish(a, pk, r, r_bytes, source.message())


def _s_plus_l(source: _Source) -> Signature:
    """A valid signature with a multiple of L added to S."""
    pk, msg, sig = _honest(source)
    s = scalar.from_bytes(sig[32:])
    s += source.rng.randrange(1, (2**256 - 1 - s) // L + 1) * L
    return pk, msg, sig[:32] + scalar.to_bytes(s)


def _s_beyond(source: _Source) -> Signature:
    """S at or above L, at values where a shortened comparison goes wrong."""
    pk, msg, sig = _honest(source)
    edges = (L, L + 1, L + 2**64, L | 2**125, 2**252 + 2**128, 2**253 - 1, 2**253, 2**254)
    s = source.rng.choice((*edges, 2**255, P, 2**256 - 1, source.rng.randrange(L, 2**256)))
    return pk, msg, sig[:32] + scalar.to_bytes(s)


def _mixed_a(source: _Source) -> Signature:
    return _torsion_pair(source, source.scalar(), source.torsion(), source.scalar(), 0)


def _mixed_r(source: _Source) -> Signature:
    return _torsion_pair(source, source.scalar(), 0, source.scalar(), source.torsion())


def _mixed_both(source: _Source) -> Signature:
    return _torsion_pair(
        source, source.scalar(), source.torsion(), source.scalar(), source.torsion()
    )


def _mixed_cancelling(source: _Source) -> Signature:
    """Mixed order whose torsion parts cancel: valid without the cofactor too."""
    i = source.torsion()
    j = source.rng.choice([-i * n % 8 for n in range(8)])
    a, r = source.scalar(), source.scalar()
    return _torsion_pair(source, a, i, r, j, lambda k: (k % L * i + j) % 8 == 0)


def _k_not_reduced(source: _Source) -> Signature:
    """k mod L and k itself act differently on the torsion of A: one of them satisfies the
    cofactorless equation, the other does not."""
    i = source.torsion()
    j = source.rng.choice([-i * n % 8 for n in range(8)])
    a, r = source.scalar(), source.scalar()

    def wanted(k: int) -> bool:
        return ((k % L * i + j) % 8 == 0) != ((k * i + j) % 8 == 0)

    return _torsion_pair(source, a, i, r, j, wanted)


def _small_a(source: _Source) -> Signature:
    """A of small order in any spelling; S = r. Half of them satisfy the cofactorless equation."""
    i, r = source.rng.randrange(8), source.scalar()
    pk = source.rng.choice(spellings(TORSION[i]))
    r_bytes = edwards.encode(_point(r))
    if source.rng.random() < 0.5:
        return _finish(0, pk, r, r_bytes, source.message())
    return _finish(0, pk, r, r_bytes, _grind(source, pk, r_bytes, lambda k: k % L * i % 8 == 0))


def _small_r(source: _Source) -> Signature:
    """R of small order in any spelling under an honest key."""
    a = source.scalar()
    r_bytes = source.rng.choice(spellings(TORSION[source.rng.randrange(8)]))
    return _finish(a, edwards.encode(_point(a)), 0, r_bytes, source.message())


def _small_both(source: _Source) -> Signature:
    """A and R of small order, S = 0."""
    pk, r_bytes = (
        source.rng.choice(spellings(TORSION[source.rng.randrange(8)])) for _ in range(2)
    )
    return _finish(0, pk, 0, r_bytes, source.message())


def _minus_zero(source: _Source) -> Signature:
    """x = 0 with the sign bit set, in A or R or both."""
    a, r = source.scalar(), source.scalar()
    pk, r_bytes = edwards.encode(_point(a)), edwards.encode(_point(r))
    where = source.rng.choice("AR2")
    if where in "A2":
        a, pk = 0, _flip(edwards.encode(TORSION[source.rng.choice((0, 4))]), 255)
    if where in "R2":
        r, r_bytes = 0, _flip(edwards.encode(TORSION[source.rng.choice((0, 4))]), 255)
    return _finish(a, pk, r, r_bytes, source.message())


def _beyond_p(source: _Source) -> bytes:
    """A 32-byte string with p <= y < 2^255; some are points when y is taken mod p."""
    return scalar.to_bytes(P + source.rng.randrange(19) | source.rng.getrandbits(1) << 255)


def _a_beyond_p(source: _Source) -> Signature:
    _, msg, sig = _honest(source)
    return _beyond_p(source), msg, sig


def _r_beyond_p(source: _Source) -> Signature:
    a = source.scalar()
    return _finish(a, edwards.encode(_point(a)), 0, _beyond_p(source), source.message())


def _a_off_curve(source: _Source) -> Signature:
    _, msg, sig = _honest(source)
    return _off_curve(source), msg, sig


def _r_off_curve(source: _Source) -> Signature:
    a = source.scalar()
    return _finish(a, edwards.encode(_point(a)), 0, _off_curve(source), source.message())


def _extreme_s(source: _Source) -> Signature:
    """Extreme S, reachable because A is torsion; the cofactorless equation holds."""
    rng = source.rng
    run = (2 ** rng.randrange(1, 252) - 1) << rng.randrange(0, 64)
    s = rng.choice((0, 1, 2, 3, 511, 512, L - 1, L - 2, 2**252, 2**252 - 1, L // 3, run % L))
    i = rng.randrange(8)
    j = rng.choice([-i * n % 8 for n in range(8)])
    return _torsion_pair(source, 0, i, s, j, lambda k: (k % L * i + j) % 8 == 0)


def _near_base(source: _Source) -> Signature:
    """Keys and nonces that are small multiples of the base point, up to sign, so that additions
    meet equal, opposite and neutral points."""
    a, r = (source.rng.choice((1, 2, 3, 5, 15, 511, 512)) for _ in range(2))
    a, r = (source.rng.choice((n, L - n)) for n in (a, r))
    return _torsion_pair(source, a, 0, source.rng.choice((r, a, L - a, 0)), 0)


def _several_faults(source: _Source) -> Signature:
    """Two or more faults at once: only the order of the reasons decides which is reported."""
    pk, msg, sig = _honest(source)
    r_bytes, s_bytes = sig[:32], sig[32:]
    faults = source.rng.sample("sarAR", source.rng.randrange(2, 5))
    if "a" in faults:
        pk = _off_curve(source)
    elif "A" in faults:
        pk = source.rng.choice(spellings(TORSION[source.rng.randrange(8)]))
    if "r" in faults:
        r_bytes = _off_curve(source)
    elif "R" in faults:
        r_bytes = source.rng.choice(spellings(TORSION[source.rng.randrange(8)]))
    if "s" in faults:
        s_bytes = scalar.to_bytes(source.rng.randrange(L, 2**256))
    return pk, msg, r_bytes + s_bytes


def _other_key(source: _Source) -> Signature:
    """A valid signature under the key of somebody else."""
    _, msg, sig = _honest(source)
    return edwards.encode(_point(source.scalar())), msg, sig


def _random_bytes(source: _Source) -> Signature:
    return source.rng.randbytes(32), source.message(), source.rng.randbytes(64)


CATEGORIES: dict[str, Callable[[_Source], Signature]] = {
    make.__name__[1:]: make
    for make in (
        _honest, _flipped_key, _flipped_r, _flipped_s, _flipped_message, _negated_r,
        _s_plus_l, _s_beyond, _mixed_a, _mixed_r, _mixed_both, _mixed_cancelling,
        _k_not_reduced, _small_a, _small_r, _small_both, _minus_zero, _a_beyond_p,
        _r_beyond_p, _a_off_curve, _r_off_curve, _extreme_s, _near_base, _several_faults,
        _other_key, _random_bytes,
    )
}  # fmt: skip


def hostile_case(index: int, seed: int = 0, max_message: int = 2048) -> Case:
    """The case of this index: categories take turns, so 26 in a row hold each of them once.

    It depends on index, seed and max_message alone. max_message >= 8 is the longest message;
    3 % of the messages have any length up to it. 3 to 8 ms each.
    """
    if max_message < 8:
        raise ValueError("max_message is at least 8: some messages have to be searched for")
    category = list(CATEGORIES)[index % len(CATEGORIES)]
    source = _Source(f"{seed}/{index}", max_message)
    pk, msg, sig = CATEGORIES[category](source)
    answers = verify_all(pk, msg, sig)
    return Case(
        pk, msg, sig, {name: verdict.valid for name, verdict in answers.items()},
        "hostile", f"{seed}/{index} {category}", answers["zip215"].k, category,
    )  # fmt: skip


def hostile_cases(count: int, seed: int = 0, max_message: int = 2048) -> Iterator[Case]:
    """The cases of index 0 to count - 1."""
    return (hostile_case(index, seed, max_message) for index in range(count))


# ---- keys and R of mixed order --------------------------------------------------------------------

MIXED_PAIRS = [(i, j) for i in range(8) for j in range(8) if (i, j) != (0, 0)]
"""Torsion parts of A and R, as indices into TORSION: at least one point is of mixed order."""


def _forged(source: _Source, signature: Signature, kind: str) -> Signature:
    """The signature with one change in its part of order L; nothing is of another order than before."""
    pk, msg, sig = signature
    r_bytes, s = sig[:32], scalar.from_bytes(sig[32:])

    def moved(data: bytes) -> bytes:
        return edwards.encode(edwards.add(edwards.decode(data, True), _point(source.scalar())))

    if kind == "s":
        s = (s + source.scalar()) % L
    elif kind == "key":
        pk = moved(pk)
    elif kind == "r":
        r_bytes = moved(r_bytes)
    else:
        msg = _flip(msg, source.rng.randrange(8 * len(msg))) if msg else b"\0"
    return pk, msg, r_bytes + scalar.to_bytes(s)


def mixed_order_case(index: int, seed: int = 0) -> Case:
    """The case of this index: A = aB + T[i], R = rB + T[j]; pairs (i, j) take turns, so that 126 in a
    row hold each of them with an even index, genuine, and with an odd one, forged; 1008 in a row hold
    each with every forgery and with every search.

    Every rule refuses a forged one. A genuine one satisfies the cofactored equation always and the
    cofactorless one if ki + j = 0 mod 8, for which the message of every second pair is searched where
    such a k exists. id is "seed/index A+i R+j", category "genuine" or what was forged.
    """
    source = _Source(f"mixed/{seed}/{index}", 300)
    turn, forged = divmod(index, 2)
    i, j = MIXED_PAIRS[turn % len(MIXED_PAIRS)]
    holds = turn % 2 == 0 and any((k * i + j) % 8 == 0 for k in range(8))
    signature = _torsion_pair(source, source.scalar(), i, source.scalar(), j,
                              (lambda k: (k % L * i + j) % 8 == 0) if holds else None)
    category = "genuine"
    if forged:
        category = ("s", "key", "r", "message")[turn // 2 % 4]
        signature = _forged(source, signature, category)
    pk, msg, sig = signature
    answers = verify_all(pk, msg, sig)
    return Case(
        pk, msg, sig, {name: verdict.valid for name, verdict in answers.items()},
        "mixed order", f"{seed}/{index} A+{i} R+{j}", answers["zip215"].k, category,
    )  # fmt: skip
