# SPDX-License-Identifier: Apache-2.0
"""HTTP: `POST /v1/<operation>` with JSON lines, health, metrics, status (Starlette)."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ..commands.lines import Item
from ..device import DEFAULT_RULE
from ..rules import RULES
from .batch import PRIORITIES
from .exchange import Answer, Exchange, Terms
from .limits import Limits
from .openapi import document
from .operations import OPERATIONS, Operation
from .service import Service
from .status import status
from .tracing import Tracer
from .turned_away import RefusedError, TurnedAwayError

CHUNK = 256
"""Items of a request that are accepted together."""
PAGE = Path(__file__).with_name("page.html")
JSON_LINES = [(b"content-type", b"application/x-ndjson")]


@dataclass(frozen=True)
class Options:
    """secrets: whether key agreement is served. max_body: bytes of a request. mark: further fields of every answer."""

    secrets: bool = False
    max_body: int = 16 << 20
    mark: dict[str, Any] | None = None


STATUS = {"full": 429, "rate": 429, "draining": 503, "unserved": 501, "token": 401, "header": 400, "rule": 400,
          "operation": 404, "secret": 403, "size": 413}
"""Status of a request by the cause for which it is turned away."""


class GoneError(Exception):
    """The client has gone."""


class Body:
    """The lines of a request as items, in chunks."""

    def __init__(self, receive: Receive, operation: Operation, rule: str, most: int) -> None:
        """most: bytes."""
        self._receive, self._operation, self._rule, self._most = receive, operation, rule, most
        self._index = 0
        self._ended = asyncio.Event()

    async def gone(self) -> None:
        """Until the client has gone, which can be told once its request has ended."""
        await self._ended.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def _items(self, lines: list[bytes]) -> list[Item]:
        """Items of lines; blank ones count for the index only."""
        items = []
        for line in lines:
            if line.strip():
                items.append(self._operation.parse(line, self._index, self._rule))
            self._index += 1
        return items

    async def chunks(self) -> AsyncIterator[list[Item]]:
        """Until the body ends. `RefusedError` for one that is too long, `GoneError`."""
        rest, size, more = b"", 0, True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise GoneError
            data = message.get("body", b"")
            size += len(data)
            if size > self._most:
                raise RefusedError("size", f"the request has more than {self._most} bytes")
            more = message.get("more_body", False)
            *lines, rest = (rest + data).split(b"\n")
            if not more:
                lines.append(rest)
                self._ended.set()
            for start in range(0, len(lines), CHUNK):
                if items := self._items(lines[start:start + CHUNK]):
                    yield items


class Jobs:
    """The ASGI endpoint of an operation."""

    def __init__(self, service: Service, limits: Limits, options: Options, tracer: Tracer, log: Any) -> None:
        self._service, self._limits, self._options = service, limits, options
        self._tracer, self._log = tracer, log

    def _terms(self, scope: Scope, headers: Headers) -> Terms:
        """`RefusedError` for headers that are wrong, or a client that must not ask."""
        client = self._limits.client(headers.get("authorization"), scope.get("state", {}).get("tls_name"),
                                     (scope.get("client") or ("local",))[0])
        if client is None:
            raise RefusedError("token", "a token is asked for")
        priority = headers.get("pointmill-priority", "normal")
        if priority not in PRIORITIES:
            raise RefusedError("header", f"Pointmill-Priority is none of {', '.join(PRIORITIES)}")
        seconds = None
        if (text := headers.get("pointmill-timeout-ms")) is not None:
            if not text.isdecimal() or len(text) > 9:
                raise RefusedError("header", "Pointmill-Timeout-Ms is no number of milliseconds")
            seconds = int(text) / 1000
        return Terms(client, self._limits.bucket(client), priority, seconds)

    def _operation(self, request: Request) -> Operation:
        operation = OPERATIONS.get(request.path_params["operation"])
        if operation is None:
            raise RefusedError("operation", f"operations are {', '.join(OPERATIONS)}")
        if operation.secret and not self._options.secrets:
            raise RefusedError("secret", "operations with a secret operand are not served")
        return operation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        request, response = Request(scope), Answers(send)
        begin, status, exchange, client = time.monotonic(), 200, None, ""
        with self._tracer.span("pointmill.request", path=request.url.path) as span:
            try:
                operation = self._operation(request)
                terms = self._terms(scope, request.headers)
                client = terms.client
                rule = request.query_params.get("rule", DEFAULT_RULE)
                if rule not in RULES:
                    raise RefusedError("rule", f"rule is none of {', '.join(RULES)}")
                length = request.headers.get("content-length", "0")
                if length.isdecimal() and int(length) > self._options.max_body:
                    raise RefusedError("size", f"the request has more than {self._options.max_body} bytes")
                body = Body(receive, operation, rule, self._options.max_body)
                exchange = Exchange(self._service, terms, body.chunks())
                await exchange.start()
                await self._while_there(body, self._respond(exchange, operation, response))
            except TurnedAwayError as error:
                status = STATUS[error.cause]
                self._service.metrics.away(error.cause)
                if not response.begun:  # otherwise it is cut short, which the client sees
                    await _refuse(error, scope, receive, send)
            except (GoneError, OSError):
                status = 499
            finally:
                if exchange is not None:
                    await exchange.close()
            counts = exchange.counts if exchange is not None else {}
            span.set_attributes({"pointmill.status": status, "pointmill.jobs": sum(counts.values())})
        self._log("request", path=request.url.path, client=client, status=status, reasons=counts,
                  seconds=round(time.monotonic() - begin, 6))

    @staticmethod
    async def _while_there(body: Body, work: Coroutine[Any, Any, None]) -> None:
        """Does some work; `GoneError` as soon as the client has gone."""
        loop = asyncio.get_running_loop()
        working, gone = loop.create_task(work), loop.create_task(body.gone())
        try:
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise GoneError
            working.result()
        finally:
            working.cancel()
            gone.cancel()
            await asyncio.gather(working, gone, return_exceptions=True)

    async def _respond(self, exchange: Exchange, operation: Operation, response: Answers) -> None:
        """The answers."""
        mark = self._options.mark or {}

        def text(answers: list[Answer]) -> bytes:
            return "".join(json.dumps(operation.record(*answer) | mark) + "\n" for answer in answers).encode()

        async for answers in exchange.answers():
            await response.write(text(answers))
        await response.write(b"", more=False)


class Answers:
    """The response with the answers."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def write(self, data: bytes, more: bool = True) -> None:
        """Its next part."""
        if not self.begun:
            self.begun = True
            await self._send({"type": "http.response.start", "status": 200, "headers": JSON_LINES})
        await self._send({"type": "http.response.body", "body": data, "more_body": more})


