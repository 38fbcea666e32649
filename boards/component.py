# SPDX-License-Identifier: Apache-2.0
"""What the IP-XACT description of a core, hw/<core>/component.xml, says of its files and ports."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from pointmill.cores import Core

SPACES = {"spirit": "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"}


def _root(core: Core) -> ET.Element:
    return ET.parse(core.files.with_name("component.xml")).getroot()


def files(core: Core) -> list[Path]:
    """The sources, in their order."""
    return [(core.files.parent / (name.text or "")).resolve()
            for name in _root(core).iterfind("spirit:fileSets/spirit:fileSet/spirit:file/spirit:name", SPACES)]


def bus_ports(core: Core) -> list[tuple[str, bool, int]]:
    """Those of buses: name, whether it is an input, bits."""
    root = _root(core)
    buses = [bus for bus in root.iterfind("spirit:busInterfaces/spirit:busInterface", SPACES)
             if bus.find("spirit:busType[@spirit:library='interface']", SPACES) is not None]
    named = {name.text for bus in buses for name in bus.iterfind(".//spirit:physicalPort/spirit:name", SPACES)}
    found = []
    for port in root.iterfind("spirit:model/spirit:ports/spirit:port", SPACES):
        name = port.findtext("spirit:name", "", SPACES)
        if name in named:
            left = port.findtext("spirit:wire/spirit:vector/spirit:left", "0", SPACES)
            found.append((name, port.findtext("spirit:wire/spirit:direction", "", SPACES) == "in", int(left) + 1))
    return found
