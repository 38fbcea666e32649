# SPDX-License-Identifier: Apache-2.0
"""The tools on the dual datapath: assembly, schedules and their proofs, waits, registers, words."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from pathlib import Path

import pytest
from ortools.sat.python import cp_model

from pointmill.commands import schedule as command
from pointmill.ucode import dual
from pointmill.ucode.assembler import Assembler, AssemblyError
from pointmill.ucode.build import build, link
from pointmill.ucode.dual import DualEngine, DualScheduler, product_cycles, retime, retimed
from pointmill.ucode.emitter import SIDE_UNIT, Emitter
from pointmill.ucode.ir import Block, Op, Program
from pointmill.ucode.machine import Machine
from pointmill.ucode.ports import ports_of
from pointmill.ucode.replay import DualReplay
from pointmill.ucode.scheduler import Schedule, ScheduleError
from pointmill.ucode.simulator import Environment, ExecutionError, Simulator
from pointmill.ucode.timeline import timeline

MACHINE = Machine("multicurve", "paper")
PROGRAMS = ("params", "ecmul", "xdh", "check", "modarith")
WINDOWS = {
    "walk_double_m3": (8, 4, 2), "walk_pair_m3": (16, 8, 3), "walk_add_m3": (20, 10, 1),
    "walk_double_0": (7, 4, 2), "walk_pair_0": (14, 7, 5), "walk_add_0": (18, 9, 3),
    "walk_double_any": (8, 4, 3), "walk_pair_any": (16, 8, 4), "walk_add_any": (21, 11, 0),
    "walk_add_base_m3": (20, 10, 1), "walk_add_base_0": (19, 10, 0), "walk_add_base_any": (22, 11, 1),
    "kept_add": (7, 4, 2),
    "table_double": (7, 4, 2), "table_add": (6, 3, 5), "table_scale": (4, 2, 4),
}  # fmt: skip
"""Blocks of the walk by windows: products, and cycles as so many products one after the other and some more."""

# Liu et al. 2023, table 1: cycles of a doubling, of doubling and addition, of a ladder step by the cycles of a
# product; and ours.
DOUBLING = {6: (29, 28), 7: (33, 32), 8: (37, 36), 24: (101, 100), 34: (141, 140)}
BOTH = {6: (72, 72), 7: (84, 84), 8: (96, 96), 24: (288, 288), 34: (408, 408)}
STEP = {8: (41, 41), 28: (141, 141)}


def assemble(tmp_path: Path, text: str) -> Program:
    path = tmp_path / "toy.pmu"
    path.write_text(text)
    return Assembler(MACHINE).assemble(path)


# ---- lengths ------------------------------------------------------------------------------------


@pytest.mark.parametrize("program,block,figures", [
    ("ecmul", "walk_double_m3", DOUBLING), ("ecmul", "walk_add_m3", BOTH), ("ecmul", "walk_sub_m3", BOTH),
    ("xdh", "ladder_step", STEP),
])  # fmt: skip
def test_table_1(program: str, block: str, figures: dict[int, tuple[int, int]]) -> None:
    """The published cycles are met or beaten, and no schedule has fewer than ours."""
    schedule = build("multicurve", program, "paper")[2][block]
    for length, (published, ours) in figures.items():
        assert retime(schedule, length)[1] == dual.bound(schedule, length, MACHINE.multipliers) == ours <= published


@pytest.mark.parametrize("program", PROGRAMS)
def test_one_rom_is_optimal_for_every_length(program: str) -> None:
    """Each block of each program, for each length of a product that the published curves have."""
    optimal(program, "paper")


def lengths_of(machine: Machine, block: str) -> list[int]:
    """Lengths of a product with which a block runs: those of its curve's field, named and generic, where it has one."""
    return {"curve25519": [4, 8], "curve448": [11, 25]}.get(block.split("_")[0], machine.lengths)


