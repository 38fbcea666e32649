# SPDX-License-Identifier: Apache-2.0
"""The measurements and the sweeps of data/measurements.yaml by name.

Names: bench.<core>.<part>.<configuration>, tls.handshake.<group>, syn.<family>.<unit>, pnr.ecp5.<unit>.<seed>,
asic.<unit>, board.<board>.<seed or netlist>, derived.<core>.<figure>, install.wheel, serve.<what>,
trust.<subject>.<configuration>, sweep.<sweep>.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import yaml

from pointmill.measure.synthesis.yosys import read_units
from pointmill.measure.task import Params, Task, subject_module
from pointmill.simbuild import ROOT

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
    for group in plan["tls"]:
        yield Measurement("tls", ("handshake", group), f"make measure M=tls.handshake.{group}")
    for family, chosen in plan["syn"].items():
        for unit in _units(chosen):
            yield Measurement("syn", (family, unit), f"make syn U={unit} TARGET={family}")
    for seeds, chosen in plan["pnr"].items():
        for unit in _units(chosen):
            for seed in range(1, seeds + 1):
                yield Measurement("pnr", ("ecp5", unit, str(seed)), f"make pnr U={unit} SEED={seed}")
    for unit in _units(plan["asic"]):
        yield Measurement("asic", (unit,), f"make asic U={unit}")
    for board, found in plan["board"].items():
        for what in map(str, found):
            yield Measurement("board", (board, what), f"make measure M=board.{board}.{what}")
    for core, figures in plan["derived"].items():
        for figure in figures:
            yield Measurement("derived", (core, figure), f"make measure M=derived.{core}.{figure}")
    for what in plan["install"]:
        yield Measurement("install", (what,), f"make measure M=install.{what}")
    for what in plan["serve"]:
        yield Measurement("serve", (what,), f"make measure M=serve.{what}")
    for subject, configs in plan["trust"].items():
        for config in configs:
            yield Measurement("trust", (subject, config), f"make measure M=trust.{subject}.{config}")
    for sweep, entry in plan["sweep"].items():
        if entry.get("record"):
            yield Measurement("sweep", (sweep,), f"make measure M=sweep.{sweep}")


def measurements(path: Path = FILE) -> dict[str, Measurement]:
    """All measurements by name, in the order in which they are made; `ValueError` for a name twice."""
    found: dict[str, Measurement] = {}
    for one in _all(yaml.safe_load(path.read_text())):
        if one.name in found:
            raise ValueError(f"{path.name}: {one.name} stands twice")
        found[one.name] = one
    return found


def select(known: dict[str, Measurement], names: Sequence[str]) -> list[Measurement]:
    """Those measurements whose name is one of `names` or goes on behind it; `KeyError` for a name that fits none."""
    for name in names:
        if not any(f"{other}.".startswith(f"{name}.") for other in known):
            raise KeyError(name)
    return [one for one in known.values() if not names or any(f"{one.name}.".startswith(f"{name}.") for name in names)]


def nearest(known: Collection[str], name: str) -> list[str]:
    """Up to three names, or beginnings of names, that are like `name`."""
    whole = (one.split(".") for one in known)
    beginnings = dict.fromkeys(".".join(words[:count]) for words in whole for count in range(1, len(words) + 1))
    return get_close_matches(name, beginnings)


# ---- sweeps ---------------------------------------------------------------------------------------

_KEYS = {"doc", "subject", "parameters", "fixed", "without", "measures", "pareto", "record"}
_VALUE = re.compile(r"[\w.+-]+")


class PlanError(ValueError):
    """A sweep that cannot be run, and why."""


@dataclass(frozen=True)
class Sweep:
    """A named sweep: every combination of the values of `parameters`, but those that agree with an entry of
    `without`; `fixed` are parameters that are the same in all. pareto: the figures that are weighed against
    each other."""

    name: str
    doc: str
    subject: str
    parameters: Mapping[str, Sequence[int | str]]
    fixed: Params
    without: Sequence[Params]
    measures: tuple[str, ...]
    pareto: tuple[str, ...]

    def points(self) -> list[Params]:
        """The combinations, in the order of the values."""
        combinations = (dict(zip(self.parameters, values, strict=True))
                        for values in itertools.product(*self.parameters.values()))
        return [point for point in combinations
                if not any(entry.items() <= point.items() for entry in self.without)]

    def tasks(self) -> list[Task]:
        """One for each point and measure; those of a measure stand together, cheap ones first."""
        return [Task(self.name, self.subject, what, point_name(point), {**self.fixed, **point})
                for what in self.measures for point in self.points()]  # fmt: skip


def point_name(point: Params) -> str:
    """How a point is called, also in names of files."""
    return ",".join(f"{name}={value}" for name, value in point.items())


def _scalars(where: str, values: object) -> list[int | str]:
    """The values of a parameter; PlanError unless they are whole numbers or words, at least one, no two alike."""
    if not isinstance(values, list) or not values:
        raise PlanError(f"{where}: a list of values is wanted, not {values!r}")
    for value in values:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole and not (isinstance(value, str) and _VALUE.fullmatch(value)):
            raise PlanError(f"{where}: {value!r} is neither a whole number nor a word")
    if len(set(values)) != len(values):
        raise PlanError(f"{where}: a value stands there twice")
    return values


def _sweep(name: str, entry: Mapping) -> Sweep:
    if missing := {"doc", "subject", "parameters", "measures"} - entry.keys():
        raise PlanError(f"sweep {name}: no {', '.join(sorted(missing))}")
    if unknown := entry.keys() - _KEYS:
        raise PlanError(f"sweep {name}: unknown keys {', '.join(sorted(unknown))}")
    parameters = {key: _scalars(f"sweep {name}, {key}", values) for key, values in entry["parameters"].items()}
    return Sweep(name, entry["doc"], entry["subject"], parameters, entry.get("fixed", {}), entry.get("without", []),
                 tuple(entry["measures"]), tuple(entry.get("pareto", ())))  # fmt: skip


def sweeps(path: Path = FILE) -> dict[str, Sweep]:
    """The sweeps of a file by name; PlanError for what is wrong in it."""
    try:
        entries = yaml.safe_load(path.read_text())["sweep"]
        return {name: _sweep(name, entry) for name, entry in entries.items()}
    except (OSError, yaml.YAMLError, TypeError, KeyError, AttributeError) as error:
        raise PlanError(f"{path}: no file of sweeps: {error}") from error


def chosen(sweep: Sweep, settings: Sequence[str], measures: Sequence[str]) -> Sweep:
    """`sweep` with other values, each setting NAME=VALUE,..., and other measures; PlanError where its subject does
    not know them, or nothing is left."""
    module = subject_module(sweep.subject)
    parameters = dict(sweep.parameters)
    for setting in settings:
        name, sign, text = setting.partition("=")
        if not sign:
            raise PlanError(f"{setting!r} is not NAME=VALUE,...")
        words = [_number(word) for word in text.split(",")]
        parameters[name] = _scalars(f"sweep {sweep.name}, {name}", words)
    fixed = {name: value for name, value in sweep.fixed.items() if name not in parameters}
    if unknown := [name for name in (*parameters, *fixed) if name not in module.PARAMETERS]:
        raise PlanError(f"sweep {sweep.name}: no parameter {', '.join(unknown)}; "
                        f"there are {', '.join(module.PARAMETERS)}")  # fmt: skip
    if unknown := [name for name in measures or sweep.measures if name not in module.MEASURES]:
        raise PlanError(f"sweep {sweep.name}: no measure {', '.join(unknown)}; there are {', '.join(module.MEASURES)}")
    found = replace(sweep, parameters=parameters, fixed=fixed, measures=tuple(measures) or sweep.measures)
    if not found.points():
        raise PlanError(f"sweep {sweep.name}: no point is left")
    return found


def _number(word: str) -> int | str:
    """The whole number that a word is, or the word."""
    try:
        return int(word, 0)
    except ValueError:
        return word
