# SPDX-License-Identifier: Apache-2.0
"""Tables of resources, clocks and standard cells of all units that were measured."""

from __future__ import annotations

from statistics import median

from pointmill.measure.synthesis.yosys import read_units
from pointmill.report.figures import Figures
from pointmill.report.tables import Table

FAMILIES = {"xc7": ("lut", "ff", "dsp", "ramb18"), "ecp5": ("lut", "ff", "dsp", "ebr"),
            "nexus": ("lut", "ff", "dsp", "ebr")}
NAMES = {"xc7": "7 series", "ecp5": "ECP5", "nexus": "Nexus"}
_ROUTED = ("comb", "ff", "dsp", "ebr")


def _units(figures: Figures, configs: set[str]) -> list[str]:
    found = {record.id for record in figures.records if record.config in configs}
    return [name for name in read_units() if name in found]


def clocks(figures: Figures, unit: str) -> dict[str, float]:
    """Routed clocks of a unit on ECP5 by seed, the lowest first, in MHz."""
    found = {record.config: record.value for record in figures.records
             if record.id == unit and record.what == "mhz" and record.config.startswith("ecp5 seed ")}
    return dict(sorted(found.items()))


def clock(figures: Figures, unit: str) -> float | None:
    """Median of the routed clocks of a unit, in MHz; None where it was not routed."""
    found = clocks(figures, unit)
    return median(found.values()) if found else None


def taken(figures: Figures, unit: str, what: str) -> float | None:
    """What a unit takes, placed and routed with the lowest seed; None where it was not routed."""
    return next((figures.value(unit, what, seed) for seed in clocks(figures, unit)), None)


def resources(figures: Figures) -> Table:
    """A line for each unit, by family, before placement."""
    heads = ["unit", *(f"{NAMES[family]} {what.upper()}" for family, columns in FAMILIES.items() for what in columns)]
    rows = [[f"`{name}`", *(figures.value(name, what, family) for family, columns in FAMILIES.items()
                            for what in columns)]
            for name in _units(figures, set(FAMILIES))]
    return Table(heads, rows)


def routed(figures: Figures) -> Table:
    """A line for each unit that was placed and routed: median clock and the number of seeds, resources of the first."""
    rows = [[f"`{name}`", f"{median(found.values()):,.1f}", len(found),
             *(taken(figures, name, what) for what in _ROUTED)]
            for name in read_units() if (found := clocks(figures, name))]
    return Table(["unit", "MHz, median", "seeds", *(what.upper() for what in _ROUTED)], rows)


def cells(figures: Figures) -> Table:
    """A line for each unit in standard cells: how it was mapped, gate equivalents, and the clock of the paths between
    its registers."""
    units = read_units()
    libraries = sorted({record.config for record in figures.records if record.what == "kge"})
    heads = ["unit", "restructured", *(f"{library} {what}" for library in libraries for what in ("kGE", "MHz"))]
    rows = [[f"`{name}`", "no" if units[name].quick else "yes",
             *(figures.value(name, what, library) for library in libraries for what in ("kge", "mhz"))]
            for name in _units(figures, set(libraries))]
    return Table(heads, rows)


def sections(figures: Figures) -> str:
    """The section of docs/performance.md; without what was not measured."""
    text = ""
    for title, table in (("Resources by Yosys, before placement", resources(figures)),
                         ("Clock on an ECP5-85, placed and routed alone", routed(figures)),
                         ("Standard cells, before placement", cells(figures))):
        if table.rows:
            text += f"\n## {title}\n\n{table.markdown()}"
    return text
