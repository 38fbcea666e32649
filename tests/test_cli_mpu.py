# SPDX-License-Identifier: Apache-2.0
"""Client and commands of `mpu` on the simulated core: against the golden model, the core `multicurve`, published
vectors and cryptography; and deliberate defects of the client."""

from __future__ import annotations

import json
import os
import random
import types
from math import gcd
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from driver import curve_lines
from driver.curve_lines import TOY, Run, run, wanted, without_cycles
from dv.common.planted import planted
from pointmill import cli, mpu_device
from pointmill.client import DeviceError, Error
from pointmill.commands.curve_lines import MPU_MAKERS
from pointmill.curve_device import CurveJob, CurveResult, load_job
from pointmill.curves import Curve, by_name, from_params, is_prime, known
from pointmill.library import SW
from pointmill.model.weierstrass import multiply
from pointmill.mpu_device import BITS, MpuDevice
from vectors import ec_vectors
from vectors.ec_cases import EcCase

CORE = ("--core", "mpu")
P256 = by_name("P-256")
SHORT = by_name("secp160r1")
MODULI = (3, 15, 251, 2**32 - 5, 2**32 + 15, P256.n, 2**255 - 19, 2**521 - 1, 2**704 - 1)


def params(curve: Curve) -> dict[str, str]:
    """A curve as a line has it."""
    numbers = {"p": curve.p, "a": curve.a, "b": curve.b, "n": curve.n, "gx": curve.g and curve.g[0],
               "gy": curve.g and curve.g[1]}
    return {name: f"{number:x}" for name, number in numbers.items() if number is not None}


def random_curve(rng: random.Random, bits: int) -> Curve:
    """A curve of a prime of so many bits, and a point on it; its order is unknown."""
    p = rng.getrandbits(bits) | 1 << (bits - 1) | 1
    while not is_prime(p):
        p += 2
    a, x, y = (rng.randrange(1, p) for _ in range(3))
    return Curve(f"random {bits}", p, a, (y * y - (x * x + a) * x) % p, None, (x, y))


# ---- products

@pytest.mark.parametrize(("names", "count"), [
    (("secp160r1", "brainpoolP160t1"), 7),
    pytest.param(("secp160r1", "brainpoolP160t1"), 14, marks=pytest.mark.long),
    pytest.param(("P-192", "secp256k1", "brainpoolP192t1", "P-256"), 28, marks=pytest.mark.long)],
    ids=["few", "short", "whole"])
def test_products_on_named_curves(run: Run, names: tuple[str, ...], count: int) -> None:
    """Curves by turns, special scalars and others, of the base point and of another one: the results of `multicurve`.
    Each scalar on each curve; of few on one of them."""
    records, expected = curve_lines.products(names, 7)
    if count == 7:
        records, expected = ([whole[2 * index + index % 2] for index in range(7)] for whole in (records, expected))
    code, answers = run("ecmul", records, "--json", *CORE)
    assert code == 0 and len(answers) == count
    assert [without_cycles(answer) for answer in answers] == expected
    for name in names:  # the ladder takes one time for all scalars
        assert len({answer["cycles"] for answer in answers if answer["tag"].startswith(name)}) == 1
    _, others = run("ecmul", records)
    assert [without_cycles(answer) for answer in others] == expected


@pytest.mark.parametrize(("bits", "count"), [
    (160, 5), *(pytest.param(*one, marks=pytest.mark.long) for one in ((224, 13), (BITS, 33)))])
def test_every_named_curve(run: Run, bits: int, count: int) -> None:
    curves = [curve for curve in map(by_name, known()) if isinstance(curve, Curve) and curve.bits <= bits]
    rng = random.Random(2)
    scalars = [rng.randrange(curve.n) for curve in curves]
    code, answers = run("ecmul",
                        [{"curve": curve.name, "k": f"{k:x}"} for curve, k in zip(curves, scalars, strict=True)],
                        *CORE)
    assert code == 0 and len(answers) == len(curves) == count
    for tag, (curve, k, answer) in enumerate(zip(curves, scalars, answers, strict=True)):
        assert without_cycles(answer) == {"tag": tag, **wanted(curve, k, curve.g)}


@pytest.mark.parametrize(("bits", "count", "each"), [
    (256, 4, 1), *(pytest.param(*one, marks=pytest.mark.long) for one in ((256, 4, 2), (BITS, 7, 2)))])
