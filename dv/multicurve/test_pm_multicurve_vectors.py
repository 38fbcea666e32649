# SPDX-License-Identifier: Apache-2.0
"""Published known answers through the commands, the driver and pm_multicurve: a sample of every set, or all."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pointmill.commands.curve_lines import parse_line, record_of
from pointmill.cores import MULTICURVE
from pointmill.curve_device import CurveDevice
from pointmill.curve_runner import Runner
from pointmill.curves import known
from vectors import ec_vectors
from vectors.ec_cases import EcCase

INPUTS = {
    "ecmul": ("k", "px", "py"), "ecmul2": ("u", "px", "py", "v", "qx", "qy"), "pubkey-check": ("qx", "qy"),
    "ecdh": ("d", "qx", "qy"), "xdh": ("k", "u"), "ecdsa-verify": ("digest", "qx", "qy", "r", "s"),
    "ecdsa-sign": ("digest", "d", "k", "hash"), "sm2-verify": ("e", "qx", "qy", "r", "s"),
}  # fmt: skip
"""Values of a case that go into its line."""
UNPUBLISHED = {"W-25519", "Wei25519", "W-448", "W-Ed448", "W-41417", "BLS12-381-G1", "Ed25519", "Ed448", "Curve41417"}
"""Curves of which the folder has no cases of these operations."""
WIDE = 320
"""Bits of the curves that take longest."""


@pytest.fixture(scope="module")
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    with CurveDevice(request.param) as device:
        yield Runner(device, lambda n: None)


def configs(*sampled: str) -> pytest.MarkDecorator:
    """Runs a test with every configuration; only with those named in the normal run."""
    return pytest.mark.parametrize("runner", [
        pytest.param(name, marks=() if name in sampled else pytest.mark.long) for name in MULTICURVE.parameters
        if not name.startswith("contexts")  # which have a few of the operations
    ], indirect=True)  # fmt: skip


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else value if isinstance(value, str) else f"{value:x}"


def line_of(case: EcCase) -> dict[str, Any]:
    """The line of a case. The nonces of RFC 6979 are left to the command."""
    values = {name: case.values[name] for name in INPUTS[case.operation] if name in case.values}
    if "rfc6979" in case.source:
        values.pop("k", None)
    elif case.operation == "ecdsa-sign":
        values.pop("hash", None)
    line = {name: _text(value) for name, value in values.items()}
    curve = case.curve
    if case.operation != "xdh":
        if curve.name in known():
            line["curve"] = curve.name
        else:
            numbers = {"p": curve.p, "a": curve.a, "b": curve.b, "n": curve.n}
            numbers |= dict(zip(("gx", "gy"), curve.g or (), strict=False))
            line["params"] = {name: _text(value) for name, value in numbers.items() if value is not None}
    return line


def agrees(case: EcCase, answer: dict[str, Any]) -> bool:
    """Whether an answer is what the case says."""
    v = case.values
    if case.operation in ("pubkey-check", "ecdsa-verify", "sm2-verify"):
        return answer["valid"] == v["valid"]
    if v.get("expect") == "invalid_point":
        return answer.get("error") == "invalid_point"
    if case.operation == "ecdh" and v["z"] is None:
        return answer.get("error") in ("invalid_point", "scalar_out_of_range")
    if case.operation == "xdh":
        return answer.get("out") == v["out"].hex() and answer["all_zero"] == v.get("all_zero", not any(v["out"]))
    if v.get("r_infinity"):
        return answer.get("r_infinity") is True
    names = {"ecdh": ("z",), "ecdsa-sign": ("r", "s")}.get(case.operation, ("rx", "ry"))
    return all(name in answer and int(answer[name], 16) == v[name] for name in names)


def wrong(runner: Runner, cases: list[EcCase]) -> list[tuple[str, str, dict[str, Any]]]:
    """The cases with another answer; curve by curve, so that few loads are needed."""
    order = sorted(range(len(cases)), key=lambda i: (cases[i].curve.name, cases[i].operation))
    found = []
    for start in range(0, len(order), 256):
        part = [cases[i] for i in order[start:start + 256]]
        commands = [case.curve.name.lower() if case.operation == "xdh" else case.operation for case in part]
        items = [parse_line(command, json.dumps(line_of(case)).encode(), i, None)
                 for i, (case, command) in enumerate(zip(part, commands, strict=True))]
        results = runner.results([item.job for item in items])
        for case, command, item, result in zip(part, commands, items, results, strict=True):
            answer = record_of(command, item, result)
            if not agrees(case, answer):
                found.append((case.source, case.id, answer))
    return found


def sampled(cases: list[EcCase], most: int, every: int = 1) -> list[EcCase]:
    """`most` of each set, one of those that begin with a wide curve, and of these of one set of `every`."""
    sets: dict[tuple[str, str], list[EcCase]] = {}
    for case in cases:
        sets.setdefault((case.source, case.operation), []).append(case)
    chosen, wide = [], 0
    for (source, operation), all_of_it in sets.items():
        count = min(most, len(all_of_it))
        if all_of_it[0].curve.bits >= WIDE:
            count, wide = int(wide % every == 0), wide + 1
        chosen += random.Random(f"{source} {operation}").sample(all_of_it, count)
    return chosen


def test_packages_cover_the_operations() -> None:
    found = ec_vectors.package_cases()
    assert found.counts("operation") == {"ecdsa-verify": 9409, "ecdh": 2587, "xdh": 1016, "ecdsa-sign": 500,
                                         "ecmul": 360, "pubkey-check": 160}  # fmt: skip
    assert found.refused.total() == 4142
    assert {case.curve.name for case in found.cases} == {
        "P-192", "P-224", "P-256", "P-384", "P-521", "secp256k1", "X25519", "X448",
        *(f"brainpoolP{bits}r1" for bits in (256, 384, 512))}


@configs("fast")
@pytest.mark.parametrize(("count", "most", "every"), [(45, 1, 4), pytest.param(97, 2, 1, marks=pytest.mark.long)])
def test_sample_of_the_packages(count: int, most: int, every: int, runner: Runner) -> None:
    cases = sampled(ec_vectors.package_cases().cases, most, every)
    assert len(cases) == count
    assert wrong(runner, cases) == []


@configs()
def test_small_sample_of_the_packages(runner: Runner) -> None:
    """Of each set one case whose curve is not wide."""
    cases = [case for case in sampled(ec_vectors.package_cases().cases, 1) if case.curve.bits < WIDE]
    assert len(cases) == 33
    assert wrong(runner, cases) == []


@configs()
def test_whole_packages(runner: Runner) -> None:
    cases = ec_vectors.package_cases().cases
    assert len(cases) == 14032
    assert wrong(runner, cases) == []


def folder_cases(folder: Path) -> list[EcCase]:
    """Cases of the folder but for iterated X25519 and X448, for which there is no command."""
    found = ec_vectors.folder_cases(folder)
    cases = [case for case in found.cases if case.values.get("iterations", 1) == 1]
    assert len(found.cases) - len(cases) <= 12 < 20000 < len(cases)
    assert set(found.counts("operation")) == set(INPUTS)
    assert {case.curve.name for case in cases} >= set(known()) - UNPUBLISHED
    return cases


@configs("fast")
@pytest.mark.parametrize(("sources", "every"), [(80, 4), pytest.param(100, 1, marks=pytest.mark.long)])
def test_sample_of_the_folder(sources: int, every: int, runner: Runner, vectors_dir: Path) -> None:
    """And every example of the standards among it, or one of four."""
    cases = folder_cases(vectors_dir)
    examples = [case for case in cases if case.source.startswith("rfc/") and case.curve.bits < WIDE]
    chosen = sampled([case for case in cases if not case.source.startswith("rfc/")], 1, every) + examples[::every]
    assert len({case.source for case in chosen}) > sources
    assert wrong(runner, chosen) == []


@configs()
def test_whole_folder(runner: Runner, vectors_dir: Path) -> None:
    cases = folder_cases(vectors_dir)
    assert wrong(runner, cases) == []
