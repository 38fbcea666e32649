# SPDX-License-Identifier: Apache-2.0
"""Scheduler: places the operations of blocks on a datapath, cycle by cycle.

Blocks that share an interface are placed together by CP-SAT, which also chooses the ready times of
the interface and proves the weighted sum of their lengths optimal (or reports the bound it has);
other blocks up to `CP_LIMIT` operations are placed by CP-SAT alone, larger ones by list scheduling
along the critical path, which is optimal where it has no cycle without a product. Every schedule is replayed, by rules
that are independent of both (pointmill.ucode.replay).

Elasticity: no operation reads a register after the operation that overwrites it was started, so a
program stays right when its words are issued later than scheduled (N contexts on one datapath).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pointmill.ucode import solver
from pointmill.ucode.ir import Block, Control, Home, Label, Op, Program, Value
from pointmill.ucode.machine import Machine
from pointmill.ucode.replay import ButterflyReplay, ScheduleError

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr

CP_LIMIT = 40


@dataclass
class Schedule:
    """Start cycle of every operation of a block, counted from the block's first cycle.

    `length` is the distance to the first cycle of the next block. `bound` equals it where CP-SAT proved
    it shortest (for the blocks of an interface: their weighted sum), otherwise it is None. `place` is the unit of an
    operation, on datapaths that have several of a kind; `register` that of its result where the schedule decides it.
    """

    block: Block
    start: dict[Op, int]
    length: int
    bound: int | None = None
    entry: dict[Home, int] = field(default_factory=dict)
    exit: dict[Home, int] = field(default_factory=dict)
    place: dict[Op, int] = field(default_factory=dict)
    register: dict[Op, int] = field(default_factory=dict)


def solved(model: CpModel, what: str, seconds: float | None = None) -> solver.Answer:
    """The answer of CP-SAT. Raises ScheduleError, naming `what` is scheduled, if there is none."""
    answer = solver.solve(model, seconds, what)
    if answer is None:
        raise ScheduleError(f"no schedule for {what}")
    return answer


def latency(machine: Machine, value: Value) -> int:
    """Cycles from the start of a value's producer until a read port can see it."""
    return machine.latency.get(value.bank, machine.latency["store"])


def distance(machine: Machine, reader: Op, value: Value) -> int:
    """Cycles from the start of the producer to the earliest start of `reader`."""
    chained = value.bank in ("sum", "diff") and reader.unit in ("mul", "start") and not reader.signed
    if value.bank == "sum" and value.producer and value.producer.scaled:
        chained = False  # the multiplier gets the sum itself
    return 0 if chained else latency(machine, value)


def in_time(machine: Machine, reader: Op, value: Value, cycles: int) -> bool:
    """Whether `reader` may start so many cycles after the producer: with it or later where it takes the result in
    the cycle that makes it, but not while a register still waits for that."""
    return cycles >= latency(machine, value) or cycles == distance(machine, reader, value) == 0


def _resources(op: Op) -> set[str]:
    """Resources of which one operation a cycle may be started."""
    if op.unit == "bf":
        return {"bf"}
    if op.unit == "start":
        return {"factor", "control"} if op.args else {"control"}
    control = {"control"} if op.side_unit else set()
    return {"factor", "bf"} if op.signed else {"factor"} | control


def _room(block: Block, op: Op) -> int:
    """Cycles from the start of an operation to the block's end: its own, and one for the control
    operation that goes with the last word."""
    return 2 if block.closing and op.side_unit else 1


def _externals(op: Op) -> set[str]:
    return {arg.external for arg in op.args if arg.external}


def _least_length(block: Block) -> int:
    """Cycles that the most wanted resource needs."""
    resources = [resource for op in block.ops for resource in _resources(op)]
    return max([1, *(resources.count(resource) for resource in resources)])


def _places(value: Value) -> list[Home]:
    """Registers in which a value may lie that exists before the block begins."""
    return value.home.covers() if value.is_source and value.home else []


def old_readers(block: Block, value: Value) -> list[Op]:
    """Operations that read what is overwritten by `value`."""
    return [
        reader
        for home, readers in block.old_readers.items()
        if value.home in home.covers()
        for reader in readers
    ]


def overlaps(machine: Machine) -> bool:
    """Whether results can be under way while words are issued. Where each can be read by the next word,
    what a schedule counts are words that take their turns, not cycles."""
    return max(machine.latency.values()) > 1


