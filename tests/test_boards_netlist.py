# SPDX-License-Identifier: Apache-2.0
"""Boards after synthesis: netlists in ECP5 cells, driven over their serial line."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from boards import board, crossings, netlist, simulate, wire
from pointmill.commands.selftest import known_answers
from pointmill.device import SecretJob, X25519Device
from pointmill.measure.synthesis.netlist import YOSYS_CELLS
from pointmill.measure.synthesis.yosys import yosys
from pointmill.simbuild import ROOT, BuildError, write_whole

K, U, SHARED = (bytes.fromhex(text) for text in (
    "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
    "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
    "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))  # RFC 7748, section 5.2


def tables(output: str, name: Callable[[str], str], contents: list[int]) -> str:
    """Verilog of as many cells LUT4 and CCU2C, by their names, with these contents; all results are in `output`."""
    cells = f"wire [{4 * len(contents) - 1}:0] {output};\n"
    for i, one in enumerate(contents):
        cells += (f"{name('LUT4')} #(.INIT(16'd{one})) {output}_t{i}(.A(a[0]), .B(a[1]), .C(a[2]), .D(a[3]), "
                  f".Z({output}[{4 * i}]));\n{name('CCU2C')} #(.INIT0(16'd{one}), .INIT1(16'd{contents[i - 1]}), "
                  f'.INJECT1_0("NO"), .INJECT1_1("NO")) {output}_c{i}(.CIN(a[8]), .A0(a[0]), .B0(a[1]), .C0(a[2]), '
                  f".D0(a[3]), .A1(a[4]), .B1(a[5]), .C1(a[6]), .D1(a[7]), .S0({output}[{4 * i + 1}]), "
                  f".S1({output}[{4 * i + 2}]), .COUT({output}[{4 * i + 3}]));\n")
    return cells


@pytest.mark.parametrize("same", [True, False])
def test_models_of_tables_are_those_of_yosys(same: bool) -> None:
    """Every input of some cells; other contents are found."""
    contents = [random.Random(1).randrange(1 << 16) for _ in range(16)]
    other = contents if same else [*contents[:-1], contents[-1] ^ 1 << 9]
    base = board.OUT / f"tables-{same}"
    gold, gate = tables("gold", str, contents), tables("gate", lambda cell: f"pm_{cell.lower()}", other)
    write_whole(base.with_suffix(".v"), f"module pair(input [8:0] a, output differ);\n{gold}{gate}"
                                        "assign differ = gold != gate;\nendmodule\n")
    commands = [f"read_verilog {YOSYS_CELLS}/common_sim.vh {YOSYS_CELLS}/ccu2c_sim.vh",
                f"read_verilog -defer -sv boards/sim/pm_lut4.sv boards/sim/pm_ccu2c.sv {base.relative_to(ROOT)}.v",
                "hierarchy -top pair", "proc", "flatten", "opt_clean", "sat -verify -prove differ 0"]
    if same:
        yosys(commands, base.with_suffix(".log"))
    else:
        with pytest.raises(BuildError, match="proof did fail"):
            yosys(commands, base.with_suffix(".log"))


@pytest.mark.long
def test_netlist_of_a_small_core() -> None:
    """ECP5 cells, with all initial states; asynchronous signals of the netlist."""
    one = replace(board.load("ulx3s_85f"), core={"name": "x25519", "config": "tile"}, floorplan={}, variant="-small")
    program = netlist.program(one)
    found = {(crossing.signal, crossing.kind) for crossing in
             crossings.check(one.folder / "netlist.sim.json", one.name)}
    assert found == {("PLL lock", "reset"), ("btn_fire1", "reset"), ("ftdi_txd", "data")}
    for initial in ("zero", "one", "random"):
        with wire.Wire(program, initial=initial) as line, \
                X25519Device("tile", "uart", f"port={line.port},{wire.SETTINGS}") as device:
            (result,) = device.secret_batch([SecretJob("x25519", K, U)])
            assert result.payload == SHARED


@pytest.mark.long
def test_netlist_of_a_board() -> None:
    """With few signatures; `make board-sim` has more."""
    one = board.load("ulx3s_85f")
    said = simulate.run(one, netlist.program(one), "random", simulate.Work(every=1, signatures=8, resets=2))
    assert said.lines[2].startswith("signatures: 8 right") and said.lines[3].startswith("soft resets: 2")
    assert said.right + said.aborted == len(known_answers()) + 8 + 2 * 5 and said.resets == 2
