# SPDX-License-Identifier: Apache-2.0
"""Files of packets for the probes: programs that read them run the verilated cores."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pointmill.measure.records import ROOT


def beats_of(packet: bytes) -> bytes:
    """A packet as the probes read it: 8 data bytes, keep and last for each beat."""
    out = bytearray()
    for i in range(0, len(packet), 8):
        part = packet[i : i + 8]
        out += part.ljust(8, b"\0") + bytes([(1 << len(part)) - 1, i + 8 >= len(packet)])
    return bytes(out)


@contextmanager
def packet_file(name: str, data: bytes) -> Iterator[Path]:
    """A file below build/ that has `data`, until the context ends; `name` is the beginning of its name."""
    key = hashlib.sha256(data).hexdigest()[:12]
    path = ROOT / "build" / "bench" / f"{name}-{key}-{os.getpid()}.packets"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    try:
        yield path
    finally:
        path.unlink()
