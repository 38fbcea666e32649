# SPDX-License-Identifier: Apache-2.0
"""Items of `pointmill verify` that are signed by SSH keys: files, commits and tags; and what is demanded of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .. import gitsig, sshsig
from ..allowed_signers import Signer, principals_of
from ..device import Job
from .common import explain
from .lines import CHUNK_JOBS, Item


@dataclass
class Policy:
    """What counts as valid. require_signed: a commit or tag without an SSH signature is not. signers: whose keys count;
    None: every key. Counts the commits and tags that were left out because nothing is demanded of them."""

    require_signed: bool = False
    signers: Sequence[Signer] | None = None
    unsigned: int = 0
    other: int = 0

    def item(self, tag: str, rule: str, job: sshsig.Job, namespace: str, when: int | None, **shown: str) -> Item:
        """The item of a signature made at a time."""
        shown = {**shown, "key": sshsig.fingerprint(job.pk)}
        reason = error = None
        if self.signers is not None:
            if (principals := principals_of(self.signers, job.pk, namespace, when)) is None:
                reason, error = "key_not_allowed", "no allowed signer has this key for this namespace and time"
            else:
                shown["principals"] = principals
        return Item(tag, rule, Job(job.pk, job.msg, job.sig, rule, tag), error, shown, reason)


def _chunks(items: Iterator[Item], most: int) -> Iterator[list[Item]]:
    while chunk := list(islice(items, most)):
        yield chunk


def sshsig_items(files: list[str], namespace: str, rule: str, policy: Policy,
                 most: int = CHUNK_JOBS) -> Iterator[list[Item]]:
    """Items of files and their SSH signatures, `most` together; the tag is the name as given."""
    now = int(time.time())

    def item(name: str) -> Item:
        signature = Path(name if name.endswith(".sig") else f"{name}.sig")
        try:
            job = sshsig.make_job(signature.read_bytes(), signature.with_suffix("").read_bytes(), namespace)
        except (sshsig.SshSigError, OSError) as error:
            return Item(name, rule, None, explain(error))
        return policy.item(name, rule, job, namespace, now)

    yield from _chunks(map(item, files), most)


def git_items(repo: str, revisions: Sequence[str], rule: str, policy: Policy,
              most: int = CHUNK_JOBS) -> Iterator[list[Item]]:
    """Items of the SSH-signed commits and tags of a repository, `most` together; the tag is the object's name.

    A damaged signature, or one of another key type, is an item without job. Unsigned objects, and those signed
    otherwise than by SSH, are items if the policy demands signatures; else it counts them.
    """
    def items() -> Iterator[Item]:
        for found in gitsig.signed_objects(repo, revisions):
            if found.job is not None:
                yield policy.item(found.id, rule, found.job, gitsig.NAMESPACE, found.time, kind=found.kind)
            elif policy.require_signed or not (found.unsigned or found.other):
                reason = "unsigned" if found.unsigned else "signed_otherwise" if found.other else None
                yield Item(found.id, rule, None, found.problem or "no signature", {"kind": found.kind}, reason)
            elif found.unsigned:
                policy.unsigned += 1
            else:
                policy.other += 1

    yield from _chunks(items(), most)
