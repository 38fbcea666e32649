# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve: two-scalar products, ECDSA, SM2: published examples, OpenSSL, toy curves, what is rejected, cycles."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from dv.multicurve import signature_model as model
from dv.multicurve.multicurve_core import LOOP, OKAY, OPERATIONS, Answer, Core, job
from dv.multicurve.toy_curves import SHORT_ORDER, points, toy
from pointmill.curves import Curve, by_name, known
from pointmill.model.weierstrass import multiply
from pointmill.ucode.multicurve import Device

P192, P256, SM2 = by_name("P-192"), by_name("P-256"), by_name("sm2p256v1")
TOP = (1 << 544) - 1
CTRL = 0x0C
CURVES = [name for name in known() if isinstance(by_name(name), Curve)]
OPENSSL = {
    "P-192": ec.SECP192R1(), "P-224": ec.SECP224R1(), "P-256": ec.SECP256R1(), "P-384": ec.SECP384R1(),
    "P-521": ec.SECP521R1(), "secp256k1": ec.SECP256K1(), "brainpoolP256r1": ec.BrainpoolP256R1(),
    "brainpoolP384r1": ec.BrainpoolP384R1(), "brainpoolP512r1": ec.BrainpoolP512R1(),
}  # fmt: skip
SECRET = ("secret",)


def configs(*sampled: str) -> pytest.MarkDecorator:
    """Runs a test with every configuration; in the normal run with `paper` and those named."""
    return pytest.mark.parametrize("config", [
        pytest.param(name, marks=() if name in ("paper", *sampled) else pytest.mark.long)
        for name in ("paper", "fast", "throughput")])  # fmt: skip


def flags(name: str) -> tuple[str, ...]:
    """A signer's job is secret."""
    return SECRET if name.endswith("sign") else ()


def ask(core: Core, name: str, *numbers: int) -> Answer:
    return core.ask(name, *numbers, flags=flags(name))


def agree(core: Core, curve: Curve, name: str, jobs: list[tuple[int, ...]]) -> dict[str, int]:
    """How many of the jobs had which reason; all of them as the model says."""
    seen: dict[str, int] = {}
    for tag, numbers in enumerate(jobs):
        core.push(job(tag, name, *numbers, flags=flags(name)))
    for numbers, answer in zip(jobs, core.answers(len(jobs)), strict=True):
        reason, payload = model.answer(curve, name, *numbers)
        assert answer.reason == reason, (curve, name, numbers)
        if reason == "ok":
            assert answer.infinity == (payload is None)
            wanted = (0, 0) if payload is None else payload
            assert answer.payload == wanted, (curve, name, numbers)
        seen[reason] = seen.get(reason, 0) + 1
    return seen


# ---- published examples -------------------------------------------------------------------------

# RFC 6979, A.2.5 (P-256): private key; hash, message, k, r, s.
KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
RFC6979 = [
    ("sha256", b"sample", 0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60,
     0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
     0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8),
    ("sha1", b"sample", 0x882905F1227FD620FBF2ABF21244F0BA83D0DC3A9103DBBEE43A1FB858109DB4,
     0x61340C88C3AAEBEB4F6D667F672CA9759A6CCAA9FA8811313039EE4A35471D32,
     0x6D7F147DAC089441BB2E2FE8F7A3FA264B9C475098FDCF6E00D7C996E1B8B7EB),
]  # fmt: skip

# GB/T 32918.5-2017, annex A.2: e, d, k, r, s.
GBT = (0xF0B43E94BA45ACCAACE692ED534382EB17E6AB5A19CE7B31F4486FDFC0D28640,
       0x3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8,
       0x59276E27D506861A16680F3AD9C02DCCEF3CC1FA3CDBE4CE6D54B80DEAC1BC21,
       0xF5A03B0648D2C4630EEAC513E1BB81A15944DA3827D5B74143AC7EACEEE720B3,
       0xB1B6AA29DF212FD8763182BC0D421CA1BB9038FD1F7F42D4840B69C485BBC1AA)  # fmt: skip


