# SPDX-License-Identifier: Apache-2.0
"""pm_x25519 in every form: published and random products, pauses, damaged packets, resets, registers."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from dv.edverify.edverify_core import OKAY, SLVERR, Beat, Result, secret_packet
from dv.x25519.x25519_core import CONFIGS, OPCODE, Core, job, product, random_job
from pointmill.cores import X25519
from pointmill.model.x25519 import x25519
from pointmill.rules import OPERATIONS, Reason
from vectors.secret_vectors import ITERATED, X25519Case, rfc7748_cases, wycheproof_x25519_cases

NAME, CONFIG, CTRL, STATUS = 0x00, 0x08, 0x0C, 0x10
IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR = 0x14, 0x18, 0x1C
JOBS, VALID, ERRORS, CYCLES, BUSY = 0x20, 0x24, 0x28, 0x30, 0x38
READABLE = (*range(0x00, 0x2C, 4), CYCLES, CYCLES + 4, BUSY, BUSY + 4)
WRITABLE = (CTRL, IRQ_ENABLE, IRQ_STATUS, COUNT_CLEAR)
CONTEXTS = {"paper": 1, "tile": 5}
"""Jobs in an engine."""
HELD = {"paper": 64, "tile": 66}
"""Beats that wait before the receiver: in the FIFO, and in registers behind it."""
WIPING = 1000
"""Cycles in which an engine has wiped its registers."""
SOAK_JOBS = int(os.environ.get("PM_SOAK_JOBS", "100000"))
JOB_DONE, JOB_MALFORMED, RESET_DONE = 1, 2, 4


@pytest.fixture(params=CONFIGS)
def core(request: pytest.FixtureRequest) -> Iterator[Core]:
    core = Core(request.param)
    yield core
    core.close()


def check(result: Result, tag: int, out: bytes) -> None:
    """An answer with a result."""
    assert (result.tag, result.rule, result.reason, result.valid) == (tag, 0, Reason.ok, True)
    assert result.payload == out
    assert result.all_zero == (out == bytes(32))


def ask(core: Core, tag: int, k: bytes, u: bytes) -> Result:
    """The answer to one job with nothing else in the core, which has wiped what was there before."""
    core.run(WIPING)
    core.push(job(tag, k, u))
    (result,) = core.answers(1)
    return result


def check_cases(core: Core, cases: list[X25519Case]) -> None:
    """All at once, in their order."""
    for tag, case in enumerate(cases):
        core.push(job(tag, case.k, case.u))
    for tag, (case, result) in enumerate(zip(cases, core.answers(len(cases)), strict=True)):
        check(result, tag, case.out)


# ---- products -----------------------------------------------------------------------------------


def test_rfc7748(core: Core) -> None:
    cases = rfc7748_cases()
    assert len(cases) == 7
    check_cases(core, cases)


@pytest.mark.parametrize("rounds", [1, pytest.param(1000, marks=pytest.mark.long)])
def test_rfc7748_iterated(core: Core, rounds: int) -> None:
    """Each round takes the scalar of the one before as its coordinate; in the same time."""
    k = u = (9).to_bytes(32, "little")
    cycles = Counter()
    for tag in range(rounds):
        result = ask(core, tag, k, u)
        cycles[result.cycles] += 1
        k, u = result.payload, k
    assert k.hex() == ITERATED[rounds] and len(cycles) == 1


def test_wycheproof(core: Core) -> None:
    """Every 20th case, and every sixth of those with the result zero."""
    cases = wycheproof_x25519_cases()
    zero = [case for case in cases if case.out == bytes(32)]
    chosen = cases[::20] + zero[::6]
    assert (len(cases), len(zero), len(chosen)) == (518, 31, 32)
    check_cases(core, chosen)


@pytest.mark.long
def test_wycheproof_whole(core: Core) -> None:
    cases = wycheproof_x25519_cases()
    assert len(cases) == 518 and sum(case.out == bytes(32) for case in cases) == 31
    check_cases(core, cases)


def test_special_operands(core: Core) -> None:
    """Scalars and coordinates at the ends of their ranges."""
    numbers = [0, 1, 2, 9, 2**255 - 20, 2**255 - 19, 2**255 - 18, 2**255 - 1, 2**255, 2**256 - 1, 2**254, 2**255 - 8]
    strings = [number.to_bytes(32, "little") for number in numbers]
    jobs = [(k, u) for i, k in enumerate(strings) for u in strings[i % 6 :: 6]]
    assert len(jobs) == 24
    for tag, (k, u) in enumerate(jobs):
        core.push(job(tag, k, u))
    for tag, ((k, u), result) in enumerate(zip(jobs, core.answers(len(jobs)), strict=True)):
        check(result, tag, x25519(k, u))


@pytest.mark.parametrize("count", [10, pytest.param(10_000, marks=pytest.mark.long)])
def test_random_products_in_the_same_time(core: Core, count: int) -> None:
    """Each alone in the core, scalars of few ones and few zeros among them."""
    rng = random.Random(count)
    cycles = Counter()
    for tag in range(count):
        k, u = random_job(rng)
        if tag % 5 == 0:
            k = (1 << rng.randrange(256) ^ -(tag % 2) & 2**256 - 1).to_bytes(32, "little")
        result = ask(core, tag, k, u)
        check(result, tag, product(k, u))
        cycles[result.cycles] += 1
    assert len(cycles) == 1 and cycles.total() == count


def secret_scalar(rng: random.Random, number: int) -> bytes:
    """Random ones, and of every ten one of few ones, of few zeros, of one digit and of runs of both."""
    ones = sum(1 << rng.randrange(256) for _ in range(rng.randrange(4)))
    kinds = {0: ones % 2**256, 1: ~ones % 2**256, 2: int(rng.choice("0123456789abcdef") * 64, 16),
             3: (1 << rng.randrange(1, 256)) - (1 << rng.randrange(1, 256))}  # fmt: skip
    return (kinds.get(number % 10, rng.getrandbits(256)) % 2**256).to_bytes(32, "little")


@pytest.mark.parametrize("count", [
    20, pytest.param(10_000, marks=pytest.mark.long), pytest.param(SOAK_JOBS, marks=pytest.mark.soak, id="soak")])
def test_secret_scalars(core: Core, count: int) -> None:
    """Ten jobs at a time behind a reset, all queued: each answer in the cycle that it has in every other ten."""
    rng, times = random.Random(f"scalars {count}"), Counter()
    for first in range(0, count, 10):
        core.reset()
        jobs = [(secret_scalar(rng, tag), random_job(rng)[1]) for tag in range(first, min(first + 10, count))]
        start = core.cycle
        for tag, (k, u) in enumerate(jobs, first):
            core.push(job(tag, k, u))
        for tag, ((k, u), result) in enumerate(zip(jobs, core.answers(len(jobs)), strict=True), first):
            check(result, tag, product(k, u))
            times[tag % 10, result.cycles, result.answered_at - start] += 1
    assert times.total() == count
    assert len(times) == len({place for place, _, _ in times}) == min(count, 10)


# ---- the stream ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "idle", "stall"), [(3, 0, 0), (4, 60, 60), (5, 95, 97)])
def test_pauses(core: Core, seed: int, idle: int, stall: int) -> None:
    """Beats at random times, answers taken at random times: the same answers in the order of the jobs."""
    rng = random.Random(seed)
    core.pace(seed, idle, stall)
    jobs = [random_job(rng) for _ in range(5)]
    for tag, (k, u) in enumerate(jobs):
        core.push(job(tag, k, u))
    for tag, ((k, u), result) in enumerate(zip(jobs, core.answers(5), strict=True)):
        check(result, tag, product(k, u))


def damaged(rng: random.Random, tag: int) -> Iterator[list[Beat]]:
    """Packets that break the format, each in one way."""
    k, u = random_job(rng)
    good = job(tag, k, u)
    for length in range(1, 9):  # ends too early
        yield good[:length]
    for more in (1, 2, 30):  # or too late
        yield [*good, *[(rng.randbytes(8), 0xFF)] * more]
    for where in range(9):
        for keep in (0x00, 0x0F, 0x7E, 0xFE):
            yield [*good[:where], (good[where][0], keep), *good[where + 1 :]]
    for name, operation in OPERATIONS.items():
        if name != "x25519":
            yield secret_packet(tag, operation.opcode, k, u)
            yield secret_packet(tag, operation.opcode, k, u, k, u, rule=1)
    for opcode in (0, 8, 130, 255):
        yield secret_packet(tag, opcode, k, u)
    for rule in (1, 7, 255):
        yield secret_packet(tag, OPCODE, k, u, rule=rule)
    for byte in (2, 3):  # where other operations have the slot of a key
        yield [(bytes(1 if i == byte else b for i, b in enumerate(good[0][0])), 0xFF), *good[1:]]


@pytest.mark.parametrize("pace", [(0, 0), (40, 80)])
def test_malformed_packets_among_good_ones(core: Core, pace: tuple[int, int]) -> None:
    """Each is answered as such in its turn, and all others rightly."""
    rng = random.Random(8)
    core.pace(8, *pace)
    bad = list(damaged(rng, 0))
    assert len(bad) == 68
    rng.shuffle(bad)
    wanted = []
    for index, beats in enumerate(bad):
        tag = len(wanted)
        core.push([(beats[0][0][:4] + tag.to_bytes(4, "little"), beats[0][1]), *beats[1:]])
        wanted.append((Reason.malformed_job, b""))
        if index % 23 == 0:
            k, u = random_job(rng)
            core.push(job(len(wanted), k, u))
            wanted.append((Reason.ok, product(k, u)))
    for tag, result in enumerate(core.answers(len(wanted))):
        assert (result.tag, result.reason, result.payload) == (tag, *wanted[tag])
        assert result.valid == (result.reason == Reason.ok) and not result.all_zero
    assert core.read(ERRORS) == (68, OKAY) and core.read(VALID) == (3, OKAY)


# ---- resets -------------------------------------------------------------------------------------


def test_soft_reset_at_any_time(core: Core) -> None:
    """Every job is answered, aborted or rightly, in its turn; the next one is right."""
    rng = random.Random(7)
    core.pace(7, 10, 10)
    whole = ask(core, 0, *random_job(rng)).cycles
    seen: Counter[int] = Counter()
    for trial in range(12):
        jobs = [random_job(rng) for _ in range(3)]
        for tag, (k, u) in enumerate(jobs):
            core.push(job(tag, k, u))
        core.run(rng.randrange(1, 60 if trial % 3 == 0 else 2 * whole))
        assert core.write(CTRL, 1) == OKAY
        for tag, ((k, u), result) in enumerate(zip(jobs, core.answers(3), strict=True)):
            assert result.tag == tag and result.reason in (Reason.ok, Reason.aborted)
            assert result.payload == (product(k, u) if result.valid else b"")
            seen[result.reason] += 1
        assert core.read(IRQ_STATUS)[0] & RESET_DONE
        assert core.write(IRQ_STATUS, RESET_DONE) == OKAY
        k, u = random_job(rng)
        check(ask(core, trial, k, u), trial, product(k, u))
    assert seen.total() == 36 and min(seen[Reason.ok], seen[Reason.aborted]) > 8


def test_soft_reset_in_mid_packet(core: Core) -> None:
    """The rest of the packet is thrown away."""
    rng = random.Random(9)
    for length in range(1, 9):
        first, second = random_job(rng), random_job(rng)
        beats = job(1, *first)
        core.push_part(beats[:length])
        core.run(30)
        assert core.write(CTRL, 1) == OKAY
        (result,) = core.answers(1, 50)
        assert (result.tag, result.reason) == (1, Reason.aborted)
        core.push(beats[length:])
        check(ask(core, 2, *second), 2, product(*second))


def test_reset_in_the_middle(core: Core) -> None:
    rng = random.Random(10)
    whole = ask(core, 0, *random_job(rng)).cycles
    for _ in range(4):
        for tag in range(3):
            core.push(job(tag, *random_job(rng)))
        core.run(rng.randrange(1, 2 * whole))
        core.reset()
        k, u = random_job(rng)
        check(ask(core, 5, k, u), 5, product(k, u))
        assert core.read(JOBS) == (1, OKAY)


# ---- registers ----------------------------------------------------------------------------------


def test_registers(core: Core) -> None:
    params = X25519.parameters[core.config]
    assert core.read(NAME)[0].to_bytes(4, "little") == b"PMX2"
    assert core.read(CONFIG)[0] == params["Form"] << 8 | CONTEXTS[core.config]
    for address in range(0, 256, 4):
        assert core.read(address)[1] == (OKAY if address in READABLE else SLVERR), address
        if address not in WRITABLE:
            assert core.write(address, 1) == SLVERR, address


def test_counters_and_interrupts(core: Core) -> None:
    rng = random.Random(11)
    k, u = random_job(rng)
    result = ask(core, 1, k, u)
    assert not core.irq and core.read(IRQ_STATUS) == (JOB_DONE, OKAY)
    assert core.write(IRQ_ENABLE, JOB_DONE) == OKAY and core.irq
    assert core.write(IRQ_STATUS, JOB_DONE) == OKAY and not core.irq
    assert core.write(IRQ_ENABLE, JOB_MALFORMED) == OKAY
    core.push(job(2, k, u)[:5])
    core.answers(1)
    assert core.irq and core.write(IRQ_STATUS, JOB_DONE | JOB_MALFORMED) == OKAY and not core.irq
    assert core.write(IRQ_ENABLE, RESET_DONE) == OKAY and core.write(CTRL, 1) == OKAY
    core.run(5)
    assert core.irq
    assert [core.read(address)[0] for address in (JOBS, VALID, ERRORS)] == [2, 1, 1]
    busy, cycles = core.read(BUSY)[0], core.read(CYCLES)[0]
    assert result.cycles < busy < result.cycles + 60 and busy < cycles
    core.run(WIPING)
    core.push(job(3, k, u))
    core.run(40)
    assert core.read(STATUS) == (1, OKAY) and core.write(COUNT_CLEAR, 1) == SLVERR
    contexts = CONTEXTS[core.config]
    for tag in range(4, 7 + contexts):
        core.push(job(tag, k, u))
    core.run(100 * contexts)
    assert core.read(STATUS) == (3 << 8 | 1, OKAY)
    for tag in range(7 + contexts, 10 + contexts):
        core.push(job(tag, k, u))
    more = HELD[core.config] + 1 - 7 * 9
    core.push([*job(10 + contexts, k, u), *[(bytes(8), 0xFF)] * more])  # its last beat waits before the full FIFO
    core.run(200)
    assert core.read(STATUS) == (6 << 8 | 1, OKAY)
    core.answers(8 + contexts)
    core.run(100)
    assert core.read(STATUS) == (0, OKAY) and core.write(COUNT_CLEAR, 1) == OKAY
    assert [core.read(address)[0] for address in (JOBS, VALID, ERRORS, BUSY)] == [0, 0, 0, 0]
