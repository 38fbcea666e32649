# SPDX-License-Identifier: Apache-2.0
"""The commands of `multicurve` on the simulated core, against the golden models."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from driver.curve_lines import TOY, Run, products, run, wanted, without_cycles
from dv.multicurve.toy_curves import multiples, points, toy
from pointmill import cli
from pointmill.client import DeviceError, Error
from pointmill.commands import curve_lines
from pointmill.curve_device import CurveResult
from pointmill.curve_runner import Runner
from pointmill.curves import MontgomeryCurve, by_name, from_params
from pointmill.model import montgomery
from pointmill.model.weierstrass import add, multiply

P256 = by_name("P-256")


def test_products_on_named_curves(run: Run) -> None:
    """Four curves by turns, special scalars and others, of the base point and of another one."""
    records, expected = products(("P-192", "secp256k1", "brainpoolP192t1", "P-256"), 6)
    code, answers = run("ecmul", records, "--json")
    assert code == 0 and len(answers) == 24
    assert [without_cycles(answer) for answer in answers] == expected


def test_long_moduli(run: Run) -> None:
    names = ("P-384", "brainpoolP512r1", "P-521")
    code, answers = run("ecmul", [{"curve": name, "k": "1f3"} for name in names])
    assert code == 0 and len(answers) == 3
    for tag, (name, answer) in enumerate(zip(names, answers, strict=True)):
        curve = by_name(name)
        assert without_cycles(answer) == {"tag": tag, **wanted(curve, 0x1f3, curve.g)}


def test_every_product_on_a_toy_curve(run: Run, tmp_path: Path) -> None:
    """Order 19; all scalars of the bits of p, with the order unknown, in a parameter file."""
    params = {key: value for key, value in TOY.items() if key != "n"}
    curve = from_params(params)
    file = tmp_path / "toy.json"
    file.write_text(json.dumps(params))
    jobs = [(k, point) for k in range(32) for point in points(curve)]
    code, answers = run("ecmul", [{"k": f"{k:x}", "px": f"{x:x}", "py": f"{y:x}"} for k, (x, y) in jobs],
                        "--params", str(file))
    assert code == 0 and len(answers) == 32 * 18
    for tag, ((k, point), answer) in enumerate(zip(jobs, answers, strict=True)):
        assert without_cycles(answer) == {"tag": tag, **wanted(curve, k, point)}


def toy_params(order: int, n: int | None) -> dict[str, str]:
    """Parameters of a curve of `order` points, with n as its order, or none."""
    curve = toy(order, "any")
    numbers = {"p": curve.p, "a": curve.a, "b": curve.b, "gx": curve.g[0], "gy": curve.g[1], "n": n}
    return {name: f"{number:x}" for name, number in numbers.items() if number is not None}


@pytest.mark.parametrize(("core", "step"), [
    ("multicurve", 3), ("mpu", 9), *(pytest.param(*one, marks=pytest.mark.long) for one in (
        ("multicurve", 1), ("mpu", 6), ("mpu", 1)))])
def test_products_whatever_the_order(run: Run, core: str, step: int) -> None:
    """Even, 1, 0 or no order given; points of order 2, infinity on the way; against affine additions."""
    lines, expected = [], []
    for order in (8, 12, 16, 19):
        for n in (order, 1, 0, None):
            params = toy_params(order, n)
            for point in points(toy(order, "any"))[::3]:
                table = multiples(toy(order, "any"), point)
                for k in (0, 1, 2, 3, len(table) - 1, len(table), len(table) + 1, order - 1, order, order + 1):
                    lines.append({"params": params, "k": f"{k:x}", "px": f"{point[0]:x}", "py": f"{point[1]:x}"})
                    expected.append(table[k % len(table)])
    assert len(lines) == 720
    lines, expected = lines[::step], expected[::step]
    _, answers = run("ecmul", lines, "--core", core)
    got = [None if answer.get("r_infinity") else (int(answer["rx"], 16), int(answer["ry"], 16)) for answer in answers]
    assert got == expected and len(got) == 720 // step


def test_sums_whatever_the_order(run: Run) -> None:
    lines, expected = [], []
    for order in (8, 12, 16):
        some = points(toy(order, "any"))
        table = {point: multiples(toy(order, "any"), point) for point in some}
        for p, q in zip(some, some[::-1], strict=True):
            for u in range(0, 8, 3):
                for v in range(1, 8, 2):
                    lines.append({"params": toy_params(order, order), **{name: f"{number:x}" for name, number in zip(
                        ("u", "px", "py", "v", "qx", "qy"), (u, *p, v, *q), strict=True)}})
                    first, second = table[p][u % len(table[p])], table[q][v % len(table[q])]
                    expected.append(add(toy(order, "any"), first, second))
    _, answers = run("ecmul2", lines)
    got = [None if answer.get("r_infinity") else (int(answer["rx"], 16), int(answer["ry"], 16)) for answer in answers]
    assert got == expected and len(got) == 396


def test_every_pair_of_coordinates(run: Run) -> None:
    """Those from p on too; a refused point costs the other lines nothing."""
    curve = from_params(TOY)
    pairs = [(x, y) for x in range(20) for y in range(20)]
    code, answers = run("pubkey-check", [{"qx": f"{x:x}", "qy": f"{y:x}", "params": TOY} for x, y in pairs])
    assert code == 1 and len(answers) == 400
    for (x, y), answer in zip(pairs, answers, strict=True):
        assert (answer["valid"], answer["reason"]) == ((True, "ok") if curve.contains(x, y)
                                                       else (False, "invalid_point"))
    assert sum(answer["valid"] for answer in answers) == 18
    code, answers = run("pubkey-check", [{"qx": f"{P256.g[0]:x}", "qy": f"{P256.g[1]:x}"}], "--curve", "P-256")
    assert code == 0 and answers[0]["valid"]


def test_bad_items_among_good_ones(run: Run) -> None:
    """Each gets its error, also where the core itself refuses a curve, and every good one its result."""
    bad: list[tuple[dict[str, Any] | str, str, str]] = [
        ("{", "malformed_job", "not JSON: "),
        ("[]", "malformed_job", "not a JSON object"),
        ({}, "malformed_job", "k is missing"),
        ({"k": 5}, "malformed_job", "k is not a string of hex digits"),
        ({"k": "0x5"}, "malformed_job", "k is not a string of hex digits"),
        ({"k": ""}, "malformed_job", "k is not a string of hex digits"),
        ({"k": "1" + "0" * 136}, "malformed_job", "k has more than 544 bits"),
        ({"k": "4" + "0" * 64}, "scalar_out_of_range", "the scalar "),
        ({"k": "2", "px": "1"}, "malformed_job", "py is missing"),
        ({"k": "2", "px": "1", "py": "1"}, "invalid_point", "the point "),
        ({"k": "2", "px": f"{P256.p + P256.g[0]:x}", "py": f"{P256.g[1]:x}"}, "invalid_point", "the point "),
        ({"k": "2", "curve": "P-257"}, "malformed_job", "no curve P-257"),
        ({"k": "2", "curve": "X448"}, "malformed_job", "X448 is no short Weierstrass curve"),
        ({"k": "2", "curve": 5}, "malformed_job", "curve is not a name"),
        ({"k": "2", "curve": "P-192", "params": TOY}, "malformed_job", "curve and params exclude"),
        ({"k": "2", "params": []}, "malformed_job", "params is not an object"),
        ({"k": "2", "params": {"p": "b"}}, "malformed_job", "params: a, b is missing"),
        ({"k": "2", "params": {**TOY, "name": ["toy"]}}, "malformed_job", "params: name is not a string"),
        ({"k": "2", "params": {"p": "b", "a": "1", "b": "1"}}, "malformed_job", "the parameters have no base"),
        ({"k": "2", "params": {**TOY, "p": "10"}}, "modulus_not_odd", "the modulus "),
        ({"k": "2", "params": {**TOY, "a": "11"}}, "parameter_out_of_range", "a parameter "),
        ({"k": "2", "params": {**TOY, "a": "0", "b": "0"}}, "singular_curve", "the curve "),
        ({"k": "2", "params": {**TOY, "gy": "2"}}, "invalid_point", "the point "),
        ({"k": "2", "tag": 1.5}, "malformed_job", "tag is neither"),
    ]
    records = [r for record, _, _ in bad for r in (record, {"k": "2", "tag": "good"})]
    code, answers = run("ecmul", records, "--curve", "P-256")
    assert code == 1 and len(answers) == 2 * len(bad) == 48
    for index, ((_, reason, detail), answer) in enumerate(zip(bad, answers[::2], strict=True)):
        assert (answer["tag"], answer["error"]) == (2 * index, reason), answer
        assert answer["detail"].startswith(detail) and answer.keys() == {"tag", "error", "detail"}
    double = {"tag": "good", **wanted(P256, 2, P256.g)}
    assert [without_cycles(answer) for answer in answers[1::2]] == [double] * len(bad)


@given(st.sampled_from(list(curve_lines.MAKERS)), st.binary(max_size=60))
@settings(max_examples=200, deadline=None)
def test_no_line_is_too_strange(command: str, line: bytes) -> None:
    item = curve_lines.parse_line(command, line, 3, None)
    assert item.job is None and item.error


def test_ladders(run: Run) -> None:
    """RFC 7748, section 5.2, and a coordinate of small order."""
    rng = random.Random(2)
    first = {"x25519": ("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"),
             "x448": ("3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121700a779c984c24f8cdd78fbff44943eb"
                      "a368f54b29259a4f1c600ad3",
                      "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9814dc031ddbdc38c19c6da2583fa5429"
                      "db94ada18aa7a7fb4ef8a086",
                      "ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239fe14fbaadeb445fc66a01b0779d982239"
                      "61111e21766282f73dd96b6f")}  # fmt: skip
    for command, (k, u, out) in first.items():
        curve = by_name(command)
        assert isinstance(curve, MontgomeryCurve)
        other, top = rng.randbytes(curve.bytes), b"\xff" * curve.bytes
        records: list[dict[str, Any] | str] = [
            {"k": k, "u": u}, {"k": k, "u": "00" * curve.bytes}, {"k": k}, {"k": k[2:], "u": u},
            {"k": other.hex(), "u": top.hex()}]
        words = ("--core", "multicurve") if command == "x25519" else ()
        code, answers = run(command, records, *words)
        assert code == 1 and len(answers) == 5
        assert without_cycles(answers[0]) == {"tag": 0, "out": out, "all_zero": False}
        assert without_cycles(answers[1]) == {"tag": 1, "out": "00" * curve.bytes, "all_zero": True}
        assert answers[2] == {"tag": 2, "reason": "malformed_job", "error": "u is missing"}
        assert answers[3]["error"] == f"k has {curve.bytes - 1} bytes, not {curve.bytes}"
        assert answers[4]["out"] == montgomery.xdh(curve, other, top).hex()
        # Each directly behind the load of its curve: what a secret job leaves may hold up the start of the next.
        alone = [run(command, [record], *words)[1][0] for record in (*records[:2], records[4])]
        assert len({answer["cycles"] for answer in alone}) == 1


def test_modular_arithmetic(run: Run) -> None:
    rng = random.Random(3)
    moduli = [3, 15, 251, 2**255 - 19, P256.n, 2**521 - 1, 2**544 - 1]
    records, expected = [], []
    for mod in moduli:
        a, b = rng.getrandbits(544), rng.getrandbits(mod.bit_length() - 1)
        for op, r in (("add", a + b), ("sub", a - b), ("mul", a * b), ("reduce", a)):
            records.append({"mod": f"{mod:x}", "op": op, "a": f"{a:x}", "b": f"{b:x}"})
            expected.append(f"{r % mod:0{2 * -(-mod.bit_length() // 8)}x}")
    for mod in moduli[2:6]:
        a = rng.randrange(1, mod)
        records.append({"mod": f"{mod:x}", "op": "inv", "a": f"{a:x}"})
        expected.append(f"{pow(a, -1, mod):0{2 * -(-mod.bit_length() // 8)}x}")
    code, answers = run("modarith", records)
    assert code == 0 and len(answers) == 32
    assert [without_cycles(answer) for answer in answers] == [
        {"tag": tag, "r": r} for tag, r in enumerate(expected)]
    refused = [({"mod": "f", "op": "inv", "a": "a"}, "not_invertible"),
               ({"mod": "b", "op": "inv", "a": "16"}, "not_invertible"),
               ({"mod": "8", "op": "add", "a": "1", "b": "1"}, "modulus_not_odd"),
               ({"mod": "1", "op": "reduce", "a": "1"}, "modulus_not_odd"),
               ({"mod": "b", "op": "div", "a": "1", "b": "1"}, "malformed_job"),
               ({"mod": "b", "op": "add", "a": "1"}, "malformed_job")]
    code, answers = run("modarith", [record for record, _ in refused])
    assert code == 1 and [answer["error"] for answer in answers] == [reason for _, reason in refused]


def test_keys(run: Run) -> None:
    """Public keys and shared secrets, with scalars in and out of range; one time for all scalars."""
    curve = by_name("P-192")
    keys = [1, 2, curve.n - 1, 0, curve.n]
    records = [{"d": f"{d:x}"} for d in keys]
    core = ("--core", "multicurve", "--curve", "P-192")
    code, answers = run("keygen", [*records, {}], *core)
    assert code == 1 and len(answers) == 6
    for d, answer in zip(keys[:3], answers, strict=False):
        x, y = multiply(curve, d, curve.g)
        assert without_cycles(answer) == {"tag": answer["tag"], "d": f"{d:048x}",
                                          "qx": f"{x:048x}", "qy": f"{y:048x}"}
    assert [answer["error"] for answer in answers[3:5]] == ["scalar_out_of_range"] * 2
    chosen = answers[5]
    other = multiply(curve, int(chosen["d"], 16), curve.g)
    assert (int(chosen["qx"], 16), int(chosen["qy"], 16)) == other
    assert len({answer["cycles"] for answer in (*answers[:3], chosen)}) == 1

    public = {"qx": chosen["qx"], "qy": chosen["qy"]}
    code, answers = run("ecdh", [{**record, **public} for record in records] +
                        [{"d": "2", **public, "qx": "1"}], "--curve", "P-192")
    assert code == 1 and len(answers) == 6
    for d, answer in zip(keys[:3], answers, strict=False):
        assert without_cycles(answer) == {"tag": answer["tag"], "z": f"{multiply(curve, d, other)[0]:048x}"}
    assert [answer["error"] for answer in answers[3:]] == ["scalar_out_of_range"] * 2 + ["invalid_point"]
    # d is below n, but the order of this point divides it: [2] of a point of order 2 (composite order 12)
    small = {"p": "b", "a": "1", "b": "1"}
    code, answers = run("ecdh", [{"d": "2", "qx": "2", "qy": "0", "params": small}])
    assert code == 1 and answers[0]["error"] == "infinity"


class Recorder:
    """Takes jobs and answers none of them by itself: what the commands send is what is tested."""

    def __init__(self, dead: bool = False) -> None:
        self.sent: list[str] = []
        self.dead = dead

    def batch(self, jobs: list[Any], progress: Callable[[int, int], object]) -> list[CurveResult]:
        loads = {"comb": "load with comb", None: "load"}
        self.sent += [f"{loads.get(job.option, 'load')} {job.operands[0]:x}" if job.op == "load_curve"
                      else f"{job.operands[0]:x}"
                      for job in jobs]
        results = [CurveResult(job.tag, "aborted" if self.dead else "ok") for job in jobs]
        for done in range(len(jobs)):
            progress(done + 1, len(jobs))
        if self.dead:
            raise DeviceError(Error.TIMEOUT, "the time given ran out", results)
        return results


def _items(*jobs: tuple[int, str]) -> list[Any]:
    records = [{"k": f"{k:x}", "params": {**TOY, "p": p}} for k, p in jobs]
    return [curve_lines.parse_line("ecmul", json.dumps(record).encode(), i, None).job
            for i, record in enumerate(records)]


def test_a_curve_is_loaded_when_it_changes() -> None:
    device, ticks = Recorder(), []
    runner = Runner(device, ticks.append)
    runner.results(_items((1, "11"), (2, "13"), (3, "11"), (4, "13")))
    runner.results(_items((5, "11"), (6, "13"), (7, "17")))
    runner.results(_items((8, "17")))
    assert device.sent == ["load 11", "1", "3", "load 13", "2", "4", "6", "load 11", "5", "load 17", "7", "8"]
    assert sum(ticks) == 8


def _secrets(command: str, count: int, **fields: Any) -> list[Any]:
    records = [{"d": "5", "k": "7", "digest": "09" * 32, "e": "9", **fields} for _ in range(count)]
    return [curve_lines.parse_line(command, json.dumps(record).encode(), i, None).job
            for i, record in enumerate(records)]


def test_a_comb_is_made_where_it_pays() -> None:
    """From four secret products of the base point on, of a listed curve, on a core that has one; it stays until another
    curve."""
    known, named = {"curve": "P-192"}, f"{by_name('P-192').p:x}"
    unlisted = {"params": {**TOY, "n": "13"}}
    for has_comb in (True, False):
        runner = Runner(Recorder(), lambda n: None)
        runner.has_comb = has_comb
        for items in (_secrets("keygen", 3, **known), _secrets("ecdsa-sign", 4, **known),
                      _secrets("sm2-sign", 9, **known),
                      _secrets("keygen", 1, **known), _secrets("keygen", 4, **unlisted),
                      _secrets("keygen", 4, **known)):
            runner.results(items)
        loads = [sent for sent in runner.device.sent if sent.startswith("load")]
        toy = f"load {TOY['p']}"
        comb = f"load with comb {named}"
        assert loads == ([f"load {named}", comb, toy, comb] if has_comb else [f"load {named}", toy, f"load {named}"])


@pytest.mark.parametrize("count", [5, pytest.param(6, marks=pytest.mark.long)])
def test_answers_with_and_without_comb(run: Run, count: int) -> None:
    """Keys and signatures of both configurations; of parameters with another order than that of the base point too."""
    rng, n = random.Random(3), P256.n
    wrong = {name: f"{value:x}"
             for name, value in zip(("p", "a", "b", "n", "gx", "gy"), (P256.p, P256.a, P256.b, n - 2, *P256.g))}
    secret = [{"d": f"{rng.randrange(1, n - 2):x}", "curve": "P-256"} for _ in range(count)]
    keys = secret + [{"d": record["d"], "params": wrong} for record in secret]
    digests = [{**record, "digest": f"{rng.getrandbits(256):064x}"} for record in secret]
    cycles = {}
    for command, records in (("keygen", keys), ("ecdsa-sign", digests)):
        plain, comb = (run(command, records, *core, "--config", config) for config in ("paper", "fast")
                       for core in [("--core", "multicurve") if command == "keygen" else ()])  # fmt: skip
        assert plain[0] == comb[0] == 0 and len(comb[1]) == len(records)
        assert [without_cycles(answer) for answer in plain[1]] == [without_cycles(answer) for answer in comb[1]]
        cycles[command] = {answer["cycles"] for answer in comb[1]}
    for record, answer in zip(keys, run("keygen", keys, "--core", "multicurve")[1], strict=True):
        assert (int(answer["qx"], 16), int(answer["qy"], 16)) == multiply(P256, int(record["d"], 16), P256.g)
    assert cycles == {"keygen": {1_853, 11_145}, "ecdsa-sign": {2_408}}


def test_info_and_registers(capsys: pytest.CaptureFixture[str]) -> None:
    """As the registers of the core have them."""
    assert cli.main(["info", "--core", "multicurve", "--json"]) == 0
    (info,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (info["core"], info["config"], info["name"]) == ("multicurve", "fast", "PMMC")
    assert (info["contexts"], info["engines"], info["width"], info["named"]) == (1, 1, 544, 1)
    assert cli.main(["regs", "--core", "multicurve", "--json"]) == 0
    registers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(registers) == 18 and not any("error" in register for register in registers)
    assert registers[2]["register"] == "CONFIG"
    assert registers[2]["fields"] == {name: f"{info[name]:x}" for name in registers[2]["fields"]}


def test_device_failure_answers_every_line() -> None:
    runner = Runner(Recorder(dead=True), lambda n: None)
    for _ in range(2):
        results = runner.results(_items((1, "11"), (2, "13")))
        assert [result.reason for result in results] == ["aborted"] * 2
    assert runner.failure is not None and len(runner.device.sent) == 4


@pytest.mark.parametrize(("words", "reason", "text"), [
    (["ecmul", "-", "--config", "other"], "usage", "configuration other of the core multicurve is none"),
    (["x25519", "-", "--core", "multicurve", "--config", "latency"], "usage", "configuration latency "),
    (["x25519", "-", "--config", "later"], "usage", "configuration later of the core x25519 is none"),
    (["ecdsa-sign", "-", "--hash", "shake128"], "usage", "--hash shake128: hash is none that HMAC can use"),
    (["keygen", "-", "--curve", "P-256"], "usage", "--curve and --params are for --core multicurve"),
    (["ecmul", "-", "--curve", "P-257"], "usage", "no curve P-257"),
    (["ecmul", "-", "--curve", "X25519"], "usage", "X25519 is no short Weierstrass curve"),
    (["ecmul", "-", "--curve", "P-256", "--params", "x"], "usage", "argument --params: not allowed"),
    (["ecmul", "-", "--params", "/nonexistent"], "input_error", "/nonexistent: "),
    (["modarith", "/nonexistent"], "input_error", "/nonexistent: "),
    (["x448"], "usage", "the following arguments are required"),
    (["ecmul", "-", "--settings", "idle=100"], "device_error", "sim: the configuration is malformed or not built in: "
     "setting idle=100: a number from 0 to 99 is wanted")])
def test_errors_that_end_a_command(words: list[str], reason: str, text: str,
                                   capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main([os.devnull if word == "-" else word for word in words])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    (answer,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answer["reason"] == reason and answer["error"].startswith(text), answer


def test_empty_input(run: Run) -> None:
    assert run("ecmul", [], "--curve", "P-256") == (0, [])
