# SPDX-License-Identifier: Apache-2.0
"""pm_mpu: registers, operand memory over AXI4, interrupt and poll, what is rejected while it works, resets."""

from __future__ import annotations

import random

import pytest

from dv.mpu.mpu_core import (
    BEAT,
    BUSY,
    CURVE,
    DONE,
    ENTRY,
    ENTRY_K,
    FIXED,
    INCR,
    IRQ_DONE,
    IRQ_MISSED,
    IRQ_RESET_DONE,
    MODULUS,
    OKAY,
    REASONS,
    REG,
    SLVERR,
    STRIDE,
    WRAP,
    Command,
    Core,
)
from pointmill.ucode.mpu import Mpu

P = 2**521 - 1
SPACE = 16 * STRIDE


def test_registers() -> None:
    """Names, reset values, what is read-only, what does not exist; byte strobes."""
    with Core() as core:
        assert core.value("NAME") == int.from_bytes(b"PMMP", "little")
        assert core.value("VERSION") == 0x200
        assert core.value("CONFIG") == 704 | 16 << 16 | 32 << 24
        for register in ("STATUS", "COMMAND", "IRQ_ENABLE", "IRQ_STATUS", "INFINITY", "CYCLES", "SCALAR",
                         "DMA_ADDRESS", "DMA_ADDRESS_HIGH", "DMA"):  # fmt: skip
            assert core.value(register) == 0
        for register in ("NAME", "VERSION", "CONFIG", "STATUS", "CYCLES", "MODULUS"):
            assert core.write(register, 0xFFFFFFFF) == SLVERR
        for address in range(0, 256, 4):
            if address not in REG.values():
                assert core.read(address) == (SLVERR, 0)
                assert core.write(address, 0) == SLVERR
        assert core.write("SCALAR", 0x3FF, 1) == OKAY
        assert core.value("SCALAR") == 0xFF
        assert core.write("INFINITY", 0xFFFFFFFF) == OKAY
        assert core.value("INFINITY") == 31
        # A write that leaves byte 0 out changes the other fields and starts nothing.
        assert core.write("COMMAND", 0x01213400 | 99, 0b1110) == OKAY
        core.run(10)
        assert core.value("COMMAND") == 0x01213400
        assert core.value("STATUS") == 0
        assert len(REG) == 16


@pytest.mark.parametrize("stall", [0, 40])
def test_memory(stall: int) -> None:
    """Random bursts of all lengths, sizes and strobes beside an array of bytes, and addresses that do not exist."""
    rng, checked, refused = random.Random(stall), 0, 0
    image = bytearray(SPACE)
    exists = [address % STRIDE < 96 for address in range(SPACE)]
    keeps = [address % STRIDE < 88 for address in range(SPACE)]
    with Core(stall, 7) as core:
        for entry in range(16):
            core.put(entry, 0)
        for _ in range(150):
            size, beats = rng.choice([4, 4, 4, 3, 2, 1, 0]), rng.choice([1, 1, 2, 5, 6, 16, 40])
            burst = rng.choice([INCR, INCR, INCR, FIXED])
            start = rng.randrange(SPACE) & -(1 << size)
            beats = min(beats, (SPACE - start) >> size) if burst == INCR else min(beats, 16)
            places = [start + (i << size if burst == INCR else 0) for i in range(beats)]
            legal = [exists[place] for place in places]
            if rng.random() < 0.5:
                data = rng.randbytes(BEAT * beats)
                lanes = [((1 << (1 << size)) - 1) << place % BEAT for place in places]
                strobes = [mask & rng.choice([0xFFFF, rng.getrandbits(16)]) for mask in lanes]
                assert core.store(start, data, strobes, size, burst) == (OKAY if all(legal) else SLVERR)
                for i, (place, strobe) in enumerate(zip(places, strobes, strict=True)):
                    for lane in range(BEAT):
                        at = place // BEAT * BEAT + lane
                        if strobe >> lane & 1 and legal[i] and keeps[at]:
                            image[at] = data[BEAT * i + lane]
            else:
                worst, data, responses = core.load(start, beats, size, burst)
                assert responses == [OKAY if good else SLVERR for good in legal]
                assert worst == max(responses)
                for i, place in enumerate(places):
                    base = place // BEAT * BEAT
                    assert data[BEAT * i : BEAT * (i + 1)] == (image[base : base + BEAT] if legal[i] else bytes(BEAT))
            checked += beats
            refused += not all(legal)
        for entry in range(16):
            assert core.get(entry) == int.from_bytes(image[STRIDE * entry : STRIDE * entry + 88], "little")
        assert core.store(0, bytes(2 * BEAT), burst=WRAP) == SLVERR
        assert core.load(0, 2, burst=WRAP) == (SLVERR, bytes(2 * BEAT), [SLVERR] * 2)
        assert core.get(0) == int.from_bytes(image[:88], "little")
    assert checked > 500
    assert refused > 20


