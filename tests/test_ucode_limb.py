# SPDX-License-Identifier: Apache-2.0
"""The tools on the limb datapath: assembly, schedules and their proofs, registers, words; X25519 on its simulator."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from imported import imports
from pointmill.model import limb as model
from pointmill.model.x25519 import decode_scalar, x25519
from pointmill.simbuild import ROOT
from pointmill.ucode import limb
from pointmill.ucode.assembler import Assembler, AssemblyError
from pointmill.ucode.build import build
from pointmill.ucode.emitter import Emitter
from pointmill.ucode.limb import LimbScheduler
from pointmill.ucode.machine import Isa, Machine
from pointmill.ucode.replay import LimbReplay
from pointmill.ucode.scheduler import Schedule, ScheduleError
from pointmill.ucode.simulator import Environment, ExecutionError, Run, Simulator
from pointmill.ucode.timeline import timeline

MACHINE = Machine("x25519", "paper")
HEAD = "table reg X 2\ntable reg Z 2\n"


def compiled(tmp_path: Path, text: str):
    """(schedules, ROM) of a program."""
    path = tmp_path / "toy.pmu"
    path.write_text(HEAD + text)
    program = Assembler(MACHINE).assemble(path)
    schedules = LimbScheduler(MACHINE, program).run()
    return schedules, Emitter(MACHINE, program, schedules).run()


# ---- lengths ------------------------------------------------------------------------------------


def test_published_lengths() -> None:
    """Five stages: 5 + 22 + 5 + 22 + 22 (Hu et al. 2024, section 2.3); nothing shorter exists."""
    schedules = build("x25519", "paper", "paper")[2]
    step = schedules["ladder_step"]
    assert step.length == step.bound == 76
    lengths = {name: schedule.length for name, schedule in schedules.items()}
    bits = dict.fromkeys(("bit_0", "bit_1", "bit_2", "bit_3", "bit_4", "bits"), 22)
    assert lengths == {"begin": 4, "ladder_step": 76, **bits, "quotient": 23}
    assert all(schedule.bound == schedule.length for schedule in schedules.values())


def test_stage_four() -> None:
    """The small product and the sum behind it end before the squares beside them."""
    step = build("x25519", "paper", "paper")[2]["ladder_step"]
    at = {op.label: (step.start[op], step.start[op] + limb.cycles(MACHINE, op)) for op in step.block.ops}
    assert at["K"][0] == at["D2"][0] == 32 and at["K"][1] <= at["G"][0] and at["G"][1] <= at["D2"][1] == 54
    assert at["Z[1]"] == (54, 76)


def test_cycles_are_the_unit_s() -> None:
    assert MACHINE.latency == model.CYCLES


def test_control_is_the_sequencer_s() -> None:
    """The fields that pm_sequencer carries out have the widths and numbers of its own word."""
    base = Isa()
    for name in ("delay", "ctl_op", "ctl_cond", "ctl_inv", "ctl_arg"):
        assert MACHINE.isa.fields[name].width == base.fields[name].width
    assert MACHINE.isa.control.items() <= base.control.items()


# ---- the whole program --------------------------------------------------------------------------


def canonical(limbs: list[int]) -> int:
    """The number in [0, p) of limbs, whose value has to be below 2p."""
    value = sum(digit << limb.DIGIT_BITS * place for place, digit in enumerate(limbs))
    assert value < 2 * model.P
    return value % model.P


def scalar_product(k: int, u: int, program: str = "paper", r: int = 1) -> tuple[int, Run]:
    """(u of k times the point with coordinate u < 2^255, run) by the program; k is clamped, as it is secret. r: the
    random number of `randomised`."""
    bits = [*(k >> i & 1 for i in range(255)), 0]
    indices = iter([bits[i] ^ bits[i + 1] for i in reversed(range(255))] + [bits[0]])
    results: list[int] = []
    units = {"digit": lambda *_: next(indices), "result": lambda limbs, _: results.append(canonical(limbs))}
    machine, _, _, rom = build("x25519", program, program)
    environment = Environment({"u": lambda _: u, "r": lambda _: r}, {}, units, lambda: ("", 0), index=next(indices))
    done = Simulator(machine, rom.encoded(machine), rom.labels).run(environment, secret=True)
    return results[0], done


def test_program() -> None:
    """Right bit by bit, and of the same length, for a random point and for one of small order."""
    rng = random.Random(1)
    k, u = rng.randbytes(32), rng.randrange(2**255)
    products = 255 * 10 + 2 * 255 - 2 + 1
    for value in (u, 1):
        result, run = scalar_product(decode_scalar(k), value)
        assert result == int.from_bytes(x25519(k, value.to_bytes(32, "little")), "little")
        assert (run.cycles, run.products, run.butterflies) == (25_018, products, 255 * 8 + 4)
    assert result == 0


@pytest.mark.parametrize("r", [1, 2**254 - 1, random.Random(3).randrange(2**254)])
def test_random_coordinates(r: int) -> None:
    """The same results with any r, in the time of a product more, less that of a sum."""
    k = random.Random(2).randbytes(32)
    for u in (9, 2**255 - 20):
        result, run = scalar_product(decode_scalar(k), u, "randomised", r)
        assert result == int.from_bytes(x25519(k, u.to_bytes(32, "little")), "little")
        assert run.cycles == 25_018 + 22 - 4


# ---- what is refused ----------------------------------------------------------------------------


def moved(schedule: Schedule, label: str, start: int | None = None, place: int | None = None) -> Schedule:
    """The schedule with one operation elsewhere."""
    op = next(op for op in schedule.block.ops if op.label == label)
    starts = schedule.start | ({op: start} if start is not None else {})
    places = schedule.place | ({op: place} if place is not None else {})
    return dataclasses.replace(schedule, start=starts, place=places)


@pytest.mark.parametrize("label, start, place, why", [
    ("T9", 4, None, "T2 is not there yet"),
    ("T7", 4, None, "T2 is not there yet"),
    ("Z[1]", 55, None, "is not within the block"),
    ("T1", -1, None, "is not within the block"),
    ("T1", 0, 1, "unit 1 does not write T1|unit 1 is taken"),
    ("X[1]", 33, 0, "unit 0 is taken in cycle 33"),
    ("X[1]", 31, 3, "unit 3 is taken"),
    ("T4", 0, 2, "unit 2 is taken"),
    ("G", 45, 1, "out of reach|is taken"),
])  # fmt: skip
def test_check_refuses(label: str, start: int | None, place: int | None, why: str) -> None:
    schedule = build("x25519", "paper", "paper")[2]["ladder_step"]
    LimbReplay(MACHINE, schedule).run()
    with pytest.raises(ScheduleError, match=why):
        LimbReplay(MACHINE, moved(schedule, label, start, place)).run()


def test_check_knows_registers(tmp_path: Path) -> None:
    """A global belongs to one unit, and its old value is read before the new one is there."""
    schedules, _ = compiled(tmp_path, "block b\n  X[1] = X[1] + @zero\n  X[0] = X[0] * Z[0]\nend\n")
    with pytest.raises(ScheduleError, match=r"unit 2 does not write X\[1\]|out of reach"):
        LimbReplay(MACHINE, moved(schedules["b"], "X[1]", place=2)).run()
    schedules, _ = compiled(tmp_path, "block b\n  Z[1] = X[0] * Z[0]\n  X[0] = X[0] + @zero\nend\n")
    with pytest.raises(ScheduleError, match=r"reads X\[0\] after it was overwritten"):
        LimbReplay(MACHINE, dataclasses.replace(moved(schedules["b"], "Z[1]", 4), length=26)).run()


@pytest.mark.parametrize("text, why", [
    ("a = X[0] / X[1]", "expected `\\*`"),
    ("a =! X[0] * X[1]", "of two values alone"),
    ("a = @nothing + X[0]", "no external value"),
    ("X[a] = X[0] + Z[0]", "cannot be written by index"),
])  # fmt: skip
def test_assembler_refuses(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(AssemblyError, match=why):
        compiled(tmp_path, f"block b\n  {text}\n  X[0] = a + Z[0]\nend\n")


def test_what_no_port_reaches(tmp_path: Path) -> None:
    with pytest.raises(ScheduleError, match="no schedule for b"):
        compiled(tmp_path, "block b\n  X[0] = @u * Z[0]\nend\n")


def test_too_many_values(tmp_path: Path) -> None:
    """Of five registers four hold globals, of which only one is overwritten."""
    text = ("block b\n  p = X[0] + Z[0]\n  q = X[1] + Z[1]\n  s = X[0] - Z[1]\n"
            "  d = p * q\n  e = p * s\n  f = q * s\n  g = d * e\n  X[0] = f * g\nend\n")  # fmt: skip
    with pytest.raises(ScheduleError, match="no schedule for b"):
        compiled(tmp_path, text)


def run(words, labels, index: int = 0):
    environment = Environment({"u": lambda _: 9}, {}, {}, lambda: ("", 0), index=index)
    simulator = Simulator(MACHINE, words, labels)
    simulator.run(environment, secret=True)
    return simulator.engine.limbs


@pytest.mark.parametrize("fields, why", [
    ([{"u0_en": 1}, {"u0_en": 1}], "unit 0 is at work in cycle 1"),
    ([{"u1_en": 1, "u1_rd": 1}], "unit 1 has no register 1"),
    ([{"u1_en": 1, "u1_x": 3}], "does not reach 3"),
    ([{"u1_en": 1, "u1_x": 0, "u1_y": MACHINE.isa.port("ext", 2)}], "does not reach a24"),
])  # fmt: skip
def test_simulator_refuses(fields: list[dict[str, int]], why: str) -> None:
    base = {f"u{unit}_{side}": register for unit in range(4) for side, register in (("x", 1), ("y", 2))}
    words = [MACHINE.isa.encode({**base, **entry}) for entry in fields]
    with pytest.raises(ExecutionError, match=why):
        run([*words, MACHINE.isa.encode({"ctl_op": 7})], {})


def test_registers_and_results(tmp_path: Path) -> None:
    """A program of every operation; a register is used again as soon as it is free; both places of the index."""
    text = ("block b\n  X[0] = @one + @zero\n  X[1] = @u + @zero\n  Z[0] = @zero + @zero\n  Z[1] = @one + @zero\nend\n"
            "block c\n  s = X[a] - Z[1]\n  t = s * @a24\n  X[0] = X[a] + Z[0]\n"
            "  Z[0] = t * t\nend\naccept\n")  # fmt: skip
    schedules, rom = compiled(tmp_path, text)
    assert schedules["c"].length == 5 + 7 + 22
    for index, x in enumerate((1, 9)):
        registers = run(rom.encoded(MACHINE), rom.labels, index)
        values = [model.value_of(r) % model.P if r else 0 for r in registers[:4]]
        assert values == [x, 9, pow((x - 1) * 121666, 2, model.P), 1]


@given(st.sampled_from(sorted(model.CYCLES)), st.lists(st.integers(0, 0xFFFF), min_size=34, max_size=34))
@example("mul", [0xFFFF] * 34)
@example("sub", [0] * 17 + [0xFFFF] * 17)
def test_arithmetic_against_the_model(kind: str, limbs: list[int]) -> None:
    """Limb by limb, and the value of the model's own numbers."""
    x, y = limbs[:17], limbs[17:]
    if kind == "small":
        y = [*y[:2], *[0] * 15]
    assert limb.operate(kind, x, y) == model.operate(kind, x, y)
    number = model.value_of(x) % model.P
    assert limb.limbs_of(number) == model.limbs_of(number)
    assert canonical(model.limbs_of(number)) == number


