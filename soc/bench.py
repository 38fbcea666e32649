# SPDX-License-Identifier: Apache-2.0
"""What is given to the program of the simulated system, and what it prints (soc/firmware/core.h, bench.c,
selftest.c)."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pointmill.curves import Curve, is_prime
from pointmill.model import weierstrass
from pointmill.model.joye import Walk, length, montgomery_power
from pointmill.model.weierstrass import Point

from . import build

BYTES = 88
METHODS = ("software", "products", "points", "joye", "ladder", "joye_dma", "ladder_dma")


def sample_curve(bits: int) -> tuple[Curve, tuple[int, int]]:
    """A curve of unknown order modulo a prime of so many bits, and a point on it; always the same."""
    rng = random.Random(bits)
    p = rng.getrandbits(bits) | 1 << bits - 1 | 1
    while not is_prime(p):
        p += 2
    a, x, y = (rng.randrange(p) for _ in range(3))
    return Curve(f"sample {bits}", p, a, (y * y - x * x * x - a * x) % p), (x, y)


@dataclass(frozen=True)
class Problem:
    """[k]point, for scalars of `bits` bits; `methods` are some of METHODS."""

    curve: Curve
    point: tuple[int, int]
    k: int
    bits: int
    methods: Sequence[str] = METHODS

    def encode(self) -> bytes:
        """As core_input."""
        on, n = self.curve, length(self.bits)
        walk = Walk(on)
        walk.multiply(self.k, n, self.point)
        table = walk.table()
        methods = sum(1 << METHODS.index(name) for name in self.methods)
        numbers = (on.p, on.a, on.b, self.k, *self.point, *table)
        return struct.pack("<3I", methods, n, len(table)) + b"".join(
            number.to_bytes(BYTES, "little") for number in numbers)


@dataclass(frozen=True)
class Product:
    """One multiplication: its result, and clock cycles of computing, of moving operands and of waiting for the core."""

    result: Point
    compute: int
    bus: int
    wait: int

    @property
    def total(self) -> int:
        """All clock cycles."""
        return self.compute + self.bus + self.wait


@dataclass(frozen=True)
class Operation:
    """One operation of the self-test: cycles as the core counts them, numbers that it wrote."""

    cycles: int
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Report:
    """Everything printed in one run."""

    checks: int
    operations: dict[str, Operation]
    products: dict[str, Product]
    interrupts: int | None = None
    """Taken by the processor, where the program counts them."""


def parse(text: str) -> Report:
    """The report that the program printed. `ValueError` for a line that is none."""
    checks, operations, products, interrupts = 0, {}, {}, None
    for line in text.splitlines():
        match line.split():
            case ["selftest", count]:
                checks = int(count)
            case ["interrupts", count]:
                interrupts = int(count)
            case ["op", name, "cycles", cycles, *numbers]:
                operations[name] = Operation(int(cycles), tuple(int(number, 16) for number in numbers))
            case ["method", name, "compute", compute, "bus", bus, "wait", wait, "infinity", flag, x, y]:
                result = None if flag == "1" else (int(x, 16), int(y, 16))
                products[name] = Product(result, int(compute), int(bus), int(wait))
            case _:
                raise ValueError(f"not understood: {line}")
    return Report(checks, operations, products, interrupts)


def measure(problem: Problem, cycles: int, image: Path) -> Report:
    """Boots the plain system on `problem`. `SocError` unless the program ends in at most `cycles` cycles."""
    return parse(build.run(build.firmware(build.CORE_PROGRAM), problem.encode(), cycles, image))


def wrong(problem: Problem, report: Report) -> list[str]:
    """What of the report differs from the golden model; the operations of the self-test are those of selftest.c on the
    coordinates of the point."""
    on, (x, y) = problem.curve, problem.point
    p, r, width = on.p, montgomery_power(on.p), 8 * BYTES
    back = pow(r, -1, p)

    def domain(*points: Any) -> tuple[int, ...]:
        return tuple(value * r % p for point in points for value in point)

    reduced = (x + y * r) * back % p
    twice = weierstrass.add(on, problem.point, problem.point)
    numbers = {
        "add": ((x + y) % p,), "sub": ((x - y) % p,), "mul": (x * y % (1 << width), x * y >> width),
        "mont_mul": (x * y * back % p,), "reduction": (reduced,), "invert": (pow(x, -1, p),),
        "mont_invert": (pow(x, -1, p) * r * r % p,),
        "affine_dq": domain(twice, weierstrass.add(on, twice, twice)),
        "affine_add": domain(weierstrass.add(on, problem.point, twice)),
    }
    found = {name: operation.numbers for name, operation in report.operations.items()}
    product = weierstrass.multiply(on, problem.k, problem.point)
    bad = [name for name, wanted in numbers.items() if found.get(name) != wanted]
    bad += [name for name in problem.methods
            if name not in report.products or report.products[name].result != product]
    return bad
