# SPDX-License-Identifier: Apache-2.0
"""Makes the SystemVerilog package and the C header of rules, reasons and packets (data/edverify.yaml).

Command line: ``python -m pointmill.gen_rules`` writes both files; the output depends on the data
file alone.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from pointmill.gen_parts import c_enum, c_names, camel, check_bytes, enum, function, write

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "data" / "edverify.yaml"
PACKAGE = ROOT / "rtl" / "bus" / "pm_ed_pkg.sv"
HEADER = ROOT / "sw" / "include" / "pm_rules.h"
COMMAND = "python -m pointmill.gen_rules"

FLAGS = ("strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored")
"""Flags a rule set may have, in the order of the packed struct (first one in the top bit)."""

FLAG_MEANING = {
    "strict_a": "A must be canonical",
    "decode_r": "R is decoded (otherwise its bytes are compared)",
    "strict_r": "R must be canonical",
    "small_a": "A of small order is refused",
    "small_r": "R of small order is refused",
    "cofactored": "[8][S]B = [8]R + [8][k]A",
}

OPERATION_FLAGS = {
    "rule": ("has_rule", "the header names a rule set (otherwise that byte is 0)"),
    "message": ("has_message", "a message follows the operands"),
    "secret": ("is_secret", "the first operand is secret"),
    "slot": ("has_slot", "the header names a key slot (otherwise those bits are 0)"),
    "batch": ("is_batch", "the job may be decided together with others"),
}
"""Flags an operation may have: name of the function and what it says."""


def load(path: Path = SOURCE) -> dict:
    """Contents of the data file, checked.

    `ValueError` when a number is not a byte, occurs twice, is a rule 0, a flag is unknown, or an
    operation has more operands or results than the packets have room for.
    """
    data = yaml.safe_load(path.read_text())
    rules = {name: rule["id"] for name, rule in data["rules"].items()}
    opcodes = {name: operation["opcode"] for name, operation in data["operations"].items()}
    check_bytes(path.name, rule=rules, reason=data["reasons"], opcode=opcodes)
    for name, rule in data["rules"].items():
        if rule["id"] == 0:
            raise ValueError(f"{path.name}: rule {name}: 0 is illegal")
        if unknown := set(rule["flags"]) - set(FLAGS):
            raise ValueError(f"{path.name}: rule {name}: unknown flags {sorted(unknown)}")
    for name, operation in data["operations"].items():
        if unknown := set(operation["flags"]) - set(OPERATION_FLAGS):
            raise ValueError(f"{path.name}: operation {name}: unknown flags {sorted(unknown)}")
        if not (1 <= len(operation["operands"]) <= 3 and len(operation["payload"]) <= 3):
            raise ValueError(f"{path.name}: operation {name}: 1 to 3 operands, at most 3 results")
    return data


def _bits(present: list[str]) -> str:
    """The flags of a rule set as a literal of the packed struct."""
    return f"{len(FLAGS)}'b" + "".join("1" if flag in present else "0" for flag in FLAGS)


def _opcode_tests(operations: dict[str, dict]) -> list[str]:
    """A function for each flag of the operations."""
    lines = []
    for flag, (name, meaning) in OPERATION_FLAGS.items():
        cases = {item: "1'b1" for item, entry in operations.items() if flag in entry["flags"]}
        lines += [f"  // Whether {meaning}; 0 for an undefined opcode.",
                  *function(f"logic opcode_{name}", cases, "1'b0"), ""]
    return lines


def sv_package(data: dict) -> str:
    """Text of the SystemVerilog package `pm_ed_pkg`."""
    rules = {f"Rule{camel(name)}": rule for name, rule in data["rules"].items()}
    operations = {f"Opcode{camel(name)}": entry for name, entry in data["operations"].items()}
    packet = data["packet"]
    widest = max(map(len, FLAGS)) + 1
    lines = [
        f"// Generated from data/{SOURCE.name} by `{COMMAND}`. Do not edit.",
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        "// Rule sets, reasons, operations and packets of the Ed25519 core.",
        "package pm_ed_pkg;",
        "",
        "  // Rule sets; 0 and every number not listed are illegal.",
        *enum("rule_e", "Rule", {name: rule["id"] for name, rule in data["rules"].items()}),
        "",
        "  // Verdicts; when several apply the lowest number is reported.",
        *enum("reason_e", "Reason", data["reasons"]),
        "",
        "  // Operations; every number not listed is illegal.",
        *enum("opcode_e", "Opcode",
              {name: entry["opcode"] for name, entry in data["operations"].items()}),
        "",
        "  // What a rule set asks for.",
        "  typedef struct packed {",
        *(f"    logic {flag + ';':<{widest}}  // {FLAG_MEANING[flag]}" for flag in FLAGS),
        "  } rule_flags_t;",
        "",
        "  // 64-bit beats: header, an operand or word of the payload, a result without payload.",
        f"  localparam int unsigned HeaderBeats = {packet['header_beats']};",
        f"  localparam int unsigned OperandBeats = {packet['operand_beats']};",
        f"  localparam int unsigned ResultBeats = {packet['result_beats']};",
        "",
        "  // Most operands and payload words that an operation has.",
        "  localparam int unsigned MaxOperands = "
        f"{max(len(entry['operands']) for entry in operations.values())};",
        "  localparam int unsigned MaxPayload = "
        f"{max(len(entry['payload']) for entry in operations.values())};",
        "",
        "  // Whether a rule number is defined.",
        *function("logic rule_legal", dict.fromkeys(rules, "1'b1"), "1'b0"),
        "",
        "  // Flags of a rule number; all zero for an undefined one.",
        *function("rule_flags_t rule_flags",
                  {name: _bits(rule["flags"]) for name, rule in rules.items()}, "'0"),
        "",
        "  // Whether an opcode is defined.",
        *function("logic opcode_legal", dict.fromkeys(operations, "1'b1"), "1'b0"),
        "",
        *_opcode_tests(operations),
        "  // Operands of an opcode; 0 for an undefined one.",
        *function("logic [1:0] opcode_operands",
                  {name: f"2'd{len(entry['operands'])}" for name, entry in operations.items()},
                  "2'd0"),
        "",
        "  // Words of payload in a result with reason ok; 0 for an undefined opcode.",
        *function("logic [1:0] opcode_payload",
                  {name: f"2'd{len(entry['payload'])}" for name, entry in operations.items()},
                  "2'd0"),
        "",
        "endpackage",
    ]
    return "\n".join(lines) + "\n"


def _c_operations(operations: dict[str, dict]) -> list[str]:
    entries = []
    for name, entry in operations.items():
        flags = ", ".join(str(int(flag in entry["flags"])) for flag in OPERATION_FLAGS)
        entries.append(f'    X({entry["opcode"]}, "{name}", {len(entry["operands"])}, '
                       f'{len(entry["payload"])}, {flags})')
    return ["#define PM_OPERATIONS(X) \\", " \\\n".join(entries)]


def c_header(data: dict) -> str:
    """Text of the C header `pm_rules.h`."""
    rules = {name: rule["id"] for name, rule in data["rules"].items()}
    operations = data["operations"]
    packet = data["packet"]
    return "\n".join([
        f"/* Generated from data/{SOURCE.name} by `{COMMAND}`. Do not edit. */",
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "#ifndef PM_RULES_H",
        "#define PM_RULES_H",
        "",
        "/* Rule sets; 0 and every number not listed are refused as a malformed job. */",
        *c_enum("pm_rule", "PM_RULE", rules),
        "",
        "/* Verdicts; when several apply the lowest number is reported. */",
        *c_enum("pm_reason", "PM_REASON", data["reasons"]),
        "",
        "/* Operations, by their opcodes. */",
        *c_enum("pm_op", "PM_OP",
                {name: entry["opcode"] for name, entry in operations.items()}),
        "",
        "/* Numbers and names as an X macro: X(number, \"name\"). */",
        *c_names("PM_RULE_NAMES", rules),
        "",
        *c_names("PM_REASON_NAMES", data["reasons"]),
        "",
        "/* X(opcode, \"name\", operands, words of payload, has a rule, has a message, is secret,",
        " *   has a slot, is for batches). */",
        *_c_operations(operations),
        "",
        "/* Packets. */",
        "#define PM_BEAT_BYTES 8",
        f"#define PM_HEADER_BEATS {packet['header_beats']}",
        f"#define PM_OPERAND_BEATS {packet['operand_beats']} /* also of a word of the payload */",
        f"#define PM_RESULT_BEATS {packet['result_beats']} /* without payload */",
        "#define PM_MAX_OPERANDS "
        f"{max(len(entry['operands']) for entry in operations.values())}",
        f"#define PM_MAX_PAYLOAD {max(len(entry['payload']) for entry in operations.values())}",
        "",
        "#endif",
    ]) + "\n"


def outputs() -> dict[Path, str]:
    """Every file this generator owns, with its text."""
    data = load()
    return {PACKAGE: sv_package(data), HEADER: c_header(data)}


if __name__ == "__main__":
    write(outputs())
