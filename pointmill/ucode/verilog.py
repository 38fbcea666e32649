# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog made from the ISA, a core's machine description and its program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from pointmill.gen.text import COMMAND, camel, enum, header, localparams
from pointmill.ucode.build import Image
from pointmill.ucode.machine import ROOT, Isa, Machine


def enumeration(name: str, width: int, prefix: str, members: Mapping[str, int], docs: Mapping[str, str]) -> str:
    """Text of a typedef: names of members begin with `prefix`, their meaning stands behind them."""
    return "\n".join(enum(name, prefix, members, width, docs)) + "\n"


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
    fields_of = {"ConditionBits": "ctl_cond", "ArgBits": "ctl_arg", "DelayBits": "delay"}
    widths = {name: isa.fields[field].width for name, field in fields_of.items() if field in isa.fields}
    sizes = {"WordBits": isa.word_bits, "RegisterBits": isa.register_bits, **widths}
    text += "\n".join(localparams(sizes)) + "\n"
    text += "\n  // Control operations\n"
    text += enumeration("ctl_op_e", control_width, "Ctl", isa.control, isa.control_docs)
    text += "\n  // Register banks\n" + enumeration("bank_e", 2, "Bank", isa.banks, isa.bank_docs)
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
        "  // Whether control flow behind this operation may depend on data; public_condition: its condition does "
        "not.\n"
        "  function automatic logic depends_on_data(ctl_op_e op, logic public_condition);\n"
        "    unique case (op)\n"
        f"{dispatch}      {asking}: return !public_condition;\n"
        "      default: return 1'b0;\n"
        "    endcase\n  endfunction\n"
    )


def machine_package(name: str, image: Image, entries: Mapping[str, str]) -> str:
    """Package `name`: external values, conditions, units, where programs and the walker's operations
    stand. `entries` gives a program, or a label `program.label`, for each name of an entry."""
    machine, rom = image.machine, image.rom
    what = f"The datapath of `{machine.core}`, configuration `{machine.config}`, as its program knows it."
    text = header(f"hw/{machine.core}/ucode", what) + f"package {name};\n\n"
    sizes = {"RomWords": len(rom.words), "RomAddrBits": (len(rom.words) - 1).bit_length()}
    text += "\n".join(localparams(sizes)) + "\n"
    external, condition, unit = _members(machine)
    text += external + condition + _public(machine) + unit
    places = {f"Entry{camel(entry)}": image.address(at) for entry, at in entries.items()}
    labels = {label.partition(".")[2]: at for label, at in rom.labels.items()}
    walk = {f"At{camel(label)}": at for label, at in labels.items() if label.startswith(("walk_", "sum_"))}
    for title, found in (("Where programs begin in the ROM", places),
                         ("Where the walker's operations stand in the ROM", walk)):
        text += f"\n  // {title}\n" if found else ""
        text += "".join(f"  localparam logic [RomAddrBits-1:0] {place} = {at};\n" for place, at in found.items())
    if machine.reason_docs:
        width = max(1, max(machine.reasons.values()).bit_length())
        text += "\n  // Reasons with which a program ends\n"
        text += enumeration("reason_e", width, "Reason", machine.reasons, machine.reason_docs)
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
    return text + "      default: return '0;\n    endcase\n  endfunction\n\nendpackage\n"


def wipe_package(name: str, image: Image, label: str) -> str:
    """Package `name`: where the words of `image` stand that wipe registers, which only engines with secrets name."""
    machine, addr_bits = image.machine, (len(image.rom.words) - 1).bit_length()
    what = f"Where the words stand that wipe the registers of `{machine.core}`, configuration `{machine.config}`."
    return (header(f"hw/{machine.core}/ucode", what) + f"package {name};\n\n"
            f"  localparam logic [{addr_bits - 1}:0] EntryWipe = {image.address(label)};\n\nendpackage\n")


def _members(machine: Machine) -> Iterator[str]:
    """Enumerations of the external values, conditions and side units of a machine."""
    fields = machine.isa.fields
    arg = fields["ctl_arg"].width
    ext = fields["ext"].width if "ext" in fields else machine.isa.register_bits
    for title, kind, width, numbers, docs in (
        ("External values", "ext", ext, machine.externals,
         dict.fromkeys(machine.constants, "constant") | machine.inputs),
        ("Conditions", "cond", fields["ctl_cond"].width, machine.conditions, machine.condition_docs),
        ("Side units", "unit", arg, machine.unit_ids, machine.unit_docs),
    ):
        yield f"\n  // {title}\n" + enumeration(f"{kind}_e", width, camel(kind), numbers, docs) if numbers else ""


def public_conditions(machine: Machine) -> str:
    """What a program that works on secrets may ask for, one bit a condition."""
    public = sum(1 << machine.conditions[condition] for condition in machine.public)
    return f"{1 << machine.isa.fields['ctl_cond'].width}'h{public:x}"


def _public(machine: Machine) -> str:
    bits = 1 << machine.isa.fields["ctl_cond"].width
    return ("\n  // What a program that works on secrets may ask for, by number\n"
            f"  localparam logic [{bits - 1}:0] PublicConditions = {public_conditions(machine)};\n")  # fmt: skip


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


def rom_module(name: str, source: str, what: str, width: int, words: list[int], command: str = COMMAND,
               logic: bool = False, columns: Sequence[Sequence[int]] = ()) -> str:  # fmt: skip
    """A synchronous ROM: data_o is the word at the address of the cycle before. With `logic` all bits are written as
    logic, behind a register of the address: where no memory is taken, the way to the register of the word is the longer
    one. With `columns`, `words` are those of a narrower memory, whose columns each hold these bits of data_o."""
    addr_bits = max(1, (len(words) - 1).bit_length())
    address, assign = ("addr_q", "=") if logic else ("addr_i", "<=")
    stored, stored_bits = ("columns", len(columns)) if columns else ("data_o", width)
    text = header(source, what, command)
    text += (
        "//\n// Latency: 1 cycle. No reset. Beyond the last word: zeros.\n\n"
        f"module {name} (\n"
        "    input  logic clk_i,\n"
        f"    input  logic [{addr_bits - 1}:0] addr_i,  // address\n"
        f"    output logic [{width - 1}:0] data_o  // its word, one cycle later\n"
        ");\n\n"
    )
    if columns:
        text += "  // Columns of the memory; bits of one column are never used at once with different values.\n"
        text += f"  logic [{stored_bits - 1}:0] columns;\n\n"
    if logic:
        text += f"  logic [{addr_bits - 1}:0] addr_q;\n\n  always_ff @(posedge clk_i) addr_q <= addr_i;\n\n"
        text += "  always_comb begin\n"
    else:
        text += "  always_ff @(posedge clk_i) begin\n"
    text += f"    unique case ({address})\n"
    for number, word in enumerate(words):
        text += f"      {addr_bits}'d{number}: {stored} {assign} {stored_bits}'h{word:x};\n"
    text += f"      default: {stored} {assign} '0;\n    endcase\n  end\n\n"
    if columns:
        text += "  always_comb begin\n    data_o = '0;\n"
        text += "".join(f"    data_o[{bit}] = columns[{at}];\n" for at, bits in enumerate(columns) for bit in bits)
        text += "  end\n\n"
    return text + "endmodule\n"
