# SPDX-License-Identifier: Apache-2.0
"""Table of docs/x25519.md: cycles of the records, DSP slices and LUT that synthesis checks (data/units.yaml), published
figures of data/published.yaml.
"""

from __future__ import annotations

from pointmill.cores import X25519
from pointmill.measure.benches.keyexchange import CORE, resources
from pointmill.measure.records import ROOT, published
from pointmill.report import resource_tables
from pointmill.report.figures import Figures, complete
from pointmill.report.marks import filled
from pointmill.report.tables import Table

PAGE = ROOT / "docs" / "x25519.md"
UNITS = {"paper": "pm_x25519_paper", "tile": "pm_x25519_tile_core"}
"""Whole cores of data/units.yaml, by configuration."""


def cycles(figures: Figures, config: str) -> tuple[float | None, float | None]:
    """Cycles of a job alone, and of an operation where jobs wait."""
    alone, each = (figures.value(f"{CORE}.x25519", what, config) for what in ("cycles_alone", "cycles_per_operation"))
    return alone, each


def page_table(figures: Figures) -> Table:
    """A line for each measured form, and one for the published figures; times at the routed clock, if there is one."""
    paper = published(CORE)
    lines: dict[str, tuple[float, float, int, int, float | None]] = {}
    for config in X25519.parameters:
        if found := complete(cycles(figures, config)):
            alone, each = found
            lines[f"`{config}`"] = (alone, each, resources(config)["dsp"], resources(config)["lut"],
                                    resource_tables.clock(figures, UNITS[config]))
    printed = f"published ({paper['source'].split(',')[0]})"
    lines[printed] = (paper["cycles"], paper["cycles"], paper["dsp"], paper["lut"], float(paper["clock_mhz"]))
    heads = ["form", "single-job latency, cycles (1)", "cycles an operation (2)", "DSP (3)", "LUT (3)", "MHz (4)",
             "latency, us", "DSP x time an operation, DSP us"]
    return Table(heads, [
        [name, f"{latency:,.0f}", f"{pace:,.0f}", str(dsp), f"{lut:,}",
         *(["", "", ""] if mhz is None else [f"{mhz:.1f}", f"{latency / mhz:,.1f}", f"{dsp * pace / mhz:,.0f}"])]
        for name, (latency, pace, dsp, lut, mhz) in lines.items()])


def document(figures: Figures) -> str:
    """The document with its table; `ValueError` if it is without the marks."""
    return filled(PAGE, {"x25519": page_table(figures).markdown()})
