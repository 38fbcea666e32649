# SPDX-License-Identifier: Apache-2.0
"""What tests of commands on points share: the fixture `run`, a toy curve, the fields of a product."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pointmill import cli
from pointmill.curves import Curve
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


def without_cycles(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer of a core without its cycles, which must be there."""
    assert answer["cycles"] > 0
    return {key: value for key, value in answer.items() if key != "cycles"}
