# SPDX-License-Identifier: Apache-2.0
"""What the tests of the OpenSSL provider share: the built provider, configurations, counters, programs."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from pointmill import library, provider, simbuild

STOCK = "/dev/null"
"""OPENSSL_CONF of a program without the provider."""
FOLDER = simbuild.ROOT / "tests" / "provider"


@cache
def built() -> Path:
    """Folder of the provider, built with the project's driver."""
    return provider.build().parent


@cache
def built_with_faults() -> Path:
    """The same with a driver that has the back-end `mortal` too (tests/provider/mortal_backend.c)."""
    sources = [*library.DRIVER, *(file for files in library.BACKENDS.values() for file in files),
               FOLDER / "mortal_backend.c"]
    driver = library.driver(sources, dict.fromkeys(library.BACKENDS, "") | {"PM_EXTRA_BACKEND": "pm_backend_mortal"})
    return provider.build(simbuild.BUILD / "provider-mortal", driver).parent


@cache
def built_with_sanitizers() -> Path:
    """The same with provider and driver under address and undefined-behaviour sanitizers."""
    return provider.build(simbuild.BUILD / "provider-sanitized", flags=SANITIZE).parent


SANITIZE = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")


@cache
def evp_tool(flags: tuple[str, ...] = ()) -> Path:
    """The program of tests/provider/evp_tool.c."""
    source = FOLDER / "evp_tool.c"
    product = simbuild.BUILD / "tests" / f"evp_tool{'-sanitized' * bool(flags)}"
    product.parent.mkdir(parents=True, exist_ok=True)
    with simbuild.locked(product):
        simbuild.run_tool([library.compiler(), "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", *flags, source,
                           "-o", product.with_suffix(".new"), "-lcrypto", "-lpthread"])
        product.with_suffix(".new").replace(product)  # another process may be running it
    return product


class Machine:
    """A configuration of OpenSSL with the provider, and what its processes counted."""

    def __init__(self, folder: Path, name: str = "machine", where: Path | None = None, preferred: bool = True,
                 **settings: str) -> None:
        """folder: for files, which processes of other users may write too. preferred: the provider goes before the
        default one without being asked for."""
        self.counts = folder / f"{name}-counts"
        self.counts.mkdir(mode=0o777)
        self.counts.chmod(0o777)
        self.conf = folder / f"{name}.cnf"
        text = provider.configuration((where or built()) / "pointmill.so",
                                      {"statistics": str(self.counts / "%p.json"), **settings})
        self.conf.write_text(text if preferred else text.replace("default_properties", "# default_properties"))

    def take(self, event: str = "done", keep: bool = False) -> dict[str, int]:
        """Events of each operation since the last call, of all processes; those of a curve's loading are left out.
        keep: the files stay, so that processes that go on are counted again."""
        total: Counter[str] = Counter()
        for file in sorted(self.counts.glob("*.json")):
            for operation, counts in json.loads(file.read_text())["operations"].items():
                total[operation] += counts[event]
            if not keep:
                file.unlink()
        return {name: count for name, count in total.items() if count and not name.startswith("curve.")}


def environment(conf: Path | str, **more: str) -> dict[str, str]:
    """Environment of a program with this configuration of OpenSSL."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("OPENSSL_", "SSL_"))} | {
        "OPENSSL_CONF": str(conf), **more}


def openssl(*words: str | Path, conf: Path | str, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs the command `openssl`."""
    done = subprocess.run(["openssl", *map(str, words)], cwd=cwd, env=environment(conf), text=True, check=False,
                          capture_output=True, timeout=120)
    assert not check or done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done


def ask(lines: Iterable[str], conf: Path | str, *mode: str, tool: Path | None = None, timeout: int = 240,
        prefix: Sequence[str] = (), check: bool = True, **env: str) -> list[str]:
    """Lines of the program evp_tool for these lines."""
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([*prefix, tool or evp_tool(), *mode], env=environment(conf, **env), input=text, text=True,
                          check=False, capture_output=True, timeout=timeout)
    assert not check or done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    return done.stdout.splitlines()


@contextmanager
def running(words: Sequence[str | Path], log: Path, conf: Path | str, **env: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program beside the test; its output goes to `log`. Ended behind the block."""
    with log.open("wb") as output:
        process = subprocess.Popen([*map(str, words)], env=environment(conf, **env), stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(timeout=30)
