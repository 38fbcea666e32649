# SPDX-License-Identifier: Apache-2.0
"""The programs of `multicurve` on the simulator: whole scalar multiplications against the golden model."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from pointmill import curves
from pointmill.curves import Curve, EdwardsCurve, by_name
from pointmill.model import montgomery, weierstrass
from pointmill.ucode import multicurve
from pointmill.ucode.dual import DualEngine
from pointmill.ucode.multicurve import PRODUCTS, Answer, Device, Request, ladder_indices, naf_operations
from pointmill.ucode.multicurve_table import window_digits, window_operations
from pointmill.ucode.simulator import ExecutionError, Run
from simulated_multicurve import device, good
from vectors import ec_vectors

# Toy curves by parameters p, a, b: order, kind of a. Where the order is even, points of order 2 exist.
TOYS = {
    ("b", "8", "a"): (7, "m3"), ("7", "0", "5"): (7, "0"), ("7", "3", "5"): (7, "any"),
    ("7", "0", "3"): (13, "0"), ("b", "1", "6"): (13, "any"), ("7", "5", "0"): (8, "any"),
    ("c5", "c2", "5"): (199, "m3"), ("d3", "0", "2"): (199, "0"), ("d3", "1", "c"): (199, "any"),
}  # fmt: skip

CONFIGS = ("paper", "fast", "throughput")
ALIKE = ("Wei25519", "W-448", "W-Ed448", "W-41417", "FRP256v1", "sm2p256v1", "secp160r2", "P-384", "brainpoolP256r1",
         "brainpoolP256t1", "brainpoolP320r1", "brainpoolP320t1", "brainpoolP384r1", "brainpoolP384t1",
         "brainpoolP512r1", "brainpoolP512t1")
"""Curves that are to the programs as others are: in the long run."""
WEIERSTRASS = [pytest.param(name, marks=pytest.mark.long) if name in ALIKE else name
               for name in curves.known() if isinstance(by_name(name), Curve)]


# ---- loading ------------------------------------------------------------------------------------


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("name", [name for name in curves.known() if not isinstance(by_name(name), EdwardsCurve)])
def test_loading(name: str, config: str) -> None:
    """The constants that the device computes, and the kind of a that it finds."""
    loaded = device(name, config)
    curve, p, r = loaded.curve, loaded.p, pow(2, 32 * loaded.field.digits)
    memory = loaded.field.memory
    assert (memory["one"], memory["r2"]) == (r % p, r * r % p)
    if isinstance(curve, Curve):
        assert (memory["a"], memory["b"]) == (curve.a * r % p, curve.b * r % p)
        n, above = curve.n, pow(2, 32 * loaded.order.digits)
        assert above >= max(min(r, 1 << 544), n)  # registers have 544 bits
        assert loaded.order.memory == {"one": above % n, "r2": above * above % n}
        assert loaded.kind == ("m3" if curve.a == p - 3 else "0" if curve.a == 0 else "any")
    else:
        assert memory["a"] == (curve.A + 2) // 4 * r % p


def test_refused_curves() -> None:
    assert Device(Curve("singular", 211, 0, 0)).reason == "singular_curve"
    assert Device(Curve("singular", 211, 208, 2)).reason == "singular_curve"
    assert Device(Curve("a too large", 211, 211, 2)).reason == "parameter_out_of_range"
    assert Device(Curve("b too large", 211, 1, 2**32 - 1)).reason == "parameter_out_of_range"


# ---- toy curves, in full ------------------------------------------------------------------------


@pytest.mark.parametrize("some", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("params", TOYS, ids=lambda params: "-".join(params))
def test_toy_curve(params: tuple[str, str, str], config: str, some: int) -> None:
    """All scalars that fit the device, with all points of small groups and some of the larger ones, by both
    algorithms; each point that is off the curve in x or y by one is refused."""
    order, kind = TOYS[params]
    curve = curves.from_params(dict(zip("pab", params)))
    toy = Device(curve, config)
    assert (toy.reason, toy.kind, toy.bits) == ("ok", kind, curve.bits + 1)
    points = [(x, y) for x in range(curve.p) for y in range(curve.p) if curve.contains(x, y)]
    assert len(points) == order - 1
    fallbacks = 0
    for x, y in points if order < 100 else points[:: len(points) // some]:
        expected = None
        cycles = set()
        for k in range(1 << toy.bits):
            walked, stepped = toy.ecmul(k, x, y), toy.ladder(k, x, y)
            assert good(walked, expected) and good(stepped, expected), (x, y, k)
            cycles.add(stepped.run.cycles)
            fallbacks += walked.run.times["ladder"]
            expected = weierstrass.add(curve, expected, (x, y))
        assert len(cycles) == 1
        for near in ((x, (y + 1) % curve.p), ((x + 1) % curve.p, y)):
            if not curve.contains(*near):
                assert toy.ecmul(1, *near).reason == toy.ladder(1, *near).reason == "invalid_point"
        assert toy.ecmul(1, x + curve.p, y).reason == toy.ladder(1, x, y + curve.p).reason == "invalid_point"
    # Where 2^bits is well beyond the order some sum meets its own addend, or infinity.
    assert fallbacks > 0 or (params, config) == (("7", "0", "3"), "paper")


# ---- real curves --------------------------------------------------------------------------------


def rare(curve: Curve) -> list[int]:
    """Scalars at which something may go wrong."""
    n, bits = curve.n, curve.n.bit_length()
    near = [0, 1, 2, 3, n - 2, n - 1, n, n + 1, (1 << bits) - n, (1 << bits) - 1, 1 << (bits - 1)]
    return near + [int("10" * (bits // 2), 2), ((1 << (bits // 2)) - 1) << (bits // 2), n // 2, n // 2 + 1]


@pytest.mark.parametrize("name", [
    "P-192", "secp160r1",
    *(pytest.param(name, marks=pytest.mark.long) for name in (
        "P-256", "secp256k1", "brainpoolP160r1", "sm2p256v1",
        "P-224", "P-384", "P-521", "brainpoolP320r1", "brainpoolP512t1", "secp224k1")),
])  # fmt: skip
@pytest.mark.parametrize("config", CONFIGS)
def test_rare_scalars(name: str, config: str) -> None:
    """0, around the order, powers of two, long runs: exact, and by the ladder always in the same cycles."""
    loaded, curve = device(name, config), curves.by_name(name)
    cycles = set()
    for k in rare(curve):
        expected = weierstrass.multiply(curve, k % curve.n, curve.g)
        stepped = loaded.ladder(k, *curve.g)
        assert good(loaded.ecmul(k, *curve.g), expected) and good(stepped, expected), k
        cycles.add(stepped.run.cycles)
    assert len(cycles) == 1


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("name", WEIERSTRASS)
def test_random_scalars(name: str, config: str) -> None:
    loaded, curve, rng = device(name, config), curves.by_name(name), random.Random(name)
    point = weierstrass.multiply(curve, rng.randrange(1, curve.n), curve.g)
    k = rng.randrange(curve.n)
    expected = weierstrass.multiply(curve, k, point)
    assert good(loaded.ecmul(k, *point), expected) and good(loaded.ladder(k, *point), expected)


@pytest.mark.parametrize("count", [3, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["P-192", "secp256k1", "X25519"])
def test_secret_scalars_take_the_same_cycles(name: str, count: int) -> None:
    """Run as secret, so that flow that may depend on the scalar would be refused."""
    loaded, rng = device(name), random.Random(count)
    cycles = set()
    for _ in range(count):
        k = rng.randrange(1 << (loaded.p.bit_length() - 1), loaded.p)
        run = loaded.xdh(k, 9) if name == "X25519" else loaded.ladder(k, *loaded.curve.g)
        cycles.add(run.run.cycles)
    expected = {"P-192": 12269, "secp256k1": 21471, "X25519": 10975}[name]
    assert cycles == {expected}


class WrongProduct(DualEngine):
    """As DualEngine, but product number `wrong` of a run is one too large; None: none is."""

    wrong: int | None = None

    def execute(self, word: dict[str, int], run: Run) -> int:
        before = run.products
        operand = super().execute(word, run)
        if self.wrong is not None and before <= self.wrong < run.products:
            made = next(result for result in self.pending if result.ready == self.cycle + self.length)
            made.value = (made.value + 1) % self.p
        return operand


@pytest.mark.parametrize("every", [250, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("algorithm", ["ecmul", "ladder", "ecmul_base"])
@pytest.mark.parametrize("config", CONFIGS)
def test_a_wrong_product_gives_no_wrong_point(config: str, algorithm: str, every: int,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """One product of a run is wrong: any of the last 25, or one of `every` before. The input or the result is found off
    the curve, or the point is right for all that; never is a wrong one answered."""
    loaded, rng = Device(curves.by_name("secp160r1"), config), random.Random(config)
    k = rng.randrange(1, loaded.curve.n)
    kept = loaded.base_kept
    monkeypatch.setattr(multicurve, "DualEngine", WrongProduct)

    def multiply() -> Answer:
        loaded.base_kept = kept
        return loaded.ecmul_base(k) if algorithm == "ecmul_base" else getattr(loaded, algorithm)(k, *loaded.curve.g)

    right = multiply()
    assert good(right, weierstrass.multiply(loaded.curve, k, loaded.curve.g))
    count, seen = right.run.products, Counter()
    places = [*range(0, count - 25, every), *range(count - 25, count)]
    for place in places:
        monkeypatch.setattr(WrongProduct, "wrong", place)
        answer = multiply()
        assert answer.reason != "ok" or answer.point == right.point, place
        seen[answer.reason] += 1
    assert seen.total() == len(places) > 30 and seen["result_off_curve"] > 0.9 * len(places)
    assert seen.keys() <= {"ok", "invalid_point", "result_off_curve"}


@pytest.mark.parametrize(("config", "program"), PRODUCTS.items())
def test_the_walk_is_for_public_scalars(config: str, program: str) -> None:
    loaded = device("P-192", config)
    with pytest.raises(ExecutionError, match="flow depends on data"):
        loaded._run(Request(program, "ecmul", (loaded.curve.g,), (5,), secret=True))


# ---- kept multiples of the base point -----------------------------------------------------------

KEEPING = ("fast", "throughput")
BASE_ORDERS = {("b", "8", "a"): {7}, ("7", "5", "0"): {2, 4}, ("c5", "c2", "5"): {199}, ("d3", "0", "2"): {199},
               ("d3", "1", "c"): {199}}  # fmt: skip
"""Orders of the base points that are loaded, by parameters of the toy curve."""


def order_of(curve: Curve, point: weierstrass.Point) -> int:
    order, found = 1, point
    while found is not None:
        order, found = order + 1, weierstrass.add(curve, found, point)
    return order


@pytest.mark.parametrize("config", KEEPING)
@pytest.mark.parametrize("params", BASE_ORDERS, ids=lambda params: "-".join(params))
def test_kept_multiples_on_toy_curves(params: tuple[str, str, str], config: str) -> None:
    """All scalars with a base point of each order; sums with another point. Multiples are kept unless one is infinity,
    or made by an exceptional addition: 2P, or P + 2P = (order) P; so of every even order from 4 on."""
    plain = curves.from_params(dict(zip("pab", params)))
    points = [(x, y) for x in range(plain.p) for y in range(plain.p) if plain.contains(x, y)]
    by_order = {order_of(plain, point): point for point in points[:20]}
    assert by_order.keys() >= BASE_ORDERS[params]
    for order in BASE_ORDERS[params]:
        curve, fallbacks = Curve("toy", plain.p, plain.a, plain.b, order % 2 * order, by_order[order]), 0
        toy, rng = Device(curve, config), random.Random(order)
        assert toy.reason == "ok" and toy.base_kept == (order > 127 or (order % 2 == 0 and order > 2))
        multiples = [None]
        while len(multiples) < order:
            multiples.append(weierstrass.add(curve, multiples[-1], curve.g))
        for k in range(1 << toy.bits):
            answer = toy.ecmul_base(k)
            assert good(answer, multiples[k % order]), (order, k)
            fallbacks += answer.run.times["ladder"]
        assert fallbacks > 0
        for _ in range(60):
            u, v, q = rng.randrange(1 << toy.bits), rng.randrange(1 << toy.bits), rng.choice(points)
            answer = toy.ecmul2(u, curve.g, v, q)
            wanted = weierstrass.add(curve, multiples[u % order], weierstrass.multiply(curve, v, q))
            assert good(answer, wanted) and toy.base_kept == bool(answer.run.times["kept"]), (order, u, v, q)


@pytest.mark.parametrize("config", KEEPING)
@pytest.mark.parametrize("name", WEIERSTRASS)
def test_kept_multiples(name: str, config: str) -> None:
    """Odd multiples of the base point as they are; scalars around the order and random ones."""
    loaded, curve, rng = device(name, config), curves.by_name(name), random.Random(name)
    r = pow(2, 32 * loaded.field.digits)
    twice = weierstrass.add(curve, curve.g, curve.g)
    multiple = curve.g
    assert loaded.base_kept and len(loaded.base_entries) == 64
    for place in range(64):
        assert loaded.base_entries[place] == [value * r % curve.p for value in multiple]
        multiple = weierstrass.add(curve, multiple, twice)
    for k in (0, 1, curve.n - 1, curve.n, rng.randrange(curve.n)):
        answer = loaded.ecmul_base(k)
        assert good(answer, weierstrass.multiply(curve, k % curve.n, curve.g)) and answer.run.times["kept_alone"]
    u, v, q = rng.randrange(curve.n), rng.randrange(curve.n), weierstrass.multiply(curve, rng.randrange(1, curve.n),
                                                                                   curve.g)
    answer = loaded.ecmul2(u, curve.g, v, q)
    assert good(answer, weierstrass.add(curve, weierstrass.multiply(curve, u, curve.g),
                                        weierstrass.multiply(curve, v, q)))
    assert answer.run.times["kept_enter"] == 1
    assert loaded.ecmul_base(1 << loaded.bits).reason == "scalar_out_of_range"


def test_no_multiples_are_kept() -> None:
    """Without a base point, or where p is no prime and the last Z has no inverse; products are made as of any point."""
    curve = curves.by_name("P-192")
    without = Device(Curve("no base", curve.p, curve.a, curve.b), "fast")
    assert without.reason == "ok" and not without.base_kept
    assert good(without.ecmul(5, *curve.g), weierstrass.multiply(curve, 5, curve.g))
    composite = Device(Curve("p = 3 67", 201, 1, 195, 0, (2, 2)), "fast")
    assert composite.reason == "ok" and not composite.base_kept


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("config", KEEPING)
def test_a_wrong_product_keeps_no_wrong_multiples(config: str, every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One product of the loading is wrong: the curve is refused, or a product of its base point is right, or is found
    off the curve; then the multiples are forgotten, and the next product is right unless a or b are wrong."""
    curve, seen = curves.by_name("secp160r1"), Counter()
    right = Device(curve, config)
    k = random.Random(config).randrange(1, curve.n)
    point = weierstrass.multiply(curve, k, curve.g)
    monkeypatch.setattr(multicurve, "DualEngine", WrongProduct)
    places = range(right.run.products - 64 * 11, right.run.products, every)
    for place in places:
        monkeypatch.setattr(WrongProduct, "wrong", place)
        loaded = Device(curve, config)
        monkeypatch.setattr(WrongProduct, "wrong", None)
        answer = loaded.ecmul_base(k)
        seen[answer.reason] += 1
        assert answer.reason == "result_off_curve" or good(answer, point), place
        assert loaded.base_kept == (answer.reason == "ok"), place
        assert good(loaded.ecmul_base(k), point), place
    assert seen.total() == len(places) >= 17 and seen["result_off_curve"] > 0.5 * len(places)


