# SPDX-License-Identifier: Apache-2.0
"""`multicurve` on the simulator with a named curve loaded."""

from __future__ import annotations

from functools import cache

from pointmill import curves
from pointmill.model import weierstrass
from pointmill.ucode.multicurve import Answer, Device


@cache
def device(name: str, config: str = "paper") -> Device:
    loaded = Device(curves.by_name(name), config)
    assert loaded.reason == "ok"
    return loaded


def good(answer: Answer, point: weierstrass.Point) -> bool:
    return answer.reason == "ok" and answer.point == point
