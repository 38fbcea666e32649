# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog made from the ISA, a core's machine description and its program."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pointmill.ucode.build import Image
from pointmill.ucode.machine import ROOT, Isa, Machine

COMMAND = "python -m pointmill.gen"


def header(source: str, what: str) -> str:
    """First lines of a generated SystemVerilog file."""
    return (
        f"// Generated from {source} by `{COMMAND}`. Do not edit.\n"
        f"// SPDX-License-Identifier: Apache-2.0\n//\n// {what}\n"
    )


def camel(name: str) -> str:
    """UpperCamelCase of a snake_case name."""
    return "".join(part.capitalize() for part in name.split("_"))


def _enum(name: str, width: int, prefix: str, members: dict[str, int], docs: dict[str, str]) -> str:
    lines = [
        f"    {prefix}{camel(member)} = {width}'d{number}{',' if i + 1 < len(members) else ''}"
        f"  // {docs[member]}"
        for i, (member, number) in enumerate(members.items())
    ]
    return f"  typedef enum logic [{width - 1}:0] {{\n" + "\n".join(lines) + f"\n  }} {name};\n"


def isa_package(isa: Isa, name: str = "pm_ucode_pkg", page: str = "isa.md") -> str:
    """Package `name`: the word, its control operations and banks."""
    types = {"ctl_op": "ctl_op_e", **dict.fromkeys(isa.ports, "port_t")}
    fields = []
    for field in isa.fields.values():
        kind = types.get(field.name) or (
            f"logic [{field.width - 1}:0]" if field.width > 1 else "logic"
        )
        fields.append(f"    {kind} {field.name};  // {field.doc}")
    control_width = isa.fields["ctl_op"].width
    text = header(f"{isa.path.relative_to(ROOT)}", f"The microinstruction, see docs/{page}.")
    text += f"package {name};\n\n"
    for name, value in (
        ("WordBits", isa.word_bits),
        ("RegisterBits", isa.register_bits),
        ("ConditionBits", isa.fields["ctl_cond"].width),
        ("ArgBits", isa.fields["ctl_arg"].width),
        *([("DelayBits", isa.fields["delay"].width)] if "delay" in isa.fields else []),
    ):
        text += f"  localparam int unsigned {name} = {value};\n"
    text += "\n  // Control operations\n"
    text += _enum("ctl_op_e", control_width, "Ctl", isa.control, isa.control_docs)
    text += "\n  // Register banks\n" + _enum("bank_e", 2, "Bank", isa.banks, isa.bank_docs)
    text += (
        "\n  // A read port: register of a bank, its number XOR-ed with the digit's index if indexed\n"
        "  typedef struct packed {\n"
        "    logic indexed;\n"
        "    bank_e bank;\n"
        f"    logic [{isa.register_bits - 1}:0] number;\n"
        "  } port_t;\n\n  // The word\n  typedef struct packed {\n"
    )
    text += "\n".join(fields) + "\n  } word_t;\n\n" + _guard(isa) + "\nendpackage\n"
    return text


def _guard(isa: Isa) -> str:
    """The decoder of the guard of secrets, which all sequencers share."""
    asking = ", ".join(f"Ctl{camel(op)}" for op in ("branch", "wait", "finish"))
    dispatch = "      CtlDispatch: return 1'b1;\n" if "dispatch" in isa.control else ""
    return (
        "  // Whether control flow behind this operation may depend on data; public_condition: its condition does not.\n"
        "  function automatic logic depends_on_data(ctl_op_e op, logic public_condition);\n"
        "    unique case (op)\n"
        f"{dispatch}      {asking}: return !public_condition;\n"
        "      default: return 1'b0;\n"
        "    endcase\n  endfunction\n"
    )


