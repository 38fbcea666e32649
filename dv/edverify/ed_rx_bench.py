# SPDX-License-Identifier: Apache-2.0
"""What the benches of pm_edverify_rx share: hash unit, message memory and core around the receiver."""

from __future__ import annotations

import random
from collections.abc import Iterable

import cocotb
from cocotb.triggers import RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamFrame

from dv.common.axi_models import pauses, stream_source
from dv.common.handshake import begin, cycles
from dv.edverify.ed_jobs import SECRET_OPCODES, Beat, Build, Expected, expected, first_beats, fixed_beats
from pointmill import simbuild

SOURCES = ["hw/edverify/gen/pm_edverify_pkg.sv", "hw/edverify/rtl/pm_edverify_rx.sv"]


def frame(beats: list[Beat]) -> AxiStreamFrame:
    """Beats as the stream source wants them: bytes and one keep flag per byte."""
    data = b"".join(data for data, _ in beats)
    return AxiStreamFrame(data, tkeep=[keep >> i & 1 for _, keep in beats for i in range(8)])


class Bench:
    """Drives the stream, plays hash unit, message memory and core, and checks each job.

    build: how the receiver was built.
    """

    def __init__(self, dut, seed: int, calm: bool, build: Build) -> None:
        self.dut = dut
        self.rng = random.Random(seed)
        self.build = build
        self.calm = calm  # neither idle cycles nor back-pressure
        self.source = stream_source(dut)
        self.hashing = bytearray()  # what the hash unit took since the last clear
        self.hashed: bytes | None = None  # complete message
        self.keeping = bytearray()  # what the message memory has of a message that has not ended
        self.begun = False  # ... which may be empty
        self.kept: list[bytes] = []  # complete messages to be signed

    async def start(self) -> None:
        await begin(self.dut, ("hash_ready_i", "msg_ready_i", "job_discard_i", "job_done_i"))
        if not self.calm:
            self.source.set_pause_generator(pauses(self.rng, 0.3))
        cocotb.start_soon(self._units())

    @property
    def cycle(self) -> int:
        """The present one."""
        return get_sim_time("step") // 10_000

    async def _units(self) -> None:
        """Hash unit and message memory, ready at random."""
        dut = self.dut
        pins = (dut.hash_ready_i, dut.msg_ready_i)
        edge, ready = RisingEdge(dut.clk_i), [-1, -1]
        hash_clear, hash_valid = dut.hash_clear_o, dut.hash_valid_o
        msg_drop, msg_valid = dut.msg_drop_o, dut.msg_valid_o
        while True:
            for unit, pin in enumerate(pins):
                now = int(self.calm or self.rng.random() < 0.6)
                if now != ready[unit]:
                    pin.value = ready[unit] = now
            await edge
            clear, valid = hash_clear.value, hash_valid.value
            if clear or valid:
                self._hash_unit(clear, valid, ready[0])
            drop, valid = msg_drop.value, msg_valid.value
            if drop or valid:
                self._message_memory(drop, valid, ready[1])

    def _hash_unit(self, clear: bool, valid: bool, ready: int) -> None:
        """Takes R || A || M; `hashed` is set by the last beat and forgotten by hash_clear_o."""
        dut = self.dut
        if clear:
            assert not valid
            self.hashing.clear()
            self.hashed = None
        if valid and ready:
            assert self.hashed is None, "a beat behind the last one"
            keep = int(dut.hash_keep_o.value) if dut.hash_last_o.value else 0xFF
            data = int(dut.hash_data_o.value).to_bytes(8, "little")
            self.hashing += data[:keep.bit_count()]
            if dut.hash_last_o.value:
                self.hashed = bytes(self.hashing)

    def _message_memory(self, drop: bool, valid: bool, ready: int) -> None:
        """Takes messages to be signed; msg_drop_o forgets the one that has not ended."""
        dut = self.dut
        if drop:
            assert not valid
            self.keeping.clear()
            self.begun = False
        if valid and ready:
            keep = int(dut.msg_keep_o.value)
            data = int(dut.msg_data_o.value).to_bytes(8, "little")
            self.keeping += data[:keep.bit_count()]
            self.begun = not dut.msg_last_o.value
            if dut.msg_last_o.value:
                self.kept.append(bytes(self.keeping))
                self.keeping.clear()

    async def until(self, signal, limit: int = 5000) -> int:
        """Waits for a cycle in which `signal` is 1; that cycle."""
        edge = RisingEdge(self.dut.clk_i)
        for _ in range(limit):
            await edge
            if signal.value:
                return self.cycle
        raise AssertionError(f"{signal._name} did not rise in {limit} cycles")

    async def done(self) -> bool:
        """Answers the job; returns in the first cycle in which another header may be taken.

        Whether the packet had ended by then.
        """
        self.dut.job_done_i.value = 1
        await RisingEdge(self.dut.clk_i)
        ended = bool(self.dut.job_end_o.value)
        self.dut.job_done_i.value = 0
        await RisingEdge(self.dut.clk_i)
        assert not self.dut.job_valid_o.value and not self.dut.job_open_o.value
        if self.dut.job_secret_o.value:
            assert not self.dut.job_r_o.value and not self.dut.job_a_o.value
        return ended

    def check_operands(self, want: Expected) -> None:
        dut = self.dut
        ports = (dut.job_s_o, dut.job_r_o, dut.job_a_o)[3 - len(want.operands):]
        assert [int(port.value) for port in ports] == want.operands

    async def check_forgotten(self) -> None:
        """Hash unit and message memory were told to forget what they have of this job."""
        await cycles(self.dut, 2)
        assert not self.hashing and self.hashed is None
        assert not self.begun and not self.kept

    def forget(self) -> None:
        """What a reset does to hash unit and message memory."""
        self.hashing.clear()
        self.hashed = None
        self.keeping.clear()
        self.begun = False
        self.kept.clear()

    def expected(self, beats: list[Beat]) -> Expected:
        return expected(beats, self.build)

    async def job(self, beats: list[Beat], send: bool = True) -> Expected:
        """Sends a packet, checks the finished job, answers it."""
        dut, want = self.dut, self.expected(beats)
        if send:
            self.source.send_nowait(frame(beats))
        await self.until(dut.job_valid_o)
        assert dut.job_open_o.value and dut.busy_o.value
        # a job that is malformed by the end of its operands waits for the end of its packet
        if self.expected(first_beats(beats)).malformed:
            assert dut.job_end_o.value
        assert int(dut.job_op_o.value) == want.opcode
        assert bool(dut.job_secret_o.value) == (self.build.secret_ops and want.opcode in SECRET_OPCODES)
        assert int(dut.job_rule_o.value) == want.rule
        assert int(dut.job_tag_o.value) == want.tag
        assert int(dut.job_slot_o.value) == want.slot
        if not want.malformed:
            self.check_operands(want)
        if not dut.job_end_o.value:
            await self.until(dut.job_end_o)
        for _ in range(self.rng.randrange(4)):  # the job holds, and nothing more is taken
            await RisingEdge(dut.clk_i)
            assert dut.job_valid_o.value and dut.job_end_o.value
            assert not dut.s_axis_tready.value
        assert bool(dut.job_malformed_o.value) == want.malformed
        if want.malformed:
            await self.check_forgotten()
        else:
            self.check_operands(want)
            assert self.hashed == want.hashed
            assert self.kept == ([] if want.kept is None else [want.kept]) and not self.begun
            self.kept.clear()
        await self.done()
        return want

    async def malformed(self, packets: Iterable[list[Beat]]) -> int:
        """Sends packets that must be malformed; how many."""
        count = 0
        for beats in packets:
            assert (await self.job(beats)).malformed
            count += 1
        return count

    async def end_early(self, beats: list[Beat], most: int) -> bool:
        """Sends a packet and answers its job less than so many cycles behind its start; whether it had ended."""
        self.source.send_nowait(frame(beats))
        await self.until(self.dut.job_start_o)
        await cycles(self.dut, self.rng.randrange(most))
        return await self.done()

    async def timed(self, beats: list[Beat]) -> None:
        """Sends a packet, looks at the cycles of job_valid_o and job_end_o, leaves the job open."""
        self.source.send_nowait(frame(beats))
        fixed, staged = fixed_beats(beats), self.build.staged
        start = await self.until(self.dut.job_start_o)
        assert await self.until(self.dut.job_valid_o) == start + fixed + staged
        end = self.cycle if self.dut.job_end_o.value else await self.until(self.dut.job_end_o)
        assert end == start + len(beats) + (staged and len(beats) == fixed)


def run(module: str, build: Build, expect: int) -> None:
    """The cocotb tests of a module on the receiver."""
    simbuild.run_cocotb("pm_edverify_rx", SOURCES, module, build.params(), plusargs=build.words(), expect=expect)


async def bench(dut, seed: int, calm: bool = False) -> Bench:
    """A bench after reset; plus-arguments say how the receiver was built."""
    secret_ops, keys, batches, signatures, staged = (int(cocotb.plusargs[name]) for name in Build().params())
    result = Bench(dut, seed, calm, Build(bool(secret_ops), keys, bool(batches), bool(signatures), bool(staged)))
    await result.start()
    return result
