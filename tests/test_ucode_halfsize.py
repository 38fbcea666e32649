# SPDX-License-Identifier: Apache-2.0
"""The program with half-size scalars on the microcode simulator, against the golden model."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

import pytest

import hostile_programs
from dv.edverify.half_units import MODULUS, SPLIT, Units, half_size, simulate
from hostile_programs import missing_products_are_seen
from pointmill.model import edwards
from pointmill.model.ed25519 import public_key, sign, verify_all
from pointmill.model.scalar import L
from pointmill.rules import RULES, VERDICTS, Reason
from pointmill.ucode.build import build
from pointmill.ucode.machine import P
from pointmill.ucode.simulator import Simulator
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_cases

CONFIGS = ("throughput", "latency")

# ---- verdicts -----------------------------------------------------------------------------------


def test_rules_ask_for_the_same_of_a_and_r() -> None:
    """The program has one condition for points of small order, and none for it with a cofactor."""
    assert all(rule.small_a == rule.small_r for rule in RULES.values())
    assert not any(rule.small_a and rule.cofactored for rule in RULES.values())


def check_hostile(indices: range, seed: int, config: str = "throughput") -> Counter[Reason]:
    """Verdict and reason of hostile cases under every rule; how often each reason came."""
    return hostile_programs.check_hostile(partial(simulate, config=config), indices, seed)


def test_hostile_signatures_under_every_rule() -> None:
    """Same verdict and reason as the golden model; every reason a verdict can have."""
    reasons = check_hostile(range(60), seed=1)
    assert reasons.total() == 360
    assert reasons.keys() == VERDICTS - {Reason.malformed_job, Reason.aborted}


def test_hostile_signatures_on_a_shallow_datapath() -> None:
    """The same program scheduled for `latency`; the simulator refuses what its datapath cannot do."""
    reasons = check_hostile(range(52), seed=7, config="latency")
    assert reasons.total() == 312
    assert reasons.keys() == VERDICTS - {Reason.malformed_job, Reason.aborted}


@pytest.mark.long
@pytest.mark.parametrize("config", CONFIGS)
def test_hostile_signatures_long(config: str) -> None:
    assert check_hostile(range(1000), seed=2, config=config).total() == 6000


def test_half_size_scalars() -> None:
    """The reference of half_units: congruent, odd, short for random k, never refused."""
    rng = random.Random(3)
    for k in [0, 1, 2, 8, L - 1, (L + 1) // 2, L // 8 * 8, *(rng.randrange(L) for _ in range(500))]:
        c, d = half_size(k)
        assert (c - d * k) % MODULUS == 0 and d % 2 and d > 0 and d % L
    assert all(max(map(abs, half_size(rng.randrange(L)))) < 2**145 for _ in range(500))


def test_the_four_scalar_product() -> None:
    """Where the comparison begins, (d S mod L)G - cA - dR stands in the accumulator."""
    machine, program, _, rom = build("edverify", "halfsize", "throughput")
    words = rom.encoded(machine)
    stop = machine.isa.encode({"ctl_op": machine.isa.control["finish"]})
    start = rom.labels["walk_done"]
    halted = Simulator(machine, [*words[:start], stop, *words[start + 1 :]], rom.labels)
    count = 0
    for case in hostile_cases(52, seed=4):
        if verify_all(case.pk, case.msg, case.sig)["zip215"].reason not in (
                Reason.ok, Reason.equation_fails):  # fmt: skip
            continue
        units = Units("ref10_bytes", case.pk, case.msg, case.sig)
        if halted.run(units.environment()).reason != Reason.ok:
            continue
        x, y, z = (halted.engine.banks["mul"][program.globals[name].register] for name in "XYZ")
        points = [edwards.BASE, edwards.multiply(2**SPLIT, edwards.BASE),
                  *(edwards.decode(n, False) for n in (case.pk, case.sig[:32]))]  # fmt: skip
        total = edwards.from_affine(0, 1)
        for point, digits in zip(points, units.digits, strict=True):
            scalar = sum(digit << i for i, digit in enumerate(digits))
            total = edwards.add(total, edwards.multiply(scalar % MODULUS, point))
        right_x, right_y = edwards.to_affine(total)
        assert (x - z * right_x) % P == (y - z * right_y) % P == 0, case.id
        count += 1
    assert count == 32


def test_a_wrong_rom_word_is_seen() -> None:
    missing_products_are_seen(build("edverify", "halfsize", "throughput"), Units)


# ---- what it costs ------------------------------------------------------------------------------

# Words of a context, hence slots of the barrel, of each operation of the walk.
LENGTHS = {
    "walk_double": 7, "walk_double_t": 8,
    "walk_add_fixed": 6, "walk_add_fixed_t": 7,
    "walk_add_first": 6, "walk_add_first_t": 7, "walk_sub_first": 6, "walk_sub_first_t": 7,
    "walk_add": 7, "walk_add_t": 8, "walk_sub": 7, "walk_sub_t": 8,
}  # fmt: skip


def test_lengths() -> None:
    """As many words as products (bound = length: no schedule is shorter)."""
    _, program, schedules, _ = build("edverify", "halfsize", "throughput")
    found = {name: schedules[name].length for name in LENGTHS}
    assert found == LENGTHS
    for name, length in LENGTHS.items():
        products = sum(op.unit == "mul" for op in schedules[name].block.ops)
        assert products == length == schedules[name].bound
    assert {block.name for block in program.blocks} >= LENGTHS.keys()


def test_every_word_takes_one_slot() -> None:
    """Cycles of a schedule are words: nothing waits inside a block."""
    _, _, schedules, rom = build("edverify", "halfsize", "throughput")
    assert not any(word.get("delay") for word in rom.words)
    assert all(schedule.length == rom.owner.count(name) for name, schedule in schedules.items())


# Words and products of 16 signatures; a change of the program shows here.
SAMPLE = 16
COSTS = {
    "rfc8032_cofactorless": (33_463, 33_336),
    "rfc8032_cofactored": (33_815, 33_672),
    "zip215": (33_815, 33_672),
    "ref10_bytes": (33_463, 33_336),
    "dalek_strict": (33_639, 33_432),
    "libsodium": (33_639, 33_432),
}


@pytest.mark.parametrize("rule", RULES)
def test_what_honest_signatures_cost(rule: str) -> None:
    rng = random.Random(6)
    runs = []
    for _ in range(SAMPLE):
        seed, msg = rng.randbytes(32), rng.randbytes(20)
        case = Case(public_key(seed), msg, sign(seed, msg), {}, "signed", "")
        runs.append(simulate(rule, case))
    assert all(run.reason == Reason.ok for run in runs)
    assert (sum(run.cycles for run in runs), sum(run.products for run in runs)) == COSTS[rule]


# ---- configuration latency ----------------------------------------------------------------------

# Cycles of each operation of the walk, proven shortest together.
CYCLES = {
    "walk_double": 16, "walk_double_t": 16,
    "walk_add_fixed": 16, "walk_add_fixed_t": 17,
    "walk_add_first": 16, "walk_add_first_t": 17, "walk_sub_first": 16, "walk_sub_first_t": 17,
    "walk_add": 17, "walk_add_t": 17, "walk_sub": 17, "walk_sub_t": 17,
}  # fmt: skip
MOST_ALONE = 5650  # cycles of one job, in the mean


def test_cycles_of_the_walk() -> None:
    schedules = build("edverify", "halfsize", "latency")[2]
    assert {name: schedules[name].length for name in CYCLES} == CYCLES
    assert all(schedules[name].bound == length for name, length in CYCLES.items())


def test_both_configurations_drive_the_same_conditions_and_values() -> None:
    """The engine knows them by the numbers of `throughput`, which has a value more."""
    throughput, latency = (build("edverify", "halfsize", config)[0] for config in CONFIGS)
    assert throughput.externals == latency.externals | {"u": len(latency.externals)}
    assert throughput.constants == latency.constants
    assert throughput.conditions == latency.conditions


def test_one_job_alone_is_fast() -> None:
    rng = random.Random(8)
    cycles = []
    for _ in range(SAMPLE):
        seed, msg = rng.randbytes(32), rng.randbytes(20)
        case = Case(public_key(seed), msg, sign(seed, msg), {}, "signed", "")
        run = simulate("rfc8032_cofactorless", case, "latency")
        assert run.reason == Reason.ok
        cycles.append(run.cycles)
    assert sum(cycles) / SAMPLE < MOST_ALONE - 50
