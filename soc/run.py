# SPDX-License-Identifier: Apache-2.0
"""Boots the simulated system and prints what its program prints. Command line: ``python -m soc.run``"""

from __future__ import annotations

import sys

from pointmill import simbuild

from . import build

MAX_CYCLES = 1_000_000


def main() -> int:
    """Builds, boots, prints."""
    program = build.firmware([build.SOC / "firmware" / "main.c"])
    sys.stdout.write(build.run(program, b"", MAX_CYCLES, simbuild.BUILD / "soc" / "ram.hex"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
