# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_jobs: facts about random and extreme bytes under every rule set, and every condition that asks for
them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import clocked
from dv.edverify.engine_parts import PACKAGES, numbers
from pointmill import simbuild
from pointmill.rules import OPERATIONS, RULES, Rule

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
CONTEXTS, SLOT_BITS, STEPS = 5, 2, 6000
FLAGS = ("strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored")
PLAIN, BULK = numbers("throughput", "Cond"), numbers("bulk", "Cond")
SOURCES = [*PACKAGES, "hw/edverify/rtl/pm_edverify_barrel_jobs.sv"]
INPUTS = ("start_i", "op_i", "flags_i", "s_i", "r_i", "a_i", "slot_i", "next_ctx_i", "flag_zero_i", "flag_odd_i",
          "more_scalars_i", "previous_zero_i", "more_tables_i")
SCALARS = (0, L - 1, L, L + 1, 2**252, 2**252 + 2**125, L + 2**125, 2**253, 2**255, 2**256 - 1)
ORDINATES = (0, 1, P - 1, P, P + 1, 2**255 - 1, 2**255 - 32, 2**254)


@dataclass(frozen=True)
class Job:
    op: int
    rule: Rule
    s: int
    r: int
    a: int
    slot: int

    def facts(self, secrets: bool, cached: bool) -> dict[str, bool]:
        rule, sign = self.rule, 1 << 255
        canonical_r = rule.strict_r or not rule.decode_r
        secret = secrets and self.op != OPERATIONS["verify"].opcode  # of such operands nothing is kept
        return {
            "SGeL": not secret and self.s >= L, "CanonicalR": canonical_r, "StrictA": rule.strict_a,
            "DecodeR": rule.decode_r,
            "AOutOfRange": not secret and rule.strict_a and self.a % sign >= P,
            "ROutOfRange": not secret and canonical_r and self.r % sign >= P,
            "SmallOrder": rule.small_a, "TwoScalars": self.op == OPERATIONS["sign"].opcode,
            "Cofactored": rule.cofactored, "sign_a": not secret and bool(self.a & sign),
            "sign_r": not secret and bool(self.r & sign),
            "secret": secret,
            "cached": cached and self.op == OPERATIONS["verify_cached"].opcode,
        }  # fmt: skip


def random_job(rng: random.Random) -> Job:
    def ordinate() -> int:
        return rng.choice((rng.getrandbits(255), rng.choice(ORDINATES))) | rng.getrandbits(1) << 255

    return Job(rng.choice([op.opcode for op in OPERATIONS.values()]), rng.choice(list(RULES.values())),
               rng.choice((rng.randrange(L), rng.choice(SCALARS))), ordinate(), ordinate(),
               rng.getrandbits(SLOT_BITS))  # fmt: skip


@cocotb.test()
async def random_jobs(dut) -> None:
    """Contexts get jobs at random and are asked for at random."""
    rng = random.Random(1)
    secrets, cached = (int(getattr(dut, name).value) for name in ("SecretOps", "CachedKeys"))
    for name in INPUTS:
        getattr(dut, name).value = 0
    clocked(dut)
    await FallingEdge(dut.clk_i)
    jobs: list[Job | None] = [None] * CONTEXTS
    shown: Job | None = None  # whose facts the outputs are
    seen: Counter[tuple[str, bool]] = Counter()
    compared = 0
    for _ in range(STEPS):
        start = (rng.randrange(CONTEXTS), random_job(rng)) if rng.random() < 0.5 else None
        named, asked = start[1] if start else random_job(rng), rng.randrange(CONTEXTS)
        bits = {name: rng.getrandbits(1) for name in INPUTS[-5:]}
        dut.start_i.value = 1 << start[0] if start else 0
        dut.op_i.value, dut.slot_i.value = named.op, named.slot
        dut.flags_i.value = int("".join(str(int(getattr(named.rule, flag))) for flag in FLAGS), 2)
        dut.s_i.value, dut.r_i.value, dut.a_i.value = named.s, named.r, named.a
        dut.next_ctx_i.value = asked
        for name, bit in bits.items():
            getattr(dut, name).value = bit
        await ReadOnly()
        for c, job in enumerate(jobs):
            if job:
                facts = job.facts(secrets, cached)
                assert int(dut.secrets_o.value) >> c & 1 == facts["secret"]
                assert int(dut.cached_o.value) >> c & 1 == facts["cached"]
        if shown:
            compared += 1
            facts = shown.facts(secrets, cached)
            assert int(dut.job_secret_o.value) == facts["secret"]
            assert int(dut.job_cached_o.value) == facts["cached"]
            assert int(dut.job_slot_o.value) == shown.slot
            assert int(dut.cofactored_o.value) == facts["Cofactored"]
            assert int(dut.small_order_o.value) == facts["SmallOrder"]
            odd = bool(bits["flag_odd_i"])
            facts |= {
                "Always": True, "Zero0": bool(bits["flag_zero_i"]), "MoreScalars": bool(bits["more_scalars_i"]),
                "OddNeSignA": odd != facts["sign_a"], "OddNeSignR": odd != facts["sign_r"],
                "MoreTables": bool(bits["more_tables_i"]),
                "EncodesR": bool(bits["previous_zero_i"]) and odd == facts["sign_r"] and not facts["ROutOfRange"],
            }  # fmt: skip
            numbered = PLAIN | BULK if cached else PLAIN
            conditions = int(dut.conditions_o.value)
            for name, number in numbered.items():
                assert conditions >> number & 1 == facts[name], name
                seen[name, facts[name]] += 1
            assert not conditions >> (max(numbered.values()) + 1)
        shown = jobs[asked]
        if start:
            jobs[start[0]] = start[1]
        await FallingEdge(dut.clk_i)
    assert compared > STEPS * 9 // 10
    assert all(seen[name, value] > 50 for name in numbered
               for value in ((True,) if name == "Always" else (False, True)))


@pytest.mark.parametrize(("secrets", "cached"), [(1, 0), (0, 1)])
def test_jobs(secrets: int, cached: int) -> None:
    simbuild.run_cocotb("pm_edverify_barrel_jobs", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "SecretOps": secrets, "CachedKeys": cached,
                         "SlotBits": SLOT_BITS}, expect=1)  # fmt: skip
