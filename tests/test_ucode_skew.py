# SPDX-License-Identifier: Apache-2.0
"""Programs of the skewed datapath without RTL: ranges of values, the contexts of `multicurve`, what they reject."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pointmill.curves import Curve, by_name
from pointmill.model import weierstrass
from pointmill.ucode.assembler import Assembler, AssemblyError
from pointmill.ucode.build import link
from pointmill.ucode.ir import Block
from pointmill.ucode.machine import Machine
from pointmill.ucode.mont_scaled import Scaled
from pointmill.ucode.multicurve_contexts import NARROW, WIDE, Form, Job, Shared, signed_digits
from pointmill.ucode.replay import ScheduleError
from pointmill.ucode.simulator import Environment, ExecutionError, Run
from pointmill.ucode.skew import SkewCells, SkewEngine, SkewScheduler

MACHINE = Machine("multicurve", "contexts")
P256 = by_name("P-256")


def assembled(text: str, folder: Path) -> list[Block]:
    """The blocks of a program that has registers X, Y and Z."""
    path = folder / "toy.pmu"
    path.write_text(f"global reg X Y Z\nblock b\n{text}\nend\n")
    return Assembler(MACHINE).assemble(path).blocks


def test_bounds(tmp_path: Path) -> None:
    """What values are below, and the multiple of the modulus that a difference takes."""
    block = assembled("t = X * Y\ns = t + 2 t\nd = s - t\nZ = d - 2 t", tmp_path)[0]
    found = {op.label: (op.out["reg"].bound, op.scale) for op in block.ops}
    assert found == {"t": (2, 0), "s": (6, 0), "d": (8, 2), "Z": (12, 3)}


def test_texts(tmp_path: Path) -> None:
    """A table or diagram has 2 before the operand that is doubled, and no other."""
    block = assembled("s = X + 2 X\nXY = s * Y\nd = XY - 2 X\nZ = d * s", tmp_path)[0]
    assert [SkewCells(MACHINE).text(op) for op in block.ops] == ["s = X + 2 X", "XY = s * Y", "d = XY - 2 X",
                                                                 "Z = d * s"]


@pytest.mark.parametrize("text, wrong", [
    ("s = X + Y\nt = s + 2 s\nu = s + t\nZ = u * u", "factors are too large"),
    ("s = X + 2 Y\nt = s * s\nd = t - s\nZ = d * t", "subtracted is too large"),
    ("Z = X + Y", "cannot hold"),
    ("Z = X * 2 Y", "factors are too large"),
    ("t = 2 X + Y\nZ = t * Y", "y or 2 y"),
    ("Z =! X * Y", "y or 2 y"),
], ids=["factors", "difference", "register", "double", "first", "flag"])  # fmt: skip
def test_ranges(text: str, wrong: str, tmp_path: Path) -> None:
    """Values that would leave their range, and statements that the datapath does not have."""
    with pytest.raises(AssemblyError, match=wrong):
        assembled(text, tmp_path)


@pytest.mark.parametrize("name", ["W", "T[a]", "@k"])
def test_what_no_block_leaves(name: str, tmp_path: Path) -> None:
    """What a block leaves under way is a register with a name of its own."""
    path = tmp_path / "toy.pmu"
    path.write_text(f"table reg T 2\nblock b leaves {name}\nT[0] = T[1] * T[1]\nend\n")
    with pytest.raises(AssemblyError, match="no register that a block can leave"):
        Assembler(MACHINE).assemble(path)


@pytest.mark.parametrize("option", ["on I", "from I", "pause 9"])
def test_options_of_other_machines(option: str, tmp_path: Path) -> None:
    """A block takes no part in interfaces, and has no least length."""
    path = tmp_path / "toy.pmu"
    path.write_text(f"global reg X\ninterface I X\nblock b {option}\nX = X * X\nend\n")
    with pytest.raises(ScheduleError, match="b: a block of this datapath begins and ends alone"):
        SkewScheduler(MACHINE, Assembler(MACHINE).assemble(path)).run()


def test_simulated_ranges() -> None:
    """The simulator rejects factors and sums that the hardware cannot take."""
    engine, scaled = SkewEngine(MACHINE), Scaled(P256.p, 39)
    largest = (1 << 273) - 1
    engine.use(scaled, 7, {})
    engine.begin(Environment({}, {}, {}, lambda: ("", 0), registers={("reg", 0): largest, ("reg", 1): 1}))
    nothing = MACHINE.isa.decode(0)
    port = MACHINE.isa.port
    for wrong in ({"m_en": 1, "m_a": port("reg", 0), "m_b": port("reg", 0)},
                  {"s0_en": 1, "s0_x": port("reg", 0), "s0_y": port("reg", 1)},
                  {"s0_en": 1, "s0_sub": 1, "s0_x": port("reg", 1), "s0_y": port("reg", 0)}):  # fmt: skip
        with pytest.raises(ExecutionError):
            engine.execute(nothing | wrong, Run(0, 0, 0, 0))


def test_signed_digits() -> None:
    """They sum to the scalar, begin with 1, and are as few as those of the non-adjacent form that are not 0."""
    for k in range(3000):
        digits = signed_digits(k)
        assert sum(digit << i for i, digit in enumerate(reversed(digits))) == k
        assert digits[:1] == [1] * (k > 0) and sum(map(abs, digits)) == (k ^ 3 * k).bit_count()


def test_slots() -> None:
    """Cycles of a slot and digits of R, by what p is."""
    for form, name, slot, digits in ((NARROW, "P-256", 4, 6), (NARROW, "P-192", 7, 7), (NARROW, "secp256k1", 7, 7),
                                     (WIDE, "P-521", 7, 14), (WIDE, "P-256", 13, 13),
                                     (WIDE, "brainpoolP512r1", 15, 14)):  # fmt: skip
        curve = by_name(name)
        assert isinstance(curve, Curve)
        assert (Shared(curve, form).slot, Shared(curve, form).digits) == (slot, digits)


def test_fields() -> None:
    """A field of 264 bits is too long; of a short one p may divide k."""
    assert Shared(Curve("long", (1 << 257) - 93, 1, 2)).digits == 7
    with pytest.raises(ValueError, match="too long"):
        Shared(Curve("longer", (1 << 264) - 275, 1, 2))
    short = 577
    assert -pow(short, -1, 1 << 45) % (1 << 45) % short == 0
    with pytest.raises(ValueError, match="too short"):
        Shared(Curve("short", short, 1, 2))


@pytest.mark.parametrize(("name", "form"), [
    *((name, NARROW) for name in ("P-192", "P-224", "P-256", "secp256k1", "sm2p256v1", "brainpoolP256r1")),
    *((name, WIDE) for name in ("P-256", "P-384", "brainpoolP512r1", "P-521")),
], ids=lambda one: one if isinstance(one, str) else str(one.columns))  # fmt: skip
def test_curves(name: str, form: Form) -> None:
    """What loading makes of a curve, and a product on it."""
    curve, rng = by_name(name), random.Random(name)
    assert isinstance(curve, Curve)
    shared = Shared(curve, form)
    job = Job(shared)
    assert job.run().reason == "ok"
    for number in ("r2", "a", "b"):
        assert (job.engine.shared[number] - shared.numbers()[number]) % shared.scaled.modulus == 0
    assert job.kinds == {"0": shared.kind == "0", "m3": shared.kind == "m3"}
    k = rng.randrange(curve.n)
    assert tuple(Job(shared, k, curve.g).run().numbers) == weierstrass.multiply(curve, k, curve.g)


def test_first_digits() -> None:
    """Small scalars have no exceptional case, whose digits behind the highest one a random scalar has as well."""
    assert isinstance(P256, Curve)
    shared = Shared(P256)
    for k in range(1, 48):
        assert tuple(Job(shared, k, P256.g).run().numbers) == weierstrass.multiply(P256, k, P256.g)
    assert signed_digits(3) == [1, 0, -1] and signed_digits(11)[:2] == [1, 1]


def test_no_curve() -> None:
    """A singular curve, and a modulus that is composite."""
    for curve, reason in ((Curve("singular", (1 << 127) - 1, 0, 0), "singular_curve"),
                          (Curve("composite", (1 << 127) - 3, 1, 1), "no_field")):  # fmt: skip
        assert Job(Shared(curve)).run().reason == reason


def test_no_point() -> None:
    """A point that is not on the curve."""
    assert isinstance(P256, Curve)
    assert Job(Shared(P256), 5, (P256.g[0], P256.g[1] ^ 1)).run().reason == "invalid_point"


def test_wrong_inverse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that is not on the curve."""
    assert isinstance(P256, Curve)
    shared = Shared(P256)
    wrong = shared.numbers() | {"exponent": P256.p // 2 - 2}
    monkeypatch.setattr(Shared, "numbers", lambda _: wrong)
    assert Job(shared, 5, P256.g).run().reason == "result_off_curve"


def test_registers() -> None:
    """The registers of the machine are those of the RTL."""
    text = (MACHINE.path.parents[1] / "rtl" / "pm_multicurve_contexts.sv").read_text()
    for name, count in (("Registers", MACHINE.registers["reg"]), ("Shared", len(MACHINE.externals))):
        assert re.search(rf"localparam int unsigned {name} += {count},", text)
    assert len(link("multicurve", ("contexts",), "contexts").words) < 256
