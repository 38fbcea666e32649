# SPDX-License-Identifier: Apache-2.0
"""Boards: files, pins, the core on them, identity, asynchronous signals; the top module in RTL with the driver."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boards import board, crossings, transports, wire
from dv.lib.uart.link_units import coded
from pointmill import simbuild
from pointmill.cores import EDVERIFY
from pointmill.device import SecretJob, X25519Device
from pointmill.measure.synthesis import floorplan
from pointmill.measure.synthesis.yosys import read_units

BOARDS = ("ecpix5_85", "ulx3s_85f")
SMALL = {"name": "x25519", "config": "tile"}
K, U, SHARED = (bytes.fromhex(text) for text in (
    "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
    "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
    "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))  # RFC 7748, section 5.2


def test_boards() -> None:
    assert tuple(board.names()) == BOARDS


@pytest.mark.parametrize("name", BOARDS)
def test_floorplan(name: str) -> None:
    """That of data/units.yaml for two tiles that verify."""
    one, unit = board.load(name), read_units()["pm_edverify_tiles_secret"]
    tiles = [f"g_tiles.u_core.g_tile[{tile}]." for tile in range(board.parameters(one.core)["Tiles"])]
    placed, wanted = ({cell.removeprefix(prefix): site for cell, site in floorplan.chosen(plan).items()}
                      for prefix, plan in (("u_system.u_core.u_core.", one.floorplan), ("u_unit.", unit.floorplan)))
    assert placed == {cell: site for cell, site in wanted.items() if cell.startswith(tuple(tiles))}
    assert len(placed) == 94


@pytest.mark.parametrize("name", BOARDS)
def test_every_port_has_a_pin(name: str) -> None:
    """The top module and the pin file name the same bits; no pin twice."""
    top, pin_file = ((board.HERE / name / f"{name}.{kind}").read_text() for kind in ("sv", "lpf"))
    pins = re.findall(r'^LOCATE COMP "(\S+)" SITE "(\w+)";$', pin_file, re.MULTILINE)
    levels = re.findall(r'^IOBUF PORT "(\S+)" .*IO_TYPE=LVCMOS33', pin_file, re.MULTILINE)
    ports = []
    for width, port in re.findall(r"^\s+(?:input|output)\s+logic\s+(?:\[(\d+):0\])?\s*(\w+)", top, re.MULTILINE):
        ports += [f"{port}[{i}]" for i in range(int(width) + 1)] if width else [port]
    assert sorted(signal for signal, _ in pins) == sorted(levels) == sorted(ports)
    assert len({pin for _, pin in pins}) == len(pins)


@pytest.mark.parametrize(("config", "name"), [
    pytest.param(config, name, marks=[] if (at + on) % len(BOARDS) == 0 else [pytest.mark.long])
    for at, config in enumerate(EDVERIFY.parameters) for on, name in enumerate(BOARDS)])
def test_any_configuration_fits_the_wrapper(name: str, config: str, tmp_path: Path, monkeypatch) -> None:
    """The front end of the simulator takes the top module with every configuration of the core."""
    monkeypatch.setattr(board, "OUT", tmp_path)
    chosen = replace(board.load(name), core={"name": "edverify", "config": config})
    simbuild.lint(name, board.rtl(chosen), {"Divider": chosen.divider})


@pytest.mark.parametrize(("change", "text"), [
    (lambda data: data.pop("seed"), "keys ['seed'] are missing or unknown"),
    (lambda data: data.update(speed=1), "keys ['speed'] are missing or unknown"),
    (lambda data: data["core"].update(config="huge"), "no configuration huge of a core edverify"),
    (lambda data: data.update(baud=4_000_000, clock_mhz=50), "50 MHz give 4166667 baud, not 4000000"),
])
def test_wrong_files(change: Callable[[dict[str, Any]], object], text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = board.read_yaml(board.HERE / "ulx3s_85f" / "board.yaml")
    change(data)
    monkeypatch.setattr(board, "read_yaml", lambda path: data)
    with pytest.raises(ValueError, match=re.escape(text)):
        board.load("ulx3s_85f")


def test_identity() -> None:
    """As docs/boards.md has it."""
    one = board.load("ulx3s_85f")
    data = board.identity(one)
    commit, modified = board.revision()
    assert len(data) == 128 and data[:8] == b"PMID\1\0\0\0"
    assert int.from_bytes(data[8:12], "little") == one.clock_mhz * 1000 and data[12] == modified
    assert data[16:36].hex() == commit
    assert data[36:52].rstrip(b"\0") == b"ulx3s_85f" and data[52:84].rstrip(b"\0") == one.configuration.encode()
    assert not any(data[84:])


@pytest.mark.parametrize("name", BOARDS)
def test_pll(name: str) -> None:
    """ecppll has a setting for exactly the clock."""
    one = board.load(name)
    one.folder.mkdir(parents=True, exist_ok=True)
    assert f'FREQUENCY_PIN_CLKOP="{one.clock_mhz:g}"' in board.pll(one)
    with pytest.raises(ValueError, match="no PLL setting for exactly"):
        board.pll(replace(one, clock_mhz=33.33333, variant="-none"))


@pytest.mark.parametrize("initial", [
    "random", pytest.param("zero", marks=pytest.mark.long), pytest.param("one", marks=pytest.mark.long)])
def test_top_module_with_the_driver(initial: str) -> None:
    """In RTL, with a core of another kind than that of board.yaml, whatever registers hold at first."""
    one = replace(board.load("ulx3s_85f"), core=SMALL, variant="-rtl")
    words = int.from_bytes(board.identity(one), "little")
    program = wire.build(one.name, board.rtl(one), wire.BOARDS[one.name],
                         {"Divider": wire.DIVIDER, "Identity": f"1024'h{words:x}"})
    with wire.Wire(program, initial=initial) as line, \
            X25519Device("tile", "uart", f"port={line.port},{wire.SETTINGS}") as device:
        (result,) = device.secret_batch([SecretJob("x25519", K, U)])
        assert result.payload == SHARED
        identity = device.identity()
        assert identity is not None and identity.configuration == "x25519-tile"


# ------------------------------------------------------------------------------ cost of the line


@pytest.mark.parametrize("message", [0, 64, 144, 145, 1000])
def test_bytes_of_a_verification(message: int) -> None:
    """Against frames of random bytes, which the benches of the link write by a code of their own."""
    rng = random.Random(message)
    runs, total = 400, 0
    for _ in range(runs):
        packet = rng.randbytes(transports.JOB + message)
        parts = [packet[at:at + 248] for at in range(0, len(packet), 248)]
        total += sum(len(coded(2 + (part is parts[-1]), rng.randrange(256), rng.randrange(256), part))
                     for part in parts)
    found = transports.cost(board.load("ulx3s_85f"), message)
    assert total / runs == pytest.approx(found.bytes_to, rel=0.01)
    assert found.us_to == pytest.approx(found.bytes_to * 10 / 3)
    assert found.bytes_from == pytest.approx(len(parts) * (17 * 258 / 256 + 2) + 25 * 258 / 256 + 2)


def test_cycles_of_the_core() -> None:
    """Those of the record for its tiles, at the clock of the board; none for a configuration that was not measured."""
    one = board.load("ulx3s_85f")
    record = json.loads((simbuild.ROOT / "data/records/bench.edverify.verify.tiles.json").read_text())
    (value,) = [figure["value"] for figure in record["figures"]
                if (figure["id"], figure["what"]) == ("edverify.verify", "cycles_per_verification")]
    three = replace(one, core={"name": "edverify", "config": "tiles"})
    assert transports.cost(three, 64).us_core == value / one.clock_mhz
    assert transports.cost(one, 64).us_core == pytest.approx(1.5 * value / one.clock_mhz)
    assert transports.cost(replace(one, core=SMALL), 64).us_core is None
    assert transports.cost(one, 64).bottleneck == "line to the board"
    assert transports.cost(replace(one, baud=100_000_000), 64).bottleneck == "core"


# ------------------------------------------------------------------------------ asynchronous signals


def cell(kind: str, outputs: tuple[str, ...] = (), parameters: dict[str, str] | None = None,
         **pins: int) -> dict[str, Any]:
    """A cell of a netlist; its pins of one bit."""
    return {"type": kind, "parameters": parameters or {},
            "port_directions": {pin: "output" if pin in outputs else "input" for pin in pins},
            "connections": {pin: [bit] for pin, bit in pins.items()}}


def small() -> dict[str, Any]:
    """A netlist with everything right: nets 1 oscillator, 2 clock, 3 lock, 4 line, 5 button."""
    port = {"clk": 1, "rx": 4, "btn": 5}
    ff = {"SRMODE": "ASYNC"}
    return {"ports": {name: {"direction": "input", "bits": [bit]} for name, bit in port.items()}, "cells": {
        "pll": cell("EHXPLLL", ("CLKOP", "LOCK"), CLKI=1, CLKOP=2, LOCK=3),
        "reset": cell("LUT4", ("Z",), A=3, B=5, Z=6),
        "first": cell("TRELLIS_FF", ("Q",), ff, CLK=2, DI=4, LSR=6, Q=7),
        "second": cell("TRELLIS_FF", ("Q",), ff, CLK=2, DI=7, LSR=6, Q=8),
        "use": cell("LUT4", ("Z",), A=8, Z=9),
        "state": cell("TRELLIS_FF", ("Q",), ff, CLK=2, DI=9, LSR=6, Q=10)}}


def checked(module: dict[str, Any], tmp_path: Path) -> list[crossings.Crossing]:
    path = tmp_path / "netlist.json"
    path.write_text(json.dumps({"modules": {"top": module}}))
    return crossings.check(path, "top")


def test_crossings(tmp_path: Path) -> None:
    assert {(one.signal, one.kind, one.registers) for one in checked(small(), tmp_path)} == {
        ("PLL lock", "reset", ("first", "second", "state")), ("btn", "reset", ("first", "second", "state")),
        ("rx", "data", ("first", "second"))}


@pytest.mark.parametrize(("change", "text"), [
    (lambda cells: cells["state"]["connections"].update(CLK=[1]), "2 clocks"),
    (lambda cells: cells.update(pll2=cells["pll"]), "2 PLLs"),
    (lambda cells: cells["use"]["connections"].update(A=[4]), "rx enters 2 pins"),
    (lambda cells: cells["state"]["connections"].update(DI=[7]), "behind its first register are 2 pins"),
    (lambda cells: cells["second"]["connections"].update(DI=[9]) or cells["use"]["connections"].update(A=[7]),
     "behind its first register are 2 pins"),
    (lambda cells: cells["state"]["connections"].update(DI=[5]), "btn enters"),
    (lambda cells: cells["state"]["parameters"].update(SRMODE="LSR_OVER_CE"), "synchronous reset"),
])
def test_crossings_that_are_none(change: Callable[[dict[str, Any]], object], text: str, tmp_path: Path) -> None:
    module = small()
    module["cells"] = json.loads(json.dumps(module["cells"]))
    change(module["cells"])
    with pytest.raises(crossings.CrossingError, match=text):
        checked(module, tmp_path)
