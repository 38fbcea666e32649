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

from .. import sign_input, signers
from ..cores import EDVERIFY
from ..device import Counters, Device, DeviceError, Job, Result
from ..rules import RULES
from .common import EXIT_OK, EXIT_REFUSED, CommandError, add_device_options, open_device
from .output import output, progress_bar, write_json

PUBLISHED_CYCLES = 9777
"""Cycles of one verification, Xue et al. 2022, J. Commun. 43(3)."""

ONE_BLOCK = 47
"""Longest message that fits one SHA-512 block together with R and A."""

STEADY_BYTES = 1967
"""Longest message of the signatures that are timed: 16 SHA-512 blocks, whose hashing takes 1,280 cycles
and is no bottleneck in any configuration."""

SEED = 25519


@dataclass(frozen=True)
class Sample:
    """A job with where it comes from and what must come out."""

    source: str
    job: Job
    valid: bool = True

    @property
    def timed(self) -> bool:
        """Whether it belongs to those that the figures are taken of."""
        return self.valid and len(self.job.msg) <= STEADY_BYTES


@dataclass(frozen=True)
class Measurement:
    """A batch and what it took. results: in the order of the samples. ends: device cycle of each
    answer, in the order in which they came. counters: of the core, over this batch alone."""

    samples: list[Sample]
    results: list[Result]
    ends: list[int]
    counters: Counters

    def cycles_between_answers(self, contexts: int) -> float:
        """Mean in steady state: without the answers that come while the contexts fill and drain;
        of few answers, all of them."""
        ends = self.ends[contexts:-contexts] if len(self.ends) > 4 * contexts else self.ends
        return (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else 0.0


def published(count: int) -> list[Sample]:
    """`count` of the 1,024 signatures of sign.input: those with one-block messages first, the rest
    evenly spread over the longer ones."""
    cases = sign_input.signatures()
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
        changed: dict[str, Any] = {field: bytes(data)}
        forgeries.append(Sample("forged", replace(job, **changed), valid=False))
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


def measure(device: Device, samples: list[Sample], rule: str) -> Measurement:
    """Verifies the samples in one batch."""
    ends: list[int] = []
    device.clear_counters()
    with progress_bar("verifying", len(samples)) as advance:
        def answered(done: int, total: int) -> None:
            ends.append(device.elapsed())
            advance(1)

        results = device.verify_batch([sample.job for sample in samples], rule, answered)
    return Measurement(samples, results, ends, device.counters())


def measure_alone(device: Device, samples: list[Sample], rule: str) -> int:
    """Cycles of the first one-block signature with nothing else in the core; 0 if there is none."""
    job = next((s.job for s in samples if s.timed and len(s.job.msg) <= ONE_BLOCK), None)
    return device.verify_batch([job], rule)[0].cycles if job else 0


def summarise(args: Namespace, runs: list[Measurement], contexts: int, alone: int, seconds: float,
              notes: list[str]) -> dict[str, Any]:
    """All figures of the run. runs: the signatures that are timed, then the others."""
    sources: dict[str, dict[str, int]] = {}
    pairs = [pair for run in runs for pair in zip(run.samples, run.results, strict=True)]
    for sample, result in pairs:
        row = sources.setdefault(sample.source, {"signatures": 0, "valid": 0, "unexpected": 0})
        row["signatures"] += 1
        row["valid"] += result.valid
        row["unexpected"] += result.valid != sample.valid
    timed = runs[0]
    latencies = [result.cycles for result in timed.results]
    cycles = sum(run.counters.cycles for run in runs)
    return {
        "config": args.config, "configs": list(EDVERIFY.parameters), "contexts": contexts, "rule": args.rule,
        "signatures": len(pairs), "timed_signatures": len(latencies),
        "unexpected": sum(row["unexpected"] for row in sources.values()), "sources": sources,
        "cycles_per_verification": timed.cycles_between_answers(contexts),
        "published_cycles": PUBLISHED_CYCLES,
        "mean_latency": sum(latencies) / max(1, len(latencies)), "latency_alone": alone,
        "multiplier_utilisation": timed.counters.muls / max(1, timed.counters.busy),
        "simulated_cycles": cycles, "seconds": seconds, "cycles_per_second": cycles / seconds,
        "verifications_per_second": len(pairs) / seconds, "notes": notes,
    }


def show(summary: dict[str, Any]) -> None:
    """Prints the summary for people."""
    console = output()
    verdicts = Table("signatures from", "number", "valid", "as expected", title="Verdicts")
    for source, row in summary["sources"].items():
        verdicts.add_row(source, str(row["signatures"]), str(row["valid"]),
                         "yes" if row["unexpected"] == 0 else f"NO: {row['unexpected']} are not")
    others = [name for name in summary["configs"] if name != summary["config"]]
    figures = Table("what", "here", "published",
                    title=f"Figures of configuration {summary['config']}, {summary['rule']}")
    figures.add_row(f"cycles per verification, steady state, {summary['timed_signatures']} "
                    "signatures", f"{summary['cycles_per_verification']:,.0f}",
                    f"{summary['published_cycles']:,}")
    figures.add_row("single-job latency, cycles", f"{summary['latency_alone']:,}", "")
    figures.add_row("cycles of a job among the others, mean", f"{summary['mean_latency']:,.0f}", "")
    figures.add_row("multiplier utilisation", f"{summary['multiplier_utilisation']:.1%}", "")
    figures.add_row("simulated cycles per second", f"{summary['cycles_per_second']:,.0f}", "")
    figures.add_row("verifications per second, simulated",
                    f"{summary['verifications_per_second']:.1f}", "")
    for table in (verdicts, figures):
        console.print(table)
    for note in summary["notes"]:
        console.print(f"note: {note}", markup=False)
    for name in others:
        console.print(f"the other configuration: pointmill demo --config {name}")
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
        contexts = device.info().contexts
        try:
            alone = measure_alone(device, samples, args.rule)
            start = time.perf_counter()
            runs = [measure(device, [s for s in samples if s.timed == timed], args.rule)
                    for timed in (True, False)]
            seconds = time.perf_counter() - start
        except DeviceError as error:
            raise CommandError(f"{args.device}: {error}", "device_error") from error
    summary = summarise(args, runs, contexts, alone, seconds, notes)
    summary["sources"] = {source: summary["sources"][source] for source in order}
    if args.json:
        write_json(summary)
    else:
        show(summary)
    return EXIT_REFUSED if summary["unexpected"] else EXIT_OK
