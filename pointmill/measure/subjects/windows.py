# SPDX-License-Identifier: Apache-2.0
"""S G - k A of `edverify`, configuration `paper`, by the windows of both scalars: cycles of the point operations, as
they are scheduled, and the table of G, a ROM."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from statistics import fmean

from pointmill.measure.inputs import Inputs
from pointmill.measure.subjects import rtl
from pointmill.measure.synthesis.yosys import Unit
from pointmill.measure.task import Figure, Measure, Params
from pointmill.model import naf
from pointmill.model.scalar import L
from pointmill.simbuild import BUILD, ROOT
from pointmill.ucode import basetable, verilog
from pointmill.ucode.build import build
from pointmill.ucode.machine import ISA, ucode

PARAMETERS = {"g": "window of S, at least 3", "a": "window of k, at least 3",
              "pairs": "scalars of which the mean is taken"}
PAIRS = 1000
BUILT = 5
"""Window of A in the program: its block `odd_multiples` makes 2^(5-2) multiples of A."""


def cycles(params: Params) -> list[Figure]:
    """Mean over random scalars: doublings and additions at the lengths of their blocks; the table of A at the length
    of an addition for each point more or less than the program's."""
    g, a = int(params["g"]), int(params["a"])
    if min(g, a) < 3:
        raise ValueError("a window has at least 3 bits")
    schedules = build("edverify", "verify", "paper")[2]
    double, add = schedules["walk_double"].length, schedules["walk_add_a"].length
    rng = random.Random(1)
    walks = []
    for _ in range(int(params.get("pairs", PAIRS))):
        digits = naf.recode(rng.randrange(L), g), naf.recode(rng.randrange(L), a)
        added = sum(map(bool, [*digits[0], *digits[1]])) - 1
        walks.append((max(map(len, digits)) - 1) * double + added * add)
    table = schedules["odd_multiples"].length + (2 ** (a - 2) - 2 ** (BUILT - 2)) * add
    bits = (2 ** (g - 2) * 3 + 2 ** (a - 2) * 4) * 255
    return [Figure("cycles_mean", round(fmean(walks) + table, 1), "cycles"), Figure("table_bits", bits, "bits")]


def unit(params: Params) -> Unit:
    """The table of G with its window, written where synthesis finds it."""
    name = f"pm_sweep_gtable_{params['g']}"
    text = verilog.rom_module(name, "the curve", "Odd multiples of the base point.", basetable.ENTRY_BITS,
                              basetable.packed(int(params["g"])))
    folder = BUILD / "sweep" / "rom" / hashlib.sha256(text.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.sv"
    path.write_text(text)
    return rtl.as_unit(name, [str(path)], {})


def _inputs(_: Params) -> Inputs:
    return Inputs((), [*(ROOT / "pointmill" / "ucode").glob("*.py"), ISA, Path(naf.__file__),
                       *ucode("edverify").glob("*.pmu"), ucode("edverify") / "paper.yaml"])  # fmt: skip


MEASURES = {"cycles": Measure(cycles, _inputs, ("ortools",)), "area": rtl.synthesis(unit)["area"]}
