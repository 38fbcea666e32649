# SPDX-License-Identifier: Apache-2.0
"""Proves that netlists do what their RTL does: ``python -m dv.formal.netlists [module ...]``, all of netlists.yaml by
default.

Yosys maps a module to ECP5 primitives, puts its models of these in their place, and proves both designs equal, by
induction over their registers, which have the same names in both. Registers without reset may begin with anything, but
alike.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from dv.formal.run import OUT as FORMAL, chosen
from pointmill.measure.synthesis.families import ECP5
from pointmill.measure.synthesis.yosys import Unit, read_command, yosys
from pointmill.simbuild import ROOT, BuildError

LIST = Path(__file__).with_suffix(".yaml")
OUT = FORMAL / "netlists"
PROVEN = "Equivalence successfully proven!"
# Names of wires that are not registers may mean something else in the netlist, and must not be matched.
_NAMES = ("proc; flatten; chformal -remove; memory_map; opt_clean; setattr -set fsm_encoding \"none\" w:*; "
          "select -set kept t:$*dff* %co:+[Q] w:* %i i:* %u o:* %u; rename -hide w:* @kept %d; "
          "setattr -set keep 1 @kept")  # fmt: skip


def units() -> dict[str, Unit]:
    """The modules of netlists.yaml, by name."""
    return {name: Unit(name, [f"{entry['folder']}/{Path(entry['folder']).name}.f"], name, entry.get("params", {}))
            for name, entry in yaml.safe_load(LIST.read_text()).items()}


def prove(unit: Unit, damage: str = "") -> float:
    """Processor seconds of the proof; `damage` is a Yosys command that changes the netlist. `BuildError`, with the end
    of the log, where it does not succeed."""
    synthesis, log = OUT / f"{unit.name}.ys", OUT / f"{unit.name}.log"
    OUT.mkdir(parents=True, exist_ok=True)
    synthesis.write_text(f"{ECP5.command.format(top=unit.top)}\n{damage}\n")
    seconds = yosys([read_command(unit), _NAMES, "equiv_opt -assert -async2sync -undef -map +/ecp5/cells_sim.v "
                     f"script {synthesis.relative_to(ROOT)}"], log)
    if PROVEN not in log.read_text():
        raise BuildError(f"no proof, {log}")
    return seconds


def main(arguments: list[str] | None = None) -> int:
    """Prints a row for each module; exit code 1 where one is not proved."""
    known = units()
    bad = 0
    for name in chosen(known, "Prove that netlists do what their RTL does.", arguments):
        try:
            print(f"{name:<26}{prove(known[name]):>8.1f} CPU s  proved", flush=True)
        except BuildError as error:
            print(f"{name:<26} {error}", file=sys.stderr)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
