# SPDX-License-Identifier: Apache-2.0
"""The command line: formats, order, rejections and exit codes on the fake device."""

from __future__ import annotations

import base64
import dataclasses
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from driver.commands import Run, line, runner, write
from driver.fake import fake_device, fake_job
from pointmill import cli, gitsig, library, register_map, signers, sshsig
from pointmill.allowed_signers import Signer
from pointmill.commands import common, demo, lines, registers, selftest, ssh_items, verify
from pointmill.device import Job, Result
from pointmill.gitsig import SignedObject
from pointmill.model import ed25519
from pointmill.rules import RULES


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command on the fake device."""
    return runner(monkeypatch, capsys, fake_device)


# ---------------------------------------------------------------------------- JSON lines


def test_valid_file(run: Run, tmp_path: Path) -> None:
    rng = random.Random(1)
    file = write(tmp_path / "in", *(line(fake_job(rng, i)) for i in range(5)))
    code, out, err = run("verify", file, "--json")
    assert code == 0 and json.loads(err)["valid"] == 5
    assert out == [{"tag": i, "valid": True, "reason": "ok", "rule": "ref10_bytes", "cycles": 100}
                   for i in range(5)]


def test_order_tags_and_rules(run: Run, tmp_path: Path) -> None:
    rng = random.Random(2)
    tags = ["name", 0, -5, 10**60, "", "\u00e9\u2713", "\ud800", "7"]
    rules = list(RULES) + ["zip215", "libsodium"]
    file = write(tmp_path / "in", *(
        line(fake_job(rng, 20, start=b"!late" if i % 3 == 0 else b""), tag=tag, rule=rule)
        for i, (tag, rule) in enumerate(zip(tags, rules, strict=True))))
    code, out, _ = run("verify", file, "--json", "--rule", "dalek_strict")
    assert code == 0
    assert [record["tag"] for record in out] == tags
    assert [record["rule"] for record in out] == rules


def test_every_malformed_line_is_answered(run: Run, tmp_path: Path) -> None:
    rng = random.Random(3)
    good = fake_job(rng, 20)
    fields = json.loads(line(good))

    def without(name: str) -> str:
        return json.dumps({key: value for key, value in fields.items() if key != name})

    bad: list[tuple[str | bytes, str]] = [
        ("no json", "not JSON"), (b"\xff\xfe\x00", "not JSON"), ("{", "not JSON"),
        ("[" * 100_000, "not JSON"), ('{"tag": ' + "9" * 5000 + "}", "not JSON"),
        ("[]", "not a JSON object"), ("null", "not a JSON object"), ('"text"', "not a JSON object"),
        (without("pk"), "pk is missing"), (without("msg"), "msg is missing"),
        (without("sig"), "sig is missing"),
        (line(good, pk=good.pk.hex()[2:]), "pk has 31 bytes"),
        (line(good, pk=good.pk.hex() + "00"), "pk has 33 bytes"),
        (line(good, pk=""), "pk has 0 bytes"),
        (line(good, sig=good.sig.hex()[2:]), "sig has 63 bytes"),
        (line(good, sig=good.sig.hex() + "ab"), "sig has 65 bytes"),
        (line(good, pk=good.pk.hex()[1:]), "pk is not a string of pairs"),
        (line(good, pk="0x" + good.pk.hex()[2:]), "pk is not a string of pairs"),
        (line(good, msg="zz"), "msg is not a string of pairs"),
        (line(good, msg="aa bb"), "msg is not a string of pairs"),
        (line(good, msg="\u0661\u0662"), "msg is not a string of pairs"),
        (line(good, msg=None), "msg is not a string of pairs"),
        (line(good, sig=5), "sig is not a string of pairs"),
        (line(good, tag=1.5), "tag is neither"), (line(good, tag=None), "tag is neither"),
        (line(good, tag=True), "tag is neither"), (line(good, tag=[1]), "tag is neither"),
        (line(good, rule="rfc8032"), "rule is none of"), (line(good, rule=0), "rule is none of"),
        (line(good, rule=None), "rule is none of"), (line(good, rule={}), "rule is none of"),
    ]
    file = write(tmp_path / "in", *(x for text, _ in bad for x in (text, line(good))))
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
    file = write(tmp_path / "in", line(fake_job(rng, 9, False)), line(beyond), line(job))
    code, out, _ = run("verify", file, "--json")
    assert code == 1
    assert [r["reason"] for r in out] == ["equation_fails", "s_out_of_range", "ok"]
    assert all("error" not in record for record in out)


def test_blank_lines_are_skipped_but_counted(run: Run, tmp_path: Path) -> None:
    rng = random.Random(5)
    file = write(tmp_path / "in", "", line(fake_job(rng, 3)), "  \r", "\t",
                  line(fake_job(rng, 3)) + "\r", "", "")
    code, out, _ = run("verify", file, "--json")
    assert code == 0 and [record["tag"] for record in out] == [1, 4]


def test_upper_case_hex_and_unknown_fields(run: Run, tmp_path: Path) -> None:
    job = fake_job(random.Random(6), 3)
    file = write(tmp_path / "in", line(job, pk=job.pk.hex().upper(), note="x", kind=[1]))
    assert run("verify", file, "--json")[0] == 0


def test_empty_input_is_not_valid(run: Run, tmp_path: Path) -> None:
    """A file without signatures vouches for nothing."""
    code, out, err = run("verify", write(tmp_path / "in", ""), "--json")
    assert (code, out) == (1, []) and json.loads(err) == {
        "summary": True, "total": 0, "valid": 0, "invalid": 0, "reasons": {}, "unsigned": 0, "signed_otherwise": 0}


def test_large_input_streams(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More lines than one chunk, one message of a mebibyte, and a line beyond the limit."""
    monkeypatch.setattr(lines, "MAX_LINE", 3 << 20)
    rng = random.Random(7)
    texts = [line(fake_job(rng, rng.randrange(40), i % 7 != 0)) for i in range(600)]
    texts.insert(300, line(fake_job(rng, 1 << 20)))
    texts.insert(400, line(fake_job(rng, 2 << 20)))
    code, out, _ = run("verify", write(tmp_path / "in", *texts), "--json")
    assert code == 1 and len(out) == 602
    assert [record["tag"] for record in out] == list(range(602))
    assert out[300]["valid"] and "longer than" in out[400]["error"]
    assert sum(record["valid"] for record in out) == 515