@configs("fast", "throughput")
def test_rfc6979(config: str) -> None:
    q = multiply(P256, KEY, P256.g)
    with Core(config) as core:
        core.load(P256)
        for name, message, k, r, s in RFC6979:
            digest = hashlib.new(name, message).digest()
            number = (int.from_bytes(digest, "big"), 8 * len(digest))
            assert ask(core, "ecdsa_sign", KEY, k, *number).payload == (r, s)
            assert ask(core, "ecdsa_verify", *number, *q, r, s).reason == "ok"


@configs("throughput")
def test_gbt_32918(config: str) -> None:
    e, d, k, r, s = GBT
    q = multiply(SM2, d, SM2.g)
    with Core(config) as core:
        core.load(SM2)
        assert ask(core, "sm2_sign", d, k, e).payload == (r, s)
        assert ask(core, "sm2_verify", e, *q, r, s).reason == "ok"
        assert ask(core, "sm2_verify", e + (SM2.n << 200), *q, r, s).reason == "ok"
        assert ask(core, "sm2_verify", e + 1, *q, r, s).reason == "bad_signature"


# ---- named curves -------------------------------------------------------------------------------

QUICK = {
    "paper": ("P-192", "P-224", "P-256", "secp160r1", "secp224k1", "secp256k1", "brainpoolP320r1"),
    "fast": ("P-192",), "throughput": ("P-192", "secp256k1"),
}  # fmt: skip
"""Curves of the normal run, by configuration."""


@pytest.mark.parametrize(("name", "config"), [
    pytest.param(name, config, marks=() if name in quick else pytest.mark.long)
    for config, quick in QUICK.items() for name in CURVES])  # fmt: skip
def test_signatures(name: str, config: str) -> None:
    """ECDSA as OpenSSL has it, where it knows the curve, and SM2, as the model has them; uP + vQ."""
    curve, rng = by_name(name), random.Random(name)
    d, k = rng.randrange(1, curve.n - 1), rng.randrange(1, curve.n)
    q = multiply(curve, d, curve.g)
    digest = rng.randbytes(48)
    number = (int.from_bytes(digest, "big"), 384)
    with Core(config) as core:
        assert core.load(curve).reason == "ok"
        r, s = ask(core, "ecdsa_sign", d, k, *number).payload
        assert model.answer(curve, "ecdsa_sign", d, k, *number) == ("ok", (r, s))
        if theirs := OPENSSL.get(name):
            key, scheme = ec.derive_private_key(d, theirs), ec.ECDSA(utils.Prehashed(hashes.SHA384()))
            key.public_key().verify(utils.encode_dss_signature(r, s), digest, scheme)
            with pytest.raises(InvalidSignature):
                key.public_key().verify(utils.encode_dss_signature(r, s ^ 1), digest, scheme)
            r, s = utils.decode_dss_signature(key.sign(digest, scheme))
        assert ask(core, "ecdsa_verify", *number, *q, r, s).reason == "ok"
        assert ask(core, "ecdsa_verify", *number, *q, r, s ^ 1).reason == "bad_signature"
        r, s = ask(core, "sm2_sign", d, k, number[0]).payload
        assert model.answer(curve, "sm2_sign", d, k, number[0]) == ("ok", (r, s))
        assert ask(core, "sm2_verify", number[0], *q, r, s).reason == "ok"
        u, v = rng.randrange(2 * curve.n), rng.randrange(curve.n)
        u %= 2 << curve.bits
        assert agree(core, curve, "ecmul2", [(u, *curve.g, v, *q), (v, *q, curve.n - v, *q)]) == {"ok": 2}


def test_all_curves_are_here() -> None:
    assert len(CURVES) == 33 and set(OPENSSL).union(*QUICK.values()) <= set(CURVES)


@configs("throughput")
def test_order_of_fewer_digits(config: str) -> None:
    """What is below R of the field is a factor modulo the order too."""
    curve, rng = SHORT_ORDER, random.Random(33)
    jobs = [(rng.randrange(1, curve.n - 1), k, rng.getrandbits(40), 40)
            for k in (1, *(rng.randrange(1, curve.n) for _ in range(7)))]
    with Core(config) as core:
        assert core.load(curve).reason == "ok"
        assert agree(core, curve, "ecdsa_sign", jobs) == {"ok": 8}
        assert agree(core, curve, "sm2_sign", [numbers[:3] for numbers in jobs]) == {"ok": 8}
        d, k, *message = jobs[0]
        signature = ask(core, "ecdsa_sign", d, k, *message).payload
        assert ask(core, "ecdsa_verify", *message, *multiply(curve, d, curve.g), *signature).reason == "ok"


