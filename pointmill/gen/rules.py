# SPDX-License-Identifier: Apache-2.0
"""Makes the SystemVerilog package and the C header of rules, reasons and packets (hw/edverify/core.yaml).

The output depends on the data
file alone.
"""

from __future__ import annotations

from pathlib import Path

from pointmill.gen.text import (
    c_enum,
    c_header,
    c_names,
    camel,
    check_bytes,
    enum,
    function,
    lengths,
    localparams,
    package,
    whether,
)
from pointmill.resources import ROOT
from pointmill.yaml_file import read_yaml

SOURCE = ROOT / "hw" / "edverify" / "core.yaml"
PACKAGE = ROOT / "hw" / "edverify" / "gen" / "pm_edverify_pkg.sv"
HEADER = ROOT / "sw" / "include" / "pm_rules.h"

FLAGS = ("strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored")
"""Flags a rule set may have, in the order of the packed struct (first one in the top bit)."""

FLAG_MEANING = {
    "strict_a": "A must be canonical",
    "decode_r": "R is decoded (otherwise its bytes are compared)",
    "strict_r": "R must be canonical",
    "small_a": "A of small order is rejected",
    "small_r": "R of small order is rejected",
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
    data = read_yaml(path)
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


def sv_package(data: dict) -> str:
    """Text of the SystemVerilog package `pm_edverify_pkg`."""
    rules = {f"Rule{camel(name)}": rule for name, rule in data["rules"].items()}
    operations = {f"Opcode{camel(name)}": entry for name, entry in data["operations"].items()}
    packet = data["packet"]
    widest = max(map(len, FLAGS)) + 1
    tests = {name: (f"Whether {meaning}; 0 for an undefined opcode", lambda entry, flag=flag: flag in entry["flags"])
             for flag, (name, meaning) in OPERATION_FLAGS.items()}  # fmt: skip
    return package("pm_edverify_pkg", str(SOURCE.relative_to(ROOT)),
                   "Rule sets, reasons, operations and packets of the Ed25519 core.", [
        "  // Rule sets; 0 and every number not listed are illegal.",
        *enum("rule_e", "Rule", {name: rule["id"] for name, rule in data["rules"].items()}),
        "",
        "  // Verdicts; when several apply the lowest number is reported.",
        *enum("reason_e", "Reason", data["reasons"]),
        "",
        "  // Operations; every number not listed is illegal.",
        *enum("opcode_e", "Opcode", {name: entry["opcode"] for name, entry in data["operations"].items()}),
        "",
        "  // What a rule set asks for.",
        "  typedef struct packed {",
        *(f"    logic {flag + ';':<{widest}}  // {FLAG_MEANING[flag]}" for flag in FLAGS),
        "  } rule_flags_t;",
        "",
        "  // 64-bit beats: header, an operand or word of the payload, a result without payload.",
        *localparams({f"{camel(kind)}Beats": packet[f"{kind}_beats"] for kind in ("header", "operand", "result")}),
        "",
        "  // Most operands and payload words that an operation has.",
        *localparams({f"Max{camel(key)}": _most(operations, key) for key in ("operands", "payload")}),
        "",
        "  // Whether a rule number is defined.",
        *function("logic rule_legal", dict.fromkeys(rules, "1'b1"), "1'b0"),
        "",
        "  // Flags of a rule number; all zero for an undefined one.",
        *function("rule_flags_t rule_flags", {name: _bits(rule["flags"]) for name, rule in rules.items()}, "'0"),
        "",
        *whether({"legal": ("Whether an opcode is defined", lambda entry: True)} | tests, operations),
        "  // Operands of an opcode; 0 for an undefined one.",
        *lengths("opcode_operands", 2, operations, "operands"),
        "",
        "  // Words of payload in a result with reason ok; 0 for an undefined opcode.",
        *lengths("opcode_payload", 2, operations, "payload"),
    ])  # fmt: skip


def _most(operations: dict[str, dict], key: str) -> int:
    return max(len(entry[key]) for entry in operations.values())


def _c_operations(operations: dict[str, dict]) -> list[str]:
    entries = []
    for name, entry in operations.items():
        flags = ", ".join(str(int(flag in entry["flags"])) for flag in OPERATION_FLAGS)
        entries.append(f'    X({entry["opcode"]}, "{name}", {len(entry["operands"])}, '
                       f'{len(entry["payload"])}, {flags})')
    return ["#define PM_OPERATIONS(X) \\", " \\\n".join(entries)]


def c_rules(data: dict) -> str:
    """Text of the C header `pm_rules.h`."""
    rules = {name: rule["id"] for name, rule in data["rules"].items()}
    operations, packet = data["operations"], data["packet"]
    return c_header("PM_RULES_H", str(SOURCE.relative_to(ROOT)), [
        "/* Rule sets; 0 and every number not listed are rejected as a malformed job. */",
        *c_enum("pm_rule", "PM_RULE", rules),
        "",
        "/* Verdicts; when several apply the lowest number is reported. */",
        *c_enum("pm_reason", "PM_REASON", data["reasons"]),
        "",
        "/* Operations, by their opcodes. */",
        *c_enum("pm_op", "PM_OP", {name: entry["opcode"] for name, entry in operations.items()}),
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
        *(f"#define PM_MAX_{key.upper()} {_most(operations, key)}" for key in ("operands", "payload")),
    ])  # fmt: skip


def outputs() -> dict[Path, str]:
    """Every file this generator owns, with its text."""
    data = load()
    return {PACKAGE: sv_package(data), HEADER: c_rules(data)}
