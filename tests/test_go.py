# SPDX-License-Identifier: Apache-2.0
"""The client in Go, its example, and CometBFT's BatchVerifier on it, with a running service."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pointmill.resources import ROOT
from serve_process import Server

GO = ROOT / "examples" / "go"
pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server("--grpc", "127.0.0.1:0") as running:
        yield running.wait_ready()
        assert running.stop() == 0


def go(folder: Path, *words: str, **environment: str) -> str:
    """What a command of Go prints; modules are those of go.sum."""
    done = subprocess.run(["go", *words], cwd=folder, env={**os.environ, "GOFLAGS": "-mod=readonly", **environment},
                          capture_output=True, text=True, check=False)
    if "dial tcp" in done.stderr or "lookup proxy" in done.stderr:
        pytest.skip("the modules cannot be downloaded")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_client_is_clean() -> None:
    assert go(ROOT / "bindings" / "go", "vet", "./...") == ""
    formatted = subprocess.run(["gofmt", "-l", ROOT / "bindings" / "go", GO], capture_output=True, text=True,
                               check=True)
    assert formatted.stdout == ""


def test_the_client_without_a_service() -> None:
    """Nothing goes on behind a call that failed, and messages of a stream stay short."""
    assert "ok" in go(ROOT / "bindings" / "go", "test", "-count=1", ".")


def test_the_example(server: Server) -> None:
    assert go(GO, "run", "./verify", server.bound["grpc"]) == "true ok ref10_bytes\nfalse equation_fails zip215\n"


def test_cometbft(server: Server) -> None:
    """150 votes, some wrong: the verdicts of CometBFT's own verifier; nothing is valid without the service."""
    text = go(GO, "test", "-count=1", "-v", "./cometbft", POINTMILL_GRPC=server.bound["grpc"])
    assert text.count("--- PASS") == 2 and "FAIL" not in text
