# SPDX-License-Identifier: Apache-2.0
"""The OpenSSL provider through EVP (tests/provider/evp_tool.c): published vectors, threads, children, memory."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pointmill import __version__
from pointmill.curves import by_name
from pointmill.model.weierstrass import multiply
from pointmill.rfc6979 import nonces
from provider_tools import FOLDER, SANITIZE, STOCK, Machine, ask, built_with_sanitizers, evp_tool
from vectors.sources import wycheproof

P256 = by_name("P-256")
D = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
"""Private key of RFC 6979, A.2.5."""
Q = ("0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
     "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
SIGNATURE = ("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
             "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b")
K = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"
U = "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
EVERY = [
    "generate ED25519", "generate X25519", "generate X448", "generate SM2", "generate EC:P-256",
    f"sign ED25519 - {SEED} -", f"verify ED25519 - {PUBLIC} - {SIGNATURE}", f"verify ED25519 - {PUBLIC} 00 {SIGNATURE}",
    f"derive X25519 {K} {U}", f"public X25519 {K}", f"derive X25519 {K} {'00' * 32}",
    f"derive EC:P-256 {D:064x} {Q}", f"check EC:P-256 {Q}", f"check EC:P-256 {Q[:-1]}8",
    f"sign EC:P-256 SHA256 {D:064x} 73616d706c65 nonce", "generate EC:sect233k1", f"derive X25519 {K} 00",
    "verify EC:P-256 SHA256 " + Q + " 73616d706c65 3000",
]  # fmt: skip
"""Every kind of operation, good and bad."""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


# ---- published vectors


@dataclass(frozen=True)
class Published:
    """A line for evp_tool and what the source says of it. wanted: the output that is right, None where the
    operation must not succeed; acceptable: it may."""

    source: str
    line: str
    wanted: str | None
    acceptable: bool


ECDSA = {
    "secp192r1": ["sha256"], "secp224r1": ["sha224", "sha256", "sha3_224", "sha3_256", "sha3_512", "sha512"],
    "secp256r1": ["sha256", "sha3_256", "sha3_512", "sha512"],
    "secp384r1": ["sha256", "sha384", "sha3_384", "sha3_512", "sha512"], "secp521r1": ["sha3_512", "sha512"],
}  # fmt: skip


def _verify(source: str, algorithm: str, digest: str, key: str, test: dict) -> Published:
    line = f"verify {algorithm} {digest} {key} {test['msg'] or '-'} {test['sig'] or '-'}"
    return Published(source, line, "valid" if test["result"] == "valid" else None, test["result"] == "acceptable")


def _derive(source: str, algorithm: str, mark: str, test: dict) -> Published:
    private = test["private"]
    if algorithm.startswith("EC:"):
        private = f"{int(private, 16):x}"
        private = "0" * (len(private) % 2) + private
    wanted = test["shared"] if test["result"] != "invalid" else None
    return Published(source, f"derive {algorithm} {private} {mark}{test['public'] or '-'}", wanted,
                     test["result"] == "acceptable")


@cache
def published() -> list[Published]:
    """Wycheproof's sets of what EVP does with these curves: signatures in DER, points and keys in DER."""
    found = []
    for group in wycheproof("Signature/ed25519")["testGroups"]:
        found += [_verify("ed25519", "ED25519", "-", group["publicKey"]["pk"], test) for test in group["tests"]]
    for curve, hashes in ECDSA.items():
        for name in hashes:
            for group in wycheproof(f"Signature/ecdsa_{curve}_{name}")["testGroups"]:
                digest, key = name.replace("sha3_", "SHA3-").upper(), group["publicKey"]["uncompressed"]
                found += [_verify(f"ecdsa {curve} {name}", f"EC:P-{curve[4:7]}", digest, key, test)
                          for test in group["tests"]]
    for bits in (224, 256, 384, 521):
        for suffix, mark in (("_ecpoint", ""), ("", "der:")):
            for group in wycheproof(f"Protocol/ecdh_secp{bits}r1{suffix}")["testGroups"]:
                found += [_derive(f"ecdh {bits}{suffix}", f"EC:P-{bits}", mark, test) for test in group["tests"]]
    for name in ("x25519", "x448"):
        for group in wycheproof(f"Protocol/{name}")["testGroups"]:
            found += [_derive(name, name.upper(), "", test) for test in group["tests"]]
    return found


def succeeded(result: str) -> bool:
    return not result.startswith(("error", "invalid"))


