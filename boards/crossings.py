# SPDX-License-Identifier: Apache-2.0
"""What enters the clock domain of a mapped board from outside, and how it is synchronised.

Read from the netlist of Yosys as JSON. `check` lists each asynchronous signal with its registers, and raises
`CrossingError` where there is a second clock, or a signal that enters otherwise than by a synchroniser:
data into one register alone, whose output only feeds another one; resets into asynchronous resets alone.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CLOCK_PINS = {"TRELLIS_FF": ("CLK",), "TRELLIS_DPR16X4": ("WCK",), "DP16KD": ("CLKA", "CLKB"),
              "PDPW16KD": ("CLKW", "CLKR"), "MULT18X18D": ("CLK0",)}
LOGIC = {"LUT4": ("Z",), "PFUMX": ("Z",), "L6MUX21": ("Z",), "CCU2C": ("S0", "S1", "COUT")}
PLL = "EHXPLLL"


class CrossingError(ValueError):
    """The netlist has a crossing that is not synchronised."""


@dataclass(frozen=True)
class Crossing:
    """An asynchronous signal: `data` into two registers, or `reset` of so many registers."""

    signal: str
    kind: str
    registers: tuple[str, ...]


class Netlist:
    """The top module: what drives a bit, and what reads it."""

    def __init__(self, data: dict[str, Any], top: str) -> None:
        module = data["modules"][top]
        self.cells: dict[str, dict[str, Any]] = module["cells"]
        self.ports: dict[str, dict[str, Any]] = module["ports"]
        self.readers: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for name, cell in self.cells.items():
            for pin, bits in cell["connections"].items():
                if cell["port_directions"].get(pin) == "input":
                    for bit in bits:
                        if isinstance(bit, int):
                            self.readers[bit].append((name, pin))

    def bit(self, cell: str, pin: str) -> Any:
        """The net at a pin of one bit."""
        return self.cells[cell]["connections"][pin][0]

    def sinks(self, bit: int) -> list[tuple[str, str]]:
        """Pins that are not of logic, behind any logic."""
        found, seen, pending = [], {bit}, [bit]
        while pending:
            for name, pin in self.readers[pending.pop()]:
                outputs = LOGIC.get(self.cells[name]["type"])
                if outputs is None:
                    found.append((name, pin))
                    continue
                for output in outputs:
                    for after in self.cells[name]["connections"].get(output, ()):
                        if after not in seen:
                            seen.add(after)
                            pending.append(after)
        return found


def _clock(netlist: Netlist) -> tuple[int, str]:
    """The one clock, and the PLL that makes it."""
    plls = [name for name, cell in netlist.cells.items() if cell["type"] == PLL]
    if len(plls) != 1:
        raise CrossingError(f"{len(plls)} PLLs, one is wanted")
    clocks = {netlist.bit(name, pin) for name, cell in netlist.cells.items()
              for pin in CLOCK_PINS.get(cell["type"], ()) if pin in cell["connections"]}
    clocks = {bit for bit in clocks if isinstance(bit, int)}
    clock = netlist.bit(plls[0], "CLKOP")
    if clocks != {clock}:
        raise CrossingError(f"{len(clocks)} clocks, that of the PLL alone is wanted")
    return clock, plls[0]


def _crossing(netlist: Netlist, signal: str, bit: int) -> Crossing | None:
    """How a signal enters; None if it does not."""
    sinks = netlist.sinks(bit)
    pins = {(netlist.cells[name]["type"], pin) for name, pin in sinks}
    if not sinks:
        return None
    if pins == {("TRELLIS_FF", "LSR")}:
        wrong = [name for name, _ in sinks if netlist.cells[name]["parameters"]["SRMODE"] != "ASYNC"]
        if wrong:
            raise CrossingError(f"{signal} is a synchronous reset of {len(wrong)} registers")
        return Crossing(signal, "reset", tuple(sorted(name for name, _ in sinks)))
    if pins != {("TRELLIS_FF", "DI")} or len(sinks) != 1:
        raise CrossingError(f"{signal} enters {len(sinks)} pins: {sorted(pins)}")
    first = sinks[0][0]
    behind = netlist.sinks(netlist.bit(first, "Q"))
    if len(behind) != 1 or netlist.readers[netlist.bit(first, "Q")] != behind or behind[0][1] != "DI":
        raise CrossingError(f"{signal}: behind its first register are {len(behind)} pins, one register is wanted")
    return Crossing(signal, "data", (first, behind[0][0]))


def check(path: Path, top: str) -> list[Crossing]:
    """All asynchronous signals of a netlist. `CrossingError`."""
    netlist = Netlist(json.loads(path.read_text()), top)
    _, pll = _clock(netlist)
    signals = {"PLL lock": netlist.bit(pll, "LOCK")}
    for name, port in netlist.ports.items():
        if port["direction"] == "input":
            signals |= {f"{name}[{i}]" if len(port["bits"]) > 1 else name: bit for i, bit in enumerate(port["bits"])}
    oscillator = netlist.bit(pll, "CLKI")
    found = [_crossing(netlist, signal, bit) for signal, bit in signals.items() if bit != oscillator]
    return [crossing for crossing in found if crossing is not None]
