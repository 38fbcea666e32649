# SPDX-License-Identifier: Apache-2.0
"""The bounded queue: jobs that wait, by core and priority, clients in turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

from ..device import Job
from .batch import PRIORITIES, Batch, Group, Places
from .turned_away import FullError

QUANTUM = 64
"""Jobs that a client gets at most before it is the turn of the next one of the same priority."""


class _Waiting:
    """What waits for one core."""

    def __init__(self) -> None:
        self.again: deque[Group] = deque()
        self.clients: list[OrderedDict[str, deque[Batch]]] = [OrderedDict() for _ in PRIORITIES]
        self.jobs = [0] * len(PRIORITIES)
        self.arrived = asyncio.Event()


class Backlog:
    """For the thread of the event loop alone. jobs, size: at most so many jobs and bytes wait."""

    def __init__(self, jobs: int, size: int) -> None:
        self.capacity, self.size_capacity = jobs, size
        self.waiting = 0
        self.size = 0
        self._cores: dict[str, _Waiting] = {}
        self._room = asyncio.Event()
        self._room.set()

    def _of(self, core: str) -> _Waiting:
        return self._cores.setdefault(core, _Waiting())

    def by_priority(self) -> dict[str, int]:
        """Jobs that wait."""
        return {name: sum(core.jobs[level] for core in self._cores.values()) for level, name in enumerate(PRIORITIES)}

    def fits(self, batch: Batch) -> bool:
        """Whether there is room; for a batch that is larger than all there is, once nothing waits."""
        fits = self.waiting + len(batch) <= self.capacity and self.size + batch.size <= self.size_capacity
        return fits or not self.waiting

    async def room(self, batch: Batch) -> None:
        """Waits until a batch fits."""
        while not self.fits(batch):
            self._room.clear()
            await self._room.wait()

    def put(self, batch: Batch) -> None:
        """Takes a batch; `FullError` if there is no room for it."""
        if not self.fits(batch):
            raise FullError
        core = self._of(batch.core)
        core.clients[batch.priority].setdefault(batch.client, deque()).append(batch)
        self._count(batch, len(batch), batch.size)
        core.arrived.set()

    def put_again(self, groups: list[Group]) -> None:
        """Takes groups that a device has given back; they come before all others, and there is always room."""
        for group in groups:
            core = self._of(group.places[0][0].core)
            core.again.append(group)
            core.arrived.set()

    def _count(self, batch: Batch, jobs: int, size: int) -> None:
        self._of(batch.core).jobs[batch.priority] += jobs
        self.waiting += jobs
        self.size += size
        if jobs < 0:
            self._room.set()

    def remove(self, batch: Batch) -> None:
        """Forgets what still waits of a batch that is over."""
        core = self._of(batch.core)
        queue = core.clients[batch.priority].get(batch.client)
        if queue is not None and batch in queue:
            queue.remove(batch)
            if not queue:
                del core.clients[batch.priority][batch.client]
            self._count(batch, batch.taken - len(batch), -batch.size)

    async def take(self, core: str, most: int, devices: int) -> Group:
        """The next calls for a device, in the order of priorities: its share of what waits, of `most` at most."""
        waiting = self._of(core)
        while True:
            while waiting.again:
                if group := waiting.again.popleft().wanted():
                    return group
            if total := sum(waiting.jobs):
                return Group(self._pick(waiting, min(most, max(1, -(-total // devices)))))
            waiting.arrived.clear()
            await waiting.arrived.wait()

    def _pick(self, waiting: _Waiting, most: int) -> Places:
        places: Places = []
        for clients in waiting.clients:
            while clients and len(places) < most:
                client, queue = clients.popitem(last=False)
                self._pick_of(queue, min(QUANTUM, most - len(places)), places)
                if queue:
                    clients[client] = queue  # at the end: the others come first
        return places

    def _pick_of(self, queue: deque[Batch], most: int, places: Places) -> None:
        """Moves calls of one client."""
        while queue and most:
            batch = queue[0]
            count = min(most, len(batch) - batch.taken)
            places += [(batch, batch.taken + i) for i in range(count)]
            batch.taken += count
            most -= count
            whole = batch.taken == len(batch)
            self._count(batch, -count, -batch.size if whole else 0)
            if whole:
                queue.popleft()


REPEATED = 4
"""Jobs a key, in the mean, from which cached keys pay: a table is loaded for each."""


def arranged(group: Group, modes: tuple[str, ...]) -> tuple[Group, str | None]:
    """The group in the order in which the device should see it, and the mode for it; None where there are no modes.

    modes: what the device has. Jobs with the same keys take cached keys, ordered by key; other groups of some size
    batches, which the core forms of the jobs under cofactored rule sets; the rest is verified individually. Key
    agreements among the jobs leave the mode as it is.
    """
    calls = group.calls
    jobs = [call for call in calls if isinstance(call, Job)]
    if len(modes) < 2 or len(jobs) < len(calls):
        return group, None
    if "cached" in modes and len(jobs) >= REPEATED * len({job.pk for job in jobs}):
        order = sorted(range(len(jobs)), key=lambda index: jobs[index].pk)
        return Group([group.places[index] for index in order], group.attempts), "cached"
    return group, "batch" if "batch" in modes and len(jobs) >= 2 * REPEATED else "single"
