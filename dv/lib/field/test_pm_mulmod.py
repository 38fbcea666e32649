# SPDX-License-Identifier: Apache-2.0
"""pm_mulmod: mass vectors in C++, all operands of toy fields, protocol in cocotb, rejections."""

from __future__ import annotations

from pathlib import Path

import cocotb_pm_mulmod
import pytest
from field_common import RTL, counters, popcount

from dv.common.planted import planted_file
from pointmill import simbuild

EDGES = 64
PARAMS = {"Levels": 3, "OpReg": 0, "PreMask": 0, "InReg": 1, "MulReg": 1, "RecMask": 0b110,
          "FoldStages": 2}
VARIANTS = {
    "paper": {},
    "deep": {"OpReg": 1, "PreMask": 0b111, "InReg": 2, "MulReg": 2, "RecMask": 0b111,
             "FoldStages": 4},
    "two_levels": {"Levels": 2, "PreMask": 0b01, "RecMask": 0b11, "FoldStages": 3},
    "no_level": {"Levels": 0, "RecMask": 0, "MulReg": 2},
}


def latencies(params: dict[str, int]) -> tuple[int, int]:
    """Cycles to the taps and to the result for parameters of pm_mulmod."""
    below = (1 << params["Levels"]) - 1
    part = (params["OpReg"] + popcount(params["PreMask"] & below) + params["InReg"]
            + params["MulReg"] + popcount(params["RecMask"] & below))
    return part, part + params["FoldStages"]


def build(variant: str, sources: str | list[Path] = RTL, out: str | None = None) -> Path:
    params = PARAMS | VARIANTS[variant]
    part, full = latencies(params)
    return simbuild.build_cpp(
        "pm_mulmod", sources, "dv/lib/field/pm_mulmod_bench.cpp", params=params,
        out_dir=out or f"build/sim/pm_mulmod_{variant}",
        cflags=["-Idv/common", f"-DPM_PART_LATENCY={part}", f"-DPM_LATENCY={full}"])


def test_paper_latencies() -> None:
    assert latencies(PARAMS) == (4, 6)


@pytest.mark.parametrize("stalls", [0, 1])
def test_mass(stalls: int) -> None:
    pairs = 1_100_000 if stalls else 100_000
    got = counters(build("paper"), stalls + 1, pairs, stalls, -1)
    assert got["edge_pairs"] == EDGES**2
    assert got["sent"] == got["results"] == got["taps"] == EDGES**2 + pairs
    assert got["above_p"] > 50 and got["above_255"] > 50
    assert got["fewest_of_a_kind"] > pairs // 100
    assert (got["stalled"] > pairs // 16) == (got["idle"] > pairs // 16) == bool(stalls)


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "paper"])
def test_variants(variant: str) -> None:
    got = counters(build(variant), 3, 50_000, 1, -1)
    assert got["results"] == got["taps"] == EDGES**2 + 50_000


@pytest.mark.parametrize("index", [0, EDGES**2 + 99])
def test_bench_notices_one_wrong_bit(index: int) -> None:
    with pytest.raises(simbuild.BuildError, match=rf"FAIL .*r_o.* at operand pair {index}\n"):
        counters(build("paper"), 1, 100, 1, index)


DEFECTS = {
    "sign of the middle product": ("pm_karatsuba.sv", "(K + 1)'(b0_d) - (K + 1)'(b1_d)",
                                   "(K + 1)'(b1_d) - (K + 1)'(b0_d)"),
    "unsigned leaf": ("pm_karatsuba.sv", ".Signed(1'b1)", ".Signed(1'b0)"),
    "lost carry of a sum": ("pm_mulmod.sv", "assign as_d = a1_d + a0_d;",
                            "assign as_d = {1'b0, a1_d[Half-1:0] + a0_d[Half-1:0]};"),
    "short C H": ("pm_fold.sv", "HW = W + CW;", "HW = W + CW - 1;"),
    "stage without enable": ("pm_fold.sv", "if (en_i) t_q <= t_d;", "t_q <= t_d;"),
    "valid without enable": ("pm_mulmod.sv", "else if (en) valid_q", "else valid_q"),
    "bubble accepted": ("pm_mulmod.sv", "assign ready_o = en;", "assign ready_o = 1'b1;"),
    "tap one stage early": ("pm_mulmod.sv", "valid_q[PartLatency-1]", "valid_q[PartLatency-2]"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", DEFECTS)
def test_bench_notices_defects(name: str, tmp_path: Path) -> None:
    """Each seeded defect must make the bench fail, not the build."""
    file, old, new = DEFECTS[name]
    sources = []
    for path in simbuild.read_filelist(RTL):
        if path.name == file:
            path = planted_file(path, old, new, tmp_path)
            path.write_text("/* verilator lint_off UNUSEDSIGNAL */\n" + path.read_text())
        sources.append(path)
    sim = build("paper", sources, str(tmp_path / "sim"))
    with pytest.raises(simbuild.BuildError, match="FAIL "):
        counters(sim, 1, 20_000, 1, -1)


@pytest.mark.parametrize(("width", "pairs"), [(10, 1 << 20), (12, 1 << 24)])
def test_toy_exhaustive(width: int, pairs: int) -> None:
    """All operand pairs of small moduli through multiplier, reduction and canonical form."""
    sim = simbuild.build_cpp(
        "pm_mulmod_toy_tb", [RTL, "dv/lib/field/pm_mulmod_toy_tb.sv"],
        "dv/lib/field/pm_mulmod_toy_bench.cpp", params={"Width": width},
        out_dir=f"build/sim/pm_mulmod_toy_{width}", cflags=["-Idv/common", f"-DPM_WIDTH={width}"])
    got = counters(sim)
    slots = {10: 7, 12: 2}[width]
    assert got["slots"] == slots
    assert got["pairs"] == pairs
    assert got["results"] == slots * pairs
    assert got["zeros"] > slots * (1 << width)


@pytest.mark.parametrize(("params", "sentence"), [
    ({"N": 11, "C": 3, "W": 14, "Levels": 1}, "do not bring every product below 2p"),
    ({"C": 20}, "do not bring every product below 2p"),
    ({"W": 254}, "do not bring every product below 2p"),
    ({"W": 259}, "W must be even"),
    ({"Levels": 8}, "W must be at least 2^Levels"),
    ({"OpReg": 2}, "OpReg must be 0 or 1"),
    ({"InReg": 3}, "InReg must be 0, 1 or 2"),
    ({"MulReg": 3}, "OutReg must be 0, 1 or 2"),
    ({"InReg": 0, "MulReg": 0, "RecMask": 0}, "at least one register stage"),
    ({"FoldStages": 1}, "Stages must be 2, 3 or 4"),
    ({"FoldStages": 5}, "Stages must be 2, 3 or 4"),
])
def test_illegal_parameters_are_refused(params: dict[str, int], sentence: str) -> None:
    with pytest.raises(simbuild.BuildError, match=sentence.replace("^", r"\^")):
        simbuild.lint("pm_mulmod", RTL, params)


def test_protocol() -> None:
    simbuild.run_cocotb("pm_mulmod", RTL, cocotb_pm_mulmod.__name__,
                        build_dir="build/cocotb/pm_mulmod", expect=5)