def optimal(program: str, config: str, beyond: dict[str, int] | None = None) -> None:
    """beyond: blocks too large for a proof, and cycles by which they may be above the work bound."""
    machine, assembled, schedules, _ = build("multicurve", program, config)
    assert schedules.keys() == {block.name for block in assembled.blocks}
    for name, schedule in schedules.items():
        for length in lengths_of(machine, name):
            timed = retimed(schedule, length)
            DualReplay(machine, timed, length).run()
            least, cycles = dual.bound(schedule, length, machine.multipliers), timed.length
            if beyond and name in beyond:
                least = dual.work_bound(schedule.block, length) + beyond[name] if least is None else 0
            assert cycles == least, (name, length)


def test_windows_are_optimal_for_every_length() -> None:
    optimal("window", "fast", {"comb_columns_m3": 3, "comb_last": 1})
    schedules = build("multicurve", "window", "fast")[2]
    for name, (products, per_product, rest) in WINDOWS.items():
        assert sum(op.unit == "mul" for op in schedules[name].block.ops) == products
        for length in MACHINE.lengths:
            assert retime(schedules[name], length)[1] == per_product * length + rest, (name, length)


@pytest.mark.parametrize("program", ["window_one", "xdh_known"])
def test_one_multiplier_is_optimal_for_every_length(program: str) -> None:
    optimal(program, "throughput")


def test_one_multiplier_rests_in_no_cycle_of_the_walk() -> None:
    """Nor of a ladder step of a known curve; in one of any other's. The other multiplier has nothing to do."""
    schedules = build("multicurve", "window_one", "throughput")[2] | build("multicurve", "xdh_known", "throughput")[2]
    rest = {"walk_double_m3": 0, "walk_pair_m3": 0, "walk_add_m3": 0, "walk_also_m3": 0, "ladder_step": 1,
            "walk_double_0": 0, "walk_pair_0": 0, "walk_add_0": 0, "walk_double_any": 0, "walk_pair_any": 0,
            "walk_add_any": 0, "walk_add_base_m3": 0, "walk_add_base_0": 0, "walk_add_base_any": 0,
            "curve25519_step": 0, "curve448_step": 0}  # fmt: skip
    machine = Machine("multicurve", "throughput")
    assert min(machine.lengths) == 3 and max(machine.lengths) == 34
    for name, cycles in rest.items():
        schedule = schedules[name]
        products = [op for op in schedule.block.ops if op.unit == "mul"]
        assert all(schedule.place[op] == 0 for op in products)
        for length in lengths_of(machine, name):
            assert retime(schedule, length)[1] == len(products) * length + cycles, (name, length)


def test_one_multiplier_refuses_the_other() -> None:
    """Also where no product of the first one is in flight."""
    schedule = retimed(build("multicurve", "xdh_known", "throughput")[2]["quotient"], 8)
    moved = dataclasses.replace(schedule, place=dict.fromkeys(schedule.place, 1))
    DualReplay(MACHINE, moved, 8).run()
    with pytest.raises(ScheduleError, match="there is no multiplier 1"):
        DualReplay(Machine("multicurve", "throughput"), moved, 8).run()


def test_lengths_by_kind_of_curve() -> None:
    """Products, and cycles as multiples of a product, of the programs for a = 0 and any a and of the ladder."""
    schedules = build("multicurve", "ecmul", "paper")[2]
    for name, products, per_product, rest in (
        ("walk_double_0", 7, 4, 2), ("walk_add_0", 23, 12, 0), ("walk_double_any", 10, 5, 3),
        ("walk_add_any", 25, 13, 0), ("walk_last", 16, 8, 1), ("ladder_step", 19, 10, 1),
    ):  # fmt: skip
        schedule = schedules[name]
        assert sum(op.unit == "mul" for op in schedule.block.ops) == products
        for length in MACHINE.lengths:
            assert retime(schedule, length)[1] == per_product * length + rest


def test_utilisation() -> None:
    """Published: 86.5, 95.4 and, without the cycle of the exchange, 100 %."""
    ecmul = build("multicurve", "ecmul", "paper")[2]
    xdh = build("multicurve", "xdh", "paper")[2]
    assert round(100 * timeline(MACHINE, ecmul["walk_double_m3"], 8).utilisation, 1) == 88.9
    assert round(100 * timeline(MACHINE, ecmul["walk_add_m3"], 8).utilisation, 1) == 95.8
    assert round(100 * timeline(MACHINE, xdh["ladder_step"], 8).utilisation, 1) == 97.6


