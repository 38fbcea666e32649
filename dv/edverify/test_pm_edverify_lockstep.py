# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_lockstep: every difference of the lanes is a fault, no result is accepted from then on, and the lanes
begin anew once the first one is empty."""

from __future__ import annotations

import random

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from dv.common.packed import Struct
from pointmill import simbuild
from pointmill.rules import Reason
from pointmill.ucode.machine import Machine

MACHINE = Machine("edverify", "hardened")
ISSUE = Struct(word=MACHINE.isa.word_bits, a_idx=3, g_idx=8, operands=1, a=256, r=256,
               write=1, canon=1, number=5, zero=1, odd=1)  # fmt: skip
BEAT = Struct(valid=1, last=1, data=64)
FAULT = int(Reason.fault_detected)
OK_HEAD = 0x1234_5678_0001_0300
"""First beat of a result that says yes: tag, valid bit, rule 3, reason 0."""


def word(ext: str = "zero", indexed: bool = False) -> int:
    """A microinstruction."""
    return MACHINE.isa.encode({"ext": MACHINE.externals[ext], "ra": MACHINE.isa.port("mul", 3, indexed), "mul_en": 1})


class Bench:
    """The unit beside two lanes that agree."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.levels = {"first_ready_i": 1, "second_ready_i": 1}

    async def begin(self) -> None:
        """Reset, and the cycle in which the lanes still are."""
        await handshake.begin(self.dut, edge=FallingEdge, count=2, after=0)
        for name in ("s_axis_tvalid", "s_axis_tlast"):
            getattr(self.dut, name).value = 0
        assert await self.cycle() == {"on": 0, "s_axis_tready": 0, "fault_o": 0}
        assert await self.cycle() == {"on": 1, "s_axis_tready": 1, "fault_o": 0}

    async def cycle(self, first: int = 0, second: int | None = None, beats: tuple[int, int] = (0, 0),
                    **levels: int) -> dict[str, int]:  # fmt: skip
        """One cycle; the issues of both lanes, alike unless the second is given; their beats; other inputs."""
        dut = self.dut
        dut.first_issue_i.value = first
        dut.second_issue_i.value = first if second is None else second
        dut.first_beat_i.value, dut.second_beat_i.value = beats
        given = {"drained_i": 0, "s_axis_tvalid": 0, "s_axis_tlast": 0} | self.levels | levels
        for name, value in given.items():
            getattr(dut, name).value = value
        await ReadOnly()
        self.data, self.valid = int(dut.m_axis_tdata.value), int(dut.m_axis_tvalid.value)
        assert int(dut.take_o.value) == (given["s_axis_tvalid"] and int(dut.s_axis_tready.value))
        on = int(dut.first_rst_no.value)
        assert on == int(dut.second_rst_no.value) != int(dut.lanes_reset_o.value)
        seen = {"on": on, **{name: int(getattr(dut, name).value) for name in ("s_axis_tready", "fault_o")}}
        await FallingEdge(dut.clk_i)
        return seen

    async def fault(self) -> bool:
        """Whether a fault is known by now; forgets it."""
        seen = await self.cycle()
        if seen["fault_o"]:
            assert (await self.cycle(drained_i=1))["on"] == 1
            assert await self.cycle() == {"on": 0, "s_axis_tready": 0, "fault_o": 1}
            assert await self.cycle() == {"on": 1, "s_axis_tready": 1, "fault_o": 0}
        return bool(seen["fault_o"])


@cocotb.test()
async def every_difference(dut) -> None:
    """Every bit of what the lanes give, where it matters; and none where it does not."""
    bench, rng = Bench(dut), random.Random(1)
    await bench.begin()
    checked = 0
    for name in ISSUE.widths:
        for bit in range(ISSUE.widths[name]):
            values = {field: rng.getrandbits(width) for field, width in ISSUE.widths.items()}
            values |= {"word": word("g_t2d", indexed=True), "operands": 1}
            first = ISSUE.pack(**values)
            other = ISSUE.pack(**{**values, name: values[name] ^ 1 << bit})
            one, two = rng.choice(((first, other), (other, first)))
            await bench.cycle(one, two)
            if name == "g_idx":  # of the point that is read in the cycle after
                assert (await bench.cycle(first))["fault_o"] == 0
            assert await bench.fault() == (name != "operands"), (name, bit)
            checked += 1
    assert checked == sum(ISSUE.widths.values()) == 619
    for values in ({"a_idx": 1, "word": word()}, {"g_idx": 1, "word": word()}, {"a": 1}, {"r": 1 << 255}):
        await bench.cycle(ISSUE.pack(**values), ISSUE.pack(word=values.get("word", 0)))
        assert not await bench.fault(), values
    for lane in ("first_ready_i", "second_ready_i"):
        seen = await bench.cycle(**{lane: 0})
        assert seen["s_axis_tready"] == 0 and await bench.fault()


@cocotb.test()
async def results(dut) -> None:
    """A beat that differs in any bit, or that one lane has alone, is no yes in the very cycle, nor is one behind any
    fault; the second beat of a result stays as it is."""
    bench = Bench(dut)
    await bench.begin()
    good = BEAT.pack(valid=1, data=OK_HEAD)
    await bench.cycle(beats=(good, good))
    assert (bench.valid, bench.data) == (1, OK_HEAD) and not await bench.fault()
    no = OK_HEAD & ~0x3_00FF | FAULT
    for bit in range(66):
        for pair in ((good, good ^ 1 << bit), (good ^ 1 << bit, good)):
            await bench.cycle(beats=pair)
            if bit < 64:
                tampered = OK_HEAD ^ (1 << bit if pair[1] == good else 0)
                assert bench.data == tampered & ~0x3_00FF | FAULT
            else:
                assert bench.data == no
            assert await bench.fault(), bit
    end = BEAT.pack(valid=1, last=1, data=0xABCD)
    await bench.cycle(ISSUE.pack(word=1), 0)
    await bench.cycle(beats=(good, good))
    assert bench.data == no
    await bench.cycle(beats=(end, end))
    assert bench.data == 0xABCD and await bench.fault()


@cocotb.test()
async def begins_anew(dut) -> None:
    """Behind a fault the packet under way is taken to its end, also if the second lane is full, and no other; the
    lanes are reset when the first one is drained and has no result left."""
    bench = Bench(dut)
    await bench.begin()
    assert (await bench.cycle(s_axis_tvalid=1))["s_axis_tready"] == 1
    await bench.cycle(1, 0)
    for _ in range(3):
        seen = await bench.cycle(s_axis_tvalid=1, second_ready_i=0, drained_i=1)
        assert seen == {"on": 1, "s_axis_tready": 1, "fault_o": 1}
    assert (await bench.cycle(s_axis_tvalid=1, first_ready_i=0))["s_axis_tready"] == 0
    assert (await bench.cycle(s_axis_tvalid=1, s_axis_tlast=1))["s_axis_tready"] == 1
    for _ in range(3):
        seen = await bench.cycle(s_axis_tvalid=1)
        assert seen == {"on": 1, "s_axis_tready": 0, "fault_o": 1}
    beat = BEAT.pack(valid=1, data=OK_HEAD)
    for _ in range(2):
        assert (await bench.cycle(beats=(beat, beat), drained_i=1))["on"] == 1
    assert await bench.fault()


def test_lockstep() -> None:
    simbuild.run_cocotb("pm_edverify_lockstep", "hw/edverify/edverify.f", __name__, expect=3)
