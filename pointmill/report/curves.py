# SPDX-License-Identifier: Apache-2.0
"""Figures of `multicurve` and of `x25519`: where the cycles of a scalar multiplication go."""

from __future__ import annotations

from pointmill.curves import MontgomeryCurve, by_name
from pointmill.measure.benches import multicurve
from pointmill.measure.records import published
from pointmill.report.charts import ABSENT, Bar, stacked
from pointmill.report.figures import Figures, complete
from pointmill.report.svg import Svg
from pointmill.report.tables import Cell

SERIES = ("doublings", "additions", "ladder steps", "conversions and check", "inversion")


def _weierstrass(figures: Figures, name: str, config: str) -> list[float] | None:
    """By the mean numbers of point operations: a digit of three is not 0 by non-adjacent form, one of width + 1 by
    windows. The measured addition comes with a doubling. The rest makes tables, converts and checks the point."""
    def value(what: str, word: str) -> float | None:
        return figures.value(f"{multicurve.CORE}.{name}_{what}", word, config)

    found = complete([value("double", "cycles"), value("double_add", "cycles"), value("whole", "cycles_mean"),
                      value("inversion", "cycles")])
    if found is None:
        return None
    double, both, whole, inversion = found
    bits = by_name(multicurve.NAMES[name]).bits
    digits = 3 if config == "paper" else multicurve.window(bits) + 1
    doublings, additions = bits * double, bits / digits * (both - double)
    return [doublings, additions, 0, max(whole - doublings - additions, 0), inversion]


def _montgomery(figures: Figures, name: str, config: str) -> list[float] | None:
    def value(what: str) -> float | None:
        return figures.value(f"{multicurve.CORE}.{name}_{what}", "cycles", config)

    found = complete([value("ladder_step"), value("whole"), value("inversion")])
    if found is None:
        return None
    step, whole, inversion = found
    steps = by_name(multicurve.NAMES[name]).bits * step
    return [0, 0, steps, whole - steps, inversion]


def whole(figures: Figures, names: tuple[str, ...] = ("P256", "P384", "P521", "X25519", "X448"),
          configs: tuple[str, ...] = ("paper", "fast")) -> Svg:
    """A bar for each curve and configuration."""
    bars = []
    for name in names:
        montgomery = isinstance(by_name(multicurve.NAMES[name]), MontgomeryCurve)
        for config in configs:
            parts = (_montgomery if montgomery else _weierstrass)(figures, name, config)
            bars.append(Bar(f"{multicurve.NAMES[name]}, {config}", parts))
    return stacked("Where the cycles of a product of a point and a scalar go", SERIES, bars,
                   "share of the cycles; beside the bars their number, with inversion", share=True)


def against_published(figures: Figures, config: str = "fast") -> list[list[Cell]]:
    """Rows: curve, published whole product, ours in `paper` and in `config`, published / ours."""
    rows: list[list[Cell]] = []
    for name, printed in published(multicurve.CORE)["table1"].items():
        ours = [figures.cycles(f"{multicurve.CORE}.{name}_whole", own) for own in ("paper", config)]
        ratio = None if ours[1] is None else f"{printed['whole'] / ours[1]:.2f}"
        rows.append([multicurve.NAMES[name], printed["whole"], *(
            ABSENT if value is None else value for value in ours), ratio or ""])
    return rows
