# SPDX-License-Identifier: Apache-2.0
"""The ISA of a datapath (hw/lib/seq/isa.yaml, or the file that a machine names) and a configuration of a core
(hw/<core>/ucode/<config>.yaml) as Python values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from pointmill.resources import ROOT
from pointmill.rules import Reason

HW = ROOT / "hw"
ISA = HW / "lib" / "seq" / "isa.yaml"
P = 2**255 - 19
DATAPATHS = ("butterfly", "dual", "limb", "skew")
"""Kinds of datapaths, each a module of this package."""


def ucode(core: str) -> Path:
    """Folder of the programs and machine descriptions of a core."""
    return HW / core / "ucode"


@dataclass(frozen=True)
class Field:
    """One field of the microinstruction: `width` bits from bit `lsb` on."""

    name: str
    width: int
    lsb: int
    doc: str
    used_by: dict[str, list[int]]
    """The word uses it only where this other field has one of these values; in all words if empty."""


class Isa:
    """Word format, banks and control operations; `datapath` is the kind of datapath they are of, `ports` the
    fields that are read ports. ValueError for an unknown kind."""

    def __init__(self, path: Path = ISA):
        raw = yaml.safe_load(path.read_text())
        self.path = path
        self.datapath: str = raw.get("datapath", "butterfly")
        if self.datapath not in DATAPATHS:
            raise ValueError(f"{path.name}: datapath {self.datapath} is none of {', '.join(DATAPATHS)}")
        self.banks: dict[str, int] = {name: bank["id"] for name, bank in raw["banks"].items()}
        self.bank_docs = {name: bank["doc"] for name, bank in raw["banks"].items()}
        self.register_bits: int = raw["register_bits"]
        self.control: dict[str, int] = {name: op["id"] for name, op in raw["control"].items()}
        self.control_docs = {name: op["doc"] for name, op in raw["control"].items()}
        self.ports = [field["name"] for field in raw["word"] if field.get("port")]
        fields = []
        lsb = sum(field["bits"] for field in raw["word"])
        self.word_bits = lsb
        for field in raw["word"]:
            lsb -= field["bits"]
            fields.append(Field(field["name"], field["bits"], lsb, field["doc"], self._used_by(field)))
        self.fields: dict[str, Field] = {field.name: field for field in fields}
        self._decoded: dict[int, dict[str, int]] = {}

    @property
    def stored(self) -> list[str]:
        """The banks that are registers."""
        return [bank for bank in self.banks if bank not in ("ext", "chain", "zero")]

    @property
    def max_delay(self) -> int:
        """The longest distance in cycles from one word of a context to its next."""
        return 1 << self.fields["delay"].width

    def port(self, bank: str, register: int = 0, indexed: bool = False) -> int:
        """The value of a read-port field."""
        bits = self.register_bits
        return (int(indexed) << (bits + 2)) | (self.banks[bank] << bits) | register

    def encode(self, word: dict[str, int]) -> int:
        """Pack named field values (absent ones are 0) into a word.

        Raises ValueError where a value does not fit its field."""
        packed = 0
        for name, value in word.items():
            field = self.fields[name]
            if not 0 <= value < 1 << field.width:
                raise ValueError(f"{name} = {value} does not fit {field.width} bits")
            packed |= value << field.lsb
        return packed

    def _used_by(self, field: dict[str, Any]) -> dict[str, list[int]]:
        """Values by field, operations as numbers."""
        return {name: [self.control.get(value, value) for value in values]
                for name, values in field.get("used_by", {}).items()}

    def used(self, packed: int) -> int:
        """The bits of a word that matter, as a mask."""
        values, mask = self.decode(packed), 0
        for field in self.fields.values():
            if all(values[name] in wanted for name, wanted in field.used_by.items()):
                mask |= ((1 << field.width) - 1) << field.lsb
        return mask

    def decode(self, packed: int) -> dict[str, int]:
        """The field values of a word, not to be changed: who decodes it again gets the same ones."""
        if packed not in self._decoded:
            self._decoded[packed] = {
                f.name: (packed >> f.lsb) & ((1 << f.width) - 1) for f in self.fields.values()
            }
        return self._decoded[packed]


def _description(path: Path) -> dict:
    """A machine description; one that `extends` another of its folder has that one's entries too, its own
    entries of a section added to them."""
    own = yaml.safe_load(path.read_text())
    if not isinstance(own, dict):
        raise ValueError("it has no entries")
    if "extends" not in own:
        return own
    whole = _description(path.parent / own.pop("extends"))
    for key, value in own.items():
        whole[key] = {**whole[key], **value} if isinstance(value, dict) and key in whole else value
    return whole


_ENTRIES = {"latency": dict, "lengths": list, "inputs": dict, "units": dict, "conditions": dict, "constants": dict,
            "ports": dict, "limits": dict, "slots": list, "contexts": int, "multipliers": int, "held": int}
"""Entries of a machine description that are read only when a program is built for it."""

_WANTED: dict[str, dict[str, tuple[str, ...]]] = {
    "butterfly": {"ranges": ()}, "dual": {}, "skew": {"limits": ("register", "product")},
    "limb": {"slots": (), "ports": tuple(f"u{unit}_{side}" for unit in range(4) for side in "xy")}}
"""Those that a kind of datapath cannot do without, and what they have."""


class MachineError(ValueError):
    """A file that is no machine description; the message names it."""


class Machine:
    """Units, latencies, value ranges, constants and conditions of one configuration of a core.

    `latency` has the banks by name, `store` standing for those it does not have; `word_cost` is the number of cycles
    by which a block may be longer for a word less, where contexts share the datapath. `digit_inputs` are the inputs
    that depend on the present digit, `late_inputs` those for which a word waits, `public` the conditions that a
    program on secrets may ask, `input_bits` the widths of inputs that may be wider than a field element, `scale` the
    factor of scaled differences, None if there are none, and `scaled_bound` their bound. `ports` has the banks a read
    port reaches, for ports that do not reach all; `registers` the number of registers of each bank; `reasons` the
    numbers of the reasons with which a job may end (`reason_docs` of a core's own; the others are those of
    pointmill.rules); `lengths` the lengths of a product, in cycles, where they vary, `multipliers` the number of
    multipliers of such a datapath, `lone_products` whether a word starts one product at most, `shared_ports` whether
    factors are read through the ports of the sums; `slots` the numbers of
    registers of units that have their own, whose `ports` name units and external values; `limits` what registers and
    factors may hold, in multiples of the modulus, where values are not reduced at all. The ranges are those of a
    datapath whose values are not fully reduced.
    """

    def __init__(self, core: str = "edverify", config: str = "paper", path: Path | None = None):
        self.core = core
        self.path = path or ucode(core) / f"{config}.yaml"
        raw = _description(self.path)
        self.isa = Isa(HW / raw["isa"] if "isa" in raw else ISA)
        self.config: str = raw["config"]
        self.contexts: int = raw["contexts"]
        self.latency: dict[str, int] = raw["latency"]
        self.word_cost: int = raw.get("word_cost", 0)
        self.lengths: list[int] = raw.get("lengths", [])
        self.multipliers: int = raw.get("multipliers", 2)
        self.lone_products: bool = raw.get("lone_products", False)
        self.shared_ports: bool = raw.get("shared_ports", False)
        own = raw.get("reasons", {})
        self.reason_docs: dict[str, str] = {name: reason["doc"] for name, reason in own.items()}
        self.reasons = {n: r["id"] for n, r in own.items()} or {r.name: int(r) for r in Reason}
        self.constants: dict[str, int] = raw.get("constants", {})
        self.inputs: dict[str, str] = raw["inputs"]
        self.digit_inputs: set[str] = set(raw.get("digit_inputs", []))
        self.late_inputs: set[str] = set(raw.get("late_inputs", []))
        self.input_bits: dict[str, int] = raw.get("input_bits", {})
        self.units: dict[str, dict] = raw["units"]
        self.ports: dict[str, list[int | str]] = raw.get("ports", {})
        self.slots: list[int] = raw.get("slots", [])
        self.registers = dict.fromkeys(self.isa.stored, 1 << self.isa.register_bits)
        self.registers |= raw.get("registers", {})
        self.conditions: dict[str, int] = {n: c["id"] for n, c in raw["conditions"].items()}
        self.condition_docs = {n: c["doc"] for n, c in raw["conditions"].items()}
        self.held: int = raw.get("held", 0)
        self.limits: dict[str, int] = raw.get("limits", {})
        self.public = {n for n, c in raw["conditions"].items() if c.get("public")}
        if ranges := raw.get("ranges"):
            self.product_bound = 2 ** ranges["product_bits"] + 2 ** ranges["product_slack"]
            self.factor_bound = 2 ** ranges["factor_bits"]
            self.subtract_offset = ranges["subtract_multiple"] * P
        scale = raw.get("scale")
        self.scale: int | None = scale["factor"] if scale else None
        self.scaled_bound = 2**255 + 2 ** scale["bits"] if scale else 0

    @classmethod
    def load(cls, path: Path) -> Machine:
        """The machine that a file describes, of the core <core> if that is <core>/ucode/<config>.yaml or
        <core>/<config>.yaml. MachineError."""
        try:
            raw = _description(path)
            wrong = [entry for entry, kind in _ENTRIES.items() if not isinstance(raw.get(entry, kind()), kind)]
            if wrong:
                raise ValueError(f"{wrong[0]} is of another kind")
            folder = path.absolute().parent
            machine = cls(folder.parent.name if folder.name == "ucode" else folder.name, path=path)
            for entry, names in _WANTED[machine.isa.datapath].items():
                if not raw[entry]:
                    raise KeyError(entry)
                for name in names:
                    if name not in raw[entry]:
                        raise KeyError(name)
            if machine.multipliers not in (1, 2):
                raise ValueError("multipliers are 1 or 2")
            if "mul" not in machine.latency or "always" not in machine.conditions:
                raise ValueError("it wants latency of mul and condition always")
            return machine
        except KeyError as error:
            raise MachineError(f"{path}: no machine description: it has no {error.args[0]}") from None
        except OSError as error:
            raise MachineError(f"{path}: {error.filename}: {error.strerror}") from None
        except (AttributeError, RecursionError, TypeError, ValueError, yaml.YAMLError) as error:
            raise MachineError(f"{path}: no machine description: {error}") from None

    @cached_property
    def externals(self) -> dict[str, int]:
        """Number of every external value: constants first, then inputs."""
        return {name: i for i, name in enumerate([*self.constants, *self.inputs])}

    @cached_property
    def unit_ids(self) -> dict[str, int]:
        """Number of every side unit, of one that has a `size` that of its first member."""
        return {name: unit["id"] for name, unit in self.units.items()}

    @cached_property
    def unit_docs(self) -> dict[str, str]:
        """What every side unit does."""
        return {name: unit["doc"] for name, unit in self.units.items()}

    def reaches(self, port: str, source: int | str) -> bool:
        """Whether a read port reads a bank, or what units have registers of their own the unit or external value."""
        return source in self.ports.get(port, self.isa.banks)

    def external_bound(self, name: str) -> int:
        """A bound (inclusive) of an external value."""
        return self.constants.get(name, 2 ** self.input_bits.get(name, 255) - 1)

    def unit(self, name: str) -> tuple[dict, int]:
        """Description and number of a side unit; NAME[K] is member K of a unit that has a `size`.

        KeyError where there is no such unit or member."""
        plain, _, member = name.rstrip("]").partition("[")
        unit = self.units[plain]
        if int(member or 0) >= unit.get("size", 1) or ("size" in unit) != bool(member):
            raise KeyError(name)
        return unit, unit["id"] + int(member or 0)
