# SPDX-License-Identifier: Apache-2.0
"""Writes an IP-XACT description of each core, hw/<core>/component.xml (IEEE 1685-2009, which Vivado reads).

Registers are those of hw/<core>/regs.rdl, ports those of the top module in its default configuration as slang
elaborates it, files those of hw/<core>/<core>.f. Buses are found by the names of the ports and have the types of
Vivado.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from peakrdl_ipxact import IPXACTExporter
from peakrdl_ipxact.exporter import Standard

from pointmill import __version__
from pointmill.cores import CORES, Core
from pointmill.gen.registers import compile_rdl
from pointmill.gen.text import notice
from pointmill.measure.synthesis.slang import ports
from pointmill.measure.synthesis.yosys import Unit
from pointmill.simbuild import read_filelist

SPIRIT = "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"
VENDOR, LIBRARY = "pointmill", "ip"
BUS_PORT = re.compile(r"([sm])_(axis|axil|axi)_(\w+)")
BUSES = {"axis": ("interface", "axis"), "axil": ("interface", "aximm"), "axi": ("interface", "aximm")}
"""Library and name of the type."""
SIGNALS = {
    "clk_i": ("clock", "CLK", {"ASSOCIATED_RESET": "rst_ni"}),
    "rst_ni": ("reset", "RST", {"POLARITY": "ACTIVE_LOW"}),
    "irq_o": ("interrupt", "INTERRUPT", {"SENSITIVITY": "LEVEL_HIGH"}),
}
"""Type, logical name and parameters of what is no bus."""


def _add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    """A new child."""
    child = ET.SubElement(parent, f"{{{SPIRIT}}}{tag}", {f"{{{SPIRIT}}}{key}": to for key, to in attributes.items()})
    child.text = text
    return child


def _parameters(parent: ET.Element, values: dict[str, str]) -> None:
    if values:
        listed = _add(parent, "parameters")
        for name, value in values.items():
            one = _add(listed, "parameter")
            _add(one, "name", name)
            _add(one, "value", value)


def _interface(parent: ET.Element, name: str, library: str, kind: str, master: bool, maps: dict[str, str],
               registers: str | None = None) -> ET.Element:
    """A bus interface; maps: physical ports by logical ones. registers: the memory map behind it."""
    interface = _add(parent, "busInterface")
    _add(interface, "name", name)
    for element, suffix in (("busType", ""), ("abstractionType", "_rtl")):
        _add(interface, element, vendor="xilinx.com", library=library, name=f"{kind}{suffix}", version="1.0")
    side = _add(interface, "master" if master else "slave")
    if registers:
        _add(side, "memoryMapRef", memoryMapRef=registers)
    listed = _add(interface, "portMaps")
    for logical, physical in maps.items():
        one = _add(listed, "portMap")
        _add(_add(one, "logicalPort"), "name", logical)
        _add(_add(one, "physicalPort"), "name", physical)
    return interface


def _interfaces(names: list[tuple[str, bool, int]], registers: str) -> ET.Element:
    """All of a core with these ports; `ValueError` for a port that belongs to none."""
    parent = ET.Element(f"{{{SPIRIT}}}busInterfaces")
    buses: dict[str, dict[str, str]] = {}
    for name, _, _ in names:
        if match := BUS_PORT.fullmatch(name):
            buses.setdefault(f"{match[1]}_{match[2]}", {})[match[3].upper()] = name
        elif name not in SIGNALS:
            raise ValueError(f"port {name} belongs to no interface")
    for name, maps in buses.items():
        side, _, kind = name.partition("_")
        _interface(parent, name, *BUSES[kind], side == "m", maps, registers if kind == "axil" else None)
    for name, is_input, _ in names:
        if name in SIGNALS:
            kind, logical, values = SIGNALS[name]
            interface = _interface(parent, name, "signal", kind, not is_input, {logical: name})
            _parameters(interface, {"ASSOCIATED_BUSIF": ":".join(buses)} | values if kind == "clock" else values)
    return parent


def _model(core: Core, names: list[tuple[str, bool, int]]) -> ET.Element:
    """Views, ports and parameters."""
    model = ET.Element(f"{{{SPIRIT}}}model")
    view = _add(_add(model, "views"), "view")
    _add(view, "name", "xilinx_anylanguagesynthesis")
    _add(view, "envIdentifier", ":vivado.xilinx.com:synthesis")
    _add(view, "language", "SystemVerilog")
    _add(view, "modelName", core.top)
    _add(_add(view, "fileSetRef"), "localName", "rtl")
    listed = _add(model, "ports")
    for name, is_input, bits in names:
        port = _add(listed, "port")
        _add(port, "name", name)
        wire = _add(port, "wire")
        _add(wire, "direction", "in" if is_input else "out")
        if bits > 1:
            vector = _add(wire, "vector")
            _add(vector, "left", str(bits - 1))
            _add(vector, "right", "0")
    if values := core.parameters[core.default]:
        parameters = _add(model, "modelParameters")
        for name, value in values.items():
            one = _add(parameters, "modelParameter", dataType="integer")
            _add(one, "name", name)
            _add(one, "value", str(value))
    return model


def _files(core: Core) -> ET.Element:
    parent = ET.Element(f"{{{SPIRIT}}}fileSets")
    listed = _add(parent, "fileSet")
    _add(listed, "name", "rtl")
    for path in read_filelist(core.files):
        file = _add(listed, "file")
        _add(file, "name", os.path.relpath(path, core.files.parent))
        _add(file, "fileType", "systemVerilogSource")
    return parent


def component(core: Core) -> str:
    """Text of the description."""
    ET.register_namespace("spirit", SPIRIT)
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "registers.xml"
        IPXACTExporter(vendor=VENDOR, library=LIBRARY, version=__version__, standard=Standard.IEEE_1685_2009).export(
            compile_rdl(core.name), str(exported), component_name=core.top)
        root = ET.parse(exported).getroot()
    names = ports(Unit(core.top, [str(core.files)], core.top, dict(core.parameters[core.default])))
    maps = root.find(f"{{{SPIRIT}}}memoryMaps")
    assert maps is not None
    at = list(root).index(maps)
    root.insert(at, _interfaces(names, maps[0][0].text or ""))
    root.extend([_model(core, names), _files(core)])
    _add(root, "description", f"The core {core.name} of Pointmill (docs/{core.name}.md).")
    ET.indent(root)
    sources = f"hw/{core.name}: regs.rdl, {core.name}.f, rtl/{core.top}.sv"
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
            f"<!-- {notice(sources, 'python scripts/gen_ipxact.py')} -->\n{ET.tostring(root, 'unicode')}\n")


def path_of(core: Core) -> Path:
    """Where the description is."""
    return core.files.with_name("component.xml")


def main() -> int:
    """Writes all descriptions."""
    for core in CORES.values():
        path_of(core).write_text(component(core), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
