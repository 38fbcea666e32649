# SPDX-License-Identifier: Apache-2.0
"""Transfers of operands by pm_mpu between its operand memory and that of the system: with operations, rejected,
abandoned."""

from __future__ import annotations

import random

import pytest
from mpu_core import (
    BEAT,
    BUSY,
    DONE,
    IRQ_DMA_DONE,
    IRQ_DONE,
    IRQ_MISSED,
    IRQ_RESET_DONE,
    OKAY,
    REASONS,
    SLVERR,
    STRIDE,
    Core,
    domain,
)

from pointmill.curves import by_name
from pointmill.model import weierstrass
from pointmill.ucode.mpu import ENTRY, Command

BYTES, ENTRIES = 88, 16
BASE = 0x9_8765_4000
P256 = by_name("P-256")
MODULI = (3, 97, (1 << 127) - 1, P256.p, (1 << 521) - 1, (1 << 704) - 1)


def numbers(values: list[int]) -> bytes:
    """Numbers as they lie in the memory of the system, with something else between them."""
    return b"".join(value.to_bytes(BYTES, "little") + bytes([0xA5]) * (STRIDE - BYTES) for value in values)


def number(core: Core, index: int) -> int:
    """A number of that memory."""
    return int.from_bytes(bytes(core.system[STRIDE * index:STRIDE * index + BYTES]), "little")


@pytest.mark.parametrize("stall", [0, 30, 70])
def test_every_entry_and_count(stall: int) -> None:
    """Both ways; nothing but the numbers changes, and undisturbed it takes 6 cycles a number and 3, or 4."""
    rng, done = random.Random(stall), 0
    with Core(stall, stall) as core:
        for entry in range(ENTRIES):
            for count in range(1, ENTRIES - entry + 1):
                old, new = ([rng.getrandbits(704) for _ in range(ENTRIES)] for _ in range(2))
                core.map(BASE, numbers(old))
                if done == 0 or rng.random() < 0.1:
                    assert core.transfer(False, BASE, 0, ENTRIES).reason == "ok"
                    kept = list(old)
                core.map(BASE, numbers(new))
                outcome = core.transfer(False, BASE, entry, count)
                assert outcome.reason == "ok"
                assert stall or outcome.cycles == 6 * count + 3
                kept[entry:entry + count] = new[:count]
                last = entry + count - 1
                assert core.get(entry) == kept[entry]
                assert core.get(last) == kept[last]
                core.map(BASE, numbers(old))
                outcome = core.transfer(True, BASE, 0, ENTRIES)
                assert outcome.reason == "ok"
                assert bytes(core.system) == numbers(kept)
                core.map(BASE, numbers(old))
                outcome = core.transfer(True, BASE + STRIDE * (ENTRIES - count), entry, count)
                assert outcome.reason == "ok"
                assert stall or outcome.cycles == 6 * count + 4
                assert bytes(core.system) == numbers(old[:ENTRIES - count] + kept[entry:entry + count])
                done += 1
    assert done == 136


@pytest.mark.parametrize("p", MODULI)
def test_operations_between_transfers(p: int) -> None:
    """The modulus and the operands come from the memory of the system, the results go there."""
    rng = random.Random(p)
    with Core(20, p & 255) as core:
        for _ in range(8):
            x, y = rng.randrange(p), rng.randrange(p)
            core.map(BASE, numbers([x, y, 0, 0, 0, p]))
            assert core.transfer(False, BASE + 5 * STRIDE, ENTRY["p"], 1).reason == "ok"
            assert core.do("load_modulus").reason == "ok"
            assert core.transfer(False, BASE, 4, 2).reason == "ok"
            for op, out in (("mont_mul", 0), ("add", 1), ("sub", 2)):
                assert core.do(op, 4, 5, out).reason == "ok"
            assert core.transfer(True, BASE + 2 * STRIDE, 0, 3).reason == "ok"
            wanted = [x * y * pow(domain(p), -1, p) % p, (x + y) % p, (x - y) % p]
            assert bytes(core.system) == numbers([x, y, *wanted, p])


