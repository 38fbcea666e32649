# SPDX-License-Identifier: Apache-2.0
"""Toggles over secrets: Welch's t, traces of a core, errors, the table of the document."""

from __future__ import annotations

import math
import os
import random

import numpy as np
import pytest

from pointmill import register_map
from pointmill.measure.faults.targets import secret_packet
from pointmill.measure.leakage import record, remains
from pointmill.measure.leakage.targets import TARGETS
from pointmill.measure.leakage.welch import t_values
from pointmill.measure.plan import measurements
from pointmill.measure.records import Record
from pointmill.report import trust_page
from pointmill.report.figures import Figures

FEW = 16
NAME = "multicurve_ecdsa_sign"
SIGNATURE = 22_841
"""Cycles of edverify_sign."""
SHORT = pytest.mark.parametrize("name", ["x25519_tile", pytest.param(NAME, marks=pytest.mark.long)])


@pytest.fixture
def known_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature takes SIGNATURE cycles, and is not run to be timed."""
    monkeypatch.setattr(record, "toggles", lambda *_: np.empty((1, SIGNATURE), np.uint32))


def test_t_of_known_numbers() -> None:
    """By hand: means 2 and 5, variances 1 and 4, of three and four; equal constants, and others."""
    first = np.array([[1, 7, 7], [2, 7, 7], [3, 7, 7]])
    second = np.array([[3, 7, 8], [4, 7, 8], [6, 7, 8], [7, 7, 8]])
    found = t_values(first, second)
    assert found[0] == pytest.approx((2 - 5) / math.sqrt(1 / 3 + 10 / 3 / 4))
    assert found[1] == 0 and found[2] == -math.inf
    with pytest.raises(ValueError, match="two traces of each kind"):
        t_values(first[:1], second)
    with pytest.raises(ValueError, match="all as long"):
        t_values(first[:, :2], second)


def test_t_of_noise() -> None:
    """Two sets of one distribution: about one cycle in 70,000 above the threshold of 200 traces; a shift is seen."""
    rng = np.random.default_rng(5)
    rows = rng.normal(100, 10, (200, 20_000))
    assert (abs(t_values(rows[::2], rows[1::2])) > 4.5).sum() <= 3
    rows[::2, 700] += 10
    found = abs(t_values(rows[::2], rows[1::2]))
    assert found.argmax() == 700 and found[700] > 5


@pytest.mark.parametrize("test", record.TESTS)
def test_jobs(test: str) -> None:
    """Half of the traces in each set; which secrets and operands are the same."""
    target = TARGETS["x25519_tile"]
    found = list(record.jobs(target, test, 11, 3))
    assert found == list(record.jobs(target, test, 11, 3)) != list(record.jobs(target, test, 11, 4))
    firsts = [first for first, _, _ in found]
    assert firsts.count(True) == 6 and firsts != sorted(firsts, reverse=True)
    secrets, operands = ([packet[at : at + 40] for _, packet, _ in found] for at in (10, 50))
    of_first = {one for first, one in zip(firsts, secrets, strict=True) if first}
    assert len(of_first) == (6 if test == "control" else 1) and len(set(secrets)) == 5 + len(of_first)
    assert len(set(operands)) == (1 if test == "fixed" else 11)


@pytest.mark.long
def test_a_fixed_secret_shows() -> None:
    """In few traces, against the control; each test has the traces and cycles of the others."""
    found = {(one.config, one.what): one.value for one in record.measure(NAME, FEW)}
    assert {found[test, "traces"] for test in record.TESTS} == {FEW}
    assert len({found[test, "cycles"] for test in record.TESTS}) == 1 and found["fixed", "cycles"] > 10_000
    assert found["fixed", "leaking"] > 0.1 > 0.01 > found["control", "leaking"]
    assert found["fixed", "t_max"] > 3 * found["control", "t_max"]


@SHORT
def test_a_wrong_result_is_an_error(name: str) -> None:
    target, rng = TARGETS[name], random.Random(1)
    (packet, payload), (_, other) = (target.job(secret, rng) for secret in (5, 6))
    assert len(record.toggles(target, [packet], [payload])) == 1
    with pytest.raises(RuntimeError, match="a result is wrong"):
        record.toggles(target, [packet], [other])


@SHORT
def test_different_times_are_an_error(name: str) -> None:
    """A job and one that is rejected; a signature and a product of a point by a secret."""
    others = {"x25519_tile": (secret_packet(1, "x25519", bytes(32)), b""),
              NAME: TARGETS["multicurve_ecdh"].job(5, random.Random(1))}
    packets, wanted = zip(TARGETS[name].job(5, random.Random(1)), others[name], strict=True)
    with pytest.raises(RuntimeError, match="jobs take different times"):
        record.toggles(TARGETS[name], packets, wanted)


@pytest.mark.long
def test_time_of_a_signature() -> None:
    packet, payload = TARGETS["edverify_sign"].job(5, random.Random(1))
    assert record.toggles(TARGETS["edverify_sign"], [packet], [payload]).shape[1] == SIGNATURE


@pytest.mark.parametrize(("name", "end"), [
    pytest.param(name, end, marks=[] if (name, end) == (NAME, "result") else pytest.mark.long)
    for end in remains.ENDS for name in TARGETS])
def test_nothing_remains(name: str, end: str) -> None:
    """Of a secret, behind its result or a soft reset."""
    assert remains.remaining(name, end, 4) == {}


@pytest.mark.parametrize("part", [0.0003, 0.002, 0.0048, 0.03, 0.3, 0.99, 0.9925, 0.9955, 0.9975, 0.9985])
def test_nothing_remains_of_an_aborted_signature(part: float, known_time: None,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever the soft reset comes: in the hashes of seed and message, the multiples of the base point, the inversion,
    the encodings, the last scalar."""
    monkeypatch.setattr(remains, "PART", part)
    assert remains.remaining("edverify_sign", "abort", 3) == {}


