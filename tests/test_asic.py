# SPDX-License-Identifier: Apache-2.0
"""Standard cells: trees of buffers, their sizes, wires, and what OpenSTA says of them, on netlists of a few cells."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from collections.abc import Callable

import pytest

from pointmill.measure import derived, store
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record, published
from pointmill.measure.synthesis import abc, asic, fanout, gating, liberty, macros, paths, sta, verilog
from pointmill.measure.synthesis.liberty import Library, Wires
from pointmill.measure.synthesis.yosys import OUT, read_units
from pointmill.report import multicurve_page
from pointmill.report.figures import Figures
from pointmill.simbuild import BuildError

WIRES = Wires([10.0, 20.0], 30.0, 0.001, 0.0, "these tests")
SLOPE = 2.0
"""Nanoseconds of delay a pF of load, in the library of these tests."""


THRESHOLDS = " ".join(f"{what}_{edge} : {value};" for edge in ("rise", "fall") for what, value in (
    ("input_threshold_pct", 50), ("output_threshold_pct", 50), ("slew_lower_threshold_pct", 20),
    ("slew_upper_threshold_pct", 80)))  # fmt: skip


def table(kind: str, base: float, slope: float, template: str = "grid") -> str:
    """Delay or transition that is linear in the load, whatever the transition of the input."""
    row = f'"{base}, {base + slope}"'
    return f'{kind}({template}) {{ index_1("0, 1"); index_2("0, 1"); values({row}, {row}); }}'


def arc(pin: str, kind: str = "", sense: str = "positive_unate") -> str:
    """Half a nanosecond, and SLOPE."""
    tables = " ".join([*(table(f"cell_{edge}", 0.5, SLOPE) for edge in ("rise", "fall")),
                       *(table(f"{edge}_transition", 0.1, 0.0) for edge in ("rise", "fall"))])
    return f'timing() {{ related_pin : "{pin}"; {kind} timing_sense : {sense}; {tables} }}'


def buffer(size: int) -> str:
    """A buffer that drives a pF a size."""
    return (f"cell(t_buf_{size}) {{ area : {size}; pin(A) {{ direction : input; capacitance : 0.01; }}\n"
            f'  pin(X) {{ direction : output; max_capacitance : {size}; function : "A"; {arc("A")} }} }}\n')


def cells(own: str = "") -> str:
    """A Liberty file of buffers, a NAND and a flip-flop. own: wires that it has already."""
    return f"""library(t) {{ delay_model : table_lookup;
  time_unit : "1ns"; capacitive_load_unit(1, pf); {THRESHOLDS} {own}
  lu_table_template(grid) {{ variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
    index_1("0, 1"); index_2("0, 1"); }}
  lu_table_template(setup) {{ variable_1 : related_pin_transition; variable_2 : constrained_pin_transition;
    index_1("0, 1"); index_2("0, 1"); }}
  {buffer(2)}{buffer(1)}{buffer(4)}
  cell(t_nand2_1) {{ area : 3; pin(A) {{ direction : input; capacitance : 0.02; }}
    pin(B) {{ direction : input; capacitance : 0.02; }}
    pin(Y) {{ direction : output; max_capacitance : 9; function : "!(A & B)"; }} }}
  cell(t_gate_1) {{ clock_gating_integrated_cell : "latch_posedge"; area : 6;
    pin(CK) {{ direction : input; clock_gate_clock_pin : true; }}
    pin(E) {{ direction : input; clock_gate_enable_pin : true; capacitance : 0.01; }}
    pin(G) {{ direction : output; clock_gate_out_pin : true; }} }}
  cell(t_dff_1) {{ area : 8; ff(IQ, IQN) {{ clocked_on : "C"; next_state : "D"; clear : "!R"; }}
    pin(C) {{ direction : input; clock : true; capacitance : 0.01; }}
    pin(R) {{ direction : input; capacitance : 0.01; }}
    pin(D) {{ direction : input; capacitance : 0.03; timing() {{ related_pin : "C"; timing_type : setup_rising;
      {table("rise_constraint", 0.25, 0.0, "setup")} {table("fall_constraint", 0.25, 0.0, "setup")} }} }}
    pin(Q) {{ direction : output; max_capacitance : 5; function : "IQ";
      {arc("C", "timing_type : rising_edge;", "non_unate")} }} }}
}}
"""


@pytest.fixture
def library() -> Library:
    """That library with WIRES, below build/."""
    path = OUT / "liberty" / "tests.lib"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(liberty.with_wires(cells(), WIRES))
    return liberty.read(path, WIRES)


def register(into: int | str, out: int) -> dict:
    """A flip-flop of clock 2 and reset 3."""
    return {"hide_name": 1, "type": "t_dff_1", "parameters": {}, "attributes": {},
            "connections": {"C": [2], "R": [3], "D": [into], "Q": [out]}}


def star(count: int) -> dict:
    """A register whose output, net 10, is read by `count` others and by an output."""
    return {"ports": {"clk_i": {"direction": "input", "bits": [2]}, "rst_ni": {"direction": "input", "bits": [3]},
                      "d_i": {"direction": "input", "bits": [4]}, "q_o": {"direction": "output", "bits": [10]}},
            "cells": {"$root": register(4, 10), **{f"$leaf{one}": register(10, 20 + one) for one in range(count)}},
            "netnames": {"u_x.root_q": {"hide_name": 0, "bits": [0, 10]}, "$1": {"hide_name": 1, "bits": [20]},
                         "q_o": {"hide_name": 0, "bits": [10]}}}


def test_library(library: Library) -> None:
    """Pins, roles and families of a Liberty file; what it must have."""
    assert library.nand2 == 3 and list(library.buffers) == ["t_buf_1", "t_buf_2", "t_buf_4"]
    assert library.register("t_dff_1") and not library.register("t_nand2_1")
    assert [library.common("t_dff_1", port) for port in "CRDQ"] == [True, True, False, False]
    assert library.output("t_dff_1", "Q") and not library.output("t_dff_1", "D") and library.output("$_AND_", "Y")
    assert library.cells["t_buf_4"].pins["X"].most == 4 and library.cells["t_dff_1"].pins["D"].capacitance == 0.03
    without = library.path.with_name("tests_without.lib")
    without.write_text(library.path.read_text().replace("t_nand2_1", "t_nor2_1").replace("t_buf_", "t_inv_"))
    other = liberty.read(without)
    for what in ("nand2", "buffers"):
        with pytest.raises(BuildError, match="no cell named"):
            getattr(other, what)
    without.write_text('library(t) { time_unit : "10ps"; }')
    with pytest.raises(BuildError, match="time unit"):
        liberty.read(without)


def test_wires() -> None:
    """One model in place of the library's own; lengths by readers; other units are rejected."""
    own = 'wire_load("Own") { capacitance : 9; fanout_length(1, 9); } default_wire_load : "Own";'
    text = liberty.with_wires(cells(own), WIRES)
    assert "Own" not in text and text.count("wire_load(") == 1 and 'default_wire_load : "pointmill"' in text
    assert [WIRES.length(count) for count in (0, 1, 2, 3, 5)] == [0, 10, 20, 50, 110]
    with pytest.raises(BuildError, match="capacitance in pF"):
        liberty.with_wires(cells().replace("(1, pf)", "(1, ff)"), WIRES)
    for name, wires in liberty.read_wires().items():
        # A tenth of it, which sky130's own model has, is no wire of any of these processes.
        assert 1e-4 < wires.capacitance < 3e-4 and wires.source, name
        assert 5 < wires.length(1) < wires.length(16) < 500, name


