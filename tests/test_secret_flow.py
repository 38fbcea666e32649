# SPDX-License-Identifier: Apache-2.0
"""No branch and no address of the C driver depends on a secret: memcheck takes secrets for undefined."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from pointmill import library, simbuild

HERE = Path(__file__).resolve().parent / "driver"
BASELINE = simbuild.ROOT / "soc" / "baseline"
EDVERIFY = (HERE / "fake_backend.c", HERE / "test_flow.c")
CURVE = (*(BASELINE / f"{name}.c" for name in ("mp", "affine", "joye")), HERE / "curve_backend.c", HERE / "mpu_fake.c",
         HERE / "test_curve_flow.c")

pytestmark = pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no valgrind")


def memcheck(folder: Path, sources: Sequence[Path], words: Sequence[str] = (),
             driver: Sequence[Path] = library.DRIVER) -> tuple[int, str]:
    """Exit code, 9 for an error that memcheck found, and output of a test program with the driver; of x25519 what is
    in flow.supp is no error."""
    program = folder / "flow"
    simbuild.run_tool(["gcc", *library.C_FLAGS, "-g", "-fno-inline", "-DPM_EXTRA_BACKEND=pm_backend_fake",
                       f"-I{library.SW / 'src'}", f"-I{HERE}", f"-I{BASELINE}", *driver, *sources, "-o", program])
    suppressed = [f"--suppressions={HERE / 'flow.supp'}"] if "x25519" in words else []
    done = subprocess.run(["valgrind", "-q", "--error-exitcode=9", *suppressed, program, *words],
                          capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("sources", "words", "checks"), [(EDVERIFY, (), 40), (EDVERIFY, ("x25519",), 40),
                                                          (CURVE, (), 1148)], ids=["keys", "x25519", "numbers"])
def test_nothing_depends_on_a_secret(sources: Sequence[Path], words: Sequence[str], checks: int,
                                     tmp_path: Path) -> None:
    assert memcheck(tmp_path, sources, words) == (0, f"{checks} checks\n")


DEFECTS = {
    "a branch": ("packet", EDVERIFY, "    memcpy(packet + PM_HEADER_BYTES + at,",
                 "    if (request->operand[0][0] != 0)\n    memcpy(packet + PM_HEADER_BYTES + at,", "Conditional jump"),
    "an address": ("packet", EDVERIFY, "  packet[2] = (uint8_t)request->slot;",
                   "  static volatile const uint8_t none[256];\n"
                   "  packet[2] = (uint8_t)request->slot | none[request->operand[0][0]];", "Use of uninitialised"),
    "a result": ("curve", CURVE, "  result->reason = rx[0];",
                 "  result->reason = count != 0 && rx[RESULT_BYTES] == 5 ? 1 : rx[0];", "Conditional jump"),
    "a number": ("mpu", CURVE, "  return mpu->backend->copy_in(", "  if (words[0] == 7) return PM_OK;\n"
                 "  return mpu->backend->copy_in(", "Conditional jump"),
}
"""Source, its test, text and what replaces it, what memcheck says."""


@pytest.mark.parametrize("name", DEFECTS)
def test_a_dependence_is_found(name: str, tmp_path: Path) -> None:
    stem, sources, old, new, message = DEFECTS[name]
    text = (library.SW / "src" / f"{stem}.c").read_text()
    assert text.count(old) == 1
    defective = tmp_path / f"{stem}.c"
    defective.write_text(text.replace(old, new))
    driver = [defective if source.stem == stem else source for source in library.DRIVER]
    code, output = memcheck(tmp_path, sources, driver=driver)
    assert code == 9 and re.search(message, output), output
