# SPDX-License-Identifier: Apache-2.0
"""The measurement of the wheel and its table, without installing anything."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pointmill.measure import install
from pointmill.measure.plan import measurements
from pointmill.measure.records import Record
from pointmill.report import install_page
from pointmill.report.figures import Figures
from pointmill.simbuild import BuildError


def figures(*found: tuple[str, str, str, float]) -> Figures:
    return Figures([Record(name, config, what, value, "") for name, config, what, value in found])


def test_table_of_known_figures() -> None:
    ours = "install.pointmill"
    known = figures((ours, "python", "wheel_bytes", 1_860_000), (ours, "python", "dependencies", 7),
                    (ours, "command", "verdict_ms", 590.4), ("install.none", "python", "import_ms", 20.6),
                    ("install.pynacl", "python", "verdict_ms", 99.6))
    assert install_page.page_table(known).rows == [
        ["`pointmill`", "1.9", "7", "not measured", "not measured"],
        ["`pointmill verify --json -`", "", "", "", "590"],
        ["`PyNaCl`", "not measured", "not measured", "not measured", "100"],
        ["`cryptography`", *["not measured"] * 4],
        ["Python that imports nothing", "", "", "21", ""]]


def test_the_document_needs_its_marks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "python.md"
    monkeypatch.setattr(install_page, "PAGE", page)
    page.write_text("a\n<!-- install:start -->\nold\n<!-- install:end -->\nb\n")
    text = install_page.document(figures())
    assert text.startswith("a\n<!-- install:start -->\n| package |") and "old" not in text and text.endswith("-->\nb\n")
    page.write_text("no marks\n")
    with pytest.raises(ValueError, match="0 sections install"):
        install_page.document(figures())


def test_time_of_a_program(tmp_path: Path) -> None:
    """The least time of many runs, on an empty PATH; a program that fails is an error."""
    program, count = tmp_path / "bin" / "program", tmp_path / "count"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho x >>count\n[ "$1" = good ] || { echo why >&2; exit 1; }\n')
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    environment = install.Environment(tmp_path, tmp_path / "wheel")
    assert 0 < environment.milliseconds("program", "good") < 10_000
    assert len(count.read_text().split()) == install.RUNS
    with pytest.raises(BuildError, match="program failed: why"):
        environment.milliseconds("program", "bad")


def test_the_measurement_is_planned() -> None:
    one = measurements()["install.wheel"]
    assert all(path.is_file() for path in install.inputs(one).paths())
    assert install.tools(one).keys() == set(install.PEERS) and install.config(one)["runs"] == install.RUNS
