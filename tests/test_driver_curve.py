# SPDX-License-Identifier: Apache-2.0
"""The driver of `multicurve` in C, on a fake back-end, and with deliberate defects."""

from __future__ import annotations

from pathlib import Path

import pytest

from driver.c_tests import checks, compiled, fails
from dv.common.planted import planted_file
from pointmill import library, simbuild

HERE = Path(__file__).resolve().parent / "driver"
DEFINES = ("-DPM_EXTRA_BACKEND=pm_backend_fake",)
SOURCE = library.SW / "src" / "curve.c"
CHECKS = 503

# What is replaced in curve.c, by what.
BUGS = {
    "another tag": (" ||\n      pm_get_le32(dev->rx + 4) != b->first_tag + (uint32_t)b->answered", ""),
    "same tags again": ("dev->next_tag += (uint32_t)b.begun;", ""),
    "another operation": ("rx[1] == job->op && ", ""),
    "reserved bits of the head": ("rx[2] == 0 && rx[3] == 0 && ", ""),
    "reserved bits of the tail": ("pm_get_le32(rx + 12) < 4 &&", ""),
    "number beyond 544 bits": ("PM_NUMBER_BYTES) == 0;", "PM_NUMBER_BYTES) != 2;"),
    "payload of a refused job": ("(rx[0] == REASON_OK || count == 0)", "true"),
    "cut packet": ("dev->rx_length == RESULT_BYTES + count * WIRE_BYTES && ", ""),
    "flags exchanged": ("result->infinity = rx[12] & 1;", "result->infinity = rx[12] >> 1 & 1;"),
    "second number": ("rx + RESULT_BYTES + i * WIRE_BYTES, PM_NUMBER_BYTES", "rx + RESULT_BYTES, PM_NUMBER_BYTES"),
    "no time-out": ("quiet += spent;", ""),
    "no reset": ("PM_MULTICURVE_REGS__CTRL__SOFT_RESET_bm", "0"),
    "goes on after a failure": ("b.to_send = b.begun;", ""),
    "progress after a failure": ("b.progress = NULL;", ""),
    "numbers of none": (" && job->numbers != NULL", ""),
    "odd register address": ("address % 4 != 0 || address > PM_REG_WINDOW", "address > PM_REG_WINDOW"),
    "any core": ("name != PM_MULTICURVE_REGS__NAME__VALUE_reset", "name == 0"),
}


OTHERS = (*(file for file in library.DRIVER if file.name != SOURCE.name), HERE / "curve_backend.c",
          HERE / "test_curve.c")
FLAGS = ("-std=c11", "-O1", f"-I{library.INCLUDE}", f"-I{SOURCE.parent}", *DEFINES)


def test_c_unit_test_under_sanitizers(tmp_path: Path) -> None:
    assert checks(tmp_path / "test_curve", (SOURCE, *OTHERS), *DEFINES) == CHECKS


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Objects of everything but curve.c."""
    return [*compiled(tmp_path_factory.mktemp("objects"), OTHERS, *FLAGS).values()]


@pytest.mark.parametrize("bug", BUGS)
def test_seeded_bug_is_caught(bug: str, objects: list[Path], tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    source = planted_file(SOURCE, right, wrong, tmp_path)
    program = tmp_path / "test_curve"
    simbuild.run_tool(["gcc", *FLAGS, source, *objects, "-o", program])
    assert fails(program)
