# SPDX-License-Identifier: Apache-2.0
"""Makes the SystemVerilog package of operations, reasons and packets of `multicurve` (hw/multicurve/core.yaml), and
the C header of its numbers.

The output depends on the data file alone.
"""

from __future__ import annotations

from pathlib import Path

from pointmill.gen.text import (
    c_enum,
    c_header,
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

SOURCE = ROOT / "hw" / "multicurve" / "core.yaml"
PACKAGE = ROOT / "hw" / "multicurve" / "gen" / "pm_multicurve_pkg.sv"
HEADER = ROOT / "sw" / "include" / "pm_curve_ops.h"
FORMS = {"none": "CurveNone", "weierstrass": "CurveWeierstrass", "montgomery": "CurveMontgomery"}
MAX_OPERANDS, MAX_PAYLOAD = 6, 2


def load(path: Path = SOURCE) -> dict:
    """Contents of the data file, checked.

    `ValueError` when a number is not a byte or occurs twice, a flag or form is unknown, or an operation has more
    operands or results than the packets have room for.
    """
    data = read_yaml(path)
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
    """Text of the SystemVerilog package `pm_multicurve_pkg`."""
    operations = {f"Opcode{camel(name)}": entry for name, entry in data["operations"].items()}
    flags, packet = data["flags"], data["packet"]
    masks = {item: f"{len(flags)}'b" + "".join(str(int(flag in entry["flags"]))
                                               for flag in reversed(flags))
             for item, entry in operations.items()}
    return package("pm_multicurve_pkg", str(SOURCE.relative_to(ROOT)),
                   "Operations, reasons and packets of the multi-curve core.", [
        "  // What a result says.",
        *enum("mc_reason_e", "Reason", data["reasons"]),
        "",
        "  // Operations; every number not listed is illegal.",
        *enum("mc_opcode_e", "Opcode", {name: entry["opcode"] for name, entry in data["operations"].items()}),
        "",
        "  // Flags of a header.",
        "  typedef struct packed {",
        *(f"    logic {flag};  // {meaning}" for flag, meaning in reversed(flags.items())),
        "  } mc_flags_t;",
        "",
        "  // Form of the curve that an operation works on.",
        *enum("mc_form_e", "", {form: i for i, form in enumerate(FORMS.values())}, 2),
        "",
        "  // 64-bit beats: header, an operand or number of the payload, a result without payload.",
        *localparams({f"{camel(kind)}Beats": packet[f"{kind}_beats"] for kind in ("header", "operand", "result")}),
        "",
        "  // Bits of a number, most operands and numbers of payload of an operation.",
        *localparams({"NumberBits": 544, "MaxOperands": MAX_OPERANDS, "MaxPayload": MAX_PAYLOAD}),
        "",
        *whether({"legal": ("Whether an opcode is defined", lambda entry: True)}, operations),
        "  // Flags that an operation may have; none for an undefined opcode.",
        *function("mc_flags_t opcode_flags", masks, "'0"),
        "",
        "  // Options of an opcode: the option byte lies below; 0 for an undefined one.",
        *lengths("opcode_options", 3, operations, "options"),
        "",
        "  // Form of the curve that has to be loaded.",
        *function("mc_form_e opcode_form",
                  {name: FORMS[entry.get("curve", "none")] for name, entry in operations.items()}, "CurveNone"),
        "",
        "  // Operands of an opcode; 0 for an undefined one.",
        *lengths("opcode_operands", 3, operations, "operands"),
        "",
        "  // Numbers of payload in a result with reason ok; 0 for an undefined opcode.",
        *lengths("opcode_payload", 2, operations, "payload"),
    ])  # fmt: skip


def c_ops(data: dict) -> str:
    """Text of the C header `pm_curve_ops.h`."""
    operations = data["operations"]
    options = {f"{name}_{option}": number for name in ("load_curve", "ecmul", "ladder")
               for number, option in enumerate(operations[name]["options"])}
    return c_header("PM_CURVE_OPS_H", str(SOURCE.relative_to(ROOT)), [
        "/* Operations, by their opcodes. */",
        *c_enum("pm_curve_op", "PM_CURVE_OP", {name: entry["opcode"] for name, entry in operations.items()}),
        "",
        "/* Their options, where there is more than one; those of ecmul_base are those of ecmul. */",
        *c_enum("pm_curve_option", "PM_CURVE", options),
        "",
        "/* Flags. */",
        *c_enum("pm_curve_flag", "PM_CURVE_FLAG", {flag: 1 << bit for bit, flag in enumerate(data["flags"])}),
        "",
        "/* How a job ended. */",
        *c_enum("pm_curve_reason", "PM_CURVE_REASON", data["reasons"]),
    ])  # fmt: skip


def outputs() -> dict[Path, str]:
    """Every file this generator owns, with its text."""
    data = load()
    return {PACKAGE: sv_package(data), HEADER: c_ops(data)}
