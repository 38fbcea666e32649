# SPDX-License-Identifier: Apache-2.0
"""The golden model against published vectors, under every rule on which a vector says something,
and the loaders that read them."""

from __future__ import annotations

import gzip
import hashlib
import json
import warnings
from collections import Counter
from pathlib import Path

import pytest

from pointmill.model.ed25519 import Examination, verify_all
from pointmill.rules import RULES
from vectors import ed25519_vectors
from vectors.ed25519_vectors import Case, parse_file, seeded_sample
from vectors.sources import FOLDER_VARIABLE, VectorSet

SAMPLE = 400


def run(cases: list[Case]) -> Counter[str]:
    """Every stated verdict (and k, where given) is the model's; verdicts checked, by rule."""
    checked = Counter()
    for case in cases:
        answers = verify_all(case.pk, case.msg, case.sig)
        for rule, valid in case.verdicts.items():
            assert answers[rule].valid == valid, f"{case.source} {case.id} {rule}"
            checked[rule] += 1
        if case.k is not None:
            assert Examination(case.pk, case.msg, case.sig).k == case.k, case.id
    return checked


def test_rfc8032() -> None:
    cases = ed25519_vectors.rfc8032_cases()
    assert [len(case.msg) for case in cases] == [0, 1, 2, 64, 1023]
    assert [case.id for case in cases][-1] == "TEST 1024"
    assert run(cases) == dict.fromkeys(RULES, 5)
    lines = ed25519_vectors.sign_input_cases()
    for case, line in zip([*cases[:3], cases[4]], [*lines[:3], lines[1023]], strict=True):
        assert (case.pk, case.msg, case.sig) == (line.pk, line.msg, line.sig)
    assert cases[3].id == "TEST SHA(abc)" and cases[3].msg == hashlib.sha512(b"abc").digest()


def test_sign_input() -> None:
    cases = ed25519_vectors.sign_input_cases()
    assert [len(case.msg) for case in cases] == list(range(1024))
    assert run(seeded_sample(cases, SAMPLE, seed=1)) == dict.fromkeys(RULES, SAMPLE)


@pytest.mark.long
def test_sign_input_whole() -> None:
    assert run(ed25519_vectors.sign_input_cases()) == dict.fromkeys(RULES, 1024)


def test_wycheproof() -> None:
    """210 cases: 117 valid, 64 invalid (22 of them by an encoding), 29 acceptable."""
    cases = ed25519_vectors.wycheproof_cases()
    assert len(cases) == 210
    assert run(cases) == {
        "rfc8032_cofactorless": 181,
        "rfc8032_cofactored": 210,
        "zip215": 188,
        "ref10_bytes": 181,
        "dalek_strict": 159,
        "libsodium": 181,
    }
    by_flag = Counter(flag for case in cases for flag in case.category.split(","))
    assert by_flag["MixedOrderPublicKey"] == 22 and by_flag["SmallOrderPublicKey"] == 8
    assert sum(len(case.sig) != 64 for case in cases) == 12


def test_wycheproof_says_nothing_of_lenient_decoding() -> None:
    """Of its faulty encodings one ("-0" as R) is valid under zip215: the reason for the gap in
    what an invalid result is taken to state."""
    faulty = [c for c in ed25519_vectors.wycheproof_cases() if c.category == "InvalidEncoding"]
    assert len(faulty) == 22
    accepted = [c.id for c in faulty if verify_all(c.pk, c.msg, c.sig)["zip215"].valid]
    assert accepted == ["tcId 151"]
    assert {tuple(c.verdicts) for c in faulty} == {
        ("rfc8032_cofactorless", "rfc8032_cofactored", "ref10_bytes", "libsodium")
    }


def test_wycheproof_results_of_keys_of_small_and_mixed_order() -> None:
    """What "acceptable" is under the other policies, as the model has it."""
    rows = Counter()
    for case in ed25519_vectors.wycheproof_cases():
        if "OrderPublicKey" in case.category and case.verdicts["rfc8032_cofactored"]:
            answers = verify_all(case.pk, case.msg, case.sig)
            refusing = [rule for rule, answer in answers.items() if not answer.valid]
            rows[case.category, tuple(refusing)] += 1
    assert rows == {
        ("MixedOrderPublicKey", ()): 21,
        ("SmallOrderPublicKey", ("dalek_strict", "libsodium")): 8,
    }


def test_package_cases() -> None:
    found = ed25519_vectors.package_cases()
    assert found.counts() == {"rfc8032": 5, "sign.input": 1024, "wycheproof": 210}
    assert found.not_run == {}


def test_seeded_sample() -> None:
    cases = ed25519_vectors.sign_input_cases()
    sample = seeded_sample(cases, 50, seed=3)
    assert len(sample) == 50 and sample == seeded_sample(cases, 50, seed=3)
    assert sample != seeded_sample(cases, 50, seed=4)
    assert [len(case.msg) for case in sample] == sorted(len(case.msg) for case in sample)
    assert seeded_sample(cases[:7], 50, seed=3) == cases[:7]


def read_folder(folder: Path) -> VectorSet:
    """The folder's cases; what is not among them is said aloud, as a warning."""
    found = ed25519_vectors.folder_cases(folder)
    if found.not_run:
        warnings.warn(f"{folder.name}: {found.describe()}", stacklevel=2)
    return found


def check_folder(folder: Path, found: VectorSet, cases: list[Case]) -> None:
    """Every stated verdict of the cases was checked; sets known by their digest (first 16 digits
    of SHA-256) have the size they are known to have."""
    known = {
        "686ad2b6d91ebf2a": 1024,  # sign.input
        "7d18fac1b8c124cf": 2138,  # signatures of real systems
        "0b9deee7e7cc6481": 5,  # RFC 8032
        "99903a8600e8f14d": 151,  # Wycheproof
    }
    for source, count in found.counts().items():
        digest = hashlib.sha256((folder / source).read_bytes()).hexdigest()[:16]
        assert known.get(digest, count) == count, source
    checked = run(cases)
    assert sum(checked.values()) == sum(len(case.verdicts) for case in cases) > 0


