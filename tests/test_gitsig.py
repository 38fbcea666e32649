# SPDX-License-Identifier: Apache-2.0
"""Signed commits and tags made on the spot by git, and allowed signers, against git and ssh-keygen."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pointmill import gitsig, sshsig
from pointmill.allowed_signers import AllowedSignersError, parse, principals_of
from pointmill.gitsig import GitError
from test_sshsig import armored, key, keygen, public_bytes, run, valid

__all__ = ["armored", "key"]


def git(repo: Path, *arguments: str | Path, stdin: bytes = b"") -> bytes:
    settings = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gpg.format=ssh")
    return run("git", *settings, *arguments, cwd=repo, stdin=stdin)


def commit_signed(repo: Path, key: Path, *arguments: str) -> str:
    git(repo, "-c", f"user.signingkey={key}", "commit", "-q", "--allow-empty", "-S", *arguments)
    return git(repo, "rev-parse", "HEAD").decode().strip()


def store(repo: Path, raw: bytes) -> str:
    """Writes a commit object as it is and gives it a branch; its id."""
    command = ("hash-object", "-t", "commit", "-w", "--literally", "--stdin")
    commit = git(repo, *command, stdin=raw).decode().strip()
    git(repo, "update-ref", f"refs/heads/made-{commit[:8]}", commit)
    return commit


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    path = tmp_path / "repo"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    return path


def test_signed_commits(repo: Path, key: Path) -> None:
    first = commit_signed(repo, key, "-m", "first")
    git(repo, "commit", "-q", "--allow-empty", "-m", "unsigned")
    git(repo, "checkout", "-q", "-b", "side", first)
    side = commit_signed(repo, key, "-m", "side\n\ngpgsig in the text\n\n more")
    git(repo, "checkout", "-q", "main")
    git(repo, "-c", f"user.signingkey={key}", "merge", "-q", "-S", "-m", "both", "side")
    merge = git(repo, "rev-parse", "HEAD").decode().strip()
    found = list(gitsig.signed_objects(repo))
    assert {one.id for one in found if one.job} == {first, side, merge}
    assert len(found) == 4 and sum(one.unsigned for one in found) == 1
    assert all(one.kind == "commit" and one.time == 1700000000 for one in found)
    assert all(one.job.pk == public_bytes(key) and valid(*one.job) for one in found if one.job)
    assert {one.id for one in gitsig.signed_objects(repo, ["side"])} == {first, side}
    assert {one.id for one in gitsig.signed_objects(repo, [f"{first}..side"])} == {side}
    with pytest.raises(GitError):
        list(gitsig.signed_objects(repo, ["--output=x"]))


def test_sha256_repository(tmp_path: Path, key: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "-b", "main")
    commit = commit_signed(tmp_path, key, "-m", "long names")
    git(tmp_path, "-c", f"user.signingkey={key}", "tag", "-s", "v1", "-m", "first version")
    found = list(gitsig.signed_objects(tmp_path))
    assert found[0].id == commit and len(commit) == 64
    assert [one.kind for one in found] == ["commit", "tag"] and all(valid(*one.job) for one in found)


def test_tampered_commit(repo: Path, key: Path) -> None:
    """Another text, author or parent under the old signature: a job, which the model refuses."""
    commit = commit_signed(repo, key, "-m", "pay 10")
    raw = git(repo, "cat-file", "commit", commit)
    made = {store(repo, raw.replace(*change)) for change in (
        (b"pay 10", b"pay 90"), (b"author A", b"author B"), (b"1700000000", b"1700000001", 1),
    )}  # fmt: skip
    verdicts = {one.id: valid(*one.job) for one in gitsig.signed_objects(repo)}
    assert len(made) == 3
    assert verdicts == {commit: True} | dict.fromkeys(made, False)


def test_commits_signed_otherwise(repo: Path, key: Path, armored: bytes) -> None:
    """PGP, X.509, an SSH signature for another namespace, of another key type, or broken."""
    commit = commit_signed(repo, key, "-m", "good")
    ecdsa = keygen(repo.parent, "ecdsa")
    other_key = commit_signed(repo, ecdsa, "-m", "other key")
    raw = git(repo, "cat-file", "commit", commit)
    payload, signature = gitsig.split_commit(raw)
    assert signature and sshsig.parse(signature).namespace == "git"

    def signed_by(text: bytes) -> str:
        header = b"gpgsig " + text.strip().replace(b"\n", b"\n ") + b"\n"
        head, _, body = payload.partition(b"\n\n")
        return store(repo, head + b"\n" + header + b"\n" + body)

    expected = {
        signed_by(b"-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----"):
            "not an SSH signature: BEGIN PGP SIGNATURE",
        signed_by(b"-----BEGIN SIGNED MESSAGE-----\nabcd\n-----END SIGNED MESSAGE-----"):
            "not an SSH signature: BEGIN SIGNED MESSAGE",
        signed_by(armored): "namespace is 'file', not 'git'",
        signed_by(signature.replace(b"-----END", b"----END")):
            "the BEGIN or END line of an SSH signature is missing",
        other_key: "the public key is ecdsa-sha2-nistp256: only ssh-ed25519 is Ed25519",
    }  # fmt: skip
    found = list(gitsig.signed_objects(repo))
    assert [one.id for one in found if one.job] == [commit] and len(found) == 6
    assert {one.id: one.problem for one in found if not one.job} == expected
    assert sum(one.other for one in found) == 2


def test_both_signature_headers() -> None:
    """The header of the other object format is no part of the payload either; a tag merged into
    the commit, with a signature of its own, is."""
    before = b"tree 0\nmergetag object 1\n type commit\n gpgsig inner\nauthor A\n"
    after = b"encoding x\n\ngpgsig text\n"
    signatures = b"gpgsig one\n two\n \n three\ngpgsig-sha256 other\n more\n"
    raw = before + signatures + after
    payload, signature = gitsig.split_commit(raw)
    assert signature == b"one\ntwo\n\nthree\n"
    assert payload == before + after
    assert gitsig.split_commit(raw, b"gpgsig-sha256") == (payload, b"other\nmore\n")
    assert gitsig.split_commit(payload) == (payload, None)


def test_more_than_one_signature_and_strange_headers(repo: Path, key: Path) -> None:
    """git hands all signature headers together to ssh-keygen, and signs headers that only begin as one does."""
    commit = commit_signed(repo, key, "-m", "good")
    raw = git(repo, "cat-file", "commit", commit)
    payload, signature = gitsig.split_commit(raw)
    assert signature is not None
    head, _, body = payload.partition(b"\n\n")
    folded = b"gpgsig " + signature.strip().replace(b"\n", b"\n ")
    strange = store(repo, head + b"\ngpgsigned by nobody\n" + folded + b"\n\n" + body)
    twice = store(repo, head + b"\n" + folded + b"\n" + folded + b"\n\n" + body)
    found = {one.id: one for one in gitsig.signed_objects(repo)}
    assert valid(*found[commit].job) and not valid(*found[strange].job)
    assert found[twice].job is None and found[twice].problem == "2 signatures in one commit"


def test_signed_tags(repo: Path, key: Path) -> None:
    """Signed, unsigned, changed, with another signature in the text, and of another tag."""
    commit_signed(repo, key, "-m", "good")
    sign = ("-c", f"user.signingkey={key}")
    git(repo, *sign, "tag", "-s", "one", "-m",
        "text\n\n-----BEGIN PGP SIGNATURE-----\n\nno\n-----END PGP SIGNATURE-----")
    git(repo, *sign, "tag", "-s", "outer", "one", "-m", "a tag of a tag")
    git(repo, "tag", "-a", "plain", "-m", "unsigned")
    git(repo, "tag", "light")
    raw = git(repo, "cat-file", "tag", "one")
    changed = git(repo, "hash-object", "-t", "tag", "-w", "--stdin",
                  stdin=raw.replace(b"tag one", b"tag two")).decode().strip()
    git(repo, "update-ref", "refs/tags/two", changed)
    tags = {git(repo, "rev-parse", name).decode().strip(): name for name in ("one", "outer", "plain", "two")}
    found = {tags[one.id]: one for one in gitsig.signed_objects(repo) if one.kind == "tag"}
    assert found.keys() == set(tags.values()) and found["plain"].unsigned
    assert [valid(*found[name].job) for name in ("one", "outer", "two")] == [True, True, False]
    assert all(one.time == 1700000000 for one in found.values())


def test_no_repository_and_empty_repository(tmp_path: Path, repo: Path) -> None:
    with pytest.raises(GitError):
        list(gitsig.signed_objects(tmp_path / "nowhere"))
    assert list(gitsig.signed_objects(repo)) == []


def test_a_repository_is_the_one_that_is_named(tmp_path: Path, repo: Path, key: Path,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a hook says in its environment; of its own repository it also sees what git has in quarantine."""
    mine, bare = commit_signed(repo, key, "-m", "mine"), tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", "--no-local", repo, bare)
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    theirs = commit_signed(other, key, "-m", "theirs")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert [found.id for found in gitsig.signed_objects(repo)] == [mine]
    assert [found.id for found in gitsig.signed_objects(other)] == [theirs]
    with pytest.raises(GitError):
        list(gitsig.signed_objects(tmp_path))
    monkeypatch.setenv("GIT_DIR", ".")
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(other / ".git" / "objects"))
    monkeypatch.chdir(bare)
    assert [found.id for found in gitsig.signed_objects(".", [theirs])] == [theirs]
    monkeypatch.setenv("GIT_DIR", "HEAD")
    assert [found.id for found in gitsig.signed_objects(repo)] == [mine]


