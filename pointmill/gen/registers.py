# SPDX-License-Identifier: Apache-2.0
"""Makes register RTL, C header and documentation of each core from hw/<core>/regs.rdl (SystemRDL).

RTL: PeakRDL-regblock with the plain "passthrough" port (pm_edverify_csr adds AXI4-Lite), error responses
for addresses without register and for writes to read-only registers, asynchronous active-low reset.
C header: PeakRDL-cheader, with the register offsets added. Document: made here.

The output depends on the RDL file
and on the versions of the two exporters alone.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegNode
from systemrdl.rdltypes import OnWriteType

from pointmill.gen.text import notice
from pointmill.resources import ROOT

CORES = ("edverify", "mpu", "multicurve", "x25519")

ADDR_WIDTH = 8
"""Bits of a byte address; more than the map needs, so that every address is decoded."""

LINT_OFF: tuple[str, ...] = ("MULTIDRIVEN", "UNUSEDSIGNAL")
"""Verilator warnings that the style of the exporter causes."""


def header_path(core: str) -> Path:
    """Where the C header of a core is."""
    return ROOT / "sw" / "include" / f"pm_{core}_regs.h"


def page_path(core: str) -> Path:
    """Where the page of a core's registers is."""
    return ROOT / "docs" / f"registers-{core}.md"


def compile_rdl(core: str = "edverify") -> AddrmapNode:
    """The elaborated address map of a core; `RDLCompileError` for an illegal file."""
    compiler = RDLCompiler()
    for udp in ALL_UDPS:
        compiler.register_udp(udp)
    compiler.compile_file(str(ROOT / "hw" / core / "regs.rdl"))
    return compiler.elaborate().top


def _commented(text: str, core: str) -> str:
    """`text` without trailing white space, after the notice and lint directives."""
    head = [f"// {notice(f'hw/{core}/regs.rdl')}", "// SPDX-License-Identifier: Apache-2.0",
            *(f"// verilator lint_off {rule}" for rule in LINT_OFF)]
    tail = [f"// verilator lint_on {rule}" for rule in LINT_OFF]
    body = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join([*head, *body, *tail]) + "\n"


def rtl(top: AddrmapNode, core: str) -> dict[Path, str]:
    """Package and module of the register block."""
    with tempfile.TemporaryDirectory() as folder:
        RegblockExporter().export(
            top, folder, cpuif_cls=PassthroughCpuif, address_width=ADDR_WIDTH,
            reuse_hwif_typedefs=False, default_reset_activelow=True, default_reset_async=True,
            err_if_bad_addr=True, err_if_bad_rw=True)
        return {ROOT / "hw" / core / "gen" / file.name: _commented(file.read_text(), core)
                for file in sorted(Path(folder).glob("*.sv"))}


def _masks(top: AddrmapNode) -> str:
    """Which registers answer a read and which take a write, for those that must not try."""
    prefix = top.inst_name.upper()
    readable = sum(1 << reg.address_offset // 4 for reg in top.registers() if reg.has_sw_readable)
    writable = sum(1 << reg.address_offset // 4 for reg in top.registers() if reg.has_sw_writable)
    return ("// registers that can be read, and written: bit i is the one at offset 4 i\n"
            f"#define {prefix}__readable 0x{readable:016x}ULL\n"
            f"#define {prefix}__writable 0x{writable:016x}ULL\n\n")


def c_header(top: AddrmapNode, core: str) -> str:
    """The C header: masks, positions, offsets, accesses, and a struct of the whole map."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / header_path(core).name
        CHeaderExporter().export(top, str(file), reuse_typedefs=False)
        text = file.read_text()
    prefix = top.inst_name.upper()
    offsets = [f"#define {prefix}__{reg.inst_name}_offset 0x{reg.address_offset:02x}"
               for reg in top.registers()]
    start, found, rest = text.partition(f"// addrmap - {top.inst_name}\n")
    if not found:
        raise ValueError("the C header has no struct of the address map any more")
    block = "// offsets in bytes\n" + "\n".join(offsets) + "\n\n" + _masks(top)
    head = f"// {notice(f'hw/{core}/regs.rdl')}\n// SPDX-License-Identifier: Apache-2.0\n"
    return head + start + block + found + rest


def _access(field: FieldNode) -> str:
    """How software may use a field, in a word."""
    if field.get_property("onwrite") is OnWriteType.woclr:
        return "read, write 1 to clear"
    if field.get_property("singlepulse"):
        return "write 1"
    if not field.is_sw_readable:
        return "write"
    return "read, write" if field.is_sw_writable else "read"


def _bits(field: FieldNode) -> str:
    return f"{field.high}" if field.width == 1 else f"{field.high}:{field.low}"


def _value(field: FieldNode) -> str:
    """Value after reset: a number, or a dash where hardware drives the field."""
    reset = field.get_property("reset")
    if not isinstance(reset, int):
        return "-"
    return f"0x{reset:x}" if reset > 9 else str(reset)


def _register(reg: RegNode) -> list[str]:
    lines = [f"## 0x{reg.address_offset:02x} {reg.inst_name}", ""]
    lines += [f"{reg.get_property('name')}. {reg.get_property('desc') or ''}".rstrip(), ""]
    lines += ["| bits | field | access | reset | meaning |", "|---|---|---|---|---|"]
    for field in reg.fields():
        lines.append(f"| {_bits(field)} | {field.inst_name} | {_access(field)} | {_value(field)} "
                     f"| {field.get_property('desc')} |")
    return [*lines, ""]


def page(top: AddrmapNode, core: str) -> str:
    """The Markdown page of the register map."""
    lines = [f"<!-- {notice(f'hw/{core}/regs.rdl')} -->", "", f"# Registers: {top.get_property('name')}", ""]
    text = top.get_property("desc") or ""
    lines += [re.sub(r"[ \t]+", " ", line).strip() for line in text.strip().splitlines()]
    lines += ["", "| offset | register | |", "|---|---|---|"]
    lines += [f"| 0x{reg.address_offset:02x} | {reg.inst_name} | {reg.get_property('name')} |"
              for reg in top.registers()]
    lines.append("")
    for reg in top.registers():
        lines += _register(reg)
    return "\n".join(lines).rstrip() + "\n"


def outputs() -> dict[Path, str]:
    """Every file this generator owns, with its text."""
    files: dict[Path, str] = {}
    for core in CORES:
        top = compile_rdl(core)
        files |= {**rtl(top, core), header_path(core): c_header(top, core),
                  page_path(core): page(top, core)}
    return files