def machine_package(name: str, image: Image, entries: dict[str, str]) -> str:
    """Package `name`: external values, conditions, units, where programs and the walker's operations
    stand. `entries` gives a program, or a label `program.label`, for each name of an entry."""
    machine, rom = image.machine, image.rom
    isa = machine.isa
    ext_width = isa.fields["ext"].width if "ext" in isa.fields else isa.register_bits
    docs = {name: "constant" for name in machine.constants} | machine.inputs
    source = f"ucode/{machine.core}"
    what = f"The datapath of `{machine.core}`, configuration `{machine.config}`, as its program knows it."
    text = header(source, what)
    text += f"package {name};\n\n"
    text += f"  localparam int unsigned RomWords = {len(rom.words)};\n"
    text += f"  localparam int unsigned RomAddrBits = {(len(rom.words) - 1).bit_length()};\n"
    text += "\n  // External values\n" + _enum("ext_e", ext_width, "Ext", machine.externals, docs)
    condition_width = isa.fields["ctl_cond"].width
    text += "\n  // Conditions\n"
    text += _enum("cond_e", condition_width, "Cond", machine.conditions, machine.condition_docs)
    public = sum(1 << machine.conditions[condition] for condition in machine.public)
    text += (
        "\n  // What a program that works on secrets may ask for, by number\n"
        f"  localparam logic [{(1 << condition_width) - 1}:0] PublicConditions = "
        f"{1 << condition_width}'h{public:x};\n"
    )
    units = {name: unit["id"] for name, unit in machine.units.items()}
    unit_docs = {name: unit["doc"] for name, unit in machine.units.items()}
    arg_width = isa.fields["ctl_arg"].width
    if units:
        text += "\n  // Side units\n" + _enum("unit_e", arg_width, "Unit", units, unit_docs)
    text += "\n  // Where programs begin in the ROM\n"
    for entry, program in entries.items():
        at = image.origins[program] if program in image.origins else rom.labels[program]
        text += f"  localparam logic [RomAddrBits-1:0] Entry{camel(entry)} = {at};\n"
    walk = {label.partition(".")[2]: address for label, address in rom.labels.items()}
    walk = {label: address for label, address in walk.items() if label.startswith(("walk_", "sum_"))}
    if walk:
        text += "\n  // Where the walker's operations stand in the ROM\n"
    for label, address in walk.items():
        text += f"  localparam logic [RomAddrBits-1:0] At{camel(label)} = {address};\n"
    if machine.reason_docs:
        width = max(1, max(machine.reasons.values()).bit_length())
        text += "\n  // Reasons with which a program ends\n"
        text += _enum("reason_e", width, "Reason", machine.reasons, machine.reason_docs)
    if machine.held:
        text += f"\n  // Registers that can be held\n  localparam int unsigned Held = {machine.held};\n"
    if machine.slots:
        text += _own_registers(machine)
    if not machine.constants:
        return text + "\nendpackage\n"
    text += "\n  // Value of a constant; 0 for an input.\n"
    text += "  function automatic logic [254:0] ext_constant(ext_e ext);\n    unique case (ext)\n"
    for name, value in machine.constants.items():
        text += f"      Ext{camel(name)}: return 255'h{value:x};\n"
    text += "      default: return '0;\n    endcase\n  endfunction\n\nendpackage\n"
    return text


def _own_registers(machine: Machine) -> str:
    """Which registers there are where units have their own, and what the ports of each unit reach."""
    count = 1 << machine.isa.register_bits
    units = len(machine.slots)

    def bits(numbers: Iterable[int]) -> str:
        return f"{count}'b{sum(1 << number for number in numbers):0{count}b}"

    def per_port(reached: Callable[[int | str], Iterable[int]]) -> str:
        rows = []
        for unit in reversed(range(units)):
            y, x = (bits(n for source in machine.ports[f"u{unit}_{side}"] for n in reached(source)) for side in "yx")
            rows.append(f"    {{{y}, {x}}}")
        return "{\n" + ",\n".join(rows) + "\n  };\n"

    kind = f"logic [{units - 1}:0][1:0][{count - 1}:0]"
    there = [unit + units * slot for unit, slots in enumerate(machine.slots) for slot in range(slots)]
    return (
        f"\n  // Registers that there are, by number\n  localparam logic [{count - 1}:0] Registers = {bits(there)};\n"
        "\n  // Registers that ports reach, by unit and port (0 x, 1 y)\n"
        f"  localparam {kind} ReachRegisters = "
        + per_port(lambda source: [n for n in there if n % units == source])
        + "\n  // External values that they reach\n"
        f"  localparam {kind} ReachExternals = "
        + per_port(lambda source: [machine.externals[source]] if source in machine.externals else [])
    )


