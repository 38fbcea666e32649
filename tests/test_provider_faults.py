# SPDX-License-Identifier: Apache-2.0
"""Devices that fail below the OpenSSL provider (tests/provider/mortal_backend.c): an error or the fallback, never a
wrong result, and the next operation works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pointmill.curves import by_name
from pointmill.model.weierstrass import multiply
from provider_tools import STOCK, Machine, ask, built_with_faults, openssl
from test_provider_evp import EVERY, PUBLIC, SEED, SIGNATURE, D, K, Q, U, succeeded
from test_provider_tls import ED, Kind, Site, s_client, s_server

LINES = {
    "ED25519.verify": f"verify ED25519 - {PUBLIC} - {SIGNATURE}",
    "ED25519.sign": EVERY[5],
    "X25519.derive": f"derive X25519 {K} {U}",
    "EC.P-256.check": f"check EC:P-256 {Q}",
    "ECDH.P-256.derive": f"derive EC:P-256 {D:064x} {Q}",
    "ECDSA.P-256.verify": f"verify EC:P-256 - {Q} af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf "
                          "3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                          "022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    "ECDSA.P-256.sign": f"sign EC:P-256 - {D:064x} {'11' * 32}",
    "X448.derive": "derive X448 "
                   "3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121700a779c984c24f8cdd78fbff44943eba368f54b"
                   "29259a4f1c600ad3 "
                   "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9814dc031ddbdc38c19c6da2583fa5429db94ada1"
                   "8aa7a7fb4ef8a086",
    "SM2.sign": f"sign SM2 - {D:064x} {'11' * 32}",
}  # fmt: skip
"""A line for each operation of each core."""
RANDOM = ("ECDSA.P-256.sign", "SM2.sign")
"""Those whose result is another one each time."""
REASONS = {"die": "the device failed", "silent": "the device did not respond in time",
           "tag": "the device did not respond in time",
           "flag": "the device's result contradicts itself or its job"}
Arm = Callable[[str, int], dict[str, str]]


@pytest.fixture
def arm(tmp_path: Path) -> Arm:
    """Makes the n-th job from now on meet a fault; environment for the program."""
    def prepare(fault: str, n: int) -> dict[str, str]:
        (tmp_path / "mortal").write_text(f"{fault} {n}\n")
        (tmp_path / "mortal").chmod(0o666)
        return {"PM_MORTAL": str(tmp_path / "mortal")}
    return prepare


def mortal(folder: Path, name: str = "machine", **settings: str) -> Machine:
    return Machine(folder, name, where=built_with_faults(), device="mortal", timeout="100000", **settings)


def second(operation: str) -> int:
    """Number of the job that is the second of the operation. The core multicurve gets the curve before all others, and
    keys of X25519 and X448 without a public one get that first."""
    return {"X25519.derive": 4, "X448.derive": 5}.get(operation, 2 if operation.startswith("ED25519") else 3)


@pytest.mark.parametrize("fault", [
    pytest.param(name, marks=pytest.mark.long) if name == "tag" else name for name in REASONS])
@pytest.mark.parametrize("operation", [
    "ED25519.verify", pytest.param("X25519.derive", marks=pytest.mark.long),
    pytest.param("ECDSA.P-256.verify", marks=pytest.mark.long), "ECDSA.P-256.sign"])
def test_a_fault_is_an_error_and_the_next_operation_works(tmp_path: Path, arm: Arm, operation: str, fault: str) -> None:
    machine = mortal(tmp_path)
    line = LINES[operation]
    good, failed, after = ask([line] * 3, machine.conf, **arm(fault, second(operation)))
    assert succeeded(good) and failed == f"error: {REASONS[fault]}"
    assert succeeded(after) and (operation in RANDOM or after == good)
    assert machine.take("failed", keep=True) == {operation: 1}
    assert machine.take()[operation] == 2


@pytest.mark.parametrize("operation", list(LINES))
def test_the_fallback_does_the_same(tmp_path: Path, arm: Arm, operation: str) -> None:
    """Of each operation, the result of OpenSSL takes the place of that of the device, and is counted."""
    machine = mortal(tmp_path, fallback="openssl")
    line = LINES[operation]
    good, instead = ask([line] * 2, machine.conf, **arm("die", second(operation)))
    assert succeeded(good) and (operation in RANDOM or instead == good)
    assert succeeded(instead), instead
    assert machine.take("fallback", keep=True) == {operation: 1} and machine.take("failed", keep=True) == {operation: 1}
    assert machine.take()[operation] == 1
    if operation in RANDOM:  # the signature is one that OpenSSL takes for its own
        kind, curve = ("SM2", by_name("sm2p256v1")) if operation == "SM2.sign" else ("EC:P-256", by_name("P-256"))
        assert curve.g is not None
        x, y = multiply(curve, D, curve.g) or (0, 0)
        assert ask([f"verify {kind} - 04{x:064x}{y:064x} {'11' * 32} {instead}"], STOCK) == ["valid"]


def test_the_fallback_rejects_as_the_device_does(tmp_path: Path, arm: Arm) -> None:
    machine = mortal(tmp_path, fallback="openssl")
    forged = f"verify ED25519 - {PUBLIC} 00 {SIGNATURE}"
    assert ask([forged], machine.conf, **arm("die", 1)) == ["invalid"]
    off = f"check EC:P-256 {Q[:-1]}8"
    assert ask([off], machine.conf, **arm("die", 2)) == ["error: the point is not on the curve"]
    assert machine.take("fallback") == {"ED25519.verify": 1, "EC.P-256.check": 1}


def test_neither_signs_for_another_public_key(tmp_path: Path, arm: Arm) -> None:
    """Two signatures of Ed25519 by one seed and two public keys give the seed away."""
    pair = f"sign ED25519 - {SEED}{PUBLIC} -"
    wrong = f"sign ED25519 - {SEED}{'01' * 32} -"
    for name, fallback, reason in (("strict", "none", "the public key is not that of the private key"),
                                   ("lenient", "openssl", "the default provider failed, too")):
        env = arm("die", 1) if fallback == "openssl" else {}
        assert ask([wrong], mortal(tmp_path, name, fallback=fallback).conf, **env) == [f"error: {reason}"]
    machine = mortal(tmp_path, fallback="openssl")
    assert ask([pair], machine.conf, **arm("die", 1)) == ask([pair], STOCK) == [SIGNATURE]
    assert machine.take("fallback") == {"ED25519.sign": 1}


def test_a_device_that_cannot_be_opened(tmp_path: Path) -> None:
    """Without fallback an error, with it the default provider's result, each time counted."""
    for name, fallback in (("strict", "none"), ("lenient", "openssl")):
        machine = Machine(tmp_path, name, edverify="throughput,modules=/nowhere", fallback=fallback)
        (result,) = ask([LINES["ED25519.verify"]], machine.conf)
        assert result == ("error: the device cannot be opened" if fallback == "none" else "valid")
        assert machine.take("failed", keep=True) == {"ED25519.verify": 1}
        assert machine.take("fallback") == ({"ED25519.verify": 1} if fallback == "openssl" else {})


