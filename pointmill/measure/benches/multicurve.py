# SPDX-License-Identifier: Apache-2.0
"""Cycles of `multicurve`, measured inside the verilated core in all configurations: table 1 of the paper, ECDSA and
SM2, and how busy the two multipliers are.

Whole products are means: by non-adjacent form with a third of the digits not 0, as published, by windows over
`SCALARS` seeded scalars. Both are sums of the measured cycles of the point operations, and every run is
compared with that sum. They include the conversions and the check of the point, but not reception.
"""

from __future__ import annotations

import json
import random
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

from pointmill.cores import MULTICURVE
from pointmill.curve_device import DATA, REASONS, SIGNING, CurveJob, load_job
from pointmill.curves import Curve, MontgomeryCurve, by_name
from pointmill.measure.benches.packets import beats_of, packet_file
from pointmill.measure.records import Record, published
from pointmill.model.montgomery import multiply_u
from pointmill.model.weierstrass import multiply
from pointmill.simbuild import build_cpp
from pointmill.ucode.build import link
from pointmill.ucode.images import PROGRAMS
from pointmill.ucode.multicurve import naf_operations
from pointmill.ucode.multicurve_table import window, window_operations

CORE = "multicurve"
HERE = Path(__file__).parent
NAMES = {"P192": "P-192", "P224": "P-224", "P256": "P-256", "P384": "P-384", "P521": "P-521",
         "secp160r1": "secp160r1", "secp256k1": "secp256k1", "SM2": "sm2p256v1", "FRP256v1": "FRP256v1",
         "brainpoolP256r1": "brainpoolP256r1", "brainpoolP320r1": "brainpoolP320r1",
         "brainpoolP384r1": "brainpoolP384r1", "brainpoolP512r1": "brainpoolP512r1",
         "W25519": "W-25519", "W448": "W-448", "W41417": "W-41417", "BLS12381": "BLS12-381-G1",
         "X25519": "X25519", "X448": "X448"}  # fmt: skip
"""Curves of the records, by the name that they have there."""

CONFIGS = tuple(name for name, params in MULTICURVE.parameters.items() if not {"Engines", "Contexts"} & params.keys())
"""Configurations that are measured: those of one engine and one job."""

SCALARS = 100
SIGNATURES = 8

Point = tuple[int, int]

BEATS = 9
"""Of a number in a packet."""


@dataclass(frozen=True)
class Spent:
    """Runs of a block, their cycles, and those of the multipliers that work in them (two a cycle at most)."""

    runs: int
    cycles: int
    busy: int


@dataclass(frozen=True)
class Seen:
    """What the probe saw of a job. `products`: how many took how many cycles."""

    job: CurveJob
    reason: str
    cycles: int
    payload: tuple[int, ...]
    inversions: list[int]
    products: dict[int, int]
    blocks: dict[str, Spent]

    @property
    def work(self) -> int:
        """Cycles without those in which the packet arrives."""
        return self.cycles - 1 - BEATS * len(self.job.operands)

    @property
    def alone(self) -> int:
        """The same without inversions."""
        return self.work - sum(self.inversions)

    def length(self, block: str) -> int:
        """Cycles of a block; `RuntimeError` if its runs are not alike."""
        spent = self.blocks[block]
        if spent.cycles % spent.runs:
            raise RuntimeError(f"{block}: {spent.runs} runs in {spent.cycles} cycles")
        return spent.cycles // spent.runs

    def utilisation(self, block: str) -> float:
        """Share of the multipliers' cycles in which they work."""
        return self.blocks[block].busy / 2 / self.blocks[block].cycles


def packet(job: CurveJob) -> bytes:
    """The beats of a job as the probe reads them."""
    operation, flags = DATA["operations"][job.op], list(DATA["flags"])
    option = 0 if job.option is None else operation["options"].index(job.option)
    chosen = {*job.flags, "secret"} if job.op in SIGNING else job.flags
    data = struct.pack("<BBHI", option, operation["opcode"], sum(1 << flags.index(flag) for flag in chosen), 0)
    data += b"".join(number.to_bytes(8 * BEATS, "little") for number in job.operands)
    return beats_of(data)


@cache
def blocks_at(machine: str) -> list[str]:
    """The block of each word of a ROM."""
    return [owner.partition(".")[2] for owner in link(CORE, PROGRAMS[CORE, machine], machine).rom.owner]


