# SPDX-License-Identifier: Apache-2.0
"""Operations with a secret operand through the Python client, on the fake back-end."""

from __future__ import annotations

import random

import pytest

from driver.fake import fake_device, fake_job, fake_library, fake_payload
from pointmill.device import Device, DeviceError, Error, SecretJob, X25519Device
from pointmill.rules import OPERATIONS

OPS = ("x25519", "keygen", "sign")


def _job(rng: random.Random, op: str, tag: object = None) -> SecretJob:
    return SecretJob(op, rng.randbytes(32), rng.randbytes(32) if op == "x25519" else b"",
                     rng.randbytes(rng.randrange(300)) if op == "sign" else b"", tag)


def test_operations_of_the_data_file() -> None:
    assert {name: len(entry.payload) for name, entry in OPERATIONS.items() if entry.secret} == {
        "x25519": 1, "keygen": 1, "sign": 3}


def test_batch_of_all_operations() -> None:
    rng = random.Random(1)
    jobs = [_job(rng, OPS[i % 3], f"job {i}") for i in range(300)]
    seen = []
    with fake_device() as device:
        results = device.secret_batch(jobs, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(i + 1, 300) for i in range(300)]
    for job, result in zip(jobs, results, strict=True):
        assert result.valid and result.reason == "ok" and result.cycles == 100
        assert (result.tag, result.rule, result.all_zero) == (job.tag, 0, False)
        assert result.payload == fake_payload(job)


def test_submitted_among_verifications() -> None:
    rng = random.Random(2)
    jobs = [_job(rng, OPS[i % 3], i) for i in range(60)]
    with fake_device() as device:
        for job in jobs:
            device.submit_secret(job)
            device.submit(fake_job(rng, 20, tag="verify"))
        for job in jobs:
            result = device.wait()
            assert result.tag == job.tag and result.payload == fake_payload(job)
            result = device.wait()
            assert result.tag == "verify" and result.valid and result.payload == b""


def test_wrong_lengths_do_not_disturb_the_others() -> None:
    rng = random.Random(3)
    good = [_job(rng, op) for op in OPS]
    bad = [SecretJob("x25519", bytes(31), bytes(32)), SecretJob("x25519", bytes(32)),
           SecretJob("keygen", bytes(33)), SecretJob("keygen", bytes(32), msg=b"x"),
           SecretJob("sign", bytes(32), bytes(32)), SecretJob("sign", b"")]
    with fake_device() as device:
        results = device.secret_batch([*good, *bad, *good])
    assert [r.reason for r in results] == ["ok"] * 3 + ["malformed_job"] * 6 + ["ok"] * 3
    assert all(r.payload == b"" and r.cycles == 0 for r in results[3:9])


def test_unknown_operation_is_refused_before_anything_is_sent() -> None:
    with fake_device() as device:
        for op in ("verify", "decrypt"):
            with pytest.raises(ValueError, match="known are x25519, keygen, sign"):
                device.secret_batch([SecretJob("keygen", bytes(32)), SecretJob(op, bytes(32))])
        assert device.counters().jobs == 0


def test_secrets_are_not_shown() -> None:
    rng = random.Random(4)
    job = _job(rng, "x25519")
    with fake_device() as device:
        result = device.secret_batch([job])[0]
    assert job.secret.hex() not in repr(job) and "secret" not in repr(job)
    assert "payload" not in repr(result)


def test_zero_and_too_long() -> None:
    with fake_device() as device:
        zero, long = device.secret_batch([SecretJob("x25519", b"a" * 32, b"a" * 32),
                                          SecretJob("sign", bytes(32), msg=bytes(4097))])
    assert zero.valid and zero.all_zero and zero.payload == bytes(32)
    assert (long.valid, long.reason, long.payload) == (False, "message_too_long", b"")


def test_contradiction_and_timeout_carry_all_results() -> None:
    for word, code in ((b"!zero", Error.PROTOCOL), (b"!dead", Error.TIMEOUT)):
        jobs = [SecretJob("sign", bytes(32), msg=msg, tag=msg) for msg in (b"a", word, b"b")]
        with fake_device() as device:
            with pytest.raises(DeviceError) as caught:
                device.secret_batch(jobs)
            assert caught.value.code == code
            assert [r.reason for r in caught.value.results] == ["ok", "aborted", "ok"]
            assert [r.tag for r in caught.value.results] == [b"a", word, b"b"]
            assert device.secret_batch(jobs[:1])[0].valid


def test_configuration() -> None:
    for settings, built_in in (("", True), ("secret=0", False)):
        with fake_device(settings=settings) as device:
            assert device.info().secret_ops == built_in
            result = device.secret_batch([SecretJob("keygen", bytes(32))])[0]
            assert result.reason == ("ok" if built_in else "malformed_job")


def _fake_x25519(settings: str = "") -> X25519Device:
    return X25519Device("tile", "fake", f"x25519=1{settings}", lib=fake_library())


def test_core_x25519() -> None:
    """It has one operation; what its CONFIG says is not taken for keys and batches."""
    rng = random.Random(6)
    jobs = [_job(rng, OPS[i % 3], i) for i in range(60)]
    with _fake_x25519(",keys=8,batch=6") as device:
        assert (device.info().name, device.info().config) == ("PMX2", "tile")
        results = device.secret_batch(jobs)
        for job, result in zip(jobs, results, strict=True):
            assert result.tag == job.tag
            assert result.reason == ("ok" if job.op == "x25519" else "malformed_job")
            assert result.payload == (fake_payload(job) if job.op == "x25519" else b"")
        assert not device.verify_batch([fake_job(rng, 20)])[0].valid
        counters = device.counters()
        assert (counters.jobs, counters.valid, counters.muls) == (61, 20, 0)
        for mode in ("batch", "cached"):
            with pytest.raises(DeviceError) as caught:
                device.set_mode(mode)
            assert caught.value.code == Error.MODE
    with fake_device() as device:
        assert device.counters().muls == 7 | 7 << 32


def test_another_core_than_asked_for() -> None:
    for client, settings in ((Device, "x25519=1"), (X25519Device, "")):
        with pytest.raises(DeviceError, match="not a core") as caught:
            client("paper", "fake", settings, lib=fake_library())
        assert caught.value.code == Error.DEVICE
