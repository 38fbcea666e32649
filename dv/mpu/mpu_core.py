# SPDX-License-Identifier: Apache-2.0
"""The verilated pm_mpu in this process: registers, operand memory, memory of the system, operations."""

from __future__ import annotations

import ctypes
import random
from functools import cache
from pathlib import Path

from pointmill import simbuild
from pointmill.gen.registers import compile_rdl
from pointmill.ucode.dual import DIGIT, digits
from pointmill.ucode.mpu import DATA, ENTRY, ENTRY_K, OPERATIONS, WIDTH, Command, Outcome

API = Path(__file__).parent / "pm_mpu_api.cpp"
FILES = ["hw/mpu/mpu.f"]
OPT = "-O1"
"""Level of optimisation: these benches run longer than their build takes, and 1.5 times as long at -Og."""
REG = {reg.inst_name: reg.address_offset for reg in compile_rdl("mpu").registers()}
REASONS = {number: name for name, number in DATA["reasons"].items()}
STRIDE: int = DATA["memory"]["stride"]
OKAY, SLVERR = 0, 2
FIXED, INCR, WRAP = range(3)
BUSY, DONE, MODULUS, CURVE = 1, 2, 4, 8
IRQ_DONE, IRQ_MISSED, IRQ_RESET_DONE, IRQ_DMA_DONE = 1, 2, 4, 8
BEAT = 16


@cache
def library(dma: bool = True) -> ctypes.CDLL:
    """The built interface, to the core with the parameter Dma; made again only when a source changed."""
    name = "pm_mpu" if dma else "pm_mpu_no_dma"
    lib = ctypes.CDLL(str(simbuild.build_shared("pm_mpu", FILES, API, {} if dma else {"Dma": 0},
                                                cflags=("-Idv/common", "-Isw/backends/sim"),
                                                out_dir=f"build/sim/{name}", opt=OPT)))
    lib.pm_mpu_new.restype = ctypes.c_void_p
    lib.pm_mpu_run.restype = ctypes.c_uint64
    lib.pm_mpu_violations.restype = ctypes.c_uint32
    lib.pm_mpu_run.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int]
    lib.pm_mpu_pace.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint]
    lib.pm_mpu_write.argtypes = [ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint8]
    lib.pm_mpu_map.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t]
    for name in ("delete", "reset", "read", "store", "load", "irq", "holds", "hold", "violations"):
        getattr(lib, f"pm_mpu_{name}").argtypes = None
    return lib