def test_reference_folder_sampled(vectors_dir: Path) -> None:
    """SAMPLE cases of every source, all of a smaller one."""
    found = read_folder(vectors_dir)
    cases = []
    for source in found.counts():
        cases += seeded_sample((c for c in found.cases if c.source == source), SAMPLE, seed=5)
    assert len(cases) == sum(min(SAMPLE, count) for count in found.counts().values())
    check_folder(vectors_dir, found, cases)


@pytest.mark.long
def test_reference_folder_whole(vectors_dir: Path) -> None:
    found = read_folder(vectors_dir)
    check_folder(vectors_dir, found, found.cases)


# ---- the loaders --------------------------------------------------------------------------------


def verify_document(case: Case, **changes: object) -> dict:
    """An ed25519-verify/1 document of one case."""
    entry = {"pk": case.pk.hex(), "msg": case.msg.hex(), "sig": case.sig.hex()}
    document = {
        "schema": "ed25519-verify/1",
        "count": 1,
        "cases": [{"id": "x", "verdict": {"zip215": True}, **entry}],
    }
    return document | changes


def test_folder_is_walked_and_recognised_by_content(tmp_path: Path) -> None:
    one = ed25519_vectors.rfc8032_cases()[1]
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    packed = gzip.compress(json.dumps(verify_document(one)).encode())
    (deep / "no-telling-name.bin").write_bytes(packed)
    pk, sig_msg = one.pk.hex(), (one.sig + one.msg).hex()
    line = f"{'00' * 32}{pk}:{pk}:{one.msg.hex()}:{sig_msg}:\n"
    (tmp_path / "lines").write_text(line * 3)
    group = {
        "key": {"curve": "edwards25519", "pk": one.pk.hex()},
        "tests": [{"tcId": 4, "msg": "72", "sig": one.sig.hex(), "result": "valid", "flags": []}],
    }
    other = {"key": {"curve": "edwards448", "pk": ""}, "tests": []}
    document = {"algorithm": "EDDSA", "testGroups": [group, other]}
    (tmp_path / "w.json").write_text(json.dumps(document))
    (tmp_path / "xdh.json").write_text(json.dumps({"schema": "xdh/1", "cases": []}))
    (tmp_path / "README.md").write_text("words")
    (tmp_path / "broken.json").write_text('{"schema": ')
    (tmp_path / "noise.gz").write_bytes(b"\x1f\x8bnoise")
    found = ed25519_vectors.folder_cases(tmp_path)
    assert found.counts() == {"a/b/no-telling-name.bin": 1, "lines": 3, "w.json": 1}
    assert found.not_run == {
        "w.json": "curve edwards448",
        "xdh.json": "schema xdh/1",
        "README.md": "not a vector file",
        "broken.json": "broken JSON",
        "noise.gz": "neither text nor gzip of text",
    }
    assert "3 cases from lines" in found.describe()
    assert "not run: 1 files (schema xdh/1)" in found.describe()
    assert sum(run(found.cases).values()) == 1 + 3 * 6 + 6


def test_folder_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    assert ed25519_vectors.folder_cases() == VectorSet()
    assert len(ed25519_vectors.package_cases().cases) == 1239
    one = ed25519_vectors.rfc8032_cases()[0]
    (tmp_path / "one.json").write_text(json.dumps(verify_document(one)))
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert ed25519_vectors.folder_cases().counts() == {"one.json": 1}
    with pytest.raises(FileNotFoundError, match="not a folder"):
        ed25519_vectors.folder_cases(tmp_path / "nowhere")


def test_sets_that_contradict_themselves() -> None:
    one = ed25519_vectors.rfc8032_cases()[1]
    short = json.dumps(verify_document(one, count=2)).encode()
    with pytest.raises(ValueError, match="promises 2 cases but has 1"):
        parse_file(short, "short")
    document = {"algorithm": "EDDSA", "numberOfTests": 1, "testGroups": []}
    with pytest.raises(ValueError, match="promises 1 tests but has 0"):
        parse_file(json.dumps(document).encode(), "empty")
    pk, msg, sig = one.pk.hex(), one.msg.hex(), one.sig.hex()
    with pytest.raises(ValueError, match="line 1 of bad contradicts"):
        parse_file(f"{'00' * 32}{pk}:{pk}:{msg}:{sig}ff:".encode(), "bad")


def test_unknown_rules_are_said_aloud() -> None:
    one = ed25519_vectors.rfc8032_cases()[1]
    document = verify_document(one)
    document["cases"][0]["verdict"] = {"zip215": True, "future": False}
    found = parse_file(json.dumps(document).encode(), "new")
    assert found.cases[0].verdicts == {"zip215": True}
    assert found.not_run == {"new": "unknown rules future"}


def test_k_of_a_set_is_read_as_wire_bytes() -> None:
    one = ed25519_vectors.rfc8032_cases()[1]
    k = Examination(one.pk, one.msg, one.sig).k
    document = verify_document(one)
    for spelled in (k, k.to_bytes(32, "little").hex()):
        document["cases"][0]["k"] = spelled
        cases = parse_file(json.dumps(document).encode(), "k").cases
        assert cases[0].k == k and run(cases) == {"zip215": 1}
    document["cases"][0]["k"] = (k ^ 1).to_bytes(32, "little").hex()
    with pytest.raises(AssertionError):
        run(parse_file(json.dumps(document).encode(), "k").cases)
