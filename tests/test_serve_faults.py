# SPDX-License-Identifier: Apache-2.0
"""Faults of the service: every accepted job has exactly one result, and nothing wrong is said to be valid."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from starlette.responses import JSONResponse

from pointmill.commands.lines import Item
from pointmill.device import Job
from pointmill.serve import backlog, service as service_module
from pointmill.serve.backlog import Backlog, arranged
from pointmill.serve.batch import Batch, Group, size_of
from pointmill.serve.device_loop import DeviceLoop
from pointmill.serve.exchange import Exchange, Terms
from pointmill.serve.limits import Bucket
from pointmill.serve.metrics import SECONDS, Histogram
from pointmill.serve.probe import DistrustError, check_known
from pointmill.serve.service import Plan, Service
from pointmill.serve.status import status
from pointmill.serve.turned_away import DrainingError, FullError, RateError, UnservedError
from serve_jobs import body, pool, reasons
from serve_process import Server, until

GOOD = [line for line in pool() if line.job is not None]


def jobs(count: int) -> list[Job]:
    """Of the pool, each with its own tag."""
    found = [GOOD[index % len(GOOD)].job for index in range(count)]
    return [Job(job.pk, job.msg, job.sig, job.rule, index) for index, job in enumerate(found) if job is not None]


def expected(count: int) -> list[str]:
    return [GOOD[index % len(GOOD)].reason for index in range(count)]


def run(work: Callable[[Service, list[dict[str, Any]]], Awaitable[None]], fault: str = "", devices: int = 1,
        **plan: Any) -> None:
    """Runs on a service with devices that have a fault (tests/serve_worker.py); all it accepted is answered in the
    end."""
    async def main() -> None:
        events: list[dict[str, Any]] = []
        arguments = ("edverify", None, "model", fault, None)
        service = Service(Plan((arguments,) * devices, **plan), lambda event, **fields: events.append(
            {"event": event, **fields}))
        service.start()
        try:
            await work(service, events)
            await asyncio.sleep(0)
            assert not service.open_batches and service.backlog.waiting == service.backlog.size == 0
            accepted, answered = service.metrics.jobs_accepted.total(), service.metrics.answers.total()
            assert accepted == answered, "not each job was answered once"
        finally:
            await service.close()

    asyncio.run(asyncio.wait_for(main(), 120))


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DeviceLoop, "program", "tests.serve_worker")


@pytest.mark.parametrize(("fault", "cause"), [("swap=3", "distrusted"), ("lie=3", "distrusted"),
                                              ("short=3", "distrusted"), ("die=3", "process_ended")])
def test_a_failing_device_costs_no_job(faulty: None, fault: str, cause: str) -> None:
    """Its results are dropped, another process takes its place, and what it had is done anew."""
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        batches = [Batch(jobs(30), client=str(number)) for number in range(4)]
        for batch in batches:
            service.submit(batch)
        for batch in batches:
            assert [outcome.reason for outcome in await batch.done] == expected(30)
        causes = {event["cause"] for event in events if event["event"] == "device_failed"}
        assert causes == {cause} and sum(service.devices[0].restarts.values()) >= 1

    run(work, fault, most=32)


@pytest.mark.parametrize(("fault", "error"), [("poison", "process ended"), ("defect", "TypeError")])
def test_a_job_that_kills_devices_is_given_up_alone(faulty: None, fault: str, error: str) -> None:
    """Whatever a device does about it; the log has nothing of the job."""
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        poison = Job(bytes(32), b"poison", bytes(64), "zip215", "poison")
        batch = Batch([*jobs(6), poison, *jobs(5)])
        service.submit(batch)
        found = [outcome.reason for outcome in await batch.done]
        assert found == [*expected(6), "aborted", *expected(5)]
        assert {event["error"] for event in events if event["event"] == "device_failed"} == {error}

    run(work, fault, devices=2)


def test_deadline(faulty: None) -> None:
    """What waits, and what a device works on, is answered at the deadline; the device is free again soon."""
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        loop = asyncio.get_running_loop()
        await wait_idle(service)
        begin = loop.time()
        late = [Batch(jobs(200), expires=begin + 0.3) for _ in range(2)]
        for batch in late:
            service.submit(batch)
        for batch in late:
            assert {outcome.reason for outcome in await batch.done} == {"deadline_exceeded"}
        assert loop.time() - begin < 1
        after = Batch(jobs(5))
        service.submit(after)
        assert [outcome.reason for outcome in await after.done] == expected(5)
        assert loop.time() - begin < 3  # not the four seconds of the first batch

    run(work, "slow=20")


@pytest.mark.parametrize("limit", ["queue", "rate"])
def test_deadline_of_what_finds_no_room(faulty: None, limit: str) -> None:
    """The other chunks of a request wait no longer than that, for room or for the client's rate."""
    async def chunks() -> AsyncIterator[list[Item]]:
        for first, last in ((0, 2), (2, 16), (16, 30)):
            yield [Item(job.tag, job.rule, job) for job in jobs(30)[first:last]]

    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        await wait_idle(service)
        loop = asyncio.get_running_loop()
        other = Batch(jobs(60))
        if limit == "queue":
            service.submit(other)
        begin = loop.time()
        terms = Terms("client", Bucket(None if limit == "queue" else 2), seconds=0.4)
        exchange = Exchange(service, terms, chunks())
        await exchange.start()
        found = [answer.reason async for answers in exchange.answers() for _, answer in answers if answer]
        assert len(found) == 30 and found[-28:] == ["deadline_exceeded"] * 28 and loop.time() - begin < 2
        await exchange.close()
        if limit == "queue":
            service.cancel(other)

    run(work, "slow=300", queue_jobs=62, most=2)


