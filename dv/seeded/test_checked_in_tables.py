# SPDX-License-Identifier: Apache-2.0
"""The checked-in ROM and table of the core, literal by literal, against program and model."""

from __future__ import annotations

import re

import pytest

from pointmill.model import edwards, naf
from pointmill.model.field25519 import P
from pointmill.simbuild import ROOT
from pointmill.ucode.build import link

GEN = ROOT / "hw" / "edverify" / "gen"
ENTRY = re.compile(r"\d+'d(\d+):\s*data_o <= ([^;]+);")


def entries(name: str) -> list[str]:
    """The literals of a ROM module, which must be numbered from 0 on."""
    found = ENTRY.findall((GEN / name).read_text())
    assert [int(address) for address, _ in found] == list(range(len(found)))
    return [literal for _, literal in found]


PROGRAMS = {"pm_edverify_paper_rom.sv": (("verify",), "paper"),
            "pm_edverify_throughput_rom.sv": (("halfsize", "x25519", "fixed_base"), "throughput")}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_microcode_rom(name: str) -> None:
    """Assembling and scheduling the programs gives the words in the ROM."""
    image = link("edverify", *PROGRAMS[name])
    words = [f"{image.machine.isa.word_bits}'h{word:x}"
             for word in image.rom.encoded(image.machine)]  # fmt: skip
    assert entries(name) == words


def table(base: edwards.Point, window: int) -> list[str]:
    """{y + x, y - x, 2dxy} of P, 3P, ..., (2^(window-1) - 1) P, from the golden model."""
    expected = []
    for x, y in map(edwards.to_affine, naf.odd_multiples(base, window)):
        parts = ((y + x) % P, (y - x) % P, 2 * edwards.D * x * y % P)
        expected.append(f"765'h{parts[0] << 510 | parts[1] << 255 | parts[2]:x}")
    assert len(expected) == 2 ** (window - 2)
    return expected


def test_table_of_the_base_point() -> None:
    """256 odd multiples of G, 256 of 2^127 G, 64 of each 2^(32 i) G."""
    expected = [entry for doublings, window in ((0, 10), (127, 10), *((32 * i, 8) for i in range(8)))
                for entry in table(edwards.multiply(2**doublings, edwards.BASE), window)]
    assert re.findall(r"765'h[0-9a-f]+", (GEN / "pm_edverify_gtable.sv").read_text()) == expected
    assert len(expected) == 1024