TIME_OF_THE_INVERTER = {("ucode/mpu.py", "pointmill.model.plus_minus")}


def crossing(one: str, other: str) -> set[tuple[str, str]]:
    """Imports of a package by modules of another."""
    folder = ROOT / "pointmill"
    return {(str(path.relative_to(folder)), name) for path in (folder / one).glob("*.py") for name in imports(path)
            if name == f"pointmill.{other}" or name.startswith(f"pointmill.{other}.")}


@given(st.integers(-40, 40), st.integers(0, 20), st.integers(-40, 40), st.integers(0, 20), st.integers(0, 5))
def test_ranges_are_exact(lo: int, size: int, other: int, other_size: int, bits: int) -> None:
    """Least and greatest value of every operation; lower bits of a range that is not within one block may be any."""
    one, two = model.Range(lo, lo + size), model.Range(other, other + other_size)
    values, others = range(one.lo, one.hi + 1), range(two.lo, two.hi + 1)
    for found, wanted in ((one + two, [a + b for a in values for b in others]),
                          (one - two, [a - b for a in values for b in others]),
                          (one * two, [a * b for a in values for b in others]),
                          (one >> bits, [a >> bits for a in values])):
        assert (found.lo, found.hi) == (min(wanted), max(wanted))
    mask = (1 << bits) - 1
    masked = [a & mask for a in values]
    whole = lo >> bits != one.hi >> bits
    assert one & mask == (model.Range(0, mask) if whole else model.Range(min(masked), max(masked)))