def test_against_cryptography(run: Run, bits: int, count: int, each: int) -> None:
    """Public keys of random private keys on curves that OpenSSL has."""
    forms = {"P-224": ec.SECP224R1, "P-256": ec.SECP256R1, "P-384": ec.SECP384R1, "P-521": ec.SECP521R1,
             "secp256k1": ec.SECP256K1, "brainpoolP256r1": ec.BrainpoolP256R1,
             "brainpoolP512r1": ec.BrainpoolP512R1}  # fmt: skip
    rng = random.Random(3)
    forms = {name: form for name, form in forms.items() if by_name(name).bits <= bits}
    assert len(forms) == count
    for name, form in forms.items():
        keys = [rng.randrange(1, by_name(name).n) for _ in range(each)]
        code, answers = run("ecmul", [{"k": f"{key:x}"} for key in keys], "--curve", name, *CORE)
        assert code == 0 and len(answers) == each
        for key, answer in zip(keys, answers, strict=True):
            public = ec.derive_private_key(key, form()).public_key().public_numbers()
            assert (int(answer["rx"], 16), int(answer["ry"], 16)) == (public.x, public.y)


@pytest.mark.parametrize("count", [80, *(pytest.param(many, marks=pytest.mark.long) for many in (200, 64 * 18))])
def test_every_product_on_a_toy_curve(run: Run, tmp_path: Path, count: int) -> None:
    """Order 19; all points with scalars that fit, or some, with the order unknown, in a parameter file."""
    toy = {key: value for key, value in TOY.items() if key != "n"}
    curve = from_params(toy)
    points = [(x, y) for x in range(curve.p) for y in range(curve.p) if curve.contains(x, y)]
    file = tmp_path / "toy.json"
    file.write_text(json.dumps(toy))
    jobs = random.Random(6).sample([(k, point) for k in range(64) for point in points], count)
    code, answers = run("ecmul", [{"k": f"{k:x}", "px": f"{x:x}", "py": f"{y:x}"} for k, (x, y) in jobs],
                        "--params", str(file), *CORE)
    assert code == 0 and len(answers) == count
    for tag, ((k, point), answer) in enumerate(zip(jobs, answers, strict=True)):
        assert without_cycles(answer) == {"tag": tag, **wanted(curve, k, point)}


