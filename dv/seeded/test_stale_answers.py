# SPDX-License-Identifier: Apache-2.0
"""The driver against a core that returns old results again (echo_backend.c)."""

from __future__ import annotations

import random
from pathlib import Path

from pointmill import library
from pointmill.device import Device
from tests.driver.fake import fake_job

JOBS = 400


def test_an_old_answer_is_never_that_of_a_new_job() -> None:
    """It is counted as stray, also when its slot is in use again and the verdicts differ."""
    rng = random.Random(8)
    jobs = [fake_job(rng, 20, rng.random() < 0.5, tag=i) for i in range(JOBS)]
    lib = library.driver(
        [*library.DRIVER, Path(__file__).with_name("echo_backend.c")],
        {"PM_EXTRA_BACKEND": "pm_backend_echo"})
    with Device("paper", "echo", "latency=20", lib=lib) as device:
        results = device.verify_batch(jobs)
        strays = device.info().stray_answers
    assert [result.tag for result in results] == list(range(JOBS))
    with Device("paper", "echo", "latency=20", lib=lib) as device:
        alone = [device.verify_batch([job])[0].valid for job in jobs]
    assert [result.valid for result in results] == alone
    assert sum(alone) not in (0, JOBS)
    assert strays > 300
