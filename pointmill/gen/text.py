# SPDX-License-Identifier: Apache-2.0
"""What the generators of packages, headers and documents share: notices, the check of numbers, pieces of SystemVerilog
and C, and the writing of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

COMMAND = "python -m pointmill.gen"
"""Makes every generated file of the project."""


def notice(source: str, command: str = COMMAND) -> str:
    """What the first line of a generated file says."""
    return f"Generated from {source} by `{command}`. Do not edit."


def header(source: str, what: str, command: str = COMMAND) -> str:
    """First lines of a generated SystemVerilog file."""
    return f"// {notice(source, command)}\n// SPDX-License-Identifier: Apache-2.0\n//\n// {what}\n"


def package(name: str, source: str, what: str, body: Iterable[str]) -> str:
    """Text of a SystemVerilog package of these lines."""
    return header(source, what) + "\n".join([f"package {name};", "", *body, "", "endpackage"]) + "\n"


def c_header(guard: str, source: str, body: Iterable[str]) -> str:
    """Text of a C header of these lines."""
    return "\n".join([f"/* {notice(source)} */", "/* SPDX-License-Identifier: Apache-2.0 */",
                      f"#ifndef {guard}", f"#define {guard}", "", *body, "", "#endif"]) + "\n"  # fmt: skip


def check_bytes(file: str, **kinds: Mapping[str, int]) -> None:
    """`ValueError`, with the name of the data file, when two numbers of a kind are equal or one is not a byte."""
    for kind, numbers in kinds.items():
        if len(set(numbers.values())) != len(numbers):
            raise ValueError(f"{file}: {kind} number occurs twice")
        for name, number in numbers.items():
            if not 0 <= number <= 255:
                raise ValueError(f"{file}: {kind} {name} = {number} is not a byte")


def camel(name: str) -> str:
    """`small_order_a` -> `SmallOrderA`, the lowRISC style of enumeration items."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def enum(kind: str, prefix: str, numbers: Mapping[str, int], width: int = 8,
         docs: Mapping[str, str] | None = None) -> list[str]:
    """Lines of a typedef of numbers of `width` bits, their names behind `prefix`, and what they mean behind them."""
    items = [f"    {prefix}{camel(name)} = {width}'d{number}{',' if i < len(numbers) else ''}"
             + (f"  // {docs[name]}" if docs else "")
             for i, (name, number) in enumerate(numbers.items(), 1)]  # fmt: skip
    return [f"  typedef enum logic [{width - 1}:0] {{", *items, f"  }} {kind};"]


def localparams(values: Mapping[str, object]) -> list[str]:
    """Lines of constants that are numbers."""
    return [f"  localparam int unsigned {name} = {value};" for name, value in values.items()]


def function(head: str, cases: Mapping[str, str], otherwise: str) -> list[str]:
    """A function of one byte, whose name is the last word of `head`."""
    argument = head.split()[-1].split("_")[0]
    return [f"  function automatic {head}(logic [7:0] {argument});",
            f"    unique case ({argument})",
            *(f"      {item}: return {value};" for item, value in cases.items()),
            f"      default: return {otherwise};",
            "    endcase",
            "  endfunction"]


def whether(tests: Mapping[str, tuple[str, Callable[[dict], bool]]], operations: Mapping[str, dict]) -> list[str]:
    """Functions of an opcode that are one bit: by name what it says, and of which operations it holds."""
    lines = []
    for name, (meaning, holds) in tests.items():
        cases = {item: "1'b1" for item, entry in operations.items() if holds(entry)}
        lines += [f"  // {meaning}.", *function(f"logic opcode_{name}", cases, "1'b0"), ""]
    return lines


def lengths(name: str, bits: int, operations: Mapping[str, dict], key: str) -> list[str]:
    """A function of an opcode: how many entries the operation has of `key`."""
    cases = {item: f"{bits}'d{len(entry[key])}" for item, entry in operations.items()}
    return function(f"logic [{bits - 1}:0] {name}", cases, f"{bits}'d0")


def c_enum(kind: str, prefix: str, numbers: Mapping[str, int]) -> list[str]:
    """Lines of a C enumeration."""
    items = [f"    {prefix}_{name.upper()} = {number}" for name, number in numbers.items()]
    return [f"enum {kind} {{", ",\n".join(items), "};"]


def c_names(macro: str, numbers: Mapping[str, int]) -> list[str]:
    """Lines of an X macro of numbers and names."""
    entries = [f'    X({number}, "{name}")' for name, number in numbers.items()]
    return [f"#define {macro}(X) \\", " \\\n".join(entries)]


def write(files: Mapping[Path, str]) -> None:
    """Writes the texts, and makes the folders they lie in."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
