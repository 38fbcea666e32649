# SPDX-License-Identifier: Apache-2.0
"""The functional device: verdicts and reasons of the golden model and of the core on every set of vectors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import pointmill
from pointmill import cli
from pointmill.client import DeviceError
from pointmill.cores import EDVERIFY
from pointmill.device import Device, Job, SecretJob
from pointmill.functional import group, verdicts
from pointmill.functional.cycles import cycles_of
from pointmill.functional.device import FunctionalDevice
from pointmill.model import edwards
from pointmill.model.ed25519 import verify_all
from pointmill.rules import RULES
from vectors import ed25519_vectors, secret_vectors
from vectors.ed25519_vectors import Case, seeded_sample
from vectors.hostile import hostile_cases, mixed_order_case


def jobs_of(cases: Sequence[Case]) -> list[Job]:
    """Under every rule set."""
    return [Job(case.pk, case.msg, case.sig, rule) for case in cases for rule in RULES]


def compared_with_model(cases: Sequence[Case]) -> Counter[str]:
    """Reasons of the functional device, which are those of the golden model."""
    with FunctionalDevice() as device:
        found = device.verify_batch(jobs_of(cases))
    wanted = [verdict.reason.name for case in cases for verdict in verify_all(case.pk, case.msg, case.sig).values()]
    assert [result.reason for result in found] == wanted
    assert all(result.valid == (result.reason == "ok") for result in found)
    return Counter(wanted)


def hostile(count: int, mixed: int) -> list[Case]:
    return [*hostile_cases(count, seed=32), *(mixed_order_case(index, seed=32) for index in range(mixed))]


def test_hostile_signatures() -> None:
    counts = compared_with_model(hostile(162, 40))
    assert counts.total() == 202 * len(RULES) and min(counts.values()) > 10
    assert counts.keys() == {"ok", "s_out_of_range", "a_not_decodable", "r_not_decodable", "small_order_a",
                             "small_order_r", "equation_fails"}


def test_published_vectors() -> None:
    cases = [*ed25519_vectors.wycheproof_cases(), *ed25519_vectors.rfc8032_cases(),
             *seeded_sample(ed25519_vectors.sign_input_cases(), 20, seed=3)]
    assert compared_with_model(cases).total() == 235 * len(RULES)


def test_folder_of_vectors(vectors_dir: Path) -> None:
    cases = ed25519_vectors.folder_cases(vectors_dir).cases
    assert len(cases) > 1000
    assert compared_with_model(seeded_sample(cases, 120, seed=4)).total() == 120 * len(RULES)


@pytest.mark.long
def test_whole_folder_of_vectors(vectors_dir: Path) -> None:
    cases = ed25519_vectors.folder_cases(vectors_dir).cases
    assert compared_with_model(cases).total() == len(cases) * len(RULES) > 6000


def compared_with_core(cases: Sequence[Case]) -> int:
    """Jobs of which the core and the functional device say the same."""
    jobs = jobs_of(cases)
    with Device() as core, FunctionalDevice() as device:
        assert ([(result.valid, result.reason, result.rule) for result in device.verify_batch(jobs)]
                == [(result.valid, result.reason, result.rule) for result in core.verify_batch(jobs)])
    return len(jobs)


def test_the_core_says_the_same() -> None:
    malformed = [Case(b"1", b"", bytes(64), {}, "short", "key"), Case(bytes(32), b"", bytes(63), {}, "short", "sig")]
    assert compared_with_core([*hostile(27, 8), *malformed]) == 37 * len(RULES)


@pytest.mark.long
def test_the_core_says_the_same_of_all(vectors_dir: Path) -> None:
    cases = [*hostile(1000, 300), *ed25519_vectors.wycheproof_cases(), *ed25519_vectors.sign_input_cases(),
             *ed25519_vectors.folder_cases(vectors_dir).cases]
    assert compared_with_core(cases) > 18_000


@pytest.mark.parametrize("compares", [True, False])
def test_either_libsodium(monkeypatch: pytest.MonkeyPatch, compares: bool) -> None:
    """Releases differ in the equation; nothing may depend on it. What one rejects that compares encodings, one that
    does not may accept: the stand-in does, by the exact equation."""
    actual = verdicts._accepted

    def cofactored(pk: bytes, msg: bytes, sig: bytes) -> bool:
        signature = verdicts._Signature(pk, msg, sig)
        return actual(pk, msg, sig) or (signature.s < group.L and group.is_point(signature.a_point)
                                        and group.is_point(signature.r_point)
                                        and signature.equation_holds(RULES["zip215"]))

    if not compares:
        monkeypatch.setattr(verdicts, "_accepted", cofactored)
    verdicts.compares_encodings.cache_clear()
    try:
        assert verdicts.compares_encodings() == (compares and actual is verdicts._accepted)
        assert compared_with_model(hostile(27, 20)).total() == 47 * len(RULES)
    finally:
        verdicts.compares_encodings.cache_clear()


def test_what_is_ordinary() -> None:
    """Only then may libsodium decide: a key or R that is not canonical or of small order is not."""
    case = ed25519_vectors.rfc8032_cases()[0]
    r, small = case.sig[:32], edwards.encode(edwards.TORSION[3])
    other = ((1 + edwards.P).to_bytes(32, "little"), small)
    for pk, begin, ordinary in ((case.pk, r, True), *((one, r, False) for one in other),
                                *((case.pk, one, False) for one in other)):
        assert verdicts._Signature(pk, b"", begin + case.sig[32:]).ordinary is ordinary


def test_group() -> None:
    assert group._SMALL_Y == edwards.SMALL_ORDER_Y
    point = edwards.add(edwards.multiply(5, edwards.BASE), edwards.TORSION[3])
    for n in (0, 1, 7, 8, group.L - 1, 2**200 + 5):
        assert group.multiply(n, edwards.encode(point)) == edwards.encode(edwards.multiply(n, point))


def test_secret_operations() -> None:
    with FunctionalDevice() as device, FunctionalDevice("bulk") as without:
        cases = [*secret_vectors.rfc7748_cases(), *secret_vectors.wycheproof_x25519_cases()]
        results = device.secret_batch([SecretJob("x25519", case.k, case.u) for case in cases])
        assert len(cases) > 500 and [result.payload for result in results] == [case.out for case in cases]
        assert all(result.all_zero == (result.payload == bytes(32)) for result in results)
        signs = secret_vectors.rfc8032_sign_cases()
        signed = device.secret_batch([SecretJob("sign", case.d, msg=case.msg) for case in signs])
        assert [result.payload for result in signed] == [case.pk + case.sig for case in signs]
        assert device.secret_batch([SecretJob("sign", bytes(32), msg=bytes(16385))])[0].reason == "message_too_long"
        assert without.secret_batch([SecretJob("keygen", bytes(32))])[0].reason == "malformed_job"
    signers = {config for config in EDVERIFY.parameters if FunctionalDevice(config).info().secret_ops}
    assert signers == {"throughput", "tiles_secret"}


def test_operands_that_an_operation_has_not() -> None:
    """malformed_job, as of the driver: a wrong length, or an operand or message too many."""
    wrong = [SecretJob("x25519", bytes(32), bytes(32), b"m"), SecretJob("x25519", bytes(32), bytes(31)),
             SecretJob("keygen", bytes(32), bytes(32)), SecretJob("keygen", bytes(32), msg=b"m"),
             SecretJob("keygen", bytes(31)), SecretJob("sign", bytes(32), bytes(32), b"m"), SecretJob("sign", b"")]
    with Device() as core, FunctionalDevice() as device:
        for one in (core, device):
            assert [(result.valid, result.reason, result.payload) for result in one.secret_batch(wrong)] == [
                (False, "malformed_job", b"")] * len(wrong)


def test_cycles_are_those_of_the_records() -> None:
    one = cycles_of("throughput", "rfc8032_cofactorless")
    records = json.loads((pointmill.resources.ROOT / "data/records/bench.edverify.verify.throughput.json").read_text())
    figures = {figure["what"]: figure["value"] for figure in records["figures"] if figure["id"] == "edverify.verify"}
    assert (one.alone, one.interval) == (figures["cycles_alone"], figures["cycles_per_verification"])
    assert one.of(1) == round(one.alone) and one.of(100) == one.of(12) == round(12 * one.interval)
    for config in ("bulk", "tiles"):
        assert cycles_of(config, "zip215", "cached").interval < cycles_of(config, "zip215").interval
    for config in EDVERIFY.parameters:
        assert all(cycles_of(config, rule).interval > 0 for rule in RULES)


def test_modes() -> None:
    """Those that a configuration has; the fields of CONFIG are those of the core."""
    found = {config: FunctionalDevice(config).info() for config in EDVERIFY.parameters}
    assert {config: info.modes for config, info in found.items() if len(info.modes) > 1} == {
        "bulk": ("single", "batch", "cached"), "tiles": ("single", "cached")}
    assert {config: (info.config_word >> 24 & 15, info.config_word >> 28) for config, info in found.items()
            if config in ("throughput", "bulk", "tiles")} == {"throughput": (0, 0), "bulk": (3, 6), "tiles": (3, 0)}
    case = ed25519_vectors.rfc8032_cases()[0]
    for config, modes in (("bulk", ("batch", "cached")), ("tiles", ("cached",))):
        with FunctionalDevice(config) as device:
            for mode in modes:
                device.set_mode(mode)
                assert all(result.valid for result in device.verify_batch([Job(case.pk, case.msg, case.sig)] * 20))


def test_pace_and_errors() -> None:
    case = ed25519_vectors.rfc8032_cases()[0]
    for settings in ("stall=3", "mhz=0", "mhz=nan", "mhz=inf"):
        with pytest.raises(DeviceError, match="mhz=NUMBER"):
            FunctionalDevice(settings=settings)
    with pytest.raises(pointmill.InputError, match="no configuration"):
        FunctionalDevice("none")
    with pytest.raises(pointmill.ModeError):
        FunctionalDevice("throughput").set_mode("cached")
    with pytest.raises(pointmill.InputError, match="no functional device"):
        pointmill.open("mpu", device="model")
    with pointmill.open(device="model", settings="mhz=0.2") as device:
        assert device.verify(case.pk, case.msg, case.sig)
        assert device.device.info().elapsed_cycles == round(cycles_of("throughput", "ref10_bytes").alone)


def test_every_line_says_that_it_is_not_the_rtl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = ed25519_vectors.rfc8032_cases()[0]
    (tmp_path / "jobs").write_text(f"{json.dumps({'pk': case.pk.hex(), 'msg': '', 'sig': case.sig.hex()})}\n{{\n")
    assert cli.main(["verify", "--device", "model", "--json", str(tmp_path / "jobs")]) == 1
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(record["reason"], record["device"]) for record in records] == [("ok", "model"), ("malformed_job", "model")]
    assert cli.main(["selftest", "--device", "model"]) == 0
