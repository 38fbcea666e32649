# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_sign_server with real hash, arbiter, scalar unit and slots: RFC 8032, random jobs, clears, time."""

from __future__ import annotations

import hashlib
import os
import random
from collections import Counter, deque
from dataclasses import dataclass
from functools import cached_property

import cocotb
import pytest
from cocotb.triggers import First, ReadOnly, RisingEdge, Timer
from cocotb.utils import get_sim_time

from dv.common import handshake
from pointmill import simbuild
from pointmill.model import ed25519, scalar

SOURCES = ["hw/lib/scalar/scalar.f", "hw/lib/hash/hash.f", "hw/edverify/gen/pm_edverify_pkg.sv",
           "hw/edverify/rtl/pm_edverify_core_pkg.sv", "hw/edverify/rtl/pm_edverify_hash_arbiter.sv",
           "hw/edverify/rtl/pm_edverify_sign_server.sv", "dv/edverify/pm_edverify_sign_server_tb.sv"]
STAGED = int(os.environ.get("PM_STAGED", "0"))
PART = int(os.environ.get("PM_PART", "1"))
"""One of so many lengths, keys, jobs and cycles of clear_i."""
CONTEXTS, MESSAGE_BYTES = 4, 2048
PERIOD = 10_000  # steps of 1 ps

# RFC 8032, section 7.1: private key, message, signature.
VECTORS = [
    ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
     "d25bf5f0595bbe24655141438e7a100b"),
    ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
     "387b2eaeb4302aeeb00d291612bb0c00"),
    ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
     "4a7c15e9716ed28dc027beceea1ec40a"),
    ("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
     hashlib.sha512(b"abc").hexdigest(),
     "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
     "3dca179c138ac17ad9bef1177331a704"),
]


@dataclass
class Sign:
    """A signature to make, and what it is made of."""

    d: bytes
    message: bytes

    @cached_property
    def signature(self) -> bytes:
        return ed25519.sign(self.d, self.message)

    @cached_property
    def public(self) -> bytes:
        return ed25519.public_key(self.d)

    @property
    def a(self) -> int:
        return scalar.clamp(hashlib.sha512(self.d).digest()[:32]) % scalar.L

    @property
    def r(self) -> int:
        return scalar.reduce(hashlib.sha512(hashlib.sha512(self.d).digest()[32:]
                                            + self.message).digest())


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