def check_published(cases: list[Published], machine: Machine) -> Counter[str]:
    """Runs the cases on the provider and on OpenSSL alone; counts by source those that succeeded."""
    lines = [case.line for case in cases]
    ours = ask(lines, machine.conf, "threads", "2", timeout=3000)
    stock = ask(lines, STOCK, "threads", "2", timeout=3000)
    good: Counter[str] = Counter()
    for case, result, other in zip(cases, ours, stock, strict=True):
        where = f"{case.source}: {case.line}: {result}, by OpenSSL {other}"
        assert succeeded(result) == succeeded(other), where
        assert not succeeded(result) or result == other, where
        # OpenSSL reads DER, not the provider.
        lenient = case.acceptable or ("der:" in case.line and case.wanted is None)
        assert lenient or succeeded(result) == (case.wanted is not None), where
        assert not succeeded(result) or case.wanted in (None, result) or case.line.startswith("verify"), where
        good[case.source] += succeeded(result)
    return good


def test_number_of_published_vectors() -> None:
    cases = published()
    assert len(cases) == 15923
    assert len({case.source for case in cases}) == 29


def test_published_vectors(tmp_path: Path) -> None:
    """Of each algorithm, curve and encoding the first that must succeed and one that must not, and of each digest the
    first that must succeed."""
    chosen: dict[tuple[str, bool], Published] = {}
    for case in published():
        name, curve, digest = [*case.source.split(), "", ""][:3]
        chosen.setdefault((f"{name} {curve}", case.wanted is not None), case)
        if digest and case.wanted is not None:
            chosen.setdefault((digest, True), case)
    cases = list(dict.fromkeys(chosen.values()))
    good = check_published(cases, Machine(tmp_path, devices="2"))
    assert (len(chosen), len(cases)) == (39, 37) and sum(good.values()) >= 22


@pytest.mark.long
@pytest.mark.parametrize("part", ["ed25519", "ecdsa secp192r1", "ecdsa secp224r1", "ecdsa secp256r1", "ecdsa secp384r1",
                                  "ecdsa secp521r1", "ecdh 224", "ecdh 256", "ecdh 384", "ecdh 521", "x25519", "x448"])
def test_all_published_vectors(tmp_path: Path, part: str) -> None:
    cases = [case for case in published() if case.source.startswith(part)]
    machine = Machine(tmp_path, devices="2")
    good = check_published(cases, machine)
    assert len(good) == len({case.source for case in cases}) and min(good.values()) > 10
    assert sum(machine.take().values()) >= sum(good.values())


# ---- what a provider says of itself


def test_provider_describes_itself(machine: Machine) -> None:
    (described,) = ask(["describe"], machine.conf)
    name, version, build, status = described.split(" | ")
    assert (name, version, status) == ("Pointmill elliptic-curve cores", __version__, "1")
    assert build.startswith(f"pointmill {__version__}, for OpenSSL 3.")
    (described,) = ask(["describe"], Machine(machine.conf.parent, "other", timeout="soon").conf)
    assert described.endswith(" | 0")


def test_self_test_runs_every_kind_on_the_device(machine: Machine) -> None:
    assert ask(["selftest"], machine.conf) == ["valid"]
    assert machine.take() == {
        "ED25519.generate": 1, "ED25519.sign": 1, "ED25519.verify": 2, "X25519.derive": 1, "X448.derive": 1,
        "EC.P-256.check": 1, "ECDSA.P-256.sign": 1, "ECDSA.P-256.verify": 2, "ECDH.P-256.derive": 1, "SM2.sign": 1,
        "SM2.verify": 2}  # fmt: skip


def test_statistics_as_a_parameter(machine: Machine) -> None:
    _, text = ask([f"public X25519 {K}", "statistics"], machine.conf)
    assert '"X25519.generate": {"done": 1, "rejected": 0, "failed": 0, "fallback": 0, "cycles": ' in text


# ---- keys and nonces


def test_every_kind_of_operation_as_openssl(machine: Machine) -> None:
    """Results of both; where one fails, both do. A binary curve is none of the device."""
    lines = [line for line in EVERY if "sect233k1" not in line and not line.endswith("nonce")]
    ours, stock = ask(lines, machine.conf), ask(lines, STOCK)
    assert [succeeded(result) for result in ours] == [succeeded(result) for result in stock]
    assert [result for result in ours if succeeded(result)] == [result for result in stock if succeeded(result)]
    assert Counter(map(succeeded, ours)) == {True: 11, False: 5}


