# SPDX-License-Identifier: Apache-2.0
"""Boots the simulated system, compares what its program prints with the golden model, and prints the cycles.

Command line: ``python -m soc.run [--long]``. The field has 704 bits; the scalar 16, or with --long 256 as in
the published measurement.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from pointmill import simbuild

from . import bench, build

FIELD_BITS = 704
SHORT_BITS, LONG_BITS = 16, 256
MAX_CYCLES = 2_000_000_000


def problem(bits: int) -> bench.Problem:
    """[k]P in a field of 704 bits for a k of exactly `bits` bits, always the same."""
    curve, point = bench.sample_curve(FIELD_BITS)
    return bench.Problem(curve, point, random.Random(bits).getrandbits(bits) | 1 << bits - 1, bits)


def table(report: bench.Report) -> str:
    """Cycles of the operations and of the ways to multiply."""
    lines = [f"{'operation':12}{'cycles':>10}"]
    lines += [f"{name:12}{operation.cycles:>10,}" for name, operation in report.operations.items()]
    lines += ["", f"{'by':12}{'cycles':>14}{'compute':>14}{'bus':>12}{'wait':>12}{'software / this':>17}"]
    software = report.products["software"].total
    for name, product in report.products.items():
        lines.append(f"{name:12}{product.total:>14,}{product.compute:>14,}{product.bus:>12,}{product.wait:>12,}"
                     f"{software / product.total:>17.2f}")
    return "\n".join(lines)


def main() -> int:
    """Builds, boots, compares, prints; 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m soc.run", description=__doc__.splitlines()[0])
    parser.add_argument("--long", action="store_true", help=f"a scalar of {LONG_BITS} bits instead of {SHORT_BITS}")
    bits = LONG_BITS if parser.parse_args().long else SHORT_BITS
    asked = problem(bits)
    build.simulation()
    start = time.monotonic()
    report = bench.measure(asked, MAX_CYCLES, simbuild.BUILD / "soc" / "ram.hex")
    print(f"field of {FIELD_BITS} bits, scalar of {bits} bits; "
          f"{report.checks} checks of the self-test on the processor")
    print(table(report))
    bad = bench.wrong(asked, report)
    seconds = time.monotonic() - start
    print(f"\nnot as the golden model has it: {', '.join(bad)}" if bad else
          f"\nall results as the golden model has them; simulated in {seconds:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
