# SPDX-License-Identifier: Apache-2.0
"""Makes the SystemVerilog package and the C header of rule sets and reasons (data/edverify.yaml).

Command line: ``python -m pointmill.gen_rules`` writes both files; the output depends on the data
file alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

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


def load(path: Path = SOURCE) -> dict:
    """Contents of the data file, checked.

    `ValueError` when a number is not a byte, occurs twice, is a rule 0, or a flag is unknown.
    """
    data = yaml.safe_load(path.read_text())
    rules = {name: rule["id"] for name, rule in data["rules"].items()}
    for kind, numbers in (("rule", rules), ("reason", data["reasons"])):
        if len(set(numbers.values())) != len(numbers):
            raise ValueError(f"{path.name}: a {kind} number occurs twice")
        for name, number in numbers.items():
            if not 0 <= number <= 255:
                raise ValueError(f"{path.name}: {kind} {name} = {number} is not a byte")
    for name, rule in data["rules"].items():
        if rule["id"] == 0:
            raise ValueError(f"{path.name}: rule {name}: 0 is illegal")
        if unknown := set(rule["flags"]) - set(FLAGS):
            raise ValueError(f"{path.name}: rule {name}: unknown flags {sorted(unknown)}")
    return data


def _camel(name: str) -> str:
    """`small_order_a` -> `SmallOrderA`, the lowRISC style of enumeration items."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _enum(kind: str, prefix: str, numbers: dict[str, int]) -> list[str]:
    items = [f"    {prefix}{_camel(name)} = 8'd{number}" for name, number in numbers.items()]
    return ["  typedef enum logic [7:0] {", ",\n".join(items), f"  }} {kind};"]


def sv_package(data: dict) -> str:
    """Text of the SystemVerilog package `pm_ed_pkg`."""
    rules = {name: rule["id"] for name, rule in data["rules"].items()}
    job = data["job"]
    widest = max(map(len, FLAGS)) + 1
    lines = [
        f"// Generated from data/{SOURCE.name} by `{COMMAND}`. Do not edit.",
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        "// Rule sets, reasons and job format of Ed25519 verification.",
        "package pm_ed_pkg;",
        "",
        "  // Rule sets; 0 and every number not listed are illegal.",
        *_enum("rule_e", "Rule", rules),
        "",
        "  // Verdicts; when several apply the lowest number is reported.",
        *_enum("reason_e", "Reason", data["reasons"]),
        "",
        "  // What a rule set asks for.",
        "  typedef struct packed {",
        *(f"    logic {flag + ';':<{widest}}  // {FLAG_MEANING[flag]}" for flag in FLAGS),
        "  } rule_flags_t;",
        "",
        "  // Opcode of a verification job.",
        f"  localparam logic [7:0] OpcodeVerify = 8'd{job['opcode_verify']};",
        "",
        "  // 64-bit beats of the fixed part of a job packet.",
        f"  localparam int unsigned HeaderBeats = {job['header_beats']};",
        f"  localparam int unsigned SBeats = {job['s_beats']};",
        f"  localparam int unsigned RBeats = {job['r_beats']};",
        f"  localparam int unsigned ABeats = {job['a_beats']};",
        "",
        "  // Whether a rule number is defined.",
        "  function automatic logic rule_legal(logic [7:0] rule);",
        "    unique case (rule)",
        *(f"      Rule{_camel(name)}: return 1'b1;" for name in rules),
        "      default: return 1'b0;",
        "    endcase",
        "  endfunction",
        "",
        "  // Flags of a rule number; all zero for an undefined one.",
        "  function automatic rule_flags_t rule_flags(logic [7:0] rule);",
        "    unique case (rule)",
    ]
    for name, rule in data["rules"].items():
        bits = "".join("1" if flag in rule["flags"] else "0" for flag in FLAGS)
        lines.append(f"      Rule{_camel(name)}: return {len(FLAGS)}'b{bits};")
    lines += ["      default: return '0;", "    endcase", "  endfunction", "", "endpackage"]
    return "\n".join(lines) + "\n"


def _c_enum(kind: str, prefix: str, numbers: dict[str, int]) -> list[str]:
    items = [f"    {prefix}_{name.upper()} = {number}" for name, number in numbers.items()]
    return [f"enum {kind} {{", ",\n".join(items), "};"]


def _c_names(macro: str, numbers: dict[str, int]) -> list[str]:
    entries = [f'    X({number}, "{name}")' for name, number in numbers.items()]
    return [f"#define {macro}(X) \\", " \\\n".join(entries)]


def c_header(data: dict) -> str:
    """Text of the C header `pm_rules.h`."""
    rules = {name: rule["id"] for name, rule in data["rules"].items()}
    job = data["job"]
    fixed = sum(job[f"{part}_beats"] for part in ("header", "s", "r", "a"))
    return "\n".join([
        f"/* Generated from data/{SOURCE.name} by `{COMMAND}`. Do not edit. */",
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "#ifndef PM_RULES_H",
        "#define PM_RULES_H",
        "",
        "/* Rule sets; 0 and every number not listed are refused as a malformed job. */",
        *_c_enum("pm_rule", "PM_RULE", rules),
        "",
        "/* Verdicts; when several apply the lowest number is reported. */",
        *_c_enum("pm_reason", "PM_REASON", data["reasons"]),
        "",
        "/* Numbers and names as an X macro: X(number, \"name\"). */",
        *_c_names("PM_RULE_NAMES", rules),
        "",
        *_c_names("PM_REASON_NAMES", data["reasons"]),
        "",
        "/* Job packet. */",
        f"#define PM_JOB_OPCODE_VERIFY {job['opcode_verify']}",
        "#define PM_JOB_BEAT_BYTES 8",
        f"#define PM_JOB_FIXED_BEATS {fixed} /* header, S, R, A; the message follows */",
        "",
        "#endif",
    ]) + "\n"


def outputs() -> dict[Path, str]:
    """Every file this generator owns, with its text."""
    data = load()
    return {PACKAGE: sv_package(data), HEADER: c_header(data)}


def main() -> int:
    """Writes the files."""
    for path, text in outputs().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
