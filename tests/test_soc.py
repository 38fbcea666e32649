# SPDX-License-Identifier: Apache-2.0
"""The simulated system on a chip and its program."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from pointmill import simbuild
from pointmill.curves import by_name
from pointmill.model.joye import length
from soc import bench, build, run

HERE = Path(__file__).resolve().parent / "firmware"


def given(first: int, status: int) -> bytes:
    """Input of system.c."""
    return struct.pack("<3I", first, 0x89abcdef, status)


@pytest.fixture(scope="module")
def program() -> bytes:
    return build.firmware([HERE / "system.c"])


def test_registers_of_the_system(program: bytes, tmp_path: Path) -> None:
    lines = build.run(program, given(0x01234567, 0), 200_000, tmp_path / "ram.hex").splitlines()
    assert [line for line in lines if not line.startswith("phases")] == [
        "hello world 1234abcd 4294967295", "zeroed 0 filled 4", "input 01234567 89abcdef",
        "nothing there 00000000 00000000 errors 3 then 0", "input 01234567"]
    (phases,) = (line for line in lines if line.startswith("phases"))
    counts = re.fullmatch(r"phases (\d+) (\d+) (\d+) still", phases)
    assert counts, phases
    for phase, count in enumerate(map(int, counts.groups()), start=1):
        assert 1000 * phase < count < 1000 * phase + 300


@pytest.mark.parametrize("bits", [16, 96])
def test_a_bus_of_another_width(bits: int) -> None:
    with pytest.raises(simbuild.BuildError, match="the bus is a power of two of bits wide, at least 32"):
        simbuild.run_tool([simbuild.verilator_bin(), "--lint-only", f"-GDataWidth={bits}",
                           build.SOC / "rtl" / "pm_soc_axi.sv"])


@pytest.mark.parametrize(("first", "status", "cycles", "message"), [
    (1, 7, 200_000, "status 7"), (0xFFFFFFFF, 0, 200_000, "the processor stopped"),
    (1, 0, 2000, "not ended after 2000 cycles")])
def test_failures_are_told(program: bytes, tmp_path: Path, first: int, status: int, cycles: int,
                           message: str) -> None:
    with pytest.raises(build.SocError, match=message):
        build.run(program, given(first, status), cycles, tmp_path / "ram.hex")


def test_without_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "new.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(simbuild.BuildError, match="gcc is not installed: run `make setup-soc`"):
        build.firmware([tmp_path / "new.c"])


# ---- self-test and ways to multiply -----------------------------------------------------------------

CHECKS, DMA_CHECKS = 57, 30
"""Of the self-test without transfers, and with them."""
CYCLES = {
    160: {"add": 29, "sub": 29, "mul": 87, "mont_mul": 44, "reduction": 52, "invert": 334, "mont_invert": 384,
          "affine_dq": 677, "affine_add": 495},
    256: {"add": 29, "sub": 29, "mul": 87, "mont_mul": 50, "reduction": 58, "invert": 492, "mont_invert": 554,
          "affine_dq": 919, "affine_add": 677},
    704: {"add": 29, "sub": 29, "mul": 87, "mont_mul": 78, "reduction": 86, "invert": 1226, "mont_invert": 1344,
          "affine_dq": 2135, "affine_add": 1523},
}
"""Cycles of the operations of the self-test."""


def check(problem: bench.Problem, folder: Path, limit: int) -> bench.Report:
    """Boots on `problem`; everything printed is as the golden model has it, the operations take their cycles."""
    report = bench.measure(problem, limit, folder / "ram.hex")
    assert bench.wrong(problem, report) == []
    assert report.checks == CHECKS + DMA_CHECKS
    found = {name: operation.cycles for name, operation in report.operations.items()}
    assert found == CYCLES[problem.curve.bits]
    assert set(report.products) == set(problem.methods)
    return report


@pytest.mark.parametrize(("k", "bits"), [(0b11, 2), pytest.param(0xB5, 8, marks=pytest.mark.long)])
def test_self_test_and_every_method(tmp_path: Path, k: int, bits: int) -> None:
    """Software alone takes longest: in the long run."""
    on = by_name("P-256")
    methods = bench.METHODS if bits == 8 else bench.METHODS[1:]
    report = check(bench.Problem(on, on.g, k, bits, methods), tmp_path, 8_000_000)
    products, points, joye, ladder, joye_dma, ladder_dma = (report.products[name] for name in bench.METHODS[1:])
    assert products.total > points.total > joye.total > ladder.total
    if bits == 8:
        software = report.products["software"]
        assert software.bus == software.wait == 0 and software.total > products.total
    # Two operands and a result of 22 words a product, at 10 cycles or more a word; 48 cycles of the core each.
    n = length(bits)
    calls = 11 * n + 19 + 4
    assert products.bus > calls * 66 * 10
    assert products.wait > calls * CYCLES[256]["mont_mul"]
    assert points.wait > (n + 1) * CYCLES[256]["affine_add"] + (n + 2) / 2 * CYCLES[256]["affine_dq"]
    assert (n + 1) * CYCLES[256]["affine_add"] < joye.wait
    # Five numbers and two of 6 cycles each, instead of five copies of 22 words at 30 cycles a word.
    for copied, fetched in ((joye, joye_dma), (ladder, ladder_dma)):
        assert fetched.bus < copied.bus / 2
        assert fetched.total < copied.total - 1000


@pytest.mark.long
@pytest.mark.parametrize("k", [0, 1, 2, 0xFE, 0xFF])
def test_edge_scalars(k: int, tmp_path: Path) -> None:
    on = by_name("P-256")
    check(bench.Problem(on, on.g, k, 8, bench.METHODS[1:]), tmp_path, 6_000_000)


def test_wrong_results_are_told() -> None:
    """Neither a wrong number nor a missing one passes for right, nor a line that nobody understands."""
    on = by_name("P-256")
    problem = bench.Problem(on, on.g, 0xB5, 8, ("points", "joye"))
    report = bench.parse("selftest 3\nop add cycles 8 1\n"
                         "method joye compute 1 bus 2 wait 3 infinity 1 0 0\n")
    assert report.products["joye"] == bench.Product(None, 1, 2, 3) and report.products["joye"].total == 6
    assert bench.wrong(problem, report) == ["add", "sub", "mul", "mont_mul", "reduction", "invert", "mont_invert",
                                            "affine_dq", "affine_add", "points", "joye"]
    nothing = bench.Problem(on, on.g, 0, 8, ("joye",))
    assert "joye" not in bench.wrong(nothing, report)
    with pytest.raises(ValueError, match="not understood: panic"):
        bench.parse("selftest 3\npanic\n")


@pytest.mark.long
def test_field_of_160_bits(tmp_path: Path) -> None:
    on = by_name("secp160r1")
    check(bench.Problem(on, on.g, 3, 2, bench.METHODS[1:]), tmp_path, 6_000_000)


@pytest.mark.long
def test_field_of_704_bits(tmp_path: Path) -> None:
    """The problem of `make soc`."""
    report = check(run.problem(run.SHORT_BITS), tmp_path, run.MAX_CYCLES)
    assert "ladder" in run.table(report)
