# SPDX-License-Identifier: Apache-2.0
"""The netlist of a board, driven by the driver over its serial line: self-test, signatures, soft resets.

``python -m boards.simulate BOARD [--signatures N] [--initial zero random one]`` prints a transcript, and leaves its
counts in build/board/<board>.netlist.json. Each initial state, that of registers and memories, is a run of its own, all
but the first one with few known answers and signatures. A wrong verdict ends it with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pointmill.commands.selftest import known_answers
from pointmill.device import Device, Job

from . import netlist, wire
from .board import OUT, Board, load, names
from .crossings import check

TIMEOUT = 10_000_000
"""Cycles without progress."""


class SimulationError(AssertionError):
    """The netlist did something wrong."""


@dataclass(frozen=True)
class Work:
    """Of a run: of how many known answers it has one, signatures, soft resets."""

    every: int
    signatures: int
    resets: int


FEW = Work(every=8, signatures=8, resets=1)
"""For all initial states but the first one."""


@dataclass
class Transcript:
    """Of a run: its lines; jobs with the right result, soft resets, and jobs that these ended."""

    lines: list[str] = field(default_factory=list)
    right: int = 0
    resets: int = 0
    aborted: int = 0


def signature(rng: random.Random, valid: bool, tag: object = None) -> Job:
    """A job, by an implementation of its own; of one that is not valid a bit is flipped."""
    key = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
    message = rng.randbytes(rng.choice([0, 1, 32, 63, 64, 111, 112, 200]))
    signed = bytearray(key.sign(message))
    if not valid:
        signed[rng.randrange(64)] ^= 1 << rng.randrange(8)
    public = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return Job(public, message, bytes(signed), tag=tag)


def require(holds: bool, text: str) -> None:
    """`SimulationError` unless it holds."""
    if not holds:
        raise SimulationError(text)


def self_test(device: Device, said: Transcript, every: int) -> None:
    """Known answers under every rule set, malformed jobs; the first of `every` so many."""
    answers = known_answers()[::every]
    results = device.verify_batch([answer.job for answer in answers])
    wrong = [answer.name for answer, result in zip(answers, results, strict=True) if not answer.agrees(result)]
    require(not wrong, f"self-test: {len(wrong)} of {len(answers)} wrong: {', '.join(wrong[:5])}")
    said.right += len(answers)
    said.lines.append(f"self-test: {len(answers)} of {len(answers)} right")


def signatures(device: Device, rng: random.Random, count: int, said: Transcript) -> None:
    """Half of them forged."""
    good = [rng.random() < 0.5 for _ in range(count)]
    results = device.verify_batch([signature(rng, valid) for valid in good])
    wrong = sum(result.valid != valid for result, valid in zip(results, good, strict=True))
    require(wrong == 0, f"signatures: {wrong} of {count} wrong")
    said.right += count
    said.lines.append(f"signatures: {count} right, {sum(good)} of them valid")


def soft_resets(device: Device, rng: random.Random, count: int, said: Transcript) -> None:
    """Every job ends, with its verdict or aborted; the next one is right."""
    ended: Counter[str] = Counter()
    for _ in range(count):
        good = {tag: rng.random() < 0.5 for tag in range(4)}
        for tag, valid in good.items():
            device.submit(signature(rng, valid, tag))
        device.run(rng.randrange(20000))
        device.soft_reset()
        for result in [device.wait(TIMEOUT) for _ in good]:
            require(result.valid == good.pop(result.tag) or result.reason == "aborted",
                    f"soft reset: job {result.tag} ended with {result.reason}")
            ended[result.reason] += 1
        (last,) = device.verify_batch([signature(rng, True)])
        require(last.valid, "the job behind a soft reset is wrong")
    said.resets += count
    said.aborted += ended["aborted"]
    said.right += 5 * count - ended["aborted"]
    said.lines.append(f"soft resets: {count}, results " + ", ".join(f"{name} {n}" for name, n in sorted(ended.items())))


def run(board: Board, program: Path, initial: str, work: Work, seed: int = 1) -> Transcript:
    """One run. `SimulationError`, `DeviceError`."""
    rng = random.Random(seed)
    begin = time.monotonic()
    said = Transcript()
    with wire.Wire(program, divider=wire.DIVIDER, initial=initial, seed=seed) as line:
        with Device(backend="uart", settings=f"port={line.port},{wire.SETTINGS}") as device:
            identity = device.identity()
            require(identity is not None and identity.board == board.name
                    and identity.configuration == board.configuration, f"identity: {identity}")
            said.lines.append(f"identity: {identity}")
            self_test(device, said, work.every)
            signatures(device, rng, work.signatures, said)
            soft_resets(device, rng, work.resets, said)
            counters = device.counters()
            said.lines.append(f"counters: {counters.jobs} jobs, {counters.valid} valid, {counters.errors} without "
                              "verdict")
        line.stop()
    seconds = time.monotonic() - begin
    said.lines.append(f"{line.counts['cycles']} cycles in {seconds:.0f} s; bytes to the board "
                      f"{line.counts['to_design']['bytes']}, from it {line.counts['from_design']['bytes']}")
    return said


def main() -> int:
    """Exit code 0: everything was right."""
    parser = argparse.ArgumentParser(prog="python -m boards.simulate", description=__doc__)
    parser.add_argument("board", choices=names())
    parser.add_argument("--signatures", type=int, default=200)
    parser.add_argument("--resets", type=int, default=5)
    parser.add_argument("--initial", nargs="+", default=["zero", "random", "one"], choices=["zero", "random", "one"])
    args = parser.parse_args()
    board = load(args.board)
    program = netlist.program(board)
    for crossing in check(board.folder / "netlist.sim.json", board.name):
        print(f"asynchronous {crossing.signal}: {crossing.kind}, {len(crossing.registers)} registers")
    counts = []
    try:
        for initial in args.initial:
            print(f"registers and memories begin as: {initial}", flush=True)
            work = Work(1, args.signatures, args.resets) if initial == args.initial[0] else FEW
            said = run(board, program, initial, work)
            counts.append({"initial": initial, "right": said.right, "resets": said.resets, "aborted": said.aborted})
            for text in said.lines:
                print(f"  {text}", flush=True)
    except SimulationError as error:
        print(error, file=sys.stderr)
        return 1
    (OUT / f"{board.name}.netlist.json").write_text(json.dumps(counts, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
