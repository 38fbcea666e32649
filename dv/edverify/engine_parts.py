# SPDX-License-Identifier: Apache-2.0
"""For benches of parts of the engine: names and words of the generated ROMs."""

from __future__ import annotations

import re

from pointmill.simbuild import ROOT

CORE = ROOT / "hw" / "edverify"
RTL, GEN = CORE / "rtl", CORE / "gen"
PACKAGES = [
    "hw/lib/seq/pm_ucode_pkg.sv", "hw/lib/scalar/pm_scalar_pkg.sv", "hw/edverify/gen/pm_edverify_pkg.sv",
    *(GEN / f"pm_edverify_{name}_ucode_pkg.sv" for name in ("throughput", "latency", "bulk", "tile")),
    GEN / "pm_edverify_throughput_wipe_pkg.sv",
    RTL / "pm_edverify_batch_pkg.sv",
]  # fmt: skip
KINDS = ("g0", "g1", "a", "r")


def numbers(configuration: str, prefix: str, package: str = "ucode") -> dict[str, int]:
    """Constants of a machine's package whose names begin with `prefix`, without it."""
    text = (GEN / f"pm_edverify_{configuration}_{package}_pkg.sv").read_text()
    found = re.findall(rf"\b{prefix}([A-Z]\w*) = (?:\d+'d)?(\d+)\b", text)
    assert found and len(dict(found)) == len(found)
    return {name: int(value) for name, value in found}


def rom(configuration: str) -> dict[int, int]:
    """Its words by address."""
    text = (GEN / f"pm_edverify_{configuration}_rom.sv").read_text()
    words = re.findall(r"\d+'d(\d+): +data_o <= \d+'h([0-9a-f]+);", text)
    assert len(words) > 250
    return {int(address): int(word, 16) for address, word in words}


def point(kind: str, neg: int = 0, idx: int = 0) -> int:
    """As list_point_t, 11 bits."""
    return KINDS.index(kind) << 9 | neg << 8 | idx


def entry(pos: int, kind: str, neg: int, more: int, idx: int) -> int:
    """As list_entry_t, 21 bits."""
    return pos << 12 | KINDS.index(kind) << 10 | neg << 9 | more << 8 | idx
