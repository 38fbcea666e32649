# SPDX-License-Identifier: Apache-2.0
"""Clients of `pointmill serve` by gRPC, one that waits and one for asyncio.

    with Client("127.0.0.1:50051") as client:
        verdicts = client.verify_many(jobs)

A verification may be asked for again, so calls that are turned away are tried again for a while. Everything else that
goes wrong is a `ServiceError`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Self

import grpc
from grpc import aio

from ..api.operations import Signed, job_of
from ..api.results import Verdict
from ..device import DEFAULT_RULE, Job, Rule
from ..errors import InputError, PointmillError
from ..rules import find_rule
from .method_names import BATCH, STREAM
from .pb import pointmill_pb2 as pb

CHUNK, CHUNK_BYTES = 256, 256 << 10
"""Jobs of one message of a stream, and bytes of their messages, after which it ends."""
_AGAIN = {"methodConfig": [{"name": [{"service": "pointmill.v1.Verifier", "method": "VerifyBatch"}], "retryPolicy": {
    "maxAttempts": 5, "initialBackoff": "0.1s", "maxBackoff": "5s", "backoffMultiplier": 3,
    "retryableStatusCodes": ["RESOURCE_EXHAUSTED", "UNAVAILABLE"]}}]}


class ServiceError(PointmillError):
    """A call failed. code: name of the gRPC status."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


@dataclass(frozen=True)
class ServedVerdict(Verdict):
    """A verdict of the service. device: "model" if the functional device gave it, which is not the RTL."""

    device: str = ""
    error: str = ""

    def __bool__(self) -> bool:
        return self.valid


@dataclass(frozen=True)
class Security:
    """ca: certificates, in PEM, by one of which the server is known; None for a connection without TLS. certificate,
    key: those of the client. token: of the client."""

    ca: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None
    token: str | None = None

    def channel_credentials(self) -> Any:
        """For a channel; None without TLS."""
        if self.ca is None:
            return None
        return grpc.ssl_channel_credentials(self.ca, self.key, self.certificate)


def message_of(item: Signed, rule: Rule, number: int) -> pb.Job:
    """The message of a verification; `InputError` for one that is none."""
    job = job_of(item)
    try:
        name = find_rule(rule if job.rule is None else job.rule).name
    except KeyError as error:
        raise InputError(str(error)) from None
    return pb.Job(id=number, ed25519=pb.Ed25519(public_key=job.pk, message=job.msg, signature=job.sig, rule=name))


def cut(items: Iterable[Signed]) -> Iterator[list[Job]]:
    """Jobs in chunks for the messages of a stream."""
    chunk, size = [], 0
    for item in items:
        job = job_of(item)
        chunk.append(job)
        size += len(job.msg)
        if len(chunk) == CHUNK or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _verdict(verdict: pb.Verdict, device: str, tag: Any) -> ServedVerdict:
    return ServedVerdict(verdict.valid, verdict.reason, verdict.cycles, verdict.rule, tag, device, verdict.error)


class _Expected:
    """Jobs that were sent and have no verdict."""

    def __init__(self) -> None:
        self._numbers = count()
        self._tags: dict[int, Any] = {}
        self.failure: Exception | None = None
        """What ended the items of a stream. gRPC would hide it behind the failure of the call."""

    def messages(self, items: Iterable[Signed], rule: Rule) -> pb.Jobs:
        """A message with these jobs."""
        jobs = pb.Jobs()
        for item in items:
            number = next(self._numbers)
            jobs.jobs.append(message_of(item, rule, number))
            self._tags[number] = getattr(item, "tag", None)
        return jobs

    def stream(self, items: Iterable[Signed], rule: Rule) -> Iterator[pb.Jobs]:
        """Messages with these jobs, up to the first that is none."""
        try:
            for chunk in cut(items):
                yield self.messages(chunk, rule)
        except Exception as error:
            self.failure = error

    async def stream_of(self, items: AsyncIterable[Signed], rule: Rule) -> AsyncIterator[pb.Jobs]:
        """The same, each job as soon as it is there."""
        try:
            async for item in items:
                yield self.messages([item], rule)
        except Exception as error:
            self.failure = error

    def verdicts(self, found: pb.Verdicts) -> Iterator[ServedVerdict]:
        """Of a message; `ServiceError` for one that nobody asked for."""
        for verdict in found.verdicts:
            if verdict.id not in self._tags or verdict.valid != (verdict.reason == "ok"):
                raise ServiceError("INTERNAL", f"verdict {verdict.id} fits no job")
            yield _verdict(verdict, found.device, self._tags.pop(verdict.id))

    def none_left(self) -> None:
        """`ServiceError` if a job has no verdict; what ended the items early is raised again."""
        if self.failure is not None:
            raise self.failure
        if self._tags:
            raise ServiceError("INTERNAL", f"{len(self._tags)} jobs have no verdict")


