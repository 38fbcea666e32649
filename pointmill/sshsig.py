# SPDX-License-Identifier: Apache-2.0
"""SSH signatures (SSHSIG) and SSH-signed git commits as Ed25519 verification jobs.

Format: OpenSSH, PROTOCOL.sshsig, version 1. An Ed25519 key signs a small blob that names the
namespace and holds the digest of the message; that blob is the message of the job. A job that
verifies says that the holder of `pk` signed; whether that key is to be trusted is for the caller.
"""

from __future__ import annotations

import binascii
import hashlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

MAGIC = b"SSHSIG"
VERSION = 1
KEY_TYPE = "ssh-ed25519"
HASHES = {"sha256": hashlib.sha256, "sha512": hashlib.sha512}
GIT_NAMESPACE = "git"

_BEGIN = b"-----BEGIN SSH SIGNATURE-----"
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


class GitError(RuntimeError):
    """git could not read the repository."""


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
    if not text.startswith(_BEGIN) or not text.endswith(_END) or len(text) < len(_BEGIN + _END):
        raise ArmorError("the BEGIN or END line of an SSH signature is missing")
    body = b"".join(text[len(_BEGIN) : -len(_END)].split())
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


class SignedCommit(NamedTuple):
    """A git commit with an SSH signature of an Ed25519 key: its id and the job."""

    commit: str
    pk: bytes
    msg: bytes
    sig: bytes


class SkippedCommit(NamedTuple):
    """A git commit that is signed but gives no job, and why."""

    commit: str
    reason: str


@dataclass
class CommitReport:
    """What became of the commits of a repository, filled while they are read."""

    signed: int = 0
    unsigned: int = 0
    skipped: list[SkippedCommit] = field(default_factory=list)

    @property
    def total(self) -> int:
        """All commits read."""
        return self.signed + self.unsigned + len(self.skipped)


def split_commit(raw: bytes, header: bytes = b"gpgsig") -> tuple[bytes, bytes | None]:
    """(payload, signature) of a commit object; the signature is None without that header.

    The payload is what git signs: the object without `gpgsig` and `gpgsig-sha256` headers and
    their continuation lines. `header` is the one of the repository's object format.
    """
    head, separator, body = raw.partition(b"\n\n")
    kept, signature, inside = [], None, None
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        if name == header:
            signature, inside = [value], header
        elif name.startswith(b"gpgsig"):
            inside = name
        elif inside and line.startswith(b" "):
            if inside == header:
                signature.append(line[1:])
        else:
            inside = None
            kept.append(line)
    payload = b"\n".join(kept) + separator + body
    return payload, None if signature is None else b"\n".join(signature) + b"\n"


def commit_job(commit: str, raw: bytes) -> SignedCommit | None:
    """The job of one commit object, None if it is unsigned; SshSigError if signed otherwise."""
    header = b"gpgsig" if len(commit) == 40 else b"gpgsig-sha256"
    payload, signature = split_commit(raw, header)
    if signature is None:
        return None
    if not signature.startswith(_BEGIN):
        first = signature.split(b"\n", 1)[0].decode("ascii", "replace").strip("-")
        raise ArmorError(f"not an SSH signature: {first}")
    return SignedCommit(commit, *make_job(signature, payload, GIT_NAMESPACE))


def _commits(repo: str | Path) -> Iterator[tuple[str, bytes]]:
    """(id, object) of every commit of a repository, as stored (no replacements)."""
    git = ["git", "-C", os.fspath(repo)]
    environment = {**os.environ, "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
    listed = subprocess.run(
        [*git, "rev-list", "--all"], env=environment, capture_output=True, check=False
    )
    if listed.returncode:
        raise GitError(listed.stderr.decode("utf-8", "replace").strip())
    with subprocess.Popen(
        [*git, "cat-file", "--batch"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as reader:
        for commit in listed.stdout.split():
            reader.stdin.write(commit + b"\n")
            reader.stdin.flush()
            answer = reader.stdout.readline().split()
            if len(answer) != 3:
                raise GitError(f"commit {commit.decode('ascii')} cannot be read")
            raw = reader.stdout.read(int(answer[2]) + 1)
            yield commit.decode("ascii"), raw[:-1]


def ssh_signed_commits(
    repo: str | Path, report: CommitReport | None = None
) -> Iterator[SignedCommit]:
    """(commit, pk, msg, sig) of every commit of a git repository with an Ed25519 SSH signature.

    Commits reachable from any ref or HEAD are read. Those signed otherwise, or by a signature that
    gives no job, become items of `report`; unsigned ones are counted there. GitError if git cannot
    list the commits or read one of them.
    """
    report = CommitReport() if report is None else report
    for commit, raw in _commits(repo):
        try:
            job = commit_job(commit, raw)
        except SshSigError as error:
            report.skipped.append(SkippedCommit(commit, str(error)))
            continue
        if job is None:
            report.unsigned += 1
        else:
            report.signed += 1
            yield job
