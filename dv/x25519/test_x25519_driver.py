# SPDX-License-Identifier: Apache-2.0
"""The core x25519 through the driver and the command line, in every form."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dv.x25519.x25519_core import CONFIGS, product, random_job
from pointmill import library, simbuild
from pointmill.cores import X25519
from pointmill.device import DeviceError, Error, SecretJob, X25519Device
from pointmill.measure import ratchet
from pointmill.measure.benches import keyexchange
from vectors import ec_vectors
from vectors.secret_vectors import rfc7748_cases

CONTEXTS = {"paper": 1, "tile": 5}


@pytest.fixture(params=CONFIGS)
def config(request: pytest.FixtureRequest) -> str:
    return request.param


def device(config: str, settings: str = "") -> X25519Device:
    return X25519Device(config, settings=settings, module=library.module("x25519", config))


def jobs(rng: random.Random, count: int) -> list[SecretJob]:
    return [SecretJob("x25519", *random_job(rng), tag=tag) for tag in range(count)]


def check(asked: list[SecretJob], results: list) -> None:
    for job, result in zip(asked, results, strict=True):
        assert (result.tag, result.valid, result.reason, result.rule) == (job.tag, True, "ok", 0)
        assert result.payload == product(job.secret, job.u) and not result.all_zero


@pytest.mark.parametrize("settings", ["", "idle=40,stall=60,seed=3"])
def test_batch(config: str, settings: str) -> None:
    """Jobs of the core among others, which it refuses."""
    asked = jobs(random.Random(1), 12)
    asked[4] = SecretJob("keygen", bytes(32), tag=4)
    asked[7] = SecretJob("x25519", bytes(31), bytes(32), tag=7)
    with device(config, settings) as core:
        info = core.info()
        assert (info.name, info.contexts) == ("PMX2", CONTEXTS[config])
        done: list[int] = []
        results = core.secret_batch(asked, lambda count, total: done.append(count))
        assert done == list(range(1, 13))
        for index in (7, 4):
            assert results.pop(index).reason == "malformed_job"
            asked.pop(index)
        check(asked, results)
        counters = core.counters()
        assert (counters.jobs, counters.valid, counters.errors, counters.muls) == (11, 10, 1, 0)
        assert 0 < counters.busy <= counters.cycles and core.info().stray_answers == 0


def test_soft_reset(config: str) -> None:
    """Every job has its answer; the core works on."""
    rng = random.Random(2)
    seen: Counter[str] = Counter()
    with device(config) as core:
        whole = core.secret_batch(jobs(rng, 1))[0].cycles
        for quarters in (1, 3, 5, 7):
            asked = jobs(rng, 5)
            for job in asked:
                core.submit_secret(job)
            core.run(quarters * whole // 4)
            core.soft_reset()
            for _ in asked:
                result = core.wait()
                seen[result.reason] += 1
                expected = product(asked[result.tag].secret, asked[result.tag].u) if result.valid else b""
                assert result.payload == expected
            again = jobs(rng, 1)
            check(again, core.secret_batch(again))
    assert seen["ok"] + seen["aborted"] == 20 and min(seen.values()) > 3


def test_a_batch_gives_up(config: str) -> None:
    """Cycles without progress: the jobs of engine and receiver are aborted, one in the FIFO is done."""
    asked = jobs(random.Random(3), 3)
    with device(config) as core:
        whole = core.secret_batch(asked[:1])[0].cycles
        core.set_batch_timeout(whole // 4)
        with pytest.raises(DeviceError) as caught:
            core.secret_batch(asked)
        assert caught.value.code == Error.TIMEOUT
        inside = min(1 + core.info().contexts, 3)
        assert [result.reason for result in caught.value.results] == ["aborted"] * inside + ["ok"] * (3 - inside)
        check(asked[inside:], caught.value.results[inside:])
        core.set_batch_timeout(4 * whole)
        check(asked, core.secret_batch(asked))


def folder_cases(folder: Path) -> list[SecretJob]:
    """Those of the folder that are no iterations, with the product as tag."""
    cases = [case.values for case in ec_vectors.folder_cases(folder).cases
             if case.operation == "xdh" and case.curve.name == "X25519"]
    single = [case for case in cases if case.get("iterations", 1) == 1]
    assert (len(cases), len(single)) == (531, 525)
    return [SecretJob("x25519", case["k"], case["u"], tag=case["out"]) for case in single]


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.long)])
def test_vectors_of_the_folder(config: str, vectors_dir: Path, step: int) -> None:
    asked = folder_cases(vectors_dir)[::step]
    with device(config) as core:
        results = core.secret_batch(asked)
    for job, result in zip(asked, results, strict=True):
        assert result.valid and result.payload == job.tag
        assert result.all_zero == (job.tag == bytes(32))


def test_cycles(config: str) -> None:
    """Those of `pointmill bench x25519` are no worse than the committed ones."""
    known = ratchet.committed()[0][f"bench.x25519.exchange.{config}"]
    assert len(ratchet.figures([known])) == 2
    outcome = ratchet.check([known], [replace(known, figures=keyexchange.measure(config))])
    assert not outcome.failed, "; ".join(map(str, outcome.failed))


def pointmill(*words: str, data: str) -> tuple[int, list[dict]]:
    """Exit code and answers of the program."""
    done = subprocess.run([sys.executable, "-m", "pointmill.cli", *words], input=data, text=True,
                          capture_output=True, check=False, timeout=580, cwd=simbuild.ROOT)
    expected = ('{"summary": true', "building ", "built ")
    assert all(line.startswith(expected) for line in done.stderr.splitlines()), done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_command(config: str) -> None:
    """The program itself, with a bad line among good ones."""
    cases = rfc7748_cases()[:3]
    lines = [f'{{"k": "{case.k.hex()}", "u": "{case.u.hex()}"}}' for case in cases]
    code, answers = pointmill("x25519", "-", "--config", config, data="\n".join([*lines, "bad"]))
    assert code == 1 and "error" in answers[3]
    assert [answer["out"] for answer in answers[:3]] == [case.out.hex() for case in cases]
    code, answers = pointmill("x25519", "-", "--json", "--config", config,
                              data=json.dumps({"tag": "zero", "k": "01" * 32, "u": "00" * 32}))
    assert code == 0 and answers[0].pop("cycles") > 0
    assert answers == [{"tag": "zero", "out": "00" * 32, "all_zero": True}]


def test_info_and_registers(config: str) -> None:
    """The program itself, which tells the form and the jobs of its engine."""
    code, (info,) = pointmill("info", "--core", "x25519", "--config", config, "--json", data="")
    params = X25519.parameters[config]
    assert code == 0 and (info["config"], info["name"]) == (config, "PMX2")
    assert (info["form"], info["contexts"]) == (params["Form"], CONTEXTS[config])
    code, registers = pointmill("regs", "--core", "x25519", "--config", config, "--json", data="")
    assert code == 0 and len(registers) == 15 and not any("error" in register for register in registers)
