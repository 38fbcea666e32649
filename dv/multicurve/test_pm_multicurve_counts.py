# SPDX-License-Identifier: Apache-2.0
"""Exact cycle counts of the short run of every configuration of one engine beside the committed records."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import pytest

from dv.multicurve.multicurve_core import Core
from pointmill.curve_device import SIGNING, CurveJob
from pointmill.measure import ratchet
from pointmill.measure.benches import multicurve


@pytest.mark.parametrize("config", multicurve.CONFIGS)
def test_no_count_is_worse(config: str) -> None:
    known = ratchet.committed()[0][f"bench.multicurve.short.{config}"]

    def cycles_of(jobs: Sequence[CurveJob]) -> list[int]:
        with Core(config) as core:
            found = []
            for job in jobs:
                flags = ("secret",) if job.op in SIGNING else job.flags
                answer = core.ask(job.op, *job.operands, option=job.option, flags=flags)
                assert answer.reason == "ok"
                found.append(answer.cycles)
            return found

    measured = multicurve.short(config, cycles_of)
    assert len(measured) == len(multicurve.short_jobs()) == 8
    outcome = ratchet.check([known], [replace(known, figures=measured)])
    assert not outcome.failed, "; ".join(map(str, outcome.failed))
    if others := [*outcome.better, *outcome.allowed]:
        warnings.warn(f"to be written by `pointmill measure {known.measurement}`: {'; '.join(map(str, others))}",
                      stacklevel=1)  # fmt: skip
