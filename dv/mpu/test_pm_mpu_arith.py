# SPDX-License-Identifier: Apache-2.0
"""pm_mpu: operations on numbers against Python's integers, with the cycles of the simulated programs."""

from __future__ import annotations

import math
import random

import pytest

from dv.mpu.mpu_core import DIGIT, ENTRY, TOP, WIDTH, Command, Core, digits, domain, operand
from pointmill.ucode.mpu import Mpu, Outcome, product_cycles

MODULI = [3, 101, 2**32 - 5, 2**160 - 47, 2**256 - 2**32 - 977, 2**521 - 1, 2**703 + 9, 2**704 - 1]
OPERATIONS = ("add", "sub", "mul", "reduction", "mont_mul", "invert", "mont_invert")


def wanted(op: str, x: int, y: int, p: int) -> list[int] | str:
    """Results, or the reason why there is none."""
    r = domain(p)
    if op == "mul":
        return [x * y % TOP, x * y >> WIDTH]
    bounds = {"reduction": (r, p), "invert": (p, TOP), "mont_invert": (p, TOP)}.get(op, (p, p))
    if x >= bounds[0] or y >= bounds[1]:
        return "operand_out_of_range"
    if op in ("invert", "mont_invert"):
        if math.gcd(x, p) > 1:
            return "not_invertible"
        return [pow(x, -1, p) * (1 if op == "invert" else r * r) % p]
    inverse = pow(r, -1, p)
    return [{"add": x + y, "sub": x - y, "mont_mul": x * y * inverse, "reduction": (x + r * y) * inverse}[op] % p]


def check(core: Core, model: Mpu, p: int, command: Command, x: int, y: int) -> str:
    """One operation on fresh operands; the destination keeps its contents where there is no result. The reason."""
    for entry, value in ((command.src1, x), (command.src2, y)):
        core.put(entry, value)
        model.memory[entry] = value
    x, y = model.memory[command.src1], model.memory[command.src2]
    before = model.memory[command.dst1]
    want = wanted(command.op, x, y, p)
    assert core.start(command) == 0
    outcome = core.wait()
    assert outcome == model.run(command)
    if isinstance(want, str):
        assert outcome.reason == want
        want = [before]
        if command.op == "mont_mul":
            core.run(product_cycles(digits(p.bit_length())))  # its product, for which the next operation would wait
    assert [core.get(entry) for entry in (command.dst1, command.dst2)[: len(want)]] == want
    return outcome.reason


@pytest.mark.parametrize(("moduli", "count"), [
    (MODULI[::3], 2), pytest.param(MODULI, 40, marks=pytest.mark.long),
    pytest.param(MODULI, 12_500, marks=pytest.mark.soak)])
def test_operations(moduli: list[int], count: int) -> None:
    """Every operation: edges and random operands, secret or not, from every entry to every entry."""
    rng, done, refused = random.Random(count), 0, 0
    with Core() as core:
        model = Mpu()
        for p in moduli:
            model.memory[ENTRY["p"]] = p
            assert core.modulus(p) == model.run(Command("load_modulus"))
            assert core.value("MODULUS") == p.bit_length() | digits(p.bit_length()) << 16
            for name in ("one", "r2", "unit"):
                assert core.get(ENTRY[name]) == model.memory[ENTRY[name]]
            for op in OPERATIONS:
                edges = [(0, 0), (p - 1, p - 1), (1, p - 1)] if count > 2 else [(0, p - 1)]
                pairs = edges + [(operand(rng, p), operand(rng, p)) for _ in range(count)]
                pairs += [(domain(p) % TOP if op == "reduction" else p, 1), (1, p), (TOP - 1, TOP - 1)]
                for x, y in pairs:
                    dst1, dst2 = rng.sample(range(16), 2)
                    src1, src2 = rng.sample(range(16), 2)
                    command = Command(op, src1, src2, dst1, dst2, rng.random() < 0.5)
                    refused += check(core, model, p, command, x, y) != "ok"
                    done += 1
    assert done == len(moduli) * 7 * (count + (6 if count > 2 else 4))
    assert 7 * len(moduli) <= refused < done // 2


def test_cycles_at_704_bits() -> None:
    """Always the same ones; of secret operands those that clear the registers too."""
    p = 2**704 - 2**352 - 2**7 + 9
    rng = random.Random(3)
    with Core() as core:
        assert core.modulus(p).cycles == 2137
        for entry in range(4):
            core.put(entry, rng.randrange(p))
        got = {op: core.do(op, 0, 1, 4, 5).cycles for op in ("add", "sub", "mul", "reduction", "mont_mul")}
        assert got == {"add": 29, "sub": 29, "mul": 87, "reduction": 86, "mont_mul": 78}
        for secret, cycles in ((False, 1226), (True, 1245)):
            assert {core.do("invert", entry, 0, 4, secret=secret).cycles for entry in range(4)} == {cycles}
        assert DIGIT * digits(p.bit_length()) == WIDTH


def test_the_product_of_a_refused_operation() -> None:
    """mont_mul is refused while its product is under way; the next operation waits for the rest of it, and is right."""
    p = 2**704 - 2**352 - 2**7 + 9
    length = product_cycles(digits(p.bit_length()))
    with Core() as core:
        core.modulus(p)
        for entry, value in enumerate((p, 3, 5)):
            core.put(entry, value)
        for pause, least, most in ((0, 79, 78 + length), (length, 78, 78)):
            assert core.do("mont_mul", 0, 1, 4) == Outcome("operand_out_of_range", 20)
            core.run(pause)
            outcome = core.do("mont_mul", 1, 2, 4)
            assert outcome.reason == "ok" and least <= outcome.cycles <= most
            assert core.get(4) == 15 * pow(domain(p), -1, p) % p