def test_net_of_a_thousand_readers(library: Library) -> None:
    """Rejected; with a tree no net has more than MOST, and every reader has its value from the same register."""
    module = star(1000)
    assert fanout.most_readers(module, library) == 1001
    with pytest.raises(BuildError, match="1001 readers, more than 16"):
        asic.checked(module, library)
    assert fanout.sources(module, library) == {2, 3, 4, 10, *range(20, 1020)}
    planted = fanout.plant(module, library, asic.MOST, {10})
    assert planted == 63 + 4 and asic.checked(module, library) == 16
    above = {cell["connections"]["X"][0]: cell["connections"]["A"][0]
             for cell in module["cells"].values() if cell["type"].startswith("t_buf")}
    ends = [cell["connections"]["D"][0] for name, cell in module["cells"].items() if name.startswith("$leaf")]
    ends += module["ports"]["q_o"]["bits"]
    assert module["netnames"]["q_o"]["bits"] == module["ports"]["q_o"]["bits"] != [10]
    depths = set()
    for bit in ends:
        depth = 0
        while bit in above:
            bit, depth = above[bit], depth + 1
        assert bit == 10
        depths.add(depth)
    assert depths == {2} and len(ends) == 1001
    assert fanout.plant(module, library, asic.MOST) == 0
    assert all(cell["connections"]["C"] == [2] for cell in module["cells"].values() if cell["type"] == "t_dff_1")


