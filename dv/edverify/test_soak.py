# SPDX-License-Identifier: Apache-2.0
"""Soak of the core: jobs at random pace with soft and hard resets, each result against the golden
model.

`make soak` verifies PM_SOAK_JOBS jobs (default 100,000) on `throughput` and a tenth of that on each
other configuration. The loop is in pm_edverify_soak.cpp, so that the simulator alone bounds the speed.
The jobs come from a pool of some ten thousand with known answers, made anew in each run;
PM_SOAK_SEED repeats a run.
"""

from __future__ import annotations

import ctypes
import os
import random
import sys
import time
from collections.abc import Iterator

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from edverify_core import BUILDS, CONTEXTS, Beat, Core, Job, beats_of_job, damaged, judged, key_packet

from pointmill.measure.benches.edverify import signatures
from pointmill.rules import Reason
from vectors.ed25519_vectors import Case
from vectors.hostile import CATEGORIES, hostile_cases, mixed_order_case

MOST_ABORTED = {
    config: contexts + (contexts > 1) + build.get("Batch", 0) * build.get("BatchSlots", 0)
    for (config, contexts), build in zip(CONTEXTS.items(), BUILDS.values(), strict=True)}
"""Jobs that one soft reset may abort: one in each context, one that waits for a context, and those of
batches."""
MOST_PASSED = {"bulk": 30_000}
"""Later jobs that may be answered before a job, where it is not 1,000: a batch may wait for its last one as
long as others keep the core at work."""
SEED = range(0x60, 0x80, 4)
SHARE = {"throughput": 1, "paper": 10, "bulk": 10, "tiles": 2, "tiles_secret": 10}
"""A configuration has this part of the jobs."""
STEP = 500  # jobs between two looks at the clock
JOBS = int(os.environ.get("PM_SOAK_JOBS", "100000"))

Entry = tuple[list[Beat], Reason]
"""A packet, and how it must be answered."""


class Report(ctypes.Structure):
    """What pm_soak_report fills."""

    _fields_ = [("reasons", ctypes.c_uint64 * 256), ("soft_resets", ctypes.c_uint64),
                ("hard_resets", ctypes.c_uint64), ("most_aborted", ctypes.c_uint64),
                ("cycles", ctypes.c_uint64), ("offered", ctypes.c_uint64),
                ("failure", ctypes.c_char * 256)]  # fmt: skip

    @property
    def verdicts(self) -> int:
        """Answers other than `aborted`."""
        return sum(self.reasons) - self.reasons[Reason.aborted]


def openssl_accepts(case: Case) -> bool:
    """Verdict of OpenSSL."""
    try:
        Ed25519PublicKey.from_public_bytes(case.pk).verify(case.sig, case.msg)
    except (InvalidSignature, ValueError):
        return False
    return True


def ordinary_cases(count: int, seed: int) -> Iterator[Case]:
    """Signatures by OpenSSL; of one in three a bit of message or S is altered, or the key is another."""
    rng = random.Random(seed)
    made = signatures(count, seed, length=40)
    for index, item in enumerate(made):
        pk, msg, sig = item.pk, item.msg, item.sig
        kind = rng.randrange(9)
        if kind == 0:
            msg = (int.from_bytes(msg, "big") ^ 1 << rng.randrange(320)).to_bytes(40, "big")
        elif kind == 1:
            sig = (int.from_bytes(sig, "little") ^ 1 << 256 + rng.randrange(252)).to_bytes(64, "little")
        elif kind == 2:
            pk = made[index - 1].pk
        yield Case(pk, msg, sig, {}, "ordinary", str(index))


def entries(jobs: list[Job]) -> list[Entry]:
    return [(beats_of_job(job, 0), job.reason) for job in jobs]


