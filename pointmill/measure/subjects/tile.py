# SPDX-License-Identifier: Apache-2.0
"""A tile of `edverify` by its contexts: cycles of honest signatures on as many of them as configuration `tiles` has, in
the verilated core, and clock and resources of one, placed and routed alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pointmill.cores import EDVERIFY
from pointmill.measure.inputs import Inputs
from pointmill.measure.subjects import rtl, verify
from pointmill.measure.synthesis.yosys import Unit, read_units
from pointmill.measure.task import Figure, Measure, Params

PARAMETERS = {
    "NumContexts": "signatures that a tile works on at the same time, 2 to 7",
    "signatures": "of which the mean is taken, without those that fill and empty the core",
}
TILES = int(EDVERIFY.parameters["tiles"]["Tiles"])


def unit(params: Params) -> Unit:
    """A tile with so many contexts; its datapath has the sites that it has in `pm_edverify_tile` of data/units.yaml,
    but its other memories, of which there are fewer with fewer contexts, have none."""
    known, own = read_units()["pm_edverify_tile"], {"NumContexts": params["NumContexts"]}
    datapath = {"u_unit.u_datapath": known.floorplan["edverify_tile"]["u_unit"]}
    return replace(known, name=rtl.as_unit(known.top, known.sources, own).name, params=own,
                   floorplan={"half_datapath": datapath})


def core(params: Params) -> Params:
    """The core of TILES such tiles, as a point of `verify`."""
    others = {name: value for name, value in params.items() if name != "NumContexts"}
    return {"Contexts": TILES * int(params["NumContexts"]), "Tiles": TILES, "SecretOps": 0, **others}


def cycles(params: Params) -> list[Figure]:
    """As `verify.cycles`."""
    return verify.cycles(core(params))


def _inputs(params: Params) -> Inputs:
    own = verify.MEASURES["cycles"].inputs(core(params))
    return replace(own, files=[*own.files, Path(verify.__file__)])


MEASURES = {"cycles": Measure(cycles, _inputs, ("verilator",)), **rtl.synthesis(unit)}
