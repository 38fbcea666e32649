# SPDX-License-Identifier: Apache-2.0
"""Table of docs/mpu.md: cycles of the records, and times at the routed clock, if there is one."""

from __future__ import annotations

from pointmill.measure.benches.mpu import BITS, CORE, NAMED, SCALAR_BITS
from pointmill.measure.records import ROOT
from pointmill.report import resource_tables
from pointmill.report.figures import Figures
from pointmill.report.marks import filled
from pointmill.report.tables import Table

PAGE = ROOT / "docs" / "mpu.md"
UNIT = "pm_mpu"
OPERATIONS = {
    **{op: f"`{op}`, {BITS} bits" for op in ("add", "mul", "reduction", "mont_mul", "invert", "affine_add",
                                             "affine_dq")},
    f"ecmul_{SCALAR_BITS}": f"`ecmul`, {BITS} bits, scalar of {SCALAR_BITS}",
    f"ecmul_{NAMED}": f"`ecmul`, {NAMED}, secret scalar of {SCALAR_BITS}",
}  # fmt: skip


def times(figures: Figures) -> Table:
    """A line for each operation that was measured."""
    mhz = resource_tables.clock(figures, UNIT)
    found = {meaning: figures.cycles(f"{CORE}.{op}", "full") for op, meaning in OPERATIONS.items()}
    return Table(["operation", "cycles", "us"], [
        [meaning, f"{cycles:,.0f}", "" if mhz is None else f"{cycles / mhz:,.2f}"]
        for meaning, cycles in found.items() if cycles is not None])


def document(figures: Figures) -> str:
    """The document with its table; `ValueError` if it is without the marks."""
    mhz = resource_tables.clock(figures, UNIT)
    clock = "which was not routed" if mhz is None else f"placed and routed, at {mhz:.1f} MHz"
    return filled(PAGE, {"times": f"On an ECP5-85, {clock}:\n\n{times(figures).markdown()}"})