def test_the_self_test_finds_a_wrong_bit(tmp_path: Path, arm: Arm) -> None:
    """Also where a fallback would hide it."""
    machine = mortal(tmp_path, fallback="openssl")
    assert ask(["selftest"], machine.conf, **arm("payload", 1)) != ["valid"]
    assert ask(["selftest"], machine.conf, **arm("die", 1)) != ["valid"]
    assert machine.take("fallback") == {}
    assert ask(["selftest"], machine.conf) == ["valid"]


@pytest.mark.parametrize("kind, n, alert", [(ED, 1, "internal error"), (ED, 2, "illegal parameter"),
                                            (ED, 3, "internal error"),
                                            (Kind("P-256", "P-256"), 4, "illegal parameter")])
def test_a_device_that_dies_in_a_handshake(tmp_path: Path, arm: Arm, kind: Kind, n: int, alert: str) -> None:
    """The client gets an alert, the server says why, and the next handshake of the same server works."""
    site = Site(tmp_path)
    certificate, key = site.make("server", kind.key)
    server = mortal(tmp_path)
    with s_server(site, certificate, key, server.conf, "-groups", kind.group, **arm("die", n)) as log:
        done = s_client(site, certificate, STOCK, "-groups", kind.group)
        assert done.returncode == 1 and f"alert {alert}" in done.stderr, done.stderr
        assert REASONS["die"] in log.read_text()
        done = s_client(site, certificate, STOCK, "-groups", kind.group)
        assert done.returncode == 0, done.stderr
    died = n - 1 - (kind.group == "P-256")  # the first job there loads the curve
    assert server.take("failed", keep=True) == {list(kind.server)[died]: 1}
    counts, jobs = server.take(), list(kind.server)  # in the order of a handshake
    assert {name: counts[name] for name in jobs} == {name: 1 + (i < died) for i, name in enumerate(jobs)}


def test_a_wrong_signature_of_the_server_is_rejected(tmp_path: Path, arm: Arm) -> None:
    """A bit of the signature in the server's device is wrong: the core of the client says no."""
    site = Site(tmp_path)
    certificate, key = site.make("server", "ED25519")
    server, client = mortal(tmp_path, "one"), Machine(tmp_path, "two")
    with s_server(site, certificate, key, server.conf, "-groups", "X25519", **arm("payload", 3)) as log:
        done = s_client(site, certificate, client.conf)
        assert done.returncode == 1 and "bad signature" in done.stderr, done.stderr
        assert "alert decrypt error" in log.read_text()
    assert server.take() == ED.server
    assert client.take("rejected") == {"ED25519.verify": 1}


def test_keys_stay_in_the_provider(tmp_path: Path) -> None:
    """A private key leaves by an export alone: encoding it is one, asking for it as a parameter is none."""
    machine = Machine(tmp_path)
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.pem", conf=machine.conf,
            cwd=tmp_path)
    assert "PRIVATE KEY" in (tmp_path / "key.pem").read_text()
    assert machine.take() == {"EC.P-256.generate": 1}