def best_by_search(block: Block, length: int, limit: int) -> int:
    """The least cycles of a small block by a model of its own: time by time, without any bound."""
    for total in range(1, limit):
        model = cp_model.CpModel()
        runs: dict[tuple[Op, int, int], object] = {}
        for op in block.ops:
            duration = length if op.unit == "mul" else 1
            for cycle, unit in itertools.product(range(total - duration + 1), (0, 1)):
                runs[op, cycle, unit] = model.new_bool_var("")
            model.add_exactly_one(var for (o, _, _), var in runs.items() if o is op)
        for cycle, unit, kind in itertools.product(range(total), (0, 1), ("mul", "sum")):
            span = length if kind == "mul" else 1
            model.add_at_most_one(var for (o, c, u), var in runs.items()
                                  if o.unit == kind and u == unit and c <= cycle < c + span)  # fmt: skip
        for (reader, late, unit), var in runs.items():
            for arg in reader.args:
                if (source := arg.producer) is None:
                    continue
                for (op, cycle, at), earlier in runs.items():
                    chained = op.unit == reader.unit == "sum" and cycle == late and at < unit
                    ready = cycle + (length if op.unit == "mul" else 1)
                    if op is source and late < ready and not chained:
                        model.add_bool_or(~var, ~earlier)
        solver = cp_model.CpSolver()
        solver.parameters.num_search_workers = 1
        if solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return total
    raise AssertionError(f"none below {limit}")


def test_optimal_lengths_against_another_model(tmp_path: Path) -> None:
    """Random blocks of products and sums, whose least length is found by trying all of them."""
    rng = random.Random(5)
    for case in range(6):
        lines, names = ["global reg A B C D", "block b"], ["A", "B", "C"]
        for i in range(9):
            # Chains, and in every other block products side by side.
            left, right = rng.choice(names), rng.choice(names[:4] if case % 2 else names[-4:])
            lines.append(f"  t{i} = {left} {rng.choice('***+' if case % 2 else '*+-*')} {right}")
            names.append(f"t{i}")
        unread = [n for n in names[3:] if not any(f" {n}" in line.split("=", 1)[-1] for line in lines[2:])]
        lines += [f"  v{i} =! {name} + {names[-1]}" for i, name in enumerate(unread)]
        program = assemble(tmp_path, "\n".join([*lines, "  D = C + A", "end\n"]))
        (block,) = program.blocks
        block.ops = [op for op in block.ops if not op.canon or setattr(op, "canon", False) is None]
        for length in (2, 3):
            schedule = dual.solve(block, length)
            assert schedule.bound == schedule.length == best_by_search(block, length, 40), case
            assert dual.work_bound(block, length) <= schedule.length


# ---- what the replay rejects -----------------------------------------------------------------------

TOY = """
global reg X Y Z
block b
  s = X + Y
  d = s - Z
  a = s * d
  f =! a - Y
  e =! @x + s
  g = Y * Y
  Y = g + @y
  X = a * e
  start inverter Z
end
"""


@pytest.fixture
def toy(tmp_path: Path) -> tuple[dict[str, Op], Schedule]:
    """The operations by their results, and a legal schedule for products of 4 cycles."""
    (block,) = assemble(tmp_path, TOY).blocks
    ops = dict(zip("sdafegYXi", block.ops, strict=True))
    start = {"s": 0, "d": 0, "a": 1, "f": 5, "e": 6, "g": 0, "Y": 7, "X": 7, "i": 1}
    place = dict.fromkeys(ops, 0) | {"d": 1, "g": 1}
    by_op = {ops[name]: value for name, value in start.items()}
    schedule = Schedule(block, by_op, 11, place={ops[n]: p for n, p in place.items()})
    DualReplay(MACHINE, schedule, 4).run()
    return ops, schedule


