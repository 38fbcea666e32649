# SPDX-License-Identifier: Apache-2.0
"""Runs the changes of a group against their tests. Results are kept in build/mutate, by the text of the file, the
change and the texts of the tests, so that a run that was broken off goes on where it was."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from math import ceil
from pathlib import Path
from threading import Lock

from pointmill.measure.mutation import equivalence
from pointmill.measure.mutation.changes import with_choices
from pointmill.measure.mutation.plan import LANGUAGES, Group, Mutant
from pointmill.measure.mutation.programs import Programs
from pointmill.measure.mutation.tree import FOLDER, copy_sources, environment
from pointmill.simbuild import ROOT

PROGRAMS = ROOT / "tests" / "driver"
BUILD_SECONDS = 1200  # the first run of tests builds what they need
SECONDS, TIMES = 5, 3
"""A change with which a process takes so many times the processor time that the tests take without, and this beside it,
hangs."""
LOADED = {"rtl": ("pytest", "hypothesis", "cocotb", "cocotb_tools.runner", "cryptography", "pointmill.simbuild",
                  "dv.common.handshake"),
          "python": ("pytest", "hypothesis", "cryptography", "yaml", "lark")}
"""Modules that no change of the group is in, loaded once for all its tests."""
SELECTION = {"rtl": ("-k", "not refused and not illegal")}
"""Words of pytest: tests of what is rejected at elaboration say nothing about a change that is chosen later."""
PROOFS = {"rtl": equivalence.proved, "driver": equivalence.same_code}
"""What says of a change that it changes nothing, by group."""
KILLED, SURVIVED, EQUAL = "killed", "survived", "equal"
PASSED = "code 0"
COLLECTION_FAILED = 2  # pytest.ExitCode.INTERRUPTED, which it gives for an error of collection too


@dataclass(frozen=True)
class Result:
    """What became of a change: KILLED, SURVIVED, or EQUAL where it is proved to change nothing. how: exit code of the
    tests, time-out, or whether a proof was found."""

    state: str
    how: str
    seconds: float


class Baseline(RuntimeError):
    """Tests that fail without any change."""


def _hash(*parts: bytes) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "little") + part)
    return total.hexdigest()


@cache
def _text_of_tests(tests: Sequence[str]) -> bytes:
    """Of the files of tests, with what lies beside them and is no test."""
    files = {ROOT / test.partition("::")[0] if "/" in test else PROGRAMS / f"test_{test}.c" for test in tests}
    for folder in {*(file.parent for file in files), ROOT / "dv" / "common"}:
        files |= {path for path in folder.iterdir() if path.suffix in (".py", ".cpp", ".h", ".c", ".sv")
                  and not path.name.startswith("test_")}
    return b"\0".join(path.read_bytes() for path in sorted(files)) + "\0".join(tests).encode()


def key(mutant: Mutant) -> str:
    """What the result of a change is kept by."""
    one, form = mutant.change, LANGUAGES[mutant.group].form
    pattern = form.drop if one.drop else form.choice
    return _hash(pattern.encode(), (ROOT / mutant.file).read_bytes(), f"{one.begin} {one.end} {one.drop}".encode(),
                 one.new, _text_of_tests(mutant.tests))


class Kept:
    """Results of earlier runs, a line of JSON each; of a line that stands twice the later holds."""

    def __init__(self, name: str, folder: Path = FOLDER) -> None:
        self.path = folder / f"{name}.jsonl"
        self.known: dict[str, Result] = {}
        for line in self.path.read_text().splitlines() if self.path.is_file() else ():
            raw = json.loads(line)
            self.known[raw["key"]] = Result(raw["state"], raw["how"], raw["seconds"])

    def get(self, mutant: Mutant) -> Result | None:
        """The result of a change, if there is one."""
        return self.known.get(key(mutant))

    def add(self, mutant: Mutant, result: Result) -> None:
        """Keeps a result."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps({"key": key(mutant), **asdict(result)}) + "\n")
        self.known[key(mutant)] = result


def plant(group: Group, mutants: Iterable[Mutant], tree: Path) -> None:
    """Copies the sources to `tree`, with all changes of the group, of which a number chooses one."""
    copy_sources(tree, "-file \"*\"")
    by_file: dict[str, dict[int, Mutant]] = {}
    for one in mutants:
        by_file.setdefault(one.file, {})[one.number] = one
    for file, chosen in by_file.items():
        text = with_choices((ROOT / file).read_bytes(), {number: one.change for number, one in chosen.items()},
                            group.language.form)
        (tree / file).write_bytes(group.language.numbered(text))


