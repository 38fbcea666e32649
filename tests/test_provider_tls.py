# SPDX-License-Identifier: Apache-2.0
"""TLS 1.3 by the OpenSSL provider: s_server and s_client, nginx and curl; every operation of a handshake is counted."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from pointmill.simbuild import ROOT
from provider_tools import STOCK, Machine, environment, openssl, running

PLACES = [os.environ["PATH"], "/usr/sbin", str(ROOT / ".venv" / "debian" / "usr" / "sbin")]
NGINX = shutil.which("nginx", path=os.pathsep.join(PLACES))
needs_nginx = pytest.mark.skipif(NGINX is None or shutil.which("curl") is None, reason="there is no nginx or no curl")


@dataclass(frozen=True)
class Kind:
    """A handshake: its group, and the type of the certificate's key."""

    group: str
    key: str

    @property
    def shares(self) -> dict[str, int]:
        """Operations of either side for the shared secret."""
        if self.group in ("X25519", "X448"):
            return {f"{self.group}.generate": 1, f"{self.group}.derive": 1}
        return {f"EC.{self.group}.generate": 1, f"EC.{self.group}.check": 1, f"ECDH.{self.group}.derive": 1}

    @property
    def signer(self) -> str:
        return "ED25519" if self.key == "ED25519" else f"ECDSA.{self.key}"

    @property
    def server(self) -> dict[str, int]:
        return self.shares | {f"{self.signer}.sign": 1}

    @property
    def client(self) -> dict[str, int]:
        """The certificate is trusted itself, so that the one signature is that of the handshake."""
        return self.shares | {f"{self.signer}.verify": 1}

    @property
    def temp_key(self) -> str:
        return {"X25519": "X25519, 253 bits", "X448": "X448, 448 bits", "P-256": "ECDH, prime256v1, 256 bits",
                "P-384": "ECDH, secp384r1, 384 bits", "P-521": "ECDH, secp521r1, 521 bits"}[self.group]


ED = Kind("X25519", "ED25519")
KINDS = [ED, Kind("P-256", "P-256"), Kind("P-384", "P-384"), Kind("X448", "ED25519")]


@dataclass
class Site:
    """A folder with keys and certificates, made by OpenSSL alone."""

    folder: Path

    def make(self, name: str, key: str, *options: str) -> tuple[Path, Path]:
        """Certificate and key of this type; self-signed unless options say otherwise."""
        certificate, private = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        how = ["-algorithm", key] if key == "ED25519" else ["-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{key}"]
        openssl("genpkey", *how, "-out", private, conf=STOCK, cwd=self.folder)
        openssl("req", "-x509", "-new", "-key", private, "-subj", f"/CN={name}", "-days", "2", "-addext",
                "subjectAltName=DNS:localhost", *options, "-out", certificate, conf="/etc/ssl/openssl.cnf",
                cwd=self.folder)
        return certificate, private

    @cached_property
    def port(self) -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def wait_for(port: int) -> None:
    """Until somebody listens. A connection without handshake, in which no device has anything to do."""
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"nobody listens at {port}")


@contextmanager
def s_server(site: Site, certificate: Path, key: Path, conf: Path | str, *options: str, **env: str) -> Iterator[Path]:
    """`openssl s_server`; the path of its log."""
    log = site.folder / "server.log"
    words = ["openssl", "s_server", "-accept", f"127.0.0.1:{site.port}", "-cert", certificate, "-key", key, "-tls1_3",
             "-www", *options]
    with running(words, log, conf, **env):
        wait_for(site.port)
        yield log


def s_client(site: Site, trusted: Path, conf: Path | str, *options: str, says: str = "Q\n"
             ) -> subprocess.CompletedProcess[str]:
    """A handshake of `openssl s_client`, which ends behind it, or when the server has responded to a request."""
    words = ["openssl", "s_client", "-connect", f"127.0.0.1:{site.port}", "-CAfile", trusted, "-verify_return_error",
             "-servername", "localhost", *options]
    return subprocess.run([*map(str, words)], env=environment(conf), input=says, text=True, check=False,
                          capture_output=True, timeout=120)


@pytest.mark.parametrize("kind", [pytest.param(kind, id=f"{kind.group}-{kind.key}") for kind in KINDS])
def test_handshake_with_the_provider_on_each_side(site: Site, kind: Kind) -> None:
    """The counters are those of one handshake on the side that has the provider, and none of the other."""
    certificate, key = site.make("server", kind.key)
    server, client = Machine(site.folder, "one"), Machine(site.folder, "two")
    for server_conf, client_conf in ((server.conf, STOCK), (STOCK, client.conf), (server.conf, client.conf)):
        with s_server(site, certificate, key, server_conf, "-groups", kind.group):
            done = s_client(site, certificate, client_conf, "-groups", kind.group)
        assert done.returncode == 0 and "Verify return code: 0 (ok)" in done.stdout, done.stdout + done.stderr
        assert f"Server Temp Key: {kind.temp_key}" in done.stdout
        assert f"Peer signature type: {'ed25519' if kind.key == 'ED25519' else 'ECDSA'}" in done.stdout
        assert server.take() == (kind.server if server_conf != STOCK else {})
        assert client.take() == (kind.client if client_conf != STOCK else {})


