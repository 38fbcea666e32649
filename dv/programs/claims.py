# SPDX-License-Identifier: Apache-2.0
"""What a block of a program is claimed to compute, and the check of it.

Expressions are Python text. NAME is what a global holds when the block begins, NAME_ when it has ended, NAME[i] and
NAME_[i] entries of a table, at_NAME an external value (behind k steps of the digit scan at_NAMEk), UNIT the operands
of a side unit by number, `flags` the values whose zero flags were pushed. All other names are indeterminates. On
datapaths of Montgomery products registers and operands stand for the elements of which they are the representatives,
x for x R; external values but those of tables are as they are, and S is 1 / R.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pointmill.ucode.assembler import Assembler
from pointmill.ucode.build import Built
from pointmill.ucode.ir import Home
from pointmill.ucode.machine import Machine, P
from pointmill.ucode.syntax import BlockText

from . import formulas
from .execution import EXECUTIONS, Execution, Place
from .ring import Fraction, Ring, identifiers

FUNCTIONS = {name: value for name, value in vars(formulas).items() if not name.startswith("_")}
DOMAIN = {"plain_one": "1", "one": "R", "r2": "R**2", "a": "R*a", "b": "R*b"}
"""External values of Montgomery datapaths that are no indeterminates of their own."""


class Wrong(AssertionError):
    """A block that does not compute what is claimed, or something that is not claimed."""


@dataclass(frozen=True)
class Claim:
    """equal: `left == right` each; given: registers, and external values as `@name`, at the beginning; relations: what
    holds between indeterminates, left sides replaced by right ones; cuts: values on the way, by name, that stand for
    indeterminates from there on; starts: units without operand in their order; until: the last block of a path;
    indices: those of the digit at first and behind each step; signs: whether it is negative, likewise; turns: how often
    the block is carried out if it is a loop."""

    equal: Sequence[str] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    relations: Sequence[tuple[str, str]] = ()
    cuts: Sequence[tuple[str, str]] = ()
    starts: str = ""
    until: str = ""
    indices: Sequence[tuple[int, ...]] = ((0,) * 8,)
    signs: Sequence[tuple[bool, ...]] = ((False,) * 8,)
    turns: int | None = None

    def cases(self) -> Iterator[tuple[tuple[int, ...], tuple[bool, ...]]]:
        """Indices and sign of each case."""
        return ((indices, sign) for indices in self.indices for sign in self.signs)


class _Recorded(list):
    """A list that tells which entries were asked for."""

    def __init__(self, values: Sequence[Any], note: Callable[[int], None]) -> None:
        super().__init__(values)
        self._note = note

    def __getitem__(self, index: Any) -> Any:
        self._note(index)
        return super().__getitem__(index)


class _Scope(dict[str, Any]):
    """Names of an expression, which tells those asked for."""

    def __init__(self, names: Mapping[str, Any], note: Callable[[str], None]) -> None:
        super().__init__(names)
        self._note = note

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        self._note(name)
        return value


class _Cut:
    """Values that indeterminates stand for once they have been made, whether the others of the group stand for theirs
    already or not."""

    def __init__(self, ring: Ring, group: Mapping[str, Fraction], unit: Fraction) -> None:
        self.ring, self.met = ring, set[str]()
        self.plain = {name: ring.reduce(part.top) for name, part in group.items()}
        self.values = {name: ring.reduce((unit * part).top) for name, part in group.items()}
        self.symbols = {name: (unit * ring.symbol(name)).top for name in group}

    def match(self, found: Any) -> Any:
        """What a value is replaced by, None if it is none of the group's."""
        used = {name for name, degree in zip(self.ring.names, found.degrees()) if degree}
        if self.met & used:
            found = found.compose(*(self.plain[name] if name in self.met else self.ring.symbols[name]
                                    for name in self.ring.names))
            found = self.ring.reduce(found) if "S" in self.ring.names else found
        for name, value in self.values.items():
            if value == found:
                self.met.add(name)
                return self.symbols[name]
        return None


