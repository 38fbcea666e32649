# SPDX-License-Identifier: Apache-2.0
"""The document docs/add-a-curve.md, as printed, and its example: Ed448 on two datapaths, by programs alone."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PrivateKey

from pointmill import cli
from pointmill.simbuild import ROOT, run_tool, verilator_bin
from pointmill.ucode import trial
from pointmill.ucode.build import build_file
from pointmill.ucode.dual import retime
from pointmill.ucode.machine import Machine, MachineError, P as P25519, ucode
from pointmill.ucode.multicurve import Modulus
from printed import run_document, sections, written

PAGE = ROOT / "docs" / "add-a-curve.md"
PROGRAM = ROOT / "docs" / "examples" / "ed448.pmu"
COMMANDS = 16
"""Commands on the page."""

LENGTHS = {"paper": 28, "throughput": 11}
"""Machine descriptions, and the cycles of a product modulo P."""

# RFC 8032, section 5.2.
P = 2**448 - 2**224 - 1
D = -39081 % P
ORDER = 2**446 - 13818066809895115352007386748515426880336692474882178609894547503885
BASE = (
    int("224580040295924300187604334099896036246789641632564134246125461686950415467406032909029192"
        "869357953282578032075146446173674602635247710"),
    int("298819210078481492676017930443930673437544040154080242095928241372331506189835876003536878"
        "655418784733982303233503462500531545062832660"),
)

Point = tuple[int, int]


def affine_sum(p: Point, q: Point) -> Point:
    """The golden model: the law of x^2 + y^2 = 1 + d x^2 y^2, complete since d is not a square."""
    (x1, y1), (x2, y2) = p, q
    product = D * x1 * x2 * y1 * y2 % P
    return (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P, (y1 * y2 - x1 * x2) * pow(1 - product, -1, P) % P


def multiple(k: int, p: Point = BASE) -> Point:
    total = (0, 1)
    for bit in bin(k)[2:]:
        total = affine_sum(total, total)
        total = affine_sum(total, p) if bit == "1" else total
    return total


class Engine:
    """The program on a machine: projective points by its blocks."""

    def __init__(self, config: str, program: Path = PROGRAM, d: int = D) -> None:
        self.built = build_file(program, Machine.load(ucode("multicurve") / f"{config}.yaml"))
        self.simulator = trial.simulator(self.built, P, LENGTHS[config])
        self.d, self.cycles = d, 0

    def _run(self, entry: str, **values: int) -> tuple[int, int, int]:
        values = {"@a" if name == "a" else name: value for name, value in values.items()}
        outcome = trial.run(self.built, self.simulator, values, entry)
        assert outcome.reason == "ok" and outcome.values.keys() == {"X", "Y", "Z"}
        self.cycles += outcome.cycles
        return outcome.values["X"], outcome.values["Y"], outcome.values["Z"]

    def double(self, p: tuple[int, int, int]) -> tuple[int, int, int]:
        return self._run("double", **dict(zip("XYZ", p)))

    def add(self, p: tuple[int, int, int], q: tuple[int, int, int]) -> tuple[int, int, int]:
        return self._run("add", **dict(zip("XYZ", p)), **dict(zip(("XP", "YP", "ZP"), q)), a=self.d)


@cache
def engine(config: str) -> Engine:
    return Engine(config)


def projective(p: Point, z: int) -> tuple[int, int, int]:
    return p[0] * z % P, p[1] * z % P, z


def affine(p: tuple[int, int, int]) -> Point | None:
    """None where Z is 0: no point at all."""
    return (p[0] * pow(p[2], -1, P) % P, p[1] * pow(p[2], -1, P) % P) if p[2] else None


def disagreements(device: Engine, pairs: list[tuple[Point, Point]], rng: random.Random) -> int:
    """Doublings and sums of these pairs that differ from the golden model."""
    wrong = 0
    for p, q in pairs:
        first, second = projective(p, rng.randrange(1, P)), projective(q, rng.randrange(1, P))
        wrong += affine(device.double(first)) != affine_sum(p, p)
        wrong += affine(device.add(first, second)) != affine_sum(p, q)
    return wrong


# ------------------------------------------------------------------------------------ the page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def outputs(folder: Path) -> list[str]:
    return run_document(PAGE, folder)


def test_page_prints_what_it_shows(outputs: list[str]) -> None:
    expected = sections(PAGE)
    assert len(expected) == len(outputs) == COMMANDS
    for (command, shown), printed in zip(expected, outputs):
        assert printed == shown, f"{command}: scripts/printed.py writes the document anew"
    assert sum(bool(shown) for _, shown in expected) == 11
    assert any(shown == "2\n" for command, shown in expected if command == "echo $?")


def test_page_is_written_anew(tmp_path: Path) -> None:
    """What commands print takes the place of what the document shows, and nothing else changes."""
    page = tmp_path / "page.md"
    text = "# Page\n\n```console\n$ echo 1\n{}$ echo 1\n{}```\n\n1\n\n```console\n$ true\n{}```\n"
    page.write_text(text.format("1\n", "2\n", "3\n"))
    assert sections(page) == [("echo 1", "1\n"), ("echo 1", "2\n"), ("true", "3\n")]
    (tmp_path / "run").mkdir()
    assert written(page, run_document(page, tmp_path / "run")) == text.format("1\n", "1\n", "")
    with pytest.raises(ValueError, match="shorter"):
        written(page, [])


def test_page_computes_multiples_of_the_base_point(outputs: list[str]) -> None:
    """2 B on both machines, 3 B."""
    ran = [(command, output) for (command, _), output in zip(sections(PAGE), outputs)
           if command.startswith("pointmill simulate")]
    found = []
    for _, output in ran:
        values = dict(line.split("=") for line in output.splitlines() if re.fullmatch(r"[XYZ]=[0-9a-f]{112}", line))
        if values:
            found.append(affine(tuple(int(values[name], 16) for name in "XYZ")))
    assert found == [multiple(2), multiple(2), multiple(3)]
    given = dict(re.findall(r"^\$ ([pdxy])=([0-9a-f]+)$", PAGE.read_text(), re.MULTILINE))
    assert [int(given[name], 16) for name in "pdxy"] == [P, D, *BASE]


def test_table_of_cycles() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (.*?) \| (\d+) \| (.*?) \| (\d+) \|$", PAGE.read_text(), re.MULTILINE)
    assert [row[0] for row in rows] == ["double", "add"]
    assert [Modulus.of(P, config).length for config in LENGTHS] == [*LENGTHS.values()]
    for block, products, *columns in rows:
        for config, formula, cycles in zip(LENGTHS, columns[::2], columns[1::2]):
            machine, _, schedules, _ = engine(config).built
            schedule = schedules[block]
            assert sum(op.unit == "mul" for op in schedule.block.ops) == int(products)
            per_product, rest = re.fullmatch(r"(\d+) N(?: \+ (\d+))?", formula).groups("0")
            for length in machine.lengths:
                assert retime(schedule, length)[1] == int(per_product) * length + int(rest), (config, length)
            assert retime(schedule, LENGTHS[config])[1] == int(cycles)


def test_example_is_short_and_all_there_is() -> None:
    assert len(PROGRAM.read_text().splitlines()) < 60
    assert not [path for path in (ROOT / "pointmill").rglob("*.py") if "ed448" in path.read_text().lower()]


def test_roms_and_pictures(outputs: list[str], folder: Path) -> None:
    assert (folder / "ed448-paper.svg").read_text() == (ROOT / "docs" / "images" / "ed448-paper.svg").read_text()
    assert (folder / "ed448-paper.svg").read_text() != (folder / "ed448-throughput.svg").read_text()
    for config in LENGTHS:
        machine, _, _, rom = engine(config).built
        text = (folder / f"ed448_{config}_rom.sv").read_text()
        bits = machine.isa.word_bits
        found = re.findall(rf"'d(\d+): data_o <= {bits}'h([0-9a-f]+);", text)
        assert [(int(at), int(word, 16)) for at, word in found] == [*enumerate(rom.encoded(machine))]
        run_tool([verilator_bin(), "--lint-only", "-Wall", folder / f"ed448_{config}_rom.sv"])


# ------------------------------------------------------------------------------------ the curve


def test_golden_model() -> None:
    x, y = BASE
    assert (x * x + y * y - 1 - D * x * x * y * y) % P == 0
    assert multiple(ORDER) == (0, 1) and multiple(ORDER - 1) == (P - x, y)


def pairs(rng: random.Random, count: int) -> list[tuple[Point, Point]]:
    return [(multiple(rng.randrange(ORDER)), multiple(rng.randrange(ORDER))) for _ in range(count)]


@pytest.mark.parametrize("config", LENGTHS)
def test_formulas(config: str) -> None:
    """Random points; the neutral one, equal and opposite ones, those of order 2 and 4."""
    rng = random.Random(448)
    (x, y), neutral = multiple(rng.randrange(ORDER)), (0, 1)
    special = [neutral, (0, P - 1), (1, 0), (P - 1, 0), (x, y), (P - x, y)]
    cases = pairs(rng, 10) + [(p, q) for p in special for q in special]
    assert len(cases) == 46
    assert disagreements(engine(config), cases, rng) == 0


@pytest.mark.parametrize("config", LENGTHS)
def test_public_key_by_program_runs(config: str) -> None:
    """k B of RFC 8032, section 5.2.5, by doublings and additions of the program alone, against OpenSSL."""
    secret = hashlib.shake_256(b"pointmill").digest(57)
    raw = bytearray(hashlib.shake_256(secret).digest(114)[:57])
    raw[0] &= 0xFC
    raw[55] |= 0x80
    raw[56] = 0
    k, device = int.from_bytes(raw, "little"), Engine(config)
    base, total = projective(BASE, 1), projective((0, 1), 1)
    doublings = additions = 0
    for bit in bin(k)[2:]:
        total, doublings = device.double(total), doublings + 1
        if bit == "1":
            total, additions = device.add(total, base), additions + 1
    x, y = affine(total)
    encoded = (y | (x & 1) << 455).to_bytes(57, "little")
    assert encoded == Ed448PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    each = {"paper": (112, 169), "throughput": (77, 132)}[config]
    assert doublings == 448 and device.cycles == doublings * each[0] + additions * each[1]


# ------------------------------------------------------------------------------------ seeded bugs

SIGNS = [(number, line) for number, line in enumerate(PROGRAM.read_text().splitlines())
         if re.fullmatch(r"  \w+ = \w+ [+-] \w+", line)]


@pytest.mark.parametrize("config", LENGTHS)
def test_other_sign_of_d_is_seen(config: str) -> None:
    rng = random.Random(1)
    cases = pairs(rng, 3)
    assert disagreements(Engine(config, d=P - D), cases, rng) == len(cases)


def test_every_wrong_sign_is_seen(tmp_path: Path) -> None:
    assert len(SIGNS) == 13
    rng = random.Random(2)
    cases = pairs(rng, 2)
    for number, line in SIGNS:
        lines = PROGRAM.read_text().splitlines()
        lines[number] = line.translate(str.maketrans("+-", "-+"))
        wrong = tmp_path / "wrong.pmu"
        wrong.write_text("\n".join(lines) + "\n")
        assert disagreements(Engine("paper", wrong), cases, rng) == len(cases), line


# ------------------------------------------------------------------------------------ other machines

BUTTERFLY = """include {folder}/formulas.pmu
global mul X Y Z T
block twice
  X, Y, Z, T = double(X, Y, Z)
