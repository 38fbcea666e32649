# SPDX-License-Identifier: Apache-2.0
"""The table of points of `multicurve`, configuration `fast`, and the digit scan and the fixed-base comb that take from
it, for programs on the simulator (docs/multicurve-programs.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pointmill.ucode.dual import ARRAY_BITS, DualEngine

TAKE_CYCLES = 3
"""From the word that takes an entry to the first one that can read it."""


BASE_WINDOW = 8
"""Width of the windows of a scalar of the base point whose multiples are kept."""

SCALAR_BITS = 544
"""Bits of a scalar."""

FIND_STEP = 16
"""Places without a digit that the walk passes at once on its way to the first one."""

Entries = dict[int, list[int]]
"""Points, or ratios, by place."""


def window(bits: int) -> int:
    """Width of the windows for a modulus of `bits` bits, of points of which no multiples are kept."""
    return 5 if bits <= ARRAY_BITS else 6


def window_digits(k: int, width: int) -> list[int]:
    """Signed digits of k >= 0, the highest first, from the place above its highest bit on: 0, or odd and below
    2^(width - 1) in magnitude, one of width + 1 in the mean.

    From the highest place on: the first one whose bit differs from the bit below opens a window of `width` places.
    Its value in units of its lowest place, of the differences between each bit below and the bit itself, is a digit
    times a power of two, which is the digit's place."""
    digits = [0] * (k.bit_length() + 1)
    place = k.bit_length()
    padded = k << width  # so that windows may reach below the lowest place
    while place >= 0:
        field_bits = padded >> place & (1 << (width + 1)) - 1
        top = field_bits >> width
        if top == field_bits >> (width - 1) & 1:
            place -= 1
            continue
        value = ((field_bits + 1) >> 1) - (top << width)
        zeros = (value & -value).bit_length() - 1
        digits[place - width + 1 + zeros] = value >> zeros
        place -= width
    return digits[::-1]


def finding_cycles(scalars: Sequence[int], widths: Sequence[int]) -> int:
    """Cycles from the load of one or two scalars to the one in which their first digit has been found."""
    walks = [window_digits(k, width) for k, width in zip(scalars, widths)]
    first = max((len(digits) - next(i for i, digit in enumerate(digits) if digit) for digits in walks if any(digits)),
                default=0)
    left, cycles = SCALAR_BITS + 1, 1
    while left > first:
        blank = left > FIND_STEP and all(k >> left - FIND_STEP - 1 == 0 for k in scalars)
        left, cycles = left - (FIND_STEP if blank else 1), cycles + 1
    return cycles


def window_operations(scalars: Sequence[int], width: int, kind: str,
                      kept: bool = False) -> Iterator[tuple[str, int, int]]:
    """The walker's operations for one or two scalars: name, number of the scalar whose digit it takes, digit or 0;
    `kind` is that of the curve (`m3`, `0`, `any`), `kept`: the first scalar is that of the base point, whose multiples
    are kept. At the end `walk_end`, or `walk_nothing` if there was no digit."""
    walks = [window_digits(k, BASE_WINDOW if kept and not i else width) for i, k in enumerate(scalars)]
    places = max(map(len, walks))
    columns = list(zip(*([0] * (places - len(digits)) + digits for digits in walks), strict=True))
    begun = False
    rest = iter(range(places))
    for i in rest:
        taken = [(number, digit) for number, digit in enumerate(columns[i]) if digit]
        for which, (number, digit) in enumerate(taken):
            name = "also" if which else "add" if begun else "set"
            name += "_base" if kept and number == 0 else ""
            begun = True
            yield f"walk_{name}_{kind}", number, digit
        if begun and not taken:
            pair = i + 1 < places and not any(columns[i + 1])
            yield f"walk_{'pair' if pair else 'double'}_{kind}", 0, 0
            if pair:
                next(rest)
    yield "walk_end" if begun else "walk_nothing", 0, 0


PLACES = 128
"""Places that the table can count."""