def test_counting_lines_keeps_the_position(tmp_path: Path) -> None:
    """The progress bar's total does not eat the input, however small the file."""
    job = fake_job(random.Random(12), 3)
    for count in (1, 3, 5000):
        file = write(tmp_path / "in", *[line(job)] * count, "")
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
    text = line(fake_job(rng, 3))
    file = write(tmp_path / "in", *[text] * 1000)
    with open(file, "rb") as stream:
        sizes = [len(items) for items in lines.read_items(stream, "ref10_bytes")]
    assert sum(sizes) == 1000 and max(sizes) <= lines.CHUNK_JOBS


def test_device_failure_answers_every_line(run: Run, tmp_path: Path) -> None:
    rng = random.Random(9)
    texts = [line(fake_job(rng, 20, start=b"!dead" if i == 300 else b"")) for i in range(600)]
    code, out, _ = run("verify", write(tmp_path / "in", *texts), "--json")
    assert code == 2 and len(out) == 601
    assert out[300] == {"tag": 300, "valid": False, "reason": "aborted", "rule": "ref10_bytes",
                        "cycles": 0}
    assert sum(record["valid"] for record in out) >= 300
    assert {record["reason"] for record in out[:600]} == {"ok", "aborted"}
    assert out[600]["reason"] == "device_error" and out[600]["valid"] is False