async def wait_idle(service: Service) -> None:
    while any(device.state != "idle" for device in service.devices):
        await asyncio.sleep(0.01)


def test_cancellation(faulty: None) -> None:
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        await wait_idle(service)
        gone, stays = Batch(jobs(300), client="a"), Batch(jobs(4), client="b")
        service.submit(gone)
        await asyncio.sleep(0.1)
        service.submit(stays)
        service.cancel(gone)
        assert {outcome.reason for outcome in await gone.done} == {"cancelled"}
        begin = asyncio.get_running_loop().time()
        assert [outcome.reason for outcome in await stays.done] == expected(4)
        assert asyncio.get_running_loop().time() - begin < 2
        service.cancel(stays)  # too late: nothing changes

    run(work, "slow=20")


def test_priorities_and_turns(faulty: None) -> None:
    """What is urgent comes first; of two clients the one with few jobs need not wait for all of the other's."""
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        await wait_idle(service)
        service.submit(first := Batch(jobs(1)))
        order: list[str] = []

        def submit(name: str, count: int, priority: str) -> Batch:
            batch = Batch(jobs(count), name, priority)
            batch.done.add_done_callback(lambda _: order.append(name))
            service.submit(batch)
            return batch

        all_of = [submit("low", 10, "low"), submit("many", 200, "normal"), submit("few", 10, "normal"),
                  submit("high", 10, "high")]
        await asyncio.gather(first.done, *(batch.done for batch in all_of))
        assert order == ["high", "few", "many", "low"]

    run(work, "slow=1", most=32)


def test_a_full_queue_rejects_and_then_takes(faulty: None) -> None:
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        await wait_idle(service)
        accepted = [Batch(jobs(10)) for _ in range(3)]
        for batch in accepted:
            service.submit(batch)
        with pytest.raises(FullError):
            service.submit(Batch(jobs(20)))
        later = Batch(jobs(20))
        waiting = asyncio.ensure_future(service.submit_when_room(later))
        await asyncio.sleep(0)
        assert not waiting.done()
        await waiting
        for batch in (*accepted, later):
            assert [outcome.reason for outcome in await batch.done] == expected(len(batch))
        with pytest.raises(UnservedError):
            service.submit(Batch([object()]))  # type: ignore[list-item]  # stands for a job of another core

    run(work, "slow=5", most=10, queue_jobs=30)


def test_a_stream_is_read_only_so_far_ahead(faulty: None) -> None:
    """As long as nobody takes its answers."""
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        read = 0

        async def chunks() -> AsyncIterator[list[Item]]:
            nonlocal read
            for _ in range(100):
                read += 1
                yield [Item(job.tag, job.rule, job) for job in jobs(10)]

        size = sum(map(size_of, jobs(10)))
        exchange = Exchange(service, Terms("x", Bucket(None)), chunks(), ahead=5 * size)
        await exchange.start(wait=True)
        while service.open_batches or read < 6:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        assert read == 6  # the sixth is read, and waits
        reasons = [answer[1].reason async for answers in exchange.answers() for answer in answers if answer[1]]
        assert reasons == expected(10) * 100 and read == 100
        await exchange.close()

    run(work, queue_jobs=40)