class Table:
    """Entries of two points and ratios by place, the place at which programs write and take, what was taken last.
    `part` says whose entries are written. `base` are the multiples of the base point, if they are kept; a job that
    loads a curve (`loading`) writes them in place of the first point's."""

    def __init__(self, engine: DualEngine, width: int, base: Entries, kept: bool, loading: bool):
        self.engine, self.window, self.kept = engine, width, kept
        self.last = (1 << ((BASE_WINDOW if loading else width) - 2)) - 1
        self.entries: tuple[Entries, ...] = (base if kept or loading else {}, {})
        self.ratios: Entries = {}
        self.found = 0
        self.part = self.place = 0
        self.taken = (0, 0)

    def walk(self, scalars: Sequence[int], kind: str, loaded: int) -> Iterator[str]:
        """The operations for scalars that are loaded in the cycle `loaded`."""
        widths = (BASE_WINDOW if self.kept else self.window, self.window)
        self.found = loaded + finding_cycles(scalars, widths)
        return self._taking(window_operations(scalars, self.window, kind, self.kept))

    def _take(self, pairs: Entries, place: int, negative: bool = False) -> int:
        x, y = pairs.get(place, (0, 0))  # before the first place nothing is meant
        self.taken = (x, -y % self.engine.p if negative else y)
        self.engine.late_ready = self.engine.cycle + TAKE_CYCLES
        return 0

    def _taking(self, operations: Iterator[tuple[str, int, int]]) -> Iterator[str]:
        """The walker's operations; with a digit comes its multiple."""
        for operation, number, digit in operations:
            if digit:
                self._take(self.entries[number], abs(digit) // 2, digit < 0)
            yield operation

    def _move(self, place: int) -> int:
        self.place = place % PLACES
        return 0

    def _top(self) -> int:
        """The place behind the last."""
        return self.last + 1

    def _below(self) -> int:
        """Goes to the place before, and takes the entry there."""
        self._move(self.place - 1)
        return self._take(self.entries[self.part], self.place)

    def _entry(self, number: int, value: int) -> int:
        return self._put(self.entries[self.part], self.place, number, value)

    def _put(self, pairs: Entries, place: int, number: int, value: int) -> int:
        pairs.setdefault(place, [0, 0])[number] = value
        return 0

    def is_last(self) -> bool:
        """Whether the place is the last one."""
        return self.place == self.last

    def is_done(self) -> bool:
        """Whether it is before the first one."""
        return self.place == PLACES - 1

    def units(self) -> dict[str, Callable[[int, int], int]]:
        """The side units of a run."""
        return {
            "table_first": lambda *_: self._move(0),
            "table_up": lambda *_: self._move(self.place + 1),
            "table_top": lambda *_: self._move(self._top()),
            "entry_x": lambda value, _: self._entry(0, value),
            "entry_y": lambda value, _: self._entry(1, value),
            "ratio_x": lambda value, _: self._put(self.ratios, self.place, 0, value),
            "ratio_y": lambda value, _: self._put(self.ratios, self.place, 1, value),
            "take_below": lambda *_: self._below(),
            "take_ratio": lambda *_: self._take(self.ratios, self.place),
        }

    def conditions(self) -> dict[str, Callable[[int], bool]]:
        """What programs ask of the table and of the walk."""
        return {
            "table_last": lambda _: self.is_last(),
            "table_done": lambda _: self.is_done(),
            "walk_ready": lambda cycle: cycle >= self.found,
            "base_kept": lambda _: self.kept,
        }

    def inputs(self) -> dict[str, Callable[[int], int]]:
        """External values."""
        return {"tx": lambda _: self.taken[0], "ty": lambda _: self.taken[1]}


TEETH = 8
"""Teeth of the comb; 2^(TEETH - 1) multiples of the base point."""

CHUNK = 32
"""Entries that become affine by one inversion."""


@dataclass(frozen=True)
class Comb:
    """The comb for an order n of `bits` bits; `teeth` may be fewer than in the core, for toy curves."""

    bits: int
    teeth: int = TEETH

    @property
    def columns(self) -> int:
        """Columns, d: an even number, so that teeth d are at least as many digits as n has bits."""
        return 2 * -(-self.bits // (2 * self.teeth))

    @property
    def fits(self) -> bool:
        """Whether an addition can be exceptional in the last column alone."""
        return self.columns >= 4 and self.bits >= (self.teeth - 1) * self.columns + 4

    @property
    def entries(self) -> int:
        """Multiples in the table: the entry i is 2^((teeth - 1) d) + the sum of +-2^(j d), + where bit j of i is
        set."""
        return 1 << (self.teeth - 1)

    @property
    def chunk(self) -> int:
        """Entries that become affine at a time."""
        return min(CHUNK, self.entries)

    def multiple(self, index: int) -> int:
        """The multiple of the base point that an entry is."""
        signs = [1 if index >> j & 1 else -1 for j in range(self.teeth - 1)] + [1]
        return sum(sign << j * self.columns for j, sign in enumerate(signs))

    def order(self, place: int) -> int:
        """Index of the entry that is made as that of number `place`: from one to the next one tooth changes its
        sign."""
        return place ^ place >> 1 ^ self.entries - 1

    def step(self, place: int) -> tuple[int, bool]:
        """(tooth, whether it is subtracted) that is added twice to the entry before to make that of `place`, from 1
        on."""
        tooth = (place & -place).bit_length() - 1
        return tooth, not self.order(place) >> tooth & 1

    def digits(self, scalar: int, turned: bool = False) -> Iterator[tuple[int, bool]]:
        """(index, whether its negative is added) for each column, the last one first, of an odd scalar below
        2^(teeth columns): its digit of weight 2^i is 1 where bit i + 1 is set, and the highest one is 1. Of an even
        scalar those of the odd one above; turned: those of its negative."""
        d, top = self.columns, self.teeth - 1
        bits = scalar >> 1 | 1 << self.teeth * d - 1
        for column in reversed(range(d)):
            signs = [bits >> column + j * d & 1 for j in range(self.teeth)]
            yield sum((sign == signs[top]) << j for j, sign in enumerate(signs[:top])), turned == bool(signs[top])


class CombTable(Table):
    """The table with a comb of the base point beside what the others have. A job on a secret scalar takes from it
    column by column; one that loads a curve makes it, once the multiples are there, of the teeth doubled and then entry
    by entry."""

    def __init__(self, engine: DualEngine, width: int, base: Entries, kept: bool, loading: bool, comb: Comb,
                 multiples: Entries):  # fmt: skip
        super().__init__(engine, width, base, kept, loading)
        self.comb, self.multiples = comb, multiples
        self.columns = False
        """Places are columns."""
        self.chain = False
        """Places are entries in the order in which they are made."""
        self.steps: Entries = {}
        """Teeth doubled."""
        self.tooth = 0
        self.scalar, self.turned = 0, False

    def _begin(self) -> int:
        self.columns, self.tooth = True, 0
        return 0

    def _next_tooth(self) -> int:
        self.tooth += 1
        return 0

    def _begin_chain(self) -> int:
        self.columns, self.chain = False, True
        return self._move(0)

    def _take_step(self) -> int:
        tooth, negative = self.comb.step(self.place)
        return self._take(self.steps, tooth, negative)

    def _set(self, value: int, turned: bool) -> int:
        if not turned or self.scalar % 2 == 0:
            self.scalar, self.turned = value, turned
        self.columns = True
        return 0

    def _top(self) -> int:
        if self.chain:
            return (self.place | self.comb.chunk - 1) + 1
        return self.comb.columns if self.columns else super()._top()

    def _below(self) -> int:
        if not (self.columns or self.chain):
            return super()._below()
        self._move(self.place - 1)
        if self.chain:
            return self._take(self.multiples, self.comb.order(self.place))
        column = list(self.comb.digits(self.scalar, self.turned))[self.comb.columns - 1 - self.place]
        return self._take(self.multiples, *column)

    def _entry(self, number: int, value: int) -> int:
        if self.columns:
            return self._put(self.steps, self.tooth, number, value)
        return self._put(self.multiples, self.comb.order(self.place), number,
                         value) if self.chain else super()._entry(number, value)

    def is_last(self) -> bool:
        if self.columns:
            return self.place == 1
        return self.place == self.comb.entries - 1 if self.chain else super().is_last()

    def is_done(self) -> bool:
        if self.columns:
            return self.tooth == self.comb.teeth - 1
        return self.place % self.comb.chunk == self.comb.chunk - 1 if self.chain else super().is_done()

    def units(self) -> dict[str, Callable[[int, int], int]]:
        return super().units() | {
            "comb_scalar": lambda value, _: self._set(value, False),
            "comb_opposite": lambda value, _: self._set(value, True),
            "comb_begin": lambda *_: self._begin(),
            "next_tooth": lambda *_: self._next_tooth(),
            "comb_chain": lambda *_: self._begin_chain(),
            "take_step": lambda *_: self._take_step(),
        }
