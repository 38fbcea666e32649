# SPDX-License-Identifier: Apache-2.0
"""SSH-signed commits and tags of a git repository as Ed25519 verification jobs.

A job's message is what git itself would verify: the commit without its signature headers, the tag up to its signature.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pointmill import sshsig
from pointmill.sshsig import ArmorError, Job, SshSigError

NAMESPACE = "git"
_HEADERS = (b"gpgsig", b"gpgsig-sha256")
_BEGINS = (sshsig.BEGIN, b"-----BEGIN PGP SIGNATURE-----", b"-----BEGIN PGP MESSAGE-----",
           b"-----BEGIN SIGNED MESSAGE-----")
_PLACES = ("GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
           "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE")
"""Variables by which git tells a hook where its repository is; they come before a folder that is named."""
_TIME = re.compile(rb"^(?:committer|tagger) [^\n]*> ([0-9]{1,12}) [+-][0-9]{4}$", re.MULTILINE)


class GitError(RuntimeError):
    """git could not read the repository."""


@dataclass(frozen=True)
class SignedObject:
    """A commit or tag. job: of its signature, None without one that can be verified; problem: why not, None if it is
    unsigned. time: of the committer or tagger, in seconds since 1970, None without one."""

    kind: Literal["commit", "tag"]
    id: str
    time: int | None
    job: Job | None = None
    problem: str | None = None
    other: bool = False
    """The signature is not one of SSH."""

    @property
    def unsigned(self) -> bool:
        """Whether it carries no signature at all."""
        return self.job is None and self.problem is None


def split_commit(raw: bytes, header: bytes = b"gpgsig") -> tuple[bytes, bytes | None]:
    """(payload, signature) of a commit object; the signature is None without that header. `ArmorError` if there are
    two.

    The payload is what git signs: the object without `gpgsig` and `gpgsig-sha256` headers and their continuation lines,
    and with any other header, whatever its name begins with. header: that of the repository's object format.
    """
    head, separator, body = raw.partition(b"\n\n")
    kept: list[bytes] = []
    signatures: list[list[bytes]] = []
    inside: bytes | None = None
    for line in head.split(b"\n"):
        name, space, value = line.partition(b" ")
        if name in _HEADERS and space:
            inside = name
            if name == header:
                signatures.append([value])
        elif inside and line.startswith(b" "):
            if inside == header:
                signatures[-1].append(line[1:])
        else:
            inside = None
            kept.append(line)
    if len(signatures) > 1:
        raise ArmorError(f"{len(signatures)} signatures in one commit")
    payload = b"\n".join(kept) + separator + body
    return payload, b"\n".join(signatures[0]) + b"\n" if signatures else None


def split_tag(raw: bytes) -> tuple[bytes, bytes | None]:
    """(payload, signature) of a tag object: it ends with its signature, which begins with the last line that begins
    one."""
    begin = max((match.start() for match in re.finditer(rb"^-----BEGIN ", raw, re.MULTILINE)
                 if raw.startswith(_BEGINS, match.start())), default=None)
    return (raw, None) if begin is None else (raw[:begin], raw[begin:])


def read_object(kind: Literal["commit", "tag"], identity: str, raw: bytes) -> SignedObject:
    """What a commit or tag object says of its signature."""
    times = _TIME.findall(raw.partition(b"\n\n")[0])
    time = int(times[0]) if len(times) == 1 else None
    try:
        if kind == "tag":
            payload, signature = split_tag(raw)
        else:
            payload, signature = split_commit(raw, _HEADERS[len(identity) != 40])
        if signature is None:
            return SignedObject(kind, identity, time)
        if not signature.startswith(sshsig.BEGIN):
            first = signature.split(b"\n", 1)[0].decode("ascii", "replace").strip("-")
            return SignedObject(kind, identity, time, problem=f"not an SSH signature: {first}", other=True)
        return SignedObject(kind, identity, time, sshsig.make_job(signature, payload, NAMESPACE))
    except SshSigError as error:
        return SignedObject(kind, identity, time, problem=str(error))


def _is_place_of(repo: str | Path, folder: str, environment: dict[str, str]) -> bool:
    """Whether a folder is that of the repository `repo` itself, which is looked for in an environment."""
    found = subprocess.run(["git", "-C", os.fspath(repo), "rev-parse", "--absolute-git-dir"], env=environment,
                           capture_output=True, check=False).stdout
    places = (os.fsencode(repo), found.removesuffix(b"\n"))
    return os.path.realpath(os.fsencode(folder)) in map(os.path.realpath, filter(None, places))


def _git(repo: str | Path, *words: str) -> tuple[list[str], dict[str, str]]:
    """A git command, and an environment in which objects are read as stored (no replacements), and of no other
    repository than this one: a hook names its own to all that it starts."""
    environment = {**os.environ, "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
    elsewhere = {name: text for name, text in environment.items() if name not in _PLACES}
    folder = environment.get("GIT_DIR")
    if folder is not None and not _is_place_of(repo, folder, elsewhere):
        environment = elsewhere
    return ["git", "-C", os.fspath(repo), *words], environment


def _list(repo: str | Path, *words: str) -> list[bytes]:
    command, environment = _git(repo, *words)
    listed = subprocess.run(command, env=environment, capture_output=True, check=False)
    if listed.returncode:
        raise GitError(listed.stderr.decode("utf-8", "replace").strip())
    return listed.stdout.split()


def signed_objects(repo: str | Path, revisions: Sequence[str] = ()) -> Iterator[SignedObject]:
    """Commits and annotated tags of a repository, signed or not.

    revisions: as `git rev-list` takes them, for their commits alone; without any, every commit that a ref or HEAD
    reaches, then every tag object that a ref names. `GitError` if git cannot list or read them.
    """
    chosen = ("--end-of-options", *revisions, "--") if revisions else ("--all",)
    wanted = [(b"commit", identity) for identity in _list(repo, "rev-list", *chosen)]
    if not revisions:
        names = _list(repo, "for-each-ref", "--format=%(objecttype) %(objectname)")
        wanted += [(b"tag", identity) for kind, identity in zip(names[::2], names[1::2], strict=True) if kind == b"tag"]
    command, environment = _git(repo, "cat-file", "--batch")
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdin is not None and reader.stdout is not None
        for kind, identity in dict.fromkeys(wanted):
            reader.stdin.write(identity + b"\n")
            reader.stdin.flush()
            answer = reader.stdout.readline().split()
            if len(answer) != 3 or answer[1] != kind:
                raise GitError(f"{kind.decode()} {identity.decode('ascii')} cannot be read")
            raw = reader.stdout.read(int(answer[2]) + 1)[:-1]
            yield read_object("tag" if kind == b"tag" else "commit", identity.decode("ascii"), raw)