def followers(program: Program, block: Block) -> Iterator[tuple[Block | None, int]]:
    """The blocks that may come behind a block, with the fewest cycles between; None: one that the digit scan
    chooses."""
    items: list[Block | Control] = []
    labels: dict[str, int] = {}
    for part in program.items:
        if isinstance(part, Label):
            labels[part.name] = len(items)
        else:
            items.append(part)
    places = _targets(block.closing, items.index(block), labels)
    cycles = dict.fromkeys(places, 0)
    for place in places:  # which grows, the nearest ones first
        if place is None:
            yield None, cycles[place]
        elif place < len(items):
            item = items[place]
            if isinstance(item, Block):
                yield item, cycles[place]
            else:
                further = [to for to in _targets(item, place, labels) if to not in cycles]
                cycles |= dict.fromkeys(further, cycles[place] + 1)
                places += further


def _targets(control: Control | None, at: int, labels: dict[str, int]) -> list[int | None]:
    """Where the program goes on behind place `at`, which has this control operation; None: where the digit scan
    says."""
    if control is None:
        return [at + 1]
    if control.op == "dispatch":
        return [None]
    always = control.condition == "always" and not control.inverted
    places: list[int | None] = [] if control.op in ("branch", "finish") and always else [at + 1]
    return [*places, labels[str(control.target)]] if control.op in ("branch", "loop_end") else places


def pause(machine: Machine, block: Block) -> int:
    """The shortest length that the program allows; words that take their turns pause anyway."""
    return block.pause if overlaps(machine) else 1


def flagged_before(block: Block) -> list[Op]:
    """Canonical products whose flags the control operation on the last word may ask for: it sees those
    of all words before, and none of its own word."""
    asks = block.closing is not None and block.closing.condition.startswith(("zero", "odd"))
    return [op for op in block.ops if op.canon] if asks else []


def _conflict(a: Op, b: Op) -> bool:
    """Whether two operations cannot start in the same cycle."""
    externals = _externals(a) | _externals(b)
    return bool(_resources(a) & _resources(b)) or len(externals) > 1


class LoneScheduler:
    """Schedules the blocks of one program on a datapath where each begins and ends alone. Sub-classes solve and
    replay."""

    leaves = False
    """Whether blocks may leave products under way."""

    def __init__(self, machine: Machine, program: Program):
        self.machine = machine
        self.program = program

    def run(self) -> dict[str, Schedule]:
        """Schedules of all blocks by name. Raises ScheduleError where the replay rejects one."""
        result: dict[str, Schedule] = {}
        for block in self.program.blocks:
            if block.entry or block.exit or block.pause > 1 or (block.leaves and not self.leaves):
                raise ScheduleError(f"{block.name}: a block of this datapath begins and ends alone")
            result[block.name] = self.solve(block)
            self.replay(result[block.name])
        return result

    def solve(self, block: Block) -> Schedule:
        """The shortest schedule of a block."""
        raise NotImplementedError

    def replay(self, schedule: Schedule) -> None:
        """Raises ScheduleError where the datapath cannot do what the schedule says."""
        raise NotImplementedError


