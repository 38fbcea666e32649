# SPDX-License-Identifier: Apache-2.0
"""The measurements of boards and their tables, without making a bitstream."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pointmill.measure import boards
from pointmill.measure.plan import measurements
from pointmill.measure.records import Record
from pointmill.measure.synthesis.pnr import COLUMNS
from pointmill.report import board_page
from pointmill.report.figures import Figures

ROUTED = {"clock_mhz": 75, "routed_mhz": 76.52, "slowest": "13.07 ns", **dict.fromkeys(COLUMNS, 9)}
BEGUN = [{"initial": "zero", "right": 200, "resets": 5, "aborted": 11}]


def figures(*found: tuple[str, str, float]) -> Figures:
    return Figures([Record("board.ulx3s_85f", config, what, value, "") for config, what, value in found])


def test_a_bitstream_of_every_board_three_seeds_and_a_netlist_of_one() -> None:
    names = {name for name in measurements() if name.startswith("board.")}
    assert names == {f"board.ulx3s_85f.{what}" for what in (1, 2, 3, "netlist")} | {"board.ecpix5_85.1"}


@pytest.mark.parametrize(("what", "command", "found"), [
    ("2", ["-m", "boards.build", "ulx3s_85f", "--seed", "2"],
     [("seed 2", "pll_mhz", 75), ("seed 2", "mhz", 76.52), *(("seed 2", word, 9) for word in COLUMNS)]),
    ("netlist", ["-m", "boards.simulate", "ulx3s_85f"],
     [("zero", "right", 200), ("zero", "resets", 5), ("zero", "aborted", 11)])])
def test_figures(what: str, command: Sequence[str], found: Sequence[tuple[str, str, float]], tmp_path: Path,
                 monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the program leaves."""
    def program(words: Sequence[str]) -> str:
        assert list(words[1:]) == command
        (tmp_path / "ulx3s_85f.json").write_text(json.dumps(ROUTED))
        (tmp_path / "ulx3s_85f.netlist.json").write_text(json.dumps(BEGUN))
        return ""

    monkeypatch.setattr(boards, "OUT", tmp_path)
    monkeypatch.setattr(boards, "run_tool", program)
    one = measurements()[f"board.ulx3s_85f.{what}"]
    assert [(one.config, one.what, one.value) for one in boards.run(one)] == list(found)
    assert boards.timing(one) == ({} if what == "netlist" else {"slowest": "13.07 ns"})


def test_what_the_figures_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock, the core, the seed; not the seed that is taken where none is given."""
    one = measurements()["board.ulx3s_85f.1"]
    known = boards.read_yaml(boards.HERE / "ulx3s_85f" / "board.yaml")
    digest = boards.inputs(one).digest()
    for key, value, same in (("seed", 7, True), ("clock_mhz", 60, False),
                             ("core", {"name": "x25519", "config": "tile"}, False)):
        monkeypatch.setattr(boards, "read_yaml", lambda path, change={key: value}: known | change)
        assert (boards.inputs(one).digest() == digest) == same, key
    monkeypatch.undo()
    assert boards.inputs(replace(one, words=("ulx3s_85f", "2"))).digest() != digest


def test_tables_of_known_figures() -> None:
    known = figures(("seed 1", "pll_mhz", 75), ("seed 1", "mhz", 78.75), ("seed 1", "comb", 47_000),
                    ("random", "right", 26), ("random", "resets", 1), ("random", "aborted", 3))
    seeds = {"ulx3s_85f": ["1", "2"]}
    assert board_page.clock_table(known, seeds).rows == [
        ["`ulx3s_85f`", "1", 75, "78.8", "5.0%", 47_000, None, None, None],
        ["`ulx3s_85f`", "2", None, "not measured", "not measured", None, None, None, None]]
    assert board_page.netlist_table(known, seeds).rows == [["`ulx3s_85f`", "random", 26, 1, 3]]
