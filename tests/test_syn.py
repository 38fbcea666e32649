# SPDX-License-Identifier: Apache-2.0
"""Synthesis: how cells are counted, and what single units must take."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from pointmill.measure import resources
from pointmill.measure.plan import Measurement
from pointmill.measure.synthesis import asic, pnr
from pointmill.measure.synthesis.families import ECP5, NEXUS, XC7
from pointmill.measure.synthesis.slang import ports
from pointmill.measure.synthesis.yosys import OUT, Unit, read_units, run, wrong_counts
from pointmill.simbuild import BuildError


def test_counts() -> None:
    cells = {"LUT1": 1, "LUT6": 2, "INV": 1, "RAM32M": 3, "SRL16E": 1, "FDRE": 5, "FDCE": 2,
             "DSP48E1": 9, "RAMB18E1": 1, "RAMB36E1": 2, "CARRY4": 4, "MUXF7": 1}
    assert XC7.count(cells) == {"lut": 17, "ff": 7, "dsp": 9, "ramb18": 5, "carry": 4}
    with pytest.raises(ValueError, match="GTXE2"):
        XC7.count({"GTXE2": 1})
    cells = {"LUT4": 5, "CCU2C": 2, "TRELLIS_FF": 7, "TRELLIS_DPR16X4": 1, "DP16KD": 2,
             "MULT18X18D": 3, "PFUMX": 9}
    assert ECP5.count(cells) == {"lut": 13, "ff": 7, "dsp": 3, "ebr": 2}
    with pytest.raises(ValueError, match="DCUA"):
        ECP5.count({"DCUA": 1})


FLIP_FLOP = """  cell(toy_dffr_1) { area : 8;
    ff(IQ, IQN) { clocked_on : "C"; next_state : "D"; clear : "!R"; }
    pin(C) { direction : input; clock : true; } pin(D) { direction : input; }
    pin(R) { direction : input; } pin(Q) { direction : output; function : "IQ"; } }
"""


THRESHOLDS = " ".join(f"{what}_{edge} : {value};" for edge in ("rise", "fall") for what, value in (
    ("input_threshold_pct", 50), ("output_threshold_pct", 50), ("slew_lower_threshold_pct", 20),
    ("slew_upper_threshold_pct", 80)))  # fmt: skip
"""Of the levels between which a Liberty file measures."""


def gate(name: str, area: int, inputs: str, function: str) -> str:
    """A cell of a Liberty file, each path with the same delay."""
    table = ('index_1("0.01, 0.1, 1"); index_2("0.001, 0.01, 0.1"); '
             'values("0.1, 0.2, 1.0", "0.15, 0.25, 1.1", "0.2, 0.3, 1.2");')
    tables = " ".join(f"{kind}(grid) {{ {table} }}" for kind in
                      ("cell_rise", "cell_fall", "rise_transition", "fall_transition"))
    sense = "negative_unate" if function.startswith("!") else "positive_unate"
    pins = " ".join(f"pin({pin}) {{ direction : input; capacitance : 0.002; }}" for pin in inputs)
    arcs = " ".join(f'timing() {{ related_pin : "{pin}"; timing_sense : {sense}; {tables} }}'
                    for pin in inputs)
    return (f"  cell({name}) {{ area : {area}; {pins}\n    pin(Y) {{ direction : output; "
            f'max_capacitance : 0.1; function : "{function}"; {arcs} }} }}\n')


def library(*cells: str) -> str:
    """A Liberty file of an inverter, a NAND, a buffer and `cells`."""
    return ('library(toy) {\n  time_unit : "1ns"; capacitive_load_unit(1, pf);\n'
            f"  {THRESHOLDS}\n"
            "  lu_table_template(grid) { variable_1 : input_net_transition; "
            'variable_2 : total_output_net_capacitance; index_1("0.01, 0.1, 1"); index_2("0.001, 0.01, 0.1"); }\n'
            + gate("toy_inv_1", 1, "A", "!A") + gate("toy_nand2_1", 2, "AB", "!(A & B)")
            + gate("toy_buf_1", 2, "A", "A")
            + "".join(cells) + "}\n")


def test_standard_cell_area(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Area in a library of four cells, and the sentences when something is missing."""
    one = Measurement("asic", ("pm_naf_recoder",), "make")
    monkeypatch.delenv("PM_LIBERTY", raising=False)
    with pytest.raises(resources.Missing, match="no timing library: set PM_LIBERTY"):
        resources.run(one)
    monkeypatch.setenv("PM_LIBERTY", str(tmp_path))
    with pytest.raises(resources.Missing, match="no timing library at"):
        resources.run(one)
    (tmp_path / "toy_full.lib.gz").write_bytes(gzip.compress(library(FLIP_FLOP).encode()))
    area, gates, *_ = resources.run(one)
    assert (area.id, area.config, area.what) == ("pm_naf_recoder", "toy_full", "area")
    assert area.value > 8 * 256  # at least the flip-flops of the scalar
    assert gates.value == pytest.approx(area.value / 2000, abs=0.06)
    unit = read_units()["pm_naf_recoder"]
    notes = resources.timing(one)["toy_full"]
    assert isinstance(notes, dict)
    assert 2 < notes["readers"] <= asic.MOST and notes["buffers"] > 0
    netlist = asic.gates(unit)
    quick = asic.mapped(replace(unit, quick=True), netlist, asic.unpacked(tmp_path / "toy_full.lib.gz")).area
    assert 0.9 * area.value < quick < 1.5 * area.value and round(quick) != area.value
    (tmp_path / "toy_small.lib").write_text(library())
    with pytest.raises(BuildError, match="cannot be legalized"):
        asic.mapped(unit, netlist, asic.unpacked(tmp_path / "toy_small.lib"))
    assert asic.chosen(replace(unit, libraries=["toy_small"])) == [tmp_path / "toy_small.lib"]


