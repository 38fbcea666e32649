# SPDX-License-Identifier: Apache-2.0
"""Builds libpointmill, the C driver, as a shared library, and modules of simulated cores, which it loads.

Build products go to build/ and are made again only when a source, an option or a tool changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

from . import resources, simbuild
from .cores import CORES, MPU
from .errors import NotIncludedError

SW = simbuild.ROOT / "sw"
INCLUDE = SW / "include"


def _listed(kind: str) -> list[str]:
    """The values of one kind of line in sw/library.txt; none in an installed package, which has no sources."""
    file = SW / "library.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return [line.partition(" ")[2] for line in lines if line.startswith(f"{kind} ")]


DRIVER = tuple(SW / name for name in _listed("driver"))
BACKENDS: dict[str, tuple[Path, ...]] = {
    macro: tuple(SW / name for name in _listed(macro))
    for macro in ("PM_WITH_UIO", "PM_WITH_UART", "PM_WITH_LITEPCIE", "PM_WITH_SIM")}
"""Sources of the back-ends, by the macro that announces them to the driver."""
PROVIDER = tuple(SW / name for name in _listed("provider"))
"""Sources of the OpenSSL provider."""
WIPE = SW / "src" / "wipe.c"
STREAM_MODULE, MPU_MODULE = (SW / "backends" / "sim" / name for name in ("stream_module.cpp", "mpu_module.cpp"))

C_FLAGS = (*_listed("flag"), "-O2", *_listed("warn"), "-Werror", f"-I{INCLUDE}")
SPEED_FLAGS = ("--x-assign", "fast", "--x-initial", "fast", "--no-assert")
"""Verilator: no unknowns and no assertions, which the benches have already checked."""

OPT = os.environ.get("PM_SIM_OPT", "-O3")
"""Level of optimisation of the verilated core. Tests, which build it longer than they run it, ask for another one."""

LOCAL_CALLS = tuple(_listed("local"))


def compiler() -> str:
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


def _placeless() -> list[str]:
    """Flags for messages of Verilator's library that name its files: alike wherever it is installed, by either name,
    that of the compiler and that of ccache."""
    include = simbuild.verilator_bin().parent.parent / "include"
    return [f"-ffile-prefix-map={name}=verilator"
            for name in (include, os.path.relpath(include, simbuild.BUILD / "sim" / "any"))]


def _definitions(defines: Mapping[str, str]) -> list[str]:
    return [f"-D{name}={value}" if value else f"-D{name}" for name, value in defines.items()]


def objects(sources: Sequence[Path], defines: Mapping[str, str], flags: Sequence[str] = ()) -> list[Path]:
    """Object files of the C `sources`, compiled as strict C11 with warnings as errors.

    flags: further ones of the compiler. `BuildError` with the compiler's messages.
    """
    command = [compiler(), *C_FLAGS, *LOCAL_CALLS, *_definitions(defines), *flags]
    beside = sorted({header for source in sources for header in source.parent.glob("*.h")})
    key = _key(command, [*sources, *headers(), *beside])
    directory = simbuild.BUILD / "sw" / f"objects-{key}"
    made = [directory / f"{source.stem}.o" for source in sources]
    if all(file.is_file() for file in made):
        return made
    with simbuild.locked(directory):
        if not all(file.is_file() for file in made):
            directory.mkdir(parents=True, exist_ok=True)
            for source, product in zip(sources, made, strict=True):
                partial = product.with_suffix(".tmp")
                simbuild.run_tool([*command, "-c", source, "-o", partial])
                partial.rename(product)
    return made


def driver(sources: Sequence[Path] | None = None, defines: Mapping[str, str] | None = None) -> Path:
    """libpointmill.so, with the back-ends of `BACKENDS` unless `sources` and `defines` say otherwise.

    An installed package has it; `BuildError` from the tools, `NotIncludedError` if the package was built without."""
    if not resources.IN_CHECKOUT:
        return _shipped("libpointmill.so", "`make wheel` in a checkout of Pointmill builds a package that has it")
    parts = objects([*DRIVER, *chain.from_iterable(BACKENDS.values())] if sources is None else sources,
                    dict.fromkeys(BACKENDS, "") if defines is None else defines)
    directory = simbuild.BUILD / "sw" / f"lib-{_key(map(str, parts), [])}"
    product = directory / "libpointmill.so"
    if product.is_file():
        return product
    with simbuild.locked(directory):
        if not product.is_file():
            directory.mkdir(parents=True, exist_ok=True)
            partial = product.with_suffix(".tmp")
            simbuild.run_tool([compiler(), "-shared", "-o", partial, *parts])
            partial.rename(product)
    return product


def module(core: str, config: str | None = None, *, params: Mapping[str, int] | None = None,
           assertions: bool = False, sources: simbuild.Source | None = None) -> Path:
    """The module of a simulated core, verilated for `config`, by default the core's default.

    params: of the core, for a configuration that has no name. assertions: keep those of the RTL, at some
    cost in speed. sources: file list of the core. `KeyError` for an unknown core or configuration, `BuildError` from
    the tools, `NotIncludedError` for one that an installed package does not have.
    """
    entry = CORES[core]
    config = entry.default if config is None else config
    if not resources.IN_CHECKOUT:
        return _shipped(module_name(core, config), f"in a checkout of Pointmill `python -m pointmill.library {core} "
                        f"{config}` builds it, and the setting modules=FOLDER names its folder")
    params = entry.parameters[config] if params is None else params
    names = {"PM_SIM_TOP": entry.top, "PM_SIM_CORE": core, "PM_SIM_CONFIG": config}
    return simbuild.build_shared(
        entry.top, entry.files if sources is None else sources, MPU_MODULE if entry is MPU else STREAM_MODULE, params,
        cflags=(f"-I{INCLUDE}", *_definitions(names), *LOCAL_CALLS, *_placeless()),
        ldflags=[str(part) for part in objects([WIPE], {})],
        verilator_args=SPEED_FLAGS[:-1] if assertions else SPEED_FLAGS, opt=OPT,
        name=module_name(core, config), deps=headers())


def module_name(core: str, config: str) -> str:
    """File name of the module of a simulated core."""
    return f"pointmill-sim-{core}-{config}.so"


def _shipped(name: str, remedy: str) -> Path:
    """A library of an installed package; `NotIncludedError`, with what to do, if it has none of this name."""
    path = resources.shipped_device(name)
    if path is None:
        found = sorted(file.name for file in (resources.PACKAGE / resources.DEVICES).glob("*.so"))
        having = ", ".join(found) or "no library"
        raise NotIncludedError(f"{name} is not in this package, which has {having}; {remedy}")
    return path


def main() -> None:
    """Builds the module of a simulated core and prints its path."""
    parser = ArgumentParser(prog="python -m pointmill.library", description=main.__doc__)
    parser.add_argument("core", choices=list(CORES))
    parser.add_argument("config", help="configuration, of hw/<core>/core.yaml")
    args = parser.parse_args()
    if args.config not in CORES[args.core].parameters:
        parser.error(f"core {args.core} has the configurations {', '.join(CORES[args.core].parameters)}")
    print(module(args.core, args.config))


if __name__ == "__main__":
    main()
