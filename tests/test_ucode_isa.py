# SPDX-License-Identifier: Apache-2.0
"""The microinstruction's encoding, the constants of `edverify` and its table of the base point."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pointmill.cores import CORES
from pointmill.model import edwards, naf
from pointmill.ucode.basetable import ENTRY_BITS, base_table, packed
from pointmill.ucode.build import build, link
from pointmill.ucode.columns import columns
from pointmill.ucode.machine import HW, Isa, Machine, P

ISA = Isa()
WORDS = st.fixed_dictionaries(
    {name: st.integers(0, 2**field.width - 1) for name, field in ISA.fields.items()}
)


# ---- encoding -----------------------------------------------------------------------------------


def test_fields_tile_the_word() -> None:
    """No gap, no overlap, the first field on top."""
    top = ISA.word_bits
    for field in ISA.fields.values():
        assert field.lsb + field.width == top
        top = field.lsb
    assert top == 0
    assert len(ISA.fields) == 22


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(WORDS)
def test_decode_inverts_encode(word: dict[str, int]) -> None:
    code = ISA.encode(word)
    assert 0 <= code < 2**ISA.word_bits
    assert ISA.decode(code) == word


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 2**ISA.word_bits - 1))
def test_encode_inverts_decode(code: int) -> None:
    assert ISA.encode(ISA.decode(code)) == code


def test_absent_fields_are_zero() -> None:
    assert ISA.encode({}) == 0
    assert ISA.decode(0) == dict.fromkeys(ISA.fields, 0)


@pytest.mark.parametrize("name", ISA.fields)
def test_values_that_do_not_fit_are_refused(name: str) -> None:
    width = ISA.fields[name].width
    assert ISA.decode(ISA.encode({name: 2**width - 1}))[name] == 2**width - 1
    for value in (2**width, -1):
        with pytest.raises(ValueError, match=f"{name} = {value} does not fit {width} bits"):
            ISA.encode({name: value})


def test_ports() -> None:
    """A port is {indexed, bank, register}; no two ports look the same."""
    size = 1 << ISA.register_bits
    ports = {
        ISA.port(bank, register, indexed)
        for bank in ISA.banks
        for register in range(size)
        for indexed in (False, True)
    }
    assert ports == set(range(2 * 4 * size))
    assert ISA.port("diff", 5, True) == 0b1_10_00101


def test_rom_words_are_what_the_emitter_meant() -> None:
    machine, program, _, rom = build()
    codes = rom.encoded(machine)
    assert len(codes) == len(rom.words) == len(rom.owner) <= 2 ** ISA.fields["ctl_arg"].width
    for code, word in zip(codes, rom.words, strict=True):
        assert machine.isa.decode(code) == dict.fromkeys(ISA.fields, 0) | word
    jumps = [machine.isa.control[name] for name in ("branch", "loop_end")]
    targets = [word["ctl_arg"] for word in rom.words if word.get("ctl_op") in jumps]
    assert len(targets) > 10
    assert set(targets) <= set(rom.labels.values())
    assert set(rom.owner) - {""} <= {block.name for block in program.blocks}


# ---- constants ----------------------------------------------------------------------------------


def test_constants() -> None:
    """Against their definitions, and against the golden model where it has them."""
    constants = Machine().constants
    assert constants.keys() == {"zero", "one", "d", "d2", "sqrt_m1", "y8_squared"}
    assert (constants["zero"], constants["one"]) == (0, 1)
    assert constants["d"] * 121666 % P == -121665 % P
    assert constants["d"] == edwards.D
    assert constants["d2"] == 2 * constants["d"] % P
    assert constants["sqrt_m1"] ** 2 % P == P - 1
    assert all(0 <= value < P for value in constants.values())


def test_small_order_is_three_values_of_y_squared() -> None:
    """y of a point of order 1, 2, 4, 8 has y = 0, y^2 = 1 or y^2 = y8^2, and no other y has."""
    y8_squared = Machine().constants["y8_squared"]
    squares = {y * y % P for y in edwards.SMALL_ORDER_Y}
    assert squares == {0, 1, y8_squared}
    assert len(edwards.SMALL_ORDER_Y) == 5
    # Twice a point of order 8 has y = 0, hence x^2 + y^2 = 0, on the curve 2y^2 = 1 - d y^4.
    assert (2 * y8_squared - 1 + edwards.D * y8_squared**2) % P == 0


def test_conditions_and_units_have_numbers_of_their_own() -> None:
    machine = Machine()
    for numbers, field in (
        (list(machine.conditions.values()), "ctl_cond"),
        (list(machine.externals.values()), "ext"),
        ([unit["id"] for unit in machine.units.values()], "ctl_arg"),
    ):
        assert sorted(numbers) == list(range(len(numbers)))
        assert len(numbers) <= 2 ** ISA.fields[field].width


# ---- table of the base point --------------------------------------------------------------------


def test_base_table() -> None:
    """All 256 entries of the window 10 against the golden model."""
    table = base_table(10)
    points = naf.odd_multiples(edwards.BASE, 10)
    assert len(table) == len(points) == 256
    for multiple, (entry, point) in enumerate(zip(table, points, strict=True)):
        x, y = edwards.to_affine(edwards.multiply(2 * multiple + 1, edwards.BASE))
        assert (x, y) == edwards.to_affine(point)
        assert entry == ((y + x) % P, (y - x) % P, 2 * edwards.D * x * y % P)


@pytest.mark.parametrize("window", [2, 5, 10])
def test_packed_table(window: int) -> None:
    words = packed(window)
    assert len(words) == 2 ** (window - 2)
    mask = 2**255 - 1
    for word, entry in zip(words, base_table(window), strict=True):
        assert word < 2**ENTRY_BITS
        assert (word >> 510, word >> 255 & mask, word & mask) == entry


def test_unknown_datapath(tmp_path: Path) -> None:
    text = (HW / "lib" / "seq" / "isa_dual.yaml").read_text()
    (tmp_path / "isa.yaml").write_text(text.replace("datapath: dual", "datapath: triple"))
    with pytest.raises(ValueError, match=r"isa\.yaml: datapath triple is none of butterfly, dual, limb"):
        Isa(tmp_path / "isa.yaml")


# ---- columns of a ROM ---------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.lists(WORDS, min_size=1, max_size=8), st.integers(0, 12))
def test_columns_hold_what_words_use(fields: list[dict[str, int]], fewer: int) -> None:
    words = [ISA.encode(word) for word in fields]
    bits, narrow = columns(ISA, words, ISA.word_bits)
    assert all(len(column) == 1 for column in bits)
    try:
        bits, narrow = columns(ISA, words, len(bits) - fewer)
    except ValueError:
        return
    for word, stored in zip(words, narrow):
        read = sum((stored >> at & 1) << bit for at, column in enumerate(bits) for bit in column)
        assert (read ^ word) & ISA.used(word) == 0


def test_columns_of_a_tile() -> None:
    """Two memories of 36 columns hold its words, and no fewer than 69 columns would do."""
    image = link("edverify", CORES["edverify"].roms["tile"].programs, "tile")
    bits, narrow = columns(image.machine.isa, image.words, 72)
    assert len(bits) == 72 and max(narrow) < 2**72 and len(narrow) == len(image.words) == 511
    with pytest.raises(ValueError, match="the words take 69 columns, where 68 are wanted"):
        columns(image.machine.isa, image.words, 68)


def test_used() -> None:
    """A destination matters where something is stored, a condition to what asks for one."""
    def bits(*names: str) -> int:
        return ISA.encode({name: 2**ISA.fields[name].width - 1 for name in names})

    optional = ("ctl_cond", "ctl_inv", "ctl_arg", "mul_rd", "sum_rd", "diff_rd")
    always = bits(*(name for name in ISA.fields if name not in optional))
    assert ISA.used(0) == always
    for word, used in (({"sum_we": 1}, ["sum_rd"]), ({"diff_we": 1, "mul_en": 1}, ["diff_rd", "mul_rd"]),
                       ({"ctl_op": ISA.control["finish"]}, ["ctl_cond", "ctl_inv", "ctl_arg"]),
                       ({"ctl_op": ISA.control["start"]}, ["ctl_arg"])):  # fmt: skip
        assert ISA.used(ISA.encode(word)) == always | bits(*used)
