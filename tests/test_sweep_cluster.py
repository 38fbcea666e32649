# SPDX-License-Identifier: Apache-2.0
"""A sweep on a real Ray cluster of two nodes on this machine, of which one is killed in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from pointmill import cli
from pointmill.fleet.cluster import SETTINGS
from pointmill.simbuild import ROOT
from tests.sweep_probe import length, resources, starts

MUL, SUM = [7, 8, 9, 10, 11, 12], [1, 3]
POINTS = len(MUL) * len(SUM)
FREE = 2  # tasks of each node before the others are held
SECONDS = 150  # longest time for anything, on a busy machine
MEMORY = 80 << 20  # of the object store of a node
NOT_ALIVE_AFTER = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 1000,
                   "health_check_timeout_ms": 1000, "health_check_failure_threshold": 3}  # fmt: skip


def until(holds: Callable[[], bool], what: str) -> None:
    """Waits."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, f"not in {SECONDS} s: {what}"
        time.sleep(0.1)


def processes_naming(text: str) -> list[str]:
    """Command lines, of processes other than this one, that have a text in them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line and path.parent.name != str(os.getpid()):
            found.append(line)
    return found


class TwoNodes:
    """The cluster: a head node, to which the driver connects, and another one, each with one processor."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        common = {"num_cpus": 1, "object_store_memory": MEMORY, "include_dashboard": False}
        self.cluster = Cluster(initialize_head=True, head_node_args={**common, "_system_config": NOT_ALIVE_AFTER})
        self.second = self.cluster.add_node(**common)
        self.address = self.cluster.address

    def kill(self, workers: Iterable[int]) -> None:
        """The second node is gone with its workers, as if its power had failed: one left alone could still answer."""
        self.cluster.remove_node(self.second, allow_graceful=False)
        for pid in workers:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoNodes]:
    """Leaves nothing behind: no process, no file."""
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    folder = tempfile.mkdtemp(prefix="pm-ray-")  # its sockets want a short path
    # also for the address of the latest cluster, whose file is not per cluster
    monkeypatch.setenv("RAY_TMPDIR", folder)
    try:
        found = TwoNodes()
        try:
            yield found
        finally:
            found.cluster.shutdown()
        until(lambda: not processes_naming(folder), "all processes of the cluster have ended")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("measure", ["area", pytest.param("cycles", marks=pytest.mark.long)])
def test_a_node_is_killed_in_the_middle(measure: str, nodes: TwoNodes, tmp_path: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    """Every point is answered once, what was under way on the lost node on the other one; what the lost node
    had answered is kept. Then nothing is left to do. By a measure that costs nothing, or by one of a scheduler."""
    work, results = tmp_path / "work", tmp_path / "results"
    work.mkdir()
    plan = tmp_path / "plan.yaml"
    plan.write_text(yaml.safe_dump({"sweep": {"steps": {
        "doc": "steps", "subject": "tests.sweep_probe", "parameters": {"mul": MUL, "sum": SUM},
        "fixed": {"folder": str(work), "free": FREE}, "measures": [measure]}}}, sort_keys=False))  # fmt: skip
    words = ["sweep", "steps", "--plan", str(plan), "--folder", str(results)]
    driver = subprocess.Popen([sys.executable, "-m", "pointmill.cli", *words, "--address", nodes.address], cwd=ROOT,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        def records() -> dict[str, dict]:
            return {path.name: json.loads(path.read_text()) for path in results.glob("*.json")}

        def ready() -> bool:
            assert driver.poll() is None, driver.communicate()[0]
            begun = Counter(entry["node"] for entry in starts(work))
            return sorted(begun.values()) == [FREE + 1] * 2 and len(records()) == 2 * FREE

        until(ready, "each node has answered two points and holds the third")
        lost = nodes.second.node_id
        before = {name: record for name, record in records().items() if record["node"] == lost}
        times = {name: (results / name).stat().st_mtime_ns for name in before}
        done = {(record["config"]["mul"], record["config"]["sum"]) for record in before.values()}
        assert len(before) == FREE
        (held,) = [(e["mul"], e["sum"]) for e in starts(work)
                   if e["node"] == lost and (e["mul"], e["sum"]) not in done]  # fmt: skip
        nodes.kill(entry["pid"] for entry in starts(work) if entry["node"] == lost)
        (work / "release").touch()
        said = driver.communicate(timeout=SECONDS)[0]
    finally:
        driver.kill()
        driver.wait()
    assert driver.returncode == 0, said
    assert said.splitlines()[-1] == f"{POINTS} points, {POINTS} tasks: 0 known before, {POINTS} done, 0 failed"

    # Every point once, and nothing else.
    found = records()
    points = {(record["config"]["mul"], record["config"]["sum"]): record for record in found.values()}
    assert len(list(results.iterdir())) == len(found) == len(points) == POINTS
    assert points.keys() == {(mul, sums) for mul in MUL for sums in SUM}
    assert all(record["error"] is None for record in found.values())
    right = {"area": resources, "cycles": length}[measure]
    assert {at: record["figures"][0]["value"] for at, record in points.items()} == {at: right(*at) for at in points}

    # What the lost node had answered was kept as it was; what it held ran again on the other one, nothing else did.
    assert {name: record for name, record in found.items() if record["node"] == lost} == before
    assert {name: (results / name).stat().st_mtime_ns for name in before} == times
    ran = Counter((entry["mul"], entry["sum"]) for entry in starts(work))
    assert ran == Counter({at: 2 if at == held else 1 for at in points})
    (left,) = {record["node"] for record in found.values()} - {lost}
    assert [e["node"] for e in starts(work) if (e["mul"], e["sum"]) == held and e["node"] != lost] == [left]

    assert cli.main(words) == 0
    again = capsys.readouterr().out.splitlines()[-1]
    assert again == f"{POINTS} points, {POINTS} tasks: {POINTS} known before, 0 done, 0 failed"
    assert len(starts(work)) == POINTS + 1
