# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve on the named curves: products against the golden model, RFC 7748, secret scalars."""

from __future__ import annotations

import random

import pytest

from dv.multicurve.multicurve_core import CONFIGS, Core, job
from pointmill.curves import Curve, MontgomeryCurve, by_name, known
from pointmill.model import montgomery
from pointmill.model.weierstrass import multiply

pytestmark = pytest.mark.parametrize("config", CONFIGS)

CURVES = [name for name in known() if isinstance(by_name(name), Curve)]
WIDE = 384
"""Curves from this width on take longest: fewer scalars."""
ALIKE = ["Wei25519", "W-Ed448", "W-41417", *(name for name in CURVES if name.endswith("t1"))]
"""Curves that are to the core as others are: in the long run."""


def scalars(curve: Curve, rng: random.Random) -> list[int]:
    """Scalars that are special, and random ones."""
    n, bits = curve.n, curve.n.bit_length()
    special = [0, 1, 2, 3, n - 2, n - 1, n, n + 1, (1 << bits) - n, (1 << curve.bits) - 1, 1 << (bits - 1)]
    if curve.bits >= WIDE:
        return [*special[4:8], *special[9:], rng.randrange(n)]
    runs = int("".join(bit * 37 for bit in "1011")[:bits], 2)
    return [*special, runs, *(rng.randrange(n) for _ in range(4))]


def test_all_curves_are_here(config: str) -> None:
    assert len(CURVES) == 33 and config in CONFIGS


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) if name in ALIKE else name
                                  for name in CURVES])
@pytest.mark.parametrize("part", ["sample", pytest.param("whole", marks=pytest.mark.long)])
def test_products(part: str, name: str, config: str) -> None:
    """Special and random scalars; of each kind in the sample."""
    curve, rng = by_name(name), random.Random(name)
    point = multiply(curve, rng.randrange(1, curve.n), curve.g)
    some, wide = scalars(curve, rng), curve.bits >= WIDE
    assert len(some) == (7 if wide else 16)
    if part == "sample":
        some = [some[i] for i in ((2, 4, 6) if wide else (0, 5, 6, 9, 11, 15))]
    with Core(config) as core:
        assert core.load(curve).reason == "ok"
        for k in some:
            answer = core.ask("ecmul", k, *point)
            assert answer.point == multiply(curve, k, point), hex(k)
            assert answer.infinity == (k % curve.n == 0)
        k = some[-1]
        assert core.ask("ecmul_base", k).point == multiply(curve, k, curve.g)
        assert core.ask("check", *point).reason == "ok"
        assert core.ask("check", point[0], point[1] ^ 1).reason == "invalid_point"


@pytest.mark.parametrize("name", [
    "P-192", "P-256", "secp256k1", "P-521", pytest.param("brainpoolP320r1", marks=pytest.mark.long)])
def test_secret_scalars_take_the_same_time(name: str, config: str) -> None:
    """The ladder: right for every scalar, and the same number of cycles."""
    curve, rng = by_name(name), random.Random(name)
    some = scalars(curve, rng)
    cycles, loops = set(), set()
    with Core(config) as core:
        core.load(curve)
        for k in some:
            answer = core.ask("ecmul", k, *curve.g, option="ladder", flags=("secret",))
            assert answer.point == multiply(curve, k, curve.g), hex(k)
            cycles.add(answer.cycles)
            loops.add(core.loop)
    assert len(cycles) == len(loops) == 1, (cycles, loops)


def xdh(core: Core, name: str, k: bytes, u: bytes) -> tuple[bytes, bool, int]:
    """(result, all_zero, cycles) of X25519 or X448 on wire bytes."""
    answer = core.ask("ladder", int.from_bytes(k, "little"), int.from_bytes(u, "little"),
                      option=name.lower(), flags=("secret",))
    assert answer.reason == "ok"
    return answer.payload[0].to_bytes(len(u), "little"), answer.all_zero, answer.cycles


