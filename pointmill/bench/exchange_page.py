# SPDX-License-Identifier: Apache-2.0
"""Tables of `x25519` in the README and in docs/x25519.md, written by `make gen`.

Cycles are the committed ones (data/ratchet.yaml), with which every run of the core is compared, DSP slices and LUT those
that synthesis checks (syn/units.yaml), published figures those of data/published.yaml. So the tables need no run.
"""

from __future__ import annotations

import re
from pathlib import Path

from pointmill.bench import ratchet
from pointmill.bench.keyexchange import CORE, resources
from pointmill.bench.records import ROOT, published
from pointmill.library import X25519_CONFIGS

README = ROOT / "README.md"
PAGE = ROOT / "docs" / "x25519.md"
_SECTION = re.compile(r"(<!-- x25519:start -->\n).*(<!-- x25519:end -->)", re.DOTALL)


def cycles(config: str) -> tuple[int, float]:
    """Cycles of a job alone, and of an operation where jobs wait."""
    known = ratchet.committed(CORE)
    return known[f"{CORE}/{config}/x25519/cycles_alone"], known[f"{CORE}/{config}/x25519/cycles_per_operation"]


def readme_table() -> str:
    """A column for each form, and one for the published figures."""
    paper = published(CORE)
    found = [cycles(config) for config in X25519_CONFIGS]
    rows = {
        "clock cycles of one job alone": [*(alone for alone, _ in found), paper["cycles"]],
        "clock cycles an operation, jobs waiting": [*(each for _, each in found), paper["cycles"]],
        "DSP48E1": [*(resources(config)["dsp"] for config in X25519_CONFIGS), paper["dsp"]],
    }
    text = f"| `x25519` | {' | '.join(f'`{config}`' for config in X25519_CONFIGS)} | published |\n"
    text += "|---|" + "---:|" * (len(X25519_CONFIGS) + 1) + "\n"
    return text + "".join(f"| {name} | {' | '.join(f'{value:,.0f}' for value in row)} |\n" for name, row in rows.items())


def page_table() -> str:
    """A line for each form, and one for the published figures, with products of resources and time."""
    paper = published(CORE)
    clock = paper["clock_mhz"]
    lines = {f"`{config}`": (*cycles(config), resources(config)["dsp"], resources(config)["lut"])
             for config in X25519_CONFIGS}
    lines[f"published ({paper['source'].split(',')[0]})"] = (paper["cycles"], paper["cycles"], paper["dsp"], paper["lut"])
    text = (f"| form | cycles of a job alone (1) | cycles an operation (2) | DSP (3) | LUT (3) | DSP x time alone, DSP us (4) "
            "| DSP x time an operation (4) | LUT x time alone, LUT s (4) | LUT x time an operation (4) |\n"
            "|---|" + "---:|" * 8 + "\n")
    for name, (alone, each, dsp, lut) in lines.items():
        cells = [f"{alone:,.0f}", f"{each:,.0f}", str(dsp), f"{lut:,}",
                 *(f"{dsp * count / clock:,.0f}" for count in (alone, each)),
                 *(f"{lut * count / clock / 1e6:.3f}" for count in (alone, each))]
        text += f"| {name} | {' | '.join(cells)} |\n"
    return text


def outputs() -> dict[Path, str]:
    """The files with their tables, by path; `ValueError` for one without the marks."""
    texts = {}
    for path, table in ((README, readme_table()), (PAGE, page_table())):
        texts[path], count = _SECTION.subn(lambda m, table=table: m[1] + table + m[2], path.read_text())
        if count != 1:
            raise ValueError(f"{path.name}: {count} sections x25519")
    return texts
