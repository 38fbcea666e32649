# SPDX-License-Identifier: Apache-2.0
"""Every name of data/curves.yaml through commands, driver and simulated core: results against python-ecdsa and
arkworks; points of Edwards curves in their own coordinates."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest

import pointmill
from driver.curve_lines import Run, run, without_cycles
from pointmill import cli, curves
from pointmill.curves import Curve, EdwardsCurve, MontgomeryCurve, by_name
from pointmill.errors import InputError, RejectedError
from vectors import ec_pure

__all__ = ["run"]

NAMES = [name for name in curves.known() if not isinstance(by_name(name), MontgomeryCurve)]
EDWARDS = [name for name in NAMES if isinstance(by_name(name), EdwardsCurve)]


def product(name: str, k: int) -> tuple[int, int]:
    """[k] of the base point by a library, for k that is no multiple of the order."""
    curve = by_name(name)
    if isinstance(curve, EdwardsCurve):
        return ec_pure.edwards_product(name, k)
    assert isinstance(curve, Curve)
    return ec_pure.bls12_381_product(k) if name == "BLS12-381-G1" else ec_pure.Library.of(curve).public_key(k)


def order(name: str) -> int:
    return curves.weierstrass(name).n


def numbers(answer: dict[str, Any], *keys: str) -> tuple[int, ...]:
    return tuple(int(answer[key], 16) for key in keys)


def test_every_curve(run: Run) -> None:
    rng = random.Random(1)
    scalars = [rng.getrandbits(128) | 1 for _ in NAMES]  # whole ones: dv/multicurve/test_pm_multicurve_libraries.py
    code, answers = run("ecmul", [{"curve": name, "k": f"{k:x}"} for name, k in zip(NAMES, scalars, strict=True)])
    assert code == 0 and len(answers) == 36
    for name, k, answer in zip(NAMES, scalars, answers, strict=True):
        assert numbers(answer, "rx", "ry") == product(name, k), name
        assert len(answer["rx"]) == len(answer["ry"]) == 2 * by_name(name).bytes


def test_every_alias_and_identifier(run: Run) -> None:
    """A curve under all of its names is loaded once."""
    words = [(word, name) for name in NAMES
             for word in (name.swapcase(), *curves.aliases(name), curves.oid(name)) if word]
    lines = [{"curve": word, "qx": f"{x:x}", "qy": f"{y:x}"} for word, name in words for x, y in [by_name(name).g]]
    code, answers = run("pubkey-check", lines)
    assert code == 0 and len(answers) == len(words) == 79
    assert all(answer["valid"] for answer in answers)


@pytest.mark.parametrize("word", ["P-257", "1.2.840.10045.3.1.99", ""])
def test_unknown_name(word: str, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """As an option it ends the command, in a line that line; the error has all names."""
    assert cli.main(["ecmul", os.devnull, "--curve", word]) == 2
    (error,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    text = f"no curve {word}; there are {', '.join(curves.known())}"
    assert (error["reason"], error["error"]) == ("usage", text)
    code, answers = run("ecmul", [{"curve": word, "k": "2"}, {"curve": "P-192", "k": "2"}])
    assert code == 1 and answers[0] == {"tag": 0, "error": "malformed_job", "detail": text}
    assert numbers(answers[1], "rx", "ry") == product("P-192", 2)


@pytest.mark.parametrize("name", ["Ed25519", "Ed448", pytest.param("Curve41417", marks=pytest.mark.long)])
def test_edwards_products(name: str, run: Run) -> None:
    curve, rng, n = by_name(name), random.Random(name), order(name)
    assert isinstance(curve, EdwardsCurve)
    d, k, v = (rng.randrange(2, n) for _ in range(3))
    px, py = product(name, d)
    point, half = {"px": f"{px:x}", "py": f"{py:x}"}, {"px": "0", "py": f"{curve.p - 1:x}"}
    code, answers = run("ecmul", [
        {"k": f"{k:x}"}, {"k": f"{k:x}", **point}, {"k": f"{n - 1:x}", **point}, {"k": f"{n:x}", **point},
        {"k": "0", **point}, {"k": "1", **half}, {"k": "2", **half}], "--curve", name)  # fmt: skip
    assert code == 0 and len(answers) == 7
    assert [numbers(answer, "rx", "ry") for answer in answers[:3]] == [
        product(name, k), product(name, d * k % n), (curve.p - px, py)]
    assert [without_cycles(answer) for answer in (*answers[3:5], answers[6])] == [
        {"tag": tag, "r_infinity": True} for tag in (3, 4, 6)]
    assert numbers(answers[5], "rx", "ry") == (0, curve.p - 1)
    code, answers = run("ecmul2", [{"u": "5", "v": f"{v:x}", "qx": point["px"], "qy": point["py"]},
                                   {"u": "5", **point, "v": f"{v:x}", "qx": point["px"], "qy": point["py"]}],
                        "--curve", name)  # fmt: skip
    assert code == 0
    assert [numbers(answer, "rx", "ry") for answer in answers] == [
        product(name, (5 + v * d) % n), product(name, (5 + v) * d % n)]
    lines = [{"d": f"{number:x}"} for number in (d, 0, n)]
    code, answers = run("keygen", lines, "--curve", name, "--core", "multicurve")
    assert code == 1 and numbers(answers[0], "qx", "qy") == (px, py)
    assert [answer["error"] for answer in answers[1:]] == ["scalar_out_of_range"] * 2


def test_edwards_products_of_mpu(run: Run) -> None:
    code, answers = run("ecmul", [{"k": "7"}, {"k": "7", "px": "0", "py": "1"}], "--curve", "Ed25519", "--core", "mpu")
    assert code == 1 and numbers(answers[0], "rx", "ry") == product("Ed25519", 7)
    assert answers[1]["error"] == "invalid_point"


@pytest.mark.parametrize("name", EDWARDS)
def test_hostile_edwards_points(name: str, run: Run) -> None:
    """Off the curve, also where the map has no image; not reduced; the neutral element, which is no public key."""
    curve = by_name(name)
    assert isinstance(curve, EdwardsCurve)
    (x, y), p = curve.g, curve.p
    bad = [(0, 1), (0, 0), (0, 5), (5, 1), (5, p - 1), (x, y + 1), (x + 1, y), (x + p, y), (x, y + p), (p, p - 1),
           curve.form.g]  # fmt: skip
    good = [(x, y), (p - x, y), (x, p - y), (0, p - 1)]
    lines = [{"qx": f"{qx:x}", "qy": f"{qy:x}"} for qx, qy in (*bad, *good)]
    code, answers = run("pubkey-check", lines, "--curve", name)
    assert code == 1 and len(answers) == 15
    assert [answer["reason"] for answer in answers] == ["invalid_point"] * 11 + ["ok"] * 4
    code, answers = run("ecmul", [{"k": "2", "px": f"{px:x}", "py": f"{py:x}"} for px, py in bad], "--curve", name)
    assert code == 1 and [answer["error"] for answer in answers] == ["invalid_point"] * 11


@pytest.mark.parametrize(("command", "line"), [
    ("ecdh", {"d": "2", "qx": "1", "qy": "1"}), ("ecdsa-sign", {"digest": "00", "d": "1"}),
    ("ecdsa-verify", {"digest": "00", "qx": "1", "qy": "1", "r": "1", "s": "1"}),
    ("sm2-sign", {"e": "1", "d": "1"}), ("sm2-verify", {"e": "1", "qx": "1", "qy": "1", "r": "1", "s": "1"})])
def test_what_edwards_curves_have_not(command: str, line: dict[str, str], run: Run) -> None:
    code, (answer,) = run(command, [line], "--curve", "edwards448")
    assert code == 1 and (answer.get("error") or answer["reason"]) == "malformed_job"
    assert answer["detail"].endswith(" takes a short Weierstrass curve: of Ed448 this is W-Ed448")


def test_python_interface() -> None:
    with pointmill.open("multicurve") as session:
        assert session.multiply("Ed25519", 9) == session.multiply("1.3.101.112", 9)
        point = session.multiply("edwards25519", 9)
        assert (point.x, point.y) == product("Ed25519", 9)
        assert session.check_point("Ed25519", (point.x, point.y)) and not session.check_point("Ed25519", (0, 1))
        form = session.multiply("W-25519", 9)
        assert by_name("Ed25519").to_form(point.x, point.y) == (form.x, form.y)
        assert session.ecdh("W-25519", 5, (form.x, form.y)).value == product("W-25519", 45)[0].to_bytes(32, "big")
        with pytest.raises(RejectedError, match="point"):
            session.multiply("Ed25519", 9, (form.x, form.y))
        with pytest.raises(InputError, match="takes a short Weierstrass curve: of Ed25519 this is W-25519"):
            session.ecdh("Ed25519", 5, (point.x, point.y))
        with pytest.raises(InputError, match="X25519 is no short Weierstrass curve; W-25519 has"):
            session.multiply("X25519", 9)