FAULTS = {
    "s is not there yet": {"d": (0, 0), "s": (0, 1)},
    "d is not there yet": {"d": (1, 1)},
    "a is not there yet": {"X": (4, 1)},
    "multiplier 1 is taken in cycle 1": {"a": (1, 1)},
    "adder 0 is taken in cycle 5": {"i": (5, 0)},
    "two external values in cycle 6": {"Y": (6, 1)},
    "flags in another order than written": {"e": (4, 0)},
    "reads Y after its overwriting began": {"f": (8, 0), "e": (9, 0), "X": (10, 0)},
    "is not within the block": {"X": (8, 0)},
}


@pytest.mark.parametrize("message", FAULTS)
def test_a_moved_operation_is_refused(toy: tuple[dict[str, Op], Schedule], message: str) -> None:
    ops, schedule = toy
    for name, (cycle, place) in FAULTS[message].items():
        schedule.start[ops[name]], schedule.place[ops[name]] = cycle, place
        schedule.length = max(schedule.length, 14 if cycle == 10 else 0)
    with pytest.raises(ScheduleError, match=message):
        DualReplay(MACHINE, schedule, 4).run()


def test_one_product_a_word(toy: tuple[dict[str, Op], Schedule]) -> None:
    """Two multipliers that are one, which begins a product before the one before it is there."""
    ops, schedule = toy
    schedule.start[ops["g"]] = 1
    DualReplay(MACHINE, schedule, 4).run()
    with pytest.raises(ScheduleError, match="start of a product is taken in cycle 1"):
        DualReplay(Machine("mpu", "full"), schedule, 4).run()


SHARED = """
global reg X Y Z W
b:
block b
  s = X + Y
  t = X + Z
  u = s + Y
  p = Y * Z
  q = X * W
  e = X * @x
  X = p + q
  Y = t + e
  Z = u + 0
end
"""


def test_shared_ports(tmp_path: Path) -> None:
    """Factors on the ports of sums: of what these read, or of their own. The port of a sum that takes the first one
    reads a register, but no external value."""
    program = assemble(tmp_path, SHARED)
    (block,) = program.blocks
    s, t, u, p, q, e = block.ops[:6]
    assert [ports_of(word) for word in ([s, t, p], [s, t, q], [s, u, q], [s, u, e], [p, q])] == [4, 5, 4, 5, 4]
    free, limited = dual.solve(block, 4), dual.solve(block, 4, ports=4)
    assert max(map(ports_of, dual.words(free))) == 5 and max(map(ports_of, dual.words(limited))) <= 4
    DualReplay(MACHINE, limited, 4).run()
    with pytest.raises(ScheduleError, match="takes a fifth port in cycle 0"):
        DualReplay(MACHINE, free, 4).run()
    DualReplay(Machine("multicurve", "fast"), free, 4).run()
    with pytest.raises(ValueError, match="a factor finds no port"):
        Emitter(MACHINE, program, {"b": free}).run()


def test_what_cannot_go_with_the_last_word(tmp_path: Path) -> None:
    """A start, and a flag that the branch asks for."""
    text = "global reg X\nb:\nblock b\n  {}\n  X = X * X\ngoto b if zero0\n"
    for statement in ("start inverter X", "f =! X + X"):
        (block,) = assemble(tmp_path, text.format(statement)).blocks
        first, second = block.ops
        place = dict.fromkeys(block.ops, 0)
        DualReplay(MACHINE, Schedule(block, {first: 0, second: 1}, 5, place=place), 4).run()
        with pytest.raises(ScheduleError, match="goes with branch"):
            DualReplay(MACHINE, Schedule(block, {first: 0, second: 0}, 4, place=place), 4).run()