@pytest.mark.parametrize(("count", "want"), [(32, [32]), (70, [23, 23, 24])])
def test_gates_of_registers(library: Library, count: int, want: list[int]) -> None:
    """A gate for each 32 registers, all with the same enable; registers without one keep the clock."""
    module = star(count + 1)
    for name, cell in module["cells"].items():
        if name not in ("$root", "$leaf0"):
            cell["connections"]["C"] = [5]
    module["cells"]["$gate"] = {"hide_name": 1, "type": "t_gate_1", "parameters": {}, "attributes": {},
                                "connections": {"CK": [2], "E": [10], "G": [5]}}
    assert library.gate("t_gate_1") and not library.register("t_gate_1") and not library.gate("t_dff_1")
    assert gating.divide(module, library, asic.MOST_GATED) == len(want)
    gates = [cell["connections"] for cell in module["cells"].values() if cell["type"] == "t_gate_1"]
    assert [pins["CK"] + pins["E"] for pins in gates] == [[2, 10]] * len(want)
    clocks = Counter(cell["connections"]["C"][0] for cell in module["cells"].values() if cell["type"] == "t_dff_1")
    assert sorted(clocks[pins["G"][0]] for pins in gates) == want and clocks[2] == 2
    assert all(bit == 2 or bit in [pins["G"][0] for pins in gates] for bit in clocks)
    # The enable has the gates as readers, the clocks behind them no tree.
    assert len(fanout.readers(module, library)[10]) == count + 2 + len(want)
    assert not {pins["G"][0] for pins in gates} & fanout.readers(module, library).keys()


def test_sizes(library: Library) -> None:
    """The least buffer whose load is a tenth of what it may drive, the largest where none is."""
    module = star(17)
    fanout.plant(module, library, asic.MOST)
    loads = {name: fanout.load(module, library, fanout.readers(module, library)[cell["connections"]["X"][0]])
             for name, cell in module["cells"].items() if name.startswith(fanout.PLANTED)}
    assert loads == {"fanout_0": pytest.approx(0.02 + 7 * 0.03 + 9 * 0.03), "fanout_1": pytest.approx(
        0.02 + 7 * 0.03 + 8 * 0.03)}  # fmt: skip
    fanout.resize(module, library)
    assert {module["cells"][name]["type"] for name in loads} == {"t_buf_4"}
    assert fanout.overloaded(module, library) == 0
    small = star(2)
    fanout.plant(small, library, 2)
    fanout.resize(small, library)
    assert {cell["type"] for name, cell in small["cells"].items() if name.startswith(fanout.PLANTED)} == {"t_buf_1"}
    assert fanout.overloaded(star(200), library) == 1  # 200 readers at 5 pF


def test_names(library: Library) -> None:
    """Registers have the names of the signals they drive."""
    module = star(1)
    del module["netnames"]["q_o"]
    fanout.name_registers(module, library)
    assert list(module["cells"]) == ["u_x.root_q.1.reg", "$leaf0"]
    assert paths.words("u_x.root_q.1.reg") == "root_q in u_x"
    assert paths.words("$auto$ff.cc:337:slice$10174") == "a register without name in the top"


