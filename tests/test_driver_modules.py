# SPDX-License-Identifier: Apache-2.0
"""The loader of simulated cores (sw/backends/sim/load.c): where it looks, and what it says of files that are none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pointmill import library, simbuild
from pointmill.client import FFI
from pointmill.cores import EDVERIFY
from pointmill.device import Device, DeviceError, Error, X25519Device

STUB = Path(__file__).resolve().parent / "driver" / "stub_module.c"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of modules: one of each of two cores."""
    made = tmp_path_factory.mktemp("modules")
    for core in ("edverify", "x25519"):
        shutil.copy(library.module(core), made)
    return made


def opened(config: str, lib: Path | None = None) -> tuple[Error, str, str]:
    """Error, detail and register NAME of pm_open("sim", config)."""
    driver = FFI.dlopen(str(lib or library.driver()))
    handle, info = FFI.new("pm_device **"), FFI.new("pm_device_info *")
    error = Error(driver.pm_open(b"sim", config.encode(), handle))
    detail = FFI.string(driver.pm_open_detail()).decode()
    if error != Error["OK"]:
        assert handle[0] == FFI.NULL
        return error, detail, ""
    assert driver.pm_info(handle[0], info) == Error["OK"]
    driver.pm_close(handle[0])
    return error, detail, f"{FFI.string(info.name).decode()} {FFI.string(info.config).decode()}"


@pytest.mark.parametrize(("name", "found"), [
    ("", "PMED throughput"), ("throughput", "PMED throughput"), ("edverify-throughput", "PMED throughput"),
    ("x25519-", "PMX2 tile"), ("x25519-tile", "PMX2 tile")])
def test_names(folder: Path, name: str, found: str) -> None:
    """A configuration of the core that the function opens, or of the one that is named."""
    words = ",".join(filter(None, (name, f"modules={folder}")))
    assert opened(words) == (Error["OK"], "", found)


def test_places(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting first, then the variable, then the folder of the driver."""
    beside = shutil.copy(library.driver(), folder)
    monkeypatch.delenv("PM_SIM_PATH", raising=False)
    assert opened("", beside)[2] == "PMED throughput"
    assert opened("bulk", beside)[:2] == (Error["CONFIG"], f"no simulated core edverify-bulk in {folder}")
    monkeypatch.setenv("PM_SIM_PATH", str(tmp_path))
    assert opened("", beside)[:2] == (Error["CONFIG"], f"no simulated core edverify-throughput in {tmp_path}")
    assert opened(f"modules={folder}")[2] == "PMED throughput"
    monkeypatch.setenv("PM_SIM_PATH", str(folder))
    assert opened("")[2] == "PMED throughput"
    assert opened(f"modules={tmp_path}")[0] == Error["CONFIG"]


def test_files_that_are_no_core(folder: Path, tmp_path: Path) -> None:
    """Each gives one sentence with the file, and nothing is opened."""
    none = tmp_path / "none.so"
    whole = library.module("x25519").read_bytes()
    damaged = {f"damaged{size}.so": whole[:size] for size in (0, 50, 100, 5000, len(whole) // 2)}
    damaged["text.so"] = b"no library at all, but as long as the header of one" * 3
    for name, content in damaged.items():
        (tmp_path / name).write_bytes(content)
    for name, defines in (("other", []), ("foreign", ["-DNO_OBJECT"])):
        simbuild.run_tool(["gcc", *library.C_FLAGS, *defines, "-shared", STUB, "-o", tmp_path / f"{name}.so"])
    other, foreign = tmp_path / "other.so", tmp_path / "foreign.so"
    for file, text in ((none, f"no file {none}"),
                       *((tmp_path / name, f"{tmp_path / name} is damaged or no shared library") for name in damaged),
                       (foreign, f"{foreign} is no simulated core of Pointmill"),
                       (other, f"{other} was built for another version of the driver (interface 2, not 1)")):
        error, detail, _ = opened(f"module={file}")
        assert error == Error["CONFIG"] and detail.startswith(text), detail
    for config, text in (("paper", "the simulated core is throughput, not paper"),):
        error, detail, _ = opened(f"{config},module={folder}/pointmill-sim-edverify-throughput.so")
        assert (error, detail) == (Error["CONFIG"], text)
    with pytest.raises(DeviceError, match="the device is PMED, not a core x25519"):
        X25519Device("", module=library.module("edverify"))


def test_several_cores_in_one_process(folder: Path) -> None:
    """Modules share nothing: two cores, and one of them twice."""
    with Device() as first, Device() as second, X25519Device() as other:
        first.run(1000)
        assert (first.info().config, second.info().name, other.info().name) == (EDVERIFY.default, "PMED", "PMX2")
        assert first.elapsed() >= second.elapsed() + 900
