# SPDX-License-Identifier: Apache-2.0
"""The driver of `mpu` on the verilated core in this process, against the golden model."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator

import pytest

from pointmill import library
from pointmill.curves import Curve, by_name
from pointmill.model import weierstrass

BYTES, STRIDE = 88, 128
OPS = {"load_curve": 2, "mont_mul": 7, "ecmul": 12}
ENTRIES = {"p": 10, "a": 11, "b": 12, "k": 8}
OK, ARGUMENT, BUS, TIMEOUT = 0, 1, 8, 12
PATIENCE = 1_000_000


class Command(ctypes.Structure):
    """pm_mpu_command."""

    _fields_ = [(name, ctypes.c_uint32)
                for name in ("op", "src1", "src2", "dst1", "dst2")] + [("secret", ctypes.c_bool)]


class Core:
    """One opened core."""

    def __init__(self, lib: ctypes.CDLL, timeout: int = PATIENCE, interrupt: bool = False):
        self.lib, self.state, self.mpu = lib, ctypes.c_void_p(), ctypes.create_string_buffer(64)
        assert lib.pm_mpu_sim_open(f"module={library.module('mpu')}".encode(), ctypes.byref(self.state)) == OK
        backend = ctypes.c_char.in_dll(lib, "pm_mpu_sim_backend")
        assert lib.pm_mpu_open(self.mpu, ctypes.byref(backend), self.state, ctypes.c_uint64(timeout), interrupt) == OK

    def close(self) -> None:
        self.lib.pm_mpu_sim_close(self.state)

    def put(self, entry: int, number: int) -> int:
        return self.lib.pm_mpu_put(self.mpu, entry, number.to_bytes(BYTES, "little"))

    def get(self, entry: int) -> int:
        data = ctypes.create_string_buffer(BYTES)
        assert self.lib.pm_mpu_get(self.mpu, entry, data) == OK
        return int.from_bytes(data.raw, "little")

    def run(self, op: str, **places: int) -> tuple[int, int, int]:
        """Error, reason and cycles."""
        reason, cycles = ctypes.c_uint32(99), ctypes.c_uint32()
        error = self.lib.pm_mpu_run(self.mpu, ctypes.byref(Command(OPS[op], **places)), ctypes.byref(reason))
        assert self.lib.pm_mpu_cycles(self.mpu, ctypes.byref(cycles)) == OK
        return error, reason.value, cycles.value

    def load(self, on: Curve) -> None:
        for name in "pab":
            assert self.put(ENTRIES[name], getattr(on, name)) == OK
        assert self.run("load_curve")[:2] == (OK, 0)

    def infinity(self) -> int:
        flags = ctypes.c_uint32()
        assert self.lib.pm_mpu_get_infinity(self.mpu, ctypes.byref(flags)) == OK
        return flags.value

    def multiply(self, k: int, point: tuple[int, int]) -> tuple[weierstrass.Point, int]:
        """[k]point and its cycles."""
        for entry, number in ((0, point[0]), (1, point[1]), (ENTRIES["k"], k)):
            assert self.put(entry, number) == OK
        error, reason, cycles = self.run("ecmul", dst1=1)
        assert (error, reason) == (OK, 0)
        return (None if self.infinity() & 2 else (self.get(2), self.get(3))), cycles


@pytest.fixture(scope="module")
def lib() -> Iterator[ctypes.CDLL]:
    loaded = ctypes.CDLL(str(library.driver()))
    loaded.pm_mpu_sim_elapsed.restype = ctypes.c_uint64
    yield loaded


@pytest.mark.parametrize("interrupt", [False, True])
@pytest.mark.parametrize("name", ["secp160r1", pytest.param("P-256", marks=pytest.mark.long)])
def test_products_of_points(lib: ctypes.CDLL, name: str, interrupt: bool) -> None:
    core, on = Core(lib, interrupt=interrupt), by_name(name)
    core.load(on)
    rng = random.Random(256)
    scalars = [0, 1, on.n - 1, on.n, rng.randrange(on.n)]
    cycles = set()
    for k in scalars:
        result, spent = core.multiply(k, on.g)
        assert result == weierstrass.multiply(on, k, on.g)
        cycles.add(spent)
    assert len(cycles) == 1
    core.close()


def test_memory_and_products(lib: ctypes.CDLL) -> None:
    """Every entry of its own, in bursts; products of 704 bits."""
    core, rng = Core(lib), random.Random(704)
    p = rng.getrandbits(704) | 1 << 703 | 1
    numbers = [rng.getrandbits(704) for _ in range(16)]
    for entry, number in enumerate(numbers):
        assert core.put(entry, number) == OK
    assert [core.get(entry) for entry in range(16)] == numbers
    on = Curve("any", p, 1, 1)
    core.load(on)
    for _ in range(50):
        x, y = rng.randrange(p), rng.randrange(p)
        assert core.put(0, x) == core.put(1, y) == OK
        assert core.run("mont_mul", src1=0, src2=1, dst1=2)[:2] == (OK, 0)
        assert core.get(2) == x * y * pow(2, -704, p) % p
    core.close()


class Shared:
    """Numbers in this process, where the core finds them: at a multiple of the stride, 0xa5 between them."""

    def __init__(self, count: int, offset: int = 0) -> None:
        self.memory = ctypes.create_string_buffer(bytes([0xA5]) * (STRIDE * (count + 2)))
        self.begin = -ctypes.addressof(self.memory) % STRIDE + offset

    def at(self, index: int) -> ctypes.c_void_p:
        return ctypes.c_void_p(ctypes.addressof(self.memory) + self.begin + STRIDE * index)

    def put(self, *numbers: int) -> None:
        for i, number in enumerate(numbers):
            at = self.begin + STRIDE * i
            self.memory[at:at + BYTES] = number.to_bytes(BYTES, "little")

    def get(self, index: int) -> int:
        at = self.begin + STRIDE * index
        return int.from_bytes(self.memory[at:at + BYTES], "little")


@pytest.mark.parametrize("interrupt", [False, True])
def test_transfers(lib: ctypes.CDLL, interrupt: bool) -> None:
    """Operands and results by the core's own port, in the memory of this process."""
    core, on, rng = Core(lib, interrupt=interrupt), by_name("P-384"), random.Random(384)
    shared, reason = Shared(16), ctypes.c_uint32(99)
    for _ in range(20):
        x, y = rng.randrange(on.p), rng.randrange(on.p)
        shared.put(on.p, on.a, on.b)
        assert lib.pm_mpu_dma_load(core.mpu, ENTRIES["p"], 3, shared.at(0), ctypes.byref(reason)) == OK
        assert reason.value == 0
        assert core.run("load_curve")[:2] == (OK, 0)
        shared.put(x, y)
        assert lib.pm_mpu_dma_load(core.mpu, 0, 2, shared.at(0), ctypes.byref(reason)) == OK
        assert core.run("mont_mul", src1=0, src2=1, dst1=2)[:2] == (OK, 0)
        assert lib.pm_mpu_dma_store(core.mpu, 1, 2, shared.at(4), ctypes.byref(reason)) == OK
        assert reason.value == 0
        assert (shared.get(4), shared.get(5)) == (y, x * y * pow(2, -384, on.p) % on.p)
        assert core.get(2) == shared.get(5)
    assert shared.memory.raw.count(b"\xa5" * (STRIDE - BYTES)) >= 5
    odd = Shared(1, 64)
    assert lib.pm_mpu_dma_load(core.mpu, 0, 1, odd.at(0), ctypes.byref(reason)) == ARGUMENT
    core.close()


