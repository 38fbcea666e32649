# SPDX-License-Identifier: Apache-2.0
"""The program of fixed-base products on the microcode simulator, against the golden model and OpenSSL."""

from __future__ import annotations

import hashlib
import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from dv.edverify.secret_units import HALF_BITS, WINDOW, comb_digits, fixed_base, simulator
from pointmill.cores import CORES
from pointmill.model import edwards
from pointmill.model.ed25519 import public_key, sign
from pointmill.model.scalar import L, clamp
from pointmill.ucode.build import build, link
from pointmill.ucode.machine import P

WORDS = {1: 1390, 2: 2486}
PRODUCTS = {1: 1385, 2: 2480}
"""By number of scalars."""


def multiply(*scalars: int) -> list[bytes]:
    """Encodings of s*G on the simulator, which must take the time that it always takes."""
    points, run = fixed_base(list(scalars))
    assert (run.reason, run.cycles, run.products) == (0, WORDS[len(scalars)], PRODUCTS[len(scalars)])
    return [point.to_bytes(32, "little") for point in points]


def expected(scalar: int) -> bytes:
    """The golden model's."""
    return edwards.encode(edwards.multiply(scalar, edwards.BASE))


# RFC 8032, section 7.1, tests 1 to 3 and 1024: seed and public key.
KEYS = {
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60":
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb":
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7":
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5":
    "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
}  # fmt: skip


@pytest.mark.parametrize("seed", KEYS)
def test_rfc_8032_keys(seed: str) -> None:
    secret = clamp(hashlib.sha512(bytes.fromhex(seed)).digest()[:32])
    assert multiply(secret % L) == [bytes.fromhex(KEYS[seed])]
    assert public_key(bytes.fromhex(seed)).hex() == KEYS[seed]


def check_keys(count: int, rng: random.Random) -> None:
    for _ in range(count):
        seed = rng.randbytes(32)
        secret = clamp(hashlib.sha512(seed).digest()[:32])
        key = Ed25519PrivateKey.from_private_bytes(seed).public_key()
        assert multiply(secret % L) == [key.public_bytes(Encoding.Raw, PublicFormat.Raw)]


def test_keys_against_openssl() -> None:
    """The number of words is the same for all scalars."""
    check_keys(60, random.Random(1))


def check_pairs(count: int, rng: random.Random) -> None:
    """Public key and R of signatures."""
    for _ in range(count):
        seed, msg = rng.randbytes(32), rng.randbytes(rng.randrange(100))
        digest = hashlib.sha512(seed).digest()
        r = int.from_bytes(hashlib.sha512(digest[32:] + msg).digest(), "little") % L
        found = multiply(clamp(digest[:32]) % L, r)
        signature = Ed25519PrivateKey.from_private_bytes(seed).sign(msg)
        assert found == [public_key(seed), signature[:32]]
        assert sign(seed, msg)[:32] == signature[:32]


def test_public_key_and_r_against_openssl() -> None:
    check_pairs(40, random.Random(2))


@pytest.mark.long
def test_fixed_base_long() -> None:
    rng = random.Random(3)
    check_keys(600, rng)
    check_pairs(400, rng)


# Even and odd, next to multiples of window weights, and those whose digits are all extreme.
EDGES = [0, 1, 2, 3, L - 1, L - 2, L // 2, L // 2 + 1, 511, 512, 513, 1 << 127, (1 << 127) - 1,
         (1 << 127) + 1, 1 << 252, (1 << 252) - 1, (1 << 126) - 1, 8, 2**251 + 1]  # fmt: skip


@pytest.mark.parametrize("scalar", EDGES)
def test_edges(scalar: int) -> None:
    assert multiply(scalar) == [expected(scalar)]
    assert multiply(scalar, L - 1 - scalar) == [expected(scalar), expected(L - 1 - scalar)]


def test_comb_digits() -> None:
    """Digits are odd, below 2^9, highest pair first, and add up to the scalar."""
    rng = random.Random(4)
    for s in [*EDGES, *(rng.randrange(L) for _ in range(200))]:
        digits = comb_digits(s)
        assert len(digits) == 30 and [digit.kind for digit in digits] == [0, 1] * 15
        total = 0
        for number, digit in enumerate(digits):
            assert digit.index < 2 ** (WINDOW - 1) and digit.value % 2
            total += digit.value << (WINDOW * (14 - number // 2) + HALF_BITS * digit.kind)
        assert total % L == s


def test_registers_are_wiped() -> None:
    """Behind the program no register depends on a scalar."""
    multiply(3, L - 5)
    simulator().engine.land()
    assert {int(value) % P for values in simulator().engine.banks.values() for value in values} == {0}


def test_a_soft_reset_wipes() -> None:
    """The words at which it enters write, with products of 0, whatever registers programs on secrets write, and the
    flags; then they end."""
    image = link("edverify", CORES["edverify"].roms["throughput"].programs, "throughput")
    at = image.address(CORES["edverify"].roms["throughput"].wipe)
    words = image.rom.words[at:]
    for enable, number in (("mul_en", "mul_rd"), ("sum_we", "sum_rd"), ("diff_we", "diff_rd")):
        written = {word[number] for word in words if word.get(enable)}
        for program in ("x25519", "fixed_base"):
            of_program = build("edverify", program, "throughput")[3].words
            assert {word[number] for word in of_program if word.get(enable)} <= written, (program, number)
    zero = image.machine.externals["zero"]
    assert [word.get("ext") for word in words] == [zero] * 15 + [None]
    assert [word.get("mul_canon", 0) for word in words] == [1] + [0] * 15
    assert words[-1]["ctl_op"] == image.machine.isa.control["finish"]


def test_lengths() -> None:
    """As many words as products (bound = length: no schedule is shorter)."""
    _, _, schedules, rom = build("edverify", "fixed_base", "throughput")
    for name, length in {"highest_digits": 13, "next_digits": 77}.items():
        products = sum(op.unit == "mul" for op in schedules[name].block.ops)
        assert products == length == schedules[name].length == schedules[name].bound
    assert not any(word.get("delay") for word in rom.words)
    # Begin; scalars, and after each the question for more; copies; inversion, encodings, wiping, end.
    scalar = 13 + 14 * 77 + 1
    assert WORDS[1] == 4 + scalar + (1 + 3) + (1 + 265 + 8 + 15 + 1)
    assert WORDS[2] == 4 + scalar + 7 + scalar + 1 + (1 + 265 + 8 + 15 + 1)
