# SPDX-License-Identifier: Apache-2.0
"""The core `mpu` in a system of LiteX: what LiteX makes of it, and the program of the plain system on it."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from pointmill.curves import by_name
from soc import bench, build
from soc.litex import build as litex_build
from test_soc import CHECKS, CYCLES

HERE = Path(__file__).resolve().parent / "firmware"
TICK = 1 << 14
"""Cycles after which the firmware wakes without the core's interrupt (soc/litex/soc.c)."""


TOTALS = {"secp160r1": {"joye": 20_662, "ladder": 12_781}, "P-256": {"joye": 24_285, "ladder": 13_525}}
"""Cycles of the products by 0xB5; those of the processor depend on the compiler."""


def boot(folder: Path, first: int, status: int, cycles: int = 100_000) -> list[str]:
    """What tests/firmware/litex.c prints."""
    program = build.firmware([HERE / "litex.c"], litex_build.target())
    return litex_build.run(program, struct.pack("<2I", first, status), cycles, folder).splitlines()


def test_what_litex_makes() -> None:
    """The processor finds the core where the headers say, beyond its cache if it had one, and its interrupt."""
    regions = litex_build.described()["regions"]
    assert {"main_ram", "mpu_registers", "mpu_operands", "csr"} == set(regions)
    headers = litex_build.generated() / "include" / "generated"
    sizes = dict(re.findall(r"#define MPU_(\w+)_SIZE (0x\w+)", (headers / "mem.h").read_text()))
    assert {name: int(size, 16) for name, size in sizes.items()} == {"REGISTERS": 256, "OPERANDS": 2048}
    assert all(regions[name] >= 0x8000_0000 for name in ("mpu_registers", "mpu_operands"))
    assert re.search(r"#define MPU_INTERRUPT \d+", (headers / "soc.h").read_text())
    functions = set(re.findall(r"\bmpu_(\w+_(?:read|write))\(", (headers / "csr.h").read_text()))
    assert functions >= {"errors_read", "ev_status_read", "ev_pending_read", "ev_enable_write"}
    assert "errors_write" not in functions


def test_accesses(tmp_path: Path) -> None:
    """What the core refuses reads as 0 and is counted; bytes and words find their lane of 128 bits."""
    assert boot(tmp_path, 0x89abcdef, 0) == [
        "hello 89abcdef", "name 504d4d50 errors 0", "register 00000000 lane 00000000 errors 3 then 0",
        "operand 01ab4567 later", "interrupts 0"]


@pytest.mark.parametrize(("first", "status", "cycles", "message"), [
    (1, 7, 100_000, "status 7"), (0xFFFFFFFF, 0, 100_000, "the processor stopped"),
    (1, 0, 2000, "not ended after 2000 cycles")])
def test_failures_are_told(tmp_path: Path, first: int, status: int, cycles: int, message: str) -> None:
    with pytest.raises(build.SocError, match=message):
        boot(tmp_path, first, status, cycles)


@pytest.mark.parametrize("name", ["secp160r1", pytest.param("P-256", marks=pytest.mark.long)])
def test_self_test_and_products(name: str, tmp_path: Path) -> None:
    """The checks of the self-test, every number as the golden model has it. The ladder ends before a tick, so that the
    interrupt of the core has ended the waiting for it."""
    on = by_name(name)
    problem = bench.Problem(on, on.g, 0xB5, 8, ("joye", "ladder"))
    report = litex_build.measure(problem, 4_000_000, tmp_path)
    assert bench.wrong(problem, report) == []
    assert report.checks == CHECKS
    assert {operation: one.cycles for operation, one in report.operations.items()} == CYCLES[on.bits]
    assert set(report.products) == {"joye", "ladder"} and report.interrupts > 0
    assert 0 < report.products["ladder"].wait < TICK and report.products["joye"].wait > 0
    totals = {method: product.total for method, product in report.products.items()}
    assert totals == pytest.approx(TOTALS[name], rel=0.1)
