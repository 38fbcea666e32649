# SPDX-License-Identifier: Apache-2.0
"""Single flips that a forger has prepared a signature for: `paper` accepts it, `hardened` does not, in either lane."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from pointmill.measure.benches.edverify import Signature, beats, signatures
from pointmill.measure.faults import model
from pointmill.measure.faults.campaign import BIT, Campaign, Flip, Stream
from pointmill.measure.faults.registers import Register
from pointmill.measure.faults.targets import NEXT, TARGETS, invalid, prepared, prepared_streams
from pointmill.rules import Reason

PAPER, HARDENED = TARGETS["edverify_paper"], TARGETS["edverify_hardened"]
FAULT = int(Reason.fault_detected)
CONSTANT_ONE = 6
"""Its word in the bank of products."""


@pytest.fixture(autouse=True, scope="module")
def optimisation() -> Iterator[None]:
    """That of the other simulated cores of this run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "OPT", os.environ.get("PM_SIM_OPT", model.OPT))
        yield


@cache
def campaign(config: str, stream: str) -> Campaign:
    """A stream on a core."""
    target = TARGETS[f"edverify_{config}"]
    return Campaign(target.core, target.params, (target.streams() | prepared_streams())[stream])


def registers(found: Campaign, end: str) -> list[Register]:
    """Those whose path ends so: one, with two lanes two."""
    return [one for one in found.places if one.path.endswith(end)]


def outcomes(found: Campaign, flips: list[Flip]) -> Counter[str]:
    """How the runs end."""
    return Counter(outcome for _, outcome in found.run(sorted(flips, key=lambda flip: flip.cycle)))


# Stream; where its bit is, by the end of a path and the bit; cycles, counted from the first one.
STORED = [
    ("message", "u_in_fifo.mem_q", 13 * 73, range(12, 17)),
    ("message", "u_pad.word_o", 56, range(12, 20)),
    ("scalar", "u_rx.fixed_q", 0, range(10, 24)),
    ("digest", ".chain_q", 56, range(400, 401)),
    ("challenge", "u_modl.r_q", 200, range(740, 781, 20)),
]


@pytest.mark.parametrize(("stream", "end", "bit", "cycles"), STORED,
                         ids=["fifo", "hashed_word", "scalar", "digest", "challenge"])  # fmt: skip
def test_prepared_operands(stream: str, end: str, bit: int, cycles: range) -> None:
    """On the way from the stream to the digit scan."""
    seen = {}
    for config, lanes in (("paper", 1), ("hardened", 2)):
        found = campaign(config, stream)
        places = registers(found, end)
        assert len(places) == lanes
        seen[config] = outcomes(found, [Flip(found.start + cycle, ((one, bit),), BIT) for cycle in cycles
                                        for one in places])  # fmt: skip
    assert seen["paper"]["accepted"] > 0 and seen["hardened"]["accepted"] == 0
    assert seen["hardened"].total() - seen["hardened"]["unchanged"] >= 2 * seen["paper"]["accepted"]


@pytest.mark.parametrize(("stream", "bit"), [("small_order", 0), ("sign", 2)])
def test_products_that_decide_alone(stream: str, bit: int) -> None:
    """A product whose zero or parity rejects: `hardened` makes two of them."""
    seen = {}
    for config in ("paper", "hardened"):
        found = campaign(config, stream)
        product, = registers(found, "u_fold.r_q")
        end = found.free.ends[0]
        seen[config] = outcomes(found, [Flip(cycle, ((product, bit),), BIT) for cycle in range(end - 70, end)])
    assert seen["paper"]["accepted"] > 0 and seen["hardened"]["accepted"] == 0


def test_a_verdict_is_not_moved_to_another_job() -> None:
    """A valid signature has the tag 3, an invalid one behind it the tag 1: the result stream says that job 1 is
    valid when bit 1 of the tag flips in it."""
    honest, = signatures(1, 7, length=40)
    rule, bad = invalid(11)["equation_fails"]
    stream = Stream((beats(3, rule, honest), beats(1, rule, bad)), (beats(NEXT, "zip215", honest),), frozenset({1}))
    for target, accepted in ((PAPER, 1), (HARDENED, 0)):
        found = Campaign(target.core, target.params, stream)
        end = found.free.ends[0]
        places = registers(found, "u_tx.m_axis_tdata")
        assert len(places) == 2 - accepted
        flips = [Flip(cycle, ((one, 33),), BIT) for cycle in range(end - 3, end) for one in places]
        assert outcomes(found, flips)["accepted"] == accepted


