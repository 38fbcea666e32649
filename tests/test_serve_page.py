# SPDX-License-Identifier: Apache-2.0
"""The measurements of the service and the tables of docs/serve.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from pointmill.measure import serving
from pointmill.measure.plan import measurements
from pointmill.measure.records import Record
from pointmill.report import serve_page
from pointmill.report.figures import Figures

KNOWN = {("serve.bare", "device_us"): 50, ("serve.http", "program_us"): 21.5, ("serve.http", "device_us"): 54,
         ("serve.http", "request_bytes"): 253, ("serve.load_0.2", "latency_p50"): 1.9,
         ("serve.load_0.2", "latency_p99"): 4.2, ("serve.load_0.2", "served"): 1,
         ("serve.load_2.0", "latency_p50"): 56.3, ("serve.load_2.0", "latency_p99"): 60.1,
         ("serve.load_2.0", "served"): 0.536}


def figures(known: dict[tuple[str, str], float], *others: Record) -> Figures:
    return Figures([*(Record(name, "model", what, value, "") for (name, what), value in known.items()), *others])


def test_tables_of_known_figures() -> None:
    found = figures(KNOWN)
    assert serve_page.overhead(found).rows == [
        ["functional device alone", None, 50, None, 1.0, 40_000], ["HTTP", 21.5, 54, "25.5", 1.51, 2e6 / 75.5],
        ["gRPC", "not measured", None, None, None, None]]
    assert serve_page.loads(found).rows == [["0.2", "1.9", "4.2", "100.0%"], ["2.0", "56.3", "60.1", "53.6%"]]
    assert serve_page.reached(found) == "" and serve_page.overhead(figures({})).rows[0][1] == "not measured"
    drawn = serve_page.picture(found)
    assert drawn is not None and "load 2.0: 99 of 100 requests within 60.1, 53.6% served" in drawn.document()
    assert serve_page.picture(figures({})) is None


def test_a_million_a_second() -> None:
    """Rounded up; the clock is the one in the middle of those of the seeds."""
    clocks = [Record("pm_edverify_tiles", f"ecp5 seed {seed}", "mhz", mhz, "MHz")
              for seed, mhz in ((1, 90), (2, 100), (3, 110))]
    found = figures(KNOWN, *clocks, Record("edverify.verify", "tiles", "cycles_per_verification", 1999, "cycles"))
    assert serve_page.scale(found).rows == [
        ["boards with an ECP5-85, `tiles` at its routed 100.0 MHz", "50,025 a second", "20"],
        ["link to each of them, `tiles`", "120 bytes a job", "48.0 Mbit/s"],
        ["in place of boards: processors with libsodium", "50.0 us a job", "50"],
        ["programs of the service, a processor each, HTTP", "21.5 us a job", "22"],
        ["hosts of 16 processors for them", "", "2"],
        ["network from the clients, HTTP", "253 bytes a job", "2.0 Gbit/s"]]


def test_the_document_needs_its_marks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "serve.md"
    monkeypatch.setattr(serve_page, "PAGE", page)
    page.write_text("no marks\n")
    with pytest.raises(ValueError, match="0 sections overhead"):
        serve_page.document(figures(KNOWN))


def test_overhead(monkeypatch: pytest.MonkeyPatch) -> None:
    """In little: every way has its times and bytes, and gRPC sends less."""
    monkeypatch.setattr(serving, "JOBS", 600)
    monkeypatch.setattr(serving, "ROUNDS", 1)
    found = {(record.id, record.what): record.value for record in serving.overhead()}
    assert found.keys() == {("serve.bare", "device_us"), *((f"serve.{way}", what) for way in ("http", "grpc")
                                                           for what in ("program_us", "device_us", "request_bytes"))}
    assert all(value > 0 for value in found.values())
    assert found["serve.grpc", "request_bytes"] < found["serve.http", "request_bytes"] / 1.5


def test_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past saturation some is turned away, and the rest waits for the queue."""
    monkeypatch.setattr(serving, "LOADS", (0.3, 3.0))
    monkeypatch.setattr(serving, "SECONDS", 2)
    found = {(record.id, record.what): record.value for record in serving.load()}
    assert len(found) == 2 + 2 * 3 and found["serve.load", "reached"] <= 1 <= found["serve.load", "alone"]
    assert found["serve.load_0.3", "served"] == 1 and 0.2 < found["serve.load_3.0", "served"] < 0.9
    assert found["serve.load_3.0", "latency_p50"] > 3 * found["serve.load_0.3", "latency_p50"]


@pytest.mark.parametrize("name", ["overhead", "load"])
def test_the_measurements_are_planned(name: str) -> None:
    one = measurements()[f"serve.{name}"]
    assert all(path.is_file() for path in serving.inputs(one).paths())
    assert serving.tools(one).keys() == set(serving.PACKAGES) and serving.config(one)["python"]
