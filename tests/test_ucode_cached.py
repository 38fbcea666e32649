# SPDX-License-Identifier: Apache-2.0
"""The programs on cached keys on the microcode simulator, against the golden model."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from dv.edverify.cached_units import (
    TABLES,
    WINDOW_A,
    Load,
    Units,
    load,
    simulate,
    simulator,
    tables,
)
from pointmill.cores import EDVERIFY
from pointmill.model import edwards
from pointmill.model.ed25519 import public_key, sign, verify_all
from pointmill.model.edwards import TORSION
from pointmill.model.scalar import L
from pointmill.rules import RULES, Reason
from pointmill.ucode.build import build, link
from pointmill.ucode.simulator import Simulator
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_cases, mixed_order_case

loaded = cache(load)


def kept(key: bytes) -> bool:
    """Whether the tables of a key are kept: the canonical encoding of a point, not of small order."""
    return edwards.decode(key, True) is not None and not edwards.is_small_order(key)


# ---- tables -------------------------------------------------------------------------------------


def check_load(key: bytes, made: Load) -> None:
    point = edwards.decode(key, True)
    assert made.reason == (Reason.a_not_decodable if point is None else Reason.ok)
    assert made.tables == (tables(point, WINDOW_A) if kept(key) else [])


def test_tables_of_honest_keys() -> None:
    rng = random.Random(1)
    for _ in range(12):
        key = public_key(rng.randbytes(32))
        check_load(key, loaded(key))
        assert len(loaded(key).tables) == TABLES


def test_tables_of_hostile_keys() -> None:
    """Mixed order, small order, other spellings, no points; points near the base."""
    keys = {case.pk for case in hostile_cases(130, seed=3)}
    keys |= {mixed_order_case(index, seed=3).pk for index in range(12)}
    keys |= {edwards.encode(point) for point in TORSION}
    for key in keys:
        check_load(key, loaded(key))
    reasons = Counter((loaded(key).reason, bool(loaded(key).tables)) for key in keys)
    assert reasons[Reason.ok, True] > 80
    assert reasons[Reason.ok, False] == 8 and reasons[Reason.a_not_decodable, False] > 10


# ---- verdicts -----------------------------------------------------------------------------------


def check_cases(cases: list[Case]) -> Counter[Reason]:
    """Verdict and reason of every case whose key is kept, under every rule."""
    reasons: Counter[Reason] = Counter()
    for case in cases:
        key = loaded(case.pk).tables
        if not key:
            continue
        for rule, verdict in verify_all(case.pk, case.msg, case.sig).items():
            reason = Reason(simulate(rule, key, case).reason)
            assert reason == verdict.reason, (case.id, rule)
            reasons[reason] += 1
    return reasons


WITH_A_KEY = {Reason.ok, Reason.s_out_of_range, Reason.r_not_decodable, Reason.small_order_r,
              Reason.equation_fails}  # fmt: skip
"""The others are said of keys that are not kept."""


def test_hostile_signatures_under_every_rule() -> None:
    reasons = check_cases(list(hostile_cases(104, seed=4)))
    assert reasons.total() == 6 * sum(kept(case.pk) for case in hostile_cases(104, seed=4)) == 444
    assert reasons.keys() == WITH_A_KEY


def test_mixed_order() -> None:
    """Keys and R of mixed order, half of them forged."""
    reasons = check_cases([mixed_order_case(index, seed=5) for index in range(40)])
    assert reasons.total() == 240 and reasons[Reason.ok] == 56 and reasons[Reason.equation_fails] == 184


@pytest.mark.long
def test_many() -> None:
    assert check_cases(list(hostile_cases(1040, seed=6))).total() > 4500
    assert check_cases([mixed_order_case(index, seed=7) for index in range(400)]).total() > 2000


EDGES = (0, 1, 2, 31, 2**32 - 1, 2**32, 2**251 - 1, 2**252, L - 1, sum(2 ** (32 * i) for i in range(8)))


def test_edge_scalars() -> None:
    """S G - kA for scalars that no hash gives, as R and as R with another sign."""
    rng = random.Random(8)
    a = rng.randrange(L)
    key = edwards.multiply(a, edwards.BASE)
    made = tables(key, WINDOW_A)
    count = 0
    for s in EDGES:
        for k in EDGES:
            point = edwards.add(edwards.multiply(s, edwards.BASE), edwards.multiply(L - k, key))
            right = edwards.encode(point)
            other = (int.from_bytes(right, "little") ^ 1 << 255).to_bytes(32, "little")
            for r, reason in ((right, Reason.ok), (other, Reason.equation_fails)):
                if r == other and (s, k) == (0, 0):
                    reason = Reason.r_not_decodable  # (0, 1) with a sign
                sig = r + s.to_bytes(32, "little")
                units = Units("rfc8032_cofactorless", made, Case(b"", b"", sig, {}, "", ""))
                units.k = k
                assert simulator("cached").run(units.environment()).reason == reason, (s, k)
                count += 1
    assert count == 2 * len(EDGES) ** 2


def test_a_wrong_rom_word_is_seen() -> None:
    """Twelve times: one product of the walk or of what follows is not made, and signatures show it."""
    machine, _, _, rom = build("edverify", "cached", "bulk")
    words = rom.encoded(machine)
    start = 1 << machine.isa.fields["mul_en"].lsb
    products = [i for i, word in enumerate(rom.words) if word.get("mul_en")]
    cases = [case for case in hostile_cases(104, seed=4) if kept(case.pk)]
    for address in random.Random(5).sample(products, 12):
        wrong = [*words[:address], words[address] ^ start, *words[address + 1 :]]
        assert differs(Simulator(machine, wrong, rom.labels), cases), address


def differs(broken: Simulator, cases: list[Case]) -> bool:
    """Whether some case gets another verdict on the changed program under some rule."""
    for case in cases:
        for rule, verdict in verify_all(case.pk, case.msg, case.sig).items():
            units = Units(rule, loaded(case.pk).tables, case, broken)
            if broken.run(units.environment()).reason != verdict.reason:
                return True
    return False


# ---- what it costs ------------------------------------------------------------------------------

LENGTHS = {
    "walk_cached_double": 7, "walk_cached_double_t": 8, "walk_cached_add": 6, "walk_cached_add_t": 7,
}  # fmt: skip
LOADS = {(3019, 2799), (3020, 2800), (3021, 2800), (3022, 2801)}
"""Words and products of a load, by root and sign."""
SAMPLE = 16
COSTS = {
    "rfc8032_cofactorless": 11_615,
    "rfc8032_cofactored": 11_615,
    "zip215": 11_615,
    "ref10_bytes": 11_615,
    "dalek_strict": 11_727,
    "libsodium": 11_727,
}
"""Words of 16 signatures; a change of the program shows here."""


def test_lengths() -> None:
    """As many words as products (bound = length: no schedule is shorter)."""
    _, _, schedules, rom = build("edverify", "cached", "bulk")
    for name, length in LENGTHS.items():
        products = sum(op.unit == "mul" for op in schedules[name].block.ops)
        assert products == length == schedules[name].length == schedules[name].bound
    assert not any(word.get("delay") for word in rom.words)


@pytest.mark.parametrize("rule", RULES)
def test_what_honest_signatures_cost(rule: str) -> None:
    rng = random.Random(6)
    seed = rng.randbytes(32)
    key, total = public_key(seed), 0
    for _ in range(SAMPLE):
        msg = rng.randbytes(20)
        run = simulate(rule, loaded(key).tables, Case(key, msg, sign(seed, msg), {}, "signed", ""))
        assert run.reason == Reason.ok
        total += run.cycles
    assert total == COSTS[rule]


def test_what_a_load_costs() -> None:
    rng = random.Random(9)
    runs = [loaded(public_key(rng.randbytes(32))).run for _ in range(8)]
    found = {(run.cycles, run.products) for run in runs}
    assert len(found) > 1 and found <= LOADS


# ---- beside the ordinary program ----------------------------------------------------------------


def test_bulk_has_what_throughput_has() -> None:
    """The engine knows the ordinary program, its conditions and values by the addresses and numbers of
    `throughput`."""
    bulk, throughput = (link("edverify", tuple(EDVERIFY.roms[name].entries.values()), name)
                        for name in ("bulk", "throughput"))
    ordinary = {label: at for label, at in throughput.rom.labels.items() if label.startswith("halfsize.")}
    assert len(ordinary) > 50 and ordinary.items() <= bulk.rom.labels.items()
    assert bulk.machine.constants == throughput.machine.constants
    both = {*EDVERIFY.roms["throughput"].entries.values()} & {*EDVERIFY.roms["bulk"].entries.values()}
    assert both == {"halfsize"}
    for ours, theirs in ((bulk.machine.externals, throughput.machine.externals),
                         (bulk.machine.conditions, throughput.machine.conditions)):  # fmt: skip
        assert all(number == theirs[name] for name, number in ours.items() if name in theirs)
        assert len(set(ours.values()) | {theirs[name] for name in theirs}) == len({*ours, *theirs})
