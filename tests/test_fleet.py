# SPDX-License-Identifier: Apache-2.0
"""`pointmill fleet verify`: every row has one result, in order, whatever ends in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as parquet
import pytest

from pointmill import InputError, cli
from pointmill.api.pool import DevicePool
from pointmill.fleet.cluster import ClusterError, connected
from pointmill.fleet.parts import Part, parts_of, read
from pointmill.fleet.store import Store
from pointmill.fleet.verifier import What, verified
from pointmill.resources import ROOT
from serve_jobs import body, pool, reasons
from serve_process import descendants, until

ROWS = 30
WHAT = {"rule": "ref10_bytes", "config": None, "device": "model", "settings": ""}


def what(path: Path) -> What:
    return What(str(path), **WHAT)  # type: ignore[arg-type]  # each field has its kind


def lines_of(parts: list[Part], path: Path) -> list[bytes]:
    assert [part.number for part in parts] == list(range(len(parts)))
    return [line for part in parts for line in read(str(path), part)]


@pytest.mark.parametrize("rows", [1, 7, 100, 1000])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"])
def test_parts_of_lines(tmp_path: Path, rows: int, end: bytes) -> None:
    """All lines, once, with their index, wherever the parts are cut."""
    lines = [b"%d" % number for number in range(100)]
    lines[40] = b""
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\n".join(lines) + end)
    parts = parts_of(str(path), rows)
    found = lines_of(parts, path)
    assert found[:100] == lines and not any(found[100:])
    assert all(part.rows <= rows for part in parts)
    assert [part.first for part in parts] == [sum(other.rows for other in parts[:i]) for i in range(len(parts))]
    empty = tmp_path / "empty"
    empty.touch()
    assert parts_of(str(empty), rows) == []


def write_parquet(path: Path, count: int) -> list[str]:
    """Rows of the pool that are jobs, as bytes; their reasons."""
    lines = [pool()[index % len(pool())] for index in range(count)]
    jobs = [(line.job, line.reason) for line in lines if line.job is not None]
    table = pyarrow.table({"pk": [job.pk for job, _ in jobs], "msg": [job.msg for job, _ in jobs],
                           "sig": [job.sig for job, _ in jobs], "rule": [str(job.rule) for job, _ in jobs],
                           "tag": [f"row {index}" for index in range(len(jobs))]})
    parquet.write_table(table, path, row_group_size=50)
    return [reason for _, reason in jobs]


def test_parts_are_verified(tmp_path: Path) -> None:
    lines, expected = body(90)
    path, table = tmp_path / "in.jsonl", tmp_path / "in.parquet"
    path.write_bytes(lines)
    of_table = write_parquet(table, 80)
    with DevicePool(1, device="model") as device:
        text = b"".join(verified(device, what(path), part) for part in parts_of(str(path), 40))
        assert reasons(text) == expected
        found = [json.loads(line) for part in parts_of(str(table), 40)
                 for line in verified(device, what(table), part).splitlines()]
    assert [record["reason"] for record in found] == of_table
    assert [record["tag"] for record in found] == [f"row {index}" for index in range(len(of_table))]


def test_parquet_takes_what_lines_may_have(tmp_path: Path) -> None:
    """Columns that are no fields, of any kind, and tags and rule sets that are none."""
    table = tmp_path / "in.parquet"
    good = next(line.job for line in pool() if line.job is not None and line.reason == "ok")
    parquet.write_table(pyarrow.table({
        "pk": [good.pk] * 2, "msg": [good.msg] * 2, "sig": [good.sig] * 2, "rule": [str(good.rule)] * 2,
        "at": [datetime(2026, 1, 1, tzinfo=UTC)] * 2, "of": [[b"list"]] * 2, "tag": [date(2026, 1, 1), None]}), table)
    lines = tmp_path / "in.jsonl"
    lines.write_text("".join(json.dumps(fields) + "\n" for fields in (
        {"rule": 5}, {"rule": "\ud800"}, {"rule": None}, {"tag": "\ud800"}, {"tag": 7}, [])))
    out = tmp_path / "out.parquet"
    with DevicePool(1, device="model") as device:
        texts = [verified(device, what(path), part) for path in (table, lines) for part in parts_of(str(path), 40)]
    store = Store(out, ["input"], [Part(number, 0, 0, 0, 0) for number in range(2)])
    for number, text in enumerate(texts):
        store.put(number, text)
    assert store.finish() == {"ok": 2, "malformed_job": 6}
    found = parquet.read_table(out)
    assert found.column("tag").to_pylist() == ["2026-01-01", "1", "0", "1", "2", "\\ud800", "7", "5"]
    assert found.column("rule").to_pylist() == [good.rule] * 2 + ["5", "\\ud800", None] + ["ref10_bytes"] * 3


def test_a_part_counts_once(tmp_path: Path) -> None:
    """Whole, in its place, and never for another input."""
    parts = [Part(number, 2 * number, 2, 0, 0) for number in range(3)]
    out = tmp_path / "out.jsonl"
    store = Store(out, ["input"], parts)
    text = [b'{"tag": %d, "reason": "ok"}\n' % number for number in range(6)]
    assert store.put(2, text[4] + text[5]) == 2 and store.put(2, b"another\n") == 0
    assert [part.number for part in Store(out, ["input"], parts).missing()] == [0, 1]
    with pytest.raises(InputError, match="another input"):
        Store(out, ["changed"], parts)
    (tmp_path / "out.jsonl.parts" / "000000000.new").write_bytes(b"half of a res")
    again = Store(out, ["input"], parts)
    assert again.put(1, text[2] + text[3]) + again.put(0, text[0] + text[1]) == 4
    assert not again.missing() and again.finish() == {"ok": 6}
    assert out.read_bytes() == b"".join(text) and not (tmp_path / "out.jsonl.parts").exists()


def test_a_run_that_is_ended_while_it_tidies_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts are never taken for those of another input."""
    parts, out = [Part(number, number, 1, 0, 0) for number in range(3)], tmp_path / "out.jsonl"
    store = Store(out, ["input"], parts)
    for part in parts:
        store.put(part.number, b'{"reason": "ok"}\n')

    def ended(folder: Path) -> None:
        (folder / "plan.json").unlink()  # files go in any order
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", ended)
        with pytest.raises(KeyboardInterrupt):
            store.finish()
    assert out.read_bytes() == b'{"reason": "ok"}\n' * 3
    assert Store(out, ["another"], parts).missing() == parts


