# SPDX-License-Identifier: Apache-2.0
"""Flips in a verilated core: which registers there are, that a flip is one, and the outcomes of known runs.

On the core edverify, configuration paper, whose rejection of S out of range takes few cycles.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from pointmill.cores import CORES
from pointmill.measure.faults import model
from pointmill.measure.faults.campaign import BIT, END, REGISTER, Campaign, Flip, Run
from pointmill.measure.faults.record import OUTCOMES, outcomes, records
from pointmill.measure.faults.registers import FIELD, Register, placed, table
from pointmill.measure.faults.targets import TARGETS, invalid, share_of

PAPER = TARGETS["edverify_paper"]
CONSTANT_ONE = 6
"""Its word in the bank of products."""
LATCHED = "pm_edverify.u_tx.m_axis_tdata"


@pytest.fixture(autouse=True, scope="module")
def optimisation(request: pytest.FixtureRequest) -> Iterator[None]:
    """That of the other simulated cores of this run, but for many flips."""
    with pytest.MonkeyPatch.context() as patch:
        if not request.config.getoption("--soak"):
            patch.setattr(model, "OPT", os.environ.get("PM_SIM_OPT", model.OPT))
        yield


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return Campaign(PAPER.core, PAPER.params, PAPER.streams()["s_out_of_range"])


def test_registers_of_the_core(campaign: Campaign) -> None:
    """By module; few are not in the model. Memories have words."""
    bits = Counter[str]()
    for one in campaign.places:
        bits[one.module] += one.width * one.words
    assert len(campaign.known) > 400 and len(campaign.missing) < len(campaign.known) // 20
    assert bits["pm_regbank"] == 4 * 32 * (256 + 2 * 258) and bits["pm_sha512_round"] > 1000
    assert {"pm_fifo", "pm_sequencer", "pm_job_control", "pm_edverify_tx", "pm_edverify_regs"} <= bits.keys()
    assert any(one.path == LATCHED for one in campaign.places)


def test_settling_alone_changes_nothing(campaign: Campaign) -> None:
    flips = [Flip(cycle, (), BIT) for cycle in range(campaign.start, campaign.free.cycle)]
    assert len(flips) > 40
    assert Counter(outcome for _, outcome in campaign.run(flips)) == {"unchanged": len(flips)}


@pytest.mark.parametrize("name", ["edverify_paper", "edverify_hardened"])
@pytest.mark.parametrize("count", [100, pytest.param(300, marks=pytest.mark.long)])
def test_nothing_is_lost_by_what_saves_cycles(name: str, count: int) -> None:
    """Every flip by itself up to the end of its run, and with what inject.cpp leaves out: all lines are the same, with
    the cycles of results and ends. A third of the flips are in memories, many of the others in what keeps its value."""
    target = TARGETS[name]
    found = Campaign(target.core, target.params, target.streams()["equation_fails"])
    flips = found.draw(count, 17, target.ways, target.pairs)
    memories = sum(flip.places[0][0].words > 1 for flip in flips)
    assert count // 5 < memories < count * 2 // 3
    runs = list(found.runs(flips))
    assert runs == list(found.runs(flips, plain=True))
    seen = Counter(found.judge(run) for _, run in runs)
    assert seen["unchanged"] > count // 2 and seen["other_reason"] > count // 60 and len(seen) >= 3


def test_a_flipped_verdict_is_accepted(campaign: Campaign) -> None:
    """S out of range is reason 2, bit 1, in the first of two beats, bit 16 says valid: with both flipped in the cycle
    in which that beat is taken, and in no other, the result says ok. Both jobs have this reason. One of the two bits
    is not enough."""
    register, = (one for one in campaign.places if one.path == LATCHED)
    both = ((register, 1), (register, 16))
    flips = [Flip(cycle, both, BIT) for cycle in range(campaign.start, campaign.free.cycle)]
    found = [flip.cycle for flip, outcome in campaign.run(flips) if outcome == "accepted"]
    assert found == [end - 1 for end in campaign.free.ends] and len(found) == 2
    alone = [Flip(found[0], (place,), BIT) for place in both]
    assert [outcome for _, outcome in campaign.run(alone)] == ["other_reason", "other_reason"]


def test_a_comparison_with_a_stored_factor_can_be_switched_off() -> None:
    """Bit 0 of the constant 1 in one of the copies decides whether any difference counts, as docs/faults.md says; in
    the other copies, and in a word beside it, it does not. It is the only place of its kind."""
    campaign = Campaign(PAPER.core, PAPER.params, PAPER.streams()["equation_fails"])
    late = campaign.free.ends[0] - 200
    banks = [one for one in campaign.places if one.module == "pm_regbank"]
    assert len(banks) == 12 and {one.words for one in banks} == {32}
    flips = [Flip(late, ((one, word * one.width),), BIT) for one in banks for word in range(32)]
    found = [flip.places[0] for flip, outcome in campaign.run(flips) if outcome == "accepted"]
    (register, bit), = found
    assert register.path.endswith("u_mul_bank.g_copy[1].memory")
    assert bit // register.width == CONSTANT_ONE


def test_draws(campaign: Campaign) -> None:
    """The ways in turn, a third with two places; the same for the same seed, in the order of the cycles."""
    flips = campaign.draw(600, 5)
    assert flips == campaign.draw(600, 5) != campaign.draw(600, 6)
    assert Counter(flip.draw for flip in flips) == {BIT: 200, REGISTER: 200, END: 200}
    assert Counter(len(flip.places) for flip in flips) == {1: 402, 2: 198}
    assert [flip.cycle for flip in flips] == sorted(flip.cycle for flip in flips)
    assert all(campaign.start <= flip.cycle < campaign.free.cycle for flip in flips)
    assert all(flip.cycle < campaign.free.ends[0] for flip in flips if flip.draw == END)
    assert any(flip.cycle > campaign.free.ends[0] for flip in flips if flip.draw != END)
    assert all(0 <= bit < one.width * one.words for flip in flips for one, bit in flip.places)
    memory = Counter(flip.draw for flip in flips for one, _ in flip.places if one.module == "pm_regbank")
    assert memory[BIT] > 5 * memory[REGISTER]


def test_outcomes(campaign: Campaign) -> None:
    """Of runs as they may end, the worst that holds."""
    free = campaign.free
    own, other = free.packets
    assert own[0] >> 32 == 1 and own[0] & 0xFF == 2
    yes = (own[0] & ~0xFF | 1 << 16, *own[1:])
    reason = (own[0] ^ 1, *own[1:])

    def outcome(*packets: tuple[int, ...], end: str = "done", after: tuple[tuple[int, ...], ...] = ()) -> str:
        return campaign.judge(Run(end, free.cycle, packets, after, ()))

    assert outcome(own, other) == "unchanged"
    assert outcome(yes, other) == outcome(yes, own, other) == "accepted"
    assert outcome(own, (yes[0] + (8 << 32), *yes[1:]), other) == "disturbed"
    assert outcome(own, yes, other) == outcome((yes[0] ^ 1 << 8, *yes[1:]), other) == "other_reason"
    assert outcome((own[0] & ~0xFF, *own[1:]), other) == "other_reason"
    assert outcome(yes, end="late", after=(campaign.recovered,)) == "accepted"
    assert outcome(reason, other) == "other_reason"
    assert outcome(own, end="late", after=(campaign.recovered,)) == "hangs"
    assert outcome(own, end="late") == outcome(own, end="late", after=(own,)) == "hangs_kept"
    assert outcome(own, own) == outcome(own, reason) == outcome(own, other, other) == "disturbed"
    with pytest.raises(RuntimeError, match="the model ended"):
        outcome(end="crash")


def test_records_of_known_flips() -> None:
    """Sums by target, draw and module; a flip counts once for each module, and all outcomes add up."""
    one, two = Register("a.b", "pm_b", 4, 1), Register("a.c", "pm_c", 4, 1)
    runs = [(Flip(1, ((one, 0),), BIT), "accepted"), (Flip(2, ((one, 0), (two, 1)), REGISTER), "hangs"),
            (Flip(3, ((two, 0), (two, 1)), BIT), "unchanged")]  # fmt: skip
    found = {(record.id, record.what): record.value for record in records("t", iter(runs))}
    assert found["trust.faults.t", "flips"] == 3 == sum(found.get(("trust.faults.t", what), 0) for what in OUTCOMES)
    assert found["trust.faults.t.pm_b", "flips"] == 2 and found["trust.faults.t.pm_c", "flips"] == 2
    assert found["trust.faults.t.pm_b", "accepted"] == 1 and found["trust.faults.t.pm_c", "accepted"] == 0
    assert found["trust.faults.t.by_bit", "flips"] == 2 and found["trust.faults.t.by_register", "hangs"] == 1


def test_names_in_the_model() -> None:
    """A register is found under its own name, that of the port, or of what the port drives."""
    known = [Register("top.u.a_q", "u", 3, 1), Register("top.u.g[1].v.b_o", "v", 8, 2),
             Register("top.c_o", "top", 1, 1), Register("top.u.d_o", "u", 2, 1, ("top.d",)),
             Register(f"top.s.{FIELD}.x.y", "top", 1, 1),
             Register("top.u.gone_q", "u", 1, 1)]  # fmt: skip
    header = """
    struct {
        CData/*2:0*/ top__DOT__u__DOT__a_q;
        VlUnpacked<CData/*7:0*/, 2> top__DOT__u__DOT____Vcellout__g__BRA__1__KET____DOT__v__b_o;
        CData/*1:0*/ top__DOT__d;
        Vtop_struct__0 top__DOT__s;
        VL_OUT8(c_o,0,0);
    };
    """
    found = placed(known, header)
    assert {one.path: member for one, member in found.items()} == {
        "top.u.a_q": "top__DOT__u__DOT__a_q",
        "top.u.g[1].v.b_o": "top__DOT__u__DOT____Vcellout__g__BRA__1__KET____DOT__v__b_o",
        "top.c_o": "c_o", "top.u.d_o": "top__DOT__d", f"top.s.{FIELD}.x.y": "top__DOT__s.__PVT__x.__PVT__y"}
    assert table(found).splitlines()[0] == "PM_REGISTER(3, top__DOT__u__DOT__a_q)"


def test_invalid_signatures_of_all_reasons() -> None:
    assert list(invalid(3)) == [
        "equation_fails", "s_out_of_range", "a_not_decodable", "r_not_decodable", "small_order_a"]  # fmt: skip
    assert all(target.share for target in TARGETS.values()) and share_of("edverify_paper", 1000) > 500
    assert {target.core for target in TARGETS.values()} <= CORES.keys()


@pytest.mark.soak
@pytest.mark.parametrize("name", TARGETS)
def test_soak(name: str) -> None:
    """The target's share of PM_SOAK_FLIPS, under a new seed; prints the outcomes. Single flips may be accepted in cores
    without protection; in `hardened` none is. That the outcomes add up, and that most flips change nothing, holds in
    all."""
    flips = share_of(name, int(os.environ.get("PM_SOAK_FLIPS", "10000")))
    seed = random.SystemRandom().getrandbits(32)
    found = Counter(outcome for _, outcome in outcomes(TARGETS[name], flips, seed))
    print(f"\n{name}, seed {seed}: {dict(found)}", flush=True)
    assert 0.9 * flips <= found.total() <= flips and found["unchanged"] > found.total() // 2
    assert name != "edverify_hardened" or found["accepted"] == 0
