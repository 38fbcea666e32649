# SPDX-License-Identifier: Apache-2.0
"""Driver, line and bridge with faults in both directions: lost, doubled, damaged and delayed bytes, bytes without stop
bit. No verdict is wrong, every job ends, and how many faults there were is asserted."""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter

import pytest

from boards.wire import Wire
from dv.lib.uart import link_units as units
from pointmill.client import Error
from pointmill.device import Device, DeviceError, SecretJob

KINDS = {"lose": "lost", "double": "doubled", "damage": "damaged", "cut": "cut", "delay": "delayed"}
LENGTHS = (0, 1, 7, 8, 30, 64, 200, 900)
SETTINGS = "wait=20,silence=5000"


def verify(device: Device, rng: random.Random, count: int) -> None:
    """Jobs of known verdict, a third of them not valid, through the device."""
    jobs = [units.job(rng, rng.random() < 0.67, rng.choice(LENGTHS), None) for _ in range(count)]
    expected = [job.sig[32:40] == units.signature(job.sig[:32], job.pk, job.msg, bytes(16))[32:40] for job in jobs]
    assert 0.5 < sum(expected) / count < 0.85
    results = device.verify_batch(jobs)
    assert [result.valid for result in results] == expected
    assert Counter(result.reason for result in results) == Counter(
        "ok" if valid else "equation_fails" for valid in expected)


def secret(device: Device, rng: random.Random, count: int) -> None:
    """Results with a payload."""
    jobs = [SecretJob("keygen", rng.randbytes(32)) for _ in range(count)]
    for job, result in zip(jobs, device.secret_batch(jobs), strict=True):
        assert result.valid and result.payload == bytes(255 - byte for byte in job.secret)


def faults(counts: dict) -> Counter[str]:
    """Of both directions."""
    return Counter({kind: counts["to_design"][kind] + counts["from_design"][kind] for kind in KINDS.values()})


def test_without_faults() -> None:
    """Nothing is sent twice, nothing is missing."""
    rng = random.Random(1)
    with Wire(units.program(), seed=1) as line:
        with Device(backend="uart", settings=f"port={line.port},{SETTINGS}") as device:
            verify(device, rng, 300)
            secret(device, rng, 50)
            counters = device.counters()
            assert (counters.jobs, counters.errors) == (350, 0)
            assert device.info().stray_answers == 0
        line.stop()
    assert not any(faults(line.counts).values())


@pytest.mark.parametrize(("option", "divider"), [
    ("lose", 4), ("damage", 4), ("delay", 4), *(
        pytest.param(option, divider, marks=pytest.mark.long)
        for option, divider in [("double", 7), ("cut", 7), *itertools.product(KINDS, (5, 12))])])
def test_each_kind(option: str, divider: int) -> None:
    rng = random.Random(f"{option}{divider}")
    with Wire(units.program(divider), divider=divider, seed=divider, **{option: 3000}) as line:
        with Device(backend="uart", settings=f"port={line.port},{SETTINGS}") as device:
            verify(device, rng, 60)
            secret(device, rng, 20)
            assert device.counters().jobs == 80
        line.stop()
    found = faults(line.counts)
    assert found.pop(KINDS[option]) >= 30
    assert not any(found.values())
    directions = ("to_design",) if option == "cut" else ("to_design", "from_design")
    assert all(line.counts[direction][KINDS[option]] >= 2 for direction in directions)


@pytest.mark.parametrize(("jobs", "seed"), [
    (50, 1), *(pytest.param(150, seed, marks=pytest.mark.long) for seed in range(1, 9))])
def test_all_kinds(jobs: int, seed: int) -> None:
    """At rates at which most of the long frames are damaged."""
    rng = random.Random(seed)
    with Wire(units.program(), seed=seed, **dict.fromkeys(KINDS, 800)) as line:
        with Device(backend="uart", settings=f"port={line.port},{SETTINGS}") as device:
            verify(device, rng, jobs)
            secret(device, rng, jobs // 5)
            assert device.counters().jobs == jobs + jobs // 5
        line.stop()
    assert min(faults(line.counts).values()) >= 20 * jobs // 150
    assert sum(faults(line.counts).values()) >= 200 * jobs // 150


@pytest.mark.parametrize("rounds", [3, pytest.param(10, marks=pytest.mark.long)])
def test_soft_resets_and_registers_under_faults(rounds: int) -> None:
    """Each soft reset ends every job, with its verdict or aborted; registers hold what was written."""
    rng = random.Random(9)
    with Wire(units.program(), seed=9, **dict.fromkeys(KINDS, 500)) as line:
        with Device(backend="uart", settings=f"port={line.port},{SETTINGS}") as device:
            ended: Counter[str] = Counter()
            for number in range(rounds):
                good = {tag: rng.random() < 0.5 for tag in range(40)}
                for tag, valid in good.items():
                    device.submit(units.job(rng, valid, rng.choice(LENGTHS), tag))
                device.run(number % 2 * rng.randrange(300))
                device.soft_reset()
                results = [device.wait(40_000_000) for _ in good]
                assert {result.tag for result in results} == set(good)
                for result in results:
                    assert result.reason in ("aborted", "ok" if good[result.tag] else "equation_fails")
                    ended[result.reason] += 1
                device.write(0x14, value := rng.getrandbits(3))
                assert device.read(0x14) == value
            assert ended.total() == 40 * rounds and ended["aborted"] >= 1.5 * rounds and ended["ok"] >= 2 * rounds
        line.stop()
    assert sum(faults(line.counts).values()) >= 5 * rounds


def test_line_that_breaks() -> None:
    """All jobs end with an error that says so, in the time that was set; those with a verdict have the right one."""
    rng = random.Random(10)
    with Wire(units.program(), seed=10) as line:
        device = Device(backend="uart", settings=f"port={line.port},wait=20,silence=600")
        jobs = [units.job(rng, True, 900, tag) for tag in range(400)]
        begin = time.monotonic()

        def cut(done: int, total: int) -> None:
            if done == 40:
                line.stop()

        with pytest.raises(DeviceError) as caught:
            device.verify_batch(jobs, progress=cut)
        assert caught.value.code == Error["IO"] and "line" in str(caught.value)
        assert time.monotonic() - begin < 10
        reasons = Counter(result.reason for result in caught.value.results)
        assert reasons.total() == 400 and set(reasons) == {"ok", "aborted"} and reasons["ok"] >= 40
        device.close()


def test_deaf_line() -> None:
    """Where nearly every frame is damaged, a batch ends in an error, and no job is valid that is not."""
    rng = random.Random(11)
    with Wire(units.program(), seed=11, damage=60_000) as line:
        try:
            with Device(backend="uart", settings=f"port={line.port},wait=20,silence=300") as device:
                results = device.verify_batch([units.job(rng, False, 200, tag) for tag in range(20)])
        except DeviceError as error:
            results = error.results or []
        assert not any(result.valid for result in results)
        line.stop()
    assert faults(line.counts)["damaged"] >= 10
