# SPDX-License-Identifier: Apache-2.0
"""Makes the SystemVerilog package of operations, reasons and packets of `multicurve` (data/multicurve.yaml).

Command line: ``python -m pointmill.gen_multicurve`` writes the file; the output depends on the data file alone.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from pointmill.gen_parts import camel, check_bytes, enum, function, write

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "data" / "multicurve.yaml"
PACKAGE = ROOT / "rtl" / "bus" / "pm_mc_pkg.sv"
COMMAND = "python -m pointmill.gen_multicurve"
FORMS = {"none": "CurveNone", "weierstrass": "CurveWeierstrass", "montgomery": "CurveMontgomery"}
MAX_OPERANDS, MAX_PAYLOAD = 6, 2


def load(path: Path = SOURCE) -> dict:
    """Contents of the data file, checked.

    `ValueError` when a number is not a byte or occurs twice, a flag or form is unknown, or an operation has more
    operands or results than the packets have room for.
    """
    data = yaml.safe_load(path.read_text())
    opcodes = {name: operation["opcode"] for name, operation in data["operations"].items()}
    check_bytes(path.name, reason=data["reasons"], opcode=opcodes)
    for name, operation in data["operations"].items():
        if unknown := set(operation["flags"]) - set(data["flags"]):
            raise ValueError(f"{path.name}: operation {name}: unknown flags {sorted(unknown)}")
        if operation.get("curve", "none") not in FORMS:
            raise ValueError(f"{path.name}: operation {name}: no curve form {operation['curve']}")
        if not (1 <= len(operation["operands"]) <= MAX_OPERANDS
                and len(operation["payload"]) <= MAX_PAYLOAD and operation["options"]):
            raise ValueError(f"{path.name}: operation {name}: 1 to {MAX_OPERANDS} operands, at most "
                             f"{MAX_PAYLOAD} results, at least one option")
    return data


def sv_package(data: dict) -> str:
    """Text of the SystemVerilog package `pm_mc_pkg`."""
    operations = {f"Opcode{camel(name)}": entry for name, entry in data["operations"].items()}
    flags, packet = data["flags"], data["packet"]
    masks = {item: f"{len(flags)}'b" + "".join(str(int(flag in entry["flags"]))
                                               for flag in reversed(flags))
             for item, entry in operations.items()}
    lines = [
        f"// Generated from data/{SOURCE.name} by `{COMMAND}`. Do not edit.",
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        "// Operations, reasons and packets of the multi-curve core.",
        "package pm_mc_pkg;",
        "",
        "  // What an answer says.",
        *enum("mc_reason_e", "Reason", data["reasons"]),
        "",
        "  // Operations; every number not listed is illegal.",
        *enum("mc_opcode_e", "Opcode",
              {name: entry["opcode"] for name, entry in data["operations"].items()}),
        "",
        "  // Flags of a header.",
        "  typedef struct packed {",
        *(f"    logic {flag};  // {meaning}" for flag, meaning in reversed(flags.items())),
        "  } mc_flags_t;",
        "",
        "  // Form of the curve that an operation works on.",
        "  typedef enum logic [1:0] {",
        ",\n".join(f"    {form} = 2'd{i}" for i, form in enumerate(FORMS.values())),
        "  } mc_form_e;",
        "",
        "  // 64-bit beats: header, an operand or number of the payload, a result without payload.",
        f"  localparam int unsigned HeaderBeats = {packet['header_beats']};",
        f"  localparam int unsigned OperandBeats = {packet['operand_beats']};",
        f"  localparam int unsigned ResultBeats = {packet['result_beats']};",
        "",
        "  // Bits of a number, most operands and numbers of payload of an operation.",
        "  localparam int unsigned NumberBits = 544;",
        f"  localparam int unsigned MaxOperands = {MAX_OPERANDS};",
        f"  localparam int unsigned MaxPayload = {MAX_PAYLOAD};",
        "",
        "  // Whether an opcode is defined.",
        *function("logic opcode_legal", dict.fromkeys(operations, "1'b1"), "1'b0"),
        "",
        "  // Flags that an operation may have; none for an undefined opcode.",
        *function("mc_flags_t opcode_flags", masks, "'0"),
        "",
        "  // Options of an opcode: the option byte lies below; 0 for an undefined one.",
        *function("logic [2:0] opcode_options",
                  {name: f"3'd{len(entry['options'])}" for name, entry in operations.items()},
                  "3'd0"),
        "",
        "  // Form of the curve that has to be loaded.",
        *function("mc_form_e opcode_form",
                  {name: FORMS[entry.get("curve", "none")] for name, entry in operations.items()},
                  "CurveNone"),
        "",
        "  // Operands of an opcode; 0 for an undefined one.",
        *function("logic [2:0] opcode_operands",
                  {name: f"3'd{len(entry['operands'])}" for name, entry in operations.items()},
                  "3'd0"),
        "",
        "  // Numbers of payload in a result with reason ok; 0 for an undefined opcode.",
        *function("logic [1:0] opcode_payload",
                  {name: f"2'd{len(entry['payload'])}" for name, entry in operations.items()},
                  "2'd0"),
        "",
        "endpackage",
    ]
    return "\n".join(lines) + "\n"


def outputs() -> dict[Path, str]:
    """Every file this generator owns, with its text."""
    return {PACKAGE: sv_package(load())}


if __name__ == "__main__":
    write(outputs())
