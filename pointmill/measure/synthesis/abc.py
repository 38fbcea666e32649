# SPDX-License-Identifier: Apache-2.0
"""`abc` compiled for the machine, where PM_ABC names it (Debian: berkeley-abc): a third of the time of the one that is
in Yosys, which as a WebAssembly program has 4 GB for a unit.

It sees the gates of a netlist, a module in the JSON form of Yosys, as BLIF; nets between them and anything else,
registers, planted buffers and ports, are its inputs and outputs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from pointmill.measure.synthesis import liberty
from pointmill.measure.synthesis.fanout import fresh_net
from pointmill.measure.synthesis.liberty import Library
from pointmill.simbuild import ROOT, BuildError, run_tool

TABLES = {"$_NOT_": "0 1", "$_BUF_": "1 1", "$_AND_": "11 1", "$_NAND_": "0- 1\n-0 1", "$_OR_": "1- 1\n-1 1",
           "$_NOR_": "00 1", "$_XOR_": "10 1\n01 1", "$_XNOR_": "00 1\n11 1", "$_ANDNOT_": "10 1",
           "$_ORNOT_": "1- 1\n-0 1", "$_MUX_": "1-0 1\n-11 1"}  # fmt: skip
"""Gates of Yosys, as rows of BLIF over their inputs A, B and S."""
_GATE = re.compile(r"^\.gate (\S+)\s+(.*)$", re.MULTILINE)
_CONSTANTS = {"_const0_": "0", "_const1_": "1"}


def program() -> str | None:
    """The program that PM_ABC names."""
    return os.environ.get("PM_ABC") or None


def version(name: str) -> str:
    """What it says of its version."""
    found = re.search(r"ABC [\d.]+ \(.*?\)", run_tool([name, "-c", "version"]))
    return found[0] if found else "unknown"


def _inputs(cell: dict) -> list[int | str]:
    return [cell["connections"][port][0] for port in "ABS" if port in cell["connections"]]


def blif(module: dict) -> str:
    """The gates of a module; `BuildError` for one that is not known."""
    gates = [cell for cell in module["cells"].values() if cell["type"].startswith("$_")]
    if unknown := {cell["type"] for cell in gates} - TABLES.keys():
        raise BuildError(f"gates that abc does not get: {sorted(unknown)}")
    driven = {cell["connections"]["Y"][0] for cell in gates}
    read = {bit for cell in gates for bit in _inputs(cell)}
    outside = {bit for cell in module["cells"].values() if not cell["type"].startswith("$_")
               for bits in cell["connections"].values() for bit in bits}  # fmt: skip
    outside |= {bit for port in module["ports"].values() for bit in port["bits"]}
    inputs = sorted(bit for bit in read - driven if isinstance(bit, int))
    outputs = sorted(bit for bit in driven & outside if isinstance(bit, int))
    lines = [".model unit", ".inputs " + " ".join(f"n{bit}" for bit in inputs),
             ".outputs " + " ".join(f"n{bit}" for bit in outputs)]  # fmt: skip
    for bit in sorted(str(bit) for bit in read if isinstance(bit, str)):
        lines += [f".names n{bit}", *(["1"] if bit == "1" else [])]
    for cell in gates:
        nets = " ".join(f"n{bit}" for bit in [*_inputs(cell), cell["connections"]["Y"][0]])
        lines += [f".names {nets}", TABLES[cell["type"]]]
    return "\n".join([*lines, ".end\n"])


def _cells(text: str, fresh: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Types and connections of the cells of a mapped BLIF; nets of its own are numbered from `fresh` on."""
    numbers: dict[str, int] = {}
    for kind, pins in _GATE.findall(text.replace("\\\n", " ")):
        nets = dict(pin.split("=") for pin in pins.split())
        yield kind, {port: int(net[1:]) if re.fullmatch(r"n\d+", net) else
                     numbers.setdefault(net, fresh + len(numbers)) for port, net in nets.items()}  # fmt: skip


def merge(module: dict, text: str) -> None:
    """Puts the cells of a mapped BLIF in place of the gates of a module."""
    cells = {name: cell for name, cell in module["cells"].items() if not cell["type"].startswith("$_")}
    constants: dict[int, str] = {}
    for serial, (kind, nets) in enumerate(_cells(text, fresh_net(module))):
        if kind in _CONSTANTS:
            constants[nets["z"]] = _CONSTANTS[kind]
        else:
            cells[f"$abc${serial}"] = {"hide_name": 1, "type": kind, "parameters": {}, "attributes": {},
                                       "connections": {port: [bit] for port, bit in nets.items()}}  # fmt: skip
    for cell in cells.values():
        for port, pins in cell["connections"].items():
            cell["connections"][port] = [constants.get(bit, bit) for bit in pins]
    for entry in module["ports"].values():
        entry["bits"] = [constants.get(bit, bit) for bit in entry["bits"]]
    module["cells"] = cells
    used = {bit for cell in cells.values() for pins in cell["connections"].values() for bit in pins}
    used |= {bit for entry in module["ports"].values() for bit in entry["bits"]}
    module["netnames"] = {name: entry for name, entry in module["netnames"].items() if used.issuperset(entry["bits"])}


def run(name: str, module: dict, library: Library, script: str, unused: Sequence[str], constraints: Path) -> None:
    """Maps the gates of `module` by the program `name` with a `script` in the form that Yosys takes. unused: patterns
    of cells that are not to be used. `BuildError` where it fails."""
    base = constraints.with_suffix("")
    files = {what: base.with_suffix(f".abc.{what}") for what in ("lib", "blif", "out", "script")}
    text = library.path.read_text()
    dropped = [(begin, end) for kinds, cell, begin, end in liberty.groups(text)
               if kinds[1:] == ("cell",) and any(fnmatch(cell, pattern) for pattern in unused)]  # fmt: skip
    files["lib"].write_text(liberty.without(text, dropped))
    files["blif"].write_text(blif(module))
    files["out"].unlink(missing_ok=True)
    place = {what: path.relative_to(ROOT) for what, path in files.items()}
    files["script"].write_text("\n".join([
        f"read_lib {place['lib']}", f"read_constr {constraints.relative_to(ROOT)}", f"read_blif {place['blif']}",
        *script.removeprefix("+").replace(",", " ").split(";"), f"write_blif {place['out']}", ""]))  # fmt: skip
    said = run_tool([name, "-f", place["script"]])
    if not files["out"].is_file():
        raise BuildError(f"{name}: {said[-2000:]}")
    merge(module, files["out"].read_text())
    for path in files.values():
        path.unlink()