def test_interrupt_and_poll() -> None:
    with Core() as core:
        core.put(ENTRY["p"], P)
        assert not core.irq
        assert core.start(Command("load_modulus")) == OKAY
        polls = 0
        while core.value("STATUS") & BUSY:
            polls += 1
            assert not core.irq
        assert polls > 50
        assert core.value("STATUS") == DONE | MODULUS
        assert core.value("IRQ_STATUS") == IRQ_DONE
        assert core.write("IRQ_ENABLE", IRQ_DONE) == OKAY
        assert core.irq
        assert core.write("IRQ_STATUS", IRQ_DONE) == OKAY
        assert not core.irq
        assert core.start(Command("load_modulus")) == OKAY
        assert not core.value("STATUS") & DONE
        assert core.run(5_000, True) < 2_300
        assert core.value("STATUS") & (BUSY | DONE) == DONE


def test_back_to_back() -> None:
    """Operations one behind the other, each on results that stay on the device."""
    rng, model = random.Random(4), Mpu()
    with Core() as core:
        model.memory[ENTRY["p"]] = P
        assert core.modulus(P) == model.run(Command("load_modulus"))
        for entry in range(4):
            model.memory[entry] = rng.randrange(P)
            core.put(entry, model.memory[entry])
        for _ in range(60):
            command = Command(rng.choice(["add", "sub", "mont_mul"]), *(rng.randrange(4) for _ in range(3)))
            assert core.start(command) == OKAY
            assert core.wait() == model.run(command)
        assert [core.get(entry) for entry in range(4)] == model.memory[:4]


def test_refused_while_busy() -> None:
    """A second command, infinity flags, the scalar's length and the memory; the operation goes on as it was."""
    with Core() as core:
        core.modulus(P)
        core.put(0, 5)
        core.put(1, 77)
        assert core.value("IRQ_STATUS") == 0
        for access in range(5):
            assert core.start(Command("invert", 0, 0, 2, secret=True)) == OKAY
            if access == 0:
                assert core.start(Command("add", 1, 1, 1)) == SLVERR
            elif access in (1, 2):
                assert core.write(("INFINITY", "SCALAR")[access - 1], 3) == SLVERR
            elif access == 3:
                assert core.store(STRIDE, bytes(6 * BEAT)) == SLVERR
            else:
                assert core.load(STRIDE, 6) == (SLVERR, bytes(6 * BEAT), [SLVERR] * 6)
            assert core.value("STATUS") & BUSY
            assert core.value("IRQ_STATUS") == IRQ_MISSED
            assert core.write("IRQ_STATUS", IRQ_MISSED) == OKAY
            assert core.wait().cycles == 945
            assert (core.get(1), core.get(2)) == (77, pow(5, -1, P))
            assert core.value("INFINITY") == core.value("SCALAR") == 0
            assert core.value("COMMAND") & 0xFF == 8


@pytest.mark.parametrize("what", ["operation", "transfer", "reset"])
def test_reads_across_an_end(what: str) -> None:
    """A burst that begins while the core is busy and ends behind that: each beat is rejected or right."""
    rng, mixed, entry = random.Random(what), 0, 15
    with Core() as core:
        core.modulus(P)
        core.map(0x1000, bytes(SPACE))
        for wait in range(32):
            for other in range(6):
                core.put(other, rng.randrange(1 << 700, 1 << 704))
            core.put(entry, rng.randrange(1 << 700, 1 << 704))
            want = core.load(STRIDE * entry + BEAT, 1)[1]
            if what == "operation":
                assert core.start(Command("mul", 0, 1, 2, 3)) == OKAY
            elif what == "transfer":
                assert core.begin(True, 0x1000, 0, 5) == OKAY
            else:
                assert core.write("CTRL", 1) == OKAY
                want = bytes(BEAT)
            core.run(wait if what == "reset" else 48 + wait if what == "operation" else wait)
            _, data, responses = core.load(STRIDE * entry + BEAT, 16, burst=FIXED)
            beats = [data[at : at + BEAT] for at in range(0, len(data), BEAT)]
            assert beats == [want if response == OKAY else bytes(BEAT) for response in responses], wait
            mixed += {*responses} == {OKAY, SLVERR}
            core.run(100)
            assert core.value("STATUS") & BUSY == 0
    assert mixed > 5


