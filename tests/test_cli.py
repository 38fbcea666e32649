# SPDX-License-Identifier: Apache-2.0
"""The command line: formats, order, refusals and exit codes on the fake device; whole commands on
the simulated core."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from driver.fake import fake_device, fake_job
from hypothesis import given, settings
from hypothesis import strategies as st

from pointmill import cli, library, signers, sshsig
from pointmill.commands import common, demo, lines, registers, selftest, verify
from pointmill.device import Job, Result
from pointmill.model import ed25519
from pointmill.rules import RULES
from pointmill.vectors import rfc8032_cases

Run = Callable[..., tuple[int, list[dict[str, Any]], str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command on the fake device: exit code, JSON lines of stdout, stderr."""
    monkeypatch.setattr(common, "Device",
                        lambda config, backend, settings: fake_device(config, settings))

    def call(*words: object) -> tuple[int, list[dict[str, Any]], str]:
        code = cli.main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, [json.loads(line) for line in captured.out.splitlines()], captured.err

    return call


def _line(job: Job, **more: Any) -> str:
    return json.dumps({"pk": job.pk.hex(), "msg": job.msg.hex(), "sig": job.sig.hex(), **more})


def _write(path: Path, *lines_: str | bytes) -> Path:
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines_))
    return path


# ---------------------------------------------------------------------------- JSON lines


def test_valid_file(run: Run, tmp_path: Path) -> None:
    rng = random.Random(1)
    file = _write(tmp_path / "in", *(_line(fake_job(rng, i)) for i in range(5)))
    code, out, err = run("verify", file, "--json")
    assert code == 0 and err == ""
    assert out == [{"tag": i, "valid": True, "reason": "ok", "rule": "ref10_bytes", "cycles": 100}
                   for i in range(5)]


def test_order_tags_and_rules(run: Run, tmp_path: Path) -> None:
    rng = random.Random(2)
    tags = ["name", 0, -5, 10**60, "", "\u00e9\u2713", "\ud800", "7"]
    rules = list(RULES) + ["zip215", "libsodium"]
    file = _write(tmp_path / "in", *(
        _line(fake_job(rng, 20, start=b"!late" if i % 3 == 0 else b""), tag=tag, rule=rule)
        for i, (tag, rule) in enumerate(zip(tags, rules, strict=True))))
    code, out, _ = run("verify", file, "--json", "--rule", "dalek_strict")
    assert code == 0
    assert [record["tag"] for record in out] == tags
    assert [record["rule"] for record in out] == rules


def test_every_malformed_line_is_answered(run: Run, tmp_path: Path) -> None:
    rng = random.Random(3)
    good = fake_job(rng, 20)
    fields = json.loads(_line(good))

    def without(name: str) -> str:
        return json.dumps({key: value for key, value in fields.items() if key != name})

    bad: list[tuple[str | bytes, str]] = [
        ("no json", "not JSON"), (b"\xff\xfe\x00", "not JSON"), ("{", "not JSON"),
        ("[" * 100_000, "not JSON"), ('{"tag": ' + "9" * 5000 + "}", "not JSON"),
        ("[]", "not a JSON object"), ("null", "not a JSON object"), ('"text"', "not a JSON object"),
        (without("pk"), "pk is missing"), (without("msg"), "msg is missing"),
        (without("sig"), "sig is missing"),
        (_line(good, pk=good.pk.hex()[2:]), "pk has 31 bytes"),
        (_line(good, pk=good.pk.hex() + "00"), "pk has 33 bytes"),
        (_line(good, pk=""), "pk has 0 bytes"),
        (_line(good, sig=good.sig.hex()[2:]), "sig has 63 bytes"),
        (_line(good, sig=good.sig.hex() + "ab"), "sig has 65 bytes"),
        (_line(good, pk=good.pk.hex()[1:]), "pk is not a string of pairs"),
        (_line(good, pk="0x" + good.pk.hex()[2:]), "pk is not a string of pairs"),
        (_line(good, msg="zz"), "msg is not a string of pairs"),
        (_line(good, msg="aa bb"), "msg is not a string of pairs"),
        (_line(good, msg="\u0661\u0662"), "msg is not a string of pairs"),
        (_line(good, msg=None), "msg is not a string of pairs"),
        (_line(good, sig=5), "sig is not a string of pairs"),
        (_line(good, tag=1.5), "tag is neither"), (_line(good, tag=None), "tag is neither"),
        (_line(good, tag=True), "tag is neither"), (_line(good, tag=[1]), "tag is neither"),
        (_line(good, rule="rfc8032"), "rule is none of"), (_line(good, rule=0), "rule is none of"),
        (_line(good, rule=None), "rule is none of"), (_line(good, rule={}), "rule is none of"),
    ]
    file = _write(tmp_path / "in", *(x for text, _ in bad for x in (text, _line(good))))
    code, out, _ = run("verify", file, "--json")
    assert code == 1
    assert len(out) == 2 * len(bad) == 62
    assert [record["tag"] for record in out] == list(range(62))
    for record, (_, why) in zip(out[::2], bad, strict=True):
        assert record["valid"] is False and record["reason"] == "malformed_job"
        assert why in record["error"] and record["cycles"] == 0
    assert all(record["valid"] is True for record in out[1::2])
    assert [record["rule"] for record in out[-8::2]] == ["rfc8032", 0, None, None]


