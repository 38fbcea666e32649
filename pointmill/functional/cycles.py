# SPDX-License-Identifier: Apache-2.0
"""Clock cycles of `edverify` by the committed records (data/records): what one job takes alone and among others, and
how far apart results come. They are means over valid signatures of short messages; what the core rejects early takes
less there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from ..cores import EDVERIFY
from ..resources import ROOT

FOLDER = ROOT / "data" / "records"
_PRESENT = "throughput"
"""The configuration whose programs are measured under every rule set."""


@dataclass(frozen=True)
class Cycles:
    """alone: from header to result with nothing else in the core; interval: between results with jobs waiting."""

    alone: float
    interval: float
    contexts: int

    def of(self, jobs: int) -> int:
        """From header to result of a job among so many."""
        return round(max(self.alone, self.interval * min(jobs, self.contexts)))

    def run(self, jobs: int) -> int:
        """From the first header to the last result of so many jobs."""
        return round(self.alone + self.interval * (jobs - 1)) if jobs else 0


@cache
def _figures(config: str) -> dict[tuple[str, str], float]:
    found = json.loads((FOLDER / f"bench.edverify.verify.{config}.json").read_text())["figures"]
    return {(figure["id"], figure["what"]): figure["value"] for figure in found}


@cache
def cycles_of(config: str, rule: str, mode: str = "single") -> Cycles:
    """Of verifications in a configuration under a rule set, carried out in a mode. A figure that was not measured in
    that configuration is that of the rule set it was measured under; of `bulk`, which has the programs of `throughput`,
    that of `throughput`."""
    contexts = EDVERIFY.parameters[config]["Contexts"]
    if mode != "single":
        interval = _figures(config)[f"edverify.verify_{mode}", "cycles_per_verification"]
        return Cycles(cycles_of(config, rule).alone, interval, contexts)
    figures = _figures(config)
    if ("edverify.verify", "cycles_per_verification") not in figures:
        figures = _figures(_PRESENT)
    name = f"edverify.verify_{rule}"
    if (name, "cycles_per_verification") not in figures:
        name = "edverify.verify"
    interval = figures[name, "cycles_per_verification"]
    alone = figures.get(("edverify.verify", "cycles_alone"), figures[name, "cycles_mean"])
    return Cycles(alone, interval, contexts)