def test_time_out(lib: ctypes.CDLL) -> None:
    """An operation that takes too long is given up by a reset, after which the core works."""
    core, on = Core(lib, timeout=2000), by_name("P-256")
    core.load(on)
    before = lib.pm_mpu_sim_elapsed(core.state)
    for entry, number in ((0, on.g[0]), (1, on.g[1]), (ENTRIES["k"], 7)):
        assert core.put(entry, number) == OK
    assert core.run("ecmul", dst1=1)[0] == TIMEOUT
    # Asking STATUS takes cycles too, which the driver does not count.
    assert 2000 < lib.pm_mpu_sim_elapsed(core.state) - before < 20_000
    assert core.get(0) == 0
    core.load(on)
    assert core.put(0, 5) == core.put(1, 6) == OK
    assert core.run("mont_mul", src1=0, src2=1, dst1=2)[:2] == (OK, 0)
    assert core.get(2) == 30 * pow(2, -256, on.p) % on.p
    core.close()


def test_refused_accesses(lib: ctypes.CDLL) -> None:
    """What the core answers with an error is PM_ERR_BUS: registers that are not there, copies while it works."""
    core, on = Core(lib), by_name("P-256")
    core.load(on)
    functions = (ctypes.c_void_p * 6).in_dll(lib, "pm_mpu_sim_backend")
    word, buffer = ctypes.c_uint32, ctypes.create_string_buffer(BYTES)
    read32 = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, word, ctypes.POINTER(word))(functions[0])
    write32 = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, word, word)(functions[1])
    value = word()
    assert read32(core.state, 0x00, ctypes.byref(value)) == OK and value.value == 0x504D4D50
    assert read32(core.state, 0xFC, ctypes.byref(value)) == BUS
    assert write32(core.state, 0x00, 1) == BUS
    assert write32(core.state, 0x14, OPS["ecmul"] | 1 << 16) == OK
    assert core.put(0, 1) == BUS
    assert lib.pm_mpu_get(core.mpu, 0, buffer) == BUS
    assert lib.pm_mpu_reset(core.mpu) == OK
    assert core.put(0, 1) == OK
    core.close()
