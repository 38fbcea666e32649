# SPDX-License-Identifier: Apache-2.0
"""Assembler: program text (ucode/<core>/*.pmu) to the intermediate form.

The language, one statement a line, `#` starts a comment:

    include FILE
    formula NAME(IN, ...) -> OUT, ...  ... end     statements to be inlined
    global BANK NAME[/NAME ...] ...                registers that live across blocks; one register
                                                   may serve under several names, one after another
    table BANK NAME SIZE                           registers NAME[0..SIZE-1]; NAME[a], where a is the
                                                   index of the digit, and NAME[a^K]
    overlay                                        globals and tables after it take the registers of
                                                   those before it, which hold nothing any more
    interface NAME GLOBAL ...                      globals whose ready times several blocks share
    block NAME [on I | from I] [weight N] [leaves GLOBAL] [pause N] [length N] ... end
                                                   statements scheduled together; `on I` enters and
                                                   leaves by interface I, `from I` only enters by it;
                                                   GLOBAL may still be under way at the end; the block
                                                   takes at least N cycles; where products
                                                   vary, it is scheduled for those of N cycles;
                                                   `dispatch`, `loop`, `goto` or `refuse` in place of
                                                   `end` goes with the last word of the block, and
                                                   does not see the flags of that word
    loop N / endloop                               the one block between them, N times
    start UNIT | wait [not] COND | dispatch | goto LABEL [if [not] COND]
    refuse REASON if [not] COND                    the job ends with a reason
    accept [if [not] COND]                         the job ends as valid

Statements of a block: `c = a * b`, `c =! a * b` (canonical, sets flags, in the order written),
`c = [2] a + [2] b`, `c = [2] a - [2] b`, `c, ... = formula(a, ...)` (results that are not wanted
may be left out at the end), `start UNIT [a]`. `@name` is an external value. Further:
`c = a * b start UNIT`, a product whose first factor is the operand of a side unit started with it;
`UNIT[K]` is member K of a unit that has several, where in a formula K may be one of its arguments;
`c = a * (x +- y)`, a product by x + y, or by x - y if the digit is negative; `c = scale (x - y)`, the
machine's scale factor times the difference. What depends on a digit comes after the start, written
before it, of the unit that steps to that digit, and no later than the next such start.
"""

from __future__ import annotations

import re
from pathlib import Path

from pointmill.ucode.ir import Block, Control, Home, Label, Op, Program, Value
from pointmill.ucode.machine import Machine

_ASSIGN = re.compile(r"^(?P<outs>[^=]+?)\s*=(?P<canon>!?)\s*(?P<right>.+)$")
_BINARY = re.compile(r"^(2 )?(\S+) ([*+-]) (2 )?(\S+)$")
_SIGNED = re.compile(r"^(\S+) \* \((\S+) \+- (\S+)\)$")
_SCALED = re.compile(r"^scale \((\S+) - (\S+)\)$")
_CALL = re.compile(r"^(\w+)\((.*)\)$")
_TABLE = re.compile(r"^(\w+)\[(\w+|a\^\d+)\]$")


class AssemblyError(Exception):
    """A program that cannot be assembled; the message names file and line."""


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