class Probe:
    """The verilated core of a configuration with its probe."""

    def __init__(self, config: str) -> None:
        self.config = config
        self.program = build_cpp(MULTICURVE.top, [MULTICURVE.files, HERE / "curve_probe.vlt"], HERE / "curve_probe.cpp",
                                 MULTICURVE.parameters[config], name="curve_probe", opt="-O3")  # fmt: skip

    def run(self, jobs: Sequence[CurveJob]) -> list[Seen]:
        """What happened in each job, one after the other; `RuntimeError` for one that was refused."""
        data = struct.pack("<Q", len(jobs)) + b"".join(map(packet, jobs))
        with packet_file("curve", data) as path:
            done = subprocess.run([self.program, path], check=True, capture_output=True, text=True)
        found = [self._seen(job, json.loads(line))
                 for job, line in zip(jobs, done.stdout.splitlines(), strict=True)]
        for seen in found:
            if seen.reason != "ok":
                raise RuntimeError(f"{self.config}: {seen.job.op}: {seen.reason}")
        return found

    def _seen(self, job: CurveJob, line: dict) -> Seen:
        names = dict(enumerate(blocks_at("paper" if self.config == "paper" else "fast")))
        blocks: dict[str, list[int]] = {}
        for text, counts in line["spent"].items():
            at = int(text)
            block = blocks.setdefault(names.get(at, ""), [0, 0, 0])
            block[0] += line["issued"].get(text, 0) if names.get(at - 1) != names.get(at) else 0
            block[1:] = [block[1] + counts[0], block[2] + counts[1]]
        numbers = b"".join(beat.to_bytes(8, "little") for beat in line["payload"])
        payload = tuple(int.from_bytes(numbers[i : i + 8 * BEATS], "little")
                        for i in range(0, len(numbers), 8 * BEATS))
        return Seen(job, REASONS[line["reason"]], line["cycles"], payload, line["inversions"],
                    {int(n): count for n, count in line["products"].items()},
                    {name: Spent(*counts) for name, counts in blocks.items()})  # fmt: skip


# ---- scalar multiplication ------------------------------------------------------------------------


def weierstrass(name: str) -> tuple[Curve, int, Point]:
    """A curve of the records with the order of its base point, and that; `RuntimeError` if it has none."""
    curve = by_name(NAMES[name])
    if not isinstance(curve, Curve) or curve.n is None or curve.g is None:
        raise RuntimeError(f"{name} is no Weierstrass curve with a base point")
    return curve, curve.n, curve.g


def multiple(curve: Curve, k: int, point: Point) -> Point:
    """[k]point; `RuntimeError` where that is infinity."""
    found = multiply(curve, k, point)
    if found is None:
        raise RuntimeError(f"{curve.name}, {k:x}: infinity")
    return found


def kind(curve: Curve) -> str:
    """Which programs of the walk suit a curve."""
    return "m3" if curve.a == curve.p - 3 else "0" if curve.a == 0 else "any"


def operations(curve: Curve, config: str, k: int) -> list[str]:
    """The walker's operations for a scalar."""
    if config == "paper":
        return naf_operations(k, kind(curve))
    return [name for name, *_ in window_operations([k], window(curve.bits), kind(curve))][:-1]


class Walks:
    """Cycles of the walk of one curve: of its operations, and of the rest of a job by the walk's last operation,
    out of runs that all agree (`RuntimeError` otherwise)."""

    def __init__(self, curve: Curve, config: str, runs: Sequence[Seen]) -> None:
        self.curve, self.config = curve, config
        self.cycles: dict[str, int] = {}
        for seen in runs:
            *walked, last = operations(curve, config, seen.job.operands[0])
            for name in set(walked) - {last}:
                self._agree(self.cycles, name, seen.length(name))
        self.rest: dict[str, int] = {}
        for seen in runs:
            *walked, last = operations(curve, config, seen.job.operands[0])
            self._agree(self.rest, last, seen.alone - sum(map(self.cycles.__getitem__, walked)))

    def _agree(self, table: dict[str, int], name: str, cycles: int) -> None:
        if table.setdefault(name, cycles) != cycles:
            raise RuntimeError(f"{self.curve.name}, {self.config}, {name}: {table[name]} and {cycles} cycles")

    def cycles_of(self, k: int) -> int:
        """Cycles of the product with k, without inversion and reception."""
        *walked, last = operations(self.curve, self.config, k)
        return sum(map(self.cycles.__getitem__, walked)) + self.rest[last]

    def mean(self, scalars: Sequence[int]) -> float:
        """Their mean over scalars; by non-adjacent form over all: a third of the digits is not 0."""
        if self.config != "paper":
            return fmean(map(self.cycles_of, scalars))
        name = kind(self.curve)
        double, *both = (self.cycles[f"walk_{what}_{name}"] for what in ("double", "add", "sub"))
        return self.curve.bits * (2 * double + fmean(both)) / 3 + self.rest["walk_set"]


