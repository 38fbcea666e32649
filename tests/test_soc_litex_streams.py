# SPDX-License-Identifier: Apache-2.0
"""The cores with job streams as modules of LiteX: jobs and registers through the bus of a generated system."""

from __future__ import annotations

import json
import os
import random
import struct
import sys
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

from dv.common.handshake import begin
from pointmill import simbuild
from pointmill.cores import CORES
from pointmill.gen.registers import compile_rdl
from pointmill.model import ed25519
from pointmill.model.x25519 import x25519
from pointmill.rules import OPERATIONS, RULES, Reason

TOP = "pm_litex"
IRQ_ENABLE, IRQ_STATUS, JOBS = 0x14, 0x18, 0x20
CYCLES, PAUSE = 500_000, 100
"""Most of a job; between two looks at it."""


def jobs(core: str) -> list[tuple[bytes, Reason, bytes]]:
    """Packets, with the reason and the payload of their results."""
    rng = random.Random(1)
    head = {name: struct.pack("<BBHI", 0, OPERATIONS[name].opcode, 0, 0) for name in ("x25519", "verify")}
    if core == "x25519":
        k, u = rng.randbytes(32), rng.randbytes(32)
        return [(head["x25519"] + k + u, Reason.ok, x25519(k, u)), (head["x25519"] + k, Reason.malformed_job, b""),
                (head["x25519"] + u + k, Reason.ok, x25519(u, k))]
    seed, made = rng.randbytes(32), []
    pk = ed25519.public_key(seed)
    for message, reason in ((b"", Reason.ok), (b"thirteen byte", Reason.ok), (b"other", Reason.equation_fails)):
        signature = ed25519.sign(seed, b"" if reason else message)
        rule = bytes([RULES["ref10_bytes"].id])
        made.append((rule + head["verify"][1:] + signature[32:] + signature[:32] + pk + message, reason, b""))
    return made


class Host:
    """What the bus drives."""

    def __init__(self, dut, described: dict) -> None:
        self.dut, self.csr = dut, {name: one["addr"] for name, one in described["csr_registers"].items()}
        self.core = os.environ["PM_CORE"]
        self.registers = described["memories"][f"{self.core}_registers"]["base"]
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "host"), dut.clk_i, dut.rst_ni, reset_active_level=False)
        for part in (self.bus.write_if, self.bus.read_if):
            part.log.setLevel("WARNING")

    async def read(self, address: int) -> int:
        return await with_timeout(self.bus.read_dword(address), 2, "us")

    async def write(self, address: int, value: int) -> None:
        await with_timeout(self.bus.write_dword(address, value), 2, "us")

    async def get(self, name: str, words: int = 1) -> int:
        """A CSR, whose highest word comes first."""
        address = self.csr[f"{self.core}_{name}"]
        return sum([await self.read(address + 4 * i) << 32 * (words - 1 - i) for i in range(words)])

    async def put(self, name: str, value: int, words: int = 1) -> None:
        """A CSR likewise."""
        for i in range(words):
            await self.write(self.csr[f"{self.core}_{name}"] + 4 * i, value >> 32 * (words - 1 - i) & 0xFFFFFFFF)

    async def until(self, name: str) -> None:
        """Until a CSR is 1."""
        for _ in range(CYCLES // PAUSE):
            if await self.get(name):
                return
            await ClockCycles(self.dut.clk_i, PAUSE)
        raise AssertionError(f"{name} stays 0")

    async def send(self, packet: bytes) -> None:
        for at in range(0, len(packet), 8):
            beat = packet[at : at + 8]
            await self.until("jobs_room")
            await self.put("jobs_beat", int.from_bytes(beat, "little"), 2)
            await self.put("jobs_put", (1 << len(beat)) - 1 | (at + 8 >= len(packet)) << 8)

    async def receive(self) -> bytes:
        packet = b""
        while True:
            await self.until("jobs_there")
            beat, ending = await self.get("jobs_result", 2), await self.get("jobs_ending")
            await self.put("jobs_take", 1)
            assert ending & 0xFF == 0xFF
            packet += beat.to_bytes(8, "little")
            if ending >> 8:
                return packet


@cocotb.test()
async def jobs_through_csrs(dut) -> None:
    """Results and their order, the registers, the interrupt."""
    host = Host(dut, json.loads(Path(os.environ["PM_CSR"]).read_text()))
    await begin(dut, ())
    name = next(iter(compile_rdl(host.core).registers()))
    assert await host.read(host.registers) == sum(f.get_property("reset") << f.low for f in name.fields())
    await host.write(host.registers + IRQ_ENABLE, 1)
    assert await host.get("ev_status") == 0 and await host.get("jobs_there") == 0
    for tag, (packet, reason, payload) in enumerate(jobs(host.core)):
        await host.send(packet[:4] + struct.pack("<I", tag) + packet[8:])
        result = await host.receive()
        assert result[0] == reason and result[2] & 1 == (reason == Reason.ok), Reason(result[0])
        assert struct.unpack_from("<I", result, 4) == (tag,) and result[16:] == payload
        assert await host.get("ev_status") == 1
        await host.write(host.registers + IRQ_STATUS, 0xFF)
        assert await host.get("ev_status") == 0
    assert await host.read(host.registers + JOBS) == 3


@pytest.mark.parametrize(("core", "config"), [
    ("x25519", "tile"), pytest.param("edverify", "tiles_secret", marks=pytest.mark.long)])
def test_jobs(core: str, config: str) -> None:
    """In a system that LiteX generates."""
    folder = simbuild.BUILD / "soc" / f"litex-{core}-{config}"
    with simbuild.locked(folder):
        simbuild.run_tool([sys.executable, "-m", "soc.litex.streams_system", core, config, folder])
    sources = [simbuild.ROOT / "soc" / "litex" / "litex.vlt", CORES[core].files, folder / f"{TOP}.v"]
    # A random beginning would be an edge of LiteX's clock, which is a wire behind the port. Signals that cocotb may
    # read are not split, which seem loops then.
    simbuild.run_cocotb(TOP, sources, __name__, build_dir=folder / "sim", expect=1,
                        verilator_args=("--x-initial", "fast", "-Wno-UNOPTFLAT"),
                        extra_env={"PM_CORE": core, "PM_CSR": str(folder / "csr.json")})
