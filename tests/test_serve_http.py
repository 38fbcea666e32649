# SPDX-License-Identifier: Apache-2.0
"""`pointmill serve` over HTTP: verdicts, order, limits, metrics, on the functional device."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pointmill import cli
from pointmill.commands.serve import main
from pointmill.serve.runner import bound_socket
from serve_jobs import body, reasons
from serve_process import Server, until


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server("--devices", "2", "--max-request-mib", "1", "--allow-secrets") as running:
        yield running.wait_ready(2)
        assert running.stop() == 0
        (ended,) = running.events("ended")
        assert ended["aborted"] == 0


def metrics(server: Server) -> dict[tuple[str, ...], float]:
    """Samples by name and labels."""
    response, data = server.request("GET", "/metrics")
    assert response.status == 200
    return {(sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(data.decode()) for sample in family.samples}


def test_verdicts_in_order(server: Server) -> None:
    before = metrics(server)
    lines, expected = body(1000)
    response, answer = server.request("POST", "/v1/verify", lines)
    assert response.status == 200 and reasons(answer) == expected
    after = metrics(server)
    for reason, count in Counter(expected).items():
        names = {"edverify", "none"}
        grown = sum(after.get(("pointmill_answers_total", name, reason), 0)
                    - before.get(("pointmill_answers_total", name, reason), 0) for name in names)
        assert grown == count, reason
    assert after["pointmill_queue_jobs", "normal"] == 0
    assert after["pointmill_device_state", "edverify-0", "idle"] == 1
    assert after["pointmill_latency_seconds_bucket", "+Inf"] >= 950


def test_four_clients(server: Server) -> None:
    found: dict[int, bool] = {}

    def ask(number: int) -> None:
        lines, expected = body(400, first=7 * number)
        response, answer = server.request("POST", "/v1/verify", lines,
                                          Pointmill_Priority=("high", "low")[number % 2])
        found[number] = response.status == 200 and reasons(answer) == expected

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), True)


def test_a_line_is_answered_before_the_next_is_sent(server: Server) -> None:
    """And lines may be cut anywhere, the last one having no end."""
    lines, expected = body(3)
    first, second, third = lines.splitlines()
    host, _, port = server.bound["http"].rpartition(":")
    with socket.create_connection((host, int(port)), 60) as raw:
        raw.sendall(b"POST /v1/verify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")

        def send(data: bytes) -> None:
            raw.sendall(b"%x\r\n%s\r\n" % (len(data), data))

        send(first + b"\n")
        seen = b""
        while b'"tag": 0' not in seen:
            seen += raw.recv(65536)
        send(second[:50])
        send(second[50:] + b"\n\n" + third)
        raw.sendall(b"0\r\n\r\n")
        while data := raw.recv(65536):
            seen += data
    found = [json.loads(line) for part in seen.split(b"\r\n") for line in part.splitlines() if line.startswith(b"{")]
    assert [(record["tag"], record["reason"]) for record in found] == [*zip([0, 1, 3], expected, strict=True)]


def test_rule_of_the_request(server: Server) -> None:
    lines, expected = body(1)
    record = json.loads(lines)
    del record["rule"]
    _, answer = server.request("POST", "/v1/verify?rule=libsodium", json.dumps(record).encode())
    assert json.loads(answer)["rule"] == "libsodium" and json.loads(answer)["reason"] == expected[0]


def test_key_agreement(server: Server) -> None:
    line = {"k": "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "u": "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"}
    response, answer = server.request("POST", "/v1/x25519", json.dumps(line).encode() + b"\n{\n")
    good, bad = map(json.loads, answer.splitlines())
    assert response.status == 200 and bad["reason"] == "malformed_job"
    assert good["out"] == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"


@pytest.mark.parametrize(("method", "path", "headers", "status", "error"), [
    ("POST", "/v1/other", {}, 404, "operation"), ("GET", "/v1/verify", {}, 405, None),
    ("POST", "/v1/verify?rule=none", {}, 400, "rule"),
    ("POST", "/v1/verify", {"Pointmill_Priority": "now"}, 400, "header"),
    ("POST", "/v1/verify", {"Pointmill_Timeout_Ms": "soon"}, 400, "header"),
    ("POST", "/v1/ecdsa-verify", {}, 501, "unserved"), ("GET", "/none", {}, 404, None)])
def test_wrong_requests(server: Server, method: str, path: str, headers: dict[str, str], status: int,
                        error: str | None) -> None:
    curve = b'{"curve": "P-256", "digest": "00", "qx": "1", "qy": "1", "r": "1", "s": "1"}\n'
    response, data = server.request(method, path, curve, **headers)
    assert response.status == status and (error is None or json.loads(data)["error"] == error), data


def test_a_long_request_is_rejected(server: Server) -> None:
    """By its header, or, where that says nothing, when it has become too long; others go on."""
    response, data = server.request("POST", "/v1/verify", bytes(1 << 20 | 1))
    assert response.status == 413 and json.loads(data)["error"] == "size"
    connection = server.connection()
    with pytest.raises((http.client.HTTPException, OSError)):
        connection.request("POST", "/v1/verify", (b"%30000d\n" % number for number in range(50)), encode_chunked=True,
                           headers={"Transfer-Encoding": "chunked"})
        response = connection.getresponse()
        response.read()
    connection.close()
    lines, expected = body(20)
    assert reasons(server.request("POST", "/v1/verify", lines)[1]) == expected


def test_empty_request(server: Server) -> None:
    response, data = server.request("POST", "/v1/verify", b"")
    assert (response.status, data) == (200, b"")


def test_health_status_and_description(server: Server) -> None:
    assert server.request("GET", "/healthz")[1] == b"ok\n" and server.request("GET", "/readyz")[0].status == 200
    state = json.loads(server.request("GET", "/v1/status")[1])
    assert state["device"] == "model" and [device["state"] for device in state["devices"]] == ["idle", "idle"]
    assert state["accepted"] + state["reasons"].get("malformed_job", 0) >= state["answered"] > 0
    described = json.loads(server.request("GET", "/openapi.json")[1])
    assert described["openapi"] == "3.1.0" and {"/v1/verify", "/v1/x25519", "/metrics"} <= described["paths"].keys()


def test_the_log_has_nothing_of_the_jobs(server: Server) -> None:
    lines, _ = body(8)
    server.request("POST", "/v1/verify", lines)
    until(lambda: server.events("request"), "a request is logged")
    text = json.dumps(server.log)
    for line in lines.splitlines():
        if line.startswith(b'{"pk"') and b"msg" in line and b"zz" not in line:
            record = json.loads(line)
            assert record["pk"] not in text and record["sig"] not in text
    assert "a546e36bf0527c9d" not in text


def test_unix_socket(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with Server("--http", f"unix:{path}") as server:
        assert server.bound["http"] == f"unix:{path}"
        with socket.socket(socket.AF_UNIX) as raw:
            raw.settimeout(60)
            raw.connect(str(path))
            raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert raw.recv(1000).startswith(b"HTTP/1.1 200")
        with pytest.raises(OSError, match="in use"):
            bound_socket(f"unix:{path}")
        assert server.stop() == 0
    bound_socket(f"unix:{path}").close()  # that of a service which is not there any more
    bound_socket(f"unix:{path}").close()


def test_a_slow_client_does_not_stop_others(server: Server) -> None:
    """One sends a request and takes no answer."""
    lines, expected = body(1000)
    slow = server.connection()
    slow.connect()
    slow.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.request("POST", "/v1/verify", lines)
    time.sleep(0.2)
    for _ in range(3):
        assert reasons(server.request("POST", "/v1/verify", body(40)[0])[1]) == body(40)[1]
    assert reasons(slow.getresponse().read()) == expected
    slow.close()


@pytest.mark.parametrize("words", [
    ["--http", "nowhere"], ["--http", "127.0.0.1:65536"], ["--grpc", "[::1]:99999"], [],
    ["--http", "127.0.0.1:0", "--tls-cert", "x"], ["--http", "127.0.0.1:0", "--queue", "0"],
    ["--http", "127.0.0.1:0", "--curve-devices", "1", "--device", "model"],
    ["--http", "127.0.0.1:0", "--ray", "--allow-secrets"]])
def test_wrong_options(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert json.loads(capsys.readouterr().out)["reason"] == "usage"


def test_an_address_that_cannot_be_listened_at(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    for address, why in ((server.bound["http"], "Address already in use"),
                         ("unix:/none/x", "No such file or directory"),
                         (f"unix:/{'x' * 200}", "AF_UNIX path too long")):
        assert cli.main(["serve", "--device", "model", "--http", address]) == 2
        record = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert (record["reason"], record["error"]) == ("device_error", f"{address}: {why}")