def _check(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise RuntimeError(f"{what}: {found}, not {wanted}")


def walk_runs(probe: Probe, curve: Curve, base: Point, scalars: Sequence[int]) -> list[Seen]:
    """Runs of the scalar 1 and of the first few, and of one for each of the walk's last operations."""
    chosen = {operations(curve, probe.config, k)[-1]: k for k in reversed(scalars)}
    some = [*dict.fromkeys([1, *scalars[:3], *chosen.values()])]
    _, *runs = probe.run([load_job(curve), *(CurveJob("ecmul", (k, *base)) for k in some)])
    for seen, k in zip(runs, some, strict=True):
        _check(seen.payload, multiple(curve, k, base), f"{curve.name}, {k:x}")
    return runs


def weierstrass_records(probe: Probe, name: str) -> list[Record]:
    """The row of a Weierstrass curve: by digits of public scalars, and by the ladder of secret ones."""
    (curve, n, base), config = weierstrass(name), probe.config
    rng = random.Random(curve.name)
    scalars = [rng.randrange(1, n) for _ in range(SCALARS)]
    runs = walk_runs(probe, curve, base, scalars)
    walks = Walks(curve, config, runs)
    one = runs[1]
    table = Table(name, config)
    add, double = (f"walk_{what}_{kind(curve)}" for what in ("add", "double"))
    _check(len(one.inversions) == 1 and len(one.products), 1, f"{curve.name}: inversions and lengths of products")
    found = [
        table.record("product", "cycles", next(iter(one.products))),
        table.record("double", "cycles", walks.cycles[double]),
        table.record("double_add", "cycles", walks.cycles[add]),
        table.record("inversion", "cycles", one.inversions[0]),
        table.record("whole", "cycles_mean", round(walks.mean(scalars), 1)),
        table.record("whole_inversion", "cycles_mean", round(walks.mean(scalars) + one.inversions[0], 1)),
    ]
    k = max(scalars)
    _, secret = probe.run([load_job(curve), CurveJob("ecmul", (k, *base), "ladder", ("secret",))])
    _check(secret.payload, multiple(curve, k, base), f"{curve.name}, ladder, {k:x}")
    walk = [spent for seen in runs[1:] for block, spent in seen.blocks.items() if block.startswith("walk_")]
    busy = sum(spent.busy for spent in walk) / 2 / sum(spent.cycles for spent in walk)
    return [
        *found,
        table.record("secret", "cycles", secret.alone),
        table.record("double", "utilisation", round(one.utilisation(double), 4)),
        table.record("double_add", "utilisation", round(one.utilisation(add), 4)),
        table.record("walk", "utilisation", round(busy, 4)),
    ]


def montgomery_records(probe: Probe, name: str) -> list[Record]:
    """The row of X25519 or X448; all scalars take the same cycles."""
    curve = by_name(NAMES[name])
    if not isinstance(curve, MontgomeryCurve):
        raise RuntimeError(f"{name} is no Montgomery curve")
    k = random.Random(name).getrandbits(curve.bits - 1) >> 3 << 3 | 1 << (curve.bits - 1)
    job = CurveJob("ladder", (k, curve.u), name.lower(), ("secret",))
    _, seen = probe.run([load_job(curve), job])
    _check(seen.payload[0], multiply_u(curve, k, curve.u), f"{name}, {k:x}")
    table = Table(name, probe.config)
    return [
        table.record("product", "cycles", next(iter(seen.products))),
        table.record("ladder_step", "cycles", seen.length("ladder_step")),
        table.record("inversion", "cycles", seen.inversions[0]),
        table.record("whole", "cycles", seen.alone),
        table.record("whole_inversion", "cycles", seen.work),
        table.record("ladder_step", "utilisation", round(seen.utilisation("ladder_step"), 4)),
    ]


@dataclass(frozen=True)
class Table:
    """Makes the records of one curve in one configuration, with what is published of it."""

    name: str
    config: str

    def record(self, what: str, word: str, value: float) -> Record:
        """One figure."""
        ratio = word == "utilisation"
        printed = published(CORE)["utilisation" if ratio else "table1"].get(self.name, {}).get(what)
        if what == "inversion" and self.config != "paper":
            printed = None  # R may have more digits there, and the inverter more steps
        return Record(f"{CORE}.{self.name}_{what}", self.config, word, value, "ratio" if ratio else "cycles", printed)


# ---- signatures -----------------------------------------------------------------------------------


@cache
def signature_jobs(scheme: str, count: int) -> list[tuple[CurveJob, CurveJob, tuple[int, int]]]:
    """Seeded new signatures, their verifications, and what they have to be."""
    (curve, n, base), rng = weierstrass("P256" if scheme == "ecdsa" else "SM2"), random.Random(scheme)
    found = []
    for _ in range(count):
        d, k, e = (rng.randrange(1, n - 1) for _ in range(3))
        q, x = multiple(curve, d, base), multiple(curve, k, base)[0]
        message: tuple[int, ...] = (e,)
        if scheme == "ecdsa":
            message, r = (e, 256), x % n
            s = pow(k, -1, n) * (e + r * d) % n
        else:
            r = (e + x) % n
            s = pow(1 + d, -1, n) * (k - r * d) % n
        found.append((CurveJob(f"{scheme}_sign", (d, k, *message)),
                      CurveJob(f"{scheme}_verify", (*message, *q, r, s)), (r, s)))  # fmt: skip
    return found


def signature_records(probe: Probe, scheme: str) -> list[Record]:
    """Signing and verification from header to answer, and the same without inversions."""
    curve, _, _ = weierstrass("P256" if scheme == "ecdsa" else "SM2")
    jobs = signature_jobs(scheme, SIGNATURES)
    _, *runs = probe.run([load_job(curve), *(job for signing, verifying, _ in jobs for job in (signing, verifying))])
    signed, verified = runs[::2], runs[1::2]
    for seen, (_, _, wanted) in zip(signed, jobs, strict=True):
        _check(seen.payload, wanted, f"{scheme}_sign")
    (cycles,) = {seen.cycles for seen in signed}
    table = Table(scheme, probe.config)
    return [
        table.record("sign", "cycles", cycles),
        table.record("verify", "cycles_mean", round(fmean(seen.cycles for seen in verified), 1)),
        table.record("verify_no_inversion", "cycles_mean",
                     round(fmean(seen.cycles - sum(seen.inversions) for seen in verified), 1)),
    ]  # fmt: skip


def measure(config: str) -> list[Record]:
    """All records of a configuration."""
    probe, found = Probe(config), []
    for name, known in NAMES.items():
        montgomery = isinstance(by_name(known), MontgomeryCurve)
        found += montgomery_records(probe, name) if montgomery else weierstrass_records(probe, name)
    return found + signature_records(probe, "ecdsa") + signature_records(probe, "sm2")


# ---- the short run ----------------------------------------------------------------------------------


def short_jobs() -> dict[str, tuple[Curve | MontgomeryCurve, list[CurveJob]]]:
    """Jobs of the short run by the name of their figure, with their curves."""
    (p256, n, g), (sm2, _, _), x25519 = weierstrass("P256"), weierstrass("SM2"), by_name(NAMES["X25519"])
    if not isinstance(x25519, MontgomeryCurve):
        raise RuntimeError("X25519 is no Montgomery curve")
    rng = random.Random(41)
    scalars = [rng.randrange(1, n) for _ in range(3)]
    ecdsa, chinese = signature_jobs("ecdsa", 2), signature_jobs("sm2", 2)
    return {
        "ecmul": (p256, [CurveJob("ecmul", (k, *g)) for k in scalars]),
        "ecmul2": (p256, [CurveJob("ecmul2", (scalars[0], *g, scalars[1], *multiple(p256, 5, g)))]),
        "ladder": (p256, [CurveJob("ecmul", (scalars[0], *g), "ladder", ("secret",))]),
        "ecdsa_sign": (p256, [ecdsa[0][0]]),
        "ecdsa_verify": (p256, [verifying for _, verifying, _ in ecdsa]),
        "sm2_sign": (sm2, [chinese[0][0]]),
        "sm2_verify": (sm2, [verifying for _, verifying, _ in chinese]),
        "x25519": (x25519, [CurveJob("ladder", (1 << 254, 9), "x25519", ("secret",))]),
    }


def short(config: str, cycles_of: Callable[[Sequence[CurveJob]], Sequence[int]]) -> list[Record]:
    """The figures of the short run, which `make test` compares with the committed record: sums of the cycles of a few
    jobs, each alone in the core; `cycles_of` runs jobs in that configuration."""
    return [Record(f"{CORE}.short_{name}", config, "cycles", sum(cycles_of([load_job(curve), *jobs])[1:]), "cycles")
            for name, (curve, jobs) in short_jobs().items()]  # fmt: skip


def measure_short(config: str) -> list[Record]:
    """The same with the probe."""
    probe = Probe(config)
    return short(config, lambda jobs: [seen.cycles for seen in probe.run(jobs)])