@pytest.mark.parametrize("scheme", ["ecdsa", "sm2"])
@configs("throughput")
def test_anything_altered(scheme: str, config: str) -> None:
    """A bit of each of r, s, digest and key's scalar."""
    curve, rng = P192, random.Random(scheme)
    d, k = rng.randrange(1, curve.n - 1), rng.randrange(1, curve.n)
    q = multiply(curve, d, curve.g)
    message = (rng.getrandbits(192), 192) if scheme == "ecdsa" else (rng.getrandbits(192),)
    with Core(config) as core:
        core.load(curve)
        r, s = ask(core, f"{scheme}_sign", d, k, *message).payload
        bits = [0, 191, rng.randrange(1, 190)]
        jobs = [(*message, *q, r ^ 1 << bit, s) for bit in bits] + [(*message, *q, r, s ^ 1 << bit) for bit in bits]
        jobs += [(message[0] ^ 1 << bit, *message[1:], *q, r, s) for bit in bits]
        jobs += [(*message, *multiply(curve, d ^ 1 << bit, curve.g), r, s) for bit in bits]
        jobs += [(*message, q[0], curve.p - q[1], r, s), (*message, *q, s, r), (*message, *q, r, curve.n - s)]
        accepted = 1 if scheme == "ecdsa" else 0  # (r, n - s)
        seen = agree(core, curve, f"{scheme}_verify", [*jobs, (*message, *q, r, s)])
        assert seen["ok"] == accepted + 1 and seen["bad_signature"] + seen.get("signature_out_of_range",
                                                                               0) == 15 - accepted


# ---- toy curves ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "kind"), [(7, "m3"), (7, "0"), (13, "any")])
@pytest.mark.parametrize("every", [149, pytest.param(1, marks=pytest.mark.long)])
@configs()
def test_two_scalars(order: int, kind: str, every: int, config: str) -> None:
    """All pairs of scalars and points, or a sample of them."""
    curve = toy(order, kind)
    top = 2 << curve.bits
    pairs = [(p, q) for p in points(curve) for q in points(curve)]
    jobs = [(u, *p, v, *q) for p, q in pairs for u in range(top) for v in range(top)][::every]
    with Core(config) as core:
        core.load(curve)
        assert agree(core, curve, "ecmul2", jobs) == {"ok": -(-len(pairs) * top * top // every)}
        wrong = [(top, *jobs[0][1:]), (*jobs[0][:3], top, *jobs[0][4:])]
        assert agree(core, curve, "ecmul2", wrong) == {"scalar_out_of_range": 2}
        off = next((x, 1) for x in range(curve.p) if not curve.contains(x, 1))
        wrong = [(1, *off, 1, *pairs[0][0]), (1, *pairs[0][0], 1, *off), (1, *pairs[0][0], 1, curve.p, 0)]
        assert agree(core, curve, "ecmul2", wrong) == {"invalid_point": 3}


@pytest.mark.parametrize(("order", "kind"), [(13, "any"), (7, "m3")])
@pytest.mark.parametrize("every", [149, pytest.param(1, marks=pytest.mark.long)])
@configs("throughput")
def test_every_verdict(order: int, kind: str, every: int, config: str) -> None:
    """r, s and e to beyond n, all keys."""
    curve = toy(order, kind)
    jobs = [(e, q, r, s) for e in range(order + 1) for q in points(curve)
            for r in range(order + 2) for s in range(order + 2)][::every]  # fmt: skip
    with Core(config) as core:
        core.load(curve)
        for name, length in (("ecdsa_verify", (order.bit_length(),)), ("sm2_verify", ())):
            seen = agree(core, curve, name, [(e, *length, *q, r, s) for e, q, r, s in jobs])
            assert seen.keys() == {"ok", "bad_signature", "signature_out_of_range"}
            assert sum(seen.values()) == -(-(order + 1) * (order - 1) * (order + 2) ** 2 // every)


@pytest.mark.parametrize(("order", "kind"), [(13, "0"), (7, "m3")])
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.long)])
@configs()
def test_every_new_signature(order: int, kind: str, every: int, config: str) -> None:
    """All d, k and e: `unusable_nonce` and ranges, too."""
    curve = toy(order, kind)
    jobs = [(d, k, e) for d in range(order + 2) for k in range(order + 2) for e in range(order)][::every]
    with Core(config) as core:
        core.load(curve)
        for name, length in (("ecdsa_sign", (order.bit_length(),)), ("sm2_sign", ())):
            seen = agree(core, curve, name, [(*numbers, *length) for numbers in jobs])
            assert seen.keys() == {"ok", "unusable_nonce", "scalar_out_of_range"}
            assert sum(seen.values()) == len(jobs)


