# SPDX-License-Identifier: Apache-2.0
"""Who may ask, and how much: tokens, and a rate for each client."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import time
from collections import OrderedDict
from pathlib import Path

from ..errors import InputError
from .turned_away import RateError

CLIENTS = 10_000
"""Buckets that are kept; the one unused for longest goes, and would be full again by then."""
_LINE = re.compile(r"([\w.@-]+)\s+([0-9a-f]{64})")


class Bucket:
    """Jobs a client may still send: at most a second's worth at once. rate: jobs a second, None for any."""

    def __init__(self, rate: float | None) -> None:
        self._rate = rate
        self._left = rate or 0.0
        self._at = time.monotonic()

    def _missing(self, jobs: int) -> float:
        """Seconds until there are enough; of more than a second's worth, until the bucket is full."""
        if self._rate is None:
            return 0.0
        now = time.monotonic()
        self._left = min(self._rate, self._left + (now - self._at) * self._rate)
        self._at = now
        return max(0.0, (min(jobs, self._rate) - self._left) / self._rate)

    def take(self, jobs: int) -> None:
        """Takes them; `RateError` if they are not there."""
        if seconds := self._missing(jobs):
            raise RateError(seconds)
        self._left -= jobs if self._rate is not None else 0

    async def take_when_there(self, jobs: int) -> None:
        """Takes them as soon as they are there."""
        while seconds := self._missing(jobs):
            await asyncio.sleep(seconds)
        self._left -= jobs if self._rate is not None else 0


class Limits:
    """Tokens and rates. tokens: names of clients by the SHA-256 of their token, empty where none is asked for."""

    def __init__(self, rate: float | None = None, tokens: dict[str, str] | None = None) -> None:
        self._rate = rate
        self._tokens = tokens or {}
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def bucket(self, client: str) -> Bucket:
        """That of a client."""
        bucket = self._buckets.pop(client, None) or Bucket(self._rate)
        self._buckets[client] = bucket
        if len(self._buckets) > CLIENTS:
            self._buckets.popitem(last=False)
        return bucket

    def client(self, authorization: str | None, certificate: str | None, peer: str) -> str | None:
        """The name of a client by its token, if tokens are asked for, or by its certificate, or by its address; None
        for one that must not ask."""
        if not self._tokens:
            return certificate or peer
        scheme, _, token = (authorization or "").partition(" ")
        digest = hashlib.sha256(token.encode()).hexdigest()
        found = None
        for known, name in self._tokens.items():  # all of them, in the same time
            if hmac.compare_digest(known, digest):
                found = name
        return found if scheme.lower() == "bearer" else None


def read_tokens(path: Path) -> dict[str, str]:
    """Names by digest of a file of lines `NAME SHA256`; `InputError` for another line, so that no token is lost by a
    slip."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            if not (match := _LINE.fullmatch(line.strip())):
                raise InputError(f"{path}:{number}: not a name and the SHA-256 of a token in hex")
            found[match[2]] = match[1]
    if not found:
        raise InputError(f"{path}: no token")
    return found
