# SPDX-License-Identifier: Apache-2.0
"""The measurements of data/measurements.yaml by name.

Names: bench.<core>.<part>.<configuration>, syn.<family>.<unit>, pnr.ecp5.<unit>.<seed>, asic.<unit>,
sweep.<sweep>.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from pointmill.simbuild import ROOT
from syn.yosys import read_units

FILE = ROOT / "data" / "measurements.yaml"


@dataclass(frozen=True)
class Measurement:
    """One run of one command. words: the parts of its name behind the kind."""

    kind: str
    words: tuple[str, ...]
    command: str

    @property
    def name(self) -> str:
        """Name of the measurement, and of its record."""
        return ".".join((self.kind, *self.words))


def _units(chosen: Sequence[str] | Mapping[str, Sequence[str]]) -> list[str]:
    """Units by name, of {all_but: names} all others; `ValueError` for an unknown one."""
    known = read_units()
    names = chosen["all_but"] if isinstance(chosen, Mapping) else chosen
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"{FILE.name}: unknown units {unknown}")
    return [name for name in known if name not in names] if isinstance(chosen, Mapping) else list(names)


def _all(plan: Mapping) -> Iterator[Measurement]:
    for core, parts in plan["bench"].items():
        for part, configs in parts.items():
            for config in configs:
                words = (core, part, config)
                yield Measurement("bench", words, f"make measure M=bench.{'.'.join(words)}")
    for family, chosen in plan["syn"].items():
        for unit in _units(chosen):
            yield Measurement("syn", (family, unit), f"make syn U={unit} TARGET={family}")
    for seeds, chosen in plan["pnr"].items():
        for unit in _units(chosen):
            for seed in range(1, seeds + 1):
                yield Measurement("pnr", ("ecp5", unit, str(seed)), f"make pnr U={unit} SEED={seed}")
    for unit in _units(plan["asic"]):
        yield Measurement("asic", (unit,), f"make asic U={unit}")
    for sweep in plan["sweep"]:
        yield Measurement("sweep", (sweep,), f"make measure M=sweep.{sweep}")


def measurements(path: Path = FILE) -> dict[str, Measurement]:
    """All measurements by name, in the order in which they are made; `ValueError` for a name twice."""
    found: dict[str, Measurement] = {}
    for one in _all(yaml.safe_load(path.read_text())):
        if one.name in found:
            raise ValueError(f"{path.name}: {one.name} stands twice")
        found[one.name] = one
    return found
