# SPDX-License-Identifier: Apache-2.0
"""The programs on cached keys of the machines `bulk` and `tile` on the microcode simulator, against the golden
model."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from dv.edverify.cached_units import (
    PROGRAMS,
    TABLES,
    WINDOW_A,
    Load,
    Units,
    affine,
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
from pointmill.ucode import dual
from pointmill.ucode.build import build, link
from pointmill.ucode.simulator import Simulator
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_cases, mixed_order_case

loaded = cache(load)


@pytest.fixture(params=PROGRAMS)
def config(request: pytest.FixtureRequest) -> str:
    """The machine."""
    return request.param


def kept(key: bytes) -> bool:
    """Whether the tables of a key are kept: the canonical encoding of a point, not of small order."""
    return edwards.decode(key, True) is not None and not edwards.is_small_order(key)


# ---- tables -------------------------------------------------------------------------------------


def check_load(key: bytes, made: Load) -> None:
    point = edwards.decode(key, True)
    assert made.reason == (Reason.a_not_decodable if point is None else Reason.ok)
    made_points = [[affine(one) for one in table] for table in made.tables]
    assert made_points == (tables(point, WINDOW_A) if kept(key) else [])


def test_tables_of_honest_keys(config: str) -> None:
    rng = random.Random(1)
    for _ in range(12):
        key = public_key(rng.randbytes(32))
        check_load(key, loaded(config, key))
        assert len(loaded(config, key).tables) == TABLES


@pytest.mark.parametrize(("cases", "good", "bad"), [(52, 49, 9), pytest.param(130, 107, 21, marks=pytest.mark.long)])
def test_tables_of_hostile_keys(config: str, cases: int, good: int, bad: int) -> None:
    """Mixed order, small order, other spellings, no points; points near the base."""
    keys = {case.pk for case in hostile_cases(cases, seed=3)}
    keys |= {mixed_order_case(index, seed=3).pk for index in range(12)}
    keys |= {edwards.encode(point) for point in TORSION}
    for key in keys:
        check_load(key, loaded(config, key))
    found = [loaded(config, key) for key in keys]
    reasons = Counter((made.reason, bool(made.tables)) for made in found)
    assert reasons == {(Reason.ok, True): good, (Reason.ok, False): 8, (Reason.a_not_decodable, False): bad}


# ---- verdicts -----------------------------------------------------------------------------------


def check_cases(config: str, cases: list[Case]) -> Counter[Reason]:
    """Verdict and reason of every case whose key is kept, under every rule."""
    reasons: Counter[Reason] = Counter()
    for case in cases:
        key = loaded(config, case.pk).tables
        if not key:
            continue
        for rule, verdict in verify_all(case.pk, case.msg, case.sig).items():
            reason = Reason(simulate(config, rule, key, case).reason)
            assert reason == verdict.reason, (case.id, rule)
            reasons[reason] += 1
    return reasons


WITH_A_KEY = {Reason.ok, Reason.s_out_of_range, Reason.r_not_decodable, Reason.small_order_r,
              Reason.equation_fails}  # fmt: skip
"""The others are said of keys that are not kept."""


@pytest.mark.parametrize(("count", "verdicts"), [(52, 216), pytest.param(104, 444, marks=pytest.mark.long)])
def test_hostile_signatures_under_every_rule(config: str, count: int, verdicts: int) -> None:
    reasons = check_cases(config, list(hostile_cases(count, seed=4)))
    assert reasons.total() == 6 * sum(kept(case.pk) for case in hostile_cases(count, seed=4)) == verdicts
    assert reasons.keys() == WITH_A_KEY


@pytest.mark.parametrize(("count", "good"), [(20, 24), pytest.param(40, 56, marks=pytest.mark.long)])
def test_mixed_order(config: str, count: int, good: int) -> None:
    """Keys and R of mixed order, half of them forged."""
    reasons = check_cases(config, [mixed_order_case(index, seed=5) for index in range(count)])
    assert reasons == {Reason.ok: good, Reason.equation_fails: 6 * count - good}


@pytest.mark.long
def test_many(config: str) -> None:
    assert check_cases(config, list(hostile_cases(1040, seed=6))).total() == 4386
    assert check_cases(config, [mixed_order_case(index, seed=7) for index in range(400)]).total() > 2000


EDGES = (0, 1, 2, 31, 2**32 - 1, 2**32, 2**251 - 1, 2**252, L - 1, sum(2 ** (32 * i) for i in range(8)))


def test_edge_scalars(config: str) -> None:
    """S G - kA for scalars that no hash gives, as R and as R with another sign."""
    rng = random.Random(8)
    a = rng.randrange(L)
    key = edwards.multiply(a, edwards.BASE)
    made = loaded(config, edwards.encode(key)).tables
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
                units = Units(config, "rfc8032_cofactorless", made, Case(b"", b"", sig, {}, "", ""))
                units.k = k
                assert simulator(config).run(units.environment()).reason == reason, (s, k)
                count += 1
    assert count == 2 * len(EDGES) ** 2


@pytest.mark.parametrize("count", [6, pytest.param(12, marks=pytest.mark.long)])
def test_a_wrong_rom_word_is_seen(config: str, count: int) -> None:
    """So many times in each program: one product is not made, and the tables of a key or a verdict show it."""
    cases = list(hostile_cases(104, seed=4))
    for program in dict.fromkeys(PROGRAMS[config]):
        machine, _, _, rom = build("edverify", program, config)
        words = rom.encoded(machine)
        start = 1 << machine.isa.fields["mul_en"].lsb
        products = [i for i, word in enumerate(rom.words) if word.get("mul_en")]
        for address in random.Random(5).sample(products, count):
            wrong = [*words[:address], words[address] ^ start, *words[address + 1 :]]
            broken = Simulator(machine, wrong, rom.labels)
            loads, verifies = (broken if name == program else None for name in PROGRAMS[config])
            assert any(differs(config, case, loads, verifies) for case in cases), (program, address)


def differs(config: str, case: Case, loads: Simulator | None, verifies: Simulator | None) -> bool:
    """Whether other tables are made of the key of a case on the changed program that loads, or it gets another verdict
    under some rule on the one that verifies. None is a program that is not changed."""
    right = loaded(config, case.pk)
    if loads:
        made = load(config, case.pk, loads)
        if (made.reason, made.tables) != (right.reason, right.tables):
            return True
    if not verifies or not right.tables:
        return False
    return any(verifies.run(Units(config, rule, right.tables, case, verifies).environment()).reason != verdict.reason
               for rule, verdict in verify_all(case.pk, case.msg, case.sig).items())


# ---- what it costs ------------------------------------------------------------------------------

LENGTHS = {
    "bulk": {"double": 7, "double_t": 8, "add": 6, "add_t": 7},
    "tile": {"double": 7, "double_t": 8, "add_fixed": 6, "add_fixed_t": 7, "add": 7, "add_t": 8},
}  # fmt: skip
LOADS = {"bulk": {(3019, 2799), (3020, 2800), (3021, 2800), (3022, 2801)},
         "tile": {(10_564, 2505), (10_574, 2506), (10_575, 2506), (10_585, 2507)}}  # fmt: skip
"""Issue slots and products of a load alone, by root and sign."""
SAMPLE = 16
ORDER = ("dalek_strict", "libsodium")
"""Rules that look at the order of R."""
COSTS = {"bulk": ((11_615, 11_583), (11_727, 11_647)), "tile": ((85_659, 16_553), (86_379, 16_617))}
"""Issue slots and products of 16 signatures, each alone, under the other rules and under those; a change of the program
shows here."""


@pytest.mark.parametrize("machine", LENGTHS)
def test_lengths(machine: str) -> None:
    """As many words as products: a context alone waits between the words of a tile, others use the slots."""
    _, _, schedules, rom = build("edverify", PROGRAMS[machine][1], machine)
    for name, length in LENGTHS[machine].items():
        schedule = schedules[f"walk_cached_{name}"]
        products = sum(op.unit == "mul" for op in schedule.block.ops)
        assert products == length == len(dual.words(schedule))
        assert machine == "tile" or schedule.length == schedule.bound == length  # no schedule is shorter
    assert machine == "tile" or not any(word.get("delay") for word in rom.words)


@pytest.mark.parametrize("machine", COSTS)
@pytest.mark.parametrize("rule", RULES)
def test_what_honest_signatures_cost(rule: str, machine: str) -> None:
    rng = random.Random(6)
    seed = rng.randbytes(32)
    key, cycles, products = public_key(seed), 0, 0
    for _ in range(SAMPLE):
        msg = rng.randbytes(20)
        case = Case(key, msg, sign(seed, msg), {}, "signed", "")
        run = simulate(machine, rule, loaded(machine, key).tables, case)
        assert run.reason == Reason.ok
        cycles, products = cycles + run.cycles, products + run.products
    assert (cycles, products) == COSTS[machine][rule in ORDER]


@pytest.mark.parametrize("machine", LOADS)
def test_what_a_load_costs(machine: str) -> None:
    rng = random.Random(9)
    runs = [loaded(machine, public_key(rng.randbytes(32))).run for _ in range(8)]
    found = {(run.cycles, run.products) for run in runs}
    assert len(found) > 1 and found <= LOADS[machine]


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
