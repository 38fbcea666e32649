# SPDX-License-Identifier: Apache-2.0
"""pm_core_counters and pm_cell_counters: every event in its counter, several products a cycle, high halves of the
instant of the read."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from dv.common import handshake
from pointmill import simbuild

SOURCES = {"pm_core_counters": ["hw/lib/axi/pm_event_counter.sv", "hw/lib/axi/pm_core_counters.sv"],
           "pm_cell_counters": ["hw/lib/axi/pm_cell_counters.sv"]}
STEPS = 4000
NARROW = {"jobs": "job_answered_i", "valid": "job_valid_i", "errors": "job_error_i"}
WIDE = ("cycles", "busy", "muls")


def put(dut, name: str, count: dict[str, int]) -> None:
    """Lets the wide counter `name` go on from its count; those of cells are one register."""
    if dut._name == "pm_core_counters":
        getattr(dut, f"u_{name}").count_o.value = count[name]
        return
    for half, values in (("low", [value % 2**32 for value in count.values()]),
                         ("high", [count[wide] >> 32 for wide in WIDE])):
        getattr(dut, f"{half}_q").value = sum(value << 32 * place for place, value in enumerate(values))
        getattr(dut, f"{half}_full_q").value = sum(
            (value >> 8 * byte & 255 == 255) << 3 * place + byte - 1
            for place, value in enumerate(values) for byte in (1, 2, 3))
    dut.carry_q.value = 0


@cocotb.test()
async def random_events(dut) -> None:
    """All outputs in every cycle; the wide counters are put before a carry into the high half again and again."""
    rng = random.Random(1)
    inputs = (*NARROW.values(), "clear_i", "busy_i", "mul_issue_i", *(f"{name}_read_i" for name in WIDE))
    await handshake.begin(dut, inputs, count=2, after=0)
    count = dict.fromkeys((*NARROW, *WIDE), 0)
    high = dict.fromkeys(WIDE, 0)
    clears, carries, held, several = 0, 0, 0, 0
    for step in range(STEPS):
        value = {name: int(rng.random() < 0.4) for name in inputs}
        value["clear_i"] = int(rng.random() < 0.005)
        value["mul_issue_i"] = rng.getrandbits(15)
        for name, bit in value.items():
            getattr(dut, name).value = bit
        if step % 50 == 7:
            name = WIDE[step // 50 % 3]
            count[name] = (rng.getrandbits(31) << 32) + 2**32 - rng.randrange(1, 20)
            put(dut, name, count)
        await RisingEdge(dut.clk_i)
        for name in NARROW:
            assert int(getattr(dut, f"{name}_o").value) == count[name], f"{name}, step {step}"
        for name in WIDE:
            low = count[name] % 2**32
            assert int(getattr(dut, f"{name}_o").value) == high[name] << 32 | low, f"{name}, step {step}"
            held += high[name] != count[name] >> 32
            if value[f"{name}_read_i"]:
                high[name] = count[name] >> 32
        if value["clear_i"]:
            count = dict.fromkeys(count, 0)
            clears += 1
        added = {name: value[event] for name, event in NARROW.items()}
        added |= {"cycles": 1, "busy": value["busy_i"], "muls": value["mul_issue_i"].bit_count()}
        for name, amount in added.items():
            carries += (count[name] + amount) >> 32 != count[name] >> 32
            count[name] += amount
        several += added["muls"] > 1
    assert clears > 10 and carries > 40 and held > 300 and several > 1000


@pytest.mark.parametrize("module", SOURCES)
def test_pm_core_counters(module: str) -> None:
    simbuild.run_cocotb(module, SOURCES[module], __name__, expect=1)