class Scheduler:
    """Schedules the blocks of one program on one machine."""

    def __init__(self, machine: Machine, program: Program):
        self.machine = machine
        self.program = program

    def run(self) -> dict[str, Schedule]:
        """Schedules of all blocks by name. Raises ScheduleError where the replay rejects one."""
        result: dict[str, Schedule] = {}
        ready: dict[str, dict[Home, int]] = {}
        for name, members in self.program.interfaces.items() if overlaps(self.machine) else ():
            homes = [self.program.globals[member] for member in members]
            blocks = [b for b in self.program.blocks if b.exit == name]
            for schedule in self._cp(blocks, homes) if blocks else ():
                result[schedule.block.name] = schedule
                ready[name] = schedule.entry
        pending: dict[Home, int] = {}
        for block in self.program.blocks:
            entry = ready.get(block.entry, {}) if block.entry else pending
            if late := [str(home) for home, when in pending.items() if when > entry.get(home, 0)]:
                raise ScheduleError(f"{block.name}: entered before {', '.join(late)} has settled")
            if block.name not in result:
                result[block.name] = self._alone(block, entry)
            # What a block leaves under way is still under way for the block after it.
            pending = result[block.name].exit if not block.exit else {}
        for schedule in result.values():
            ButterflyReplay(self.machine, schedule).run()
            self._settles(schedule, result)
        return result

    def _settles(self, schedule: Schedule, schedules: dict[str, Schedule]) -> None:
        """Raises ScheduleError where a block may be entered before it can read what this one leaves under way."""
        block, left = schedule.block, {home: when for home, when in schedule.exit.items() if when}
        for follower, cycles in followers(self.program, block) if left else ():
            if follower is None and block.exit:
                continue  # the digit scan chooses blocks of the interface
            entry = schedules[follower.name].entry if follower else {}
            if late := [str(home) for home, when in left.items() if when > entry.get(home, 0) + cycles]:
                entered = follower.name if follower else "what the digit scan chooses"
                raise ScheduleError(f"{entered}: entered from {block.name} before {', '.join(late)} has settled")

    def _alone(self, block: Block, entry: dict[Home, int]) -> Schedule:
        if len(block.ops) > CP_LIMIT:
            listed = self._list(block, entry)
            if listed.length == _least_length(block):
                listed.bound = listed.length
                return listed
        if self._is_loop(block):
            return self._cp([block], sorted(block.written, key=str), entry)[0]
        if len(block.ops) <= CP_LIMIT:
            return self._cp([block], [], entry)[0]
        if block.leaves:
            raise ScheduleError(f"{block.name} is too large to leave something under way")
        return self._list(block, entry)

    @staticmethod
    def _is_loop(block: Block) -> bool:
        return block.closing is not None and block.closing.op == "loop_end"

    # ---- CP-SAT --------------------------------------------------------------------------------

    def _cp(
        self, blocks: list[Block], homes: list[Home], entry: dict[Home, int] | None = None
    ) -> list[Schedule]:
        """Place blocks that enter and leave by the same ready times of `homes`, which are chosen."""
        entry = entry or {}
        hints = [self._list(block, entry) for block in blocks]
        horizon = max(hint.length for hint in hints) + 2 * self.machine.latency["mul"]
        model = solver.new_model()
        ready = {home: model.new_int_var(0, horizon, f"ready {home}") for home in homes}
        late = {
            home: model.new_int_var(0, horizon, f"late {home}")
            for block in blocks
            for home in block.leaves
        }
        # What the first round of a loop, or the first block, finds under way.
        for home in homes:  # in their order: the same model every time
            if home in entry:
                model.add(ready[home] >= entry[home])
        lengths, starts, words = [], [], []
        for block, hint in zip(blocks, hints):
            start = {op: model.new_int_var(0, horizon, "") for op in block.ops}
            length = model.new_int_var(1, horizon, "")
            self._constrain(model, block, start, length, ready, late, entry)
            for op in block.ops:
                model.add_hint(start[op], hint.start[op])
            lengths.append(length)
            starts.append(start)
            words.append(self._lone_words(model, block, start) if self.machine.word_cost else 0)
        weighted = sum(block.weight * (length + self.machine.word_cost * lone)
                       for block, length, lone in zip(blocks, lengths, words))  # fmt: skip
        settle = sum([*ready.values(), *late.values()])
        times = sum(t for start in starts for t in start.values())
        scale = (len(homes) + 1) * horizon + horizon * sum(len(s) for s in starts) + 1
        model.minimize(scale * weighted + (horizon + 1) * settle + times)
        answer = solved(model, ", ".join(block.name for block in blocks))
        optimal = answer.objective - answer.bound < scale and not self.machine.word_cost
        result = []
        for block, start, length in zip(blocks, starts, lengths):
            chosen = {home: answer.value(ready[home]) for home in homes}
            left = {home: answer.value(late[home]) for home in block.leaves}
            value = answer.value(length)
            result.append(
                Schedule(
                    block,
                    {op: answer.value(start[op]) for op in block.ops},
                    value,
                    value if optimal else None,
                    {**entry, **chosen},
                    chosen | left,
                )
            )
        return result

    @staticmethod
    def _lone_words(model: CpModel, block: Block, start: dict[Op, IntVar]) -> LinearExpr | int:
        """Operations other than products that have a word of their own."""
        lone = []
        products = [op for op in block.ops if op.unit == "mul"]
        for op in block.ops:
            if op.unit != "mul":
                beside = [model.new_bool_var("") for _ in products]
                for other, same in zip(products, beside):
                    model.add(start[op] == start[other]).only_enforce_if(same)
                lone.append(model.new_bool_var(""))
                model.add_bool_or([lone[-1], *beside])
        return sum(lone)

    def _constrain(self, model: CpModel, block: Block, start: dict[Op, IntVar], length: IntVar,
                   ready: dict[Home, IntVar], late: dict[Home, IntVar], entry: dict[Home, int]) -> None:
        """The rules of the datapath as constraints."""
        if entry:
            model.add(length >= max(entry.values()))
        for op in block.ops:
            for arg in op.args:
                if arg.producer:
                    model.add(start[op] >= start[arg.producer] + distance(self.machine, op, arg))
                    if not in_time(self.machine, op, arg, distance(self.machine, op, arg) + 1):
                        together = model.new_bool_var("")
                        later = start[arg.producer] + latency(self.machine, arg)
                        model.add(start[op] == start[arg.producer]).only_enforce_if(together)
                        model.add(start[op] >= later).only_enforce_if(~together)
                for home in _places(arg):
                    if home in ready:
                        model.add(start[op] >= ready[home])
                    elif home in entry:
                        model.add(start[op] >= entry[home])
            for other, cycles in op.after:
                model.add(start[op] >= start[other] + cycles)
            model.add(length >= start[op] + _room(block, op))
            for value in op.out.values():
                end = start[op] + latency(self.machine, value)
                allowed = (ready | late).get(value.home, 0) if value.home else 0
                model.add(end <= length + allowed)
                for reader in old_readers(block, value):
                    if reader is not op:
                        model.add(start[reader] <= start[op])
        for resource in ("factor", "bf", "control"):
            users = [start[op] for op in block.ops if resource in _resources(op)]
            if len(users) > 1:
                model.add_all_different(users)
        outside = [op for op in block.ops if _externals(op)]
        for i, a in enumerate(outside):
            for b in outside[:i]:
                if _conflict(a, b):
                    model.add(start[a] != start[b])
        flagged = [start[op] for op in block.ops if op.canon]
        for first, second in itertools.pairwise(flagged):
            model.add(first < second)
        model.add(length >= pause(self.machine, block))
        if asked := flagged_before(block):
            # The last of them goes with the last word, the others are done by then.
            for op in block.ops:
                model.add(start[op] <= start[asked[-1]])
            for op in asked[:-1]:
                model.add(start[asked[-1]] >= start[op] + self.machine.latency["mul"])

    # ---- list scheduling -----------------------------------------------------------------------

    def _list(self, block: Block, entry: dict[Home, int]) -> Schedule:
        height: dict[Op, int] = {}
        for op in reversed(block.ops):
            height[op] = max(
                (
                    height[reader] + distance(self.machine, reader, value)
                    for value in op.out.values()
                    for reader in value.readers
                ),
                default=max((latency(self.machine, v) for v in op.out.values()), default=1),
            )
        start: dict[Op, int] = {}
        waiting = sorted(block.ops, key=lambda op: -height[op])
        cycle = 0
        while waiting:
            placed: list[Op] = []
            for op in waiting:
                if self._fits(block, op, cycle, start, entry):
                    start[op] = cycle
                    placed.append(op)
            # A chained product may start in the cycle of the sum placed just before it.
            waiting = [op for op in waiting if op not in start]
            if not placed:
                cycle += 1
        length = max(
            [start[op] + _room(block, op) for op in block.ops]
            + [start[op] + latency(self.machine, v) for op in block.ops for v in op.out.values()]
            + list(entry.values()),
            default=1,
        )
        return Schedule(block, start, max(length, pause(self.machine, block)), None, dict(entry), {})

    def _fits(self, block: Block, op: Op, cycle: int, start: dict[Op, int], entry: dict[Home, int]) -> bool:
        for arg in op.args:
            if arg.producer:
                if arg.producer not in start:
                    return False
                if not in_time(self.machine, op, arg, cycle - start[arg.producer]):
                    return False
            elif any(entry.get(home, 0) > cycle for home in _places(arg)):
                return False
        for other, cycles in op.after:
            if other not in start or start[other] + cycles > cycle:
                return False
        for value in op.out.values():
            for reader in old_readers(block, value):
                if reader is not op and start.get(reader, cycle + 1) > cycle:
                    return False
        if op.canon:
            before = block.ops[: block.ops.index(op)]
            if any(other.canon and start.get(other, cycle) >= cycle for other in before):
                return False
        return not any(when == cycle and _conflict(op, other) for other, when in start.items())
