# SPDX-License-Identifier: Apache-2.0
"""The gRPC server: a stream of jobs and verdicts, and batches (grpcio)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import grpc
from grpc import aio

from ..commands.lines import Item
from .batch import PRIORITIES, core_of
from .exchange import Exchange, Terms
from .limits import Limits
from .messages import is_secret, item_of, verdict_of
from .method_names import METHODS, SERVICE
from .pb import pointmill_pb2 as pb
from .service import Service
from .turned_away import RefusedError, TurnedAwayError

CHUNK = 256
AHEAD = 2 << 20
"""Bytes of jobs of a stream that are kept before their verdicts were sent."""


CODES = {"full": grpc.StatusCode.RESOURCE_EXHAUSTED, "rate": grpc.StatusCode.RESOURCE_EXHAUSTED,
         "draining": grpc.StatusCode.UNAVAILABLE, "unserved": grpc.StatusCode.UNIMPLEMENTED,
         "token": grpc.StatusCode.UNAUTHENTICATED, "header": grpc.StatusCode.INVALID_ARGUMENT,
         "secret": grpc.StatusCode.PERMISSION_DENIED}
"""Status of a call by the cause for which it is turned away."""


def _chunks(jobs: list[pb.Job]) -> list[list[Item]]:
    """Items of messages, in their order, each chunk for one core."""
    found = []
    items = [item_of(job) for job in jobs]
    for _, run in groupby(items, lambda item: core_of(item.job) if item.job is not None else None):
        together = list(run)
        found += [together[start:start + CHUNK] for start in range(0, len(together), CHUNK)]
    return found


class Verifier:
    """The methods of the service of pointmill.proto. secrets: whether key agreement is served. mark: `device` of every
    message with verdicts."""

    def __init__(self, service: Service, limits: Limits, secrets: bool, mark: str, log: Any) -> None:
        self._service, self._limits = service, limits
        self._secrets, self._mark, self._log = secrets, mark, log

    def _terms(self, context: Any) -> Terms:
        """`RefusedError` for a client that must not ask, or wrong metadata."""
        metadata = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
        names = context.auth_context().get("x509_common_name", [])
        peer = context.peer().rpartition(":")[0] or "local"
        client = self._limits.client(metadata.get("authorization"), names[0].decode() if names else None, peer)
        if client is None:
            raise RefusedError("token", "a token is asked for")
        priority = metadata.get("pointmill-priority", "normal")
        if priority not in PRIORITIES:
            text = f"pointmill-priority is none of {', '.join(PRIORITIES)}"
            raise RefusedError("header", text)
        return Terms(client, self._limits.bucket(client), priority, context.time_remaining())

    def _items(self, message: pb.Jobs) -> list[list[Item]]:
        if not self._secrets and any(is_secret(job) for job in message.jobs):
            text = "operations with a secret operand are not served"
            raise RefusedError("secret", text)
        return _chunks(list(message.jobs))

    async def _exchange(self, context: Any, messages: AsyncIterator[pb.Jobs], wait: bool
                        ) -> AsyncIterator[list[pb.Verdict]]:
        """Verdicts of messages. wait: for room, instead of an error where there is none for the first jobs."""
        async def chunks() -> AsyncIterator[list[Item]]:
            async for message in messages:
                for items in self._items(message):
                    yield items

        begin, exchange, code = time.monotonic(), None, grpc.StatusCode.OK
        terms = None
        try:
            terms = self._terms(context)
            exchange = Exchange(self._service, terms, chunks(), AHEAD if wait else None)
            await exchange.start(wait)
            async for answers in exchange.answers():
                yield [verdict_of(*answer) for answer in answers]
        except TurnedAwayError as error:
            code = CODES[error.cause]
            self._service.metrics.away(error.cause)
            await context.abort(code, str(error))
        except BaseException:
            code = grpc.StatusCode.CANCELLED
            raise
        finally:
            if exchange is not None:
                await exchange.close()
            self._log("call", client=terms.client if terms else "", status=code.name,
                      reasons=exchange.counts if exchange else {}, seconds=round(time.monotonic() - begin, 6))

    async def verify(self, messages: AsyncIterator[pb.Jobs], context: Any) -> AsyncIterator[pb.Verdicts]:
        """A stream of jobs and verdicts."""
        async for verdicts in self._exchange(context, messages, True):
            yield pb.Verdicts(verdicts=verdicts, device=self._mark)

    async def verify_batch(self, message: pb.Jobs, context: Any) -> pb.Verdicts:
        """A batch."""
        async def once() -> AsyncIterator[pb.Jobs]:
            yield message

        found = pb.Verdicts(device=self._mark)
        async for verdicts in self._exchange(context, once(), False):
            found.verdicts.extend(verdicts)
        return found


Kind = Callable[..., grpc.RpcMethodHandler]
_KINDS: dict[str, Kind] = {"Verify": grpc.stream_stream_rpc_method_handler,
                           "VerifyBatch": grpc.unary_unary_rpc_method_handler}


def server_of(verifier: Verifier, address: str, max_bytes: int, calls: int, tls: Any = None
              ) -> tuple[aio.Server, Callable[[], Awaitable[None]], str]:
    """The server, what starts it, and where it listens. address: "HOST:PORT" or "unix:PATH". max_bytes: of a message.
    calls: at the same time. tls: `runner.Tls`. `OSError` for an address that cannot be listened at."""
    server = aio.server(maximum_concurrent_rpcs=calls, options=[
        ("grpc.max_receive_message_length", max_bytes), ("grpc.max_send_message_length", -1), ("grpc.so_reuseport", 0)])
    methods = {"Verify": verifier.verify, "VerifyBatch": verifier.verify_batch}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {
        name: _KINDS[name](methods[name], request_deserializer=pb.Jobs.FromString,
                           response_serializer=pb.Verdicts.SerializeToString) for name in METHODS}),))
    try:
        if tls is None:
            port = server.add_insecure_port(address)
        else:
            pair = [(Path(tls.key).read_bytes(), Path(tls.certificate).read_bytes())]
            ca = Path(tls.ca).read_bytes() if tls.ca else None
            port = server.add_secure_port(address, grpc.ssl_server_credentials(pair, ca, tls.ca is not None))
    except RuntimeError as error:
        raise OSError(str(error)) from None
    bound = address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"
    return server, server.start, bound
