# SPDX-License-Identifier: Apache-2.0
"""Running of commands: in this process on a fake device, or as a program on the simulated core."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from driver.fake import ModelX25519Device
from pointmill import cli, library
from pointmill.commands import common
from pointmill.device import Device, Job

Run = Callable[..., tuple[int, list[dict[str, Any]], str]]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
           device: Callable[[str, str], Device], x25519: Callable[[str, str], Device] = ModelX25519Device
           ) -> Run:
    """A function that runs a command on devices that `device`, and for the core x25519 the other function,
    makes of configuration and settings; it gives exit code, JSON lines of stdout, stderr."""
    monkeypatch.setattr(common, "Device",
                        lambda config, backend, settings: device(config, settings))
    monkeypatch.setattr(common, "X25519Device", lambda config, backend, settings: x25519(config, settings))

    def call(*words: object) -> tuple[int, list[dict[str, Any]], str]:
        code = cli.main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, [json.loads(text) for text in captured.out.splitlines()], captured.err

    return call


def line(job: Job, **more: Any) -> str:
    """The JSON line of a verification."""
    return json.dumps({"pk": job.pk.hex(), "msg": job.msg.hex(), "sig": job.sig.hex(), **more})


def write(path: Path, *lines: str | bytes) -> Path:
    """Writes lines to a file; the file."""
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines))
    return path


def pointmill(*words: object, data: bytes = b"") -> tuple[int, list[dict[str, Any]]]:
    """Runs the program itself, on the simulated core."""
    done = subprocess.run([sys.executable, "-m", "pointmill.cli", *map(str, words)], input=data,
                          capture_output=True, check=False, timeout=580,
                          cwd=library.SW.parent)
    expected = (b'{"summary": true', b"building ", b"built ")
    assert all(text.startswith(expected) for text in done.stderr.splitlines()), done.stderr.decode()
    return done.returncode, [json.loads(text) for text in done.stdout.splitlines()]
