# SPDX-License-Identifier: Apache-2.0
"""Makes the SystemVerilog package and the C header of operations, reasons and operand memory of `mpu`
(hw/mpu/core.yaml).

The output depends on the data file alone.
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
    localparams,
    package,
    whether,
)
from pointmill.resources import ROOT
from pointmill.yaml_file import read_yaml

SOURCE = ROOT / "hw" / "mpu" / "core.yaml"
PACKAGE = ROOT / "hw" / "mpu" / "gen" / "pm_mpu_pkg.sv"
HEADER = ROOT / "sw" / "include" / "pm_mpu_ops.h"
NEEDS = {"none": "NeedsNothing", "modulus": "NeedsModulus", "curve": "NeedsCurve"}
KINDS = ("number", "point")
FIELDS = 16
"""Values of an operand field of the command."""


def load(path: Path = SOURCE) -> dict:
    """Contents of the data file, checked.

    `ValueError` when a number is not a byte or occurs twice, an operand's kind or a need is unknown, an operation has
    more than two operands or results, or an entry lies in a buffer or outside.
    """
    data = read_yaml(path)
    opcodes = {name: operation["opcode"] for name, operation in data["operations"].items()}
    entries = data["memory"]["entries"]
    check_bytes(path.name, reason=data["reasons"], opcode=opcodes, entry=entries)
    for name, number in entries.items():
        if not 2 * len(data["memory"]["buffers"]) <= number < FIELDS:
            raise ValueError(f"{path.name}: entry {name} = {number} lies in a buffer or outside")
    for name, operation in data["operations"].items():
        kinds = [*operation["operands"], *operation["results"]]
        if not set(kinds) <= set(KINDS) or len(set(kinds)) > 1:
            raise ValueError(f"{path.name}: operation {name}: numbers alone or points alone")
        if max(len(operation["operands"]), len(operation["results"])) > 2:
            raise ValueError(f"{path.name}: operation {name}: two operands and two results at most")
        if operation["needs"] not in NEEDS:
            raise ValueError(f"{path.name}: operation {name}: no need {operation['needs']}")
    return data


def entries(data: dict) -> dict[str, int]:
    """Entries with a meaning by name: the scalar, parameters, what loading gives."""
    return {"k": 2 * data["memory"]["buffers"].index("k"), **data["memory"]["entries"]}


TESTS = {
    "legal": ("Whether an opcode is defined", lambda entry: True),
    "points": ("Whether operands and results are points; 0 for an undefined opcode",
               lambda entry: "point" in entry["results"]),
    "second": ("Whether there is a second operand; 0 for an undefined opcode",
               lambda entry: len(entry["operands"]) == 2),
    "both": ("Whether there are two results; 0 for an undefined opcode", lambda entry: len(entry["results"]) == 2),
    "secret": ("Whether operands may be secret; 0 for an undefined opcode", lambda entry: entry["secret"]),
}
"""Functions of an opcode that are one bit."""


def sv_package(data: dict) -> str:
    """Text of the SystemVerilog package `pm_mpu_pkg`."""
    operations = {f"Opcode{camel(name)}": entry for name, entry in data["operations"].items()}
    memory = data["memory"]
    return package("pm_mpu_pkg", str(SOURCE.relative_to(ROOT)),
                   "Operations, reasons and operand memory of the multi-precision core.", [
        "  // How an operation ended.",
        *enum("mpu_reason_e", "Reason", data["reasons"]),
        "",
        "  // Operations; every number not listed is illegal.",
        *enum("mpu_opcode_e", "Opcode", {name: entry["opcode"] for name, entry in data["operations"].items()}),
        "",
        "  // What has to be loaded for an operation.",
        *enum("mpu_needs_e", "", {need: i for i, need in enumerate(NEEDS.values())}, 2),
        "",
        "  // Operand memory: bits of an entry, lanes of 128 bits, bytes from one entry to the next, entries, buffers.",
        *localparams({"NumberBits": memory["width"], "Lanes": memory["lanes"], "Stride": memory["stride"],
                      "Entries": FIELDS, "Buffers": len(memory["buffers"])}),
        "",
        "  // Entries with a meaning: the scalar, parameters, what loading gives.",
        *localparams({f"Entry{camel(name)}": number for name, number in entries(data).items()}),
        "",
        *whether(TESTS, operations),
        "  // What has to be loaded; nothing for an undefined opcode.",
        *function("mpu_needs_e opcode_needs", {name: NEEDS[entry["needs"]] for name, entry in operations.items()},
                  "NeedsNothing"),
    ])  # fmt: skip


def c_ops(data: dict) -> str:
    """Text of the C header `pm_mpu_ops.h`."""
    memory = data["memory"]
    opcodes = {name: entry["opcode"] for name, entry in data["operations"].items()}
    buffers = {name: i for i, name in enumerate(memory["buffers"])}
    return c_header("PM_MPU_OPS_H", str(SOURCE.relative_to(ROOT)), [
        "/* Operations. */",
        *c_enum("pm_mpu_op", "PM_MPU_OP", opcodes),
        "",
        "/* How an operation ended. */",
        *c_enum("pm_mpu_reason", "PM_MPU_REASON", data["reasons"]),
        "",
        "/* Buffers of two entries, x and y. */",
        *c_enum("pm_mpu_buffer", "PM_MPU_BUFFER", buffers),
        "",
        "/* Entries with a meaning: the scalar, parameters, what loading gives. */",
        *c_enum("pm_mpu_entry", "PM_MPU_ENTRY", entries(data)),
        "",
        "/* Operand memory. */",
        f"#define PM_MPU_BITS {memory['width']} /* of an entry */",
        f"#define PM_MPU_STRIDE {memory['stride']} /* bytes from one entry to the next */",
        f"#define PM_MPU_ENTRIES {FIELDS}",
        "",
        "/* Numbers and names as X macros: X(number, \"name\"). */",
        *c_names("PM_MPU_OP_NAMES", opcodes),
        "",
        *c_names("PM_MPU_REASON_NAMES", data["reasons"]),
    ])  # fmt: skip


def outputs() -> dict[Path, str]:
    """Every file this generator owns, with its text."""
    data = load()
    return {PACKAGE: sv_package(data), HEADER: c_ops(data)}
