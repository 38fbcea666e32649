# SPDX-License-Identifier: Apache-2.0
"""The bench: its arithmetic on the fake device, its workload, and the pages made of the records."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from driver.fake import fake_device, fake_job

from pointmill.bench import records, render, throughput
from pointmill.bench.records import Record
from pointmill.model import ed25519


def test_steady_state_of_a_known_device() -> None:
    """The fake core takes 70 cycles for each job, one after the other."""
    rng = random.Random(1)
    jobs = [fake_job(rng, 20) for _ in range(throughput.FEWEST + 7)]
    with fake_device(settings="latency=70") as device:
        steady = throughput.run_steady(device, jobs, "zip215")
        assert steady.cycles == 70 and steady.products == 0 and steady.utilisation == 0
        assert steady.latency == [70] * len(jobs)


def test_a_refused_signature_stops_the_measurement() -> None:
    rng = random.Random(2)
    jobs = [fake_job(rng, 20, i != 40) for i in range(throughput.FEWEST)]
    with fake_device() as device, pytest.raises(RuntimeError, match=r"refused jobs \[40\]"):
        throughput.run_steady(device, jobs, "zip215")


def test_workload_is_real_first_and_valid() -> None:
    jobs = throughput.workload(1030, 1)
    assert len({job.sig for job in jobs}) == 1030
    assert [len(job.msg) for job in jobs[:1024]] == list(range(1024))
    assert all(len(job.msg) <= 47 for job in jobs[1024:])
    for job in jobs[1020:]:
        assert ed25519.verify("libsodium", job.pk, job.msg, job.sig).valid


def test_unknown_words_are_refused() -> None:
    with pytest.raises(ValueError, match="speed is not one"):
        Record("edverify.verify", "paper", "speed", 1, "cycles")


def test_dsp_cycles_of_others() -> None:
    paper = records.published("edverify")
    assert paper["dsp_cycles"] == paper["total"][2] * paper["verify"]
    assert render.wiredancer() == 583_680


def test_readme_table(tmp_path: Path) -> None:
    """Both configurations side by side; what was not measured stays empty."""
    made = {("verify", "throughput"): {"cycles_per_verification": 2000, "utilisation": 0.9956,
                                       "cycles_alone": 18000},
            ("verify", "paper"): {"cycles_per_verification": 7000, "utilisation": 0.42,
                                  "cycles_mean": 7001},
            ("core", "paper"): {"dsp": 81, "lut": 20000},
            ("double_scalar", "paper"): {"cycles_mean": 5000.4}}
    file = tmp_path / "bench.json"
    file.write_text(json.dumps([
        {"id": f"edverify.{name}", "config": config, "what": what, "value": value}
        for (name, config), values in made.items() for what, value in values.items()]))
    lines = render.readme_table(render.Figures(file)).splitlines()
    assert lines[0] == "| `edverify` | `throughput` | `paper` | published |"
    assert "| clock cycles a verification | 2,000 | 7,000 | 9,777 |" in lines
    assert "| share of cycles in which a product starts | 99.6% | 42.0% |  |" in lines
    assert "| cycles of one job alone | 18,000 | 7,001 |  |" in lines
    assert "| DSP-cycles a verification | 162,000 | 567,000 | 791,937 |" in lines
    assert "| S*G - k*A, cycles |  | 5,000 | 6,174 |" in lines
    assert lines[-1].startswith("For comparison, Firedancer's wiredancer: 583,680 DSP-cycles")