async def _refuse(error: TurnedAwayError, scope: Scope, receive: Receive, send: Send) -> None:
    """The response of a request that was turned away."""
    headers = {} if error.seconds is None else {"retry-after": str(max(1, math.ceil(error.seconds)))}
    if error.cause == "token":
        headers["www-authenticate"] = "Bearer"
    record = {"error": error.cause, "detail": str(error)}
    await JSONResponse(record, STATUS[error.cause], headers)(scope, receive, send)


def application(service: Service, limits: Limits, options: Options, tracer: Tracer, log: Any) -> Starlette:
    """The application."""
    def allowed(request: Request) -> bool:
        state = request.scope.get("state", {})
        return limits.client(request.headers.get("authorization"), state.get("tls_name"), "local") is not None

    async def healthz(request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(request: Request) -> Response:
        return PlainTextResponse("ready\n") if service.ready else PlainTextResponse("not ready\n", 503)

    async def metrics(request: Request) -> Response:
        if not allowed(request):
            return PlainTextResponse("a token is asked for\n", 401)
        return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def state(request: Request) -> Response:
        if not allowed(request):
            return PlainTextResponse("a token is asked for\n", 401)
        return JSONResponse(status(service, options.mark or {}))

    async def page(request: Request) -> Response:
        return FileResponse(PAGE, headers={"content-security-policy":
                                           "default-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"})

    async def openapi(request: Request) -> Response:
        return JSONResponse(document(options.secrets))

    return Starlette(routes=[
        Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics), Route("/", page),
        Route("/openapi.json", openapi), Route("/v1/status", state),
        Route("/v1/{operation}", Jobs(service, limits, options, tracer, log), methods=["POST"])])
