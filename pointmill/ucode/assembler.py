# SPDX-License-Identifier: Apache-2.0
"""Assembler: programs (hw/<core>/ucode/*.pmu) to the intermediate form. The language: microcode.lark,
docs/microcode.md.

What the grammar allows is checked here against the machine: names, room for registers, ranges.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pointmill.ucode import datapath, syntax
from pointmill.ucode.ir import Block, Control, Home, Label, Op, Program, Value
from pointmill.ucode.machine import Machine
from pointmill.ucode.syntax import AssemblyError, Assignment, Call, Declaration, Expression, Formula, Place, Statement

__all__ = ["Assembler", "AssemblyError", "BlockAssembler", "Scope", "assemble"]

PLAIN = "this machine has products, sums and differences of two values alone"
Scope = dict[str, Value | int]
"""What the names of a formula or block stand for."""

_TABLE = re.compile(r"^(\w+)\[(\w+|a\^\d+)\]$")


class Assembler:
    """Assembles one program for one machine."""

    def __init__(self, machine: Machine):
        self.machine = machine
        self.statements = datapath.of(machine).statements
        self.formulas: dict[str, Formula] = {}
        self.program = Program("", [], {}, {}, {})
        self.next_register = dict.fromkeys(machine.isa.stored, 0)
        self.place = Place("", 0, 0)
        self.including: list[Path] = []
        self.declared: set[tuple[str, str]] = set()
        self.targets: list[tuple[Place, str]] = []
        self.loops: list[Place] = []  # those without their endloop so far

    def error(self, message: str) -> AssemblyError:
        """An error at the present statement."""
        return self.place.error(message)

    def assemble(self, path: Path) -> Program:
        """Assemble the program text at `path`. Raises AssemblyError."""
        self.program.name = path.stem
        self._file(path)
        labels = {item.name for item in self.program.items if isinstance(item, Label)}
        for place, label in self.targets:
            if label not in labels:
                raise place.error(f"no label {label}")
        if self.loops:
            raise self.loops[0].error("a loop is one block, and endloop behind it")
        return self.program

    def _file(self, path: Path) -> None:
        whole = path.resolve()  # the same file by another path too
        if whole in self.including:
            raise self.error(f"{path.name} includes itself")
        self.including.append(whole)
        for item in syntax.parse(path):
            self.place = item.place
            if isinstance(item, Formula):
                self._formula(item)
            elif isinstance(item, syntax.BlockText):
                self._block(item)
            elif isinstance(item, syntax.Control):
                self.program.items.append(self._control(item))
            else:
                self._declare(item, path)
        self.including.pop()

    def _formula(self, formula: Formula) -> None:
        place = self.formulas.get(formula.name, formula).place
        if place.file == formula.place.file and place != formula.place:  # a file may be included twice
            raise self.error(f"formula {formula.name} is there twice")
        self.formulas[formula.name] = formula
        if len(set(formula.inputs)) < len(formula.inputs):
            raise self.error(f"{formula.name} has two inputs of one name")

    def _declare(self, item: Declaration, path: Path) -> None:
        if item.kind == "include":
            included = path.parent / item.name
            if not included.is_file():
                raise self.error(f"no file {item.name}")
            self._file(included)
        elif item.kind == "global":
            for aliases in item.members:
                home = self._allocate(item.name, 1)
                for alias in aliases:
                    self._once("global", alias)
                    self.program.globals[alias] = home
        elif item.kind == "table":
            size = item.size
            if size < 1 or size & (size - 1):
                raise self.error("the size of a table is a power of two")
            name = item.members[0][0]
            self._once("table", name)
            self.program.tables[name] = (self._allocate(item.name, size), size)
        elif item.kind == "interface":
            if item.name in self.program.interfaces:
                raise self.error(f"interface {item.name} is there twice")
            for member in item.members[0]:
                self._global(member)
            self.program.interfaces[item.name] = list(item.members[0])
        elif item.kind == "label":
            self._label(item.name)
        elif item.kind == "overlay":
            self.next_register = dict.fromkeys(self.machine.isa.stored, 0)
            self.declared.clear()
        else:
            self._end_loop()

    def _once(self, kind: str, name: str) -> None:
        """Rejects a name that would mean another register from here on; behind an overlay it may."""
        if (kind, name) in self.declared:
            raise self.error(f"{kind} {name} is there twice")
        self.declared.add((kind, name))

    def _allocate(self, bank: str, size: int) -> Home:
        if bank not in self.next_register:
            raise self.error(f"no bank {bank}")
        first = -(-self.next_register[bank] // size) * size  # the index is XOR-ed into it
        self.next_register[bank] = first + size
        if first + size > self.machine.registers[bank]:
            raise self.error(f"bank {bank} is full")
        return Home(bank, first)

    def _global(self, name: str) -> Home:
        if name not in self.program.globals:
            raise self.error(f"no global {name}")
        return self.program.globals[name]

    def _label(self, name: str) -> None:
        """Places a label; a block may have the name of the label right before it."""
        if any(isinstance(item, Label) and item.name == name for item in self.program.items[:-1]):
            raise self.error(f"label {name} is there twice")
        self.program.items.append(Label(name))

    # ---- control -------------------------------------------------------------------------------

    def _control(self, text: syntax.Control) -> Control:
        self.place = text.place
        names = {"goto": "branch", "accept": "finish", "refuse": "finish", "loop": "loop_set"}
        control = Control(names.get(text.op, text.op), text.argument, line=text.place.line)
        if control.op not in (*self.machine.isa.control, "wipe"):
            raise self.error(f"this machine has no {text.op}")
        if text.condition is not None:
            control.condition, control.inverted = text.condition.name, text.condition.inverted
            if control.condition not in self.machine.conditions:
                raise self.error(f"no condition {control.condition}")
        if control.op == "finish":
            reason = text.argument or "ok"
            if reason not in self.machine.reasons:
                raise self.error(f"no reason {reason}")
            control.target = self.machine.reasons[reason]
        elif control.op == "branch":
            self.targets.append((text.place, str(text.argument)))
        elif control.op == "loop_set":
            most = (1 << self.machine.isa.fields["ctl_arg"].width) - 1
            if not 1 <= int(text.argument or 0) <= most:
                raise self.error(f"a loop runs at least once, and at most {most} times")
            self.loops.append(text.place)
        elif control.op == "start":
            if self.unit(str(text.argument)).get("operand"):
                raise self.error(f"{text.argument} wants an operand: start it in a block")
            control.target = self.machine.unit(str(text.argument))[1]
        return control

    def _end_loop(self) -> None:
        parts = [item for item in self.program.items if not isinstance(item, Label)]
        begin, block = [None, None, *parts][-2:]
        begin = begin.closing if isinstance(begin, Block) else begin
        looped = isinstance(begin, Control) and begin.op == "loop_set"
        if not isinstance(block, Block) or block.closing or not looped:
            raise self.error("endloop follows the one block of the loop, and that loop N")
        self.loops.pop()
        block.closing = Control("loop_end", block.name)

    def unit(self, name: str) -> dict:
        """The description of a side unit; AssemblyError if there is none."""
        try:
            return self.machine.unit(name)[0]
        except (KeyError, ValueError):
            raise self.error(f"no side unit {name}") from None

    # ---- blocks --------------------------------------------------------------------------------

    def _block(self, text: syntax.BlockText) -> None:
        block, names, numbers = Block(text.name, []), text.names, text.numbers
        block.entry = names.get("on") or names.get("from")
        block.exit = names.get("on")
        block.weight = numbers.get("weight", 1)
        block.pause = numbers.get("pause", 1)
        block.length = numbers.get("length")
        if block.length is not None and not self.machine.lengths:
            raise self.error("products of this machine have one length")
        if block.length == 0:
            raise self.error("a product takes at least one cycle")
        if block.entry and block.entry not in self.program.interfaces:
            raise self.error(f"no interface {block.entry}")
        statements = self.statements(self, block)
        if "leaves" in names:
            block.leaves.append(statements.left(names["leaves"]))
        statements.run(text.body)
        if text.closing is not None:
            block.closing = self._control(text.closing)
        self.place = text.place
        self._label(block.name)
        self.program.items.append(block)


class BlockAssembler:
    """Statements of one block to operations in single-assignment form. Sub-classes say what the products, sums and
    differences of their datapath are, and where it has them other expressions and the ranges of values."""

    flags = "mul"
    """What writes flags, as the machine's latencies call it."""
    riders_write = True
    """Whether a product that starts a side unit is written to a register too."""

    def operation(self, sign: str, args: tuple[Value, ...], canonical: bool) -> Op:
        """The operation `*`, `+` or `-`. AssemblyError where the datapath has none."""
        raise NotImplementedError

    def rides(self, unit: str) -> bool:
        """Whether a product can start this side unit, which wants an operand."""
        return False

    def bound(self, bank: str) -> int:
        """What a global of a bank may hold; assignments are checked against it."""
        return 0

    def __init__(self, assembler: Assembler, block: Block):
        self.asm = assembler
        self.block = block
        self.machine = assembler.machine
        self.sources: dict[Home | str, Value] = {}
        self.together: dict[tuple, Op] = {}
        self.written = block.written
        self.inlining: list[Formula] = []

    def left(self, name: str) -> Home:
        """The register of a global, or of a table, that may still be under way at the end."""
        home = self._home(name)
        if home is None or home.indexed:
            raise self.asm.error(f"{name} is no register that a block can leave")
        return home

    def run(self, body: Sequence[Statement]) -> None:
        """Assemble the statements, then drop what nobody reads."""
        self._statements(body, {})
        live = [op for op in self.block.ops if op.side_unit or op.canon]
        live += [value.producer for value in self.written.values() if value.producer]
        reached: set[int] = set()
        while live:
            op = live.pop()
            if id(op) not in reached:
                reached.add(id(op))
                live += [arg.producer for arg in op.args if arg.producer]
        self.block.ops = [op for op in self.block.ops if id(op) in reached]
        for op in self.block.ops:
            op.out = {
                part: value
                for part, value in op.out.items()
                if value.home or op.canon or (op.side_unit and self.riders_write)
                or any(id(r) in reached for r in value.readers)
            }
            for arg in op.args:
                if arg.is_source and arg.home and any(place in self.written for place in arg.home.covers()):
                    self.block.old_readers.setdefault(arg.home, []).append(op)
        for op in self.block.ops:
            for value in op.out.values():
                value.readers = [r for r in value.readers if id(r) in reached]
        self._order()

    def _order(self) -> None:
        """Order what depends on digits and flags around the side units that change or see them."""
        step: Op | None = None
        users: list[Op] = []  # of the present digit
        product: Op | None = None  # the latest canonical one
        seen: Op | None = None  # the latest start that looks at flags
        placed: Op | None = None  # the latest start of a unit whose starts keep their order
        for op in self.block.ops:
            unit = self.machine.unit(op.side_unit)[0] if op.side_unit else {}
            if unit.get("steps") or self._by_digit(op):
                op.after += [(step, 1)] if step else []
                users.append(op)
            if unit.get("steps"):
                op.after += [(user, 0) for user in users if user is not op]
                step, users = op, []
            if unit.get("ordered"):
                op.after += [(placed, 1)] if placed else []
                placed = op
            if unit.get("flags"):
                op.after += [(product, self.machine.latency[self.flags])] if product else []
                seen = op
            if op.canon:
                op.after += [(seen, 0)] if seen else []
                product = op

    def _by_digit(self, op: Op) -> bool:
        """Whether an operation depends on the present digit."""
        inputs = self.machine.digit_inputs
        written = [value.home.register for value in op.out.values() if value.home]
        return (
            op.signed
            or any(register < self.machine.held for register in written)
            or any(
                arg.external in inputs or (arg.is_source and arg.home and arg.home.indexed)
                for arg in op.args
            )
        )

    def _statements(self, body: Sequence[Statement], scope: Scope) -> None:
        for statement in body:
            self.asm.place = statement.place
            if isinstance(statement, Assignment):
                self._assignment(statement, scope)
                continue
            unit = self._member(statement.unit, scope)
            wanted = int(self.asm.unit(unit).get("operand", False))
            if len(statement.operands) != wanted:
                raise self.asm.error(f"{unit} wants {wanted} operands in a block")
            read = tuple(self._read(operand, scope) for operand in statement.operands)
            self._emit(Op("start", read, side_unit=unit))
            if self.machine.unit(unit)[0].get("steps"):
                self.together.clear()  # the same text now means other values

    def _assignment(self, statement: Assignment, scope: Scope) -> None:
        results, value = statement.results, statement.value
        if isinstance(value, Call):
            if statement.canonical or statement.rider:
                raise self.asm.error("a formula is neither canonical nor does it start a unit")
            values = self._inline(value, scope)
        else:
            values = [self._expression(value, statement.canonical, scope, results[0])]
            if statement.rider:
                self._ride(self._member(statement.rider, scope), values[0])
        if len(results) > len(values):
            raise self.asm.error(f"{len(values)} results for {len(results)} names")
        for result, made in zip(results, values):
            self._assign(result, made, scope)

    def _member(self, unit: str, scope: Scope) -> str:
        """The unit, with a formula's argument in brackets replaced by its number."""
        plain, _, member = unit.rstrip("]").partition("[")
        return f"{plain}[{scope[member]}]" if member in scope else unit

    def _ride(self, name: str, value: Value) -> None:
        """Start a side unit with the product that makes `value`."""
        unit, op = self.asm.unit(name), value.producer
        if op is None or op.unit != "mul" or op.signed or not unit.get("operand") or not self.rides(name):
            raise self.asm.error(f"{name} cannot be started with this operation")
        op.side_unit = name

    def _inline(self, call: Call, scope: Scope) -> list[Value]:
        formula = self.asm.formulas.get(call.formula)
        if formula is None:
            raise self.asm.error(f"no formula {call.formula}")
        if len(formula.inputs) != len(call.arguments):
            raise self.asm.error(f"{formula.name} takes {len(formula.inputs)} values")
        inner: Scope = {
            formal: int(actual) if actual.isdigit() else self._read(actual, scope)
            for formal, actual in zip(formula.inputs, call.arguments)
        }
        if formula in self.inlining:
            raise self.asm.error(f"{formula.name} calls itself")
        place = self.asm.place
        self.inlining.append(formula)
        self._statements(formula.body, inner)
        self.inlining.pop()
        self.asm.place = place
        return [self._value(inner, result, formula) for result in formula.results]

    def _value(self, scope: Scope, name: str, formula: Formula) -> Value:
        found = scope.get(name)
        if not isinstance(found, Value):
            raise self.asm.error(f"{formula.name} makes no {name}")
        return found

    def _home(self, name: str) -> Home | None:
        table = _TABLE.match(name)
        if table and table[1] in self.asm.program.tables:
            home, size = self.asm.program.tables[table[1]]
            by_index, _, number = table[2].rpartition("^")
            if number == "a":
                by_index, number = "a", "0"
            if by_index not in ("", "a") or not number.isdigit():
                raise self.asm.error(f"{name}: the index of a table is a number, a or a^number")
            if int(number) >= size:
                raise self.asm.error(f"{name} is beyond the table")
            register = home.register + int(number)
            return Home(home.bank, register, bool(by_index), size if by_index else 1)
        return self.asm.program.globals.get(name)

    def _read(self, name: str, scope: Scope) -> Value:
        known = scope.get(name)
        if isinstance(known, int):
            raise self.asm.error(f"{name} is a number here, not a value")
        if known:
            return known
        if name.startswith("@"):
            external = name[1:]
            if external not in self.machine.externals:
                raise self.asm.error(f"no external value {external}")
            bound = self.machine.external_bound(external)
            return self.sources.setdefault(name, Value(name, "ext", bound, external=external))
        home = self._home(name)
        if home is None:
            raise self.asm.error(f"{name} has no value")
        if home in self.written:
            return self.written[home]
        if any(place in self.written for place in home.covers()):
            raise self.asm.error(f"{name} may have been written in this block")
        return self.sources.setdefault(home, Value(name, home.bank, self.bound(home.bank), home))

    def _assign(self, name: str, value: Value, scope: Scope) -> None:
        home = self._home(name) if name not in scope else None
        if home is None:
            if not name.isidentifier():
                raise self.asm.error(f"{name} cannot be written")
            scope[name] = value
            return
        if home.indexed:
            raise self.asm.error(f"{name} cannot be written by index")
        if home in self.written:
            raise self.asm.error(f"{name} is written twice in a block")
        if value.producer is None or value.home:
            raise self.asm.error(f"{name} wants a result of its own")
        if value.bank != home.bank or value.bound > self.bound(home.bank):
            raise self.asm.error(f"{name} cannot hold a result of {value.bank} this large")
        value.home, value.name = home, name
        self.written[home] = value

    def _emit(self, op: Op) -> Op:
        externals = {arg.external for arg in op.args if arg.external}
        if len(externals) > 1 and "ext" in self.machine.isa.fields:
            raise self.asm.error(f"one external value a cycle, not {sorted(externals)}")
        op.line = self.asm.place.line
        for arg in op.args:
            arg.readers.append(op)
        self.block.ops.append(op)
        return op

    def _expression(self, expression: Expression, canonical: bool, scope: Scope, name: str) -> Value:
        """The value of an expression; the result is called `name`."""
        if expression.op not in ("*", "+", "-") or any(expression.double):
            raise self.asm.error(PLAIN)
        op = self._emit(self.operation(expression.op, tuple(self._read(x, scope) for x in expression.operands),
                                       canonical))
        op.out["reg"] = Value(name, "reg", 0, producer=op)
        return op.out["reg"]


def assemble(machine: Machine, name: str) -> Program:
    """Assemble program `name` of the machine's core."""
    return Assembler(machine).assemble(machine.path.parent / f"{name}.pmu")
