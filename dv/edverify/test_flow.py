# SPDX-License-Identifier: Apache-2.0
"""The bench's look into the core: every cycle has one class, and it is the right one."""

from __future__ import annotations

import pytest

from pointmill.measure.benches import flow
from pointmill.measure.benches.edverify import signatures

RULE = "rfc8032_cofactorless"
BARRELS = [config for config, engine in flow.ENGINES.items() if engine.halves]
pytestmark = pytest.mark.long


@pytest.mark.parametrize("config", flow.ENGINES)
def test_a_lone_job_waits_for_itself(config: str) -> None:
    """After 1,000 cycles without a job, one alone: nobody else keeps the multiplier busy."""
    seen = flow.run(config, RULE, signatures(1, 3), [1000])
    assert 1000 <= seen.classes["no_job"] < 1050
    assert seen.cycles == 1000 + seen.answers[0].latency + 1
    assert seen.answers[0].latency == seen.answers[0].cycles + 3
    least, most = (1900, 2300) if config in BARRELS else (3500, 3750)
    assert least < seen.classes["word_product"] < most
    assert seen.classes["spacing"] > seen.cycles / 3
    assert seen.classes["held"] == 0
    assert 0.1 < seen.butterfly / seen.classes["word_product"] < 1


@pytest.mark.parametrize("config", BARRELS)
def test_waiting_for_the_digest_is_not_waiting_for_the_list(config: str) -> None:
    """A long message makes its own job wait for the digest; a short one finds its list complete."""
    short, long = signatures(1, 4, 10), signatures(1, 4, 60_000)
    digests = [flow.run(config, RULE, items).classes["wait_digest"] for items in (short, long)]
    assert digests[0] == 0
    assert digests[1] > 1000


@pytest.mark.parametrize("config", BARRELS)
def test_a_full_core_has_no_idle_cycles(config: str) -> None:
    seen = flow.run(config, RULE, signatures(60, 5), first=24, last=36)
    products = seen.classes["word_product"] + seen.classes["scalar_product"]
    assert products / seen.cycles > 0.95
    assert seen.classes["no_job"] == 0
