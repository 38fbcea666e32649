# SPDX-License-Identifier: Apache-2.0
"""The bench: its arithmetic on the fake device, its workload, and the pages made of the records."""

from __future__ import annotations

import contextlib
import itertools
import random
from dataclasses import replace

import pytest

from driver.fake import fake_device, fake_job
from pointmill.cores import EDVERIFY
from pointmill.curve_device import CurveJob
from pointmill.curves import Curve, by_name
from pointmill.device import Device
from pointmill.measure import records
from pointmill.measure.benches import bulk, edverify, flow, load, mpu, multicurve, throughput
from pointmill.measure.records import Record
from pointmill.model import ed25519
from pointmill.model.weierstrass import add, multiply
from pointmill.report import exchange_page, mpu_page, multicurve_page, render, tile_page
from pointmill.report.figures import Figures, committed
from pointmill.ucode import dual, images
from pointmill.ucode.build import build, link


def test_steady_state_of_a_known_device() -> None:
    """The fake core takes 70 cycles for each job, one after the other."""
    rng = random.Random(1)
    jobs = [fake_job(rng, 20) for _ in range(throughput.FEWEST + 7)]
    with fake_device(settings="latency=70") as device:
        steady = throughput.verify_steady(device, jobs, "zip215")
        assert steady.cycles == 70 and steady.products == 0 and steady.utilisation == 0
        assert steady.latency == [70] * len(jobs)


def test_a_refused_signature_stops_the_measurement() -> None:
    rng = random.Random(2)
    jobs = [fake_job(rng, 20, i != 40) for i in range(throughput.FEWEST)]
    with fake_device() as device, pytest.raises(RuntimeError, match=r"rejected jobs \[40\]"):
        throughput.verify_steady(device, jobs, "zip215")


