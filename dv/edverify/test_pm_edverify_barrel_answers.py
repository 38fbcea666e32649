# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_answers: every due result offered once, whole and stable, in time; batches first; soft resets."""

from __future__ import annotations

import random
from dataclasses import dataclass

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from dv.edverify.engine_parts import PACKAGES, RTL
from pointmill import simbuild
from pointmill.rules import OPERATIONS, Reason

SOURCES = [*PACKAGES, RTL / "pm_edverify_barrel_pkg.sv", RTL / "pm_edverify_barrel_answers.sv"]
CONTEXTS, ANSWERS = 5, 1500
BATCH = OPERATIONS["verify_batch"].opcode


@dataclass
class Answer:
    tag: int
    rule: int
    since: int
    op: int
    reason: int
    zero: int

    @property
    def header(self) -> int:
        """As header_t, 72 bits."""
        return self.tag << 40 | self.rule << 32 | self.since

    def packed(self) -> int:
        """As answer_t, 17 bits."""
        return self.op << 9 | self.reason << 1 | self.zero


@cocotb.test()
async def random_answers(dut) -> None:
    """Contexts become due at random; the transmitter pauses."""
    rng = random.Random(1)
    await begin(dut, edge=FallingEdge)

    def answer(op: int) -> Answer:
        return Answer(rng.getrandbits(32), rng.randrange(256), now - rng.randrange(5000) & 0xFFFFFFFF, op,
                      rng.choice(list(Reason)), rng.getrandbits(1))  # fmt: skip

    now = 0
    due: list[Answer | None] = [None] * CONTEXTS
    jobs: list[Answer | None] = [None] * CONTEXTS  # headers are written, answers not due yet
    batch: Answer | None = None  # offered by the server
    accepted: Answer | None = None  # taken over in the cycle before
    offer: tuple | None = None
    lonely: int | None = None  # since when exactly one answer waits, and nobody is before it
    taken = batches = resets = quick = 0
    while taken < ANSWERS:
        rate = (0.3, 0.01)[now // 3000 % 2]
        for c in range(CONTEXTS):
            if jobs[c] and rng.random() < 0.9:
                due[c], jobs[c] = jobs[c], None
        begins = [c for c in range(CONTEXTS) if due[c] is jobs[c] is None and rng.random() < rate]
        header_ctx = rng.choice(begins) if begins else rng.randrange(CONTEXTS)
        if begins:
            jobs[header_ctx] = answer(rng.choice([op.opcode for op in OPERATIONS.values()]))
        if batch is None and rng.random() < rate / 2:
            batch = answer(BATCH)
            batch.zero = 0
        reset = rng.random() < 0.01
        ready = rng.random() < (1, 0.2)[now // 1500 % 2]
        dut.time_i.value, dut.result_ready_i.value = now, ready
        dut.header_we_i.value, dut.header_ctx_i.value = bool(begins), header_ctx
        dut.header_i.value = jobs[header_ctx].header if begins else rng.getrandbits(72)
        dut.due_i.value = sum((a is not None) << c for c, a in enumerate(due))
        dut.answers_i.value = sum((a.packed() if a else rng.getrandbits(17)) << 17 * c for c, a in enumerate(due))
        dut.batch_valid_i.value = batch is not None
        if batch:
            dut.batch_header_i.value, dut.batch_reason_i.value = batch.header, batch.reason
        await ReadOnly()
        waiting = sum(a is not None for a in due) + (batch is not None)
        valid, offered = int(dut.result_valid_o.value), int(dut.offered_o.value)
        assert int(dut.taken_o.value) == (offered and ready) and offered <= valid
        context = int(dut.result_ctx_o.value)
        if valid:
            seen = tuple(int(getattr(dut, f"{name}_o").value)
                         for name in ("tag", "rule", "op", "reason", "zero", "cycles"))  # fmt: skip
            its = due[context] if offered else accepted
            assert its is not None and seen[:5] == (its.tag, its.rule, its.op, its.reason, its.zero)
            if offer is None:
                assert seen[5] == (now - its.since) % 2**32
                assert (accepted is None) == bool(offered)
                if lonely is not None:
                    assert now - lonely == 1
                    quick += 1
            assert offer in (None, seen)
            offer = seen
        else:
            assert offer is None and accepted is None
        lonely = (now if lonely is None else lonely) if waiting == 1 and not valid and not reset else None
        if int(dut.batch_ready_o.value) and batch:
            following, batch = batch, None
            batches += 1
        else:
            following = None
        if valid and ready:
            taken += 1
            offer = None
            if offered:
                due[context] = None
            else:
                accepted = None
        accepted = following or accepted
        if reset:  # what is not on offer changes
            resets += 1
            for c, a in enumerate(due):
                if a and not (valid and offered and c == context):
                    a.reason = int(Reason.aborted)
        await FallingEdge(dut.clk_i)
        now += 1
        assert now < 100_000
    assert quick > 50 and resets > 20 and batches > 100


def test_answers() -> None:
    simbuild.run_cocotb("pm_edverify_barrel_answers", SOURCES, __name__, {"NumContexts": CONTEXTS}, expect=1)
