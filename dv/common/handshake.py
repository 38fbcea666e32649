# SPDX-License-Identifier: Apache-2.0
"""What cocotb benches have in common: clock and reset, an operand offered until it is taken, results taken at random
times.

Inputs change after an `edge` of the clock: the rising one, or the falling one where a bench looks at outputs in the
same cycle.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import TypeVar

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, Timer

Edge = type[RisingEdge] | type[FallingEdge]
Result = TypeVar("Result")


def inputs_of(dut) -> list[str]:
    """All input ports but clock and reset, by their names."""
    return [port._name for port in dut if port._name.endswith("_i") and port._name not in ("clk_i", "rst_ni")]


def clocked(dut) -> None:
    """Starts the clock: a cycle is 10 ns."""
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())


async def cycles(dut, count: int, edge: Edge = RisingEdge) -> None:
    """So many edges of the clock."""
    for _ in range(count):
        await edge(dut.clk_i)


async def elapse(dut, count: int, edge: Edge = RisingEdge) -> None:
    """`cycles`, from such an edge on, without a look at each: sooner where they are many."""
    if count > 1:
        await Timer(10 * count - 5, unit="ns")
    if count:
        await edge(dut.clk_i)


async def pulse(dut, name: str, value: int = 1, edge: Edge = RisingEdge) -> None:
    """`value` at an input for a cycle, then 0."""
    getattr(dut, name).value = value
    await edge(dut.clk_i)
    getattr(dut, name).value = 0


async def reset(dut, edge: Edge = RisingEdge, count: int = 1, after: int = 0) -> None:
    """`count` cycles of reset; returns with so many edges `after` them behind it."""
    dut.rst_ni.value = 0
    await cycles(dut, count, edge)
    dut.rst_ni.value = 1
    await cycles(dut, after, edge)


async def begin(dut, inputs: Iterable[str] | None = None, edge: Edge = RisingEdge, count: int = 3,
                after: int = 1) -> None:
    """All inputs 0, or those that are named; clock and `reset`."""
    for name in inputs_of(dut) if inputs is None else inputs:
        getattr(dut, name).value = 0
    clocked(dut)
    await reset(dut, edge, count, after)


async def offer(dut, edge: Edge = RisingEdge, prefix: str = "") -> None:
    """valid_i until ready_o, of a port with `prefix`; the caller has set the operand, and sets the next one."""
    valid, ready = getattr(dut, f"{prefix}valid_i"), getattr(dut, f"{prefix}ready_o")
    valid.value = 1
    while True:
        await ReadOnly()
        taken = bool(ready.value)
        await edge(dut.clk_i)
        if taken:
            break
    valid.value = 0


async def take(dut, result: Callable[[], Result], cycles: int, pause: float = 0.7, edge: Edge = RisingEdge) -> Result:
    """The result, read by `result`, after a random wait in which it must not change. AssertionError without one in so
    many cycles; pause: share of the cycles in which it is not taken."""
    seen = None
    for _ in range(cycles):
        dut.ready_i.value = int(random.random() >= pause)
        await ReadOnly()
        valid = bool(dut.valid_o.value)
        if valid:
            assert seen in (None, result()), "result changed"
            seen = result()
        else:
            assert seen is None, "result withdrawn"
        taken = valid and bool(dut.ready_i.value)
        await edge(dut.clk_i)
        if taken:
            dut.ready_i.value = 0
            return seen
    raise AssertionError(f"no result in {cycles} cycles")


async def take_all(dut, port: str, entry: Callable[[], Result], limit: int | None = None) -> list[Result]:
    """What a port gives, read by `entry`, taken at random times until done_o, or until `limit` cycles have passed."""
    entries, cycle = [], 0
    valid, ready = getattr(dut, f"{port}_valid_o"), getattr(dut, f"{port}_ready_i")
    while limit is None or cycle < limit:
        ready.value = int(random.random() < 0.6)
        await ReadOnly()
        if dut.done_o.value:
            break
        if valid.value and ready.value:
            entries.append(entry())
        await RisingEdge(dut.clk_i)
        cycle += 1
        assert cycle < 2000
    else:
        return entries
    await RisingEdge(dut.clk_i)
    ready.value = 0
    return entries
