# SPDX-License-Identifier: Apache-2.0
"""SSH signatures made on the spot by ssh-keygen, and what the golden model says of them."""

from __future__ import annotations

import base64
import contextlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pointmill import sshsig
from pointmill.model import ed25519
from pointmill.model.ed25519 import verify_all
from pointmill.sshsig import (
    ArmorError,
    BlobError,
    HashError,
    KeyTypeError,
    NamespaceError,
    SshSigError,
    SshSignature,
)

MESSAGE = b"what was signed\n" * 10


def valid(pk: bytes, msg: bytes, sig: bytes) -> bool:
    """Whether the golden model accepts; all rule sets must agree on an honest key."""
    verdicts = {verdict.valid for verdict in verify_all(pk, msg, sig).values()}
    assert len(verdicts) == 1
    return verdicts.pop()


def run(*command: str | Path, cwd: Path, stdin: bytes = b"", fail: bool = False) -> bytes:
    """Runs a command that knows no configuration of this machine; its standard output."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(cwd),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "1700000000 +0000",
        "GIT_COMMITTER_DATE": "1700000000 +0000",
    }
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, input=stdin, env=environment, capture_output=True
    )
    assert (done.returncode != 0) == fail, done.stderr.decode()
    return done.stdout


def keygen(folder: Path, kind: str = "ed25519") -> Path:
    """A new key pair without passphrase; the path of the private key."""
    key = folder / f"id_{kind}"
    run("ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "test", "-f", key, cwd=folder)
    return key


def public_bytes(key: Path) -> bytes:
    """The 32 bytes of an ssh-ed25519 public key file: the end of its blob."""
    return base64.b64decode(key.with_suffix(".pub").read_text().split()[1])[-32:]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return keygen(tmp_path_factory.mktemp("key"))


@pytest.fixture(scope="module")
def armored(key: Path) -> bytes:
    return run(
        "ssh-keygen", "-Y", "sign", "-n", "file", "-f", key, cwd=key.parent, stdin=MESSAGE
    )


@pytest.mark.parametrize("hash_alg", ["sha256", "sha512"])
@pytest.mark.parametrize("namespace", ["file", "mail@example.com"])
@pytest.mark.parametrize("message", [b"", b"x", MESSAGE, bytes(10_000)], ids=len)
def test_signature_of_ssh_keygen(
    key: Path, hash_alg: str, namespace: str, message: bytes
) -> None:
    command = ("ssh-keygen", "-Y", "sign", "-n", namespace, "-O", f"hashalg={hash_alg}")
    text = run(*command, "-f", key, cwd=key.parent, stdin=message)
    parsed = sshsig.parse(text)
    assert (parsed.pk, parsed.namespace, parsed.hash_alg) == (
        public_bytes(key), namespace, hash_alg
    )  # fmt: skip
    job = sshsig.make_job(text, message, namespace)
    assert job == sshsig.make_job(text.decode(), message, namespace)
    assert valid(*job)
    assert not valid(*sshsig.make_job(text, message + b"!", namespace))


def test_own_signature_is_accepted_by_ssh_keygen(tmp_path: Path) -> None:
    """The other way round: a structure built here, signed by the golden model."""
    seed = bytes(range(32))
    pk = ed25519.public_key(seed)
    sig = ed25519.sign(seed, sshsig.signed_data(MESSAGE, "file", "sha512"))
    blob = make_blob(pk=pk, sig=sig)
    (tmp_path / "m.sig").write_text(armor(blob))
    public = base64.b64encode(string(b"ssh-ed25519") + string(pk)).decode()
    (tmp_path / "signers").write_text(f"me ssh-ed25519 {public}\n")
    command = ("ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "me", "-n", "file")
    run(*command, "-s", "m.sig", cwd=tmp_path, stdin=MESSAGE)
    run(*command, "-s", "m.sig", cwd=tmp_path, stdin=MESSAGE[1:], fail=True)
    assert valid(*sshsig.make_job(armor(blob), MESSAGE))


def test_wrong_namespace(armored: bytes) -> None:
    with pytest.raises(NamespaceError, match="'file', not 'git'"):
        sshsig.make_job(armored, MESSAGE, "git")
    signature = sshsig.parse(armored)
    moved = SshSignature(signature.pk, "git", signature.hash_alg, signature.sig)
    assert not valid(*moved.job(MESSAGE, "git")), "the namespace is part of what is signed"


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_other_key_types(tmp_path: Path, kind: str) -> None:
    key = keygen(tmp_path, kind)
    text = run("ssh-keygen", "-Y", "sign", "-n", "file", "-f", key, cwd=tmp_path, stdin=MESSAGE)
    with pytest.raises(KeyTypeError, match="only ssh-ed25519"):
        sshsig.parse(text)


# ---- structures made by hand -----------------------------------------------------------------


def string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def armor(blob: bytes) -> str:
    text = base64.encodebytes(blob).decode()
    return f"-----BEGIN SSH SIGNATURE-----\n{text}-----END SSH SIGNATURE-----\n"


def make_blob(
    magic: bytes = b"SSHSIG",
    version: int = 1,
    key_type: bytes = b"ssh-ed25519",
    pk: bytes = bytes(32),
    namespace: bytes = b"file",
    reserved: bytes = b"",
    hash_alg: bytes = b"sha512",
    sig_type: bytes = b"ssh-ed25519",
    sig: bytes = bytes(64),
    tail: bytes = b"",
    key_tail: bytes = b"",
    sig_tail: bytes = b"",
) -> bytes:
    """An SSHSIG structure written from PROTOCOL.sshsig, with any part of it replaced."""
    key_blob = string(key_type) + string(pk) + key_tail
    sig_blob = string(sig_type) + string(sig) + sig_tail
    parts = (key_blob, namespace, reserved, hash_alg, sig_blob)
    return magic + version.to_bytes(4, "big") + b"".join(map(string, parts)) + tail


def test_structure_by_hand() -> None:
    pk, sig = bytes(range(32)), bytes(range(64))
    expected = SshSignature(pk, "file", "sha256", sig)
    assert sshsig.parse(armor(make_blob(pk=pk, sig=sig, hash_alg=b"sha256"))) == expected
    filled = make_blob(pk=pk, sig=sig, hash_alg=b"sha256", reserved=b"later")
    assert sshsig.parse_blob(filled) == expected, "the reserved field is ignored"


@pytest.mark.parametrize(
    ("changes", "error", "sentence"),
    [
        ({"magic": b"SSHSIX"}, BlobError, "does not start with SSHSIG"),
        ({"version": 2}, BlobError, "version 2"),
        ({"key_type": b"sk-ssh-ed25519@openssh.com"}, KeyTypeError, "security keys"),
        ({"key_type": b"ssh-ed25519-cert-v01@openssh.com"}, KeyTypeError, "certificates"),
        ({"key_type": b"ssh-ed448"}, KeyTypeError, "the public key is ssh-ed448"),
        ({"sig_type": b"ssh-rsa"}, KeyTypeError, "the signature value is ssh-rsa"),
        ({"pk": bytes(31)}, BlobError, "the public key has 31 bytes, not 32"),
        ({"sig": bytes(65)}, BlobError, "the signature value has 65 bytes, not 64"),
        ({"namespace": b""}, NamespaceError, "empty"),
        ({"namespace": b"\xff"}, BlobError, "not UTF-8"),
        ({"hash_alg": b"sha1"}, HashError, "'sha1' is neither"),
        ({"tail": b"\0"}, BlobError, "the signature has 1 bytes too many"),
        ({"key_tail": b"\0"}, BlobError, "the public key has 1 bytes too many"),
        ({"sig_tail": b"\0\0"}, BlobError, "the signature value has 2 bytes too many"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_refused_structures(changes: dict, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        sshsig.parse_blob(make_blob(**changes))


def test_every_truncation_is_refused() -> None:
    blob = make_blob()
    for length in range(len(blob)):
        with pytest.raises(BlobError):
            sshsig.parse_blob(blob[:length])


@given(st.binary(max_size=80), st.integers(0, 200), st.integers(0, 200))
def test_any_bytes_give_a_signature_or_a_clear_error(noise: bytes, start: int, end: int) -> None:
    blob = make_blob()
    with contextlib.suppress(SshSigError):
        sshsig.parse_blob(blob[:start] + noise + blob[end:])
    with contextlib.suppress(SshSigError):
        sshsig.parse(noise)


def spoil(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)


@pytest.mark.parametrize(
    "change",
    [
        spoil("BEGIN SSH", "BEGIN PGP"),
        spoil("-----END", "----END"),
        spoil("U1NI", "U1N*"),
        spoil("U1NI", "U1N"),
        spoil("-----BEGIN SSH SIGNATURE-----\n", ""),
        lambda text: "words\n" + text,
        lambda text: text + "words\n",
        lambda text: text + text,
        lambda text: "",
        lambda text: "-----BEGIN SSH SIGNATURE-----",
    ],
    ids=["begin", "end", "letter", "length", "bare", "before", "after", "twice", "empty", "one"],
)
def test_refused_armor(armored: bytes, change: Callable[[str], str]) -> None:
    with pytest.raises(ArmorError):
        sshsig.parse(change(armored.decode()))


def test_armor_allows_white_space(armored: bytes) -> None:
    spaced = b"\n" + armored.replace(b"\n", b"\r\n") + b"\n"
    assert sshsig.parse(spaced) == sshsig.parse(armored)


def test_lines_of_an_armor_may_be_all_of_it() -> None:
    """Then no byte is inside, which is another complaint than a line that is missing."""
    assert sshsig.dearmor(sshsig.BEGIN + sshsig._END) == b""
    with pytest.raises(ArmorError, match="is missing"):
        sshsig.dearmor(sshsig.BEGIN[:-1] + sshsig._END[1:])


def test_signed_data_refuses_other_digests() -> None:
    with pytest.raises(HashError):
        sshsig.signed_data(b"", "file", "md5")
