# SPDX-License-Identifier: Apache-2.0
"""pm_sha512 against hashlib and the examples of FIPS 180-2, values and cycle counts.

Mass and cycle counts in C++ (pm_sha512_bench.cpp), handshakes, clear and reset in cocotb.
"""

from __future__ import annotations

import hashlib
import os
import random
import struct
from pathlib import Path
from typing import NamedTuple

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from dv.common import handshake
from pointmill import simbuild

RTL = "hw/lib/hash/hash.f"
BENCH = "dv/lib/hash/pm_sha512_bench.cpp"

# SHA-512 examples of the standard (FIPS 180-2, appendix C) and of the empty message.
FIPS = {
    b"": "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
         "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
    b"abc": "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    b"hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu":
        "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
    b"a" * 1_000_000: "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                      "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b",
}


EVERY = int(os.environ.get("PM_EVERY", "1"))
"""Of so many cycles clear_i comes in one."""
COCOTB_MESSAGES = 120 if EVERY == 1 else 40

# Parameters, cycles of a block, cycles of a message beyond its blocks.
KINDS = {"short": ({}, 80, 4), "deep": ({"Deep": 1}, 84, 3), "slow": ({"Slow": 1}, 176, 4)}


def blocks(length: int) -> int:
    """1024-bit blocks of a padded message of `length` bytes (FIPS 180-4, section 5.1.2)."""
    return (length + 1 + 16 + 127) // 128


class Sim(NamedTuple):
    """Bench of one kind of rounds, cycles of a block, cycles of a message beyond its blocks."""

    program: Path
    period: int
    more: int


@pytest.fixture(scope="module", params=KINDS.values(), ids=KINDS)
def sim(request: pytest.FixtureRequest) -> Sim:
    params, period, more = request.param
    return Sim(simbuild.build_cpp("pm_sha512", RTL, BENCH, params,
                                  cflags=("-Idv/common",), out_dir=f"build/sim/pm_sha512_{period}"), period, more)


def run(sim: Sim, folder: Path, records: list[tuple[bytes, bytes]], mode: str,
        seed: int = 1) -> dict[str, int]:
    """Runs the bench over (message, digest) pairs; its counters. `BuildError` when it complains."""
    file = folder / "records.bin"
    file.write_bytes(b"".join(struct.pack("<I", len(m)) + m + d for m, d in records))
    words = simbuild.run_tool([sim.program, file, mode, str(seed), str(sim.period)]).split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def hashed(rng: random.Random, lengths: list[int]) -> list[tuple[bytes, bytes]]:
    messages = [rng.randbytes(length) for length in lengths]
    return [(m, hashlib.sha512(m).digest()) for m in messages]


@pytest.mark.parametrize("mode", ["gapless", "random"])
def test_fips_examples(sim: Sim, tmp_path: Path, mode: str) -> None:
    records = [(m, bytes.fromhex(d)) for m, d in FIPS.items()]
    counts = run(sim, tmp_path, records, mode)
    assert counts["messages"] == 4
    assert counts["blocks"] == 1 + 1 + 2 + 7813


def test_every_short_length(sim: Sim, tmp_path: Path) -> None:
    """Lengths 0 to 300 without gaps; the bench asserts the cycle of every beat and digest."""
    records = hashed(random.Random(2), list(range(301)))
    counts = run(sim, tmp_path, records, "gapless")
    assert counts["messages"] == 301
    assert counts["blocks"] == sum(blocks(n) for n in range(301))
    # those of the blocks; some more a message that is taken at once; 2 of reset
    assert counts["cycles"] == sim.period * counts["blocks"] + sim.more * 301 + 2


def test_every_short_length_disturbed(sim: Sim, tmp_path: Path) -> None:
    """Lengths 0 to 300 with idle cycles, back-pressure and abandoned messages."""
    counts = run(sim, tmp_path, hashed(random.Random(3), list(range(301)) * 4), "random", seed=7)
    assert counts["messages"] == 1204
    assert counts["cleared"] == 150


def test_long_messages(sim: Sim, tmp_path: Path) -> None:
    """60 random lengths up to 100,000 bytes without gaps, 20 disturbed."""
    rng = random.Random(4)
    records = hashed(rng, [100_000, *(rng.randrange(301, 100_000) for _ in range(59))])
    counts = run(sim, tmp_path, records, "gapless")
    assert counts["messages"] == 60
    assert counts["cycles"] == sim.period * counts["blocks"] + sim.more * 60 + 2
    assert run(sim, tmp_path, records[:20], "random")["messages"] == 20


def test_the_bench_can_fail(sim: Sim, tmp_path: Path) -> None:
    """One wrong bit in an expected digest is reported."""
    message, digest = b"abc", bytearray(hashlib.sha512(b"abc").digest())
    digest[63] ^= 0x80
    with pytest.raises(simbuild.BuildError, match="wrong digest byte 63"):
        run(sim, tmp_path, [(message, bytes(digest))], "gapless")


# ---- handshakes, in cocotb ----


