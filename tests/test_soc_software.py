# SPDX-License-Identifier: Apache-2.0
"""The C arithmetic and the scalar multiplication of the simulated system, compiled for the host, beside the golden
model."""

from __future__ import annotations

import ctypes
import random
from collections import Counter
from pathlib import Path

import pytest

from driver import c_tests
from dv.common.planted import planted_file
from pointmill import library, simbuild
from pointmill.curves import Curve, by_name
from pointmill.model import weierstrass
from pointmill.model.joye import Walk, length, montgomery_power
from soc.bench import sample_curve
from soc.build import BASELINE

HERE = Path(__file__).resolve().parent / "firmware"
SOURCES = (*sorted(BASELINE.glob("*.c")), library.SW / "src" / "mpu.c")
FAKE = HERE.parent / "driver" / "mpu_fake.c"
SOFTWARE, PRODUCTS, POINTS = range(3)
"""Who calculates: software alone, with the core's products, with the core's operations on points."""

BYTES = 88
INFINITY, LEFT_OVER, BAD_MODULUS = 1000, 2000, 3000
PM_ERR_ARGUMENT, PM_ERR_PROTOCOL = 1, 13


def encode(*values: int) -> bytes:
    return b"".join(value.to_bytes(BYTES, "little") for value in values)


def decode(data: bytes) -> list[int]:
    return [int.from_bytes(data[at:at + BYTES], "little") for at in range(0, len(data), BYTES)]


class Native:
    """The compiled library."""

    def __init__(self, path: Path, level: int = SOFTWARE):
        self.level = level
        self._library = ctypes.CDLL(str(path))

    def field(self, p: int, a: int, b: int) -> list[int] | None:
        """a + b, a - b, a b / R, a R, a / R."""
        out = ctypes.create_string_buffer(5 * BYTES)
        code = self._library.native_field(encode(p), encode(a), encode(b), out)
        assert code in (0, BAD_MODULUS)
        return None if code else decode(out.raw)

    def ecmul(self, on: Curve, k: int, n: int, point: weierstrass.Point, table: list[int],
              refuse: bool = False) -> weierstrass.Point | int:
        """[k]point by `level`, or the code of an error."""
        out = ctypes.create_string_buffer(2 * BYTES)
        code = self._library.native_ecmul(
            self.level, encode(on.p), encode(on.a), encode(k), ctypes.c_size_t(n), encode(*(point or (0, 0))),
            (point is None) + 2 * refuse,
            encode(*table), ctypes.c_size_t(len(table)), out)
        if code:
            return None if code == INFINITY else code
        x, y = decode(out.raw)
        return x, y

    def length(self, bits: int) -> int:
        return self._library.native_length(ctypes.c_size_t(bits))


FLAGS = ("-fPIC", f"-I{library.INCLUDE}", f"-I{library.SW / 'src'}", f"-I{BASELINE}", f"-I{FAKE.parent}")


