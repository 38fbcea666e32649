# SPDX-License-Identifier: Apache-2.0
"""The core with several contexts and segmented carry chains (Segment = 64): verdicts and rate."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cores.edverify.edverify_core import CONTEXTS, Core, check, judged
from cores.edverify.test_pm_barrel_engine import honest, steady_cycles

from pointmill.hostile import hostile_cases
from pointmill.rules import RULES

CONFIG = "segmented"


@pytest.fixture
def core() -> Iterator[Core]:
    core = Core(CONFIG)
    yield core
    core.close()


def test_hostile_signatures(core: Core) -> None:
    """Every category under every rule; all contexts at work."""
    jobs = judged(hostile_cases(26, seed=52, max_message=300))
    assert len(jobs) == 26 * len(RULES)
    assert len(check(core, jobs)) == len(jobs)


def test_steady_state(core: Core) -> None:
    """The depth of the pipeline costs contexts, not cycles of the multiplier."""
    cycles, answers = steady_cycles(core, honest(5 * CONTEXTS[CONFIG], 7))
    assert cycles <= 2125 * answers