def test_reading_may_stop_early(repo: Path, key: Path) -> None:
    for number in range(4):
        commit_signed(repo, key, "-m", f"{number}")
    found = gitsig.signed_objects(repo)
    assert valid(*next(found).job)
    found.close()


# ---- allowed signers --------------------------------------------------------------------------


def public(key: Path) -> str:
    """Type and key of a public key file."""
    return " ".join(key.with_suffix(".pub").read_text().split()[:2])


LINES = {
    "a@example.com {key}": True,
    "a@example.com {key} a comment": True,
    "*@example.com,!b@example.com {key}": True,
    '"a@example.com" {key}': True,
    'a@example.com namespaces="git" {key}': True,
    'a@example.com namespaces="file,g*" {key}': True,
    'a@example.com NAMESPACES="git",valid-after="20200101" {key}': True,
    'a@example.com valid-after="20231114221320Z" {key}': True,
    'a@example.com valid-before="20231114221321Z" {key}': True,
    "# a@example.com {key}": False,
    "b@example.com {other} comment\fa@example.com {key}": False,
    "# comment\x85a@example.com {key}\r": False,
    "a@example.com {key} comment\r": True,
    "a@example.com {other}": False,
    'a@example.com namespaces="file" {key}': False,
    'a@example.com namespaces="!git,*" {key}': False,
    'a@example.com valid-after="20231114221321Z" {key}': False,
    'a@example.com valid-before="20231114221319Z" {key}': False,
    'a@example.com valid-before="202001010000" {key}': False,
    "a@example.com cert-authority {key}": False,
    "a@example.com {ecdsa}": False,
    "": False,
}
"""Lines of an allowed signers file, and whether a commit of 2023-11-14 22:13:20 UTC by `key` is accepted."""


