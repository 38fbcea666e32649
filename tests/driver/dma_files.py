# SPDX-License-Identifier: Apache-2.0
"""Files in place of the UIO devices of a core and an AXI DMA: enough for opening and for register access."""

from __future__ import annotations

import mmap
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pointmill.simbuild import ROOT

BUFFER_BYTES = 64 * (2 * 64 + 4096 + 256)
"""PM_DMA_MEMORY (sw/backends/uio/dma.h)."""
CHANNELS = (0x00, 0x30)


def header_text() -> str:
    """Of the constants that this file repeats."""
    return (ROOT / "sw" / "backends" / "uio" / "dma.h").read_text(encoding="utf-8")


@contextmanager
def dma_files(folder: Path, core: bytes) -> Iterator[str]:
    """Settings for a core whose registers begin with `core`. The DMA ends its resets and does nothing else."""
    sizes = {"regs": 4096, "dma": 4096, "buffer": BUFFER_BYTES}
    for name, size in sizes.items():
        (folder / name).write_bytes((core if name == "regs" else b"").ljust(size, b"\0"))
    told = folder / "u-dma-buf" / "buffer" / "phys_addr"
    told.parent.mkdir(parents=True)
    told.write_text("0x10000000\n")
    ended = threading.Event()

    def end_resets() -> None:
        with (folder / "dma").open("r+b") as file, mmap.mmap(file.fileno(), 4096) as registers:
            while not ended.wait(0.001):
                for channel in CHANNELS:
                    if struct.unpack_from("<I", registers, channel)[0] & 4:
                        for each in CHANNELS:
                            struct.pack_into("<II", registers, each, 0x10002, 9)

    thread = threading.Thread(target=end_resets)
    thread.start()
    try:
        yield ",".join(f"{name}={folder / name}" for name in sizes) + f",sysfs={folder},mhz=100"
    finally:
        ended.set()
        thread.join()