def test_summary_for_people(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(10)
    file = write(tmp_path / "in", line(fake_job(rng, 3)),
                  line(fake_job(rng, 3, False), tag="[x]"))
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


@pytest.mark.parametrize(("words", "text"), [
    (["schedule"], "the following arguments are required: PROGRAM"),
    (["schedule", "no-such-program"], "no program or block no-such-program; programs: edverify.paper.verify, "),
    (["schedule", "xdh.no_such_block"], "no program or block xdh.no_such_block; programs: "),
    (["measure", "syn.xc7.pm_fifos"], "near it: syn.xc7.pm_fifo, "),
    (["measure", "zzz"], "no measurement zzz in data/measurements.yaml; `pointmill measure --list` lists all"),
    (["bench", "--no-such-option"], "unrecognized arguments: --no-such-option")])
def test_usage_errors_of_tools(words: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 2
    answer = json.loads(capsys.readouterr().out)
    assert answer["reason"] == "usage" and text in answer["error"], answer


@pytest.mark.parametrize("command", ["bench", "schedule", "simulate", "verify", "demo"])
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
    code, out, _ = run("verify", write(tmp_path / "in", ""), "--json", "--settings", "x=1")
    assert code == 2 and out[0]["reason"] == "device_error"
    assert "no setting 'x=1'; known are " in out[0]["error"]
    code, out, _ = run("demo", "--published", "4", "--forged", "3")
    assert code == 2 and out[0]["reason"] == "usage"


def test_reader_that_goes_away(tmp_path: Path) -> None:
    library.module("edverify")  # its first build says so on standard error
    rng = random.Random(11)
    file = write(tmp_path / "in", *[line(Job(b"", b"", b""))] * 20000, line(fake_job(rng, 3)))
    with subprocess.Popen([sys.executable, "-m", "pointmill.cli", "verify", str(file), "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


# ------------------------------------------------------------------------------ other commands


def test_info_and_regs(run: Run) -> None:
    code, out, _ = run("info", "--json")
    assert code == 0 and out[0]["name"] == "PMED" and out[0]["version"] == "0.5.3"
    assert out[0]["rules"] == list(RULES) and out[0]["contexts"] == 1
    code, out, _ = run("regs", "--json")
    assert code == 0 and len(out) == 17
    assert out[0] == {"register": "NAME", "address": "00", "value": "44454d50",
                      "fields": {"value": "44454d50"}}
    assert [r["fields"] for r in out if r["register"] == "VERSION"] == [
        {"patch": "3", "minor": "5", "major": "0"}]
    assert "error" in next(r for r in out if r["register"] == "STATUS")  # the fake core refuses it


def test_info_and_regs_of_x25519(run: Run) -> None:
    code, out, _ = run("info", "--core", "x25519", "--json")
    assert code == 0 and len(out) == 1
    assert (out[0]["core"], out[0]["config"], out[0]["name"]) == ("x25519", "tile", "PMX2")
    assert "form" in out[0] and "rules" not in out[0] and "batch" not in out[0]
    code, out, _ = run("regs", "--core", "x25519", "--config", "paper", "--json")
    assert code == 0 and out[0]["value"] == "32584d50"
    assert [list(r["fields"]) for r in out if r["register"] == "CONFIG"] == [["contexts", "form"]]
    assert not any(r["register"].startswith("MULS") for r in out)


@pytest.mark.parametrize("words", [("--core", "x25519", "--config", "fast"), ("--config", "tile"),
                                   ("--core", "multicurve", "--config", "tile")])
def test_configuration_of_another_core(run: Run, words: tuple[str, ...]) -> None:
    code, out, _ = run("info", *words)
    assert code == 2 and "is none" in out[0]["error"]


@pytest.mark.parametrize(("core", "count"), [("edverify", 25), ("multicurve", 18), ("x25519", 15)])
def test_register_map_is_ordered_and_complete(core: str, count: int) -> None:
    addresses = [register.address for register in registers.register_map(core)]
    assert addresses == sorted(set(addresses)) and len(addresses) == count


@pytest.mark.parametrize(("core", "count"), [("edverify", 39), ("multicurve", 31), ("x25519", 23), ("mpu", 38)])
def test_c_header_has_the_register_map(core: str, count: int) -> None:
    """What the clients read of the header of a core is what `pointmill regs` reads of its SystemRDL."""
    found = registers.register_map(core)
    assert sum(len(register.fields) for register in found) == count
    for register in found:
        assert register_map.address(core, register.name) == register.address
        assert tuple(register_map.field(core, register.name, part.name) for part in register.fields) == register.fields
        assert register_map.fields(core, register.name) == register.fields


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


JOB = sshsig.Job(bytes(32), b"", bytes(64))
OBJECTS = [
    SignedObject("commit", "a" * 40, 1, problem="the signature ends too early"),
    SignedObject("commit", "b" * 40, 1, JOB),
    SignedObject("commit", "c" * 40, 1, problem="not an SSH signature: BEGIN PGP", other=True),
    SignedObject("commit", "d" * 40, 1, problem="the public key is ssh-rsa"), SignedObject("tag", "e" * 40, 1),
]


def test_git_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken SSH signature must not disappear; unsigned ones and PGP are only counted, unless they are required."""
    monkeypatch.setattr(gitsig, "signed_objects", lambda *_: iter(OBJECTS))

    def items(policy: ssh_items.Policy) -> list[tuple[str, bool, str | None]]:
        found = [item for chunk in ssh_items.git_items(".", (), "zip215", policy, 2) for item in chunk]
        return [(item.tag[0], item.job is None, item.reason) for item in found]

    policy = ssh_items.Policy()
    assert items(policy) == [("a", True, None), ("b", False, None), ("d", True, None)]
    assert (policy.unsigned, policy.other) == (1, 1)
    assert items(ssh_items.Policy(require_signed=True)) == [
        ("a", True, None), ("b", False, None), ("c", True, "signed_otherwise"), ("d", True, None),
        ("e", True, "unsigned")]
    allowed = [Signer("somebody", bytes(32), before=2), Signer("else", bytes(31) + b"x")]
    assert items(ssh_items.Policy(signers=allowed))[1] == ("b", False, None)
    assert items(ssh_items.Policy(signers=allowed[1:]))[1] == ("b", False, "key_not_allowed")


def test_a_signature_that_is_not_allowed_is_not_valid(run: Run, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where the device found it valid is that the reason."""
    monkeypatch.setattr(gitsig, "signed_objects", lambda *_: iter(OBJECTS[1:2]))
    key = base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + bytes(32)).decode()
    file = write(tmp_path / "allowed", f"# a comment\rsomebody ssh-ed25519 {key}")
    code, out, err = run("verify", "--json", "--git", ".", "--allowed-signers", file)
    assert code == 1 and out[0]["valid"] is False and out[0]["key"].startswith("SHA256:")
    assert out[0]["reason"] == "key_not_allowed" and "no allowed signer" in out[0]["error"]
    assert json.loads(err)["invalid"] == 1


def test_nothing_to_verify_is_not_success(run: Run, monkeypatch: pytest.MonkeyPatch,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(gitsig, "signed_objects", lambda *_: iter(OBJECTS[4:]))
    assert cli.main(["verify", "--git", "."]) == 1
    shown = capsys.readouterr()
    assert "no signature to verify" in shown.out and "1 unsigned" in shown.err
    code, out, err = run("verify", "--json", "--git", ".")
    assert (code, out) == (1, []) and json.loads(err)["unsigned"] == 1


@pytest.mark.parametrize(("words", "sentence"), [
    (("in", "--require-signed"), "go with --git"), (("in", "--revision", "main"), "go with --git"),
    (("in", "--allowed-signers", "x"), "goes with --git and --sshsig"),
    (("--git", ".", "--allowed-signers", "nowhere"), "nowhere: No such file"),
    (("--git", ".", "--allowed-signers", __file__), "line 2: not `principals"),
])  # fmt: skip
def test_options_of_signers_that_do_not_fit(run: Run, words: tuple[str, ...], sentence: str) -> None:
    code, out, _ = run("verify", *words)
    assert code == 2 and sentence in out[0]["error"]


def test_selftest_data_is_well_formed() -> None:
    cases = yaml.safe_load(selftest.ANSWERS.read_text(encoding="utf-8"))
    assert len(cases) == 19 and len({case["name"] for case in cases}) == 19
    for case in cases:
        assert isinstance(case["reasons"], str) or list(case["reasons"]) == list(RULES)