def test_how_long_registers_are_taken(tmp_path: Path) -> None:
    """A result from the end of its operation to its last read, a global from the end of that which writes it."""
    schedules, _ = compiled(tmp_path, "block b\n  s = X[0] * Z[0]\n  X[1] = s * Z[1]\nend\n")
    schedule = schedules["b"]
    first, last = sorted(schedule.block.ops, key=schedule.start.__getitem__)
    (value,), (written,) = first.out.values(), last.out.values()
    cells = limb.LimbCells(MACHINE)
    assert (schedule.start[last], schedule.length) == (22, 44)
    assert cells.life(first, value, schedule) == range(22, 23) and cells.life(last, written, schedule) == range(44, 45)
    program = Assembler(MACHINE).assemble(tmp_path / "toy.pmu")
    taken = [life for home, life in cells.kept(program, schedule) if home == written.home]
    assert taken == [range(0), range(44, 45)]


def test_model_and_tools_share_no_code() -> None:
    """But for the cycles of the inverter."""
    assert {(path, ".".join(name.split(".")[:3])) for path, name in crossing("ucode", "model")} == TIME_OF_THE_INVERTER
    assert crossing("model", "ucode") == set()
    path = ROOT / "pointmill" / "ucode" / "limb.py"
    for text in ("from pointmill.model import limb", "import pointmill.model.limb", "from ..model import limb",
                 "def f():\n    from pointmill.model.limb import P"):
        assert any(name.startswith("pointmill.model") for name in imports(path, text)), text


def test_timeline() -> None:
    found = timeline(MACHINE, build("x25519", "paper", "paper")[2]["ladder_step"])
    lines = found.table().splitlines()
    assert lines[0] == "ladder_step: 76 cycles (optimal), 10 products, 79.6 % busy"
    assert len(lines) == 1 + 8 and "start digit" in lines[1]
    assert found.lanes() == [*(f"unit {unit}" for unit in range(4)), "side units"]