def test_names_of_curves_as_openssl(machine: Machine) -> None:
    """However their letters are written, but those of NIST; the provider's reason is the first of an unknown one."""
    lines = [f"check EC:{name} {Q}" for name in ("P-256", "prime256v1", "PRIME256V1", "Prime256v1")]
    assert ask(lines, machine.conf) == ask(lines, STOCK) == ["valid"] * 4
    lines = [f"generate EC:{name}" for name in ("SECP384R1", "Secp256k1", "brainpoolp256R1")]
    assert ask(lines, machine.conf) == ask(lines, STOCK) == ["valid"] * 3
    assert not succeeded(*ask(["generate EC:p-256"], STOCK))
    assert ask(["generate EC:p-256"], machine.conf) == ["error: the curve is not one of the device"]


def test_keys_describe_their_curve_as_those_of_openssl(machine: Machine) -> None:
    """Sizes, kind of field and every parameter: also orders longer than the field, a = 0, security below 80 bits."""
    lines = [f"curve EC:{name}" for name in ("P-256", "secp521r1", "secp256k1", "brainpoolP512r1", "secp160r1",
                                             "secp112r1", "wap-wsg-idm-ecid-wtls12")]
    ours = ask(lines, machine.conf)
    assert all(map(succeeded, ours)) and ours == ask(lines, STOCK)
    assert len(set(ours)) == len(lines)


@pytest.mark.parametrize("line, reason", [
    ("generate EC:sect233k1", "the curve is not one of the device"),
    (f"check EC:P-256 {Q[:-1]}8", "the point is not on the curve"),
    (f"derive X25519 {K} {'00' * 32}", "the shared secret is zero: the peer's point has small order"),
    (f"derive EC:P-256 {P256.n:064x} {Q}", "the private key is not between 0 and the order"),
    (f"derive EC:P-256 {D:064x} {Q[:-1]}8", "the point is not on the curve"),
    (f"derive X25519 {K} 00", "the key is malformed"),
    (f"verify EC:P-256 SHA256 {Q} 00 3000", "the signature is malformed"),
    (f"verify EC:P-256 - {Q} 00 3006020101020101", None),
    (f"sign SM2 - {D:064x} {'00' * 69}", "the digest is unknown or does not fit the operation"),
])
def test_reasons(machine: Machine, line: str, reason: str | None) -> None:
    """What is wrong is said with the provider's own words; a signature that is merely not valid is no error."""
    assert ask([line], machine.conf) == [f"error: {reason}" if reason else "invalid"]


@pytest.mark.parametrize("instance", ["Ed25519ph", "Ed25519ctx", "context"])
def test_other_signatures_than_those_of_plain_ed25519_are_refused(machine: Machine, instance: str) -> None:
    """Later versions of OpenSSL ask for them by parameters; a plain signature is none of them."""
    sign, verify = f"sign ED25519 - {SEED} -", f"verify ED25519 - {PUBLIC} - {SIGNATURE}"
    lines = [f"{sign} {instance}", f"{verify} {instance}", f"{sign} Ed25519", f"{verify} ed25519"]
    refused = "error: a parameter is malformed or not supported"
    assert ask(lines, machine.conf) == [refused, refused, SIGNATURE, "valid"]