accept
"""


def cores(tmp_path: Path, text: str, name: str = "toy") -> Path:
    path = tmp_path / f"{name}.pmu"
    path.write_text(text)
    return path


@pytest.mark.parametrize("config", ["paper", "throughput"])
def test_butterfly(config: str, tmp_path: Path) -> None:
    """Doublings of Edwards25519 (a = -1), by the doubling formula in plain integers."""
    relative = os.path.relpath(ucode("edverify"), tmp_path)
    built = build_file(cores(tmp_path, BUTTERFLY.format(folder=relative)),
                       Machine.load(ucode("edverify") / f"{config}.yaml"))
    engine25519, rng = trial.simulator(built, P25519, None), random.Random(3)
    for _ in range(20):
        x, y, z = (rng.randrange(P25519) for _ in range(3))
        values = trial.run(built, engine25519, {"X": x, "Y": y, "Z": z}).values
        e, h, g = -2 * x * y, x * x + y * y, x * x - y * y
        f = g + 2 * z * z
        assert values == {name: value % P25519
                          for name, value in {"X": e * f, "Y": g * h, "Z": f * g, "T": e * h}.items()}


LOOPED = """
global reg X Y
table reg T 2
loop 5
block square
  X = X * X
end
endloop
block more
  Y = X + T[1]
