# SPDX-License-Identifier: Apache-2.0
"""Datapath of one multiplier and a butterfly modulo 2^255 - 19 (`datapath: butterfly`): a cycle starts a product, and a
sum and a difference of the same operands, which may be its factors. Values are not fully reduced: every one has a
proven upper bound."""

from __future__ import annotations

from itertools import zip_longest

from pointmill.ucode.assembler import BlockAssembler, Scope
from pointmill.ucode.datapath import Datapath
from pointmill.ucode.emitter import PRODUCT, SUM, Cells, Fields
from pointmill.ucode.ir import Op, Value
from pointmill.ucode.machine import Machine, P
from pointmill.ucode.scheduler import Schedule, Scheduler
from pointmill.ucode.simulator import Engine, ExecutionError, Result, Run
from pointmill.ucode.syntax import Expression


class Statements(BlockAssembler):
    """Products, canonical ones too, butterflies, signed factors and scaled differences, with the ranges of all
    values."""

    def rides(self, unit: str) -> bool:
        """As the base class: any, whose operand is the first factor."""
        return True

    def bound(self, bank: str) -> int:
        """What a global of a bank may hold."""
        product = self.machine.product_bound
        if bank == "mul":
            return product
        return 2 * product if bank == "sum" else 2 * product + self.machine.subtract_offset

    def _expression(self, expression: Expression, canonical: bool, scope: Scope, name: str) -> Value:
        operands = [self._read(operand, scope) for operand in expression.operands]
        x, y = operands[-2:]
        if expression.op == "signed":
            self._bounds(x, y, (False, False), name)
        if expression.op in ("signed", "*"):
            if any(expression.double):
                raise self.asm.error("a product takes no factor 2")
            return self._product(tuple(operands), canonical, expression.op == "signed", name)
        if expression.op == "scaled" and self.machine.scale is None:
            raise self.asm.error("this machine does not scale")
        if canonical:
            raise self.asm.error("only a product can be canonical")
        return self._butterfly(x, y, expression.double, expression.op, name)

    def _product(self, factors: tuple[Value, ...], canonical: bool, signed: bool, name: str) -> Value:
        for factor in factors:
            if factor.bound >= self.machine.factor_bound:
                raise self.asm.error(f"{factor.name} is too wide for the multiplier")
        op = self._emit(Op("mul", factors, canon=canonical, signed=signed))
        op.out["mul"] = Value(name, "mul", self.machine.product_bound - 1, producer=op)
        return op.out["mul"]

    def _bounds(self, x: Value, y: Value, double: tuple[bool, bool], name: str,
                parts: tuple[str, ...] = ("sum", "diff")) -> dict[str, int]:
        """Bounds of the sum and of the difference; an error where they break the machine's."""
        x_bound, y_bound = x.bound << double[0], y.bound << double[1]
        bounds = {"sum": x_bound + y_bound, "diff": x_bound + self.machine.subtract_offset}
        if "diff" in parts and y_bound > self.machine.subtract_offset:
            raise self.asm.error(f"{y.name} is too large to be subtracted")
        if any(bounds[part] >= self.machine.factor_bound for part in parts):
            raise self.asm.error(f"{name} does not fit {self.machine.factor_bound:#x}")
        return bounds

    def _butterfly(self, x: Value, y: Value, double: tuple[bool, bool], sign: str, name: str) -> Value:
        scaled = sign == "scaled"
        part = "diff" if sign == "-" else "sum"
        bound = self._bounds(x, y, double, name, ("diff" if scaled else part,))[part]
        if scaled:
            bound = self.machine.scaled_bound - 1
        key = (id(x), id(y), double)
        op = self.together.get(key)
        if op is None or part in op.out:
            op = self.together[key] = self._emit(Op("bf", (x, y), double=double))
        op.scaled |= scaled
        op.out[part] = Value(name, part, bound, producer=op)
        return op.out[part]


