# SPDX-License-Identifier: Apache-2.0
"""The service beside the bare functional device, and latency against offered load.

`overhead`: processor time a job, of the program and of its devices, beside that of the functional device without a
service, and bytes a job on the network. Time of processors does not depend on what else runs, but for shared caches; of
several rounds the least counts.

`load`: requests of some jobs arrive at random (exponential distances, seeded), whether the ones before have their
results or not. The device is paced by a clock, and sleeps most of its time, so that latencies are those of its queue;
they are given in times that the device takes for the jobs of one request.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.resources import ROOT

PACKAGES = ("PyNaCl", "grpcio", "httptools", "protobuf", "starlette", "uvicorn", "uvloop")
CLIENTS, JOBS, ROUNDS, GROUP = 4, 5000, 3, 256
"""Of `overhead`: clients, jobs of each, rounds, jobs that a device takes together."""
LOADS = (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.3, 1.6, 2.0)
"""Offered jobs a second in parts of what the service reaches."""
RATE, REQUEST, QUEUE, SECONDS = 2000, 16, 1024, 8
"""Of `load`: jobs a second of the paced device in full groups, jobs of a request, jobs that may wait, seconds of each
load."""


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on."""
    package = ROOT / "pointmill"
    return Inputs((), [Path(__file__), *sorted((package / "serve").glob("*.py")), package / "serve" / "pointmill.proto",
                       *sorted((package / "functional").glob("*.py")), package / "api" / "worker.py",
                       package / "commands" / "lines.py"], one.name)


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the run."""
    about = ({"clients": CLIENTS, "jobs": CLIENTS * JOBS, "rounds": ROUNDS, "group": GROUP}
             if one.words[0] == "overhead" else
             {"jobs_per_second": RATE, "request": REQUEST, "queue": QUEUE, "seconds": SECONDS})
    return {**about, "python": platform.python_version()}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what the service is made of."""
    return {name: version(name) for name in PACKAGES}


