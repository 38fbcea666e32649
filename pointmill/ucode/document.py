# SPDX-License-Identifier: Apache-2.0
"""The ISA reference page, made from the ISA and a machine description."""

from __future__ import annotations

from pointmill.ucode.machine import Isa, Machine
from pointmill.ucode.verilog import COMMAND


def _table(head: tuple[str, ...], rows: list[tuple]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n\n"


def isa_page(machines: list[Machine]) -> str:
    """docs/isa.md; latencies in cycles are those of the first machine."""
    isa = machines[0].isa
    latency = machines[0].latency
    text = f"<!-- Generated from ucode/ by `{COMMAND}`. Do not edit. -->\n\n# Microinstruction\n\n"
    text += (
        f"One word has {isa.word_bits} bits and starts everything that one cycle of one context starts: a "
        "product,\na butterfly (sum and difference of the same operands), a control operation. A sum or "
        "difference can\nbe a factor of the product of its own cycle.\n\n"
        f"A product can be read {latency['mul']} cycles after its word, with its flags if it is canonical, "
        f"a stored sum or\ndifference {latency['store']}. No word reads a register after the word that "
        "starts overwriting it, so words may\nbe issued later than scheduled, but never sooner.\n\n"
        "## Fields\n\n"
    )
    rows = [
        (f"{f.lsb + f.width - 1}:{f.lsb}", f"`{f.name}`", f.doc) for f in isa.fields.values()
    ]
    text += _table(("bits", "field", "meaning"), rows)
    text += "## Control operations\n\n"
    rows = [(number, f"`{name}`", isa.control_docs[name]) for name, number in isa.control.items()]
    text += _table(("id", "name", "meaning"), rows)
    text += "## Banks\n\n"
    text += _table(
        ("id", "name", "holds"),
        [(number, f"`{name}`", isa.bank_docs[name]) for name, number in isa.banks.items()],
    )
    return text + "".join(_machine_part(machine) for machine in machines).rstrip("\n") + "\n"


def _fields_and_control(isa: Isa) -> str:
    rows = [
        (f"{f.lsb + f.width - 1}:{f.lsb}" if f.width > 1 else f.lsb, f"`{f.name}`", f.doc)
        for f in isa.fields.values()
    ]
    text = "## Fields\n\n" + _table(("bits", "field", "meaning"), rows)
    text += "A read port is {indexed, bank, register}; the number is XOR-ed with the digit's index if indexed.\n\n"
    rows = [(number, f"`{name}`", isa.control_docs[name]) for name, number in isa.control.items()]
    return text + "## Control operations\n\n" + _table(("id", "name", "meaning"), rows)


def dual_page(machine: Machine) -> str:
    """docs/isa-multicurve.md: the word of the dual datapath and one machine."""
    isa = machine.isa
    text = f"<!-- Generated from ucode/ by `{COMMAND}`. Do not edit. -->\n\n# Microinstruction of `multicurve`\n\n"
    text += (
        f"One word has {isa.word_bits} bits and starts everything that one cycle starts: a product on each "
        "multiplier, two sums\nor differences, of which the second may take the first, a control operation. "
        "Words are issued in order, one a\ncycle. A word stays while a multiplier that it waits for, or "
        "starts, works; a sum can be read one cycle\nafter its word, a product in the cycle in which its "
        "multiplier is free again. No word reads a register after\nthe word that starts overwriting it, so "
        "that a program is right for every length of a product.\n\n"
    )
    text += _fields_and_control(isa)
    text += "## Banks\n\n"
    rows = [(number, f"`{name}`", isa.bank_docs[name]) for name, number in isa.banks.items()]
    text += _table(("id", "name", "holds"), rows) + _machine_part(machine)
    text += "## Reasons\n\n"
    rows = [(n, f"`{name}`", machine.reason_docs[name]) for name, n in machine.reasons.items()]
    text += _table(("id", "name", "means"), rows)
    return text.rstrip("\n") + "\n"


def limb_page(machine: Machine) -> str:
    """docs/isa-x25519-paper.md: the word of the limb datapath and its machine."""
    isa = machine.isa
    text = f"<!-- Generated from ucode/ by `{COMMAND}`. Do not edit. -->\n\n# Microinstruction of `x25519`, `paper`\n\n"
    text += (
        f"One word has {isa.word_bits} bits and starts everything that one cycle starts: an operation on each of the "
        "four units, a control\noperation. A result can be read, and its unit is free again, after the cycles of "
        "its operation; until then its register\nholds the old value.\n\n"
    )
    names = {"mul": "product", "small": "product by a constant below 2^30", "add": "sum", "sub": "difference"}
    text += _table(("operation", "cycles"), [(names[kind], count) for kind, count in machine.latency.items()])
    text += _fields_and_control(isa)
    text += "## Ports\n\n"
    rows = [(f"`{port}`", ", ".join(f"`{s}`" if isinstance(s, str) else f"unit {s}" for s in reached))
            for port, reached in machine.ports.items()]  # fmt: skip
    text += _table(("port", "reaches registers of, external values"), rows)
    text += "Registers of units 0 to 3: " + ", ".join(map(str, machine.slots)) + ".\n\n" + _machine_part(machine)
    return text.rstrip("\n") + "\n"


def _machine_part(machine: Machine) -> str:
    text = f"# Machine `{machine.core}`, configuration `{machine.config}`\n\n"
    if machine.scale is not None:
        text += f"Scaled differences are multiplied by {machine.scale}.\n\n"
    text += "## External values\n\n"
    docs = {name: f"{value:#x}" for name, value in machine.constants.items()} | machine.inputs
    text += _table(
        ("id", "name", "value"),
        [(number, f"`{name}`", docs[name]) for name, number in machine.externals.items()],
    )
    text += "## Conditions\n\n"
    text += _table(
        ("id", "name", "holds when"),
        [
            (n, f"`{name}`", machine.condition_docs[name] + ", public" * (name in machine.public))
            for name, n in machine.conditions.items()
        ],
    )
    if machine.public:
        text += "A program that works on secrets may ask for public conditions only.\n\n"
    text += "## Side units\n\n"
    text += _table(
        ("id", "name", "does"),
        [(unit["id"], f"`{name}`", unit["doc"]) for name, unit in machine.units.items()],
    )
    return text
