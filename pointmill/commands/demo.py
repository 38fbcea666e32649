# SPDX-License-Identifier: Apache-2.0
"""`pointmill demo`: several hundred real signatures, and some forged ones, through the driver."""

from __future__ import annotations

import random
import tempfile
import time
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.table import Table

from .. import signers
from ..device import Counters, Device, DeviceError, Job, Result
from ..rules import RULES
from ..vectors import sign_input_cases
from .common import (EXIT_OK, EXIT_REFUSED, CommandError, add_device_options, open_device, output,
                     progress_bar, write_json)

PUBLISHED_CYCLES = 9777
"""Cycles of one verification, Xue et al. 2022, J. Commun. 43(3)."""

ONE_BLOCK = 47
"""Longest message that fits one SHA-512 block together with R and A."""

SEED = 25519


@dataclass(frozen=True)
class Sample:
    """A job with where it comes from and what must come out."""

    source: str
    job: Job
    valid: bool = True


def published(count: int) -> list[Sample]:
    """`count` of the 1,024 signatures of sign.input: those with one-block messages first, the rest
    evenly spread over the longer ones."""
    cases = sign_input_cases()
    head, tail = cases[:ONE_BLOCK + 1], cases[ONE_BLOCK + 1:]
    more = max(0, min(count - len(head), len(tail)))
    chosen = [*head[:count], *(tail[i * len(tail) // more] for i in range(more))]
    return [Sample("sign.input", Job(case.pk, case.msg, case.sig)) for case in chosen]


def made_here(count: int, notes: list[str]) -> list[Sample]:
    """Signatures over files of this machine, 3 of 4 by OpenSSL and the rest by ssh-keygen; what
    could not be made is said in `notes`."""
    files = signers.machine_files(count)
    cut = len(files) * 3 // 4
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, make, part in (("OpenSSL", signers.openssl_jobs, files[:cut]),
                                 ("ssh-keygen", signers.ssh_jobs, files[cut:])):
            try:
                samples += [Sample(name, Job(job.pk, job.msg, job.sig))
                            for _, job in make(part, Path(folder))]
            except signers.SignerError as error:
                notes.append(f"no signatures by {name}: {error}")
    return samples


def forged(samples: list[Sample], count: int, rng: random.Random) -> list[Sample]:
    """`count` of the samples with one bit changed in the message, the key, R or S."""
    forgeries = []
    for i, sample in enumerate(rng.sample([s for s in samples if s.job.msg], count)):
        job = sample.job
        field, low, high = (("msg", 0, len(job.msg)), ("pk", 0, 32), ("sig", 0, 32),
                            ("sig", 32, 64))[i % 4]
        data = bytearray(getattr(job, field))
        data[rng.randrange(low, high)] ^= 1 << rng.randrange(8)
        forgeries.append(Sample("forged", replace(job, **{field: bytes(data)}), valid=False))
    return forgeries


def add_parser(commands: Any) -> None:
    """Adds the command to the sub-parsers of argparse."""
    parser: ArgumentParser = commands.add_parser(
        "demo", help="verify several hundred real signatures",
        description="Verifies published signatures (sign.input), signatures over files of this "
                    "machine made on the spot by OpenSSL and ssh-keygen, and forged ones. Exit "
                    "code 0 if every verdict is as expected.")
    parser.add_argument("--published", type=int, default=288, metavar="N",
                        help="signatures of sign.input (default: %(default)s)")
    parser.add_argument("--files", type=int, default=128, metavar="N",
                        help="files to sign (default: %(default)s)")
    parser.add_argument("--forged", type=int, default=16, metavar="N",
                        help="signatures to tamper with (default: %(default)s)")
    parser.add_argument("--rule", default="rfc8032_cofactorless", choices=list(RULES),
                        help="rule set (default: %(default)s, which decodes R as the published "
                             "system does)")
    parser.add_argument("--json", action="store_true", help="the summary as one JSON line")
    add_device_options(parser)
    parser.set_defaults(run=run)


def measure(device: Device, samples: list[Sample], rule: str
            ) -> tuple[list[Result], Counters, float]:
    """Results, the counters over the batch, and the seconds it took."""
    device.clear_counters()
    start = time.perf_counter()
    with progress_bar("verifying", len(samples)) as advance:
        results = device.verify_batch([sample.job for sample in samples], rule,
                                      lambda done, total: advance(1))
    return results, device.counters(), time.perf_counter() - start


def summarise(samples: list[Sample], results: list[Result], counters: Counters, seconds: float,
              rule: str, notes: list[str]) -> dict[str, Any]:
    """All figures of the run."""
    sources: dict[str, dict[str, int]] = {}
    cycles: list[int] = []
    one_block: list[int] = []
    for sample, result in zip(samples, results, strict=True):
        row = sources.setdefault(sample.source, {"signatures": 0, "valid": 0, "unexpected": 0})
        row["signatures"] += 1
        row["valid"] += result.valid
        row["unexpected"] += result.valid != sample.valid
        if sample.valid:
            cycles.append(result.cycles)
            if len(sample.job.msg) <= ONE_BLOCK:
                one_block.append(result.cycles)
    return {
        "signatures": len(samples),
        "unexpected": sum(row["unexpected"] for row in sources.values()),
        "sources": sources, "rule": rule,
        "mean_cycles": sum(cycles) / max(1, len(cycles)),
        "mean_cycles_one_block": sum(one_block) / max(1, len(one_block)),
        "one_block_signatures": len(one_block), "published_cycles": PUBLISHED_CYCLES,
        "multiplier_utilisation": counters.muls / max(1, counters.busy),
        "simulated_cycles": counters.cycles, "seconds": seconds,
        "cycles_per_second": counters.cycles / seconds,
        "verifications_per_second": len(samples) / seconds, "notes": notes,
    }


def show(summary: dict[str, Any]) -> None:
    """Prints the summary for people."""
    console = output()
    verdicts = Table("signatures from", "number", "valid", "as expected", title="Verdicts")
    for source, row in summary["sources"].items():
        verdicts.add_row(source, str(row["signatures"]), str(row["valid"]),
                         "yes" if row["unexpected"] == 0 else f"NO: {row['unexpected']} are not")
    figures = Table("what", "here", "published", title="Figures")
    figures.add_row(f"cycles per verification, {summary['rule']}, one-block messages, mean of "
                    f"{summary['one_block_signatures']}",
                    f"{summary['mean_cycles_one_block']:,.0f}", f"{summary['published_cycles']:,}")
    figures.add_row("the same, all messages", f"{summary['mean_cycles']:,.0f}", "")
    figures.add_row("multiplier utilisation", f"{summary['multiplier_utilisation']:.1%}", "")
    figures.add_row("simulated cycles per second", f"{summary['cycles_per_second']:,.0f}", "")
    figures.add_row("verifications per second, simulated",
                    f"{summary['verifications_per_second']:.1f}", "")
    for table in (verdicts, figures):
        console.print(table)
    for note in summary["notes"]:
        console.print(f"note: {note}", markup=False)
    wrong = summary["unexpected"]
    console.print(f"{summary['signatures']} signatures in {summary['seconds']:.1f} s: "
                  + (f"{wrong} verdicts are WRONG" if wrong else "every verdict is as expected"))


def run(args: Namespace) -> int:
    """Runs the demonstration; exit code 0 only if every verdict is as expected."""
    if min(args.published, args.files, args.forged) < 0:
        raise CommandError("the numbers of signatures must not be negative")
    if args.forged > args.published // 2:
        raise CommandError("--forged must not exceed half of --published")
    notes: list[str] = []
    rng = random.Random(SEED)
    samples = published(args.published) + made_here(args.files, notes)
    samples += forged(samples, args.forged, rng)
    order = list(dict.fromkeys(sample.source for sample in samples))
    rng.shuffle(samples)
    with open_device(args) as device:
        try:
            results, counters, seconds = measure(device, samples, args.rule)
        except DeviceError as error:
            raise CommandError(f"{args.device}: {error}", "device_error") from error
    summary = summarise(samples, results, counters, seconds, args.rule, notes)
    summary["sources"] = {source: summary["sources"][source] for source in order}
    if args.json:
        write_json(summary)
    else:
        show(summary)
    return EXIT_REFUSED if summary["unexpected"] else EXIT_OK
