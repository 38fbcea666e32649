# SPDX-License-Identifier: Apache-2.0
"""The sections of the report: titles, a sentence each, figures and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pointmill.cores import X25519
from pointmill.measure.benches.keyexchange import exchange_core
from pointmill.measure.records import published
from pointmill.report import breakeven, curves, diagram, edverify, plane, resource_tables
from pointmill.report.area import CORES as EDVERIFY_UNITS
from pointmill.report.charts import ABSENT
from pointmill.report.figures import Figures
from pointmill.report.load_page import PACE
from pointmill.report.svg import Svg
from pointmill.report.tables import Cell, Table
from pointmill.ucode import images

EXCHANGE = "cycles_per_operation"


@dataclass(frozen=True)
class Section:
    """name: of its anchor; parts: HTML, or Markdown-free text that becomes a paragraph when it does not begin with
    `<`."""

    name: str
    title: str
    parts: list[str | None]


@dataclass(frozen=True)
class Row:
    """A configuration of a core: what it computes, key of its cycles, unit of data/units.yaml, published cycles."""

    core: str
    config: str
    what: str
    key: tuple[str, str, str]
    unit: str
    printed: float | None = None


def rows() -> list[Row]:
    """What each core does, in the configurations that have a line of their own."""
    units = {config: unit for unit, config in EDVERIFY_UNITS.items()}
    paper = published("edverify")["verify"]
    found = [Row("edverify", config, "verifies a signature", ("edverify.verify", PACE, config), units[config], paper)
             for config in ("throughput", "latency", "tiles", "paper")]
    found += [Row("edverify", config, f"verifies, {what}", (f"edverify.verify_{mode}", PACE, config), units[config],
                  paper)
              for config, mode, what in (("bulk", "cached", "cached keys"), ("bulk", "batch", "batches of 64"),
                                         ("tiles", "cached", "cached keys"))]
    printed = published("multicurve")["table1"]["P256"]["whole"]
    found += [Row("multicurve", config, "multiplies a point of P-256", ("multicurve.P256_whole", "cycles_mean", config),
                  f"pm_multicurve{suffix}", printed)
              for config, suffix in (("fast", "_fast"), ("paper", ""))]
    found += [Row("x25519", config, "exchanges a key", ("x25519.x25519", EXCHANGE, config), exchange_core(config),
                  published("x25519")["cycles"]) for config in X25519.parameters]
    return found


def _or_absent(value: float | None) -> Cell:
    return ABSENT if value is None else value


def overview(figures: Figures) -> Section:
    """A line for each configuration of each core."""
    lines: list[list[Cell]] = []
    for row in rows():
        cycles = figures.value(*row.key)
        mhz = resource_tables.clock(figures, row.unit)
        ratio = f"{row.printed / cycles:.2f}" if cycles and row.printed else ""
        lines.append([f"{row.core} `{row.config}`", row.what, _or_absent(cycles), row.printed, ratio,
                      *(_or_absent(figures.value(row.unit, what, "xc7")) for what in ("dsp", "lut")),
                      ABSENT if mhz is None else f"{mhz:.1f}",
                      "" if mhz is None or cycles is None else 1e6 * mhz / cycles])
    table = Table(["core", "what it does", "cycles", "published", "published / ours", "DSP48E1", "LUT", "MHz, ECP5",
                   "a second"],
                  lines, left=2)
    return Section("cores", "What each core does", [
        "Clock cycles of an operation where jobs wait, in the verilated core; resources on a 7-series FPGA by Yosys "
        "before placement; clock of the whole core placed and routed on an ECP5-85, median of the seeds, and the rate "
        "at it.",
        table.html()])  # fmt: skip


def verification(figures: Figures) -> Section:
    """`edverify`."""
    load = edverify.load(figures)
    return Section("edverify", "Ed25519 verification: edverify", [
        f"Published: {published('edverify')['source']}. From `paper` to `throughput` two changes are told apart by the "
        "products that both make: cycles in which no product starts, and products.",
        figure(edverify.way(figures), "From the published cycles of a verification to today's."),
        figure(edverify.phases(figures), "Where the cycles of one verification go; A and R are decompressed together."),
        figure(edverify.multiplier(figures), "What the multiplier does in each cycle of the steady state."),
        figure(load, "Latency against load; thick: mean, thin: 95 of 100 jobs. Load 1 is the rate of the steady state.")
        if load else f"Latency against load: {ABSENT}.",
    ])  # fmt: skip


def products(figures: Figures) -> Section:
    """`multicurve`."""
    table = Table(["curve", "published", "`paper`", "`fast`", "published / `fast`"], curves.against_published(figures))
    return Section("multicurve", "Any prime curve: multicurve", [
        f"Cycles of a product of a point and a scalar without inversion, beside {published('multicurve')['source']}.",
        table.html(),
        figure(curves.whole(figures), "Where the cycles go, split by the mean numbers of point operations."),
    ])  # fmt: skip


def processor(figures: Figures) -> Section:
    """`mpu`."""
    printed = published("mpu")
    lines: list[list[Cell]] = []
    for op, cycles in [*printed["cycles"].items(), ("invert", None), ("ecmul_256", None)]:
        ours = figures.cycles(f"mpu.{op}", "full")
        ratio = f"{cycles / ours:.2f}" if cycles and ours else ""
        lines.append([f"`{op}`", cycles, _or_absent(ours), ratio])
    return Section("mpu", "Arithmetic for a processor: mpu", [
        f"Cycles of an operation on numbers of 704 bits, beside {printed['source']}. The published affine operations "
        "read their inverses from a table, ours compute them; `ecmul_256`: a product of a point and a scalar of 256 "
        "bits, within the core.",
        Table(["operation", "published", "ours", "published / ours"], lines).html()])  # fmt: skip


def planes(figures: Figures) -> Section:
    """Area and time of `x25519` and of the multipliers."""
    parts: list[str | None] = ["Cycles of an operation where jobs wait against area; lower and further left is "
                               "better. Peers whose sources say only one of both are in the table of peers."]
    for what, forms, unit in (("X25519", plane.exchange_forms, "cycles of an operation"),
                              ("Products of 255 or 256 bits", plane.multiplier_forms,
                               "cycles from product to product")):
        for area, name in plane.AREAS.items():
            drawn = plane.draw(f"{what}, {name}", forms(figures, area), f"{name}, 7 series", unit)
            parts.append(figure(drawn, f"{what} against {name}.") if drawn else f"{what} against {name}: {ABSENT}.")
    return Section("planes", "Area against time", parts)


def against_cpu(figures: Figures) -> Section:
    """Break-even with one core of a CPU."""
    sources = published("sources")
    parts: list[str | None] = [
        f"One engine against one core: {sources['zen4']}; lib25519 and s2n-bignum: {sources['lib25519']}. Drawn are "
        "engines that were placed and routed, marked at the clock that was found. Left of the crossing with its line, "
        "the CPU is faster. A server has many cores where a board has room for few engines, and crypto_mb takes eight "
        "requests at a time; "
        "nothing here says what either costs in power. The tables give the clock in MHz at which both are level and, "
        "where it is known, who is ahead at the routed clock."]
    for task, name in breakeven.TASKS.items():
        drawn = breakeven.draw(figures, task)
        parts += [f"<h3>{name[:1].upper()}{name[1:]}</h3>",
                  figure(drawn, f"{name} a second over the clock.", "clocked") if drawn else f"{ABSENT}.",
                  breakeven.table(figures, task).html()]  # fmt: skip
    return Section("cpu", "One engine against one core of a CPU", parts)


OPEN = {("edverify", "halfsize"), ("x25519", "paper"), ("multicurve", "xdh"), ("mpu", "ecmul")}
"""Programs that are shown at once, the others on demand."""


@lru_cache(maxsize=1)
def _programs() -> tuple[str, ...]:
    parts = []
    for core, config, program in images.programs():
        blocks = images.timelines(core, config, program)
        cycles = sum(block.cycles for block in blocks)
        busy = sum(block.cycles * block.utilisation for block in blocks) / cycles
        title = f"{core}: {program}, machine {config}"
        shown = " open" if (core, program) in OPEN else ""
        parts.append(f"<details class=program{shown}><summary>{title}: {len(blocks)} blocks, {cycles:,} cycles, "
                     f"{busy:.0%}</summary>\n{figure(diagram.draw(title, blocks), '')}</details>\n")
    return tuple(parts)


def datapaths(_: Figures) -> Section:
    """Every program on its datapath."""
    return Section("programs", "Programs on their datapaths", [
        "Each strip is a block of a program, below each other the units of the datapath, from left to right its "
        "cycles; at its right its length and the share of it in which the multipliers work. * the scheduler did not "
        "prove that it takes the fewest cycles. Where an engine works on several jobs, whose words take turns, a "
        "cycle here is a word. Products of multicurve: 8 cycles, of mpu: 22.", *_programs()])  # fmt: skip


TASKS = {"ed25519_verify": "Verification of Ed25519 signatures", "x25519": "X25519",
         "p256_multiply": "Product of a point and a scalar, P-256",
         "p256_verify": "Verification of ECDSA signatures, P-256",
         "secp256k1_verify": "Verification of ECDSA signatures, secp256k1",
         "p384_verify": "Verification of ECDSA signatures, P-384", "product_255": "Product modulo 2^255 - 19",
         "product_256": "Montgomery product of 256 bits"}  # fmt: skip


def peers(figures: Figures) -> Iterator[str]:
    """A table for each task: ours, then the others."""
    ours = {"ed25519_verify": ("edverify",), "x25519": ("x25519",), "p256_multiply": ("multicurve",)}
    columns = ("cycles", "mhz", "rate", "us", "lut", "ff", "dsp", "kge")
    heads = ["", "device", "cycles", "MHz", "a second", "us", "LUT", "FF", "DSP", "kGE", "mark", "source"]
    for task, title in TASKS.items():
        lines: list[list[Cell]] = []
        for row in (row for row in rows() if row.core in ours.get(task, ())):
            area = [figures.value(row.unit, what, "xc7") for what in ("lut", "ff", "dsp")]
            cycles = _or_absent(figures.value(*row.key))
            what = f", {row.what.partition(', ')[2]}" if "," in row.what else ""
            lines.append([f"{row.core} `{row.config}`{what}", "xc7 by Yosys", cycles, None, None, None, *area, None,
                          "measured", "records"])
        mine = frozenset(range(len(lines)))
        lines += [[row["name"], row["device"], *(row.get(what) for what in columns), row["mark"],
                   row["source"]] for row in plane.published_rows("peers", task)]
        kept = [place for place in range(len(heads)) if any(line[place] is not None for line in lines)]
        lines = [[line[place] for place in kept] for line in lines]
        table = Table([heads[place] for place in kept], lines, left=2, marks=mine)
        yield f"<h3>{title}</h3>\n{table.html()}"


def others(figures: Figures) -> Section:
    """Published and open peers."""
    sources = published("sources")
    listed = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in sources.items())
    return Section("peers", "Beside published and open designs", [
        "claimed: as the source prints it; derived: by arithmetic from such figures; measured: by us, of ours in the "
        "records, of others on their sources as published. Devices differ; slices and multipliers of different "
        "families are not alike.",
        *peers(figures), f"<h3>Sources</h3><dl class=sources>{listed}</dl>"])  # fmt: skip


def resources(figures: Figures) -> Section:
    """All units."""
    parts: list[str | None] = []
    for title, table in (("By Yosys, before placement", resource_tables.resources(figures)),
                         ("Placed and routed alone on an ECP5-85, speed grade 8", resource_tables.routed(figures)),
                         ("Standard cells, before placement", resource_tables.cells(figures))):
        parts += [f"<h3>{title}</h3>", table.html() if table.rows else f"{ABSENT}."]
    return Section("resources", "Resources and clocks of all units", parts)


def figure(picture: Svg | str, caption: str, kind: str = "") -> str:
    """A picture with its caption."""
    title = caption[:1].upper() + caption[1:].removesuffix(".")
    said = f"<figcaption>{title}</figcaption>" if caption else ""
    return f'<figure class="{kind}">{said}{picture}</figure>\n'


ALL = (overview, verification, products, processor, planes, against_cpu, others, datapaths, resources)
