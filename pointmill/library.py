# SPDX-License-Identifier: Apache-2.0
"""Builds libpointmill, the C driver, as a shared library: with a verilated core or without.

Build products go to build/ and are made again only when a source, an option or a tool changed.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from . import simbuild

SW = simbuild.ROOT / "sw"
INCLUDE = SW / "include"
DRIVER = tuple(sorted((SW / "src").glob("*.c")))
UIO = SW / "backends" / "uio.c"
SIM = SW / "backends" / "sim" / "sim.cpp"
MPU_UIO = SW / "backends" / "mpu_uio.c"
MPU_SIM = SW / "backends" / "sim" / "mpu_sim.cpp"
CORE_TOP = "pm_edverify"
CORE_FILES = simbuild.ROOT / "rtl" / "cores" / "edverify" / "edverify.f"
CURVE_TOP = "pm_multicurve"
CURVE_FILES = simbuild.ROOT / "rtl" / "cores" / "multicurve" / "multicurve.f"
X25519_TOP = "pm_x25519"
X25519_FILES = simbuild.ROOT / "rtl" / "cores" / "x25519" / "x25519.f"
MPU_TOP = "pm_mpu"
MPU_FILES = simbuild.ROOT / "rtl" / "cores" / "mpu" / "mpu.f"

CONFIGS: dict[str, dict[str, int]] = {
    "paper": {"Contexts": 1},
    "throughput": {"Contexts": 12},
    "latency": {"Contexts": 8, "Scheduled": 1},
    "bulk": {"Contexts": 12, "SecretOps": 0, "Keys": 8, "Batch": 64, "BatchSlots": 10},
    "compact27": {"Contexts": 4, "Leaves": 27},
}
"""Named configurations and their parameters of the core."""

DEFAULT_CONFIG = "throughput"
"""What commands and the client use where no configuration is named."""

CURVE_CONFIGS: dict[str, dict[str, int]] = {
    "paper": {},
    "fast": {"Fast": 1},
    "throughput": {"Fast": 1, "Engines": 2},
}
"""The same of `multicurve`."""

DEFAULT_CURVE_CONFIG = "fast"

X25519_CONFIGS: dict[str, dict[str, int]] = {
    "paper": {"Form": 0},
    "compact9": {"Form": 2},
    "compact27": {"Form": 1},
}
"""The same of `x25519`."""

DEFAULT_X25519_CONFIG = "compact27"

MPU_CONFIGS: dict[str, dict[str, int]] = {"full": {}}
"""The same of `mpu`, which has one."""

DEFAULT_MPU_CONFIG = "full"

C_FLAGS = ("-std=c11", "-O2", "-fPIC", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
           "-Wstrict-prototypes", "-Werror", f"-I{INCLUDE}")
SPEED_FLAGS = ("--x-assign", "fast", "--x-initial", "fast", "--no-assert")
"""Verilator: no unknowns and no assertions, which the benches have already checked."""

LOCAL_CALLS = ("-fvisibility=hidden", "-fno-semantic-interposition")
"""Calls inside the library need no detour then; the simulation gains 7 % in speed."""


def _compiler() -> str:
    """Path of the C compiler; `BuildError` when there is none."""
    found = shutil.which("gcc") or shutil.which("cc")
    if found is None:
        raise simbuild.BuildError("no C compiler found: install gcc")
    return found


def _key(words: Iterable[str], files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for word in words:
        total.update(f"{word}\0".encode())
    for file in files:
        total.update(f"{file}\0".encode() + file.read_bytes())
    return total.hexdigest()[:16]


def headers() -> list[Path]:
    """Headers of the C library."""
    return sorted([*INCLUDE.glob("*.h"), *(SW / "src").glob("*.h")])


def _definitions(defines: Mapping[str, str]) -> list[str]:
    return [f"-D{name}={value}" if value else f"-D{name}" for name, value in defines.items()]


def objects(sources: Sequence[Path], defines: Mapping[str, str]) -> list[Path]:
    """Object files of the C `sources`, compiled as strict C11 with warnings as errors.

    `BuildError` with the compiler's messages.
    """
    compiler = _compiler()
    flags = [*C_FLAGS, *_definitions(defines)]
    key = _key([compiler, *flags], [*sources, *headers()])
    directory = simbuild.BUILD / "sw" / f"objects-{key}"
    made = [directory / f"{source.stem}.o" for source in sources]
    if all(file.is_file() for file in made):
        return made
    with simbuild.locked(directory):
        if not all(file.is_file() for file in made):
            directory.mkdir(parents=True, exist_ok=True)
            for source, product in zip(sources, made, strict=True):
                partial = product.with_suffix(".tmp")
                simbuild.run_tool([compiler, *flags, "-c", source, "-o", partial])
                partial.rename(product)
    return made


def shared_library(sources: Sequence[Path] = (*DRIVER, UIO, MPU_UIO),
                   defines: Mapping[str, str] | None = None) -> Path:
    """libpointmill.so of C sources alone: without simulation, as for a machine with a board."""
    parts = objects(sources, {"PM_WITH_UIO": ""} if defines is None else defines)
    directory = simbuild.BUILD / "sw" / f"lib-{_key(map(str, parts), [])}"
    product = directory / "libpointmill.so"
    if product.is_file():
        return product
    with simbuild.locked(directory):
        if not product.is_file():
            directory.mkdir(parents=True, exist_ok=True)
            partial = product.with_suffix(".tmp")
            simbuild.run_tool([_compiler(), "-shared", "-o", partial, *parts])
            partial.rename(product)
    return product


def simulation_library(config: str = DEFAULT_CONFIG, *, params: Mapping[str, int] | None = None,
                       assertions: bool = False, sources: simbuild.Source = CORE_FILES) -> Path:
    """libpointmill with the back-ends `sim` and `uio`, and the core verilated for `config`.

    params: of the core, for a configuration that has no entry in CONFIGS. assertions: keep those of the RTL, at some
    cost in speed. sources: file list of the core. `KeyError` for an unknown configuration, `BuildError` from the tools.
    """
    return _verilated(CORE_TOP, sources, config, CONFIGS[config] if params is None else params,
                      f"libpointmill-{config}.so", assertions)


def curve_library(config: str = DEFAULT_CURVE_CONFIG) -> Path:
    """The same with the core `multicurve`. `KeyError`, `BuildError`."""
    return _verilated(CURVE_TOP, CURVE_FILES, config, CURVE_CONFIGS[config],
                      f"libpointmill-multicurve-{config}.so", assertions=False)


def x25519_library(config: str = DEFAULT_X25519_CONFIG) -> Path:
    """The same with the core `x25519`. `KeyError`, `BuildError`."""
    return _verilated(X25519_TOP, X25519_FILES, config, X25519_CONFIGS[config],
                      f"libpointmill-x25519-{config}.so", assertions=False)


def mpu_library(config: str = DEFAULT_MPU_CONFIG) -> Path:
    """libpointmill with the back-ends of `mpu`: verilated and UIO. `KeyError`, `BuildError`."""
    parts = objects([*DRIVER, UIO, MPU_UIO], {"PM_WITH_UIO": ""})
    return simbuild.build_shared(
        MPU_TOP, MPU_FILES, MPU_SIM, MPU_CONFIGS[config], cflags=(f"-I{INCLUDE}", "-fno-semantic-interposition"),
        ldflags=[str(part) for part in parts], verilator_args=SPEED_FLAGS, opt="-O3",
        name=f"libpointmill-mpu-{config}.so", deps=headers())


def _verilated(top: str, sources: simbuild.Source, config: str, params: Mapping[str, int], name: str,
               assertions: bool) -> Path:
    parts = objects([*DRIVER, UIO], {"PM_WITH_SIM": "", "PM_WITH_UIO": ""})
    speed = SPEED_FLAGS[:-1] if assertions else SPEED_FLAGS
    return simbuild.build_shared(
        top, sources, SIM, params,
        cflags=(f"-I{INCLUDE}", f"-DPM_SIM_TOP={top}", f"-DPM_SIM_CONFIG={config}", *LOCAL_CALLS),
        ldflags=[str(part) for part in parts], verilator_args=speed, opt="-O3", name=name,
        deps=headers())
