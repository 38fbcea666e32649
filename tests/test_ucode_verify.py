# SPDX-License-Identifier: Apache-2.0
"""The verification microcode on the cycle-exact simulator, against the golden model."""

from __future__ import annotations

import random
from collections import Counter
from hashlib import sha512

import pytest

import hostile_programs
from dv.edverify.edverify_units import Units, g_table, simulate
from hostile_programs import missing_products_are_seen
from pointmill.model import edwards
from pointmill.model.ed25519 import public_key, sign, verify, verify_all
from pointmill.model.scalar import L
from pointmill.rules import RULES, VERDICTS, Reason
from pointmill.ucode.build import build
from pointmill.ucode.machine import P
from pointmill.ucode.simulator import Simulator
from vectors.hostile import hostile_cases, spellings


def check_hostile(indices: range, seed: int) -> Counter[Reason]:
    """Verdict and reason of hostile cases under every rule; how often each reason came."""
    return hostile_programs.check_hostile(lambda rule, case: simulate(rule, case.pk, case.msg, case.sig), indices, seed)


def test_hostile_signatures_under_every_rule() -> None:
    """Same verdict and reason as the golden model; every reason a verdict can have."""
    reasons = check_hostile(range(60), seed=1)
    assert reasons.total() == 360
    assert reasons.keys() == VERDICTS - {Reason.malformed_job, Reason.aborted}


@pytest.mark.long
def test_hostile_signatures_long() -> None:
    assert check_hostile(range(1000), seed=2).total() == 6000


def test_every_spelling_of_r() -> None:
    """All strings that a lenient decoder takes for a point of small order, as the R of an equation that holds: those
    with y above p or a sign of x = 0 differ from what Q encodes to."""
    a, accepted = 12345, Counter[str]()
    pk = edwards.encode(edwards.add(edwards.multiply(a, edwards.BASE), edwards.TORSION[1]))
    for j, point in enumerate(edwards.TORSION):
        for r in spellings(point):
            hashes = ((msg, int.from_bytes(sha512(r + pk + msg).digest(), "little") % L)
                      for msg in (n.to_bytes(2, "little") for n in range(1 << 16)))
            msg, k = next((msg, k) for msg, k in hashes if (k + j) % 8 == 0)
            sig = r + (k * a % L).to_bytes(32, "little")
            for rule, verdict in verify_all(pk, msg, sig).items():
                assert simulate(rule, pk, msg, sig).reason == verdict.reason, (r.hex(), rule)
                accepted[rule] += verdict.reason == Reason.ok
    assert accepted == Counter({"rfc8032_cofactorless": 8, "rfc8032_cofactored": 8, "zip215": 14, "ref10_bytes": 8})


def test_table_of_the_walker() -> None:
    assert len(g_table()) == 256
    assert g_table()[0][0] == (edwards.BASE[1] + edwards.BASE[0]) % P


def test_the_double_scalar_product() -> None:
    """Where the comparison begins, Q = [S]B - [k]A stands in the accumulator."""
    machine, program, _, rom = build()
    words = rom.encoded(machine)
    stop = machine.isa.encode({"ctl_op": machine.isa.control["finish"]})
    start = rom.labels["walk_done"]
    halted = Simulator(machine, [*words[:start], stop, *words[start + 1 :]], rom.labels)
    count = 0
    for case in hostile_cases(52, seed=3):
        verdict = verify_all(case.pk, case.msg, case.sig)["ref10_bytes"]
        if verdict.q is None:
            continue
        halted.run(Units("ref10_bytes", case.pk, case.msg, case.sig).environment())
        halted.settle()
        x, y, z, t = (halted.engine.banks["mul"][program.globals[name].register] for name in "XYZT")
        assert edwards.encode((x, y, z, t)) == verdict.q, case.id
        assert x * y % P == z * t % P
        count += 1
    assert count == 41


# Products, butterflies and cycles; a change of the program shows here.
COSTS = {
    "rfc8032_cofactorless": (3600, 1239, 7117),
    "rfc8032_cofactored": (3631, 1254, 7194),
    "zip215": (3631, 1254, 7192),
    "ref10_bytes": (3600, 1239, 7118),
    "dalek_strict": (3608, 1243, 7175),
    "libsodium": (3608, 1243, 7179),
}


@pytest.mark.parametrize("rule", RULES)
def test_what_an_honest_signature_costs(rule: str) -> None:
    """Products and butterflies of a signature: with the same digits every rule has the same
    double-scalar product; the rest differs by what the rule asks for."""
    seed, msg = bytes(range(32)), b"cost"
    run = simulate(rule, public_key(seed), msg, sign(seed, msg))
    assert run.reason == Reason.ok
    walk = run.met["walk_done"] - run.met["walk_double"]
    assert 5000 < walk < 6174  # Xue et al. 2022, table 5, has 6,174 in the mean
    assert (run.products, run.butterflies, run.cycles) == COSTS[rule]


@pytest.mark.parametrize("seed", range(4))
def test_words_may_come_later_than_scheduled(seed: int) -> None:
    """With random extra cycles between the words, as if other contexts took them, every verdict
    is the same."""
    machine, _, _, rom = build()
    rng = random.Random(seed)
    slower = [
        {**word, "delay": min(word.get("delay", 0) + rng.choice((0, 0, 1, 3, 9)), 15)}
        for word in rom.words
    ]
    late = Simulator(machine, [machine.isa.encode(word) for word in slower], rom.labels)
    count = 0
    for index, case in enumerate(hostile_cases(26, seed=6)):
        rule = list(RULES)[(index + seed) % 6]
        run = late.run(Units(rule, case.pk, case.msg, case.sig).environment())
        assert run.reason == verify(rule, case.pk, case.msg, case.sig).reason, (case.id, rule)
        count += 1
    assert count == 26


def test_a_wrong_rom_word_is_seen() -> None:
    missing_products_are_seen(build(), Units)
