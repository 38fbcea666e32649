# SPDX-License-Identifier: Apache-2.0
"""Configurations `tiles` and `tiles_secret`, several small engines behind one receiver: a sample of what the other
benches ask of them in the long tests, and their time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from dv.edverify.edverify_core import CONTEXTS, OKAY, Core, Job, check, judged, packet, reasons, stated
from dv.edverify.test_pm_edverify_barrel_engine import CTRL, honest, soft_reset, steady_cycles
from pointmill import simbuild
from pointmill.rules import VERDICTS, Reason
from vectors import ed25519_vectors
from vectors.hostile import hostile_case, hostile_cases


class Pace(NamedTuple):
    """A run with jobs waiting at all times. cycles: exactly; most: for each verification."""

    jobs: int
    cycles: int
    most: int


PACES = {"tiles": Pace(150, 4_071_939, 6500 // 3), "tiles_secret": Pace(150, 6_110_133, 6500 // 2)}


@pytest.fixture(scope="module", params=PACES)
def core(request: pytest.FixtureRequest) -> Iterator[Core]:
    core = Core(request.param)
    yield core
    core.close()


@pytest.fixture(scope="module")
def hostile() -> list[Job]:
    """Every category of hostile signatures, under every rule."""
    return judged(hostile_case(index, 71) for index in range(26))


def test_rfc8032(core: Core) -> None:
    assert len(check(core, stated(ed25519_vectors.rfc8032_cases()))) == 30


@pytest.mark.parametrize("rules", [2, pytest.param(6, marks=pytest.mark.long)])
def test_hostile(core: Core, hostile: list[Job], rules: int) -> None:
    """Verdict and reason are those of the golden model, under so many rules in turns."""
    jobs = [job for at, job in enumerate(hostile) if (at + at // 6) % 6 < rules]
    assert len(check(core, jobs)) == 26 * rules
    assert {job.reason for job in jobs} == VERDICTS - {Reason.malformed_job, Reason.aborted}


def test_pace(core: Core) -> None:
    """Exact, from reset on: every tile that verifies is at work."""
    pace = PACES[core.config]
    fresh = Core(core.config)
    cycles, answers = steady_cycles(fresh, honest(pace.jobs, 72))
    fresh.close()
    assert cycles == pace.cycles
    assert cycles <= pace.most * answers


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


def test_soft_reset_in_a_packet(core: Core, hostile: list[Job]) -> None:
    """A job whose message has not ended is aborted, not judged."""
    beats = packet(7, 0, bytes(32), bytes(4000), bytes(64))
    core.push_part(beats[:-100])
    core.run(1500)
    assert core.write(CTRL, 1) == OKAY
    core.push(beats[-100:])
    assert reasons(core.answers(1)) == [(7, Reason.aborted)]
    assert len(check(core, hostile[:3])) == 3


REFUSED = [
    ({"Contexts": 20, "Tiles": 3}, "all tiles have as many contexts"),
    ({"Contexts": 21, "Tiles": 3, "Keys": 16}, "at most 8 keys"),
    ({"Contexts": 21, "Tiles": 3, "SecretOps": 1}, "all tiles have as many contexts"),
    ({"Contexts": 8, "Scheduled": 1, "SecretOps": 1}, "operations on secrets"),
    ({"Contexts": 1, "Tiles": 1}, "all tiles have as many contexts"),
    ({"Contexts": 7, "Tiles": 1, "SecretOps": 0}, "at least 2 tiles"),
    ({"Contexts": 16, "Tiles": 2, "SecretOps": 0}, "must be 2 to 7"),
]  # fmt: skip


@pytest.mark.parametrize(("params", "message"), [
    *REFUSED[:2], *(pytest.param(*case, marks=pytest.mark.long) for case in REFUSED[2:])])
def test_refused_parameters(params: dict[str, int], message: str) -> None:
    with pytest.raises(simbuild.BuildError, match=message):
        simbuild.lint("pm_edverify", "hw/edverify/edverify.f", params)
