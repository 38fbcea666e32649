# SPDX-License-Identifier: Apache-2.0
"""What tests of commands on points share: the fixture `run`, a toy curve, the fields of a product."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pointmill import cli
from pointmill.curves import Curve, by_name
from pointmill.model.weierstrass import multiply

Run = Callable[..., tuple[int, list[dict[str, Any]]]]
TOY = {"p": "11", "a": "2", "b": "2", "gx": "5", "gy": "1", "n": "13"}
"""17 elements, 19 points."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs a command in this process on lines (objects, or texts as they are) and further words: exit code and
    answers."""

    def call(command: str, records: list[dict[str, Any] | str], *words: str) -> tuple[int, list[dict[str, Any]]]:
        file = tmp_path / "jobs"
        file.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records))
        try:
            code = cli.main([command, str(file), *words])
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, [json.loads(text) for text in capsys.readouterr().out.splitlines()]

    return call


def wanted(curve: Curve, k: int, point: tuple[int, int]) -> dict[str, Any]:
    """The fields of a product in an answer."""
    product = multiply(curve, k, point)
    if product is None:
        return {"r_infinity": True}
    return {name: f"{value:0{2 * curve.bytes}x}" for name, value in zip(("rx", "ry"), product, strict=True)}


def products(names: Sequence[str], rounds: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines of products on named curves by turns, and their answers: special scalars and others, of the base point and
    of another one."""
    rng = random.Random(1)
    records, expected = [], []
    for index in range(rounds):
        for name in names:
            curve = by_name(name)
            k = (0, 1, curve.n - 1, curve.n, curve.n + 1, rng.randrange(curve.n), (2 << curve.bits) - 1)[index]
            record: dict[str, Any] = {"curve": name, "k": f"{k:x}", "tag": f"{name} {index}"}
            point = curve.g
            if index in (1, 5):
                point = multiply(curve, rng.randrange(1, 1000), curve.g)
                record |= {"px": f"{point[0]:X}", "py": f"{point[1]:x}"}
            records.append(record)
            expected.append({"tag": record["tag"], **wanted(curve, k, point)})
    return records, expected


def without_cycles(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer of a core without its cycles, which must be there."""
    assert answer["cycles"] > 0
    return {key: value for key, value in answer.items() if key != "cycles"}
