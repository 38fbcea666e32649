# SPDX-License-Identifier: Apache-2.0
"""Cycles over secrets: which are chosen, operations with few of them, errors, and the tables of the documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pointmill.measure import timing
from pointmill.measure.plan import measurements
from pointmill.measure.records import Record
from pointmill.model import scalar
from pointmill.report import trust_page
from pointmill.report.figures import Figures

FEW = 24


def values(found: list[Record]) -> dict[str, float]:
    return {one.what: one.value for one in found}


def test_chosen_secrets() -> None:
    """The ends of the range, the order and its neighbours, single bits, low weight; then random ones; none twice."""
    found = timing.secrets(500, 256, scalar.L)
    top = (1 << 256) - 1
    assert len(found) == len(set(found)) == 500 and found == timing.secrets(500, 256, scalar.L)
    assert {0, 1, top, scalar.L - 1, scalar.L, scalar.L + 1, 1 << 255} <= set(found)
    weights = [one.bit_count() for one in found]
    assert weights.count(1) > 80 and weights.count(255) > 80 and {2, 3, 5} <= set(weights)
    assert sum(100 < weight < 156 for weight in weights) > 200
    few = timing.secrets(20, 256, scalar.L, low=1, high=scalar.L - 1)
    assert {1, scalar.L - 1} <= set(few) and all(0 < one < scalar.L for one in few)


def test_every_operation_is_planned() -> None:
    planned = [one.words[-1] for one in measurements().values() if one.words[0] == "timing"]
    assert sorted(planned) == sorted(timing.OPERATIONS)


@pytest.mark.parametrize("name", [
    "x25519_tile", "multicurve_ecdsa_sign", "edverify_sign",
    *(pytest.param(name, marks=pytest.mark.long) for name in sorted(timing.OPERATIONS.keys() - {
        "x25519_tile", "multicurve_ecdsa_sign", "edverify_sign"}))])  # fmt: skip
def test_one_time_for_all_secrets(name: str) -> None:
    found = values(timing.measure(name, FEW))
    assert found["secrets"] >= 3 and found["deviation"] == 0 and found["cycles_max"] > 1000


def test_a_difference_is_seen() -> None:
    """A job of one cycle more, and a job without a result."""
    assert values(timing.records("x25519_tile", [1, 2, 3], [70, 71, 70])) == {
        "secrets": 3, "deviation": 1, "cycles_max": 71}
    with pytest.raises(RuntimeError, match="2 of 3 jobs"):
        timing.records("x25519_tile", [1, 2, 3], [70, 71])


def test_an_operation_may_have_a_part_of_the_secrets() -> None:
    def run(numbers: object) -> Iterator[int]:
        yield from []

    operation = replace(timing.OPERATIONS["mpu_ecmul"], run=run, share=4)
    assert len(operation.secrets(2000)) == 500


def test_tables_of_known_figures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def figure(name: str, config: str, what: str, value: float) -> Record:
        return Record(name, config, what, value, "")

    bad = "trust.faults.edverify_paper"
    known = Figures([
        figure("trust.timing", "x25519_tile", "secrets", 500), figure("trust.timing", "x25519_tile", "deviation", 0),
        figure("trust.timing", "x25519_tile", "cycles_max", 34135),
        figure(bad, "plain", "flips", 4000), figure(bad, "plain", "accepted", 3),
        figure(f"{bad}.by_bit", "plain", "flips", 2000),
        figure(f"{bad}.pm_a", "plain", "flips", 100), figure(f"{bad}.pm_a", "plain", "accepted", 1),
        figure(f"{bad}.pm_b", "plain", "flips", 10), figure(f"{bad}.pm_b", "plain", "hangs_kept", 2),
        figure(f"{bad}.pm_c", "plain", "flips", 10), figure(f"{bad}.pm_c", "plain", "accepted", 0)])  # fmt: skip
    rows = trust_page.outcomes(known, "plain").rows
    assert rows[0][:3] == ["`edverify_paper`", "4,000", "3"] and rows[1][:2] == ["every bit alike", "2,000"]
    assert rows[-1][:2] == ["all", "not measured"]
    assert trust_page.modules(known).rows == [["`edverify_paper`", "`pm_b`", "10", "0", "0", "2"],
                                              ["`edverify_paper`", "`pm_a`", "100", "1", "0", "0"]]
    assert ["`x25519_tile`", "`x25519`, `tile`", "500", "34,135", "0"] in trust_page.timing(known).rows
    page = tmp_path / "timing.md"
    page.write_text("a\n<!-- timing:start -->\nold\n<!-- timing:end -->\nb\n")
    monkeypatch.setattr(trust_page, "TIMING", page)
    text = trust_page.documents(known)[page]
    assert "old" not in text and text.startswith("a\n<!-- timing:start -->\n| operation") and text.endswith("-->\nb\n")
    page.write_text("no marks\n")
    with pytest.raises(ValueError, match="0 sections timing"):
        trust_page.documents(known)


@pytest.mark.soak
@pytest.mark.parametrize("name", timing.OPERATIONS)
def test_soak(name: str) -> None:
    """PM_SOAK_SECRETS secrets, or the operation's part of them."""
    found = values(timing.measure(name, int(os.environ.get("PM_SOAK_SECRETS", "2000"))))
    print(f"\n{name}: {found['secrets']:,.0f} secrets, {found['cycles_max']:,.0f} cycles each", flush=True)
    assert found["deviation"] == 0