class Bench:
    """Sends messages and takes digests, each with its own gaps."""

    def __init__(self, dut, seed: int, gaps: float) -> None:
        self.dut, self.rng, self.gaps = dut, random.Random(seed), gaps

    async def start(self) -> None:
        dut = self.dut
        await handshake.begin(dut, ("valid_i", "ready_i", "clear_i"), count=2, after=1)

    async def send(self, message: bytes, beats: int | None = None) -> None:
        """Sends a message, or its first beats; sometimes ends it with a beat without bytes."""
        dut = self.dut
        pieces = [message[i:i + 8] for i in range(0, len(message), 8)]
        if not pieces or (len(pieces[-1]) == 8 and self.rng.random() < 0.5):
            pieces.append(b"")
        for index, piece in enumerate(pieces[:beats]):
            while self.rng.random() < self.gaps:
                dut.valid_i.value = 0
                dut.data_i.value = self.rng.getrandbits(64)
                dut.last_i.value = self.rng.getrandbits(1)
                await RisingEdge(dut.clk_i)
            dut.valid_i.value = 1
            dut.data_i.value = int.from_bytes(piece.ljust(8, b"\xa5"), "little")
            dut.keep_i.value = (1 << len(piece)) - 1
            dut.last_i.value = int(index == len(pieces) - 1)
            await RisingEdge(dut.clk_i)
            while not dut.ready_o.value:
                await RisingEdge(dut.clk_i)
        dut.valid_i.value = 0

    async def digest(self) -> bytes:
        """Takes a digest; it must hold while it is not taken."""
        dut = self.dut
        while not dut.valid_o.value:
            await RisingEdge(dut.clk_i)
        value = int(dut.digest_o.value)
        while self.rng.random() < self.gaps:
            await RisingEdge(dut.clk_i)
            assert dut.valid_o.value and int(dut.digest_o.value) == value
        await handshake.pulse(dut, "ready_i")
        await RisingEdge(dut.clk_i)
        assert not dut.valid_o.value
        return value.to_bytes(64, "little")

    async def check(self, message: bytes) -> None:
        task = cocotb.start_soon(self.digest())
        await self.send(message)
        assert await task == hashlib.sha512(message).digest()


async def bench(dut, seed: int, gaps: float = 0.3) -> Bench:
    result = Bench(dut, seed, gaps)
    await result.start()
    return result


@cocotb.test()
async def messages_overlap(dut) -> None:
    """Messages follow one another while digests wait; none is lost, doubled or mixed up."""
    b = await bench(dut, 1)
    messages = [b.rng.randbytes(b.rng.randrange(300)) for _ in range(COCOTB_MESSAGES)]

    async def sender() -> None:
        for message in messages:
            await b.send(message)

    cocotb.start_soon(sender())
    for message in messages:
        assert await b.digest() == hashlib.sha512(message).digest()


@cocotb.test()
async def two_beats_while_a_digest_waits(dut) -> None:
    """Two, three with two cycles a round."""
    b = await bench(dut, 2, gaps=0)
    await b.send(b"abc")
    sender = cocotb.start_soon(b.send(bytes(80)))
    taken = 0
    for _ in range(300):
        await RisingEdge(dut.clk_i)
        taken += int(dut.valid_i.value and dut.ready_o.value)
    assert taken == 2 + int(cocotb.plusargs["slow"]) and dut.valid_o.value
    assert await b.digest() == hashlib.sha512(b"abc").digest()
    await sender
    assert await b.digest() == hashlib.sha512(bytes(80)).digest()


@cocotb.test()
async def clear_in_every_cycle(dut) -> None:
    """clear_i in each of the 180 cycles, with two cycles a round 370, behind the start of a two-block message, or in a
    sample of them."""
    b = await bench(dut, 3, gaps=0)
    message = b.rng.randbytes(150)
    for cycle in range(0, 370 if int(cocotb.plusargs["slow"]) else 180, EVERY):
        task = cocotb.start_soon(b.send(message))
        await handshake.cycles(dut, cycle)
        dut.clear_i.value = 1
        await RisingEdge(dut.clk_i)
        assert not dut.ready_o.value
        task.cancel()
        dut.clear_i.value = 0
        dut.valid_i.value = 0
        await RisingEdge(dut.clk_i)
        assert dut.ready_o.value and not dut.valid_o.value
        await b.check(message[:cycle % 130])


@cocotb.test()
async def reset_in_a_message(dut) -> None:
    b = await bench(dut, 4)
    for _ in range(40):
        message = b.rng.randbytes(200)
        await b.send(message, beats=b.rng.randrange(1, 26))
        await handshake.cycles(dut, b.rng.randrange(200))
        await handshake.reset(dut)
        await RisingEdge(dut.clk_i)
        assert not dut.valid_o.value
        await b.check(message[:b.rng.randrange(200)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.long)])
def test_handshakes(every: int, kind: str) -> None:
    simbuild.run_cocotb("pm_sha512", RTL, __name__, KINDS[kind][0], plusargs=[f"+slow={int(kind == 'slow')}"],
                        expect=4, extra_env={"PM_EVERY": str(every)})
