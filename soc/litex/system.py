# SPDX-License-Identifier: Apache-2.0
"""A simulated system made by LiteX: PicoRV32, RAM of 1 MiB, serial port, the core `mpu`; Verilog and C headers of it.

Command line: ``python -m soc.litex.system FOLDER`` writes pm_litex.v, include/generated/*.h and system.json.
The processor starts at the beginning of the RAM, whose content is the file pm_litex_main_ram.init of the folder in
which the simulation runs.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.gen import LiteXModule
from litex.soc.integration import export
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.csr import CSRStorage
from migen import ClockDomain, If

from .core import add_mpu

NAME = "pm_litex"
RAM_BYTES = 1 << 20
CLOCK_HZ = 100_000_000
"""Nothing depends on it: the serial port hands over whole characters."""

PORTS = [
    ("clk", 0, Pins(1)),
    ("rst", 0, Pins(1)),
    ("serial", 0, Subsignal("source_valid", Pins(1)), Subsignal("source_ready", Pins(1)),
     Subsignal("source_data", Pins(8)), Subsignal("sink_valid", Pins(1)), Subsignal("sink_ready", Pins(1)),
     Subsignal("sink_data", Pins(8))),
    ("ending", 0, Subsignal("halt", Pins(1)), Subsignal("status", Pins(8)), Subsignal("trap", Pins(1))),
]


class Clocking(LiteXModule):
    """Clock and reset from outside."""

    def __init__(self, platform: GenericPlatform) -> None:
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("clk")), self.cd_sys.rst.eq(platform.request("rst"))]


class Ending(LiteXModule):
    """A write to the CSR `status` ends the run."""

    def __init__(self, pads: Any, trap: Any) -> None:
        self.status = CSRStorage(8, description="Ends the run with this status.")
        self.comb += [pads.status.eq(self.status.storage), pads.trap.eq(trap)]
        self.sync += If(self.status.re, pads.halt.eq(1))


class System(SoCCore):
    """The system."""

    def __init__(self, platform: GenericPlatform) -> None:
        super().__init__(platform, CLOCK_HZ, cpu_type="picorv32", cpu_reset_address=self.mem_map["main_ram"],
                         integrated_main_ram_size=RAM_BYTES, integrated_main_ram_init=[0], integrated_sram_size=0,
                         uart_name="sim", with_timer=False)
        self.crg = Clocking(platform)
        self.ending = Ending(platform.request("ending"), self.cpu.trap)
        add_mpu(self)


def write(folder: Path) -> None:
    """Writes the files."""
    platform = GenericPlatform("simulation", PORTS, name=NAME)
    system = System(platform)
    system.finalize()
    verilog = platform.get_verilog(system, name=NAME)
    headers = folder / "include" / "generated"
    headers.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.v").write_text(verilog.main_source)
    (headers / "mem.h").write_text(export.get_mem_header(system.mem_regions))
    (headers / "soc.h").write_text(export.get_soc_header(system.constants))
    (headers / "csr.h").write_text(export.get_csr_header(system.csr_regions, system.constants,
                                                         csr_base=system.mem_regions["csr"].origin))
    about = {"sources": [file for file, *_ in platform.sources],
             "regions": {name: region.origin for name, region in system.mem_regions.items()}}
    (folder / "system.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    logging.disable(logging.INFO)
    write(Path(sys.argv[1]))
