# SPDX-License-Identifier: Apache-2.0
"""The assembler: what it makes of a program, and what it rejects with which words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pointmill.ucode.assembler import Assembler, AssemblyError
from pointmill.ucode.emitter import Emitter
from pointmill.ucode.ir import Control, Home, Label, Program
from pointmill.ucode.machine import Machine, P, ucode
from pointmill.ucode.scheduler import Scheduler

THROUGHPUT = Machine("edverify", "throughput")
HEAD = """
global mul  X Y Z
global sum  S
table  mul  t 4
formula twin(a, b) -> c, d
  c = a * b
  d = a + b
end
formula same(a) -> b, b
  b = a * a
end
formula through(a) -> a
end
formula triple(a, b) -> c, d, e
  c = a * b
  d = a + b
  e = c * d
end
"""


def assemble(folder: Path, text: str, machine: Machine | None = None) -> Program:
    path = folder / "toy.pmu"
    path.write_text(HEAD + text)
    return Assembler(machine or Machine()).assemble(path)


def block(*statements: str) -> str:
    return "\n".join(["block b", *statements, "end"])


# ---- what it makes ------------------------------------------------------------------------------


def test_operations_of_a_block(tmp_path: Path) -> None:
    """Sum and difference of the same operands are one butterfly; what nobody reads is dropped."""
    program = assemble(tmp_path, block(
        "s = X + Y", "d = X - Y", "unused = X * X", "X = s * d", "n =! s * Y", "start result_u Z"), THROUGHPUT)
    ops = program.blocks[0].ops
    assert [op.unit for op in ops] == ["bf", "mul", "mul", "start"]
    assert set(ops[0].out) == {"sum", "diff"}
    assert ops[1].out["mul"].home == program.globals["X"]
    assert ops[2].canon and not ops[1].canon
    assert ops[3].side_unit == "result_u"
    assert program.blocks[0].old_readers == {program.globals["X"]: [ops[0]]}


def test_a_unit_starts_with_a_product(tmp_path: Path) -> None:
    (op,) = assemble(tmp_path, block("X = Y * Z start result_u"), THROUGHPUT).blocks[0].ops
    assert (op.unit, op.side_unit) == ("mul", "result_u")
    program = assemble(tmp_path, block("unread = Y * Z start result_u", "X = Y * Z"), THROUGHPUT)
    (word, _) = Emitter(THROUGHPUT, program, Scheduler(THROUGHPUT, program).run()).run().words
    assert word["mul_rd"] not in {home.register for home in program.pinned if home.bank == "mul"}


@pytest.mark.parametrize(("register", "waits"), [("R3", True), ("R4", False)])
def test_registers_that_can_be_held_wait_for_the_digit(register: str, waits: bool, tmp_path: Path) -> None:
    """The first four of `mpu`."""
    path, machine = tmp_path / "held.pmu", Machine("mpu", "full")
    path.write_text("global reg R0 R1 R2 R3 R4\n" + block("start digit", f"{register} = R0 * R1"))
    digit, product = Assembler(machine).assemble(path).blocks[0].ops
    assert machine.held == 4 and product.after == ([(digit, 1)] if waits else [])


def test_half_of_a_butterfly_that_nobody_reads_is_not_stored(tmp_path: Path) -> None:
    program = assemble(tmp_path, block("s = X + Y", "d = X - Y", "X = s * Y"))
    assert set(program.blocks[0].ops[0].out) == {"sum"}


def test_bounds(tmp_path: Path) -> None:
    """Ranges follow the operations: 2p-ish sums, differences moved up by 4p."""
    machine = Machine()
    program = assemble(tmp_path, block("s = 2 X + Y", "d = s - Y", "X = s * d"), machine)
    first, second, _ = program.blocks[0].ops
    product = machine.product_bound
    assert first.out["sum"].bound == 3 * product
    assert second.out["diff"].bound == 3 * product + 4 * P
    assert first.double == (True, False)


def test_formulas_and_tables(tmp_path: Path) -> None:
    program = assemble(tmp_path, block("t[3], u = twin(X, t[a])", "Y = u * X"))
    first, table = program.blocks[0].ops[0], program.tables["t"][0]
    assert first.out["mul"].home == Home("mul", table.register + 3)
    assert first.args[1].home == Home("mul", table.register, True, 4)
    assert table.register % 4 == 0  # the index is XOR-ed into the number


def test_the_two_of_an_index(tmp_path: Path) -> None:
    """t[a] and t[a^1] are different registers, each of which may be any of the table."""
    program = assemble(tmp_path, block("X = t[a] * t[a^1]", "t[2] = X * X"))
    product, writer = program.blocks[0].ops
    table = program.tables["t"][0]
    first, second = (arg.home for arg in product.args)
    assert second == Home("mul", table.register + 1, True, 4)
    everything = [Home("mul", table.register + i) for i in range(4)]
    assert sorted(first.covers(), key=str) == sorted(second.covers(), key=str) == everything
    assert program.blocks[0].old_readers == {first: [product], second: [product]}
    assert writer.out["mul"].home == everything[2]


def test_signs_and_scaling(tmp_path: Path) -> None:
    """A product by x +- y takes multiplier and butterfly; a scaled difference shares its butterfly with
    the plain one, and the sum of the same values does not."""
    program = assemble(tmp_path, block("X = Y * (Z +- @g_t2d)", "e = X - Y", "s = scale (X - Y)",
                                       "u = X + Y", "Y = e * s", "Z = u * s"),
                       THROUGHPUT)  # fmt: skip
    product, scaled, plain, *_ = program.blocks[0].ops
    assert product.signed and [arg.name for arg in product.args] == ["Y", "Z", "@g_t2d"]
    assert scaled.scaled and set(scaled.out) == {"sum", "diff"}
    assert not plain.scaled and set(plain.out) == {"sum"}
    assert scaled.out["sum"].bound == 2**255 + 2**209 - 1


def test_digits_are_stepped_between_their_uses(tmp_path: Path) -> None:
    """Indexed reads, table points and signs belong to the digit at which they are written."""
    program = assemble(tmp_path, block("X = t[a] * X", "Y = Y * Y", "start digit", "Y2 = Z * @g_yp",
                                       "s = X * (Y +- Y2)", "start digit", "Z = s * t[a]"),
                       THROUGHPUT)  # fmt: skip
    before, free, step, point, signed, again, last = program.blocks[0].ops
    assert (before.after, free.after) == ([], [])
    assert step.after == [(before, 0)]
    assert point.after == signed.after == [(step, 1)]
    assert again.after == [(step, 1), (point, 0), (signed, 0)]
    assert last.after == [(again, 1)]


def test_flags_belong_to_the_product_before(tmp_path: Path) -> None:
    program = assemble(tmp_path, block("X =! X * Y", "Y =! Y * Y", "start result_a X", "Z =! Z * Z"),
                       THROUGHPUT)  # fmt: skip
    first, latest, start, later = program.blocks[0].ops
    assert first.after == latest.after == []
    assert start.after == [(latest, THROUGHPUT.latency["mul"])]
    assert later.after == [(start, 0)]


def test_control_words(tmp_path: Path) -> None:
    program = assemble(tmp_path, """
  refuse s_out_of_range if s_ge_l
  goto on if not decode_r
  start walk
