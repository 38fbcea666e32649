# SPDX-License-Identifier: Apache-2.0
"""Elaboration by slang: what it says of sources, and the ports and local parameters of a unit."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyslang
import pyslang.driver

from pointmill.simbuild import resolve_sources
from syn.yosys import Unit, elaboration

HERE = Path(__file__)


def parsed(words: Sequence[str], sources: Iterable[Path]) -> pyslang.driver.Driver | None:
    """slang with `sources` read under the options `words`; None where it refuses them, with its messages on standard error."""
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    line = shlex.join(["slang", "--single-unit", *words, *map(str, sources)])
    good = driver.parseCommandLine(line) and driver.processOptions() and driver.parseAllSources()
    return driver if good else None


def top_body(unit: Unit) -> pyslang.ast.InstanceBodySymbol:
    """The elaborated top module of `unit`; `ValueError` with what slang says where it refuses the module or its
    parameters."""
    driver = parsed(elaboration(unit), resolve_sources(unit.sources))
    if driver is None:
        raise ValueError(f"slang does not read {unit.top}")
    compilation = driver.createCompilation()
    top = compilation.getRoot().topInstances[0]
    if errors := [found for found in compilation.getAllDiagnostics() if found.isError()]:
        raise ValueError(pyslang.DiagnosticEngine.reportAll(driver.sourceManager, errors).strip())
    return top.body


def constants(unit: Unit, *names: str) -> list[int]:
    """Local parameters of the top module, by name. `ValueError` as above."""
    body = top_body(unit)
    return [int(body.find(name).value.value) for name in names]


def ports(unit: Unit) -> list[tuple[str, bool, int]]:
    """The ports of the top module: name, whether an input, bits. `ValueError` as above."""
    return [(port.name, port.direction == pyslang.ast.ArgumentDirection.In, port.type.bitstreamWidth)
            for port in top_body(unit).portList]