def test_refused_signatures_have_reasons(run: Run, tmp_path: Path) -> None:
    rng = random.Random(4)
    job = fake_job(rng, 9)
    beyond = dataclasses.replace(job, sig=job.sig[:63] + b"\x20")
    file = _write(tmp_path / "in", _line(fake_job(rng, 9, False)), _line(beyond), _line(job))
    code, out, _ = run("verify", file, "--json")
    assert code == 1
    assert [r["reason"] for r in out] == ["equation_fails", "s_out_of_range", "ok"]
    assert all("error" not in record for record in out)


def test_blank_lines_are_skipped_but_counted(run: Run, tmp_path: Path) -> None:
    rng = random.Random(5)
    file = _write(tmp_path / "in", "", _line(fake_job(rng, 3)), "  \r", "\t",
                  _line(fake_job(rng, 3)) + "\r", "", "")
    code, out, _ = run("verify", file, "--json")
    assert code == 0 and [record["tag"] for record in out] == [1, 4]


def test_upper_case_hex_and_unknown_fields(run: Run, tmp_path: Path) -> None:
    job = fake_job(random.Random(6), 3)
    file = _write(tmp_path / "in", _line(job, pk=job.pk.hex().upper(), note="x", kind=[1]))
    assert run("verify", file, "--json")[0] == 0


def test_empty_input_is_all_valid(run: Run, tmp_path: Path) -> None:
    assert run("verify", _write(tmp_path / "in", ""), "--json") == (0, [], "")


def test_large_input_streams(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More lines than one chunk, one message of a mebibyte, and a line beyond the limit."""
    monkeypatch.setattr(lines, "MAX_LINE", 3 << 20)
    rng = random.Random(7)
    texts = [_line(fake_job(rng, rng.randrange(40), i % 7 != 0)) for i in range(600)]
    texts.insert(300, _line(fake_job(rng, 1 << 20)))
    texts.insert(400, _line(fake_job(rng, 2 << 20)))
    code, out, _ = run("verify", _write(tmp_path / "in", *texts), "--json")
    assert code == 1 and len(out) == 602
    assert [record["tag"] for record in out] == list(range(602))
    assert out[300]["valid"] and "longer than" in out[400]["error"]
    assert sum(record["valid"] for record in out) == 515


def test_counting_lines_keeps_the_position(tmp_path: Path) -> None:
    """The progress bar's total does not eat the input, however small the file."""
    job = fake_job(random.Random(12), 3)
    for count in (1, 3, 5000):
        file = _write(tmp_path / "in", *[_line(job)] * count, "")
        with open(file, "rb") as stream:
            assert common.count_lines(stream) == count
            assert sum(len(items) for items in lines.read_items(stream, "zip215")) == count
    with open(os.devnull, "rb") as stream:
        assert common.count_lines(stream) is None


_JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                     lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
                     max_leaves=8)


@settings(max_examples=300, deadline=None)
@given(st.binary() | st.fixed_dictionaries({}, optional={
    name: _JSON | st.binary(max_size=70).map(bytes.hex)
    for name in ("pk", "msg", "sig", "tag", "rule")
}).map(lambda record: json.dumps(record).encode()))
def test_no_line_is_too_strange(line: bytes) -> None:
    """Any bytes give an item whose answer is printable JSON; a job is never made of a bad line."""
    item = lines.parse_line(line, 3, "zip215")
    assert lines.is_tag(item.tag)
    if item.error is None:
        assert len(item.job.pk) == 32 and len(item.job.sig) == 64 and item.rule in RULES
    answer = Result(item.tag, False, "malformed_job", item.rule, 0)
    assert json.dumps(verify.record_of(item, answer)).isascii()


