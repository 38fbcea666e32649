# SPDX-License-Identifier: Apache-2.0
"""Machine-readable schedules."""

from __future__ import annotations

from pointmill.ucode import limb_gantt
from pointmill.ucode.dual import DualSchedule, bound, retime, waits
from pointmill.ucode.dual_gantt import text
from pointmill.ucode.emitter import Rom
from pointmill.ucode.ir import Program
from pointmill.ucode.limb import LimbSchedule
from pointmill.ucode.machine import Machine
from pointmill.ucode.scheduler import Schedule, latency


def block_record(machine: Machine, schedule: Schedule) -> dict:
    """A block: length, proven bound, utilisation of the multiplier, operations with their cycles."""
    ops = []
    for op in sorted(schedule.block.ops, key=lambda o: schedule.start[o]):
        ops.append(
            {
                "cycle": schedule.start[op],
                "unit": op.unit,
                **{flag: True for flag in ("signed", "scaled") if getattr(op, flag)},
                **({"side_unit": op.side_unit} if op.side_unit and not op.args else {}),
                "args": [arg.name for arg in op.args],
                "out": {part: value.name for part, value in op.out.items()},
                "ready": {
                    part: schedule.start[op] + latency(machine, value)
                    for part, value in op.out.items()
                },
            }
        )
    products = sum(op.unit == "mul" for op in schedule.block.ops)
    return {
        "length": schedule.length,
        "bound": schedule.bound,
        "products": products,
        "utilisation": round(products / schedule.length, 3),
        "ops": ops,
    }


def dual_record(machine: Machine, schedule: DualSchedule) -> dict:
    """A block of the dual datapath: cycles, proven bound and utilisation of the multipliers for each length of
    a product, words with the multipliers they wait for and what they start, by unit."""
    products = sum(op.unit == "mul" for op in schedule.block.ops)
    lengths = {}
    for length in machine.lengths:
        cycles = retime(schedule, length)[1]
        lengths[str(length)] = {
            "cycles": cycles,
            "bound": bound(schedule, length),
            "utilisation": round(products * length / machine.multipliers / cycles, 3),
        }
    words = []
    for word, waited in zip(schedule.words(), waits(schedule), strict=True):
        ops = {op.unit + f"{schedule.place[op]}" * (op.unit != "start"): text(op) for op in word}
        words.append({"waits": "".join(map(str, sorted(waited))), **dict(sorted(ops.items()))})
    return {"products": products, "lengths": lengths, "words": words}


def limb_record(machine: Machine, schedule: LimbSchedule) -> dict:
    """A block of the limb datapath: length, proven bound, utilisation of the units, what starts when and where."""
    starts: dict[int, dict[str, str]] = {}
    for op in sorted(schedule.block.ops, key=lambda o: (schedule.start[o], o.unit == "start", schedule.place[o])):
        lane = "start" if op.unit == "start" else f"unit{schedule.place[op]}"
        starts.setdefault(schedule.start[op], {})[lane] = limb_gantt.text(op)
    return {
        "length": schedule.length,
        "bound": schedule.bound,
        "utilisation": round(limb_gantt.utilisation(machine, schedule), 3),
        "starts": {str(cycle): lanes for cycle, lanes in starts.items()},
    }


def _record(machine: Machine, schedule: Schedule) -> dict:
    if isinstance(schedule, DualSchedule):
        return dual_record(machine, schedule)
    if isinstance(schedule, LimbSchedule):
        return limb_record(machine, schedule)
    return block_record(machine, schedule)


def schedule_record(
    machine: Machine, program: Program, schedules: dict[str, Schedule], rom: Rom, origin: int = 0
) -> dict:
    """The whole program, blocks in ROM order with their addresses; it stands at `origin`."""
    return {
        "program": program.name,
        "machine": machine.core,
        "config": machine.config,
        "words": len(rom.words),
        "blocks": {
            block.name: {
                "address": origin + rom.labels[block.name],
                **_record(machine, schedules[block.name]),
            }
            for block in program.blocks
        },
    }