def test_draining(faulty: None) -> None:
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        batch = Batch(jobs(40))
        service.submit(batch)
        draining = asyncio.ensure_future(service.drain(60))
        await asyncio.sleep(0)
        assert not service.ready
        with pytest.raises(DrainingError):
            service.submit(Batch(jobs(1)))
        assert await draining == 0 and [outcome.reason for outcome in await batch.done] == expected(40)

    async def no_time(service: Service, events: list[dict[str, Any]]) -> None:
        await wait_idle(service)
        batch = Batch(jobs(400))
        service.submit(batch)
        assert await service.drain(0.2) == 400
        assert {outcome.reason for outcome in await batch.done} == {"aborted"}

    run(work, "slow=5")
    run(no_time, "slow=20")


def test_a_device_that_does_not_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried again, and jobs wait for it."""
    monkeypatch.setattr(DeviceLoop, "program", "tests.none")

    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        batch = Batch(jobs(3))
        service.submit(batch)
        while sum(event["event"] == "device_failed" for event in events) < 2:
            await asyncio.sleep(0.01)
        assert not service.ready and not batch.done.done()
        monkeypatch.setattr(DeviceLoop, "program", "pointmill.api.worker")
        assert [outcome.reason for outcome in await batch.done] == expected(3)

    run(work)


def test_ending_while_a_device_opens(faulty: None) -> None:
    """Nothing waits for it: its process ends, and so does the thread that is there for it."""
    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        await asyncio.sleep(0.5)
        await service.close()
        end = asyncio.get_running_loop().time() + 10
        while any(thread.name.startswith("device-edverify") for thread in threading.enumerate()):
            assert asyncio.get_running_loop().time() < end, "a thread waits"
            await asyncio.sleep(0.05)

    run(work, "open=60")


def test_known_answers() -> None:
    with pytest.raises(DistrustError, match="known answers: ok instead of equation_fails"):
        check_known([service_module.without_result(jobs(1)[0], "ok")], ["equation_fails"])


# ------------------------------------------------------------------------------------- grouping


def test_groups_and_modes() -> None:
    async def main() -> None:
        every = jobs(32)
        same = Group([(Batch(every), index) for index in range(32)])
        ordered, mode = arranged(same, ("single", "batch", "cached"))
        keys = [batch.calls[index].pk for batch, index in ordered.places]  # type: ignore[union-attr]
        assert mode == "cached" and keys == sorted(keys)
        assert arranged(same, ("single", "batch"))[1] == "batch" and arranged(same, ("single",))[1] is None
        few = Group(same.places[:3])
        assert arranged(few, ("single", "batch", "cached"))[1] == "single"
        queue = Backlog(1000, 1 << 20)
        for _ in range(4):
            queue.put(Batch(every))
        assert [len(await queue.take("edverify", 256, 2)) for _ in range(3)] == [64, 32, 16]
        assert queue.waiting == 16 and queue.size == Batch(every).size  # the last batch is not taken as a whole

    asyncio.run(main())
    assert backlog.QUANTUM == 64


def test_rate() -> None:
    bucket = Bucket(50)
    bucket.take(50)
    with pytest.raises(RateError) as error:
        bucket.take(25)
    assert 0.4 < error.value.seconds <= 0.5
    Bucket(None).take(10**9)

    async def wait() -> float:
        begin = asyncio.get_running_loop().time()
        await bucket.take_when_there(10)
        return asyncio.get_running_loop().time() - begin

    assert 0.1 < asyncio.run(wait()) < 5


# ------------------------------------------------------------------------------------- as a process


def test_a_killed_process_in_the_middle_of_a_stream() -> None:
    """Again and again, with four clients: every line is answered once, as the golden model says."""
    with Server("--devices", "2") as server:
        server.wait_ready(2)
        found: dict[int, bool] = {}

        def ask(number: int) -> None:
            lines, wanted = body(5000, first=number)
            response, answer = server.request("POST", "/v1/verify", lines)
            found[number] = response.status == 200 and reasons(answer) == wanted

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        killed: set[int] = set()
        while any(thread.is_alive() for thread in threads):
            (*_, newest) = server.events("device_ready")
            if newest["pid"] not in killed:
                os.kill(newest["pid"], signal.SIGKILL)
                killed.add(newest["pid"])
            threads[0].join(0.3)
        for thread in threads:
            thread.join()
        assert len(killed) >= 2 and found == dict.fromkeys(range(4), True)
        state = json.loads(server.request("GET", "/v1/status")[1])
        assert sum(device["restarts"] for device in state["devices"]) >= 1
        assert server.stop() == 0


def test_sigterm_with_waiting_jobs() -> None:
    """All are answered, new ones are turned away meanwhile, and the exit code is 0."""
    with Server("--settings", "mhz=0.2") as server:
        server.wait_ready()
        lines, wanted = body(60)
        connection = server.connection()
        connection.request("POST", "/v1/verify", lines)
        other = server.connection()
        other.connect()
        until(lambda: json.loads(server.request("GET", "/v1/status")[1])["accepted"] >= 50, "the jobs are accepted")
        server.process.send_signal(signal.SIGTERM)
        until(lambda: server.events("draining"), "it drains")
        other.request("GET", "/readyz")
        response = other.getresponse()
        assert (response.status, response.read()) == (503, b"not ready\n")
        other.request("POST", "/v1/verify", body(1)[0])
        assert other.getresponse().status == 503
        assert reasons(connection.getresponse().read()) == wanted
        assert server.stop() == 0
        assert server.events("ended")[0]["aborted"] == 0


def test_sigterm_with_a_request_that_does_not_end() -> None:
    """Its client has the results of what it sent, and keeps the process only for a moment."""
    with Server("--grpc", "127.0.0.1:0") as server:
        server.wait_ready()
        lines, wanted = body(1)
        host, _, port = server.bound["http"].rpartition(":")
        with socket.create_connection((host, int(port)), 60) as open_end, open_end.makefile("rb") as answer:
            open_end.sendall(b"POST /v1/verify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                             b"%x\r\n%s\r\n" % (len(lines), lines))
            while not (line := answer.readline()).startswith(b"{"):
                assert line, "no result"
            assert reasons(line) == wanted
            assert server.stop() == 0
            assert answer.read().strip() == b""
        assert [event["status"] for event in server.events("request")] == [499]
        assert not server.events("text"), "something is no JSON"


def test_latencies_beyond_the_last_bound() -> None:
    """Where most of them are, there is no quantile, and the status can be told."""
    latency = Histogram(SECONDS)
    assert latency.quantile(0.5) is None
    latency.observe(SECONDS[-1], 3)
    latency.observe(2 * SECONDS[-1], 3)
    assert (latency.quantile(0.5), latency.quantile(0.99)) == (SECONDS[-1], None)

    async def work(service: Service, events: list[dict[str, Any]]) -> None:
        service.metrics.latency = latency
        assert json.loads(JSONResponse(status(service, {})).body)["latency_seconds"]["p99"] is None

    run(work)


def test_queue_full_deadline_and_leaving_over_http() -> None:
    with Server("--settings", "mhz=0.05", "--queue", "30", "--group", "4") as server:
        server.wait_ready()
        gone = server.connection()
        gone.request("POST", "/v1/verify", body(36)[0])
        until(lambda: json.loads(server.request("GET", "/v1/status")[1])["queue"]["jobs"] > 20, "jobs wait")
        response, data = server.request("POST", "/v1/verify", body(20)[0])
        assert response.status == 429 and json.loads(data)["error"] == "full"
        assert int(response.getheader("retry-after", "0")) >= 1
        assert gone.sock is not None
        gone.sock.shutdown(socket.SHUT_RDWR)
        gone.close()
        until(lambda: json.loads(server.request("GET", "/v1/status")[1])["queue"]["jobs"] == 0, "they are cancelled")
        response, data = server.request("POST", "/v1/verify", body(20)[0], Pointmill_Timeout_Ms="300")
        found = reasons(data)
        assert response.status == 200 and len(found) == 20 and set(found) == {"deadline_exceeded", "malformed_job"}
        state = json.loads(server.request("GET", "/v1/status")[1])
        assert state["reasons"].get("cancelled", 0) > 20 and state["turned_away"] == {"full": 1}
        assert server.stop() == 0
        assert [event["status"] for event in server.events("request")] == [429, 499, 200]
