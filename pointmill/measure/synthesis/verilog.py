# SPDX-License-Identifier: Apache-2.0
"""A netlist, a flat module in the JSON form of Yosys, as structural Verilog that OpenSTA reads: a name for each bit."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _name(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else f"\\{name} "


def _net(bit: int | str) -> str:
    """The net of a bit; a constant as such, one that is undefined as 0."""
    return f"n{bit}" if isinstance(bit, int) else f"1'b{int(bit == '1')}"


def netlist(top: str, module: dict) -> str:
    """The Verilog of a module."""
    ports = [(f"{name}[{index}]" if len(port["bits"]) > 1 else name, port["direction"], bit)
             for name, port in module["ports"].items() for index, bit in enumerate(port["bits"])]
    cells = module["cells"].values()
    nets = {bit for cell in cells for bits in cell["connections"].values() for bit in bits if isinstance(bit, int)}
    nets |= {bit for _, _, bit in ports if isinstance(bit, int)}
    lines = [f"module {_name(top)} ({', '.join(_name(name) for name, _, _ in ports)});",
             *(f"  {direction} {_name(name)};" for name, direction, _ in ports),
             *(f"  wire n{bit};" for bit in sorted(nets)),
             *(f"  assign {_net(bit)} = {_name(name)};" if direction == "input" else
               f"  assign {_name(name)} = {_net(bit)};" for name, direction, bit in ports)]  # fmt: skip
    for name, cell in module["cells"].items():
        pins = ", ".join(f".{port}({_net(bits[0])})" for port, bits in cell["connections"].items())
        lines.append(f"  {cell['type']} {_name(name)} ({pins});")
    return "\n".join([*lines, "endmodule\n"])
