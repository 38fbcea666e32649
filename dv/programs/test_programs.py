# SPDX-License-Identifier: Apache-2.0
"""Every block of every program computes its formula: the words of the ROM, run on polynomials, are compared with what
`edverify`, `x25519`, `multicurve` and `mpu` of this folder say, for every value of every operand."""

from __future__ import annotations

from types import ModuleType

import pytest

from dv.programs import edverify, mpu, multicurve, x25519
from dv.programs.claims import Check, Claim, Wrong, covers, idle
from pointmill.ucode.build import build
from pointmill.ucode.images import programs

MODULES: dict[str, ModuleType] = {"edverify": edverify, "mpu": mpu, "multicurve": multicurve, "x25519": x25519}

CONTROL = {
    "begin": "sets the multipliers up for another modulus",
    "comb_field": "goes back to the modulus of the curve",
    "comb_nonce": "goes to the modulus n",
    "comb_order": "goes to the modulus n",
    "coordinate": "goes to the modulus n",
    "key_range": "goes to the modulus n",
    "loaded_field": "goes back to the modulus of the curve",
    "nonce_point": "goes back to the modulus of the curve",
    "order_begin": "sets the multipliers up for n",
    "points": "goes back to the modulus of the curve",
    "ranges": "goes to the modulus n",
    "sum_wait": "asks the digit scan again",
    "walk_wait": "asks the digit scan again",
}
"""Blocks that compute nothing, and what they are for."""

BLOCKS, CONTROLS = 842, 34
"""Blocks of all programs on all machines, and those among them that compute nothing."""


@pytest.mark.parametrize("core, config, program", list(programs()))
def test_program_computes_its_formulas(core: str, config: str, program: str) -> None:
    """Each block, or the path of blocks that a claim is about."""
    built = build(core, program, config)
    covered: list[str] = []
    for block, claim in MODULES[core].PROGRAMS[program].items():
        assert Check(built, block, claim).run() > 0
        covered += covers(built, block, claim)
    left = [block.name for block in built[1].blocks if block.name not in covered]
    assert all(name in CONTROL and idle(built, name) for name in left), f"no claim for {left}"
    assert len(covered) == len(set(covered))


def test_every_block_is_counted() -> None:
    """A block more, or one that nothing is claimed of, changes these counts."""
    blocks = controls = 0
    for core, config, program in programs():
        built = build(core, program, config)
        claimed = {name for block, claim in MODULES[core].PROGRAMS[program].items()
                   for name in covers(built, block, claim)}
        blocks += len(built[1].blocks)
        controls += sum(block.name not in claimed for block in built[1].blocks)
    assert (blocks, controls) == (BLOCKS, CONTROLS)


@pytest.mark.parametrize("core, config, program, block, wrong", [
    ("edverify", "throughput", "halfsize", "walk_double", Claim(["(X_, Y_, Z_) == rfc8032_double(-X, Y, Z)[:3]"])),
    ("edverify", "throughput", "halfsize", "walk_double", Claim(["(X_, Y_) == rfc8032_double(X, Y, Z)[:2]"])),
    ("edverify", "throughput", "halfsize", "clear_cofactor", Claim(["(X_, Y_, Z_) == rfc8032_double(X, Y, Z)[:3]"],
                                                                  turns=2)),
    ("edverify", "throughput", "fixed_base", "power_5", Claim(["run_ == base**(q - 3)"], until="power_last")),
    ("multicurve", "paper", "check", "point", Claim(["flags[0] == equation(at_x, at_y, b, a)"])),
    ("multicurve", "paper", "ecmul", "inverse", Claim([])),
    ("mpu", "full", "points", "set", Claim(["(put_x1[0], put_y1[0]) == (xp, yp)"])),
])
def test_a_wrong_claim_is_seen(core: str, config: str, program: str, block: str, wrong: Claim) -> None:
    """Another formula, a result, operand or start without a claim, another number of turns, another exponent."""
    with pytest.raises(Wrong):
        Check(build(core, program, config), block, wrong).run()