class ButterflyCells(Cells):
    """Fields of the product, the butterfly and their ports."""

    def fields(self, op: Op, schedule: Schedule) -> Fields:
        """As the base class."""
        if op.unit == "start":
            return self._factor(op, 0, schedule) if op.args else {}
        if op.unit == "mul":
            fields: Fields = {"mul_en": 1, "mul_canon": int(op.canon), "mul_rd": op.out["mul"].allocated.register,
                              **self._factor(op, 0, schedule)}  # fmt: skip
            signed: Fields = {"mul_b": 3, "rx": op.args[1], "ry": op.args[-1]}
            return fields | (signed if op.signed else self._factor(op, 1, schedule))
        operands = list(zip(op.args, op.double, strict=True))
        # A sum alone may take its operands from either port.
        if "diff" not in op.out and not op.scaled and not self.machine.reaches("ry", self.source(op.args[1])):
            operands.reverse()
        (x, x2), (y, y2) = operands
        fields = {"rx": x, "x2": int(x2), "ry": y, "y2": int(y2)}
        if op.scaled:
            fields["scaled"] = 1
        for part, value in op.out.items():
            if value.home:
                fields |= {f"{part}_we": 1, f"{part}_rd": value.home.register}
        return fields

    def _factor(self, op: Op, side: int, schedule: Schedule) -> Fields:
        value, which = op.args[side], "ab"[side]
        if value.producer and value.producer.unit == "bf" and schedule.start[value.producer] == schedule.start[op]:
            return {f"mul_{which}": {"sum": 1, "diff": 2}[value.bank]}
        return {f"r{which}": value}

    def wiping(self, words: list[dict[str, int]]) -> list[dict[str, int]]:
        """As the base class: 0 goes to banks `mul` and `sum`, a multiple of p to `diff`, a register of each a word. The
        first product is canonical, so that the flags are those of 0."""
        zero = self.machine.isa.port("ext")
        word = {"ext": self.machine.externals["zero"], "ra": zero, "rb": zero, "rx": zero, "ry": zero}
        writes = (("mul_en", "mul_rd"), ("sum_we", "sum_rd"), ("diff_we", "diff_rd"))
        written = [sorted({each[number] for each in words if each.get(enable)}) for enable, number in writes]
        found = [word | {field: value for pair, register in zip(writes, registers) if register is not None
                         for field, value in zip(pair, (1, register))} for registers in zip_longest(*written)]
        if not found:
            raise ValueError("wipe: no block before it writes a register")
        found[0]["mul_canon"] = 1
        return found

    def lane(self, op: Op, schedule: Schedule, product: int | None) -> tuple[str, int, int]:
        """As the base class."""
        return ("multiplier", 1, PRODUCT) if op.unit == "mul" else ("butterfly", 1, SUM)

    def text(self, op: Op) -> str:
        """As the base class; a sum and a difference one behind the other."""
        names = [("2 " if double else "") + arg.name for arg, double in zip(op.args, (*op.double, False))]
        if op.unit == "mul":
            factor = f"({names[1]} +- {names[2]})" if op.signed else names[1]
            rider = f" start {op.side_unit}" if op.side_unit else ""
            return f"{op.out['mul'].name} {'=!' if op.canon else '='} {names[0]} * {factor}{rider}"
        form = {"sum": "{} + {}", "diff": "{} - {}"} | ({"sum": "scale ({} - {})"} if op.scaled else {})
        return "; ".join(f"{value.name} = {form[part].format(*names)}" for part, value in op.out.items())


class ButterflyEngine(Engine):
    """It rejects two writes of a bank in a cycle, a factor beyond the multiplier's width and a subtrahend beyond the
    offset."""

    p = P

    @classmethod
    def of_field(cls, machine: Machine, p: int, length: int | None) -> ButterflyEngine:
        """As the base class."""
        if p != P:
            raise ValueError(f"the modulus of this machine is {P:x}")
        return cls(machine)

    def element(self, held: int) -> int:
        """As the base class."""
        return held % P

    def _write(self, bank: str, register: int, value: int, canonical: bool = False) -> None:
        latency = self.machine.latency
        when = self.cycle + latency.get(bank, latency["store"])
        if any((result.ready, result.bank) == (when, bank) for result in self.pending):
            raise ExecutionError(f"two writes of bank {bank} for cycle {when}")
        self.pending.append(Result(when, bank, register, value, canonical))

    def execute(self, word: dict[str, int], run: Run) -> int:
        """As the base class."""
        machine = self.machine
        x, y = self.read(word, "rx") << word["x2"], self.read(word, "ry") << word["y2"]
        total, difference = x + y, x - y + machine.subtract_offset
        if word["sum_we"]:
            self._write("sum", word["sum_rd"], machine.scale * difference % P if word["scaled"] else total)
        if word["diff_we"]:
            self._write("diff", word["diff_rd"], difference)
        uses_difference = (word["diff_we"] or word["mul_a"] == 2 or word["mul_b"] >= 2
                           or (word["sum_we"] and word["scaled"]))  # fmt: skip
        if uses_difference and y > machine.subtract_offset:
            raise ExecutionError(f"subtrahend too large in cycle {self.cycle}")
        run.butterflies += bool(uses_difference or word["sum_we"])
        a = (self.read(word, "ra"), total, difference)[word["mul_a"]]
        if word["mul_en"]:
            signed = difference if word["mul_b"] == 3 and self.env.negative() else total
            b = (self.read(word, "rb"), total, difference, signed)[word["mul_b"]]
            if not (0 <= a < machine.factor_bound and 0 <= b < machine.factor_bound):
                raise ExecutionError(f"factor too wide in cycle {self.cycle}")
            run.products += 1
            self._write("mul", word["mul_rd"], a * b % P, bool(word["mul_canon"]))
        return a

    def level(self, name: str) -> bool:
        """As the base class; the parity of the latest canonical product too."""
        if name.startswith("odd_ne_sign"):
            return self.flags[0][1] != (self.env.sign_a if name.endswith("a") else self.env.sign_r)
        return super().level(name)


DATAPATH = Datapath(Statements, Scheduler, ButterflyCells, ButterflyEngine)
