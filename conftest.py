# SPDX-License-Identifier: Apache-2.0
"""Pytest options of the whole project, and a summary that says aloud what was not run."""

from __future__ import annotations

import os
import zlib
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from pointmill import simruntime

_GATES = {"long": "--long", "soak": "--soak"}
SEEDED = "dv/seeded/test_seeded_bugs.py"
SLOW = ("dv/", *(f"tests/test_{name}" for name in (
    "boards", "cli_", "driver", "faults", "formal", "fuzz", "leakage", "mutation.py::test_sample", "netlists",
    "project.py::test_fusesoc", "provider_", "secret_flow", "setup", "simbuild", "sweep", "ucode_comb", "ucode_mpu",
    "ucode_multicurve", "ucode_signatures")))
"""Beginnings of the names of tests that build, simulate or prove something."""
_left_out = pytest.StashKey[Counter]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pointmill")
    group.addoption("--long", action="store_true", help="also run the tests marked long")
    group.addoption("--soak", action="store_true", help="also run the tests marked soak")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_left_out] = Counter()
    if not config.getoption("--long"):  # the simulated device is then built as its users have it
        os.environ.setdefault("PM_SIM_OPT", simruntime.OPT)
    for name in ("PM_VECTORS", "PM_LIBERTY"):  # benches run in directories of their own
        if folder := os.environ.get(name):
            os.environ[name] = str(Path(folder).resolve())


def _turn(file: str, seen: Counter[str]) -> tuple[int, int]:
    """When the tests of a file begin: those of cores, whose builds take longest, in turns of the folders, since files
    of a folder build the same; last the seeded bugs, of which none takes long, so that all workers end together."""
    folder = str(Path(file).parent)
    seen[folder] += 1
    if file == SEEDED:
        return 3, 0
    if folder.startswith("dv/lib/"):
        return 1, seen[folder]
    return (0 if folder.startswith("dv/") else 2), seen[folder]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """One worker takes all tests of a file, since another one would wait for what they build; seeded bugs have nothing
    in common and go to any. They begin in the order of the items."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduler(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return nodeid if file == SEEDED else file

    config.option.loadscopereorder = False
    return Scheduler(config, log)


def _leave_a_quarter(items: list[pytest.Item]) -> None:
    """Makes all cases of a slow test long but a quarter, at least one, which hashes of their names choose: so each
    configuration of a core has its share of the normal run. Seeded bugs have a sample of their own."""
    alike: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.nodeid.startswith(SLOW) and not item.nodeid.startswith(SEEDED) and not any(
                map(item.get_closest_marker, _GATES)):
            alike[item.nodeid.partition("[")[0]].append(item)
    for same in alike.values():
        for item in sorted(same, key=lambda item: zlib.crc32(item.nodeid.encode()))[(len(same) + 3) // 4:]:
            item.add_marker("long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects (does not skip) what needs an option that was not given, and counts it; a test whose name is given
    runs."""
    kept, dropped = [], []
    _leave_a_quarter(items)
    for item in items:
        closed = [mark for mark, option in _GATES.items() if item.nodeid not in config.args
                  and item.get_closest_marker(mark) and not config.getoption(option)]
        (dropped if closed else kept).append(item)
        config.stash[_left_out].update(closed[:1])
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
    seen: Counter[str] = Counter()
    files = {item: item.nodeid.partition("::")[0] for item in items}
    turns = {file: _turn(file, seen) for file in dict.fromkeys(files.values())}
    items.sort(key=lambda item: turns[files[item]])


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["pm_left_out"] = dict(session.config.stash[_left_out])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object) -> None:
    """Takes over the counts of an xdist worker; all workers collect the same tests."""
    output = getattr(node, "workeroutput", {})
    node.config.stash[_left_out] |= Counter(output.get("pm_left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter,
                            config: pytest.Config) -> None:
    report = terminalreporter
    report.section("what did not run")
    counts = config.stash[_left_out]
    for mark, option in _GATES.items():
        if counts[mark]:
            report.line(f"{counts[mark]} {mark} tests left out (run them with {option})")
        elif config.getoption(option):
            report.line(f"{mark} tests: run")
        else:
            report.line(f"{mark} tests: none")
    skipped = report.stats.get("skipped", [])
    report.line(f"{len(skipped)} tests skipped" + (", reasons above" if skipped else ""))
    folder = os.environ.get("PM_VECTORS")
    if not folder:
        report.line("PM_VECTORS is not set: tests against the reference vector folder did not run")
    elif not Path(folder).is_dir():
        report.line(f"PM_VECTORS={folder} is not a folder: its tests did not run", red=True)
    else:
        report.line(f"PM_VECTORS={folder}: present")


@pytest.fixture(scope="session")
def vectors_dir() -> Path:
    """Folder of reference vectors named by PM_VECTORS; the test is skipped when it is not set."""
    folder = os.environ.get("PM_VECTORS")
    if not folder:
        pytest.skip("PM_VECTORS is not set")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"PM_VECTORS={folder} is not a folder")
    return path
