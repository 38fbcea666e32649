# SPDX-License-Identifier: Apache-2.0
"""Allowed signers: whose Ed25519 keys may sign, and what for (OpenSSH, ssh-keygen(1), ALLOWED SIGNERS).

A line is `principals [options] keytype base64-key [comment]`; options are `cert-authority`, `namespaces="..."`,
`valid-after="..."` and `valid-before="..."`. Keys of other types are skipped: nothing of theirs is verified here.
Certificates are not verified either, so that a `cert-authority` allows nobody.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from pointmill.sshsig import KEY_TYPE

_BLANK = " \t\r\n"
"""What OpenSSH takes for white space; of these, a line feed ends a line, and nothing else does."""
_WORD = re.compile(rf'(?:"[^"]*"|[^{_BLANK}"])+')
_OPTION = re.compile(r'([a-z-]+)(?:="([^"]*)")?', re.IGNORECASE)
_FORMATS = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
_PREFIX = len(KEY_TYPE).to_bytes(4, "big") + KEY_TYPE.encode() + (32).to_bytes(4, "big")


class AllowedSignersError(ValueError):
    """A line that does not follow the format; the message names it."""


@dataclass(frozen=True)
class Signer:
    """A line: who may sign with the key `pk`, in which namespaces (None: all), from when until when (seconds since
    1970)."""

    principals: str
    pk: bytes
    namespaces: tuple[str, ...] | None = None
    after: int | None = None
    before: int | None = None

    def allows(self, namespace: str, time: int | None) -> bool:
        """Whether a signature of this namespace and time is one of the line. time: None where it is unknown."""
        if self.namespaces is not None and not _matches(namespace, self.namespaces):
            return False
        if self.after is None and self.before is None:
            return True
        return time is not None and (self.after is None or time >= self.after) and (self.before is None
                                                                                    or time < self.before)


def _matches(name: str, patterns: Iterable[str]) -> bool:
    """OpenSSH's pattern list: some pattern matches, and none behind a `!` does. Only * and ? are special."""
    found = False
    for pattern in patterns:
        literal = pattern.removeprefix("!").replace("[", "[[]")
        if fnmatchcase(name, literal):
            if pattern.startswith("!"):
                return False
            found = True
    return found


def _time(text: str) -> int:
    """YYYYMMDD[HHMM[SS]], local time, or UTC with a Z behind it; from 1970 on, as OpenSSH has it."""
    digits = text.removesuffix("Z")
    if not digits.isascii() or not digits.isdigit() or len(digits) not in _FORMATS:
        raise AllowedSignersError(f"{text!r} is no time of the form YYYYMMDD[HHMM[SS]][Z]")
    try:
        moment = datetime.strptime(digits, _FORMATS[len(digits)])
        seconds = int((moment.replace(tzinfo=UTC) if text.endswith("Z") else moment.astimezone()).timestamp())
    except (ValueError, OverflowError):
        raise AllowedSignersError(f"{text!r} is no time") from None
    if seconds < 0:
        raise AllowedSignersError(f"{text!r} is before 1970")
    return seconds


def _split_options(text: str) -> list[str]:
    """The options of a word, at the commas outside quotation marks."""
    return re.findall(r'(?:"[^"]*"|[^,"])+', text)


def _is_key_type(word: str) -> bool:
    return re.fullmatch(r"(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+", word) is not None


def parse_line(line: str) -> Signer | None:
    """The signer of a line; None for a comment, a key of another type or an authority. `AllowedSignersError`."""
    if not line.strip(_BLANK) or line.lstrip(_BLANK).startswith("#"):
        return None
    words = _WORD.findall(line)
    if line.count('"') % 2:
        raise AllowedSignersError("a quotation mark is not closed")
    options = words[1] if len(words) > 1 and not _is_key_type(words[1]) else ""
    rest = words[2:] if options else words[1:]
    if len(rest) < 2 or not _is_key_type(rest[0]):
        raise AllowedSignersError("not `principals [options] keytype key`")
    found: dict[str, str] = {}
    for option in _split_options(options):
        match = _OPTION.fullmatch(option)
        name = match[1].lower() if match else ""
        known = name in ("cert-authority", "namespaces", "valid-after", "valid-before")
        if match is None or not known or (match[2] is None) != (name == "cert-authority"):
            raise AllowedSignersError(f"unknown option {option}")
        if name in found:
            raise AllowedSignersError(f"option {name} twice")
        found[name] = match[2] or ""
    after, before = (_time(found[name]) if name in found else None for name in ("valid-after", "valid-before"))
    if rest[0] != KEY_TYPE or "cert-authority" in found:
        return None
    try:
        blob = base64.b64decode(rest[1], validate=True)
    except ValueError:  # binascii.Error is one; other characters than ASCII give a plain one
        raise AllowedSignersError("the key is not base64") from None
    if not blob.startswith(_PREFIX) or len(blob) != len(_PREFIX) + 32:
        raise AllowedSignersError(f"the key is not one of {KEY_TYPE}")
    namespaces = tuple(found["namespaces"].split(",")) if "namespaces" in found else None
    return Signer(words[0].replace('"', ""), blob[len(_PREFIX):], namespaces, after, before)


def parse(text: str) -> list[Signer]:
    """The signers of a file's text; `AllowedSignersError` with the number of the line."""
    signers = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            signer = parse_line(line)
        except AllowedSignersError as error:
            raise AllowedSignersError(f"line {number}: {error}") from None
        if signer is not None:
            signers.append(signer)
    return signers


def principals_of(signers: Iterable[Signer], pk: bytes, namespace: str, time: int | None) -> str | None:
    """The principals of the first line that allows a key to sign in a namespace at a time; None if none does."""
    return next((signer.principals for signer in signers if signer.pk == pk and signer.allows(namespace, time)), None)
