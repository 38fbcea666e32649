# SPDX-License-Identifier: Apache-2.0
"""The Python interface on the simulated cores: `pointmill.open`, its operations and failures."""

from __future__ import annotations

import hashlib
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils, x448, x25519
from cryptography.hazmat.primitives.hashes import SHA256

import pointmill
from pointmill import client, errors, library
from pointmill.api.calls import CurveCall
from pointmill.curves import Curve, by_name
from pointmill.device import Result, SecretJob
from pointmill.model.weierstrass import add, multiply
from pointmill.resources import ROOT
from vectors.ed25519_vectors import rfc8032_cases

CASES = rfc8032_cases()
P256, SHORT = by_name("P-256"), by_name("secp160r1")
TOY = Curve("toy", 17, 2, 2, 19, (5, 1))
SEED = bytes(range(32))


@pytest.fixture(scope="module")
def edverify() -> Iterator[pointmill.Session]:
    with pointmill.open("edverify") as device:
        yield device


@pytest.fixture(scope="module")
def multicurve() -> Iterator[pointmill.Session]:
    with pointmill.open("multicurve") as device:
        yield device


@pytest.fixture(scope="module")
def mpu() -> Iterator[pointmill.Session]:
    with pointmill.open("mpu") as device:
        yield device


def signed(count: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Signatures that `cryptography` made; every seventh is forged."""
    key = ed25519.Ed25519PrivateKey.from_private_bytes(SEED)
    for i in range(count):
        message = i.to_bytes(4, "big")
        yield key.public_key().public_bytes_raw(), message + b"x" * (i % 7 == 6), key.sign(message)


# ---- Ed25519, X25519


def test_verdict_of_one_signature(edverify: pointmill.Session) -> None:
    for case in CASES:
        verdict = edverify.verify(case.pk, case.msg, case.sig)
        assert verdict and (verdict.valid, verdict.reason, verdict.rule) == (True, "ok", "ref10_bytes")
        assert verdict.cycles > 1000
    wrong = edverify.verify(CASES[0].pk, b"another message", CASES[0].sig, rule="zip215")
    assert not wrong and (wrong.reason, wrong.rule) == ("equation_fails", "zip215")
    assert edverify.verify(b"short", b"", bytes(64)).reason == "malformed_job"


def test_many_and_a_stream_give_the_same_verdicts(edverify: pointmill.Session) -> None:
    jobs, seen = list(signed(40)), []
    expected = [i % 7 != 6 for i in range(40)]
    many = edverify.verify_many(jobs, progress=lambda done, total: seen.append((done, total)))
    assert [verdict.valid for verdict in many] == expected and sum(expected) == 35
    assert seen == [(i, 40) for i in range(1, 41)]
    tagged = [pointmill.Job(pk, msg, sig, tag=f"number {i}") for i, (pk, msg, sig) in enumerate(jobs)]
    taken: list[int] = []

    def source() -> Iterator[pointmill.Job]:
        for i, job in enumerate(tagged):
            taken.append(i)
            yield job

    stream = edverify.verify_stream(source(), chunk=16)
    first = next(stream)
    assert len(taken) == 16 and first.tag == "number 0"
    assert [first.valid, *(verdict.valid for verdict in stream)] == expected
    assert edverify.verify_many([]) == [] and list(edverify.verify_stream([])) == []


def test_sign_and_keys(edverify: pointmill.Session) -> None:
    reference = ed25519.Ed25519PrivateKey.from_private_bytes(SEED)
    signature = edverify.sign(SEED, b"message")
    assert signature.signature == reference.sign(b"message")
    assert signature.public_key == reference.public_key().public_bytes_raw() == edverify.generate_key(SEED).public_key
    assert edverify.verify(reference.public_key(), b"message", signature.signature)
    new, other = edverify.generate_key(), edverify.generate_key()
    made = ed25519.Ed25519PrivateKey.from_private_bytes(new.seed)
    assert new.public_key == made.public_key().public_bytes_raw() and new.seed != other.seed
    assert SEED.hex() not in repr(edverify.generate_key(SEED)) and "seed" not in repr(new)


def test_a_checked_signature(edverify: pointmill.Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same signature, in the time of both jobs; none where any part of it is wrong, nor a byte of it."""
    plain, checked = (edverify.sign(SEED, b"message", check=check) for check in (False, True))
    assert (checked.signature, checked.public_key) == (plain.signature, plain.public_key)
    assert checked.cycles > plain.cycles + 10_000
    honest, made, place = edverify._secret, [], [0]

    def faulty(operation: str, job: SecretJob) -> Result:
        result = honest(operation, job)
        made.append(bytes(byte ^ (number == place[0]) for number, byte in enumerate(result.payload)))
        return replace(result, payload=made[-1])

    monkeypatch.setattr(edverify, "_secret", faulty)
    for place[0] in (0, 31, 32, 63, 64, 95):
        with pytest.raises(pointmill.RejectedError, match="not valid") as caught:
            edverify.sign(SEED, b"message", check=True)
        assert caught.value.reason == "fault_detected" and made[-1][64:].hex() not in str(caught.value)
        assert edverify.sign(SEED, b"message").signature == made[-1][32:]
    assert len(made) == 12 and len(set(made)) == 6


@pytest.mark.parametrize("core", ["x25519", "edverify", "multicurve"])
def test_x25519(core: str) -> None:
    mine, theirs = (x25519.X25519PrivateKey.from_private_bytes(bytes([i]) * 32) for i in (1, 2))
    with pointmill.open(core) as device:
        secret = device.x25519(mine.private_bytes_raw(), theirs.public_key())
        assert (secret.value, secret.all_zero) == (mine.exchange(theirs.public_key()), False)
        assert device.x25519(mine.private_bytes_raw(), bytes(32)).all_zero


def test_x448(multicurve: pointmill.Session) -> None:
    mine, theirs = (x448.X448PrivateKey.from_private_bytes(bytes([i]) * 56) for i in (1, 2))
    secret = multicurve.x448(mine.private_bytes_raw(), theirs.public_key().public_bytes_raw())
    assert secret.value == mine.exchange(theirs.public_key())


# ---- curves


def test_scalar_multiplication(multicurve: pointmill.Session, mpu: pointmill.Session) -> None:
    assert isinstance(P256, Curve) and P256.g is not None and isinstance(SHORT, Curve)
    point = multiply(P256, 5, P256.g)
    assert point is not None
    for device, curve in ((multicurve, P256), (mpu, TOY)):
        assert curve.g is not None and curve.n is not None
        other = multiply(curve, 5, curve.g)
        for k, base in ((7, None), (7, other)):
            found = device.multiply(curve, k, base)
            assert (found.x, found.y) == multiply(curve, k, base or curve.g) and found.cycles > 0
        assert device.multiply(curve, curve.n).infinity
        assert device.modular("mul", 61, 42, 17).value == 42 * 17 % 61
        assert device.modular("inv", 61, 42).value == pow(42, -1, 61)
        found = device.multiply(curve, 3)  # on the curve that was loaded before
        assert (found.x, found.y) == multiply(curve, 3, curve.g)
        found = device.multiply("secp160r1", 7)
        assert (found.x, found.y) == multiply(SHORT, 7, SHORT.g)
    found = multicurve.multiply_two("P-256", 3, None, 4, point)
    assert (found.x, found.y) == add(P256, multiply(P256, 3, P256.g), multiply(P256, 4, point))
    assert multicurve.check_point("P-256", point) and not multicurve.check_point("P-256", (1, 2))


def test_ecdsa_and_ecdh(multicurve: pointmill.Session) -> None:
    key = multicurve.generate_curve_key("P-256")
    reference = ec.derive_private_key(key.d, ec.SECP256R1())
    assert reference.public_key().public_numbers() == ec.EllipticCurvePublicNumbers(key.x, key.y, ec.SECP256R1())
    digest = hashlib.sha256(b"message").digest()
    mine = multicurve.ecdsa_sign("P-256", digest, key.d)
    reference.public_key().verify(utils.encode_dss_signature(mine.r, mine.s), b"message", ec.ECDSA(SHA256()))
    theirs = utils.decode_dss_signature(reference.sign(b"message", ec.ECDSA(SHA256())))
    items = [(digest, (key.x, key.y), pair) for pair in (theirs, (mine.r, mine.s), (mine.s, mine.r), (0, 1))]
    verdicts = multicurve.ecdsa_verify_many("P-256", items)
    assert [verdict.reason for verdict in verdicts] == ["ok", "ok", "bad_signature", "signature_out_of_range"]
    assert multicurve.ecdsa_verify("P-256", digest, (key.x, key.y), theirs)
    peer = ec.derive_private_key(9, ec.SECP256R1())
    numbers = peer.public_key().public_numbers()
    assert multicurve.ecdh("P-256", key.d, (numbers.x, numbers.y)).value == peer.exchange(ec.ECDH(),
                                                                                         reference.public_key())


def test_sm2(multicurve: pointmill.Session) -> None:
    key = multicurve.generate_curve_key("SM2")
    e = 2**255 + 12345
    signature = multicurve.sm2_sign("SM2", e, key.d)
    pair = signature.r, signature.s
    assert multicurve.sm2_verify("SM2", e, (key.x, key.y), pair)
    assert multicurve.sm2_verify("SM2", e + 1, (key.x, key.y), pair).reason == "bad_signature"


# ---- what goes wrong


@pytest.mark.parametrize(("call", "text"), [
    (lambda d: d.verify("text", b"", b""), "public_key is str, not bytes"),
    (lambda d: d.verify(bytes(32), "text", bytes(64)), "message is str"),
    (lambda d: d.verify(bytes(32), b"", bytes(64), rule="none"), "no rule set 'none'"),
    (lambda d: d.verify_many([(b"", b"")]), "a verification is a Job, or"),
    (lambda d: d.verify_stream([], chunk=0), "chunk is less than 1"),
    (lambda d: d.sign(bytes(31), b""), "seed has 31 bytes, not 32"),
    (lambda d: d.x25519(bytes(32), bytes(33)), "public_key has 33 bytes, not 32")])
def test_wrong_arguments(edverify: pointmill.Session, call: Any, text: str) -> None:
    with pytest.raises(pointmill.InputError, match=text) as caught:
        call(edverify)
    assert isinstance(caught.value, ValueError)
    assert edverify.verify(CASES[0].pk, CASES[0].msg, CASES[0].sig)


@pytest.mark.parametrize(("call", "text"), [
    (lambda d: d.multiply("P-257", 1), "no curve P-257"), (lambda d: d.multiply("X25519", 1), "no short Weierstrass"),
    (lambda d: d.multiply("P-256", -1), "k is negative or has more than 544 bits"),
    (lambda d: d.multiply("P-256", 1.5), "k is float, not an integer"),
    (lambda d: d.check_point("P-256", [1, 2]), "a point is a pair"),
    (lambda d: d.ecdsa_sign("P-256", b"", 1, hash_name="none"), "hash is none"),
    (lambda d: d.ecdsa_verify("P-256", b"", (1, 2), 3), "a signature is a pair"),
    (lambda d: d.generate_curve_key(Curve("", 17, 2, 2, None, (5, 1))), "without the order n"),
    (lambda d: d.modular("pow", 7, 1), "op is none of")])
def test_wrong_numbers(multicurve: pointmill.Session, call: Any, text: str) -> None:
    with pytest.raises(pointmill.InputError, match=text):
        call(multicurve)
    assert multicurve.modular("add", 7, 3, 5).value == 1


def test_the_core_rejects(multicurve: pointmill.Session, edverify: pointmill.Session) -> None:
    for call, reason in ((lambda: multicurve.multiply("P-256", 1, (1, 2)), "invalid_point"),
                         (lambda: multicurve.ecdh("P-256", 0, P256.g), "scalar_out_of_range"),  # type: ignore[union-attr]
                         (lambda: multicurve.modular("inv", 15, 5), "not_invertible"),
                         (lambda: edverify.sign(SEED, bytes(1 << 17)), "message_too_long")):
        with pytest.raises(pointmill.RejectedError) as caught:
            call()
        assert caught.value.reason == reason and str(caught.value).startswith(f"{reason}: ")


def test_operations_of_other_cores(edverify: pointmill.Session, mpu: pointmill.Session) -> None:
    with pytest.raises(pointmill.UnsupportedError, match="edverify has no operation multiply; it is on multicurve"):
        edverify.multiply("P-256", 1)
    with pytest.raises(pointmill.UnsupportedError, match="core mpu has no operation verify; it is on edverify"):
        mpu.verify(bytes(32), b"", bytes(64))
    with pytest.raises(pointmill.UnsupportedError, match="built without that mode"):
        edverify.set_mode("cached")
    with pytest.raises(pointmill.UnsupportedError, match="core mpu has no modes"):
        mpu.set_mode("cached")


def test_a_callback_stops_a_batch_and_the_device_goes_on(edverify: pointmill.Session,
                                                         multicurve: pointmill.Session) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done == 3:
            raise Enough

    with pytest.raises(Enough):
        edverify.verify_many(list(signed(30)), progress=stop)
    assert [verdict.valid for verdict in edverify.verify_many(list(signed(7)))] == [True] * 6 + [False]
    assert isinstance(P256, Curve) and P256.g is not None
    with pytest.raises(Enough):
        multicurve.ecdsa_verify_many("P-256", [(bytes(32), P256.g, (1, 1))] * 5, progress=stop)
    # The batch is stopped with its first curve in the core, before it has the second one.
    calls = [CurveCall("multiply", (by_name(name), 2, None)) for name in ("P-256", "P-256", "P-256", "P-384", "P-384")]
    with pytest.raises(Enough):
        multicurve._run(calls, stop)
    for name in ("P-384", "P-256"):
        curve, found = by_name(name), multicurve.multiply(name, 2)
        assert isinstance(curve, Curve) and curve.g is not None and (found.x, found.y) == multiply(curve, 2, curve.g)


def test_another_thread_cancels(edverify: pointmill.Session) -> None:
    under_way = threading.Event()
    with ThreadPoolExecutor(1) as thread:
        future = thread.submit(edverify.verify_many, list(signed(400)), progress=lambda done, total: under_way.set())
        assert under_way.wait(60)
        edverify.cancel()
        with pytest.raises(pointmill.CancelledError):
            future.result(60)
    assert edverify.verify(CASES[1].pk, CASES[1].msg, CASES[1].sig)


def test_opening(tmp_path: Path) -> None:
    for words, text in ((("other",), "no core 'other'; there are edverify"),
                        (("edverify", "other"), "no configuration"),
                        (("edverify", None, "board"), "no device 'board'")):
        with pytest.raises(pointmill.InputError, match=text):
            pointmill.open(*words)
    damaged, foreign = tmp_path / "damaged.so", tmp_path / "foreign.so"
    damaged.write_bytes(library.module("x25519").read_bytes()[:50_000])
    foreign.write_bytes(library.driver().read_bytes())
    for module, text in ((damaged, "damaged.so is damaged"), (foreign, "foreign.so is no simulated core of Pointmill"),
                         (tmp_path / "none.so", "no file")):
        with pytest.raises(pointmill.OpenError, match=text):
            pointmill.open("x25519", module=module)
    with pytest.raises(pointmill.OpenError, match="core"):
        pointmill.open("edverify", module=library.module("x25519", "tile"))
    device = pointmill.open("x25519")
    device.close()
    device.close()
    with pytest.raises(pointmill.InputError, match="the device is closed"):
        device.x25519(bytes(32), bytes(32))


def test_damaged_and_foreign_drivers(tmp_path: Path) -> None:
    whole = library.driver().read_bytes()
    foreign = library.module("x25519").read_bytes()
    for i, data in enumerate((b"", b"text" * 100, whole[: len(whole) // 2], whole[:-1], foreign)):
        path = tmp_path / f"{i}.so"
        path.write_bytes(data)
        with pytest.raises(pointmill.LibraryError, match=rf"{i}\.so is"):
            client.load(path)
    with pytest.raises(pointmill.LibraryError, match="No such file"):
        client.load(tmp_path / "none.so")
    (tmp_path / "whole.so").write_bytes(whole)
    assert client.load(tmp_path / "whole.so").pm_queue_depth() == 1024


def test_every_failure_has_one_base() -> None:
    names = [name for name in vars(errors) if name.endswith("Error")]
    classes = {getattr(errors, name) for name in names} | set(client.KINDS.values())
    assert len(classes) == 15 and all(issubclass(one, pointmill.PointmillError) for one in classes)
    for code in client.Error:
        made = pointmill.DeviceError(code, "text", [1])
        copy = pickle.loads(pickle.dumps(made))
        assert type(copy) is type(made) and (copy.code, str(copy), copy.results) == (code, "text", [1])
    rejected = pickle.loads(pickle.dumps(errors.RejectedError("infinity", "the point: infinity", 5)))
    assert (rejected.reason, rejected.cycles, str(rejected)) == ("infinity", 5, "infinity: the point: infinity")


# ---- the package


def test_public_names() -> None:
    assert set(pointmill.__all__) - {"__version__"} == set(pointmill._MODULES) <= set(dir(pointmill))
    for name in pointmill.__all__:
        assert getattr(pointmill, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'opened'"):
        pointmill.opened  # type: ignore[attr-defined]  # noqa: B018


def test_the_import_loads_nothing_else() -> None:
    program = "import sys, pointmill; print(*[name for name in sys.modules if name.startswith(('pointmill.', 'cffi'))])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == []


CONSUMER = '''
import pointmill


def check(pk: bytes, message: bytes, signature: bytes) -> int:
    with pointmill.open("edverify", settings="") as device:
        verdict = device.verify(pk, message, signature)
        reveal_type(verdict.reason)
        reveal_type([each.cycles for each in device.verify_stream([(pk, message, signature)])])
    with pointmill.DevicePool(2) as pool:
        reveal_type(pool.sign(b"", b"").signature)
    return verdict.cycles if verdict else "none"


pointmill.opened
'''


def test_a_strict_consumer_sees_types(tmp_path: Path) -> None:
    """The hints of the public interface are complete: mypy --strict finds what is wrong in a program, and only that."""
    (tmp_path / "consumer.py").write_text(CONSUMER)
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir",
                           str(ROOT / "build" / "mypy-consumer"), "--config-file", "", str(tmp_path / "consumer.py")],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line.partition(": ")[2] for line in done.stdout.splitlines()]
    assert [line for line in lines if line.startswith("note")] == [
        'note: Revealed type is "str"', 'note: Revealed type is "list[int]"', 'note: Revealed type is "bytes"']
    assert [line.split("[")[-1] for line in lines if line.startswith("error")] == ["return-value]", "attr-defined]"]
    assert (ROOT / "pointmill" / "py.typed").is_file()
