# SPDX-License-Identifier: Apache-2.0
"""Floorplans: sites of cells, by group of columns, in a netlist of nextpnr."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from pointmill.measure.synthesis import floorplan
from pointmill.measure.synthesis.yosys import read_units
from pointmill.simbuild import BuildError


def test_sites_of_a_floorplan() -> None:
    """From the first group on, after what is left out; other groups are the same cells elsewhere."""
    found = floorplan.sites("edverify_tile", 0)
    assert len(found) == 47
    assert found["u_sequencer.rom_word_i_DP16KD_DOB9"] == "X22/Y70/EBR0"
    lowest = "u_datapath.u_multiplier.gen_step.u_low.gen_step.u_low.gen_step.u_low.gen_leaf.u_leaf.u_mult"
    assert [floorplan.sites("edverify_tile", first)[lowest] for first in (0, 4, 8)] == [
        f"X{column}/Y10/MULT18_0" for column in (4, 40, 78)]
    with pytest.raises(BuildError, match="row 10 of half_datapath does not fit from group 10 on"):
        floorplan.sites("edverify_tile", 10)


def test_sites_that_stay_free() -> None:
    """One in four of every row of the products of `mpu`, but in one group; no other is left out."""
    found = floorplan.sites("mpu_products", 0)
    rows = Counter(site.split("/")[1] for site in found.values())
    assert rows == {"Y10": 40, "Y34": 40, "Y58": 40}
    assert found["gen_array[0].u_array.gen_column[1].gen_part[1].u_leaf.u_mult"] == "X9/Y34/MULT18_5"
    assert found["gen_array[0].u_array.gen_column[2].gen_part[0].u_leaf.u_mult"] == "X14/Y34/MULT18_1"


def test_floorplans_of_units() -> None:
    """No two cells of a unit have the same site."""
    planned = {name: floorplan.chosen(unit.floorplan) for name, unit in read_units().items() if unit.floorplan}
    assert {name: len(sites) for name, sites in planned.items()} == {
        "pm_edverify_secret_core": 43, "pm_edverify_secret_tile": 43, "pm_edverify_tile": 47,
        "pm_edverify_tiles": 141, "pm_edverify_tiles_secret": 137, "pm_mpu": 120,
        "pm_x25519_tile": 43, "pm_x25519_tile_core": 43}
    with pytest.raises(BuildError, match="same site"):
        floorplan.chosen({"edverify_tile": {"a": 0, "b": 3}})


def test_constrained_netlist(tmp_path: Path) -> None:
    """Every cell of the floorplan gets its site, others none; a cell that is not there is an error."""
    wanted, netlist = floorplan.chosen({"edverify_tile": {"u_unit": 4}}), tmp_path / "netlist.json"

    def write(names: Iterable[str]) -> None:
        netlist.write_text(json.dumps({"modules": {"pnr_top": {"cells": {name: {"type": "X"} for name in names}}}}))

    write([*wanted, "other"])
    floorplan.constrain(netlist, "pnr_top", {"edverify_tile": {"u_unit": 4}})
    cells = json.loads(netlist.read_text())["modules"]["pnr_top"]["cells"]
    assert cells.pop("other") == {"type": "X"}
    assert {name: cell["attributes"]["BEL"] for name, cell in cells.items()} == wanted
    write(sorted(wanted)[1:])
    with pytest.raises(BuildError, match=f"1 cells .* the first {re.escape(sorted(wanted)[0])}"):
        floorplan.constrain(netlist, "pnr_top", {"edverify_tile": {"u_unit": 4}})
