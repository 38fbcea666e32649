# SPDX-License-Identifier: Apache-2.0
"""Verification programs on hostile signatures, which must show that one lacks a product."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from pointmill.model.ed25519 import verify_all
from pointmill.rules import Reason
from pointmill.ucode.build import Built
from pointmill.ucode.simulator import Simulator
from vectors.ed25519_vectors import Case
from vectors.hostile import hostile_case, hostile_cases


def check_hostile(simulate: Callable[[str, Case], Any], indices: range, seed: int) -> Counter[Reason]:
    """Verdict and reason of hostile cases under every rule, as a run of the program gives them; how often each reason
    came."""
    reasons: Counter[Reason] = Counter()
    for index in indices:
        case = hostile_case(index, seed)
        for rule, verdict in verify_all(case.pk, case.msg, case.sig).items():
            reason = Reason(simulate(rule, case).reason)
            assert reason == verdict.reason, (case.id, rule, reason, verdict.reason)
            reasons[reason] += 1
    return reasons


def missing_products_are_seen(built: Built, units: Callable[[str, bytes, bytes, bytes], Any]) -> None:
    """Twelve times one of the program's products is not made. `units` makes what stands around the datapath for a rule
    and a signature."""
    machine, _, _, rom = built
    words = rom.encoded(machine)
    start = 1 << machine.isa.fields["mul_en"].lsb
    products = [i for i, word in enumerate(rom.words) if word.get("mul_en")]
    cases = list(hostile_cases(52, seed=4))
    for address in random.Random(5).sample(products, 12):
        wrong = [*words[:address], words[address] ^ start, *words[address + 1 :]]
        assert differs(Simulator(machine, wrong, rom.labels), cases, units), address


def differs(broken: Simulator, cases: list[Case], units: Callable[[str, bytes, bytes, bytes], Any]) -> bool:
    """Whether some case gets another verdict on the changed program under some rule."""
    return any(broken.run(units(rule, case.pk, case.msg, case.sig).environment()).reason != verdict.reason
               for case in cases for rule, verdict in verify_all(case.pk, case.msg, case.sig).items())
