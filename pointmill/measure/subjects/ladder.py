# SPDX-License-Identifier: Apache-2.0
"""X25519 on one Karatsuba multiplier of any leaves, levels and depth: the program of the compact forms
(hw/x25519/ucode/compact.pmu), scheduled anew for the latency that the multiplier has with its parameters, and the
resources and the clock of that multiplier."""

from __future__ import annotations

from pathlib import Path

from pointmill.measure.inputs import Inputs
from pointmill.measure.subjects import mulmod, rtl
from pointmill.measure.synthesis import slang
from pointmill.measure.task import Figure, Measure, Params
from pointmill.model.x25519 import x25519 as model
from pointmill.simbuild import ROOT
from pointmill.ucode.assembler import assemble
from pointmill.ucode.emitter import Emitter
from pointmill.ucode.machine import ISA, Machine, P, ucode
from pointmill.ucode.scheduler import Scheduler
from pointmill.ucode.simulator import Environment, Simulator

PARAMETERS = {name: mulmod.PARAMETERS[name] for name in
              ("Levels", "Interval", "OpReg", "PreMask", "InReg", "MulReg", "RecMask", "FoldStages")}  # fmt: skip
AROUND = 2
"""Cycles of a product outside of the multiplier: a register behind the butterfly, and the write."""
INVERTER = 511
"""Cycles of pm_inverter in fixed time."""
K, U = bytes(range(32)), (9).to_bytes(32, "little")


def machine(params: Params) -> Machine:
    """The datapath of the compact forms with this multiplier."""
    found = Machine("x25519", "compact27")
    found.latency = {**found.latency, "mul": mulmod.latency(params) + AROUND}
    found.interval = int(params.get("Interval", 1))
    return found


def cycles(params: Params) -> list[Figure]:
    """Of an operation, all of which take the same: from the first word to the last, on the simulator of the
    microcode. `RuntimeError` if its result is wrong."""
    datapath = machine(params)
    program = assemble(datapath, "compact")
    rom = Emitter(datapath, program, Scheduler(datapath, program).run()).run()
    scalar = int.from_bytes(K, "little") & ~7 & (2**255 - 1) | 2**254
    digits = [(scalar >> t ^ scalar >> (t + 1)) & 1 for t in reversed(range(255))]
    rest, seen = iter([*digits[1:], 0]), {}

    def invert(operand: int, cycle: int) -> None:
        seen["inverse"], seen["done"] = pow(operand, P - 2, P), cycle + INVERTER

    environment = Environment(
        inputs={"u": lambda _: int.from_bytes(U, "little"), "inv": lambda _: seen["inverse"]},
        conditions={"inverter_done": lambda cycle: cycle >= seen["done"]},
        units={"digit": lambda *_: next(rest), "inverter": invert,
               "result": lambda operand, _: seen.__setitem__("result", operand)},
        walk=lambda: ("", 0), index=digits[0])  # fmt: skip
    run = Simulator(datapath, rom.encoded(datapath), rom.labels).run(environment, secret=True)
    if seen["result"].to_bytes(32, "little") != model(K, U):
        raise RuntimeError("the product is wrong")
    return [Figure("cycles", run.cycles, "cycles"), Figure("products", run.products, "products")]


def _inputs(params: Params) -> Inputs:
    own = (ISA, ucode("x25519") / "compact27.yaml", ucode("x25519") / "compact.pmu")
    files = [*own, *(ROOT / "pointmill" / "ucode").glob("*.py"), slang.HERE, Path(mulmod.__file__)]
    return Inputs([mulmod.unit(params)], files)


MEASURES = {"cycles": Measure(cycles, _inputs, ("pyslang", "ortools")), **rtl.synthesis(mulmod.unit)}