class _Recording(Assembler):
    """Assembles a program again for what the names of registers mean in each block."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.scopes: dict[str, tuple[dict[str, Home], dict[str, tuple[Home, int]]]] = {}

    def _block(self, text: BlockText) -> None:
        super()._block(text)
        self.scopes[text.name] = dict(self.program.globals), dict(self.program.tables)


@cache
def _scopes(core: str, config: str, program: str) -> dict[str, tuple[dict[str, Home], dict[str, tuple[Home, int]]]]:
    machine = Machine(core, config)
    recording = _Recording(machine)
    recording.assemble(machine.path.parent / f"{program}.pmu")
    return recording.scopes


class Check:
    """The check of one claim for one program of a machine. Wrong where it does not hold."""

    def __init__(self, built: Built, block: str, claim: Claim) -> None:
        self.machine, self.program, self.schedules, self.rom = built
        self.built, self.block, self.claim = built, block, claim
        self.montgomery = self.machine.isa.datapath in ("dual", "skew")
        self.globals, tables = _scopes(self.machine.core, self.machine.config, self.program.name)[block]
        self.pinned = {(home.bank, home.register) for home in self.program.pinned}
        self.names: dict[Place, list[str]] = {}
        for name, home in self.globals.items():
            self.names.setdefault((home.bank, home.register), []).append(name)
        self.tables = {name: [(home.bank, home.register + i) for i in range(size)]
                       for name, (home, size) in tables.items()}
        for name, places in self.tables.items():
            for i, place in enumerate(places):
                self.names.setdefault(place, []).append(f"{name}[{i}]")
        for place in self.pinned:
            self.names.setdefault(place, [])

    def run(self) -> int:
        """The number of equations that were shown."""
        if self._turns() != self.claim.turns:
            raise Wrong(f"{self.block}: is carried out {self._turns()} times, not {self.claim.turns}")
        return sum(self._case(indices, sign) for indices, sign in self.claim.cases())

    def _turns(self) -> int | None:
        """How often the loop is carried out that the block is; None if it is none, or within a path."""
        owner, isa = self.rom.owner, self.machine.isa
        first, last = owner.index(self.block), len(owner) - 1 - owner[::-1].index(self.block)
        if self.claim.until or self.rom.words[last].get("ctl_op", 0) != isa.control.get("loop_end"):
            return None
        before = self.rom.words[first - 1]
        if before["ctl_op"] != isa.control["loop_set"] or self.rom.words[last]["ctl_arg"] != first:
            raise Wrong(f"{self.block}: the loop is not set before it, or does not begin with it")
        return before["ctl_arg"]

    def _case(self, indices: tuple[int, ...], negative: tuple[bool, ...]) -> int:
        claim = self.claim
        ring = self._ring(indices, negative)
        fixed = FUNCTIONS | {"i": indices, "neg": negative}
        unit = ring.symbol("R") if self.montgomery else ring.number(1)

        def value(text: str) -> Any:
            found = ring.number(text, fixed)
            if not found.bottom.is_one():
                raise Wrong(f"{self.block}: {text} is no polynomial")
            return found.top

        entry: dict[Place, Any] = {}
        for place, names in self.names.items():
            given = next((claim.given[name] for name in names if name in claim.given), None)
            entry[place] = (unit * ring.number(value(given) if given else ring.symbols[self._symbol(place)])).top
            entry[place] = ring.reduce(entry[place]) if self.montgomery else entry[place]

        def external(name: str, steps: int) -> Any:
            stepped = f"{name}{steps or ''}" if name in self.machine.digit_inputs else name
            if f"@{stepped}" in claim.given:
                return value(claim.given[f"@{stepped}"])
            if name in self.machine.constants:
                return ring.constant(self.machine.constants[name])
            if self.montgomery and name in ("tx", "ty"):
                return ring.symbols["R"] * ring.symbols[f"at_{stepped}"]
            return value(DOMAIN[name]) if self.montgomery and name in DOMAIN else ring.symbols[f"at_{stepped}"]

        pending: list[_Cut] = []
        for names_, text in claim.cuts:
            scope = fixed | {name: ring.number(at) for name, at in self._entries(ring, entry, unit).items()}
            made = eval(text, {"__builtins__": {}}, scope | {n: ring.symbol(n) for n in ring.names if n not in scope})
            parts = made if isinstance(made, tuple) else (made,)
            group = {name: part for name, part in zip(names_.replace(" ", "").split(","), parts) if name != "_"}
            pending.append(_Cut(ring, group, unit))

        def seen(found: Any) -> Any:
            return next((made for cut in pending if (made := cut.match(found)) is not None), found)

        schedule = self.schedules[self.block]
        late = {(home.bank, home.register): ready for home, ready in schedule.entry.items()}
        run = EXECUTIONS[self.machine.isa.datapath](self.built, ring, entry, late, external, indices, negative, seen)
        run.run(self.block, claim.until)
        if missing := [name for cut in pending for name in cut.values if name not in cut.met]:
            raise Wrong(f"{self.block}: there is no {', '.join(missing)}")
        return self._compare(ring, run, entry, unit, external, fixed)

    def _ring(self, indices: tuple[int, ...], negative: tuple[bool, ...]) -> Ring:
        claim = self.claim
        names = {"stale", "R", "S"} | {self._symbol(place) for place in self.names}
        steps = 1 + sum(bool(self.machine.unit(start)[0].get("steps")) for start in claim.starts.split())
        for name in self.machine.inputs:
            names |= {f"at_{name}{k or ''}" for k in range(steps if name in self.machine.digit_inputs else 1)}
        for cut, _ in claim.cuts:
            names |= set(cut.replace(" ", "").split(",")) - {"_"}
        bound = set(self.globals) | set(self.tables) | set(self.machine.units) | set(FUNCTIONS)
        bound |= {f"{name}_" for name in bound} | {f"{name}_flag" for name in bound} | {"flags", "i", "neg"}
        bound |= {f"{name}_{k}" for name, unit in self.machine.units.items() for k in range(unit.get("size", 0))}
        sides = [side for line in claim.equal for side in line.split(" == ")]
        for text in [*claim.given.values(), *(side for pair in claim.relations for side in pair)]:
            if taken := set(identifiers([text])) & (bound - set(FUNCTIONS) - {"i", "neg"}):
                raise Wrong(f"{self.block}: {taken} is the name of a register")
        texts = [*claim.given.values(), *sides, *(text for _, text in claim.cuts)]
        texts += [side for pair in claim.relations for side in pair]
        names |= set(identifiers(texts)) - bound
        relations = [*claim.relations, *([("R*S", "1")] if self.montgomery else [])]
        if self.montgomery:
            names |= {"a", "b"}
        return Ring(sorted(names), None if self.montgomery else P, relations)

    def _symbol(self, place: Place) -> str:
        return f"{place[0]}_{place[1]}"

    def _entries(self, ring: Ring, entry: Mapping[Place, Any], unit: Fraction) -> dict[str, Any]:
        """Elements by the names of globals."""
        return {name: self._element(ring, entry[home.bank, home.register], unit)
                for name, home in self.globals.items()}

    def _element(self, ring: Ring, held: Any, unit: Fraction) -> Fraction:
        if not self.montgomery:
            return ring.number(held)
        return ring.number(ring.reduce(held * ring.symbols["S"]))

    def _compare(self, ring: Ring, run: Execution, entry: Mapping[Place, Any], unit: Fraction,
                 external: Callable[[str, int], Any], fixed: Mapping[str, Any]) -> int:
        claimed: set[Place] = set()
        asked: set[str] = set()
        scope: dict[str, Any] = dict(fixed)

        def element(held: Any) -> Fraction:
            return self._element(ring, held, unit)

        for name, home in self.globals.items():
            scope[name] = element(entry[home.bank, home.register])
            scope[f"{name}_"] = element(run.registers[home.bank, home.register])
        for name, places in self.tables.items():
            scope[name] = [element(entry[place]) for place in places]
            scope[f"{name}_"] = _Recorded([element(run.registers[place]) for place in places],
                                          lambda i, places=places: claimed.add(places[i]))
        events: dict[str, list[Any]] = {}
        wanted = set()
        plain = []
        for name, operand in run.starts:
            unit_ = self.machine.unit(name)[0]
            if unit_.get("ordered") or unit_.get("steps") or operand is None:
                plain.append(name)
            if operand is not None:
                key = name.replace("[", "_").rstrip("]")
                events.setdefault(key, []).append(operand)
                wanted.add((key, len(events[key]) - 1))
        for name, flag in run.seen_flags:
            events.setdefault(f"{name}_flag", []).append(flag)
            wanted.add((f"{name}_flag", len(events[f"{name}_flag"]) - 1))
        for key, operands in events.items():
            scope[key] = _Recorded([element(one) for one in operands],
                                   lambda i, key=key: wanted.discard((key, i)))
        left_flags = set(range(len(run.flags)))
        scope["flags"] = _Recorded([element(flag) for flag in run.flags], left_flags.discard)
        names = _Scope({name: ring.symbol(name) for name in ring.names} | scope, asked.add)
        for line in self.claim.equal:
            left, right = (eval(side, {"__builtins__": {}}, names) for side in line.split(" == "))
            lefts, rights = (side if isinstance(side, tuple) else (side,) for side in (left, right))
            if len(lefts) != len(rights):
                raise Wrong(f"{self.block}: {line} compares {len(lefts)} with {len(rights)} values")
            for one, other in zip(lefts, rights):
                if not ring.number(one).same(other):
                    raise Wrong(f"{self.block}: not {line}")
        for name, home in self.globals.items():
            if f"{name}_" in asked:
                claimed.add((home.bank, home.register))
        for place in self.names:
            if place not in claimed and run.registers[place] != entry[place]:
                name = " or ".join(self.names[place]) or str(place)
                raise Wrong(f"{self.block}: {name} changes, and nothing is claimed of it")
        if wanted:
            raise Wrong(f"{self.block}: nothing is claimed of the operands {sorted(wanted)}")
        if left_flags:
            raise Wrong(f"{self.block}: nothing is claimed of the flags {sorted(left_flags)}")
        if plain != self.claim.starts.split():
            raise Wrong(f"{self.block}: starts {' '.join(plain)}, not {self.claim.starts}")
        return len(self.claim.equal)


def covers(built: Built, block: str, claim: Claim) -> list[str]:
    """The blocks that a claim is about."""
    names = [one.name for one in built[1].blocks]
    return names[names.index(block) : names.index(claim.until or block) + 1]


def idle(built: Built, block: str) -> bool:
    """Whether no operation of a block makes a value, pushes a flag or hands one on."""
    ops = next(one.ops for one in built[1].blocks if one.name == block)
    return all(not op.out and not op.args and not op.canon for op in ops)


__all__ = ["Check", "Claim", "Wrong", "covers", "idle"]
