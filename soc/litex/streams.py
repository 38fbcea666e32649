# SPDX-License-Identifier: Apache-2.0
"""The cores with job streams, `edverify` and `x25519`, as modules of LiteX.

    from soc.litex.streams import add_streams
    core = add_streams(soc, "x25519", "tile")          # jobs by a processor, through CSRs
    core = add_streams(soc, "x25519", by_csr=False)    # core.sink and core.source are the design's to connect

gives the memory region `<core>_registers` (docs/registers-<core>.md), the interrupt, and the CSRs of `PointmillStreams`
and, with by_csr, of `JobPort`.
"""

from __future__ import annotations

from typing import Any

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, stream
from litex.soc.interconnect.csr import CSRField, CSRStatus, CSRStorage
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal, Signal

from pointmill.cores import CORES, Core
from pointmill.simbuild import read_filelist

from .core import REGISTER_BYTES, axi_ports

BEAT = [("data", 64), ("keep", 8)]
"""Of a packet (docs/bus-stream.md)."""
WAITING = 16
"""Beats that `JobPort` holds each way."""


class PointmillStreams(LiteXModule):
    """The top module of a core in a configuration, with its sources.

    sink, source: streams of jobs and results, `last` ends a packet. registers: an AXI4-Lite slave of 32 bits.
    ev: one source, `line`, the level of the core's interrupt. reset_n: 0 resets the core alone.
    """

    def __init__(self, platform: Any, core: Core, config: str) -> None:
        self.sink, self.source = stream.Endpoint(BEAT), stream.Endpoint(BEAT)
        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        self.ev = EventManager()
        self.ev.line = EventSourceLevel(description="Level of the core's interrupt: an enabled one is pending.")
        self.ev.finalize()
        self.reset_n = Signal(reset=1)
        streams: dict[str, Any] = {}
        for prefix, end, inward, outward in (("s_axis", self.sink, "i", "o"), ("m_axis", self.source, "o", "i")):
            streams |= {f"{inward}_{prefix}_tvalid": end.valid, f"{outward}_{prefix}_tready": end.ready,
                        f"{inward}_{prefix}_tdata": end.data, f"{inward}_{prefix}_tkeep": end.keep,
                        f"{inward}_{prefix}_tlast": end.last}
        self.specials += Instance(
            core.top,
            **{f"p_{name}": Instance.PreformattedParam(value) for name, value in core.parameters[config].items()},
            i_clk_i=ClockSignal("sys"),
            i_rst_ni=self.reset_n & ~ResetSignal("sys"),
            o_irq_o=self.ev.line.trigger,
            i_s_axil_awprot=0,
            i_s_axil_arprot=0,
            **streams,
            **axi_ports("s_axil", self.registers, {"aw": ("addr",), "w": ("data", "strb"), "b": ("resp",),
                                                   "ar": ("addr",), "r": ("data", "resp")}))
        for file in read_filelist(core.files):
            platform.add_source(str(file))


class JobPort(LiteXModule):
    """CSRs for the streams of a core, a beat at a time.

    A job beat: wait for `room`, write `beat`, then `put`. A result beat: wait for `there`, read `result` and `ending`,
    write `take`.
    """

    def __init__(self) -> None:
        self.jobs, self.results = stream.SyncFIFO(BEAT, WAITING), stream.SyncFIFO(BEAT, WAITING)
        self.source, self.sink = self.jobs.source, self.results.sink
        self.room = CSRStatus(description="1: a beat can be put.")
        self.beat = CSRStorage(64, description="Bytes of the next job beat, the first in the lowest bits.")
        self.put = CSRStorage(description="A write gives the beat to the core.", fields=[
            CSRField("keep", size=8, description="Bytes that count."),
            CSRField("last", size=1, description="The packet ends.")])
        self.there = CSRStatus(description="1: a result beat is there.")
        self.result = CSRStatus(64, description="Its bytes.")
        self.ending = CSRStatus(description="More of it.", fields=[
            CSRField("keep", size=8, description="Bytes that count."),
            CSRField("last", size=1, description="The packet ends.")])
        self.take = CSRStorage(description="A write goes on to the next beat.")
        job, result = self.jobs.sink, self.results.source
        self.comb += [
            self.room.status.eq(job.ready),
            job.valid.eq(self.put.re),
            job.data.eq(self.beat.storage),
            job.keep.eq(self.put.fields.keep),
            job.last.eq(self.put.fields.last),
            self.there.status.eq(result.valid),
            self.result.status.eq(result.data),
            self.ending.fields.keep.eq(result.keep),
            self.ending.fields.last.eq(result.last),
            result.ready.eq(self.take.re),
        ]


def add_streams(soc: Any, core: str, config: str | None = None, by_csr: bool = True) -> PointmillStreams:
    """Adds a core to a SoC: a module of its name, the slave of its registers, its interrupt if the processor has any,
    and a module `<core>_jobs` for its streams if `by_csr`. Without `config` it is the default one."""
    described = CORES[core]
    module = PointmillStreams(soc.platform, described, config or described.default)
    soc.add_module(name=core, module=module)
    soc.bus.add_slave(f"{core}_registers", module.registers, SoCRegion(size=REGISTER_BYTES, cached=False))
    if soc.irq.enabled:
        soc.irq.add(core, use_loc_if_exists=True)
    if by_csr:
        port = JobPort()
        soc.add_module(name=f"{core}_jobs", module=port)
        soc.comb += [port.source.connect(module.sink), module.source.connect(port.sink)]
    return module
