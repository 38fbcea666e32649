# SPDX-License-Identifier: Apache-2.0
"""Driver and bridge on a simulated card: verdicts, registers, soft resets, sessions; buffers that are lost, doubled,
damaged or late. No verdict is wrong, every job ends, and what struck is counted."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from boards import transports
from dv.lib.pcie import pcie_units as units
from dv.lib.pcie.pcie_units import FRAMES, JOB_WORDS, LOCKED, RESULT_WORDS, SENT, STRUCK, Card
from dv.lib.uart.link_units import IDENTITY, job
from pointmill.client import Error
from pointmill.commands.common import device_name
from pointmill.device import Device, DeviceError, Job, SecretJob
from pointmill.simbuild import ROOT

LENGTHS = (0, 1, 7, 8, 30, 64, 200, 900)


def some_jobs(rng: random.Random, count: int) -> tuple[list[Job], list[bool]]:
    """Jobs of known verdict, a third of them not valid."""
    expected = [number % 3 != 0 for number in range(count)]
    return [job(rng, valid, rng.choice(LENGTHS), None) for valid in expected], expected


def verify(device: Device, rng: random.Random, count: int) -> None:
    jobs, expected = some_jobs(rng, count)
    results = device.verify_batch(jobs)
    assert [result.reason for result in results] == ["ok" if valid else "equation_fails" for valid in expected]
    assert [result.valid for result in results] == expected


def secret(device: Device, rng: random.Random, count: int) -> None:
    """Results with a payload."""
    jobs = [SecretJob("keygen", rng.randbytes(32)) for _ in range(count)]
    for one, result in zip(jobs, device.secret_batch(jobs), strict=True):
        assert result.valid and result.payload == bytes(255 - byte for byte in one.secret)


@pytest.mark.parametrize(("words", "count", "prefetch", "pause"), [
    (64, 32, 256, 20), (64, 32, 0x40, 70), (32, 64, 128, 0), (1024, 256, 2176, 10)])
def test_without_faults(words: int, count: int, prefetch: int, pause: int) -> None:
    """Buffers of several sizes, the last one as in the kernel module; the small rings turn several times. What was
    secret is gone from the memory of the DMA when it was read, and when the device is closed."""
    rng = random.Random(words)
    card = Card(words, count, prefetch, pause)
    with card.open() as device:
        verify(device, rng, 250)
        secret(device, rng, 50)
        counters = device.counters()
        assert (counters.jobs, counters.errors, device.info().stray_answers) == (300, 0, 0)
        if words < 1024:
            assert card.count_of(SENT) > 2 * count and card.count_of(FRAMES) > 2 * count
        device.run(20000)
        assert (card.count_of(JOB_WORDS), card.count_of(RESULT_WORDS)) == (0, 0)
        device.submit_secret(SecretJob("keygen", bytes(32)))
    assert [card.count_of(what) for what in (JOB_WORDS, RESULT_WORDS, LOCKED)] == [0, 0, 0]


def test_results_do_not_wait() -> None:
    """A single job, with nothing behind it, ends in the time of the buffers read ahead, one of jobs and one of results.
    """
    card = Card(pause=0)
    with card.open() as device:
        for length in LENGTHS:
            begin = card.count_of(units.CYCLES)
            device.submit(job(random.Random(length), True, length, length))
            assert device.wait(20000).valid
            # Two naps of 2,000 cycles and accesses to registers are the driver's.
            assert card.count_of(units.CYCLES) - begin < (4 + 4 + 1) * 64 + 2 * 2000 + 600 + 20 * 25


@pytest.mark.parametrize("direction", ["jobs", "results"])
@pytest.mark.parametrize("kind", units.KINDS)
def test_faults(kind: str, direction: str) -> None:
    """One fault in each batch, at another buffer each time. Verdicts are right, or the batch ends in an error and the
    jobs without a verdict are aborted; opened again, the device works."""
    rng = random.Random(f"{kind}{direction}")
    ended: Counter[str] = Counter()
    for at in range(12):
        card = Card(seed=at)
        card.fault(direction, kind, at)
        jobs, expected = some_jobs(rng, 40)
        with card.open() as device:
            try:
                results = device.verify_batch(jobs)
                ended["right"] += 1
            except DeviceError as error:
                assert error.code == Error.IO and error.results is not None
                results = error.results
                ended["broken"] += 1
                assert any(result.reason == "aborted" for result in results)
                with pytest.raises(DeviceError) as again:
                    device.verify_batch(jobs)
                assert again.value.code == Error.IO
        assert len(results) == len(jobs) and card.count_of(STRUCK) == 1
        for result, valid in zip(results, expected, strict=True):
            assert result.reason in ("aborted", "ok" if valid else "equation_fails")
            assert result.valid == (result.reason == "ok")
        with card.open() as device:
            verify(device, rng, 10)
    if kind == "delay":
        assert ended == {"right": 12}
    elif kind == "double":
        assert ended.total() == 12 and ended["broken"] >= 8
    else:
        assert ended == {"broken": 12}


def test_last_buffer_is_lost() -> None:
    """With no other buffer behind it, whose number would tell."""
    card = Card()
    card.fault("jobs", "lose", 0)
    with card.open() as device, pytest.raises(DeviceError) as caught:
        device.verify_batch([job(random.Random(1), True, 8, None)])
    assert caught.value.code == Error.IO and card.count_of(STRUCK) == 1
    assert [result.reason for result in caught.value.results] == ["aborted"]


def test_read_ahead_too_far() -> None:
    """A card that reads further ahead than the setting says: jobs are read before they are written. Nothing wrong is
    valid, and the batch ends in an error."""
    rng = random.Random(5)
    jobs, expected = some_jobs(rng, 40)
    broken = 0
    for ahead in (0, 1, 2):
        card = Card(prefetch=4 * 64)
        with card.open(f"ahead={ahead},wait=1") as device, pytest.raises(DeviceError) as caught:
            device.verify_batch(jobs)
        assert caught.value.code == Error.IO
        for result, valid in zip(caught.value.results, expected, strict=True):
            assert result.valid <= valid
        broken += 1
    assert broken == 3


def test_card_that_is_pulled_out() -> None:
    rng = random.Random(6)
    card = Card()
    with card.open() as device:
        jobs, expected = some_jobs(rng, 60)

        def pull(done: int, total: int) -> None:
            if done == 10:
                card.unplug()

        with pytest.raises(DeviceError) as caught:
            device.verify_batch(jobs, progress=pull)
        assert caught.value.code == Error.IO
        for result, valid in zip(caught.value.results, expected, strict=True):
            assert result.valid <= valid and result.reason in ("ok", "equation_fails", "aborted")
        assert sum(result.reason != "aborted" for result in caught.value.results) >= 10
        with pytest.raises(DeviceError) as register:
            device.read(0)
        assert register.value.code == Error.IO


def test_soft_resets_and_registers() -> None:
    """Each soft reset ends every job, with its verdict or aborted; registers hold what was written; what the core
    rejects is an error."""
    rng = random.Random(9)
    with Card().open() as device:
        ended: Counter[str] = Counter()
        for _ in range(10):
            good = {tag: rng.random() < 0.5 for tag in range(40)}
            for tag, valid in good.items():
                device.submit(job(rng, valid, rng.choice(LENGTHS), tag))
            device.run(rng.randrange(3000))
            device.soft_reset()
            results = [device.wait(1_000_000) for _ in good]
            assert {result.tag for result in results} == set(good)
            for result in results:
                assert result.reason in ("aborted", "ok" if good[result.tag] else "equation_fails")
                assert result.valid == (result.reason == "ok")
                ended[result.reason] += 1
            device.write(0x14, value := rng.getrandbits(3))
            assert device.read(0x14) == value
        assert ended.total() == 400 and ended["aborted"] >= 15 and ended["ok"] >= 15
        for address in (0x2C, 0xFC):
            with pytest.raises(DeviceError) as caught:
                device.read(address)
            assert caught.value.code == Error.BUS
        with pytest.raises(DeviceError) as caught:
            device.write(0, 1)
        assert caught.value.code == Error.BUS
        assert device.read(0) == int.from_bytes(b"PMED", "little")


def test_one_session_after_another() -> None:
    """A driver that went away in the middle of jobs leaves nothing to the next one."""
    rng = random.Random(3)
    card = Card()
    for _ in range(5):
        device = card.open()
        for tag in range(30):
            device.submit(job(rng, True, 700, tag))
        device.run(rng.randrange(4000))
        device.close()
        assert (card.count_of(JOB_WORDS), card.count_of(RESULT_WORDS), card.count_of(LOCKED)) == (0, 0, 0)
    with card.open() as device:
        assert device.counters().jobs == 0
        verify(device, rng, 20)
        assert device.info().stray_answers == 0
        identity = device.identity()
        assert identity is not None and (identity.board, identity.configuration) == ("bench", "edverify-none")


def rejected(card: Card, settings: str) -> DeviceError:
    with pytest.raises(DeviceError) as caught:
        card.open(settings)
    assert card.count_of(LOCKED) == 0
    return caught.value


@pytest.mark.parametrize(("settings", "code", "text"), [
    ("rate=1", "CONFIG", "no setting 'rate=1'; known are port, regs, ahead, wait"),
    ("regs=0xf0010", "CONFIG", "a multiple of 4096"), ("regs=x", "CONFIG", "setting regs=x"),
    ("regs=0x100000000", "CONFIG", "below 4 GiB"), ("regs=", "CONFIG", "setting regs="),
    ("ahead=65", "CONFIG", "ahead"), ("wait=-1", "CONFIG", "wait"),
    ("regs=0xf0020000", "DEVICE", "at 0xf0020000 there is no bridge that this driver knows (00000000, 00000000)"),
    ("ahead=8", "DEVICE", "has 32 buffers of 512 bytes; wanted are a power of two, at least 36, of 512"),
])
def test_settings(settings: str, code: str, text: str) -> None:
    error = rejected(Card(), settings)
    assert error.code == Error[code] and text in str(error)


def test_files() -> None:
    """One that is not there, one that is no device of LitePCIe, one in use; buffers of another size."""
    lib = Card().path
    for port, text in (("/nonexistent", "/nonexistent: No such file"),
                       ("/dev/null", "/dev/null is no device of LitePCIe")):
        with pytest.raises(DeviceError) as caught:
            Device(backend="litepcie", settings=f"port={port}", lib=lib)
        assert caught.value.code == Error.IO and text in str(caught.value)
    card = Card()
    with card.open() as device:
        with pytest.raises(DeviceError) as caught:
            card.open()
        assert caught.value.code == Error.IO and "is in use" in str(caught.value)
        verify(device, random.Random(1), 10)
    error = rejected(Card(words=32, lib=lib), "ahead=4")
    assert error.code == Error.DEVICE and "of 256 bytes" in str(error)


def test_other_bitstreams() -> None:
    card = Card(lib=units.card(identity=b"PMIX" + IDENTITY[4:]))
    error = rejected(card, "ahead=4")
    assert error.code == Error.DEVICE and "no identity that this driver knows" in str(error)


@pytest.mark.parametrize(("text", "settings"), [("litepcie", ""), ("litepcie:/dev/litepcie1", "port=/dev/litepcie1")])
def test_option(text: str, settings: str) -> None:
    device = device_name(text)
    assert (device, device.settings) == ("litepcie", settings)


@pytest.mark.parametrize("text", ["litepcie:", "litepcie,5", "litepcie:/dev/litepcie0,115200"])
def test_option_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        device_name(text)


def test_numbers_of_the_protocol() -> None:
    """pm_pcie_pkg and buffers.h say the same."""
    package = (ROOT / "hw" / "lib" / "pcie" / "pm_pcie_pkg.sv").read_text()
    header = (ROOT / "sw" / "backends" / "litepcie" / "buffers.h").read_text()
    registers = {re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper(): int(value, 16)
                 for name, value in re.findall(r"Reg(\w+) = 12'h(\w+);", package)}
    assert registers == {name: int(value, 16) for name, value in re.findall(r"PM_PCIE_REG_(\w+) = 0x(\w+)", header)}
    magic = {name.upper(): int(value.replace("_", ""), 16)
             for name, value in re.findall(r"Magic(\w+) = \d+'h(\w+);", package)}
    assert magic == {name: int(value, 16) for name, value in re.findall(r"PM_PCIE_MAGIC_(\w+) 0x(\w+)u", header)}
    assert (len(registers), len(magic)) == (12, 3)
    for pattern, text in ((r"ProtocolVersion = 8'd(\d+);", r"PM_PCIE_VERSION = (\d+),"),
                          (r"JobWords = (\d+);", r"PM_PCIE_JOB_WORDS = (\d+),")):
        assert re.search(pattern, package)[1] == re.search(text, header)[1]


@pytest.mark.parametrize("count", transports.PCIE_JOBS)
def test_bytes_of_a_verification(count: int) -> None:
    """Against the buffers that the bridge takes and sends, of the size that the kernel module has."""
    words, message = transports.BUFFER // transports.WORD, 64
    card = Card(words, 256, 2176, 0)
    with card.open() as device:
        results = device.verify_batch([job(random.Random(1), True, message, None)] * count)
        assert [result.valid for result in results] == [True] * count
        taken, told = card.register(0x214), transports.pcie_cost(message, count)
        assert taken * transports.BUFFER / count == told.bytes_to
        # The core is slower than the bridge: its results need not come together.
        assert card.count_of(SENT) * transports.BUFFER / count >= told.bytes_from
        assert told.us_to == pytest.approx(taken * words / count / transports.PCIE_MHZ)
    assert transports.pcie_cost(message, count).bottleneck == "line to the board"
    settings = (ROOT / "sw" / "backends" / "litepcie" / "litepcie.c").read_text()
    assert f"uint64_t ahead = {transports.AHEAD}," in settings
