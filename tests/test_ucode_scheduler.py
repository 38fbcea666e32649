# SPDX-License-Identifier: Apache-2.0
"""The scheduler: optimal lengths, and that the replay rejects every kind of illegal schedule."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pointmill.ucode.assembler import Assembler, assemble
from pointmill.ucode.build import build
from pointmill.ucode.emitter import Emitter
from pointmill.ucode.ir import Op
from pointmill.ucode.machine import Machine
from pointmill.ucode.replay import ButterflyReplay
from pointmill.ucode.scheduler import Schedule, ScheduleError, Scheduler, distance

MACHINE = Machine()
SHALLOW = Machine("edverify", "latency")
"""With the latencies of `paper`, and units that take an operand."""
LENGTHS = {
    "walk_double": 16, "walk_add_g": 17, "walk_sub_g": 17, "walk_add_a": 17, "walk_sub_a": 17,
    "powers": 14, "clear_cofactor": 16,
}


# ---- lengths ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LENGTHS)
def test_proven_lengths(name: str) -> None:
    """Length of the loop bodies, proven optimal by CP-SAT (bound = length)."""
    schedule = build()[2][name]
    assert (schedule.length, schedule.bound) == (LENGTHS[name], LENGTHS[name])


def test_every_schedule_is_legal_and_has_every_operation() -> None:
    machine, program, schedules, _ = build()
    assert schedules.keys() == {block.name for block in program.blocks}
    for schedule in schedules.values():
        ButterflyReplay(machine, schedule).run()
        assert schedule.start.keys() == set(schedule.block.ops)


@pytest.mark.parametrize(("core", "program", "config"), [("edverify", "verify", "paper"), ("x25519", "tile", "tile")])
def test_schedules_are_reproducible(core: str, program: str, config: str) -> None:
    """The same operations in the same cycles, run after run."""
    machine = Machine(core, config)
    again = Scheduler(machine, assemble(machine, program)).run()
    for name, schedule in build(core, program, config)[2].items():
        assert [schedule.start[op] for op in schedule.block.ops] == [
            again[name].start[op] for op in again[name].block.ops
        ]


def test_a_word_costs() -> None:
    """In a tile, where words of other contexts wait, the loop bodies have no word without a product."""
    machine, _, schedules, _ = build("edverify", "halfsize", "tile")
    assert machine.word_cost > 0
    for name, schedule in schedules.items():
        if name.startswith("walk_") and name != "walk_wait":
            products = sum(op.unit == "mul" for op in schedule.block.ops)
            assert len(set(schedule.start.values())) == products >= 6, name
            assert schedule.bound is None


def test_no_product_unit_is_idle_for_long() -> None:
    """A doubling has 8 products in 16 cycles, an addition of a cached point 8 in 17."""
    schedules = build()[2]
    products = {
        name: sum(op.unit == "mul" for op in schedules[name].block.ops) for name in LENGTHS
    }
    assert products["walk_double"] == products["walk_add_a"] == products["walk_sub_a"] == 8
    assert products["walk_add_g"] == products["walk_sub_g"] == 7


# ---- what the replay rejects -----------------------------------------------------------------------

TOY = """
global mul X Y Z
block b
  s = X + Y
  d = Y - Z
  e = @yr - Z
  a = s * d
  f =! @ya * Y
  Y = @yr * Y
  X = a * e
  start result_u Z
end
"""


@pytest.fixture
def toy(tmp_path: Path) -> tuple[dict[str, Op], Schedule]:
    """The operations by their results, and a legal schedule."""
    (tmp_path / "toy.pmu").write_text(TOY)
    program = Assembler(SHALLOW).assemble(tmp_path / "toy.pmu")
    block = program.blocks[0]
    ops = dict(zip("sdeafgXi", block.ops, strict=True))
    start = {"s": 0, "d": 1, "e": 2, "a": 1, "f": 4, "g": 6, "X": 8, "i": 9}
    schedule = Schedule(block, {ops[name]: cycle for name, cycle in start.items()}, 15)
    ButterflyReplay(SHALLOW, schedule).run()
    return ops, schedule


# Operations moved, and what `check` says to it. Y is overwritten by g, X by X.
FAULTS = {
    "a is not there yet": {"X": 7},
    "s is not there yet": {"s": 2, "e": 3},
    "bf is taken in cycle 1": {"s": 1},
    "factor is taken in cycle 4": {"a": 4},
    "factor is taken in cycle 8": {"i": 8},
    "two external values in cycle 4": {"e": 4},
    "reads Y after its overwriting began": {"f": 7},
    "starts outside the block": {"i": 15},
    "X comes after the block's exit": {"X": 9, "i": 10},
}


@pytest.mark.parametrize("message", FAULTS)
def test_a_moved_operation_is_refused(toy: tuple[dict[str, Op], Schedule], message: str) -> None:
    ops, schedule = toy
    for name, cycle in FAULTS[message].items():
        schedule.start[ops[name]] = cycle
    with pytest.raises(ScheduleError, match=message):
        ButterflyReplay(SHALLOW, schedule).run()


def test_a_digit_may_not_be_stepped_too_early_or_late(tmp_path: Path) -> None:
    """Nor with the word that the closing control operation goes with."""
    (tmp_path / "toy.pmu").write_text("""
