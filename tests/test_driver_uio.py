# SPDX-License-Identifier: Apache-2.0
"""The back-end uio: its unit test in C on a simulated AXI DMA, with deliberate defects; opening and registers from
Python on files."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from driver.c_tests import checks, compiled, fails
from driver.dma_files import BUFFER_BYTES, dma_files, header_text
from dv.common.planted import planted_file
from pointmill import library, simbuild
from pointmill.curve_device import CurveDevice
from pointmill.device import Device, DeviceError, Error, X25519Device
from pointmill.gen.registers import compile_rdl

HERE = Path(__file__).resolve().parent / "driver"
UIO = library.SW / "backends" / "uio"
SOURCES = (*library.DRIVER, *library.BACKENDS["PM_WITH_UIO"], HERE / "fake_backend.c", HERE / "fake_dma.c",
           HERE / "test_uio.c")
DEFINES = ("-DPM_WITH_UIO", "-DPM_EXTRA_BACKEND=pm_backend_fake")
WRAPPED = ("open", "read", "write", "ppoll", "nanosleep", "clock_gettime")
"""Calls of the system in whose place the simulated DMA is."""
WRAP = "-Wl," + ",".join(f"--wrap={name}" for name in WRAPPED)
CHECKS = 6998

# Name of the bug: file, what is replaced, by what.
BUGS = {
    "failed descriptor": ("dma.c", "dma->broken = dma->broken || (word & FAILED) != 0;", ""),
    "short job": ("dma.c", "dma->broken = (word & LENGTH) != wanted;", ""),
    "empty result": ("dma.c", "total == 0 || ", ""),
    "result beyond its slot": ("dma.c", " || total > ring->bytes", ""),
    "channel that stopped": ("dma.c", "(status & (HALTED | ERRORS)) != 0", "false"),
    "end of a result packet": ("dma.c", "n == left && (word & ENDS) != 0", "n == left"),
    "end of a job packet": ("dma.c", "(ends ? ENDS : 0)", "ENDS"),
    "beginning of a job packet": ("dma.c", "(dma->inside ? 0 : STARTS)", "STARTS"),
    "length not whole": ("dma.c", "last && left <= PM_DMA_JOB_BYTES", "last && left <= PM_DMA_JOB_BYTES + 8"),
    "stale descriptor": ("dma.c", "  dma->memory[(at + DONE) / 4] = 0;\n", ""),
    "ring overfilled": ("dma.c", "ring->count == PM_DMA_SLOTS - 1", "ring->count == PM_DMA_SLOTS"),
    "ring not closed": ("dma.c", "descriptor(ring, i + 1)", "descriptor(ring, i)"),
    "result slot lost": ("dma.c", "    give(dma, ring, ring->bytes);\n  }\n  return", "  }\n  return"),
    "no look for what was sent": ("dma.c", "  reclaim(dma);\n  *moved", "  *moved"),
    "interrupt not withdrawn": ("dma.c", "put(dma, channel, STATUS, status & INTERRUPTS);", ""),
    "no interrupt for room": ("dma.c", "(dma->blocked ? ON_COMPLETION : 0)", "0"),
    "no interrupt for results": ("dma.c", "start(dma, &dma->results, ON_COMPLETION)", "start(dma, &dma->results, 0)"),
    "room goes unseen": ("dma.c", " || (dma->blocked && !full(&dma->jobs))", ""),
    "sent secret stays": ("dma.c", "    wipe(dma, slot(ring, ring->first), wanted);\n", ""),
    "secret stays until the next job": ("dma.c", "  reclaim(dma); /* what", "  /* what"),
    "received secret stays": ("dma.c", "    wipe(dma, at, total);\n", ""),
    "unsent secret stays": ("dma.c", "  wipe(dma, 0, PM_DMA_MEMORY);\n", ""),
    "no reset": ("dma.c", "put(dma, TO_STREAM, CONTROL, RESET);", ""),
    "reset not waited for": ("dma.c", "  return false;\n", "  return true;\n"),
    "no ring engine": ("dma.c", "& HAS_RINGS) == 0", "& HAS_RINGS) == 1"),
    "bytes of a word": ("dma.c", "(offset + i) % 4 * 8", "i % 3 * 8"),
    "broken goes on": ("dma.c", "dma->broken ? PM_ERR_IO", "false ? PM_ERR_IO"),
    "interrupt not enabled": ("uio.c", "write(u->interrupt, &enable, sizeof enable)", "(ssize_t)sizeof(enable)"),
    "interrupt not taken": ("uio.c", "read(u->interrupt, &count, sizeof count)", "(ssize_t)sizeof(count)"),
    "signal is an error": ("uio.c", "errno == EINTR ? PM_OK", "false ? PM_OK"),
    "waits for no interrupt": ("uio.c", "wanted < NAP_NS ? (long)wanted : NAP_NS", "wanted + 1000000000"),
    "address beyond 4 GiB": ("uio.c", "value > UINT32_MAX - PM_DMA_MEMORY", "false"),
    "address within a page": ("uio.c", "value % MAP_BYTES != 0 || ", ""),
    "reserved memory": ("uio.c", ', "%s/uio/%s/maps/map0/addr"', ""),
    "no soft reset": ("uio.c", "  store(u->regs, PM_REG_CTRL, PM_CTRL_SOFT_RESET);\n", ""),
    "no time": ("uio.c", "*spent = passed < cycles ? passed : cycles;", "*spent = 0;"),
}


def test_c_unit_test_under_sanitizers(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    assert checks(tmp_path / "test_uio", SOURCES, *DEFINES, WRAP, arguments=[folder]) == CHECKS


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Objects of everything, unchanged, by the name of their source."""
    return compiled(tmp_path_factory.mktemp("objects"), SOURCES, *library.C_FLAGS, *DEFINES)


