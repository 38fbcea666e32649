# SPDX-License-Identifier: Apache-2.0
"""Where the fields of a core's registers lie, by its C header sw/include/pm_<core>_regs.h, which is made of
hw/<core>/regs.rdl."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from . import library


@dataclass(frozen=True)
class Field:
    """Bits high:low of a register."""

    name: str
    high: int
    low: int

    def of(self, value: int) -> int:
        """The field's content in a register value."""
        return value >> self.low & ((1 << (self.high - self.low + 1)) - 1)


@cache
def _definitions(core: str) -> dict[str, int]:
    """The positions, widths and offsets that the header of a core defines, by name without the name of the map."""
    text = (library.INCLUDE / f"pm_{core}_regs.h").read_text(encoding="utf-8")
    found = re.findall(r"#define PM_\w+?_REGS__(\w+_(?:bp|bw|offset)) (\w+)", text)
    return {name: int(value, 0) for name, value in found}


def address(core: str, register: str) -> int:
    """Byte address of a register; `KeyError` for an unknown one."""
    return _definitions(core)[f"{register}_offset"]


def field(core: str, register: str, name: str) -> Field:
    """A field of a register, named as in hw/<core>/regs.rdl; `KeyError` for an unknown one."""
    known = _definitions(core)
    low, width = (known[f"{register}__{name.upper()}_{what}"] for what in ("bp", "bw"))
    return Field(name, low + width - 1, low)


def fields(core: str, register: str) -> tuple[Field, ...]:
    """The fields of a register from the lowest on; none for an unknown one."""
    names = re.findall(rf"^{register}__(\w+)_bp$", "\n".join(_definitions(core)), re.MULTILINE)
    return tuple(field(core, register, name.lower()) for name in names)
