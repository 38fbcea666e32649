# SPDX-License-Identifier: Apache-2.0
"""The service behind all transports: takes batches, has devices work on them, gives each job exactly one result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..api.calls import Outcome
from .backlog import Backlog
from .batch import ABORTED, CANCELLED, DEADLINE, Batch, Group, without_result
from .device_loop import DeviceLoop, Opener
from .metrics import Metrics
from .turned_away import DrainingError, FullError, UnservedError

RETRIES = 2
"""Devices that a single job may fail after the first one; then it is `aborted`."""


@dataclass(frozen=True)
class Plan:
    """What a service consists of. devices: `open_engine` arguments of each. most: jobs that a device takes together.
    queue_jobs, queue_bytes: what may wait. opener: of the devices, where they are not processes of this machine."""

    devices: tuple[tuple[Any, ...], ...]
    most: int = 256
    queue_jobs: int = 16384
    queue_bytes: int = 64 << 20
    opener: Opener | None = None


class Service:
    """For the thread of the event loop alone."""

    def __init__(self, plan: Plan, observe: Callable[..., None] = lambda event, **fields: None) -> None:
        """observe: called with the name of an event and its fields, for the log."""
        self.plan = plan
        self.metrics = Metrics(self)
        self.backlog = Backlog(plan.queue_jobs, plan.queue_bytes)
        self.draining = False
        self.replicas: dict[str, int] = {}
        """By core, where devices are replicas."""
        self.open_batches: set[Batch] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        cores = [arguments[0] for arguments in plan.devices]
        self.devices = [DeviceLoop(f"{arguments[0]}-{index}", arguments, self.backlog, most=plan.most,
                                   devices=cores.count(arguments[0]), deliver=self._deliver,
                                   give_back=self._give_back, observe=observe, opener=plan.opener)
                        for index, arguments in enumerate(plan.devices)]
        self.cores = frozenset(cores)

    def start(self) -> None:
        """Opens all devices, without waiting for them."""
        for device in self.devices:
            device.start()

    @property
    def ready(self) -> bool:
        """Whether jobs are taken and a device works on them."""
        return not self.draining and any(device.state in ("idle", "busy") for device in self.devices)

    # ---- jobs

    def _admit(self, batch: Batch) -> None:
        if self.draining:
            raise DrainingError
        if batch.core not in self.cores:
            raise UnservedError(batch.core)

    def submit(self, batch: Batch) -> None:
        """Accepts a batch, whose future then has all answers; `FullError`, `DrainingError`, `UnservedError`."""
        self._admit(batch)
        self.backlog.put(batch)
        loop = asyncio.get_running_loop()
        batch.accepted = loop.time()
        self.open_batches.add(batch)
        self._idle.clear()
        self.metrics.accepted(batch)
        timer = loop.call_at(batch.expires, self._end, batch, DEADLINE) if batch.expires is not None else None

        def close(_: asyncio.Future[list[Outcome]]) -> None:
            if timer is not None:
                timer.cancel()
            self.open_batches.discard(batch)
            if not self.open_batches:
                self._idle.set()

        batch.done.add_done_callback(close)

    async def submit_when_room(self, batch: Batch) -> None:
        """Accepts a batch as soon as there is room."""
        while True:
            self._admit(batch)
            try:
                return self.submit(batch)
            except FullError:
                await self.backlog.room(batch)

    def expire(self, batch: Batch, begin: float) -> None:
        """Answers a batch for which there was no room by its deadline. begin: when it came."""
        batch.accepted = begin
        self.metrics.accepted(batch)
        self.metrics.answered(batch, batch.end(DEADLINE))

    def cancel(self, batch: Batch) -> None:
        """The client has gone: what has no answer gets `cancelled`, and devices stop working on it."""
        self._end(batch, CANCELLED)

    def _end(self, batch: Batch, reason: str) -> None:
        if batch.done.done():
            return
        self.backlog.remove(batch)
        self.metrics.answered(batch, batch.end(reason))
        for device in self.devices:
            group = device.group
            if group is not None and all(other.over for other in group.batches):
                device.cancel(group)

    def _deliver(self, group: Group, outcomes: list[Outcome]) -> None:
        given: dict[Batch, list[Outcome]] = {}
        for (batch, index), outcome in zip(group.places, outcomes, strict=True):
            if batch.answer(index, outcome):
                given.setdefault(batch, []).append(outcome)
        self.metrics.group(len(group))
        for batch, answers in given.items():
            self.metrics.answered(batch, answers)

    def _give_back(self, group: Group) -> None:
        """What a failed device did not answer is done anew, until it has failed too often."""
        wanted = group.wanted()
        if not wanted.places:
            return
        parts = wanted.halves()
        if parts[0].attempts > RETRIES:
            ((batch, index),) = parts[0].places
            outcome = without_result(batch.calls[index], ABORTED)
            if batch.answer(index, outcome):
                self.metrics.answered(batch, [outcome])
            return
        self.backlog.put_again(parts)

    # ---- ending

    async def drain(self, seconds: float) -> int:
        """Takes no more jobs and waits until all are answered; after so many seconds the rest is `aborted`. How many
        these were."""
        self.draining = True
        aborted = 0
        try:
            await asyncio.wait_for(self._idle.wait(), seconds)
        except TimeoutError:
            for batch in list(self.open_batches):
                self.backlog.remove(batch)
                answers = batch.end(ABORTED)
                aborted += len(answers)
                self.metrics.answered(batch, answers)
        return aborted

    async def close(self) -> None:
        """Ends all devices."""
        await asyncio.gather(*(device.stop() for device in self.devices))