def signatures(count: int) -> list[Any]:
    """Valid ones of short messages, by as many keys."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from pointmill.device import Job

    found = []
    for index in range(count):
        key, message = Ed25519PrivateKey.from_private_bytes(index.to_bytes(32, "big")), b"message %6d" % index
        found.append(Job(key.public_key().public_bytes_raw(), message, key.sign(message), None, index))
    return found


class Served:
    """A running service; its addresses and processes."""

    def __init__(self, process: subprocess.Popen[str], devices: int) -> None:
        """`RuntimeError` if it ends before so many devices are ready."""
        self.process = process
        self.pids: list[int] = []
        self.bound: dict[str, str] = {}
        assert process.stderr is not None
        while len(self.pids) < devices or not self.bound:
            if not (line := process.stderr.readline()):
                raise RuntimeError("the service has ended")
            event = json.loads(line)
            if event["event"] == "device_ready":
                self.pids.append(event["pid"])
            if event["event"] == "listening":
                self.bound = event

    def spent(self) -> tuple[float, float]:
        """Seconds of processors that the program has taken, and its devices."""
        ticks = os.sysconf("SC_CLK_TCK")

        def of(pid: int) -> float:
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            return (int(words[11]) + int(words[12])) / ticks

        return of(self.process.pid), sum(map(of, self.pids))


@contextmanager
def served(*words: str, devices: int) -> Iterator[Served]:
    """A service of functional devices."""
    command = [sys.executable, "-m", "pointmill.cli", "serve", "--device", "model", "--http", "127.0.0.1:0", "--grpc",
               "127.0.0.1:0", "--devices", str(devices), *words]
    with (subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process,
          ThreadPoolExecutor(1) as reader):
        try:
            found = Served(process, devices)
            assert process.stderr is not None
            reader.submit(process.stderr.read)  # a full pipe would stop it
            yield found
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


# ---- overhead


def _by_http(address: str, lines: bytes, jobs: list[Any]) -> None:
    """`RuntimeError` unless all are valid."""
    connection = HTTPConnection(address)
    connection.request("POST", "/v1/verify", lines)
    if connection.getresponse().read().count(b'"reason": "ok"') != len(jobs):
        raise RuntimeError("a signature is not valid, or has no verdict")
    connection.close()


def _by_grpc(address: str, lines: bytes, jobs: list[Any]) -> None:
    """`RuntimeError` unless all are valid."""
    from pointmill.serve.client import Client

    with Client(address) as client:
        if sum(verdict.valid for verdict in client.verify_stream(jobs)) != len(jobs):
            raise RuntimeError("a signature is not valid")


WAYS: dict[str, Callable[[str, bytes, list[Any]], None]] = {"http": _by_http, "grpc": _by_grpc}


def _lines(jobs: list[Any]) -> bytes:
    return "".join(json.dumps({"pk": job.pk.hex(), "msg": job.msg.hex(), "sig": job.sig.hex()}) + "\n"
                   for job in jobs).encode()


def _bare(jobs: list[Any]) -> float:
    """Seconds of the processor that the functional device takes alone."""
    from pointmill.functional.device import FunctionalDevice

    device, begin = FunctionalDevice(), time.process_time()
    for start in range(0, len(jobs), GROUP):
        if not all(result.valid for result in device.verify_batch(jobs[start:start + GROUP])):
            raise RuntimeError("a signature is not valid")
    return time.process_time() - begin


def _bytes(jobs: list[Any], lines: bytes) -> dict[str, float]:
    """Bytes a job that a client sends."""
    from pointmill.serve.client import CHUNK, message_of
    from pointmill.serve.pb import pointmill_pb2 as pb

    message = pb.Jobs(jobs=[message_of(job, "ref10_bytes", job.tag) for job in jobs[:CHUNK]])
    return {"http": len(lines) / len(jobs), "grpc": len(message.SerializeToString()) / CHUNK}


def overhead() -> list[Record]:
    """Microseconds of processors a job."""
    jobs = signatures(JOBS)
    lines, count = _lines(jobs), CLIENTS * JOBS
    least: dict[tuple[str, str], float] = {}

    def keep(way: str, what: str, seconds: float, of: int) -> None:
        least[way, what] = min(least.get((way, what), float("inf")), 1e6 * seconds / of)

    with served("--group", str(GROUP), devices=2) as service, ThreadPoolExecutor(CLIENTS) as pool:
        for name, ask in WAYS.items():
            ask(service.bound[name], lines, jobs)  # what is done once
        for _ in range(ROUNDS):
            keep("bare", "device_us", _bare(jobs), JOBS)
            for name, ask in WAYS.items():
                before = service.spent()
                list(pool.map(lambda _, ask=ask, name=name: ask(service.bound[name], lines, jobs), range(CLIENTS)))
                program, device = (after - once for after, once in zip(service.spent(), before, strict=True))
                keep(name, "program_us", program, count)
                keep(name, "device_us", device, count)
    size = _bytes(jobs, lines)
    return [*(Record(f"serve.{way}", "model", what, round(value, 1), "us") for (way, what), value in least.items()),
            *(Record(f"serve.{way}", "model", "request_bytes", round(value, 1), "bytes")
              for way, value in size.items())]


# ---- load


class _Load:
    """A client of a service by batches of jobs that are all valid, each of which is asked for once."""

    def __init__(self, address: str, jobs: list[Any]) -> None:
        from grpc import aio

        from pointmill.serve.client import message_of
        from pointmill.serve.method_names import BATCH
        from pointmill.serve.pb import pointmill_pb2 as pb

        self.size = len(jobs)
        self._message = pb.Jobs(jobs=[message_of(job, "ref10_bytes", job.tag) for job in jobs]).SerializeToString()
        self._channel = aio.insecure_channel(address)
        self._call = self._channel.unary_unary(BATCH, response_deserializer=pb.Verdicts.FromString)

    async def ask(self) -> bool:
        """Whether it was served, and not turned away; `RuntimeError` for a wrong verdict."""
        import grpc

        try:
            found = await self._call(self._message)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise RuntimeError(str(error.details())) from None
            return False
        if [verdict.valid for verdict in found.verdicts] != [True] * self.size:
            raise RuntimeError("a signature is not valid, or has no verdict")
        return True

    async def close(self) -> None:
        await self._channel.close()


async def _alone(address: str) -> float:
    """Seconds of a request at a service that has nothing else to do, the least of some."""
    client, least = _Load(address, signatures(REQUEST)), float("inf")
    for _ in range(20):
        begin = time.perf_counter()
        await client.ask()
        least = min(least, time.perf_counter() - begin)
    await client.close()
    return least


async def _reached(address: str) -> float:
    """Jobs a second with full groups all the time."""
    client = _Load(address, signatures(GROUP))
    end = asyncio.get_running_loop().time() + SECONDS

    async def again() -> int:
        asked = 0
        while asyncio.get_running_loop().time() < end:
            asked += await client.ask()
        return asked

    begin = time.perf_counter()
    asked = sum(await asyncio.gather(*(again() for _ in range(QUEUE // GROUP))))
    await client.close()
    return asked * GROUP / (time.perf_counter() - begin)


async def _offered(address: str, rate: float, seed: int) -> tuple[list[float], int]:
    """Latencies of the requests that were served, of so many jobs a second, and how many requests were turned away."""
    client, loop, rng = _Load(address, signatures(REQUEST)), asyncio.get_running_loop(), random.Random(seed)
    begin, at = loop.time() + 0.1, 0.0
    latencies: list[float] = []

    async def one(due: float) -> bool:
        await asyncio.sleep(due - loop.time())
        if served := await client.ask():
            latencies.append(loop.time() - due)
        return served

    asked = []
    while (at := at + rng.expovariate(rate / REQUEST)) < SECONDS:
        asked.append(one(begin + at))
    away = (await asyncio.gather(*asked)).count(False)
    await client.close()
    return sorted(latencies), away


def load() -> list[Record]:
    """Latencies at each load, and what is served."""
    from pointmill.functional.cycles import cycles_of

    cycles = cycles_of("throughput", "ref10_bytes")
    mhz = RATE * cycles.run(GROUP) / GROUP / 1e6
    own = cycles.run(REQUEST) / (mhz * 1e6)
    with served("--group", str(GROUP), "--queue", str(QUEUE), "--settings", f"mhz={mhz:.4f}", devices=1) as service:
        address = service.bound["grpc"]
        alone, reached = asyncio.run(_alone(address)), asyncio.run(_reached(address))
        found = [Record("serve.load", "model", "alone", round(alone / own, 3), "ratio"),
                 Record("serve.load", "model", "reached", round(reached / RATE, 3), "ratio")]
        for place, part in enumerate(LOADS):
            latencies, away = asyncio.run(_offered(address, part * reached, place))
            count = len(latencies)
            for what, value in (("latency_p50", latencies[count // 2] / own),
                                ("latency_p99", latencies[99 * count // 100] / own),
                                ("served", count / (count + away))):
                found.append(Record(f"serve.load_{part:.1f}", "model", what, round(value, 3), "ratio"))
    return found


def run(one: Measurement) -> list[Record]:
    """The figures."""
    return {"overhead": overhead, "load": load}[one.words[0]]()
