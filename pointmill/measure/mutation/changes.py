# SPDX-License-Identifier: Apache-2.0
"""Small changes of a source text, and the text that holds many of them, of which a number chooses one at run time.

Offsets count bytes of the text.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """The expression or statement from `begin` to `end` becomes `new`. drop: a statement is left out; `new` is then
    what stands for it. what: the change in a few words."""

    begin: int
    end: int
    new: bytes
    what: str
    drop: bool = False


@dataclass(frozen=True)
class Form:
    """How a language chooses between two expressions, and leaves out a statement; {n}: the number of the change."""

    choice: str
    drop: str


def line_of(text: bytes, offset: int) -> int:
    """The line of an offset, from 1."""
    return text.count(b"\n", 0, offset) + 1


def planted(text: bytes, change: Change) -> bytes:
    """The text with one change alone."""
    return text[:change.begin] + change.new + text[change.end:]


def with_choices(text: bytes, numbered: Mapping[int, Change], form: Form) -> bytes:
    """The text in which the number n makes the change `numbered[n]`, and any other number none. Changes lie one inside
    the other or apart."""
    order = sorted(numbered.items(), key=lambda item: (item[1].begin, -item[1].end, item[0]))
    result, rest = _rendered(text, 0, len(text), order, form)
    assert not rest
    return result


def _rendered(text: bytes, begin: int, end: int, order: Sequence[tuple[int, Change]],
              form: Form) -> tuple[bytes, Sequence[tuple[int, Change]]]:
    """The text from `begin` to `end` with the changes of `order` that lie there, and the others."""
    parts, at = [], begin
    while order and order[0][1].end <= end:
        (number, change), *order = order
        parts.append(text[at:change.begin])
        inner, order = _rendered(text, change.begin, change.end, order, form)
        pattern = form.drop if change.drop else form.choice
        before, _, after = pattern.partition("{old}")
        parts += [before.replace("{n}", str(number)).replace("{new}", change.new.decode()).encode(), inner,
                  after.encode()]
        at = change.end
    parts.append(text[at:end])
    return b"".join(parts), order


def drawn(name: str, changes: Sequence[Change], count: int, seed: int) -> list[Change]:
    """A sample of `count` changes, or all, in the order of the text; `name` and `seed` decide which. A larger sample
    has a smaller one in it."""
    order = random.Random(f"{seed} {name}").sample(range(len(changes)), len(changes))
    return [changes[index] for index in sorted(order[:count])]


def distinct(changes: Iterable[Change]) -> list[Change]:
    """In the order of the text, each place and new text once."""
    found = {(one.begin, one.end, one.new): one for one in changes}
    return sorted(found.values(), key=lambda one: (one.begin, one.end, one.new))
