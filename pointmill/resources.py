# SPDX-License-Identifier: Apache-2.0
"""Where the files are that the package reads: in a checkout at its root, in an installed package inside it.

An installed package has the files of `SHIPPED` in pointmill/_tree, laid out as in a checkout, and its libraries in
pointmill/_devices. `setup.py` puts both there; every other module asks this one.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
SHIPPED = ("hw/*/core.yaml", "hw/*/regs.rdl", "hw/lib/axi/*.rdl", "hw/*/ucode/*", "hw/lib/seq/isa.yaml",
           "sw/include/*.h", "data/curves.yaml", "data/selftest.yaml", "data/records/bench.edverify.verify.*.json")
"""Files of a checkout that commands and clients read, as patterns below its root."""
TREE = "_tree"
DEVICES = "_devices"
"""Folders of an installed package: files of `SHIPPED`; libpointmill and the modules of simulated cores."""

IN_CHECKOUT = not (PACKAGE / TREE).is_dir()
"""Whether the package runs from a checkout, also an editable install of it, where simulated cores can be built."""
ROOT = PACKAGE.parent if IN_CHECKOUT else PACKAGE / TREE
"""Of the files: that of the checkout, or the folder of those that were shipped."""


def shipped_device(name: str) -> Path | None:
    """The library of this file name that came with an installed package; None if there is none."""
    path = PACKAGE / DEVICES / name
    return path if path.is_file() else None