CLOCK_GATE = """  cell(toy_gate_1) { area : 6; clock_gating_integrated_cell : "latch_posedge";
    pin(CK) { direction : input; clock_gate_clock_pin : true; }
    pin(E) { direction : input; clock_gate_enable_pin : true; }
    pin(G) { direction : output; clock_gate_out_pin : true; } }
"""
REGISTERS = """module gated (input logic clk_i, input logic wipe_i, input logic en_i, input logic [7:0] d_i,
              output logic [7:0] first_q, output logic [7:0] second_q, output logic [7:0] third_q,
              output logic [2:0] short_q);
  always_ff @(posedge clk_i) begin
    if (wipe_i) first_q <= '0;
    else if (en_i) first_q <= d_i;
    if (en_i) second_q <= wipe_i ? '0 : ~d_i;
    if (en_i) short_q <= d_i[2:0] ^ 3'd5;
    third_q <= wipe_i ? '0 : first_q;
  end
endmodule
"""


def test_clock_gates(tmp_path: Path) -> None:
    """One before registers with a reset over their enable, one before those with a reset under it; none before three
    registers, nor before those without an enable."""
    source = OUT / "test" / "gated.sv"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(REGISTERS)
    (tmp_path / "toy.lib").write_text(library(FLIP_FLOP, CLOCK_GATE))
    unit = Unit("gated", [str(source)], "gated")
    cells = asic.mapped(unit, asic.gates(unit), asic.unpacked(tmp_path / "toy.lib"))
    netlist = cells.netlist.read_text()
    assert cells.clock_gates == netlist.count("toy_gate_1 ") == 2
    assert netlist.count("toy_dffr_1 ") == 27


def test_nexus_counts() -> None:
    cells = {"LUT4": 5, "INV": 1, "WIDEFN9": 2, "CCU2": 3, "FD1P3DX": 4, "FD1P3IX": 1, "MULT9X9": 1, "MULT18X18": 2,
             "MULT36X36": 1, "PDPSC16K_MODE": 2, "VHI": 1}
    assert NEXUS.count(cells) == {"lut": 16, "ff": 5, "dsp": 7, "ebr": 2, "lram": 0}
    with pytest.raises(ValueError, match="OSC_CORE"):
        NEXUS.count({"OSC_CORE": 1})


def test_every_unit_of_the_table_exists() -> None:
    units = read_units()
    assert units["pm_mulmod"].expect["xc7"] == {"dsp": 81}
    for unit in units.values():
        assert ports(unit), unit.name


def test_addsub_takes_no_multiplier() -> None:
    unit = read_units()["pm_addsub"]
    _, counts = run(unit, XC7)
    assert counts["dsp"] == counts["ramb18"] == 0
    assert counts["lut"] > 255