def _metadata(security: Security, priority: str) -> list[tuple[str, str]]:
    token = [("authorization", f"Bearer {security.token}")] if security.token is not None else []
    return [*token, ("pointmill-priority", priority)]


def _opened(module: Any, target: str, security: Security) -> Any:
    """A channel of `grpc` or `grpc.aio`."""
    options = [("grpc.service_config", json.dumps(_AGAIN)), ("grpc.max_receive_message_length", -1)]
    credentials = security.channel_credentials()
    if credentials is None:
        return module.insecure_channel(target, options=options)
    return module.secure_channel(target, credentials, options=options)


def _methods(channel: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The batch and the stream of a channel."""
    how = {"request_serializer": pb.Jobs.SerializeToString, "response_deserializer": pb.Verdicts.FromString}
    return channel.unary_unary(BATCH, **how), channel.stream_stream(STREAM, **how)


class Client:
    """A connection; a context manager, for any number of threads."""

    def __init__(self, target: str, security: Security = Security(), *,
                 priority: str = "normal", timeout: float | None = None) -> None:
        """target: "HOST:PORT" or "unix:PATH". priority: "high", "normal" or "low". timeout: seconds for each call."""
        self._channel = _opened(grpc, target, security)
        self._batch, self._stream = _methods(self._channel)
        self._how: dict[str, Any] = {"metadata": _metadata(security, priority), "timeout": timeout}

    def verify_many(self, items: Iterable[Signed], *, rule: Rule = DEFAULT_RULE) -> list[ServedVerdict]:
        """Verdicts in the order of the items. rule: of those without one of their own."""
        expected = _Expected()
        try:
            found = list(expected.verdicts(self._batch(expected.messages(items, rule), **self._how)))
        except grpc.RpcError as error:
            raise ServiceError(error.code().name, error.details()) from None
        expected.none_left()
        return found

    def verify_stream(self, items: Iterable[Signed], *, rule: Rule = DEFAULT_RULE) -> Iterator[ServedVerdict]:
        """The same of a stream of any length, which is read as fast as the service takes it. What `items` raises, and
        `InputError` for one that is no verification, comes after the verdicts of all that was sent before."""
        expected = _Expected()
        call = self._stream(expected.stream(items, rule), **self._how)
        try:
            for message in call:
                yield from expected.verdicts(message)
        except grpc.RpcError as error:
            raise ServiceError(error.code().name, error.details()) from None
        finally:
            call.cancel()
        expected.none_left()

    def close(self) -> None:
        """Ends the connection."""
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient:
    """The same for asyncio."""

    def __init__(self, target: str, security: Security = Security(), *,
                 priority: str = "normal", timeout: float | None = None) -> None:
        """As `Client`."""
        self._channel = _opened(aio, target, security)
        self._batch, self._stream = _methods(self._channel)
        self._how: dict[str, Any] = {"metadata": _metadata(security, priority), "timeout": timeout}

    async def verify_many(self, items: Iterable[Signed], *, rule: Rule = DEFAULT_RULE) -> list[ServedVerdict]:
        """As `Client.verify_many`."""
        expected = _Expected()
        try:
            found = list(expected.verdicts(await self._batch(expected.messages(items, rule), **self._how)))
        except aio.AioRpcError as error:
            raise ServiceError(error.code().name, error.details() or "") from None
        expected.none_left()
        return found

    async def verify_stream(self, items: AsyncIterable[Signed] | Iterable[Signed], *, rule: Rule = DEFAULT_RULE
                            ) -> AsyncIterator[ServedVerdict]:
        """As `Client.verify_stream`; items may come asynchronously, each is sent as soon as it is there."""
        expected = _Expected()

        sent = (expected.stream_of(items, rule) if isinstance(items, AsyncIterable) else expected.stream(items, rule))
        call = self._stream(sent, **self._how)
        try:
            async for message in call:
                for verdict in expected.verdicts(message):
                    yield verdict
        except aio.AioRpcError as error:
            raise ServiceError(error.code().name, error.details() or "") from None
        finally:
            call.cancel()
        expected.none_left()

    async def close(self) -> None:
        """Ends the connection."""
        await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
