# SPDX-License-Identifier: Apache-2.0
"""Who may ask the service: TLS with certificates of clients, tokens, rates; and what the browser shows."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import pointmill
from pointmill.serve.client import Client, Security, ServiceError
from pointmill.serve.limits import read_tokens
from serve_jobs import body, pool, reasons
from serve_process import SECONDS, Server, until

JOB = next(line.job for line in pool() if line.job is not None and line.reason == "ok")


@dataclass(frozen=True)
class Pair:
    """A certificate and its key, in files."""

    certificate: Path
    key: Path


class Authority:
    """Issues certificates."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name, self._key = folder, name, ec.generate_private_key(ec.SECP256R1())
        self.pair = self.issue(name, authority=True)

    def issue(self, name: str, authority: bool = False) -> Pair:
        key = self._key if authority else ec.generate_private_key(ec.SECP256R1())
        subject, issuer = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)]) for text in (name, self._name))
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(1))
            .not_valid_after(now + datetime.timedelta(1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .sign(self._key, hashes.SHA256()))
        pair = Pair(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        pair.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        pair.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                               serialization.NoEncryption()))
        return pair


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"), "authority")


@pytest.fixture(scope="module")
def server(authority: Authority) -> Iterator[Server]:
    """Wants a certificate and TLS on both ports; 1,000 jobs a second for each client."""
    pair = authority.issue("server")
    with Server("--grpc", "localhost:0", "--tls-cert", str(pair.certificate), "--tls-key", str(pair.key),
                "--tls-ca", str(authority.pair.certificate), "--rate", "200") as running:
        yield running.wait_ready()
        assert running.stop() == 0


def context_of(authority: Authority, client: Pair | None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(authority.pair.certificate))
    if client is not None:
        context.load_cert_chain(client.certificate, client.key)
    return context


def ask(server: Server, context: ssl.SSLContext, lines: bytes) -> tuple[int, bytes]:
    connection = HTTPSConnection("localhost", int(server.bound["http"].rpartition(":")[2]), timeout=SECONDS,
                                 context=context)
    try:
        connection.request("POST", "/v1/verify", lines)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_http_with_certificates(server: Server, authority: Authority, tmp_path: Path) -> None:
    lines, expected = body(20)
    status, answer = ask(server, context_of(authority, authority.issue("alice")), lines)
    assert status == 200 and reasons(answer) == expected
    assert until(lambda: server.events("request"), "it is logged")[-1]["client"] == "alice"
    for wrong in (None, Authority(tmp_path, "other").issue("mallory")):
        with pytest.raises(OSError):
            ask(server, context_of(authority, wrong), lines)
    connection = server.connection()
    with pytest.raises(OSError):
        connection.request("GET", "/healthz")
        connection.getresponse()


def test_grpc_with_certificates(server: Server, authority: Authority) -> None:
    ca, pair = authority.pair.certificate.read_bytes(), authority.issue("bob")
    target = server.bound["grpc"]
    with Client(target, Security(ca, pair.certificate.read_bytes(), pair.key.read_bytes())) as client:
        assert client.verify_many([JOB])[0].valid
    assert until(lambda: server.events("call"), "it is logged")[-1]["client"] == "bob"
    with Client(target, Security(ca), timeout=10) as unknown, pytest.raises(ServiceError, match="UNAVAILABLE"):
        unknown.verify_many([JOB])


def test_a_rate_for_each_client(server: Server, authority: Authority) -> None:
    """One that asks too much is told when to come again; another one is not concerned."""
    carol, dave = (context_of(authority, authority.issue(name)) for name in ("carol", "dave"))
    lines, expected = body(190)
    assert ask(server, carol, lines)[0] == 200
    status, answer = ask(server, carol, lines)
    assert status == 429 and json.loads(answer)["error"] == "rate"
    status, answer = ask(server, dave, lines)
    assert status == 200 and reasons(answer) == expected


def test_tokens(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"# clients\nalice {hashlib.sha256(b'open sesame').hexdigest()}\n")
    with Server("--grpc", "127.0.0.1:0", "--tokens", str(file)) as server:
        server.wait_ready()
        lines, expected = body(10)
        for headers in ({}, {"Authorization": "Bearer open"}, {"Authorization": "Basic open sesame"}):
            response, answer = server.request("POST", "/v1/verify", lines, **headers)
            assert response.status == 401 and json.loads(answer)["error"] == "token"
            assert server.request("GET", "/metrics", **headers)[0].status == 401
            assert server.request("GET", "/v1/status", **headers)[0].status == 401
        assert server.request("GET", "/readyz")[0].status == 200
        response, answer = server.request("POST", "/v1/verify", lines, Authorization="Bearer open sesame")
        assert response.status == 200 and reasons(answer) == expected
        with Client(server.bound["grpc"]) as client, pytest.raises(ServiceError, match="UNAUTHENTICATED"):
            client.verify_many([JOB])
        with Client(server.bound["grpc"], Security(token="open sesame")) as client:
            assert client.verify_many([JOB])[0].valid
        assert {event["client"] for event in server.events("request") if event["status"] == 200} == {"alice"}
        assert "sesame" not in json.dumps(server.log)
        assert server.stop() == 0


@pytest.mark.parametrize("text", ["alice open-sesame\n", "alice\n", "# none\n"])
def test_a_wrong_file_of_tokens(tmp_path: Path, text: str) -> None:
    (tmp_path / "tokens").write_text(text)
    with pytest.raises(pointmill.InputError):
        read_tokens(tmp_path / "tokens")


def test_what_the_browser_shows() -> None:
    """In a real browser: counts, device and reasons of the jobs that were sent."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium is installed")
    with Server("--devices", "2") as server:
        server.wait_ready(2)
        lines, expected = body(400)
        server.request("POST", "/v1/verify", lines)
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3500", "--dump-dom",
             f"http://{server.bound['http']}/"], capture_output=True, text=True, timeout=120, check=True)
        text = re.sub(r"<[^>]*>", " ", done.stdout.partition("<script>")[0])
        words = " ".join(text.split())
        assert "Pointmill ready" in words and "functional device, not the RTL" in words
        assert "400 answers" in words and "edverify-0 idle" in words and "edverify-1 idle" in words
        for reason in set(expected):
            assert re.search(rf"{reason} {expected.count(reason)}\b", words), words
        assert server.stop() == 0