class Bench:
    """Plays receiver, control and the verify side of the hash."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.slots: dict[tuple[int, int], int] = {}
        self.writes: Counter[int] = Counter()

    async def start(self, stall: int = 0) -> None:
        dut = self.dut
        dut.stall_i.value = stall
        await handshake.begin(dut, (
            "clear_i", "msg_valid_i", "msg_data_i", "msg_keep_i", "msg_last_i", "msg_drop_i", "phase1_valid_i",
            "phase1_ctx_i", "phase1_sign_i", "phase1_d_i", "phase2_valid_i", "phase2_ctx_i", "phase2_a_i",
            "phase2_r_i", "verify_clear_i", "verify_valid_i", "verify_data_i", "verify_keep_i", "verify_last_i",
            "verify_digest_ready_i"), count=2, after=2 * CONTEXTS + 1)  # zeros into the slots
        cocotb.start_soon(self.watch())

    async def watch(self) -> None:
        """Notes what is written into the slots."""
        dut = self.dut
        while True:
            await RisingEdge(dut.written_o)
            await ReadOnly()
            ctx, slot = int(dut.written_ctx_o.value), int(dut.written_slot_o.value)
            self.slots[ctx, slot] = int(dut.written_data_o.value)
            self.writes[ctx] += 1

    async def stream(self, prefix: str, message: bytes, pace: float = 1) -> None:
        """Offers the beats of a message; an empty one is a beat without bytes."""
        data, keep, last = (getattr(self.dut, f"{prefix}_{name}_i") for name in ("data", "keep", "last"))
        count = max(1, -(-len(message) // 8))
        for i in range(count):
            while random.random() >= pace:
                await RisingEdge(self.dut.clk_i)
            part = message[8 * i:8 * i + 8]
            data.value = number(part) | random.getrandbits(64) >> 8 * len(part) << 8 * len(part)
            keep.value = (1 << len(part)) - 1
            last.value = int(i == count - 1)
            await handshake.offer(self.dut, prefix=f"{prefix}_")

    async def request(self, phase: int, hold: bool = True, **fields: int) -> None:
        """Offers a request until it is taken, and with `hold` until its operands are read."""
        dut = self.dut
        for name, value in fields.items():
            getattr(dut, f"phase{phase}_{name}_i").value = value
        await handshake.offer(dut, prefix=f"phase{phase}_")
        if STAGED and hold:
            await RisingEdge(dut.clk_i)

    async def done(self, phase: int, ctx: int) -> int:
        """Waits for the end of the phase; cycles since the last edge, S of phase 2 in self.s."""
        begin = get_sim_time("step")
        signal = getattr(self.dut, f"phase{phase}_done_o")
        while not signal.value:
            trigger = await First(late := Timer(20_000 * PERIOD, "step"), RisingEdge(signal))
            assert trigger is not late, f"phase {phase} does not end"
        await ReadOnly()
        assert int(getattr(self.dut, f"phase{phase}_done_ctx_o").value) == ctx
        self.s = int(self.dut.phase2_s_o.value)
        cycles = (get_sim_time("step") - begin) // PERIOD + 1
        await RisingEdge(self.dut.clk_i)
        return int(cycles)

    async def phase1(self, job: Sign, ctx: int, sign: bool = True) -> int:
        before = self.writes[ctx]
        await self.request(1, ctx=ctx, sign=int(sign), d=number(job.d))
        self.dut.phase1_d_i.value = random.getrandbits(256)
        cycles = await self.done(1, ctx)
        assert self.slots[ctx, 0] == job.a
        assert self.writes[ctx] - before == 1 + sign
        if sign:
            assert self.slots[ctx, 1] == job.r
        return cycles

    async def phase2(self, job: Sign, ctx: int) -> int:
        await self.request(2, ctx=ctx, a=number(job.public), r=number(job.signature[:32]))
        cycles = await self.done(2, ctx)
        assert self.s == number(job.signature[32:])
        await ReadOnly()
        await RisingEdge(self.dut.clk_i)
        assert self.dut.registers_zero_o.value == 1
        return cycles

    async def sign(self, job: Sign, ctx: int) -> tuple[int, int]:
        await self.stream("msg", job.message)
        return await self.phase1(job, ctx), await self.phase2(job, ctx)


def blocks(length: int) -> int:
    """SHA-512 blocks of a message."""
    return (length + 17 + 127) // 128


def random_job(length: int) -> Sign:
    return Sign(random.randbytes(32), random.randbytes(length))


@cocotb.test()
async def rfc8032(dut) -> None:
    """a, r and S of section 7.1; cycles as the header says."""
    bench = Bench(dut)
    await bench.start()
    for i, (d, message, signature) in enumerate(VECTORS):
        job = Sign(bytes.fromhex(d), bytes.fromhex(message))
        assert job.signature.hex() == signature
        first, second = await bench.sign(job, i % CONTEXTS)
        size = len(job.message)
        assert first == PHASE1_CYCLES + 80 * (blocks(32 + size) - 1)
        assert second == PHASE2_CYCLES + 80 * (blocks(64 + size) - 1)
        assert await bench.phase1(job, i % CONTEXTS, sign=False) == KEYGEN_CYCLES


@cocotb.test()
async def lengths(dut) -> None:
    """Messages of 0 to 2,000 bytes, around the ends of blocks, and exactly as long as the memory."""
    bench = Bench(dut)
    await bench.start()
    chosen = [*range(18), *range(45, 50), *range(77, 82), 95, 96, 111, 112, 127, 128, 129, 2000,
              *(random.randrange(2001) for _ in range(6)), MESSAGE_BYTES - 1, MESSAGE_BYTES, 5]
    assert len(chosen) == 45
    chosen = [*chosen[:-2:PART], *chosen[-2:]]
    assert len(chosen) == {1: 45, 4: 13}[PART]
    for i, length in enumerate(chosen):
        first, second = await bench.sign(random_job(length), i % CONTEXTS)
        assert first == PHASE1_CYCLES + 80 * (blocks(32 + length) - 1)
        assert second == PHASE2_CYCLES + 80 * (blocks(64 + length) - 1)


@cocotb.test()
async def constant_time(dut) -> None:
    """120 keys (30 in a part), among them extreme ones: each phase in one number of cycles."""
    bench = Bench(dut)
    await bench.start()
    keys = [bytes(32), b"\xff" * 32, bytes(31) + b"\x80", b"\1" + bytes(31),
            *(random.randbytes(32) for _ in range(120 // PART - 4))]
    times = set()
    for i, d in enumerate(keys):
        message = random.choice([bytes(50), b"\xff" * 50, random.randbytes(50)])
        times.add(await bench.sign(Sign(d, message), i % CONTEXTS))
    assert len(keys) == 120 // PART and len(times) == 1


@cocotb.test()
async def too_long_and_dropped(dut) -> None:
    """A message longer than the memory, and messages given up, leave the next ones whole."""
    bench = Bench(dut)
    await bench.start()
    for i in range(8):
        kept = random_job(random.randrange(40))
        await bench.stream("msg", kept.message)
        await bench.phase1(kept, 1)
        if i % 2:  # swallowed only when nothing older is left
            await bench.phase2(kept, 1)
            await bench.stream("msg", bytes(MESSAGE_BYTES + 1 + 100 * i))
            assert dut.msg_too_long_o.value == 1
            await handshake.cycles(dut, i)
            assert dut.msg_too_long_o.value == 1
        else:
            await bench.stream("msg", random.randbytes(random.randrange(300)))
        await handshake.pulse(dut, "msg_drop_i")
        await handshake.pulse(dut, "msg_drop_i")  # nothing to drop
        await ReadOnly()
        assert dut.msg_too_long_o.value == 0
        await RisingEdge(dut.clk_i)
        job = random_job(MESSAGE_BYTES if i % 2 else 200)
        await bench.stream("msg", job.message)
        await bench.phase1(job, 2)
        if not i % 2:
            await bench.phase2(kept, 1)
        await bench.phase2(job, 2)


async def verify_side(bench: Bench, done: Counter[str]) -> None:
    """Hashes messages of its own beside the server; clears some, takes digests late."""
    dut = bench.dut
    while True:
        message = random.randbytes(random.randrange(300))
        await bench.stream("verify", message, pace=0.9)
        if random.random() < 0.2:
            await handshake.pulse(dut, "verify_clear_i")
            done["cleared"] += 1
            continue
        while not dut.verify_digest_valid_o.value:
            await RisingEdge(dut.clk_i)
        await handshake.cycles(dut, random.randrange(20))
        await ReadOnly()
        assert int(dut.digest_o.value) == number(hashlib.sha512(message).digest())
        await RisingEdge(dut.clk_i)
        await handshake.pulse(dut, "verify_digest_ready_i")
        done["hashed"] += 1
        await handshake.cycles(dut, random.randrange(200))


@cocotb.test()
@cocotb.parametrize(stall=[0, 150])
async def queue(dut, stall: int) -> None:
    """Jobs in all contexts at once: the next ones arrive, and begin, while others wait for phase 2;
    keys are generated in between; the hash and the multiplier have other work too."""
    bench = Bench(dut)
    await bench.start(stall)
    other: Counter[str] = Counter()
    cocotb.start_soon(verify_side(bench, other))
    free, points = deque(range(CONTEXTS)), deque()
    signed, waited, keys = 0, 0, 0

    async def second() -> None:
        """Phase 2 of the jobs in order, some time after phase 1."""
        nonlocal signed
        while True:
            while not points:
                await RisingEdge(dut.clk_i)
            job, ctx = points[0]
            await handshake.cycles(dut, random.randrange(900))
            if len(points) > 1:  # whose turn it is not waits
                dut.phase2_ctx_i.value, dut.phase2_valid_i.value = points[1][1], 1
                for _ in range(3):
                    await ReadOnly()
                    assert dut.phase2_ready_o.value == 0
                    await RisingEdge(dut.clk_i)
            await bench.request(2, ctx=ctx, a=number(job.public), r=number(job.signature[:32]))
            await bench.done(2, ctx)
            assert bench.s == number(job.signature[32:])
            points.popleft()
            free.append(ctx)
            signed += 1

    cocotb.start_soon(second())
    jobs = 50 if PART == 1 else 20
    for i in range(jobs):
        # Some are so long that they wait for room.
        job = random_job(random.choice([0, random.randrange(200), random.randrange(200), 1200]))
        sign = i % 5 != 4
        if sign:
            await bench.stream("msg", job.message, pace=random.choice([1, 0.7]))
        while not free:
            await RisingEdge(dut.clk_i)
        ctx = free.popleft()
        waited += len(points) > 1
        await bench.phase1(job, ctx, sign)
        if sign:
            points.append((job, ctx))
        else:
            keys += 1
            free.append(ctx)
    while points:
        await RisingEdge(dut.clk_i)
    assert (signed, keys) == (jobs * 4 // 5, jobs // 5)
    assert waited > jobs // 5 and other["hashed"] > jobs * 2 // 5 and other["cleared"] > jobs // 10


@cocotb.test()
async def clear(dut) -> None:
    """clear_i in all phases, with a message on its way or not: nothing comes of it, and nothing is left
    in the registers; the next job is right."""
    bench = Bench(dut)
    await bench.start()
    job, after = random_job(100), random_job(30)
    whole = PHASE1_CYCLES + 80
    ends = 0
    for cycle in [*range(16), *range(16, whole + PHASE2_CYCLES + 80, 3)][::PART]:
        before = Counter(bench.writes)
        await bench.stream("msg", job.message)
        second = cycle >= whole
        if second:
            await bench.phase1(job, 3)
            await bench.request(2, cycle != whole, ctx=3, a=number(job.public), r=number(job.signature[:32]))
        else:
            await bench.request(1, cycle != 0, ctx=3, sign=1, d=number(job.d))
        if cycle % 2:
            dut.msg_valid_i.value = 1
        await handshake.cycles(dut, cycle - whole if second else cycle)
        dut.msg_valid_i.value = 0
        await handshake.pulse(dut, "clear_i")
        await ReadOnly()
        assert dut.registers_zero_o.value == 1
        await RisingEdge(dut.clk_i)
        before = Counter(bench.writes)
        for _ in range(30):
            await ReadOnly()
            assert not dut.phase1_done_o.value and not dut.phase2_done_o.value
            await RisingEdge(dut.clk_i)
        assert bench.writes == before and dut.hash_zero_o.value == 1
        await bench.sign(after, cycle % CONTEXTS)
        ends += 1
    assert ends == -(-(208 + STAGED) // PART)


# From the cycle in which the operands are read; a register before the hash is in the way of each message.
PHASE1_CYCLES, PHASE2_CYCLES, KEYGEN_CYCLES = 250 + 2 * STAGED, 180 + STAGED, 125 + STAGED


@pytest.mark.parametrize("part", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("staged", [0, 1])
def test_pm_edverify_sign_server(staged: int, part: int) -> None:
    simbuild.run_cocotb("pm_edverify_sign_server_tb", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "MessageBytes": MESSAGE_BYTES, "Staged": staged}, expect=7,
                        extra_env={"PM_STAGED": str(staged), "PM_PART": str(part)})


@pytest.mark.parametrize("contexts", [1, 65])
def test_refused(contexts: int) -> None:
    with pytest.raises(simbuild.BuildError, match="NumContexts"):
        simbuild.lint("pm_edverify_sign_server", SOURCES[:4], {"NumContexts": contexts})
