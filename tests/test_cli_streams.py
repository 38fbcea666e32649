# SPDX-License-Identifier: Apache-2.0
"""Every command under a pseudo-terminal, with each stream redirected; full disks, closed pipes and signals."""

from __future__ import annotations

import argparse
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pointmill import cli, library

PK = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
SIG = ("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
       "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b")
SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
D = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
X = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
Y = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
ONE = "1"
CURVE = ("--curve", "P-256")

# Words behind a command, and its lines of input; None where it takes none.
COMMANDS: dict[str, tuple[tuple[str, ...], dict[str, str] | None]] = {
    "verify": (("--json", "-"), {"pk": PK, "msg": "", "sig": SIG}),
    "sign": (("-",), {"d": SEED, "msg": ""}),
    "keygen": (("-",), {"d": SEED}),
    "x25519": (("-",), {"k": SEED, "u": PK}),
    "ecmul": ((*CURVE, "-"), {"k": "2"}),
    "ecmul2": ((*CURVE, "-"), {"u": "2", "v": "3", "qx": X, "qy": Y}),
    "pubkey-check": ((*CURVE, "-"), {"qx": X, "qy": Y}),
    "ecdh": ((*CURVE, "-"), {"d": D, "qx": X, "qy": Y}),
    "ecdsa-verify": ((*CURVE, "-"), {"digest": "af", "qx": X, "qy": Y, "r": ONE, "s": ONE}),
    "ecdsa-sign": ((*CURVE, "-"), {"digest": "af", "d": D}),
    "sm2-verify": (("--curve", "sm2p256v1", "-"), {"e": ONE, "qx": X, "qy": Y, "r": ONE, "s": ONE}),
    "sm2-sign": (("--curve", "sm2p256v1", "-"), {"e": ONE, "d": D, "k": "2"}),
    "x448": (("-",), {"k": "02" * 56, "u": "05" + "00" * 55}),
    "modarith": (("-",), {"mod": "61", "op": "inv", "a": "2a"}),
    "info": (("--json",), None),
    "regs": (("--json",), None),
    "selftest": (("--json",), None),
    "demo": (("--json", "--published", "4", "--files", "2", "--forged", "1"), None),
    "bench": (("--help",), None),
    "measure": (("--list", "derived"), None),
    "report": (("--help",), None),
    "ratchet": (("--help",), None),
    "schedule": (("--json", "multicurve.check"), None),
    "simulate": (("--help",), None),
    "sweep": (("--help",), None),
    "serve": (("--help",), None),
    "fleet": (("--help",), None),
}
ALIKE = ("keygen", "ecmul2", "ecdh", "ecdsa-verify", "sm2-verify", "sm2-sign", "x448", "bench", "report", "ratchet",
         "simulate", "sweep", "fleet")
"""Commands whose streams are handled as those of others are: in the long run."""
NAMES = [pytest.param(name, marks=pytest.mark.long) if name in ALIKE else name for name in COMMANDS]
LINES = 3
"""How often a line is given."""


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """The devices are there, so that no build announces itself."""
    library.module("edverify")
    library.module("multicurve")
    library.module("x25519")


def test_no_command_is_left_out() -> None:
    (subparsers,) = (action for action in cli.make_parser()._actions if isinstance(action, argparse._SubParsersAction))
    assert COMMANDS.keys() == subparsers.choices.keys() and len(COMMANDS) == 27


def command(name: str) -> list[str]:
    return [sys.executable, "-m", "pointmill.cli", name, *COMMANDS[name][0]]


def given(name: str) -> bytes:
    line = COMMANDS[name][1]
    return b"" if line is None else (json.dumps(line) + "\n").encode() * LINES


@contextmanager
def terminal() -> Iterator[int]:
    """The terminal end of a pseudo-terminal, whose other end is read to the end, so that nothing waits."""
    controller, end = pty.openpty()
    reader = subprocess.Popen(["cat"], stdin=controller, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(controller)
    try:
        yield end
    finally:
        os.close(end)
        reader.wait(timeout=20)


def lines_of(data: bytes) -> list[str]:
    """The output without what differs from run to run."""
    return ["" if b'"cycles"' in line or b'"seconds"' in line else line.decode() for line in data.splitlines()]


@pytest.mark.parametrize("name", NAMES)
def test_output_reaches_its_file(name: str, tmp_path: Path) -> None:
    """Whether standard error, standard input or neither is a terminal."""
    plain = subprocess.run(command(name), input=given(name), capture_output=True, check=False, timeout=200)
    assert plain.returncode in (0, 1) and plain.stdout and b"Traceback" not in plain.stderr, plain.stderr
    for which in ("stderr", "stdin"):
        if which == "stdin" and COMMANDS[name][1] is not None:
            continue  # it would wait for what is typed
        out = tmp_path / which
        with terminal() as end, out.open("wb") as file:
            done = subprocess.run(command(name), stdout=file, check=False, timeout=200,
                                  **({"stderr": end, "input": given(name)} if which == "stderr" else
                                     {"stdin": end, "stderr": subprocess.DEVNULL}))
        assert done.returncode == plain.returncode
        assert len(lines_of(out.read_bytes())) == len(lines_of(plain.stdout))
        if name not in ("demo", "ecdsa-sign"):
            assert lines_of(out.read_bytes()) == lines_of(plain.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_is_an_error(name: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command(name), input=given(name), stdout=full, stderr=subprocess.PIPE, check=False,
                              timeout=200)
    assert done.returncode == 2
    assert b"standard output: No space left on device" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_a_reader_that_is_gone(name: str) -> None:
    """As behind `| head -1`: the program ends as the signal of a closed pipe would end it, without a word."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(command(name), input=given(name), stdout=writer, stderr=subprocess.PIPE, check=False,
                              timeout=200)
    finally:
        os.close(writer)
    assert done.returncode == 141 and b"Traceback" not in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_closed_streams(name: str) -> None:
    """No file that is opened takes the number of a closed stream."""
    for closed in ("<&-", "2>&-"):
        done = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *command(name)], input=given(name),
                              capture_output=True,
                              check=False, timeout=200)
        assert b"Traceback" not in done.stdout + done.stderr
        assert done.returncode in (0, 1, 2) and (done.stdout or closed == "<&-")
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command(name)], input=given(name), capture_output=True,
                          check=False,
                          timeout=200)
    assert done.returncode == 2 and b"standard output: Bad file descriptor" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("name", [one for one, (_, line) in zip(NAMES, COMMANDS.values(), strict=True) if line])
def test_signals(name: str, number: int) -> None:
    """While a command waits for input: what was answered is out, and the exit code names the signal."""
    # What runs in the background of a shell may ignore SIGINT, and its children do so too.
    with subprocess.Popen(command(name), bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(given(name))
        process.stdin.flush()
        first = process.stdout.readline()
        time.sleep(0.2)
        process.send_signal(number)
        rest, said = process.communicate(timeout=30)
    records = [json.loads(line) for line in (first + rest).splitlines()]
    assert process.returncode == 128 + number and b"Traceback" not in said
    assert len(records) == LINES + 1 and records[-1]["reason"] == "interrupted"
