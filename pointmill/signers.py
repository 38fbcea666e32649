# SPDX-License-Identifier: Apache-2.0
"""Signatures made on the spot by the programs of this machine: OpenSSL and ssh-keygen."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from . import sshsig
from .simbuild import ROOT

MAX_FILE = 32 << 10
"""Longer files are left alone: hashing takes 80 cycles for each 128 bytes."""


class SignerError(RuntimeError):
    """The program is missing or failed; the text says which."""


def _run(words: list[str | Path], data: bytes | None = None) -> bytes:
    """Standard output of a program; SignerError if it is missing or fails."""
    if shutil.which(str(words[0])) is None:
        raise SignerError(f"{words[0]} is not installed")
    done = subprocess.run(words, input=data, capture_output=True, check=False)
    if done.returncode:
        text = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise SignerError(f"{words[0]} {words[1]} failed: {text[-1] if text else 'no message'}")
    return done.stdout


def machine_files(count: int) -> list[Path]:
    """`count` (or fewer) readable files of at most MAX_FILE bytes: system text, Python's library,
    this project's sources; in a fixed order."""
    folders = [(Path("/etc"), "*release*"), (Path("/usr/share/doc"), "*/copyright"),
               (Path(sysconfig.get_path("stdlib")), "*.py"), (ROOT / "hw", "**/*.sv")]
    lists = [iter(sorted(folder.glob(pattern))) for folder, pattern in folders]
    found: list[Path] = []

    def usable(path: Path) -> bool:
        try:
            return path.is_file() and path.stat().st_size <= MAX_FILE and bool(path.read_bytes())
        except OSError:
            return False

    while lists and len(found) < count:
        for paths in list(lists):  # in turn, so that every folder is represented
            path = next((p for p in paths if usable(p)), None)
            if path is None:
                lists.remove(paths)
            elif len(found) < count:
                found.append(path)
    return found


def openssl_jobs(files: list[Path], folder: Path) -> Iterator[tuple[Path, sshsig.Job]]:
    """(file, job) for each file, signed by `openssl` with a fresh key kept in `folder`."""
    key = folder / "openssl.pem"
    _run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key])
    public = _run(["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"])[-32:]
    signature = folder / "openssl.sig"
    for file in files:
        _run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", file,
              "-out", signature])
        yield file, sshsig.Job(public, file.read_bytes(), signature.read_bytes())


def ssh_jobs(files: list[Path], folder: Path) -> Iterator[tuple[Path, sshsig.Job]]:
    """(file, job) for each file, signed by `ssh-keygen -Y sign` with a fresh key in `folder`."""
    key = folder / "ssh_key"
    _run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key])
    for file in files:
        data = file.read_bytes()
        armored = _run(["ssh-keygen", "-Y", "sign", "-q", "-n", "file", "-f", key], data)
        yield file, sshsig.make_job(armored, data)
