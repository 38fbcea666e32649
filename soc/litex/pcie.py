# SPDX-License-Identifier: Apache-2.0
"""A core with job streams behind LitePCIe, as docs/pcie.md describes it.

    soc.add_pcie(phy=phy, ndmas=1, data_width=64)
    from soc.litex.pcie import add_pcie_core
    add_pcie_core(soc, "edverify", "tiles")

The back-end `litepcie` of the driver then reaches it through the character device of LitePCIe's kernel module.
"""

from __future__ import annotations

from typing import Any

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, stream
from migen import ClockSignal, Instance, ResetSignal, Signal

from boards.board import IDENTITY_WORDS
from pointmill.cores import CORES
from pointmill.simbuild import ROOT, read_filelist

from .core import axi_ports
from .streams import BEAT, PointmillStreams

BRIDGE_FILES = ROOT / "hw" / "lib" / "pcie" / "pcie.f"
OFFSET, SIZE = 0x10000, 0x1000
"""Of the bridge's registers behind the first address of BAR0, which is that of the CSRs."""
WORD = [("data", 64)]


class PointmillPcie(LiteXModule):
    """pm_pcie_bridge with its sources.

    sink, source: streams of LitePCIe's DMA. jobs, results: streams of the core. registers, core: AXI4-Lite of 32 bits,
    from the bus and to the core. core_reset_n: reset of the core.
    """

    def __init__(self, platform: Any, words: int, identity: bytes) -> None:
        self.sink, self.source = stream.Endpoint(WORD), stream.Endpoint(WORD)
        self.jobs, self.results = stream.Endpoint(BEAT), stream.Endpoint(BEAT)
        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        self.core = axi.AXILiteInterface(data_width=32, address_width=32)
        self.core_reset_n = Signal()
        self.open = Signal()
        told = int.from_bytes(identity.ljust(4 * IDENTITY_WORDS, b"\0"), "little")
        fields: dict[str, tuple[str, ...]] = {"aw": ("addr",), "w": ("data", "strb"), "b": ("resp",), "ar": ("addr",),
                                              "r": ("data", "resp")}
        self.specials += Instance(
            "pm_pcie_bridge",
            p_BufferWords=Instance.PreformattedParam(str(words)),
            p_Identity=Instance.PreformattedParam(f"{32 * IDENTITY_WORDS}'h{told:x}"),
            i_clk_i=ClockSignal("sys"),
            i_rst_ni=~ResetSignal("sys"),
            o_core_rst_no=self.core_reset_n,
            o_open_o=self.open,
            i_s_valid_i=self.sink.valid,
            o_s_ready_o=self.sink.ready,
            i_s_data_i=self.sink.data,
            o_m_valid_o=self.source.valid,
            i_m_ready_i=self.source.ready,
            o_m_data_o=self.source.data,
            o_m_last_o=self.source.last,
            o_m_axis_tvalid=self.jobs.valid,
            i_m_axis_tready=self.jobs.ready,
            o_m_axis_tdata=self.jobs.data,
            o_m_axis_tkeep=self.jobs.keep,
            o_m_axis_tlast=self.jobs.last,
            i_s_axis_tvalid=self.results.valid,
            o_s_axis_tready=self.results.ready,
            i_s_axis_tdata=self.results.data,
            i_s_axis_tkeep=self.results.keep,
            i_s_axis_tlast=self.results.last,
            **axi_ports("s_axil", self.registers, fields),
            **axi_ports("m_axil", self.core, fields, manager=True))
        for file in read_filelist(BRIDGE_FILES):
            platform.add_source(str(file))


def add_pcie_core(soc: Any, core: str, config: str | None = None, dma: str = "pcie_dma0", words: int = 1024,
                  identity: bytes = b"") -> PointmillPcie:
    """Adds a core and the bridge to a SoC whose LitePCIe has a DMA of 64 bits of this name: modules of the core's name
    and `pcie_bridge`, and the region of the latter. words: of a buffer of the kernel module. identity: docs/boards.md.
    """
    described = CORES[core]
    module = PointmillStreams(soc.platform, described, config or described.default)
    bridge = PointmillPcie(soc.platform, words, identity)
    soc.add_module(name=core, module=module)
    soc.add_module(name="pcie_bridge", module=bridge)
    channel = getattr(soc, dma)
    soc.comb += [channel.source.connect(bridge.sink), bridge.source.connect(channel.sink),
                 bridge.jobs.connect(module.sink), module.source.connect(bridge.results),
                 bridge.core.connect(module.registers), module.reset_n.eq(bridge.core_reset_n)]
    soc.bus.add_slave("pcie_bridge", bridge.registers,
                      SoCRegion(origin=soc.mem_map["csr"] + OFFSET, size=SIZE, cached=False))
    return bridge
