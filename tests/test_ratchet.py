# SPDX-License-Identifier: Apache-2.0
"""The ratchet: what may change, what must be said, and what is written."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from pointmill.bench import ratchet, report
from pointmill.bench.records import Record
from pointmill.evidence import cycles
from pointmill.evidence.plan import Measurement
from pointmill.library import X25519_CONFIGS

CHANGELOG = """# Changelog

## Unreleased

- Two contexts more. Ratchet: throughput/alone/zip215, and Ratchet: paper/verify/cycles_mean.

## 1.0.0

- Ratchet: paper/queue/zip215
"""


def test_names_of_the_changelog() -> None:
    """Only those of the section Unreleased, without the full stop of a sentence."""
    assert ratchet.named(CHANGELOG) == {"throughput/alone/zip215", "paper/verify/cycles_mean"}
    assert ratchet.named("# Changelog\n\n## 1.0.0\n\n- Ratchet: a/b\n") == set()
    assert ratchet.named("## Unreleased\n\n- Ratchet: a/b\n") == {"a/b"}


def test_comparison() -> None:
    known = {"same": 5, "worse": 5, "named": 5, "better": 5, "gone": 5, "gone_named": 5}
    measured = {"same": 5, "worse": 6, "named": 6.1, "better": 4, "new": 1}
    outcome = ratchet.compare(known, measured, {"named", "gone_named"})
    assert [change.name for change in outcome.failed] == ["gone", "worse"]
    assert [change.name for change in outcome.allowed] == ["gone_named", "named"]
    assert [change.name for change in outcome.better] == ["better", "new"]
    assert str(outcome.failed[1]) == "worse: 5 -> 6"
    assert str(outcome.failed[0]) == "gone: 5, not measured any more"


def test_cycle_counts_of_the_bench() -> None:
    records = [
        Record("edverify.verify", "paper", "cycles_mean", 7436.2, "cycles"),
        Record("edverify.verify", "paper", "products", 3130, "products"),
        Record("edverify.load_fixed_0.1", "throughput", "latency_mean", 19000, "cycles"),
        Record("edverify.multiplier", "paper", "in_spacing", 12, "cycles"),
    ]
    assert ratchet.figures(records) == {"paper/verify/cycles_mean": 7436.2}


def test_file_round_trip(tmp_path: Path, monkeypatch) -> None:
    sections = {"test": {"b/x": 2, "a/y": 1.5}, "bench": {}}
    path = tmp_path / "ratchet.yaml"
    monkeypatch.setattr(ratchet, "FILE", path)
    ratchet.write(sections)
    assert {name: ratchet.committed(name) for name in sections} == sections
    assert path.read_text().index("a/y") < path.read_text().index("b/x")


def test_a_worse_count_fails_and_is_not_written(tmp_path: Path, monkeypatch) -> None:
    """Unless the changelog names it; a better one is written on demand."""
    path, changelog = tmp_path / "ratchet.yaml", tmp_path / "CHANGELOG.md"
    monkeypatch.setattr(ratchet, "FILE", path)
    monkeypatch.setattr(ratchet, "CHANGELOG", changelog)
    ratchet.write({"test": {"a": 5, "b": 5}, "bench": {"c": 7}, "x25519": {}, "mpu": {}, "area": {}})
    changelog.write_text("## Unreleased\n")
    console = Console(record=True, width=200)

    def run(a: int, b: int) -> bool:
        return report.check_ratchet(console, {"test": {"a": a, "b": b}, "bench": None}, True)

    assert run(6, 4)
    assert ratchet.committed("test") == {"a": 5, "b": 5}
    assert "worse: a: 5 -> 6; say why in CHANGELOG.md: Ratchet: a" in console.export_text()
    changelog.write_text("## Unreleased\n\n- Ratchet: a\n")
    assert not run(6, 4)
    assert ratchet.committed("test") == {"a": 6, "b": 4}
    assert ratchet.committed("bench") == {"c": 7}


def test_committed_file() -> None:
    """The committed figures are positive and sorted as they are written."""
    for section in ratchet.SECTIONS:
        figures = ratchet.committed(section)
        assert figures or section in ("mpu", "area")
        assert all(value > 0 or section == "area" for value in figures.values())
        assert list(figures) == sorted(figures)


def test_bench_of_one_core(monkeypatch) -> None:
    """Measures that core alone, writes its records, and compares its section; another number of signatures writes nothing."""
    saved, worse = [], {"by": 0}

    def run(one: Measurement, few: int, many: int) -> list[Record]:
        config = one.words[2]
        known = ratchet.committed("x25519")
        return [Record("x25519.x25519", config, what, known[f"x25519/{config}/x25519/{what}"] + worse["by"], "cycles")
                for what in ("cycles_alone", "cycles_per_operation")]

    monkeypatch.setattr(cycles, "run", run)
    monkeypatch.setattr(report.store, "save", lambda entry: saved.append(entry.measurement))
    monkeypatch.setattr(report, "render", lambda: [])
    assert report.main(["x25519"]) == 0
    assert saved == [f"bench.x25519.exchange.{config}" for config in X25519_CONFIGS]
    assert report.main(["x25519", "--signatures", "5"]) == 0 and len(saved) == len(X25519_CONFIGS)
    worse["by"] = 1
    assert report.main(["x25519"]) == 1


def test_sections_of_one_core_keep_the_others() -> None:
    """`bench` holds two cores: of the one that is not measured the committed counts stand."""
    figure = Record("multicurve.P256_double", "paper", "cycles", 35, "cycles")
    found = report.by_section([figure], ["multicurve"])
    assert [*found] == ["bench"] and found["bench"]["multicurve/paper/P256_double/cycles"] == 35
    known = ratchet.committed("bench")
    assert {name: known[name] for name in known if not name.startswith("multicurve/")}.items() <= found["bench"].items()
    assert len(found["bench"]) == 1 + sum(not name.startswith("multicurve/") for name in known)