def extension_package(name: str, image: Image, entries: dict[str, str], base: Machine, prefix: str) -> str:
    """Package `name` of a machine that extends `base`: what it has besides, and where its programs stand, all names
    with `prefix`, so that both packages can be imported side by side."""
    machine, rom = image.machine, image.rom
    isa = machine.isa
    arg_width, condition_width = isa.fields["ctl_arg"].width, isa.fields["ctl_cond"].width
    text = header(f"ucode/{machine.core}", f"What configuration `{machine.config}` of `{machine.core}` has besides that "
                  f"of `{base.config}`, and where its programs stand.")  # fmt: skip
    text += f"package {name};\n\n"
    text += f"  localparam int unsigned {prefix}RomWords = {len(rom.words)};\n"
    text += f"  localparam int unsigned {prefix}RomAddrBits = {(len(rom.words) - 1).bit_length()};\n"
    units = {name: unit["id"] for name, unit in machine.units.items() if name not in base.units}
    for title, kind, width, member, numbers, known, docs in (
        ("External values", "ext", isa.fields["ext"].width, "Ext", machine.externals, base.externals, machine.inputs),
        ("Conditions", "cond", condition_width, "Cond", machine.conditions, base.conditions, machine.condition_docs),
        ("Side units", "unit", arg_width, "Unit", units, base.units,
         {name: unit["doc"] for name, unit in machine.units.items()}),
    ):  # fmt: skip
        own = {name: number for name, number in numbers.items() if name not in known}
        text += f"\n  // {title}\n" + _enum(f"{prefix.lower()}_{kind}_e", width, prefix + member, own, docs)
    public = sum(1 << machine.conditions[condition] for condition in machine.public)
    text += (
        "\n  // What a program that works on secrets may ask for, by number\n"
        f"  localparam logic [{(1 << condition_width) - 1}:0] {prefix}PublicConditions = "
        f"{1 << condition_width}'h{public:x};\n"
    )
    text += "\n  // Where programs, and the walk's operations, stand in the ROM\n"
    places = {f"Entry{camel(entry)}": image.origins[at] if at in image.origins else rom.labels[at]
              for entry, at in entries.items()}  # fmt: skip
    walk = {label.partition(".")[2]: at for label, at in rom.labels.items()}
    places |= {f"At{camel(label)}": at for label, at in walk.items() if label.startswith("walk_")}
    for place, address in places.items():
        text += f"  localparam logic [{arg_width - 1}:0] {prefix}{place} = {arg_width}'d{address};\n"
    return text + "\nendpackage\n"


def table_module(name: str, source: str, what: str, width: int, words: list[int]) -> str:
    """A synchronous ROM of the first `Points` words: data_o is the one at the address of the cycle before."""
    literals = ",\n".join(f"      {width}'h{word:x}" for word in words)
    return (
        header(source, what)
        + "//\n// Latency: 1 cycle. No reset.\n\n"
        f"module {name} #(\n"
        f"    parameter int unsigned Points = {len(words)},  // how many are kept, at most {len(words)}\n"
        "    localparam int unsigned AddrBits = $clog2(Points)\n"
        ") (\n"
        "    input  logic clk_i,\n"
        "    input  logic [AddrBits-1:0] addr_i,  // number of a point\n"
        f"    output logic [{width - 1}:0] data_o  // the point, one cycle later\n"
        ");\n\n"
        f"  if (Points > {len(words)}) begin : g_refuse_points\n"
        f'    $fatal(1, "{name}: there are {len(words)} points");\n'
        "  end\n\n"
        f"  localparam logic [{width - 1}:0] Table[{len(words)}] = '{{\n{literals}\n  }};\n\n"
        f"  logic [{width - 1}:0] points[Points];\n\n"
        "  initial for (int i = 0; i < int'(Points); i++) points[i] = Table[i];\n\n"
        "  always_ff @(posedge clk_i) data_o <= points[addr_i];\n\nendmodule\n"
    )


def rom_module(name: str, source: str, what: str, width: int, words: list[int]) -> str:
    """A synchronous ROM: data_o is the word at the address of the cycle before."""
    addr_bits = (len(words) - 1).bit_length()
    text = header(source, what)
    text += (
        "//\n// Latency: 1 cycle. No reset. Beyond the last word: zeros.\n\n"
        f"module {name} (\n"
        "    input  logic clk_i,\n"
        f"    input  logic [{addr_bits - 1}:0] addr_i,  // address\n"
        f"    output logic [{width - 1}:0] data_o  // its word, one cycle later\n"
        ");\n\n  always_ff @(posedge clk_i) begin\n    unique case (addr_i)\n"
    )
    for address, word in enumerate(words):
        text += f"      {addr_bits}'d{address}: data_o <= {width}'h{word:x};\n"
    text += "      default: data_o <= '0;\n    endcase\n  end\n\nendmodule\n"
    return text