table mul t 2
global mul X Y
block b
  X = t[a] * X
  start digit
  Y = t[a^1] * Y
  t[0] = X * X
dispatch
""")
    machine = Machine("edverify", "throughput")
    block = Assembler(machine).assemble(tmp_path / "toy.pmu").blocks[0]
    first, step, second, last = block.ops

    def refused(message: str, *cycles: int) -> None:
        with pytest.raises(ScheduleError, match=message):
            ButterflyReplay(machine, Schedule(block, dict(zip(block.ops, cycles)), 3)).run()

    ButterflyReplay(machine, Schedule(block, dict(zip(block.ops, (0, 0, 1, 2))), 3)).run()
    refused("comes before X is done", 1, 0, 1, 2)
    refused("comes before start digit is done", 0, 1, 1, 2)
    refused("starts outside the block", 0, 2, 3, 3)
    refused(r"reads t\[0\] after its overwriting began", 0, 0, 2, 1)
    assert {first, second} == {op for readers in block.old_readers.values() for op in readers}
    assert (step, last) == (block.ops[1], block.ops[3])


def test_an_operation_before_the_block_is_refused(toy: tuple[dict[str, Op], Schedule]) -> None:
    ops, schedule = toy
    schedule.start[ops["s"]] = -1
    with pytest.raises(ScheduleError, match="starts outside the block"):
        ButterflyReplay(SHALLOW, schedule).run()


def test_entry_and_exit_promises(toy: tuple[dict[str, Op], Schedule]) -> None:
    """What is under way at the entry is not read too early, and not left unsettled; what is under
    way at the exit has been promised."""
    ops, schedule = toy
    home = ops["X"].out["mul"].home
    ButterflyReplay(SHALLOW, dataclasses.replace(schedule, entry={home: 0})).run()
    with pytest.raises(ScheduleError, match="X is not there yet"):
        ButterflyReplay(SHALLOW, dataclasses.replace(schedule, entry={home: 1})).run()
    other = ops["i"].args[0].home
    with pytest.raises(ScheduleError, match=r"left before .* has settled"):
        ButterflyReplay(SHALLOW, dataclasses.replace(schedule, entry={other: 16}, exit={})).run()
    with pytest.raises(ScheduleError, match="X comes after the block's exit"):
        ButterflyReplay(SHALLOW, dataclasses.replace(schedule, length=14)).run()
    ButterflyReplay(SHALLOW, dataclasses.replace(schedule, length=14, exit={home: 1})).run()


def test_flags_in_another_order_are_refused(tmp_path: Path) -> None:
    (tmp_path / "toy.pmu").write_text(
        "global mul X Y\nblock b\nt1 =! X * X\nt0 =! Y * Y\nend\n")
    block = Assembler(SHALLOW).assemble(tmp_path / "toy.pmu").blocks[0]
    first, second = block.ops
    ButterflyReplay(SHALLOW, Schedule(block, {first: 0, second: 1}, 9)).run()
    with pytest.raises(ScheduleError, match="flags in another order than written"):
        ButterflyReplay(SHALLOW, Schedule(block, {first: 1, second: 0}, 9)).run()


def test_every_dependency_of_the_program_counts() -> None:
    """In every block: a reader moved to one cycle before its value is there is refused."""
    machine, _, schedules, _ = build()
    moved = 0
    for schedule in schedules.values():
        for op in schedule.block.ops:
            for arg in op.args:
                if arg.producer:
                    early = schedule.start[arg.producer] + distance(machine, op, arg) - 1
                    start = schedule.start | {op: early}
                    with pytest.raises(ScheduleError):
                        ButterflyReplay(machine, dataclasses.replace(schedule, start=start)).run()
                    moved += 1
    assert moved > 300


def test_no_schedule_for_the_impossible(tmp_path: Path) -> None:
    """A temporary too many for the registers is found by the emitter."""
    lines = [f"v{i} = X * Y" for i in range(32)]
    tree = [f"X{i} = v{2 * i} * v{2 * i + 1}" for i in range(16)]
    uses = ["start result_u " + line.split()[0] for line in tree]
    text = "\n".join(["global mul X Y", "block b", *lines, *tree, *uses, "end"])
    (tmp_path / "toy.pmu").write_text(text)
    program = Assembler(SHALLOW).assemble(tmp_path / "toy.pmu")
    block = program.blocks[0]
    start = {op: cycle for cycle, op in enumerate(block.ops)}
    schedule = Schedule(block, start, len(block.ops) + 8)
    ButterflyReplay(SHALLOW, schedule).run()
    with pytest.raises(ValueError, match="b: bank mul is full"):
        Emitter(SHALLOW, program, {"b": schedule}).run()


# ---- rules of a datapath whose contexts run as scheduled ------------------------------------------


def test_a_control_operation_sees_the_flags_before_its_word(tmp_path: Path) -> None:
    """It goes with the last product, which comes when the flags of the one before are there."""
    (tmp_path / "toy.pmu").write_text(
        "global mul X Y\nblock b\nt =! X * X\nY =! Y * Y\nrefuse equation_fails if not zero0\n")
    program = Assembler(SHALLOW).assemble(tmp_path / "toy.pmu")
    schedule = Scheduler(SHALLOW, program).run()["b"]
    first, second = program.blocks[0].ops
    assert schedule.start == {first: 0, second: 7} and schedule.length == 14
    for wrong in ({first: 0, second: 6}, {first: 3, second: 4}):
        with pytest.raises(ScheduleError, match="its flags come too late for finish"):
            ButterflyReplay(SHALLOW, dataclasses.replace(schedule, start=wrong)).run()


def test_a_pause_is_kept_where_cycles_are_cycles(tmp_path: Path) -> None:
    (tmp_path / "toy.pmu").write_text("block b pause 16\ndispatch\n")
    for machine, length in ((SHALLOW, 16), (Machine("edverify", "throughput"), 1)):
        program = Assembler(machine).assemble(tmp_path / "toy.pmu")
        schedule = Scheduler(machine, program).run()["b"]
        assert schedule.length == length
    with pytest.raises(ScheduleError, match="shorter than its pause"):
        ButterflyReplay(SHALLOW, schedule).run()


def test_a_loop_begins_when_what_it_reads_is_there(tmp_path: Path) -> None:
    """What the block before it leaves under way bounds the ready times of the loop's rounds."""
    (tmp_path / "toy.pmu").write_text(
        "global mul X\nblock first leaves X\nX = @ya * @ya\nend\n"
        "loop 5\nblock square\nX = X * X\nend\nendloop\n")
    program = Assembler(SHALLOW).assemble(tmp_path / "toy.pmu")
    schedules = Scheduler(SHALLOW, program).run()
    home = program.globals["X"]
    assert schedules["first"].length == 1 and schedules["first"].exit == {home: 6}
    assert schedules["square"].length == 7 and schedules["square"].exit == {home: 6}


