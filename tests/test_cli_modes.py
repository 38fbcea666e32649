# SPDX-License-Identifier: Apache-2.0
"""`pointmill verify --mode`: the same results in every mode, on the fake device and on the cores that have them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from driver.commands import Run, line, pointmill, runner, write
from driver.fake import fake_device, fake_job
from pointmill import library
from pointmill.commands import common
from pointmill.cores import EDVERIFY
from pointmill.device import MODES
from pointmill.model import ed25519
from pointmill.rules import RULES
from vectors.hostile import hostile_cases

HAVING = {"single": tuple(EDVERIFY.parameters), "batch": ("bulk",), "cached": ("bulk", "tiles")}
"""Configurations that have a mode."""
BULK = ("--config", "bulk", "--settings", "keys=3,batch=6")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command on the fake device."""
    return runner(monkeypatch, capsys, fake_device)


def _without_cycles(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in record.items() if name != "cycles"} for record in records]


def test_modes_answer_alike(run: Run, tmp_path: Path) -> None:
    """More lines than a chunk, few keys, malformed lines and refusals; JSON and exit codes alike."""
    rng = random.Random(1)
    keys = [rng.randbytes(31) + b"\0" for _ in range(12)] + [rng.randbytes(31) + b"\xff"]
    texts = [line(fake_job(rng, rng.randrange(40), i % 7 != 0, pk=rng.choice(keys)), tag=f"tag {i}",
                  rule=rng.choice(list(RULES))) for i in range(900)]
    texts[100:100] = ["broken", "", "{}", line(fake_job(rng, 3))[:-40]]
    file = write(tmp_path / "in", *texts)
    good = write(tmp_path / "good", *(text for i, text in enumerate(texts[200:]) if (i + 196) % 7))
    code, single, _ = run("verify", file, "--json", *BULK)
    assert code == 1 and len(single) == 903
    for mode in MODES:
        code, out, err = run("verify", file, "--json", *BULK, "--mode", mode)
        assert code == 1 and json.loads(err)["total"] == 903
        assert _without_cycles(out) == _without_cycles(single)
        assert run("verify", good, *BULK, "--json", "--mode", mode)[0] == 0


def test_the_device_is_asked_for_the_mode(run: Run, tmp_path: Path,
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    """Few keys are loaded and used; all signatures go into batches, whatever the size of the input."""
    rng = random.Random(2)
    keys = [rng.randbytes(31) + b"\0" for _ in range(4)]
    file = write(tmp_path / "in", *(line(fake_job(rng, 9, pk=keys[i % 4])) for i in range(700)))
    opened = []

    def device(config: str, backend: str, settings: str) -> Any:
        opened.append(fake_device(config, settings))
        monkeypatch.setattr(opened[-1], "close", lambda: None)  # to be asked afterwards
        return opened[-1]

    monkeypatch.setattr(common, "Device", device)
    for mode in ("single", "cached", "batch"):
        assert run("verify", file, "--json", *BULK, "--mode", mode)[0] == 0
    counts = [[one.read(address) for address in range(0x80, 0x94, 4)] for one in opened]
    assert counts == [[0] * 5, [4, 700, 0, 0, 0], [0, 0, 0, 700, 700]]


def test_device_failure_answers_every_line(run: Run, tmp_path: Path) -> None:
    """As in the ordinary mode: a signature that gets no answer is aborted, and nothing is lost."""
    rng = random.Random(3)
    key = rng.randbytes(32)
    texts = [line(fake_job(rng, 20, start=b"!dead" if i == 300 else b"", pk=key)) for i in range(600)]
    file = write(tmp_path / "in", *texts)
    for mode in MODES:
        code, out, _ = run("verify", file, "--json", *BULK, "--mode", mode)
        assert code == 2 and len(out) == 601
        assert [record["tag"] for record in out[:600]] == list(range(600))
        assert out[300]["reason"] == "aborted" and out[600]["reason"] == "device_error"
        assert {record["reason"] for record in out[:600]} == {"ok", "aborted"}
        assert sum(record["valid"] for record in out) >= 300


def test_missing_modes(run: Run, tmp_path: Path) -> None:
    """Named configurations and devices without a mode are refused in a sentence, before any line."""
    file = write(tmp_path / "in", line(fake_job(random.Random(4), 3)))
    for mode in ("batch", "cached"):
        for config in EDVERIFY.parameters:
            code, out, _ = run("verify", file, "--json", "--config", config, "--mode", mode,
                               "--settings", "keys=1,batch=1")
            if config in HAVING[mode]:
                assert code == 0 and out[0]["valid"]
            else:
                having = ", ".join(HAVING[mode])
                assert code == 2 and out == [{
                    "valid": False, "reason": "usage",
                    "error": f"mode {mode} is not built into configuration {config}; it is into {having}"}]
        for words in (("--config", "bulk"), ("--device", "uio")):  # what the device says counts
            code, out, _ = run("verify", file, "--json", "--mode", mode, *words)
            assert code == 2 and len(out) == 1 and out[0]["reason"] == "usage"
            assert "built without that mode" in out[0]["error"] and mode in out[0]["error"]


@pytest.mark.parametrize(("mode", "config"), [*((mode, "bulk") for mode in MODES), ("cached", "tiles")])
def test_modes_on_the_core(mode: str, config: str) -> None:
    """Honest and hostile signatures under every rule, some keys often: verdicts and reasons of the golden model."""
    library.module("edverify", config)
    jobs = [(case, rule) for case in hostile_cases(16, 5, 100) for rule in RULES] * (2 if mode == "cached" else 1)
    text = "\n".join(json.dumps({"pk": case.pk.hex(), "msg": case.msg.hex(), "sig": case.sig.hex(),
                                 "rule": rule}) for case, rule in jobs)
    code, out = pointmill("verify", "-", "--json", "--config", config, "--mode", mode,
                          data=text.encode())
    assert code == 1 and len(out) == len(jobs)
    for record, (case, rule) in zip(out, jobs, strict=True):
        assert record["reason"] == ed25519.verify(rule, case.pk, case.msg, case.sig).reason.name
        assert record["rule"] == rule and record["cycles"] > 0


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_chooses_a_configuration_that_has_it(mode: str, monkeypatch: pytest.MonkeyPatch,
                                                    capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without --config: the default configuration if it has the mode, `bulk` otherwise."""
    opened: list[str] = []

    def client(config: str, settings: str) -> Any:
        opened.append(config)
        return fake_device(config, settings)

    empty = tmp_path / "none.jsonl"
    empty.write_text("")
    runner(monkeypatch, capsys, client)("verify", str(empty), "--json", "--mode", mode)
    assert opened == [EDVERIFY.default if mode == "single" else "bulk"]
