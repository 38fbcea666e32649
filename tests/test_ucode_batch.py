# SPDX-License-Identifier: Apache-2.0
"""The two programs of a batch on the microcode simulator, against the golden model."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from dv.edverify.batch_units import PARTS, Batch, Prepared, prepare
from pointmill.model import edwards
from pointmill.model.ed25519 import public_key, sign, verify_all
from pointmill.model.scalar import L
from pointmill.rules import Reason
from pointmill.ucode.assembler import AssemblyError, assemble
from pointmill.ucode.build import build
from pointmill.ucode.machine import Machine, P
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_cases

RULES = ("rfc8032_cofactored", "zip215")


@cache
def honest(count: int, seed: int = 1) -> list[Case]:
    rng = random.Random(seed)
    keys = [rng.randbytes(32) for _ in range(count)]
    messages = [rng.randbytes(20) for _ in range(count)]
    return [Case(public_key(d), m, sign(d, m), {}, "signed", "") for d, m in zip(keys, messages)]


def multipliers(count: int, seed: int = 2) -> list[int]:
    rng = random.Random(seed)
    return [rng.randrange(1, 2**128) for _ in range(count)]


def check_tables(case: Case, prepared: Prepared) -> None:
    """Entry i of a table is the multiple 2 i + 1, and its Z is 1 for the first one."""
    for base, encoded in ((0, case.pk), (4, case.sig[:32])):
        point = edwards.decode(encoded, False)
        assert point is not None
        for i in range(4):
            x, y = edwards.to_affine(edwards.multiply(2 * i + 1, point))
            z = prepared.tables["z2"].get(base + i, 2) * pow(2, -1, P) % P
            yp, ym, t2d = (prepared.tables[part][base + i] for part in PARTS[:3])
            assert (yp - z * (y + x)) % P == (ym - z * (y - x)) % P == 0
            assert (t2d - 2 * edwards.D * x * y % P * z) % P == 0
    assert prepared.tables["z2"].keys() == {1, 2, 3, 5, 6, 7}


@pytest.mark.parametrize("rule", RULES)
def test_prepare_refuses_as_the_golden_model(rule: str) -> None:
    """All reasons but that of the equation; tables of what is not refused."""
    reasons: Counter[Reason] = Counter()
    for case in hostile_cases(104, seed=3):
        verdict = verify_all(case.pk, case.msg, case.sig)[rule]
        expected = Reason.ok if verdict.reason == Reason.equation_fails else verdict.reason
        prepared = prepare(rule, case)
        assert Reason(prepared.run.reason) == expected, case.id
        reasons[expected] += 1
        if expected == Reason.ok:
            check_tables(case, prepared)
    assert reasons.total() == 104
    assert reasons.keys() == {
        Reason.ok, Reason.s_out_of_range, Reason.a_not_decodable, Reason.r_not_decodable}  # fmt: skip


@pytest.mark.parametrize("place", range(3))
def test_sum_sees_one_forged_signature_at_any_place(place: int) -> None:
    signatures = [prepare("zip215", case) for case in honest(3)]
    weights = multipliers(3)
    assert Batch(signatures, weights).run().reason == Reason.ok
    forged = signatures.copy()
    one = forged[place]
    forged[place] = Prepared((one.s + 1) % L, one.k, one.run, one.tables)
    assert Batch(forged, weights).run().reason == Reason.equation_fails


def test_cancelling_forgeries_need_multipliers() -> None:
    """Two forgeries whose errors cancel: seen by random multipliers, not by equal ones."""
    first, second = (prepare("zip215", case) for case in honest(2))
    pair = [Prepared((one.s + error) % L, one.k, one.run, one.tables)
            for one, error in ((first, 5), (second, -5))]  # fmt: skip
    assert Batch(pair, multipliers(2)).run().reason == Reason.equation_fails
    assert Batch(pair, [1, 1]).run().reason == Reason.ok


def test_sum_follows_the_cofactored_equation() -> None:
    """Each hostile signature that is prepared, in a batch with an honest one."""
    other = prepare("zip215", honest(1)[0])
    reasons: Counter[Reason] = Counter()
    for case in hostile_cases(52, seed=4):
        reason = verify_all(case.pk, case.msg, case.sig)["zip215"].reason
        if reason in (Reason.ok, Reason.equation_fails):
            signatures = [prepare("zip215", case), other]
            assert Batch(signatures, multipliers(2)).run().reason == reason, case.id
            reasons[reason] += 1
    assert reasons.keys() == {Reason.ok, Reason.equation_fails}
    assert reasons.total() == 36


# ---- what it costs ------------------------------------------------------------------------------

@pytest.mark.parametrize("count, preparation, of_sum", [
    (4, (2_519, 2_465), (4_369, 4_365)),
    (8, (5_035, 4_928), (6_699, 6_695)),
    (16, (10_080, 9_860), (11_529, 11_525)),
    (64, (40_317, 39_421), (40_187, 40_183)),
])  # fmt: skip
def test_what_honest_signatures_cost(count: int, preparation: tuple[int, int], of_sum: tuple[int, int]) -> None:
    """Words and products of the preparation of all, and of the sum."""
    signatures = [prepare("zip215", case) for case in honest(count, seed=6)]
    assert all(one.run.reason == Reason.ok for one in signatures)
    runs = [one.run for one in signatures]
    assert (sum(run.cycles for run in runs), sum(run.products for run in runs)) == preparation
    run = Batch(signatures, multipliers(count)).run()
    assert run.reason == Reason.ok
    assert (run.cycles, run.products) == of_sum


def test_every_word_takes_one_slot() -> None:
    for name in ("batch_prepare", "batch_sum"):
        _, _, schedules, rom = build("edverify", name, "bulk")
        assert not any(word.get("delay") for word in rom.words)
        assert all(schedule.length == rom.owner.count(name) for name, schedule in schedules.items())


# ---- the assembler ------------------------------------------------------------------------------


@pytest.mark.parametrize("line, what", [
    ("t = xa * xa start store_yp[8]", "no side unit"),
    ("t = xa * xa start store_yp", "no side unit"),
    ("t = xa + xa start store_yp[0]", "cannot be started"),
    ("start store_yp xa", "no side unit"),
    ("start store_yp[0]", "wants 1 operands"),
])  # fmt: skip
def test_wrong_stores_are_refused(line: str, what: str, tmp_path, monkeypatch) -> None:
    machine = Machine("edverify", "bulk")
    machine.path = tmp_path / "bulk.yaml"
    (tmp_path / "wrong.pmu").write_text(f"global mul xa\nblock b\n  {line}\nend\n")
    with pytest.raises(AssemblyError, match=what):
        assemble(machine, "wrong")


def test_a_store_rides_on_its_product() -> None:
    """Of 30 stores 22 share a word with a product, whose first factor is what they store."""
    machine, _, _, rom = build("edverify", "batch_prepare", "bulk")
    start = machine.isa.control["start"]
    stores = [word for word in rom.words if word.get("ctl_op") == start]
    assert sorted(word["ctl_arg"] for word in stores) == [
        i for i in range(32, 64) if i not in (56, 60)]  # fmt: skip
    assert sum(word.get("mul_en", 0) for word in stores) == 22