def in_all_modes(jobs: list[Job], seed: int, config: str) -> list[Entry]:
    """Entries for `bulk` and `tiles`: the jobs in all modes that are built in, with any slot; of twice as many keys as
    there are slots also loads, legal and not, and verifications that name the slot of the load."""
    rng = random.Random(seed)
    keys = BUILDS[config]["Keys"]
    ops = ("verify", "verify_cached", *("verify_batch",) * (2 if "Batch" in BUILDS[config] else 0))
    slots = {pk: index % keys for index, pk in enumerate(
        list(dict.fromkeys(job.case.pk for job in jobs if job.rule == "libsodium" and job.valid))[:2 * keys])}
    assert len(slots) == 2 * keys
    made = []
    for job in jobs:
        op = rng.choice(ops)
        slot = rng.getrandbits(16) if op == "verify_cached" else 0
        made.append((beats_of_job(job, 0, slot, op), job.reason))
        if job.case.pk in slots:
            made.append((beats_of_job(job, 0, slots[job.case.pk], "verify_cached"), job.reason))
    for pk, slot in slots.items():
        made += [(key_packet(0, pk, slot), Reason.ok), (key_packet(0, pk, slot + keys), Reason.malformed_job)]
    return [*made, (key_packet(0, b"\xff" * 32, rng.randrange(keys)), Reason.a_not_decodable)]


def make_pool(size: int, seed: int, config: str) -> list[Entry]:
    """For each unit of `size` 40 ordinary cases, 26 hostile ones and 4 of mixed order, each under six
    rules; and the malformed packets of one job for every third unit."""
    ordinary = judged(ordinary_cases(40 * size, seed))
    for job in ordinary:
        assert job.rule != "ref10_bytes" or job.valid == openssl_accepts(job.case)
    hostile = judged(hostile_cases(len(CATEGORIES) * size, seed, max_message=4096))
    mixed = judged(mixed_order_case(index, seed) for index in range(4 * size))
    bases = [job for job in hostile if 0 < len(job.case.msg) < 64][::7][: -(-size // 3)]
    malformed = [(beats, Reason.malformed_job) for job in bases for beats in damaged(job, 0)]
    jobs = [*ordinary, *hostile, *mixed]
    return [*(in_all_modes(jobs, seed, config) if "Keys" in BUILDS[config] else entries(jobs)), *malformed]


class Soak:
    """A soak of a new core; free it with close()."""

    def __init__(self, config: str, pool: list[Entry], seed: int, soft: int = 800_000,
                 hard: int = 8_000_000) -> None:
        """soft, hard: cycles at most from one soft or hard reset to the next."""
        self.core = Core(config)
        lib = self.lib = self.core.lib
        lib.pm_soak_new.restype = ctypes.c_void_p
        lib.pm_soak_new.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint, ctypes.c_uint,
                                    ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64]  # fmt: skip
        lib.pm_soak_write.argtypes = [ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint32]
        lib.pm_soak_verify.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
        lib.pm_soak_report.argtypes = [ctypes.c_void_p, ctypes.POINTER(Report)]
        lib.pm_soak_add.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t,
                                    ctypes.c_uint8, ctypes.c_uint8]  # fmt: skip
        for name in ("delete", "drain"):
            getattr(lib, f"pm_soak_{name}").argtypes = [ctypes.c_void_p]
        self.handle = lib.pm_soak_new(self.core.handle, seed, CONTEXTS[config],
                                      MOST_ABORTED[config], MOST_PASSED.get(config, 1000),
                                      soft, hard)  # fmt: skip
        for address in SEED if config == "bulk" else ():
            lib.pm_soak_write(self.handle, address, random.Random(seed + address).getrandbits(32))
        for beats, reason in pool:
            data = b"".join(d + bytes((keep, beat == len(beats) - 1))
                            for beat, (d, keep) in enumerate(beats))
            lib.pm_soak_add(self.handle, data, len(beats), beats[0][0][0], reason)

    def report(self) -> Report:
        """What happened up to now; AssertionError if anything of it was wrong."""
        report = Report()
        self.lib.pm_soak_report(self.handle, report)
        assert not report.failure, report.failure.decode()
        return report

    def verify(self, verdicts: int) -> Report:
        """So many verdicts more."""
        self.lib.pm_soak_verify(self.handle, verdicts)
        return self.report()

    def drain(self) -> Report:
        """The answers that are missing; then the idle core."""
        self.lib.pm_soak_drain(self.handle)
        return self.report()

    def close(self) -> None:
        self.lib.pm_soak_delete(self.handle)
        self.core.close()


