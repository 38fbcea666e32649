# SPDX-License-Identifier: Apache-2.0
"""The driver of `mpu` in C on a fake back-end, the back-ends for bare metal and Linux, and deliberate defects."""

from __future__ import annotations

from pathlib import Path

import pytest

from driver.c_tests import checks, fails
from dv.common.planted import planted_file
from pointmill import library, simbuild
from soc.build import BASELINE

HERE = Path(__file__).resolve().parent / "driver"
BACKENDS = tuple(library.SW / "backends" / f"mpu_{name}.c" for name in ("mmio", "uio"))
SOURCES = (*(library.SW / "src" / f"{name}.c" for name in ("config", "mpu", "mpu_dma")), *BACKENDS,
           *(BASELINE / f"{name}.c" for name in ("mp", "affine", "joye")), HERE / "mpu_fake.c", HERE / "test_mpu.c")
FLAGS = ("-std=c11", f"-I{library.INCLUDE}", f"-I{library.SW / 'src'}", f"-I{BASELINE}", f"-I{HERE}")
CHECKS = 476
PAGES = 2 * 4096

# What is replaced in which file, by what.
BUGS = {
    "any core": ("mpu", "name != PM_MPU_REGS__NAME__VALUE_reset", "name == 0"),
    "no reset at opening": ("mpu", "return error != PM_OK ? error : pm_mpu_reset(mpu);", "return error;"),
    "interrupts on": ("mpu", "                              : 0);", "                              : 5);"),
    "entries": ("mpu", "PM_ERR_ARGUMENT;\n  }\n  return mpu->backend->copy_in",
                "PM_OK;\n  }\n  return mpu->backend->copy_in"),
    "a word too few": ("mpu", "words, PM_MPU_WORDS);\n}\n\npm_error pm_mpu_get",
                       "words, PM_MPU_WORDS - 1);\n}\n\npm_error pm_mpu_get"),
    "stride": ("mpu", "copy_out(mpu->state, entry * PM_MPU_STRIDE", "copy_out(mpu->state, entry / 2 * PM_MPU_STRIDE"),
    "secret flag lost": ("mpu", "FIELD(SECRET, (uint32_t)c.secret)", "FIELD(SECRET, 0u & (uint32_t)c.secret)"),
    "operands exchanged": ("mpu", "FIELD(SRC1, c.src1) | FIELD(SRC2, c.src2)",
                           "FIELD(SRC2, c.src1) | FIELD(SRC1, c.src2)"),
    "field overflow": ("mpu", "c.op >= OP_END || ", ""),
    "no time-out": ("mpu", "passed += spent;", "(void)passed;"),
    "no reset after time-out": ("mpu", "(void)pm_mpu_reset(mpu);", ""),
    "old interrupt": ("mpu", "if (mpu->interrupt) {\n    error = write32", "if (false) {\n    error = write32"),
    "polls in spite of interrupts": ("mpu", "wait(mpu->state, true, WAIT_CYCLES",
                                     "wait(mpu->state, false, WAIT_CYCLES"),
    "reason": ("mpu", "*reason = (status & PM_MPU_REGS__STATUS__REASON_bm)",
               "*reason = (status & PM_MPU_REGS__STATUS__DONE_bm)"),
    "error of a copy": ("mpu_mmio", "    words[i] = from[i];\n  }\n  return outcome(mmio);",
                        "    words[i] = from[i];\n  }\n  return PM_OK;"),
    "address": ("mpu_mmio", "mmio->memory + address / 4;\n  for (size_t i = 0; i < count; i++) {\n    to",
                "mmio->memory + address;\n  for (size_t i = 0; i < count; i++) {\n    to"),
    "sleeps always": ("mpu_mmio", "interrupt && mmio->sleep", "mmio->sleep"),
    "signal is an error": ("mpu_uio", "errno == EINTR ? PM_OK", "false ? PM_OK"),
    "unreadable registers": ("mpu_uio", "!pm_reg_in(PM_MPU_REGS__readable, address)", "false"),
    "unwritable registers": ("mpu_uio", "PM_MPU_REGS__writable", "PM_MPU_REGS__readable"),
    "first entry": ("mpu_dma", "count > PM_MPU_ENTRIES - entry", "count > PM_MPU_ENTRIES"),
    "direction": ("mpu_dma", "FIELD(STORE, store)", "FIELD(STORE, 0 * store)"),
    "upper half": ("mpu_dma", "(uint32_t)(address >> 32)", "0"),
    "alignment": ("mpu_dma", "address % PM_MPU_STRIDE != 0", "address % 64 != 0"),
    "no addresses": ("mpu_dma", "if (backend->dma_address == NULL) {", "if (false) {"),
    "no end of a transfer": ("mpu_dma", "error = pm_mpu_finish(mpu, false, reason);", "*reason = 0;"),
    "sleeps for a transfer": ("mpu_dma", "pm_mpu_finish(mpu, false, reason)", "pm_mpu_finish(mpu, true, reason)"),
    "address of a transfer": ("mpu_mmio", "*address = (uintptr_t)memory;", "*address = bytes;"),
    "mapping": ("mpu_uio", "map(uio->file, 1, MEMORY_BYTES)", "map(uio->file, 3, MEMORY_BYTES)"),
}


@pytest.fixture
def device(tmp_path: Path) -> Path:
    """What the back-end for Linux maps."""
    file = tmp_path / "device"
    file.write_bytes(bytes(PAGES))
    return file


def test_c_unit_test_under_sanitizers(device: Path, tmp_path: Path) -> None:
    assert checks(tmp_path / "test_mpu", SOURCES, *FLAGS, arguments=(device,)) == CHECKS


@pytest.mark.parametrize("bug", BUGS)
def test_seeded_bug_is_caught(bug: str, device: Path, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    (original,) = (file for file in SOURCES if file.stem == name)
    source = planted_file(original, right, wrong, tmp_path)
    program = tmp_path / "test_mpu"
    simbuild.run_tool(["gcc", *FLAGS, source, *(file for file in SOURCES if file != original), "-o", program])
    assert fails(program, device)
