# SPDX-License-Identifier: Apache-2.0
"""Draws flips by a seed, makes them in a verilated core (inject.cpp) and tells what became of the results.

A campaign is one stream of jobs on one core. Flips are drawn in three ways in turn: every bit of every register
and memory alike; every register alike, whatever its width; and this in the last cycles before a result that is judged;
where the target says so, in a fourth one, every register alike but those of the arithmetic. Of every three of a way the
third is of two bits at once, unless the target has single flips alone. Otherwise the cycle is any from the first packet
that may be disturbed to the last result.
"""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pointmill import register_map
from pointmill.measure.faults.model import built
from pointmill.measure.faults.registers import Register

INJECTOR = Path(__file__).with_name("inject.cpp")
SPIED = ("-include", "spied.h")
"""Words for the compiler: memories of the model tell which words are touched."""
BIT, REGISTER, END, CONTROL = "bit", "register", "end", "control"
ARITHMETIC = frozenset({"pm_mul_leaf", "pm_karatsuba", "pm_fold", "pm_regbank", "pm_edverify_gtable"})
"""Modules whose registers CONTROL leaves out."""
WINDOW = 256
"""Cycles before the result in which the flips of END are."""
OK = 0
"""Reason of a result that says yes, in all cores."""

HEAD = 0xFFFF_FFFF_FFFC_FF00
"""Bits of the first beat of a result that its job has too, or that are 0: all but reason and flags."""

Packet = tuple[int, ...]


@dataclass(frozen=True)
class Stream:
    """What a core does in a campaign. jobs: packets, as beats_of of measure.benches.packets has them; warm: so many
    results come before the first flip; aimed: tags of the results that are judged, all others are other jobs; next: for
    the core after a hang; secret: of secret operands, where a wrong result has another name than a wrong yes."""

    jobs: tuple[bytes, ...]
    next: tuple[bytes, ...]
    aimed: frozenset[int]
    warm: int = 0
    secret: bool = False


@dataclass(frozen=True)
class Flip:
    """cycle; places: register and bit, counted through the elements of a memory; draw: BIT, REGISTER, END, CONTROL."""

    cycle: int
    places: tuple[tuple[Register, int], ...]
    draw: str


@dataclass(frozen=True)
class Run:
    """What the core did: end: done, late (no answer in time) or crash (of the model); packets before a soft reset and
    behind it."""

    end: str
    cycle: int
    packets: tuple[Packet, ...]
    after: tuple[Packet, ...]
    ends: tuple[int, ...]


def _run(line: str) -> Run:
    """A line of inject.cpp."""
    end, cycle, before, *beats = line.split()
    parts: tuple[list[Packet], list[Packet]] = ([], [])
    ends: list[int] = []
    packet: list[int] = []
    for number, beat in enumerate(beats):
        data, _, ended = beat.partition(":")
        packet.append(int(data, 16))
        if int(ended):
            parts[number >= int(before)].append(_timeless(packet))
            ends.append(int(ended))
            packet = []
    return Run(end, int(cycle), tuple(parts[0]), tuple(parts[1]), tuple(ends))


def _timeless(packet: Sequence[int]) -> Packet:
    """Without the cycles that the job took, in the low half of the second beat."""
    return (packet[0], *(beat >> 32 << 32 for beat in packet[1:2]), *packet[2:])


