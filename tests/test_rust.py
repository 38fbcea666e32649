# SPDX-License-Identifier: Apache-2.0
"""The Rust crates: declarations against the C headers, and, where cargo is, their own tests on the simulated cores."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

import pointmill
from driver import exports, rust_bindings
from driver.package import installed, run, user
from pointmill import library, simbuild

RUST = simbuild.ROOT / "bindings" / "rust"
SYS = RUST / "pointmill-sys"
BINDINGS = SYS / "src" / "bindings.rs"
HEADERS = exports.public_headers("pm_mpu_mmio.h")
UNIT_TESTS, DOC_TESTS = 14, 1

needs_cargo = pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not installed: crates were not built")


def compared(bindings: str, folder: Path) -> int:
    """Has the C compiler compare Rust declarations with the headers; how many. `BuildError` names what differs."""
    lines = [*rust_bindings.prototypes(bindings), *rust_bindings.assertions(bindings)]
    source = folder / "compare.c"
    source.write_text("\n".join([f'#include "{SYS}/headers.h"', *lines, ""]))
    simbuild.run_tool(["gcc", "-std=gnu11", "-Wall", "-Werror", f"-I{library.INCLUDE}", "-fsyntax-only", source])
    return len(lines)


def test_the_crates_have_the_version_of_the_library() -> None:
    crate = (RUST / "pointmill" / "Cargo.toml").read_text()
    assert f'version = "{pointmill.__version__}"\n' in (RUST / "Cargo.toml").read_text()
    assert f'pointmill-sys = {{ path = "../pointmill-sys", version = "={pointmill.__version__}" }}' in crate


def test_declarations_are_those_of_the_headers(tmp_path: Path) -> None:
    """Every function, constant and structure; none is missing."""
    text = BINDINGS.read_text()
    assert rust_bindings.declared(text) == exports.declared(HEADERS)
    assert compared(text, tmp_path) >= 300
    constants = set(re.findall(r"pub const (PM_\w+):", text))
    for name in ("pointmill", "pm_rules", "pm_mpu_ops", "pm_curve", "pm_curve_ops"):
        header = library.INCLUDE / f"{name}.h"
        assert set(re.findall(r"^ +(PM_\w+) = \d+", header.read_text(), re.MULTILINE)) <= constants


@pytest.mark.parametrize(("right", "wrong", "shows"), [
    ("timeout_cycles: u64", "timeout_cycles: u32", "conflicting types for .pm_wait."),
    ("pub const PM_ERR_MODE: pm_error = 15;", "pub const PM_ERR_MODE: pm_error = 14;", "PM_ERR_MODE"),
    ("pub rule: u32,", "pub rule: u8,", r"type of pm_job\.rule"),
    ("size_of::<pm_result>() - 128usize", "size_of::<pm_result>() - 120usize", "Size of pm_result")])
def test_a_stale_declaration_is_noticed(right: str, wrong: str, shows: str, tmp_path: Path) -> None:
    text = BINDINGS.read_text()
    assert right in text
    with pytest.raises(simbuild.BuildError, match=shows):
        compared(text.replace(right, wrong), tmp_path)


@pytest.mark.skipif(shutil.which("bindgen") is None, reason="bindgen is not installed: the C compiler alone compared")
def test_declarations_are_what_bindgen_writes(tmp_path: Path) -> None:
    simbuild.run_tool([RUST / "bindgen.sh", tmp_path / "bindings.rs"])
    assert (tmp_path / "bindings.rs").read_text() == BINDINGS.read_text()


def cargo(*words: str, **more: str) -> str:
    """Runs cargo in the workspace on the installed library; what it printed. `AssertionError` with that if it fails."""
    env = user(installed(), CARGO_TARGET_DIR=str(simbuild.BUILD / "rust"), CARGO_TERM_COLOR="never", **more)
    done = run("cargo", *words, env=env, cwd=RUST)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def crates() -> None:
    """The crates are there; without a registry the tests that need them are named as not run."""
    done = run("cargo", "fetch", env=dict(os.environ), cwd=RUST)
    if done.returncode:
        pytest.skip(f"the crates cannot be had: {done.stderr.strip().splitlines()[-1]}")


@needs_cargo
@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.long)])
def test_the_crates_pass_their_tests(step: int, crates: None) -> None:
    """On one in so many of the Wycheproof cases of X25519, and on all cases of Ed25519."""
    out = cargo("test", "--offline", POINTMILL_TEST_STEP=str(step))
    passed = sum(int(count) for count in re.findall(r"test result: ok\. (\d+) passed; 0 failed; 0 ignored", out))
    assert passed == UNIT_TESTS + DOC_TESTS, out


@needs_cargo
def test_the_example(crates: None) -> None:
    lines = cargo("run", "--quiet", "--offline", "--example", "verify").splitlines()
    assert lines[:2] == ["valid", "20 valid"]
    assert re.fullmatch(r"equation_fails after \d+ cycles", lines[2]) and len(lines) == 3


@needs_cargo
def test_clean_under_clippy_rustfmt_and_rustdoc(crates: None) -> None:
    cargo("clippy", "--offline", "--all-targets", "--", "-D", "warnings")
    cargo("fmt", "--check")
    cargo("doc", "--offline", "--no-deps", RUSTDOCFLAGS="-D warnings")


@needs_cargo
def test_a_library_that_is_not_found_is_one_sentence(crates: None, tmp_path: Path) -> None:
    env = {**user(tmp_path), "CARGO_TARGET_DIR": str(tmp_path / "target"), "CARGO_TERM_COLOR": "never"}
    env.pop("PKG_CONFIG_PATH")
    words = ("cargo", "check", "--offline", "-p", "pointmill-sys")
    done = run(*words, env=env, cwd=RUST)
    assert "error: pointmill-sys@0.1.0: libpointmill 0.1 is not found: install it (make install), or set" in done.stderr
    done = run(*words, env={**env, "POINTMILL_LIB_DIR": str(tmp_path)}, cwd=RUST)
    assert f"error: pointmill-sys@0.1.0: POINTMILL_LIB_DIR={tmp_path}: there is no libpointmill\n" in done.stderr
