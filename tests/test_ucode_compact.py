# SPDX-License-Identifier: Apache-2.0
"""The program of the compact form of `x25519` on the microcode simulator; the rules of a multiplier with an
interval and of sums that are stored late."""

from __future__ import annotations

import itertools
import random

import pytest

from pointmill.model.x25519 import x25519 as model
from pointmill.ucode.build import build, link
from pointmill.ucode.ir import Op
from pointmill.ucode.machine import P
from pointmill.ucode.replay import ButterflyReplay
from pointmill.ucode.scheduler import Schedule, ScheduleError
from pointmill.ucode.simulator import Environment, ExecutionError, Run, Simulator

CYCLES = {"compact27": 10_234}
"""From the first word to the last, with an inverter that takes 511 cycles."""
INVERTER = 511


def run(config: str, k: bytes, u: bytes) -> tuple[int, Run]:
    """Result and run of a job on the simulator."""
    image = link("x25519", ("compact",), config)
    scalar = int.from_bytes(k, "little") & ~7 & (2**255 - 1) | 2**254
    digits = [(scalar >> t ^ scalar >> (t + 1)) & 1 for t in reversed(range(255))]
    rest = iter([*digits[1:], 0])
    seen: dict[str, int] = {}

    def invert(operand: int, cycle: int) -> None:
        seen["inverse"] = pow(operand % P, P - 2, P)
        seen["done"] = cycle + INVERTER

    environment = Environment(
        inputs={"u": lambda _: int.from_bytes(u, "little") % 2**255, "inv": lambda _: seen["inverse"]},
        conditions={"inverter_done": lambda cycle: cycle >= seen["done"]},
        units={"digit": lambda *_: next(rest), "inverter": invert,
               "result": lambda operand, _: seen.__setitem__("result", operand)},
        walk=lambda: ("", 0), index=digits[0])  # fmt: skip
    done = Simulator(image.machine, image.rom.encoded(image.machine), image.rom.labels).run(environment, secret=True)
    return seen["result"], done


@pytest.mark.parametrize("config", CYCLES)
def test_x25519(config: str) -> None:
    """Random and chosen u: the same cycles and products always."""
    rng = random.Random(1)
    jobs = [(rng.randbytes(32), u.to_bytes(32, "little")) for u in (0, 1, 9, P, P + 9, 2**256 - 1)]
    jobs += [(rng.randbytes(32), rng.randbytes(32)) for _ in range(10)]
    for k, u in jobs:
        result, done = run(config, k, u)
        assert result.to_bytes(32, "little") == model(k, u)
        assert (done.cycles, done.products, done.reason) == (CYCLES[config], 4 + 255 * 9 + 1, 0)


def step(config: str) -> tuple[Schedule, dict[str, Op]]:
    schedule = build("x25519", "compact", config)[2]["ladder_step"]
    return schedule, {op.label: op for op in schedule.block.ops}


@pytest.mark.parametrize(("config", "length"), [("compact27", 38)])
def test_the_ladder_step_is_proven_shortest(config: str, length: int) -> None:
    schedule, _ = step(config)
    assert (schedule.length, schedule.bound) == (length, length)


def moved(label: str, cycle: int) -> Schedule:
    """The ladder step of compact27 with one operation in another cycle."""
    schedule, ops = step("compact27")
    return Schedule(schedule.block, {**schedule.start, ops[label]: cycle}, schedule.length, None,
                    schedule.entry, schedule.exit)  # fmt: skip


def test_products_come_no_closer_than_the_interval() -> None:
    machine = build("x25519", "compact", "compact27")[0]
    schedule, ops = step("compact27")
    products = sorted(schedule.start[op] for op in ops.values() if op.unit == "mul")
    assert min(b - a for a, b in itertools.pairwise(products)) == machine.interval == 3
    late = schedule.start[ops["x[1]"]]
    with pytest.raises(ScheduleError, match="the multiplier is taken"):
        ButterflyReplay(machine, moved("x[1]", late + 1)).run()


def test_a_sum_is_taken_at_once_or_when_it_is_stored() -> None:
    """G2 takes the difference in the cycle that makes it; a cycle later no register has it."""
    machine = build("x25519", "compact", "compact27")[0]
    schedule, ops = step("compact27")
    butterfly, product = schedule.start[ops["F,G"]], schedule.start[ops["G2"]]
    assert butterfly == product and machine.latency["diff"] == 2
    with pytest.raises(ScheduleError, match="G is not there yet"):
        ButterflyReplay(machine, moved("G2", product + 1)).run()


def test_the_simulator_refuses_a_busy_multiplier() -> None:
    machine, _, _, rom = build("x25519", "compact", "compact27")
    start = {"mul_en": 1, "ra": machine.isa.port("ext"), "rb": machine.isa.port("ext")}
    for distance, refused in ((2, True), (3, False)):
        words = [{**start, "delay": distance - 1}, {**start, "mul_rd": 1, "ctl_op": machine.isa.control["finish"]}]
        simulator = Simulator(machine, [machine.isa.encode(word) for word in words], {})
        environment = Environment({"u": lambda _: 0}, {}, {}, lambda: ("", 0))
        if refused:
            with pytest.raises(ExecutionError, match="the multiplier is busy in cycle 2"):
                simulator.run(environment)
        else:
            assert simulator.run(environment).products == 2
    assert not any(word.get("mul_canon") for word in rom.words[:-4])