def test_product_of_a_point() -> None:
    """Curve, point and scalar in two transfers; by interrupt. No register of data holds the secret scalar behind it."""
    rng = random.Random(256)
    with Core() as core:
        k = rng.randrange(P256.n)
        core.map(BASE, numbers([*P256.g, 0, 0, k, 0, P256.p, P256.a, P256.b]))
        assert core.transfer(False, BASE, 4, 9).reason == "ok"
        assert core.holds(k) == 0
        assert core.do("load_curve").reason == "ok"
        assert core.do("ecmul", 2, 0, 2, secret=True).reason == "ok"
        assert core.transfer(True, BASE, 4, 5).reason == "ok"
        assert (number(core, 0), number(core, 1)) == weierstrass.multiply(P256, k, P256.g)
        assert number(core, 4) == k
        assert core.holds(k) == 0


def test_registers() -> None:
    """What says that there is a master; halves of the address; a write without the lowest byte starts nothing."""
    with Core() as core:
        assert core.value("DMA_CONFIG") == 64
        assert core.write("DMA_CONFIG", 1) == SLVERR
        core.map(1 << 40, numbers([7, 8]))
        for low in (0, STRIDE):
            for register, value in (("DMA_ADDRESS", low), ("DMA_ADDRESS_HIGH", 1 << 8)):
                assert core.write(register, value) == OKAY
                assert core.value(register) == value
                assert register == "DMA_ADDRESS_HIGH" or core.value("DMA_ADDRESS_HIGH") == 0
            assert core.value("DMA_ADDRESS") == low
        assert core.write("DMA", 1 << 16 | 1 << 8, strobe=0b0110) == OKAY
        assert core.value("STATUS") == 0
        assert core.write("DMA", 3, strobe=0b0001) == OKAY
        assert core.wait(event=IRQ_DMA_DONE).reason == "ok"
        assert number(core, 1) == core.get(3)
        assert core.value("DMA") == 1 << 16 | 1 << 8 | 3
        core.map(1 << 40, numbers([7, 8]))
        assert core.write("DMA", 1 << 8 | 3) == OKAY
        assert core.wait(event=IRQ_DMA_DONE).reason == "ok"
        assert core.get(3) == 8


def test_refused_while_busy() -> None:
    """A transfer under way, or an operation: a second start of either, addresses, flags, the memory. Nothing is
    disturbed."""
    with Core() as core:
        core.modulus(P256.p)
        core.map(BASE, numbers([11, 12]))
        accesses = [
            lambda: core.start(Command("add", 1, 1, 1)), lambda: core.write("DMA", 1 << 8),
            lambda: core.write("INFINITY", 3),
            lambda: core.write("DMA_ADDRESS", 0), lambda: core.write("DMA_ADDRESS_HIGH", 0),
            lambda: core.write("SCALAR", 3),
            lambda: core.store(STRIDE, bytes(96)), lambda: core.load(STRIDE, 6)[0]]
        for access in accesses:
            core.put(0, 5)
            core.put(1, 77)
            core.hold(True)
            assert core.begin(False, BASE, 0, 2) == OKAY
            core.run(10)
            assert access() == SLVERR
            assert core.value("STATUS") & (BUSY | DONE) == BUSY
            assert core.value("IRQ_STATUS") == IRQ_MISSED
            assert core.write("IRQ_STATUS", IRQ_MISSED) == OKAY
            core.hold(False)
            assert core.wait(event=IRQ_DMA_DONE).reason == "ok"
            assert (core.get(0), core.get(1)) == (11, 12)
            assert core.value("INFINITY") == core.value("SCALAR") == 0
            assert core.value("DMA_ADDRESS") == BASE & 0xFFFFFFFF
            assert core.start(Command("invert", 0, 0, 2, secret=True)) == OKAY
            assert core.write("DMA", 1 << 8) == SLVERR
            assert core.write("IRQ_STATUS", IRQ_MISSED) == OKAY
            assert core.wait().reason == "ok"
            assert (core.get(0), core.get(2)) == (11, pow(11, -1, P256.p))
    assert len(accesses) == 8


def test_illegal_and_errors() -> None:
    """Reasons and cycles; modulus and numbers stay."""
    with Core() as core:
        core.modulus(P256.p)
        core.put(0, 9)
        core.map(BASE, numbers([1, 2, 3]))
        cases = [(BASE, 0, 0), (BASE, 0, 17), (BASE, 15, 2), (BASE + 16, 0, 1), (BASE + 64, 0, 1),
                 ((1 << 64) - STRIDE, 0, 2)]
        for address, entry, count in cases:
            for store in (False, True):
                outcome = core.transfer(store, address, entry, count)
                assert (outcome.reason, outcome.cycles) == ("illegal_command", 1)
        for store in (False, True):
            assert core.transfer(store, BASE - STRIDE, 1, 3).reason == "bus_error"
            assert core.transfer(store, BASE, 1, 4).reason == "bus_error"
            assert core.transfer(store, BASE, 1, 3).reason == "ok"
        assert [core.get(entry) for entry in range(4)] == [9, 1, 2, 3]
        assert core.do("add", 1, 2, 3).reason == "ok"
        assert core.get(3) == 3
    assert len(cases) == 6


