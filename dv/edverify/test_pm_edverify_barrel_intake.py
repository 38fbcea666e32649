# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_intake: each job gets a free context, goes to the units that its operation wants, and ends
once."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass, field

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from dv.edverify.engine_parts import PACKAGES, RTL
from pointmill import simbuild
from pointmill.rules import OPERATIONS

SOURCES = [*PACKAGES, RTL / "pm_edverify_barrel_intake.sv"]
CONTEXTS = 3
JOBS = int(os.environ.get("PM_JOBS", "800"))
OPS = {op.opcode: name for name, op in OPERATIONS.items()}
STARTS = {"start_verify": ("verify", "verify_cached", "verify_batch"), "start_x25519": ("x25519",),
          "start_load": ("load_key",)}  # fmt: skip
READY = ("half_ready", "walk_ready", "phase1_ready", "slot_used", "block")


@dataclass
class Job:
    op: str
    valid: int
    end: int
    bad: int | None
    too_long: bool
    hit: bool
    age: int = 0
    context: int | None = None
    seen: Counter[str] = field(default_factory=Counter)
    must_abort: bool = False


@cocotb.test()
async def random_jobs(dut) -> None:
    """Jobs of all operations, damaged ones, soft resets, units and contexts that are busy at random; replays, whose key
    is looked up in place of the job's."""
    rng = random.Random(1)
    await begin(dut, edge=FallingEdge)
    used = [False] * CONTEXTS
    job: Job | None = None
    valid_for = jobs = now = 0
    replayed = False  # in the cycle before
    ends: Counter[str] = Counter()
    while jobs < JOBS:
        header = None
        if job is None and rng.random() < 0.5:
            valid = rng.randrange(1, 10)
            end = valid + rng.randrange(20)
            header = Job(rng.choice(list(OPS.values())), valid, end, rng.choice((None, None, rng.randrange(end + 1))),
                         rng.random() < 0.3, rng.random() < 0.5)  # fmt: skip
        for c in range(CONTEXTS):
            used[c] &= rng.random() > 0.03 or bool(job and job.context == c)
        ended, complete = bool(job and job.age > job.end), bool(job and job.age > job.valid)
        malformed = bool(job and job.bad is not None and job.age > job.bad)
        reset = rng.random() < 0.01
        digest = ended and not malformed and job.op in STARTS["start_verify"] and rng.random() < 0.5
        dut.soft_reset_i.value, dut.job_start_i.value, dut.job_open_i.value = reset, header is not None, job is not None
        dut.job_valid_i.value, dut.job_end_i.value, dut.job_malformed_i.value = complete or ended, ended, malformed
        dut.job_op_i.value = OPERATIONS[job.op].opcode if job else rng.getrandbits(8)
        dut.used_i.value = sum(u << c for c, u in enumerate(used))
        dut.key_hit_i.value = job.hit if job and valid_for >= 2 and not replayed else rng.getrandbits(1)
        dut.replay_i.value = replays = rng.random() < 0.2
        dut.msg_too_long_i.value, dut.digest_valid_i.value = bool(job and job.too_long), digest
        level = {name: rng.getrandbits(1) for name in READY}
        level["block"] |= replays
        for name, bit in level.items():
            getattr(dut, f"{name}_i").value = bit
        await ReadOnly()
        out = {name: int(getattr(dut, f"{name}_o").value) for name in (
            "job_done", "place", "placed", "ctx", "free_ctx", "malformed", "too_long", "complete", "start_verify",
            "start_x25519", "start_load", "half_valid", "walk_we", "phase1_valid", "phase1_taken", "hit", "msg_drop",
            "record", "batched")}  # fmt: skip
        assert not out["record"] and not out["batched"]
        if out["place"]:
            assert job and job.context is None and not used[out["free_ctx"]]
            assert all(used[:out["free_ctx"]])
        elif job and job.context is None:
            assert all(used)
        assert out["placed"] == bool(job and job.context is not None and not job.seen["end"])
        fine = job is not None and bool(out["placed"]) and not malformed and not reset and not job.must_abort
        for name, ops in STARTS.items():
            if out[name]:
                assert fine and job.op in ops and not job.seen[name]
                assert name == "start_x25519" or not level["block"]
                assert name == "start_verify" or ended
                assert name != "start_load" or not level["slot_used"]
                assert name != "start_verify" or out["hit"] == (job.op == "verify_cached" and job.hit)
                job.seen[name] += 1
        if out["half_valid"]:
            assert job.seen["start_verify"] and digest and not replays
        taken = {"half": out["half_valid"] and level["half_ready"], "x25519": out["walk_we"] and level["walk_ready"],
                 "load": out["start_load"], "phase1": out["phase1_valid"] and level["phase1_ready"],
                 "malformed": out["malformed"], "too_long": out["too_long"]}  # fmt: skip
        assert bool(taken["x25519"]) == bool(out["start_x25519"]) and bool(taken["phase1"]) == bool(out["phase1_taken"])
        assert not out["phase1_valid"] or (fine and ended and job.op in ("keygen", "sign"))
        assert not out["too_long"] or (fine and ended and job.op == "sign" and job.too_long)
        assert not out["malformed"] or (malformed and ended)
        way = [name for name, value in taken.items() if value]
        assert len(way) <= 1
        assert out["complete"] == bool((way and way[0] in ("half", "x25519", "load"))
                                       or (way == ["phase1"] and job.op == "keygen"))  # fmt: skip
        aborted = bool(out["placed"]) and (reset or job.must_abort)
        if (way or aborted) and not job.seen["end"]:
            job.seen["end"] += 1
            ends["aborted" if aborted else way[0]] += 1
            assert out["job_done"]
        else:
            assert not out["job_done"]
        if out["job_done"]:
            assert job.seen["end"]
            jobs += 1
        if reset and header:
            header.must_abort = True
        if job:
            job.must_abort |= reset and job.context is None
            job.age += 1
            if out["place"]:
                job.context = out["free_ctx"]
                used[job.context] = True
        valid_for = valid_for + 1 if job and (complete or ended) and not out["job_done"] else 0
        job = header or (None if out["job_done"] else job)
        replayed = replays
        await FallingEdge(dut.clk_i)
        now += 1
        assert now < 200_000
    assert ends.keys() == {"half", "x25519", "load", "phase1", "malformed", "too_long", "aborted"}
    assert min(ends.values()) > JOBS // 160


@pytest.mark.parametrize("jobs", [320, pytest.param(800, marks=pytest.mark.long)])
def test_intake(jobs: int) -> None:
    simbuild.run_cocotb("pm_edverify_barrel_intake", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "CachedKeys": 1}, expect=1,
                        extra_env={"PM_JOBS": str(jobs)})  # fmt: skip