def test_chunks_are_bounded(tmp_path: Path) -> None:
    rng = random.Random(8)
    line = _line(fake_job(rng, 3))
    file = _write(tmp_path / "in", *[line] * 1000)
    with open(file, "rb") as stream:
        sizes = [len(items) for items in lines.read_items(stream, "ref10_bytes")]
    assert sum(sizes) == 1000 and max(sizes) <= lines.CHUNK_JOBS


def test_device_failure_answers_every_line(run: Run, tmp_path: Path) -> None:
    rng = random.Random(9)
    texts = [_line(fake_job(rng, 20, start=b"!dead" if i == 300 else b"")) for i in range(600)]
    code, out, _ = run("verify", _write(tmp_path / "in", *texts), "--json")
    assert code == 2 and len(out) == 601
    assert out[300] == {"tag": 300, "valid": False, "reason": "aborted", "rule": "ref10_bytes",
                        "cycles": 0}
    assert sum(record["valid"] for record in out) >= 300
    assert {record["reason"] for record in out[:600]} == {"ok", "aborted"}
    assert out[600]["reason"] == "device_error" and out[600]["valid"] is False


def test_summary_for_people(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(10)
    file = _write(tmp_path / "in", _line(fake_job(rng, 3)),
                  _line(fake_job(rng, 3, False), tag="[x]"))
    assert cli.main(["verify", str(file)]) == 1
    out = capsys.readouterr().out
    assert "1 of 2 signatures valid" in out and "[x]" in out and "equation_fails" in out


# --------------------------------------------------------------------------- usage and errors


@pytest.mark.parametrize("words", [
    [], ["nothing"], ["verify"], ["verify", "a", "--git", "b"], ["verify", "a", "--rule", "rfc"],
    ["verify", "a", "--config", "none"], ["verify", "a", "--device", "board"], ["info", "x"],
    ["demo", "--published", "many"],
])
def test_usage_errors(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(words)
    captured = capsys.readouterr()
    record = json.loads(captured.out)
    assert caught.value.code == 2
    assert record["valid"] is False and record["reason"] == "usage" and record["error"]


@pytest.mark.parametrize("words", [["schedule"], ["schedule", "no-such-program"],
                                   ["bench", "--no-such-option"]])
def test_usage_errors_of_tools(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 2
    assert json.loads(capsys.readouterr().out)["reason"] == "usage"


@pytest.mark.parametrize("command", ["bench", "schedule", "verify", "demo"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main([command, "--help"])
    except SystemExit as ended:
        code = ended.code
    assert code == 0
    assert f"pointmill {command}" in capsys.readouterr().out


def test_missing_file_and_repository(run: Run, tmp_path: Path) -> None:
    for words in (["verify", tmp_path / "none"], ["verify", tmp_path],
                  ["verify", "--git", tmp_path]):
        code, out, _ = run(*words, "--json")
        assert code == 2 and len(out) == 1 and out[0]["reason"] == "input_error"


def test_bad_settings(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("verify", _write(tmp_path / "in", ""), "--json", "--settings", "x=1")
    assert code == 2 and out[0]["reason"] == "device_error"
    code, out, _ = run("demo", "--published", "4", "--forged", "3")
    assert code == 2 and out[0]["reason"] == "usage"


def test_reader_that_goes_away(tmp_path: Path) -> None:
    rng = random.Random(11)
    file = _write(tmp_path / "in", *[_line(Job(b"", b"", b""))] * 20000, _line(fake_job(rng, 3)))
    with subprocess.Popen([sys.executable, "-m", "pointmill.cli", "verify", str(file), "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 2


# ------------------------------------------------------------------------------ other commands


def test_info_and_regs(run: Run) -> None:
    code, out, _ = run("info", "--json")
    assert code == 0 and out[0]["name"] == "PMED" and out[0]["version"] == "1.2.3"
    assert out[0]["rules"] == list(RULES) and out[0]["contexts"] == 1
    code, out, _ = run("regs", "--json")
    assert code == 0 and len(out) == 17
    assert out[0] == {"register": "NAME", "address": "00", "value": "44454d50",
                      "fields": {"value": "44454d50"}}
    assert [r["fields"] for r in out if r["register"] == "VERSION"] == [
        {"patch": "3", "minor": "2", "major": "1"}]
    assert "error" in next(r for r in out if r["register"] == "STATUS")  # the fake core refuses it


def test_register_map_is_ordered_and_complete() -> None:
    addresses = [register.address for register in registers.register_map()]
    assert addresses == sorted(set(addresses)) and len(addresses) == 25


def test_known_answers_agree_with_the_model() -> None:
    """The expected reasons of the self-test, recomputed; every reason but `aborted` occurs."""
    answers = selftest.known_answers()
    assert len(answers) == 119
    assert len({answer.reason for answer in answers}) == 8
    for answer in answers:
        job = answer.job
        if job.rule in RULES and len(job.pk) == 32 and len(job.sig) == 64:
            verdict = ed25519.verify(job.rule, job.pk, job.msg, job.sig)
            assert verdict.reason.name == answer.reason, answer
        else:
            assert answer.reason == "malformed_job"


def test_selftest_notices_wrong_answers(run: Run) -> None:
    """The fake core finds hardly any of them valid."""
    code, out, _ = run("selftest", "--json")
    assert code == 1 and len(out) == 119
    assert not all(record["passed"] for record in out)
    assert all(record["passed"] for record in out if record["expected"] == "malformed_job")


def test_demo_notices_wrong_verdicts(run: Run) -> None:
    code, out, _ = run("demo", "--json", "--published", "8", "--files", "0", "--forged", "2")
    assert code == 1
    assert out[0]["sources"]["sign.input"] == {"signatures": 8, "valid": 0, "unexpected": 8}
    assert out[0]["sources"]["forged"] == {"signatures": 2, "valid": 0, "unexpected": 0}


def test_demo_samples() -> None:
    samples = demo.published(288)
    assert len(samples) == 288 == len({sample.job.sig for sample in samples})
    assert sum(len(sample.job.msg) <= demo.ONE_BLOCK for sample in samples) == 48
    assert len(demo.published(1024)) == len(demo.published(5000)) == 1024
    forgeries = demo.forged(samples, 16, random.Random(1))
    assert len(forgeries) == 16
    for sample in forgeries:
        job = sample.job
        assert not ed25519.verify("zip215", job.pk, job.msg, job.sig).valid


def test_demo_says_which_signer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    notes: list[str] = []
    assert demo.made_here(8, notes) == []
    assert notes == ["no signatures by OpenSSL: openssl is not installed",
                     "no signatures by ssh-keygen: ssh-keygen is not installed"]


def test_signers_make_valid_signatures(tmp_path: Path) -> None:
    files = signers.machine_files(8)
    assert len(files) == 8 and len(set(files)) == 8
    for make, program in ((signers.openssl_jobs, "openssl"), (signers.ssh_jobs, "ssh-keygen")):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
        made = list(make(files[:4], tmp_path))
        assert [file for file, _ in made] == files[:4]
        for _, job in made:
            assert ed25519.verify("libsodium", job.pk, job.msg, job.sig).valid


# ------------------------------------------------------------------------------ on the core


def _pointmill(*words: object, data: bytes = b"") -> tuple[int, list[dict[str, Any]]]:
    """Runs the program itself on the simulated core."""
    done = subprocess.run([sys.executable, "-m", "pointmill.cli", *map(str, words)], input=data,
                          capture_output=True, check=False, timeout=580,
                          cwd=library.SW.parent)
    assert done.stderr == b"" or b"not looked at" in done.stderr, done.stderr.decode()
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module", params=[
    "paper", "throughput",
    *(pytest.param(name, marks=pytest.mark.long) for name in ("latency", "throughput_x2"))])
def core(request: pytest.FixtureRequest) -> str:
    """Every configuration in turn, built once; that of two engines in the long tests."""
    library.simulation_library(request.param)
    return request.param


def test_verify_standard_input_on_the_core(core: str) -> None:
    text = "\n".join([_line(case) for case in rfc8032_cases()] + ["broken"]).encode()
    code, out = _pointmill("verify", "-", "--json", "--config", core, data=text)
    assert code == 1
    assert [record["valid"] for record in out] == [True] * 5 + [False]
    assert all(record["cycles"] > 1000 for record in out[:5])
    words = ("--config", core, "--rule", "zip215")
    code, out = _pointmill("verify", "-", "--json", *words, data=text[:-7])
    assert code == 0 and {record["rule"] for record in out} == {"zip215"}


def test_answers_line_by_line_on_the_core(core: str) -> None:
    """A program may wait for each answer before it writes the next line."""
    command = [sys.executable, "-m", "pointmill.cli", "verify", "-", "--json", "--config", core]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          cwd=library.SW.parent) as process:
        for i, case in enumerate(rfc8032_cases()[:3]):
            process.stdin.write(_line(case) + "\n")
            process.stdin.flush()
            record = json.loads(process.stdout.readline())
            assert record["tag"] == i and record["valid"]
        process.stdin.close()
    assert process.returncode == 0


def test_ssh_signatures_and_commits_on_the_core(tmp_path: Path) -> None:
    for program in ("ssh-keygen", "git"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    files = [tmp_path / name for name in ("one", "two", "three")]
    for file in files:
        file.write_text(f"contents of {file.name}\n")
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", key, file],
                       check=True, capture_output=True)
    files[1].write_text("changed\n")
    words = [files[0], files[1], f"{files[2]}.sig", tmp_path / "missing"]
    code, out = _pointmill("verify", "--json", "--sshsig", *words)
    assert code == 1
    assert [record["tag"] for record in out] == [str(word) for word in words]
    assert [record["reason"] for record in out] == ["ok", "equation_fails", "ok", "malformed_job"]
    code, out = _pointmill("verify", "--json", "--namespace", "git", "--sshsig", files[0])
    assert code == 1 and "namespace" in out[0]["error"]

    repo = tmp_path / "repo"
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for name in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{name}_NAME": "A", f"GIT_{name}_EMAIL": "a@example.org"}
    git = ["git", "-C", repo, "-c", "gpg.format=ssh", "-c", f"user.signingkey={key}.pub"]
    subprocess.run(["git", "init", "-q", repo], check=True, env=environment)
    for sign in ("--no-gpg-sign", "-S", "-S"):
        subprocess.run([*git, "commit", "-q", sign, "--allow-empty", "-m", sign], check=True,
                       env=environment)
    report = sshsig.CommitReport()
    commits = [commit.commit for commit in sshsig.ssh_signed_commits(repo, report)]
    code, out = _pointmill("verify", "--json", "--git", repo)
    assert code == 0 and [record["tag"] for record in out] == commits and len(commits) == 2
    assert report.unsigned == 1


def test_git_items_report_unusable_ssh_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit whose SSH signature is broken must not disappear; a PGP one is only counted."""
    def commits(_: str, report: sshsig.CommitReport) -> Any:
        report.skipped.append(sshsig.SkippedCommit("a" * 40, "the signature ends too early"))
        yield sshsig.SignedCommit("b" * 40, bytes(32), b"", bytes(64))
        report.skipped.append(sshsig.SkippedCommit("c" * 40, f"{verify.NOT_SSH}: BEGIN PGP"))
        report.skipped.append(sshsig.SkippedCommit("d" * 40, "the public key is ssh-rsa"))

    monkeypatch.setattr(sshsig, "ssh_signed_commits", commits)
    items = [item for chunk in verify.git_items(".", "zip215", sshsig.CommitReport())
             for item in chunk]
    assert [(item.tag[0], item.job is None) for item in items] == [
        ("a", True), ("b", False), ("d", True)]


def test_selftest_on_the_core(core: str) -> None:
    code, out = _pointmill("selftest", "--json", "--config", core)
    assert code == 0 and len(out) == 119 and all(record["passed"] for record in out)


def test_small_demo_on_the_core(core: str) -> None:
    words = ("--config", core, "--published", "60", "--files", "8", "--forged", "4")
    code, out = _pointmill("demo", "--json", *words)
    assert code == 0
    summary = out[0]
    assert summary["config"] == core and summary["configs"] == list(library.CONFIGS)
    assert summary["unexpected"] == 0 and summary["published_cycles"] == 9777
    assert summary["sources"]["sign.input"]["valid"] == 60
    assert summary["sources"]["forged"] == {"signatures": 4, "valid": 0, "unexpected": 0}
    low, high, least = {"paper": (7000, 8000, 0.3), "throughput": (1900, 2200, 0.9),
                        "latency": (1900, 2600, 0.8), "throughput_x2": (900, 1200, 1.6)}[core]
    assert low < summary["cycles_per_verification"] < high < summary["published_cycles"]
    assert least < summary["multiplier_utilisation"] < 2
    alone = 5000 if core == "latency" else summary["contexts"] * low * 0.7
    assert alone < summary["latency_alone"] <= summary["mean_latency"]


def test_info_on_the_core(core: str) -> None:
    code, out = _pointmill("info", "--json", "--config", core)
    assert code == 0 and out[0]["config"] == core
    assert out[0]["contexts"] == {"paper": 1, "throughput": 12, "latency": 8, "throughput_x2": 24}[core]
    assert out[0]["half_size"] == (core != "paper")


def test_throughput_is_the_default() -> None:
    code, out = _pointmill("info", "--json")
    assert code == 0 and out[0]["config"] == "throughput" and out[0]["contexts"] == 12


def test_selftest_data_is_well_formed() -> None:
    cases = yaml.safe_load(selftest.ANSWERS.read_text(encoding="utf-8"))
    assert len(cases) == 14 and len({case["name"] for case in cases}) == 14
    for case in cases:
        assert isinstance(case["reasons"], str) or list(case["reasons"]) == list(RULES)