def test_refused_programs(tmp_path: Path) -> None:
    for text, message in (
        ("c =! X * X", "only a sum can push a flag"), ("c = 2 X + X", "of two values alone"),
        ("c = @x * @y", "one external value a cycle"), ("c = @z + X", "no external value z"),
        ("c = scale (X - X)", "of two values alone"),
    ):  # fmt: skip
        with pytest.raises(AssemblyError, match=message):
            assemble(tmp_path, f"global reg X\nblock b\n  {text}\nend\n")
    with pytest.raises(AssemblyError, match="bank reg is full"):
        assemble(tmp_path, "global reg " + " ".join(f"r{i}" for i in range(17)) + "\n")
    with pytest.raises(AssemblyError, match="no reason small_order_a"):
        assemble(tmp_path, "refuse small_order_a if zero0\n")
    with pytest.raises(AssemblyError, match="a product takes at least one cycle"):
        assemble(tmp_path, "global reg X\nblock b length 0\n  X = X * X\nend\n")
    entered = assemble(tmp_path, "global reg X\ninterface I X\nblock b on I\n  X = X + X\nend\n")
    with pytest.raises(ScheduleError, match="begins and ends alone"):
        DualScheduler(MACHINE, entered).run()


def test_overlay(tmp_path: Path) -> None:
    """Registers are used again, and temporaries keep off those of both parts."""
    program = assemble(tmp_path, "global reg A B C\noverlay\ntable reg t 2\nglobal reg D\n")
    homes = {name: home.register for name, home in program.globals.items()}
    assert homes == {"A": 0, "B": 1, "C": 2, "D": 2} and program.tables["t"][0].register == 0


# ---- waits and words ----------------------------------------------------------------------------


def simulate(program: Program, schedules: dict, p: int, values: dict[str, int], strip: str = ""):
    """The engine after a program without control, with a wait taken out of word `strip`."""
    rom = Emitter(MACHINE, program, schedules).run()
    words = [dict(word) for word in rom.words] + [
        {"ctl_op": MACHINE.isa.control["finish"], "wait0": 1, "wait1": 1}]
    if strip:
        number, bit = strip.split()
        assert words[int(number)].pop(bit)
    engine = DualEngine(MACHINE, p)
    simulator = Simulator(MACHINE, [MACHINE.isa.encode(word) for word in words], rom.labels, engine)
    inputs = {name: lambda _, v=v: v for name, v in values.items()}
    simulator.run(Environment(inputs, {}, {}, lambda: ("", 0)))
    return engine


RANDOM_LINES = 14