def test_resumed_session_needs_no_signature(site: Site) -> None:
    certificate, key = site.make("server", "ED25519")
    server, client = Machine(site.folder, "one"), Machine(site.folder, "two")
    with s_server(site, certificate, key, server.conf, "-groups", "X25519"):
        done = s_client(site, certificate, STOCK, "-sess_out", str(site.folder / "session"), "-ign_eof",
                        says="GET / HTTP/1.0\n\n")  # the ticket comes behind the handshake
        assert "New, TLSv1.3" in done.stdout
        done = s_client(site, certificate, client.conf, "-sess_in", str(site.folder / "session"))
        assert "Reused, TLSv1.3" in done.stdout
    assert server.take() == {"X25519.generate": 2, "X25519.derive": 2, "ED25519.sign": 1}
    assert client.take() == ED.shares


def test_all_groups_are_offered(site: Site) -> None:
    """Every group of TLS 1.3 that OpenSSL offers by itself, also that of finite fields, is there."""
    certificate, key = site.make("server", "P-256")
    machine = Machine(site.folder)
    with s_server(site, certificate, key, STOCK):
        for group in ("P-521", "X448", "ffdhe2048"):
            done = s_client(site, certificate, machine.conf, "-groups", group)
            assert done.returncode == 0, group + done.stderr
    assert machine.take() == {
        "EC.P-521.generate": 1, "EC.P-521.check": 1, "ECDH.P-521.derive": 1, "X448.generate": 1, "X448.derive": 1,
        "ECDSA.P-256.verify": 3}  # fmt: skip


@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.key) for kind in KINDS[:2]])
def test_certificate_with_a_wrong_signature_is_rejected(site: Site, kind: Kind) -> None:
    """A bit of the signature of the authority is wrong: the core says no, and the client sends an alert."""
    authority, authority_key = site.make("authority", kind.key)
    certificate, key = site.make("server", "P-256", "-CA", str(authority), "-CAkey", str(authority_key))
    openssl("x509", "-in", certificate, "-outform", "DER", "-out", "good.der", conf=STOCK, cwd=site.folder)
    der = bytearray((site.folder / "good.der").read_bytes())
    der[-3] ^= 1
    (site.folder / "forged.der").write_bytes(der)
    openssl("x509", "-inform", "DER", "-in", "forged.der", "-out", "forged.crt", conf=STOCK, cwd=site.folder)
    client = Machine(site.folder)
    for name, code in ((certificate, 0), (site.folder / "forged.crt", 1)):
        with s_server(site, name, key, STOCK, "-groups", "X25519") as log:
            done = s_client(site, authority, client.conf)
        assert done.returncode == code, done.stderr
        assert ("certificate signature failure" in done.stderr) == bool(code)
        assert ("alert" in log.read_text()) == bool(code)
        signer = f"{kind.signer}.verify"
        assert client.take("rejected") == ({signer: 1} if code else {})


PYTHON = """
import socket, ssl, sys
context = ssl.create_default_context(cafile=sys.argv[2])
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as plain:
    with context.wrap_socket(plain, server_hostname="localhost") as secure:
        print(secure.version())
"""


@pytest.mark.skipif(not ssl.OPENSSL_VERSION.startswith("OpenSSL 3."), reason="this Python has another OpenSSL")
def test_ssl_of_python(site: Site) -> None:
    certificate, key = site.make("server", "ED25519")
    client = Machine(site.folder)
    with s_server(site, certificate, key, STOCK, "-groups", "X25519"):
        done = subprocess.run([sys.executable, "-c", PYTHON, str(site.port), str(certificate)], text=True, check=True,
                              env=environment(client.conf), capture_output=True, timeout=120)
    assert done.stdout == "TLSv1.3\n"
    assert client.take() == ED.client


# ---- nginx and curl

CONFIGURATION = """
daemon off;
master_process on;
worker_processes 1;
user {user};
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  keepalive_timeout 0;
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_protocols TLSv1.3;
    ssl_ecdh_curve {group};
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    ssl_session_tickets off;
    {more}
    location / {{ return 200 "served\\n"; }}
  }}
}}
"""