def test_macros(library: Library) -> None:
    """Bits of register arrays and what macros save of them; an array that is not there is said."""
    module = star(3)
    del module["netnames"]["q_o"]
    fanout.name_registers(module, library)
    module["cells"] = {name.replace("$leaf", "u_x.bank_q[7]."): cell for name, cell in module["cells"].items()}
    module["cells"] = {f"{name}.reg" if "bank" in name else name: cell for name, cell in module["cells"].items()}
    known = macros.Macros({"tests": 5.0}, {"pm_a": [r"u_x\.bank_q\[\d+\]"], "pm_b": ["u_x.bank"]})
    assert macros.saved("pm_a", module, library, known) == (3, pytest.approx(3 * (8 - 5)))
    assert macros.saved("pm_c", module, library, known) is None
    assert macros.saved("pm_a", module, library, macros.Macros({}, known.units)) is None
    with pytest.raises(ValueError, match=r"pm_b has no register u_x\.bank"):
        macros.saved("pm_b", module, library, known)
    assert set(macros.read_macros().units) <= set(read_units()) and macros.recipe("pm_addsub") == ""
    assert set(macros.read_macros().bits) <= set(liberty.read_wires())


GATES: dict[str, Callable[..., bool]] = {
    "$_NOT_": lambda a: not a, "$_BUF_": lambda a: a, "$_AND_": lambda a, b: a and b,
    "$_NAND_": lambda a, b: not (a and b), "$_OR_": lambda a, b: a or b, "$_NOR_": lambda a, b: not (a or b),
    "$_XOR_": lambda a, b: a != b, "$_XNOR_": lambda a, b: a == b, "$_ANDNOT_": lambda a, b: a and not b,
    "$_ORNOT_": lambda a, b: a or not b, "$_MUX_": lambda a, b, s: b if s else a}  # fmt: skip
"""What Yosys' manual says that its gates compute."""


@pytest.mark.parametrize("kind", sorted(GATES))
def test_gates_for_abc(kind: str) -> None:
    """The rows of each gate are those of its function."""
    assert set(GATES) == set(abc.TABLES)
    rows = [row.split()[0] for row in abc.TABLES[kind].splitlines()]
    for values in itertools.product((False, True), repeat=len(rows[0])):
        matched = any(all(bit in ("-", "01"[value]) for bit, value in zip(row, values, strict=True)) for row in rows)
        assert matched == bool(GATES[kind](*values)), values


def test_netlist_for_abc() -> None:
    """Gates go out, with the nets at their edge, constants and rows, and cells come back; everything else stays."""
    def gate(kind: str, **nets: int | str) -> dict:
        return {"type": kind, "connections": {port: [bit] for port, bit in nets.items()}}

    module = {"ports": {"a": {"direction": "input", "bits": [4]}, "y": {"direction": "output", "bits": [7]}},
              "cells": {"r": register(6, 5), "$1": gate("$_MUX_", A=4, B=5, S="1", Y=6), "$2": gate("$_NOT_", A=6, Y=7),
                        "$3": gate("$_AND_", A=4, B=6, Y=8), "fanout_0": gate("t_buf_1", A=8, X=9)},
              "netnames": {"kept": {"hide_name": 0, "bits": [5]}, "gone": {"hide_name": 0, "bits": [11]}}}  # fmt: skip
    text = abc.blif(module)
    assert text.splitlines()[1:5] == [".inputs n4 n5", ".outputs n6 n7 n8", ".names n1", "1"]
    assert ".names n4 n5 n1 n6\n1-0 1\n-11 1\n" in text and text.count(".names") == 4
    abc.merge(module, ".model unit\n.gate t_nand2_1 A=n4 B=n5 Y=new_1\n.gate t_nand2_1 A=new_1 \\\nB=new_1 Y=n6\n"
                      ".gate _const1_ z=n7\n.gate t_buf_1 A=new_1 X=n8\n.end\n")  # fmt: skip
    assert {name: cell["connections"] for name, cell in module["cells"].items() if name != "r"} == {
        "fanout_0": {"A": [8], "X": [9]}, "$abc$0": {"A": [4], "B": [5], "Y": [10]},
        "$abc$1": {"A": [10], "B": [10], "Y": [6]}, "$abc$3": {"A": [10], "X": [8]}}
    assert module["ports"]["y"]["bits"] == ["1"] and list(module["netnames"]) == ["kept"]
    with pytest.raises(BuildError, match="abc does not get"):
        abc.blif({**module, "cells": {"$1": gate("$_DLATCH_P_", Q=1)}})


@pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")
@pytest.mark.parametrize("count", [1, 3])
def test_time_of_a_netlist(library: Library, count: int) -> None:
    """The clock of OpenSTA is that of arithmetic: delays of a buffer and a register with their wires and loads."""
    module = {"ports": {name: {"direction": way, "bits": bits} for name, way, bits in (
                  ("clk_i", "input", [2]), ("rst_ni", "input", [3]), ("d_i", "input", [4, 5]),
                  ("q_o", "output", [20, "1"]))},
              "cells": {"u_x.root_q.0.reg": register(4, 10), "u_x.one_q.0.reg": register("0", 12),
                        "fanout_0": {"type": "t_buf_1", "connections": {"A": [10], "X": [11]}},
                        **{f"u_y.leaf_q.{one}.reg": register(11, 20 + one) for one in range(count)}}}  # fmt: skip
    netlist = OUT / "liberty" / "tests.v"
    netlist.write_text(verilog.netlist("pm_addsub", module))
    timing = sta.timed(read_units()["pm_addsub"], library, netlist)
    assert timing is not None
    delays = 2 * 0.5 + SLOPE * (WIRES.length(1) * 0.001 + 0.01 + WIRES.length(count) * 0.001 + count * 0.03)
    period = sta.DERATE * delays + 0.25 + sta.UNCERTAINTY
    assert 1000 / timing.mhz == pytest.approx(period, abs=0.002)
    assert timing.slowest == f"{period:.2f} ns from root_q in u_x to leaf_q in u_y: 1 gates, 1 of them of fan-out trees"
    assert timing.ends == [f"{period:.2f} ns to leaf_q in u_y"]
    assert timing.slack == {"0 to 5 %": count, "5 to 10 %": 0, "10 to 25 %": 0, "25 to 50 %": 0, "50 to 100 %": 0}


def test_output_of_opensta() -> None:
    """Slack is read, and an output without one is an error; the histogram counts every end once."""
    assert sta.worst("noise\nworst slack 993.91\n") == 993.91 and sta.worst("worst slack max -2.5") == -2.5
    with pytest.raises(BuildError, match="no slack"):
        sta.worst("Error: no clock")
    counts = sta.histogram([0, 0.4, 0.5, 2.4, 2.5, 9.9, 10.0], 10.0)
    assert counts == {"0 to 5 %": 2, "5 to 10 %": 1, "10 to 25 %": 1, "25 to 50 %": 1, "50 to 100 %": 2}


def test_page_of_area_time() -> None:
    """The clock, area and area times time of `paper` beside the published ones; nothing without a measurement."""
    cycles = [Record(f"multicurve.{curve}_whole", "paper", "cycles_mean", value, "cycles")
              for curve, value in (("P256", 1000), ("P521", 8000))]  # fmt: skip
    cells = [Record("pm_multicurve", "toy", what, value, unit) for what, value, unit in (
        ("kge", 500, "kGE"), ("kge_macros", 400, "kGE"), ("mhz", 50, "MHz"))]  # fmt: skip
    at = [Record("multicurve.at", "toy", "P256", 10, "kGE ms")]
    text = multicurve_page.section(Figures([*cycles, *cells, *at]))
    assert "| `paper` | toy | flip-flops | 50.0 | 500.0 | 20.0 | 10.0 | 80.0 |" in text
    assert "| `paper` | toy | macros, estimated | 50.0 | 400.0 | 20.0 | 8.0 | 64.0 |" in text
    assert "| published | 130 nm |  | 295 | 755.5 | 49.3 | 37.2 | 307.3 |" in text
    assert "kGE" not in multicurve_page.section(Figures(cycles))