# ---- X25519, X448 -------------------------------------------------------------------------------


@pytest.mark.parametrize("every", [100, pytest.param(1, marks=pytest.mark.long)])
def test_xdh_vectors(every: int) -> None:
    """Wycheproof: also points of small order, of the twist, and u from p on."""
    cases = [c for c in ec_vectors.wycheproof_cases().cases if c.operation == "xdh"]
    cases = ec_vectors.sample(cases, every) + [c for c in cases if c.values["all_zero"]][::10]
    assert len(cases) > 10
    for case in cases:
        k, u = case.values["k"], case.values["u"]
        loaded = device(case.curve.name)
        scalar = montgomery.decode_scalar(case.curve, k)
        masked = int.from_bytes(u, "little") & ((1 << case.curve.bits) - 1)
        assert loaded.xdh(scalar, masked).x.to_bytes(len(k), "little") == case.values["out"], case.id


@pytest.mark.parametrize("name", ["X25519", "X448"])
def test_ladders_of_known_coefficients(name: str) -> None:
    """As the ladder for any a, on scalars around the bits that clamping sets and clears, and points of small order."""
    known, rng = device(name, "throughput"), random.Random(name)
    curve, cycles, count = known.curve, set(), 0
    high = 1 << (curve.bits - 1)
    for k in (high, high + curve.cofactor, 2 * high - curve.cofactor, high + rng.randrange(high) // 8 * 8):
        for u in (0, 1, curve.p - 1, curve.u, rng.randrange(curve.p)):
            answer = known.xdh(k, u)
            assert answer.x == montgomery.multiply_u(curve, k, u), (k, u)
            cycles.add(answer.run.cycles)
            count += 1
    assert count == 20 and len(cycles) == 1


def test_reference_folder(vectors_dir: Path) -> None:
    """Products with base and other points of the folder's sets, a sample."""
    found = [c for c in ec_vectors.folder_cases(vectors_dir).cases if c.operation == "ecmul"]
    assert len(found) > 1000
    for case in ec_vectors.sample(found, 60):
        v, curve = case.values, case.curve
        answer = Device(curve).ecmul(v["k"], v.get("px", curve.g[0]), v.get("py", curve.g[1]))
        if v.get("expect") == "invalid_point":
            assert answer.reason != "ok"
        else:
            assert good(answer, None if v.get("r_infinity") else (v["rx"], v["ry"])), case.id


# ---- the walker ---------------------------------------------------------------------------------


def test_walker() -> None:
    """Digits give back the scalar; no two neighbours are not 0; indices give back its bits."""
    weights = {"add": 1, "sub": -1, "double": 0, "last": 1}
    for k in [*range(600), 2**255 - 19]:
        operations = naf_operations(k, "m3")
        total, place, busy = 0, 0, False
        for operation in operations:
            assert operation.startswith("walk_") and operation.endswith(("m3", "set", "minus", "last"))
            if operation.startswith("walk_set"):
                total += (-1 if operation.endswith("minus") else 1) << place
                continue
            weight = weights[operation.split("_")[1]]
            total += weight << place
            assert not (busy and weight)
            place, busy = place + 1, bool(weight)
        assert total == k
        bits = max(k.bit_length(), 3)
        indices = ladder_indices(k, bits)
        assert len(indices) == bits + 1
        value, previous = 0, 0
        for index in indices[:-1]:
            previous ^= index
            value = 2 * value + previous
        assert value == k and indices[-1] == k & 1


def walked(scalars: list[int], width: int) -> list[int]:
    """The scalars that the walk's operations give back."""
    operations = list(window_operations(scalars, width, "0"))
    assert operations[0][0] == "walk_set_0" and operations[-1] == ("walk_end", 0, 0)
    values = [0] * len(scalars)
    for name, number, digit in operations[:-1]:
        places = {"walk_set_0": 0, "walk_also_0": 0, "walk_double_0": 1, "walk_pair_0": 2, "walk_add_0": 1}[name]
        assert bool(digit) == name.startswith(("walk_set", "walk_add", "walk_also"))
        values = [value << places for value in values]
        values[number] += digit
    return values


@pytest.mark.parametrize("width", [2, 5, 6, 7])
def test_windows(width: int) -> None:
    """Digits give back the scalar, are odd and in range, one of width + 1 in the mean; operations give them back."""
    rng = random.Random(width)
    for k in [*range(1, 1 << (width + 3)), *(rng.getrandbits(260) | 1 for _ in range(50)), 2**521 - 1, 2**300]:
        digits = window_digits(k, width)
        value = 0
        for digit in digits:
            value = 2 * value + digit
            assert digit == 0 or (digit % 2 and abs(digit) < max(2 ** (width - 1), 2))
        assert value == k
        for second in ([], [0], [k // 3], [k + 1]):
            assert walked([k, *second], width) == [k, *second]
    assert list(window_operations([0, 0], width, "0")) == [("walk_nothing", 0, 0)]
    digits = window_digits(rng.getrandbits(30_000), width)
    assert sum(map(bool, digits)) / len(digits) == pytest.approx(1 / (width + 1), rel=0.02)
