# SPDX-License-Identifier: Apache-2.0
"""pm_turn_bank against a dictionary: words in their turns read what words a pipeline ago wrote."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

WORDS = 3000
KINDS = ("mul", "sum", "diff")
SOURCES = ["hw/lib/seq/pm_delay.sv", "hw/lib/seq/pm_regbank.sv", "hw/lib/seq/pm_turn_bank.sv"]


class Bench:
    """A word in most turns: four registers to read, up to three results at their times."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(1)
        self.turn = int(dut.Turn.value)
        self.times = {kind: int(getattr(dut, f"{kind.capitalize()}Time").value) for kind in KINDS}
        self.width, self.registers = len(dut.mul_data_i), 1 << len(dut.addr_a_i)
        self.model: dict[int, int] = {}
        self.coming: dict[int, list[tuple[str, int, int]]] = {}  # by cycle: kind, register and value
        self.last: dict[int, int] = {}  # cycle of the latest word that writes a register
        self.expected: dict[int, tuple[int | None, int | None]] = {}  # by cycle: low and high half of data_o
        self.cycle = self.compared = self.writes = 0

    async def reset(self) -> None:
        """Registers that have not been written since stay; those about to be may be either."""
        for name in ("turn_i", *(f"{kind}_we_i" for kind in KINDS)):
            getattr(self.dut, name).value = 0
        await handshake.reset(self.dut, FallingEdge)
        for register, cycle in self.last.items():
            if cycle >= self.cycle - self.times["mul"]:
                self.model.pop(register, None)
        self.coming.clear()
        self.expected.clear()
        self.cycle += self.turn

    def known(self, register: int) -> int | None:
        """What a word of this cycle must read; None while an earlier word's result is under way."""
        return self.model.get(register) if self.last.get(register, -100) < self.cycle - self.times["mul"] else None

    def word(self) -> None:
        """Addresses of a word, and its results to come."""
        addresses = [self.rng.randrange(self.registers) for _ in "abxy"]
        for name, address in zip("abxy", addresses, strict=True):
            getattr(self.dut, f"addr_{name}_i").value = address
        a, b, x, y = map(self.known, addresses)
        self.expected |= {self.cycle + 1: (x, y), **{self.cycle + later: (a, b) for later in range(2, self.turn + 1)}}
        for kind in KINDS:
            target = self.rng.randrange(self.registers)
            if self.last.get(target, -100) >= self.cycle - self.times["mul"] or self.rng.random() < 0.2:
                continue
            self.last[target] = self.cycle
            self.coming.setdefault(self.cycle + self.times[kind],
                                   []).append((kind, target, self.rng.getrandbits(self.width)))

    async def step(self) -> None:
        dut, rng = self.dut, self.rng
        dut.turn_i.value = self.cycle % self.turn == 0
        for name in "abxy":
            getattr(dut, f"addr_{name}_i").value = rng.randrange(self.registers)
        if self.cycle % self.turn == 0 and rng.random() < 0.95:
            self.word()
        for kind in KINDS:
            getattr(dut, f"{kind}_we_i").value = 0
            getattr(dut, f"{kind}_data_i").value = rng.getrandbits(self.width)
        for kind, register, value in self.coming.pop(self.cycle, []):
            getattr(dut, f"{kind}_we_i").value = 1
            getattr(dut, f"{kind}_addr_i").value = register
            getattr(dut, f"{kind}_data_i").value = value
            self.model[register] = value
            self.writes += 1
        await ReadOnly()
        halves = self.expected.pop(self.cycle, (None, None))
        for half, value in enumerate(halves):
            if value is not None:
                assert int(dut.data_o.value) >> self.width * half & (1 << self.width) - 1 == value, self.cycle
                self.compared += 1
        self.cycle += 1
        await FallingEdge(dut.clk_i)


@cocotb.test()
async def random_words(dut) -> None:
    """With a reset now and then."""
    bench = Bench(dut)
    for kind in KINDS:
        getattr(dut, f"{kind}_addr_i").value = 0
    handshake.clocked(dut)
    await FallingEdge(dut.clk_i)
    await bench.reset()
    for word in range(WORDS):
        for _ in range(bench.turn):
            await bench.step()
        if word % 500 == 250:
            await bench.reset()
    assert len(bench.model) == bench.registers
    assert bench.writes > WORDS and bench.compared > WORDS * bench.turn, (bench.writes, bench.compared)


@pytest.mark.parametrize("params", [
    {"Turn": 3, "MulTime": 10, "SumTime": 6, "DiffTime": 2}, {"Turn": 9, "MulTime": 16, "SumTime": 6, "DiffTime": 2},
    {"Turn": 4, "MulTime": 7, "SumTime": 4, "DiffTime": 5}])
def test_random_words(params: dict[str, int]) -> None:
    """As in `compact27` of `edverify`, and with the latest sums and differences."""
    simbuild.run_cocotb("pm_turn_bank", SOURCES, __name__, {"Width": 24, "AddrBits": 7, **params}, expect=1,
                        plusargs=simbuild.ZERO_START,
                        build_dir=f"build/cocotb/test_pm_turn_bank/{params['Turn']}")


@pytest.mark.parametrize(("params", "text"), [
    ({"Turn": 2}, "Turn must be at least 3"), ({"SumTime": 11}, "must be written before the product")])
def test_refused_parameters(params: dict[str, int], text: str) -> None:
    with pytest.raises(simbuild.BuildError, match=text):
        simbuild.lint("pm_turn_bank", SOURCES, params)
