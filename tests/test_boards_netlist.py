# SPDX-License-Identifier: Apache-2.0
"""Boards after synthesis: netlists in ECP5 cells, driven over their serial line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boards import board, crossings, netlist, simulate, wire
from pointmill.device import SecretJob, X25519Device

K, U, SHARED = (bytes.fromhex(text) for text in (
    "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
    "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
    "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))  # RFC 7748, section 5.2


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
    lines = simulate.run(one, netlist.program(one), "random", 8, 2)
    assert lines[2].startswith("signatures: 8 right") and lines[3].startswith("soft resets: 2")
