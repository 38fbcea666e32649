# SPDX-License-Identifier: Apache-2.0
"""Pools of devices: every call has one result, whatever ends in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pointmill
from pointmill import library
from pointmill.api.pool import DevicePool
from pointmill.api.process import Worker
from pointmill.curves import Curve, by_name
from pointmill.device import SecretJob
from pointmill.model.weierstrass import multiply
from pointmill.resources import ROOT
from test_api import CASES, SEED, signed

EXPECTED = [i % 7 != 6 for i in range(60)]


@pytest.fixture(scope="module")
def pool() -> Iterator[DevicePool]:
    with DevicePool(2, chunk=10) as opened:
        yield opened


def workers(parent: int) -> list[int]:
    """The processes of pools of a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            after_name = (path / "stat").read_text().rpartition(")")[2].split()
            words = (path / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(after_name[1]) == parent and after_name[0] != "Z" and b"pointmill.api.worker" in words:
            found.append(int(path.name))
    return found


def test_verdicts_in_order(pool: DevicePool) -> None:
    seen: list[tuple[int, int]] = []
    verdicts = pool.verify_many(signed(60), progress=lambda done, total: seen.append((done, total)))
    assert [verdict.valid for verdict in verdicts] == EXPECTED
    assert seen == sorted(seen) and len(seen) == 60 and seen[-1] == (60, 60)
    assert [verdict.valid for verdict in pool.verify_stream(signed(60), chunk=7)] == EXPECTED
    assert pool.verify_many([]) == []
    assert pool.sign(SEED, b"").public_key == pool.generate_key(SEED).public_key


def test_eight_threads(pool: DevicePool) -> None:
    def work(i: int) -> bool:
        case = CASES[i % 3]
        wrong = pool.verify(case.pk, case.msg + b"!", case.sig)
        return pool.verify(case.pk, case.msg, case.sig).valid and wrong.reason == "equation_fails"

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(work, range(16)))


def test_a_killed_process_costs_no_job(pool: DevicePool) -> None:
    seen: list[int] = []

    def kill(done: int, total: int) -> None:
        seen.append(done)
        if len(seen) in (5, 30):
            os.kill(workers(os.getpid())[0], signal.SIGKILL)

    verdicts = pool.verify_many(signed(60), progress=kill)
    assert [verdict.valid for verdict in verdicts] == EXPECTED
    assert seen == sorted(set(seen)) and seen[-1] == 60
    assert len(workers(os.getpid())) == 2


def test_a_process_that_always_ends_is_said() -> None:
    with DevicePool(1, "x25519", retries=1) as pool:
        stop = threading.Event()

        def kill() -> None:
            while not stop.is_set():
                for process in workers(os.getpid()):
                    if process not in others:
                        os.kill(process, signal.SIGKILL)
                time.sleep(0.001)

        mine = {worker.process.pid for worker in (pool._free.queue[0],) if worker}
        others = set(workers(os.getpid())) - mine
        killer = threading.Thread(target=kill)
        killer.start()
        try:
            with pytest.raises(pointmill.PoolError, match="ended 2 times before the result"):
                pool.x25519(bytes(range(32)), bytes([9] + [0] * 31))
        finally:
            stop.set()
            killer.join()
        assert len(pool.x25519(bytes(range(32)), bytes([9] + [0] * 31)).value) == 32


def test_what_stops_a_batch_leaves_the_pool_usable(pool: DevicePool) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done == 4:
            raise Enough

    with pytest.raises(Enough):
        pool.verify_many(signed(60), progress=stop)
    with pytest.raises(pointmill.InputError, match="no rule set"):
        pool.verify_many(signed(5), rule="none")
    with pytest.raises(pointmill.RejectedError, match="message_too_long"):
        pool.sign(SEED, bytes(1 << 17))
    under_way = threading.Event()
    with ThreadPoolExecutor(1) as thread:
        future = thread.submit(pool.verify_many, list(signed(600)), progress=lambda done, total: under_way.set())
        assert under_way.wait(60)
        begin = time.monotonic()
        pool.cancel()
        with pytest.raises(pointmill.CancelledError):
            future.result(60)
        assert time.monotonic() - begin < 20
    assert [verdict.valid for verdict in pool.verify_many(signed(60))] == EXPECTED


def test_a_cancellation_may_come_before_its_run() -> None:
    worker = Worker(("x25519", None, "sim", "", None))
    try:
        worker.wait()
        job = SecretJob("x25519", bytes(range(32)), u=bytes([9] + [0] * 31))
        worker.cancel(1)
        with pytest.raises(pointmill.CancelledError):
            worker.run(1, [job])
        (outcome,) = worker.run(2, [job])
        assert outcome.reason == "ok"
    finally:
        worker.close()


def test_curves_on_a_pool() -> None:
    curve = by_name("P-256")
    assert isinstance(curve, Curve) and curve.g is not None
    with DevicePool(2, "multicurve") as pool:
        key = pool.generate_curve_key(curve)
        with ThreadPoolExecutor(4) as threads:
            points = list(threads.map(lambda k: pool.multiply(curve, k), range(2, 8)))
        assert [(point.x, point.y) for point in points] == [multiply(curve, k, curve.g) for k in range(2, 8)]
        signature = pool.ecdsa_sign(curve, bytes(32), key.d)
        item = (bytes(32), (key.x, key.y), (signature.r, signature.s))
        assert all(pool.ecdsa_verify_many(curve, [item] * 5))


def test_opening_and_closing(tmp_path: Path) -> None:
    with pytest.raises(pointmill.InputError, match="at least one device"):
        DevicePool(0)
    with pytest.raises(pointmill.InputError, match="no core 'other'"):
        DevicePool(2, "other")
    damaged = tmp_path / "damaged.so"
    damaged.write_bytes(library.module("x25519").read_bytes()[:50_000])
    with pytest.raises(pointmill.PointmillError, match=r"damaged\.so is damaged"):
        DevicePool(2, "x25519", module=damaged)
    pool = DevicePool(1, "x25519")
    (process,) = [worker.process for worker in pool._free.queue if worker]
    pool.close()
    pool.close()
    assert process.returncode == -signal.SIGKILL
    with pytest.raises(pointmill.PoolError, match="the pool is closed"):
        pool.x25519(bytes(32), bytes(32))


PROGRAM = """
import sys, time, pointmill
from test_api import signed
with pointmill.DevicePool(2) as pool:
    stream = pool.verify_stream((item for _ in range(10**6) for item in signed(7)))
    print(next(stream).reason, flush=True)
    time.sleep(60)
"""


def test_a_killed_program_leaves_no_process() -> None:
    """And nothing that stops the next run."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE,
                              text=True) as program:
            assert program.stdout is not None and program.stdout.readline() == "ok\n"
            left = workers(program.pid)
            assert len(left) == 2
            program.kill()
        deadline = time.monotonic() + 30
        while alive := [process for process in left if Path(f"/proc/{process}").exists()]:
            if time.monotonic() > deadline:
                for process in alive:
                    os.kill(process, signal.SIGKILL)
                pytest.fail("a worker outlives its pool")
            time.sleep(0.05)