# ------------------------------------------------------------------------------------- with Ray


def fleet(path: Path, out: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "pointmill.cli", "fleet", "verify", str(path), "--out", str(out), "--device", "model",
            "--devices", "1", "--rows", str(ROWS), "--json", *words]


def ended(command: list[str]) -> dict[str, Any]:
    """The summary of a run."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 1, done.stdout + done.stderr
    summary: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return summary


@pytest.mark.long
def test_a_killed_program_goes_on(tmp_path: Path) -> None:
    """On Ray on this machine. What was done is not done again, and every row has one result."""
    lines, expected = body(20 * ROWS)
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(lines)
    store = tmp_path / "out.jsonl.parts"
    with subprocess.Popen(fleet(path, out, "--settings", "mhz=2"), cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as first:
        end = time.monotonic() + 300
        while len(list(store.glob("*.jsonl"))) < 3:
            assert first.poll() is None and time.monotonic() < end, "no part was done"
            time.sleep(0.02)
        os.kill(first.pid, signal.SIGKILL)
    kept = len(list(store.glob("*.jsonl")))
    assert 3 <= kept < 20 and not out.exists()
    summary = ended(fleet(path, out, "--settings", "mhz=2"))
    assert summary["kept"] == kept * ROWS and summary["total"] == 20 * ROWS
    assert reasons(out.read_bytes()) == expected


@pytest.mark.long
def test_parquet_and_a_killed_worker(tmp_path: Path) -> None:
    """An actor is killed while it works: Ray starts another one."""
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    expected = write_parquet(path, 2000)
    with subprocess.Popen(fleet(path, out, "--settings", "mhz=2"), cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as run:
        until(lambda: len(list((tmp_path / "out.parquet.parts").glob("*.jsonl"))) > 2 or run.poll(), "parts are done")
        mine = descendants(run.pid, "ray::MapWorker")
        assert mine
        os.kill(mine[0], signal.SIGKILL)
        stdout, stderr = run.communicate(timeout=500)
    assert run.returncode == 1, stdout + stderr
    table = parquet.read_table(out)
    assert table.column("reason").to_pylist() == expected
    assert table.column("tag").to_pylist() == [f"row {index}" for index in range(len(expected))]


def test_without_ray(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An installed package names the extra that brings it."""
    monkeypatch.setitem(sys.modules, "ray", None)
    for checkout, remedy in ((True, "run `make setup`"), (False, "pip install 'pointmill[fleet]'")):
        monkeypatch.setattr(cli, "IN_CHECKOUT", checkout)
        assert cli.main(["serve", "--http", "127.0.0.1:0", "--device", "model", "--ray"]) == 2
        assert json.loads(capsys.readouterr().out)["error"] == f"the Python package ray is not installed: {remedy}"


def test_work_that_fails_on_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence in place of the traces of all processes that it went through."""
    ray = pytest.importorskip("ray")
    monkeypatch.setattr(ray, "init", lambda *_, **__: None)
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    with (pytest.raises(ClusterError, match=r"^the work failed on this machine: pointmill.client.OpenError: no line$"),
          connected(None)):
        raise ray.exceptions.RayError("The actor died:\n  File ...\npointmill.client.OpenError: no line\n")


@pytest.mark.long
def test_a_device_that_does_not_open(tmp_path: Path) -> None:
    """On Ray on this machine: an error, not signatures that are not valid."""
    (tmp_path / "in").write_bytes(body(3)[0])
    done = subprocess.run(fleet(tmp_path / "in", tmp_path / "out", "--settings", "stall=1"), cwd=ROOT,
                          capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 2, done.stdout + done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["reason"] == "device_error"


@pytest.mark.parametrize(("words", "error"), [
    (["--devices", "0"], "usage"), (["--address", "127.0.0.1:1"], "device_error")])
def test_wrong_options(tmp_path: Path, words: list[str], error: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").write_bytes(body(3)[0])
    command = fleet(tmp_path / "in", tmp_path / "out", *words)
    assert cli.run(command[command.index("fleet"):]) == 2
    assert json.loads(capsys.readouterr().out)["reason"] == error


def test_the_input_is_not_overwritten(tmp_path: Path) -> None:
    rows = body(3)[0]
    (tmp_path / "in").write_bytes(rows)
    (tmp_path / "link").symlink_to("in")
    done = subprocess.run(fleet(tmp_path / "in", tmp_path / "link"), cwd=ROOT, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 2 and json.loads(done.stdout)["reason"] == "usage"
    assert (tmp_path / "in").read_bytes() == rows