@configs()
def test_lengths_of_digests(config: str) -> None:
    """From none to far more than 544 bits, on an order of 8 bits."""
    rng, curve = random.Random(1), toy(199, "any")
    with Core(config) as core:
        core.load(curve)
        jobs = []
        for length in (0, 1, 7, 8, 9, 39, 40, 41, 72, 160, 512, 543, 544, 545, 551, 552, 2046, 2047, 2048, 1 << 40,
                       TOP):
            digest = rng.getrandbits(min(length, 544)) if length else 0
            jobs += [(rng.randrange(1, 199), rng.randrange(1, 199), digest, length),
                     (rng.randrange(1, 199), rng.randrange(1, 199), TOP, length)]
        assert agree(core, curve, "ecdsa_sign", jobs)["ok"] > 38
        assert agree(core, curve, "sm2_sign", [(d, k, e) for d, k, e, _ in jobs if d < 198])["ok"] > 36


# ---- refusals -----------------------------------------------------------------------------------


@configs("throughput")
def test_ranges(config: str) -> None:
    curve, n = P192, P192.n
    g = curve.g
    with Core(config) as core:
        core.load(curve)
        for bad in (0, n, n + 1, TOP):
            for name, numbers in (("ecdsa_verify", (5, 8, *g, bad, 1)), ("ecdsa_verify", (5, 8, *g, 1, bad)),
                                  ("sm2_verify", (5, *g, bad, 1)), ("sm2_verify", (5, *g, 1, bad))):  # fmt: skip
                assert ask(core, name, *numbers).reason == "signature_out_of_range"
            for name, numbers in (("ecdsa_sign", (bad, 1, 5, 8)), ("ecdsa_sign", (1, bad, 5, 8)),
                                  ("sm2_sign", (bad, 1, 5)), ("sm2_sign", (1, bad, 5))):  # fmt: skip
                assert ask(core, name, *numbers).reason == "scalar_out_of_range"
        assert ask(core, "sm2_verify", 5, *g, 7, n - 7).reason == "signature_out_of_range"
        assert ask(core, "sm2_sign", n - 1, 1, 5).reason == "scalar_out_of_range"
        assert ask(core, "ecdsa_sign", n - 1, 1, 5, 8).reason == "ok"
        for name, numbers in (("ecdsa_verify", (5, 8, g[0], g[1] ^ 1, 0, 0)), ("sm2_verify", (5, g[0], curve.p, 0, 0))):
            assert ask(core, name, *numbers).reason == "invalid_point"


ALL = {"ecdsa_verify": (5, 8, *P192.g, 1, 1), "sm2_verify": (5, *P192.g, 1, 1), "ecdsa_sign": (1, 1, 5, 8),
       "sm2_sign": (1, 1, 5)}  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_no_order_no_base_no_curve(name: str) -> None:
    with Core() as core:
        assert ask(core, name, *ALL[name]).reason == "no_curve"
        core.load(replace(P192, n=None))
        assert ask(core, name, *ALL[name]).reason == "no_order"
        for n in (1, 2, P192.n - 1):
            core.load(replace(P192, n=n))
            assert ask(core, name, *ALL[name]).reason == "parameter_out_of_range"
        without = (P192.p, P192.a, P192.b, 0, 0, P192.n)
        assert core.ask("load_curve", *without, option="no_base").reason == "ok"
        assert ask(core, name, *ALL[name]).reason == "invalid_point"
        core.load(P192)
        assert ask(core, name, *ALL[name]).reason in ("ok", "bad_signature")
        core.load(by_name("X25519"))
        assert ask(core, name, *ALL[name]).reason == "no_curve"


