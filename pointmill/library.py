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
from .cores import EDVERIFY, MPU, MULTICURVE, X25519

SW = simbuild.ROOT / "sw"
INCLUDE = SW / "include"
DRIVER = tuple(sorted((SW / "src").glob("*.c")))
UIO = SW / "backends" / "uio.c"
SIM = SW / "backends" / "sim" / "sim.cpp"
MPU_UIO = SW / "backends" / "mpu_uio.c"
MPU_SIM = SW / "backends" / "sim" / "mpu_sim.cpp"

C_FLAGS = ("-std=c11", "-O2", "-fPIC", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
           "-Wstrict-prototypes", "-Werror", f"-I{INCLUDE}")
SPEED_FLAGS = ("--x-assign", "fast", "--x-initial", "fast", "--no-assert")
"""Verilator: no unknowns and no assertions, which the benches have already checked."""

LOCAL_CALLS = ("-fvisibility=hidden", "-fno-semantic-interposition")
"""Exported is what the public headers declare. Calls inside the library need no detour then; the
simulation gains 7 % in speed."""


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
    flags = [*C_FLAGS, *LOCAL_CALLS, *_definitions(defines)]
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


def simulation_library(config: str = EDVERIFY.default, *, params: Mapping[str, int] | None = None,
                       assertions: bool = False, sources: simbuild.Source = EDVERIFY.files) -> Path:
    """libpointmill with the back-ends `sim` and `uio`, and the core verilated for `config`.

    params: of the core, for one that has no name. assertions: keep those of the RTL, at some
    cost in speed. sources: file list of the core. `KeyError` for an unknown configuration, `BuildError` from the tools.
    """
    return _verilated(EDVERIFY.top, sources, config, EDVERIFY.parameters[config] if params is None else params,
                      f"libpointmill-{config}.so", assertions)


def curve_library(config: str = MULTICURVE.default) -> Path:
    """The same with the core `multicurve`. `KeyError`, `BuildError`."""
    return _verilated(MULTICURVE.top, MULTICURVE.files, config, MULTICURVE.parameters[config],
                      f"libpointmill-multicurve-{config}.so", assertions=False)


def x25519_library(config: str = X25519.default) -> Path:
    """The same with the core `x25519`. `KeyError`, `BuildError`."""
    return _verilated(X25519.top, X25519.files, config, X25519.parameters[config],
                      f"libpointmill-x25519-{config}.so", assertions=False)


def mpu_library(config: str = MPU.default) -> Path:
    """libpointmill with the back-ends of `mpu`: verilated and UIO. `KeyError`, `BuildError`."""
    parts = objects([*DRIVER, UIO, MPU_UIO], {"PM_WITH_UIO": ""})
    return simbuild.build_shared(
        MPU.top, MPU.files, MPU_SIM, MPU.parameters[config], cflags=(f"-I{INCLUDE}", *LOCAL_CALLS),
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
