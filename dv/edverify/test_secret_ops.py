# SPDX-License-Identifier: Apache-2.0
"""x25519, keygen and sign on the simulated core, through the driver and as raw packets.

A core without them (CONFIG.secret_ops) rejects them as malformed.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from edverify_core import Beat, Core, beats_of_job, damaged, judged, secret_packet

from dv.edverify.test_pm_edverify_barrel_engine import CTRL, IRQ_ENABLE, IRQ_STATUS, RESET_DONE, STATUS, WIPING
from pointmill import library
from pointmill.device import Device, Job, Result, SecretJob
from pointmill.model import ed25519
from pointmill.model.x25519 import x25519
from pointmill.rules import OPERATIONS, Reason
from vectors.hostile import hostile_cases
from vectors.secret_vectors import (
    rfc7748_cases,
    rfc8032_sign_cases,
    sign_input_sign_cases,
    wycheproof_x25519_cases,
    x25519_sample,
)

OPS = ("x25519", "keygen", "sign")
OPCODE = {name: OPERATIONS[name].opcode for name in OPS}
WITHOUT = "paper"
"""The configuration that verifies only."""
WIPED = {"throughput": {WIPING}, "tiles_secret": {597, 598, 599}}
"""Cycles from the end of the write that resets softly to the interrupt: every context runs 16 words, of `tiles_secret`
in turns, which the write may find in any state."""
MEMORY = 16384
"""Bytes of the longest message that the core signs."""


@pytest.fixture(scope="module", params=["throughput", "tiles_secret"])
def config(request: pytest.FixtureRequest) -> str:
    """Configurations with the operations."""
    with Device(request.param, module=library.module("edverify", request.param)) as device:
        assert device.info().secret_ops
    return request.param


def _device(config: str, settings: str = "") -> Device:
    return Device(config, settings=settings, module=library.module("edverify", config))


def _openssl(job: SecretJob) -> bytes:
    """The payload that OpenSSL computes."""
    if job.op == "x25519":
        key = X25519PrivateKey.from_private_bytes(job.secret)
        return key.exchange(X25519PublicKey.from_public_bytes(job.u))
    signer = Ed25519PrivateKey.from_private_bytes(job.secret)
    pk = signer.public_key().public_bytes_raw()
    return pk if job.op == "keygen" else pk + signer.sign(job.msg)


def _random_job(rng: random.Random, op: str, most: int = 300, tag: object = None) -> SecretJob:
    return SecretJob(op, rng.randbytes(32), rng.randbytes(32) if op == "x25519" else b"",
                     rng.randbytes(rng.randrange(most)) if op == "sign" else b"", tag)


def _check(jobs: list[SecretJob], results: list[Result]) -> None:
    for job, result in zip(jobs, results, strict=True):
        assert (result.valid, result.reason, result.tag) == (True, "ok", job.tag)
        assert result.payload == _openssl(job), job
        assert not result.all_zero and result.rule == 0


def test_rfc7748(config: str) -> None:
    cases = rfc7748_cases()
    assert len(cases) == 7
    with _device(config) as device:
        results = device.secret_batch([SecretJob("x25519", case.k, case.u) for case in cases])
    assert [result.payload for result in results] == [case.out for case in cases]


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)])
def test_wycheproof_x25519(config: str, every: int) -> None:
    """All 518, those with the result zero among them; where time is short every 20th, and one of each category."""
    whole = wycheproof_x25519_cases()
    cases = x25519_sample(whole, every)
    with _device(config) as device:
        results = device.secret_batch([SecretJob("x25519", case.k, case.u) for case in cases])
    assert all(result.valid for result in results)
    for case, result in zip(cases, results, strict=True):
        assert result.payload == case.out, case.id
        assert result.all_zero == (case.out == bytes(32)), case.id
    zeros = sum(result.all_zero for result in results)
    assert (len(whole), len(cases), zeros) == (518, *{20: (51, 12), 1: (518, 31)}[every])


def test_rfc8032(config: str) -> None:
    cases = rfc8032_sign_cases()
    jobs = [SecretJob(op, case.d, msg=case.msg if op == "sign" else b"")
            for case in cases for op in ("sign", "keygen")]
    with _device(config) as device:
        results = device.secret_batch(jobs)
    assert len(cases) == 5
    assert [result.payload for result in results] == [
        payload for case in cases for payload in (case.pk + case.sig, case.pk)]


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.long)])
def test_sign_input(config: str, step: int) -> None:
    """Messages of every length from 0 to 1,023 bytes (of every 16th where time is short)."""
    cases = sign_input_sign_cases()[::-step]
    assert len(cases) == 1024 // step
    with _device(config, "idle=5,stall=5") as device:
        results = device.secret_batch([SecretJob("sign", case.d, msg=case.msg) for case in cases])
    for case, result in zip(cases, results, strict=True):
        assert result.payload == case.pk + case.sig, case.id


@pytest.mark.parametrize("count", [90, pytest.param(3000, marks=pytest.mark.long)])
def test_random_operands(config: str, count: int) -> None:
    rng = random.Random(count)
    jobs = [_random_job(rng, OPS[i % 3], tag=i) for i in range(count)]
    with _device(config) as device:
        _check(jobs, device.secret_batch(jobs))
        assert device.counters().valid == count and device.info().stray_answers == 0


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
def test_special_operands(config: str, step: int) -> None:
    """Scalars and coordinates at the ends of their ranges; seeds of one bit (a fifth where time is short, with every
    scalar and every coordinate)."""
    numbers = [0, 1, 2, 9, 2**255 - 20, 2**255 - 19, 2**255 - 18, 2**255 - 1, 2**255, 2**256 - 1,
               2**254, 2**254 + 8, 2**255 - 8]
    strings = [number.to_bytes(32, "little") for number in numbers]
    jobs = [SecretJob("x25519", k, u) for i, k in enumerate(strings) for u in strings[i % step::step]]
    keys = [SecretJob("keygen", (1 << bit).to_bytes(32, "little")) for bit in range(0, 256, 5 * step)]
    with _device(config) as device:
        results = device.secret_batch(jobs)
        _check(keys, device.secret_batch(keys))
    assert (len(jobs), len(keys)) == {5: (35, 11), 1: (169, 52)}[step]
    assert {job.secret for job in jobs} == {job.u for job in jobs} == {*strings}
    for job, result in zip(jobs, results, strict=True):
        assert result.payload == x25519(job.secret, job.u)
        assert result.all_zero == (result.payload == bytes(32))


def test_lengths_of_messages(config: str) -> None:
    """Around beats, hash blocks and the size of the message memory, which several share."""
    lengths = [*range(18), 31, 32, 33, 63, 64, 65, 79, 80, 81, 95, 96, 97, 111, 112, 127, 128, 129,
               1000, MEMORY // 2, MEMORY - 9, MEMORY - 8, MEMORY - 1, MEMORY]
    rng = random.Random(3)
    jobs = [SecretJob("sign", rng.randbytes(32), msg=rng.randbytes(n), tag=n) for n in lengths]
    rng.shuffle(jobs)
    with _device(config, "idle=3,stall=20") as device:
        _check(jobs, device.secret_batch(jobs))


def test_message_too_long(config: str) -> None:
    """It is refused, and disturbs nothing that is before or behind it."""
    rng = random.Random(4)
    jobs = []
    for length in (MEMORY + 1, MEMORY + 8, 3 * MEMORY):
        jobs += [SecretJob("sign", rng.randbytes(32), msg=rng.randbytes(length), tag=length),
                 _random_job(rng, "sign"), _random_job(rng, "x25519")]
    with _device(config) as device:
        results = device.secret_batch(jobs)
    assert [result.reason for result in results] == ["message_too_long", "ok", "ok"] * 3
    assert all(result.payload == b"" for result in results[::3])
    good = [(job, result) for job, result in zip(jobs, results, strict=True) if result.valid]
    _check(*map(list, zip(*good, strict=True)))


def test_last_beat_waits_for_room(config: str) -> None:
    """The one that an older message leaves no word for."""
    rng = random.Random(10)
    jobs = [SecretJob("sign", rng.randbytes(32), msg=rng.randbytes(length), tag=length)
            for length in (MEMORY // 2, MEMORY // 2 + 1, 20)]
    with _device(config) as device:
        _check(jobs, device.secret_batch(jobs))


@pytest.mark.parametrize("settings", ["", "idle=30,stall=40,seed=1", "idle=2,stall=95,seed=3"])
@pytest.mark.parametrize("count", [24, pytest.param(60, marks=pytest.mark.long)])
def test_all_operations_in_one_stream(config: str, settings: str, count: int) -> None:
    """Verifications, honest and hostile, between the others; all queued before the first result."""
    rng = random.Random(5)
    secret = [_random_job(rng, OPS[i % 3], tag=("secret", i)) for i in range(count)]
    public = [Job(case.pk, case.msg, case.sig, "rfc8032_cofactorless", ("public", i))
              for i, case in enumerate(hostile_cases(count, 5, 200))]
    found: dict[object, Result] = {}
    with _device(config, settings) as device:
        for one, other in zip(secret, public, strict=True):
            device.submit_secret(one)
            device.submit(other)
        while device.outstanding:
            result = device.wait()
            assert result.tag not in found
            found[result.tag] = result
    assert len(found) == 2 * count
    _check(secret, [found[job.tag] for job in secret])
    for job in public:
        verdict = ed25519.verify(job.rule, job.pk, job.msg, job.sig)
        assert found[job.tag].reason == verdict.reason.name and found[job.tag].payload == b""


@pytest.mark.parametrize("count", [3, pytest.param(12, marks=pytest.mark.long)])
def test_time_does_not_depend_on_secrets(config: str, count: int) -> None:
    """Alone on the core, from its reset on, a job takes the same cycles whatever its operands are."""
    rng = random.Random(6)
    special = [bytes(32), b"\xff" * 32, bytes([1, *[0] * 31]), bytes([*[0] * 31, 0x40])]
    for op in OPS:
        for length in (0, 150) if op == "sign" else (0,):
            cycles = Counter()
            secrets = [*special[:2], *(rng.randbytes(32) for _ in range(8)), *special[2:]]
            for secret in secrets[:count]:
                u = rng.randbytes(32) if op == "x25519" else b""
                job = SecretJob(op, secret, u, rng.randbytes(length))
                with _device(config) as device:
                    result, = device.secret_batch([job])
                assert result.payload == _openssl(job)
                cycles[result.cycles] += 1
            assert len(cycles) == 1 and cycles.total() == count, (op, cycles)


@pytest.mark.parametrize("trials", [10, pytest.param(30, marks=pytest.mark.long)])
def test_soft_reset_at_random_cycles(config: str, trials: int) -> None:
    """Every job is answered, aborted or rightly; the next one is right, and no message is left."""
    rng = random.Random(7)
    seen: Counter[str] = Counter()
    with _device(config, "idle=10,stall=10,seed=7") as device:
        for trial in range(trials):
            jobs = [_random_job(rng, rng.choice(OPS), 2000, tag=i) for i in range(4)]
            for job in jobs:
                device.submit_secret(job)
            device.run(rng.randrange(1, 60_000 if trial % 2 else 3000))
            device.soft_reset()
            for _ in jobs:
                result = device.wait()
                assert result.reason in ("ok", "aborted")
                assert result.payload == (_openssl(jobs[result.tag]) if result.valid else b"")
                seen[result.reason] += 1
            after = [_random_job(rng, op) for op in OPS]
            _check(after, device.secret_batch(after))
    assert seen.total() == 4 * trials and min(seen["ok"], seen["aborted"]) > trials // 3


def test_a_soft_reset_wipes_before_the_next_job(config: str) -> None:
    """In the same cycles, whether the core is idle or in the middle of any operation; meanwhile it is busy and a job
    waits."""
    rng = random.Random(8)
    core = Core(config)
    assert core.write(IRQ_ENABLE, RESET_DONE) == 0
    for op, after in [("", 0), *((op, cycles) for op in OPS for cycles in (60, 700, 9000))]:
        if op:
            body = [rng.randbytes(32)] + [rng.randbytes(32)] * (op != "keygen")
            core.push(secret_packet(1, OPCODE[op], *body))
            core.run(after)
        seed = rng.randbytes(32)
        assert core.write(CTRL, 1) == 0
        core.push(secret_packet(2, OPCODE["keygen"], seed))
        cycles = 0
        while not core.irq:
            core.run(1)
            cycles += 1
            assert cycles <= max(WIPED[config]), (op, after)
        assert cycles in WIPED[config], (op, after)
        results = core.answers(2 if op else 1)
        assert [result.reason for result in results] == [Reason.aborted] * bool(op) + [Reason.ok]
        assert results[-1].payload == ed25519.public_key(seed)
        assert core.write(IRQ_STATUS, RESET_DONE) == 0
        core.run(2)
        assert core.read(STATUS) == (0, 0) and not core.irq
    core.close()


@pytest.mark.parametrize("op", OPS)
def test_soft_reset_at_each_cycle_of_a_short_time(config: str, op: str) -> None:
    """A job that is received, handed over or begun is aborted, once, and the next one is right."""
    rng = random.Random(9)
    core = Core(config)
    packet = secret_packet(1, OPCODE[op], *[rng.randbytes(32)] * (2 if op == "x25519" else 1))
    for after in range(len(packet), len(packet) + 60):
        core.push(packet)
        core.run(after)
        assert core.write(CTRL, 1) == 0
        assert [result.reason for result in core.answers(1)] == [Reason.aborted], after
        while core.read(STATUS) != (0, 0):
            core.run(20)
    seed = rng.randbytes(32)
    core.push(secret_packet(2, OPCODE["keygen"], seed))
    result, = core.answers(1)
    assert (result.reason, result.payload) == (Reason.ok, ed25519.public_key(seed))
    core.close()


def _damaged(rng: random.Random, tag: int) -> Iterator[list[Beat]]:
    """Packets that break the format of the other operations, each in one way."""
    for op, operands in (("x25519", 2), ("keygen", 1), ("sign", 1)):
        body = [rng.randbytes(32) for _ in range(operands)]
        message = rng.randbytes(20) if op == "sign" else b""
        good = secret_packet(tag, OPCODE[op], *body, message)
        for length in range(1, 1 + 4 * operands):
            yield good[:length]
        for where in range(len(good)):
            yield [*good[:where], (good[where][0], 0x7E), *good[where + 1:]]
        yield secret_packet(tag, OPCODE[op], *body, message, rule=1)
        if op != "sign":
            yield [*good, (bytes(8), 0xFF)]


@pytest.mark.parametrize("pace", [(0, 0), (40, 40)])
def test_malformed_packets_among_good_ones(config: str, pace: tuple[int, int]) -> None:
    """Each is answered as such, and all others rightly, whatever stands beside them."""
    rng = random.Random(8)
    core = Core(config)
    core.pace(8, *pace)
    wanted: dict[int, tuple[Reason, bytes]] = {}

    def push(beats: list[Beat], reason: Reason, payload: bytes = b"") -> None:
        wanted[len(wanted)] = (reason, payload)
        core.push(beats)

    verified = judged(hostile_cases(12, 8, 100))
    bad = [*_damaged(rng, 0), *list(damaged(verified[0], 0))[::7]]
    rng.shuffle(bad)
    for index, beats in enumerate(bad):
        tag = len(wanted)
        push([(beats[0][0][:4] + tag.to_bytes(4, "little"), beats[0][1]), *beats[1:]],
             Reason.malformed_job)
        tag = len(wanted)
        if index % 4 == 3:
            job = verified[index % len(verified)]
            push(beats_of_job(job, tag), job.reason)
        else:
            secret = _random_job(rng, OPS[index % 3])
            push(secret_packet(tag, OPCODE[secret.op], secret.secret, secret.u, secret.msg),
                 Reason.ok, _openssl(secret))
    results = core.answers(len(wanted))
    assert len(wanted) == 2 * len(bad) > 100
    for result in results:
        reason, payload = wanted.pop(result.tag)
        assert Reason(result.reason) == reason and result.payload == payload
    assert not wanted
    core.close()


def test_not_built_in() -> None:
    """A core without the operations refuses them, and verifies on."""
    rng = random.Random(9)
    with _device(WITHOUT) as device:
        assert not device.info().secret_ops
        results = device.secret_batch([_random_job(rng, op) for op in OPS])
        assert [result.reason for result in results] == ["malformed_job"] * 3
        assert all(result.cycles and result.payload == b"" for result in results)
        seed = rng.randbytes(32)
        good = Job(ed25519.public_key(seed), b"m", ed25519.sign(seed, b"m"))
        assert device.verify_batch([good])[0].valid


def _pointmill(*words: str, data: str = "") -> tuple[int, list[dict]]:
    done = subprocess.run([sys.executable, "-m", "pointmill.cli", *words], input=data, text=True,
                          capture_output=True, check=False, timeout=580, cwd=library.SW.parent)
    expected = ('{"summary": true', "building ", "built ")
    assert all(line.startswith(expected) for line in done.stderr.splitlines()), done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_commands(config: str) -> None:
    """The program itself: sign and verify, keygen, x25519 with a bad line among good ones."""
    words = ("--config", config)
    code, keys = _pointmill("keygen", "--random", "3", *words)
    assert code == 0 and len(keys) == 3
    jobs = [{"d": key["d"], "msg": "00" * i} for i, key in enumerate(keys)]
    code, signed = _pointmill("sign", "-", *words, data="\n".join(map(json.dumps, jobs)))
    assert code == 0 and [answer["pk"] for answer in signed] == [key["pk"] for key in keys]
    lines = [json.dumps({**job, **answer}) for job, answer in zip(jobs, signed, strict=True)]
    code, verdicts = _pointmill("verify", "-", "--json", *words, data="\n".join(lines))
    assert code == 0 and all(verdict["valid"] for verdict in verdicts)
    cases = rfc7748_cases()
    lines = [json.dumps({"k": case.k.hex(), "u": case.u.hex()}) for case in cases]
    code, answers = _pointmill("x25519", "-", "--core", "edverify", *words,
                               data="\n".join([*lines, "bad"]))
    assert code == 1 and "error" in answers[7]
    assert [answer["out"] for answer in answers[:7]] == [case.out.hex() for case in cases]