def test_traces_of_a_signature_under_way(known_time: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are found where the write is to another register than that of the soft reset."""
    address = register_map.address
    monkeypatch.setattr(register_map, "address", lambda core, _name: address(core, "IRQ_ENABLE"))
    found = remains.remaining("edverify_sign", "abort", 3)
    assert found["pm_regbank"] > 1000 and found["pm_edverify_tx"] == 0


def test_table_of_known_figures() -> None:
    def figure(test: str, what: str, value: float) -> Record:
        return Record("trust.leakage.x25519_tile", test, what, value, "")

    known = Figures([figure("fixed", "traces", 200), figure("fixed", "cycles", 34144),
                     figure("fixed", "t_max", 56.7), figure("fixed", "leaking", 0.1187)])
    assert ["`x25519_tile`", "`x25519`, `tile`", "200", "34,144", "56.7", "11.87%",
            *["not measured"] * 4] in trust_page.leakage(known).rows


def test_table_of_known_remains() -> None:
    def figure(name: str, value: float) -> Record:
        what = "module_bits" if name else "remaining"
        return Record(f"trust.remains.x25519_tile{name}", "abort", what, value, "bits")

    rows = trust_page.remains(Figures([figure("", 30), figure(".pm_a", 10), figure(".pm_b", 20)])).rows
    assert rows[:2] == [["`x25519_tile`", "result", "not measured", ""],
                        ["`x25519_tile`", "abort", "30", "`pm_b` 20, `pm_a` 10"]]


@pytest.mark.parametrize("kind", ["leakage", "remains"])
def test_every_target_is_planned(kind: str) -> None:
    planned = [one.words[-1] for one in measurements().values() if one.words[0] == kind]
    assert sorted(planned) == sorted(TARGETS)


@pytest.mark.soak
@pytest.mark.parametrize("name", TARGETS)
def test_soak(name: str) -> None:
    """PM_SOAK_TRACES traces of each test; prints the figures."""
    for one in record.measure(name, int(os.environ.get("PM_SOAK_TRACES", "1000"))):
        print(f"\n{name}, {one.config}: {one.what} {one.value:,}", end="", flush=True)
        assert one.config == "control" or one.what != "t_max" or one.value > 4.5
