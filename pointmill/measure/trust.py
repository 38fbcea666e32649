# SPDX-License-Identifier: Apache-2.0
"""Measurements of how far the project may be trusted, by what they measure: trust.<subject>.<configuration>."""

from __future__ import annotations

from types import ModuleType

from pointmill.measure import timing
from pointmill.measure.coordinates import record as coordinates
from pointmill.measure.faults import record as faults
from pointmill.measure.inputs import Inputs
from pointmill.measure.leakage import record as leakage, remains
from pointmill.measure.mutation import record as mutation
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record

SUBJECTS: dict[str, ModuleType] = {"mutation": mutation, "faults": faults, "timing": timing, "leakage": leakage,
                                   "remains": remains, "coordinates": coordinates}


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on."""
    return SUBJECTS[one.words[0]].inputs(one)


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the run."""
    return SUBJECTS[one.words[0]].config(one)


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what measures."""
    return SUBJECTS[one.words[0]].tools(one)


def run(one: Measurement) -> list[Record]:
    """The figures."""
    return SUBJECTS[one.words[0]].run(one)
