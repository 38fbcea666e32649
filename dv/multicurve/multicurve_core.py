# SPDX-License-Identifier: Apache-2.0
"""The verilated pm_multicurve in this process: jobs in, results out, registers, reset."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from dv.common.stream_core import Beat, StreamCore, bound
from pointmill import simbuild
from pointmill.cores import MULTICURVE
from pointmill.curves import Curve, MontgomeryCurve

HERE = Path(__file__).parent
DATA = yaml.safe_load((simbuild.ROOT / "hw" / "multicurve" / "core.yaml").read_text())
OPERATIONS: dict[str, dict] = DATA["operations"]
REASONS: dict[str, int] = DATA["reasons"]
REASON_NAMES = {number: name for name, number in REASONS.items()}
FLAGS = {flag: 1 << bit for bit, flag in enumerate(DATA["flags"])}
NUMBER_BYTES = 72
LIMIT = 1_000_000
"""More cycles than any job takes."""
OKAY, SLVERR = 0, 2
LOOP = 0x48
"""Address of the register with the cycles of the latest scalar loop."""


class Answer(NamedTuple):
    """One answer; `answered_at` is the clock cycle in which its last beat was taken."""

    tag: int
    opcode: int
    reason: str
    infinity: bool
    all_zero: bool
    cycles: int
    payload: tuple[int, ...]
    answered_at: int

    @property
    def point(self) -> tuple[int, int] | None:
        """The affine point of an answer with reason `ok`; None is infinity."""
        assert self.reason == "ok", self
        return None if self.infinity else (self.payload[0], self.payload[1])


class _Result(ctypes.Structure):
    _fields_ = [("beats", ctypes.c_uint64 * 20), ("answered_at", ctypes.c_uint64),
                ("count", ctypes.c_uint32), ("unused", ctypes.c_uint32)]  # fmt: skip


CONFIGS = ("paper", "fast")
"""Configurations of the core; what is not said of one holds for all."""


@cache
def library(config: str = "paper") -> ctypes.CDLL:
    """The built interface; made again only when a source changed."""
    path = simbuild.build_shared(
        "pm_multicurve", "hw/multicurve/multicurve.f", HERE / "pm_multicurve_api.cpp",
        MULTICURVE.parameters[config], cflags=("-Idv/common", "-Isw/backends/sim"),
        out_dir=f"build/sim/pm_multicurve_{config}")  # fmt: skip
    return bound(path, _Result)


def packet(tag: int, opcode: int, numbers: Sequence[int], option: int = 0, flags: int = 0) -> list[Beat]:
    """The beats of a job; anything may be asked for."""
    data = struct.pack("<BBHI", option, opcode, flags, tag)
    data += b"".join(number.to_bytes(NUMBER_BYTES, "little") for number in numbers)
    return [(data[i : i + 8], 0xFF) for i in range(0, len(data), 8)]


def job(tag: int, name: str, *numbers: int, option: str | None = None, flags: Iterable[str] = ()) -> list[Beat]:
    """The beats of a well-formed job."""
    operation = OPERATIONS[name]
    assert len(numbers) == len(operation["operands"])
    chosen = operation["options"].index(option) if option else 0
    return packet(tag, operation["opcode"], numbers, chosen, sum(FLAGS[flag] for flag in flags))


def _answer(result: _Result) -> Answer:
    head, second = result.beats[0], result.beats[1]
    assert head >> 16 & 0xFFFF == 0 and second >> 34 == 0
    payload = bytes(result.beats)[16 : 8 * result.count]
    numbers = tuple(int.from_bytes(payload[i : i + NUMBER_BYTES], "little")
                    for i in range(0, len(payload), NUMBER_BYTES))
    return Answer(head >> 32, head >> 8 & 0xFF, REASON_NAMES[head & 0xFF], bool(second >> 32 & 1),
                  bool(second >> 33 & 1), second & 0xFFFFFFFF, numbers, result.answered_at)


class Core(StreamCore):
    """One core, reset and idle."""

    def __init__(self, config: str = "paper") -> None:
        super().__init__(library(config))

    def __enter__(self) -> Core:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answers(self, count: int, cycles: int | None = None) -> list[Answer]:
        """Exactly the next `count` answers; AssertionError if they do not come in time."""
        self.run(LIMIT * count if cycles is None else cycles, count)
        buffer = (_Result * (count + 1))()
        found = self.lib.pm_core_take(self.handle, buffer, count + 1)
        assert found == count, f"{found} answers, not {count}"
        return [_answer(result) for result in buffer[:count]]

    def ask(self, name: str, *numbers: int, option: str | None = None, flags: Iterable[str] = ()) -> Answer:
        """The answer to one job."""
        self.push(job(7, name, *numbers, option=option, flags=flags))
        (answer,) = self.answers(1)
        assert (answer.tag, answer.opcode) == (7, OPERATIONS[name]["opcode"])
        wanted = len(OPERATIONS[name]["payload"]) if answer.reason == "ok" else 0
        assert len(answer.payload) == wanted, answer
        return answer

    def load(self, curve: Curve | MontgomeryCurve, option: str | None = None) -> Answer:
        """Load a curve, a Weierstrass curve with its base point, and its order if that is known."""
        if isinstance(curve, MontgomeryCurve):
            return self.ask("load_curve", curve.p, (curve.A + 2) * pow(4, -1, curve.p) % curve.p, 0, 0, 0, 0,
                            flags=("montgomery",))  # fmt: skip
        return self.ask("load_curve", curve.p, curve.a, curve.b, *curve.g, curve.n or 0, option=option)

    def read(self, address: int) -> int:
        """The value of a register."""
        value, response = self.register(address)
        assert response == OKAY
        return value

    @property
    def loop(self) -> int:
        """Cycles of the latest scalar loop."""
        return self.read(LOOP)