def test_interrupt_and_poll() -> None:
    with Core() as core:
        core.map(BASE, numbers([6] * ENTRIES))
        core.hold(True)
        assert core.begin(False, BASE, 0, ENTRIES) == OKAY
        assert core.write("IRQ_ENABLE", IRQ_DMA_DONE) == OKAY
        assert core.run(300, True) == 300
        assert core.value("STATUS") & (BUSY | DONE) == BUSY
        core.hold(False)
        assert core.run(300, True) < 150
        assert core.value("STATUS") == DONE
        assert core.value("CYCLES") > 300
        assert core.value("IRQ_STATUS") == IRQ_DMA_DONE
        assert core.write("IRQ_STATUS", IRQ_DMA_DONE) == OKAY
        assert not core.irq
        assert core.start(Command("mul", 0, 1, 2, 3)) == OKAY
        core.run(100)
        assert core.value("IRQ_STATUS") == IRQ_DONE
        assert core.begin(True, BASE, 0, 1) == OKAY
        core.run(100)
        assert core.value("IRQ_STATUS") == IRQ_DONE | IRQ_DMA_DONE


@pytest.mark.parametrize("store", [False, True])
def test_soft_reset_in_the_middle(store: bool) -> None:
    """At any time: the reason is aborted, bursts are ended on the bus, and the reset is over no sooner; nothing is
    left."""
    rng, middle = random.Random(store), 0
    for after in range(0, 110, 2):
        with Core(rng.choice([0, 30]), after) as core:
            old = [rng.getrandbits(704) for _ in range(ENTRIES)]
            core.map(BASE, numbers(old))
            for entry in range(ENTRIES):
                core.put(entry, entry + 1)
            core.write("IRQ_STATUS", 15)
            assert core.begin(store, BASE, 0, ENTRIES) == OKAY
            core.run(after)
            core.hold(True)
            busy = core.value("STATUS") & BUSY
            assert core.write("CTRL", 1) == OKAY
            core.run(100)
            status = core.value("STATUS")
            assert REASONS[status >> 8] == ("aborted" if busy else "ok")
            assert core.value("IRQ_STATUS") & (IRQ_DONE | IRQ_DMA_DONE) == IRQ_DMA_DONE
            if status & BUSY:
                middle += 1
                assert not core.value("IRQ_STATUS") & IRQ_RESET_DONE
                assert core.start(Command("mul", 0, 1, 2, 3)) == SLVERR
            core.hold(False)
            core.run(200)
            assert not core.value("STATUS") & BUSY
            assert core.value("IRQ_STATUS") & IRQ_RESET_DONE
            core.write("IRQ_STATUS", 15)
            assert [core.get(entry) for entry in range(ENTRIES)] == [0] * ENTRIES
            before, behind, found = numbers(old), numbers(list(range(1, ENTRIES + 1))), bytes(core.system)
            for at in range(0, len(found), BEAT):
                assert found[at:at + BEAT] in (before[at:at + BEAT], (behind if store else before)[at:at + BEAT])
            assert core.transfer(False, BASE, 0, 2).reason == "ok"
            assert (core.get(0), core.get(1)) == (number(core, 0), number(core, 1))
    assert middle > 30


@pytest.mark.long
def test_without_the_master() -> None:
    """Dma = 0: the registers are there and say so, and a transfer ends at once."""
    with Core(dma=False) as core:
        assert core.value("DMA_CONFIG") == 0
        core.put(0, 9)
        core.map(BASE, numbers([1]))
        for store in (False, True):
            outcome = core.transfer(store, BASE, 0, 1)
            assert (outcome.reason, outcome.cycles) == ("illegal_command", 1)
        assert core.get(0) == 9
        assert bytes(core.system) == numbers([1])
        core.modulus(97)
        core.put(1, 90)
        assert core.do("add", 0, 1, 2).reason == "ok"
        assert core.get(2) == 2
        assert core.write("CTRL", 1) == OKAY
        core.run(20)
        assert not core.value("STATUS") & BUSY
        assert core.get(2) == 0
