# SPDX-License-Identifier: Apache-2.0
"""Floorplans for place and route on an ECP5-85: where the multipliers and block RAMs of a module are.

nextpnr spreads these few cells over the whole part, and the logic follows them. syn/tech/ecp5/floorplans.yaml gives
them sites side by side; `floorplan` of a unit in data/units.yaml says which modules have one, and at which group of
columns each begins. All other cells are placed by nextpnr.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from pointmill.simbuild import ROOT, BuildError
from pointmill.yaml_file import read_yaml

PLANS = ROOT / "syn" / "tech" / "ecp5" / "floorplans.yaml"


_plans = cache(read_yaml)


def sites(name: str, first: int, path: Path = PLANS) -> dict[str, str]:
    """Site by cell of a floorplan whose leftmost group is number `first` of the part; `BuildError` where it does not
    fit."""
    part, rows = (_plans(path)[key] for key in ("part", name))
    found: dict[str, str] = {}
    for row in rows:
        if "plan" in row:
            inner = sites(row["plan"], first + row["groups"], path)
            found |= {f"{row['within']}.{cell}": site for cell, site in inner.items()}
            continue
        free = [f"X{column + offset}/Y{row['row']}/{site}" for column in part["groups"][first:]
                for site, offset in part["sites"][row["kind"]].items()]  # fmt: skip
        if len(row["cells"]) > len(free) - row["skip"]:
            raise BuildError(f"{path.name}: row {row['row']} of {name} does not fit from group {first} on")
        taken = zip(row["cells"], free[row["skip"]:], strict=False)
        found |= {f"{row['within']}.{cell}": site for cell, site in taken if cell is not None}
    return found


def chosen(plans: dict[str, dict[str, int]]) -> dict[str, str]:
    """Site by cell of a unit whose `plans` hold the first group by instance, by floorplan; `BuildError` for a site that
    two cells have."""
    found = {f"{instance}.{cell}": site for name, starts in plans.items() for instance, first in starts.items()
             for cell, site in sites(name, first).items()}  # fmt: skip
    if len(set(found.values())) != len(found):
        raise BuildError("two cells have the same site")
    return found


def constrain(netlist: Path, top: str, plans: dict[str, dict[str, int]]) -> None:
    """Gives the cells of a netlist of nextpnr their sites; `BuildError` for a cell that is not in it."""
    if not plans:
        return
    wanted = chosen(plans)
    design = json.loads(netlist.read_text())
    cells = design["modules"][top]["cells"]
    if missing := sorted(wanted.keys() - cells.keys()):
        raise BuildError(f"{len(missing)} cells are not in {netlist.name}, the first {missing[0]}")
    for cell, site in wanted.items():
        cells[cell].setdefault("attributes", {})["BEL"] = site
    netlist.write_text(json.dumps(design))