def test_illegal_commands() -> None:
    """Each ends at once, with its reason and without a trace."""
    with Core() as core:
        core.put(0, 9)
        cases: list[tuple[Command, str]] = [
            (Command(op), "illegal_command") for op in (0, 14, 15, 99, 255)]  # type: ignore[arg-type]
        cases += [(Command(op, 0, 1, 0, 1), "no_modulus") for op in ("add", "sub", "reduction", "mont_mul", "invert")]
        cases += [(Command("mul", 0, 0, 3, 3), "illegal_command"),
                  (Command("load_modulus", secret=True), "secret_refused")]
        for op in ("affine_add", "affine_dq", "ecmul", "ecmul_joye"):
            cases += [(Command(op, 0, 1, 2, 3), "no_modulus"), (Command(op, 5, 1, 2, 3), "illegal_command"),
                      (Command(op, 0, 1, 5, 3), "illegal_command")]  # fmt: skip
        cases += [(Command("affine_add", 0, 5, 2), "illegal_command"),
                  (Command("affine_dq", 0, 0, 1, 5), "illegal_command")]
        for command, reason in cases:
            assert core.start(command) == OKAY
            outcome = core.wait()
            assert (outcome.reason, outcome.cycles) == (reason, 1), command
        core.modulus(P)
        for op in ("affine_add", "affine_dq", "ecmul", "ecmul_joye"):
            assert core.do(op, 0, 1, 2, 3).reason == "no_curve"
        assert core.curve(17, 2, 2).reason == "ok"
        for op in ("affine_add", "affine_dq", "ecmul_joye", "load_curve"):
            assert core.do(op, 0, 1, 2, 3, secret=True).reason == "secret_refused"
        assert core.get(0) == 9
        assert len(cases) == 26


def test_parameters_refused() -> None:
    with Core() as core:
        for p in (0, 1, 2, 10, 1 << 703):
            assert core.modulus(p).reason == "modulus_not_odd"
            assert core.value("STATUS") & (MODULUS | CURVE) == 0
        for values, reason in (((17, 17, 2), "parameter_out_of_range"), ((17, 2, 17), "parameter_out_of_range"),
                               ((7, 0, 0), "singular_curve"), ((7, 4, 2), "singular_curve")):  # fmt: skip
            assert core.curve(*values).reason == reason
            assert core.value("STATUS") & (MODULUS | CURVE) == MODULUS
        assert core.curve(17, 2, 2).reason == "ok"
        assert core.value("STATUS") & (MODULUS | CURVE) == MODULUS | CURVE
        assert core.modulus(17).reason == "ok"
        assert core.value("STATUS") & (MODULUS | CURVE) == MODULUS


@pytest.mark.parametrize("hard", [False, True])
def test_reset_in_the_middle(hard: bool) -> None:
    """At any time; nothing is left but what a reset leaves, and the core works as before."""
    rng = random.Random(hard)
    with Core() as core:
        for after in (0, 1, 2, 3, 17, 40, 300, 900, 1_500, *(rng.randrange(3_000) for _ in range(6))):
            assert core.curve(17, 2, 2).reason == "ok"
            point = (5, 1)
            core.put(ENTRY_K, 0x2D)
            core.put_point(2, point)
            core.write("INFINITY", 16)
            assert core.start(Command("ecmul", 2, 0, 3, secret=True)) == OKAY
            core.run(after % 2_100)
            if hard:
                core.reset()
                assert core.value("STATUS") == core.value("IRQ_STATUS") == 0
            else:
                busy = core.value("STATUS") & BUSY
                assert core.write("CTRL", 1) == OKAY
                core.run(20)
                status = core.value("STATUS")
                assert status & (BUSY | MODULUS | CURVE) == 0
                if busy:
                    assert REASONS[status >> 8] in ("aborted", "ok")
                assert core.value("IRQ_STATUS") & (IRQ_RESET_DONE | IRQ_DONE) == IRQ_RESET_DONE | IRQ_DONE
                core.write("IRQ_STATUS", 7)
                assert [core.get(entry) for entry in range(16)] == [0] * 16
            assert core.value("INFINITY") == 0
            assert core.do("add", 0, 1, 2).reason == "no_modulus"
        assert core.curve(17, 2, 2).reason == "ok"
        outcome, got = core.product("ecmul", 2, (5, 1), True)
        assert (outcome.reason, got) == ("ok", (6, 3))


def test_aborted() -> None:
    with Core() as core:
        core.modulus(P)
        core.put(0, 5)
        assert core.start(Command("invert", 0, 0, 2, secret=True)) == OKAY
        core.run(500)
        assert core.write("CTRL", 1) == OKAY
        core.run(20)
        status = core.value("STATUS")
        assert (REASONS[status >> 8], status & DONE) == ("aborted", DONE)
        assert core.value("CYCLES") < 600
