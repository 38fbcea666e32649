# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_barrel_issue: every operation begins at its program, in every configuration; guard, stall and end."""

from __future__ import annotations

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from dv.edverify.engine_parts import GEN, PACKAGES, RTL, numbers, rom
from pointmill import simbuild
from pointmill.rules import OPERATIONS

SOURCES = [*PACKAGES, "hw/lib/seq/pm_sequencer.sv", "hw/lib/seq/pm_barrel_sequencer.sv",
           *(GEN / f"pm_edverify_{name}_rom.sv" for name in ("throughput", "latency", "bulk")),
           RTL / "pm_edverify_barrel_issue.sv"]  # fmt: skip
CONTEXTS = 4
PREPARE, SUM = 1, 2


def programs(configuration: str) -> list[tuple[int, int, str]]:
    """Operation and what it does for a batch, and where its program begins."""
    code = {name: op.opcode for name, op in OPERATIONS.items()}
    if configuration == "latency":
        return [(code["verify"], 0, "Verify")]
    if configuration == "throughput":
        return [(code["verify"], 0, "Verify"), (code["x25519"], 0, "X25519"), (code["keygen"], 0, "FixedBase"),
                (code["sign"], 0, "FixedBase")]  # fmt: skip
    return [(code["verify"], 0, "Verify"), (code["load_key"], 0, "LoadKey"),
            (code["verify_cached"], 0, "VerifyCached"), (code["verify"], PREPARE, "BatchPrepare"),
            (code["verify"], SUM, "BatchSum")]  # fmt: skip


def configuration_of(dut) -> str:
    return "latency" if int(dut.Scheduled.value) else "bulk" if int(dut.Bulk.value) else "throughput"


async def first_word(dut, context: int) -> int | None:
    """The first word that is not empty, and that it is of this context."""
    for _ in range(40):
        await ReadOnly()
        word, owner = int(dut.word_o.value), int(dut.ctx_o.value)
        await FallingEdge(dut.clk_i)
        if word:
            assert owner == context
            return word
    return None


async def pulse(dut, **values: int) -> None:
    """The named inputs for one cycle."""
    for name, value in values.items():
        getattr(dut, name).value = value
    await FallingEdge(dut.clk_i)
    for name in values:
        getattr(dut, name).value = 0


@cocotb.test()
async def beginnings(dut) -> None:
    """Each operation in each context."""
    await begin(dut, edge=FallingEdge)
    configuration = configuration_of(dut)
    words, entries = rom(configuration), numbers(configuration, "Entry")
    started = set()
    for op, batch, name in programs(configuration):
        for context in range(CONTEXTS):
            await pulse(dut, start_i=1 << context, op_i=op, batch_i=batch)
            assert await first_word(dut, context) == words[entries[name]], name
            await pulse(dut, clear_i=1 << context)
            await FallingEdge(dut.clk_i)
            assert await first_word(dut, context) is None
        started.add(name)
    assert started == entries.keys()
    if configuration == "throughput":
        await pulse(dut, start_i=1, op_i=OPERATIONS["keygen"].opcode, wipe_i=1)
        assert await first_word(dut, 0) == words[numbers(configuration, "Entry", "wipe")["Wipe"]]


@cocotb.test()
async def held_back(dut) -> None:
    """No word under hold_i; in a barrel none for a context of stall_i."""
    await begin(dut, edge=FallingEdge)
    op, batch, name = programs(configuration_of(dut))[0]
    first = rom(configuration_of(dut))[numbers(configuration_of(dut), "Entry")[name]]
    for held in ("hold_i", "stall_i"):
        getattr(dut, held).value = 1 if held == "hold_i" else 1 << 2
        await FallingEdge(dut.clk_i)
        await pulse(dut, start_i=1 << 2, op_i=op, batch_i=batch)
        free = held == "stall_i" and int(dut.Scheduled.value)  # words of `latency` wait for nobody
        if not free:
            assert await first_word(dut, 2) is None
        getattr(dut, held).value = 0
        assert await first_word(dut, 2) == first
        await pulse(dut, clear_i=1 << 2)
        await FallingEdge(dut.clk_i)


@cocotb.test()
async def guard(dut) -> None:
    """A verification in a context on secrets ends at once, in every configuration."""
    await begin(dut, edge=FallingEdge)
    dut.secret_i.value = 1 << 1
    dut.conditions_i.value = 1
    op, batch, _ = programs(configuration_of(dut))[0]
    ends = {}
    for context in (0, 1):
        await pulse(dut, start_i=1 << context, op_i=op, batch_i=batch)
        ends[context] = False
        for _ in range(400):
            await ReadOnly()
            if int(dut.violation_o.value):
                assert int(dut.end_ctx_o.value) == context
                ends[context] = True
            await FallingEdge(dut.clk_i)
        await pulse(dut, clear_i=1 << context)
        await FallingEdge(dut.clk_i)
    assert ends == {0: False, 1: True}


@pytest.mark.parametrize(("scheduled", "bulk"), [(0, 0), (0, 1), (1, 0)])
def test_issue(scheduled: int, bulk: int) -> None:
    simbuild.run_cocotb("pm_edverify_barrel_issue", SOURCES, __name__,
                        {"NumContexts": CONTEXTS, "Scheduled": scheduled, "Bulk": bulk,
                         "MinSpacing": 1 if scheduled else 9}, expect=3)  # fmt: skip
