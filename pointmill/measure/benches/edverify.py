# SPDX-License-Identifier: Apache-2.0
"""Cycles of `edverify`, measured inside the verilated core while it verifies real signatures."""

from __future__ import annotations

import json
import random
import struct
import subprocess
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean

from pointmill.device import Job
from pointmill.measure.benches.packets import beats_of, packet_file
from pointmill.measure.records import Record, published
from pointmill.model import naf
from pointmill.model.scalar import L
from pointmill.rules import OPERATIONS, RULES
from pointmill.simbuild import build_cpp
from pointmill.ucode.build import build

CORE = "edverify"
CONFIG = "paper"
HERE = Path(__file__).parent
ONE_BLOCK = 47  # longest message whose R || A || M is one padded SHA-512 block


@dataclass(frozen=True)
class Signature:
    """A valid signature made by OpenSSL."""

    pk: bytes
    msg: bytes
    sig: bytes


Signed = Signature | Job


def signatures(count: int, seed: int, length: int | None = None, keys: int | None = None) -> list[Signature]:
    """`count` signatures by as many keys, or by `keys` that take turns; messages of `length` bytes, else of 0 to 47."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    rng = random.Random(seed)
    made: list[Signature] = []
    signers: list[Ed25519PrivateKey] = []
    for number in range(count):
        if len(signers) < (keys or count):
            signers.append(Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)))
        key = signers[number % len(signers)]
        msg = rng.randbytes(rng.randrange(ONE_BLOCK + 1) if length is None else length)
        made.append(Signature(key.public_key().public_bytes_raw(), msg, key.sign(msg)))
    return made


def beats(tag: int, rule: str, item: Signed) -> bytes:
    """The job packet as the probe reads it: 8 data bytes, keep and last for each beat."""
    packet = struct.pack("<BBHI", RULES[rule].id, OPERATIONS["verify"].opcode, 0, tag)
    packet += item.sig[32:] + item.sig[:32] + item.pk + item.msg
    return beats_of(packet)


def job_file(
    rule: str, items: Sequence[Signed], arrivals: Sequence[int] | None = None
) -> AbstractContextManager[Path]:
    """A file of the jobs for the probes (stream.h), with the cycles at which they arrive (default: all
    at once); tags count from 0."""
    packets = [beats(tag, rule, item) for tag, item in enumerate(items)]
    times = [0] * len(packets) if arrivals is None else arrivals
    data = struct.pack(f"<{len(packets) + 1}Q", len(packets), *times) + b"".join(packets)
    return packet_file(rule, data)


class Trace:
    """What the probe saw of a list of jobs under one rule."""

    def __init__(self, rule: str, items: list[Signature]):
        probe = build_cpp(
            "pm_edverify",
            ["hw/edverify/edverify.f", HERE / "probe.vlt"],
            HERE / "probe.cpp",
            {"Contexts": 1},
            name="probe",
            opt="-O3",
        )
        with job_file(rule, items) as path:
            done = subprocess.run([probe, path], check=True, capture_output=True, text=True)
        *lines, totals = done.stdout.splitlines()
        self.jobs = [json.loads(line) for line in lines]
        self.totals = json.loads(totals)
        refused = [job["tag"] for job in self.jobs if not job["valid"]]
        if len(self.jobs) != len(items) or refused:
            raise RuntimeError(f"{rule}: {len(self.jobs)} results, rejected: {refused[:5]}")

    @cached_property
    def labels(self) -> dict[str, int]:
        """Addresses of the microcode's labels."""
        return build(CORE, "verify")[3].labels

    def at(self, job: dict, label: str) -> int:
        """Cycle, counted from the header, at which the word of a label was issued first."""
        return job["at"][str(self.labels[label])]

    def spans(self, first: str, last: str) -> list[int]:
        """Cycles from one label to another, job by job."""
        return [self.at(job, last) - self.at(job, first) for job in self.jobs]

    def unit(self, name: str) -> list[int]:
        """Cycles from start to result of a side unit, every use."""
        return [cycles for job in self.jobs for cycles in job["units"].get(name, [])]

    @property
    def per_job(self) -> float:
        """Cycles between answers in steady state."""
        return (self.jobs[-1]["end"] - self.jobs[0]["end"]) / (len(self.jobs) - 1)


def operation_records(count: int, seed: int) -> list[Record]:
    """Table 1: point operations of the double-scalar product over random scalars. As in the table,
    taking over the first table point is not an addition."""
    rng = random.Random(seed)
    pairs = [(rng.randrange(L), rng.randrange(L)) for _ in range(count)]
    records = []
    for windows, (adds, doubles, table_adds, table_doubles) in published(CORE)["table1"].items():
        g, a = map(int, windows.split("/"))
        digits = [(naf.recode(s, g), naf.recode(k, a)) for s, k in pairs]
        means = {
            "additions": (fmean(sum(map(bool, x + y)) - 1 for x, y in digits), adds),
            "doublings": (fmean(max(len(x), len(y)) - 1 for x, y in digits), doubles),
            "table_additions": (2 ** (a - 2) - 1, table_adds),
            "table_doublings": (1, table_doubles),
        }
        records += [
            Record(f"{CORE}.windows_{g}_{a}", CONFIG, what, round(value, 2), "operations", printed)
            for what, (value, printed) in means.items()
        ]
    return records