def test_deterministic_nonces(tmp_path: Path) -> None:
    """By the setting and by the parameter; random ones differ."""
    digest = "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf"
    r, s = ("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
            "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
    wanted = f"3046022100{r}022100{s}"
    assert next(nonces(bytes.fromhex(digest), D, P256.n)) == int(
        "a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60", 16)
    line = f"sign EC:P-256 SHA256 {D:064x} 73616d706c65"
    both = [f"{line} nonce", f"sign EC:P-256 - {D:064x} {digest} nonce"]
    assert ask(both, Machine(tmp_path, "a").conf) == [wanted] * 2
    assert ask([line], Machine(tmp_path, "b", nonce="rfc6979").conf) == [wanted]
    random = ask([line] * 4, Machine(tmp_path, "c").conf)
    assert len(set(random)) == 4 and wanted not in random


@pytest.mark.parametrize("curve, hash_name", [("P-384", "sha384"), ("P-521", "sha512"), ("P-192", "sha256"),
                                              ("P-224", "sha512")])
def test_deterministic_nonces_of_other_lengths(machine: Machine, curve: str, hash_name: str) -> None:
    """Signatures by the nonces of pointmill.rfc6979: digests longer and shorter than the order."""
    n, g = by_name(curve).n, by_name(curve)
    assert n is not None and g.g is not None
    digest = hashlib.new(hash_name, b"sample").digest()
    d = n // 3
    k = next(nonces(digest, d, n, hash_name))
    point = multiply(g, k, g.g)
    assert point is not None
    r = point[0] % n
    z = int.from_bytes(digest, "big") >> max(0, 8 * len(digest) - n.bit_length())
    s = pow(k, -1, n) * (z + r * d) % n
    size = -(-n.bit_length() // 8)
    (signed,) = ask([f"sign EC:{curve} {hash_name.upper()} {d:0{2 * size}x} 73616d706c65 nonce"], machine.conf)
    found = re.fullmatch(r"30(?:81)?..02(..)(.*)", signed)
    assert found is not None
    length = 2 * int(found[1], 16)
    assert int(found[2][:length], 16) == r and int(found[2][length + 4:], 16) == s


# ---- threads, children, memory


def test_many_threads_share_two_devices(tmp_path: Path) -> None:
    """Every thread gets its own results, and every operation is counted once."""
    lines = [f"verify ED25519 - {PUBLIC} {'00' * (i % 3) or '-'} {SIGNATURE}" for i in range(24)]
    lines += [f"check EC:P-256 {Q[:-1]}{i % 16:x}" for i in range(48)]
    machine = Machine(tmp_path, devices="2")
    results = ask(lines, machine.conf, "threads", "8")
    assert results == [("valid" if i % 3 == 0 else "invalid") for i in range(24)] + [
        ("valid" if i % 16 == 9 else "error: the point is not on the curve") for i in range(48)]
    assert machine.take() == {"ED25519.verify": 24, "EC.P-256.check": 48}


def test_children_open_their_own_devices(machine: Machine) -> None:
    """Three children of a process whose device is open, at once."""
    lines = [f"public X25519 {K}", f"check EC:P-256 {Q}", f"verify ED25519 - {PUBLIC} - {SIGNATURE}"]
    assert len(ask(lines, machine.conf, "fork", "3")) == 3
    assert len(list(machine.counts.glob("*.json"))) == 4
    assert machine.take() == {"X25519.generate": 4, "EC.P-256.check": 4, "ED25519.verify": 4}


CHEAP = [f"check EC:P-256 {Q}", f"check EC:P-256 {Q[:-1]}8", f"verify EC:P-256 - {Q} 00 3006020100020101",
         "verify EC:P-256 SHA256 " + Q + " 00 3006020100020100"]
"""Operations that the core ends after few cycles."""


def grown(text: str) -> int:
    found = re.fullmatch(r"grew (-?\d+) kB, (\d+) failed", text)
    assert found is not None, text
    return int(found[1])


@pytest.mark.parametrize("number", [3000, pytest.param(10000, marks=pytest.mark.long)])
def test_memory_does_not_grow_with_short_operations(machine: Machine, number: int) -> None:
    """So many operations, of which a fourth is rejected with an error."""
    (grew,) = ask(CHEAP, machine.conf, "repeat", str(number // len(CHEAP)), check=False)
    assert grown(grew) < 256
    assert sum(machine.take().values()) == number


@pytest.mark.long
def test_memory_does_not_grow(machine: Machine) -> None:
    """10,000 operations of every kind."""
    (grew,) = ask(EVERY[:12], machine.conf, "repeat", "840", check=False, timeout=3000)
    assert grown(grew) < 256


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    """Every kind of operation, in one thread and in four, and the end of the process: no leak."""
    machine = Machine(tmp_path, where=built_with_sanitizers(), devices="2")
    tool = evp_tool(SANITIZE)
    plain = ask([line for line in EVERY if "generate" not in line], Machine(tmp_path, "plain").conf)
    assert ask([line for line in EVERY if "generate" not in line], machine.conf, tool=tool) == plain
    assert len(ask(EVERY, machine.conf, "threads", "4", tool=tool)) == len(EVERY)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no valgrind")
def test_valgrind_finds_nothing(machine: Machine) -> None:
    done = ask([*EVERY, "selftest"], machine.conf, timeout=3000,
               prefix=("valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite",
                       f"--suppressions={FOLDER / 'valgrind.supp'}"))
    assert len(done) == len(EVERY) + 1
