# SPDX-License-Identifier: Apache-2.0
"""A simulated system of LiteX without processor: a core behind LitePCIe, whose packets the test exchanges in place of a
PCIe link.

Command line: ``python -m soc.litex.pcie_system CORE CONFIGURATION FOLDER`` writes pm_litex.v and csr.json.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

from litepcie.common import get_bar_mask, msi_layout, phy_layout
from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from migen import ClockDomain, Signal

from boards.board import identity_of

from .pcie import add_pcie_core
from .streams_system import PORTS, Bare
from .system import CLOCK_HZ, NAME

WORD = ("valid", 1), ("ready", 1), ("first", 1), ("last", 1), ("dat", 64), ("be", 8)
LINK = [(name, 0, *(Subsignal(part, Pins(bits)) for part, bits in WORD)) for name in ("to_host", "from_host")]
PAYLOAD, REQUEST = 256, 512
"""Bytes of a write and of a read at most."""


class Platform(GenericPlatform):
    """Without an FPGA, and so without constraints."""

    def add_false_path_constraint(self, from_: Any, to: Any) -> None:
        """One clock."""


class Link(LiteXModule):
    """In place of the hard block of an FPGA: what LitePCIe needs of a PHY of 64 bits, with the packets at the ports."""

    endianness = "big"
    qword_aligned = False
    data_width = 64

    def __init__(self, platform: GenericPlatform) -> None:
        self.sink, self.source = stream.Endpoint(phy_layout(64)), stream.Endpoint(phy_layout(64))
        self.msi = stream.Endpoint(msi_layout())
        self.id = Signal(16, reset=0x100)
        self.bar0_size = 0x100000
        self.bar0_mask = get_bar_mask(self.bar0_size)
        self.max_request_size, self.max_payload_size = Signal(16, reset=REQUEST), Signal(16, reset=PAYLOAD)
        self.cd_pcie = ClockDomain()
        self.comb += self.msi.ready.eq(1)
        out, back = platform.request("to_host"), platform.request("from_host")
        for part, _ in WORD:
            source, sink = (out, self.sink), (self.source, back)
            for target, given in (source, sink):
                target, given = (given, target) if part == "ready" else (target, given)
                self.comb += getattr(target, part).eq(getattr(given, part))


class System(Bare):
    """The system."""

    def __init__(self, platform: GenericPlatform, core: str, config: str) -> None:
        super().__init__(platform)
        self.pcie_phy = Link(platform)
        self.add_pcie(phy=self.pcie_phy, ndmas=1, data_width=64, address_width=32)
        add_pcie_core(self, core, config, identity=identity_of("simulation", f"{core}-{config}", CLOCK_HZ / 1e6))


def write(core: str, config: str, folder: Path) -> None:
    """Writes the files."""
    system = System(Platform("simulation", PORTS + LINK, name=NAME), core, config)
    # A process that reads nothing, since its outputs are constant, never runs in a simulation with @(*).
    system.write(system.verilog().replace("always @(*)", "always_comb"), folder)


if __name__ == "__main__":
    logging.disable(logging.INFO)
    write(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