@pytest.mark.long
@pytest.mark.parametrize("lengths", [(BITS,), (545, 640, BITS)], ids=str)
def test_long_moduli(run: Run, tmp_path: Path, lengths: tuple[int, ...]) -> None:
    """Up to 704 bits, in the line and in a file; of more bits than `multicurve` has."""
    rng = random.Random(4)
    curves = [random_curve(rng, bits) for bits in lengths]
    scalars = [rng.getrandbits(curve.bits) for curve in curves]
    records = [{"k": f"{k:x}", "params": params(curve)} for curve, k in zip(curves, scalars, strict=True)]
    code, answers = run("ecmul", records, *CORE)
    assert code == 0 and len(answers) == len(lengths)
    for tag, (curve, k, answer) in enumerate(zip(curves, scalars, answers, strict=True)):
        assert without_cycles(answer) == {"tag": tag, **wanted(curve, k, curve.g)}
    file = tmp_path / "long.json"
    file.write_text(json.dumps(records[0]["params"]))
    code, again = run("ecmul", [{"k": records[0]["k"]}], "--params", str(file), *CORE)
    assert code == 0 and again == answers[:1]
    code, answers = run("ecmul", records)
    assert code == 1 and [answer["error"] for answer in answers] == ["malformed_job"] * len(lengths)
    too_long = {**records[-1]["params"], "b": "1" + "0" * (BITS // 4)}
    code, answers = run("ecmul", [{"k": "1", "params": too_long}, {"k": too_long["b"], "curve": "P-256"}], *CORE)
    assert code == 1
    assert [answer["detail"] for answer in answers] == ["params: b has more than 704 bits", "k has more than 704 bits"]


@pytest.mark.parametrize("every", [18, pytest.param(6, marks=pytest.mark.long)])
def test_bad_items_among_good_ones(run: Run, every: int) -> None:
    """Each gets the error that `multicurve` gives it, and every good one its result: one of so many on a long curve."""
    no_base = {key: TOY[key] for key in "pab"}
    records: list[dict[str, Any] | str] = [
        "{", "[]", {}, {"k": 5}, {"k": "0x5"}, {"k": ""}, {"k": "4" + "0" * 40}, {"k": "2", "px": "1"},
        {"k": "2", "px": "1", "py": "1"}, {"k": "4" + "0" * 40, "px": "1", "py": "1"},
        {"k": "2", "px": f"{SHORT.p + SHORT.g[0]:x}", "py": f"{SHORT.g[1]:x}"},
        {"k": "2", "px": f"{SHORT.g[0]:x}", "py": f"{SHORT.p + SHORT.g[1]:x}"},
        {"k": "2", "curve": "P-257"}, {"k": "2", "curve": "X448"}, {"k": "2", "curve": "X25519"},
        {"k": "2", "curve": 5}, {"k": "2", "curve": "P-192", "params": TOY}, {"k": "2", "params": []},
        {"k": "2", "params": {"p": "b"}}, {"k": "2", "params": no_base}, {"k": "2", "tag": 1.5},
        {"k": "2", "params": {"p": "b", "A": "6"}},
        *({"k": "2", "params": {**TOY, **change}} for change in (
            {"p": "10"}, {"p": "1"}, {"p": "0"}, {"a": "11"}, {"b": "11"}, {"a": "0", "b": "0"}, {"gy": "2"},
            {"gx": "11"}, {"gy": "11"}, {"gy": "2", "n": "12"}, {"gx": "11", "n": "12"},
            {"a": "0", "b": "0", "n": "1"}, {"gy": "2", "p": "10"})),
        {"k": "2", "px": "5", "py": "1", "params": {**TOY, "gy": "2"}},
    ]
    toy = from_params(TOY)
    goods = [{"k": "2", "tag": "good"}, *[{"k": "2", "tag": "good", "params": TOY}] * (every - 1)]
    doubles = [{"tag": "good", **wanted(curve, 2, curve.g)} for curve in (SHORT, *[toy] * (every - 1))]
    goods, doubles = (some * (len(records) // every) for some in (goods, doubles))
    lines = [line for pair in zip(records, goods, strict=True) for line in pair]
    words = ("--curve", "secp160r1")
    code, answers = run("ecmul", lines, *words, *CORE)
    assert code == 1 and len(answers) == 2 * len(records) == 72
    assert all(answer.keys() == {"tag", "error", "detail"} for answer in answers[::2])
    assert [without_cycles(answer) for answer in answers[1::2]] == doubles
    assert {answer["error"] for answer in answers[::2]} == {
        "malformed_job", "modulus_not_odd", "parameter_out_of_range", "singular_curve", "invalid_point",
        "scalar_out_of_range"}
    _, others = run("ecmul", lines, *words)
    assert others[::2] == answers[::2]
    # Whatever is given as an order serves no scalar multiplication.
    code, answers = run("ecmul", [{"k": "2", "params": {**TOY, "n": n}} for n in ("0", "1", "12", TOY["n"])], *CORE)
    assert code == 0 and len({answer["rx"] for answer in answers}) == 1


@pytest.mark.parametrize(("every", "count"), [(2, 26), pytest.param(1, 52, marks=pytest.mark.long)])
def test_composite_moduli(run: Run, every: int, count: int) -> None:
    """What the core computes there is on the curve or is rejected; every point can be the base."""
    curve = Curve("composite", 77, 1, 1)
    points = [(x, y) for x in range(77) for y in range(77) if curve.contains(x, y)][::every]
    code, answers = run("ecmul", [{"k": "5", "px": f"{x:x}", "py": f"{y:x}", "params": params(curve)}
                                  for x, y in points], *CORE)
    assert code == 1 and len(answers) == len(points) == count
    refused = [answer for answer in answers if "error" in answer]
    assert {answer["error"] for answer in refused} == {"result_off_curve"} and 0 < len(refused) < count
    assert all("r_infinity" in answer or curve.contains(int(answer["rx"], 16), int(answer["ry"], 16))
               for answer in answers if "error" not in answer)
    with MpuDevice() as device:
        loads = device.batch([load_job(Curve("composite", 77, 1, 1, None, point)) for point in points])
    assert [answer.reason for answer in loads] == ["ok"] * count


# ---- modular arithmetic

def residue(mod: int, op: str, a: int, b: int) -> int | None:
    """The right answer; None for none."""
    if op == "inv":
        return pow(a, -1, mod) if gcd(a, mod) == 1 else None
    return {"add": a + b, "sub": a - b, "mul": a * b, "reduce": a}[op] % mod


def check_modarith(run: Run, jobs: list[tuple[int, str, int, int]], *words: str) -> None:
    """Runs jobs, and compares each answer."""
    records = [{"mod": f"{mod:x}", "op": op, "a": f"{a:x}", "b": f"{b:x}"} for mod, op, a, b in jobs]
    _, answers = run("modarith", records, *words)
    assert len(answers) == len(jobs)
    for tag, (job, answer) in enumerate(zip(jobs, answers, strict=True)):
        right = residue(*job)
        if right is None:
            assert answer == {"tag": tag, "error": "not_invertible", "detail": "there is no inverse"}
        else:
            assert without_cycles(answer) == {"tag": tag, "r": f"{right:0{2 * -(-job[0].bit_length() // 8)}x}"}


@pytest.mark.parametrize(("every", "count", "shorter"), [
    (2, 100, 40), pytest.param(1, 180, 80, marks=pytest.mark.long)])
def test_modular_arithmetic(run: Run, every: int, count: int, shorter: int) -> None:
    """Operands of 704 bits and below, on moduli of one digit to 22."""
    rng = random.Random(5)
    jobs = [(mod, op, a, b) for mod in MODULI[::every] for op in ("add", "sub", "mul", "inv", "reduce")
            for a, b in ((rng.getrandbits(BITS), rng.getrandbits(BITS)), (mod - 1, mod), (0, 2**BITS - 1),
                         (rng.randrange(mod), rng.randrange(mod)))]
    assert len(jobs) == count
    check_modarith(run, jobs, *CORE)
    short = [job for job in jobs if max(job[0], *job[2:]).bit_length() <= 544]
    assert len(short) == shorter
    check_modarith(run, short)


@pytest.mark.parametrize(("moduli", "count"), [((3, 9), 576), pytest.param((3, 9, 15), 1584, marks=pytest.mark.long)])
def test_every_pair_modulo_small_numbers(run: Run, moduli: tuple[int, ...], count: int) -> None:
    """Beyond the modulus too."""
    jobs = [(mod, op, a, b) for mod in moduli for op in ("add", "sub", "mul", "inv", "reduce")
            for a in range(mod + 3) for b in (range(mod + 3) if op in ("add", "sub", "mul") else [0])]
    assert len(jobs) == count
    check_modarith(run, jobs, *CORE)


def test_bad_arithmetic_among_good(run: Run) -> None:
    refused = [{"mod": "f", "op": "inv", "a": "a"}, {"mod": "b", "op": "inv", "a": "16"},
               {"mod": "8", "op": "add", "a": "1", "b": "1"}, {"mod": "1", "op": "reduce", "a": "1"},
               {"mod": "0", "op": "mul", "a": "1", "b": "1"}, {"mod": "b", "op": "div", "a": "1", "b": "1"},
               {"mod": "b", "op": "add", "a": "1"}, {"op": "add", "a": "1", "b": "1"}, "?", {"mod": "b", "a": "1"}]
    lines = [line for record in refused for line in (record, {"mod": "b", "op": "mul", "a": "7", "b": "9"})]
    code, answers = run("modarith", lines, *CORE)
    assert code == 1 and len(answers) == 20
    assert [answer["error"] for answer in answers[::2]] == ["not_invertible"] * 2 + ["modulus_not_odd"] * 3 + [
        "malformed_job"] * 5
    assert [answer["r"] for answer in answers[1::2]] == ["08"] * 10
    _, others = run("modarith", lines)
    assert others[::2] == answers[::2]
    code, answers = run("modarith", [{"mod": "b", "op": "reduce", "a": "1" + "0" * 176}], *CORE)
    assert code == 1 and answers[0]["detail"] == "a has more than 704 bits"


# ---- published vectors

def check_vectors(run: Run, cases: list[EcCase]) -> None:
    """Runs cases of operation ecmul, and compares each answer."""
    records = []
    for case in sorted(cases, key=lambda case: case.curve.name):
        values = {name: f"{case.values[name]:x}" for name in ("k", "px", "py") if name in case.values}
        records.append(({**values, "params": params(case.curve)}, case.values))
    _, answers = run("ecmul", [record for record, _ in records], *CORE)
    assert len(answers) == len(cases)
    for (record, values), answer in zip(records, answers, strict=True):
        names = ["r_infinity"] if values.get("r_infinity") else ["rx", "ry"]
        found = [answer.get(name) for name in names]
        right = [True] if values.get("r_infinity") else [
            f"{values[name]:0{len(record['params']['p']) + 1 & -2}x}" for name in names]
        assert found == right, (record, answer)


def products(found: ec_vectors.EcVectors) -> list[EcCase]:
    return [case for case in found.cases if case.operation == "ecmul"]


@pytest.mark.parametrize(("every", "bits", "count"), [
    (52, 256, 5), *(pytest.param(*one, marks=pytest.mark.long) for one in ((52, BITS, 7), (1, BITS, 360)))])
def test_vectors_of_the_packages(run: Run, every: int, bits: int, count: int) -> None:
    cases = [case for case in ec_vectors.sample(products(ec_vectors.package_cases()), every) if case.curve.bits <= bits]
    assert len(cases) == count
    check_vectors(run, cases)


@pytest.mark.parametrize("every", [524, pytest.param(1, marks=pytest.mark.long)])
def test_vectors_of_the_folder(run: Run, vectors_dir: Path, every: int) -> None:
    """A sample of each file has its shortest curve."""
    whole = sorted(products(ec_vectors.folder_cases(vectors_dir)), key=lambda case: case.curve.bits)
    cases = ec_vectors.sample(whole, every)
    assert len(whole) >= 1422 and len(cases) * every >= len(whole)
    assert every > 1 or {case.curve.p for case in cases} == {
        curve.p for curve in map(by_name, known()) if isinstance(curve, Curve) and curve.cofactor == 1}
    check_vectors(run, cases)


# ---- the device

def test_info_and_registers(capsys: pytest.CaptureFixture[str]) -> None:
    """As the registers of the core have them."""
    assert cli.main(["info", "--json", *CORE]) == 0
    (info,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert info == {"device": "sim", "core": "mpu", "config": "full", "name": "PMMP", "version": "0.2.0",
                    "width": 704, "entries": 16, "digit": 32}
    assert cli.main(["regs", "--json", *CORE]) == 0
    registers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(registers) == 16 and not any("error" in register for register in registers)
    assert registers[2]["register"] == "CONFIG" and registers[2]["value"] == "201002c0"


@pytest.mark.parametrize(("words", "reason", "text"), [
    (["ecmul", "-", "--config", "fast"], "usage", "configuration fast of the core mpu is none; there is full"),
    (["ecmul", "-", "--curve", "X25519"], "usage", "X25519 is no short Weierstrass curve"),
    (["ecmul", "-", "--curve", "P-257"], "usage", "no curve P-257"),
    (["ecdh", "-"], "usage", "unrecognized arguments: --core mpu"),
    (["ecmul", "-", "--settings", "idle=1"], "device_error",
     "sim: the configuration is malformed or not built in: no setting 'idle=1'; known are module, modules"),
    (["regs", "--device", "uio", "--settings", "mhz"], "device_error", "uio: no setting 'mhz'; known are device, mhz"),
    (["regs", "--device", "uio", "--settings", "mhz=x"], "device_error", "uio: mhz is no number: 'x'"),
    (["regs", "--device", "uio", "--settings", "mhz=0"], "device_error",
     "uio: a pointer is null or a value is outside its range: setting mhz=0: the clock of the core in MHz is wanted"),
    (["info", "--device", "uio", "--settings", "device=/nonexistent"], "device_error",
     "uio: the operating system rejected access to the device, or the line to it is broken: /nonexistent: No such file "
     "or directory; is the UIO driver loaded?"),
    (["modarith", "/nonexistent"], "input_error", "/nonexistent: ")])
def test_errors_that_end_a_command(words: list[str], reason: str, text: str,
                                   capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main([*(os.devnull if word == "-" else word for word in words), *CORE])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    (answer,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answer["reason"] == reason and answer["error"].startswith(text), answer


def test_a_device_that_fails_answers_every_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Products take longer than they may."""
    monkeypatch.setattr(mpu_device, "TIMEOUT", 20_000)
    records = [{"k": "2", "params": TOY}, {"k": "2", "curve": "P-256"}, {"k": "3", "params": TOY}]
    code, answers = run("ecmul", records, *CORE)
    assert code == 2 and len(answers) == 4
    assert [answer.get("error", "ok") for answer in answers[:3]] == ["ok", "aborted", "aborted"]
    assert answers[3]["reason"] == "device_error" and answers[3]["error"].startswith("sim: ")


def test_uio_on_a_file(tmp_path: Path) -> None:
    """Two mappings of a file in place of the device."""
    file = tmp_path / "uio"
    file.write_bytes(b"PMMP".ljust(8192, b"\0"))
    with MpuDevice(backend="uio", settings=f"device={file},mhz=1") as device:
        device.put(3, 2**704 - 1)
        assert device.get(3) == 2**704 - 1
    assert file.read_bytes()[4096 + 3 * 128:4096 + 4 * 128] == b"\xff" * 88 + bytes(40)
    file.write_bytes(b"PMED".ljust(8192, b"\0"))
    with pytest.raises(DeviceError) as raised:
        MpuDevice(backend="uio", settings=f"device={file}")
    assert raised.value.code == Error.DEVICE


def test_client() -> None:
    with pytest.raises(ValueError, match="no device 'fifo'"):
        MpuDevice(backend="fifo")
    with pytest.raises(ValueError, match="no configuration 'fast'"):
        MpuDevice("fast")
    with MpuDevice() as device:
        for job, text in ((CurveJob("check", (1, 2)), "no operation check"),
                          (CurveJob("ecmul", (1, 2, 3), flags=("secret",)), "no operation ecmul secret"),
                          (CurveJob("ecmul", (1, 2)), "takes k, px, py"), (CurveJob("ecmul_base", (1 << 704,)), "704"),
                          (CurveJob("ecmul_base", (-1,)), "negative"),
                          (CurveJob("modarith", (3, 1, 1), "div"), "no option div")):
            with pytest.raises(ValueError, match=text):
                device.batch([job])
        for address, code in ((2, Error.ADDRESS), (256, Error.ADDRESS), (0xfc, Error.BUS)):
            with pytest.raises(DeviceError) as raised:
                device.read(address)
            assert raised.value.code == code
        seen: list[tuple[int, int]] = []
        toy = load_job(from_params(TOY))
        answers = device.batch([CurveJob("ecmul_base", (1,), tag="none"), toy, CurveJob("ecmul_base", (1,), tag="one")],
                               lambda done, total: seen.append((done, total)))
        assert [(answer.tag, answer.reason) for answer in answers] == [("none", "no_curve"), (None, "ok"),
                                                                       ("one", "ok")]
        assert seen == [(1, 3), (2, 3), (3, 3)] and answers[2].payload == (5, 1)
        # Another modulus takes the curve's place.
        answers = device.batch([CurveJob("modarith", (7, 3, 0), "inv"), CurveJob("ecmul_base", (1,)), toy,
                                CurveJob("modarith", (17, 3, 0), "inv"), CurveJob("ecmul_base", (2,))])
        assert [answer.reason for answer in answers] == ["ok", "no_curve", "ok", "ok", "ok"]
        assert (answers[0].payload, answers[3].payload) == ((5,), (6,))
        # The core is reset behind the client's back.
        assert device._lib.pm_mpu_reset(device._open) == Error.OK
        with pytest.raises(DeviceError, match="the core rejected add: no_modulus") as raised:
            device.batch([CurveJob("modarith", (17, 1, 2), "add", tag="lost"), toy])
        assert raised.value.code == Error.PROTOCOL
        assert [(answer.tag, answer.reason) for answer in raised.value.results] == [("lost", "aborted"),
                                                                                    (None, "aborted")]
        assert device.batch([CurveJob("modarith", (17, 1, 2), "add"), toy])[0].payload == (3,)
        assert device.run("affine_add", secret=True)[0] == "secret_refused"
        assert device.run("mul", dst1=3, dst2=3)[0] == "illegal_command"
    with pytest.raises(ValueError, match="closed"):
        device.get(0)
    assert MPU_MAKERS.keys() == {"ecmul", "modarith"}


# ---- deliberate defects

BUGS = {
    "scalar in another entry": ('(ENTRIES["k"], k)):', '(9, k)):'),
    "flags of infinity stay": ("        self.put_infinity(0)\n", ""),
    "length of scalars stays": ("self.put_scalar_bits(bits)\n        return",
                                "bits and self.put_scalar_bits(bits)\n        return"),
    "infinity of another buffer": ("self.infinity() >> PRODUCT & 1", "self.infinity() >> 3 & 1"),
    "base point not checked": ('if reason == "ok" and curve.g is not None:', "if False:"),
    "base point of no field": ('if reason == "result_off_curve":', "if False:"),
    "reason of a coordinate": ('"invalid_point" if reason == "operand_out_of_range" else reason', "reason"),
    "reason of a parameter": ('if reason == "operand_out_of_range":', "if False:"),
    "scalar not checked first": ("k.bit_length() > curve.bits + 1", "False"),
    "curve kept": ('if op in ("load_modulus", "load_curve"):', "if False:"),
    "modulus kept": ("if self._modulus != modulus:", "if self._modulus is None:"),
    "lowest digits alone": ("reversed(range(0, max(1, number.bit_length()), size))", "(0,)"),
    "lowest digits first": ("reversed(range(0, max(1, number.bit_length()), size))",
                            "range(0, max(1, number.bit_length()), size)"),
    "rest of a digit": ("-(-modulus.bit_length() // DIGIT) * DIGIT", "modulus.bit_length() // DIGIT * DIGIT + DIGIT"),
    "old residue": ("        self.put(entry, 0)\n", ""),
    "operand not reduced": ("if number < modulus and not always:", "if not always:"),
    "domain not left": ('            if op == "mul":\n', '            if op == "sub":\n'),
    "result of a refusal": ('(self.get(X),) if reason == "ok" else ()', "(self.get(X),)"),
    "cycles of the last operation": ("self._cycles += cycles", "self._cycles = cycles"),
    "tag lost": ("replace(answer, tag=job.tag)", "answer"),
}  # fmt: skip
"""What is replaced in the client, by what."""


def probe(client: type[MpuDevice]) -> list[CurveResult]:
    """Results that together show each of BUGS."""
    toy, odd = from_params(TOY), {"px": 5, "py": 1}
    rng = random.Random(6)
    some = [(x, y) for x in range(77) for y in range(77) if Curve("", 77, 1, 1).contains(x, y)][::4]
    with client() as device:
        def load(**changes: int) -> CurveJob:
            names = ("p", "a", "b", "gx", "gy", "n")
            values = dict(zip(names, (toy.p, toy.a, toy.b, *toy.g, toy.n), strict=True)) | changes
            return CurveJob("load_curve", tuple(values[name] for name in names))

        device.put_infinity(1)
        jobs = [load(), CurveJob("ecmul_base", (7,), tag="seven"), CurveJob("ecmul_base", (19,)),
                CurveJob("ecmul_base", (63,)), CurveJob("ecmul", (3, 4, 4)), CurveJob("ecmul", (64, 4, 4)),
                CurveJob("ecmul", (3, 22, 1)), CurveJob("ecmul", (64, *odd.values())), load(gy=2), load(n=18),
                load(a=17),
                load(gx=17), CurveJob("ecmul_base", (1,)),
                CurveJob("load_curve", (77, 1, 1, 0, 0, 0), "no_base"),
                *(CurveJob("ecmul", (5, *point)) for point in some),
                *(CurveJob("load_curve", (77, 1, 1, *point, 0)) for point in some),
                load(), *(CurveJob("modarith", (mod, rng.getrandbits(a), rng.getrandbits(a)), op)
                          for mod in (P256.n, 2**32 - 5, 2**63 - 25, 2**32 - 1) for a in (704, 31)
                          for op in ("mul", "add", "sub", "reduce", "inv")),
                CurveJob("modarith", (15, 5, 0), "inv"), CurveJob("ecmul_base", (1,))]
        return device.batch(jobs)


def variant(right: str, wrong: str) -> type[MpuDevice]:
    """The client with a text replaced."""
    text = (SW.parent / "pointmill" / "mpu_device.py").read_text(encoding="utf-8")
    module = types.ModuleType("pointmill.mpu_device_with_a_defect")
    module.__package__ = "pointmill"
    exec(planted(text, right, wrong), module.__dict__)
    return module.MpuDevice


@pytest.mark.parametrize("every", [10, *(pytest.param(step, marks=pytest.mark.long) for step in (5, 1))])
def test_deliberate_defects_are_found(every: int) -> None:
    """Each, or one of so many, changes an answer, or makes an error."""
    right = probe(variant("TIMEOUT = 5_000_000", "TIMEOUT = 5_000_001"))
    assert len(BUGS) == 20 and right == probe(MpuDevice)
    unseen, some = [], list(BUGS.items())[::every]
    assert len(some) == {10: 2, 5: 4, 1: 20}[every]
    for name, (text, wrong) in some:
        try:
            if probe(variant(text, wrong)) == right:
                unseen.append(name)
        except (DeviceError, ValueError):
            pass
    assert unseen == []
