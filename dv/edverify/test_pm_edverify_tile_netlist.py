# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_tile after synthesis: the netlist of ECP5 cells that is placed and routed, on the models of its cells,
gives the reasons of the tile."""

from __future__ import annotations

import ctypes
import random
from collections import Counter

import pytest

from dv.edverify import test_pm_edverify_tile as tile
from pointmill import simbuild
from pointmill.measure.synthesis.netlist import VERILATOR, cells, mapped
from pointmill.measure.synthesis.yosys import read_units
from pointmill.rules import Reason
from vectors.hostile import hostile_cases


@pytest.mark.long
def test_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 hostile and 20 honest signatures, each under a rule of its own."""
    netlist = mapped(read_units()["pm_edverify_tile"])
    path = simbuild.build_shared("pm_edverify_tile", [*cells(), netlist], "dv/edverify/pm_edverify_tile_api.cpp",
                                 out_dir="build/sim/pm_edverify_tile_netlist", cflags=("-Idv/common",),
                                 verilator_args=VERILATOR)
    library = ctypes.CDLL(str(path))
    monkeypatch.setattr(tile, "library", lambda: library)
    library.pm_tile_reset()
    rng = random.Random(91)
    hostile = [rng.choice(tile.judged([case])) for case in hostile_cases(20, seed=92, max_message=64)]
    jobs = [*hostile, *tile.honest(20, 93)]
    rng.shuffle(jobs)
    tile.check(jobs)
    kinds = Counter(job.reason for job in jobs)
    assert kinds[Reason.ok] >= 20 and len(kinds) >= 4, kinds
