# SPDX-License-Identifier: Apache-2.0
"""Table of docs/x25519.md: cycles of the records, DSP slices and LUT that synthesis checks (data/units.yaml), published
figures of data/published.yaml.
"""

from __future__ import annotations

import re

from pointmill.cores import X25519
from pointmill.measure.benches.keyexchange import CORE, resources
from pointmill.measure.records import ROOT, published
from pointmill.report.figures import Figures, complete
from pointmill.report.tables import Table

PAGE = ROOT / "docs" / "x25519.md"
_SECTION = re.compile(r"(<!-- x25519:start -->\n).*(<!-- x25519:end -->)", re.DOTALL)


def cycles(figures: Figures, config: str) -> tuple[float | None, float | None]:
    """Cycles of a job alone, and of an operation where jobs wait."""
    alone, each = (figures.value(f"{CORE}.x25519", what, config) for what in ("cycles_alone", "cycles_per_operation"))
    return alone, each


def page_table(figures: Figures) -> Table:
    """A line for each measured form, and one for the published figures, with products of resources and time."""
    paper = published(CORE)
    clock = paper["clock_mhz"]
    lines = {f"`{config}`": (*found, resources(config)["dsp"], resources(config)["lut"])
             for config in X25519.parameters if (found := complete(cycles(figures, config)))}
    printed = f"published ({paper['source'].split(',')[0]})"
    lines[printed] = (paper["cycles"], paper["cycles"], paper["dsp"], paper["lut"])
    heads = ["form", "single-job latency, cycles (1)", "cycles an operation (2)", "DSP (3)", "LUT (3)",
             "DSP x time alone, DSP us (4)", "DSP x time an operation (4)", "LUT x time alone, LUT s (4)",
             "LUT x time an operation (4)"]
    return Table(heads, [
        [name, f"{alone:,.0f}", f"{each:,.0f}", str(dsp), f"{lut:,}",
         *(f"{dsp * count / clock:,.0f}" for count in (alone, each)),
         *(f"{lut * count / clock / 1e6:.3f}" for count in (alone, each))]
        for name, (alone, each, dsp, lut) in lines.items()])


def document(figures: Figures) -> str:
    """The document with its table; `ValueError` if it is without the marks."""
    text, count = _SECTION.subn(lambda m: m[1] + page_table(figures).markdown() + m[2], PAGE.read_text())
    if count != 1:
        raise ValueError(f"{PAGE.name}: {count} sections x25519")
    return text
