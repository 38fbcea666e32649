# SPDX-License-Identifier: Apache-2.0
"""The driver's back-end `litepcie`, LitePCIe as LiteX generates it, the bridge and a core: jobs and registers by
packets of PCIe, which soc/litex/card.cpp exchanges in place of host and kernel module."""

from __future__ import annotations

import ctypes
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from dv.lib.pcie.pcie_units import FILE, WRAPPED
from pointmill import library, simbuild
from pointmill.client import Error
from pointmill.cores import CORES
from pointmill.device import Device, DeviceError, Job, SecretJob, X25519Device
from pointmill.model import ed25519
from pointmill.model.x25519 import x25519
from soc.litex.pcie import BRIDGE_FILES, OFFSET

TOP = "pm_litex"
WORDS, COUNT = 1024, 256
"""Of the kernel module: a buffer has 8 KiB."""
TAKEN = 0x214
SETTINGS = f"port={FILE},wait=2"


def card(core: str, config: str) -> Path:
    """libpointmill with the card in it."""
    folder = simbuild.BUILD / "soc" / f"litex-pcie-{core}-{config}"
    with simbuild.locked(folder):
        simbuild.run_tool([sys.executable, "-m", "soc.litex.pcie_system", core, config, folder])
    described = json.loads((folder / "csr.json").read_text())
    csr = described["csr_registers"]
    base = described["memories"]["csr"]["base"]
    assert described["memories"]["pcie_bridge"] == {"base": base + OFFSET, "size": 0x1000, "type": "io"}
    # What the kernel module takes for granted.
    for name, offset in (("writer_enable", 0x0), ("writer_table_value", 0x4), ("writer_table_we", 0xC),
                         ("writer_table_loop_prog_n", 0x10), ("writer_table_reset", 0x1C), ("reader_enable", 0x20),
                         ("reader_table_value", 0x24), ("reader_table_we", 0x2C), ("reader_table_loop_prog_n", 0x30),
                         ("reader_table_reset", 0x3C)):
        assert csr[f"pcie_dma0_{name}"]["addr"] == base + offset
    parts = library.objects([*library.DRIVER, *library.BACKENDS["PM_WITH_LITEPCIE"]], {"PM_WITH_LITEPCIE": ""})
    sources = [simbuild.ROOT / "soc" / "litex" / "litex.vlt", BRIDGE_FILES, CORES[core].files, folder / f"{TOP}.v"]
    return simbuild.build_shared(
        TOP, sources, simbuild.ROOT / "soc" / "litex" / "card.cpp", cflags=(f"-I{simbuild.ROOT}",),
        ldflags=[*map(str, parts), *(f"-Wl,--wrap={name}" for name in WRAPPED)],
        # LiteX has one process for all outputs without registers, which seems a loop through the bridge.
        verilator_args=("--x-initial", "fast", "--x-assign", "fast", "--timescale", "1ns/1ps", "-Wno-UNOPTFLAT"),
        name="libpointmill-litex.so")


def plugged(core: str, config: str) -> tuple[Path, Any]:
    """A new card: the library, and what counts."""
    path = card(core, config)
    functions = ctypes.CDLL(str(path))
    functions.pm_bench_count.restype = ctypes.c_ulonglong
    functions.pm_bench_begin(WORDS, COUNT)
    return path, functions.pm_bench_count


def test_x25519() -> None:
    """Jobs alone and together, one session after another, soft resets; how far LitePCIe reads ahead."""
    path, count = plugged("x25519", "tile")
    rng = random.Random(1)
    for session in range(2):
        before = count(0, 0)
        with X25519Device("tile", "litepcie", SETTINGS, lib=path) as device:
            for together in (1, 1, 12):
                jobs = [SecretJob("x25519", rng.randbytes(32), rng.randbytes(32)) for _ in range(together)]
                results = device.secret_batch(jobs)
                assert [result.payload for result in results] == [x25519(job.secret, job.u) for job in jobs]
                taken = count(2, 0xF0000000 + OFFSET + TAKEN)
                assert taken > 4
                ahead = (count(0, 0) - before) / (8 * WORDS) - taken
                assert 1 < ahead <= 3  # docs/pcie.md: parts of three buffers, and the setting `ahead` is 4
            info = device.info()
            assert (info.name, info.config, info.stray_answers) == ("PMX2", "x25519-tile", 0)
            assert device.counters().jobs == 14
            for tag in range(4):
                device.submit_secret(SecretJob("x25519", rng.randbytes(32), rng.randbytes(32), tag=tag))
            device.run(rng.randrange(20000))
            device.soft_reset()
            assert {device.wait(200_000).tag for _ in range(4)} == set(range(4))
            with pytest.raises(DeviceError) as caught:
                device.read(0xFC)
            assert caught.value.code == Error.BUS
            if session:
                assert count(1, 0) % (8 * WORDS) == 0  # whole buffers of results


@pytest.mark.long
def test_tiles() -> None:
    """Signatures on the configuration `tiles` of edverify."""
    path, _ = plugged("edverify", "tiles")
    seed = random.Random(2).randbytes(32)
    pk = ed25519.public_key(seed)
    jobs = [Job(pk, message, ed25519.sign(seed, signed)) for message, signed in (
        (b"", b""), (b"thirteen byte", b"thirteen byte"), (b"other", b"thirteen byte"), (bytes(9000), bytes(9000)))]
    with Device("tiles", "litepcie", SETTINGS, lib=path) as device:
        results = device.verify_batch(jobs)
        assert [result.valid for result in results] == [True, True, False, True]
        assert device.info().config == "edverify-tiles"