def schedule_records() -> list[Record]:
    """Tables 2 and 3: point operations alone and in pairs, with the formulas as printed and as used.

    A result can be read that many cycles after the first operation, as in the tables."""
    printed = published(CORE)["point_operations"]
    schedules = build(CORE, "tables")[2]
    records = [
        Record(f"{CORE}.printed_{name}", CONFIG, "cycles", s.length, "cycles", printed[name])
        for name, s in schedules.items()
    ]
    used = build(CORE, "verify")[2]
    add, double = used["walk_add_a"], used["walk_double"]
    settle = max(add.exit.values())
    alone = {"add": add, "double": double}
    for name, cycles in printed.items():
        length = sum(alone[part].length for part in name.split("_")) + settle
        records.append(Record(f"{CORE}.used_{name}", CONFIG, "cycles", length, "cycles", cycles))
    return records


def unit_records(trace: Trace) -> list[Record]:
    """Table 5: the units, as they run inside the core."""
    paper = published(CORE)
    machine, _, schedules, _ = build(CORE, "verify")
    # The last products of the digit scan are under way when it ends.
    settle = max(schedules["walk_add_a"].exit.values())
    # Of a message longer than the decompression takes, the digest comes 80 cycles a block later.
    long, longer = (
        Trace("ref10_bytes", signatures(2, 5, 128 * blocks - 64 - 17)) for blocks in (200, 201)
    )
    digest = str(trace.labels["challenge"] + 1)

    def record(name: str, what: str, value: float) -> Record:
        return Record(f"{CORE}.{name}", CONFIG, what, round(value, 1), "cycles", paper[name])

    return [
        record("product_and_fold", "cycles", machine.latency["mul"]),
        record("sha512_block", "cycles", longer.jobs[1]["at"][digest] - long.jobs[1]["at"][digest]),
        record("decompression", "cycles_max", max(trace.spans("roots", "small_order_a"))),
        record("modl", "cycles_max", max(trace.unit("modl"))),
        record("recoding", "cycles_max", max(trace.unit("naf_g") + trace.unit("naf_a"))),
        record("double_scalar", "cycles_mean", fmean(trace.spans("odd_multiples", "walk_done")) + settle),
    ]


def phase_records(trace: Trace) -> list[Record]:
    """Where the cycles of a verification go, from the header beat to the answer."""
    marks = ("roots", "challenge", "odd_multiples", "walk_done")
    names = ("receive", "decompression", "challenge", "double_scalar", "compare")
    spans: dict[str, list[int]] = {name: [] for name in names}
    for job in trace.jobs:
        times = [0, *(trace.at(job, mark) for mark in marks), job["cycles"]]
        for name, begin, end in zip(names, times, times[1:]):
            spans[name].append(end - begin)
    return [
        Record(f"{CORE}.phase_{name}", CONFIG, "cycles_mean", round(fmean(span), 1), "cycles")
        for name, span in spans.items()
    ]


def verification_records(traces: dict[str, Trace]) -> list[Record]:
    """Whole verifications: one alone, in steady state, and how busy the multiplier is."""
    records = []
    for rule, trace in traces.items():
        steady = rule == "rfc8032_cofactorless"
        name = f"{CORE}.verify" if steady else f"{CORE}.verify_{rule}"
        printed = published(CORE)["verify"] if steady else None
        cycles = [job["cycles"] for job in trace.jobs]
        products = trace.totals["products"]
        records += [
            Record(
                name, CONFIG, "cycles_per_verification", round(trace.per_job, 1), "cycles", printed
            ),
            Record(name, CONFIG, "cycles_mean", round(fmean(cycles), 1), "cycles"),
            Record(name, CONFIG, "cycles_max", max(cycles), "cycles"),
            Record(name, CONFIG, "products", round(products / len(cycles), 1), "products"),
            Record(
                name, CONFIG, "utilisation", round(products / trace.totals["cycles"], 4), "ratio"
            ),
        ]
    return records


def measure(count: int, seed: int = 2022) -> list[Record]:
    """All cycle records over `count` signatures with one-block messages for each rule set."""
    items = signatures(count, seed)
    traces = {"rfc8032_cofactorless": Trace("rfc8032_cofactorless", items)}
    for rule in RULES:
        if rule not in traces:
            share = items if rule == "ref10_bytes" else items[: max(2, count // 10)]
            traces[rule] = Trace(rule, share)
    return [
        *verification_records(traces),
        *phase_records(traces["rfc8032_cofactorless"]),
        *unit_records(traces["rfc8032_cofactorless"]),
        *schedule_records(),
        *operation_records(count, seed),
    ]
