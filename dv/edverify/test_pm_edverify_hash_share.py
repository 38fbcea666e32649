# SPDX-License-Identifier: Apache-2.0
"""pm_edverify_hash_share: digests of the receiver and multipliers of batches from one hash, whoever else is built
in, and with a seed that goes."""

from __future__ import annotations

import hashlib
import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly

from dv.common.handshake import begin
from dv.edverify.engine_parts import RTL
from dv.edverify.hash_offer import Offer
from pointmill import simbuild

SOURCES = ["hw/lib/prim/prim.f", "hw/lib/scalar/pm_scalar_pkg.sv", "hw/edverify/gen/pm_edverify_pkg.sv",
           *(RTL / f"pm_edverify_{name}.sv"
             for name in ("core_pkg", "hash_arbiter", "sign_server", "batch_multiplier", "hash_share"))]
MESSAGES = 60
LATENCY = 20  # of the hash


class Hash:
    """A SHA-512 unit with pauses."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.data = rng, b""
        self.digest: bytes | None = None
        self.due = 0

    def drive(self, dut, now: int) -> bool:
        """Its outputs; whether it takes a beat."""
        ready = self.digest is None and self.rng.random() < 0.8
        valid = self.digest is not None and now >= self.due
        digest = int.from_bytes(self.digest, "little") if valid else self.rng.getrandbits(512)
        dut.hash_i.value = ready << 513 | valid << 512 | digest
        return ready

    def observe(self, dut, now: int, ready: bool) -> None:
        offer = Offer.of(int(dut.hash_o.value))
        if self.digest is not None and now >= self.due and offer.ready:
            self.digest = None
        if offer.valid and ready:
            data, keep, last = offer.beat
            self.data += data.to_bytes(8, "little")[:keep.bit_count() if last else 8]
            if last:
                self.digest, self.data, self.due = hashlib.sha512(self.data).digest(), b"", now + LATENCY
        if offer.clear:
            self.digest, self.data = None, b""


@cocotb.test()
async def messages(dut) -> None:
    """One message after the other, some of them forgotten; multipliers meanwhile."""
    rng = random.Random(1)
    batches, secret = (int(getattr(dut, name).value) for name in ("Batches", "SecretOps"))
    shared = batches or secret
    await begin(dut, edge=FallingEdge)
    unit = Hash(rng)
    seed = rng.randbytes(32)
    dut.seed_i.value = int.from_bytes(seed, "little")
    message, beats, placed_at = b"", [], 0
    now = digests = made = forgotten = 0
    seeded_at = 300
    while digests < MESSAGES:
        if not message:
            message = rng.randbytes(rng.randrange(1, 200))
            beats = [message[i:i + 8] for i in range(0, len(message), 8)]
            placed_at = now + rng.randrange(40)
            first = True
        placed = now >= placed_at
        dut.job_placed_i.value, dut.seeded_i.value = placed, now >= seeded_at
        offer = bool(beats) and rng.random() < 0.8
        beat = beats[0] if offer else b""
        forget = not offer and not first and rng.random() < 0.01
        take = rng.random() < 0.3
        dut.rx_i.value = Offer(forget, offer, (int.from_bytes(beat, "little"), (1 << len(beat)) - 1, len(beats) == 1),
                               take).bits  # fmt: skip
        dut.z_take_i.value = False
        ready = unit.drive(dut, now)
        await ReadOnly()
        if int(dut.z_valid_o.value):
            right = hashlib.sha512(seed + made.to_bytes(8, "little")).digest()[:16]
            assert batches and now > seeded_at and int(dut.z_o.value) == int.from_bytes(right, "little")
        if offer and int(dut.rx_ready_o.value):
            assert placed or not first or not shared
            beats.pop(0)
            first = False
        if int(dut.rx_digest_valid_o.value):
            assert not beats and not first
            if not forget:
                digest = int.from_bytes(hashlib.sha512(message).digest(), "little")
                assert int(dut.hash_i.value) & (1 << 512) - 1 == digest
                if take:
                    digests += 1
                    message = b""
        unit.observe(dut, now, ready)
        if forget:
            forgotten += 1
            message = b""
        await FallingEdge(dut.clk_i)
        if int(dut.z_valid_o.value) and rng.random() < 0.1:
            dut.z_take_i.value = 1
            dut.rx_i.value = 0
            made += 1
            ready = unit.drive(dut, now + 1)
            await ReadOnly()
            unit.observe(dut, now + 1, ready)
            await FallingEdge(dut.clk_i)
            now += 1
        now += 1
        assert now < 60_000
    assert forgotten > 3 and (made > 30) == bool(batches)


@cocotb.test()
async def seed_withdrawn(dut) -> None:
    """Multipliers end in any cycle: the receiver gets the hash nevertheless, and later ones skip no counter."""
    if not int(dut.Batches.value):
        return
    rng = random.Random(2)
    await begin(dut, edge=FallingEdge)
    unit = Hash(rng)
    seed = rng.randbytes(32)
    dut.seed_i.value = int.from_bytes(seed, "little")
    dut.job_placed_i.value = 1
    now = 0

    async def cycle(seeded: bool, offer: Offer | None = None, take: bool = False) -> tuple[bool, bool, int | None]:
        """Whether a beat of the receiver was taken, whether its digest is there, and the multiplier."""
        nonlocal now
        dut.seeded_i.value, dut.z_take_i.value, dut.rx_i.value = seeded, take, offer.bits if offer else 0
        ready = unit.drive(dut, now)
        await ReadOnly()
        unit.observe(dut, now, ready)
        seen = (bool(dut.rx_ready_o.value), bool(dut.rx_digest_valid_o.value),
                int(dut.z_o.value) if int(dut.z_valid_o.value) else None)
        await FallingEdge(dut.clk_i)
        now += 1
        return seen

    for made in range(40):
        z = None
        for _ in range(200):
            if z is None:
                *_, z = await cycle(seeded=True)
        assert z == int.from_bytes(hashlib.sha512(seed + made.to_bytes(8, "little")).digest()[:16], "little")
        await cycle(seeded=True, take=True)
        for _ in range(made // 2):
            await cycle(seeded=True)
        taken = found = False
        for _ in range(200):
            beat = Offer(0, not taken, (made, 0xFF, 1), taken)
            if not found:
                now_taken, found, _ = await cycle(seeded=False, offer=beat)
                taken |= now_taken
        assert found


@pytest.mark.parametrize(("batches", "secret"), [(0, 0), (1, 0), (0, 1)])
def test_hash_share(batches: int, secret: int) -> None:
    simbuild.run_cocotb("pm_edverify_hash_share", SOURCES, __name__,
                        {"NumContexts": 4, "Batches": batches, "SecretOps": secret, "MessageBytes": 256}, expect=2)
