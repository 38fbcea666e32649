# SPDX-License-Identifier: Apache-2.0
"""Toggles of the X25519 engine without and with random coordinates: what shows, errors, the table of the document."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pointmill.measure.coordinates import record
from pointmill.measure.leakage.welch import t_values
from pointmill.measure.plan import measurements
from pointmill.measure.records import Record
from pointmill.report import trust_page
from pointmill.report.figures import Figures

SHOWS, HIDDEN = 0.1, 0.005
"""Shares of cycles above the threshold, in few traces."""


def share(form: str, test: str, traces: int) -> float:
    """Of cycles whose |t| is above the threshold, of all registers."""
    firsts, work = zip(*record.jobs(test, traces, 5), strict=True)
    rows, first = record.toggles(form, work).sum(axis=1), np.array(firsts)
    return float((abs(t_values(rows[first], rows[~first])) > 4.5).mean())


@pytest.mark.parametrize("test", record.TESTS["randomised"])
def test_jobs(test: str) -> None:
    """Half of the traces in each set; which secrets, operands and random numbers are the same."""
    found = list(record.jobs(test, 11, 3))
    assert found == list(record.jobs(test, 11, 3)) != list(record.jobs(test, 11, 4))
    firsts = [first for first, _ in found]
    assert firsts.count(True) == 6 and firsts != sorted(firsts, reverse=True)
    secrets, operands, numbers = zip(*(job for _, job in found), strict=True)
    of_first = {one for first, one in zip(firsts, secrets, strict=True) if first}
    assert len(of_first) == (6 if test == "control" else 1) and len(set(secrets)) == 5 + len(of_first)
    assert len(set(operands)) == (1 if test in ("fixed", "repeated") else 11)
    assert len(set(numbers)) == (1 if test == "repeated" else 11)


@pytest.mark.long
def test_a_fixed_secret_shows_in_the_plain_engine() -> None:
    assert share("plain", "fixed", 24) > SHOWS > HIDDEN > share("plain", "control", 24)


@pytest.mark.parametrize("traces", [12, pytest.param(24, marks=pytest.mark.long)])
def test_random_coordinates_hide(traces: int) -> None:
    """The secret, but not with the same number in all traces."""
    assert share("randomised", "repeated", traces) > SHOWS > HIDDEN > share("randomised", "fixed", traces)


def test_the_scalar_shows_alone() -> None:
    """In the registers that its bits are shifted through: at least once a step."""
    rng = random.Random(1)
    counts = record.toggles("randomised", [(k, bytes(32), rng.randbytes(32)) for k in (bytes(32), b"\xaa" * 32)])
    assert (counts[0, 1] != counts[1, 1]).sum() > 200


@pytest.mark.parametrize(("form", "cycles"), [
    ("randomised", 25_089), pytest.param("plain", 25_071, marks=pytest.mark.long)])
def test_times(form: str, cycles: int) -> None:
    """18 cycles more, and two that the bench counts: the wiping, and the cycle in which the job is taken."""
    assert record.toggles(form, [(bytes(32), bytes(32), bytes(32))]).shape[2] == cycles + 2


def test_a_wrong_result_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "x25519", lambda *_: bytes(32))
    with pytest.raises(RuntimeError, match="a result is wrong"):
        record.toggles("randomised", [(b"\x05" * 32, b"\x09" + bytes(31), bytes(32))])


def test_table_of_known_figures() -> None:
    def figure(part: str, what: str, value: float) -> Record:
        return Record(f"trust.coordinates.randomised{part}", "repeated", what, value, "")

    known = Figures([figure("", "traces", 200), figure("", "cycles", 25091), figure("", "t_max", 32.54),
                     figure("", "leaking", 0.4207), figure(".scalar", "t_max", 14.88),
                     figure(".scalar", "leaking", 0.0055)])
    rows = trust_page.coordinates(known).rows
    assert ["randomised", "repeated", "200", "25,091", "32.5", "42.07%", "14.9", "0.55%"] in rows
    assert len(rows) == 7


def test_every_form_is_planned() -> None:
    assert [one.words[-1] for one in measurements().values() if one.words[0] == "coordinates"] == list(record.TESTS)