on:
  wait naf_done
loop 5
block square
  X = X * X
end
endloop
  dispatch
  accept if not zero0
  accept
""")
    controls = [(i.op, i.target, i.condition, i.inverted) for i in program.items
                if isinstance(i, Control)]  # fmt: skip
    assert controls == [
        ("finish", 2, "s_ge_l", False),
        ("branch", "on", "decode_r", True),
        ("start", 1, "always", False),
        ("wait", None, "naf_done", False),
        ("loop_set", 5, "always", False),
        ("dispatch", None, "always", False),
        ("finish", 0, "zero0", True),
        ("finish", 0, "always", False),
    ]
    assert program.blocks[0].closing == Control("loop_end", "square")
    assert [i.name for i in program.items if isinstance(i, Label)] == ["on", "square"]


CLOSINGS = {
    "dispatch": Control("dispatch"),
    "goto on if not decode_r": Control("branch", "on", "decode_r", True),
    "refuse s_out_of_range if s_ge_l": Control("finish", 2, "s_ge_l"),
    "loop 9": Control("loop_set", 9),
}


@pytest.mark.parametrize("closing", CLOSINGS)
def test_control_in_place_of_end(tmp_path: Path, closing: str) -> None:
    """It goes with the last word of the block, so that it costs no word."""
    machine = Machine()
    text = "block b\nX = X * X\n"
    looped, last = "", "on:\naccept\n"
    if closing.startswith("loop"):
        looped, last = "block looped\nX = X * X\nend\n", "endloop\n" + last
    program = assemble(tmp_path, f"{text}{closing}\n{looped}{last}", machine)
    found = program.blocks[0].closing
    wanted = CLOSINGS[closing]
    assert (found.op, found.target, found.condition, found.inverted) == (
        wanted.op, wanted.target, wanted.condition, wanted.inverted)
    words = Emitter(machine, program, Scheduler(machine, program).run()).run().words
    plain = assemble(tmp_path, f"{text}end\n{looped}on:\naccept\n", machine)
    assert len(words) == len(Emitter(machine, plain, Scheduler(machine, plain).run()).run().words)
    control = [word.get("ctl_op", 0) for word in words]
    assert control == [machine.isa.control[op] for op in (wanted.op, *["loop_end"] * bool(looped), "finish")]


def test_a_register_of_several_names(tmp_path: Path) -> None:
    """The names of `a/b/c` are one register: no room is taken, and no two results in a block."""
    program = assemble(tmp_path, "global mul U/V/W Q\n" + block("V = X * Y", "Q = W * V"))
    assert program.globals["U"] == program.globals["V"] == program.globals["W"]
    assert program.globals["Q"].register == program.globals["U"].register + 1
    product, reader = program.blocks[0].ops
    assert [arg.producer for arg in reader.args] == [product, product]
    with pytest.raises(AssemblyError, match="W is written twice in a block"):
        assemble(tmp_path, "global mul U/V/W Q\n" + block("V = X * Y", "W = X * X"))


def test_a_bank_may_be_full(tmp_path: Path) -> None:
    """The last register of a bank is used, too; one more is refused above."""
    names = [f"v{index}" for index in range(Machine().registers["sum"] - 1)]  # one is in HEAD
    program = assemble(tmp_path, f"global sum {' '.join(names)}")
    assert program.globals["S"] == Home("sum", 0) and program.globals[names[-1]] == Home("sum", len(names))


def test_results_left_out(tmp_path: Path) -> None:
    """Results that are not wanted are left out at the end, and not made."""
    program = assemble(tmp_path, block("X = triple(X, Y)"))
    assert [op.unit for op in program.blocks[0].ops] == ["mul"]
    program = assemble(tmp_path, block("X, s = triple(X, Y)", "Y = s * s"))
    assert [op.unit for op in program.blocks[0].ops] == ["mul", "bf", "mul"]


def test_names_behind_an_overlay(tmp_path: Path) -> None:
    """They may be those before it, in other registers."""
    program = assemble(tmp_path, block("X = X * Y") + "\noverlay\nglobal mul Y X\ntable mul t 4\nb2:\n"
                       + block("X = X * Y").replace("block b", "block c"))
    assert [next(iter(one.written)).register for one in program.blocks] == [0, 1]


# ---- what it refuses ----------------------------------------------------------------------------

REFUSED = {
    # names
    "no bank vector": "global vector A",
    "no condition full_moon": "wait full_moon",
    "no reason boredom": "refuse boredom if always",
    "no side unit oven": "start oven",
    "no external value pi": block("X = X * @pi"),
    "W has no value": block("X = X * W"),
    "V has no value": block("X, u = twin(V, Y)"),
    # room
    "bank mul is full": "table mul wide 32",
    "bank sum is full": "global sum " + " ".join(f"v{i}" for i in range(32)),
    r"t\[4\] is beyond the table": block("t[4] = X * Y"),
    "k is a number here, not a value": "formula by(a, k) -> b\nb = a * k\nend\n" + block("X = by(Y, 5)"),
    # ranges
    "d is too large to be subtracted": block("d = X - Y", "e = Z - d", "X = e * Y"),
    "v does not fit 0x4": block("u = 2 X + 2 Y", "v = 2 u + 2 u", "X = v * Y"),
    # results
    "X is written twice in a block": block("X = X * Y", "X = Y * Y"),
    "Y wants a result of its own": block("X, Y = same(Z)"),
    "X wants a result of its own": block("X = through(Y)"),
    "X cannot hold a result of sum this large": block("X = Y + Z"),
    "S cannot hold a result of mul this large": block("S = Y * Z"),
    "S cannot hold a result of sum this large": block("S = 2 Y + Z"),
    "1 results for 2 names": block("X, Y = X * Y"),
    "2 results for 3 names": block("X, u, v = twin(X, Y)"),
    # operations
    r"one external value a cycle, not \['ya', 'yr'\]": block("X = @ya * @yr"),
    "a product takes no factor 2": block("X = 2 X * Y"),
    "only a product can be canonical": block("S =! X + Y"),
    "twin takes 2 values": block("X, u = twin(X)"),
    r"`\^` in `X = X \^ Y`; expected .*`-`": block("X = X ^ Y"),
    "5 cannot be written": block("5 = X * Y"),
    "@nil cannot be written": block("@nil = X * Y", "X = @nil * Y"),
    r"u\[1\] cannot be written": block("u[1] = X * Y"),
    "formula twin is there twice": "formula twin(a, b) -> c\nc = a * b\nend",
    "pair has two inputs of one name": "formula pair(a, a) -> c\nc = a * a\nend",
    "interface I is there twice": "interface I X\ninterface I Y",
    "products of this machine have one length": "block b length 7\nX = X * Y\nend",
    "no formula absent": block("X = absent(X)"),
    "the only factor of an operand is 2, not 3": block("S = 3 X + Y"),
    "a formula is neither canonical": block("X, u =! twin(X, Y)"),
    "a formula is neither canonical nor does": block("X, u = twin(X, Y) start result_u"),
    "naf_g wants 0 operands in a block": block("start naf_g X"),
    # digits
    "the size of a table is a power of two": "table mul u 3",
    r"t\[a\^4\] is beyond the table": block("X = X * t[a^4]"),
    r"t\[a\] cannot be written by index": block("t[a] = X * Y"),
    r"t\[a\^1\] may have been written in this block": block("t[0] = X * Y", "X = Y * t[a^1]"),
    "this machine does not scale": block("s = scale (X - Y)", "X = s * Y"),
    "e is too large to be subtracted": block("e = X - Y", "X = Y * (X +- e)"),
    # form
    "the end of the line in `goto`; expected a name": "goto",
    "the end of the line in `wait not`; expected a name": "wait not",
    "the end of the line in `refuse ok`; expected `if`": "refuse ok",
    "the end of the line in `start`; expected a name": "start",
    "`many` in `loop many`; expected a number": "loop many",
    "the end of the line in `table mul u`; expected a number": "table mul u",
    "the end of the line in `block`; expected a name": "block\nend",
    "`there` in `hello there`; expected `:`": "hello there",
    "the end of the line in `hello`; expected .*`=`": block("hello"),
    "the end of the line in `formula f`": "formula f\nend",
    "`not` in `goto L not zero0`; expected `if`, the end of the line": "goto L not zero0",
    "`unless` in `goto L unless zero0`; expected `if`, the end of the line": "goto L unless zero0",
    "`colour` in `block b colour 3`; expected .*`weight`": "block b colour 3\nend",
    "`zero0` in `wait zero0`; expected": "block b\nX = X * Y\nwait zero0",
    "weight after weight": "block b weight 2 weight 3\nX = X * Y\nend",
    "from after on": "interface I X\nblock b on I from I\nX = X * Y\nend",
    "no interface I": "block b on I\nX = X * Y\nend",
    "no global N": "interface I X N",
    "M is no register that a block can leave": "block b leaves M\nX = X * Y\nend",
    "label on is there twice": "on:\nstart naf_g\non:",
    "label b is there twice": block("X = X * Y") + "\n" + block("X = X * Y"),
    "global X is there twice": "global mul X",
    "global U is there twice": "global mul U V/U",
    "table t is there twice": "table mul t 4",
    "no label nowhere": "goto nowhere if always\n" + block("X = X * Y"),
    "no label elsewhere": "block b\nX = X * Y\ngoto elsewhere",
    "a loop runs at least once, and at most 1023 times": "loop 1024\n" + block("X = X * Y") + "\nendloop",
    "a loop runs at least once": "loop 0\n" + block("X = X * Y") + "\nendloop",
    "toy.pmu includes itself": "include toy.pmu",
    "no file none/toy.pmu": "include none/toy.pmu",
    "a loop is one block, and endloop behind it": "loop 3\n" + block("X = X * Y"),
    "a loop is one block, and endloop": "loop 3\nloop 2\n" + block("X = X * Y") + "\nendloop",
    "endloop follows the one block of the loop": "loop 3\nendloop",
    "endloop follows the one block of the loop,": block("X = X * Y") + "\nendloop",
    "the end of the file in `X = X \\* Y`; expected": "block b\nX = X * Y",
    "no condition nonsense": "block b\nX = X * Y\ngoto on if nonsense",
    "own calls itself": "formula own(a) -> b\nb = own(a)\nend\n" + block("X = own(Y)"),
    "none makes no c": "formula none(a) -> c\nb = a * a\nend\n" + block("X = none(Y)"),
    r"t\[k\]: the index of a table": block("X = t[k] * Y"),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_refusals(tmp_path: Path, message: str) -> None:
    """The message names file and line and says what is wrong."""
    with pytest.raises(AssemblyError, match=rf"^toy\.pmu:\d+:\d+: {message}"):
        assemble(tmp_path, REFUSED[message])


def test_a_file_includes_itself_by_another_path(tmp_path: Path) -> None:
    with pytest.raises(AssemblyError, match=rf"^toy\.pmu:{HEAD.count(chr(10)) + 1}:1: toy.pmu includes itself"):
        assemble(tmp_path, f"include ../{tmp_path.name}/toy.pmu")


@pytest.mark.parametrize("core, config, unit", [("multicurve", "paper", "inverter"), ("mpu", "full", "inverter"),
                                                ("x25519", "paper", "result"), ("multicurve", "contexts", "scalar")])
def test_no_product_starts_the_unit(core: str, config: str, unit: str, tmp_path: Path) -> None:
    """On datapaths whose product gives a unit no operand."""
    path = tmp_path / "toy.pmu"
    path.write_text(f"table reg X 4\nblock b\nX[0] = X[1] * X[2] start {unit}\nend\n")
    with pytest.raises(AssemblyError, match=f":3:1: {unit} cannot be started with this operation"):
        Assembler(Machine(core, config)).assemble(path)


@pytest.mark.parametrize("text, message", [("start result_u", "result_u wants an operand"),
                                           (block("start result_u"), "result_u wants 1 operands in a block"),
                                           (block("S = X + Y start result_u"), "result_u cannot be started with")])
def test_an_operand_is_wanted(tmp_path: Path, text: str, message: str) -> None:
    """By a unit that takes one, which `paper` has not."""
    with pytest.raises(AssemblyError, match=message):
        assemble(tmp_path, text, THROUGHPUT)


@pytest.mark.parametrize("core, config, text", [("multicurve", "contexts", "loop 3"), ("x25519", "paper", "dispatch")])
def test_control_of_other_machines(core: str, config: str, text: str, tmp_path: Path) -> None:
    """A control statement that the machine's ISA lacks."""
    path = tmp_path / "toy.pmu"
    path.write_text(text)
    with pytest.raises(AssemblyError, match=rf"^toy\.pmu:1:1: this machine has no {text.split()[0]}"):
        Assembler(Machine(core, config)).assemble(path)


