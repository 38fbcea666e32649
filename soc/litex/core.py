# SPDX-License-Identifier: Apache-2.0
"""The core `mpu` as a module of LiteX.

    from soc.litex.core import add_mpu
    add_mpu(soc)                # self.mpu, two slaves of the bus, an interrupt

gives the memory regions `mpu_registers` (docs/registers-mpu.md) and `mpu_operands` (docs/mpu.md), the constant
MPU_INTERRUPT, and the CSRs of `PointmillMpu`. sw/backends/mpu_mmio.c drives it.
"""

from __future__ import annotations

from typing import Any

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr import CSRStatus
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, If, Instance, ResetSignal, Signal

from pointmill.simbuild import ROOT, read_filelist

CORE_FILES = ROOT / "hw" / "mpu" / "mpu.f"
REGISTER_BYTES, OPERAND_BYTES = 0x100, 0x800
"""Of the two slaves."""
ID_BITS = 4
"""Default of the core's parameter IdWidth."""


def axi_ports(prefix: str, bus: axi.AXILiteInterface | axi.AXIInterface, fields: dict[str, tuple[str, ...]],
           manager: bool = False) -> dict[str, Signal]:
    """The ports of an AXI subordinate, or manager, for an Instance. fields: of each channel, valid and ready left
    out."""
    ports = {}
    for channel, names in fields.items():
        end = getattr(bus, channel)
        inward, outward = ("i", "o") if (channel in ("aw", "w", "ar")) is not manager else ("o", "i")
        ports[f"{inward}_{prefix}_{channel}valid"] = end.valid
        ports[f"{outward}_{prefix}_{channel}ready"] = end.ready
        ports |= {f"{inward}_{prefix}_{channel}{name}": getattr(end, name) for name in names}
    return ports


class PointmillMpu(LiteXModule):
    """pm_mpu with its sources.

    registers, operands: AXI4-Lite slaves of 32 and 128 bits; the bus of a SoC adapts them. A transfer of `operands` is
    one beat of the core's AXI4.
    ev: one source, `line`, the level of the core's interrupt.
    The core is built without its manager of the system's memory: what LiteX would put between it and the bus,
    AXI2AXILite, answers every burst as if it had found memory.
    errors: a CSR, accesses to the core answered with an error since it was last read: not every processor takes
    bus errors.
    """

    def __init__(self, platform: Any) -> None:
        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        self.operands = axi.AXILiteInterface(data_width=128, address_width=32)
        self.errors = CSRStatus(32, description="Accesses that returned an error since the last reading.")
        self.ev = EventManager()
        self.ev.line = EventSourceLevel(description="Level of the core's interrupt: an enabled one is pending.")
        self.ev.finalize()

        full = axi.AXIInterface(data_width=128, address_width=32, id_width=ID_BITS)
        self.bridge = axi.AXILite2AXI(self.operands, full)
        absent = axi.AXIInterface(data_width=128, address_width=64, id_width=ID_BITS)
        address, beat = ("id", "addr", "len", "size", "burst"), ("data", "strb", "last")
        self.specials += Instance(
            "pm_mpu",
            p_Dma=0,
            i_clk_i=ClockSignal("sys"),
            i_rst_ni=~ResetSignal("sys"),
            o_irq_o=self.ev.line.trigger,
            **axi_ports("s_axil", self.registers,
                     {"aw": ("addr",), "w": ("data", "strb"), "b": ("resp",), "ar": ("addr",), "r": ("data", "resp")}),
            **axi_ports("s_axi", full, {"aw": address, "w": beat, "b": ("id", "resp"), "ar": address,
                                     "r": ("id", "data", "resp", "last")}),
            **axi_ports("m_axi", absent, {"aw": address, "w": beat, "b": ("id", "resp"), "ar": address,
                                       "r": ("id", "data", "resp", "last")}, manager=True))

        refused = Signal(3)
        ends = [end for bus in (self.registers, self.operands) for end in (bus.b, bus.r)]
        self.comb += refused.eq(sum(end.valid & end.ready & end.resp[1] for end in ends))
        count = self.errors.status
        self.sync += If(self.errors.we, count.eq(refused)).Else(count.eq(count + refused))
        for file in read_filelist(CORE_FILES):
            platform.add_source(str(file))


def add_mpu(soc: Any, name: str = "mpu") -> None:
    """Adds the core to a SoC: a module of this name, its two slaves, and its interrupt if the processor has any."""
    core = PointmillMpu(soc.platform)
    soc.add_module(name=name, module=core)
    for part, slave, size in (("registers", core.registers, REGISTER_BYTES),
                              ("operands", core.operands, OPERAND_BYTES)):
        soc.bus.add_slave(f"{name}_{part}", slave, SoCRegion(size=size, cached=False))
    if soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
