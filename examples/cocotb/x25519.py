# SPDX-License-Identifier: Apache-2.0
"""A key agreement on pm_x25519, driven by cocotb with Verilator: python examples/cocotb/x25519.py"""

from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotb_tools.runner import get_runner
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamSink, AxiStreamSource

K, U, SHARED = (bytes.fromhex(text) for text in (  # RFC 7748, section 5.2
    "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
    "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
    "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))
OPCODE, TAG = 2, 7  # docs/bus-stream.md
NAME = 0  # docs/registers-x25519.md


@cocotb.test()
async def key_agreement(dut) -> None:
    """One packet in, one out; then a register."""
    Clock(dut.clk_i, 5, "ns").start()
    reset = {"reset": dut.rst_ni, "reset_active_level": False}
    jobs = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk_i, **reset)
    results = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk_i, **reset)
    registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, **reset)
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 4)
    dut.rst_ni.value = 1
    await jobs.send((OPCODE << 8 | TAG << 32).to_bytes(8, "little") + K + U)
    result = bytes((await results.recv()).tdata)
    assert result[4] == TAG and result[0] == 0 and result[16:48] == SHARED, result.hex()
    dut._log.info("%d cycles, core 0x%08x", int.from_bytes(result[8:12], "little"), await registers.read_dword(NAME))


if __name__ == "__main__":
    root = Path(__file__).parents[2]
    runner = get_runner("verilator")
    runner.build(hdl_toplevel="pm_x25519", build_dir="build/example", always=True, timescale=("1ns", "1ps"),
                 build_args=["-F", str(root / "hw" / "x25519" / "x25519.f"), "-Wno-fatal"])
    runner.test(hdl_toplevel="pm_x25519", hdl_toplevel_lang="verilog", test_module="x25519", test_dir="build/example")
