# SPDX-License-Identifier: Apache-2.0
"""Modes of verification on the simulated cores that have them, through client and driver: the golden model's
verdicts and reasons in every mode, whatever keys, batches and resets there are."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from functools import partial

import pytest

from pointmill import library
from pointmill.device import MODES, Device, DeviceError, Error, Job, Result
from pointmill.model import ed25519
from pointmill.rules import RULES
from vectors.hostile import hostile_cases

SEEDS = [bytes([number]) * 32 for number in range(12)]
"""Of more keys than there are slots."""
MODES_OF = {"bulk": tuple(MODES), "tiles": ("single", "cached")}
"""Modes of each configuration."""
BUILT = [(config, mode) for config, modes in MODES_OF.items() for mode in modes]
Open = partial[Device]


@pytest.fixture(scope="module", params=MODES_OF)
def core(request: pytest.FixtureRequest) -> Open:
    """Opens the core."""
    return partial(Device, request.param, module=library.module("edverify", request.param))


def _hostile(count: int, seed: int) -> list[Job]:
    """Honest and hostile signatures under every rule, of which some keys do not decode."""
    return [Job(case.pk, case.msg, case.sig, rule) for case in hostile_cases(count, seed, 200)
            for rule in RULES]


def _signed(rng: random.Random, count: int, keys: int, forged: float) -> list[Job]:
    """Signatures of few keys under random rules, a part of them of other messages."""
    jobs = []
    for _ in range(count):
        seed, msg = SEEDS[rng.randrange(keys)], rng.randbytes(rng.randrange(60))
        sig = ed25519.sign(seed, msg + b"!" * (rng.random() < forged))
        jobs.append(Job(ed25519.public_key(seed), msg, sig, rng.choice(list(RULES))))
    return jobs


def _expected(jobs: list[Job]) -> list[tuple[str, str]]:
    return [(ed25519.verify(job.rule, job.pk, job.msg, job.sig).reason.name, job.rule) for job in jobs]


def _given(results: list[Result]) -> list[tuple[str, str]]:
    assert all(result.valid == (result.reason == "ok") for result in results)
    return [(result.reason, result.rule) for result in results]


@pytest.mark.parametrize(("core", "mode"), BUILT, indirect=["core"])
@pytest.mark.parametrize(("count", "step"), [(26, 5), pytest.param(300, 1, marks=pytest.mark.long)])
def test_every_rule_in_every_mode(core: Open, mode: str, count: int, step: int) -> None:
    """All rules for each of the cases, or every fifth one, so that rules take turns."""
    jobs = _hostile(count, 41)[::step]
    assert len(jobs) == {5: 32, 1: 1800}[step] and {job.rule for job in jobs} == {*RULES}
    with core(settings="idle=5,stall=5,seed=4") as device:
        device.set_mode(mode)
        results = device.verify_batch(jobs)
        assert device.counters().errors == 0 and device.info().stray_answers == 0
    assert _given(results) == _expected(jobs)
    assert {"ok", "a_not_decodable", "equation_fails"} <= {result.reason for result in results}


@pytest.mark.parametrize(("core", "mode"), BUILT, indirect=["core"])
@pytest.mark.parametrize(("keys", "count"), [
    (12, 50), *(pytest.param(keys, 150, marks=pytest.mark.long) for keys in (3, 12))])
def test_few_keys(core: Open, mode: str, keys: int, count: int) -> None:
    """Fewer and more of them than slots, again and again; forged signatures and refused keys among them."""
    rng = random.Random(keys)
    jobs = _signed(rng, count, keys, 0.1)
    bad = dataclasses.replace(jobs[0], pk=b"\xff" * 32)
    unreduced = dataclasses.replace(jobs[0], pk=(2**255 - 18).to_bytes(32, "little"), rule="zip215")
    for at in range(0, count, 5):
        jobs[at] = bad if at % 2 else unreduced
    assert jobs.count(bad) == jobs.count(unreduced) == count // 10
    expected = _expected(jobs)
    with core() as device:
        device.set_mode(mode)
        for step in (1, -1):
            assert _given(device.verify_batch(jobs[::step])) == expected[::step]
        assert device.info().stray_answers == 0


def test_malformed_jobs_in_every_mode(core: Open) -> None:
    """Those that the core refuses and those that never reach it; the others are answered rightly."""
    good = _signed(random.Random(5), 1, 1, 0)[0]
    bad = [dataclasses.replace(good, rule=rule) for rule in (0, 7, 255, 256)]
    bad += [dataclasses.replace(good, pk=good.pk[:31]), dataclasses.replace(good, sig=b"")]
    jobs = [job for one in bad * 3 for job in (one, good)]
    with core() as device:
        for mode in device.info().modes:
            device.set_mode(mode)
            reasons = [result.reason for result in device.verify_batch(jobs)]
            assert reasons == ["malformed_job", "ok"] * 18


def test_modes_mixed_in_one_stream(core: Open) -> None:
    """Every job is answered once and rightly, in whatever order the core has them."""
    rng = random.Random(6)
    jobs = _signed(rng, 150, 10, 0.1) + rng.sample(_hostile(10, 43), 50)
    rng.shuffle(jobs)
    expected = dict(enumerate(_expected(jobs)))
    with core(settings="idle=20,stall=20,seed=6") as device:
        assert device.info().modes == MODES_OF[device.info().config]
        for tag, job in enumerate(jobs):
            device.set_mode(rng.choice(device.info().modes))
            device.submit(dataclasses.replace(job, tag=tag))
        assert device.outstanding == 200
        for _ in jobs:
            result = device.wait(20_000_000)
            assert _given([result]) == [expected.pop(result.tag)]
        assert not expected and device.outstanding == 0
        assert device.info().stray_answers == 0


@pytest.mark.parametrize(("core", "mode"), [one for one in BUILT if one[1] != "single"], indirect=["core"])
def test_soft_resets(core: Open, mode: str) -> None:
    """At random cycles: aborted or answered rightly; afterwards everything is as before."""
    rng = random.Random(7)
    jobs = [dataclasses.replace(job, tag=tag) for tag, job in enumerate(_signed(rng, 40, 3, 0.2))]
    expected = _expected(jobs)
    seen: Counter[bool] = Counter()
    with core(settings="idle=10,stall=10,seed=7") as device:
        device.set_mode(mode)
        for cycles in (0, 50, 1000, 5000, 20_000, rng.randrange(30_000), rng.randrange(60_000)):
            for job in jobs:
                device.submit(job)
            device.run(cycles)
            device.soft_reset()
            tags = set(range(40))
            for _ in jobs:
                result = device.wait()
                tags.remove(result.tag)
                assert result.reason == "aborted" or _given([result]) == [expected[result.tag]]
                seen[result.reason == "aborted"] += 1
            assert not tags and device.outstanding == 0
        assert _given(device.verify_batch(jobs)) == expected
        assert device.info().stray_answers == 0
    assert seen[True] > 100


def test_a_batch_that_runs_out_of_time(core: Open) -> None:
    """Jobs without an answer are aborted; the device is usable, in the same mode."""
    jobs = _signed(random.Random(8), 30, 2, 0)
    with core() as device:
        for mode in device.info().modes[1:]:
            device.set_mode(mode)
            device.set_batch_timeout(300)
            with pytest.raises(DeviceError) as caught:
                device.verify_batch(jobs)
            assert caught.value.code == Error.TIMEOUT
            assert {result.reason for result in caught.value.results} <= {"ok", "aborted"}
            device.set_batch_timeout(4_000_000)
            assert all(result.valid for result in device.verify_batch(jobs))


@pytest.mark.parametrize("core", ["bulk"], indirect=True)
def test_the_seed_may_be_chosen(core: Open) -> None:
    """By writing it after opening; then the same jobs take the same cycles, after a first one that uses up
    the multiplier made ahead of the writing."""
    jobs = [dataclasses.replace(job, rule="zip215") for job in _signed(random.Random(9), 20, 4, 0)]
    runs = []
    for _ in range(2):
        with core() as device:
            for word in range(8):
                device.write(0x60 + 4 * word, 0x01234567 * (word + 1) & 0xFFFFFFFF)
            device.set_mode("batch")
            device.verify_batch(jobs[:1])
            runs.append([result.cycles for result in device.verify_batch(jobs)])
    assert runs[0] == runs[1] and all(runs[0])
