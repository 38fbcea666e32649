# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_rx with prepared keys and batches: slots, operands and hashing of their jobs, damaged packets."""

from __future__ import annotations

import cocotb
import pytest

from dv.edverify.ed_jobs import (
    OPCODE_BATCH,
    OPCODE_CACHED,
    OPCODE_LOAD_KEY,
    OPCODE_VERIFY,
    VERIFICATIONS,
    Beat,
    Build,
    bad_keeps,
    fixed_beats,
    header,
    longer,
    packet,
    random_body,
    random_packet,
)
from dv.edverify.ed_rx_bench import Bench, bench, run

BUILDS = {"both": Build(keys=8, batches=True), "keys": Build(keys=2), "batches": Build(batches=True)}
BULK = (OPCODE_LOAD_KEY, OPCODE_CACHED, OPCODE_BATCH)


def job(b: Bench, opcode: int, length: int = 0, slot: int | None = None) -> list[Beat]:
    """A job of these operations, legal where they are built in and the slot is."""
    rng = b.rng
    rule = rng.randrange(1, 7) if opcode in VERIFICATIONS else 0
    if slot is None:
        slot = {OPCODE_LOAD_KEY: rng.randrange(max(1, b.build.keys)),
                OPCODE_CACHED: rng.getrandbits(16)}.get(opcode, 0)
    return packet(header(rule, rng.getrandbits(32), opcode, slot), *random_body(rng, opcode, length))


@cocotb.test()
async def jobs_in_turn(dut) -> None:
    """Each operation is a job where it is built in and malformed where it is not."""
    b = await bench(dut, 1)
    legal = 0
    for length in [*range(41), 127, 128, 1000]:
        for opcode in (*BULK, OPCODE_VERIFY):
            want = await b.job(job(b, opcode, length))
            assert want.malformed == (opcode not in b.build.opcodes())
            assert want.malformed or (want.hashed is None) == (opcode == OPCODE_LOAD_KEY)
            legal += not want.malformed
    assert legal == 44 * (1 + 2 * bool(b.build.keys) + b.build.batches)


@cocotb.test()
async def slots(dut) -> None:
    """load_key wants a slot that there is, verify_cached takes any number, the others want 0."""
    b = await bench(dut, 2)
    numbers = [0, 1, 2, 3, 7, 8, 9, 15, 16, 255, 256, 65535, *(1 << bit for bit in range(16))]
    malformed = {opcode: [] for opcode in (*BULK, OPCODE_VERIFY)}
    for opcode, seen in malformed.items():
        for slot in numbers:
            seen.append((await b.job(job(b, opcode, 10, slot))).malformed)
    nonzero = [slot != 0 for slot in numbers]
    everything = [True] * len(numbers)
    assert malformed[OPCODE_VERIFY] == nonzero
    assert malformed[OPCODE_BATCH] == (nonzero if b.build.batches else everything)
    assert malformed[OPCODE_CACHED] == [not b.build.keys] * len(numbers)
    assert malformed[OPCODE_LOAD_KEY] == [slot >= b.build.keys for slot in numbers]


@cocotb.test()
async def bad_rule(dut) -> None:
    """load_key has no rule, the verifications have one of the six."""
    b = await bench(dut, 3)
    for opcode in BULK:
        good = 0
        for rule in range(256):
            head = header(rule, 1, opcode)
            good += not (await b.job(packet(head, *random_body(b.rng, opcode, 3)))).malformed
        built = opcode in b.build.opcodes()
        assert good == (built if opcode == OPCODE_LOAD_KEY else 6 * built)


@cocotb.test()
async def wrong_length(dut) -> None:
    """Packets that end before the operands do, and beats behind a key."""
    b = await bench(dut, 4)
    seen = 0
    for opcode in BULK:
        whole = job(b, opcode, 30)
        for last in range(fixed_beats(whole) - 1):
            assert (await b.job(whole[:last + 1])).malformed
            assert not (await b.job(random_packet(b.rng, 3))).malformed
            seen += 1
    for more in (1, 2, 4, 8):
        assert (await b.job(longer(b.rng, job(b, OPCODE_LOAD_KEY), more))).malformed
        assert not (await b.job(random_packet(b.rng, 3))).malformed
        seen += 1
    assert seen == 4 + 2 * 12 + 4


@cocotb.test()
async def bad_keep(dut) -> None:
    """Bad TKEEP on every beat; the next job is right."""
    b = await bench(dut, 5)
    seen = 0
    for opcode in BULK:
        seen += await b.malformed(bad_keeps(job(b, opcode, 30)))
        assert not (await b.job(random_packet(b.rng, 20))).malformed
    assert seen == 4 * 5 + 2 * (16 * 4 + 3)


@cocotb.test()
async def answered_early(dut) -> None:
    """job_done_i in any cycle of a packet ends the job; the rest of it goes unseen."""
    b = await bench(dut, 6)
    for trial in range(90):
        opcode = BULK[trial % 3]
        await b.end_early(job(b, opcode, 60), 8 if opcode == OPCODE_LOAD_KEY else 40)
        await b.job(job(b, BULK[b.rng.randrange(3)], 10))
        assert not dut.busy_o.value


@pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS)
def test_pm_edverify_rx_bulk(build: Build) -> None:
    run(__name__, build, 6)
