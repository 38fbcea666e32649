# SPDX-License-Identifier: Apache-2.0
"""pm_x25519_paper_engine: known answers, random jobs against two references, cycles, wiping, clear."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from pointmill import simbuild
from pointmill.model.x25519 import x25519
from vectors.secret_vectors import ITERATED, rfc7748_cases, wycheproof_x25519_cases, x25519_sample
from vectors.x25519_edges import P, openssl

CYCLES = {False: 25_071, True: 25_089}
"""Of a job, without and with Randomised."""
LIMIT = 25_100
"""What the published time may be, at its clock."""
ORDER_8 = 325606250916557431795983626356110631294008115727848805560023387167927233504
"""u of a point of order 8."""


@cache
def bench(randomised: bool) -> Path:
    return simbuild.build_cpp("pm_x25519_paper_engine", "hw/x25519/x25519.f",
                              "dv/x25519/pm_x25519_paper_engine_bench.cpp", {"Randomised": int(randomised)},
                              cflags=("-Idv/common", f"-DPM_RANDOMISED={int(randomised)}"),
                              out_dir=f"build/sim/pm_x25519_paper_engine-{int(randomised)}")  # fmt: skip


FORMS = pytest.mark.parametrize("randomised", [False, True], ids=["plain", "randomised"])
FORM_OF_THE_CORE = pytest.mark.parametrize(
    "randomised", [False, pytest.param(True, marks=pytest.mark.long)], ids=["plain", "randomised"])
"""In the normal run the one that `pm_x25519` has."""


def number(data: bytes) -> str:
    return data[::-1].hex()


def play(tmp_path: Path, lines: list[tuple[str, bytes, bytes, int]], randomised: bool = False
         ) -> tuple[list[bytes], int]:
    """(results of the jobs, comparisons of the state). Cycles and zero flags are checked here."""
    path = tmp_path / "jobs.txt"
    path.write_text("".join(f"{kind} {number(k)} {number(u)} {n}\n" for kind, k, u, n in lines))
    *rows, last = simbuild.run_tool([bench(randomised), path]).splitlines()
    results = []
    for row in rows:
        value, zero, cycles = row.split()
        assert int(cycles) == CYCLES[randomised] <= LIMIT
        assert int(zero) == (int(value, 16) == 0)
        results.append(bytes.fromhex(value)[::-1])
    assert len(results) == sum(line[0] == "job" for line in lines)
    return results, int(last.split()[1])


def jobs(tmp_path: Path, pairs: list[tuple[bytes, bytes]], holds: int = 1, randomised: bool = False) -> list[bytes]:
    return play(tmp_path, [("job", k, u, i % holds) for i, (k, u) in enumerate(pairs)], randomised)[0]


def random_pairs(seed: int, count: int) -> list[tuple[bytes, bytes]]:
    rng = random.Random(seed)
    return [(rng.randbytes(32), rng.randbytes(32)) for _ in range(count)]


# Bit 255 set as well, since it has to be masked; 0, 1 and p - 1 are of small order.
NON_CANONICAL = [P, P + 1, P + 2, P + 9, 2**255 - 1, 2**255, 2**256 - 1, 2**255 + P, 2**255 + 9]
SMALL_ORDER = [0, 1, P - 1, ORDER_8, P, P + 1, 2**255, 2**255 + 1]


@FORM_OF_THE_CORE
def test_rfc7748(tmp_path: Path, randomised: bool) -> None:
    cases = rfc7748_cases()
    assert len(cases) == 7
    assert jobs(tmp_path, [(c.k, c.u) for c in cases], 3, randomised) == [c.out for c in cases]


@FORMS
def test_unusual_inputs(tmp_path: Path, randomised: bool) -> None:
    """u from p on, bit 255 of u, results of zero, scalars whose clamped bits differ."""
    rng = random.Random(5)
    pairs = [(rng.randbytes(32), u.to_bytes(32, "little")) for u in NON_CANONICAL + SMALL_ORDER]
    base = (9).to_bytes(32, "little")
    pairs += [(bytes(32), base), (b"\xff" * 32, base), (b"\x07" + bytes(30) + b"\x80", base)]
    results = jobs(tmp_path, pairs, randomised=randomised)
    assert results == [x25519(k, u) for k, u in pairs]
    assert results.count(bytes(32)) == len(SMALL_ORDER) + 4  # and p, p + 1, 2^255, 2^255 + p
    assert results[-3] == results[-1] and len(results) == 20


@pytest.mark.parametrize(("randomised", "count"), [
    (True, 25), *(pytest.param(randomised, 100, marks=pytest.mark.long) for randomised in (False, True))],
    ids=["randomised-25", "plain", "randomised"])
def test_random(tmp_path: Path, randomised: bool, count: int) -> None:
    pairs = random_pairs(1, count)
    results = jobs(tmp_path, pairs, randomised=randomised)
    assert results == [x25519(k, u) for k, u in pairs] == [openssl(k, u) for k, u in pairs]
    assert len(results) == count


@FORMS
def test_nothing_stays(tmp_path: Path, randomised: bool) -> None:
    """After a result is taken, and after clear_i in any stage, the whole state is that after any other job; and the
    next job is right."""
    when = [1, 2, 3, 4, 9, 30, 60, 1000, 19385, 19390, 21000, 25019, 25030, 25069, 25070, 25071, 25080]
    lines = []
    for at in when:
        lines += [("clear", k, u, at) for k, u in random_pairs(at, 2)]
    pairs = random_pairs(2, 3)
    lines[20:20] = [("job", *pairs[0], 5)]
    lines += [("job", *pair, 5) for pair in pairs[1:]]
    results, compared = play(tmp_path, lines, randomised)
    assert results == [x25519(k, u) for k, u in pairs]
    assert compared == len(when) + 2


@pytest.mark.long
def test_iterated(tmp_path: Path) -> None:
    """RFC 7748, section 5.2: 1,000 rounds. The inputs of a round are what the reference gives for the round before, and
    so does the engine."""
    k = u = (9).to_bytes(32, "little")
    pairs, expected = [], []
    for _ in range(1000):
        pairs.append((k, u))
        k, u = x25519(k, u), k
        expected.append(k)
    results = jobs(tmp_path, pairs)
    assert results == expected
    assert [results[n - 1].hex() for n in ITERATED] == list(ITERATED.values())


@FORM_OF_THE_CORE
@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)])
def test_wycheproof(tmp_path: Path, randomised: bool, every: int) -> None:
    """All cases, or every 20th, and one of each category."""
    whole = wycheproof_x25519_cases()
    cases = x25519_sample(whole, every)
    results = jobs(tmp_path, [(c.k, c.u) for c in cases], randomised=randomised)
    assert results == [c.out for c in cases]
    assert (len(whole), len(cases), results.count(bytes(32))) == (518, *{20: (51, 12), 1: (518, 31)}[every])


def many(tmp_path: Path, seed: int, count: int) -> None:
    """`count` random jobs against OpenSSL, every tenth against the golden model too, all of the same cycles."""
    pairs = random_pairs(seed, count)
    results = jobs(tmp_path, pairs, 2)
    assert results == [openssl(k, u) for k, u in pairs]
    assert results[::10] == [x25519(k, u) for k, u in pairs[::10]]
    assert len(results) == count


@pytest.mark.long
def test_ten_thousand(tmp_path: Path) -> None:
    many(tmp_path, 3, 10_000)


@pytest.mark.soak
def test_hundred_thousand(tmp_path: Path) -> None:
    for part in range(10):
        many(tmp_path, 100 + part, 10_000)
