# SPDX-License-Identifier: Apache-2.0
"""SSH signatures (SSHSIG) as Ed25519 verification jobs.

Format: OpenSSH, PROTOCOL.sshsig, version 1. An Ed25519 key signs a small blob that names the
namespace and holds the digest of the message; that blob is the message of the job. A job that
verifies says that the holder of `pk` signed; whose key that is, pointmill.allowed_signers says.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import NamedTuple

MAGIC = b"SSHSIG"
VERSION = 1
KEY_TYPE = "ssh-ed25519"
HASHES = {"sha256": hashlib.sha256, "sha512": hashlib.sha512}

BEGIN = b"-----BEGIN SSH SIGNATURE-----"
_END = b"-----END SSH SIGNATURE-----"


class SshSigError(ValueError):
    """A signature that cannot be made into a job; the subclasses say why."""


class ArmorError(SshSigError):
    """The text is not an armored SSH signature."""


class BlobError(SshSigError):
    """The decoded bytes are not an SSHSIG structure of version 1."""


class KeyTypeError(SshSigError):
    """The key or the signature is not plain ssh-ed25519."""


class HashError(SshSigError):
    """The digest is not sha256 or sha512."""


class NamespaceError(SshSigError):
    """The signature was made for another purpose than the one asked for."""


class Job(NamedTuple):
    """One Ed25519 verification: 32-byte key, message, 64-byte signature."""

    pk: bytes
    msg: bytes
    sig: bytes


@dataclass(frozen=True)
class SshSignature:
    """What an SSHSIG structure holds: pk of 32 bytes, sig of 64, hash_alg a key of HASHES."""

    pk: bytes
    namespace: str
    hash_alg: str
    sig: bytes

    def job(self, message: bytes, namespace: str) -> Job:
        """The verification job for a message; NamespaceError if the signature is for another."""
        if self.namespace != namespace:
            raise NamespaceError(f"namespace is {self.namespace!r}, not {namespace!r}")
        return Job(self.pk, signed_data(message, namespace, self.hash_alg), self.sig)


def _string(data: bytes) -> bytes:
    """data as an SSH string: its length in 4 bytes, big endian, before it (RFC 4251, 5)."""
    return len(data).to_bytes(4, "big") + data


def fingerprint(pk: bytes) -> str:
    """Fingerprint of an Ed25519 key, as `ssh-keygen -l` prints it."""
    digest = hashlib.sha256(_string(KEY_TYPE.encode()) + _string(pk)).digest()
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


class _Reader:
    """Takes an SSH structure apart from its start."""

    def __init__(self, data: bytes, what: str) -> None:
        self.data, self.what = data, what

    def take(self, count: int) -> bytes:
        """The next count bytes; BlobError if there are fewer."""
        if len(self.data) < count:
            raise BlobError(f"{self.what} ends too early")
        head, self.data = self.data[:count], self.data[count:]
        return head

    def string(self) -> bytes:
        """The next SSH string."""
        return self.take(int.from_bytes(self.take(4), "big"))

    def text(self) -> str:
        """The next SSH string as UTF-8."""
        try:
            return self.string().decode("utf-8")
        except UnicodeDecodeError:
            raise BlobError(f"{self.what} holds text that is not UTF-8") from None

    def end(self) -> None:
        """BlobError unless everything was taken."""
        if self.data:
            raise BlobError(f"{self.what} has {len(self.data)} bytes too many")


def dearmor(armored: bytes | str) -> bytes:
    """The bytes inside the BEGIN and END lines; ArmorError for anything else.

    White space around and inside the base64 text is allowed, other text before or after is not.
    """
    if isinstance(armored, str):
        armored = armored.encode("utf-8")
    text = armored.strip()
    if not text.startswith(BEGIN) or not text.endswith(_END) or len(text) < len(BEGIN + _END):
        raise ArmorError("the BEGIN or END line of an SSH signature is missing")
    body = b"".join(text[len(BEGIN) : -len(_END)].split())
    try:
        return binascii.a2b_base64(body, strict_mode=True)
    except binascii.Error as error:
        raise ArmorError(f"not base64: {error}") from None


def _check_type(name: str, what: str) -> None:
    """KeyTypeError with the reason unless name is ssh-ed25519."""
    if name == KEY_TYPE:
        return
    if name.startswith("sk-"):
        why = "keys of security keys sign other data than the message"
    elif "-cert-" in name:
        why = "certificates are not verified here"
    else:
        why = f"only {KEY_TYPE} is Ed25519"
    raise KeyTypeError(f"{what} is {name}: {why}")


def _fixed_string(blob: bytes, size: int, what: str) -> bytes:
    """The second string of a (type, value) structure, of exactly `size` bytes."""
    reader = _Reader(blob, what)
    _check_type(reader.text(), what)
    value = reader.string()
    reader.end()
    if len(value) != size:
        raise BlobError(f"{what} has {len(value)} bytes, not {size}")
    return value


def parse_blob(blob: bytes) -> SshSignature:
    """Takes the bytes of an SSHSIG structure apart; a subclass of SshSigError says what is wrong.

    The reserved field is read and ignored, as the format demands.
    """
    reader = _Reader(blob, "the signature")
    if reader.take(len(MAGIC)) != MAGIC:
        raise BlobError("the signature does not start with SSHSIG")
    version = int.from_bytes(reader.take(4), "big")
    if version != VERSION:
        raise BlobError(f"version {version} of the format is not known")
    key_blob, namespace = reader.string(), reader.text()
    reader.string()
    hash_alg, sig_blob = reader.text(), reader.string()
    reader.end()
    pk = _fixed_string(key_blob, 32, "the public key")
    if not namespace:
        raise NamespaceError("the namespace is empty")
    if hash_alg not in HASHES:
        raise HashError(f"digest {hash_alg!r} is neither sha256 nor sha512")
    return SshSignature(pk, namespace, hash_alg, _fixed_string(sig_blob, 64, "the signature value"))


def parse(armored: bytes | str) -> SshSignature:
    """The signature in an armored text, as ssh-keygen -Y sign writes it."""
    return parse_blob(dearmor(armored))


def signed_data(message: bytes, namespace: str, hash_alg: str) -> bytes:
    """The blob that the key signs for a message; its reserved field is empty.

    HashError for a digest that the format does not know.
    """
    if hash_alg not in HASHES:
        raise HashError(f"digest {hash_alg!r} is neither sha256 nor sha512")
    digest = HASHES[hash_alg](message).digest()
    fields = (namespace.encode("utf-8"), b"", hash_alg.encode("ascii"), digest)
    return MAGIC + b"".join(map(_string, fields))


def make_job(armored: bytes | str, message: bytes, namespace: str = "file") -> Job:
    """The verification job of an armored signature over a message ("file": ssh-keygen's habit)."""
    return parse(armored).job(message, namespace)