class Campaign:
    """A stream on the core of a configuration. `RuntimeError` where the run without a fault fails."""

    def __init__(self, core: str, params: Mapping[str, int], stream: Stream) -> None:
        self.core, self.stream = core, stream
        self.program, self.known, places = built(core, tuple(params.items()), INJECTOR, SPIED)
        self.places = {one: number for number, one in enumerate(places)}
        start, free, after = self._start([]).splitlines()
        self.start, self.free, self.recovered = int(start), _run(free), _run(after).after[-1]

    @property
    def missing(self) -> list[Register]:
        """Registers that the model does not have: nothing depends on them in this configuration."""
        return [one for one in self.known if one not in self.places]

    def _start(self, lines: Sequence[str], plain: bool = False) -> str:
        with tempfile.TemporaryDirectory() as folder:
            jobs, after, flips = (Path(folder) / name for name in ("jobs", "next", "flips"))
            jobs.write_bytes(b"".join(self.stream.jobs))
            after.write_bytes(b"".join(self.stream.next))
            flips.write_text("\n".join(lines))
            control = register_map.address(self.core, "CTRL")
            words = [str(word) for word in (self.program, jobs, after, control)]
            if lines:
                words += [str(flips), str(os.cpu_count() or 1), *(["plain"] if plain else [])]
            done = subprocess.run(words, check=False, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{self.core}: the injector ends with {done.returncode}: {done.stderr[-500:]}")
        return done.stdout

    def draw(self, count: int, seed: int, ways: Sequence[str] = (BIT, REGISTER, END), pairs: bool = True) -> list[Flip]:
        """`count` flips, in the order of their cycles; pairs: some of two bits."""
        rng = random.Random(seed)
        first = self.free.ends[self.stream.warm - 1] + 1 if self.stream.warm else self.start
        end = max(cycle for packet, cycle in zip(self.free.packets, self.free.ends, strict=True)
                  if packet[0] >> 32 in self.stream.aimed)  # fmt: skip
        names = list(self.places)
        bits = [one.width * one.words for one in names]
        control = [int(one.module not in ARITHMETIC) for one in names]
        weights = {BIT: bits, CONTROL: control}
        found = []
        for number in range(count):
            draw = ways[number % len(ways)]
            two = pairs and number // len(ways) % 3 == 2
            chosen = rng.choices(names, weights.get(draw), k=2 if two else 1)
            places = tuple((one, rng.randrange(one.width * one.words)) for one in chosen)
            cycles = range(max(first, end - WINDOW), end) if draw == END else range(first, self.free.cycle)
            found.append(Flip(rng.choice(cycles), places, draw))
        return sorted(found, key=lambda flip: flip.cycle)

    def runs(self, flips: Sequence[Flip], plain: bool = False) -> Iterator[tuple[Flip, Run]]:
        """What the core does with each; plain: every run from its flip to its end."""
        lines = [" ".join([str(flip.cycle), *(f"{self.places[one]} {bit}" for one, bit in flip.places)])
                 for flip in flips]  # fmt: skip
        for flip, line in zip(flips, self._start(lines, plain).splitlines() if lines else [], strict=True):
            yield flip, _run(line)

    def run(self, flips: Sequence[Flip]) -> Iterator[tuple[Flip, str]]:
        """The outcome of each."""
        return ((flip, self.judge(run)) for flip, run in self.runs(flips))

    def _taken(self, packet: Packet, wanted: Mapping[int, Packet]) -> bool:
        """Whether the driver takes a packet for the result of a job: tag, rule or opcode, reserved bits and length, and
        that the valid bit, where there is one, agrees with the reason."""
        job = wanted.get(packet[0] >> 32)
        if job is None or len(packet) < 2 or (packet[0] ^ job[0]) & HEAD or packet[1] >> 34:
            return False
        says_yes = packet[0] & 0xFF == OK
        if self.core != "multicurve" and says_yes != bool(packet[0] >> 16 & 1):
            return False
        return not says_yes or not self.stream.secret or len(packet) == len(job)

    def judge(self, run: Run) -> str:
        """The outcome of a run, a word of OUTCOMES, the worst that holds."""
        if run.end == "crash":
            raise RuntimeError(f"{self.core}: the model ended in a run with a fault")
        wanted = {packet[0] >> 32: packet for packet in self.free.packets}
        first: dict[int, Packet] = {}
        for packet in run.packets:
            if self._taken(packet, wanted):
                first.setdefault(packet[0] >> 32, packet)
        if any(packet != wanted[tag] and packet[0] & 0xFF == OK for tag, packet in first.items()):
            return "wrong_results" if self.stream.secret else "accepted"
        if run.end == "late":
            return "hangs" if run.after and run.after[-1] == self.recovered else "hangs_kept"
        others = [packet for packet in run.packets if packet[0] >> 32 not in self.stream.aimed]
        expected = [packet for tag, packet in wanted.items() if tag not in self.stream.aimed]
        if sorted(others) != sorted(expected):
            return "disturbed"
        return "unchanged" if sorted(run.packets) == sorted(self.free.packets) else "other_reason"
