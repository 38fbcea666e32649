# SPDX-License-Identifier: Apache-2.0
"""Area against time: all forms of `x25519` and of the multipliers, peers beside them, and the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pointmill.cores import X25519
from pointmill.measure.benches.keyexchange import exchange_engine
from pointmill.measure.records import published
from pointmill.report.charts import frame, key
from pointmill.report.figures import Figures
from pointmill.report.svg import COLOURS, INK, Svg
from pointmill.ucode.machine import Machine

AREAS = {"dsp": "DSP slices", "lut": "look-up tables"}


@dataclass(frozen=True)
class Form:
    """A point of the plane: area and cycles; ours, or a peer with its mark."""

    name: str
    area: float
    cycles: float
    ours: bool
    note: str = ""


def published_rows(kind: str, task: str) -> list[dict]:
    """Rows of data/published.yaml on a task; kind: `peers` or `software`."""
    return [row for row in published(kind) if row["task"] == task]


def pareto(forms: Sequence[Form]) -> list[Form]:
    """Those that no other one beats in both area and cycles, by area."""
    best: list[Form] = []
    for form in sorted(forms, key=lambda form: (form.area, form.cycles)):
        if not best or form.cycles < best[-1].cycles:
            best.append(form)
    return best


def exchange_forms(figures: Figures, area: str) -> list[Form]:
    """Forms of `x25519` in steady state, and peers with both figures."""
    found = []
    for config in X25519.parameters:
        size = figures.value(exchange_engine(config), area, "xc7")
        cycles = figures.value("x25519.x25519", "cycles_per_operation", config)
        if size and cycles:
            found.append(Form(config, size, cycles, True))
    return found + _peers("x25519", area)


def _peers(task: str, area: str) -> list[Form]:
    return [Form(row["name"], row[area], row["cycles"], False, f"{row['mark']}, {row['device']}")
            for row in published_rows("peers", task) if row.get(area) and "cycles" in row]


def product_cycles(figures: Figures) -> dict[str, float]:
    """Cycles from a product of 255 or 256 bits to the next, by the unit that makes it: of a pipeline, latency of its
    machine, or as measured in the core."""
    found = {"pm_mulmod": 1.0, "pm_limb_unit": float(Machine("x25519", "paper").latency["mul"])}
    # brainpoolP256r1: a prime that has no special reduction.
    for name, curve, config in (("pm_mont_mul", "P256", "paper"), ("pm_mont_mul_dsp", "P256", "paper"),
                                ("pm_mont_mul_packed", "brainpoolP256r1", "fast"),
                                ("pm_mont_mul_packed_dsp", "brainpoolP256r1", "fast"),
                                ("pm_mont_mul_named_dsp", "P256", "fast")):
        if cycles := figures.value(f"multicurve.{curve}_product", "cycles", config):
            found[name] = cycles
    return found


def multiplier_forms(figures: Figures, area: str) -> list[Form]:
    """The multipliers, and peers with both figures."""
    found = [Form(name, size, cycles, True) for name, cycles in product_cycles(figures).items()
             if (size := figures.value(name, area, "xc7"))]
    return found + _peers("product_256", area) + _peers("product_255", area)


def draw(title: str, forms: Sequence[Form], area: str, what: str) -> str | None:
    """The plane on logarithmic axes, of an area and what takes time, with the front as a stair; None without a form of
    ours."""
    if not any(form.ours for form in forms):
        return None
    areas, cycles = [form.area for form in forms], [form.cycles for form in forms]
    low, high = min(cycles) / 2, max(cycles) * 2.5
    plot = frame(title, (min(areas) / 1.6, max(areas) * 2.6, area, True), (low, high, what, True),
                 height=390)
    front = pareto(forms)
    corners = [(front[0].area, high)]
    for form in front:
        corners += [(form.area, corners[-1][1]), (form.area, form.cycles)]
    corners.append((max(areas) * 2.6, front[-1].cycles))
    plot.picture.path([(plot.x(x), plot.y(y)) for x, y in corners], "#999999", "4 3", 1.2)
    # Marks take the place of a letter, so that no name lies on one.
    taken = [(plot.x(form.area) - 5, plot.x(form.area) + 5, plot.y(form.cycles) + 4) for form in forms]
    for form in sorted(forms, key=lambda form: not form.ours):
        x, y = plot.x(form.area), plot.y(form.cycles)
        tip = (f"{form.name}: {form.area:,.0f} {area}, {form.cycles:,.0f} {what}"
               f"{', ' + form.note if form.note else ''}")
        plot.picture.mark(x, y, "circle" if form.ours else "diamond", COLOURS[0 if form.ours else 5], tip,
                          not form.ours)
        _label(plot.picture, taken, x, y, form.name.removeprefix("pm_"), COLOURS[0] if form.ours else INK, form.ours)
    key(plot.picture, [("ours", "circle", COLOURS[0], False), ("peers", "diamond", COLOURS[5], True),
                       ("Pareto front", "dashed", "#999999", False)], 450, 34)
    return str(plot.picture)


def _label(picture: Svg, taken: list[tuple[float, float, float]], x: float, y: float, name: str, colour: str,
           bold: bool) -> None:
    """Writes a name beside its mark where no other one is yet."""
    wide = 5.9 * len(name)
    places = [(x + 8, y + 4), (x + 8, y - 8), (x + 8, y + 15), (x - 8 - wide, y + 4), (x - 8 - wide, y - 8),
              (x - 8 - wide, y + 15), (x + 8, y + 27), (x + 8, y - 20),
              (x - wide / 2, y - 14), (x - wide / 2, y + 22), (x - wide / 2, y - 27), (x - wide / 2, y + 35)]
    for at, base in places:
        inside = 52 <= at <= picture.width - wide
        if inside and all(abs(base - other) > 11 or at + wide < begin or end < at for begin, end, other in taken):
            break
    else:
        at, base = places[0]
    taken.append((at, at + wide, base))
    picture.text(at, base, name, size=10.5, colour=colour, bold=bold, halo=True)
