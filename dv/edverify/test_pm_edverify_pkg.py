# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_pkg: all 256 rule numbers and opcodes against hw/edverify/core.yaml."""

from __future__ import annotations

import cocotb
import yaml
from cocotb.triggers import Timer

from pointmill import simbuild

# order of the packed struct, top bit first
FLAGS = ("strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored")


@cocotb.test()
async def every_rule(dut) -> None:
    data = yaml.safe_load((simbuild.ROOT / "hw" / "edverify" / "core.yaml").read_text())
    wanted = {rule["id"]: set(rule["flags"]) for rule in data["rules"].values()}
    assert len(wanted) == 6
    for rule in range(256):
        dut.number_i.value = rule
        await Timer(1, unit="ns")
        bits = f"{int(dut.flags_o.value):06b}"
        flags = {name for name, bit in zip(FLAGS, bits, strict=True) if bit == "1"}
        assert bool(dut.legal_o.value) == (rule in wanted)
        assert flags == wanted.get(rule, set())


@cocotb.test()
async def every_opcode(dut) -> None:
    data = yaml.safe_load((simbuild.ROOT / "hw" / "edverify" / "core.yaml").read_text())
    wanted = {entry["opcode"]: entry for entry in data["operations"].values()}
    assert len(wanted) == 7
    nothing = {"operands": [], "payload": [], "flags": []}
    for opcode in range(256):
        dut.number_i.value = opcode
        await Timer(1, unit="ns")
        want = wanted.get(opcode, nothing)
        assert bool(dut.op_legal_o.value) == (opcode in wanted)
        assert f"{int(dut.op_flags_o.value):05b}" == "".join(
            str(int(flag in want["flags"])) for flag in ("rule", "message", "secret", "slot", "batch"))
        assert int(dut.operands_o.value) == len(want["operands"])
        assert int(dut.payload_o.value) == len(want["payload"])


def test_pm_edverify_pkg() -> None:
    simbuild.run_cocotb("pm_edverify_pkg_tb",
                        ["hw/edverify/gen/pm_edverify_pkg.sv", "dv/edverify/pm_edverify_pkg_tb.sv"],
                        __name__, expect=2)
