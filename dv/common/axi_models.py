# SPDX-License-Identifier: Apache-2.0
"""Bus models at the AXI4-Lite and AXI4-Stream ports of a unit in cocotb, which log no transfers, and their pauses."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamSink, AxiStreamSource


def _model(kind: Any, bus: Any, dut) -> Any:
    return kind(bus, dut.clk_i, dut.rst_ni, reset_active_level=False)


def lite_master(dut) -> AxiLiteMaster:
    """Of the registers at s_axil."""
    master = _model(AxiLiteMaster, AxiLiteBus.from_prefix(dut, "s_axil"), dut)
    for part in (master.write_if, master.read_if):
        part.log.setLevel("WARNING")
    return master


def stream_source(dut) -> AxiStreamSource:
    """Of the jobs at s_axis."""
    source = _model(AxiStreamSource, AxiStreamBus.from_prefix(dut, "s_axis"), dut)
    source.log.setLevel("WARNING")
    return source


def stream_sink(dut) -> AxiStreamSink:
    """Of the results at m_axis."""
    sink = _model(AxiStreamSink, AxiStreamBus.from_prefix(dut, "m_axis"), dut)
    sink.log.setLevel("WARNING")
    return sink


def pauses(rng: random.Random, share: float) -> Iterator[bool]:
    """Whether a model pauses, cycle by cycle."""
    return (rng.random() < share for _ in itertools.count())


def disturb(model: Any, rng: random.Random, share: float) -> None:
    """Idle cycles on all five channels of a master or slave from now on."""
    write, read = model.write_if, model.read_if
    for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
        channel.set_pause_generator(pauses(rng, share))
