# SPDX-License-Identifier: Apache-2.0
"""Builds the simulated system and its program, and programs of the system of LiteX (soc/litex).

The processor is PicoRV32 from the package `pythondata-cpu-picorv32`; programs are compiled with the RISC-V gcc
of the distribution and picolibc.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pythondata_cpu_picorv32

from pointmill import simbuild

SOC, SW = simbuild.ROOT / "soc", simbuild.ROOT / "sw"
BASELINE = SOC / "baseline"
"""Scalar multiplication in C, by the processor alone or with the core's help: what the core is compared with."""

TOP = "pm_soc"
SOURCES = (SOC / "soc.vlt", Path(pythondata_cpu_picorv32.data_location) / "picorv32.v", SOC / "soc.f")
COMPILER = "riscv64-unknown-elf-gcc"
FLAGS = ("-march=rv32im", "-misa-spec=2.2", "-mabi=ilp32", "--specs=picolibc.specs", "-nostartfiles", "-std=c11",
         "-O2", "-ffunction-sections", "-Wl,--gc-sections", "-Wall", "-Wextra", "-Werror",
         "-Wshadow", "-Wconversion", "-Wstrict-prototypes", f"-I{SW / 'include'}",
         f"-I{BASELINE}", f"-I{SOC / 'firmware'}", "-T", str(SOC / "firmware" / "soc.ld"))
CORE_PROGRAM = (*(SOC / "firmware" / f"{name}.c" for name in ("main", "core", "selftest", "bench", "bench_dma")),
                *sorted(BASELINE.glob("*.c")),
                *(SW / name for name in ("src/mpu.c", "src/mpu_dma.c", "backends/mpu_mmio.c")))
"""Self-test and comparison of ways to multiply a point."""


@dataclass(frozen=True)
class Target:
    """A system as programs see it: what is linked to each of them, words for the compiler, where the RAM begins."""

    system: tuple[Path, ...]
    flags: tuple[str, ...] = ()
    ram: int = 0


PRINT = SOC / "firmware" / "print.c"
START = SOC / "firmware" / "start.S"
PLAIN = Target((START, SOC / "firmware" / "soc.c", PRINT))
INPUT = 0x80000
"""Byte of the RAM from which on is what the host gives to the program; the stack ends below."""

STOPPED, CYCLES_OVER = 254, 255
"""Exit status of the simulation when the program did not end (soc/sim/main.cpp)."""


class SocError(RuntimeError):
    """The program did not end with status 0; the message carries what it printed."""


def simulation() -> Path:
    """The system as a program of the host. `BuildError` from the tools."""
    return simbuild.build_cpp(TOP, SOURCES, SOC / "sim" / "main.cpp", opt="-O2",
                              verilator_args=("--x-assign", "fast", "--x-initial", "fast"))


def firmware(sources: Sequence[Path], target: Target = PLAIN) -> bytes:
    """Compiles and links C `sources` for a system; the content of its RAM from the beginning.

    `BuildError` with the compiler's messages, or when there is no compiler.
    """
    given = f"{target.ram + INPUT:#x}"
    words = [COMPILER, *FLAGS, *target.flags, f"-DSOC_INPUT={given}", f"-Wl,--defsym,soc_ram={target.ram:#x}",
             f"-Wl,--defsym,soc_input={given}", *map(str, (*target.system, *sources))]
    headers = sorted([*(SOC / "firmware").glob("*"), *BASELINE.glob("*.h"), *SW.glob("*/*.h")])
    total = hashlib.sha256("\0".join(words).encode())
    for file in (*target.system, *sources, *headers):
        total.update(file.read_bytes())
    directory = simbuild.BUILD / "soc" / total.hexdigest()[:16]
    product = directory / "firmware.bin"
    with simbuild.locked(directory):
        if not product.is_file():
            if shutil.which(COMPILER) is None:
                raise simbuild.BuildError(f"{COMPILER} is not installed: run `make setup-soc`")
            directory.mkdir(parents=True, exist_ok=True)
            simbuild.run_tool([*words, "-o", directory / "firmware.elf"])
            simbuild.run_tool([COMPILER.replace("gcc", "objcopy"), "-O", "binary",
                               directory / "firmware.elf", directory / "partial"])
            (directory / "partial").rename(product)
    return product.read_bytes()


def ram_image(program: bytes, given: bytes = b"") -> str:
    """Text for $readmemh of a RAM: the program from its beginning, what the host gives from `INPUT`."""
    lines = []
    for address, content in ((0, program), (INPUT, given)):
        lines.append(f"@{address // 4:x}")
        padded = content + bytes(-len(content) % 4)
        lines += [f"{int.from_bytes(padded[at:at + 4], 'little'):08x}" for at in range(0, len(padded), 4)]
    return "\n".join(lines) + "\n"


def run(program: bytes, given: bytes, cycles: int, image: Path) -> str:
    """Boots the system with `program` and returns what it printed. `image` is written.

    `SocError` unless the program ends with status 0 in at most `cycles` clock cycles.
    """
    image.parent.mkdir(parents=True, exist_ok=True)
    image.write_text(ram_image(program, given))
    return printed([simulation(), f"+ram={image}"], cycles)


def printed(words: Sequence[str | Path], cycles: int, folder: Path | None = None) -> str:
    """What the program of a simulation printed that runs by these words, with the most `cycles` behind them, in a
    folder. `SocError`."""
    done = subprocess.run([*words, str(cycles)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        why = {STOPPED: "the processor stopped", CYCLES_OVER: f"not ended after {cycles} cycles"}
        raise SocError(f"{why.get(done.returncode, f'status {done.returncode}')}\n{done.stdout}{done.stderr}")
    return done.stdout
