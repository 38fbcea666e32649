# SPDX-License-Identifier: Apache-2.0
"""Cycles of the operations of `mpu` at 704 bits, from command to end in the verilated core, beside those of the paper.

Modulus, curve and operands are seeded; every result is compared with integers. Where the cycles depend on the operands
they are means over `RUNS` runs. The affine operations contain their inversions, which the published ones do not. One
figure is of another curve, NAMED, with a secret scalar.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import fmean
from typing import Any

from pointmill.curves import Curve, by_name
from pointmill.measure.records import Record, published
from pointmill.model.weierstrass import add, multiply
from pointmill.mpu_device import BITS, ENTRIES, MpuDevice

CORE = "mpu"
RUNS = 16
SCALAR_BITS = 256
NAMED = "P-256"
Point = tuple[int, int]


def is_prime(n: int, rng: random.Random, rounds: int = 24) -> bool:
    """Whether n, odd and above 3, is prime, by Miller and Rabin; wrong once in 4^rounds."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(rounds):
        x = pow(rng.randrange(2, n - 1), odd, n)
        if x not in (1, n - 1) and not any((x := x * x % n) == n - 1 for _ in range(twos - 1)):
            return False
    return True


def curve_of(rng: random.Random, bits: int = BITS) -> tuple[Curve, Point]:
    """A random curve over a prime field of so many bits, and a point of it."""
    while True:
        p = rng.getrandbits(bits) | 1 << (bits - 1) | 3  # 3 modulo 4, so that roots are powers
        if is_prime(p, rng):
            break
    a, b = rng.randrange(1, p), rng.randrange(1, p)
    curve = Curve("random", p, a, b, None, None)
    while True:
        x = rng.randrange(p)
        square = (x * x * x + a * x + b) % p
        y = pow(square, (p + 1) // 4, p)
        if y * y % p == square:
            return curve, (x, y)


def named_curve() -> tuple[Curve, Point]:
    """The curve NAMED and its base point; `RuntimeError` if it has none."""
    curve = by_name(NAMED)
    if not isinstance(curve, Curve) or curve.g is None:
        raise RuntimeError(f"{NAMED} is no Weierstrass curve with a base point")
    return curve, curve.g


def _check(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise RuntimeError(f"{what}: {found}, not {wanted}")


def _finite(point: Point | None) -> Point:
    """A point that is not infinity; `ValueError` if it is."""
    if point is None:
        raise ValueError("the point is infinity")
    return point


class Bench:
    """A core with a modulus and a curve, and what its operations take."""

    def __init__(self, device: MpuDevice, curve: Curve, point: Point, rng: random.Random) -> None:
        self.device, self.curve, self.point, self.rng = device, curve, point, rng
        for name in "pab":
            device.put(ENTRIES[name], getattr(self.curve, name))
        self.loading = self.run("load_curve")

    def run(self, op: str, **places: Any) -> int:
        """Cycles of an operation; `RuntimeError` where it is refused."""
        reason, cycles = self.device.run(op, **places)
        _check(reason, "ok", op)
        return cycles

    def number(self, op: str, wanted: Callable[[int, int], int], below: int) -> int:
        """Cycles of an operation on numbers below a bound, whose result is compared."""
        x, y = (self.rng.randrange(1, below) for _ in range(2))
        self.device.put(0, x)
        self.device.put(1, y)
        cycles = self.run(op, src1=0, src2=1, dst1=2, dst2=3)
        _check(self.device.get(2), wanted(x, y), op)
        return cycles

    def affine(self, op: str) -> int:
        """Cycles of an operation on points in the domain of Montgomery's product."""
        p, r = self.curve.p, 1 << BITS
        points = [_finite(multiply(self.curve, self.rng.randrange(2, 1 << 64), self.point)) for _ in range(2)]
        for place, point in enumerate(points):
            for part in range(2):
                self.device.put(2 * place + part, point[part] * r % p)
        self.device.put_infinity(0)
        cycles = self.run(op, src1=0, src2=1, dst1=2, dst2=3)
        wanted = _finite(add(self.curve, *points) if op == "affine_add" else multiply(self.curve, 2, points[0]))
        _check([self.device.get(4 + part) for part in range(2)], [part * r % p for part in wanted], op)
        return cycles

    def product(self, secret: bool = False) -> int:
        """Cycles of a product of a point and a scalar of SCALAR_BITS bits."""
        k = self.rng.getrandbits(SCALAR_BITS) | 1 << (SCALAR_BITS - 1)
        for entry, number in ((0, self.point[0]), (1, self.point[1]), (ENTRIES["k"], k)):
            self.device.put(entry, number)
        self.device.put_infinity(0)
        self.device.put_scalar_bits(SCALAR_BITS)
        cycles = self.run("ecmul", src1=0, dst1=1, secret=secret)
        _check((self.device.get(2), self.device.get(3)), multiply(self.curve, k, self.point), "ecmul")
        return cycles


def measure(config: str) -> list[Record]:
    """The records of a configuration."""
    printed = published(CORE)["cycles"]
    with MpuDevice(config) as device:
        rng = random.Random(BITS)
        bench = Bench(device, *curve_of(rng), rng)
        p = bench.curve.p
        inverse = pow(1 << BITS, -1, p)
        numbers: dict[str, tuple[Callable[[int, int], int], int]] = {
            "add": (lambda x, y: (x + y) % p, p),
            "mul": (lambda x, y: x * y % (1 << BITS), 1 << BITS),
            "reduction": (lambda x, y: (x + (y << BITS)) * inverse % p, p),
            "mont_mul": (lambda x, y: x * y * inverse % p, p),
            "invert": (lambda x, y: pow(x, -1, p), p),
        }
        runs = {op: [bench.number(op, *how) for _ in range(RUNS)] for op, how in numbers.items()}
        runs |= {op: [bench.affine(op) for _ in range(RUNS)] for op in ("affine_add", "affine_dq")}
        runs[f"ecmul_{SCALAR_BITS}"] = [bench.product() for _ in range(2)]
        named = Bench(device, *named_curve(), rng)
        runs[f"ecmul_{NAMED}"] = [named.product(secret=True) for _ in range(2)]
    means: dict[str, tuple[str, float]] = {
        op: ("cycles", cycles[0]) if len(set(cycles)) == 1 else ("cycles_mean", round(fmean(cycles), 1))
        for op, cycles in runs.items()}
    return [Record(f"{CORE}.{op}", config, what, value, "cycles", printed.get(op))
            for op, (what, value) in means.items()]  # fmt: skip
