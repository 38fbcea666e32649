# SPDX-License-Identifier: Apache-2.0
"""Projects for Zynq: the script for Vivado runs on commands that write down what it does; overlay and wrapper pass
their compilers. Vivado itself does not run here."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from boards import board, zynq
from driver.dma_files import BUFFER_BYTES, header_text
from pointmill import simbuild
from pointmill.cores import EDVERIFY, MULTICURVE, X25519, Core

BOARDS = ("kv260", "pynq_z2")
COMMANDS = r"""
proc create_project args { puts "project [lindex $args end]" }
proc add_files args { foreach file [lindex $args end] { puts "file $file" } }
proc get_ipdefs pattern { lmap version {2.9 2.10 1.1} { string map [list * $version] $pattern } }
proc create_bd_cell {-type type from what name} { puts "cell $name $what"; return $name }
proc set_property args { puts "set [lindex $args end] [lindex $args 0] [lindex $args 1]" }
proc connect_bd_net {from to} { puts "net $from $to" }
proc connect_bd_intf_net {from to} { puts "bus $from $to" }
proc assign_bd_address args { puts "address [lindex $args 4] [lindex $args 1]" }
proc make_wrapper args { return wrapper.v }
proc get_property args { return $::env(SLACK) }
proc write_hw_platform args { puts "platform [lindex $args end]" }
foreach name {get_bd_pins get_bd_intf_pins get_bd_addr_segs get_files get_runs} { proc $name what { return $what } }
foreach name {update_compile_order create_bd_design apply_bd_automation validate_bd_design save_bd_design
              current_fileset launch_runs wait_on_run} { proc $name args {} }
rename file real_file
proc file {what args} { if {$what ne "copy"} { real_file $what {*}$args } }
"""
"""The commands of Vivado that the script uses."""
PINS = {
    "processing_system7": ("FCLK_CLK0 FCLK_RESET0_N M_AXI_GP0_ACLK S_AXI_HP0_ACLK IRQ_F2P", "M_AXI_GP0 S_AXI_HP0"),
    "zynq_ultra_ps_e": ("pl_clk0 pl_resetn0 maxihpm0_fpd_aclk saxihp0_fpd_aclk pl_ps_irq0",
                        "M_AXI_HPM0_FPD S_AXI_HP0_FPD"),
    "proc_sys_reset": ("slowest_sync_clk ext_reset_in peripheral_aresetn", ""),
    "connect": ("aclk aresetn", "S00_AXI M00_AXI M01_AXI"),
    "gather": ("aclk aresetn", "S00_AXI S01_AXI S02_AXI M00_AXI"),
    "axi_dma": ("s_axi_lite_aclk m_axi_sg_aclk m_axi_mm2s_aclk m_axi_s2mm_aclk axi_resetn mm2s_prmry_reset_out_n "
                "mm2s_introut s2mm_introut", "S_AXI_LITE M_AXI_SG M_AXI_MM2S M_AXI_S2MM M_AXIS_MM2S S_AXIS_S2MM"),
    "util_vector_logic": ("Op1 Op2 Res", ""),
    "xlconcat": ("In0 In1 dout", ""),
    "pm_zynq_core": ("clk_i rst_ni irq_o", "s_axis m_axis s_axil"),
}
"""Pins and buses of the cells that must be connected, each of them, by the product guides; of a smartconnect by the
name of the cell."""


def run(board: zynq.Zynq, slack: str = "0.1") -> subprocess.CompletedProcess[str]:
    """The script on `COMMANDS`."""
    script = zynq.write(board)[1]
    return subprocess.run(["tclsh"], input=f"{COMMANDS}\ninfo script {script}\nsource {script}\n", text=True,
                          capture_output=True, check=False, env={"SLACK": slack, "PATH": "/usr/bin:/bin"})


def said(done: subprocess.CompletedProcess[str], word: str) -> list[list[str]]:
    """What follows `word` in the lines that begin with it."""
    lines = (line.split() for line in done.stdout.splitlines())
    return [words[1:] for words in lines if words[0] == word]


def test_boards() -> None:
    assert tuple(zynq.names()) == BOARDS


@pytest.mark.skipif(shutil.which("tclsh") is None, reason="tclsh is not installed")
@pytest.mark.parametrize("name", BOARDS)
def test_project(name: str) -> None:
    """Files exist, every pin is connected and none twice, addresses are those of the overlay."""
    board = zynq.load(name)
    done = run(board)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert said(done, "project") == [[board.part]]
    files = [Path(path) for (path,) in said(done, "file")]
    assert len(files) > 80 and files[-1] == Path("wrapper.v") and all(path.exists() for path in files[:-1])
    cells = {cell: what.split(":")[2] if ":" in what else what for cell, what in said(done, "cell")}
    assert all(what.endswith(":2.10") for _, what in said(done, "cell") if ":" in what) and len(cells) == 8
    nets, buses = said(done, "net"), said(done, "bus")
    sources = Counter({source for source, _ in nets})
    for index, ends in enumerate((sources + Counter(sink for _, sink in nets), Counter(chain.from_iterable(buses)))):
        wanted = {f"{cell}/{pin}" for cell, kind in cells.items()
                  for pin in PINS[cell if kind == "smartconnect" else kind][index].split()}
        assert ends == Counter(wanted)
    assert said(done, "address") == [["core/s_axil/reg0", hex(board.registers)],
                                     ["dma/S_AXI_LITE/Reg", hex(board.dma)], []]
    assert ["dma/mm2s_prmry_reset_out_n", "core/rst_ni"] in nets  # a program that opens the DMA resets the core
    lengths = [int(words[2]) for words in said(done, "set") if words[1] == "CONFIG.c_sg_length_width"]
    assert len(lengths) == 1 and 1 << lengths[0] > int(re.search(r"PM_DMA_JOB_BYTES = (\d+)", header_text())[1])
    clock = {"zynq7": "PCW_FPGA0_PERIPHERAL_FREQMHZ", "zynqmp": "PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ"}
    assert ["ps", f"CONFIG.{clock[board.processor]}", str(board.clock_mhz)] in said(done, "set")
    assert len(said(done, "platform")) == 1


@pytest.mark.skipif(shutil.which("tclsh") is None, reason="tclsh is not installed")
def test_missed_timing() -> None:
    done = run(zynq.load("pynq_z2"), slack="-0.2")
    assert "slack of -0.2 ns at 80 MHz" in done.stderr and not said(done, "platform")


@pytest.mark.parametrize("core", [EDVERIFY, MULTICURVE, X25519], ids=lambda core: core.name)
def test_wrapper(core: Core) -> None:
    """The front end of the simulator takes all cores with streams in it."""
    board = replace(zynq.load("pynq_z2"), core={"name": core.name, "config": core.default}, name=f"zynq-{core.name}")
    simbuild.lint("pm_zynq_core", [core.files, zynq.write(board)[0]])


def test_buffer() -> None:
    """The name of the memory is the driver's default, and there is enough of it."""
    assert f'"/dev/{zynq.BUFFER}"' in (simbuild.ROOT / "sw" / "backends" / "uio" / "uio.c").read_text()
    assert zynq.BUFFER_BYTES >= BUFFER_BYTES


