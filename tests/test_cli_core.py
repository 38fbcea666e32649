# SPDX-License-Identifier: Apache-2.0
"""The command line: whole commands on the simulated core."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from driver.commands import line, pointmill
from pointmill import gitsig, library, sshsig
from pointmill.cores import EDVERIFY
from vectors.ed25519_vectors import rfc8032_cases


@pytest.fixture(scope="module", params=EDVERIFY.parameters)
def core(request: pytest.FixtureRequest) -> str:
    """Every configuration in turn, built once."""
    library.module("edverify", request.param)
    return request.param


def test_verify_standard_input_on_the_core(core: str) -> None:
    text = "\n".join([line(case) for case in rfc8032_cases()] + ["broken"]).encode()
    code, out = pointmill("verify", "-", "--json", "--config", core, data=text)
    assert code == 1
    assert [record["valid"] for record in out] == [True] * 5 + [False]
    assert all(record["cycles"] > 1000 for record in out[:5])
    words = ("--config", core, "--rule", "zip215")
    code, out = pointmill("verify", "-", "--json", *words, data=text[:-7])
    assert code == 0 and {record["rule"] for record in out} == {"zip215"}


def test_answers_line_by_line_on_the_core(core: str) -> None:
    """A program may wait for each answer before it writes the next line."""
    command = [sys.executable, "-m", "pointmill.cli", "verify", "-", "--json", "--config", core]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          cwd=library.SW.parent) as process:
        for i, case in enumerate(rfc8032_cases()[:3]):
            process.stdin.write(line(case) + "\n")
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
    code, out = pointmill("verify", "--json", "--sshsig", *words)
    assert code == 1
    assert [record["tag"] for record in out] == [str(word) for word in words]
    assert [record["reason"] for record in out] == ["ok", "equation_fails", "ok", "malformed_job"]
    code, out = pointmill("verify", "--json", "--namespace", "git", "--sshsig", files[0])
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
    found = list(gitsig.signed_objects(repo))
    signed = [one.id for one in found if one.job]
    code, out = pointmill("verify", "--json", "--git", repo)
    assert code == 0 and [record["tag"] for record in out] == signed and len(signed) == 2
    assert all(record["key"] == sshsig.fingerprint(found[0].job.pk) for record in out)
    code, out = pointmill("verify", "--json", "--require-signed", "--git", repo)
    assert code == 1 and [record["tag"] for record in out] == [one.id for one in found]
    assert [record["reason"] for record in out] == ["ok", "ok", "unsigned"]


def test_selftest_on_the_core(core: str) -> None:
    code, out = pointmill("selftest", "--json", "--config", core)
    assert code == 0 and len(out) == 119 and all(record["passed"] for record in out)


def test_small_demo_on_the_core(core: str) -> None:
    words = ("--config", core, "--published", "60", "--files", "8", "--forged", "4")
    code, out = pointmill("demo", "--json", *words)
    assert code == 0
    summary = out[0]
    assert summary["config"] == core and summary["configs"] == list(EDVERIFY.parameters)
    assert summary["unexpected"] == 0 and summary["published_cycles"] == 9777
    assert summary["sources"]["sign.input"]["valid"] == 60
    assert summary["sources"]["forged"] == {"signatures": 4, "valid": 0, "unexpected": 0}
    low, high, least = {"paper": (7000, 8000, 0.3), "hardened": (7000, 8000, 0.3), "throughput": (1900, 2200, 0.9),
                        "latency": (1900, 2600, 0.8),
                        "bulk": (1900, 2200, 0.9), "tiles": (1900, 2400, 0.6),
                        "tiles_secret": (2800, 3500, 0.4)}[core]
    assert low < summary["cycles_per_verification"] < high
    assert high < summary["published_cycles"]
    assert least < summary["multiplier_utilisation"] < 2
    alone = {"latency": 5000, "tiles": 25_000, "tiles_secret": 25_000}.get(core, summary["contexts"] * low * 0.7)
    assert alone < summary["latency_alone"] <= summary["mean_latency"]


def test_info_on_the_core(core: str) -> None:
    code, out = pointmill("info", "--json", "--config", core)
    assert code == 0 and out[0]["config"] == core
    assert out[0]["contexts"] == EDVERIFY.parameters[core]["Contexts"]
    assert (out[0]["keys"], out[0]["batch"]) == {"bulk": (3, 6), "tiles": (3, 0)}.get(core, (0, 0))
    assert out[0]["half_size"] == (core not in ("paper", "hardened"))


def test_throughput_is_the_default() -> None:
    code, out = pointmill("info", "--json")
    assert code == 0 and out[0]["config"] == "throughput" and out[0]["contexts"] == 12
