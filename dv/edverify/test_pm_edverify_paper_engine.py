# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_paper_engine inside the core, cycle for cycle against the microcode simulator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from dv.edverify.edverify_core import Core, Job, check, judged
from dv.edverify.edverify_units import simulate
from pointmill.rules import RULES, VERDICTS, Reason
from vectors.hostile import hostile_cases

# The first word is issued in cycle 15 after the header (12 beats, 1 to see them complete, 2 of the
# sequencer); the answer is offered in the cycle after the last word.
OVERHEAD = 15


@pytest.fixture(scope="module")
def core() -> Iterator[Core]:
    core = Core()
    yield core
    core.close()


def check_cycles(core: Core, jobs: list[Job]) -> Counter[Reason]:
    """Every job takes the cycles that the program takes with the inverter's answers in time."""
    results = check(core, jobs)
    for job, result in zip(jobs, results, strict=True):
        run = simulate(job.rule, job.case.pk, job.case.msg, job.case.sig)
        assert result.reason == run.reason
        assert result.cycles - run.cycles == OVERHEAD, (job.case.id, job.rule)
    return Counter(Reason(result.reason) for result in results)


def short_jobs(count: int, seed: int, rules: int = len(RULES)) -> list[Job]:
    """Messages that have been hashed long before the digest is needed, and have ended before the
    first refusal; under so many rules in turns."""
    jobs = judged(hostile_cases(count, seed, max_message=8))
    return [job for at, job in enumerate(jobs) if (at + at // 6) % 6 < rules]


@pytest.mark.parametrize(("cases", "rules"), [(26, 2), pytest.param(52, 6, marks=pytest.mark.long)])
def test_cycles_equal_those_of_the_simulator(core: Core, cases: int, rules: int) -> None:
    reasons = check_cycles(core, short_jobs(cases, 81, rules))
    assert reasons.total() == cases * rules
    assert reasons.keys() == VERDICTS - {Reason.malformed_job, Reason.aborted}


@pytest.mark.long
def test_cycles_equal_those_of_the_simulator_long(core: Core) -> None:
    assert check_cycles(core, short_jobs(520, seed=82)).total() == 3120
