# SPDX-License-Identifier: Apache-2.0
"""What the generators of packages, headers and pages share: the check of numbers, pieces of SystemVerilog and C, and
the writing of files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


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


def enum(kind: str, prefix: str, numbers: dict[str, int]) -> list[str]:
    """Lines of a typedef of 8-bit numbers, their names behind `prefix`."""
    items = [f"    {prefix}{camel(name)} = 8'd{number}" for name, number in numbers.items()]
    return ["  typedef enum logic [7:0] {", ",\n".join(items), f"  }} {kind};"]


def function(head: str, cases: dict[str, str], otherwise: str) -> list[str]:
    """A function of one byte, whose name is the last word of `head`."""
    argument = head.split()[-1].split("_")[0]
    return [f"  function automatic {head}(logic [7:0] {argument});",
            f"    unique case ({argument})",
            *(f"      {item}: return {value};" for item, value in cases.items()),
            f"      default: return {otherwise};",
            "    endcase",
            "  endfunction"]


def c_enum(kind: str, prefix: str, numbers: dict[str, int]) -> list[str]:
    """Lines of a C enumeration."""
    items = [f"    {prefix}_{name.upper()} = {number}" for name, number in numbers.items()]
    return [f"enum {kind} {{", ",\n".join(items), "};"]


def c_names(macro: str, numbers: dict[str, int]) -> list[str]:
    """Lines of an X macro of numbers and names."""
    entries = [f'    X({number}, "{name}")' for name, number in numbers.items()]
    return [f"#define {macro}(X) \\", " \\\n".join(entries)]


def write(files: Mapping[Path, str]) -> None:
    """Writes the texts, and makes the folders they lie in."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
