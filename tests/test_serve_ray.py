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
NOT_ALIVE_AFTER = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 1000,
                   "health_check_timeout_ms": 1000, "health_check_failure_threshold": 5}  # fmt: skip
LONG = pytest.mark.long


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Two replicas at most; a group of 40 takes some 0.3 s there, without a processor."""
    with Server("--ray", "--devices", "2", "--grpc", "127.0.0.1:0", "--group", "40", "--settings", "mhz=0.3",
                seconds=5 * SECONDS) as running:
        yield running.wait_ready()
        assert running.stop() == 0
        assert running.events("ended")[0]["aborted"] == 0
        until(lambda: not descendants(running.process.pid, "ray::"), "Ray has ended")


def asked(server: Server, number: int, count: int, found: dict[int, bool]) -> threading.Thread:
    """A client that sends lines of the pool, at work; whether their answers are right goes into `found`."""
    def ask() -> None:
        before, found[number] = found.get(number, True), False
        lines, expected = body(count, first=number)
        response, answer = server.request("POST", "/v1/verify", lines)
        found[number] = before and response.status == 200 and reasons(answer) == expected

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


@LONG
def test_a_killed_replica_costs_no_job(server: Server) -> None:
    """Four clients get every answer; the service is ready again."""
    found: dict[int, bool] = {}
    threads = [asked(server, number, 200, found) for number in range(4)]
    until(lambda: json.loads(server.request("GET", "/v1/status")[1])["answered"] > 40, "some are answered")
    killed: set[int] = set()
    while any(thread.is_alive() for thread in threads):
        if not server.events("device_failed"):  # until one is killed that has jobs
            for pid in set(descendants(server.process.pid, REPLICA)) - killed:
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        time.sleep(1)
    assert found == dict.fromkeys(range(4), True)
    causes = {event["cause"] for event in server.events("device_failed")}
    assert "process_ended" in causes and causes <= {"process_ended", "open"}
    assert server.request("GET", "/readyz")[0].status == 200
    state = json.loads(server.request("GET", "/v1/status")[1])
    assert state["accepted"] == 760 and state["answered"] == 800
    assert killed and not killed & set(descendants(server.process.pid, REPLICA))


@LONG
def test_more_replicas_under_load(server: Server) -> None:
    """Four clients, and one of gRPC, until there are two; the metrics say so."""
    jobs = [line for line in pool() if line.job is not None]
    found: dict[int, bool] = {}
    ended = threading.Event()

    def ask(number: int) -> None:
        while not ended.is_set():
            asked(server, number, 100, found).join()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    try:
        with Client(server.bound["grpc"]) as client:
            verdicts = client.verify_many([line.job for line in jobs if line.job])
        assert [verdict.reason for verdict in verdicts] == [line.reason for line in jobs]
        until(lambda: len(descendants(server.process.pid, REPLICA)) == 2, "a second replica", 3 * SECONDS)
        until(lambda: b'pointmill_replicas{core="edverify"} 2.0' in server.request("GET", "/metrics")[1],
              "the metrics say so", 3 * SECONDS)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert found == dict.fromkeys(range(4), True)


@LONG
def test_a_deadline_is_no_fault_of_a_replica(server: Server) -> None:
    before = len(server.events("device_failed"))
    response, answer = server.request("POST", "/v1/verify", body(400)[0], Pointmill_Timeout_Ms="300")
    assert response.status == 200 and reasons(answer).count("deadline_exceeded") > 200
    lines, expected = body(20)
    assert reasons(server.request("POST", "/v1/verify", lines)[1]) == expected
    assert len(server.events("device_failed")) == before


@LONG
def test_a_node_of_a_cluster_is_gone() -> None:
    """Its replica with it; the other one does all the rest."""
    from ray.cluster_utils import Cluster

    common = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={**common, "_system_config": NOT_ALIVE_AFTER})
    try:
        second = cluster.add_node(**common)
        with Server("--ray", cluster.address, "--devices", "2", "--min-devices", "2", "--group", "32", "--settings",
                    "mhz=0.3", seconds=5 * SECONDS) as server:
            until(lambda: server.events("replicas") and server.events("replicas")[-1]["edverify"] == 2, "two replicas")
            found: dict[int, bool] = {}
            threads = [asked(server, number, 200, found) for number in range(3)]
            until(lambda: json.loads(server.request("GET", "/v1/status")[1])["answered"] > 40, "some are answered")
            cluster.remove_node(second, allow_graceful=False)
            for thread in threads:
                thread.join()
            assert found == dict.fromkeys(range(3), True)
            until(lambda: server.events("replicas")[-1]["edverify"] == 1, "one replica", 3 * SECONDS)
            assert server.stop() == 0
    finally:
        cluster.shutdown()


# --------------------------------------------------------------------------------------- without Ray


def test_a_replica_stops_what_is_cancelled() -> None:
    """And goes on with the next group."""
    device = Device(("edverify", None, "model", "", None))
    jobs = [line.job for line in pool() if line.job is not None]
    expected = [line.reason for line in pool() if line.job is not None]
    many = jobs * 5000

    async def main() -> float:
        begin = time.monotonic()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(device.run(many, None), 0.1)
        assert [outcome.reason for outcome in await device.run(jobs, "single")] == expected
        return time.monotonic() - begin

    assert device.modes() == ("single",) and asyncio.run(main()) < 3


def test_no_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "--device", "model", "--http", "127.0.0.1:0", "--ray", "127.0.0.1:1"]) == 2
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["reason"] == "device_error"
