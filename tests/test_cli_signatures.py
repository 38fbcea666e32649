# SPDX-License-Identifier: Apache-2.0
"""ecmul2, ecdsa-verify, ecdsa-sign, sm2-verify and sm2-sign on the simulated core, against the golden model."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from driver.curve_lines import TOY, Run, run, without_cycles
from pointmill import rfc6979
from pointmill.client import FFI
from pointmill.curve_device import CurveDevice, CurveJob
from pointmill.curves import Curve, by_name, from_params
from pointmill.model import weierstrass
from pointmill.model.weierstrass import Refused, add, multiply, negate

P256 = by_name("P-256")
SM2 = by_name("sm2p256v1")


def fields(**numbers: int) -> dict[str, str]:
    """Numbers as fields of a line."""
    return {name: f"{number:x}" for name, number in numbers.items()}


def point(curve: Curve, k: int) -> tuple[int, int]:
    """[k]G."""
    return multiply(curve, k, curve.g)


# ---- ecmul2 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "count"), [(3, 12), pytest.param(1, 36, marks=pytest.mark.long)])
def test_sums_of_products(run: Run, step: int, count: int) -> None:
    """Special and random scalars; equal, opposite and unrelated points; the base point where P is left out."""
    rng = random.Random(1)
    records, expected = [], []
    for first, name in enumerate(("P-192", "secp256k1", "brainpoolP224r1")):
        curve = by_name(name)
        p = point(curve, rng.randrange(1, curve.n))
        qs = [point(curve, rng.randrange(1, curve.n)), p, negate(curve, p)]
        scalars = [0, 1, curve.n - 1, curve.n, (2 << curve.bits) - 1, rng.randrange(curve.n)]
        pairs = [(u, rng.choice(scalars)) for u in scalars] + [(rng.choice(scalars), v) for v in scalars]
        for index, (u, v) in list(enumerate(pairs))[first % step::step]:
            q, base = qs[index % 3], index % 4 == 3
            records.append({"curve": name, **fields(u=u, v=v, qx=q[0], qy=q[1]),
                            **({} if base else fields(px=p[0], py=p[1]))})
            total = add(curve, multiply(curve, u, curve.g if base else p), multiply(curve, v, q))
            width = 2 * curve.bytes
            expected.append({"r_infinity": True} if total is None else
                            {"rx": f"{total[0]:0{width}x}", "ry": f"{total[1]:0{width}x}"})
    code, answers = run("ecmul2", records, "--json")
    assert code == 0 and len(answers) == count
    assert [without_cycles(answer) for answer in answers] == [
        {"tag": tag, **fields} for tag, fields in enumerate(expected)]


def test_infinity_of_two_products(run: Run) -> None:
    """Every pair of scalars on a curve of 19 points: 19 sums of each 361 are infinity."""
    curve = from_params(TOY)
    q = point(curve, 7)
    pairs = [(u, v) for u in range(19) for v in range(19)]
    code, answers = run("ecmul2", [{"params": TOY, **fields(u=u, v=v, qx=q[0], qy=q[1])} for u, v in pairs])
    assert code == 0 and len(answers) == 361
    for (u, v), answer in zip(pairs, answers, strict=True):
        total = point(curve, u + 7 * v)
        assert answer.get("r_infinity") == (True if total is None else None)
        assert total is None or (int(answer["rx"], 16), int(answer["ry"], 16)) == total
    assert sum("r_infinity" in answer for answer in answers) == 19


def bad_among_good(run: Run, command: str, good: dict[str, Any], bad: list[tuple[dict[str, Any], str, str]]
                   ) -> None:
    """Each bad change of a good line gets its reason and words; every good line beside it its result."""
    records = [r for change, _, _ in bad
               for r in ({k: v for k, v in (good | change).items() if v is not None}, good)]
    code, answers = run(command, records, "--curve", "P-256")
    assert code == 1 and len(answers) == 2 * len(bad)
    verdict = command.endswith("verify")
    for index, ((_, reason, detail), answer) in enumerate(zip(bad, answers[::2], strict=True)):
        wanted = {"tag": 2 * index, "detail": answer["detail"]}
        wanted |= {"valid": False, "reason": reason} if verdict else {"error": reason}
        assert answer == wanted and answer["detail"].startswith(detail), (index, answer)
    for answer in answers[1::2]:
        assert answer["valid"] if verdict else "error" not in answer


def test_bad_sums(run: Run) -> None:
    (px, py), (qx, qy) = point(P256, 2), point(P256, 3)
    bad_among_good(run, "ecmul2", fields(u=1, px=px, py=py, v=2, qx=qx, qy=qy), [
        ({"u": None}, "malformed_job", "u is missing"),
        ({"v": "-1"}, "malformed_job", "v is not a string of hex digits"),
        ({"qy": None}, "malformed_job", "qy is missing"),
        ({"px": None}, "malformed_job", "px is missing"),
        ({"qx": "1" + "0" * 136}, "malformed_job", "qx has more than 544 bits"),
        ({"px": f"{px ^ 1:x}"}, "invalid_point", "the point "),
        ({"qy": f"{qy ^ 1:x}"}, "invalid_point", "the point "),
        ({"qx": f"{qx + P256.p:x}"}, "invalid_point", "the point "),
        ({"u": f"{4 << 256:x}"}, "scalar_out_of_range", "the scalar "),
        ({"px": None, "py": None, "params": {"p": "11", "a": "2", "b": "2"}}, "malformed_job", "the parameters"),
    ])


# ---- ECDSA --------------------------------------------------------------------------------------

# RFC 6979, A.2.5 (P-256): hash, message, r, s.
KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
SIGNED = [
    ("sha1", "sample", 0x61340C88C3AAEBEB4F6D667F672CA9759A6CCAA9FA8811313039EE4A35471D32,
     0x6D7F147DAC089441BB2E2FE8F7A3FA264B9C475098FDCF6E00D7C996E1B8B7EB),
    ("sha256", "sample", 0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
     0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8),
    ("sha512", "sample", 0x8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00,
     0x2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE),
    ("sha256", "test", 0xF1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367,
     0x019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083),
]  # fmt: skip


def test_nonces_of_rfc6979(run: Run) -> None:
    """The hash by the length of the digest, by the line, by the option; and what was signed is valid."""
    x, y = point(P256, KEY)
    digests = [hashlib.new(name, message.encode()).hexdigest() for name, message, _, _ in SIGNED]
    expected = [fields(r=r, s=s) for _, _, r, s in SIGNED]
    for records, words in (
        ([{"digest": digest} for digest in digests], ()),
        ([{"digest": digest, "hash": case[0].replace("sha", "SHA-")} for digest, case in
          zip(digests, SIGNED, strict=True)], ("--hash", "sha384")),
        ([{"digest": digests[1]}, {"digest": digests[3]}], ("--hash", "SHA-256")),
    ):
        code, answers = run("ecdsa-sign", [{"d": f"{KEY:x}", **r} for r in records], *words, "--curve", "P-256")
        assert code == 0 and len(answers) == len(records)
        wanted = expected if len(records) == 4 else expected[1::2]
        assert [{name: f"{int(answer[name], 16):x}" for name in "rs"} for answer in answers] == wanted
        assert all(len(answer["r"]) == len(answer["s"]) == 64 for answer in answers)
        assert all(without_cycles(answer).keys() == {"tag", "r", "s"} for answer in answers)
    code, answers = run("ecdsa-verify", [{"digest": digest, **fields(qx=x, qy=y), **pair}
                                         for digest, pair in zip(digests, expected, strict=True)], "--curve", "P-256")
    assert code == 0
    assert [without_cycles(answer) for answer in answers] == [
        {"tag": tag, "valid": True, "reason": "ok"} for tag in range(4)]


def test_ecdsa_on_named_curves(run: Run) -> None:
    """Given and derived nonces against model and OpenSSL; each forged in every part."""
    rng = random.Random(2)
    theirs = {"P-224": ec.SECP224R1(), "secp256k1": ec.SECP256K1(), "brainpoolP256r1": ec.BrainpoolP256R1()}
    jobs, records = [], []
    for name, digest_bytes in (("P-224", 28), ("secp256k1", 64), ("brainpoolP256r1", 20), ("secp160r1", 32)):
        curve = by_name(name)
        d, k, digest = rng.randrange(1, curve.n), rng.randrange(1, curve.n), rng.randbytes(digest_bytes)
        jobs.append((curve, d, k, digest))
        line = {"curve": name, "d": f"{d:x}", "digest": digest.hex()}
        records += [{**line, "k": f"{k:x}"}, line]
    code, answers = run("ecdsa-sign", records)
    assert code == 0 and len(answers) == 8
    checks = []
    for index, (curve, d, k, digest) in enumerate(jobs):
        sha = {20: "sha1", 28: "sha224", 32: "sha256", 64: "sha512"}[len(digest)]
        x, y = point(curve, d)
        for answer, nonce in zip(answers[2 * index:], (k, rfc6979.nonce(digest, d, curve.n, sha)), strict=False):
            r, s = int(answer["r"], 16), int(answer["s"], 16)
            assert (r, s) == weierstrass.ecdsa_sign(curve, digest, d, nonce)
            if curve.name in theirs and len(digest) == 28:
                key = ec.EllipticCurvePublicNumbers(x, y, theirs[curve.name]).public_key()
                key.verify(utils.encode_dss_signature(r, s), digest, ec.ECDSA(utils.Prehashed(hashes.SHA224())))
        good = {"curve": curve.name, "digest": digest.hex(), **fields(qx=x, qy=y, r=r, s=s)}
        top = bytes([digest[0] ^ 128, *digest[1:]]).hex()
        checks += [good, {**good, "digest": top}, {**good, "r": f"{r ^ 1:x}"}, {**good, "s": f"{s ^ 1:x}"},
                   {**good, **fields(qy=curve.p - y)}, {**good, **fields(s=curve.n - s)}]
    code, answers = run("ecdsa-verify", checks)
    assert code == 1 and [answer["reason"] for answer in answers] == [
        "ok", "bad_signature", "bad_signature", "bad_signature", "bad_signature", "ok"] * 4


def test_digests_of_any_length(run: Run) -> None:
    """From none to 150 bytes, of which the leftmost bits count; also the first bit beyond those of n."""
    rng = random.Random(3)
    for name, beyond in (("secp160k1", 161), ("P-521", 521)):
        curve = by_name(name)
        d, k = rng.randrange(1, curve.n), rng.randrange(1, curve.n)
        digests = [rng.randbytes(size) for size in (0, 1, 20, 21, 65, 66, 67, 68, 69, 150)][:: 1 + (beyond > 500)]
        records = [{"digest": digest.hex(), **fields(d=d, k=k)} for digest in digests]
        code, answers = run("ecdsa-sign", records, "--curve", name)
        signed = [(int(answer["r"], 16), int(answer["s"], 16)) for answer in answers]
        assert code == 0 and signed == [weierstrass.ecdsa_sign(curve, digest, d, k) for digest in digests]
        r, s = signed[-1]
        x, y = point(curve, d)
        flipped = [bytes(byte ^ (at // 8 == i) << 7 - at % 8 for i, byte in enumerate(digests[-1]))
                   for at in (beyond, beyond - 1)]
        code, answers = run("ecdsa-verify", [
            {"digest": digest.hex(), **fields(qx=x, qy=y, r=r, s=s)} for digest in (digests[-1], *flipped)],
            "--curve", name)
        assert [answer["reason"] for answer in answers] == ["ok", "ok", "bad_signature"]


def test_bad_ecdsa(run: Run) -> None:
    x, y = point(P256, KEY)
    _, _, r, s = SIGNED[1]
    digest = hashlib.sha256(b"sample").hexdigest()
    no_order = {name: f"{value:x}" for name, value in zip(
        ("p", "a", "b", "gx", "gy"), (P256.p, P256.a, P256.b, *P256.g), strict=True)}
    shared: list[tuple[dict[str, Any], str, str]] = [
        ({"digest": None}, "malformed_job", "digest is missing"),
        ({"digest": "abc"}, "malformed_job", "digest is not a string of pairs of hex digits"),
        ({"digest": 5}, "malformed_job", "digest is not a string"),
        ({"params": {**no_order, "n": "0"}}, "no_order", "the parameters have no order"),
        ({"params": no_order}, "no_order", "the parameters have no order"),
        ({"params": {**no_order, "n": "1"}}, "parameter_out_of_range", "a parameter "),
        ({"params": {**no_order, "n": f"{P256.n - 1:x}"}}, "parameter_out_of_range", "a parameter "),
        ({"params": {"p": "11", "a": "2", "b": "2"}}, "malformed_job", "the parameters have no base point"),
    ]
    bad_among_good(run, "ecdsa-verify", {"digest": digest, **fields(qx=x, qy=y, r=r, s=s)}, shared + [
        ({"s": None}, "malformed_job", "s is missing"),
        ({"r": "1" + "0" * 136}, "malformed_job", "r has more than 544 bits"),
        ({"qx": "zz"}, "malformed_job", "qx is not a string of hex digits"),
        ({"qx": f"{x ^ 1:x}"}, "invalid_point", "the point "),
        ({"qx": f"{x ^ 1:x}", "r": "0"}, "invalid_point", "the point "),
        ({"r": "0"}, "signature_out_of_range", "r or s "),
        ({"s": "0"}, "signature_out_of_range", "r or s "),
        ({"r": f"{P256.n:x}"}, "signature_out_of_range", "r or s "),
        ({"s": f"{P256.n + s:x}"}, "signature_out_of_range", "r or s "),
        ({"s": "1"}, "bad_signature", "the signature does not fit"),
    ])
    bad_among_good(run, "ecdsa-sign", {"digest": digest, **fields(d=KEY, k=5)}, shared + [
        ({"d": None}, "malformed_job", "d is missing"),
        ({"d": "0"}, "scalar_out_of_range", "the scalar "),
        ({"d": f"{P256.n:x}"}, "scalar_out_of_range", "the scalar "),
        ({"d": f"{P256.n:x}", "k": None}, "scalar_out_of_range", "the scalar "),
        ({"k": "0"}, "scalar_out_of_range", "the scalar "),
        ({"k": f"{P256.n + 5:x}"}, "scalar_out_of_range", "the scalar "),
        ({"k": None, "params": no_order}, "malformed_job", "k is missing, and without the order n"),
        ({"k": None, "hash": "shake128"}, "malformed_job", "hash is none that HMAC can use"),
        ({"k": None, "hash": []}, "malformed_job", "hash is none that HMAC can use"),
    ])


def test_unusable_nonces(run: Run) -> None:
    """On 17 elements: given nonces that give no signature are refused, derived ones are passed over."""
    curve = from_params(TOY)
    lines = [fields(d=d, k=k) | {"digest": f"{e:02x}"} for d in range(1, 19) for k in range(1, 19) for e in (8, 96)]
    code, answers = run("ecdsa-sign", [{"params": TOY, **line} for line in lines])
    assert code == 1 and len(answers) == 648
    refused = Counter()
    for line, answer in zip(lines, answers, strict=True):
        try:
            pair = weierstrass.ecdsa_sign(curve, bytes.fromhex(line["digest"]), int(line["d"], 16), int(line["k"], 16))
            assert (int(answer["r"], 16), int(answer["s"], 16)) == pair
        except Refused:
            assert answer["error"] == "unusable_nonce"
            refused[line["d"]] += 1
    assert len(refused) == 18 and refused.total() > 60

    passed_over = 0
    keys = [(d, bytes([e])) for d in range(1, 19) for e in range(0, 256, 16)]
    code, answers = run("ecdsa-sign", [{"params": TOY, "digest": e.hex(), "d": f"{d:x}"} for d, e in keys])
    assert code == 0 and len(answers) == 288
    for (d, digest), answer in zip(keys, answers, strict=True):
        for tried, k in enumerate(rfc6979.nonces(digest, d, 19, "sha256")):
            try:
                pair = weierstrass.ecdsa_sign(curve, digest, d, k)
            except Refused:
                continue
            assert (int(answer["r"], 16), int(answer["s"], 16)) == pair
            passed_over += tried > 0
            break
    assert passed_over > 20


def test_no_nonce_is_usable(run: Run) -> None:
    """A base point of order 3 whose x is 0 mod 3: r is 0 for every nonce."""
    p, a, b, g = next((p, a, b, (x, y)) for p in (7, 11, 13) for a in range(p) for b in range(1, p) for x in (3, 6)
                      for y in range(1, p) if (curve := Curve("", p, a, b)).contains(x, y)
                      and multiply(curve, 3, (x, y)) is None and (4 * a**3 + 27 * b * b) % p)
    params = fields(p=p, a=a, b=b, gx=g[0], gy=g[1], n=3)
    code, answers = run("ecdsa-sign", [{"params": params, "digest": "00", "d": "1"},
                                       {"params": TOY, "digest": "00", "d": "1", "k": "1"}])
    assert code == 1 and answers[0]["error"] == "unusable_nonce" and "r" in answers[1]


# ---- SM2 ----------------------------------------------------------------------------------------

# GB/T 32918.5, annex A.2: e, d, k, r, s.
EXAMPLE = (0xF0B43E94BA45ACCAACE692ED534382EB17E6AB5A19CE7B31F4486FDFC0D28640,
           0x3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8,
           0x59276E27D506861A16680F3AD9C02DCCEF3CC1FA3CDBE4CE6D54B80DEAC1BC21,
           0xF5A03B0648D2C4630EEAC513E1BB81A15944DA3827D5B74143AC7EACEEE720B3,
           0xB1B6AA29DF212FD8763182BC0D421CA1BB9038FD1F7F42D4840B69C485BBC1AA)  # fmt: skip


def test_sm2(run: Run) -> None:
    """The standard's example; nonces from the operating system, which differ; forged in every part."""
    e, d, k, r, s = EXAMPLE
    x, y = point(SM2, d)
    words = ("--curve", "sm2p256v1")
    code, answers = run("sm2-sign", [fields(e=e, d=d, k=k), fields(e=e, d=d), fields(e=e, d=d)], *words)
    assert code == 0 and len(answers) == 3
    assert without_cycles(answers[0]) == {"tag": 0, "r": f"{r:064x}", "s": f"{s:064x}"}
    assert len({answer["r"] for answer in answers}) == 3
    good = fields(e=e, qx=x, qy=y)
    records = [{**good, "r": answer["r"], "s": answer["s"]} for answer in answers]
    wide = e + SM2.n * (2**543 // SM2.n)
    records += [{**records[0], **change} for change in (
        fields(e=wide), fields(e=e ^ 1), fields(r=r ^ 1), fields(s=s ^ 1), fields(qy=SM2.p - y), fields(s=SM2.n - r))]
    code, answers = run("sm2-verify", records, *words)
    assert code == 1 and [answer["reason"] for answer in answers] == [
        "ok", "ok", "ok", "ok", *["bad_signature"] * 4, "signature_out_of_range"]


def test_bad_sm2(run: Run) -> None:
    e, d = EXAMPLE[:2]
    x, y = point(P256, d)
    r, s = weierstrass.sm2_sign(P256, e, d, 7)
    bad_among_good(run, "sm2-verify", fields(e=e, qx=x, qy=y, r=r, s=s), [
        ({"e": None}, "malformed_job", "e is missing"),
        ({"e": "1" + "0" * 136}, "malformed_job", "e has more than 544 bits"),
        ({"qy": f"{y ^ 1:x}"}, "invalid_point", "the point "),
        ({"r": "0"}, "signature_out_of_range", "r or s "),
        ({"s": f"{P256.n:x}"}, "signature_out_of_range", "r or s "),
        ({"e": f"{e + 1:x}"}, "bad_signature", "the signature does not fit"),
    ])
    bad_among_good(run, "sm2-sign", fields(e=e, d=d, k=7), [
        ({"d": None}, "malformed_job", "d is missing"),
        ({"k": "g"}, "malformed_job", "k is not a string of hex digits"),
        ({"d": "0"}, "scalar_out_of_range", "the scalar "),
        ({"d": f"{P256.n - 1:x}"}, "scalar_out_of_range", "the scalar "),
        ({"d": f"{P256.n - 1:x}", "k": None}, "scalar_out_of_range", "the scalar "),
        ({"k": f"{P256.n:x}"}, "scalar_out_of_range", "the scalar "),
    ])


def test_unusable_sm2_nonces(run: Run) -> None:
    """r = 0, r + k = n and s = 0 on 17 elements, for every key and nonce; chosen nonces are always usable."""
    curve = from_params(TOY)
    lines = [fields(e=e, d=d, k=k) for d in range(1, 18) for k in range(1, 19) for e in (3, 10)]
    code, answers = run("sm2-sign", [{"params": TOY, **line} for line in lines])
    assert code == 1 and len(answers) == 612
    unusable = 0
    for line, answer in zip(lines, answers, strict=True):
        try:
            pair = weierstrass.sm2_sign(curve, *(int(line[name], 16) for name in "edk"))
            assert (int(answer["r"], 16), int(answer["s"], 16)) == pair
        except Refused:
            assert answer["error"] == "unusable_nonce"
            unusable += 1
    assert unusable > 60
    code, answers = run("sm2-sign", [{"params": TOY, **fields(e=e, d=4)} for e in range(19)] * 4)
    assert code == 0 and len(answers) == 76
    q = point(curve, 4)
    for answer in answers:
        r, s = int(answer["r"], 16), int(answer["s"], 16)
        assert weierstrass.sm2_verify(curve, answer["tag"] % 19, q, r, s).valid


# ---- the client ---------------------------------------------------------------------------------


@pytest.mark.parametrize("job", [CurveJob("ecdsa_sign", (1, 2, 3, 8)), CurveJob("sm2_sign", (1, 2, 3))])
def test_signing_is_always_secret(job: CurveJob) -> None:
    raw = FFI.new("pm_curve_job *")
    numbers = CurveDevice._fill(raw, job, 5)
    assert (raw.tag, raw.flags, raw.option) == (5, 1, 0)
    assert bytes(FFI.buffer(numbers))[::68] == bytes(job.operands)


def test_no_secret_in_errors(run: Run) -> None:
    """Nor anywhere else in an answer of signing."""
    secret = 0xDEADBEEF5EC4E7
    lines = [fields(d=secret, k=secret) | {"digest": "00", "hash": "none"},
             fields(d=secret) | {"digest": "00", "hash": "none"}, fields(d=secret, k=secret),
             {"d": f"{secret:x}!", "digest": "00"}, {"d": f"{secret:x}" * 20, "digest": "00"}]
    code, answers = run("ecdsa-sign", lines, "--curve", "P-256")
    assert code == 1 and ["error" in answer for answer in answers] == [False, True, True, True, True]
    assert f"{secret:x}" not in json.dumps(answers)
