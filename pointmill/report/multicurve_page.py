# SPDX-License-Identifier: Apache-2.0
"""Section of docs/performance.md on `multicurve`: table 1 of the paper beside ours, utilisation, signatures,
area times time in standard cells."""

from __future__ import annotations

from pointmill.measure.benches import multicurve
from pointmill.measure.benches.multicurve import CORE, NAMES, SIGNATURES
from pointmill.measure.derived import CURVES, OTHER, area_time
from pointmill.measure.records import published
from pointmill.report import resource_tables
from pointmill.report.figures import Figures
from pointmill.report.tables import Table

CONFIGS = tuple(sorted(multicurve.CONFIGS, key=["paper", "fast"].index))
COLUMNS = {
    "product": "product", "double": "doubling", "double_add": "doubling and addition",
    "ladder_step": "ladder step", "inversion": "inversion", "whole": "whole product",
    "whole_inversion": "with inversion",
    "secret": "secret scalar",
}  # fmt: skip
BUSY = {"double": "doubling", "double_add": "doubling and addition", "walk": "all of a scalar loop",
        "ladder_step": "ladder step"}
CONTEXTS_CORE = "pm_multicurve_contexts_core"
CONTEXTS = (("`contexts`", CONTEXTS_CORE, ("contexts",)),
            (f"`contexts`, {OTHER}", CONTEXTS_CORE, (f"contexts_{OTHER}",)),
            ("`contexts_wide`", "pm_multicurve_contexts_wide",
             ("contexts_wide_P256", "contexts_wide_P521")))  # fmt: skip
"""Configurations of contexts: their unit, and their cycles on the curves of the table, or on one of as many bits."""
ROUTED = {"contexts": "P-256", "contexts_inversion": "P-256, with inversion", f"contexts_{OTHER}": OTHER}
"""Cycles of the contexts, by record, that the clock of the router makes a rate of."""
SCHEMES = {
    "ecdsa_sign": "ECDSA signature, P-256", "ecdsa_verify": "ECDSA verification, P-256",
    "ecdsa_verify_no_inversion": "the same without inversions", "sm2_sign": "SM2 signature",
    "sm2_verify": "SM2 verification", "sm2_verify_no_inversion": "the same without inversion",
}  # fmt: skip


def _figure(figures: Figures, name: str, config: str, *words: str) -> float | None:
    """A value by its record, of the first of the words that was measured; None where none was."""
    found = (figures.value(f"{CORE}.{name}", word, config) for word in words)
    return next((value for value in found if value is not None), None)


