# SPDX-License-Identifier: Apache-2.0
"""pm_divstep_inverter: inverses modulo odd numbers, in their cycles; no inverse; jobs abandoned."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from field_common import RTL, counters
from mont_vectors import edges, group, moduli, operand

from pointmill import simbuild
from pointmill.model.divstep import inversion_cycles, least_steps, steps, steps_needed

BENCH = "dv/lib/field/pm_divstep_inverter_bench.cpp"
LARGE = 704


def unit(width: int, size: int) -> Path:
    return simbuild.build_cpp("pm_divstep_inverter", RTL, BENCH, {"Width": width, "Size": size},
                              cflags=("-Idv/common", f"-DPM_WORDS={-(-width // 32)}"),
                              out_dir=f"build/sim/pm_divstep_inverter_{width}_{size}")  # fmt: skip


def vectors(p: int, width: int, size: int, operands: list[int]) -> tuple[bytes, int]:
    """A group, and how many of its operands have no inverse."""
    records = [(a, pow(a, -1, p) if math.gcd(a, p) == 1 else 0) for a in operands]
    words = 32 * -(-width // 32)
    head = (p.bit_length(), inversion_cycles(p.bit_length(), width, size))
    return group(head, [(p, 0), *records], words), sum(not inverse for _, inverse in records)


def run(sim: Path, parts: list[tuple[bytes, int]], path: Path) -> dict[str, int]:
    """What the bench counted."""
    path.write_bytes(b"".join(data for data, _ in parts))
    got = counters(sim, path)
    assert got["errors"] == sum(errors for _, errors in parts)
    return got


@pytest.mark.parametrize(("per_modulus", "every"), [(3, 15), pytest.param(200, 1, marks=pytest.mark.long)])
def test_large(per_modulus: int, every: int, tmp_path: Path) -> None:
    rng = random.Random(per_modulus)
    parts = []
    for p in moduli(3, LARGE)[::every]:
        some = [*edges(p, p)[:: 1 if every == 1 else 4], *(operand(rng, p) for _ in range(per_modulus))]
        common = math.gcd(p, 3 * 5 * 7 * 11 * 13)
        some += [common * rng.randrange(p // common) for _ in range(2)]
        parts.append(vectors(p, LARGE, 48, some))
    assert run(unit(LARGE, 48), parts, tmp_path / "vectors")["vectors"] > 1_000 // every


@pytest.mark.parametrize(("width", "size"), [(5, 5), (9, 7), (8, 6)])
def test_toy(width: int, size: int, tmp_path: Path) -> None:
    """Every operand of every odd modulus."""
    parts = [vectors(p, width, size, list(range(p))) for p in range(3, min(1 << width, 400), 2)]
    assert run(unit(width, size), parts, tmp_path / "vectors")["vectors"] == sum(range(3, min(1 << width, 400), 2))


def test_steps() -> None:
    """The steps are those of the proven bound, which every operand of small moduli keeps."""
    for bits in range(2, LARGE + 1):
        assert steps(bits) >= least_steps(bits)
    for p in range(3, 512, 2):
        assert max(steps_needed(p, a) for a in range(p)) <= least_steps(p.bit_length())


def test_illegal_parameters() -> None:
    for params in ({"Size": 4}, {"Width": 1}):
        with pytest.raises(simbuild.BuildError, match="Size at least 5"):
            simbuild.lint("pm_divstep_inverter", RTL, params)
