# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_contexts: the state of every context in every cycle, by what has become of its job; soft resets
in every cycle, also in that of a placement."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.triggers import FallingEdge

from dv.common.handshake import begin
from dv.common.packed import Struct
from dv.edverify.engine_parts import PACKAGES, RTL
from pointmill import simbuild
from pointmill.rules import OPERATIONS, Reason

SOURCES = [*PACKAGES, RTL / "pm_edverify_barrel_pkg.sv", RTL / "pm_edverify_barrel_contexts.sv"]
CONTEXT = Struct(state=3, op=8, reason=8, zero=1, cached=1, slot=8, batch=2)
PLACEMENT, VERDICT = Struct(op=8, slot=8, batch=2), Struct(reason=8, zero=1)
RX = Struct(begins=1, cached=1, malformed=1, too_long=1, aborted=1)
STATES = ("free", "pending", "seeded", "running", "decided", "done", "dropped")
NONE, PREPARE, SUM = range(3)
SIGN, KEYGEN = OPERATIONS["sign"].opcode, OPERATIONS["keygen"].opcode
CONTEXTS = 5
JOBS = int(os.environ.get("PM_JOBS", "6000"))


@dataclass
class Job:
    """A job or a sum, and what has become of it."""

    op: int
    slot: int
    batch: int
    started: bool  # its program
    seeded: bool = False  # its scalars are there, the program has not started
    ended: bool = False  # its program
    rest: bool = False  # nothing but the program is waited for
    dropped: bool = False
    reason: int = Reason.ok
    cached: bool = False

    @property
    def state(self) -> str:
        """The state of its context."""
        if self.dropped or self.seeded:
            return "dropped" if self.dropped else "seeded"
        return {(0, 0): "pending", (0, 1): "running", (1, 0): "decided", (1, 1): "done"}[self.ended, self.rest]


@cocotb.test()
async def random_events(dut) -> None:
    """What may happen to jobs and sums, in any order that the units around can have."""
    rng = random.Random(1)
    await begin(dut, edge=FallingEdge)
    jobs: list[Job | None] = [None] * CONTEXTS
    summed = [False] * CONTEXTS  # the last job of a context was a sum
    rx: int | None = None  # context of the receiver's job
    late = False  # it was placed in the cycle of a soft reset
    offered: int | None = None
    counts: Counter[str] = Counter()

    def chosen(share: float, wanted) -> list[int]:
        return [c for c, job in enumerate(jobs) if job and not job.dropped and wanted(job) and rng.random() < share]

    while counts["placed"] < JOBS:
        reset = rng.random() < 0.05
        free = [c for c, job in enumerate(jobs) if job is None]
        seeds = chosen(0.3, lambda job: not job.started and not job.seeded)
        starts = chosen(0.3, lambda job: job.seeded)[:1]
        ends = chosen(0.2, lambda job: job.started and not job.ended)[:1]
        rests = chosen(0.2, lambda job: job.batch != SUM and job.started and job.op != KEYGEN and not job.rest)
        verdict = rng.choice(list(Reason))
        event = {"aborted": True} if late else {}
        if rx is not None and not late and not jobs[rx].dropped:
            event = rng.choice([{}, {}, {"begins": True, "cached": rng.random() < 0.5}, {"malformed": True},
                                {"too_long": True}])  # fmt: skip
        gone = [c for c in ends if jobs[c].batch == SUM]  # a sum has no result
        gone += [offered] if offered is not None and rng.random() < 0.5 else []
        internal = rx is not None or (rng.random() < 0.3 and not reset)
        place = rng.choice(free) if free and rng.random() < 0.5 and not (internal and reset) else None
        placed = None
        if place is not None:
            op = rng.choice([one.opcode for one in OPERATIONS.values()])
            batch = SUM if internal else rng.choice((NONE, PREPARE))
            placed = Job(op, rng.randrange(256), batch, started=internal or op not in (SIGN, KEYGEN))
            counts["placed"] += 1
            counts["lost"] += reset and summed[place]
            summed[place] = internal
        dut.soft_reset_i.value, dut.place_i.value = reset, placed is not None
        dut.place_ctx_i.value = rng.randrange(CONTEXTS) if place is None else place
        dut.place_job_i.value = PLACEMENT.pack(op=placed.op, slot=placed.slot, batch=placed.batch) if placed else 0
        dut.rx_ctx_i.value, dut.rx_i.value = rx or 0, RX.pack(**event)
        dut.start_seeded_i.value, dut.start_ctx_i.value = bool(starts), starts[0] if starts else 0
        dut.verdict_i.value = VERDICT.pack(reason=verdict)
        for name, these in (("seeded", seeds), ("finish", ends), ("completed", rests), ("left", gone),
                            ("offered", [] if offered is None else [offered])):  # fmt: skip
            getattr(dut, f"{name}_i").value = sum(1 << c for c in these)
        await FallingEdge(dut.clk_i)

        for c in seeds:
            jobs[c].seeded = True
        for c in starts:
            jobs[c].seeded, jobs[c].started, jobs[c].rest = False, True, jobs[c].op == KEYGEN
        for c in ends:
            jobs[c].ended, jobs[c].reason = True, verdict
        for c in rests:
            jobs[c].rest = True
        if "begins" in event:
            jobs[rx].cached = event["cached"]
        elif event:
            jobs[rx].dropped = True
            jobs[rx].reason = {"malformed": Reason.malformed_job, "too_long": Reason.message_too_long,
                               "aborted": Reason.aborted}[next(iter(event))]  # fmt: skip
            counts[next(iter(event))] += 1
        for c, job in enumerate(jobs) if reset else ():
            if job and c != offered and job.batch == SUM:
                jobs[c] = None
            elif job and c != offered and not (job.dropped and not (c == rx and event)):
                job.dropped, job.reason = True, Reason.aborted
            if job:
                job.batch = NONE
        for c in gone:
            jobs[c] = None
        if rx is not None and (jobs[rx] is None or jobs[rx].dropped or rng.random() < 0.1):
            rx = None
        late = False
        if placed:
            jobs[place] = placed
            if placed.batch != SUM:
                rx, late = place, reset
            if reset:
                placed.batch = NONE
        if offered is None or offered in gone:
            due = [c for c, job in enumerate(jobs) if job and job.batch != SUM and job.state in ("done", "dropped")]
            offered = rng.choice(due) if due and rng.random() < 0.5 else None
        word = int(dut.contexts_o.value)
        for c, job in enumerate(jobs):
            seen = CONTEXT.unpack(word >> 31 * c & (1 << 31) - 1)
            assert STATES[seen.state] == (job.state if job else "free"), (c, job, seen)
            if job:
                assert (seen.op, seen.slot, seen.batch) == (job.op, job.slot, job.batch), (c, job, seen)
                assert (seen.cached, seen.reason) == (job.cached, job.reason), (c, job, seen)
                counts[job.state] += 1
    assert counts["lost"] > JOBS // 300 and counts["aborted"] > JOBS // 120, counts
    assert min(counts[name] for name in (*STATES[1:], "malformed", "too_long")) > JOBS // 60, counts


@pytest.mark.parametrize("jobs", [2400, pytest.param(6000, marks=pytest.mark.long)])
def test_contexts(jobs: int) -> None:
    simbuild.run_cocotb("pm_edverify_barrel_contexts", SOURCES, __name__, {"NumContexts": CONTEXTS}, expect=1,
                        extra_env={"PM_JOBS": str(jobs)})
