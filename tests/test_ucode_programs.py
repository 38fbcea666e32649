# SPDX-License-Identifier: Apache-2.0
"""Random programs from text to simulated results, and what the simulator rejects."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pointmill.ucode.assembler import Assembler
from pointmill.ucode.emitter import Emitter
from pointmill.ucode.ir import Program
from pointmill.ucode.machine import Machine, P
from pointmill.ucode.replay import ButterflyReplay
from pointmill.ucode.scheduler import Schedule, Scheduler
from pointmill.ucode.simulator import Environment, ExecutionError, Simulator

MACHINE = Machine()
ISA = MACHINE.isa
INPUTS = {"ya": 2**255 - 1, "yr": 0x123456789ABCDEF << 190, "g_yp": P - 2}


def environment() -> Environment:
    """External values and nothing else."""
    return Environment({name: lambda index, v=v: v for name, v in INPUTS.items()}, {}, {},
                       lambda: ("", 0))  # fmt: skip


# ---- random programs ----------------------------------------------------------------------------

PREAMBLE = """
global mul A B C one X Y Z
global sum S
global diff D
block inputs
  one = @one * @one
  A = @ya * one
  B = @yr * one
  C = @g_yp * one
end
"""


class Straight:
    """A random straight-line block, written down and evaluated mod p at the same time.

    `kind` says what a value may be used for: p a product, s the sum of two, d a difference of two
    (each may be added to a product; p and s may be subtracted), w anything wider: a factor only.
    """

    def __init__(self, draw) -> None:
        self.draw = draw
        self.kind = {"A": "p", "B": "p", "C": "p", "one": "p"}
        self.value = {"A": INPUTS["ya"] % P, "B": INPUTS["yr"] % P, "C": P - 2, "one": 1}
        self.lines: list[str] = []

    def pick(self, kinds: str) -> str:
        return self.draw(st.sampled_from([n for n, kind in self.kind.items() if kind in kinds]))

    def put(self, name: str, kind: str, text: str, value: int) -> None:
        self.lines.append(f"  {name} = {text}")
        self.kind[name], self.value[name] = kind, value % P

    def statement(self, name: str) -> None:
        """One more temporary."""
        value = self.value
        which = self.draw(st.integers(0, 5))
        if which <= 1:
            a, b = self.pick("psdw"), self.pick("psdw")
            self.put(name, "p", f"{a} * {b}", value[a] * value[b])
            if self.draw(st.integers(0, 3)) == 0:
                self.lines[-1] = self.lines[-1].replace("=", "=!")
        elif which <= 3:
            a, b = self.pick("p"), self.pick("p")
            self.put(name, "s", f"{a} + {b}", value[a] + value[b])
            if self.draw(st.booleans()):
                self.put(name + "d", "d", f"{a} - {b}", value[a] - value[b])
        elif which == 4:
            a, b = self.pick("ps"), self.pick("ps")
            self.put(name, "w", f"{a} - {b}", value[a] - value[b])
        else:
            a, b = self.pick("psd"), self.pick("p")
            self.put(name, "w", f"{a} + {b}", value[a] + value[b])

    def finish(self) -> str:
        """The text, with a result in each bank."""
        for name in "XYZ":
            a, b = self.pick("psdw"), self.pick("psdw")
            self.put(name, "p", f"{a} * {b}", self.value[a] * self.value[b])
        a, b = self.pick("p"), self.pick("p")
        self.put("S", "s", f"{a} + {b}", self.value[a] + self.value[b])
        self.put("D", "d", f"{b} - {a}", self.value[b] - self.value[a])
        return PREAMBLE + "\n".join(["block work", *self.lines, "end", "accept", ""])


@st.composite
def programs(draw, most: int) -> tuple[str, dict[str, int]]:
    """Text of a program and the values it leaves."""
    block = Straight(draw)
    for number in range(draw(st.integers(1, most))):
        block.statement(f"v{number}")
    text = block.finish()
    return text, {name: block.value[name] for name in "XYZSD"}


def assemble(text: str) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "toy.pmu"
        path.write_text(text)
        return Assembler(MACHINE).assemble(path)


def run_and_compare(
    program: Program, schedules: dict[str, Schedule], expected: dict[str, int]
) -> None:
    """Check the schedules, emit them, run the words; results mod p in their registers."""
    for schedule in schedules.values():
        ButterflyReplay(MACHINE, schedule).run()
    rom = Emitter(MACHINE, program, schedules).run()
    simulator = Simulator(MACHINE, rom.encoded(MACHINE), rom.labels)
    run = simulator.run(environment())
    assert run.cycles == sum(schedule.length for schedule in schedules.values()) + 1
    for name, value in expected.items():
        home = program.globals[name]
        assert simulator.engine.banks[home.bank][home.register] % P == value, name


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(programs(40))
def test_list_scheduled_programs(case: tuple[str, dict[str, int]]) -> None:
    """Every list schedule is legal and computes what the text says."""
    text, expected = case
    program = assemble(text)
    scheduler = Scheduler(MACHINE, program)
    schedules = {block.name: scheduler._list(block, {}) for block in program.blocks}
    run_and_compare(program, schedules, expected)


@settings(max_examples=12, deadline=None, derandomize=True, database=None)
@given(programs(8))
def test_optimally_scheduled_programs(case: tuple[str, dict[str, int]]) -> None:
    """The same with CP-SAT, which is never longer than the list schedule."""
    text, expected = case
    program = assemble(text)
    scheduler = Scheduler(MACHINE, program)
    schedules = scheduler.run()
    run_and_compare(program, schedules, expected)
    for block in program.blocks:
        assert schedules[block.name].bound == schedules[block.name].length
        assert schedules[block.name].length <= scheduler._list(block, {}).length


# ---- what the simulator refuses -----------------------------------------------------------------

END = {"ctl_op": ISA.control["finish"]}
SQUARE = {"mul_en": 1, "mul_rd": 1}


def execute(*words: dict[str, int]) -> Simulator:
    """Run words; register 0 of bank mul is made p - 1 (times 1) first."""
    ext = ISA.port("ext")
    first = [
        {"mul_en": 1, "ext": MACHINE.externals["one"], "ra": ext, "rb": ext, "delay": 6},
        {"mul_en": 1, "ext": MACHINE.externals["g_yp"], "ra": ext, "delay": 6},
    ]
    simulator = Simulator(MACHINE, [ISA.encode(word) for word in [*first, *words]], {})
    simulator.run(environment(), limit=1000)
    return simulator


def sums(x: str, register: int, target: int, part: str = "sum", **more: int) -> dict[str, int]:
    """A butterfly of a register with itself, doubled."""
    port = ISA.port(x, register)
    return {"rx": port, "ry": port, "x2": 1, "y2": 1, f"{part}_we": 1, f"{part}_rd": target, **more}


def test_results_are_there_after_their_latency() -> None:
    """In the last cycle before it a read gives the old value."""
    for delay, expected in ((5, 0), (6, (P - 2) ** 2 % P)):
        simulator = execute({**SQUARE, "delay": delay}, {**SQUARE, "ra": 1, "rb": 1, "mul_rd": 2,
                            "delay": 6}, END)  # fmt: skip
        assert simulator.engine.banks["mul"][2] == expected * expected % P


def test_flags_are_there_with_their_product() -> None:
    branch = {"ctl_op": ISA.control["branch"], "ctl_cond": MACHINE.conditions["zero0"],
              "ctl_arg": 5}  # fmt: skip
    zero = {"mul_en": 1, "mul_canon": 1, "mul_rd": 3, "ra": 9, "rb": 9}
    for delay, skipped in ((5, False), (6, True)):
        simulator = execute({**zero, "delay": delay}, branch, {**SQUARE, "delay": 8}, END)
        assert (simulator.engine.banks["mul"][1] == 0) == skipped


def test_a_factor_that_is_too_wide() -> None:
    words = [sums("mul", 0, 0), sums("sum", 0, 1), sums("sum", 1, 2)]
    factor = {"mul_en": 1, "ra": ISA.port("sum", 1), "rb": ISA.port("sum", 1)}
    with pytest.raises(ExecutionError, match="factor too wide"):
        execute(*words[:2], factor, END)
    execute(words[0], {"mul_en": 1, "ra": ISA.port("sum", 0), "rb": ISA.port("sum", 0)}, END)
    with pytest.raises(ExecutionError, match="factor too wide"):
        execute(*words[:2], {**words[2], "sum_we": 0, "mul_en": 1, "mul_a": 1}, END)


def test_a_subtrahend_that_is_too_large() -> None:
    words = [sums("mul", 0, 0), sums("sum", 0, 1, "diff")]
    with pytest.raises(ExecutionError, match="subtrahend too large"):
        execute(*words, END)
    with pytest.raises(ExecutionError, match="subtrahend too large"):
        execute(words[0], {**words[1], "diff_we": 0, "mul_en": 1, "mul_b": 2}, END)
    execute(words[0], {**words[1], "y2": 0}, END)


def test_a_program_without_end() -> None:
    with pytest.raises(ExecutionError, match="no verdict after 1000 cycles"):
        execute({"ctl_op": ISA.control["branch"], "ctl_arg": 2})
