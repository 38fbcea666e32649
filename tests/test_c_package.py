# SPDX-License-Identifier: Apache-2.0
"""The C library as a package: what is installed, and a program that is built against that alone (examples/c)."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

import pointmill
from driver.exports import declared, exported, public_headers
from driver.package import DEVICES, install, installed, run, user
from pointmill import library, simbuild

EXAMPLE = simbuild.ROOT / "examples" / "c"
BARE_METAL = "pm_mpu_mmio.h"
INTERFACE = "libpointmill.so.0.1"
VERDICTS = "valid\nnot valid\n"
"""What the example prints of test 1 of RFC 8032 and of another message under its signature."""


@pytest.fixture(scope="module")
def prefix() -> Path:
    """Where the package is installed."""
    return installed()


def built(prefix: Path, folder: Path, *options: str) -> Path:
    """The example, built by CMake outside the checkout; `AssertionError` with its messages."""
    source = shutil.copytree(EXAMPLE, folder / "source")
    for words in (("cmake", "-S", source, "-B", folder / "build", *options), ("cmake", "--build", folder / "build")):
        done = run(*words, env=user(prefix))
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "verify"


def test_every_source_is_listed() -> None:
    """In sw/library.txt, but for the back-end of programs without operating system."""
    listed = [*library.DRIVER, *(file for files in library.BACKENDS.values() for file in files)]
    there = [*(library.SW / "src").glob("*.c"), *(library.SW / "backends").rglob("*.c")]
    assert sorted([*listed, library.SW / "backends" / "mpu_mmio.c"]) == sorted(there)


def test_what_is_installed(prefix: Path) -> None:
    lib = prefix / "lib"
    version = pointmill.__version__
    assert {file.name for file in lib.iterdir() if file.is_file()} == {
        "libpointmill.a", "libpointmill.so", INTERFACE, f"libpointmill.so.{version}"}
    assert (lib / "libpointmill.so").resolve() == lib / f"libpointmill.so.{version}"
    assert {file.name for file in (lib / "pointmill").iterdir()} == {f"pointmill-sim-{name}.so" for name in DEVICES}
    assert {file.name for file in (prefix / "include").iterdir()} == {
        file.name for file in library.INCLUDE.iterdir()}
    assert re.search(rf"SONAME +{INTERFACE}\n", simbuild.run_tool(["objdump", "-p", lib / "libpointmill.so"]))
    assert exported(lib / "libpointmill.so") == declared(public_headers(BARE_METAL))
    assert run("pkg-config", "--modversion", "pointmill", env=user(prefix)).stdout == f"{version}\n"


@pytest.mark.parametrize("language", [("c", "-std=c11", "-Wstrict-prototypes"), ("c++", "-std=c++17")],
                         ids=["C", "C++"])
def test_every_header_stands_alone(prefix: Path, language: tuple[str, ...]) -> None:
    headers = sorted((prefix / "include").glob("*.h"))
    assert len(headers) >= 12
    for header in headers:
        simbuild.run_tool(["gcc", "-x", *language, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                           "-include", header, os.devnull])


def test_a_program_by_cmake(prefix: Path, tmp_path: Path) -> None:
    done = run(built(prefix, tmp_path), env=user(prefix))
    assert (done.returncode, done.stdout, done.stderr) == (0, VERDICTS, "")


def test_a_program_with_the_static_library(prefix: Path, tmp_path: Path) -> None:
    """It finds the simulated cores where they were installed."""
    source = tmp_path / "verify.c"
    shutil.copy(EXAMPLE / "verify.c", source)
    flags = run("pkg-config", "--cflags", "--libs", "--static", "pointmill", env=user(prefix)).stdout
    flags = flags.replace("-lpointmill", "-Wl,-Bstatic -lpointmill -Wl,-Bdynamic")
    simbuild.run_tool(["gcc", "-Wall", "-Wextra", "-Werror", source, "-o", tmp_path / "verify", *flags.split()])
    done = run(tmp_path / "verify", env={"PATH": os.environ["PATH"]})
    assert (done.returncode, done.stdout, done.stderr) == (0, VERDICTS, "")


def test_a_program_by_pkg_config(prefix: Path, tmp_path: Path) -> None:
    flags = run("pkg-config", "--cflags", "--libs", "pointmill", env=user(prefix)).stdout.split()
    simbuild.run_tool(["gcc", "-Wall", "-Wextra", "-Werror", EXAMPLE / "verify.c", "-o", tmp_path / "verify", *flags])
    done = run(tmp_path / "verify", env=user(prefix))
    assert (done.returncode, done.stdout, done.stderr) == (0, VERDICTS, "")


def test_another_version_is_not_found(prefix: Path, tmp_path: Path) -> None:
    """A program that asks for another minor version does not get this one."""
    (tmp_path / "CMakeLists.txt").write_text(
        (EXAMPLE / "CMakeLists.txt").read_text().replace("pointmill 0.1", "pointmill 0.2"))
    done = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", env=user(prefix))
    assert done.returncode == 1
    assert re.search(r'compatible\s+with\s+requested\s+version\s+"0\.2"', done.stderr), done.stderr


def test_a_staged_installation(tmp_path: Path) -> None:
    """Below DESTDIR, as a package is made: nothing in it knows that folder, nor the checkout."""
    stage = tmp_path / "stage"
    done = run("make", "install", "PREFIX=/opt/pointmill", f"DESTDIR={stage}", cwd=simbuild.ROOT,
               env={**simbuild.tool_env(), "BUILD": str(tmp_path / "build")})
    assert done.returncode == 0, done.stdout + done.stderr
    lib = stage / "opt" / "pointmill" / "lib"
    assert b"/opt/pointmill/lib/pointmill\0" in (lib / "libpointmill.so").read_bytes()
    for file in stage.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert str(tmp_path).encode() not in content and str(simbuild.ROOT).encode() not in content, file


def test_a_build_that_was_killed_is_no_hindrance(tmp_path: Path) -> None:
    """Half an object file, newer than its source, is what a compiler that is killed leaves."""
    prefix, build = tmp_path / "prefix", tmp_path / "build"
    install(prefix, build)
    (part,) = build.rglob("queue.c.o")
    whole = part.read_bytes()
    part.write_bytes(whole[: len(whole) // 2])
    for file in build.glob("libpointmill.*"):
        file.unlink()
    install(prefix, build)
    assert exported(prefix / "lib" / "libpointmill.so") == declared(public_headers(BARE_METAL))


def test_an_unknown_device_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(simbuild.BuildError) as caught:
        install(tmp_path / "prefix", tmp_path / "build", "edverify-fastest")
    assert re.fullmatch(r"install: no simulated core edverify-fastest; there are edverify-\S+(, \S+)+\n",
                        str(caught.value))
    assert not any(tmp_path.iterdir())


def test_a_program_that_is_killed_leaves_nothing(prefix: Path, tmp_path: Path) -> None:
    program = built(prefix, tmp_path)
    before = sorted((prefix / "lib").rglob("*"))
    with subprocess.Popen([program], env=user(prefix), cwd=tmp_path) as process:
        time.sleep(0.03)  # in the middle of opening or verifying
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert sorted((prefix / "lib").rglob("*")) == before
    assert {file.name for file in tmp_path.iterdir()} == {"source", "build"}
    assert run(program, env=user(prefix)).stdout == VERDICTS


def test_a_damaged_or_missing_device_is_one_sentence(prefix: Path, tmp_path: Path) -> None:
    program = built(prefix, tmp_path)
    name = f"pointmill-sim-{DEVICES[0]}.so"
    done = run(program, env=user(prefix, PM_SIM_PATH=str(tmp_path)))
    assert (done.returncode, done.stderr) == (2, f"no simulated core {DEVICES[0]} in {tmp_path}\n")
    whole = (prefix / "lib" / "pointmill" / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    done = run(program, env=user(prefix, PM_SIM_PATH=str(tmp_path)))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path / name} is damaged or no shared library\n"
