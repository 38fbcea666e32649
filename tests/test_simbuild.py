# SPDX-License-Identifier: Apache-2.0
"""The build module on a small design: lists, caching, warnings, and which Verilator runs."""

from __future__ import annotations

import builtins
import ctypes
import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import Timer

from pointmill import library, simbuild, simruntime
from pointmill.simbuild import BuildError

ADDER = """
module adder #(parameter bit [99:0] K = 0) (
  input logic [99:0] a_i, output logic [99:0] q_o);
  assign q_o = a_i + K;
endmodule
"""
MAIN = """
#include "Vadder.h"
#include "constant.h"
int main() {
  Vadder top;
  top.a_i[0] = A;
  top.eval();
  return top.q_o[0];
}
"""
API = """
#include "Vadder.h"
extern "C" unsigned add(unsigned a) {
  Vadder top;
  top.a_i[0] = a;
  top.eval();
  return top.q_o[0];
}
"""


@cocotb.test()
async def adds_constant(dut) -> None:
    dut.a_i.value = 1 << 99
    await Timer(1, "ns")
    assert int(dut.q_o.value) == (1 << 99) + 7


@pytest.fixture
def adder(tmp_path: Path) -> Path:
    (tmp_path / "adder.sv").write_text(ADDER)
    (tmp_path / "main.cpp").write_text(MAIN)
    (tmp_path / "constant.h").write_text("enum { A = 2 };\n")
    (tmp_path / "adder.f").write_text(f"# list\n{tmp_path}/adder.sv  // the only file\n\n")
    return tmp_path


def test_filelist_nested_in_order_without_doubles(adder: Path) -> None:
    (adder / "b.sv").write_text("")
    (adder / "outer.f").write_text(f"{adder}/b.sv\n-F adder.f\n{adder}/adder.sv\n")
    assert simbuild.read_filelist(adder / "outer.f") == [adder / "b.sv", adder / "adder.sv"]


@pytest.mark.parametrize("name", ["hw/mpu/mpu.f", "hw/edverify/edverify.f", "soc/soc.f"])
def test_filelist_is_what_verilator_reads_from_another_folder(name: str, tmp_path: Path) -> None:
    """Verilator itself resolves the nested lists to the files that `read_filelist` gives."""
    done = subprocess.run([simbuild.verilator_bin(), "-E", "-P", "-F", simbuild.ROOT / name], cwd=tmp_path, text=True,
                          check=False, capture_output=True, env=simbuild.tool_env())
    assert done.returncode == 0, done.stderr
    files = simbuild.read_filelist(name)
    declared = set(re.findall(r"^(?:module|package) +(?:automatic +)?(\w+)", done.stdout, re.MULTILINE))
    assert len(files) > 30 and declared == {file.stem for file in files}


@pytest.mark.parametrize(("line", "message"), [
    ("none.sv", "no such file"),
    ("-F none.f", "no such file list"),
    ("-f other.f", "neither a path"),
    ("+incdir+rtl", "neither a path"),
    ("-F {list}", "includes itself"),
])
def test_filelist_errors(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "bad.f"
    path.write_text(line.format(list=path) + "\n")
    with pytest.raises(BuildError, match=message):
        simbuild.read_filelist(path)


def test_verilog_values() -> None:
    given = [5, -1, True, False, 1 << 31, (1 << 255) - 19, "255'h13", "name"]
    assert [simbuild.verilog_value(value) for value in given] == [
        "5", "-1", "1'b1", "1'b0", "32'h80000000", f"255'h{(1 << 255) - 19:x}", "255'h13", '"name"']
    with pytest.raises(ValueError, match="does not fit"):
        simbuild.verilog_value(-(1 << 31) - 1)


def test_warning_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "w.sv").write_text(
        "module w (input logic [3:0] a_i, output logic [1:0] q_o);\n  assign q_o = a_i;\nendmodule\n")
    with pytest.raises(BuildError, match="WIDTHTRUNC"):
        simbuild.lint("w", tmp_path / "w.sv")
    with pytest.raises(BuildError, match="WIDTHTRUNC"):
        simbuild.run_cocotb("w", tmp_path / "w.sv", __name__, build_dir=tmp_path / "c")


