# SPDX-License-Identifier: Apache-2.0
"""The replay of schedules is independent of the schedulers: it rejects what their planted wrong rules make."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path
from typing import Any

import pytest

from pointmill.simbuild import ROOT
from pointmill.ucode import datapath, dual, images, limb, replay, scheduler, skew, solver
from pointmill.ucode.assembler import Assembler
from pointmill.ucode.build import build
from pointmill.ucode.machine import Machine
from pointmill.ucode.replay import ButterflyReplay, DualReplay, LimbReplay, Replay, ScheduleError, SkewReplay

# The old X is read late, and a long chain begins with what overwrites it; a sum takes products.
CHAIN = """
block b
  a = Y * Y
  b = a * a
  c = b * X
  X = Y * Z
  d = X * X
  e = d * d
  s = e + d
  Y = s * c
end
"""
BUTTERFLY = "global mul X Y Z" + CHAIN + "block r\n  start result_u Z\ndispatch\n"
DUAL = "global reg X Y Z" + CHAIN
LIMB = """
table reg X 2
table reg Z 2
block b
  t = X[0] * Z[0]
  X[0] = X[0] + @zero
  Z[1] = t * Z[0]
end
"""
SKEW = """
table reg T 2
global reg X Y Z
block b
  r = Y + Y
  s = r + r
  t = s * Y
  u = t * t
  v = u * u
  Y = v * X
  X = t + t
  w = X * X
  x = w * w
  y = x * x
  Z = y * y
end
block c
  r = X * X
  s = r * r
  u = s * T[a]
  T[0] = X * X
  p = T[0] * T[0]
  q = p * p
  v = q * q
  X = v * u
end
block d leaves Z
  p = X + @k
  Z = p * X
  X = @k + @k
end
block e leaves Z
  p = X + @k
  q = Y + @k
  Z = p * q
end
"""


def replayed(kind: str, machine: Machine, schedule: Any) -> Replay:
    """A replay of a schedule, of a dual datapath with its shortest product."""
    if kind == "dual":
        length = machine.latency["mul"]
        return DualReplay(machine, dual.retimed(schedule, length), length)
    return {"butterfly": ButterflyReplay, "limb": LimbReplay, "skew": SkewReplay}[kind](machine, schedule)


def test_imports() -> None:
    """The replay knows the machine description and the program alone."""
    tree = ast.parse(Path(replay.__file__).read_text())
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in names if name.startswith("pointmill")} == {"pointmill.ucode.ir", "pointmill.ucode.machine"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


def nothing(*_: Any) -> Any:
    return []


PLANTED: dict[str, tuple[str, Any, str, Any]] = {
    "butterfly latency": ("butterfly", scheduler, "latency", lambda machine, value: 1),
    "butterfly distance": ("butterfly", scheduler, "distance", lambda machine, reader, value: 0),
    "butterfly in_time": ("butterfly", scheduler, "in_time", lambda *_: True),
    "butterfly resources": ("butterfly", scheduler, "_resources", lambda op: set()),
    "butterfly room": ("butterfly", scheduler, "_room", lambda *_: 0),
    "butterfly old readers": ("butterfly", scheduler, "old_readers", nothing),
    "dual old readers": ("dual", dual, "old_readers", nothing),
    "skew sums": ("skew", skew, "SUM_LAST", (-1, -1)),
    "skew second sums": ("skew", skew, "SUM_LAST", (2, 2)),
    "skew registers": ("skew", skew, "SUM_FIRST", (6, 6)),
    "skew products": ("skew", skew, "LAST", 4),
    "skew old readers": ("skew", skew, "_old", nothing),
    "skew tables": ("skew", skew, "_old", lambda block, home: block.old_readers.get(home, [])),
    "limb cycles": ("limb", limb, "cycles", lambda machine, op: 1),
}
TEXTS = {"butterfly": ("edverify", "latency", BUTTERFLY), "dual": ("multicurve", "paper", DUAL),
         "limb": ("x25519", "paper", LIMB), "skew": ("multicurve", "contexts", SKEW)}


@pytest.mark.parametrize("name", PLANTED)
def test_wrong_rules_of_a_scheduler(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the right rules a toy is scheduled; with a wrong one some schedule that is made for it is rejected."""
    kind, module, rule, wrong = PLANTED[name]
    core, config, text = TEXTS[kind]
    machine = Machine(core, config)
    (tmp_path / "toy.pmu").write_text(text)
    placer = datapath.of(machine).scheduler
    monkeypatch.setattr(solver, "CACHE", tmp_path)
    program = Assembler(machine).assemble(tmp_path / "toy.pmu")
    right = placer(machine, program).run()
    monkeypatch.setattr(module, rule, wrong)
    with pytest.raises(ScheduleError):
        placer(machine, program).run()
        if kind == "butterfly":  # the list scheduler makes others
            for block in program.blocks:
                replayed(kind, machine, placer(machine, program)._list(block, {})).run()
    for schedule in right.values():
        replayed(kind, machine, schedule).run()


def test_every_operation_counts() -> None:
    """In every block of every ROM: an operation left out, or started with what makes an operand that is not
    forwarded."""
    removed = moved = 0
    for core, config, program in images.programs():
        machine, _, schedules, _ = build(core, program, config)
        kind = machine.isa.datapath
        for schedule in schedules.values():
            whole = replayed(kind, machine, schedule)
            whole.run()
            right, product = whole.schedule, [whole.product] if kind == "dual" else []
            for op in schedule.block.ops:
                without = dataclasses.replace(right,
                                              start={one: at for one, at in right.start.items() if one is not op})
                with pytest.raises(ScheduleError, match="is not scheduled"):
                    type(whole)(machine, without, *product).run()
                removed += 1
                source = next((arg.producer
                               for arg in op.args if arg.producer and arg.producer.unit in ("mul", "small")), None)
                if source is not None and machine.latency["mul"] > 1:
                    early = dataclasses.replace(right, start=right.start | {op: right.start[source]})
                    with pytest.raises(ScheduleError):
                        type(whole)(machine, early, *product).run()
                    moved += 1
    assert (removed, moved) == (7411, 2433)


def test_docs_name_the_tests() -> None:
    """docs/testing.md says how many kinds are planted."""
    assert f"wrong rules planted in them, {len(PLANTED)} kinds" in (ROOT / "docs" / "testing.md").read_text()
