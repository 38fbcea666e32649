# SPDX-License-Identifier: Apache-2.0
"""The verilated pm_edverify in this process: job packets in, results out, registers, reset.

One build for each configuration serves all benches (pm_edverify_api.cpp); it is independent of the
product's driver.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from dv.common import stream_core
from dv.common.stream_core import Beat, StreamCore
from pointmill import simbuild
from pointmill.cores import EDVERIFY
from pointmill.model.ed25519 import verify_all
from pointmill.rules import OPERATIONS, RULES, Reason
from vectors.ed25519_vectors import Case

HERE = Path(__file__).parent
BUILDS = EDVERIFY.parameters | {
    "batch_8": EDVERIFY.parameters["bulk"] | {"Batch": 8},
}
"""The named configurations, and `bulk` with smaller batches."""
CONTEXTS = {config: parameters["Contexts"] for config, parameters in BUILDS.items()}
"""Jobs in progress at the same time, by configuration."""
CYCLES_PER_JOB = 40_000  # more than any job with a short message takes
BLOCK = {config: 176 if "Tiles" in build or "Hardened" in build else 84 if build["Contexts"] > 1 else 80
         for config, build in BUILDS.items()}
"""Cycles of a block of the hash: with two cycles a round, with deep rounds, else."""
OKAY, SLVERR = 0, 2


class Result(NamedTuple):
    """One answer; `answered_at` is the clock cycle in which its last beat was taken."""

    tag: int
    rule: int
    reason: int
    valid: bool
    cycles: int
    answered_at: int
    all_zero: bool = False
    payload: bytes = b""


class _Result(ctypes.Structure):
    _fields_ = [("tag", ctypes.c_uint32), ("cycles", ctypes.c_uint32),
                ("answered_at", ctypes.c_uint64), ("rule", ctypes.c_uint8),
                ("reason", ctypes.c_uint8), ("valid", ctypes.c_uint8),
                ("all_zero", ctypes.c_uint8), ("length", ctypes.c_uint8),
                ("unused", ctypes.c_uint8 * 3), ("payload", ctypes.c_uint8 * 96)]  # fmt: skip


@cache
def library(config: str, chosen: bool = False) -> ctypes.CDLL:
    """The built interface to a configuration; made again only when a source changed. With `chosen`
    the digest of a job is the end of its message (chosen/pm_sha512.sv)."""
    sources = simbuild.resolve_sources("hw/edverify/edverify.f")
    if chosen:
        stand_in = HERE / "chosen" / "pm_sha512.sv"
        sources = [stand_in if file.name == stand_in.name else file for file in sources]
        assert stand_in in sources
    path = simbuild.build_shared(
        "pm_edverify", sources, [HERE / "pm_edverify_api.cpp", HERE / "pm_edverify_soak.cpp"],
        BUILDS[config], cflags=("-Idv/common", "-Isw/backends/sim", "-DPM_TB_TOP=pm_edverify"),
        out_dir=f"build/sim/pm_edverify_{config}{'_chosen' * chosen}")  # fmt: skip
    return bound(path)


def bound(path: Path) -> ctypes.CDLL:
    """The functions of a library with pm_edverify_api.cpp, as Core calls them."""
    return stream_core.bound(path, _Result, ("cycle", ctypes.c_uint64, ctypes.c_void_p),
                             ("accepted", ctypes.c_uint64, ctypes.c_void_p))  # fmt: skip


def beats_of(body: bytes) -> list[Beat]:
    """Bytes as beats of a packet."""
    return [
        (body[i : i + 8].ljust(8, b"\0"), (1 << len(body[i : i + 8])) - 1)
        for i in range(0, len(body), 8)
    ]


def packet(tag: int, rule: int, pk: bytes, msg: bytes, sig: bytes, slot: int = 0,
           op: str = "verify") -> list[Beat]:  # fmt: skip
    """The beats of a verification; any rule and bits 31:16 of the header may be asked for."""
    head = struct.pack("<BBHI", rule, OPERATIONS[op].opcode, slot, tag)
    return beats_of(head + sig[32:] + sig[:32] + pk + msg)


def secret_packet(tag: int, opcode: int, *body: bytes, rule: int = 0) -> list[Beat]:
    """The beats of a job of another operation: operands, then the message."""
    return beats_of(struct.pack("<BBHI", rule, opcode, 0, tag) + b"".join(body))


class Core(StreamCore):
    """One core of a configuration, reset and idle."""

    def __init__(self, config: str = "paper", chosen: bool = False, lib: ctypes.CDLL | None = None) -> None:
        self.config = config
        super().__init__(lib or library(config, chosen))

    def push_part(self, beats: Iterable[Beat]) -> None:
        """Queue beats of a packet that does not end with them."""
        beats = list(beats)
        self.lib.pm_core_push(self.handle, b"".join(d + bytes((keep, 0)) for d, keep in beats), len(beats))

    def take(self) -> list[Result]:
        """All results that wait."""
        taken: list[Result] = []
        buffer = (_Result * 256)()
        while count := self.lib.pm_core_take(self.handle, buffer, 256):
            taken += [
                Result(r.tag, r.rule, r.reason, bool(r.valid), r.cycles, r.answered_at,
                       bool(r.all_zero), bytes(r.payload[:r.length]))
                for r in buffer[:count]
            ]
        return taken

    def answers(self, count: int, cycles: int | None = None) -> list[Result]:
        """Exactly the next `count` results; AssertionError if they do not come in time."""
        self.run(CYCLES_PER_JOB * count if cycles is None else cycles, count)
        taken = self.take()
        assert len(taken) == count, f"{len(taken)} answers, not {count}"
        return taken

    read = StreamCore.register

    @property
    def cycle(self) -> int:
        """Clock cycles since the core was made."""
        return self.lib.pm_core_cycle(self.handle)

    @property
    def accepted(self) -> int:
        """Beats taken by the core since it was made."""
        return self.lib.pm_core_accepted(self.handle)


@dataclass(frozen=True)
class Job:
    """A job and what must come out: reason None where a source only says the verdict."""

    case: Case
    rule: str
    valid: bool
    reason: Reason | None = None

    def message_cycles(self, block: int) -> int:
        """An upper bound of the cycles that the message costs, with so many a block of the hash."""
        return block * 5 // 4 * (len(self.case.msg) // 128 + 2)


def stated(cases: Iterable[Case]) -> list[Job]:
    """A job for every rule on which a case says something; wrong lengths have no packet."""
    return [
        Job(case, rule, valid)
        for case in cases
        if len(case.pk) == 32 and len(case.sig) == 64
        for rule, valid in case.verdicts.items()
    ]


def judged(cases: Iterable[Case]) -> list[Job]:
    """A job for every case and rule, verdict and reason from the golden model."""
    return [
        Job(case, rule, verdict.valid, verdict.reason)
        for case in cases
        for rule, verdict in verify_all(case.pk, case.msg, case.sig).items()
    ]


def key_packet(tag: int, pk: bytes, slot: int) -> list[Beat]:
    """The beats of a key to be loaded."""
    return beats_of(struct.pack("<BBHI", 0, OPERATIONS["load_key"].opcode, slot, tag) + pk)


def beats_of_job(job: Job, tag: int, slot: int = 0, op: str = "verify") -> list[Beat]:
    """The packet of a job."""
    case = job.case
    return packet(tag, RULES[job.rule].id, case.pk, case.msg, case.sig, slot, op)


def reasons(results: Iterable[Result]) -> list[tuple[int, Reason]]:
    """(tag, reason) of every answer."""
    return [(result.tag, Reason(result.reason)) for result in results]


def check(core: Core, jobs: list[Job], chunk: int = 64) -> list[Result]:
    """Run the jobs, back to back in chunks, and compare every answer; the results in the order of
    the jobs. With one context answers come in that order, with several as jobs end."""
    results: list[Result] = []
    for start in range(0, len(jobs), chunk):
        part = jobs[start : start + chunk]
        for tag, job in enumerate(part, start):
            core.push(beats_of_job(job, tag))
        limit = sum(CYCLES_PER_JOB + job.message_cycles(BLOCK[core.config]) for job in part)
        answers = core.answers(len(part), limit)
        results += answers if CONTEXTS[core.config] == 1 else sorted(answers)
    for tag, (job, result) in enumerate(zip(jobs, results, strict=True)):
        what = (job.case.source, job.case.id, job.rule, Reason(result.reason).name)
        assert (result.tag, result.rule) == (tag, RULES[job.rule].id), what
        assert result.valid == job.valid == (result.reason == Reason.ok), what
        assert job.reason is None or result.reason == job.reason, (*what, job.reason.name)
    return results


BAD_KEEPS = (0x00, 0x0F, 0x55, 0x7F, 0xA0, 0xFE)


def damaged(job: Job, tag: int) -> Iterator[list[Beat]]:
    """Packets that break the format, each in one way."""
    good = beats_of_job(job, tag)
    case, rule = job.case, RULES[job.rule].id
    for length in range(1, 13):  # ends too early
        yield good[:length]
    for where in range(len(good)):  # bytes missing where none may be
        for keep in BAD_KEEPS:
            last = where == len(good) - 1 > 12
            if not last or keep in (0x55, 0xA0, 0xFE):
                yield [*good[:where], (good[where][0], keep), *good[where + 1 :]]
    for wrong in (0, 7, 8, 255):
        yield packet(tag, wrong, case.pk, case.msg, case.sig)
    for bit in range(16):
        yield packet(tag, rule, case.pk, case.msg, case.sig, slot=1 << bit)
    for opcode in (0, 2, 3, 129, 255):
        head = good[0][0][:1] + bytes((opcode,)) + good[0][0][2:]
        yield [(head, 0xFF), *good[1:]]
