# SPDX-License-Identifier: Apache-2.0
"""pm_sha512 against hashlib and the examples of FIPS 180-2/4, values and cycle counts."""

from __future__ import annotations

import hashlib
import random
import struct
from pathlib import Path

import pytest

from pointmill import simbuild

RTL = "rtl/hash/hash.f"
BENCH = "tb/hash/pm_sha512_bench.cpp"

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


def blocks(length: int) -> int:
    """1024-bit blocks of a padded message of `length` bytes (FIPS 180-4, section 5.1.2)."""
    return (length + 1 + 16 + 127) // 128


@pytest.fixture(scope="module")
def sim() -> Path:
    return simbuild.build_cpp("pm_sha512", RTL, BENCH, out_dir="build/sim/pm_sha512")


def run(sim: Path, folder: Path, records: list[tuple[bytes, bytes]], mode: str,
        seed: int = 1) -> dict[str, int]:
    """Runs the bench over (message, digest) pairs; its counters. `BuildError` when it complains."""
    file = folder / "records.bin"
    file.write_bytes(b"".join(struct.pack("<I", len(m)) + m + d for m, d in records))
    words = simbuild.run_tool([sim, file, mode, str(seed)]).split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def hashed(rng: random.Random, lengths: list[int]) -> list[tuple[bytes, bytes]]:
    messages = [rng.randbytes(length) for length in lengths]
    return [(m, hashlib.sha512(m).digest()) for m in messages]


@pytest.mark.parametrize("mode", ["gapless", "random"])
def test_fips_examples(sim: Path, tmp_path: Path, mode: str) -> None:
    records = [(m, bytes.fromhex(d)) for m, d in FIPS.items()]
    counts = run(sim, tmp_path, records, mode)
    assert counts["messages"] == 4
    assert counts["blocks"] == 1 + 1 + 2 + 7813


def test_every_short_length(sim: Path, tmp_path: Path) -> None:
    """Lengths 0 to 300 without gaps; the bench asserts the cycle of every beat and digest."""
    records = hashed(random.Random(2), list(range(301)))
    counts = run(sim, tmp_path, records, "gapless")
    assert counts["messages"] == 301
    assert counts["blocks"] == sum(blocks(n) for n in range(301))
    # 80 cycles a block; 4 more a message that is taken at once; 2 of reset
    assert counts["cycles"] == 80 * counts["blocks"] + 4 * 301 + 2


def test_every_short_length_disturbed(sim: Path, tmp_path: Path) -> None:
    """Lengths 0 to 300 with idle cycles, back-pressure and abandoned messages."""
    counts = run(sim, tmp_path, hashed(random.Random(3), list(range(301)) * 4), "random", seed=7)
    assert counts["messages"] == 1204
    assert counts["cleared"] == 150


def test_long_messages(sim: Path, tmp_path: Path) -> None:
    """60 random lengths up to 100,000 bytes without gaps, 20 disturbed."""
    rng = random.Random(4)
    records = hashed(rng, [100_000, *(rng.randrange(301, 100_000) for _ in range(59))])
    counts = run(sim, tmp_path, records, "gapless")
    assert counts["messages"] == 60
    assert counts["cycles"] == 80 * counts["blocks"] + 4 * 60 + 2
    assert run(sim, tmp_path, records[:20], "random")["messages"] == 20


def test_the_bench_can_fail(sim: Path, tmp_path: Path) -> None:
    """One wrong bit in an expected digest is reported."""
    message, digest = b"abc", bytearray(hashlib.sha512(b"abc").digest())
    digest[63] ^= 0x80
    with pytest.raises(simbuild.BuildError, match="wrong digest byte 63"):
        run(sim, tmp_path, [(message, bytes(digest))], "gapless")