def test_abandoned_signatures() -> None:
    """A soft reset at any time leaves the curve, its order and the other modulus as they are."""
    rng = random.Random(7)
    d, k, message = 77, 99, (rng.getrandbits(192), 192)
    aborted = 0
    with Core() as core:
        core.load(P192)
        wanted = ask(core, "ecdsa_sign", d, k, *message).payload
        for at in [*range(40, 96, 3), *(rng.randrange(14_000) for _ in range(10))]:
            core.push(job(9, "ecdsa_sign", d, k, *message, flags=SECRET) if at > 95
                      else job(9, "modarith", 3**300 | 1, 5, 7, option="mul"))
            core.run(at)
            assert core.write(CTRL, 1) == OKAY
            aborted += core.answers(1)[0].reason == "aborted"
            assert core.ask("ecmul_base", 5).point == multiply(P192, 5, P192.g)
        assert ask(core, "ecdsa_sign", d, k, *message).payload == wanted
    assert aborted > 20


# ---- secrets and cycles -------------------------------------------------------------------------

CONTROL = 2
"""Cycles from the end of the packet to the first word, and from the last word to the answer."""
SIGN = {"ecdsa_sign": 22_068, "sm2_sign": 22_065}
"""Cycles of a new signature on P-256, from header to answer."""
REST = {"ecdsa_verify": 1_265, "sm2_verify": 760}
"""Cycles of a verification on P-256 beside both walks."""
EXAMPLE = 29_573
"""Cycles of the verification of RFC 6979's example."""


@pytest.mark.parametrize("name", SIGN)
def test_new_signatures_take_one_time(name: str) -> None:
    rng, n = random.Random(name), P256.n
    cycles = set()
    with Core() as core:
        core.load(P256)
        for d, k in ((1, 1), (n - 2, n - 1), (1 << 255, 1 << 254), (rng.randrange(n - 1), rng.randrange(n))):
            message = (rng.getrandbits(256), 256)[: len(OPERATIONS[name]["operands"]) - 2]
            answer = ask(core, name, d, k, *message)
            assert answer.reason == "ok"
            cycles.add(answer.cycles)
    assert cycles == {SIGN[name]}


@pytest.mark.parametrize("name", REST)
def test_cycles_of_a_verification(name: str) -> None:
    """All but the walks takes one time: reception, two points checked, s^-1 (ECDSA), conversion with its inversion.
    The simulator says the same."""
    rng = random.Random(name)
    with Core() as core:
        core.load(P256)
        device = Device(P256)
        q = multiply(P256, rng.randrange(P256.n), P256.g)
        rests = set()
        for _ in range(3):
            message = (rng.getrandbits(256), 256)[: len(OPERATIONS[name]["operands"]) - 4]
            r, s = rng.randrange(1, P256.n), rng.randrange(1, P256.n)
            answer = ask(core, name, *message, *q, r, s)
            run = getattr(device, name)(*message, q, r, s).run
            assert answer.cycles == run.cycles + 1 + 9 * len(OPERATIONS[name]["operands"]) + CONTROL
            rests.add(answer.cycles - core.read(LOOP))
        assert rests == {REST[name]}


def test_cycles_of_the_example() -> None:
    _, _, _, r, s = RFC6979[0]
    digest = int.from_bytes(hashlib.sha256(b"sample").digest(), "big")
    with Core() as core:
        core.load(P256)
        answer = ask(core, "ecdsa_verify", digest, 256, *multiply(P256, KEY, P256.g), r, s)
        assert (answer.reason, answer.cycles) == ("ok", EXAMPLE)


def test_the_walk_of_signatures_is_for_public_scalars() -> None:
    """The flag of secrets is not legal in a verification, nor with two scalars."""
    with Core() as core:
        core.load(P192)
        for name, numbers in ALL.items():
            core.push(job(1, name, *numbers, flags=SECRET))
        core.push(job(1, "ecmul2", 1, *P192.g, 1, *P192.g, flags=SECRET))
        reasons = [answer.reason for answer in core.answers(5)]
    assert reasons == ["malformed_job", "malformed_job", "ok", "ok", "malformed_job"]
