# SPDX-License-Identifier: Apache-2.0
"""A running `pointmill serve`, as a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPResponse
from typing import Any, Self

from pointmill.resources import ROOT

SECONDS = 60


def until(holds: Callable[[], Any], what: str, seconds: float = SECONDS) -> Any:
    """Waits for something true; what it is."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, f"not in {seconds} s: {what}"
        time.sleep(0.02)
    return found


def descendants(ancestor: int, name: str) -> list[int]:
    """Processes that come from another one and have a name in their command line."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()]
    parents = {int(pid): int(parent) for pid, parent, _ in rows}

    def descends(pid: int) -> bool:
        while pid in parents and pid != ancestor:
            pid = parents[pid]
        return pid == ancestor

    return [int(pid) for pid, _, text in rows if name in text and descends(int(pid))]


class Server:
    """The process, its log and a client; a context manager that ends it."""

    def __init__(self, *words: str, device: str = "model", env: dict[str, str] | None = None,
                 seconds: float = SECONDS) -> None:
        """seconds: in which it must listen, and give something to a client that waits."""
        self._seconds = seconds
        command = [sys.executable, "-m", "pointmill.cli", "serve", "--device", device, *words]
        if "--http" not in words:
            command += ["--http", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=env)
        self.log: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.bound = until(lambda: self.events("listening") or self.process.poll() is not None, "it listens",
                               seconds)[0]
        except BaseException:
            self.process.kill()
            raise

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(json.loads(line) if line.startswith("{") else {"event": "text", "text": line})

    def events(self, name: str) -> list[dict[str, Any]]:
        """Those of the log."""
        return [event for event in list(self.log) if event["event"] == name]

    def wait_ready(self, devices: int = 1) -> Self:
        """Until so many devices were opened."""
        until(lambda: len(self.events("device_ready")) >= devices, "devices are ready")
        return self

    def connection(self) -> HTTPConnection:
        """To the server, over TCP."""
        host, _, port = self.bound["http"].rpartition(":")
        return HTTPConnection(host, int(port), timeout=self._seconds)

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[HTTPResponse, bytes]:
        """One request on a new connection; `_` in names of headers stands for `-`."""
        connection = self.connection()
        connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response, data

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal and waits; the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

