# SPDX-License-Identifier: Apache-2.0
"""The programs of the tile for secrets on the microcode simulator, against the golden model: always the same issue
slots and products, and registers that are wiped."""

from __future__ import annotations

import random

from dv.edverify.secret_units import fixed_base, image, simulator, x25519
from pointmill.cores import EDVERIFY
from pointmill.curves import by_name
from pointmill.model import edwards, montgomery
from pointmill.model.scalar import L
from pointmill.ucode.build import build
from pointmill.ucode.machine import P

TILE = "secret_tile"
LADDER = (13_444, 2835)
COMB = {1: (7791, 1388), 2: (12_305, 2483)}
"""Issue slots alone and products, of X25519 and by the number of scalars of G."""


def test_x25519() -> None:
    rng = random.Random(1)
    for k, u in [(2**254, 9), (2**255 - 8, P - 1), (2**254 + 8, 0),
                 *((rng.getrandbits(251) << 3 | 2**254, rng.randrange(P)) for _ in range(4))]:
        k %= 2**255
        result, run = x25519(k, u, TILE)
        assert result == montgomery.multiply_u(by_name("X25519"), k, u)
        assert (run.reason, run.cycles, run.products) == (0, *LADDER)


def test_multiples_of_g() -> None:
    rng = random.Random(2)
    for scalars in ([0], [L - 1], [rng.randrange(L)], [1, 0], [rng.randrange(L), rng.randrange(L)]):
        points, run = fixed_base(scalars, TILE)
        assert points == [int.from_bytes(edwards.encode(edwards.multiply(s, edwards.BASE)), "little") for s in scalars]
        assert (run.reason, run.cycles, run.products) == (0, *COMB[len(scalars)])


def test_registers_are_wiped() -> None:
    """Behind every program all registers are 0 modulo p, and the words that wipe after a soft reset reach all that any
    program writes."""
    for run in (lambda: x25519(2**254 + 8, 5, TILE), lambda: fixed_base([L - 1, 7], TILE)):
        run()
        engine = simulator(TILE).engine
        simulator(TILE).settle()
        assert {value % P for values in engine.banks.values() for value in values} == {0}
    wiping = image(TILE).rom.words[image(TILE).address(EDVERIFY.roms[TILE].wipe):]
    for enable, number in (("mul_en", "mul_rd"), ("sum_we", "sum_rd"), ("diff_we", "diff_rd")):
        wiped = {word[number] for word in wiping if word.get(enable)}
        for program in EDVERIFY.roms[TILE].programs:
            words = build("edverify", program, TILE)[3].words
            assert {word[number] for word in words if word.get(enable)} <= wiped, (program, number)
