# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_hash_arbiter: two clients on one hash; each gets the digests of its own messages, in turn."""

from __future__ import annotations

import os
import random
from collections import Counter

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common import handshake
from dv.edverify.hash_offer import Offer
from pointmill import simbuild

SOURCES = ["hw/edverify/gen/pm_edverify_pkg.sv", "hw/edverify/rtl/pm_edverify_core_pkg.sv",
           "hw/edverify/rtl/pm_edverify_hash_arbiter.sv"]
CYCLES = int(os.environ.get("PM_CYCLES", "12000"))


class Client:
    """Offers messages of random beats, sometimes clears, takes digests late."""

    def __init__(self, index: int, rng: random.Random, pause: int) -> None:
        self.index, self.rng, self.pause = index, rng, pause
        self.beats: list[tuple[int, int, int]] = []
        self.sent: list[tuple[int, int, int]] = []
        self.wait = 0
        self.waiting = False  # the message is out, its digest is not there
        self.offering = False

    def new(self) -> None:
        count = self.rng.choice([1, 1, 2, 5, 9])
        self.beats = [(self.rng.getrandbits(64), self.rng.getrandbits(8), int(i == count - 1))
                      for i in range(count)]
        self.sent, self.waiting, self.offering = [], False, False
        self.wait = self.rng.randrange(self.pause + 1)


@cocotb.test()
@cocotb.parametrize(pauses=[(0, 0), (0, 30), (20, 3)])
async def traffic(dut, pauses: tuple[int, int]) -> None:
    """Every cycle all outputs are compared with what the owner, known from the transfers, implies."""
    rng = random.Random(sum(pauses))
    await handshake.begin(dut, count=2, after=0)
    clients = [Client(i, rng, pauses[i]) for i in (0, 1)]
    for client in clients:
        client.new()
    owner: int | None = None
    last = 1  # who had the hash last
    hashed: list[tuple[int, int, int]] = []
    digest_in = -1  # cycles until the digest of the message is there
    seen: Counter[str] = Counter()
    turns: list[int] = []
    for cycle in range(CYCLES):
        await FallingEdge(dut.clk_i)
        clear = [int(rng.random() < 0.01) for _ in clients]
        allow = [int(client.index == 1 or cycle % 300 > 60) for client in clients]
        for client in clients:
            client.wait -= client.wait > 0
            client.offering = bool(client.beats) and client.wait == 0 \
                and (client.offering or rng.random() < 0.8)
        beats = [client.beats[0] if client.offering else
                 (rng.getrandbits(64), rng.getrandbits(8), rng.getrandbits(1)) for client in clients]
        valid = [int(client.offering) for client in clients]
        ready = [int(rng.random() < 0.3) for _ in clients]
        hash_ready, digest_valid = int(rng.random() < 0.7 and digest_in < 0), int(digest_in == 0)
        digest_in -= digest_in > 0
        offers = [Offer(clear[i], valid[i], beats[i], ready[i]) for i in (0, 1)]
        dut.allow_i.value = allow[0] | allow[1] << 1
        dut.client_i.value = offers[0].bits | offers[1].bits << Offer.WIDTH
        dut.hash_ready_i.value, dut.hash_digest_valid_i.value = hash_ready, digest_valid
        await ReadOnly()
        taken = [valid[i] and int(dut.ready_o.value) >> i & 1 for i in (0, 1)]
        got = [int(dut.digest_valid_o.value) >> i & 1 for i in (0, 1)]
        wants = [i for i in (0, 1) if owner is None and valid[i] and allow[i] and not clear[i]]
        out = Offer.of(int(dut.hash_o.value))
        if owner is None:
            assert taken == got == [0, 0] and not out.valid and not out.clear and not out.ready
            seen["contended"] += len(wants) == 2
        else:
            assert out == offers[owner]
            assert taken == [int(i == owner and valid[i] and hash_ready) for i in (0, 1)]
            assert got == [int(i == owner and digest_valid) for i in (0, 1)]
        # What that does.
        if wants:
            owner = last = wants[0] if len(wants) == 1 else 1 - last
            turns.append(owner)
        elif owner is not None and taken[owner] and not clear[owner]:
            client = clients[owner]
            hashed.append(client.beats[0])
            client.sent.append(client.beats.pop(0))
            client.offering = False
            if not client.beats:
                digest_in = rng.randrange(1, 12)
                client.waiting = True
        elif owner is not None and digest_valid and ready[owner] and not clear[owner]:
            assert clients[owner].waiting and hashed == clients[owner].sent
            seen[f"digest {owner}"] += 1
            clients[owner].new()
            owner, hashed, digest_in = None, [], -1
        for client in clients:
            if clear[client.index]:
                seen["cleared"] += client.index == owner
                seen["cleared idle"] += client.index != owner
                if client.index == owner:
                    owner, hashed, digest_in = None, [], -1
                client.new()
    dut._log.info("%s, %d turns", seen, len(turns))
    assert min(seen["digest 0"], seen["digest 1"]) > CYCLES // 120
    assert min(seen["cleared"], seen["cleared idle"]) > CYCLES // 600
    assert seen["contended"] > CYCLES // (120 if pauses == (0, 0) else 2400)


@pytest.mark.parametrize("cycles", [4_800, pytest.param(12_000, marks=pytest.mark.long)])
def test_pm_edverify_hash_arbiter(cycles: int) -> None:
    simbuild.run_cocotb("pm_edverify_hash_arbiter", SOURCES, __name__, expect=3,
                        extra_env={"PM_CYCLES": str(cycles)})
