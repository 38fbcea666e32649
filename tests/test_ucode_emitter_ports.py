# SPDX-License-Identifier: Apache-2.0
"""Read ports that do not reach every bank: operands are exchanged, or the program is rejected."""

from __future__ import annotations

from pathlib import Path

import pytest

from pointmill.ucode.assembler import Assembler
from pointmill.ucode.build import build
from pointmill.ucode.emitter import Emitter, Rom
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Scheduler

MACHINE = Machine("edverify", "throughput")
PROGRAM = """global mul T
block b
  e = @d * @d
  f = e * e
  s = e + f
  t = s * e
  r = {}
  T = r * t
end
accept if always
"""


def emit(folder: Path, statement: str) -> Rom:
    """The words of a program in which `s` is a stored sum and `t` a product."""
    source = folder / "ports.pmu"
    source.write_text(PROGRAM.format(statement))
    program = Assembler(MACHINE).assemble(source)
    return Emitter(MACHINE, program, Scheduler(MACHINE, program).run()).run()


def bank(word: dict, port: str) -> int:
    return word[port] >> MACHINE.isa.register_bits & 3


@pytest.mark.parametrize(("statement", "doubled"), [
    ("t + s", (0, 0)), ("s + t", (0, 0)), ("t + 2 s", (1, 0)), ("2 t + s", (0, 1)),
    ("s - t", (0, 0))])
def test_operands_are_exchanged(tmp_path: Path, statement: str, doubled: tuple[int, int]) -> None:
    """The sum comes through port rx wherever it stands, with its doubling."""
    banks = MACHINE.isa.banks
    found = [word for word in emit(tmp_path, statement).words
             if "rx" in word and bank(word, "rx") == banks["sum"]]
    assert len(found) == 1
    assert bank(found[0], "ry") == banks["mul"]
    assert (found[0]["x2"], found[0]["y2"]) == doubled


def test_difference_of_a_sum_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="s: port ry does not reach bank sum"):
        emit(tmp_path, "t - s")


def test_no_word_reads_a_sum_through_ry() -> None:
    rom = build("edverify", "halfsize", "throughput")[3]
    used = {bank(word, "ry") for word in rom.words if "ry" in word}
    assert used == {MACHINE.isa.banks["mul"], MACHINE.isa.banks["ext"]}
