# SPDX-License-Identifier: Apache-2.0
"""`pointmill sign`, `keygen`, `x25519` on a fake device that works as the golden model does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from driver.commands import Run, runner
from driver.fake import ModelDevice
from pointmill import cli
from pointmill.commands import lines
from pointmill.model import ed25519
from vectors.secret_vectors import rfc7748_cases, rfc8032_sign_cases

SECRET = "ab" * 32


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command on the fake device."""
    return runner(monkeypatch, capsys, ModelDevice)


def _write(path: Path, *records: dict[str, Any] | str) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records))
    return path


def test_sign(run: Run, tmp_path: Path) -> None:
    cases = rfc8032_sign_cases()
    file = _write(tmp_path / "jobs", *({"d": c.d.hex(), "msg": c.msg.hex(), "tag": c.id, "x": 1}
                                      for c in cases))
    code, answers, _ = run("sign", file)
    assert code == 0
    assert answers == [{"tag": c.id, "pk": c.pk.hex(), "sig": c.sig.hex(), "cycles": 100}
                       for c in cases]


def test_keygen(run: Run, tmp_path: Path) -> None:
    cases = rfc8032_sign_cases()
    file = _write(tmp_path / "jobs", *({"d": c.d.hex().upper()} for c in cases))
    code, answers, _ = run("keygen", file, "--json")
    assert code == 0
    assert answers == [{"tag": i, "pk": c.pk.hex(), "cycles": 100} for i, c in enumerate(cases)]


def test_keygen_random(run: Run) -> None:
    code, answers, _ = run("keygen", "--random", 300)
    assert code == 0 and [answer["tag"] for answer in answers] == list(range(300))
    assert len({answer["d"] for answer in answers}) == 300
    for answer in answers[::30]:
        assert ed25519.public_key(bytes.fromhex(answer["d"])).hex() == answer["pk"]


@pytest.mark.parametrize("words", [(), ("--core", "x25519", "--config", "paper"), ("--config", "tile"),
                                   ("--core", "edverify"), ("--core", "edverify", "--config", "latency")])