def test_modes_that_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that a configuration has, with the share of its own multipliers; every configuration is measured."""
    monkeypatch.setattr(bulk, "Device", lambda config: contextlib.nullcontext(fake_device(settings="keys=3,batch=6")))
    monkeypatch.setattr(bulk, "jobs_of", lambda mode, count, seed: [])
    monkeypatch.setattr(bulk, "use_fixed_seed", lambda device, jobs: 0)
    steady = throughput.Steady(1000, 900, 0.9, [])
    monkeypatch.setattr(bulk, "verify_steady", lambda device, jobs, rule, edge: steady)
    found = {config: {record.id for record in bulk.measure(1, config)} for config in ("throughput", "tiles")}
    assert found == {"throughput": set(), "tiles": {"edverify.verify_cached"}}
    values = {record.what: record.value for record in bulk.measure(1, "tiles")}
    assert values == {"cycles_per_verification": 1000, "products": 900, "utilisation": 0.9, "dsp_cycles": 81_000}
    assert all(EDVERIFY.parameters[config].keys() & {*bulk.NEEDS.values()} or config in throughput.CONFIGS
               for config in EDVERIFY.parameters if config != edverify.CONFIG)


def test_workloads_of_bulk() -> None:
    """Eight keys that take turns; three times as many answers counted as left out."""
    jobs = bulk.jobs_of("cached", 10, 3)
    assert len(jobs) == 8 * bulk.EDGES["cached"] and len({job.pk for job in jobs}) == 8
    assert len({job.pk for job in jobs[5:13]}) == 8
    for job in jobs[:10]:
        assert ed25519.verify(bulk.MODES["cached"], job.pk, job.msg, job.sig).valid


@pytest.mark.long
def test_batches_take_the_same_time_again() -> None:
    """Whatever seed the driver wrote."""
    jobs = throughput.workload(192, 4)
    spent = []
    for _ in range(2):
        with Device(bulk.CONFIG) as device:
            device.set_mode("batch")
            before = bulk.use_fixed_seed(device, jobs), device.elapsed()
            assert all(result.valid for result in device.verify_batch(jobs, bulk.MODES["batch"]))
            spent.append((device.counters().muls - before[0], device.elapsed() - before[1]))
    assert spent[0] == spent[1] and min(spent[0]) > 192 * 1000


def test_workload_is_real_first_and_valid() -> None:
    jobs = throughput.workload(1030, 1)
    assert len({job.sig for job in jobs}) == 1030
    assert [len(job.msg) for job in jobs[:1024]] == list(range(1024))
    assert all(len(job.msg) <= 47 for job in jobs[1024:])
    for job in jobs[1020:]:
        assert ed25519.verify("libsodium", job.pk, job.msg, job.sig).valid


def test_unknown_words_are_refused() -> None:
    with pytest.raises(ValueError, match="speed is not one"):
        Record("edverify.verify", "paper", "speed", 1, "cycles")


def test_dsp_cycles_of_others() -> None:
    paper = records.published("edverify")
    assert paper["dsp_cycles"] == paper["total"][2] * paper["verify"]
    assert render.wiredancer() == 583_680


def test_tables_of_x25519() -> None:
    """The document has the figures of the records, and would have others if these changed."""
    found = committed()
    assert exchange_page.PAGE.read_text() == exchange_page.document(found), f"{exchange_page.PAGE.name}: make gen"
    key = ("x25519.x25519", "tile", "cycles_per_operation")
    found.by_key[key] = replace(found.by_key[key], value=7654321.0)
    assert exchange_page.document(found).count("7,654,321") == 1
    assert len(exchange_page.page_table(Figures([])).rows) == 1


def test_times_of_mpu() -> None:
    """The document has the times of the records, and would have others if they changed; without a routed clock none."""
    found = committed()
    assert mpu_page.PAGE.read_text() == mpu_page.document(found), f"{mpu_page.PAGE.name}: make gen"
    measured = [Record("mpu.mont_mul", "full", "cycles", 7_654_321, "cycles")]
    assert [*mpu_page.times(Figures(measured)).rows] == [["`mont_mul`, 704 bits", "7,654,321", ""]]
    routed = Figures([*measured, Record("pm_mpu", "ecp5 seed 1", "mhz", 80.0, "MHz")])
    assert mpu_page.document(routed).count("| 7,654,321 | 95,679.01 |") == 1
    assert mpu_page.document(routed).count("placed and routed, at 80.0 MHz:") == 1
    assert "On an ECP5-85, which was not routed:" in mpu_page.document(Figures(measured))


def test_readme_table() -> None:
    """A row for each core, with its figure or without, beside the published one; where it was routed, its rate at the
    median clock."""
    found = Figures([Record("multicurve.contexts", "", "cycles_mean", 11_715.4, "cycles"),
                     Record("mpu.affine_dq", "full", "cycles", 2672, "cycles"),
                     *(Record("pm_mpu", f"ecp5 seed {seed}", "mhz", mhz, "MHz")
                       for seed, mhz in ((1, 80.0), (2, 90.0), (3, 70.0))),
                     Record("pm_mpu", "ecp5 seed 1", "dsp", 122, "MULT18X18D"),
                     Record("pm_mpu", "ecp5 seed 1", "comb", 60_000, "TRELLIS_COMB")])
    lines = render.readme_table(found).splitlines()
    assert len(lines) == 6 and all(line.count("|") == 9 for line in lines)
    assert lines[2].endswith("| not measured | 9,777 | not routed |  |  |  |")
    assert lines[3].endswith("| 11,715 a P-256 scalar multiplication (`contexts`) | 14,539 | not routed |  |  |  |")
    assert lines[5].endswith("| 2,672 2P and 4P of an affine point (`full`) | 7,138 | 80.0 | 29,940 | 122 | 60,000 |")


def test_tile_table() -> None:
    """Time is cycles over the clock; a star for what no other one beats in area and time; empty where not measured."""
    figures = {2: (4000, 160, 10_000), 6: (2200, 160, 13_000), 7: (2000, 160, 12_000)}
    found = Figures([Record("sweep.tile", f"NumContexts={count}", what, value, what)
                     for count, values in figures.items()
                     for what, value in zip(("cycles_per_verification", "mhz", "comb"), values)])  # fmt: skip
    rows = {str(row[0]): row for row in tile_page.by_contexts(found).rows}
    assert rows.keys() == {"2 *", "3", "4", "5", "6", "7 *"}
    assert rows["7 *"][1:5] == [2000, "160.0", 12.5, 12_000] and rows["3"][1:5] == [None] * 4


def test_edverify_table() -> None:
    """Configurations side by side; what was not measured says so where it belongs, and stays empty elsewhere."""
    made = {("verify", "throughput"): {"cycles_per_verification": 2000, "utilisation": 0.9956,
                                       "cycles_alone": 18000},
            ("verify_cached", "bulk"): {"cycles_per_verification": 700, "utilisation": 0.97},
            ("verify_batch", "bulk"): {"cycles_per_verification": 1200, "utilisation": 0.9},
            ("verify", "latency"): {"cycles_per_verification": 2100, "utilisation": 0.98,
                                    "cycles_alone": 5500},
            ("verify", "paper"): {"cycles_per_verification": 7000, "utilisation": 0.42,
                                  "cycles_mean": 7001},
            ("verify", "tiles"): {"cycles_per_verification": 2300, "utilisation": 0.95},
            ("verify_cached", "tiles"): {"cycles_per_verification": 1100, "utilisation": 0.94},
            ("verify", "tiles_secret"): {"cycles_per_verification": 3200, "utilisation": 0.9},
            ("sign", "tiles_secret"): {"cycles_per_operation": 8000},
            ("core", "paper"): {"dsp": 81, "lut": 20000}, ("core", "bulk"): {"dsp": 81},
            ("core", "latency"): {"dsp": 81},
            ("core", "throughput"): {"dsp": 81}, ("core", "tiles"): {"dsp": 81},
            ("core", "tiles_secret"): {"dsp": 83},
            ("double_scalar", "paper"): {"cycles_mean": 5000.4}}
    found = Figures(Record(f"edverify.{name}", config, what, value, "")
                    for (name, config), values in made.items() for what, value in values.items())
    lines = render.edverify_table(found).splitlines()
    assert lines[0] == (
        "| `edverify` | `throughput` | `bulk`, cached keys | `bulk`, batches | `latency` | `tiles` | "
        "`tiles`, cached keys | `tiles_secret` | `paper` | published |")
    absent = "not measured"
    paces = "2,000 | 700 | 1,200 | 2,100 | 2,300 | 1,100 | 3,200 | 7,000 | 9,777"
    assert f"| clock cycles a verification | {paces} |" in lines
    shares = "99.6% | 97.0% | 90.0% | 98.0% | 95.0% | 94.0% | 90.0% | 42.0%"
    assert f"| share of the multiplier that is used | {shares} |  |" in lines
    assert f"| single-job latency, cycles | 18,000 |  |  | 5,500 | {absent} |  | {absent} | 7,001 |  |" in lines
    assert f"| cycles of a signature made | {absent} |  |  |  |  |  | 8,000 |  |  |" in lines
    assert "| DSP48E1 | 81 | 81 | 81 | 81 | 81 | 81 | 83 | 81 | 81 |" in lines
    assert f"| LUT (ours by Yosys, before placement) {f'| {absent} ' * 7}| 20,000 | 22,561 |" in lines
    assert f"| decompression, cycles |  |  |  |  |  |  |  | {absent} | 1,913 |" in lines
    products = "162,000 | 56,700 | 97,200 | 170,100 | 186,300 | 89,100 | 265,600 | 567,000 | 791,937"
    assert f"| DSP-cycles a verification | {products} |" in lines
    assert "| S*G - k*A, cycles |  |  |  |  |  |  |  | 5,000 | 6,174 |" in lines
    assert lines[-1].startswith("For comparison, Firedancer's wiredancer: 583,680 DSP-cycles")


# ---- cycles of the multiplier, latency against load ---------------------------------------------


def seen(**changes) -> dict:
    """What flow.cpp says of a run without any event, with changes."""
    empty = {"words": [[0] * 1024, [0] * 1024], "scalar": [[0] * 1024, [0] * 1024], "free": 0,
             "idle": {"held": 0, "none_due": 0, "no_job": 0}, "cycles": 0, "products": 0}  # fmt: skip
    return empty | changes


def test_every_cycle_has_one_class() -> None:
    _, _, _, rom = build("edverify", "halfsize", "throughput")
    wait = rom.labels["walk_wait"]
    product = next(i for i, word in enumerate(rom.words) if word.get("mul_en"))
    neither = next(i for i, word in enumerate(rom.words) if not word.get("mul_en") and i != wait)
    words, scalar = ([[0] * 1024, [0] * 1024] for _ in range(2))
    words[1][product] = 10
    words[0][neither], words[0][wait], words[1][wait] = 4, 8, 16
    scalar[0][neither], scalar[1][wait] = 1, 2
    idle = {"held": 32, "none_due": 64, "no_job": 128}
    cycles = 10 + 4 + 8 + 16 + 5 + 32 + 64 + 128
    given = seen(words=words, scalar=scalar, free=5, idle=idle, cycles=cycles, products=18)
    classes, butterfly = flow.classify("throughput", given)
    assert classes == {"word_product": 10, "scalar_product": 8, "no_product": 3, "wait_digest": 8,
                       "wait_unit": 14, "held": 32, "spacing": 64, "no_job": 128}  # fmt: skip
    assert butterfly == sum(
        count for address, count in ((product, 10), (neither, 4))
        if flow.uses_butterfly(rom.words[address]))
    for wrong in ({"cycles": cycles + 1}, {"products": 17}, {"free": 6}):
        with pytest.raises(RuntimeError, match="are not"):
            flow.classify("throughput", given | wrong)


def test_waits_of_a_program() -> None:
    """In `paper` one word waits for the digest, others for units; in `throughput` one word waits."""
    assert flow.waits("throughput").count("wait_unit") == 1
    assert flow.waits("throughput").count("wait_digest") == 0
    assert flow.waits("paper").count("wait_digest") == 1
    assert flow.waits("paper").count("wait_unit") == 1


def test_arrivals() -> None:
    assert load.arrivals("fixed", 10.5, 4, 1) == [0, 10, 21, 32]
    made = load.arrivals("random", 100, 20_001, 1)
    assert made == sorted(made) and made == load.arrivals("random", 100, 20_001, 1)
    steps = [b - a for a, b in itertools.pairwise(made)]
    assert 98 < sum(steps) / 20_000 < 102
    assert 0.35 < sum(step > 100 for step in steps) / 20_000 < 0.39  # 1 / e


def test_percentile() -> None:
    assert load.summary(list(range(1, 101))) == load.Latency(50.5, 95, 100)
    assert load.summary([7]) == load.Latency(7, 7, 7)


# ---- multicurve -----------------------------------------------------------------------------------


def walked(k: int, lengths: dict[str, int], rest: int, inversion: int = 514) -> multicurve.Seen:
    """What the probe sees of a product on P-256 by non-adjacent form whose blocks take `lengths`."""
    names = multicurve.operations(by_name("P-256"), "paper", k)
    blocks = {name: multicurve.Spent(names.count(name), names.count(name) * lengths[name], 0) for name in names}
    cycles = sum(map(lengths.__getitem__, names)) + rest + inversion + 1 + 3 * multicurve.BEATS
    return multicurve.Seen(CurveJob("ecmul", (k, 1, 2)), "ok", cycles, (), [inversion], {8: 1}, blocks)


LENGTHS = {"walk_set": 2, "walk_set_minus": 2, "walk_double_m3": 36, "walk_add_m3": 96, "walk_sub_m3": 96,
           "walk_last": 65}


def test_products_of_known_blocks() -> None:
    """A sum of the operations' cycles, and the mean with a third of the digits not 0; runs that disagree are
    refused."""
    curve, scalars = by_name("P-256"), [1, 0b10101, 0b1000111, 0b11110001]
    walks = multicurve.Walks(curve, "paper", [walked(k, LENGTHS, 50) for k in scalars])
    assert walks.cycles_of(0b1001) == 2 + 3 * 36 + 65 + 50
    assert walks.cycles_of(0b1001) - walks.cycles_of(0b1) == 3 * 36 + 65
    assert round(walks.mean([])) == 256 * (2 * 36 + 96) // 3 + 2 + 50
    other = LENGTHS | {"walk_add_m3": 97}
    for wrong in (walked(0b10101, other, 50), walked(0b1001, LENGTHS, 51)):
        with pytest.raises(RuntimeError, match="cycles"):
            multicurve.Walks(curve, "paper", [*(walked(k, LENGTHS, 50) for k in scalars), wrong])
    uneven = walked(0b10101, LENGTHS, 50)
    uneven.blocks["walk_add_m3"] = multicurve.Spent(2, 193, 0)
    with pytest.raises(RuntimeError, match="2 runs in 193 cycles"):
        uneven.length("walk_add_m3")


def test_packets_of_the_probe() -> None:
    data = multicurve.packet(CurveJob("ecdsa_sign", (1, 2, 3, 4)))
    assert len(data) == 10 * (1 + 4 * multicurve.BEATS)
    assert data[2] == 1 << list(multicurve.DATA["flags"]).index("secret")
    assert [data[i + 9] for i in range(0, len(data), 10)] == [0] * 36 + [1]


@pytest.mark.parametrize("machine", ["paper", "fast"])
def test_blocks_by_address(machine: str) -> None:
    """Each block is where its label is, and has as many words as its schedule."""
    found = multicurve.blocks_at(machine)
    programs = images.PROGRAMS["multicurve", machine]
    labels = link("multicurve", programs, machine).rom.labels
    for program in programs:
        for name, schedule in build("multicurve", program, machine)[2].items():
            at, words = labels[f"{program}.{name}"], len(dual.words(schedule))
            assert found[at : at + words] == [name] * words, (program, name)


def test_section_of_multicurve() -> None:
    """Published figures in a row of their own; what was not measured stays empty."""
    made = [Record("multicurve.P256_double", "paper", "cycles", 36, "cycles", 37),
            Record("multicurve.P256_whole", "fast", "cycles_mean", 5715.4, "cycles", 14539),
            Record("multicurve.P256_double", "paper", "utilisation", 0.8889, "ratio", 0.865),
            Record("multicurve.ecdsa_sign", "paper", "cycles", 22040, "cycles")]
    lines = multicurve_page.section(Figures(made)).splitlines()
    assert "| P-256 | `paper` |  | 36 |  |  |  |  |  |  |" in lines
    assert "| P-256 | `fast` |  |  |  |  |  | 5,715 |  |  |" in lines
    assert "| P-256 | published | 8 | 37 | 96 |  | 514 | 14,539 |  |  |" in lines
    assert "| P-256 | doubling | 88.9% |  | 86.5% |" in lines
    assert "| ECDSA signature, P-256 | 22,040 |  |" in lines


# ---- mpu ------------------------------------------------------------------------------------------


class Numbers:
    """A core `mpu` of integers: every operation takes as many cycles as its name has letters."""

    def __init__(self, wrong: str = "") -> None:
        self.memory, self.wrong = [0] * 16, wrong

    def put(self, entry: int, number: int) -> None:
        """Writes an entry."""
        self.memory[entry] = number

    def get(self, entry: int) -> int:
        """Reads one."""
        return self.memory[entry]

    def put_infinity(self, flags: int) -> None:
        """No point is at infinity."""

    put_scalar_bits = put_infinity

    def run(self, op: str, src1: int = 0, src2: int = 0, dst1: int = 0, dst2: int = 0,
            secret: bool = False) -> tuple[str, int]:
        """The operation on integers; with the name `wrong`, off by one. A secret one takes a cycle more."""
        p, a, b = (self.memory[mpu.ENTRIES[name]] for name in "pab")
        r, x, y = 1 << mpu.BITS, self.memory[src1], self.memory[src2]
        if op in ("affine_add", "affine_dq", "ecmul"):
            curve, inverse = Curve("", p, a, b), 1 if op == "ecmul" else pow(r, -1, p)
            points = [tuple(part * inverse % p for part in self.memory[2 * buffer : 2 * buffer + 2])
                      for buffer in (src1, src2)]
            made = {"affine_add": lambda: add(curve, *points), "affine_dq": lambda: multiply(curve, 2, points[0]),
                    "ecmul": lambda: multiply(curve, self.memory[mpu.ENTRIES["k"]], points[0])}[op]()
            self.memory[2 * dst1 : 2 * dst1 + 2] = [part * pow(inverse, -1, p) % p for part in made]
        elif op != "load_curve":
            self.memory[dst1] = {"add": lambda: (x + y) % p, "mul": lambda: x * y % r,
                                 "reduction": lambda: (x + y * r) * pow(r, -1, p) % p,
                                 "mont_mul": lambda: x * y * pow(r, -1, p) % p, "invert": lambda: pow(x, -1, p)}[op]()
        if op == self.wrong:
            self.memory[2 * dst1 if op in ("affine_add", "affine_dq", "ecmul") else dst1] ^= 1
        return "ok", len(op) + secret


OPERATIONS = ("add", "mul", "reduction", "mont_mul", "invert", "affine_add", "affine_dq", "ecmul")


def test_operations_of_mpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every result is compared: one that is wrong stops the measurement."""
    monkeypatch.setattr(mpu, "RUNS", 2)

    def measured(wrong: str = "") -> list[Record]:
        monkeypatch.setattr(mpu, "MpuDevice", lambda config: contextlib.nullcontext(Numbers(wrong)))
        return mpu.measure("full")

    found = {record.id: record for record in measured()}
    assert [*found] == [*(f"mpu.{op}" for op in OPERATIONS if op != "ecmul"), "mpu.ecmul_256", "mpu.ecmul_P-256"]
    assert found["mpu.mont_mul"].value == 8 and found["mpu.mont_mul"].published == 334
    assert found["mpu.ecmul_256"].published is None
    assert (found["mpu.ecmul_256"].value, found["mpu.ecmul_P-256"].value) == (5, 6)
    for op in OPERATIONS:
        with pytest.raises(RuntimeError, match=op):
            measured(op)
