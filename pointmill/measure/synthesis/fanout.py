# SPDX-License-Identifier: Apache-2.0
"""Trees of buffers in a netlist, a module in the JSON form of Yosys, so that no net has more readers than a limit, and
sizes of these buffers and of the registers by what they drive.

`plant` puts a balanced tree behind every net with more readers: those, in their order in the netlist, which keeps the
ones of a module together, in groups with a buffer before each, and so on up to the driver. Nets of a clock or of an
asynchronous set or reset are left: a chip has trees of their own for them, which placement makes.
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf

from pointmill.measure.synthesis.liberty import Library

Bit = int | str
Pin = tuple[str, str, int]
"""A cell, its port and the bit of it; of a port of the module the cell is empty."""

SHARE = 0.1
"""A buffer or register is loaded with at most this part of what the library allows, where it has a size for that."""
PLANTED = "fanout_"
"""What the name of a buffer of a tree begins with."""
REGISTER = ".reg"
"""What the name of a register ends with, behind the signal and its bit."""


def readers(module: dict, library: Library) -> dict[Bit, list[Pin]]:
    """The pins that read each net, in the order of the netlist, last those of outputs of the module. Nets that a clock
    or asynchronous pin reads are left out."""
    found: dict[Bit, list[Pin]] = {}
    common: set[Bit] = set()
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if library.common(cell["type"], port):
                common.update(bits)
            elif not library.output(cell["type"], port):
                for index, bit in enumerate(bits):
                    if isinstance(bit, int):
                        found.setdefault(bit, []).append((name, port, index))
    for name, port in module["ports"].items():
        if port["direction"] == "output":
            for index, bit in enumerate(port["bits"]):
                if isinstance(bit, int):
                    found.setdefault(bit, []).append(("", name, index))
    return {bit: pins for bit, pins in found.items() if bit not in common}


def most_readers(module: dict, library: Library) -> int:
    """Readers of the net that has most of them."""
    return max(map(len, readers(module, library).values()), default=0)


def sources(module: dict, library: Library) -> set[Bit]:
    """The nets that a register or an input of the module drives."""
    found = {bit for port in module["ports"].values() if port["direction"] == "input" for bit in port["bits"]}
    for cell in module["cells"].values():
        if library.register(cell["type"]):
            found.update(bit for port, bits in cell["connections"].items()
                         if library.output(cell["type"], port) for bit in bits)
    return found


def fresh_net(module: dict) -> int:
    """The number of a net that does not exist."""
    bits = [bit for cell in module["cells"].values() for one in cell["connections"].values() for bit in one]
    bits += [bit for port in module["ports"].values() for bit in port["bits"]]
    return max((bit for bit in bits if isinstance(bit, int)), default=1) + 1


def plant(module: dict, library: Library, most: int, of: Collection[Bit] | None = None) -> int:
    """Trees on all nets, or those of `of`, with more than `most` readers; how many buffers they have."""
    fresh, planted = fresh_net(module), 0
    serial = sum(name.startswith(PLANTED) for name in module["cells"])
    kind = library.buffers[len(library.buffers) // 2]
    pins = library.cells[kind].pins
    into, out = (next(port for port, pin in pins.items() if pin.output is driving) for driving in (False, True))
    for bit, read in readers(module, library).items():
        if of is not None and bit not in of:
            continue
        left = read
        while len(left) > most:
            count = -(-len(left) // most)
            parts = [left[index * len(left) // count:(index + 1) * len(left) // count] for index in range(count)]
            left = []
            for part in parts:
                for name, port, index in part:
                    if name:
                        module["cells"][name]["connections"][port][index] = fresh
                        continue
                    module["ports"][port]["bits"][index] = fresh
                    if port in module["netnames"]:  # Yosys would connect the two
                        module["netnames"][port]["bits"][index] = fresh
                name = f"{PLANTED}{serial + planted}"
                module["cells"][name] = {"hide_name": 0, "type": kind, "parameters": {}, "attributes": {},
                                         "port_directions": {into: "input", out: "output"},
                                         "connections": {into: [bit], out: [fresh]}}  # fmt: skip
                left.append((name, into, 0))
                fresh, planted = fresh + 1, planted + 1
    return planted


def load(module: dict, library: Library, pins: Collection[Pin]) -> float:
    """What a net loads its driver with, pF: its wire and the pins that read it."""
    kinds = [(module["cells"][name]["type"], port) for name, port, _ in pins if name]
    return library.wire(len(pins)) + sum(library.cells[kind].pins[port].capacitance for kind, port in kinds
                                         if kind in library.cells)


def drives(module: dict, library: Library, name: str) -> list[tuple[str, Bit]]:
    """The ports by which a cell drives, and the nets."""
    cell = module["cells"][name]
    return [(port, bits[0]) for port, bits in cell["connections"].items() if library.output(cell["type"], port)]


def resize(module: dict, library: Library) -> None:
    """Gives each planted buffer and each register the least size for what it drives, leaves of the trees first."""
    nets = readers(module, library)
    chosen = [name for name, cell in module["cells"].items()
              if name.startswith(PLANTED) or library.register(cell["type"])]
    changed = True
    while changed:
        changed = False
        for name in chosen:
            cell = module["cells"][name]
            sizes = library.sizes(cell["type"])
            loads = {port: load(module, library, nets.get(bit, [])) for port, bit in drives(module, library, name)}
            fits = (size for size in sizes
                    if all(one <= SHARE * library.cells[size].pins[port].most for port, one in loads.items()))
            best = next(fits, sizes[-1])
            if sizes.index(best) > sizes.index(cell["type"]) or (
                    best != cell["type"] and not cell["attributes"].get("sized")):
                cell["type"], changed = best, True
            cell["attributes"]["sized"] = 1


def overloaded(module: dict, library: Library) -> int:
    """Nets that load a cell with more than the library allows."""
    nets = readers(module, library)
    return sum(load(module, library, nets.get(bit, [])) > (library.cells[cell["type"]].pins[port].most or inf)
               for name, cell in module["cells"].items() if cell["type"] in library.cells
               for port, bit in drives(module, library, name))


def name_registers(module: dict, library: Library) -> None:
    """Names each register by the shortest public name of the net it drives, and the bit of it."""
    names: dict[Bit, tuple[str, int]] = {}
    for net, entry in sorted(module["netnames"].items(), key=lambda item: (len(item[0]), item[0])):
        if not entry["hide_name"]:
            for index, bit in enumerate(entry["bits"]):
                names.setdefault(bit, (net, index))
    cells, taken = {}, set(module["cells"])
    for name, cell in module["cells"].items():
        known = next((names[bit] for _, bit in drives(module, library, name) if bit in names), None) if (
            library.register(cell["type"])) else None
        better = f"{known[0]}.{known[1]}{REGISTER}" if known else name
        if known and better not in taken:
            taken.add(better)
            cells[better] = {**cell, "hide_name": 0}
        else:
            cells[name] = cell
    module["cells"] = cells