@contextmanager
def nginx(site: Site, kind: Kind, certificate: Path, key: Path, conf: Path | str, more: str = "") -> Iterator[Path]:
    """A web server on a loopback port; the path of its log."""
    assert NGINX is not None
    text = CONFIGURATION.format(folder=site.folder, port=site.port, group={"P-256": "prime256v1", "P-384": "secp384r1"}
                                .get(kind.group, kind.group), certificate=certificate, key=key, more=more,
                                user=pwd.getpwuid(os.getuid()).pw_name)
    (site.folder / "nginx.conf").write_text(text)
    with running([NGINX, "-p", site.folder, "-e", site.folder / "nginx.log", "-c", site.folder / "nginx.conf"],
                 site.folder / "nginx.out", conf):
        wait_for(site.port)
        yield site.folder / "nginx.log"


def curl(site: Site, trusted: Path, conf: Path | str, *options: str | Path, path: str = "") -> list[str]:
    """Bodies of the responses, line by line; each over a connection of its own."""
    words = ["curl", "-sS", "--no-sessionid", "--cacert", trusted, "--resolve", f"localhost:{site.port}:127.0.0.1",
             *options, f"https://localhost:{site.port}/{path}"]
    done = subprocess.run([*map(str, words)], env=environment(conf), text=True, check=False, capture_output=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def times(counts: dict[str, int], number: int) -> dict[str, int]:
    return {name: number * count for name, count in counts.items()}


@needs_nginx
@pytest.mark.parametrize("kind", [pytest.param(kind, id=f"{kind.group}-{kind.key}") for kind in KINDS[:3]])
def test_nginx_and_curl(site: Site, kind: Kind) -> None:
    certificate, key = site.make("server", kind.key)
    server, client = Machine(site.folder, "one"), Machine(site.folder, "two")
    for server_conf, client_conf in ((server.conf, STOCK), (STOCK, client.conf), (server.conf, client.conf)):
        with nginx(site, kind, certificate, key, server_conf):
            assert curl(site, certificate, client_conf) == ["served"]
        assert server.take() == (kind.server if server_conf != STOCK else {})
        counts = client.take()
        if client_conf != STOCK and kind.group != "X25519":  # curl offers a share of X25519 first, and is asked again
            assert counts.pop("X25519.generate") == 1
        assert counts == (kind.client if client_conf != STOCK else {})


@needs_nginx
def test_mutual_authentication(site: Site) -> None:
    """Each side verifies a certificate of the authority and the other's signature."""
    authority, authority_key = site.make("authority", "P-256")
    signed = ("-CA", str(authority), "-CAkey", str(authority_key))
    certificate, key = site.make("server", "ED25519", *signed)
    own, own_key = site.make("client", "P-384", *signed)
    server, client = Machine(site.folder, "one"), Machine(site.folder, "two")
    more = f"ssl_client_certificate {authority}; ssl_verify_client on;"
    with nginx(site, ED, certificate, key, server.conf, more):
        assert curl(site, authority, client.conf, "--cert", own, "--key", own_key) == ["served"]
        assert "400" in "".join(curl(site, authority, STOCK))  # no certificate
    handshakes = {"X25519.generate": 2, "X25519.derive": 2, "ED25519.sign": 2}
    assert server.take() == handshakes | {"ECDSA.P-256.verify": 1, "ECDSA.P-384.verify": 1}
    # curl's OpenSSL builds the chain of its own certificate too, which verifies that.
    assert client.take() == ED.shares | {"ECDSA.P-256.verify": 2, "ED25519.verify": 1, "ECDSA.P-384.sign": 1}


@needs_nginx
@pytest.mark.parametrize("number", [12, pytest.param(50, marks=pytest.mark.long)])
def test_handshakes_in_a_row(site: Site, number: int) -> None:
    certificate, key = site.make("server", "ED25519")
    server = Machine(site.folder)
    with nginx(site, ED, certificate, key, server.conf):
        assert curl(site, certificate, STOCK, path=f"[1-{number}]") == ["served"] * number
    assert server.take() == times(ED.server, number)
    assert server.take("failed") == {}


@needs_nginx
@pytest.mark.parametrize("number", [8, pytest.param(16, marks=pytest.mark.long)])
def test_eight_handshakes_at_a_time(site: Site, number: int) -> None:
    """Eight connections of one client and one server at once, on each side in one process with one device."""
    certificate, key = site.make("server", "ED25519")
    server, client = Machine(site.folder, "one"), Machine(site.folder, "two")
    with nginx(site, ED, certificate, key, server.conf):
        bodies = curl(site, certificate, client.conf, "--parallel", "--parallel-immediate", "--parallel-max", "8",
                      path=f"[1-{number}]")
    assert bodies == ["served"] * number
    assert server.take() == times(ED.server, number)
    assert client.take() == times(ED.client, number)
