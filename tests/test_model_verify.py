# SPDX-License-Identifier: Apache-2.0
"""The six rule sets of the golden model: reasons, precedence, relations between rules, and hostile
signatures whose verdicts follow from how they were made."""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings, strategies as st

from pointmill.model import ed25519, edwards, naf
from pointmill.model.ed25519 import Examination, Verdict, verify, verify_all
from pointmill.model.edwards import BASE, TORSION
from pointmill.model.scalar import L, in_range, to_bytes
from pointmill.rules import RULES, Reason, find_rule
from vectors.ed25519_vectors import Case
from vectors.hostile import CATEGORIES, MIXED_PAIRS, hostile_case, hostile_cases, mixed_order_case

COUNT = 26 * 30
STRICT_R = {"rfc8032_cofactorless", "rfc8032_cofactored"}
COFACTORED = {"rfc8032_cofactored", "zip215"}

# What each category's construction implies, whatever the model says: True or False for all rules,
# or the set of the rules that accept. Categories not listed depend on the draw.
IMPLIED: dict[str, bool | set[str]] = {
    "honest": True,
    "flipped_key": False,
    "flipped_r": False,
    "flipped_s": False,
    "flipped_message": False,
    "negated_r": False,
    "s_plus_l": False,
    "s_beyond": False,
    "mixed_r": COFACTORED,
    "mixed_cancelling": True,
    "a_off_curve": False,
    "r_off_curve": False,
    "extreme_s": {"rfc8032_cofactorless", "rfc8032_cofactored", "zip215", "ref10_bytes"},
    "other_key": False,
    "random_bytes": False,
}


@pytest.fixture(scope="module")
def hostile() -> list[Case]:
    return list(hostile_cases(COUNT, seed=1))


@pytest.fixture(scope="module")
def answers(hostile: list[Case]) -> list[dict[str, Verdict]]:
    return [verify_all(case.pk, case.msg, case.sig) for case in hostile]


def check_implied(case: Case) -> None:
    """The rules that accept a case of a category in IMPLIED are those its construction implies."""
    implied = IMPLIED[case.category]
    if isinstance(implied, bool):
        implied = set(RULES) if implied else set()
    assert {name for name, valid in case.verdicts.items() if valid} == implied, case.id


def decodes(data: bytes, strict: bool) -> bool:
    return edwards.decode(data, strict) is not None


def test_rules_and_reasons_of_the_data_file() -> None:
    assert [(rule.id, name) for name, rule in RULES.items()] == [
        (1, "rfc8032_cofactorless"),
        (2, "rfc8032_cofactored"),
        (3, "zip215"),
        (4, "ref10_bytes"),
        (5, "dalek_strict"),
        (6, "libsodium"),
    ]
    assert {name for name, rule in RULES.items() if rule.cofactored} == COFACTORED
    assert {name for name, rule in RULES.items() if rule.strict_r} == STRICT_R
    assert [reason.name for reason in Reason] == [
        "ok", "malformed_job", "s_out_of_range", "a_not_decodable", "r_not_decodable",
        "small_order_a", "small_order_r", "equation_fails", "aborted", "message_too_long", "secret_refused",
        "fault_detected",
    ]  # fmt: skip
    assert find_rule(3) is find_rule("zip215") is find_rule(RULES["zip215"])
    for unknown in (0, 7, "rfc8032"):
        with pytest.raises(KeyError, match="known are 1 rfc8032_cofactorless"):
            find_rule(unknown)


def test_malformed_jobs() -> None:
    pk, sig = ed25519.public_key(bytes(32)), ed25519.sign(bytes(32), b"m")
    for rule in RULES:
        assert verify(rule, pk, b"m", sig).valid
        for bad_pk, bad_sig in ((pk[:31], sig), (pk + b"\0", sig), (pk, sig[:63]), (pk, b"")):
            verdict = verify(rule, bad_pk, b"m", bad_sig)
            assert verdict == Verdict(False, Reason.malformed_job)
            assert verify_all(bad_pk, b"m", bad_sig)[rule] == verdict
    for illegal in (0, 7, 255):
        assert verify(illegal, pk, b"m", sig).reason == Reason.malformed_job
    with pytest.raises(KeyError):
        verify("strict", pk, b"m", sig)
    with pytest.raises(ValueError, match="32 bytes"):
        Examination(pk[:31], b"m", sig)


