# SPDX-License-Identifier: Apache-2.0
"""Back-end `uart`: settings, lines that are none or silent, bitstreams that the driver does not know; the command line
on it."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import pytest

from boards.wire import Wire
from dv.lib.uart import link_units as units
from dv.lib.uart.link_units import IDENTITY
from pointmill.cli import main
from pointmill.client import Error
from pointmill.commands.common import device_name
from pointmill.device import Device, DeviceError


def rejected(settings: str) -> DeviceError:
    with pytest.raises(DeviceError) as caught:
        Device(backend="uart", settings=settings)
    return caught.value


@pytest.mark.parametrize(("settings", "code", "text"), [
    ("rate=1", "CONFIG", "no setting 'rate=1'; known are port, baud, wait, silence"),
    ("baud=123", "CONFIG", "baud=123 is no rate of a serial line"),
    ("baud=x", "CONFIG", "baud"),
    ("wait=-1", "CONFIG", "wait"),
    ("port=/nonexistent", "IO", "/nonexistent: No such file"),
    ("port=/dev/null", "IO", "/dev/null is no serial line"),
])
def test_settings(settings: str, code: str, text: str) -> None:
    error = rejected(settings)
    assert error.code == Error[code] and text in str(error)


def test_silent_line() -> None:
    """Nobody there, and somebody who sends something else."""
    master, slave = os.openpty()
    error = rejected(f"port={os.ttyname(slave)},silence=200")
    assert error.code == Error["DEVICE"] and "no board responds" in str(error)
    process = os.fork()
    if process == 0:
        while True:
            os.write(master, os.read(master, 4096))  # an echo
    error = rejected(f"port={os.ttyname(slave)},silence=200")
    os.kill(process, 9)
    os.waitpid(process, 0)
    assert error.code == Error["DEVICE"] and "is the rate of the line right?" in str(error)
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(("identity", "text"), [
    (b"PMIX" + IDENTITY[4:], "no identity that this driver knows"),
    (IDENTITY[:4] + b"\2" + IDENTITY[5:], "no identity that this driver knows (44494d50, version 2)"),
])
def test_other_bitstreams(identity: bytes, text: str) -> None:
    with Wire(units.program(identity=identity)) as line:
        error = rejected(f"port={line.port},silence=3000")
    assert error.code == Error["DEVICE"] and text in str(error)


def test_one_session_after_another() -> None:
    """A driver that went away in the middle of jobs leaves nothing to the next one."""
    rng = random.Random(3)
    with Wire(units.program()) as line:
        for _ in range(5):
            device = Device(backend="uart", settings=f"port={line.port}")
            for tag in range(20):
                device.submit(units.job(rng, True, 700, tag))
            device.close()
        with Device(backend="uart", settings=f"port={line.port}") as device:
            assert device.counters().jobs == 0
            assert [result.valid for result in device.verify_batch([units.job(rng, True, 9, 0)])] == [True]
            assert device.info().stray_answers == 0


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    """`pointmill info --device uart:LINE,BAUD` prints the identity."""
    with Wire(units.program()) as line:
        assert main(["info", "--json", "--device", f"uart:{line.port},115200"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.items() >= {
        "device": "uart", "name": "PMED", "board": "bench", "config": "edverify-none", "clock_mhz": 45.0,
        "revision": f"{bytes(range(20)).hex()} and changes"}.items()


@pytest.mark.parametrize(("text", "name", "settings"), [
    ("sim", "sim", ""), ("uart", "uart", ""), ("uart:/dev/ttyS1", "uart", "port=/dev/ttyS1"),
    ("uart,115200", "uart", "baud=115200"), ("uart:/dev/ttyUSB1,9600", "uart", "port=/dev/ttyUSB1,baud=9600")])
def test_option(text: str, name: str, settings: str) -> None:
    device = device_name(text)
    assert (device, device.settings) == (name, settings)


@pytest.mark.parametrize("text", ["", "usb", "sim:x", "uio,9600", "uart:", "uart,", "uart:/dev/x,fast", "uart:a,1,2"])
def test_option_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        device_name(text)


def test_nothing_is_left_open(tmp_path: Path) -> None:
    """Failed openings close their files."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        rejected("port=/dev/null")
    assert len(list(Path("/proc/self/fd").iterdir())) == before