def test_x25519(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    cases = rfc7748_cases()
    records = [{"k": c.k.hex(), "u": c.u.hex()} for c in cases]
    file = _write(tmp_path / "jobs", *records, {"k": SECRET, "u": "00" * 32})
    code, answers, _ = run("x25519", file, *words)
    assert code == 0
    assert [a["out"] for a in answers] == [*(c.out.hex() for c in cases), "00" * 32]
    assert [a["all_zero"] for a in answers] == [False] * 7 + [True]
    assert answers[0] == {"tag": 0, "out": cases[0].out.hex(), "all_zero": False, "cycles": 100}


def test_every_malformed_line_is_answered(run: Run, tmp_path: Path) -> None:
    bad: list[tuple[dict[str, Any] | str, str, Any]] = [
        ({"msg": ""}, "d is missing", 1),
        ({"d": SECRET}, "msg is missing", 3),
        ({"d": SECRET[1:], "msg": ""}, "d is not a string of pairs of hex digits", 5),
        ({"d": 5, "msg": ""}, "d is not a string of pairs of hex digits", 7),
        ({"d": SECRET[2:], "msg": "", "tag": "t"}, "d has 31 bytes, not 32", "t"),
        ({"d": SECRET + "00", "msg": ""}, "d has 33 bytes, not 32", 11),
        ({"d": SECRET, "msg": "0"}, "msg is not a string of pairs of hex digits", 13),
        ({"d": SECRET, "msg": "", "tag": 1.5}, "tag is neither a string nor an integer", 15),
        ("[]", "not a JSON object", 17),
        ("{", "not JSON: ", 19),
    ]
    good = {"d": SECRET, "msg": "00", "tag": "good"}
    file = _write(tmp_path / "jobs", *(x for record, _, _ in bad for x in (good, record)))
    code, answers, _ = run("sign", file)
    assert code == 1 and len(answers) == 20
    signature = ed25519.sign(bytes.fromhex(SECRET), b"\0").hex()
    for answer in answers[::2]:
        assert answer["tag"] == "good" and answer["sig"] == signature and "error" not in answer
    for answer, (_, error, tag) in zip(answers[1::2], bad, strict=True):
        assert answer["error"].startswith(error) and answer["tag"] == tag
        assert answer["reason"] == "malformed_job" and answer.keys() == {"tag", "reason", "error"}
        assert SECRET[:20] not in json.dumps(answer)


@given(st.binary(max_size=60).map(lambda data: data.replace(b"\n", b"")))
@settings(max_examples=200, deadline=None)
def test_no_line_is_too_strange(line: bytes) -> None:
    for op in lines.SECRET_FIELDS:
        item = lines.parse_secret_line(line, 3, op)
        assert item.job is None and item.error


def test_a_message_beyond_the_memory(run: Run, tmp_path: Path) -> None:
    jobs = [{"d": SECRET, "msg": "00" * length} for length in (4096, 4097, 1)]
    code, answers, _ = run("sign", _write(tmp_path / "jobs", *jobs))
    assert code == 1 and "sig" in answers[0] and "sig" in answers[2]
    assert answers[1] == {"tag": 1, "reason": "message_too_long",
                          "error": "the message does not fit the memory of the core"}


def test_many_lines_and_blank_ones(run: Run, tmp_path: Path) -> None:
    job = {"k": SECRET, "u": "09" + "00" * 31}
    code, answers, _ = run("x25519", _write(tmp_path / "jobs", *[job, ""] * 400))
    assert code == 0 and [answer["tag"] for answer in answers] == list(range(0, 800, 2))
    assert len({answer["out"] for answer in answers}) == 1


def test_empty_input(run: Run, tmp_path: Path) -> None:
    assert run("keygen", _write(tmp_path / "jobs"))[:2] == (0, [])


def test_device_failure_answers_every_line(run: Run, tmp_path: Path) -> None:
    jobs = [{"d": SECRET, "msg": message.encode().hex()} for message in ("a", "!dead", "b")]
    code, answers, _ = run("sign", _write(tmp_path / "jobs", *jobs, *["{"] * 300, jobs[0]))
    assert code == 2 and len(answers) == 305
    assert "sig" in answers[0] and "sig" in answers[2]
    assert answers[1]["reason"] == answers[303]["reason"] == "aborted"
    assert {answer["reason"] for answer in answers[3:303]} == {"malformed_job"}
    assert answers[304]["reason"] == "device_error"


def test_a_core_without_the_operations(run: Run, tmp_path: Path) -> None:
    file = _write(tmp_path / "jobs", {"d": SECRET})
    code, answers, _ = run("keygen", file, "--settings", "secret=0", "--config", "paper")
    assert code == 2 and len(answers) == 1
    assert answers[0]["reason"] == "device_error"
    assert answers[0]["error"].endswith("are not built into configuration paper")


@pytest.mark.parametrize("words", [
    ["sign"], ["keygen"], ["keygen", "-", "--random", "1"], ["keygen", "--random", "0"],
    ["keygen", "--random", "-1"], ["keygen", "--random", "many"], ["x25519"],
    ["x25519", "-", "--core", "other"], ["keygen", "-", "--core", "x25519"],
    ["x25519", "-", "--config", "throughput"], ["x25519", "-", "--core", "edverify", "--config", "tile"],
    ["sign", "-", "--rule", "zip215"],
    ["verify", "-", "--mode", "batch", "--config", "throughput"],
    ["verify", "-", "--mode", "cached", "--config", "paper"],
    ["verify", "-", "--mode", "quick"]])
def test_usage_errors(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main(words)
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == 1 and answers[0]["reason"] == "usage"


def test_mode_single(run: Run, tmp_path: Path) -> None:
    """An input without jobs is not valid in this mode either, but the mode is taken."""
    assert run("verify", _write(tmp_path / "jobs"), "--mode", "single", "--json")[:2] == (1, [])


def test_missing_file(run: Run, tmp_path: Path) -> None:
    code, answers, _ = run("sign", tmp_path / "none")
    assert code == 2 and answers[0]["reason"] == "input_error"
