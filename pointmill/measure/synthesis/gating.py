# SPDX-License-Identifier: Apache-2.0
"""Clock gates of a netlist, a module in the JSON form of Yosys: as many as their registers need.

Yosys makes one for all registers with the same enable, whatever their number. A chip has one for some dozens, as the
clock tree behind it must be short.
"""

from __future__ import annotations

from pointmill.measure.synthesis.fanout import Bit, drives, fresh_net
from pointmill.measure.synthesis.liberty import Library


def divide(module: dict, library: Library, most: int) -> int:
    """Gives each gate with more than `most` registers copies, each with a part of them in the order of the netlist; how
    many gates there are then."""
    gates = {name: bit for name, cell in module["cells"].items() if library.gate(cell["type"])
             for _, bit in drives(module, library, name)}  # fmt: skip
    pins: dict[Bit, list[tuple[str, str]]] = {bit: [] for bit in gates.values()}
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if bits[0] in pins and not library.output(cell["type"], port):
                pins[bits[0]].append((name, port))
    fresh, total = fresh_net(module), len(gates)
    for name, bit in gates.items():
        read = pins[bit]
        count = -(-len(read) // most)
        for copy in range(1, count):
            cell = module["cells"][name]
            module["cells"][f"{name}_{copy}"] = {**cell, "connections": {
                port: [fresh] if bits == [bit] else list(bits) for port, bits in cell["connections"].items()}}
            for reader, port in read[copy * len(read) // count:(copy + 1) * len(read) // count]:
                module["cells"][reader]["connections"][port] = [fresh]
            fresh, total = fresh + 1, total + 1
    return total