def test_hostile_is_deterministic(hostile: list[Case]) -> None:
    assert len(hostile) == COUNT and len(CATEGORIES) == 26
    assert Counter(case.category for case in hostile) == dict.fromkeys(CATEGORIES, COUNT // 26)
    assert hostile[17] == hostile_case(17, seed=1) != hostile_case(17, seed=2)
    assert len({case.sig + case.pk + case.msg for case in hostile}) > COUNT * 0.95
    with pytest.raises(ValueError, match="at least 8"):
        hostile_case(0, max_message=7)


def test_mixed_order_cases() -> None:
    """Each pair of torsion parts genuine and forged, as the points say; verdicts as the construction
    implies: none for the forged, [8] the same for the genuine, without it where ki + j = 0 mod 8."""
    cases = [mixed_order_case(index, seed=7) for index in range(126)]
    assert cases[5] == mixed_order_case(5, seed=7) != mixed_order_case(5, seed=8)
    assert Counter(case.category for case in cases) == {
        "genuine": 63, "s": 16, "key": 16, "r": 16, "message": 15}  # fmt: skip
    accepted = Counter()
    for index, case in enumerate(cases):
        i, j = MIXED_PAIRS[index // 2]
        for data, torsion in ((case.pk, i), (case.sig[:32], j)):
            part = edwards.multiply(L, edwards.decode(data, strict=True))
            assert edwards.equal(part, edwards.multiply(L, TORSION[torsion])), case.id
        expected = set()
        if case.category == "genuine":
            expected = set(RULES) if (case.k * i + j) % 8 == 0 else COFACTORED
        assert {name for name, valid in case.verdicts.items() if valid} == expected, case.id
        accepted[len(expected)] += 1
    assert accepted[0] == 63 and accepted[6] >= 20 and accepted[2] >= 20


def test_hostile_message_lengths() -> None:
    longest = max(len(case.msg) for case in hostile_cases(26 * 8, seed=5, max_message=100_000))
    assert 2048 < longest <= 100_000
    assert all(len(case.msg) <= 8 for case in hostile_cases(26, seed=5, max_message=8))


def test_hostile_verdicts_follow_from_the_construction(hostile: list[Case]) -> None:
    checked = Counter()
    for case in hostile:
        if case.category in IMPLIED:
            check_implied(case)
            checked[case.category] += 1
    assert checked == dict.fromkeys(IMPLIED, COUNT // 26)


def test_hostile_reaches_every_reason_under_every_rule(
    hostile: list[Case], answers: list[dict[str, Verdict]]
) -> None:
    seen = defaultdict(set)
    for case, verdicts in zip(hostile, answers, strict=True):
        assert case.k == verdicts["zip215"].k
        for name, verdict in verdicts.items():
            assert verdict.valid == (verdict.reason == Reason.ok) == case.verdicts[name]
            seen[name].add(verdict.reason)
    for name, rule in RULES.items():
        possible = {Reason.ok, Reason.s_out_of_range, Reason.a_not_decodable, Reason.equation_fails}
        possible |= {Reason.r_not_decodable} if rule.decode_r else set()
        possible |= {Reason.small_order_a} if rule.small_a else set()
        possible |= {Reason.small_order_r} if rule.small_r else set()
        assert seen[name] == possible, name


def test_every_two_rules_are_told_apart(hostile: list[Case]) -> None:
    rows = [tuple(case.verdicts.values()) for case in hostile]
    for i in range(6):
        for j in range(i):
            if {i, j} != {4, 5}:
                assert any(row[i] != row[j] for row in rows), (i, j)


def test_dalek_strict_and_libsodium_differ_in_reasons(answers: list[dict[str, Verdict]]) -> None:
    """An accepting difference would need the discrete logarithm of a point with y < 19; what is
    told apart is the reason, where A has a non-canonical encoding."""
    pairs = {(v["dalek_strict"].reason, v["libsodium"].reason) for v in answers}
    assert (Reason.small_order_a, Reason.a_not_decodable) in pairs
    assert (Reason.r_not_decodable, Reason.equation_fails) in pairs


def test_relations_between_rules(hostile: list[Case]) -> None:
    """Implications that follow from the definitions, on every hostile case.

    cofactorless needs the same decodings as cofactored and an equation that implies the other's;
    strict decoding implies lenient decoding to the same point; a canonical R equals Q as a point
    exactly if it does as bytes.
    """
    implications = (
        ("rfc8032_cofactorless", "rfc8032_cofactored"),
        ("rfc8032_cofactored", "zip215"),
        ("rfc8032_cofactorless", "ref10_bytes"),
        ("ref10_bytes", "zip215"),
        ("dalek_strict", "zip215"),
        ("libsodium", "rfc8032_cofactorless"),
        ("libsodium", "dalek_strict"),
    )
    held = Counter()
    for case in hostile:
        v = case.verdicts
        for stronger, weaker in implications:
            assert not v[stronger] or v[weaker], (case.id, stronger, weaker)
            held[stronger, weaker] += v[stronger]
        strict_a = decodes(case.pk, strict=True)
        assert v["rfc8032_cofactorless"] == (v["ref10_bytes"] and strict_a)
        small = edwards.is_small_order(case.pk) or edwards.is_small_order(case.sig[:32])
        assert v["libsodium"] == (v["rfc8032_cofactorless"] and not small)
        strict_r = decodes(case.sig[:32], strict=True)
        assert v["rfc8032_cofactored"] == (v["zip215"] and strict_a and strict_r)
    assert all(held[pair] > 20 for pair in implications)


def test_reasons_are_reported_in_order(
    hostile: list[Case], answers: list[dict[str, Verdict]]
) -> None:
    """Every reason that applies is computed on its own here; the lowest number must be reported."""
    several = 0
    for case, verdicts in zip(hostile, answers, strict=True):
        a, r, s = case.pk, case.sig[:32], int.from_bytes(case.sig[32:], "little")
        for name, rule in RULES.items():
            faults = {
                Reason.s_out_of_range: not in_range(s),
                Reason.a_not_decodable: not decodes(a, rule.strict_a),
                Reason.r_not_decodable: rule.decode_r and not decodes(r, rule.strict_r),
                Reason.small_order_a: rule.small_a and edwards.is_small_order(a),
                Reason.small_order_r: rule.small_r and edwards.is_small_order(r),
            }
            applying = [reason for reason, applies in faults.items() if applies]
            several += len(applying) > 1
            if applying:
                assert verdicts[name].reason == min(applying), (case.id, name)
            else:
                assert verdicts[name].reason in (Reason.ok, Reason.equation_fails)
    assert several > 20


def test_k_is_reduced_before_it_multiplies(hostile: list[Case]) -> None:
    """Where A is of mixed order, k and k mod L give different points: with the unreduced k the
    cofactorless verdicts of this category would all turn round."""
    verdicts = Counter()
    for case in hostile:
        if case.category != "k_not_reduced":
            continue
        k = int.from_bytes(hashlib.sha512(case.sig[:32] + case.pk + case.msg).digest(), "little")
        minus_a = edwards.negate(edwards.decode(case.pk, strict=True))
        s = int.from_bytes(case.sig[32:], "little")
        unreduced = edwards.encode(edwards.double_multiply(s, BASE, k, minus_a)) == case.sig[:32]
        assert case.k == k % L != k
        assert case.verdicts["ref10_bytes"] != unreduced
        assert case.verdicts["zip215"]
        verdicts[unreduced] += 1
    assert verdicts[True] > 3 and verdicts[False] > 3


def test_interleaved_naf_gives_the_same_q(hostile: list[Case]) -> None:
    """The paper's way to [S]B - [k]A against the plain one that the verdicts are made with."""
    fixed = naf.odd_multiples(BASE, 10)
    compared = 0
    for case in hostile[::4]:
        examination = Examination(case.pk, case.msg, case.sig)
        a = examination.point(case.pk, strict=False)
        if a and in_range(examination.s):
            q, _ = naf.multiply_subtract(examination.s, examination.k, a, fixed=fixed)
            assert edwards.encode(q) == examination.q_bytes
            compared += 1
    assert compared > COUNT // 8


def test_verdict_carries_q_and_k() -> None:
    seed = bytes(range(32))
    pk, sig = ed25519.public_key(seed), ed25519.sign(seed, b"pointmill")
    verdict = verify("ref10_bytes", pk, b"pointmill", sig)
    assert verdict.q == sig[:32] and verdict.k == Examination(pk, b"pointmill", sig).k
    refused = verify("ref10_bytes", pk, b"pointmill", sig[:32] + to_bytes(L))
    assert (refused.reason, refused.q) == (Reason.s_out_of_range, None)


@settings(max_examples=25, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=300), st.data())
def test_signing_and_one_flipped_bit(seed: bytes, msg: bytes, data: st.DataObject) -> None:
    pk, sig = ed25519.public_key(seed), ed25519.sign(seed, msg)
    assert all(verdict.valid for verdict in verify_all(pk, msg, sig).values())
    job = bytearray(pk + sig + msg)
    bit = data.draw(st.integers(0, 8 * len(job) - 1))
    job[bit // 8] ^= 1 << bit % 8
    tampered = verify_all(bytes(job[:32]), bytes(job[96:]), bytes(job[32:96]))
    assert not any(verdict.valid for verdict in tampered.values())


def test_cofactor_tells_mixed_order_apart_by_hand() -> None:
    """One case written out: A = aB + T[2] of order 4L, R = rB + T[j] for every j, one message."""
    rng = random.Random(8032)
    a, r, msg = rng.randrange(L), rng.randrange(L), b"mixed order"
    pk = edwards.encode(edwards.add(edwards.multiply(a, BASE), TORSION[2]))
    accepted = Counter()
    for j in range(8):
        r_bytes = edwards.encode(edwards.add(edwards.multiply(r, BASE), TORSION[j]))
        digest = hashlib.sha512(r_bytes + pk + msg).digest()
        k = int.from_bytes(digest, "little") % L
        verdicts = verify_all(pk, msg, r_bytes + to_bytes((r + k * a) % L))
        cancels = (2 * k + j) % 8 == 0
        for name, verdict in verdicts.items():
            assert verdict.valid == (cancels or name in COFACTORED)
            assert verdict.reason in (Reason.ok, Reason.equation_fails)
        accepted["cofactored"] += verdicts["zip215"].valid
        accepted["cofactorless"] += verdicts["ref10_bytes"].valid
    assert accepted["cofactored"] == 8 and accepted["cofactorless"] < 8


@pytest.mark.long
def test_many_hostile_cases() -> None:
    """20,800 further cases, messages up to 100,000 bytes: the implied verdicts hold."""
    count = 0
    for case in hostile_cases(26 * 800, seed=2, max_message=100_000):
        if case.category in IMPLIED:
            check_implied(case)
        count += 1
    assert count == 20_800
