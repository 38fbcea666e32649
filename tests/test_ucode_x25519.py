# SPDX-License-Identifier: Apache-2.0
"""The program of X25519 on the microcode simulator, against RFC 7748, OpenSSL and the golden model."""

from __future__ import annotations

import random

import pytest

from dv.edverify.secret_units import Digit, Job, image, ladder_digits, simulator, x25519
from pointmill.model.x25519 import x25519 as model
from pointmill.ucode.build import build
from pointmill.ucode.machine import P
from pointmill.ucode.simulator import ExecutionError, Simulator
from vectors.secret_vectors import ITERATED
from vectors.x25519_edges import EDGES, LOW_ORDER, openssl

WORDS, PRODUCTS = 2581, 2579
"""Words of an operation, all but two of them with a product."""


def clamp(data: bytes) -> int:
    """The scalar of 32 bytes (RFC 7748, section 5)."""
    return int.from_bytes(data, "little") & ~7 & (2**255 - 1) | 2**254


def multiply(k: bytes, u: bytes) -> bytes:
    """X25519 of bytes on the simulator, which must take the time that it always takes."""
    result, run = x25519(clamp(k), int.from_bytes(u, "little"))
    assert (run.reason, run.cycles, run.products) == (0, WORDS, PRODUCTS)
    assert 0 <= result < P
    return result.to_bytes(32, "little")


# RFC 7748, section 5.2: scalar, u, result.
VECTORS = [
    ("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
     "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
     "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"),
    ("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
     "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
     "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"),
]  # fmt: skip


@pytest.mark.parametrize(("k", "u", "expected"), VECTORS)
def test_rfc_7748(k: str, u: str, expected: str) -> None:
    assert multiply(bytes.fromhex(k), bytes.fromhex(u)).hex() == expected


def test_rfc_7748_key_exchange() -> None:
    """Section 6.1: public keys of both sides and the secret that they share."""
    alice = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    bob = bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    nine = (9).to_bytes(32, "little")
    ours, theirs = multiply(alice, nine), multiply(bob, nine)
    assert ours.hex() == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
    assert theirs.hex() == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
    shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    assert multiply(alice, theirs).hex() == multiply(bob, ours).hex() == shared


@pytest.mark.parametrize("rounds", [1, pytest.param(1000, marks=pytest.mark.long)])
def test_rfc_7748_iterated(rounds: int) -> None:
    k = u = (9).to_bytes(32, "little")
    for _ in range(rounds):
        k, u = multiply(k, u), k
    assert k.hex() == ITERATED[rounds]


def check(count: int, seed: int) -> None:
    """Random scalars and u, among them those of low order and not below p: all say the same."""
    rng = random.Random(seed)
    zeros = 0
    for number in range(count):
        k = rng.randbytes(32)
        u = EDGES[number] if number < len(EDGES) else rng.getrandbits(256)
        data = u.to_bytes(32, "little")
        result = multiply(k, data)
        assert result == openssl(k, data) == model(k, data), number
        zeros += not any(result)
    assert zeros == len(LOW_ORDER)


def test_random_scalars() -> None:
    """Any u, below p or not, with or without bit 255; the number of words is always the same."""
    check(100, seed=1)


@pytest.mark.long
def test_random_scalars_long() -> None:
    check(1000, seed=2)


@pytest.mark.parametrize("bits", [0, 2**256 - 1, int("10" * 128, 2), int("01" * 128, 2)])
def test_scalars_of_a_pattern(bits: int) -> None:
    k, u = bits.to_bytes(32, "little"), (9).to_bytes(32, "little")
    assert multiply(k, u) == openssl(k, u)


def test_ladder_digits() -> None:
    """Swaps undo each other: after step t as many as k_t says."""
    rng = random.Random(4)
    for _ in range(20):
        k = clamp(rng.randbytes(32))
        place, bits = 0, 0
        for digit in ladder_digits(k):
            assert digit == Digit(swap=digit.swap)
            place ^= digit.swap
            bits = 2 * bits + place
        assert bits == k and place == 0


def test_lengths() -> None:
    """A ladder step has nine words and nine products; no schedule is shorter."""
    _, _, schedules, rom = build("edverify", "x25519", "throughput")
    step = schedules["ladder_step"]
    products = sum(op.unit == "mul" for op in step.block.ops)
    assert (step.length, step.bound, products) == (9, 9, 9)
    assert not any(word.get("delay") for word in rom.words)
    # Begin, steps, copy of the denominator, inversion, quotient and its result, wiping, end.
    assert WORDS == 4 + 255 * 9 + 1 + (254 + 11) + 2 + 13 + 1


def test_registers_are_wiped() -> None:
    """Behind the program no register depends on scalar or point."""
    left = []
    for k in (2**254 + 8, 2**255 - 8):
        x25519(k, k % 977)
        simulator().engine.land()
        left.append({bank: list(map(int, values)) for bank, values in simulator().engine.banks.items()})
    assert left[0] == left[1] and {value % P for values in left[0].values() for value in values} == {0}


def test_the_guard_of_secrets() -> None:
    """A job on secrets is stopped where its flow would depend on data."""
    machine, words = image().machine, image().rom.encoded(image().machine)
    at, job = image().origins["x25519"] + 3, Job([ladder_digits(2**254)], 9)
    for control, condition in (("branch", "zero0"), ("wait", "strict_a"), ("finish", "zero0"),
                               ("dispatch", "always")):  # fmt: skip
        word = {"ctl_op": machine.isa.control[control], "ctl_cond": machine.conditions[condition]}
        changed = [*words[:at], machine.isa.encode(word), *words[at + 1 :]]
        simulator = Simulator(machine, changed, image().rom.labels)
        with pytest.raises(ExecutionError, match="flow depends on data in cycle 3"):
            simulator.run(job.environment(), image().origins["x25519"], secret=True)