RFC7748 = {
    "X25519": [
        ("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
         "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
         "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"),
        ("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
         "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
         "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"),
    ],
    "X448": [
        ("3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121700a779c984c24f8cdd78fbff44943eba368f54b"
         "29259a4f1c600ad3",
         "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9814dc031ddbdc38c19c6da2583fa5429db94ada1"
         "8aa7a7fb4ef8a086",
         "ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239fe14fbaadeb445fc66a01b0779d98223961111e21"
         "766282f73dd96b6f"),
        ("203d494428b8399352665ddca42f9de8fef600908e0d461cb021f8c538345dd77c3e4806e25f46d3315c44e0a5b43712"
         "82dd2c8d5be3095f",
         "0fbcc2f993cd56d3305b0b7d9e55d4c1a8fb5dbb52f8e9a1e9b6201b165d015894e56c4d3570bee52fe205e28a78b91c"
         "dfbde71ce8d157db",
         "884a02576239ff7a2f2f63b2db6a9ff37047ac13568e1e30fe63c4a7ad1b3ee3a5700df34321d62077e63633c575c1c9"
         "54514e99da7c179d"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", RFC7748)
def test_rfc7748(name: str, config: str) -> None:
    """Section 5.2, and the first iteration of its loop."""
    with Core(config) as core:
        assert core.load(by_name(name)).reason == "ok"
        for k, u, out in RFC7748[name]:
            result, zero, _ = xdh(core, name, bytes.fromhex(k), bytes.fromhex(u))
            assert (result.hex(), zero) == (out, False)


@pytest.mark.parametrize(("name", "count"), [("X25519", 24), ("X448", 8)])
def test_ladder_against_model(name: str, count: int, config: str) -> None:
    """Random scalars and coordinates, those that are not reduced, of small order, on the twist; one time for all."""
    curve = by_name(name)
    assert isinstance(curve, MontgomeryCurve)
    rng = random.Random(name)
    size, top = curve.bytes, (1 << 8 * curve.bytes) - 1
    us = [0, 1, curve.p - 1, curve.p, curve.p + 1, top, curve.u]
    us += [rng.randrange(top) for _ in range(count - len(us))]
    cycles = set()
    with Core(config) as core:
        core.load(curve)
        for u in us:
            k, wire = rng.randbytes(size), u.to_bytes(size, "little")
            result, zero, taken = xdh(core, name, k, wire)
            wanted = montgomery.xdh(curve, k, wire)
            assert (result, zero) == (wanted, not any(wanted)), hex(u)
            cycles.add(taken)
    assert len(us) == count
    assert len(cycles) == 1


def test_ladder_of_any_scalar(config: str) -> None:
    """Option `plain`: no clamping, any Montgomery curve; also scalars 0 and 1."""
    rng = random.Random(2)
    with Core(config) as core:
        for name in ("X25519", "X448"):
            curve = by_name(name)
            core.load(curve)
            for k in (0, 1, 2, 3, 8, curve.n, curve.n + 1, rng.randrange(curve.n)):
                u = rng.randrange(curve.p)
                answer = core.ask("ladder", k, u, option="plain")
                assert answer.payload[0] == montgomery.multiply_u(curve, k, u), hex(k)
            assert core.ask("ladder", 3, curve.p).reason == "parameter_out_of_range"
            assert core.ask("ladder", 4 << curve.bits, 9).reason == "scalar_out_of_range"
            other = "x448" if name == "X25519" else "x25519"
            assert core.ask("ladder", 1, 9, option=other).reason == "scalar_out_of_range"


def test_pauses_and_back_pressure(config: str) -> None:
    curve, rng = by_name("P-192"), random.Random(5)
    some = [rng.randrange(curve.n) for _ in range(12)]
    with Core(config) as core:
        core.load(curve)
        core.pace(seed=3, idle=40, stall=60)
        for tag, k in enumerate(some):
            core.push(job(tag, "ecmul", k, *curve.g))
        for tag, answer in enumerate(core.answers(len(some))):
            assert (answer.tag, answer.point) == (tag, multiply(curve, some[tag], curve.g))
