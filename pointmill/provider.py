# SPDX-License-Identifier: Apache-2.0
"""Builds the OpenSSL provider (sw/provider) with what it loads: `python -m pointmill.provider` (`make provider`).

build/provider then holds pointmill.so, the driver libpointmill.so, the modules of the simulated cores, and
pointmill.cnf, a configuration that names the provider where it lies.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from . import __version__, library, simbuild

FOLDER = simbuild.BUILD / "provider"
MODULES = (("edverify", "throughput"), ("multicurve", "fast"))
"""Simulated cores that the provider opens unless its configuration says otherwise."""

SETTINGS = {
    "device": ("sim", "back-end: sim or uio"),
    "edverify": ("throughput", "device of Ed25519 and X25519, as for pm_open()"),
    "multicurve": ("fast", "device of the other curves, as for pm_curve_open()"),
    "devices": ("1", "of each core"),
    "timeout": ("5000000", "clock cycles without progress after which a device has failed"),
    "fallback": ("none", "or openssl: what a device fails to do is done by OpenSSL"),
    "nonce": ("random", "of ECDSA, or rfc6979"),
}
"""Keys of the provider's section with their defaults and what they mean; `statistics` has none."""


def configuration(module: Path, settings: dict[str, str] | None = None) -> str:
    """Text of an OpenSSL configuration with the provider `module` beside the default one, and preferred to it.

    settings: keys of the provider's section. `KeyError` for an unknown one.
    """
    values = {key: default for key, (default, _) in SETTINGS.items()} | (settings or {})
    if unknown := set(values) - set(SETTINGS) - {"statistics"}:
        raise KeyError(*sorted(unknown))
    lines = [f"{key} = {value}  # {SETTINGS[key][1]}" if key in SETTINGS else f"{key} = {value}"
             for key, value in values.items()]
    return "\n".join([
        "# OpenSSL with the provider of Pointmill (docs/openssl.md).",
        "openssl_conf = openssl_init", "",
        "[openssl_init]", "providers = provider_sect", "alg_section = algorithm_sect", "",
        "[provider_sect]", "default = default_sect", "pointmill = pointmill_sect", "",
        "[default_sect]", "activate = 1", "",
        "[pointmill_sect]", f"module = {module}", "activate = 1", *lines, "",
        "[algorithm_sect]", "default_properties = ?provider=pointmill", "",
    ])  # fmt: skip


def shared_object(driver: Path, *, flags: tuple[str, ...] = ()) -> Path:
    """The provider, linked to the library `driver`, which it looks for in its own folder. flags: of compiler and
    linker too. `BuildError` with the compiler's messages, as where the headers of OpenSSL are missing."""
    compiler = library.compiler()
    parts = library.objects(library.PROVIDER, {"PMP_VERSION": f'"{__version__}"', "_DEFAULT_SOURCE": ""}, flags=flags)
    product = parts[0].parent / "pointmill.so"
    with simbuild.locked(parts[0].parent):
        partial = product.with_suffix(".tmp")
        simbuild.run_tool([compiler, "-shared", "-Wl,-z,defs", "-Wl,-rpath,$ORIGIN", *flags, "-o", partial, *parts,
                           f"-L{driver.parent}", "-lpointmill", "-lcrypto", "-lpthread"])
        partial.rename(product)
    return product


def build(folder: Path = FOLDER, driver: Path | None = None, *, flags: tuple[str, ...] = ()) -> Path:
    """Puts all that the provider needs into `folder`; the path of its configuration.

    driver: another libpointmill.so than that of the project. flags: as for `shared_object`.
    """
    driver = library.driver() if driver is None else driver
    made = {"libpointmill.so": driver, "pointmill.so": shared_object(driver, flags=flags)}
    for core, config in MODULES:
        path = library.module(core, config)
        made[path.name] = path
    with simbuild.locked(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, path in made.items():  # a process may have the old file mapped
            partial = folder / f"{name}.tmp"
            shutil.copyfile(path, partial)
            partial.rename(folder / name)
        result = folder / "pointmill.cnf"
        result.write_text(configuration(folder / "pointmill.so"))
    return result


if __name__ == "__main__":
    print(build())
