# SPDX-License-Identifier: Apache-2.0
"""Reading of jobs as JSON lines, in chunks, whatever the bytes are."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from ..device import Job, SecretJob
from ..errors import InputError
from ..rules import RULES

CHUNK_JOBS = 256
CHUNK_BATCHES = 4096
"""Jobs taken at once where the device decides many of them together."""
CHUNK_BYTES = 8 << 20
MAX_LINE = 64 << 20
"""Longer lines are refused without being kept, so that memory stays bounded."""

_BLOCK = 1 << 20
_HEX = re.compile(r"[0-9a-fA-F]*")


@dataclass(frozen=True)
class Item:
    """One thing to answer: a job (of one of the clients), or `error`, which says why there is none.

    The tag is what the answer carries, the rule what was asked for, even if there is no such one. shown: further fields
    of the answer. reason: for which there is no job, or for which a valid signature does not count.
    """

    tag: Any
    rule: Any
    job: Any = None
    error: str | None = None
    shown: Mapping[str, Any] = field(default_factory=dict)
    reason: str | None = None


class LineError(InputError):
    """A line that is no job."""


def bytes_of(record: dict[str, Any], field: str) -> bytes:
    """The hex string in a field; LineError if it is missing or something else."""
    if field not in record:
        raise LineError(f"{field} is missing")
    value = record[field]
    # A pattern for pairs would keep 120 bytes of state for each.
    if not isinstance(value, str) or len(value) % 2 or not _HEX.fullmatch(value):
        raise LineError(f"{field} is not a string of pairs of hex digits")
    return bytes.fromhex(value)


SECRET_FIELDS = {"x25519": ("k", "u"), "keygen": ("d",), "sign": ("d", "msg")}
"""Fields that a line of an operation with a secret operand must have."""


def is_tag(value: Any) -> bool:
    """Whether a JSON value may be a tag: a string or an integer."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def object_of(line: bytes) -> dict[str, Any]:
    """The JSON object of a line; LineError if it is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError(f"not JSON: {error}") from None
    if not isinstance(record, dict):
        raise LineError("not a JSON object")
    return record


def tag_of(record: dict[str, Any], index: int) -> Any:
    """The tag of a line, its index if it has none; LineError if that is no tag."""
    tag = record.get("tag", index)
    if not is_tag(tag):
        raise LineError("tag is neither a string nor an integer")
    return tag


def parse_line(line: bytes, index: int, default_rule: str) -> Item:
    """The item of one line; never raises. index: the tag if the line has none."""
    tag: Any = index
    rule: Any = default_rule
    try:
        record = object_of(line)
        tag = tag_of(record, index)
        if "rule" in record:
            asked = record["rule"]
            rule = asked if is_tag(asked) else None
            if not isinstance(asked, str) or asked not in RULES:
                raise LineError(f"rule is none of {', '.join(RULES)}")
        pk, msg, sig = (bytes_of(record, name) for name in ("pk", "msg", "sig"))
        error = None
        if len(pk) != 32:
            error = f"pk has {len(pk)} bytes, not 32"
        elif len(sig) != 64:
            error = f"sig has {len(sig)} bytes, not 64"
        return Item(tag, rule, Job(pk, msg, sig, rule, tag), error)
    except LineError as error:
        return Item(tag, rule, None, str(error))


def parse_secret_line(line: bytes, index: int, op: str) -> Item:
    """The item of a line for an operation of SECRET_FIELDS; never raises. No error repeats a secret."""
    tag: Any = index
    try:
        record = object_of(line)
        tag = tag_of(record, index)
        fields = {name: bytes_of(record, name) for name in SECRET_FIELDS[op]}
        for name, data in fields.items():
            if name != "msg" and len(data) != 32:
                raise LineError(f"{name} has {len(data)} bytes, not 32")
        secret = fields.pop("k" if op == "x25519" else "d")
        return Item(tag, None, SecretJob(op, secret, tag=tag, **fields))
    except LineError as error:
        return Item(tag, None, None, str(error))


def _split(stream: BinaryIO) -> Iterator[list[bytes | None]]:
    """Lines as they arrive, in lists; None for one longer than MAX_LINE."""
    rest, too_long = bytearray(), False
    while data := os.read(stream.fileno(), _BLOCK):
        *lines, rest_of_data = data.split(b"\n")
        ready: list[bytes | None] = []
        for line in lines:
            too_long = too_long or len(rest) + len(line) > MAX_LINE
            ready.append(None if too_long else bytes(rest) + line)
            rest, too_long = bytearray(), False
        rest += rest_of_data
        if len(rest) > MAX_LINE:
            rest, too_long = bytearray(), True
        if ready:
            yield ready
    if rest or too_long:
        yield [None if too_long else bytes(rest)]


def read_items(stream: BinaryIO, rule: str, most: int = CHUNK_JOBS) -> Iterator[list[Item]]:
    """Items of verifications as JSON lines, at most `most` together; `rule` for those without one of
    their own."""
    return read_lines(stream, rule, lambda line, index: parse_line(line, index, rule), most)


def read_secret_items(stream: BinaryIO, op: str) -> Iterator[list[Item]]:
    """Items of an operation of SECRET_FIELDS as JSON lines."""
    return read_lines(stream, None, lambda line, index: parse_secret_line(line, index, op))


def read_lines(stream: BinaryIO, rule: str | None, parse: Callable[[bytes, int], Item],
               most: int = CHUNK_JOBS) -> Iterator[list[Item]]:
    """Items of a stream of JSON lines, in lists of a bounded size, each as soon as it is complete.

    Blank lines give no item but count for the line index. stream: an open binary file, read by its
    descriptor, so that a program that writes a line and waits for its answer gets it.
    """
    index = 0
    for lines in _split(stream):
        items: list[Item] = []
        size = 0
        for line in lines:
            if line is None:
                items.append(Item(index, rule, None, f"the line is longer than {MAX_LINE} bytes"))
            elif line.strip():
                items.append(parse(line, index))
                size += len(line)
            index += 1
            if len(items) >= most or size >= CHUNK_BYTES:
                yield items
                items, size = [], 0
        if items:
            yield items
