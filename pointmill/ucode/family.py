# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog of machines that share their RTL: one package with what their programs may name, and for each machine
a constant by which the RTL selects its ROM, addresses and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pointmill.gen.text import camel, header
from pointmill.ucode.build import Image
from pointmill.ucode.machine import Isa, Machine
from pointmill.ucode.verilog import enumeration, public_conditions

KINDS = {"m3": "minus3", "0": "zero", "any": "other"}
"""Fields of kinds_t by the end of a label of the digit scan."""


@dataclass(frozen=True)
class Member:
    """A machine of a family."""

    image: Image
    entries: Mapping[str, str]
    """Label at which a job enters, by the name of the entry."""

    @property
    def machine(self) -> Machine:
        """Its description."""
        return self.image.machine

    @property
    def places(self) -> dict[str, int]:
        """Addresses of the entries."""
        return {entry: self.image.address(at) for entry, at in self.entries.items()}

    @property
    def walk(self) -> dict[str, dict[str, int]]:
        """Addresses of the operations of the digit scan by the kind of a; one for all where a label names none."""
        found: dict[str, dict[str, int]] = {}
        for label, address in self.image.rom.labels.items():
            name = label.partition(".")[2]
            if not name.startswith("walk_"):
                continue
            operation, _, kind = name.rpartition("_")
            if kind in KINDS:
                found.setdefault(operation, {})[KINDS[kind]] = address
            else:
                found[name] = dict.fromkeys(KINDS.values(), address)
        return found


def _common(machines: Sequence[Machine], numbers: str) -> dict[str, int]:
    """Names of all machines whose number means nothing else in any of them."""
    found = {name: number for machine in machines for name, number in getattr(machine, numbers).items()}
    meanings: dict[int, set[str]] = {}
    for machine in machines:
        for name, number in getattr(machine, numbers).items():
            meanings.setdefault(number, set()).add(name)
    return {name: number for name, number in found.items() if meanings[number] == {name}}


def _struct(name: str, doc: str, kind: str, members: Sequence[str]) -> str:
    fields = "".join(f"    {kind} {member};\n" for member in members)
    return f"\n  // {doc}\n  typedef struct packed {{\n{fields}  }} {name};\n"


def _names(groups: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(name for group in groups for name in group))


def shared_package(name: str, members: Sequence[Member]) -> str:
    """Package `name`: external values, conditions and side units of the machines, and the type of their constants."""
    machines = [member.machine for member in members]
    core, isa = machines[0].core, machines[0].isa
    docs: dict[str, dict[str, str]] = {"ext": {}, "cond": {}, "unit": {}}
    for machine in machines:
        docs["ext"] |= machine.inputs
        docs["cond"] |= machine.condition_docs
        docs["unit"] |= machine.unit_docs
    units = {unit: number for machine in machines for unit, number in machine.unit_ids.items()}
    what = f"What the programs of `{core}` may name, and what a machine of it is to the RTL."
    text = header(f"hw/{core}/ucode", what)
    text += f"package {name};\n\n  import pm_dual_ucode_pkg::*;\n\n  // External values\n"
    text += enumeration("ext_e", isa.fields["ext"].width, "Ext", _common(machines, "externals"), docs["ext"])
    text += "\n  // Conditions; those of one machine alone are in its package\n"
    text += enumeration("cond_e", isa.fields["ctl_cond"].width, "Cond", _common(machines, "conditions"), docs["cond"])
    text += "\n  // Side units\n" + enumeration("unit_e", isa.fields["ctl_arg"].width, "Unit", units, docs["unit"])
    text += "\n  // Machines\n"
    text += enumeration("machine_e", 2, "Machine", {machine.config: i for i, machine in enumerate(machines)},
                 {machine.config: str(machine.path.name) for machine in machines})  # fmt: skip
    address = "logic [ArgBits-1:0]"
    text += _struct("kinds_t", "Addresses of an operation by the coefficient a: -3, 0, any other", address,
                    list(KINDS.values()))  # fmt: skip
    text += _struct("entries_t", "Where programs begin; 0: the machine has no such program", address,
                    _names([member.places for member in members]))  # fmt: skip
    text += _struct("walk_t", "Operations of the digit scan; 0: the machine has no such operation", "kinds_t",
                    _names([member.walk for member in members]))  # fmt: skip
    return text + (
        "\n  // A machine\n  typedef struct packed {\n"
        "    machine_e name;\n"
        "    int unsigned multipliers;\n"
        "    bit shared_ports;  // factors are read through the ports of the sums\n"
        "    logic table_units;  // it has a table of points, and the digit scan by windows\n"
        "    logic comb_units;  // and a fixed-base comb\n"
        "    logic [(1<<ConditionBits)-1:0] public_conditions;  // what programs on secrets may ask for\n"
        "    entries_t entry;\n"
        "    walk_t at;\n"
        "  } machine_t;\n\nendpackage\n"
    )


def member_package(name: str, member: Member, members: Sequence[Member], shared: str) -> str:
    """Package `name` of a machine: the width of its ROM's address, conditions that it alone has, and its constant.
    `shared` is the package of the family."""
    machine, isa = member.machine, member.machine.isa
    prefix = camel(machine.config)
    common = _common([other.machine for other in members], "conditions")
    own = {condition: number for condition, number in machine.conditions.items() if condition not in common}
    what = f"Configuration `{machine.config}` of `{machine.core}`, as its programs know it."
    text = header(f"hw/{machine.core}/ucode", what)
    text += f"package {name};\n\n  import {shared}::*;\n\n"
    text += f"  localparam int unsigned {prefix}RomAddrBits = {(len(member.image.rom.words) - 1).bit_length()};\n"
    if own:
        text += "\n  // Conditions of this machine alone\n"
        width = isa.fields["ctl_cond"].width
        text += enumeration(f"{machine.config}_cond_e", width, f"{prefix}Cond", own, machine.condition_docs)
    return text + f"\n  localparam machine_t {prefix}Machine = {_constant(member, members, isa)};\n\nendpackage\n"


def _constant(member: Member, members: Sequence[Member], isa: Isa) -> str:
    """The constant of a machine."""
    machine = member.machine
    address = isa.fields["ctl_arg"].width

    def fields(values: Mapping[str, str], indent: str) -> str:
        return "'{\n" + ",\n".join(f"{indent}  {name}: {value}" for name, value in values.items()) + f"\n{indent}}}"

    def at(number: int) -> str:
        return f"{address}'d{number}"

    entries = {name: at(member.places.get(name, 0)) for name in _names([other.places for other in members])}
    walk = {}
    for name in _names([other.walk for other in members]):
        kinds = member.walk.get(name, dict.fromkeys(KINDS.values(), 0))
        walk[name] = "'{" + ", ".join(f"{kind}: {at(kinds[kind])}" for kind in KINDS.values()) + "}"
    return fields(
        {
            "name": f"Machine{camel(machine.config)}",
            "multipliers": str(machine.multipliers),
            "shared_ports": f"1'b{int(machine.shared_ports)}",
            "table_units": f"1'b{int('table_first' in machine.units)}",
            "comb_units": f"1'b{int('comb_begin' in machine.units)}",
            "public_conditions": public_conditions(machine),
            "entry": fields(entries, "    "),
            "at": fields(walk, "    "),
        },
        "  ",
    )
