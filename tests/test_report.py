# SPDX-License-Identifier: Apache-2.0
"""The report: what its figures say of known figures, its marks, and that it needs nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser

import pytest
import yaml

from pointmill.measure import plan, run
from pointmill.measure.records import ROOT, Record
from pointmill.measure.store import Entry
from pointmill.report import breakeven, curves, diagram, edverify, plane, sections
from pointmill.report.breakeven import Engine
from pointmill.report.figures import Figures, committed, origins
from pointmill.report.page import page
from pointmill.report.plane import Form
from pointmill.report.svg import Scale
from pointmill.report.tables import Table
from pointmill.ucode import images
from pointmill.ucode.emitter import PRODUCT, SUM

PLAN = {name: one for name, one in plan.measurements().items()
        if name in ("bench.edverify.verify.paper", "syn.xc7.pm_addsub", "syn.xc7.pm_edverify", "asic.pm_modl")}


def figures(**values: float) -> Figures:
    """Figures of `edverify.verify` by `<configuration>__<what>`."""
    return Figures(Record("edverify.verify", *name.split("__"), value, "") for name, value in values.items())


def entry(name: str, made: Iterable[Record], inputs: str | None = None) -> Entry:
    """A record of a measurement of PLAN, one that holds unless other inputs are given."""
    one = PLAN[name]
    return Entry(name, one.command, {}, {"yosys": "1"}, "0" * 40, False, "2026-01-31", inputs or run.inputs(one), 3,
                 tuple(made))


# ---- marks ----------------------------------------------------------------------------------------


def test_what_is_stale_is_marked_where_it_shows() -> None:
    """In the section that shows it, and in the list of records; one that holds is not."""
    name = "bench.edverify.verify.paper"
    found = [Record("edverify.verify", "paper", "cycles_per_verification", 7437.9, "cycles")]
    good, bad = (page({name: entry(name, found, inputs)}, PLAN) for inputs in (None, "0" * 64))
    assert "Stale:" not in good and "1 hold" in good and "not measured: 3" in good and "7,438" in good
    marked = [part for part in bad.split("<section ")[1:] if "Stale:" in part]
    assert {part.partition("=")[2].partition(">")[0] for part in marked} >= {"cores", "edverify", "cpu"}
    assert not any(part.startswith(("id=multicurve", "id=programs", "id=resources")) for part in marked)
    assert all(f"<code>{name}</code>" in part for part in marked)
    assert "stale: 1" in bad and f"<tr class=mark><td><code>{name}</code></td><td>stale</td>" in bad


def test_resources_of_cores_know_their_record() -> None:
    """`edverify.core` is made of the record of pm_edverify, so that it is stale with it."""
    name = "syn.xc7.pm_edverify"
    where = origins({name: entry(name, [Record("pm_edverify", "xc7", "lut", 5, "LUT")])})
    assert where["edverify.core", "paper", "lut"] == where["pm_edverify", "xc7", "lut"] == name


def test_an_empty_tree_says_so() -> None:
    text = page({}, PLAN)
    assert "0 hold; stale: 0; not measured: 4" in text
    assert text.count("not measured") > 60
    assert page({}, PLAN) == text


class _Elements(HTMLParser):
    """Collects what a page would load, and the elements that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.loads += [f"{tag} {name}={value}" for name, value in attrs
                       if name in ("src", "srcset", "data", "href") and not (value or "").startswith("#")]
        if tag in ("section", "figure", "svg", "table", "details", "text", "main"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """One ends: the one that began last."""
        if self.open and tag in ("section", "figure", "svg", "table", "details", "text", "main"):
            assert self.open.pop() == tag


def test_the_page_loads_nothing() -> None:
    text = page({}, PLAN)
    elements = _Elements()
    elements.feed(text)
    assert elements.loads == [] and elements.open == []
    assert not re.search(r"@import|url\((?!#)|<link|fetch\(|XMLHttpRequest", text)
    assert text.count("<section ") == len(sections.ALL) + 1


# ---- pictures -------------------------------------------------------------------------------------


def test_way_from_published_to_today() -> None:
    """4,000 cycles without a product of the 7,000 of `paper` leave with waiting, 1,100 products with half-size
    scalars."""
    known = figures(paper__cycles_per_verification=7000, paper__products=3000,
                    throughput__cycles_per_verification=1905, throughput__products=1900)
    text = str(edverify.way(known))
    for said in (">9,777<", ">-2,777<", ">7,000<", ">-3,995<", ">-1,100<", ">1,905<"):
        assert said in text
    assert text.count("not measured") == 2  # bulk
    assert str(edverify.way(figures())).count("not measured") == 7


def test_cycles_of_a_product_add_up() -> None:
    """Parts of a bar are the whole product and the inversion."""
    values = {"double": 36, "double_add": 96, "inversion": 514, "whole": 14440.0}
    known = Figures(Record(f"multicurve.P256_{what}", "paper", "cycles_mean" if what == "whole" else "cycles", value,
                           "")
                    for what, value in values.items())
    parts = curves._weierstrass(known, "P256", "paper")
    assert parts[:2] == [256 * 36, 256 / 3 * 60] and sum(parts) == 14440 + 514
    assert curves._weierstrass(known, "P256", "fast") is None
    assert curves.against_published(known)[2] == ["P-256", 14539, 14440.0, "not measured", ""]


def test_pareto_front() -> None:
    forms = [Form(name, area, cycles, True) for name, area, cycles in
             (("a", 9, 100), ("b", 9, 90), ("c", 27, 40), ("d", 30, 40), ("e", 81, 50), ("f", 90, 1))]
    assert [form.name for form in plane.pareto(forms)] == ["b", "c", "f"]
    assert plane.draw("x", [Form("peer", 1, 1, False)], "dsp", "cycles") is None
    drawn = plane.draw("x", forms, "dsp", "cycles")
    assert drawn.count("<circle") == len(forms) + 1  # and the key


def test_every_multiplier_has_its_cycles() -> None:
    """Those of the committed records: a retired configuration takes no multiplier out of the figure."""
    found = plane.product_cycles(committed())
    assert {name: cycles for name, cycles in found.items() if name.startswith("pm_mont")} == {
        "pm_mont_mul": 8, "pm_mont_mul_dsp": 8, "pm_mont_mul_packed": 8, "pm_mont_mul_packed_dsp": 8,
        "pm_mont_mul_named_dsp": 4}


def test_break_even() -> None:
    """An engine of 2,000 cycles at 100 MHz makes 50,000 a second."""
    routed, other = Engine("x", 2000, 100.0), Engine("x", 2000, None)
    assert breakeven.verdict(routed, 100_000) == "200.0: CPU 2.0x"
    assert breakeven.verdict(routed, 20_000) == "40.0: engine 2.5x"
    assert breakeven.verdict(other, 20_000) == "40.0"
    found = figures(throughput__cycles_per_verification=2000)
    rows = breakeven.table(found, "ed25519_verify").rows
    assert len(rows) == 6 and rows[2][1:3] == [2000, "not measured"] and rows[3][1] == "not measured"
    assert breakeven.draw(found, "ed25519_verify") is None, "only routed clocks are drawn"
    routed_tiles = [Record("edverify.verify", "tiles", "cycles_per_verification", 2000, ""),
                    Record("pm_edverify_tiles", "ecp5 seed 1", "mhz", 100.0, "MHz")]
    drawn = breakeven.draw(Figures([*found.records, *routed_tiles]), "ed25519_verify")
    assert drawn and "100.0 MHz, 50,000 a second" in drawn and "throughput" not in drawn
    for task in breakeven.TASKS:
        assert plane.published_rows("software", task)


def test_programs_on_their_datapaths() -> None:
    """What the lanes of a block show is its utilisation; every program has a diagram."""
    found = {(core, config, program): images.timelines(core, config, program)
             for core, config, program in images.programs()}
    assert len(found) == 36
    compared = 0
    for (core, config, program), blocks in found.items():
        for block in blocks:
            limbs = any(lane.startswith("unit ") for lane in block.lanes())  # units that add as well
            two = core == "mpu" or (core == "multicurve" and config in ("paper", "fast"))
            multipliers = 4 if limbs else 2 if two else 1
            busy = sum(work.cycles for work in block.works if work.kind == PRODUCT or (limbs and work.kind == SUM))
            assert busy / multipliers / block.cycles == pytest.approx(block.utilisation), (program, block.block)
            compared += 1
    assert compared > 600
    step = next(block for block in found["edverify", "paper", "verify"] if block.block == "walk_double")
    assert step.utilisation == pytest.approx(8 / 16)
    for blocks in list(found.values())[::6]:
        assert str(diagram.draw("a program", blocks)).count("<text") > len(blocks)



def test_scales() -> None:
    assert Scale(0, 10, 100, 200)(5) == 150 and Scale(1, 100, 0, 10, True)(10) == 5
    assert Scale(0, 2096, 0, 1).ticks() == [0, 500, 1000, 1500, 2000]
    assert Scale(20, 500, 0, 1, True).ticks() == [20, 50, 100, 200, 500]


def test_tables() -> None:
    table = Table(["a `b`", "n"], [["<x> `y`", 1234.5], ["", None]], marks=frozenset({0}))
    assert table.markdown() == "| a `b` | n |\n|---|---:|\n| <x> `y` | 1,234 |\n|  |  |\n"
    assert "<tr class=mark><td>&lt;x&gt; <code>y</code></td><td class=n>1,234</td></tr>" in table.html()
    assert "<th>a <code>b</code></th><th class=n>n</th>" in table.html()


# ---- published figures ----------------------------------------------------------------------------


def test_rows_of_others_have_source_and_mark() -> None:
    data = yaml.safe_load((ROOT / "data" / "published.yaml").read_text())
    rows = data["peers"] + data["software"]
    assert len(data["peers"]) > 30 and len(data["software"]) > 10
    columns = {"cycles", "mhz", "rate", "us", "lut", "ff", "dsp", "kge"}
    for row in rows:
        assert row["source"] in data["sources"] and row["mark"] in ("claimed", "derived", "measured"), row
        assert columns & row.keys() and not row.keys() - columns - {"task", "name", "device", "mark", "source",
                                                                    "lanes"}, row
    assert {row["source"] for row in rows} == data["sources"].keys()
    assert {row["task"] for row in data["peers"]} == sections.TASKS.keys()


def test_a_row_that_was_not_measured_stays_in_the_overview() -> None:
    lines = sections.overview(figures(paper__cycles_per_verification=7437.9)).parts[1]
    assert lines.count("<tr") == len(sections.rows()) + 1
    assert "<td class=n>7,438</td><td class=n>9,777</td><td class=n>1.31</td>" in lines