@pytest.mark.parametrize("line", LINES)
def test_allowed_signers_as_git_does(line: str, repo: Path, key: Path, tmp_path: Path) -> None:
    others = {kind: keygen(tmp_path, kind) for kind in ("ecdsa",)}
    (tmp_path / "other").mkdir()
    text = line.format(key=public(key), other=public(keygen(tmp_path / "other")), ecdsa=public(others["ecdsa"]))
    commit = commit_signed(repo, key, "-m", "good")
    file = tmp_path / "allowed"
    file.write_text(text + "\n", newline="")
    git_says = subprocess.run(["git", "-c", f"gpg.ssh.allowedSignersFile={file}", "verify-commit", commit], cwd=repo,
                              capture_output=True, check=False).returncode == 0
    (found,) = gitsig.signed_objects(repo)
    ours = principals_of(parse(text), found.job.pk, "git", found.time) is not None
    assert (ours, git_says) == (LINES[line], LINES[line])


@pytest.mark.parametrize(("text", "sentence"), [
    ("a@example.com", "not `principals"), ("a ssh-ed25519", "not `principals"), ("a ssh-ed25519 x!", "not base64"),
    ("\na ssh-ed25519 AAAA", "line 2: the key is not one of ssh-ed25519"),
    ('a namespaces="git ssh-ed25519 AAAA', "quotation mark"),
    ("a verify-required ssh-ed25519 AAAA", "unknown option verify-required"),
    ("a namespaces ssh-ed25519 AAAA", "unknown option namespaces"),
    ('a valid-after="2023" ssh-ed25519 AAAA', "'2023' is no time of the form"),
    ('a valid-after="20231332" ssh-ed25519 AAAA', "'20231332' is no time"),
    ('a valid-after="00010101" ssh-ed25519 AAAA', "'00010101' is no time"),
    ('a valid-after="19691231Z" ssh-ed25519 AAAA', "'19691231Z' is before 1970"),
    ('a valid-after="20230101",valid-after="20240101" ssh-ed25519 AAAA', "option valid-after twice"),
])  # fmt: skip
def test_lines_that_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(AllowedSignersError, match=re.escape(sentence)):
        parse(text)


def test_fingerprint(key: Path) -> None:
    printed = run("ssh-keygen", "-l", "-f", key.with_suffix(".pub"), cwd=key.parent).decode().split()[1]
    assert sshsig.fingerprint(public_bytes(key)) == printed