class Assembler:
    """Assembles one program for one machine; `statements` assembles its blocks."""

    def __init__(self, machine: Machine, statements: type["BlockAssembler"] | None = None):
        self.machine = machine
        self.statements = statements or BlockAssembler
        self.formulas: dict[str, tuple[list[str], list[str], list[tuple[int, str]]]] = {}
        self.program = Program("", [], {}, {}, {})
        self.next_register = dict.fromkeys(machine.isa.stored, 0)
        self.where = ""

    def error(self, message: str) -> AssemblyError:
        """An error at the present line."""
        return AssemblyError(f"{self.where}: {message}")

    # ---- lines ---------------------------------------------------------------------------------

    def assemble(self, path: Path) -> Program:
        """Assemble the program text at `path`. Raises AssemblyError."""
        self.program.name = path.stem
        self._file(path)
        return self.program

    def _lines(self, path: Path) -> list[tuple[int, str]]:
        lines = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            text = line.split("#", 1)[0].strip()
            if text:
                lines.append((number, text))
        return lines

    def _file(self, path: Path) -> None:
        lines = iter(self._lines(path))
        for number, text in lines:
            self.where = f"{path.name}:{number}"
            try:
                self._line(text, lines, path)
            except (IndexError, ValueError) as error:  # a word is missing, or is not a number
                raise self.error(f"not a whole statement: {text}") from error

    def _line(self, text: str, lines, path: Path) -> None:
        head, _, rest = text.partition(" ")
        if head == "include":
            self._file(path.parent / rest)
        elif head == "formula":
            self._formula(rest, self._body(lines))
        elif head == "global":
            bank, *names = rest.split()
            for name in names:
                home = self._allocate(bank, 1)
                self.program.globals |= dict.fromkeys(name.split("/"), home)
        elif head == "table":
            bank, name, size = rest.split()
            if int(size) & (int(size) - 1):
                raise self.error("the size of a table is a power of two")
            self.program.tables[name] = (self._allocate(bank, int(size)), int(size))
        elif head == "interface":
            name, *members = rest.split()
            self.program.interfaces[name] = members
        elif head == "block":
            self._block(rest, lines, path)
        elif text.endswith(":"):
            self.program.items.append(Label(text[:-1]))
        elif text == "overlay":
            self.next_register = dict.fromkeys(self.machine.isa.stored, 0)
        elif text == "endloop":
            self._end_loop()
        else:
            self.program.items.append(self._control(text))

    def _body(self, lines) -> list[tuple[int, str]]:
        body = []
        for number, text in lines:
            if text.split()[0] in ("end", "dispatch", "loop", "goto", "refuse"):
                body.append((number, text))
                return body
            body.append((number, text))
        raise self.error("no end")

    def _formula(self, head: str, body: list[tuple[int, str]]) -> None:
        match = re.match(r"^(\w+)\((.*)\) -> (.*)$", head)
        if not match:
            raise self.error("formula NAME(IN, ...) -> OUT, ...")
        name, ins, outs = match.groups()
        self.formulas[name] = (_words(ins), _words(outs), body[:-1])

    def _allocate(self, bank: str, size: int) -> Home:
        if bank not in self.next_register:
            raise self.error(f"no bank {bank}")
        first = -(-self.next_register[bank] // size) * size  # the index is XOR-ed into it
        self.next_register[bank] = first + size
        if first + size > self.machine.registers[bank]:
            raise self.error(f"bank {bank} is full")
        return Home(bank, first)

    # ---- control -------------------------------------------------------------------------------

    def _condition(self, words: list[str]) -> tuple[str, bool]:
        inverted = words[0] == "not"
        name = words[1] if inverted else words[0]
        if name not in self.machine.conditions:
            raise self.error(f"no condition {name}")
        return name, inverted

    def _control(self, text: str) -> Control:
        words = text.split()
        control = Control(words[0], line=int(self.where.split(":")[1]))
        if words[0] == "goto":
            control.op, control.target = "branch", words[1]
            if len(words) > 2:
                control.condition, control.inverted = self._condition(words[3:])
        elif words[0] == "accept":
            control.op, control.target = "finish", self.machine.reasons["ok"]
            if len(words) > 1:
                control.condition, control.inverted = self._condition(words[2:])
        elif words[0] == "refuse":
            control.op = "finish"
            if words[1] not in self.machine.reasons:
                raise self.error(f"no reason {words[1]}")
            control.target = self.machine.reasons[words[1]]
            control.condition, control.inverted = self._condition(words[3:])
        elif words[0] == "wait":
            control.condition, control.inverted = self._condition(words[1:])
        elif words[0] == "start":
            unit = self._unit(words[1])
            if unit.get("operand"):
                raise self.error(f"{words[1]} wants an operand: start it in a block")
            control.target = self.machine.unit(words[1])[1]
        elif words[0] == "loop":
            control.op, control.target = "loop_set", int(words[1])
        elif words[0] != "dispatch":
            raise self.error(f"not a statement: {text}")
        return control

    def _end_loop(self) -> None:
        block = self.program.items[-1]
        if not isinstance(block, Block) or block.closing:
            raise self.error("endloop follows the one block of the loop")
        block.closing = Control("loop_end", block.name)

    def _unit(self, name: str) -> dict:
        try:
            return self.machine.unit(name)[0]
        except KeyError:
            raise self.error(f"no side unit {name}") from None

    # ---- blocks --------------------------------------------------------------------------------

    def _block(self, head: str, lines, path: Path) -> None:
        words = head.split()
        block = Block(words[0], [])
        options = dict(zip(words[1::2], words[2::2]))
        block.entry = options.get("on") or options.get("from")
        block.exit = options.get("on")
        block.weight = int(options.get("weight", 1))
        block.pause = int(options.get("pause", 1))
        block.length = int(options["length"]) if "length" in options else None
        if "leaves" in options:
            block.leaves.append(self.program.globals[options["leaves"]])
        body = self._body(lines)
        self.statements(self, block, path).run(body[:-1])
        if body[-1][1] != "end":
            block.closing = self._control(body[-1][1])
        self.program.items += [Label(block.name), block]


class BlockAssembler:
    """Statements of one block to operations in single-assignment form, for a butterfly datapath. Other
    datapaths have subclasses, which know other expressions."""

    flags = "mul"
    """What writes flags, as the machine's latencies call it."""

    def __init__(self, assembler: Assembler, block: Block, path: Path):
        self.asm = assembler
        self.block = block
        self.path = path
        self.machine = assembler.machine
        self.sources: dict[Home | str, Value] = {}
        self.butterflies: dict[tuple, Op] = {}
        self.written = block.written

    def run(self, body: list[tuple[int, str]]) -> None:
        """Assemble the statements, then drop what nobody reads."""
        self._statements(body, {})
        live = [op for op in self.block.ops if op.side_unit or op.canon]
        live += [v.producer for v in self.written.values()]
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
                if value.home or op.canon or any(id(r) in reached for r in value.readers)
            }
            for arg in op.args:
                places = arg.home.covers() if arg.is_source and arg.home else []
                if any(place in self.written for place in places):
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

    def _statements(self, body: list[tuple[int, str]], scope: dict[str, Value]) -> None:
        for number, text in body:
            self.asm.where = f"{self.path.name}:{number}"
            if text.startswith("start "):
                _, unit, *operands = text.split()
                unit = self._member(unit, scope)
                wanted = int(self.asm._unit(unit).get("operand", False))
                if len(operands) != wanted:
                    raise self.asm.error(f"{unit} wants {wanted} operands in a block")
                read = tuple(self._read(operand, scope) for operand in operands)
                self._emit(Op("start", read, side_unit=unit, line=number))
                if self.machine.unit(unit)[0].get("steps"):
                    self.butterflies.clear()  # the same text now means other values
                continue
            text, _, rider = text.partition(" start ")
            match = _ASSIGN.match(text)
            if not match:
                raise self.asm.error(f"not a statement: {text}")
            outs, canon, right = _words(match["outs"]), bool(match["canon"]), match["right"]
            call = _CALL.match(right)
            if call and call[1] in self.asm.formulas:
                values = self._inline(call[1], _words(call[2]), scope)
            else:
                values = [self._expression(right, canon, scope, outs[0], number)]
                if rider:
                    self._ride(self._member(rider, scope), values[0])
            if len(outs) > len(values):
                raise self.asm.error(f"{len(values)} results for {len(outs)} names")
            for out, value in zip(outs, values):
                self._assign(out, value, scope)

    def _member(self, unit: str, scope: dict[str, Value | int]) -> str:
        """The unit, with a formula's argument in brackets replaced by its number."""
        plain, _, member = unit.rstrip("]").partition("[")
        return f"{plain}[{scope[member]}]" if member in scope else unit

    def _ride(self, name: str, value: Value) -> None:
        """Start a side unit with the product that makes `value`."""
        unit, op = self.asm._unit(name), value.producer
        if op is None or op.unit != "mul" or op.signed or not unit.get("operand"):
            raise self.asm.error(f"{name} cannot be started with this operation")
        op.side_unit = name

    def _inline(self, name: str, arguments: list[str], scope: dict[str, Value]) -> list[Value]:
        ins, outs, body = self.asm.formulas[name]
        if len(ins) != len(arguments):
            raise self.asm.error(f"{name} takes {len(ins)} values")
        inner = {
            formal: int(actual) if actual.isdigit() else self._read(actual, scope)
            for formal, actual in zip(ins, arguments)
        }
        where = self.asm.where
        self._statements(body, inner)
        self.asm.where = where
        return [inner[out] for out in outs]

    def _home(self, name: str) -> Home | None:
        table = _TABLE.match(name)
        if table and table[1] in self.asm.program.tables:
            home, size = self.asm.program.tables[table[1]]
            by_index, _, number = table[2].rpartition("^")
            if number == "a":
                by_index, number = "a", "0"
            if int(number) >= size:
                raise self.asm.error(f"{name} is beyond the table")
            register = home.register + int(number)
            return Home(home.bank, register, bool(by_index), size if by_index else 1)
        return self.asm.program.globals.get(name)

    def _read(self, name: str, scope: dict[str, Value]) -> Value:
        if name in scope:
            return scope[name]
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
        return self.sources.setdefault(home, Value(name, home.bank, self._bound(home.bank), home))

    def _bound(self, bank: str) -> int:
        """What a global of a bank may hold; assignments are checked against it."""
        product = self.machine.product_bound
        if bank == "mul":
            return product
        return 2 * product if bank == "sum" else 2 * product + self.machine.subtract_offset

    def _assign(self, name: str, value: Value, scope: dict[str, Value]) -> None:
        home = self._home(name) if name not in scope else None
        if home is None:
            scope[name] = value
            return
        if home.indexed:
            raise self.asm.error(f"{name} cannot be written by index")
        if home in self.written:
            raise self.asm.error(f"{name} is written twice in a block")
        if value.producer is None or value.home:
            raise self.asm.error(f"{name} wants a result of its own")
        if value.bank != home.bank or value.bound > self._bound(home.bank):
            raise self.asm.error(f"{name} cannot hold a result of {value.bank} this large")
        value.home, value.name = home, name
        self.written[home] = value

    def _emit(self, op: Op) -> Op:
        externals = {arg.external for arg in op.args if arg.external}
        if len(externals) > 1:
            raise self.asm.error(f"one external value a cycle, not {sorted(externals)}")
        for arg in op.args:
            arg.readers.append(op)
        self.block.ops.append(op)
        return op

    def _expression(self, text, canon, scope, name, line) -> Value:
        if match := _SCALED.match(text):
            if self.machine.scale is None:
                raise self.asm.error("this machine does not scale")
            x, y = (self._read(operand, scope) for operand in match.groups())
            return self._butterfly(x, y, (False, False), "scale", name, line)
        if match := _SIGNED.match(text):
            a, x, y = (self._read(operand, scope) for operand in match.groups())
            self._bounds(x, y, (False, False), name)
            return self._product(a, x, canon, name, line, y)
        match = _BINARY.match(text)
        if not match:
            raise self.asm.error(f"not an expression: {text}")
        left, right = self._read(match[2], scope), self._read(match[5], scope)
        double = (bool(match[1]), bool(match[4]))
        if match[3] == "*":
            if any(double):
                raise self.asm.error("a product takes no factor 2")
            return self._product(left, right, canon, name, line)
        if canon:
            raise self.asm.error("only a product can be canonical")
        return self._butterfly(left, right, double, match[3], name, line)

    def _product(self, left: Value, right: Value, canon: bool, name: str, line: int,
                 signed: Value | None = None) -> Value:  # fmt: skip
        args = (left, right, signed) if signed else (left, right)
        for factor in args:
            if factor.bound >= self.machine.factor_bound:
                raise self.asm.error(f"{factor.name} is too wide for the multiplier")
        op = self._emit(Op("mul", args, canon=canon, signed=bool(signed), line=line))
        bound = self.machine.product_bound - 1
        op.out["mul"] = Value(name, "mul", bound, producer=op)
        return op.out["mul"]

    def _bounds(self, x, y, double, name, parts=("sum", "diff")) -> dict[str, int]:
        """Bounds of the sum and of the difference; an error where they break the machine's."""
        x_bound, y_bound = x.bound << double[0], y.bound << double[1]
        bounds = {"sum": x_bound + y_bound, "diff": x_bound + self.machine.subtract_offset}
        if "diff" in parts and y_bound > self.machine.subtract_offset:
            raise self.asm.error(f"{y.name} is too large to be subtracted")
        if any(bounds[part] >= self.machine.factor_bound for part in parts):
            raise self.asm.error(f"{name} does not fit {self.machine.factor_bound:#x}")
        return bounds

    def _butterfly(self, x, y, double, sign, name, line) -> Value:
        scaled = sign == "scale"
        part = "diff" if sign == "-" else "sum"
        bound = self._bounds(x, y, double, name, ("diff" if scaled else part,))[part]
        if scaled:
            bound = self.machine.scaled_bound - 1
        key = (id(x), id(y), double)
        op = self.butterflies.get(key)
        if op is None or part in op.out:
            op = self._emit(Op("bf", (x, y), double=double, line=line))
            self.butterflies[key] = op
        op.scaled |= scaled
        op.out[part] = Value(name, part, bound, producer=op)
        return op.out[part]


def assemble(
    machine: Machine, name: str, statements: type[BlockAssembler] | None = None
) -> Program:
    """Assemble program `name` of the machine's core."""
    return Assembler(machine, statements).assemble(machine.path.parent / f"{name}.pmu")
