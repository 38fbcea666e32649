# SPDX-License-Identifier: Apache-2.0
"""pm_entropy_check: both tests sample by sample against SP 800-90B, start-up, pauses, cutoffs, rejected parameters."""

from __future__ import annotations

import math
import os
import random
import re
from collections.abc import Iterator
from fractions import Fraction

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from pointmill import simbuild

RTL = "hw/lib/prim/pm_entropy_check.sv"
SMALL = {"SampleBits": 2, "RepetitionCutoff": 4, "Window": 16, "ProportionCutoff": 9, "Startup": 5}
ODD = {"SampleBits": 1, "RepetitionCutoff": 6, "Window": 11, "ProportionCutoff": 10, "Startup": 1}


def judged(samples: list[int], repetition: int, window: int, proportion: int) -> Iterator[bool]:
    """Whether a test fails with each sample: 4.4.1 and 4.4.2, by the samples so far."""
    for place in range(len(samples)):
        run = samples[place + 1 - repetition : place + 1] if place + 1 >= repetition else []
        part = samples[place - place % window : place + 1]
        repeats = len(run) == repetition and len(set(run)) == 1
        yield repeats or (part.count(part[0]) >= proportion and part[-1] == part[0])


def source(rng: random.Random, kind: str, bits: int, most: int) -> list[int]:
    """Samples of a sound source; of one that sticks; of one that has a value more often."""
    samples = [rng.getrandbits(bits) for _ in range(most)]
    if kind == "stuck":
        at = rng.randrange(most)
        samples[at:] = [samples[at]] * (most - at)
    elif kind == "biased":
        share, value = rng.choice([0.6, 0.8]), rng.getrandbits(bits)
        samples = [value if rng.random() < share else one for one in samples]
    return samples


@cocotb.test()
async def alarms(dut) -> None:
    """An alarm exactly where a test fails; samples pass until then, unchanged, but for the first ones."""
    bits, repetition, window, proportion, startup = (int(getattr(dut, name).value) for name in SMALL)
    rng = random.Random(repetition)
    await handshake.begin(dut, edge=FallingEdge)
    found = {"sound": 0, "stuck": 0, "biased": 0}
    longest = 0
    for turn in range(int(os.environ["PM_RUNS"])):
        kind = ("sound", "stuck", "biased")[turn % 3]
        samples = source(rng, kind, bits, 4 * window + startup)
        fails = list(judged(samples, repetition, window, proportion))
        end = fails.index(True) + 1 if any(fails) else len(samples)
        found[kind] += any(fails)
        longest = max(longest, end)
        await handshake.reset(dut, FallingEdge)
        taken = 0
        while taken < end:
            offers, wants = rng.random() < 0.9, rng.random() < 0.8
            dut.valid_i.value, dut.ready_i.value = offers, wants
            dut.sample_i.value = samples[taken] if offers else rng.getrandbits(bits)
            await ReadOnly()
            assert not dut.alarm_o.value
            assert dut.ready_o.value == (wants or taken < startup)
            assert dut.valid_o.value == (offers and taken >= startup)
            if offers:
                assert dut.sample_o.value == samples[taken]
            taken += offers and bool(dut.ready_o.value)
            await FallingEdge(dut.clk_i)
        for _ in range(5):
            dut.valid_i.value = dut.ready_i.value = 1
            dut.sample_i.value = rng.getrandbits(bits)
            await ReadOnly()
            if end == len(samples) and not fails[-1]:
                assert not dut.alarm_o.value
                await FallingEdge(dut.clk_i)
                break
            assert dut.alarm_o.value and not dut.ready_o.value and not dut.valid_o.value
            await FallingEdge(dut.clk_i)
    assert found["stuck"] > found["sound"] and found["biased"] > found["sound"] and longest > 2 * window


@pytest.mark.parametrize(("parameters", "runs"), [
    *(pytest.param(*case, marks=pytest.mark.long, id=name)
      for name, *case in (("small", SMALL, 600), ("odd", ODD, 600), ("default", {}, 18))),
    *(pytest.param(*case, id=f"{name}-sample")
      for name, *case in (("small", SMALL, 150), ("odd", ODD, 150), ("default", {}, 6)))])
def test_pm_entropy_check(parameters: dict[str, int], runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PM_RUNS", str(runs))
    simbuild.run_cocotb("pm_entropy_check", [RTL], __name__, parameters, expect=1)


def test_cutoffs() -> None:
    """The defaults are those of 4.4.1 and 4.4.2 for 6 bits of entropy a sample, and a false alarm in 2^40."""
    text = (simbuild.ROOT / RTL).read_text()
    entropy, alpha, window = 6, Fraction(1, 2**40), 512
    share = Fraction(1, 2**entropy)
    above, most = Fraction(0), window
    while above <= alpha:  # the least number that so few windows exceed: critbinom(W, 2^-H, 1 - alpha)
        above += math.comb(window, most) * share**most * (1 - share) ** (window - most)
        most -= 1
    for name, value in (("RepetitionCutoff", 1 + math.ceil(40 / entropy)), ("Window", window),
                        ("ProportionCutoff", 1 + most + 1), ("Startup", 1024)):
        assert re.search(rf"parameter int unsigned {name} = {value}\b", text)


def test_parameters() -> None:
    for parameters, reason in (({"RepetitionCutoff": 1}, "RepetitionCutoff must be at least 2"),
                               ({"ProportionCutoff": 513}, "ProportionCutoff must be 2 to Window"),
                               ({"Startup": 0}, "Startup must be at least 1")):
        with pytest.raises(simbuild.BuildError, match=reason):
            simbuild.lint("pm_entropy_check", [RTL], parameters)