@pytest.mark.long
def test_mulmod_takes_81_multipliers() -> None:
    unit = read_units()["pm_mulmod"]
    _, counts = run(unit, XC7)
    assert wrong_counts(unit, XC7, counts) == []
    assert counts["dsp"] == 81


def test_wrapper_of_place_and_route() -> None:
    """Own modules of the technology, tied inputs, every other port at a register."""
    unit = pnr.with_tech(read_units()["pm_karatsuba_skew"])
    leaves = [path for path in unit.sources if path.endswith("pm_mul_leaf.sv")]
    assert leaves == [str(pnr.TECH / "pm_mul_leaf.sv")]
    text = pnr.wrapper(unit)
    assert ".en_i(1'd1)" in text and ".clk_i(clk_i)" in text
    assert "reg [259:0] in_q;" in text  # two factors
    assert "wire [259:0] out;" in text  # the product


def test_forms_of_cells() -> None:
    """Each has a model in the technology, and the name of its cell behind the reading of a unit."""
    models = {path.stem for path in pnr.cells()}
    assert pnr.FORMS.keys() <= models
    commands = pnr.read_with_cells(pnr.with_tech(read_units()["pm_mpu"]))
    assert "--blackboxed-module MULT18X18D_HELD" in commands[0]
    assert commands[1:] == ["chformal -remove", "chtype -set MULT18X18D t:MULT18X18D_HELD"]


def test_placers_and_routers() -> None:
    """A unit names its placer and its router, or neither."""
    units = read_units()
    assert pnr.chosen_tools(units["pm_mpu"]) == ["--placer", "static", "--router", "router2"]
    assert pnr.chosen_tools(units["pm_x25519_tile"])[:2] == ["--placer", "static"]
    assert pnr.chosen_tools(units["pm_mulmod"]) == []


def test_timing_in_words() -> None:
    """The slowest path inside a clock domain by its registers, and where others end, bits of a signal once."""
    def at(cell: str) -> dict:
        return {"cell": cell, "port": "Q"}

    first = "u_unit.u_core.g_tile[0].u_node.next_q_TRELLIS_FF_Q_50"
    last = "u_unit.u_core.g_tile[0].u_node.u_tile.load_q_TRELLIS_FF_Q_DI_LUT4_Z"
    steps = [{"delay": 0.5, "type": "clk-to-q", "from": at(first), "to": at(first)},
             {"delay": 1.25, "type": "routing", "from": at(first), "to": at("g")},
             {"delay": 0.25, "type": "logic", "from": at("g"), "to": at("g")},
             {"delay": 0.5, "type": "routing", "from": at("g"), "to": at(last)},
             {"delay": 0.0, "type": "setup", "from": at(last), "to": at(last)}]
    ends = [("posedge c", "mem_q.0.54_DO_TRELLIS_FF_Q", 2.0), ("posedge c", "mem_q.0.55_DO_TRELLIS_FF_Q", 2.4),
            ("<async>", "s_o$iob", 9.0), ("posedge c", last, 2.5)]
    used = {cell: {"used": 1, "available": 8} for cell in pnr.COLUMNS.values()}
    report = {"utilization": used, "critical_paths": [{"from": "<async>", "to": "posedge c", "path": []},
                                                      {"from": "posedge c", "to": "posedge c", "path": steps}],
              "detailed_net_timings": [{"event": "posedge c", "endpoints": [
                  {"event": event, "cell": cell, "delay": [0.1, delay]} for event, cell, delay in ends]}]}
    assert pnr.timing(report) == {
        "constraint": 200, "utilisation": dict.fromkeys(pnr.COLUMNS, 0.125),
        "slowest": "2.50 ns from next_q in u_core.g_tile[0].u_node to load_q in u_core.g_tile[0].u_node.u_tile: "
                   "1 gates, 1.75 ns of routing",
        "ends": ["2.50 ns to load_q in u_core.g_tile[0].u_node.u_tile", "2.40 ns to mem_q in the top"]}


def test_other_nextpnr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PM_NEXTPNR names the program that is run, and its version is the one recorded."""
    other = tmp_path / "nextpnr-ecp5"
    other.write_text("#!/bin/sh\necho '\"nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-9.9)'\n")
    other.chmod(0o755)
    monkeypatch.setenv("PM_NEXTPNR", str(other))
    assert pnr.version() == "nextpnr-9.9"
    monkeypatch.delenv("PM_NEXTPNR")
    assert pnr.version() == "nextpnr-0.11.1"
