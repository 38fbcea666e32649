# SPDX-License-Identifier: Apache-2.0
"""The ISA reference documents, made from the ISA and machine descriptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pointmill.gen.text import notice
from pointmill.ucode.machine import Isa, Machine

PORTS = "A read port is {indexed, bank, register}; the number is XOR-ed with the digit's index if indexed.\n\n"
PUBLIC = "A program that works on secrets may ask for public conditions only.\n\n"


def _table(head: tuple[str, ...], rows: Iterable[tuple]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n\n"


def _numbered(title: str, head: str, numbers: Mapping[str, int], docs: Mapping[str, str]) -> str:
    """A section of what has a number, a name and a meaning."""
    return f"## {title}\n\n" + _table(("id", "name", head),
                                      [(n, f"`{name}`", docs[name]) for name, n in numbers.items()])


def _page(of: str, intro: str, *sections: str) -> str:
    text = f"<!-- {notice('the descriptions of the hardware')} -->\n\n# Microinstruction{of}\n\n{intro}" + "".join(
        sections)
    return text.rstrip("\n") + "\n"


def _fields(isa: Isa, range_of_one: bool = False) -> str:
    """The fields; range_of_one: a single bit is written as a range too."""
    bits = [f"{f.lsb + f.width - 1}:{f.lsb}" if f.width > 1 or range_of_one else f.lsb for f in isa.fields.values()]
    rows = [(where, f"`{f.name}`", f.doc) for where, f in zip(bits, isa.fields.values())]
    return "## Fields\n\n" + _table(("bits", "field", "meaning"), rows)


def _control(isa: Isa) -> str:
    return _numbered("Control operations", "meaning", isa.control, isa.control_docs)


def _banks(isa: Isa) -> str:
    return _numbered("Banks", "holds", isa.banks, isa.bank_docs)


def _machine(machine: Machine) -> str:
    text = f"# Machine `{machine.core}`, configuration `{machine.config}`\n\n"
    if machine.scale is not None:
        text += f"Scaled differences are multiplied by {machine.scale}.\n\n"
    values = {name: f"{value:#x}" for name, value in machine.constants.items()} | machine.inputs
    conditions = {name: doc + ", public" * (name in machine.public) for name, doc in machine.condition_docs.items()}
    text += _numbered("External values", "value", machine.externals, values)
    text += _numbered("Conditions", "holds when", machine.conditions, conditions) + PUBLIC * bool(machine.public)
    return text + _numbered("Side units", "does", machine.unit_ids, machine.unit_docs)


def isa_page(machines: list[Machine]) -> str:
    """docs/isa.md; latencies in cycles are those of the first machine."""
    isa, latency = machines[0].isa, machines[0].latency
    intro = (
        f"One microinstruction has {isa.word_bits} bits and starts everything that one cycle of one context starts: a "
        "product,\na butterfly (sum and difference of the same operands), a control operation. A sum or "
        "difference can\nbe a factor of the product of its own cycle.\n\n"
        f"A product can be read {latency['mul']} cycles after its microinstruction, with its flags if it is canonical, "
        f"a stored sum or\ndifference {latency['store']}. No microinstruction reads a register after the one that "
        "starts overwriting it, so one may\nbe issued later than scheduled, but never sooner.\n\n"
    )
    return _page("", intro, _fields(isa, True), _control(isa), _banks(isa), *map(_machine, machines))


def dual_page(machine: Machine) -> str:
    """docs/isa-multicurve.md: the microinstruction of the dual datapath and one machine."""
    isa = machine.isa
    intro = (
        f"One microinstruction has {isa.word_bits} bits and starts everything that one cycle starts: a product on each "
        "multiplier, two sums\nor differences, of which the second may take the first, a control operation. "
        "Microinstructions are issued in order, one a\ncycle. One stays while a multiplier that it waits for, or "
        "starts, works; a sum can be read one cycle\nafter its microinstruction, a product in the cycle in which its "
        "multiplier is free again. No microinstruction reads a register after\nthe one that starts overwriting it, so "
        "that a program is right for every length of a product.\n\n"
    )
    reasons = _numbered("Reasons", "means", machine.reasons, machine.reason_docs)
    return _page(" of `multicurve`", intro, _fields(isa), PORTS, _control(isa), _banks(isa), _machine(machine), reasons)


def skew_page(machine: Machine) -> str:
    """docs/isa-contexts.md: the microinstruction of the contexts of `multicurve` and their machine."""
    isa = machine.isa
    intro = (
        f"One microinstruction has {isa.word_bits} bits and starts everything that one turn of one of "
        f"{machine.contexts} contexts starts: two\nsums or differences, a product, a control operation. In its slot "
        "the sums begin in cycles 0 and 2, the operand of a side\nunit is read in cycle 3, and the product begins in "
        "the last cycle, in slots of 4 cycles two cycles after it. A sum can\nbe read 5 cycles after it began: the "
        "first one by the product, both by the next microinstruction. A product can be read\ntwo turns later.\n\n"
    )
    reasons = _numbered("Reasons", "means", machine.reasons, machine.reason_docs)
    return _page(" of the contexts of `multicurve`", intro, _fields(isa), PORTS, _control(isa), _banks(isa),
                 _machine(machine), reasons)


def limb_page(machine: Machine) -> str:
    """docs/isa-x25519-paper.md: the microinstruction of the limb datapath and its machine."""
    isa = machine.isa
    intro = (
        f"One microinstruction has {isa.word_bits} bits and starts everything that one cycle starts: an operation on "
        "each of the "
        "four units, a control\noperation. A result can be read, and its unit is free again, after the cycles of "
        "its operation; until then its register\nholds the old value.\n\n"
    )
    names = {"mul": "product", "small": "product by a constant below 2^30", "add": "sum", "sub": "difference"}
    latencies = _table(("operation", "cycles"), [(names[kind], count) for kind, count in machine.latency.items()])
    rows = [(f"`{port}`", ", ".join(f"`{s}`" if isinstance(s, str) else f"unit {s}" for s in reached))
            for port, reached in machine.ports.items()]  # fmt: skip
    ports = "## Ports\n\n" + _table(("port", "reaches registers of, external values"), rows)
    registers = "Registers of units 0 to 3: " + ", ".join(map(str, machine.slots)) + ".\n\n"
    return _page(" of `x25519`, `paper`", intro, latencies, _fields(isa), PORTS, _control(isa), ports, registers,
                 _machine(machine))
