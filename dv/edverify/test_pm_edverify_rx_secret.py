# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_rx with the secret operations: operands, messages to be signed, damaged packets, wiping."""

from __future__ import annotations

import cocotb
from cocotb.triggers import RisingEdge

from dv.common import handshake
from dv.edverify.ed_jobs import (
    OPCODE_KEYGEN,
    OPCODE_SIGN,
    OPCODE_X25519,
    OPERANDS,
    Build,
    bad_keeps,
    fixed_beats,
    header,
    longer,
    packet,
    random_packet,
    secret_packet,
)
from dv.edverify.ed_rx_bench import Bench, bench, frame, run

SECRET = (OPCODE_X25519, OPCODE_KEYGEN, OPCODE_SIGN)


async def good_jobs(b: Bench) -> None:
    """One legal job of every kind."""
    for opcode in SECRET:
        assert not (await b.job(secret_packet(b.rng, opcode, b.rng.randrange(20)))).malformed
    assert not (await b.job(random_packet(b.rng, b.rng.randrange(20)))).malformed


@cocotb.test()
async def legal_jobs(dut) -> None:
    """All operations in turn; messages of every length from 0 to 40 and some longer ones."""
    b = await bench(dut, 1)
    signed = 0
    for length in [*range(41), 127, 128, 129, 1000]:
        for opcode in SECRET:
            want = await b.job(secret_packet(b.rng, opcode, length))
            assert not want.malformed
            signed += want.kept is not None and len(want.kept) == length
        await b.job(random_packet(b.rng, length))
    assert signed == 45


@cocotb.test()
async def empty_last_beat(dut) -> None:
    """A last beat without bytes adds nothing to the message."""
    b = await bench(dut, 2)
    for length in (0, 8, 64):
        want = await b.job([*secret_packet(b.rng, OPCODE_SIGN, length), (b.rng.randbytes(8), 0)])
        assert not want.malformed and len(want.kept) == length


@cocotb.test()
async def wrong_length(dut) -> None:
    """Packets that end before the operands do, and operands followed by beats that nobody wants."""
    b = await bench(dut, 3)
    seen = 0
    for opcode in SECRET:
        whole = secret_packet(b.rng, opcode, 30)
        seen += await b.malformed(whole[:last + 1] for last in range(fixed_beats(whole) - 1))
        if opcode != OPCODE_SIGN:
            seen += await b.malformed(longer(b.rng, whole, more) for more in (1, 2, 4, 8))
        await good_jobs(b)
    assert seen == 8 + 4 + 4 + 2 * 4


@cocotb.test()
async def bad_keep(dut) -> None:
    """Bad TKEEP on every beat; the part of a message that came before is forgotten."""
    b = await bench(dut, 4)
    seen = 0
    for opcode in SECRET:
        for length in (0, 30, 32) if opcode == OPCODE_SIGN else (0,):
            seen += await b.malformed(bad_keeps(secret_packet(b.rng, opcode, length)))
            await good_jobs(b)
    assert seen == 4 * (9 + 5 + 5) + 2 * (8 * 4 + 3)


@cocotb.test()
async def bad_header(dut) -> None:
    """Every rule but 0 and every reserved bit."""
    b = await bench(dut, 5)
    for opcode in SECRET:
        heads = [header(rule, 1, opcode) for rule in range(1, 256)]
        heads += [header(0, 2, opcode, reserved=1 << bit) for bit in range(16)]
        for head in heads:
            body = [b.rng.randbytes(32) for _ in range(OPERANDS[opcode])]
            assert (await b.job(packet(head, *body))).malformed
        await good_jobs(b)


@cocotb.test()
async def discard_concerns_the_hash_alone(dut) -> None:
    """A message to be signed is kept although job_discard_i is 1."""
    b = await bench(dut, 6)
    dut.job_discard_i.value = 1
    for length in (0, 1, 8, 100):
        want = await b.job(secret_packet(b.rng, OPCODE_SIGN, length))
        assert len(want.kept) == length


@cocotb.test()
async def answered_early(dut) -> None:
    """job_done_i in any cycle of a packet: the operands are wiped, no message is left behind."""
    b = await bench(dut, 7)
    for trial in range(150):
        opcode = SECRET[trial % 3]
        ended = await b.end_early(secret_packet(b.rng, opcode, 60), 8 if opcode == OPCODE_KEYGEN else 25)
        await handshake.cycles(dut, 2)
        assert not b.begun and len(b.kept) == (ended and opcode == OPCODE_SIGN)
        b.kept.clear()
        await good_jobs(b)
        assert not dut.busy_o.value


@cocotb.test()
async def message_memory_full(dut) -> None:
    """While the message memory takes nothing, a message waits; the packet behind it too."""
    b = await bench(dut, 8, calm=True)
    b.source.send_nowait(frame(secret_packet(b.rng, OPCODE_SIGN, 200)))
    await b.until(dut.job_valid_o)
    b.calm = False
    b.rng.random = lambda: 1.0  # from now on msg_ready_i stays 0
    await handshake.cycles(dut, 3)
    for _ in range(100):
        await RisingEdge(dut.clk_i)
        assert dut.msg_valid_o.value and not dut.s_axis_tready.value
    b.calm = True
    await b.until(dut.job_end_o)
    assert len(b.kept) == 1 and len(b.kept[0]) == 200


@cocotb.test()
async def cycles(dut) -> None:
    """Without disturbance: a beat a cycle, job_valid_o and job_end_o right behind their beats."""
    b = await bench(dut, 9, calm=True)
    for opcode in SECRET:
        for length in (0, 1, 100) if opcode == OPCODE_SIGN else (0,):
            await b.timed(secret_packet(b.rng, opcode, length))
            await b.done()
            assert not dut.hash_clear_o.value  # the hash unit may be at work for another job


def test_pm_edverify_rx_secret() -> None:
    run(__name__, Build(secret_ops=True), 9)


def test_pm_edverify_rx_secret_staged() -> None:
    run(__name__, Build(secret_ops=True, staged=True), 9)