def test_program_is_cached_until_something_changes(adder: Path) -> None:
    def build() -> tuple[int, int]:
        program = simbuild.build_cpp("adder", adder / "adder.f", adder / "main.cpp",
                                     {"K": "100'd40"}, adder / "out")
        return subprocess.run([program], check=False).returncode, program.stat().st_mtime_ns

    with ThreadPoolExecutor(2) as pool:  # two processes of a test run may ask at once
        first, second = pool.map(lambda _: build(), range(2))
    assert first == second
    assert first[0] == 42
    (adder / "constant.h").write_text("enum { A = 3 };\n")
    third = build()
    assert third[0] == 43
    assert third[1] > first[1]


@pytest.mark.parametrize("there", [True, False])
def test_ccache_is_used_where_there_is_one(adder: Path, there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OBJCACHE", *simbuild.CCACHE):
        monkeypatch.delenv(name, raising=False)
    programs = adder / "bin"
    programs.mkdir()
    for program in ("make", "c++", "g++", "gcc", "perl", "python3", "sh", "ar", "as", "ld", "ranlib", "xargs", "env",
                    "rm", "cat", "echo", "cp", "uname"):
        (programs / program).symlink_to(shutil.which(program))
    if there:
        (programs / "ccache").write_text(f'#!/bin/sh\necho "$CCACHE_DIR" >>{adder}/calls\nexec "$@"\n')
        (programs / "ccache").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    simbuild.build_cpp("adder", adder / "adder.f", adder / "main.cpp", {}, adder / "out", opt="-O0")
    assert (simbuild.tool_env().get("OBJCACHE") == "ccache") == there == (adder / "calls").is_file()
    if there:
        assert set((adder / "calls").read_text().split()) == {str(simbuild.BUILD / "cache" / "ccache")}
    monkeypatch.setenv("CCACHE_DIR", "elsewhere")
    assert simbuild.tool_env()["CCACHE_DIR"] == "elsewhere"


@pytest.mark.parametrize(("opt", "header"), [("-Og", True), ("-O2", False)])
def test_benches_share_run_time_library_and_header(adder: Path, opt: str, header: bool,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler takes the header as it was compiled, for the design and for the bench, not its text."""
    said: list[str] = []
    run = simbuild.run_tool
    monkeypatch.setattr(simbuild, "run_tool", lambda *given: said.append(run(*given)) or said[-1])
    program = simbuild.build_cpp("adder", adder / "adder.f", adder / "main.cpp", {"K": "100'd40"}, adder / "out",
                                 cflags=("-H",), opt=opt)  # fmt: skip
    assert subprocess.run([program], check=False).returncode == 42
    assert len(re.findall(r"^! .*/pm_runtime\.h\.gch$", said[-1], re.MULTILINE)) == 2 * header, said[-1]
    assert not (adder / "out" / "verilated.o").exists()


@pytest.mark.parametrize(("opt", "words", "serves"), [
    ("-Og", ("-Wall",), True), ("-O1", (), True), ("-O2", (), True), ("-O0", (), False), ("-O3", (), False),
    ("-Og", ("--trace",), False), ("-Og", ("--timing",), False)])
def test_what_the_run_time_library_serves(opt: str, words: tuple[str, ...], serves: bool) -> None:
    assert simruntime.serves(opt, words) == serves


def test_many_compilations(adder: Path) -> None:
    """With Verilator's own precompiled header, which no other may precede."""
    program = simbuild.build_cpp("adder", adder / "adder.f", adder / "main.cpp", {"K": "100'd40"}, adder / "out",
                                 opt="-O1", verilator_args=(simruntime.SPLIT, "1"))  # fmt: skip
    assert subprocess.run([program], check=False).returncode == 42
    assert len(list((adder / "out").glob("*.gch"))) == 2
    assert not (adder / "out" / "verilated.o").exists()


def test_failed_build_leaves_no_product(adder: Path) -> None:
    (adder / "main.cpp").write_text("#error no\n")
    for _ in range(2):
        with pytest.raises(BuildError, match="#error no"):
            simbuild.build_cpp("adder", adder / "adder.f", adder / "main.cpp", {}, adder / "out")


def test_shared_library(adder: Path) -> None:
    (adder / "api.cpp").write_text(API)
    library = simbuild.build_shared("adder", adder / "adder.f", adder / "api.cpp",
                                    {"K": "100'd3"}, adder / "out")
    assert library.name == "libadder.so"
    assert ctypes.CDLL(str(library)).add(5) == 8


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """A function after whose call nothing below a folder can be written, for root neither."""
    def protect(folder: Path) -> None:
        def refuse(path: object) -> None:
            if isinstance(path, str | os.PathLike) and Path(path).is_relative_to(folder):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

        def opened(path: object, mode: str = "r", *rest: object, **more: object) -> object:
            if set(mode) & set("wax+"):
                refuse(path)
            return original_open(path, mode, *rest, **more)

        def made(path: str | Path, *rest: object, **more: object) -> None:
            if not Path(path).is_dir():
                refuse(path)
            original_mkdir(path, *rest, **more)

        original_open, original_mkdir = builtins.open, os.mkdir
        monkeypatch.setattr(builtins, "open", opened)
        monkeypatch.setattr(os, "mkdir", made)

    return protect


def test_read_only_tree_uses_what_is_built(
        adder: Path, read_only: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch) -> None:
    (adder / "api.cpp").write_text(API)
    monkeypatch.setattr(simbuild, "BUILD", adder / "build")

    def build(constant: int) -> Path:
        return simbuild.build_shared("adder", adder / "adder.f", adder / "api.cpp",
                                     {"K": f"100'd{constant}"}, adder / "out" / str(constant), opt="-O0")

    def driver() -> Path:
        return library.driver()

    built = [build(3), driver()]
    for lock in adder.rglob("*.lock"):
        lock.unlink()
    read_only(adder)
    assert [build(3), driver()] == built
    assert ctypes.CDLL(str(built[0])).add(5) == 8
    with pytest.raises(BuildError, match=r"out/4 is not built, and its folder cannot be written \(Read-only file"):
        build(4)


def test_build_without_a_terminal_says_so_once(adder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (adder / "api.cpp").write_text(API)
    for lines in (2, 0):
        simbuild.build_shared("adder", adder / "adder.f", adder / "api.cpp", {}, adder / "out")
        out, err = capsys.readouterr()
        assert out == ""
        said = err.splitlines()
        assert len(said) == lines
        if said:
            assert said[0].startswith("building libadder.so, once")
            assert re.fullmatch(r"built libadder.so in \d+ s", said[1])


def test_cocotb_passes_and_fails(adder: Path) -> None:
    def run(constant: int, **options: int) -> int:
        return simbuild.run_cocotb("adder", adder / "adder.f", __name__, {"K": f"100'd{constant}"},
                                   adder / f"c{constant}", **options)

    assert run(7, expect=1) == 1
    with pytest.raises(AssertionError, match="1 cocotb tests ran, not 2"):
        run(7, expect=2)
    with pytest.raises(AssertionError, match="cocotb"):
        run(8)


def test_other_verilator_on_path_is_never_used(adder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An old Verilator first on PATH, and variables that point to it, change nothing."""
    old = adder / "old"
    old.mkdir()
    for name in ("verilator", "verilator_bin"):
        (old / name).write_text("#!/bin/sh\necho 'Verilator 5.006 2023-01-22'\nexit 1\n")
        (old / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{old}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("VERILATOR_ROOT", str(old))
    monkeypatch.setenv("VERILATOR_BIN", str(old / "verilator_bin"))
    shown = subprocess.run(["verilator", "--version"], capture_output=True, text=True, check=False)
    assert "5.006" in shown.stdout
    simbuild.lint("adder", adder / "adder.f")
    assert simbuild.verilator_bin().is_relative_to(Path(sys.prefix).resolve())
    assert simbuild.run_cocotb("adder", adder / "adder.f", __name__, {"K": "100'd7"},
                               adder / "c") == 1
    assert os.environ["VERILATOR_ROOT"] == str(old)