def test_the_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(AssemblyError, match=rf"^toy\.pmu:{HEAD.count(chr(10)) + 3}:1: W has no"):
        assemble(tmp_path, block("X = X * X", "Y = W * X"))


@pytest.mark.parametrize(("text", "message"), [
    ("?", r"toy\.pmu:1:1: `\?` in `\?`; expected"),
    ("\n  block b\n  X = X ? Y\nend\n", r"toy\.pmu:3:9: `\?` in `X = X \? Y`"),
    ("block 3", r"toy\.pmu:1:7: `3` in `block 3`; expected a name$")])
def test_the_place_of_an_error(tmp_path: Path, text: str, message: str) -> None:
    """Characters that are in no statement, and words that are in others, from the first line on."""
    (tmp_path / "toy.pmu").write_text(text)
    with pytest.raises(AssemblyError, match=f"^{message}"):
        Assembler(Machine()).assemble(tmp_path / "toy.pmu")


def test_conditions_with_if_alone(tmp_path: Path) -> None:
    """`accept` may close a block too; `goto` without condition always branches."""
    program = assemble(tmp_path, "on:\nblock b\nX = X * Y\naccept if not zero0\ngoto on\n")
    assert program.blocks[0].closing == Control("finish", 0, "zero0", True, line=program.blocks[0].closing.line)
    assert program.items[-1] == Control("branch", "on", line=program.items[-1].line)


TEXTS = [path.read_text() for path in sorted(ucode("edverify").glob("*.pmu")) if "include" not in path.read_text()]


@given(st.sampled_from(TEXTS), st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_is_too_strange(tmp_path: Path, text: str, data: st.DataObject) -> None:
    """A program with a piece taken out, doubled or replaced assembles, or has an error with its place."""
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(begin + 30, len(text))))
    piece = data.draw(st.one_of(st.just(""), st.just(text[begin:end] * 2), st.text(max_size=3), st.sampled_from(
        ["if", "not", "end", "=!", "@", "[a^1]", "(", "+-", "0", "block b", "\n", "#"])))
    path = tmp_path / "toy.pmu"
    path.write_text(text[:begin] + piece + text[end:])
    try:
        Assembler(THROUGHPUT).assemble(path)
    except AssemblyError as error:
        assert re.match(r"toy\.pmu:\d+:\d+: .", str(error))


def test_a_factor_that_is_too_wide(tmp_path: Path) -> None:
    """On a machine whose multiplier is narrower than a sum."""
    machine = Machine()
    machine.factor_bound = machine.product_bound
    with pytest.raises(AssemblyError, match="X is too wide for the multiplier"):
        assemble(tmp_path, block("X = X * Y"), machine)
