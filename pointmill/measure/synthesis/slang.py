# SPDX-License-Identifier: Apache-2.0
"""Elaboration by slang: what it says of sources, ports and local parameters of a unit, and what a unit is made of."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pointmill.measure.synthesis.yosys import Unit, elaboration
from pointmill.simbuild import resolve_sources

if TYPE_CHECKING:
    import pyslang.driver

HERE = Path(__file__)


def parsed(words: Sequence[str], sources: Iterable[Path]) -> pyslang.driver.Driver | None:
    """slang with `sources` read under the options `words`; None where it refuses them, then with messages."""
    import pyslang.driver

    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    line = shlex.join(["slang", "--single-unit", *words, *map(str, sources)])
    good = driver.parseCommandLine(line) and driver.processOptions() and driver.parseAllSources()
    return driver if good else None


def _read(unit: Unit) -> pyslang.driver.Driver:
    """slang with the sources of a unit; `ValueError` where it refuses them."""
    if (driver := parsed(elaboration(unit), resolve_sources(unit.sources))) is None:
        raise ValueError(f"slang does not read {unit.top}")
    return driver


def top_body(unit: Unit) -> pyslang.ast.InstanceBodySymbol:
    """The elaborated top module of `unit`; `ValueError` with what slang says where it refuses the module or its
    parameters."""
    import pyslang

    driver = _read(unit)
    compilation = driver.createCompilation()
    top = compilation.getRoot().topInstances[0]
    if errors := [found for found in compilation.getAllDiagnostics() if found.isError()]:
        raise ValueError(pyslang.DiagnosticEngine.reportAll(driver.sourceManager, errors).strip())
    return top.body


@dataclass(frozen=True)
class Part:
    """A module or package of a design: its file, and its text without comments and whitespace."""

    path: Path
    tokens: tuple[str, ...]


def parts(unit: Unit) -> list[Part]:
    """The modules that are instantiated from the top of a unit with its parameters, and the packages that they and
    these packages name, in the order of their names; `ValueError` for sources that slang does not read, or without the
    top."""
    driver = _read(unit)
    compilation = driver.createCompilation()
    tops = compilation.getRoot().topInstances
    if [top.name for top in tops] != [unit.top]:
        raise ValueError(f"no module {unit.top} in its sources")
    packages = {package.name: package for package in compilation.getPackages() if package.syntax is not None}
    found: dict[str, Part] = {}
    pending = [tops[0].definition, *_definitions(tops[0].body)]
    while pending:
        symbol = pending.pop()
        if symbol.name not in found:
            tokens = _tokens(symbol.syntax)
            found[symbol.name] = Part(Path(driver.sourceManager.getFullPath(symbol.location.buffer)), tokens)
            pending += [packages[name] for name, mark in pairwise(tokens) if mark == "::" and name in packages]
    return [found[name] for name in sorted(found)]


def _tokens(syntax: pyslang.syntax.SyntaxNode) -> tuple[str, ...]:
    """Without comments and whitespace, in their order."""
    from pyslang.parsing import Token

    found: list[str] = []
    syntax.visit(lambda node: found.append(node.rawText) if isinstance(node, Token) else None)
    return tuple(found)


def _definitions(scope: Any) -> Iterator[pyslang.ast.DefinitionSymbol]:
    """The modules that are instantiated in a scope and below it, once for each instance."""
    from pyslang.ast import InstanceSymbol, SymbolKind

    blocks = (SymbolKind.GenerateBlock, SymbolKind.GenerateBlockArray, SymbolKind.InstanceArray)
    for member in scope:
        if isinstance(member, InstanceSymbol):
            yield member.definition
            yield from _definitions(member.body)
        elif member.kind in blocks and not getattr(member, "isUninstantiated", False):
            yield from _definitions(member)


def constants(unit: Unit, *names: str) -> list[int]:
    """Local parameters of the top module, by name. `ValueError` as above."""
    body: Any = top_body(unit)
    return [int(body.find(name).value.value) for name in names]


def ports(unit: Unit) -> list[tuple[str, bool, int]]:
    """The ports of the top module: name, whether an input, bits. `ValueError` as above."""
    import pyslang

    return [(port.name, port.direction == pyslang.ast.ArgumentDirection.In, port.type.bitstreamWidth)
            for port in top_body(unit).portList]
