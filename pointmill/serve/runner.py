# SPDX-License-Identifier: Apache-2.0
"""Runs the service in this process until SIGTERM or SIGINT: starts it, serves, drains, ends."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .grpc_server import Verifier, server_of
from .http import Options, application
from .limits import Limits
from .log import Log
from .service import Plan, Service
from .tracing import Tracer

SEND_SECONDS = 5.0
"""That responses have to go out, once all jobs have their results."""
WATCH_SECONDS = 1.0
"""Between looks at the number of replicas."""


@dataclass(frozen=True)
class Tls:
    """Files in PEM. ca: of the certificates that clients must have, None where they need none."""

    certificate: str
    key: str
    ca: str | None = None


@dataclass(frozen=True)
class Addresses:
    """Where to listen: "HOST:PORT" or "unix:PATH", None for not at all."""

    http: str | None
    grpc: str | None = None
    tls: Tls | None = None


@dataclass(frozen=True)
class Settings:
    """Of the whole program. drain_seconds: how long accepted jobs have to be answered after the signal. replicas: gives
    the number of them by core, where devices are replicas."""

    plan: Plan
    addresses: Addresses
    options: Options = field(default_factory=Options)
    rate: float | None = None
    tokens: dict[str, str] = field(default_factory=dict)
    drain_seconds: float = 30.0
    requests: int = 256
    tracer: Tracer = field(default_factory=Tracer)
    replicas: Callable[[], dict[str, int]] | None = None


def common_name(certificate: dict[str, Any] | None) -> str | None:
    """The common name of a certificate's subject, as `SSLSocket.getpeercert` gives it."""
    for part in (certificate or {}).get("subject", ()):
        for name, value in part:
            if name == "commonName":
                return str(value)
    return None


class _Protocol(HttpToolsProtocol):
    """Tells the application whose certificate the client has."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        secured = transport.get_extra_info("ssl_object")
        if secured is not None and (name := common_name(secured.getpeercert())):
            self.app_state = {**self.app_state, "tls_name": name}


class _Server(uvicorn.Server):
    """Leaves signals to the program."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def http_server(settings: Settings, service: Service, limits: Limits, log: Log) -> uvicorn.Server:
    """The HTTP server, not started."""
    where: dict[str, Any] = {}
    if (tls := settings.addresses.tls) is not None:
        where = {"ssl_certfile": tls.certificate, "ssl_keyfile": tls.key}
        if tls.ca is not None:
            where |= {"ssl_ca_certs": tls.ca, "ssl_cert_reqs": ssl.CERT_REQUIRED}
    app = application(service, limits, settings.options, settings.tracer, log)
    return _Server(uvicorn.Config(app, **where, http=_Protocol, loop="none", lifespan="off", ws="none",
                                  log_config=None, access_log=False, server_header=False,
                                  limit_concurrency=settings.requests, timeout_keep_alive=30))


def _bound(found: socket.socket, where: Any) -> socket.socket:
    """A socket, bound there; closed if it cannot be."""
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(where)
    except OSError:
        found.close()
        raise
    return found


def bound_socket(address: str) -> socket.socket:
    """A socket that is bound to "HOST:PORT" or "unix:PATH"; `OSError`, with the address."""
    try:
        if address.startswith("unix:"):
            return _bound_unix(Path(address.removeprefix("unix:")))
        host, _, port = address.rpartition(":")
        family, kind, protocol, _, where = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)[0]
        return _bound(socket.socket(family, kind, protocol), where)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), address) from None


def _is_heard(path: Path) -> bool:
    """Whether somebody listens there."""
    with socket.socket(socket.AF_UNIX) as found:
        found.setblocking(False)
        try:
            found.connect(str(path))
        except ConnectionRefusedError:
            return False
        except BlockingIOError:
            pass  # more connections wait than it has taken
        return True


def _bound_unix(path: Path) -> socket.socket:
    """That of a path, also of one that a service left when it was killed."""
    if path.is_socket():
        if _is_heard(path):
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        path.unlink()
    return _bound(socket.socket(socket.AF_UNIX), str(path))


async def _listening(server: uvicorn.Server, task: asyncio.Task[None]) -> None:
    """Until it listens; what stopped it before is raised."""
    while not server.started:
        if task.done():
            task.result()
            raise OSError("the HTTP server does not listen")
        await asyncio.sleep(0.01)


def _name(listening: socket.socket) -> str:
    """Where it listens, with the port that it was given."""
    name = listening.getsockname()
    return f"unix:{name}" if isinstance(name, str) else f"{name[0]}:{name[1]}"


async def _watch(service: Service, replicas: Callable[[], dict[str, int]], log: Log) -> None:
    """Keeps the number of replicas, and logs when it changes."""
    while True:
        found = await asyncio.to_thread(replicas)
        if found != service.replicas:
            service.replicas = found
            log("replicas", **found)
        await asyncio.sleep(WATCH_SECONDS)


async def _end(server: uvicorn.Server, task: asyncio.Task[None]) -> None:
    """Ends the HTTP server: no client keeps it, whether it does not end its request or does not take its response."""
    server.should_exit = True
    await asyncio.wait({task}, timeout=SEND_SECONDS)
    for connection in list(server.server_state.connections):
        connection.transport.abort()
    await task


async def _serve(settings: Settings, log: Log) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    service = Service(settings.plan, log)
    limits = Limits(settings.rate, settings.tokens)
    service.start()
    watching = loop.create_task(_watch(service, settings.replicas, log)) if settings.replicas is not None else None
    server, task, bound = None, None, {}
    if settings.addresses.http is not None:
        listening = bound_socket(settings.addresses.http)
        bound["http"] = _name(listening)
        server = http_server(settings, service, limits, log)
        task = loop.create_task(server.serve([listening]))
        await _listening(server, task)
    calls = None
    if settings.addresses.grpc is not None:
        mark = (settings.options.mark or {}).get("device", "")
        verifier = Verifier(service, limits, settings.options.secrets, mark, log)
        calls, begin, bound["grpc"] = server_of(verifier, settings.addresses.grpc, settings.options.max_body,
                                                settings.requests, settings.addresses.tls)
        await begin()
    log("listening", **bound)
    await stop.wait()
    log("draining", jobs=sum(map(len, service.open_batches)))
    aborted = await service.drain(settings.drain_seconds)
    ends = [calls.stop(SEND_SECONDS)] if calls is not None else []
    if server is not None and task is not None:
        ends.append(_end(server, task))
    await asyncio.gather(*ends)
    if watching is not None:
        watching.cancel()
    await service.close()
    log("ended", accepted=sum(service.metrics.jobs_accepted.values()), aborted=aborted)
    return 1 if aborted else 0


def run(settings: Settings) -> int:
    """Exit code 0 if every accepted job was answered by a device, a deadline or its client's leaving; 1 if some were
    `aborted` at the end. `OSError` for an address that cannot be listened at."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_serve(settings, Log()))
