# SPDX-License-Identifier: Apache-2.0
"""The C driver built by CMake under sanitizers: its unit tests, and the fuzz targets of tests/fuzz."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from driver.c_tests import fails
from dv.common.planted import planted_file
from pointmill import library, simbuild

HERE = Path(__file__).resolve().parent / "fuzz"
SEED = os.environ.get("PM_SEED", "1")
TARGETS = ("config", "mpu", "results", "curve")
MORE = {"results": ("hostile", "ed_core"), "curve": ("hostile",)}
"""What a target needs beside its own file."""
RUNS, RUNS_LONG = 3000, 200_000
FLAGS = ("-std=c11", "-O1", f"-I{library.INCLUDE}")

# Defects of the driver that let a hostile core through: file, what is replaced, by what, target.
BUGS = {
    "valid with a reason": ("packet.c", "answer.valid == (answer.reason == PM_REASON_OK)", "true", "results"),
    "another rule": ("queue.c", "|| answer.rule != slot->rule", "", "results"),
    "another tag": ("queue.c", " || slot->wire_tag != answer.tag", "", "results"),
    "a second result": ("queue.c", "slot->answered || ", "", "results"),
    "a packet too long": ("queue.c", "dev->rx_length != PM_RESULT_BYTES + payload || ", "", "results"),
    "another operation": ("curve.c", "rx[1] == job->op && ", "", "curve"),
    "a number too long": ("curve.c", "PM_NUMBER_BYTES) == 0;", "PM_NUMBER_BYTES) != 2;", "curve"),
    "number beyond its limit": ("config.c", "digit <= max && ", "", "config"),
    "name beyond its buffer": ("config.c", "if (length >= size) {", "if (length > size) {", "config"),
    "field overflow": ("mpu.c", "c.op >= OP_END || ", "", "mpu"),
    "no entry": ("mpu.c", "PM_ERR_ARGUMENT;\n  }\n  return mpu->backend->copy_in",
                 "PM_OK;\n  }\n  return mpu->backend->copy_in", "mpu"),
}


def build(preset: str) -> Path:
    """Builds everything under a preset of sw/CMakePresets.json; the folder of the build. `BuildError`."""
    folder = simbuild.BUILD / "cmake" / preset
    with simbuild.locked(folder):
        simbuild.run_tool(["cmake", "--preset", preset], library.SW)
        simbuild.run_tool(["cmake", "--build", folder, "--parallel", "2"], library.SW)
    return folder


@pytest.fixture(scope="module")
def sanitized() -> Path:
    """The folder of the build under sanitizers."""
    return build("sanitize")


def test_unit_tests_of_the_driver(sanitized: Path) -> None:
    out = simbuild.run_tool(["ctest", "--preset", "sanitize", "--exclude-regex", "fuzz"], library.SW)
    assert "100% tests passed, 0 tests failed out of 7\n" in out


def reached(program: Path, runs: int) -> dict[str, int]:
    """Runs a fuzz target; what it counted. `BuildError`, with the number of the input, when something does not hold."""
    lines = simbuild.run_tool([program, str(runs), SEED]).splitlines()
    return {name: int(count) for name, count in (line.split() for line in lines)}


@pytest.mark.parametrize("target", TARGETS)
def test_no_finding(target: str, sanitized: Path) -> None:
    """Everything that a target counts was reached too."""
    counts = reached(sanitized / "fuzz" / f"fuzz_{target}", RUNS)
    assert counts.pop("runs") >= RUNS
    assert len(counts) >= 4 and min(counts.values()) > 0, counts


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_no_finding_in_a_long_run(target: str, sanitized: Path) -> None:
    assert reached(sanitized / "fuzz" / f"fuzz_{target}", RUNS_LONG)["runs"] >= RUNS_LONG


@pytest.mark.long
@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed: libFuzzer did not run")
@pytest.mark.parametrize("target", TARGETS)
def test_no_finding_of_libfuzzer(target: str, tmp_path: Path) -> None:
    """Inputs that are led by what they reach, for a minute."""
    program = build("libfuzzer") / "fuzz" / f"fuzz_{target}"
    simbuild.run_tool([program, "-max_total_time=60", "-verbosity=0", tmp_path], tmp_path)
    assert any(tmp_path.iterdir())


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Objects of each target without the driver's."""
    folder = tmp_path_factory.mktemp("targets")
    made: dict[str, list[Path]] = {}
    for target in TARGETS:
        names = ["random", f"fuzz_{target}", *MORE.get(target, ())]
        sources = [HERE / f"{name}.c" for name in names]
        made[target] = [folder / f"{target}-{source.stem}.o" for source in sources]
        for source, product in zip(sources, made[target], strict=True):
            simbuild.run_tool(["gcc", *FLAGS, "-c", source, "-o", product])
    return made


def program_with(source: Path | None, replaced: str, target: str, parts: list[Path], folder: Path) -> Path:
    """A fuzz target with one file of the driver replaced, without sanitizers."""
    define = {"config": ["-DPM_WITH_SIM"], "mpu": []}.get(target, ["-DPM_EXTRA_BACKEND=pm_backend_hostile"])
    more = library.BACKENDS["PM_WITH_SIM"] if target == "config" else ()
    driver = [source if source and file.name == replaced else file for file in (*library.DRIVER, *more)]
    program = folder / f"fuzz_{target}"
    simbuild.run_tool(["gcc", *FLAGS, f"-I{library.SW / 'src'}", *define, *driver, *parts, "-ldl", "-o", program])
    return program


@pytest.mark.parametrize("target", TARGETS)
def test_without_a_bug_it_passes(target: str, targets: dict[str, list[Path]], tmp_path: Path) -> None:
    assert not fails(program_with(None, "", target, targets[target], tmp_path), "1000", SEED)


@pytest.mark.parametrize("bug", BUGS)
def test_seeded_bug_is_caught(bug: str, targets: dict[str, list[Path]], tmp_path: Path) -> None:
    name, right, wrong, target = BUGS[bug]
    source = planted_file(library.SW / "src" / name, right, wrong, tmp_path)
    program = program_with(source, name, target, targets[target], tmp_path)
    assert fails(program, "20000", "1")


def test_an_input_is_named_and_repeats(targets: dict[str, list[Path]], tmp_path: Path) -> None:
    """A failing run says which input it was, and that input alone fails again."""
    name, right, wrong, target = BUGS["another rule"]
    source = planted_file(library.SW / "src" / name, right, wrong, tmp_path)
    program = program_with(source, name, target, targets[target], tmp_path)
    with pytest.raises(simbuild.BuildError) as caught:
        simbuild.run_tool([program, "20000", "1"])
    found = re.search(r"input (\d+) of seed 1", str(caught.value))
    assert found, caught.value
    assert fails(program, "1", "1", found[1]) and not fails(program, found[1], "1")
