# SPDX-License-Identifier: Apache-2.0
"""Jobs that arrive at given times at the verilated core, and what its multiplier does in every cycle.

Every cycle of a run belongs to exactly one class (records.CLASSES): a product of a word, a multiplication for the
scalar unit, or the reason why no product was started. The classes are put together from what flow.cpp saw of the
sequencer, and proven against what the datapath counts individually.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pointmill.cores import EDVERIFY
from pointmill.measure.benches.edverify import CORE, Signed, job_file
from pointmill.measure.records import CLASSES, Record
from pointmill.simbuild import build_cpp
from pointmill.ucode.build import build

HERE = Path(__file__).parent

@dataclass(frozen=True)
class Engine:
    """How an engine is built: where it stands in pm_edverify, cycles from a word to its product, from
    the address of a word and from a hold to the issue they concern, and program and machine of its
    ROM."""

    block: str
    stages: int
    fetch: int
    hold: int
    program: str
    machine: str

    @property
    def halves(self) -> bool:
        """The engine works with half-size scalars."""
        return self.program == "halfsize"


ENGINES = {
    "paper": Engine("g_paper", 0, 1, 1, "verify", "paper"),
    "throughput": Engine("g_throughput", 2, 3, 4, "halfsize", "throughput"),
    "latency": Engine("g_throughput", 0, 1, 1, "halfsize", "latency"),
}
"""The configurations of one engine."""


@dataclass(frozen=True)
class Answer:
    """An answer: `cycles` as reported, `latency` from the arrival of the packet, `end` absolute."""

    tag: int
    reason: int
    cycles: int
    latency: int
    end: int


@dataclass(frozen=True)
class Flow:
    """A run: its answers in the order in which they came, and, of the cycles that were looked at, how
    many there were, how many of each class, and in how many the butterfly worked."""

    answers: list[Answer]
    cycles: int
    classes: dict[str, int]
    butterfly: int


def uses_butterfly(word: dict[str, int]) -> bool:
    """Whether the word makes a sum or a difference that somebody wants."""
    chained = word.get("mul_en") and (word.get("mul_a") or word.get("mul_b"))
    return bool(word.get("sum_we") or word.get("diff_we") or chained)


def waits(config: str) -> list[str | None]:
    """For every word of the ROM, the class of its cycles if it does nothing but wait for a unit."""
    engine = ENGINES[config]
    machine, _, _, rom = build(CORE, engine.program, engine.machine)
    wait, digest = machine.isa.control["wait"], machine.conditions.get("hash_done")
    found: list[str | None] = []
    for address, word in enumerate(rom.words):
        if address == rom.labels.get("walk_wait"):
            found.append("wait_unit")
        elif word.get("ctl_op") == wait:
            found.append("wait_digest" if word["ctl_cond"] == digest else "wait_unit")
        else:
            found.append(None)
    return found


def classify(config: str, seen: dict) -> tuple[dict[str, int], int]:
    """Cycles of each class, and those of the butterfly, from the last line of flow.cpp.

    `RuntimeError` where the classes do not add up to the cycles, or the products to those that the
    datapath has started.
    """
    engine = ENGINES[config]
    rom = build(CORE, engine.program, engine.machine)[3]
    classes = dict.fromkeys(CLASSES, 0)
    classes["scalar_product"] = seen["free"] + sum(map(sum, seen["scalar"]))
    classes |= {"held": seen["idle"]["held"], "spacing": seen["idle"]["none_due"],
                "no_job": seen["idle"]["no_job"]}  # fmt: skip
    butterfly = 0
    for address, (word, wait) in enumerate(zip(rom.words, waits(config), strict=True)):
        shared = [counts[address] for counts in seen["scalar"]]
        early, late = (c[address] - t for c, t in zip(seen["words"], shared, strict=True))
        if uses_butterfly(word):
            butterfly += early + late + sum(shared)
        if word.get("mul_en"):
            if any(shared):
                raise RuntimeError(f"{config}: a product of word {address} and one of the scalar unit")
            classes["word_product"] += early + late
        elif wait and engine.halves:
            # While it waits for its list, a job may already have handed its digest over.
            classes["wait_digest"] += early
            classes["wait_unit"] += late
        else:
            classes[wait or "no_product"] += early + late
    beyond = sum(sum(counts[len(rom.words) :]) for counts in seen["words"])
    products = classes["word_product"] + classes["scalar_product"]
    if beyond or products != seen["products"] or sum(classes.values()) != seen["cycles"]:
        raise RuntimeError(f"{config}: {classes} are not {seen['products']} products in "
                           f"{seen['cycles']} cycles, or {beyond} words are none")  # fmt: skip
    return classes, butterfly


def run(config: str, rule: str, items: Sequence[Signed], arrivals: Sequence[int] | None = None,
        first: int = 0, last: int | None = None) -> Flow:
    """Verifies `items`, which arrive at the given cycles or all at once, and looks at the cycles from
    the `first` answer to the `last` (counted from 1).

    `RuntimeError` if a signature is refused, an answer is missing, or the counts contradict each other.
    """
    engine = ENGINES[config]
    flags = [f"-DPM_BLOCK={engine.block}", f"-DPM_STAGES={engine.stages}",
             f"-DPM_FETCH={engine.fetch}", f"-DPM_HOLD={engine.hold}"]
    program = build_cpp(
        "pm_edverify", ["hw/edverify/edverify.f", HERE / "probe.vlt"], HERE / "flow.cpp",
        EDVERIFY.parameters[config], cflags=[*flags, *(["-DPM_BARREL"] if engine.halves else [])],
        name=f"flow-{config}", opt="-O3", verilator_args=("--no-assert",))  # fmt: skip
    with job_file(rule, items, arrivals) as path:
        window = [str(first), str(len(items) if last is None else last)]
        done = subprocess.run([program, path, *window], check=True, capture_output=True, text=True)
    *lines, totals = done.stdout.splitlines()
    answers = [Answer(**json.loads(line)) for line in lines]
    refused = sorted(answer.tag for answer in answers if answer.reason)
    if len({answer.tag for answer in answers}) != len(items) or refused:
        raise RuntimeError(f"{config}, {rule}: {len(answers)} results, rejected: {refused[:5]}")
    seen = json.loads(totals)
    return Flow(answers, seen["cycles"], *classify(config, seen))


def steady_records(config: str, items: Sequence[Signed], rule: str, edge: int) -> list[Record]:
    """What multiplier and butterfly do while a queue is never empty, without `edge` answers at either end."""
    flow = run(config, rule, items, first=edge, last=len(items) - edge)
    name = f"{CORE}.multiplier"
    return [
        *(Record(name, config, f"in_{what}", n, "cycles") for what, n in flow.classes.items()),
        Record(f"{CORE}.butterfly", config, "in_butterfly", flow.butterfly, "cycles"),
        Record(f"{CORE}.butterfly", config, "utilisation", round(flow.butterfly / flow.cycles, 4),
               "ratio"),
    ]  # fmt: skip
