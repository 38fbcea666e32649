# SPDX-License-Identifier: Apache-2.0
"""Jobs that came together: each gets exactly one result, and the batch is done when all have theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from ..api.calls import Call, Outcome
from ..curve_device import CurveResult
from ..device import Job, Result, SecretJob

PRIORITIES = ("high", "normal", "low")
DEADLINE, CANCELLED, ABORTED = "deadline_exceeded", "cancelled", "aborted"
"""Reasons that the service gives in place of a core."""


def without_result(call: Call, reason: str) -> Outcome:
    """The outcome of a call that no core has answered."""
    if isinstance(call, Job):
        return Result(call.tag, False, reason, call.rule or 0, 0)
    if isinstance(call, SecretJob):
        return Result(call.tag, False, reason, 0, 0)
    return CurveResult(None, reason)


def core_of(call: Call) -> str:
    """The core that a call needs."""
    return "edverify" if isinstance(call, Job | SecretJob) else "multicurve"


class Batch:
    """Calls for one core, from one client. For the thread of the event loop alone."""

    def __init__(self, calls: Sequence[Call], client: str = "", priority: str = "normal",
                 expires: float | None = None) -> None:
        """priority: of PRIORITIES. expires: time of the event loop after which nobody wants the answers."""
        self.calls = calls
        self.core = core_of(calls[0])
        self.client = client
        self.priority = PRIORITIES.index(priority)
        self.expires = expires
        self.accepted = 0.0
        """Time of the event loop at which the service took it."""
        self.taken = 0
        """Calls handed to devices, from the first on."""
        self.size = sum(size_of(call) for call in calls)
        self.over = False
        """Whether it was ended before all answers came."""
        self._outcomes: list[Outcome | None] = [None] * len(calls)
        self._left = len(calls)
        self.done: asyncio.Future[list[Outcome]] = asyncio.get_running_loop().create_future()

    def __len__(self) -> int:
        return len(self.calls)

    async def answers(self) -> list[Outcome]:
        """All outcomes, when they are there. That who waits is cancelled does not end the batch."""
        return await asyncio.shield(self.done)

    def answer(self, index: int, outcome: Outcome) -> bool:
        """Takes the answer to a call; False if it has one already, which stays."""
        if self._outcomes[index] is not None:
            return False
        self._outcomes[index] = outcome
        self._left -= 1
        if not self._left and not self.done.done():
            self.done.set_result([found for found in self._outcomes if found is not None])
        return True

    def end(self, reason: str) -> list[Outcome]:
        """Answers all calls that have no answer; these answers."""
        self.over = True
        given = []
        for index, call in enumerate(self.calls):
            if self._outcomes[index] is None:
                outcome = without_result(call, reason)
                self.answer(index, outcome)
                given.append(outcome)
        return given


def size_of(call: Call) -> int:
    """Bytes that a call keeps in memory, about."""
    return 512 + (len(call.msg) if isinstance(call, Job | SecretJob) else 0)


Places = list[tuple[Batch, int]]


class Group:
    """Calls that a device takes together, of any batches. attempts: how often a device failed with it."""

    def __init__(self, places: Places, attempts: int = 0) -> None:
        self.places = places
        self.attempts = attempts

    def __len__(self) -> int:
        return len(self.places)

    @property
    def calls(self) -> list[Call]:
        """In the order of the places."""
        return [batch.calls[index] for batch, index in self.places]

    @property
    def batches(self) -> set[Batch]:
        """Those that calls are of."""
        return {batch for batch, _ in self.places}

    def wanted(self) -> Group:
        """What of it is still wanted."""
        return Group([place for place in self.places if not place[0].over], self.attempts)

    def halves(self) -> list[Group]:
        """The two halves of a group on which a device failed, so that one call cannot fail all others; of a single
        call it is the call again."""
        if len(self) == 1:
            return [Group(self.places, self.attempts + 1)]
        half = len(self) // 2
        return [Group(self.places[:half]), Group(self.places[half:])]


def reasons_of(outcomes: Sequence[Any]) -> dict[str, int]:
    """How many outcomes have each reason."""
    found: dict[str, int] = {}
    for outcome in outcomes:
        found[outcome.reason] = found.get(outcome.reason, 0) + 1
    return found
