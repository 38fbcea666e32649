# SPDX-License-Identifier: Apache-2.0
"""One request: items come in chunks, results go out in the same order, and both go on at the same time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

from ..api.calls import Outcome
from ..commands.lines import Item
from .batch import Batch, size_of
from .limits import Bucket
from .service import Service

Answer = tuple[Item, Outcome | None]
"""None: there was no job."""


@dataclass(frozen=True)
class Terms:
    """Of a request: who asks, how urgently, and until when (seconds from now, None: for ever)."""

    client: str
    bucket: Bucket
    priority: str = "normal"
    seconds: float | None = None


class _Chunk:
    """Items, and the batch of their jobs."""

    def __init__(self, items: list[Item], terms: Terms, expires: float | None) -> None:
        self.items = items
        calls = [item.job for item in items if _has_call(item)]
        self.size = sum(map(size_of, calls))
        self.batch = Batch(calls, terms.client, terms.priority, expires) if calls else None

    async def answers(self) -> list[Answer]:
        """All answers, as soon as they are there."""
        outcomes = iter(await self.batch.answers() if self.batch is not None else ())
        return [(item, next(outcomes) if _has_call(item) else None) for item in self.items]


def _has_call(item: Item) -> bool:
    """Whether there is something for a device to do. The plan of a curve operation may say itself why not."""
    return item.job is not None and not getattr(item.job, "refused", None)


class Exchange:
    """`start`, then iterate `answers`; `close` in any case."""

    def __init__(self, service: Service, terms: Terms, chunks: AsyncIterator[list[Item]], ahead: int | None = None
                 ) -> None:
        """ahead: bytes of jobs that are kept before their answers were taken, None: as many as there are."""
        self._service, self._terms, self._chunks = service, terms, chunks
        self._expires = None if terms.seconds is None else asyncio.get_running_loop().time() + terms.seconds
        self._ahead = ahead
        self._pending: deque[_Chunk] = deque()
        self._held = 0
        self._changed = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None
        self.counts: dict[str, int] = {}

    async def start(self, wait: bool = False) -> None:
        """Takes the first chunk. `TurnedAwayError` if nothing is accepted: only now can the client be told to come
        again. wait: for room and rate instead."""
        async for items in self._chunks:
            if wait:
                await self._take(items)
            else:
                self._terms.bucket.take(len(items))
                chunk = self._chunk(items)
                if chunk.batch is not None:
                    self._service.submit(chunk.batch)
                self._keep(chunk)
            break
        self._reader = asyncio.get_running_loop().create_task(self._read())

    def _chunk(self, items: list[Item]) -> _Chunk:
        chunk = _Chunk(items, self._terms, self._expires)
        self._service.metrics.malformed(sum(not _has_call(item) for item in items))
        return chunk

    def _keep(self, chunk: _Chunk) -> None:
        self._pending.append(chunk)
        self._held += chunk.size
        self._changed.set()

    async def _read(self) -> None:
        """The other chunks, each when there is room for it."""
        try:
            async for items in self._chunks:
                while self._ahead is not None and self._held >= self._ahead:
                    self._changed.clear()
                    await self._changed.wait()
                await self._take(items)
        finally:
            self._changed.set()

    async def _take(self, items: list[Item]) -> None:
        """A chunk, when there is room for it and the client's rate allows it, but not beyond the deadline."""
        chunk, begin = self._chunk(items), asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(self._expires):
                await self._terms.bucket.take_when_there(len(items))
                if chunk.batch is not None:
                    await self._service.submit_when_room(chunk.batch)
        except TimeoutError:
            if chunk.batch is not None:
                self._service.expire(chunk.batch, begin)
        self._keep(chunk)

    async def answers(self) -> AsyncIterator[list[Answer]]:
        """The answers in the order of the items. What ended the reading early is raised after the answers to all that
        was accepted."""
        assert self._reader is not None
        while True:
            while not self._pending:
                if self._reader.done():
                    self._reader.result()
                    return
                self._changed.clear()
                await self._changed.wait()
            chunk = self._pending[0]
            answers = await chunk.answers()
            self._pending.popleft()
            self._held -= chunk.size
            self._changed.set()
            for _, outcome in answers:
                reason = "malformed_job" if outcome is None else outcome.reason
                self.counts[reason] = self.counts.get(reason, 0) + 1
            yield answers

    async def close(self) -> None:
        """Ends it; what nobody will see is cancelled."""
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._reader
        for chunk in self._pending:
            if chunk.batch is not None:
                self._service.cancel(chunk.batch)
