# SPDX-License-Identifier: Apache-2.0
"""Read ports of the dual datapath where factors share those of the sums (`shared_ports` of a machine)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pointmill.ucode.ir import Block, Op, Value

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

SUM_PORTS = ("s0_x", "s0_y", "s1_x", "s1_y")
"""Read ports of the sums."""


def takes_sum(op: Op) -> bool:
    """Whether an operation takes operands of a sum: a sum, or the start of a side unit with an operand."""
    return op.unit == "sum" or (op.unit == "start" and bool(op.args))


def ports_of(word: list[Op]) -> int:
    """Read ports that a word takes where factors share those of sums: one for each operand of a sum that is not made in
    the word, and one for each other factor. The port of one that is reads a register for a factor, but no external
    value."""
    operands = [arg for op in word if takes_sum(op) for arg in op.args]
    inner = [arg for arg in operands if arg.producer in word]
    others = {arg for op in word if op.unit == "mul" for arg in op.args}.difference(operands)
    outer = sum(bool(arg.external) for arg in others)
    return len(operands) + max(len(others) - len(inner), outer)


def limit_ports(model: CpModel, block: Block, start: dict[Op, IntVar], limit: int) -> None:
    """What `ports_of` says of every word is within the limit."""

    def together(a: Op, b: Op) -> IntVar:
        same = model.new_bool_var("")
        model.add(start[a] == start[b]).only_enforce_if(same)
        return same

    def taken(most: int, spared: list[IntVar]) -> IntVar:
        ports = model.new_int_var(0, most, "")
        model.add(ports == most - sum(spared))
        return ports

    all_ports, plain_ports = [], []
    sums = [op for op in block.ops if takes_sum(op)]
    for op in sums:
        inner = [together(op, arg.producer) for arg in op.args if arg.producer and arg.producer.unit == "sum"]
        all_ports.append(taken(len(op.args), inner))
        plain_ports.append(taken(len(op.args), []))
    products = [op for op in block.ops if op.unit == "mul"]
    for number, op in enumerate(products):
        shared: dict[Value, IntVar] = {}
        for arg in dict.fromkeys(op.args):
            shared[arg] = model.new_bool_var("")
            others = [other for other in [*sums, *products[:number]] if arg in other.args]
            model.add_bool_or([together(op, other) for other in others]).only_enforce_if(shared[arg])
        outer = [there for arg, there in shared.items() if arg.external]
        all_ports.append(taken(len(shared), list(shared.values())))
        plain_ports.append(taken(len(outer), outer))
    words = [model.new_fixed_size_interval_var(start[op], 1, "") for op in [*sums, *products]]
    model.add_cumulative(words, all_ports, limit)
    model.add_cumulative(words, plain_ports, limit)
