# SPDX-License-Identifier: Apache-2.0
"""Exact cycle counts of the short run of every configuration of one engine beside data/ratchet.yaml."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import pytest
from cores.multicurve.multicurve_core import Core

from pointmill.bench import multicurve, ratchet
from pointmill.curve_device import SIGNING, CurveJob


@pytest.mark.parametrize("config", multicurve.CONFIGS)
def test_no_count_is_worse(config: str) -> None:
    known = {name: value for name, value in ratchet.committed("test").items()
             if name.startswith(f"multicurve/{config}/")}  # fmt: skip

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
    outcome = ratchet.compare(known, measured, ratchet.named(ratchet.CHANGELOG.read_text()))
    assert not outcome.failed, "; ".join(map(str, outcome.failed))
    if others := [*outcome.better, *outcome.allowed]:
        warnings.warn(f"to be written by `{ratchet.UPDATE}`: {'; '.join(map(str, others))}",
                      stacklevel=1)  # fmt: skip
