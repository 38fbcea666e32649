# SPDX-License-Identifier: Apache-2.0
"""pm_multicurve_numbers: points, pairs, the number signed and scalars of random jobs, by the names that operands
have."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import cocotb
import yaml
from cocotb.triggers import FallingEdge

from dv.common.handshake import begin, pulse
from pointmill import simbuild
from pointmill.ucode.machine import Machine

OPERATIONS = yaml.safe_load((simbuild.ROOT / "hw" / "multicurve" / "core.yaml").read_text())["operations"]
UNITS = {name: unit["id"] for name, unit in Machine("multicurve", "paper").units.items()}
WIDTH, MOST, JOBS, STEPS = 544, 17, 300, 8
VERIFY, SIGN = ("ecdsa_verify", "sm2_verify"), ("ecdsa_sign", "sm2_sign")
TWO = ("ecmul2", *VERIFY)
FIRST = {"load_curve": ("a", "b"), "modarith": ("a", "b"), "ecmul": ("px", "py"), "ecmul2": ("px", "py"),
         "check": ("qx", "qy")}
SCALARS = {"ecmul": "k", "ecmul_base": "k", "ecmul2": "u", "ladder": "k", "sm2_verify": "s", "ecdsa_sign": "k",
           "sm2_sign": "k"}
RFC7748 = {1: (255, 3), 2: (448, 2)}
"""Bits, and lowest bits that a scalar does not have, by the option of a ladder."""


@dataclass
class Job:
    """A job, and what its program has selected."""

    name: str
    option: int
    numbers: dict[str, int]
    g: tuple[int, int]
    digits: int
    field_bits: int
    order_bits: int
    results: tuple[int, int] = (0, 0)
    selected: str = "first"
    second: bool = False
    based: bool = False
    alone: bool = False
    number: int = 0
    v: int = 0
    left: int = MOST
    drop: int = field(init=False)
    """Bits that are dropped behind the latest step."""

    def __post_init__(self) -> None:
        self.number = self.numbers.get("digest", self.numbers.get("e", 0))
        self.drop = max(min(self.numbers.get("length", 0), 2047) - self.order_bits, 0)
        self.number >>= self.drop

    def units(self) -> tuple[str, ...]:
        """What programs of such a job start."""
        found = ("result", *("first", "second", "alone") * (self.name in TWO))
        if self.name == "load_curve":
            found += ("use_base",)
        if self.name in VERIFY + SIGN:
            found += ("pair", "put_u", "next_digits")
        return found + ("put_v",) * (self.name in VERIFY)

    def start(self, unit: str, operand: int) -> None:
        self.drop = 0
        if unit in ("first", "second", "pair", "result"):
            self.selected = unit
            self.second = unit == "second" if unit in ("first", "second") else self.second
        elif unit == "use_base":
            self.based = True
        elif unit == "alone":
            self.alone = True
        elif unit == "put_u":
            self.number = operand
        elif unit == "put_v":
            self.v = operand
        elif unit == "next_digits":
            self.drop = 32 * self.digits
            self.number >>= self.drop
            self.left -= self.digits

    def named(self, *names: str) -> tuple[int, ...]:
        return tuple(self.numbers[name] for name in names)

    def xy(self) -> tuple[int, ...]:
        if self.selected == "result":
            return self.results
        if self.selected == "pair":
            return self.named(*("r", "s") if self.name in VERIFY else ("d", "k"))
        if self.name == "ladder":
            bits = RFC7748.get(self.option, (WIDTH, 0))[0]
            return self.numbers["u"] % (1 << bits), 0
        if self.second:
            return self.named("qx", "qy")
        return self.g if self.based or self.name not in FIRST else self.named(*FIRST[self.name])

    def scalars(self) -> tuple[int, int]:
        first = self.number if self.name == "ecdsa_verify" else self.numbers[SCALARS[self.name]]
        return first, self.numbers["v"] if self.name == "ecmul2" else self.v

    def walked(self) -> tuple[int, int, bool]:
        """Scalar, its bits, whether they do not belong to the field."""
        scalar = self.scalars()[self.second]
        if self.name != "ladder" or self.option not in RFC7748:
            return scalar, self.field_bits + 1, False
        bits, low = RFC7748[self.option]
        return scalar % (1 << bits) >> low << low | 1 << bits - 1, bits, self.field_bits != bits


def random_job(rng: random.Random) -> Job:
    name = rng.choice(list(OPERATIONS))
    operation = OPERATIONS[name]
    numbers = {operand: rng.getrandbits(WIDTH) for operand in operation["operands"]}
    option = rng.randrange(len(operation["options"]))
    g = rng.getrandbits(WIDTH), rng.getrandbits(WIDTH)
    if "length" in numbers:
        numbers["length"] = rng.choice((rng.randrange(600), rng.randrange(2040, 2060), rng.getrandbits(WIDTH), 1 << 11))
    if name == "ecmul2" and rng.random() < 0.5:
        numbers |= {"px": g[0], "py": g[1] ^ (rng.random() < 0.3)}
    if name == "ladder" and option in RFC7748:
        numbers["k"] %= 1 << (256, 448)[option - 1]
    return Job(name, option, numbers, g, rng.randint(1, MOST), rng.choice((255, 448, rng.randint(2, WIDTH))),
               rng.randint(1, WIDTH + 1))  # fmt: skip


async def compare(dut, job: Job, selects: bool) -> None:
    """In the cycle after a step, and when the number is there."""
    assert bool(dut.selected_o.value) == selects
    for _ in range(job.drop // 32 + job.drop % 32):
        assert not dut.e_ready_o.value
        await FallingEdge(dut.clk_i)
        assert not dut.selected_o.value
    assert dut.e_ready_o.value
    assert (int(dut.x_o.value), int(dut.y_o.value)) == job.xy(), job
    assert (bool(dut.two_o.value), bool(dut.second_o.value)) == (job.name in TWO and not job.alone, job.second)
    assert bool(dut.verifying_o.value) == (job.name in VERIFY)
    assert bool(dut.signing_o.value) == (job.name in SIGN)
    assert bool(dut.sm2_o.value) == job.name.startswith("sm2")
    if job.name in VERIFY + SIGN:
        assert int(dut.e_o.value) == job.number
        assert bool(dut.more_digits_o.value) == (job.left > 0)
    if job.name in SCALARS or job.name in VERIFY:
        assert (int(dut.first_scalar_o.value), int(dut.second_scalar_o.value)) == job.scalars()
        assert (int(dut.scalar_o.value), int(dut.scalar_bits_o.value), bool(dut.misfit_o.value)) == job.walked()
        based = job.name in ("ecmul_base", *VERIFY, *SIGN)
        assert bool(dut.base_first_o.value) == (based or (job.name == "ecmul2" and job.named("px", "py") == job.g))


@cocotb.test()
async def random_jobs(dut) -> None:
    rng, seen = random.Random(1), Counter()
    await begin(dut, edge=FallingEdge)
    for _ in range(JOBS):
        job = random_job(rng)
        dut.op_i.value, dut.option_i.value = OPERATIONS[job.name]["opcode"], job.option
        dut.operands_i.value = sum(number << WIDTH * i for i, number in enumerate(job.numbers.values()))
        dut.results_i.value = 0
        dut.gx_i.value, dut.gy_i.value = job.g
        dut.digits_i.value, dut.field_bits_i.value, dut.order_bits_i.value = job.digits, job.field_bits, job.order_bits
        await pulse(dut, "start_i", edge=FallingEdge)
        await compare(dut, job, True)
        seen[job.name, job.option, "first"] += 1
        for _ in range(STEPS):
            unit, operand = rng.choice(job.units()), rng.getrandbits(WIDTH)
            job.results = rng.getrandbits(WIDTH), rng.getrandbits(WIDTH)
            dut.results_i.value = job.results[0] | job.results[1] << WIDTH
            dut.unit_i.value, dut.operand_i.value = UNITS[unit], operand
            await pulse(dut, "unit_start_i", edge=FallingEdge)
            job.start(unit, operand)
            await compare(dut, job, unit in ("first", "second"))
            seen[job.name, job.option, unit] += 1
        await pulse(dut, "wipe_i", edge=FallingEdge)
        assert int(dut.e_o.value) == 0
        assert job.name == "ecmul2" or int(dut.second_scalar_o.value) == 0
    assert len(seen) == 65, "not every unit in every job"


def test_pm_multicurve_numbers() -> None:
    simbuild.run_cocotb("pm_multicurve_numbers", "hw/multicurve/multicurve.f", __name__, expect=1)
