# SPDX-License-Identifier: Apache-2.0
"""Configuration `tiles`: several small engines behind one receiver. A sample of what the other benches ask of the core
in the long tests, and its time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from dv.edverify.edverify_core import CONTEXTS, Core, Job, check, judged, stated
from dv.edverify.test_pm_edverify_barrel_engine import honest, soft_reset, steady_cycles
from pointmill import simbuild
from pointmill.cores import EDVERIFY
from pointmill.rules import VERDICTS, Reason
from vectors import ed25519_vectors
from vectors.hostile import hostile_case, hostile_cases

TILES = EDVERIFY.parameters["tiles"]["Tiles"]
STEADY_CYCLES = 6_560_026
MOST = 6500  # cycles of a tile a verification in a short run


@pytest.fixture(scope="module")
def core() -> Iterator[Core]:
    core = Core("tiles")
    yield core
    core.close()


@pytest.fixture(scope="module")
def hostile() -> list[Job]:
    """Every category of hostile signatures, under every rule."""
    return judged(hostile_case(index, 71) for index in range(26))


def test_rfc8032(core: Core) -> None:
    assert len(check(core, stated(ed25519_vectors.rfc8032_cases()))) == 30


def test_hostile(core: Core, hostile: list[Job]) -> None:
    """Verdict and reason are those of the golden model."""
    assert len(check(core, hostile)) == 156
    assert {job.reason for job in hostile} == VERDICTS - {Reason.malformed_job, Reason.aborted}


def test_every_tile_is_at_work(core: Core) -> None:
    """Exact, from reset on."""
    fresh = Core(core.config)
    cycles, answers = steady_cycles(fresh, honest(150, 72))
    fresh.close()
    assert cycles == STEADY_CYCLES
    assert TILES * cycles <= MOST * answers


def test_pauses(core: Core, hostile: list[Job]) -> None:
    core.pace(73, 60, 60)
    assert len(check(core, random.Random(73).sample(hostile, 30))) == 30
    core.pace()


def test_soft_reset_at_random_cycles(core: Core) -> None:
    """Every job is answered once, then the core is idle and the next jobs are right."""
    rng = random.Random(74)
    jobs = judged(hostile_cases(5, 75, 200))
    points = [0, 3, *(rng.randrange(40_000) for _ in range(3))]
    aborted = sum(soft_reset(core, jobs, rng, point) for point in points)
    assert 0 < aborted <= len(points) * 2 * (CONTEXTS[core.config] + 1)


@pytest.mark.parametrize(("params", "message"), [
    ({"Contexts": 20, "Tiles": 3}, "as many contexts each"),
    ({"Contexts": 21, "Tiles": 3, "Keys": 8}, "as many contexts each"),
    ({"Contexts": 21, "Tiles": 3, "SecretOps": 1}, "operations on secrets"),
    ({"Contexts": 7, "Tiles": 1, "SecretOps": 0}, "at least 2 tiles"),
    ({"Contexts": 16, "Tiles": 2, "SecretOps": 0}, "must be 2 to 7"),
])  # fmt: skip
def test_refused_parameters(params: dict[str, int], message: str) -> None:
    with pytest.raises(simbuild.BuildError, match=message):
        simbuild.lint("pm_edverify", "hw/edverify/edverify.f", params)
