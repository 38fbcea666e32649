# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_rx without signatures: of all operations only x25519 is legal."""

from __future__ import annotations

import cocotb

from dv.edverify.ed_jobs import (
    OPCODE_KEYGEN,
    OPCODE_SIGN,
    OPCODE_X25519,
    OPERANDS,
    VERIFICATIONS,
    Build,
    header,
    longer,
    packet,
    random_body,
    random_packet,
    secret_packet,
)
from dv.edverify.ed_rx_bench import bench, run


@cocotb.test()
async def every_opcode(dut) -> None:
    """With the packet that it has elsewhere, and with that of x25519."""
    b = await bench(dut, 1)
    legal = []
    for opcode in range(256):
        rule = b.rng.randrange(1, 7) if opcode in VERIFICATIONS else 0
        for shape in {opcode if opcode in OPERANDS else OPCODE_X25519, OPCODE_X25519}:
            beats = packet(header(rule, b.rng.getrandbits(32), opcode), *random_body(b.rng, shape, 20))
            if not (await b.job(beats)).malformed:
                legal.append(opcode)
    assert legal == [OPCODE_X25519]


@cocotb.test()
async def wrong_length(dut) -> None:
    b = await bench(dut, 2)
    whole = secret_packet(b.rng, OPCODE_X25519)
    await b.malformed(whole[:length] for length in range(1, 9))
    for more in (1, 2, 4, 8, 40):
        assert (await b.job(longer(b.rng, whole, more))).malformed
        assert not (await b.job(secret_packet(b.rng, OPCODE_X25519))).malformed


@cocotb.test()
async def answered_early(dut) -> None:
    """job_done_i in any cycle of any packet: the next job is right."""
    b = await bench(dut, 3)
    for trial in range(120):
        kinds = (OPCODE_X25519, OPCODE_KEYGEN, OPCODE_SIGN)
        beats = secret_packet(b.rng, kinds[trial % 3], 60) if trial % 4 else random_packet(b.rng, 40)
        await b.end_early(beats, 12)
        assert not (await b.job(secret_packet(b.rng, OPCODE_X25519))).malformed


def test_pm_edverify_rx_x25519() -> None:
    run(__name__, Build(secret_ops=True, signatures=False), 3)
