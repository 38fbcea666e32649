# SPDX-License-Identifier: Apache-2.0
"""The verilated pm_edverify in this process: job packets in, results out, registers, reset.

One build serves all benches (pm_edverify_api.cpp); it is independent of the product's driver.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pointmill import simbuild
from pointmill.model.ed25519 import verify_all
from pointmill.rules import JOB, RULES, Reason
from pointmill.vectors import Case

HERE = Path(__file__).parent
CYCLES_PER_JOB = 20_000  # more than any job with a short message takes
OKAY, SLVERR = 0, 2

Beat = tuple[bytes, int]
"""Eight data bytes and TKEEP."""


class Result(NamedTuple):
    """One answer; `answered_at` is the clock cycle in which its last beat was taken."""

    tag: int
    rule: int
    reason: int
    valid: bool
    cycles: int
    answered_at: int


class _Result(ctypes.Structure):
    _fields_ = [("tag", ctypes.c_uint32), ("cycles", ctypes.c_uint32),
                ("answered_at", ctypes.c_uint64), ("rule", ctypes.c_uint8),
                ("reason", ctypes.c_uint8), ("valid", ctypes.c_uint8),
                ("unused", ctypes.c_uint8 * 5)]  # fmt: skip


@cache
def library() -> ctypes.CDLL:
    """The built interface; made again only when a source changed."""
    path = simbuild.build_shared(
        "pm_edverify", "rtl/cores/edverify/edverify.f", HERE / "pm_edverify_api.cpp",
        cflags=("-Itb/common",), out_dir="build/sim/pm_edverify_core", opt="-O2")  # fmt: skip
    lib = ctypes.CDLL(str(path))
    core, u64, u32, u8 = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint8
    size, integer = ctypes.c_size_t, ctypes.c_int
    for name, result, *arguments in (
        ("new", core),
        ("delete", None, core),
        ("reset", None, core, u32),
        ("pace", None, core, u64, u32, u32),
        ("push", None, core, ctypes.c_char_p, size),
        ("run", u64, core, u64, size),
        ("take", size, core, ctypes.POINTER(_Result), size),
        ("write", integer, core, u8, u32),
        ("read", integer, core, u8, ctypes.POINTER(u32)),
        ("irq", integer, core),
        ("cycle", u64, core),
        ("accepted", u64, core),
        ("violations", u32, core),
    ):
        function = getattr(lib, f"pm_core_{name}")
        function.restype, function.argtypes = result, arguments
    return lib


def beats_of(body: bytes) -> list[Beat]:
    """Bytes as beats of a packet."""
    return [
        (body[i : i + 8].ljust(8, b"\0"), (1 << len(body[i : i + 8])) - 1)
        for i in range(0, len(body), 8)
    ]


def packet(tag: int, rule: int, pk: bytes, msg: bytes, sig: bytes, reserved: int = 0) -> list[Beat]:
    """The beats of a job; any rule and reserved bits may be asked for."""
    head = struct.pack("<BBHI", rule, JOB["opcode_verify"], reserved, tag)
    return beats_of(head + sig[32:] + sig[:32] + pk + msg)


class Core:
    """One core, reset and idle."""

    def __init__(self) -> None:
        self.lib = library()
        self.handle = self.lib.pm_core_new()
        self.reset()

    def close(self) -> None:
        """Free it; AssertionError if the bench or an RTL assertion found something on the way."""
        found = self.lib.pm_core_violations(self.handle)
        self.lib.pm_core_delete(self.handle)
        assert found == 0, f"{found} protocol violations or failed RTL assertions (see output)"

    def reset(self, cycles: int = 3) -> None:
        """Asynchronous reset; what was queued and not answered is forgotten."""
        self.lib.pm_core_reset(self.handle, cycles)

    def pace(self, seed: int = 0, idle: int = 0, stall: int = 0) -> None:
        """Per cent of cycles without a new beat, and without taking a result beat."""
        self.lib.pm_core_pace(self.handle, seed, idle, stall)

    def push(self, beats: Iterable[Beat]) -> None:
        """Queue one packet."""
        beats = list(beats)
        last = len(beats) - 1
        data = b"".join(d + bytes((keep, i == last)) for i, (d, keep) in enumerate(beats))
        self.lib.pm_core_push(self.handle, data, len(beats))

    def run(self, cycles: int, results: int = 1 << 60) -> int:
        """Run until so many results wait, or for so many cycles; the cycles it took."""
        return self.lib.pm_core_run(self.handle, cycles, results)

    def take(self) -> list[Result]:
        """All results that wait."""
        taken: list[Result] = []
        buffer = (_Result * 256)()
        while count := self.lib.pm_core_take(self.handle, buffer, 256):
            taken += [
                Result(r.tag, r.rule, r.reason, bool(r.valid), r.cycles, r.answered_at)
                for r in buffer[:count]
            ]
        return taken

    def answers(self, count: int, cycles: int | None = None) -> list[Result]:
        """Exactly the next `count` results; AssertionError if they do not come in time."""
        self.run(CYCLES_PER_JOB * count if cycles is None else cycles, count)
        taken = self.take()
        assert len(taken) == count, f"{len(taken)} answers, not {count}"
        return taken

    def write(self, address: int, value: int) -> int:
        """Write a register; the response code."""
        return self.lib.pm_core_write(self.handle, address, value)

    def read(self, address: int) -> tuple[int, int]:
        """(value, response code) of a register."""
        value = ctypes.c_uint32()
        response = self.lib.pm_core_read(self.handle, address, ctypes.byref(value))
        return value.value, response

    @property
    def irq(self) -> bool:
        """Level of the interrupt line."""
        return bool(self.lib.pm_core_irq(self.handle))

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

    @property
    def message_cycles(self) -> int:
        """An upper bound of the cycles that the message costs."""
        return 100 * (len(self.case.msg) // 128 + 2)


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


def check(core: Core, jobs: list[Job], chunk: int = 64) -> list[Result]:
    """Run the jobs, back to back in chunks, and compare every answer; the results in order."""
    results: list[Result] = []
    for start in range(0, len(jobs), chunk):
        part = jobs[start : start + chunk]
        for tag, job in enumerate(part, start):
            case = job.case
            core.push(packet(tag, RULES[job.rule].id, case.pk, case.msg, case.sig))
        limit = sum(CYCLES_PER_JOB + job.message_cycles for job in part)
        results += core.answers(len(part), limit)
    for tag, (job, result) in enumerate(zip(jobs, results, strict=True)):
        what = (job.case.source, job.case.id, job.rule, Reason(result.reason).name)
        assert (result.tag, result.rule) == (tag, RULES[job.rule].id), what
        assert result.valid == job.valid == (result.reason == Reason.ok), what
        assert job.reason is None or result.reason == job.reason, (*what, job.reason.name)
    return results