def compiled(folder: Path, level: int = SOFTWARE) -> Native:
    """As it is, with all warnings."""
    product = folder / "native.so"
    simbuild.run_tool(["gcc", *library.C_FLAGS, *FLAGS, "-shared", *SOURCES, FAKE, HERE / "native.c", "-o", product])
    return Native(product, level)


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Object files by the name of the source."""
    sources = (*SOURCES, FAKE, HERE / "native.c")
    return c_tests.compiled(tmp_path_factory.mktemp("objects"), sources, "-O1", *FLAGS)


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Native:
    return compiled(tmp_path_factory.mktemp("native"))


def check_field(native: Native, cases: int) -> int:
    """Random and edge operands for random odd moduli of 2 to 704 bits; how many were right."""
    rng = random.Random(704)
    done = 0
    for i in range(cases):
        p = rng.getrandbits(2 + i % 703) | 1 << 1 + i % 703 | 1
        if i % 5 == 0:
            p = (1 << 2 + i % 703) - 1
        edges = (0, 1, p - 1, p // 2, montgomery_power(p) % p)
        a, b = (rng.choice(edges) if rng.random() < 0.3 else rng.randrange(p) for _ in range(2))
        r = montgomery_power(p)
        assert native.field(p, a, b) == [(a + b) % p, (a - b) % p, a * b * pow(r, -1, p) % p, a * r % p,
                                         a * pow(r, -1, p) % p]
        done += 1
    return done


def test_field(native: Native) -> None:
    assert check_field(native, 10_000) == 10_000


TOY = [Curve(f"toy {p}", p, a, b) for p, a, b in (
    (5, 1, 1), (17, 16, 0), (7, 3, 4), (11, 1, 6), (13, 0, 1), (19, 2, 9), (23, 1, 0), (31, 30, 5))]


def check_toys(native: Native, curves: int = 8) -> tuple[int, Counter[str]]:
    """All points and scalars below 2^6 on toy curves, lengths 4 to 10; cases and special cases."""
    cases, special = 0, Counter()
    for toy in TOY[:curves]:
        points = [(x, y) for x in range(toy.p) for y in range(toy.p) if toy.contains(x, y)]
        for point in [None, *points]:
            for n in (4, 6, 8, 10):
                for k in range(min(1 << n - 1, 64)):
                    walk = Walk(toy)
                    wanted = walk.multiply(k, n, point)
                    assert wanted == weierstrass.multiply(toy, k, point)
                    assert native.ecmul(toy, k, n, point, walk.table()) == wanted
                    cases += 1
                    special += walk.special
    return cases, special


def test_every_scalar_on_toy_curves(native: Native) -> None:
    cases, special = check_toys(native)
    assert cases == 23_016
    assert special == {"infinity": 75_256, "opposite": 12_884, "equal": 12_880, "order 4": 4928, "order 2": 4592}


def check_curves(native: Native, names: tuple[str, ...], sizes: tuple[int, ...]) -> int:
    """Named curves, and random ones modulo primes of so many bits; how many products were right."""
    rng = random.Random(2020)
    places = [(one, one.g) for one in map(by_name, names)]
    places += map(sample_curve, sizes)
    done = 0
    for on, point in places:
        top = 1 << on.bits
        edges = {0, 1, 2, 3, on.n - 1 if on.n else top - 1, on.n or top // 2, top - 1}
        for k in [*sorted(edges), rng.randrange(top), rng.randrange(top) & ~1]:
            walk = Walk(on)
            n = length(on.bits)
            wanted = walk.multiply(k, n, point)
            assert wanted == weierstrass.multiply(on, k, point)
            assert native.ecmul(on, k, n, point, walk.table()) == wanted
            done += 1
    return done


def test_curves(native: Native) -> None:
    assert check_curves(native, ("P-256",), (161, 704)) == 9 + 2 * 8


def check_level(core: Native) -> None:
    """A toy curve, and a core that refuses."""
    cases, special = check_toys(core, 1)
    assert cases == 1512 and special["infinity"] > 0
    walk = Walk(TOY[1])
    point = next((x, y) for x in range(1, 17) for y in range(1, 17) if TOY[1].contains(x, y))
    walk.multiply(5, 4, point)
    assert core.ecmul(TOY[1], 5, 4, point, walk.table(), refuse=True) == PM_ERR_PROTOCOL


@pytest.mark.parametrize("level", [PRODUCTS, POINTS])
def test_levels(level: int, tmp_path: Path) -> None:
    """Infinity is passed to the core and taken from it, and every operation goes to the right buffers."""
    core = compiled(tmp_path, level=level)
    check_level(core)
    assert check_curves(core, ("P-256",), ()) == 9


@pytest.mark.long
def test_many_curves(native: Native) -> None:
    names = ("P-192", "P-256", "secp256k1", "P-521", "brainpoolP512r1")
    sizes = (160, 161, 192, 223, 255, 257, 320, 511, 544, 577, 608, 640, 672, 703, 704)
    assert check_curves(native, names, sizes) == 165


def check_refusals(native: Native) -> None:
    on = by_name("P-256")
    walk = Walk(on)
    walk.multiply(5, 4, on.g)
    table = walk.table()
    assert native.ecmul(on, 5, 4, on.g, table) == weierstrass.multiply(on, 5, on.g)
    assert native.ecmul(on, 5, 4, on.g, table[:-1]) == PM_ERR_ARGUMENT
    assert native.ecmul(on, 5, 4, on.g, [*table, 1]) == LEFT_OVER
    for k, n in ((5, 3), (5, 5), (5, 2), (8, 4), (1 << 255, 256)):
        assert native.ecmul(on, k, n, on.g, table) == PM_ERR_ARGUMENT
        with pytest.raises(ValueError):
            Walk(on).multiply(k, n, on.g)
    assert [native.field(p, 0, 0) for p in (0, 1, 2, 704, 1 << 703)] == [None] * 5
    assert [native.length(bits) for bits in range(8)] == [4, 4, 4, 4, 6, 6, 8, 8] == [length(bits) for bits in range(8)]


def test_refusals(native: Native) -> None:
    check_refusals(native)


# What is replaced in which file, by what.
BUGS = {
    "carry of a sum": ("mp", "(borrow & ~carry & 1)", "(borrow & (carry | 1))"),
    "reduction": ("mp", "& ~keep)", "& keep)"),
    "borrow": ("mp", "& back)", "& ~back)"),
    "carry above a product": ("mp", "+ second + top", "+ second"),
    "square of R": ("mp", "  m->square = power;", "  m->square = m->one;"),
    "even modulus": ("mp", "bits < 2 || pm_mp_bit(p, 0) == 0", "bits < 2"),
    "equal points": ("affine", "tangent(&c, &numerator, &p->x);", "numerator = p->x;"),
    "opposite points": ("affine", "if (pm_mp_is_zero(&denominator)) {", "if (false) {"),
    "sum with infinity": ("affine", "p->infinity ? *q : *p", "p->infinity ? *p : *q"),
    "double of infinity": ("affine", "p->infinity || pm_mp_is_zero(&d)", "pm_mp_is_zero(&d)"),
    "order two": ("affine", "p->infinity || pm_mp_is_zero(&d)", "p->infinity"),
    "order four": ("affine", "order_four = pm_mp_is_zero(&v)", "order_four = false"),
    "coefficient a": ("affine", "  add(c, out, out, &c->curve->a);\n", ""),
    "quadruple": ("affine", "third(&c, &quadrupled, &slope, &doubled, &doubled.x)",
                  "third(&c, &quadrupled, &slope, &doubled, &p->x)"),
    "lowest bit": ("joye", "pm_mp_bit(k, 0) != 0", "pm_mp_bit(k, 1) != 0"),
    "no correction": ("joye", "  add_to(&r, PM_JOYE_A0, PM_JOYE_ONCE);\n  get", "  get"),
    "last step": ("joye", "i + 3 >= n", "i + 5 >= n"),
    "length of k": ("joye", "pm_mp_bits(k) >= n", "pm_mp_bits(k) > n"),
    "infinity to the core": ("mpu_joye", "flags ^ 1u << slot", "flags"),
    "infinity from the core": ("mpu_joye", "(flags >> slot & 1) != 0", "false"),
    "buffers": ("mpu_joye", ".src1 = p, .src2 = q", ".src1 = q, .src2 = q"),
    "refused operations": ("mpu_joye", "reason != PM_MPU_REASON_OK ?", "false ?"),
    "length": ("joye", "(bits + 2) / 2 * 2", "(bits + 1) / 2 * 2"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_seeded_bug_is_caught(bug: str, objects: dict[str, Path], tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = planted_file(BASELINE / f"{name}.c", right, wrong, tmp_path)
    product = tmp_path / "native.so"
    others = [made for file, made in objects.items() if file != source.name]
    simbuild.run_tool(["gcc", "-O1", *FLAGS, "-shared", source, *others, "-o", product])
    defective = Native(product)
    with pytest.raises(AssertionError):
        if name == "mpu_joye":
            for defective.level in (PRODUCTS, POINTS):
                check_level(defective)
        else:
            check_field(defective, 2000)
            check_toys(defective, 2)
            check_refusals(defective)