AREAS = {derived.CONTEXTS: [("pm_multicurve_contexts_core", "toy", "kge", 500),
                            ("pm_multicurve_contexts_core", "toy", "mhz", 100)],
         derived.CONTEXTS_WIDE: [("pm_multicurve_contexts_wide", "toy", "kge", 800),
                                 ("pm_multicurve_contexts_wide", "toy", "mhz", 50)]}  # fmt: skip


@pytest.fixture
def areas(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[tuple]]:
    """The records that there are, which a test may change."""
    entries = {name: list(found) for name, found in AREAS.items()}
    monkeypatch.setattr(store, "load", lambda name: store.Entry(
        name, "", {}, {}, "", False, "", "", 0, tuple(Record(*found, "u") for found in entries[name]))
        if name in entries else None)  # fmt: skip
    return entries


def test_derived_figures(monkeypatch: pytest.MonkeyPatch, areas: dict[str, list[tuple]]) -> None:
    """Area times time of the records of area and clock; an error where one is missing."""
    one = Measurement("derived", ("multicurve", "at"), "make")
    monkeypatch.setattr(derived, "contexts_cycles", lambda name, form: (int(name[1:]) * form.columns, 0))
    assert [(found.id, found.config, found.what, found.value) for found in derived.run(one)] == [
        ("multicurve.at", "toy", "P256", 7.68), ("multicurve.at", "toy", "P521", 108.37)]
    before = derived.inputs(one).digest()
    areas[derived.CONTEXTS_WIDE][1] = ("pm_multicurve_contexts_wide", "toy", "mhz", 51)
    assert derived.inputs(one).digest() != before
    del areas[derived.CONTEXTS_WIDE]
    with pytest.raises(RuntimeError, match=r"no record of asic\.pm_multicurve_contexts_wide"):
        derived.run(one)


@pytest.mark.long
def test_contexts_figures(areas: dict[str, list[tuple]]) -> None:
    """Area times time of `contexts` and `contexts_wide`, from their areas and clocks and the program."""
    one = Measurement("derived", ("multicurve", "contexts"), "make")
    found = {(figure.id, figure.what): figure.value for figure in derived.run(one)}
    alone, whole = (found[f"multicurve.contexts{what}", "cycles_mean"] for what in ("", "_inversion"))
    assert found["multicurve.contexts", "P256"] == pytest.approx(alone * 500 / 100_000, rel=0.001)
    assert (alone, whole) == (11684, 13752)
    assert found["multicurve.contexts_secp256k1", "cycles_mean"] == 20447
    wide = [found[f"multicurve.contexts_wide_{name}", "cycles_mean"] for name in ("P256", "P521")]
    assert wide == [37974, 41449]
    assert found["multicurve.contexts_wide", "P256"] == pytest.approx(wide[0] * 800 / 50_000, rel=0.001)
    assert derived.config(one)["area and clock"] == {"P256": derived.CONTEXTS, "P521": derived.CONTEXTS_WIDE}
    assert derived.inputs(one).digest()
    areas.clear()
    with pytest.raises(RuntimeError, match=r"no record of asic\.pm_multicurve_contexts_core"):
        derived.run(one)


def test_area_time() -> None:
    """The published figures of area times time follow from the published area, clock and cycles."""
    paper = published("multicurve")
    for printed in paper["area"]:
        for curve, value in printed["at"].items():
            cycles = paper["table1"][curve]["whole"]
            assert derived.area_time(printed["kge"], printed["mhz"], cycles) == pytest.approx(value, rel=0.001)
    assert set(derived.CURVES) == set(paper["area"][0]["at"])
