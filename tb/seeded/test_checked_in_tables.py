# SPDX-License-Identifier: Apache-2.0
"""The checked-in ROM and table of the core, literal by literal, against program and model."""

from __future__ import annotations

import re

from pointmill.model import edwards, naf
from pointmill.model.field25519 import P
from pointmill.simbuild import ROOT
from pointmill.ucode.build import build

CORE = ROOT / "rtl" / "cores" / "edverify"
ENTRY = re.compile(r"\d+'d(\d+):\s*data_o <= ([^;]+);")


def entries(name: str) -> list[str]:
    """The literals of a ROM module, which must be numbered from 0 on."""
    found = ENTRY.findall((CORE / name).read_text())
    assert [int(address) for address, _ in found] == list(range(len(found)))
    return [literal for _, literal in found]


def test_microcode_rom() -> None:
    """Assembling and scheduling the program gives the words in the ROM."""
    machine, _, _, rom = build()
    words = [f"{machine.isa.word_bits}'h{word:x}" for word in rom.encoded(machine)]
    assert entries("pm_edverify_rom.sv") == words


def test_table_of_the_base_point() -> None:
    """{y + x, y - x, 2dxy} of G, 3G, ..., 511G, from the golden model."""
    expected = []
    for x, y in map(edwards.to_affine, naf.odd_multiples(edwards.BASE, 10)):
        parts = ((y + x) % P, (y - x) % P, 2 * edwards.D * x * y % P)
        expected.append(f"765'h{parts[0] << 510 | parts[1] << 255 | parts[2]:x}")
    assert len(expected) == 256
    assert entries("pm_edverify_gtable.sv") == expected