class Core:
    """One core, reset and idle; a context manager that wants no violation at its end."""

    def __init__(self, stall: int = 0, seed: int = 0, dma: bool = True) -> None:
        self.lib = library(dma)
        self.core = ctypes.c_void_p(self.lib.pm_mpu_new())
        self.lib.pm_mpu_pace(self.core, seed, stall)
        self.system = (ctypes.c_uint8 * 0)()
        self.reset()

    def reset(self) -> None:
        """The reset input."""
        self.lib.pm_mpu_reset(self.core, 3)

    def __enter__(self) -> Core:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        violations = self.lib.pm_mpu_violations(self.core)
        self.lib.pm_mpu_delete(self.core)
        assert kind is not None or violations == 0

    # ---- registers ----

    def write(self, register: str | int, value: int, strobe: int = 15) -> int:
        """Response of a register write."""
        address = REG[register] if isinstance(register, str) else register
        return self.lib.pm_mpu_write(self.core, address, value, strobe)

    def read(self, register: str | int) -> tuple[int, int]:
        """(response, value) of a register read."""
        address = REG[register] if isinstance(register, str) else register
        value = ctypes.c_uint32()
        response = self.lib.pm_mpu_read(self.core, ctypes.c_uint8(address), ctypes.byref(value))
        return response, value.value

    def value(self, register: str) -> int:
        """Value of a register that can be read."""
        response, value = self.read(register)
        assert response == OKAY
        return value

    def run(self, cycles: int, until_irq: bool = False) -> int:
        """Let the clock run; cycles that it ran."""
        return self.lib.pm_mpu_run(self.core, cycles, until_irq)

    @property
    def irq(self) -> bool:
        """The interrupt line."""
        return bool(self.lib.pm_mpu_irq(self.core))

    # ---- operand memory ----

    def store(self, address: int, data: bytes, strobes: list[int] | None = None, size: int = 4,
              burst: int = INCR) -> int:  # fmt: skip
        """Response of a write burst; data of whole beats."""
        beats = len(data) // BEAT
        masks = (ctypes.c_uint16 * beats)(*(strobes or [0xFFFF] * beats))
        return self.lib.pm_mpu_store(self.core, ctypes.c_uint32(address), data, masks, beats, size, burst)

    def load(self, address: int, beats: int, size: int = 4, burst: int = INCR) -> tuple[int, bytes, list[int]]:
        """(worst response, data, responses) of a read burst."""
        data, responses = (ctypes.c_uint8 * (BEAT * beats))(), (ctypes.c_uint8 * beats)()
        worst = self.lib.pm_mpu_load(self.core, ctypes.c_uint32(address), data, responses, beats, size, burst)
        return worst, bytes(data), list(responses)

    def put(self, entry: int, value: int) -> None:
        """Write an entry."""
        assert self.store(STRIDE * entry, value.to_bytes(6 * BEAT, "little")) == OKAY

    def get(self, entry: int) -> int:
        """Read an entry."""
        response, data, _ = self.load(STRIDE * entry, 6)
        assert response == OKAY
        return int.from_bytes(data, "little")

    # ---- memory of the system ----

    def map(self, address: int, data: bytes) -> None:
        """The memory of the system: `data` from an address on. An access to anything else is an error."""
        self.system = (ctypes.c_uint8 * len(data))(*data)
        self.lib.pm_mpu_map(self.core, address, self.system, len(data))

    def hold(self, held: bool) -> None:
        """Whether that memory offers and takes nothing."""
        self.lib.pm_mpu_hold(self.core, held)

    def begin(self, store: bool, address: int, entry: int, count: int) -> int:
        """Response of the write that starts a transfer."""
        assert self.write("DMA_ADDRESS", address & 0xFFFFFFFF) == self.write("DMA_ADDRESS_HIGH", address >> 32) == OKAY
        return self.write("DMA", entry | count << 8 | store << 16)

    def transfer(self, store: bool, address: int, entry: int, count: int) -> Outcome:
        """One transfer to its end."""
        assert self.begin(store, address, entry, count) == OKAY
        return self.wait(event=IRQ_DMA_DONE)

    def holds(self, number: int) -> int:
        """Which registers for data of an operation hold a piece of 64 bits, other than 0, of a number: a bit each."""
        found = 0
        for at in range(0, WIDTH, 32):
            if piece := number >> at & (1 << 64) - 1:
                found |= self.lib.pm_mpu_holds(self.core, piece.to_bytes(8, "little"))
        return found

    # ---- operations ----

    @staticmethod
    def word(command: Command) -> int:
        """What is written to COMMAND."""
        opcode = OPERATIONS[command.op]["opcode"] if isinstance(command.op, str) else command.op
        return (opcode | command.src1 << 8 | command.src2 << 12 | command.dst1 << 16 | command.dst2 << 20
                | command.secret << 24)  # fmt: skip

    def start(self, command: Command) -> int:
        """Response of the write that starts an operation."""
        return self.write("COMMAND", self.word(command))

    def wait(self, cycles: int = 2_000_000, event: int = IRQ_DONE) -> Outcome:
        """How the operation under way ends, or with IRQ_DMA_DONE the transfer; by the interrupt."""
        self.write("IRQ_ENABLE", event)
        assert self.run(cycles, True) < cycles, "no end"
        assert self.write("IRQ_STATUS", event) == OKAY
        status = self.value("STATUS")
        assert status & (BUSY | DONE) == DONE
        return Outcome(REASONS[status >> 8], self.value("CYCLES"))

    def do(self, op: str, src1: int = 0, src2: int = 0, dst1: int = 0, dst2: int = 0, secret: bool = False) -> Outcome:
        """One operation."""
        assert self.start(Command(op, src1, src2, dst1, dst2, secret)) == OKAY
        return self.wait()

    def modulus(self, p: int) -> Outcome:
        """Load a modulus."""
        self.put(ENTRY["p"], p)
        return self.do("load_modulus")

    def curve(self, p: int, a: int, b: int) -> Outcome:
        """Load a curve."""
        for name, value in (("p", p), ("a", a), ("b", b)):
            self.put(ENTRY[name], value)
        return self.do("load_curve")

    def put_point(self, buffer: int, point: tuple[int, int] | None, r: int = 1, p: int = 0) -> None:
        """Write a buffer, coordinates times r mod p, and its flag."""
        if point is not None:
            for i, value in enumerate(point):
                self.put(2 * buffer + i, value * r % p if p else value)
        flags = self.value("INFINITY") & ~(1 << buffer)
        assert self.write("INFINITY", flags | (point is None) << buffer) == OKAY

    def get_point(self, buffer: int, r: int = 1, p: int = 0) -> tuple[int, int] | None:
        """Read a buffer, coordinates divided by r mod p."""
        if self.value("INFINITY") >> buffer & 1:
            return None
        factor = pow(r, -1, p) if p else 1
        x, y = (self.get(2 * buffer + i) for i in range(2))
        return (x * factor % p, y * factor % p) if p else (x, y)

    def product(self, op: str, k: int, point: tuple[int, int] | None,
                secret: bool = False) -> tuple[Outcome, tuple[int, int] | None]:
        """[k]point from buffer R[0] to R[1]."""
        self.put(ENTRY_K, k)
        self.put_point(2, point)
        outcome = self.do(op, 2, 0, 3, secret=secret)
        return outcome, self.get_point(3)


def domain(p: int) -> int:
    """R of a modulus."""
    return 1 << DIGIT * digits(p.bit_length())


def operand(rng: random.Random, bound: int) -> int:
    """A number below a bound: an edge now and then."""
    return rng.choice([0, 1, 2, bound - 1, bound - 2, bound >> 1, rng.getrandbits(32) % bound]
                      + [rng.randrange(bound)] * 7)  # fmt: skip


TOP = 1 << WIDTH