@pytest.mark.parametrize("bits", [13, 192, 256, 384, 521])
def test_random_programs(tmp_path: Path, bits: int) -> None:
    """Straight-line programs, scheduled for short products, on the simulator with products of every length,
    against integers in the Montgomery domain."""
    rng = random.Random(bits)
    p = {13: 8191, 192: 2**192 - 2**64 - 1, 256: 2**256 - 189, 384: 2**384 - 317, 521: 2**521 - 1}[bits]
    for _ in range(4):
        inputs = {"x": rng.randrange(p), "y": rng.randrange(p)}
        value = {"A": inputs["x"], "B": inputs["y"]}
        lines = ["global reg A B C", "block first", "  A = @x + 0", "  B = @y + 0", "end", "block second"]
        r_inverse = pow(2, -32 * -(-bits // 32), p)
        for i in range(RANDOM_LINES):
            x, y, sign = rng.choice(list(value)), rng.choice(list(value)[-3:]), rng.choice("**+-")
            name = f"t{i}" if i < RANDOM_LINES - 1 else "C"
            lines.append(f"  {name} = {x} {sign} {y}")
            value[name] = {"*": value[x] * value[y] * r_inverse, "+": value[x] + value[y],
                           "-": value[x] - value[y]}[sign] % p  # fmt: skip
        program = assemble(tmp_path, "\n".join([*lines, "end\n"]))
        schedules = DualScheduler(MACHINE, program).run()
        engine = simulate(program, schedules, p, inputs)
        assert engine.banks["reg"][program.globals["C"].register] == value["C"]
        expected = retime(schedules["second"], product_cycles(bits))[1]
        assert engine.cycle == retime(schedules["first"], product_cycles(bits))[1] + expected


def test_a_factor_without_a_port_is_seen(tmp_path: Path) -> None:
    program = assemble(tmp_path, "global reg A B\nblock b\n  A = B * B\nend\n")
    schedules = DualScheduler(MACHINE, program).run()
    assert simulate(program, schedules, 2**192 - 237, {})
    with pytest.raises(ExecutionError, match="no port of a sum reads its factor"):
        simulate(program, schedules, 2**192 - 237, {}, "0 s0_x")


def test_a_missing_wait_is_seen(tmp_path: Path) -> None:
    text = "global reg A B\nblock b\n  A = @x * B\n  s = A + A\n  B = s * s\nend\n"
    program = assemble(tmp_path, text)
    schedules = DualScheduler(MACHINE, program).run()
    assert simulate(program, schedules, 2**192 - 237, {"x": 5})
    unit = schedules["b"].place[schedules["b"].block.ops[0]]
    with pytest.raises(ExecutionError, match="its product is in flight"):
        simulate(program, schedules, 2**192 - 237, {"x": 5}, f"1 wait{unit}")


def test_every_wait_of_the_programs_has_a_reason() -> None:
    """Beside the first word of a block, a word waits for what it starts or reads and nothing else."""
    for name in PROGRAMS:
        for schedule in build("multicurve", name, "paper")[2].values():
            latest: dict[int, Op] = {}
            for word, waited in zip(dual.words(schedule), dual.waits(schedule), strict=True):
                read = {arg.producer for op in word for arg in op.args}
                started = {schedule.place[op] for op in word if op.unit == "mul"}
                for unit in waited if latest else ():
                    assert unit in started or latest[unit] in read
                latest |= {schedule.place[op]: op for op in word if op.unit == "mul"}


def test_words_and_links() -> None:
    """What the emitter meant is what is encoded; ports, fields and sizes."""
    image = link("multicurve", PROGRAMS, "paper")
    isa = image.machine.isa
    assert isa.word_bits == 106 and isa.path.name == "isa_dual.yaml"
    assert len(image.rom.words) < 1 << 10
    for code, word in zip(image.rom.encoded(image.machine), image.rom.words, strict=True):
        assert isa.decode(code) == dict.fromkeys(isa.fields, 0) | word
    assert isa.ports == ["m0_a", "m0_b", "m1_a", "m1_b", "s0_x", "s0_y", "s1_x", "s1_y"]
    assert isa.port("chain") == 0b0_10_0000 and isa.port("reg", 5, True) == 0b1_00_0101
    for numbers, name in (
        (list(MACHINE.conditions.values()), "ctl_cond"), (list(MACHINE.externals.values()), "ext"),
        ([unit["id"] for unit in MACHINE.units.values()], "ctl_arg"),
    ):  # fmt: skip
        assert sorted(numbers) == list(range(len(numbers))) and len(numbers) <= 1 << isa.fields[name].width
    reasons = list(MACHINE.reasons.values())
    assert MACHINE.reasons["ok"] == 0 and len(set(reasons)) == len(reasons)


def test_timeline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schedules = build("multicurve", "xdh", "paper")[2]
    step = schedules["ladder_step"]
    found = timeline(MACHINE, step, 28)
    lines = found.table().splitlines()
    assert lines[0] == "ladder_step: 141 cycles (optimal), 10 products, 99.3 % busy"
    assert len(lines) == 1 + len(dual.words(step)) and found.lanes() == [
        "multiplier 0", "multiplier 1", "adder 0", "adder 1", "side units"]
    assert sum(work.cycles for work in found.works if work.unit == "multiplier 0") == 5 * 28
    assert sum(work.kind != SIDE_UNIT for work in found.works) == 18
    assert "(not proven optimal)" in dataclasses.replace(found, bound=140).title()
    assert command.main(["multicurve.xdh", "--json", "--svg", str(tmp_path / "xdh.svg")]) == 0
    blocks = json.loads(capsys.readouterr().out)["blocks"]
    assert [block["block"] for block in blocks] == list(schedules)
    assert blocks == [json.loads(json.dumps(timeline(MACHINE, schedule, 8).record()))
                      for schedule in schedules.values()]
    assert (tmp_path / "xdh.svg").read_text().count("<title>ladder_step, multiplier 0: 5 times") == 1
