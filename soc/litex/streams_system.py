# SPDX-License-Identifier: Apache-2.0
"""A simulated system of LiteX without processor: a core with job streams behind CSRs, on a bus that the test drives.

Command line: ``python -m soc.litex.streams_system CORE CONFIGURATION FOLDER`` writes pm_litex.v and csr.json.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

from litex.build.generic_platform import GenericPlatform, Pins
from litex.gen import LiteXModule
from litex.soc.integration import export
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import axi
from migen import ClockDomain

from .streams import add_streams
from .system import CLOCK_HZ, NAME

PORTS = [("clk_i", 0, Pins(1)), ("rst_ni", 0, Pins(1))]


class Clocking(LiteXModule):
    """Clock and reset from outside."""

    def __init__(self, platform: GenericPlatform) -> None:
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("clk_i")), self.cd_sys.rst.eq(~platform.request("rst_ni"))]


class Bare(SoCCore):
    """A system without a processor, or anything else."""

    mem_map = SoCCore.mem_map | {"csr": 0xF0000000}

    def __init__(self, platform: GenericPlatform) -> None:
        super().__init__(platform, CLOCK_HZ, cpu_type=None, integrated_sram_size=0, with_uart=False, with_timer=False,
                         with_ctrl=False)
        self.crg = Clocking(platform)

    def verilog(self) -> str:
        """The system, which is complete then."""
        self.finalize()
        return self.platform.get_verilog(self, name=NAME).main_source

    def write(self, verilog: str, folder: Path) -> None:
        """Writes its Verilog, and where its registers are."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{NAME}.v").write_text(verilog)
        described = json.loads(export.get_csr_json(self.csr_regions, self.constants, self.mem_regions))
        (folder / "csr.json").write_text(json.dumps(described, indent=1) + "\n")


class System(Bare):
    """The system."""

    def __init__(self, platform: GenericPlatform, core: str, config: str) -> None:
        super().__init__(platform)
        host = axi.AXILiteInterface(data_width=32, address_width=32)
        platform.add_extension(host.get_ios("host"))
        self.comb += host.connect_to_pads(platform.request("host"), mode="slave")
        self.bus.add_master("host", host)
        add_streams(self, core, config)


def write(core: str, config: str, folder: Path) -> None:
    """Writes the files."""
    system = System(GenericPlatform("simulation", PORTS, name=NAME), core, config)
    system.write(system.verilog(), folder)


if __name__ == "__main__":
    logging.disable(logging.INFO)
    write(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