def _fails(parts: dict[str, Path], folder: Path) -> bool:
    """Whether the unit test linked from `parts` fails or hangs."""
    simbuild.run_tool(["gcc", *parts.values(), WRAP, "-o", folder / "test_uio"])
    files = folder / "files"
    files.mkdir()
    return fails(folder / "test_uio", files)


def test_without_a_bug_it_passes(objects: dict[str, Path], tmp_path: Path) -> None:
    assert not _fails(objects, tmp_path)


@pytest.mark.parametrize("bug", BUGS)
def test_seeded_bug_is_caught(bug: str, objects: dict[str, Path], tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = planted_file(UIO / name, right, wrong, tmp_path)
    changed = tmp_path / "changed.o"
    simbuild.run_tool(["gcc", "-std=c11", "-O2", f"-I{library.INCLUDE}", f"-I{UIO}", "-c", source, "-o", changed])
    assert _fails({**objects, name: changed}, tmp_path)


def test_size_of_the_buffer() -> None:
    """The constants of dma.h give what the files in place of devices have."""
    values = {name: int(value) for name, value in re.findall(r"^  PM_DMA_(\w+) = (\d+),", header_text(), re.MULTILINE)}
    assert len(values) == 4
    each = 2 * values["DESCRIPTOR"] + values["JOB_BYTES"] + values["RESULT_BYTES"]
    assert values["SLOTS"] * each == BUFFER_BYTES


def test_opens_only_what_is_a_core(tmp_path: Path) -> None:
    def opening_error(settings: str, text: str = "") -> Error:
        with pytest.raises(DeviceError) as caught:
            Device(backend="uio", settings=settings)
        assert str(caught.value).endswith(text), caught.value
        return caught.value.code

    with dma_files(tmp_path, b"") as settings:
        assert opening_error(settings) == Error.DEVICE
        assert {(tmp_path / name).read_bytes().strip(b"\0") for name in ("regs", "dma", "buffer")} == {b""}
        (tmp_path / "regs").write_bytes(b"PMED" + bytes((1, 4, 0, 0)) + bytes(4088))
        for mhz, text in (("0", "the clock of the core in MHz is wanted"),
                          ("1x", "mhz=1x: a number from 0 to 10000 is wanted"),
                          ("10001", "mhz=10001: a number from 0 to 10000 is wanted")):
            assert opening_error(settings.replace("mhz=100", f"mhz={mhz}"), text) == Error.CONFIG
        for key in ("regs", "dma", "buffer"):
            text = "/none: No such file or directory; is its driver loaded? Name the device by the setting "
            without = settings.replace(f"{key}={tmp_path}/{key}", f"{key}={tmp_path}/none")
            assert opening_error(without, f"{text}{key}=<file>") == Error.IO
        known = "known are regs, dma, buffer, sysfs, mhz"
        assert opening_error(f"{settings},speed=1", f"no setting 'speed=1'; {known}") == Error.CONFIG
        assert opening_error("regs=" + "r" * 200, "r' is longer than 127 characters") == Error.CONFIG
        with Device(backend="uio", settings=settings) as device:
            assert device.info().name == "PMED" and device.info().version == "0.4.1"
            assert struct.unpack_from("<I", (tmp_path / "regs").read_bytes(), 0x0c) == (1,)
            registers = (tmp_path / "dma").read_bytes()
            first, last = (0x10000000 + 64 * number for number in (64, 64 + 62))  # of the descriptors of results
            assert struct.unpack_from("<I", registers, 0x38) == (first,)
            assert struct.unpack_from("<I", registers, 0x40) == (last,)
            with pytest.raises(DeviceError) as caught:
                device.read(0x2c)  # rejected by the driver: the processor would take a bus error
            assert caught.value.code == Error.BUS


@pytest.mark.parametrize(("major", "minor"), [(1, 9), (0, 0)])
def test_writes_nothing_where_the_register_map_is_another(major: int, minor: int, tmp_path: Path) -> None:
    """The bit of CTRL that resets a core of this version may do anything there."""
    core = b"PMED" + bytes((0, minor, major, 0))
    with dma_files(tmp_path, core) as settings:
        with pytest.raises(DeviceError) as caught:
            Device(backend="uio", settings=settings)
        assert caught.value.code == Error.DEVICE and f"register map {major}.{minor}; " in str(caught.value)
        assert (tmp_path / "regs").read_bytes() == core.ljust(4096, b"\0")
        assert not any((tmp_path / "dma").read_bytes())


@pytest.mark.parametrize(("core", "name", "open_device"), [
    ("edverify", b"PMED", Device), ("x25519", b"PMX2", X25519Device)])
def test_makes_no_access_that_the_core_rejects(core: str, name: bytes, open_device: type[Device],
                                               tmp_path: Path) -> None:
    """Every address of the window, on files: the processor would take a bus error for the others."""
    registers = {reg.address_offset: reg for reg in compile_rdl(core).registers()}
    rejected = 0
    with (dma_files(tmp_path, name + bytes((0, 9, 0, 0))) as settings,
          open_device(backend="uio", settings=settings) as device):
        for address in range(0, 0x100, 4):
            reg = registers.get(address)
            for allowed, access in ((reg and reg.has_sw_readable, device.read),
                                    (reg and reg.has_sw_writable, lambda at: device.write(at, 1))):
                if allowed:
                    access(address)
                    continue
                with pytest.raises(DeviceError) as caught:
                    access(address)
                assert caught.value.code == Error.BUS
                rejected += 1
    read_write = sum(reg.has_sw_readable + reg.has_sw_writable for reg in registers.values())
    assert rejected == 2 * 64 - read_write


def test_opens_multicurve(tmp_path: Path) -> None:
    with dma_files(tmp_path, b"PMMC" + bytes((3, 1, 0, 0))) as settings:
        with CurveDevice(backend="uio", settings=settings):
            assert struct.unpack_from("<I", (tmp_path / "regs").read_bytes(), 0x0c) == (1,)  # the soft reset
        (tmp_path / "regs").write_bytes(b"PMED".ljust(4096, b"\0"))
        with pytest.raises(DeviceError) as caught:
            CurveDevice(backend="uio", settings=settings)
        assert caught.value.code == Error.DEVICE
