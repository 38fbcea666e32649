# SPDX-License-Identifier: Apache-2.0
"""What a sweep found, as a table in which the points that no other beats are marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from pointmill.bench.records import in_table
from pointmill.sweep.plan import Sweep, point_name
from pointmill.sweep.store import Store

MORE_IS_BETTER = {"mhz", "utilisation"}


def figures(sweep: Sweep, store: Store) -> dict[str, dict[str, float]]:
    """Figures by point and word."""
    found: dict[str, dict[str, float]] = {point_name(point): {} for point in sweep.points()}
    for task, record in store.known(sweep.tasks()):
        if record["error"] is None:
            found[task.point] |= {figure["what"]: figure["value"] for figure in record["figures"]}
    return found


def front(points: Mapping[str, Mapping[str, float]], axes: Sequence[str]) -> set[str]:
    """The points of which none other is as good in every figure of `axes` and better in one; points that lack one of
    them do not take part."""
    rows = {name: [row[what] * (-1 if what in MORE_IS_BETTER else 1) for what in axes]
            for name, row in points.items() if all(what in row for what in axes)}  # fmt: skip

    def beaten(row: list[float]) -> bool:
        return any(other != row and all(a <= b for a, b in zip(other, row, strict=True)) for other in rows.values())

    return {name for name, row in rows.items() if axes and not beaten(row)}


def table(sweep: Sweep, found: Mapping[str, Mapping[str, float]], errors: Mapping[str, Any]) -> Table:
    """A row for each point: parameters, figures, a star if it is on the front, and which measures failed."""
    words = list(dict.fromkeys(word for row in found.values() for word in row))
    axes = [word for word in sweep.pareto if word in words]
    best = front(found, axes)
    result = Table(title=f"{sweep.name}: {sweep.doc}", title_justify="left")
    for name in (*sweep.parameters, *words):
        result.add_column(name, justify="right")
    result.add_column("best" if axes else "", justify="center")
    result.add_column("failed" if errors else "")
    for point in sweep.points():
        name = point_name(point)
        result.add_row(*map(str, point.values()), *(in_table(found[name].get(word)) for word in words),
                       "*" if name in best else "", ", ".join(errors.get(name, ())))  # fmt: skip
    if axes:
        result.caption = f"*: no other point is as good in {', '.join(axes)}"
    return result
