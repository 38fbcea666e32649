# SPDX-License-Identifier: Apache-2.0
"""Many jobs, one in twenty malformed, from two clients over HTTP and two over gRPC, while devices are killed: every job
has one result, that of the golden model, and the service keeps no memory."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import grpc
import pytest

from pointmill.serve.method_names import STREAM
from pointmill.serve.pb import pointmill_pb2 as pb
from serve_jobs import body, pool, reasons
from serve_process import Server, until

JOBS = int(os.environ.get("PM_SOAK_JOBS", "100000"))
CLIENTS, REQUEST, KILL_SECONDS = 4, 2500, 2.0
"""Jobs of a request over HTTP at most."""
MOST_MIB = 48
"""By which the memory of the program may grow after its first half."""


def by_http(server: Server, first: int, count: int) -> int:
    """Requests with so many lines of the pool from one on; how many were answered as they should be."""
    right = 0
    for start in range(0, count, REQUEST):
        lines, expected = body(min(REQUEST, count - start), first=first + start)
        response, answer = server.request("POST", "/v1/verify", lines)
        found = reasons(answer)
        assert response.status == 200 and len(found) == len(expected)
        right += sum(map(str.__eq__, found, expected))
    return right


def messages(first: int, count: int) -> Iterator[pb.Job]:
    """So many lines of the pool from one on; what is no job has a wrong rule set."""
    for number in range(count):
        line = pool()[(first + number) % len(pool())]
        job = pb.Ed25519(rule="none") if line.job is None else pb.Ed25519(
            public_key=line.job.pk, message=line.job.msg, signature=line.job.sig, rule=str(line.job.rule))
        yield pb.Job(id=number, ed25519=job)


def by_grpc(server: Server, first: int, count: int) -> int:
    """The same in one stream."""
    jobs, right, seen = messages(first, count), 0, 0
    with grpc.insecure_channel(server.bound["grpc"]) as channel:
        stream = channel.stream_stream(STREAM, pb.Jobs.SerializeToString, pb.Verdicts.FromString)
        for message in stream(iter(lambda: pb.Jobs(jobs=islice(jobs, 100)), pb.Jobs())):
            for verdict in message.verdicts:
                assert verdict.id == seen and verdict.valid == (verdict.reason == "ok")
                right += verdict.reason == pool()[(first + seen) % len(pool())].reason
                seen += 1
    assert seen == count
    return right


def mebibytes(pid: int) -> float:
    """Of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / (1 << 20)


@pytest.mark.parametrize("count", [pytest.param(10_000, marks=pytest.mark.long),
                                   pytest.param(JOBS, marks=pytest.mark.soak, id="soak")])
def test_load_and_killed_devices(count: int) -> None:
    each = count // CLIENTS
    with Server("--devices", "2", "--grpc", "127.0.0.1:0", "--settings", "mhz=4") as server:
        server.wait_ready(2)
        right: dict[int, int] = {}

        def client(number: int, ask: Callable[[Server, int, int], int]) -> threading.Thread:
            def work() -> None:
                right[number] = ask(server, 11 * number, each)

            thread = threading.Thread(target=work)
            thread.start()
            return thread

        def state() -> dict[str, int]:
            found: dict[str, int] = json.loads(server.request("GET", "/v1/status")[1])
            return found

        threads = [client(number, (by_http, by_grpc)[number % 2]) for number in range(CLIENTS)]
        killed: set[int] = set()
        half, whole = 0.0, 0.0
        while any(thread.is_alive() for thread in threads):
            newest = server.events("device_ready")[-1]["pid"]
            if newest not in killed:
                os.kill(newest, signal.SIGKILL)
                killed.add(newest)
            threads[0].join(KILL_SECONDS) if threads[0].is_alive() else threads[1].join(KILL_SECONDS)
            whole = max(whole, mebibytes(server.process.pid))
            half = whole if state()["answered"] < count / 2 else half
        for thread in threads:
            thread.join()
        assert right == dict.fromkeys(range(CLIENTS), each), "not every job has its answer"
        until(lambda: state()["answered"] == CLIENTS * each, "all are counted once")
        causes = [event["cause"] for event in server.events("device_failed")]
        assert len(killed) >= 2 and causes.count("process_ended") >= 1
        print(f"\n{CLIENTS * each} jobs, {len(killed)} devices killed, {half:.0f} and {whole:.0f} MiB", flush=True)
        assert half and whole - half < MOST_MIB
        assert server.stop() == 0 and server.events("ended")[0]["aborted"] == 0
