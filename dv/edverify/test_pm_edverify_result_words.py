# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_result_words: words are read as they were written until their result is sent, then wiped, however many
results are sent while others are written."""

from __future__ import annotations

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from pointmill import simbuild

CYCLES = 20_000
WORDS = 3  # of a context: A, R, S
SOURCES = ["hw/lib/seq/pm_regbank.sv", "hw/edverify/rtl/pm_edverify_result_words.sv"]


@cocotb.test()
async def random_contexts(dut) -> None:
    rng = random.Random(1)
    bits = len(dut.send_ctx_i)
    contexts = int(dut.NumContexts.value)
    words: dict[tuple[int, int], int] = {}  # what was written, by context and word
    left: dict[int, int] = {}  # idle cycles until a context is wiped
    wiped = waited = 0
    await begin(dut, edge=FallingEdge)
    seen: int | None = None  # the word that was asked for, where it is known
    for _ in range(CYCLES):
        busy = rng.random() < 0.7
        ready = [c for c in range(contexts) if c not in left]
        point, s = bool(ready) and busy, bool(ready) and busy and rng.random() < 0.3
        point_ctx, s_ctx = (rng.choice(ready or [0]) for _ in "ps")
        slot, values = rng.randrange(2), [rng.getrandbits(256) | 1 for _ in "ps"]
        dut.point_we_i.value, dut.point_ctx_i.value, dut.point_slot_i.value = point, point_ctx, slot
        dut.s_we_i.value, dut.s_ctx_i.value = s, s_ctx
        dut.point_i.value, dut.s_i.value = values
        full = [c for c in ready if any((c, word) in words for word in range(WORDS)) and c not in (point_ctx, s_ctx)]
        sent = bool(full) and rng.random() < 0.2
        ctx, index = rng.choice(full) if sent else rng.randrange(contexts), rng.randrange(WORDS)
        dut.send_ctx_i.value, dut.send_index_i.value, dut.sent_i.value = ctx, index, sent
        dut.sign_ctx_i.value = sign_ctx = rng.randrange(contexts)
        await ReadOnly()
        assert seen is None or int(dut.send_word_o.value) == seen
        for word, port in enumerate((dut.sign_a_o, dut.sign_r_o)):
            if (sign_ctx, word) in words:
                assert int(port.value) == words[sign_ctx, word]
        seen = words.get((ctx, index))
        if not point and not s:
            waited += len(left) > 1
            left = {c: count - 1 for c, count in left.items()}
        for c in [c for c, count in left.items() if not count]:
            del left[c]
            words |= {(c, word): 0 for word in range(WORDS)}
            wiped += 1
        if sent:
            left[ctx] = (1 << bits) + 1
            for word in range(WORDS):
                words.pop((ctx, word), None)
        if point:
            words[point_ctx, slot] = values[0]
        if s:
            words[s_ctx, 2] = values[1]
        await FallingEdge(dut.clk_i)
    assert wiped > 200 and waited > 200


@pytest.mark.parametrize("contexts", [7, 12])
def test_result_words(contexts: int) -> None:
    simbuild.run_cocotb("pm_edverify_result_words", SOURCES, __name__, {"NumContexts": contexts}, expect=1,
                        build_dir=f"build/cocotb/test_pm_edverify_result_words/{contexts}")  # fmt: skip