end
block last
  Z =! Y - Y
end
refuse bad_signature if zero0
accept
"""


def test_loops_tables_and_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names of tables, results across blocks, exit code 1 where the program refuses, JSON."""
    path = cores(tmp_path, LOOPED)
    words = ["simulate", path, "--machine", ucode("multicurve") / "paper.yaml", "--length", "6", "--modulus", "0x61",
             "X=5", "T[1]=0x60"]
    assert cli.main([*map(str, words), "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["values"] == {"X": f"{pow(5, 32, 97):02x}", "Y": f"{(pow(5, 32, 97) - 1) % 97:02x}"}
    assert (record["reason"], record["products"]) == ("bad_signature", 5)


# ------------------------------------------------------------------------------------ errors

PAPER, LIMB = ucode("multicurve") / "paper.yaml", ucode("x25519") / "paper.yaml"
TOY = "global reg X Y A/B\nblock b\n  Y = X * X\nend\n"
SCHEDULE: dict[str, tuple[str, str, str]] = {
    "no such file": ("schedule {none} --machine {paper}", "input_error", "none.pmu: [Errno 2] No such file"),
    "no machine": ("schedule {toy} --machine {none}", "input_error", "none.pmu: No such file or directory"),
    "a folder": ("schedule {folder} --machine {paper}", "input_error", "Is a directory"),
    "other banks": ("schedule {toy} --machine {butterfly}", "input_error", "toy.pmu:1:1: no bank reg"),
    "no description": ("schedule {toy} --machine {toy}", "input_error", "no machine description: "),
    "no units": ("schedule {toy} --machine {partial}", "input_error", "no machine description: it has no units"),
    "wrong kind": ("schedule {toy} --machine {kind}", "input_error",
                   "no machine description: latency is of another kind"),
    "too few registers": ("schedule {program} --machine {small}", "input_error",
                          "no schedule for double with 2 registers for its temporaries"),
    "nothing to wipe": ("schedule {wiped} --machine {butterfly}", "input_error", "wipe: no block before it writes"),
    "picture of nothing": ("schedule {empty} --machine {paper} --svg x.svg", "input_error", "no operations to draw"),
    "rom of a name": ("schedule xdh --rom x.sv", "usage", "--rom wants --machine"),
    "name of a rom": ("schedule {toy} --machine {paper} --rom 9.sv", "usage",
                      "--rom 9.sv: the file is named NAME.sv after its module"),
    "rom nowhere": ("schedule {toy} --machine {paper} --rom {none}/x.sv", "output_error",
                    "none.pmu/x.sv: No such file or directory"),
    "length": ("schedule {toy} --machine {paper} --length 0", "usage", "a multiplication takes at least one cycle"),
    "one length": ("schedule {empty} --machine {butterfly} --length 6", "usage",
                   "paper.yaml: no modulus changes the length of a product; leave --length out"),
    "one length of a core": ("schedule walk_double --length 6", "usage", "yaml: no modulus changes the length"),
}
SIMULATE = {
    "no modulus": ("", "usage", "the following arguments are required: --modulus"),
    "no length": ("--modulus 61 X=5", "usage",
                  "paper.yaml: the length of a product depends on the modulus; give --length"),
    "length": ("--modulus 61 --length 0 X=5", "usage", "a multiplication takes at least one cycle"),
    "even": ("--modulus 60 --length 6 X=5", "usage", "the modulus is odd and at least 3"),
    "one": ("--modulus 1 --length 6 X=0", "usage", "the modulus is odd and at least 3"),
    "no hex modulus": ("--modulus q --length 6 X=5", "usage", "--modulus: 'q' is no hex number"),
    "no hex": ("--modulus 61 --length 6 X=-5", "usage", "X: '-5' is no hex number"),
    "no value": ("--modulus 61 --length 6 X", "usage", "'X' is not NAME=HEX"),
    "twice": ("--modulus 61 --length 6 X=5 X=5", "usage", "X is there twice"),
    "too large": ("--modulus 61 --length 6 X=61", "usage", "X is not below the modulus"),
    "alias": ("--modulus 61 --length 6 A=5 B=6", "usage", "B has the register of another name that is given"),
    "unknown": ("--modulus 61 --length 6 Q=5", "usage", "no global Q; there is X, Y"),
    "unknown external": ("--modulus 61 --length 6 @q=5", "usage", "no external value @q; there is @plain_one, @one, "),
    "unknown entry": ("--modulus 61 --length 6 --entry c X=5", "usage", "no label c; there is b"),
    "no end": ("--modulus 61 --length 6 X=5", "input_error", "no word behind the last one"),
}
PROGRAMS = {
    "unit": ("block b\n  Y = X * X\n  start result_x Y\nend\naccept\n", "a trial has no side unit result_x"),
    "condition": ("block b\n  Y = X * X\nend\naccept if on_curve\n", "a trial has no condition on_curve"),
    "external value": ("block b\n  Y = X * @a\nend\naccept\n", "a trial has no external value a"),
    "walk": ("block b\n  Y = X * X\ndispatch\n", "a trial has no digit scan to dispatch"),
    "endless": ("here:\ngoto here\n", "no verdict after"),
    "read first": ("block b\n  Y = X * V\nend\naccept\n", "b reads V, which has no value"),
    "read before": ("block a\n  Y = X * X\nend\nblock b\n  X = Y * V\nend\naccept\n", "b reads V, which has no value"),
}


@pytest.fixture
def refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[list[str]], tuple[str, str]]:
    """Runs a command that must end with exit code 2, and gives (reason, error)."""

    def run(words: list[str]) -> tuple[str, str]:
        assert cli.run(words) == 2
        (line,) = capsys.readouterr().out.splitlines()
        record = json.loads(line)
        return record["reason"], record["error"]

    return run


def machine_of(tmp_path: Path, name: str, change: Callable[[dict], object]) -> Path:
    raw = yaml.safe_load(PAPER.read_text())
    change(raw)
    path = tmp_path / f"{name}.yaml"
    path.write_text(yaml.safe_dump(raw))
    return path


@pytest.mark.parametrize("case", SCHEDULE)
def test_schedule_refuses(case: str, refusal: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {
        "none": tmp_path / "none.pmu", "folder": tmp_path, "paper": PAPER, "program": PROGRAM,
        "butterfly": ucode("edverify") / "paper.yaml", "toy": cores(tmp_path, TOY),
        "empty": cores(tmp_path, "accept\n", "empty"), "wiped": cores(tmp_path, "wipe\n", "wiped"),
        "partial": machine_of(tmp_path, "partial", lambda raw: raw.pop("units")),
        "kind": machine_of(tmp_path, "kind", lambda raw: raw.update(latency=5)),
        "small": machine_of(tmp_path, "small", lambda raw: raw.update(registers={"reg": 8})),
    }  # fmt: skip
    command, reason, text = SCHEDULE[case]
    found, error = refusal([word.format(**names) for word in command.split()])
    assert found == reason and text in error


@pytest.mark.parametrize("core, config, entry, value, text", [
    ("edverify", "paper", "ranges", None, "it has no ranges"), ("edverify", "paper", "ports", 5, "ports is of another"),
    ("multicurve", "contexts", "limits", None, "it has no limits"),
    ("multicurve", "contexts", "limits", {"register": 14}, "it has no product"),
    ("multicurve", "contexts", "contexts", "x", "contexts is of another"),
    ("x25519", "paper", "slots", None, "it has no slots"),
    ("x25519", "paper", "ports", {"u0_x": [0]}, "it has no u0_y"),
    ("x25519", "paper", "constants", 5, "constants is of another"),
    ("multicurve", "paper", "multipliers", 0, "multipliers are 1 or 2"),
    ("multicurve", "paper", "held", "x", "held is of another"),
])  # fmt: skip
def test_wrong_descriptions(core: str, config: str, entry: str, value: Any, text: str, tmp_path: Path) -> None:
    """What a kind of datapath cannot do without, and entries of another kind."""
    raw = yaml.safe_load((ucode(core) / f"{config}.yaml").read_text())
    raw.pop(entry, None)
    path = tmp_path / "machine.yaml"
    path.write_text(yaml.safe_dump(raw | ({entry: value} if value is not None else {})))
    with pytest.raises(MachineError, match=rf"machine\.yaml: no machine description: {text}"):
        Machine.load(path)


def test_products_of_one_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A dual machine without `lengths` is drawn with the length of `latency`."""
    one = machine_of(tmp_path, "one", lambda raw: raw.pop("lengths"))
    assert cli.run(["schedule", str(cores(tmp_path, TOY)), "--machine", str(one)]) == 0
    assert "b: 6 cycles (optimal), 1 products" in capsys.readouterr().out


def test_an_interface_of_no_block(tmp_path: Path) -> None:
    """Is one where nothing is under way."""
    toy = cores(tmp_path, "global mul X\ninterface I X\nblock b from I\n  X = X * X\nend\naccept\n")
    schedules = build_file(toy, Machine())[2]
    assert (schedules["b"].entry, schedules["b"].length) == ({}, 7)


@pytest.mark.parametrize("case", SIMULATE)
def test_simulate_refuses(case: str, refusal: Callable, tmp_path: Path) -> None:
    words, reason, text = SIMULATE[case]
    found, error = refusal(["simulate", str(cores(tmp_path, TOY)), "--machine", str(PAPER), *words.split()])
    assert found == reason and text in error


@pytest.mark.parametrize("case", [
    pytest.param(case, marks=pytest.mark.long) if case == "endless" else case for case in PROGRAMS])
def test_simulate_refuses_programs(case: str, refusal: Callable, tmp_path: Path) -> None:
    """What a trial has no model of, and what would read a register that holds nothing."""
    body, text = PROGRAMS[case]
    path = cores(tmp_path, f"global reg X Y V\n{body}")
    found, error = refusal(["simulate", str(path), "--machine", str(PAPER), "--modulus", "61", "--length", "6", "X=5"])
    assert found == "input_error" and text in error


def test_fields_of_other_machines(refusal: Callable, tmp_path: Path) -> None:
    toy = cores(tmp_path, "global mul X Y\nblock b\n  Y = X * X\nend\naccept\n")
    butterfly = ["--machine", str(ucode("edverify") / "paper.yaml"), "--modulus", "61", "X=5"]
    assert refusal(["simulate", str(toy), *butterfly]) == ("usage",
                                                           f"paper.yaml: the modulus of this machine is {P25519:x}")
    toy = cores(tmp_path, "global reg X Y\nblock b\n  Y = X * Y\nend\naccept\n")
    reason, error = refusal(["simulate", str(toy), "--machine", str(LIMB), "--modulus", f"{P25519:x}", "X=5"])
    assert (reason, error) == ("usage", "paper.yaml: there are no trials on a datapath of kind limb")