def _count(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _table_1(figures: Figures) -> Table:
    rows = []
    for name, known in NAMES.items():
        for config in CONFIGS:
            found = [_figure(figures, f"{name}_{what}", config, "cycles", "cycles_mean") for what in COLUMNS]
            if any(found):
                rows.append([known, f"`{config}`", *map(_count, found)])
        if printed := published(CORE)["table1"].get(name):
            rows.append([known, "published", *(_count(printed.get(what)) for what in COLUMNS)])
    return Table(["curve", "", *COLUMNS.values()], rows, left=2)


def _utilisation(figures: Figures) -> Table:
    printed, rows = published(CORE)["utilisation"], []
    for name, known in NAMES.items():
        for what, meaning in BUSY.items():
            found = [_figure(figures, f"{name}_{what}", config, "utilisation") for config in CONFIGS]
            if any(found):
                shares = [*found, printed.get(name, {}).get(what)]
                rows.append([known, meaning, *("" if share is None else f"{share:.1%}" for share in shares)])
    return Table(["curve", "", *(f"`{config}`" for config in CONFIGS), "published"], rows, left=2)


def _signatures(figures: Figures) -> Table:
    rows = [[meaning, *(_count(_figure(figures, name, config, "cycles", "cycles_mean")) for config in CONFIGS)]
            for name, meaning in SCHEMES.items()]
    return Table(["", *(f"`{config}`" for config in CONFIGS)], rows)


def _cells(figures: Figures) -> Table:
    """Area times time in standard cells beside table 3, by library or process; with register arrays as flip-flops and
    as macros."""
    rows = []
    for library in sorted({record.config for record in figures.records if record.id == f"{CORE}.at"}):
        mhz = figures.measured("pm_multicurve", "mhz", library)
        cycles = [figures.measured(f"{CORE}.{curve}_whole", "cycles_mean", "paper") for curve in CURVES]
        for what, arrays in (("kge", "flip-flops"), ("kge_macros", "macros, estimated")):
            if (kge := figures.value("pm_multicurve", what, library)) is not None:
                rows.append(["`paper`", library, arrays, f"{mhz:,.1f}", f"{kge:,.1f}", f"{cycles[0] / mhz:,.1f}",
                             *(f"{area_time(kge, mhz, one):,.1f}" for one in cycles)])  # fmt: skip
        for what, unit, names in CONTEXTS:
            clock, area = (figures.value(unit, one, library) for one in ("mhz", "kge"))
            found = [one for name in names if (one := figures.value(f"{CORE}.{name}", "cycles_mean", ""))]
            if clock and area and found:
                rows.append([what, library, "flip-flops", f"{clock:,.1f}", f"{area:,.1f}",
                             f"{found[0] / clock:,.1f}",
                             *(f"{area_time(area, clock, one):,.1f}" for one in found),
                             *[""] * (len(CURVES) - len(found))])  # fmt: skip
    cycles = [published(CORE)["table1"][curve]["whole"] for curve in CURVES]
    rows += [["published", f"{one['process']} nm", "", f"{one['mhz']}", f"{one['kge']:,.1f}",
              f"{cycles[0] / one['mhz']:,.1f}", *(f"{one['at'][curve]:,.1f}" for curve in CURVES)]
             for one in published(CORE)["area"]] if rows else []  # fmt: skip
    return Table(["", "cells", "register arrays", "MHz", "kGE", "P-256, us", "P-256, kGE ms", "P-521, kGE ms"], rows,
                 left=3)  # fmt: skip


def _area_time(figures: Figures) -> str:
    table = _cells(figures)
    return ("\nArea times time of a product without inversion, beside table 3 of the paper. `paper` by "
            "`make asic U=pm_multicurve`, [`contexts`](multicurve-contexts.md) and "
            "`contexts_wide` by `make asic U=pm_multicurve_contexts_core` and `U=pm_multicurve_contexts_wide`, with "
            "fan-out trees and wires estimated before placement, which is not what a routed chip has ([how it is "
            "timed](toolchain.md#standard-cells)). Of these two the time is that between two results where every "
            "context has a job; each takes three times as long. Modulo P-256 `contexts`, modulo P-521 `contexts_wide` "
            "take [two digits of a factor a step](field-montgomery.md#skewed-columns), other primes one: of the latter "
            f"{OTHER} is an example.\n\n"
            + table.markdown()) if table.rows else ""  # fmt: skip


def _routed(figures: Figures) -> str:
    """Rate of the contexts at the clock of the router; empty where they were not routed."""
    clock = resource_tables.clock(figures, CONTEXTS_CORE)
    rows = [[what, _count(cycles), f"{clock:,.1f}", f"{cycles / clock:,.1f}", _count(1e6 * clock / cycles)]
            for name, what in ROUTED.items() if clock and (cycles := _figure(figures, name, "", "cycles_mean"))]
    return ("\n`contexts` on an ECP5-85, placed and routed alone (`make pnr U=pm_multicurve_contexts_core`, area and "
            "path [below](#clock-on-an-ecp5-85-placed-and-routed-alone)), with multiplier blocks in place of Booth "
            "digits: cycles between two results where every context has a job.\n\n"
            + Table(["", "cycles", "MHz", "us", "a second"], rows).markdown()) if rows else ""  # fmt: skip


def section(figures: Figures) -> str:
    """The section; empty where `multicurve` was not measured."""
    if not any(record.id.startswith(f"{CORE}.") for record in figures.records):
        return ""
    return (
        "\n## `multicurve`\n\nMeasured in the verilated core by its words, multipliers and inverter "
        "(`pointmill bench multicurve`), every result compared with the golden model. Published: table 1 and "
        f"section 3.2 of {published(CORE)['source']}. Whole products are without inversion, as published, and without "
        "the reception of the job, but with conversions and the check of the point; those by non-adjacent form are "
        "means with a third of the digits not 0, those by windows means of seeded scalars. In `fast` the additions are "
        "those of affine points of a table. A secret scalar takes the Montgomery ladder, always in the same cycles.\n\n"
        + _table_1(figures).markdown()
        + "\nShare of the cycles in which the multipliers work, both counted. The published ladder step leaves out "
        "the cycle of the exchange. [Schedules of the blocks](multicurve-programs.md#schedules).\n\n"
        + _utilisation(figures).markdown()
        + f"\nSignatures from header to result, in cycles; verifications: mean of {SIGNATURES} seeded ones.\n\n"
        + _signatures(figures).markdown()
        + _area_time(figures)
        + _routed(figures)
    )
