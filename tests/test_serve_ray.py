# SPDX-License-Identifier: Apache-2.0
"""`pointmill serve --ray`: replicas of Ray Serve on this machine, which end in the middle, and of which there are more
under load."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from pointmill import cli
from pointmill.fleet.replicas import Device
from pointmill.serve.client import Client
from serve_jobs import body, pool, reasons
from serve_process import SECONDS, Server, descendants, until

REPLICA = "ray::ServeReplica:pointmill-edverify"
LONG = pytest.mark.long


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Two replicas at most; a group of 40 takes 0.4 s there, without a processor."""
    with Server("--ray", "--devices", "2", "--grpc", "127.0.0.1:0", "--group", "40", "--settings", "mhz=1.5",
                seconds=5 * SECONDS) as running:
        yield running.wait_ready()
        assert running.stop() == 0
        assert running.events("ended")[0]["aborted"] == 0
        until(lambda: not descendants(running.process.pid, "ray::"), "Ray has ended")


def asked(server: Server, number: int, count: int, found: dict[int, bool]) -> threading.Thread:
    """A client that sends lines of the pool, at work; whether their answers are right goes into `found`."""
    def ask() -> None:
        lines, expected = body(count, first=number)
        response, answer = server.request("POST", "/v1/verify", lines)
        found[number] = response.status == 200 and reasons(answer) == expected

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


@LONG
def test_a_killed_replica_costs_no_job(server: Server) -> None:
    """Four clients get every answer; the service is ready again."""
    found: dict[int, bool] = {}
    threads = [asked(server, number, 200, found) for number in range(4)]
    until(lambda: json.loads(server.request("GET", "/v1/status")[1])["answered"] > 40, "some are answered")
    killed = descendants(server.process.pid, REPLICA)
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), True)
    assert {event["cause"] for event in server.events("device_failed")} == {"process_ended"}
    assert server.request("GET", "/readyz")[0].status == 200
    state = json.loads(server.request("GET", "/v1/status")[1])
    assert state["accepted"] == 760 and state["answered"] == 800
    assert not set(killed) & set(descendants(server.process.pid, REPLICA))


@LONG
def test_more_replicas_under_load(server: Server) -> None:
    """And gRPC beside it; the metrics say how many there are."""
    found: dict[int, bool] = {}
    threads = []
    jobs = [line for line in pool() if line.job is not None]
    with Client(server.bound["grpc"]) as client:
        while len(descendants(server.process.pid, REPLICA)) < 2:
            assert len(threads) < 100, "no second replica"
            threads.append(asked(server, len(threads), 200, found))
            verdicts = client.verify_many([line.job for line in jobs if line.job])
            assert [verdict.reason for verdict in verdicts] == [line.reason for line in jobs]
    until(lambda: b'pointmill_replicas{core="edverify"} 2.0' in server.request("GET", "/metrics")[1], "there are two")
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(len(threads)), True)
    assert server.events("replicas")[-1]["edverify"] == 2


@LONG
def test_a_deadline_is_no_fault_of_a_replica(server: Server) -> None:
    before = len(server.events("device_failed"))
    response, answer = server.request("POST", "/v1/verify", body(400)[0], Pointmill_Timeout_Ms="300")
    assert response.status == 200 and reasons(answer).count("deadline_exceeded") > 200
    lines, expected = body(20)
    assert reasons(server.request("POST", "/v1/verify", lines)[1]) == expected
    assert len(server.events("device_failed")) == before


# --------------------------------------------------------------------------------------- without Ray


def test_a_replica_stops_what_is_cancelled() -> None:
    """And goes on with the next group."""
    device = Device(("edverify", None, "model", "", None))
    jobs = [line.job for line in pool() if line.job is not None]
    expected = [line.reason for line in pool() if line.job is not None]
    many = jobs * 2000

    async def main() -> float:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(device.run(many, None), 0.1)
        begin = time.monotonic()
        assert [outcome.reason for outcome in await device.run(jobs, "single")] == expected
        return time.monotonic() - begin

    assert device.modes() == ("single",) and asyncio.run(main()) < 1


def test_no_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "--device", "model", "--http", "127.0.0.1:0", "--ray", "127.0.0.1:1"]) == 2
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["reason"] == "device_error"
