# SPDX-License-Identifier: Apache-2.0
"""Rule sets, reasons, operations and packets of `edverify`, read from hw/edverify/core.yaml.

The data file is the only place that names them; this module gives it to Python unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from .resources import ROOT
from .yaml_file import read_yaml

DATA_FILE = ROOT / "hw" / "edverify" / "core.yaml"

FLAGS = frozenset({"strict_a", "decode_r", "strict_r", "small_a", "small_r", "cofactored"})


@dataclass(frozen=True)
class Rule:
    """One Ed25519 rule set: its name, its id in the job header and what it asks for.

    The flags are those of hw/edverify/core.yaml, where their meaning is written down.
    """

    name: str
    id: int
    strict_a: bool = False
    decode_r: bool = False
    strict_r: bool = False
    small_a: bool = False
    small_r: bool = False
    cofactored: bool = False


OPERATION_FLAGS = frozenset({"rule", "message", "secret", "slot", "batch"})


@dataclass(frozen=True)
class Operation:
    """What a job may ask for; operands and payload are numbers of 32 bytes.

    The flags are those of hw/edverify/core.yaml, where their meaning is written down.
    """

    name: str
    opcode: int
    operands: tuple[str, ...]
    """Behind the header, in this order."""
    payload: tuple[str, ...]
    """Behind the two beats of a result whose reason is `ok`."""
    rule: bool = False
    message: bool = False
    secret: bool = False
    slot: bool = False
    batch: bool = False


def _make_rules(table: dict) -> dict[str, Rule]:
    """Rules by name, in the order of the file; ValueError for a flag nobody knows."""
    rules = {}
    for name, entry in table.items():
        unknown = set(entry["flags"]) - FLAGS
        if unknown:
            raise ValueError(f"rule {name} has unknown flags {sorted(unknown)}")
        rules[name] = Rule(name, entry["id"], **dict.fromkeys(entry["flags"], True))
    return rules


def _make_operations(table: dict) -> dict[str, Operation]:
    """Operations by name, in the order of the file; ValueError for a flag nobody knows."""
    operations = {}
    for name, entry in table.items():
        unknown = set(entry["flags"]) - OPERATION_FLAGS
        if unknown:
            raise ValueError(f"operation {name} has unknown flags {sorted(unknown)}")
        operations[name] = Operation(name, entry["opcode"], tuple(entry["operands"]),
                                     tuple(entry["payload"]),
                                     **dict.fromkeys(entry["flags"], True))
    return operations


_DATA = read_yaml(DATA_FILE)

RULES: dict[str, Rule] = _make_rules(_DATA["rules"])
RULES_BY_ID: dict[int, Rule] = {rule.id: rule for rule in RULES.values()}
Reason = IntEnum("Reason", _DATA["reasons"])  # type: ignore[misc]  # the members come from the data file
VERDICTS = frozenset(Reason) - {Reason[name] for name in ("message_too_long", "secret_refused", "fault_detected")}
"""What a verification may end with, without a fault of the core."""
OPERATIONS: dict[str, Operation] = _make_operations(_DATA["operations"])


def find_rule(rule: Rule | str | int) -> Rule:
    """The rule of this name or id; KeyError (with the known ones) if there is none."""
    if isinstance(rule, Rule):
        return rule
    found = RULES_BY_ID.get(rule) if isinstance(rule, int) else RULES.get(rule)
    if found is None:
        known = ", ".join(f"{r.id} {r.name}" for r in RULES.values())
        raise KeyError(f"no rule set {rule!r}; known are {known}")
    return found
