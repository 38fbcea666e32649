# SPDX-License-Identifier: Apache-2.0
"""gRPC and the Python clients: verdicts, streams with back-pressure, statuses; every operation on the cores."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import pytest

import pointmill
from pointmill.curves import Curve, by_name
from pointmill.device import Job
from pointmill.model import weierstrass
from pointmill.resources import ROOT
from pointmill.serve.client import AsyncClient, Client, Security, ServedVerdict, ServiceError
from pointmill.serve.limits import Limits
from pointmill.serve.messages import item_of, verdict_of
from pointmill.serve.method_names import BATCH
from pointmill.serve.pb import pointmill_pb2 as pb
from serve_jobs import pool
from serve_process import SECONDS, Server, until

LINES = [line for line in pool() if line.job is not None]


def jobs(count: int, first: int = 0) -> tuple[list[Job], list[str]]:
    """Of the pool, with their index as tag, and the reasons of the golden model."""
    lines = [LINES[(first + index) % len(LINES)] for index in range(count)]
    return ([Job(line.job.pk, line.job.msg, line.job.sig, line.job.rule, index)
             for index, line in enumerate(lines) if line.job], [line.reason for line in lines])


def fits(found: list[ServedVerdict], reasons: list[str]) -> bool:
    return ([verdict.reason for verdict in found] == reasons
            and all(verdict.tag == index and bool(verdict) == (verdict.reason == "ok") and verdict.device == "model"
                    for index, verdict in enumerate(found)))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server("--devices", "2", "--grpc", "127.0.0.1:0", "--queue", "600", "--max-request-mib", "1") as running:
        yield running.wait_ready(2)
        assert running.stop() == 0


def test_batches_and_streams(server: Server) -> None:
    items, reasons = jobs(500)
    with Client(server.bound["grpc"]) as client:
        assert fits(client.verify_many(items), reasons)
        assert client.verify_many([]) == [] and list(client.verify_stream([])) == []
        many, expected = jobs(3000)
        assert fits(list(client.verify_stream(iter(many))), expected)
        pk, msg, sig = items[0].pk, items[0].msg, items[0].sig
        short, wrong = client.verify_many([(pk[1:], msg, sig), (pk, msg + b"!", sig)], rule="zip215")
        assert (short.reason, wrong.reason, wrong.rule) == ("malformed_job", "equation_fails", "zip215")
        with pytest.raises(pointmill.InputError, match="no rule set"):
            client.verify_many(items[:1], rule="none") or client.verify_many([(pk, msg, sig)], rule="none")
            client.verify_many([(pk, msg, sig)], rule="none")


def test_asyncio(server: Server) -> None:
    async def main() -> None:
        async with AsyncClient(server.bound["grpc"], priority="high") as client:
            items, reasons = jobs(300)
            assert fits(await client.verify_many(items), reasons)
            assert fits([verdict async for verdict in client.verify_stream(items)], reasons)
            seen: list[ServedVerdict] = []
            arrived = asyncio.Event()

            async def one_at_a_time() -> AsyncIterator[Job]:
                for item in items[:5]:
                    arrived.clear()
                    yield item
                    await arrived.wait()

            async for verdict in client.verify_stream(one_at_a_time()):
                seen.append(verdict)
                arrived.set()
            assert fits(seen, reasons[:5])

    asyncio.run(main())


def test_streams_of_items_that_fail(server: Server) -> None:
    """The error of an item, or that of who makes them, comes behind the verdicts of those before it."""
    items, reasons = jobs(300)

    def broken() -> Iterator[Job]:
        yield from items
        raise LookupError("no more")

    async def broken_async() -> AsyncIterator[Job]:
        for item in items:
            yield item
        raise LookupError("no more")

    async def found(client: AsyncClient, source: Any, verdicts: list[ServedVerdict]) -> None:
        async for verdict in client.verify_stream(source):
            verdicts += [verdict]

    async def main() -> None:
        async with AsyncClient(server.bound["grpc"]) as client:
            for source, kind, count in ((broken(), LookupError, 256), (broken_async(), LookupError, 300),
                                        ([*items[:256], ("key", b"", b"")], pointmill.InputError, 256)):
                verdicts: list[ServedVerdict] = []
                with pytest.raises(kind):
                    await found(client, source, verdicts)
                assert fits(verdicts, reasons[:count])

    asyncio.run(main())
    with Client(server.bound["grpc"]) as client:
        stream = client.verify_stream(broken())
        assert fits([next(stream) for _ in range(256)], reasons[:256])
        with pytest.raises(LookupError, match="no more"):
            next(stream)
        with pytest.raises(pointmill.InputError, match="no rule set"):
            list(client.verify_stream([(bytes(32), b"", bytes(64))], rule="none"))


def test_a_client_that_takes_no_verdicts_stops_nobody(server: Server) -> None:
    with Client(server.bound["grpc"]) as slow, Client(server.bound["grpc"]) as other:
        many, expected = jobs(2000)
        stream = slow.verify_stream(many)
        first = next(stream)
        items, reasons = jobs(40)
        assert fits(other.verify_many(items), reasons)
        assert fits([first, *stream], expected)


@pytest.mark.parametrize("kind", ["killed", "gone"])
def test_faults_of_streams(server: Server, kind: str) -> None:
    """A device is killed in the middle; a client leaves in the middle, and its jobs are cancelled."""
    with Client(server.bound["grpc"]) as client:
        items, reasons = jobs(4000)
        stream = client.verify_stream(items)
        found = [next(stream) for _ in range(300)]
        if kind == "killed":
            os.kill(server.events("device_ready")[-1]["pid"], signal.SIGKILL)
            assert fits([*found, *stream], reasons)
            return
        stream.close()  # type: ignore[attr-defined]  # it is a generator
        until(lambda: json.loads(server.request("GET", "/v1/status")[1])["queue"]["jobs"] == 0, "nothing waits")
        until(lambda: any(event["status"] == "CANCELLED" for event in server.events("call")), "the call ends")
        state = json.loads(server.request("GET", "/v1/status")[1])
        assert state["accepted"] == state["answered"]


def test_full_queue_and_statuses(server: Server) -> None:
    channel = grpc.insecure_channel(server.bound["grpc"])
    call = channel.unary_unary(BATCH, pb.Jobs.SerializeToString, pb.Verdicts.FromString)

    def status(message: pb.Jobs, **how: Any) -> str:
        with pytest.raises(grpc.RpcError) as error:
            call(message, **how)
        return str(error.value.code().name)

    secret = pb.Jobs(jobs=[pb.Job(x25519=pb.X25519(k=bytes(32), u=bytes(32)))])
    curve = pb.Jobs(jobs=[pb.Job(ecdsa=pb.Ecdsa(curve="P-256", digest=b"1", qx=b"1", qy=b"1", r=b"1", s=b"1"))])
    long = pb.Jobs(jobs=[pb.Job(ed25519=pb.Ed25519(message=bytes(2 << 20)))])
    assert status(secret) == "PERMISSION_DENIED" and status(curve) == "UNIMPLEMENTED"
    assert status(long) == "RESOURCE_EXHAUSTED"
    assert status(pb.Jobs(), metadata=[("pointmill-priority", "now")]) == "INVALID_ARGUMENT"
    none = call(pb.Jobs(jobs=[pb.Job(id=7)])).verdicts[0]
    assert (none.id, none.reason, none.error) == (7, "malformed_job", "the job has no operation")
    channel.close()


def test_deadline_of_a_call() -> None:
    with Server("--grpc", "127.0.0.1:0", "--settings", "mhz=0.01", "--queue", "64") as server:
        server.wait_ready()
        with Client(server.bound["grpc"], timeout=0.5) as hasty, Client(server.bound["grpc"]) as patient:
            begin = time.monotonic()
            try:  # the service or, just after it, gRPC says so
                assert {verdict.reason for verdict in hasty.verify_many(jobs(40)[0])} == {"deadline_exceeded"}
            except ServiceError as error:
                assert error.code == "DEADLINE_EXCEEDED"
            assert time.monotonic() - begin < 3
            until(lambda: json.loads(server.request("GET", "/v1/status")[1])["queue"]["jobs"] == 0, "nothing waits")

            def ask() -> None:
                with pytest.raises(ServiceError, match="UNAVAILABLE"):
                    patient.verify_many(jobs(60)[0])

            threads = [threading.Thread(target=ask) for _ in range(2)]
            for thread in threads:  # the second one is turned away until there is room
                thread.start()
            until(lambda: "full" in json.loads(server.request("GET", "/v1/status")[1])["turned_away"], "it is full")
            server.process.kill()
            for thread in threads:
                thread.join(60)


def test_tokens() -> None:
    limits = Limits(tokens={"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08": "a"})
    assert limits.client("Bearer test", None, "x") == "a"
    assert limits.client("Bearer tesu", None, "x") is None and limits.client(None, "name", "x") is None
    assert Limits().client(None, None, "x") == "x" and Limits().client(None, "name", "x") == "name"
    assert Security(token="secret").channel_credentials() is None


# --------------------------------------------------------------------------------------- on the cores

P256, SM2 = (curve for curve in map(by_name, ("P-256", "SM2")) if isinstance(curve, Curve))
D, K, DIGEST = 0x1234567, 0x7654321, bytes(range(32))


def curve_messages() -> tuple[list[pb.Job], list[str]]:
    """Signatures and key agreements, and what the golden model says of them."""
    def data(*numbers: int) -> list[bytes]:
        return [number.to_bytes(32, "big") for number in numbers]

    q, q2 = weierstrass.public_key(P256, D), weierstrass.public_key(SM2, D)
    r, s = weierstrass.ecdsa_sign(P256, DIGEST, D, K)
    r2, s2 = weierstrass.sm2_sign(SM2, int.from_bytes(DIGEST, "big"), D, K)
    qx, qy, rb, sb, r2b, s2b, q2x, q2y = data(*q, r, s, r2, s2, *q2)
    found = [
        pb.Job(ecdsa=pb.Ecdsa(curve="P-256", digest=DIGEST, qx=qx, qy=qy, r=rb, s=sb)),
        pb.Job(ecdsa=pb.Ecdsa(curve="P-256", digest=DIGEST[::-1], qx=qx, qy=qy, r=rb, s=sb)),
        pb.Job(ecdsa=pb.Ecdsa(curve="P-256", digest=DIGEST, qx=qx, qy=qx, r=rb, s=sb)),
        pb.Job(sm2=pb.Sm2(curve="SM2", e=DIGEST, qx=q2x, qy=q2y, r=r2b, s=s2b)),
        pb.Job(ecdh=pb.Ecdh(curve="P-256", d=data(D)[0], qx=qx, qy=qy)),
        pb.Job(ecdh=pb.Ecdh(curve="P-256", d=bytes(32), qx=qx, qy=qy)),
        pb.Job(ecdsa=pb.Ecdsa(curve="none", digest=DIGEST, qx=qx, qy=qy, r=rb, s=sb)),
        pb.Job(x25519=pb.X25519(k=b"\x01" * 32, u=b"\x09".ljust(32, b"\0"))),
        pb.Job(x25519=pb.X25519(k=b"\x01" * 32, u=bytes(32))),
        pb.Job(ed25519=pb.Ed25519(public_key=LINES[0].job.pk, message=LINES[0].job.msg, signature=LINES[0].job.sig,
                                  rule=str(LINES[0].job.rule)) if LINES[0].job else None)]
    reasons = ["ok", "bad_signature", "invalid_point", "ok", "ok", "scalar_out_of_range", "malformed_job", "ok", "ok",
               "ok"]
    for number, job in enumerate(found):
        job.id = 100 + number
    return found, reasons


def test_every_operation_on_the_cores() -> None:
    """By the verilated cores, over gRPC, and ECDSA over HTTP; nothing is marked."""
    found, reasons = curve_messages()
    with Server("--grpc", "127.0.0.1:0", "--curve-devices", "1", "--allow-secrets", device="sim") as server:
        until(lambda: len(server.events("device_ready")) == 2 or server.process.poll(), "both cores are open",
              10 * SECONDS)  # they may have to be built
        channel = grpc.insecure_channel(server.bound["grpc"])
        call = channel.unary_unary(BATCH, pb.Jobs.SerializeToString, pb.Verdicts.FromString)
        answer = call(pb.Jobs(jobs=found))
        channel.close()
        assert [verdict.reason for verdict in answer.verdicts] == reasons and answer.device == ""
        assert [verdict.id for verdict in answer.verdicts] == [job.id for job in found]
        assert all(verdict.valid == (verdict.reason == "ok") for verdict in answer.verdicts)
        shared = answer.verdicts[4].shared
        assert shared == weierstrass.ecdh(P256, D, weierstrass.public_key(P256, D)).to_bytes(32, "big")
        assert len(answer.verdicts[7].shared) == 32 and answer.verdicts[8].all_zero
        ecdsa = found[0].ecdsa
        line = {"curve": "P-256", **{name: getattr(ecdsa, name).hex() for name in ("digest", "qx", "qy", "r", "s")}}
        lines = [line, line | {"r": "0"}, {"curve": "P-256"}]
        _, data = server.request("POST", "/v1/ecdsa-verify", "\n".join(map(json.dumps, lines)).encode())
        records = [json.loads(text) for text in data.splitlines()]
        assert [record["reason"] for record in records] == ["ok", "signature_out_of_range", "malformed_job"]
        assert not any("device" in record for record in records)
        assert server.stop() == 0
        counts = Counter(event["event"] for event in server.log)
        assert counts["device_failed"] == 0 and counts["call"] == 1
        assert found[4].ecdh.d.hex().lstrip("0") not in json.dumps(server.log)


def test_messages_without_result() -> None:
    found, reasons = curve_messages()
    for job, reason in zip(found, reasons, strict=True):
        item = item_of(job)
        if reason in ("malformed_job", "scalar_out_of_range"):
            verdict = verdict_of(item, None)
            assert verdict.reason == reason and verdict.error and not verdict.valid
    for wrong in (pb.Ecdsa(curve="P-256"), pb.Ecdsa(curve="P-256", qx=bytes(70), qy=b"\1" * 69, r=b"1", s=b"1")):
        assert item_of(pb.Job(ecdsa=wrong)).error
    assert "not 32" in str(item_of(pb.Job(x25519=pb.X25519(k=b"1"))).error)


def test_messages_are_generated() -> None:
    """The Python messages are those of the .proto (`make check-gen` compares all of it)."""
    text = (ROOT / "pointmill/serve/pointmill.proto").read_text()
    assert {f"message {name}" for name in pb.DESCRIPTOR.message_types_by_name} == {
        line.partition(" {")[0] for line in text.splitlines() if line.startswith("message ")}