def test_no_stored_factor_switches_a_comparison_off() -> None:
    """As test_faults has it for `paper`: bit 0 of every register of the banks, late in an equation that fails."""
    found = campaign("hardened", "equation_fails")
    banks = [one for one in found.places if one.module == "pm_regbank"]
    assert len(banks) == 12
    for back in (200, 60, 20):
        cycle = found.free.ends[0] - back
        flips = [Flip(cycle, ((one, word * one.width),), BIT) for one in banks for word in range(32)]
        seen = outcomes(found, flips)
        assert seen.total() == 384 and seen["accepted"] == 0 and seen.keys() <= {"unchanged", "other_reason"}


def reasons(found: Campaign, flips: list[Flip]) -> Counter[int]:
    """Of the first job, in the runs that are not as without a fault."""
    return Counter(packet[0] & 0xFF for _, run in found.runs(sorted(flips, key=lambda flip: flip.cycle))
                   if run.end == "done" for packet in run.packets if packet[0] >> 32 == 1)  # fmt: skip


def test_a_point_that_leaves_the_curve_is_a_fault() -> None:
    """A flip in the bank that has the table of the key's multiples, in the middle of the digit scan."""
    found = campaign("hardened", "equation_fails")
    bank = [one for one in found.places if ".u_sum_bank." in one.path]
    flips = [Flip(3000, ((one, word * one.width + 7 * word),), BIT) for one in bank for word in range(32)]
    seen = reasons(found, flips)
    assert len(flips) == 128 and seen[FAULT] >= 8 and seen.keys() <= {FAULT, Reason.equation_fails}


def test_a_point_of_zeros_is_a_fault() -> None:
    """The constant 1 becomes 0 before Q is made of it: all coordinates are 0, and both sides of every equation."""
    found = campaign("hardened", "equation_fails")
    copies = [one for one in found.places if ".u_mul_bank." in one.path]
    flips = [Flip(cycle, ((one, CONSTANT_ONE * one.width),), BIT) for one in copies for cycle in (1870, 1880)]
    assert outcomes(found, flips) == {"other_reason": 8}
    assert reasons(found, flips) == {FAULT: 8}


def test_a_reset_of_one_lane_does_not_begin_a_packet() -> None:
    """The message of an invalid signature is a packet with a valid one. A core that is reset where the message begins
    takes it for the next job, which has the same tag."""
    valid, = signatures(1, 7, length=40)
    rule, bad = invalid(11)["equation_fails"]
    inner = beats(1, rule, valid)
    message = b"".join(inner[at : at + 8] for at in range(0, len(inner), 10))
    outer = beats(1, rule, Signature(bad.pk, message, bad.sig))
    last = beats(2, *invalid(11)["s_out_of_range"])
    found = Campaign(HARDENED.core, HARDENED.params, Stream((outer, last), (beats(NEXT, rule, valid),), frozenset({1})))
    assert found.free.packets[0][0] & 0xFF == Reason.equation_fails
    places = [one for end in ("first_rst_no", "second_rst_q") for one in registers(found, end)]
    assert len(places) == 2
    flips = [Flip(found.start + cycle, ((one, 0),), BIT) for cycle in range(8, 20) for one in places]
    seen = outcomes(found, flips)
    assert seen["accepted"] == 0 and seen["unchanged"] == 0


def test_lanes_begin_anew() -> None:
    """Behind a flip in the program counter of either lane the job under way has the reason fault_detected, and a core
    that was not stopped answers the next stream rightly."""
    found = campaign("hardened", "equation_fails")
    places = registers(found, "u_sequencer.contexts_q")
    assert len(places) == 2
    seen = outcomes(found, [Flip(cycle, ((one, bit),), BIT) for cycle in range(500, 6500, 500) for one in places
                            for bit in range(one.width)])  # fmt: skip
    assert seen["accepted"] == seen["hangs"] == seen["hangs_kept"] == 0 and seen["disturbed"] > 100


def test_prepared_signatures_are_invalid() -> None:
    assert list(prepared(3)) == ["message", "scalar", "digest", "challenge", "small_order", "sign"]
    assert not HARDENED.pairs and PAPER.pairs