def counts(report: Report) -> str:
    """Answers by reason, and what was done to the core."""
    reasons = ", ".join(f"{reason.name} {report.reasons[reason]:,}" for reason in Reason
                        if report.reasons[reason])
    return (f"{reasons}; soft resets {report.soft_resets:,} (some twice, "
            f"at most {report.most_aborted} jobs aborted), resets {report.hard_resets:,}; {report.cycles:,} cycles")


@pytest.mark.parametrize(("config", "jobs", "soft", "hard"), [
    ("throughput", 800, 60_000, 300_000), ("paper", 80, 60_000, 300_000),
    ("bulk", 600, 160_000, 800_000), ("tiles", 300, 160_000, 800_000)], ids=["throughput", "paper", "bulk", "tiles"])
def test_soak_sampled(config: str, jobs: int, soft: int, hard: int) -> None:
    """The same with few jobs and many resets; in `bulk` with time for batches to end between them."""
    pool = make_pool(1, 61, config)
    assert len(pool) > 6 * 70
    soak = Soak(config, pool, 62, soft, hard)
    soak.verify(jobs)
    report = soak.drain()
    assert report.verdicts >= jobs
    assert sum(report.reasons) == report.offered
    assert report.soft_resets > 5 and report.hard_resets > 0
    assert report.reasons[Reason.aborted] > CONTEXTS[config]
    soak.close()


def test_a_wrong_verdict_is_noticed() -> None:
    """A pool in which one job of twenty has a wrong answer."""
    pool = make_pool(1, 63, "throughput")
    chosen = [entry for entry in pool if entry[1] == Reason.equation_fails][:20]
    chosen[7] = (chosen[7][0], Reason.ok)
    soak = Soak("throughput", chosen, 64)
    with pytest.raises(AssertionError, match=r"pool 7: rule \d, reason 7, not \d, 0"):
        soak.verify(400)
    soak.close()


@pytest.mark.soak
@pytest.mark.parametrize("config", SHARE)
def test_soak(config: str) -> None:
    """PM_SOAK_JOBS verdicts or this configuration's share, all as the golden model has them."""
    jobs = -(-JOBS // SHARE[config])
    seed = int(os.environ.get("PM_SOAK_SEED") or random.SystemRandom().getrandbits(32))
    print(f"\nsoak of {config}: {jobs:,} jobs, PM_SOAK_SEED={seed}", flush=True)
    pool = make_pool(30, seed, config)
    soak = Soak(config, pool, seed)
    begin, done = time.monotonic(), 0
    end = "\r" if sys.stdout.isatty() else "\n"
    while done < jobs:
        report = soak.verify(min(STEP, jobs - done))
        before, done = done, report.verdicts
        seconds = time.monotonic() - begin
        if sys.stdout.isatty() or 20 * done // jobs > 20 * before // jobs:
            print(f"  {done:,} of {jobs:,}, {report.cycles / seconds / 1e6:.2f} M cycles/s, "
                  f"{seconds:.0f} s", end=end, flush=True)
    report = soak.drain()
    soak.close()
    print(f"\nsoak of {config}: {len(pool):,} different jobs, {report.verdicts:,} verdicts, "
          f"0 mismatches, none lost or twice: {counts(report)}")
    assert report.verdicts >= jobs
    assert sum(report.reasons) == report.offered
    assert all(report.reasons[reason] for reason in {Reason.aborted, *(entry[1] for entry in pool)})