Ask = Callable[[int, Sequence[str], int], dict]


@contextmanager
def server(group: Group, tree: Path) -> Iterator[Ask]:
    """Runs tests in `tree`: number, tests and time give what measure.mutation.server says."""
    if group.programs:
        yield Programs(tree, group.programs).ask
        return
    command = [sys.executable, "-m", "pointmill.measure.mutation.server", *LOADED[group.name]]
    env = environment(tree)
    del env["PYTHONDONTWRITEBYTECODE"]  # each run of a test would compile all modules again
    with subprocess.Popen(command, cwd=tree, env=env, text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        requests, answers = process.stdin, process.stdout

        def ask(number: int, tests: Sequence[str], seconds: int) -> dict:
            words = [*SELECTION.get(group.name, ()), *tests]
            print(json.dumps({"number": number, "tests": words, "seconds": seconds}), file=requests, flush=True)
            return json.loads(answers.readline())

        try:
            yield ask
        finally:
            requests.close()


def _limit(ask: Ask, tests: Sequence[str]) -> int:
    """Processor seconds that a process of the tests may take; `Baseline` where they fail without a change."""
    answer = ask(0, tests, BUILD_SECONDS)
    if answer["code"] == 0 and answer["seconds"] > SECONDS:  # it may have built
        answer = ask(0, tests, BUILD_SECONDS)
    if answer["code"] != 0:
        raise Baseline(f"{' '.join(tests)} without a change: code {answer['code']}\n{answer['text']}")
    return SECONDS + ceil(TIMES * answer["seconds"])


def result_of(answer: dict) -> Result:
    """What an answer says of a change; `RuntimeError` where the tests did not run though they were loaded. Tests that
    ran without a change and cannot be loaded with it have found it."""
    code = answer["code"]
    if code is not None and code > COLLECTION_FAILED:
        raise RuntimeError(f"the tests did not run, code {code}\n{answer['text']}")
    how = "time-out" if code in (None, -signal.SIGXCPU, -signal.SIGKILL) else f"code {code}"
    return Result(SURVIVED if code == 0 else KILLED, how, answer["seconds"])


def judge(group: Group, mutants: Sequence[Mutant], say: Callable[[str], None] = print,
          until: float = float("inf"), jobs: int = 1, folder: Path = FOLDER) -> dict[Mutant, Result]:
    """Results of `mutants` of a group, of whose whole sample the tree is made; those that are not judged until then
    (`time.monotonic`) are left out; proofs come last. jobs: tests that run at once."""
    kept = Kept(group.name, folder)
    parts: dict[tuple[str, ...], list[Mutant]] = {}
    for one in mutants:
        if kept.get(one) is None:
            parts.setdefault(one.tests, []).append(one)
    if parts:
        tree = folder / group.name
        plant(group, group.mutants(), tree)
        waiting = sorted(parts.items(), key=lambda part: len(part[1]))  # the last is begun first
        failed, alone = list[Baseline](), Lock()

        def work() -> None:
            with server(group, tree) as ask:
                while time.monotonic() < until:
                    with alone:
                        if not waiting:
                            return
                        tests, members = waiting.pop()
                    try:
                        limit = _limit(ask, tests)
                    except Baseline as error:
                        failed.append(error)
                        continue
                    for one in members:
                        if time.monotonic() > until:
                            return
                        result = result_of(ask(one.number, tests, limit))
                        with alone:
                            kept.add(one, result)
                            say(f"{one}: {result.state} ({result.how}, {result.seconds} s)")

        jobs = 1 if group.programs else jobs  # whose processor time is that of all children of this process
        with ThreadPoolExecutor(jobs) as pool:
            for done in [pool.submit(work) for _ in range(jobs)]:
                done.result()
        if failed:
            raise Baseline("\n".join(map(str, failed)))
    for one in mutants if group.name in PROOFS else ():
        found = kept.get(one)
        if found and found.state == SURVIVED and found.how == PASSED and time.monotonic() < until:
            state = EQUAL if PROOFS[group.name](one) else SURVIVED
            kept.add(one, Result(state, "proof" if state == EQUAL else "no proof", found.seconds))
            say(f"{one}: {state}")
    return {one: found for one in mutants if (found := kept.get(one)) is not None}
