# SPDX-License-Identifier: Apache-2.0
"""Exact cycle counts of a short run of every configuration beside data/ratchet.yaml."""

from __future__ import annotations

import warnings

import pytest

from pointmill import library
from pointmill.bench import ratchet, short
from pointmill.device import Device
from pointmill.rules import RULES


@pytest.mark.parametrize("config", [
    pytest.param(name, marks=[] if name in ("paper", "throughput") else [pytest.mark.long])
    for name in library.CONFIGS])
def test_no_count_is_worse(config: str) -> None:
    """Most in the long tests: no other test of the default run needs their builds."""
    known = {name: value for name, value in ratchet.committed("test").items()
             if name.startswith(f"{config}/")}  # fmt: skip
    with Device(config, lib=library.simulation_library(config)) as device:
        measured = short.measure(device, config)
    assert len(measured) == len(RULES) + 1
    outcome = ratchet.compare(known, measured, ratchet.named(ratchet.CHANGELOG.read_text()))
    assert not outcome.failed, "; ".join(map(str, outcome.failed))
    if others := [*outcome.better, *outcome.allowed]:
        warnings.warn(f"to be written by `{ratchet.UPDATE}`: {'; '.join(map(str, others))}",
                      stacklevel=1)  # fmt: skip