@pytest.mark.skipif(shutil.which("dtc") is None, reason="dtc is not installed")
@pytest.mark.parametrize("name", BOARDS)
def test_overlay(name: str, tmp_path: Path) -> None:
    """It compiles, and has the addresses and interrupts of the board."""
    board = zynq.load(name)
    binary, text = tmp_path / "pointmill.dtbo", tmp_path / "back.dts"
    simbuild.run_tool(["dtc", "-@", "-q", "-I", "dts", "-O", "dtb", "-o", binary, zynq.write(board)[2]])
    simbuild.run_tool(["dtc", "-q", "-I", "dtb", "-O", "dts", "-o", text, binary])
    found = text.read_text()
    assert found.count('compatible = "generic-uio"') == 2 and 'firmware-name = "pointmill.bit.bin"' in found
    assert [int(address, 16) for address in re.findall(r"@([0-9a-f]{8}) ", found)] == [board.registers, board.dma]
    assert f"{zynq.BUFFER} {{" in found and 'compatible = "ikwzm,u-dma-buf"' in found
    assert re.findall(r"interrupts = <0x00 0x(\w+) 0x04>", found) == [f"{number:x}" for number in board.interrupts]


@pytest.mark.parametrize(("change", "text"), [
    ({"processor": "zynq8"}, "no processor zynq8; there is zynq7, zynqmp"),
    ({"speed": 1}, "keys ['speed'] are missing or unknown"),
    ({"core": {"name": "edverify", "config": "huge"}}, "no configuration huge of a core edverify"),
])
def test_wrong_files(change: dict[str, Any], text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = board.read_yaml(board.HERE / "pynq_z2" / "zynq.yaml") | change
    monkeypatch.setattr(board, "read_yaml", lambda path: data)
    with pytest.raises(ValueError, match=re.escape(text)):
        zynq.load("pynq_z2")
