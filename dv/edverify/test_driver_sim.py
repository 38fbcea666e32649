# SPDX-License-Identifier: Apache-2.0
"""The whole way: Python client, C driver, simulated back-end, RTL of the core in every configuration.

Verdicts and reasons are compared with the golden model. The back-end offers and takes stream beats
with random pauses where a test says so.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from pointmill import library
from pointmill.commands.registers import register_map
from pointmill.cores import EDVERIFY
from pointmill.device import Device, DeviceError, Error, Job, Result
from pointmill.model import ed25519
from pointmill.rules import RULES
from vectors.hostile import hostile_cases

ADDRESS = {register.name: register.address for register in register_map()}
READABLE = {register.address for register in register_map() if register.readable}
SEED = bytes(range(32))
Open = Callable[..., Device]


def _opener(config: str) -> Open:
    """Opens the verilated core in a configuration, as the command line does."""
    return partial(Device, config, module=library.module("edverify", config))


@pytest.fixture(scope="module", params=[
    pytest.param(name, marks=[pytest.mark.long] if name == "hardened" else []) for name in EDVERIFY.parameters])
def core(request: pytest.FixtureRequest) -> Open:
    """Every configuration in turn; `hardened`, which has the stream and the registers of `paper`, in the long tests."""
    return _opener(request.param)


@pytest.fixture(scope="module")
def paper() -> Open:
    """The one with one context."""
    return _opener("paper")


@pytest.fixture(scope="module")
def throughput() -> Open:
    """The one with twelve."""
    return _opener("throughput")


def _signed(msg: bytes, tag: object = None, rule: str = "rfc8032_cofactorless") -> Job:
    return Job(ed25519.public_key(SEED), msg, ed25519.sign(SEED, msg), rule, tag)


def _jobs(count: int, seed: int, max_message: int = 300) -> list[Job]:
    """Honest and hostile signatures, the rule sets in turn."""
    rules = list(RULES)
    return [Job(case.pk, case.msg, case.sig, rules[i % len(rules)], i)
            for i, case in enumerate(hostile_cases(count, seed, max_message))]


def _expected(job: Job) -> str:
    return ed25519.verify(job.rule, job.pk, job.msg, job.sig).reason.name


def _check(job: Job, result: Result, allowed: tuple[str, ...] = ()) -> None:
    assert result.tag == job.tag and result.rule == job.rule
    assert result.reason == _expected(job) or result.reason in allowed, job
    assert result.valid == (result.reason == "ok")


@pytest.mark.parametrize("settings", ["", "idle=30,stall=40,seed=1", "idle=90,stall=5,seed=2",
                                      "idle=2,stall=95,seed=3"])
def test_queue_of_jobs_with_pauses(core: Open, settings: str) -> None:
    """36 jobs queued before the first result is taken."""
    jobs = _jobs(36, seed=len(settings))
    with core(settings=settings) as device:
        for job in jobs:
            device.submit(job)
        assert device.outstanding == 36
        results = [device.wait() for _ in jobs]
        assert sorted(result.tag for result in results) == list(range(36))
        for result in results:
            _check(jobs[result.tag], result)
        in_order = [result.tag for result in results] == list(range(36))
        assert in_order == (device.info().contexts == 1)  # jobs that end early overtake others
        assert device.outstanding == 0
        counters = device.counters()
        assert counters.jobs == 36 and counters.errors == 0
        assert counters.valid == sum(_expected(job) == "ok" for job in jobs) > 0
        assert device.info().stray_answers == 0


def test_batch_with_malformed_jobs(core: Open) -> None:
    """Those that only the core can refuse (rules), and those that the driver refuses."""
    good = _signed(b"good")
    bad = [Job(good.pk, good.msg, good.sig, rule) for rule in (0, 7, 128, 255, 256)]
    bad += [Job(good.pk[:31], b"", good.sig, "zip215"), Job(b"", b"", b"", "zip215")]
    jobs = [job for one in bad for job in (one, good)]
    with core() as device:
        results = device.verify_batch(jobs)
        assert device.counters().errors == 4
    assert [result.reason for result in results] == ["malformed_job", "ok"] * 7
    assert [bool(result.cycles) for result in results[::2]] == [True] * 4 + [False] * 3


def test_message_lengths(core: Open) -> None:
    """Lengths around beats and hash blocks, up to 100,000 bytes; each also with its end changed."""
    lengths = [*range(18), 46, 47, 48, 63, 64, 65, 110, 111, 112, 127, 128, 129, 174, 175, 176,
               191, 192, 193, 1000, 4095, 4096, 4097, 65536, 100_000]
    rng = random.Random(4)
    jobs = [_signed(rng.randbytes(length), length) for length in lengths]
    wrong = [Job(job.pk, job.msg[:-1] + bytes([job.msg[-1] ^ 0x80]), job.sig, job.rule, job.tag)
             for job in jobs[1::4]]
    with core(settings="idle=10,stall=10") as device:
        results = device.verify_batch(jobs)
        assert [result.tag for result in results] == lengths and len(lengths) == 42
        assert all(result.valid for result in results)
        results = device.verify_batch(wrong)
        assert [result.reason for result in results] == ["equation_fails"] * 11


@pytest.mark.parametrize("core", [
    pytest.param(name, marks=[] if name == "paper" else [pytest.mark.long]) for name in EDVERIFY.parameters],
    indirect=True)
def test_message_of_one_mebibyte(core: Open) -> None:
    job = _signed(random.Random(5).randbytes(1 << 20))
    with core() as device:
        result, = device.verify_batch([job])
    assert result.valid and result.cycles > (1 << 20) // 128 * 80


@pytest.mark.parametrize("rounds", [10, pytest.param(30, marks=pytest.mark.long)])
def test_soft_reset_at_random_cycles(core: Open, rounds: int) -> None:
    """Every job is answered, aborted or rightly; the next one is right."""
    rng = random.Random(6)
    jobs = _jobs(30, seed=6, max_message=2000)
    seen: Counter[str] = Counter()
    with core(settings="idle=10,stall=10,seed=6") as device:
        for _ in range(rounds):
            some = rng.sample(jobs, 3)
            for job in some:
                device.submit(job)
            device.run(rng.choice((rng.randrange(40), rng.randrange(400), rng.randrange(40000))))
            device.soft_reset()
            by_tag = {job.tag: job for job in some}
            for _ in some:
                result = device.wait(200_000)
                _check(by_tag.pop(result.tag), result, ("aborted",))
                seen[result.reason == "aborted"] += 1
            assert not by_tag and device.outstanding == 0
            if rng.random() < 0.5:
                job = rng.choice(jobs)
                _check(job, device.verify_batch([job])[0])
        assert device.info().stray_answers == 0
    aborted, answered = {10: (6, 2), 30: (20, 10)}[rounds]
    assert seen.total() == 3 * rounds and seen[True] >= aborted and seen[False] >= answered


def test_soft_reset_within_a_packet(core: Open) -> None:
    """The core drops the rest of the packet whose job it has already answered."""
    long, short = _signed(bytes(50_000), "long"), _signed(b"short", "short")
    with core() as device:
        for cycles in (1, 3, 7, 12, 14, 600, 7000):
            device.submit(long)
            device.submit(short)
            device.run(cycles)
            device.soft_reset()
            answers = {device.wait() for _ in range(2)}
            assert {(a.tag, a.reason) for a in answers} == {
                ("long", "aborted"), ("short", "aborted")}
            assert device.verify_batch([short])[0].valid


def test_soft_reset_of_an_idle_core(core: Open) -> None:
    job = _signed(b"after")
    with core() as device:
        for _ in range(3):
            device.soft_reset()
            assert device.verify_batch([job])[0].valid
        assert device.info().stray_answers == 0


def test_timeouts(core: Open) -> None:
    job = _signed(b"slow", "slow")
    with core() as device:
        device.submit(job)
        with pytest.raises(DeviceError) as caught:
            device.wait(500)
        assert caught.value.code == Error.TIMEOUT and device.outstanding == 1
        assert device.wait().valid
        device.set_batch_timeout(500)
        with pytest.raises(DeviceError) as caught:
            device.verify_batch([job, job])
        assert caught.value.code == Error.TIMEOUT
        first, second = caught.value.results
        assert first.reason == "aborted"
        assert second.reason in ("ok", "aborted")  # its first beat may have been on offer already
        device.set_batch_timeout(100_000)
        assert all(result.valid for result in device.verify_batch([job, job]))


def _refused(device: Device, address: int, value: int | None = None) -> bool:
    """Whether a read, or a write of `value`, is answered with an error."""
    try:
        device.read(address) if value is None else device.write(address, value)
    except DeviceError as error:
        assert error.code == Error.BUS
        return True
    return False


@pytest.mark.parametrize("settings", ["", "stall=50,seed=7"])
def test_registers_while_busy(core: Open, settings: str) -> None:
    """Every address is answered in the middle of a job, and the job is not disturbed."""
    job = _signed(b"busy", "busy")
    writable = {ADDRESS[name] for name in ("CTRL", "IRQ_ENABLE", "IRQ_STATUS", "COUNT_CLEAR")}
    writable |= {ADDRESS[f"SEED{word}"] for word in range(8)}
    with core(settings=settings) as device:
        device.clear_counters()
        device.submit(job)
        device.run(100)
        assert device.read(ADDRESS["STATUS"]) & 1
        for address in range(0, 256, 4):
            assert _refused(device, address) == (address not in READABLE), hex(address)
            assert _refused(device, address, 0) == (
                address not in writable or address == ADDRESS["COUNT_CLEAR"]), hex(address)
        cycles = [device.counters().cycles for _ in range(5)]
        assert cycles == sorted(set(cycles))
        assert device.wait().valid
        assert device.read(ADDRESS["STATUS"]) == 0
        counters = device.counters()
        assert (counters.jobs, counters.valid, counters.errors) == (1, 1, 0)
        assert 0 < counters.muls < counters.busy < counters.cycles
        device.clear_counters()
        assert device.counters().jobs == 0


def test_interrupt_status(core: Open) -> None:
    job = _signed(b"")
    with core() as device:
        assert device.read(ADDRESS["IRQ_STATUS"]) == 0
        device.verify_batch([job])
        assert device.read(ADDRESS["IRQ_STATUS"]) == 1
        device.verify_batch([Job(job.pk, b"", job.sig, 0)])
        device.soft_reset()
        device.run(700 if device.info().config == "tiles_secret" else 250)  # the registers are wiped first
        assert device.read(ADDRESS["IRQ_STATUS"]) == 7
        device.write(ADDRESS["IRQ_STATUS"], 5)
        assert device.read(ADDRESS["IRQ_STATUS"]) == 2


def test_two_devices_do_not_meet(core: Open) -> None:
    first, second = _jobs(6, seed=8), _jobs(6, seed=9)
    with core() as a, core(settings="idle=50,stall=50") as b:
        for x, y in zip(first, second, strict=True):
            a.submit(x)
            b.submit(y)
        for _ in range(6):
            for jobs, device in ((second, b), (first, a)):
                result = device.wait()
                _check(jobs[result.tag], result)


def test_configurations_say_what_they_are(core: Open) -> None:
    with core() as device:
        info = device.info()
    # window_g, window_a, half_size, secret_ops, hardened, keys, batch
    fields = {"paper": (10, 5, 0, 0, 0, 0, 0), "hardened": (10, 5, 0, 0, 1, 0, 0),
              "throughput": (10, 4, 1, 1, 0, 0, 0), "latency": (10, 4, 1, 0, 0, 0, 0),
              "bulk": (10, 4, 1, 0, 0, 3, 6), "tiles": (10, 4, 1, 0, 0, 3, 0),
              "tiles_secret": (10, 4, 1, 1, 0, 0, 0)}[info.config]
    word = info.config_word
    assert info.contexts == EDVERIFY.parameters[info.config]["Contexts"]
    assert (word >> 8 & 15, word >> 12 & 15, word >> 17 & 1, word >> 18 & 1, word >> 19 & 1, word >> 24 & 15,
            word >> 28) == fields


def test_a_library_has_one_configuration() -> None:
    for config, other in (("paper", "throughput"), ("throughput", "paper")):
        with pytest.raises(DeviceError) as caught:
            Device(other, module=library.module("edverify", config))
        assert caught.value.code == Error.CONFIG


def test_all_contexts_are_kept_busy(throughput: Open) -> None:
    """With a queue of honest jobs the multiplier starts a product in nearly every cycle."""
    rng = random.Random(10)
    jobs = [_signed(rng.randbytes(32), i) for i in range(120)]
    ends: list[int] = []
    with throughput() as device:
        results = device.verify_batch(jobs, progress=lambda done, total: ends.append(
            device.elapsed()))
        counters = device.counters()
    assert all(result.valid for result in results)
    assert counters.muls / counters.busy > 0.9
    assert 1900 < (ends[107] - ends[11]) / 96 < 2200


def test_an_early_refusal_overtakes(throughput: Open) -> None:
    """S >= L is known at once; the jobs before it take many thousand cycles more."""
    jobs = [_signed(b"honest", i) for i in range(4)]
    refused = Job(jobs[0].pk, b"", jobs[0].sig[:32] + b"\xff" * 32, "zip215", "refused")
    with throughput() as device:
        for job in [*jobs, refused]:
            device.submit(job)
        results = [device.wait() for _ in range(5)]
    assert results[0].tag == "refused" and results[0].reason == "s_out_of_range"
    assert all(result.valid for result in results[1:])


def test_soft_reset_answers_all_contexts(throughput: Open) -> None:
    """Twelve jobs are under way: each is aborted by the core, once, and the contexts are free again."""
    jobs = [_signed(b"job", i) for i in range(12)]
    with throughput() as device:
        for job in jobs:
            device.submit(job)
        device.run(14_000)
        assert device.counters().jobs == 0
        device.soft_reset()
        results = [device.wait(1000) for _ in jobs]
        assert sorted(result.tag for result in results) == list(range(12))
        assert {result.reason for result in results} == {"aborted"}
        assert device.counters().errors == 12
        assert [result.valid for result in device.verify_batch(jobs * 2)] == [True] * 24
        assert device.info().stray_answers == 0


def test_cycles_do_not_depend_on_the_queue(paper: Open) -> None:
    """With one context the same job takes the same number of cycles, alone or behind others."""
    job = _signed(b"same", "same")
    with paper() as device:
        alone = device.verify_batch([job])[0].cycles
        assert [result.cycles for result in device.verify_batch([job] * 4)] == [alone] * 4


def test_wrong_settings_are_refused(core: Open) -> None:
    for settings in ("idle=100", "stall=100", "seed=x", "speed=1"):
        with pytest.raises(DeviceError) as caught:
            core(settings=settings)
        assert caught.value.code == Error.CONFIG


def test_default_configuration() -> None:
    """A library opens without a name as the configuration that it was built for, which by default is the core's."""
    for config in ("paper", EDVERIFY.default):
        with Device("", module=library.module("edverify", config)) as device:
            assert device.info().config == config
    assert library.module("edverify") == library.module("edverify", EDVERIFY.default)
