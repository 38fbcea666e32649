# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_rx: legal and damaged packets, discarding, early results, reset, cycles of events.

Verifications here, whatever else is built in; secret operations in test_pm_edverify_rx_secret.py, slots and
batches in test_pm_edverify_rx_bulk.py.
"""

from __future__ import annotations

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from dv.common import handshake
from dv.edverify.ed_jobs import FIXED_BEATS, Build, bad_keeps, header, packet, random_packet
from dv.edverify.ed_rx_bench import SOURCES, bench, frame, run
from pointmill import simbuild


@cocotb.test()
async def legal_jobs(dut) -> None:
    """Every message length from 0 to 40 and some longer ones, every rule."""
    b = await bench(dut, 1)
    lengths = [*range(41), 127, 128, 129, 500, 1000]
    rules = set()
    for length in lengths:
        rules.add((await b.job(random_packet(b.rng, length))).rule)
    assert rules == {1, 2, 3, 4, 5, 6}


@cocotb.test()
async def empty_last_beat(dut) -> None:
    """A last beat without bytes adds nothing to the message."""
    b = await bench(dut, 2)
    for length in (0, 8, 64):
        beats = [*random_packet(b.rng, length), (b.rng.randbytes(8), 0)]
        want = await b.job(beats)
        assert not want.malformed and len(want.hashed) == 64 + length


@cocotb.test()
async def truncated(dut) -> None:
    """A packet that ends on any of the beats 0 to 11 is malformed; the next job is right."""
    b = await bench(dut, 3)
    for last in range(FIXED_BEATS - 1):
        assert (await b.job(random_packet(b.rng, 30)[:last + 1])).malformed
        assert not (await b.job(random_packet(b.rng, 30))).malformed


@cocotb.test()
async def bad_keep(dut) -> None:
    """Bad TKEEP on every beat of packets with and without message; the next job is right."""
    b = await bench(dut, 4)
    seen = 0
    for length in (0, 30, 32):
        seen += await b.malformed(bad_keeps(random_packet(b.rng, length)))
        assert not (await b.job(random_packet(b.rng, length))).malformed
    assert seen == 13 * 4 + 2 * (16 * 4 + 3)


@cocotb.test()
async def last_keep(dut) -> None:
    """All 256 values of TKEEP on the last message beat: nine of them are legal."""
    b = await bench(dut, 5)
    beats = random_packet(b.rng, 16)
    verdicts = [(await b.job([*beats[:-1], (beats[-1][0], keep)])).malformed for keep in range(256)]
    assert verdicts.count(False) == 9


@cocotb.test()
async def bad_header(dut) -> None:
    """Every illegal rule and opcode and every reserved bit; the next job is right.

    The opcodes of other operations come with the rule of a verification, which most may not have.
    """
    b = await bench(dut, 6)
    heads = [header(rule, 1) for rule in range(256)]
    heads += [header(1, 2, opcode=opcode) for opcode in range(256)]
    heads += [header(2, 3, reserved=1 << bit) for bit in range(16)]
    malformed = 0
    for head in heads:
        body = [b.rng.randbytes(32) for _ in range(3)]
        malformed += (await b.job(packet(head, *body, b.rng.randbytes(3)))).malformed
    assert malformed == 250 + 255 - bool(b.build.keys) - b.build.batches + 16
    for _ in range(3):
        assert not (await b.job(random_packet(b.rng, 100))).malformed


@cocotb.test()
async def discard(dut) -> None:
    """A discarded message is taken without hashing; its format is still looked at."""
    b = await bench(dut, 7)
    for trial in range(60):
        beats = random_packet(b.rng, 200)
        bad = trial % 3 == 0
        if bad:
            index = b.rng.randrange(FIXED_BEATS, len(beats))
            beats[index] = (beats[index][0], 0xFD)
        b.source.send_nowait(frame(beats))
        await b.until(dut.job_valid_o)
        await handshake.cycles(dut, b.rng.randrange(30))
        dut.job_discard_i.value = 1
        await RisingEdge(dut.clk_i)
        early = not dut.job_end_o.value  # the first cycle with job_discard_i = 1
        if early:
            await b.until(dut.job_end_o)
        assert bool(dut.job_malformed_o.value) == bad
        if early or bad:
            await b.check_forgotten()
        dut.job_discard_i.value = 0
        await b.done()
        await b.job(random_packet(b.rng, 20))


@cocotb.test()
async def discard_does_not_wait_for_the_hash(dut) -> None:
    """While the hash unit takes nothing, a discarded message still drains, a beat a cycle."""
    b = await bench(dut, 8, calm=True)
    b.source.send_nowait(frame(random_packet(b.rng, 800)))
    await b.until(dut.job_valid_o)
    dut.job_discard_i.value = 1
    await RisingEdge(dut.clk_i)
    begin, b.calm = b.cycle, False
    b.rng.random = lambda: 1.0  # from now on hash_ready_i stays 0
    await b.until(dut.job_end_o)
    assert b.cycle - begin <= 101
    assert b.hashed is None


@cocotb.test()
async def answered_early(dut) -> None:
    """job_done_i in any cycle of a packet ends the job; the rest of it goes unseen."""
    b = await bench(dut, 9)
    for _ in range(120):
        beats = random_packet(b.rng, 60)
        b.source.send_nowait(frame(beats))
        await b.until(dut.job_start_o)
        await RisingEdge(dut.clk_i)
        assert dut.job_open_o.value
        assert int(dut.job_tag_o.value) == b.expected(beats).tag
        await handshake.cycles(dut, b.rng.randrange(50))
        await b.done()
        await b.job(random_packet(b.rng, 10))
        assert not dut.busy_o.value


@cocotb.test()
async def reset_in_a_packet(dut) -> None:
    """After reset in any cycle of a packet the next packet is a job of its own."""
    b = await bench(dut, 10)
    for _ in range(60):
        b.source.send_nowait(frame(random_packet(b.rng, 60)))
        await handshake.cycles(dut, b.rng.randrange(60))
        dut.rst_ni.value = 0
        await RisingEdge(dut.clk_i)
        b.source.clear()
        dut.rst_ni.value = 1
        await RisingEdge(dut.clk_i)
        b.forget()
        assert not dut.busy_o.value
        await b.job(random_packet(b.rng, 10))


@cocotb.test()
async def cycles(dut) -> None:
    """Without disturbance: a beat a cycle, job_valid_o and job_end_o right behind their beats, staged a cycle later
    behind operands."""
    b = await bench(dut, 11, calm=True)
    for length in (0, 1, 8, 9, 100):
        await b.timed(random_packet(b.rng, length))
        # the next header is offered already and taken in the cycle after job_done_i
        b.source.send_nowait(frame(random_packet(b.rng, 0)))
        await handshake.cycles(dut, 3)
        assert dut.s_axis_tvalid.value and not dut.s_axis_tready.value
        dut.job_done_i.value = 1
        await RisingEdge(dut.clk_i)
        assert not dut.job_start_o.value
        dut.job_done_i.value = 0
        await RisingEdge(dut.clk_i)
        assert dut.job_start_o.value and dut.hash_clear_o.value
        await b.until(dut.job_end_o)
        await b.done()


@cocotb.test()
async def ready_without_valid(dut) -> None:
    """s_axis_tready does not wait for s_axis_tvalid."""
    await bench(dut, 12, calm=True)
    await RisingEdge(dut.clk_i)
    await ReadOnly()
    assert not dut.s_axis_tvalid.value and dut.s_axis_tready.value


@pytest.mark.parametrize("build", [Build(), Build(secret_ops=True), Build(keys=8, batches=True), Build(staged=True)],
                         ids=["verify", "secret", "bulk", "staged"])
def test_pm_edverify_rx(build: Build) -> None:
    run(__name__, build, 12)


def test_refused() -> None:
    with pytest.raises(simbuild.BuildError, match="Keys must be 0 or a power of two"):
        simbuild.lint("pm_edverify_rx", SOURCES, {"Keys": 12})
