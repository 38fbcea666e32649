# SPDX-License-Identifier: Apache-2.0
"""What a verification costs on the serial line of a board or through LitePCIe, and in its core.

``python -m boards.transports [--message BYTES]`` prints for each board the bytes of the line and the microseconds
that they take in each direction, beside those of the core with jobs waiting, and which of them is the bottleneck. Bytes
are those of the frames (docs/uart.md) with the mean of the escapes of random bytes, without faults; cycles are those of
the records of the core. Through LitePCIe the line is the stream of the bridge (docs/pcie.md), without pauses; there is
no board, so that nothing is said of a core.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass

from pointmill.cores import CORES
from pointmill.measure.boards import parameters
from pointmill.simbuild import ROOT

from .board import Board, load, names

JOB, RESULT = 104, 16
"""Bytes of the packets of a verification, without the message."""
PAYLOAD, HEADER, REPLY, CRC, ENDS, STATUS = 248, 4, 5, 4, 2, 8
"""Bytes of frames: payload at most; headers of both directions; payload of a status."""
ESCAPES = 2 / 256
"""Mean of the bytes that an escape adds to a random one."""
BITS = 10
"""Of a byte on the line."""
WORD, BUFFER, AHEAD, FRAME_WORDS, PCIE_MHZ = 8, 8192, 4, 3, 125
"""LitePCIe: bytes of a word and of a buffer; buffers read ahead; words of a buffer of jobs that are no payload; clock
of its streams."""
PCIE_JOBS = (1, 64)
"""That wait when the driver rings: a job that is alone, and as many as the driver has under way."""


@dataclass(frozen=True)
class Cost:
    """Of one verification: bytes of the line; microseconds of the line and of the core."""

    bytes_to: float
    bytes_from: float
    us_to: float
    us_from: float
    us_core: float | None

    @property
    def bottleneck(self) -> str:
        """What takes longest; a core without record counts as faster."""
        times = {"line to the board": self.us_to, "line from the board": self.us_from, "core": self.us_core or 0.0}
        return max(times, key=lambda name: times[name])


def line_bytes(header: int, payload: int) -> float:
    """Bytes of a frame on the line."""
    return (header + payload + CRC) * (1 + ESCAPES) + ENDS


def frames(length: int) -> list[int]:
    """Payloads of the frames of a job packet."""
    return [PAYLOAD] * (length // PAYLOAD) + [length % PAYLOAD] * (length % PAYLOAD != 0)


def cycles(board: Board) -> float | None:
    """Of the core for each of many verifications; None where its configuration has no record. A core with fewer tiles
    than its configuration takes as much longer: tiles share no multiplier."""
    name, config = board.core["name"], board.core["config"]
    path = ROOT / "data" / "records" / f"bench.{name}.verify.{config}.json"
    if not path.is_file():
        return None
    figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
    recorded = next(one["value"] for one in figures if one["what"] == "cycles_per_verification")
    tiles = int(CORES[name].parameters[config].get("Tiles", 1))
    return recorded * tiles / int(parameters(board.core).get("Tiles", 1))


def cost(board: Board, message: int) -> Cost:
    """Of a verification with a message of so many bytes. From the board come its result, and a status for each frame:
    at most, since a result also acknowledges."""
    sent = frames(JOB + message)
    to = sum(line_bytes(HEADER, payload) for payload in sent)
    back = line_bytes(REPLY, RESULT) + len(sent) * line_bytes(REPLY, STATUS)
    us = 1e6 * BITS / board.baud
    core = cycles(board)
    return Cost(to, back, to * us, back * us, None if core is None else core / board.clock_mhz)


def pcie_cost(message: int, jobs: int) -> Cost:
    """Of a verification with a message of so many bytes through LitePCIe, of so many that wait, whose results come
    together."""
    record = WORD + -(-(JOB + message) // WORD) * WORD
    sent = AHEAD + -(-jobs * record // (BUFFER - WORD * FRAME_WORDS))
    back = -(-jobs * 2 * RESULT // (BUFFER - 2 * WORD))
    to, other = sent * BUFFER / jobs, back * BUFFER / jobs
    us = 1 / WORD / PCIE_MHZ
    return Cost(to, other, to * us, other * us, None)


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m boards.transports", description=__doc__)
    parser.add_argument("--message", type=int, default=64, metavar="BYTES", help="of a message (default: %(default)s)")
    message = parser.parse_args().message
    print(f"a verification with a message of {message} bytes")
    print(f"{'board':12} {'bytes to':>9} {'from':>6} {'us to':>8} {'us from':>8} {'us core':>8}  bottleneck")
    costs = {name: cost(load(name), message) for name in names()}
    costs |= {f"litepcie, {jobs}": pcie_cost(message, jobs) for jobs in PCIE_JOBS}
    for name, one in costs.items():
        core = "-" if one.us_core is None else f"{one.us_core:.1f}"
        print(f"{name:12} {one.bytes_to:9.0f} {one.bytes_from:6.0f} {one.us_to:8.1f} {one.us_from:8.1f} {core:>8}  "
              f"{one.bottleneck}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
