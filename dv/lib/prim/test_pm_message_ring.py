# SPDX-License-Identifier: Apache-2.0
"""pm_message_ring: messages of all lengths kept, read twice, dropped, waiting for room, too long."""

from __future__ import annotations

import os
import random
from collections import Counter, deque

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from dv.common import handshake
from pointmill import simbuild

RTL = "hw/lib/prim/pm_message_ring.sv"
Beat = tuple[int, int, int]  # data, keep, last


def beats_of(message: bytes, empty_end: bool) -> list[Beat]:
    """Beats as the receiver gives them; empty_end: with a last beat without bytes."""
    cut = [message[i:i + 8] for i in range(0, len(message), 8)]
    beats = [(int.from_bytes(part, "little"), (1 << len(part)) - 1, 0) for part in cut]
    if (empty_end and len(message) % 8 == 0) or not beats:
        return [*beats, (random.getrandbits(64), 0, 1)]
    return [*beats[:-1], (*beats[-1][:2], 1)]


def bytes_of(beats: list[Beat]) -> bytes:
    return b"".join(data.to_bytes(8, "little")[:keep.bit_length()] for data, keep, _ in beats)


class Bench:
    """Drives one side at a time or both; keeps the messages that the ring must hold."""

    def __init__(self, dut, pace: float) -> None:
        self.dut, self.pace = dut, pace
        self.size = int(os.environ["RING_BYTES"])
        self.kept: deque[bytes] = deque()
        self.tags: deque[int] = deque()
        self.seen: Counter[str] = Counter()

    async def reset(self) -> None:
        await handshake.begin(self.dut, count=2, after=0)

    async def pulse(self, *names: str) -> None:
        for name in names:
            getattr(self.dut, name).value = 1
        await RisingEdge(self.dut.clk_i)
        for name in names:
            getattr(self.dut, name).value = 0

    async def send(self, beats: list[Beat], patience: int = 500) -> bool:
        """Offers the beats; False if one was refused for `patience` cycles in a row."""
        dut = self.dut
        for data, keep, last in beats:
            while random.random() > self.pace:
                await RisingEdge(dut.clk_i)
            dut.msg_valid_i.value = 1
            dut.msg_data_i.value, dut.msg_last_i.value = data, last
            dut.msg_keep_i.value = keep if last else 0xFF
            for _ in range(patience):
                await ReadOnly()
                taken = bool(dut.msg_ready_o.value)
                await RisingEdge(dut.clk_i)
                if taken:
                    break
            dut.msg_valid_i.value = 0
            if not taken:
                return False
        return True

    async def receive(self, oldest: bool, most: int = 1 << 30) -> bytes:
        """Reads a kept message, at most so many beats of it; the first comes in time, all hold."""
        dut = self.dut
        dut.oldest_i.value = int(oldest)
        await self.pulse("read_i")
        dut.oldest_i.value = random.randrange(2)
        got: list[Beat] = []
        shown = None
        waited = 1
        while not (got and got[-1][2]) and len(got) < most:
            assert waited < 50_000
            dut.out_ready_i.value = ready = int(random.random() < self.pace)
            await ReadOnly()
            assert got or dut.out_valid_o.value == (waited >= 3)
            if dut.out_valid_o.value:
                beat = (int(dut.out_data_o.value), int(dut.out_keep_o.value),
                        int(dut.out_last_o.value))
                assert shown in (None, beat)
                shown = None if ready else beat
                if ready:
                    got.append(beat)
            else:
                assert shown is None
                if self.pace == 1:
                    assert not got  # no gaps
            waited += 1
            await RisingEdge(dut.clk_i)
        dut.out_ready_i.value = 0
        return bytes_of(got)

    def room(self) -> int:
        """Bytes, in whole words, that the next message may have at once."""
        return self.size - sum(-(-len(message) // 8) * 8 for message in self.kept)

    def too_long(self) -> bool:
        return bool(self.dut.too_long_o.value)

    def length(self) -> int:
        """Anything that fits, short ones often, the longest now and then."""
        kind = random.randrange(8)
        if kind == 0:
            return 0
        if kind == 1:
            return self.room()
        return random.randrange(min(self.room(), 40 if kind < 6 else self.size) + 1)

    async def keep(self, message: bytes) -> None:
        # A beat without bytes waits for room like others.
        empty_end = random.random() < 0.5 and not (self.kept and len(message) == self.room())
        assert await self.send(beats_of(message, empty_end))
        await ReadOnly()
        assert not self.too_long()
        await RisingEdge(self.dut.clk_i)
        await self.commit(message)
        self.seen["full" if self.room() == 0 else "kept"] += 1
        if random.random() < 0.8:
            assert await self.receive(oldest=False) == message

    async def commit(self, message: bytes) -> None:
        self.tags.append(random.randrange(16))
        self.dut.tag_i.value = self.tags[-1]
        await self.pulse("commit_i")
        self.dut.tag_i.value = random.randrange(16)
        self.kept.append(message)

    async def free(self) -> None:
        await self.oldest()
        assert await self.receive(oldest=True) == self.kept[0]
        await self.pulse("free_i")
        self.kept.popleft()
        self.tags.popleft()
        await self.oldest()

    async def oldest(self) -> None:
        """Checks what is shown of the oldest message."""
        await ReadOnly()
        assert self.dut.oldest_valid_o.value == bool(self.tags)
        assert not self.tags or self.dut.oldest_tag_o.value == self.tags[0]
        await RisingEdge(self.dut.clk_i)


@cocotb.test()
@cocotb.parametrize(pace=[0.6, 1.0])
async def traffic(dut, pace: float) -> None:
    """Keeps, frees and drops in random order; messages that wait for room; messages too long."""
    bench = Bench(dut, pace)
    await bench.reset()
    most = int(os.environ["RING_MESSAGES"])
    for _ in range(int(os.environ["RING_ROUNDS"])):
        kind = random.randrange(10)
        if len(bench.kept) == most or (kind < 4 and bench.kept) or bench.room() == 0:
            await bench.free()
        elif kind < 7:
            await bench.keep(random.randbytes(bench.length()))
        elif kind == 7:  # given up, in the middle or after its end
            beats = beats_of(random.randbytes(bench.length()), False)
            assert await bench.send(beats[:random.randrange(len(beats) + 1)])
            await bench.pulse("drop_i")
            bench.seen["dropped"] += 1
        elif kind == 8 and bench.room() < bench.size:  # waits until the oldest is gone
            message = random.randbytes(random.randrange(bench.room() + 1, bench.size + 1))
            beats = beats_of(message, False)
            now = bench.room() // 8
            assert await bench.send(beats[:now])
            assert not await bench.send(beats[now:], patience=20)
            while bench.room() < len(beats) * 8:
                await bench.free()
            assert await bench.send(beats[now:]) and not bench.too_long()
            await bench.commit(message)
            bench.seen["waited"] += 1
            assert await bench.receive(oldest=False) == message
        elif kind == 9:  # too long: swallowed when nothing older is left
            while bench.kept:
                await bench.free()
            beats = beats_of(random.randbytes(bench.size + random.randrange(1, 60)), True)
            await bench.send(beats[:bench.size // 8])
            assert not bench.too_long()
            for beat in beats[bench.size // 8:]:
                assert await bench.send([beat], patience=1)
                await ReadOnly()
                assert bench.too_long()
                await RisingEdge(dut.clk_i)
            await bench.pulse("drop_i")
            await ReadOnly()
            assert not bench.too_long()
            await RisingEdge(dut.clk_i)
            bench.seen["too long"] += 1
    dut._log.info("%s", bench.seen)
    assert all(bench.seen[name] > 5 for name in ("kept", "full", "dropped", "waited", "too long"))


@cocotb.test()
async def both_sides(dut) -> None:
    """The next message arrives while one is read."""
    bench = Bench(dut, 0.7)
    await bench.reset()
    await bench.keep(random.randbytes(20))
    for _ in range(60):
        message = random.randbytes(random.randrange(min(bench.room(), 60) + 1))
        arrival = cocotb.start_soon(bench.send(beats_of(message, False)))
        await bench.free()
        await arrival
        await bench.commit(message)


@cocotb.test()
async def clear(dut) -> None:
    """clear_i in every state leaves nothing behind."""
    bench = Bench(dut, 0.8)
    await bench.reset()
    for round_ in range(40):
        for _ in range(round_ % 3):
            await bench.keep(random.randbytes(random.randrange(17)))
        if round_ % 5 == 0:  # too long
            while bench.kept:
                await bench.free()
            await bench.send(beats_of(bytes(bench.size + 8), False))
        elif bench.kept and round_ % 2:
            await bench.receive(oldest=True, most=random.randrange(3))
        await bench.send(beats_of(random.randbytes(24), False)[:round_ % 3])
        await bench.pulse("clear_i")
        bench.kept.clear()
        bench.tags.clear()
        await bench.oldest()
        await ReadOnly()
        assert not bench.too_long() and not dut.out_valid_o.value
        await RisingEdge(dut.clk_i)
        await bench.keep(random.randbytes(bench.size))  # the whole memory is there
        await bench.free()


@pytest.mark.parametrize(("size", "messages", "rounds"), [
    (64, 4, 400), pytest.param(2048, 16, 600, marks=pytest.mark.long)])
def test_pm_message_ring(size: int, messages: int, rounds: int) -> None:
    simbuild.run_cocotb(
        "pm_message_ring", RTL, __name__, {"MessageBytes": size, "MaxMessages": messages}, expect=4,
        extra_env={"RING_BYTES": str(size), "RING_MESSAGES": str(messages),
                   "RING_ROUNDS": str(rounds)})


@pytest.mark.parametrize(("size", "messages", "said"), [
    (8, 4, "MessageBytes"), (48, 4, "MessageBytes"), (64, 3, "MaxMessages"), (64, 1, "MaxMessages")])
def test_refused(size: int, messages: int, said: str) -> None:
    with pytest.raises(simbuild.BuildError, match=said):
        simbuild.lint("pm_message_ring", RTL, {"MessageBytes": size, "MaxMessages": messages})