def test_an_interface_wants_what_it_promises(tmp_path: Path) -> None:
    """A block before one with an interface must not leave results under way for longer than that."""
    (tmp_path / "toy.pmu").write_text(
        "global mul X Y\ninterface I Y\nblock first leaves X\nX = @ya * @ya\nend\n"
        "block then on I\nY = Y * @one\ndispatch\n")
    program = Assembler(SHALLOW).assemble(tmp_path / "toy.pmu")
    with pytest.raises(ScheduleError, match=r"then: entered before .* has settled"):
        Scheduler(SHALLOW, program).run()


LEAVING = {
    "behind an interface": ("interface Q X Y\nblock a on Q\n  X = X * X\n  Y = Y * Y\nend\nblock b\n  Z = Y * Y\nend\n",
                            "b: entered from a before .* has settled"),
    "by a branch": ("block a leaves Y\n  Y = Y * Y\ngoto c\nblock b\n  Z = X * X\nend\nblock c\n  Z = Y * Y\nend\n",
                    "c: entered from a before .* has settled"),
    "behind control": ("interface Q X Y\nblock a on Q\n  X = X * X\n  Y = Y * Y\nend\n"
                       "goto c if zero0\nrefuse ok if zero0\nc:\nblock c\n  Z = Y * Y\nend\n", None),
    "by the digit scan": ("block a leaves Y\n  Y = Y * Y\ndispatch\n",
                          "what the digit scan chooses: entered from a before"),
}  # fmt: skip


@pytest.mark.parametrize("case", LEAVING)
def test_a_block_is_entered_when_what_is_under_way_is_known(case: str, tmp_path: Path) -> None:
    """Wherever the program goes on, with a cycle for each control operation between."""
    text, message = LEAVING[case]
    (tmp_path / "toy.pmu").write_text(f"global mul X Y Z\n{text}")
    scheduler = Scheduler(MACHINE, Assembler(MACHINE).assemble(tmp_path / "toy.pmu"))
    if message is None:
        scheduler.run()
        return
    with pytest.raises(ScheduleError, match=message):
        scheduler.run()
