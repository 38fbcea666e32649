# SPDX-License-Identifier: Apache-2.0
"""Exact cycle counts of a short run of every configuration beside the committed records."""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

from pointmill.cores import EDVERIFY
from pointmill.measure import ratchet
from pointmill.measure.benches import short
from pointmill.rules import RULES


@pytest.mark.parametrize("config", [
    pytest.param(name, marks=[] if name in ("paper", "throughput") else [pytest.mark.long])
    for name in EDVERIFY.parameters])
def test_no_count_is_worse(config: str) -> None:
    """Most in the long tests: no other test of the default run needs their builds."""
    known = ratchet.committed()[0][f"bench.edverify.short.{config}"]
    measured = short.measure(config)
    assert len(measured) == len(RULES) + 1
    outcome = ratchet.check([known], [replace(known, figures=measured)])
    assert not outcome.failed, "; ".join(map(str, outcome.failed))
    if others := [*outcome.better, *outcome.allowed]:
        warnings.warn(f"to be written by `pointmill measure {known.measurement}`: {'; '.join(map(str, others))}",
                      stacklevel=1)  # fmt: skip
