# SPDX-License-Identifier: Apache-2.0
"""Text that the command line takes, whatever it is: JSON lines of every command, streams of them, allowed signers."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pointmill import allowed_signers
from pointmill.commands import curve_lines, lines
from pointmill.commands.lines import Item
from pointmill.curves import by_name

P256 = by_name("P-256")
HEX = st.one_of(
    st.integers(0, 2**600).map(lambda number: f"{number:x}"), st.binary(max_size=80).map(bytes.hex),
    st.sampled_from(["", "0", "00", "-1", "0x1", " 1", "1_0", "٣", "F" * 64, "0" * 65, "f" * 200]))
ANY = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | HEX,
                   lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
                   max_leaves=4)
TOY = {"p": "61", "a": "2", "b": "3", "n": "5", "gx": "3", "gy": "6"}
GX, GY = (f"{number:x}" for number in P256.g or ())
GOOD = {**dict.fromkeys(("pk", "msg", "k", "u", "d", "digest", "a", "b", "v", "e", "r", "s"), "1f" * 32),
        "sig": "2e" * 64, "px": GX, "py": GY, "qx": GX, "qy": GY, "mod": "61" * 33, "op": "inv", "curve": "P-256",
        "hash": "sha256", "rule": "zip215", "tag": "a tag"}
"""What every command finds its fields in."""
ODD: dict[str, st.SearchStrategy[Any]] = {
    "curve": st.sampled_from(["secp256k1", "sm2p256v1", "X25519", "p-256"]) | ANY,
    "op": st.sampled_from(["mul", "add", "pow"]) | ANY, "hash": st.sampled_from(["sha1", "md5", "shake_128"]) | ANY,
    "params": st.fixed_dictionaries({}, optional=dict.fromkeys(TOY, HEX | ANY)).map(lambda more: TOY | more) | ANY}
"""What takes the place of a value, where that is not HEX or ANY."""


def good(command: str) -> dict[str, Any]:
    """A record of which a command makes a job."""
    return GOOD | ({"k": "1f" * 56, "u": "1f" * 56} if command.endswith("x448") else {})


@st.composite
def broken_line(draw: st.DrawFn, command: str) -> bytes:
    """A line of JSON that is right but for a few fields, which are missing or anything, and perhaps a piece of its
    text."""
    record = good(command)
    for name in draw(st.lists(st.sampled_from([*record, "params"]), max_size=3)):
        record.pop(name, None)
        if draw(st.booleans()):
            record[name] = draw(ODD.get(name, HEX | ANY))
            if name == "params":
                record.pop("curve", None)
    line = json.dumps(record).encode()
    if draw(st.integers(0, 3)) == 0:
        at, cut = draw(st.integers(0, len(line))), draw(st.integers(0, 20))
        line = line[:at] + draw(st.binary(max_size=6) | st.just(b'"}') | st.just(b"[" * 5000)) + line[at + cut:]
    return line.replace(b"\n", b" ")


PARSERS: dict[str, Callable[[bytes, int], Item]] = {
    "verify": lambda line, index: lines.parse_line(line, index, "zip215"),
    **{op: partial(lines.parse_secret_line, op=op) for op in lines.SECRET_FIELDS},
    **{f"{core} {command}": partial(lambda name, makers, line, index: curve_lines.parse_line(
        name, line, index, P256, None, makers), command, makers)
       for core, makers in (("multicurve", curve_lines.MAKERS), ("mpu", curve_lines.MPU_MAKERS))
       for command in makers}}
"""What makes an item of a line, by core and command."""


@pytest.mark.parametrize("command", PARSERS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_any_line_gives_a_job_or_a_sentence(command: str, data: st.DataObject) -> None:
    assert PARSERS[command](json.dumps(good(command)).encode(), 7).job is not None
    item = PARSERS[command](data.draw(broken_line(command)), 7)
    assert lines.is_tag(item.tag)
    assert (item.job is None) <= (item.error is not None)
    if item.error is not None:
        assert item.error and "\n" not in item.error.strip() and json.dumps(item.error).isascii()


@settings(max_examples=200, deadline=None)
@given(secret=st.binary(min_size=12, max_size=40).map(bytes.hex), line=broken_line("sign"),
       op=st.sampled_from(list(lines.SECRET_FIELDS)))
def test_no_error_repeats_a_secret(secret: str, line: bytes, op: str) -> None:
    """Not even of a line that is no JSON behind it."""
    for spoiled in (b'{"d": "%s", "k": "%s"' % (secret.encode(), secret.encode()) + line,
                    b'{"d": "%s ", "k": "%s ", "u": ""}' % (secret.encode(), secret.encode())):
        error = lines.parse_secret_line(spoiled, 1, op).error
        assert error is not None and secret not in error


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(broken_line("verify") | st.sampled_from([b"", b"  "]), max_size=12),
       end=st.sampled_from([b"", b"\n"]))
def test_a_stream_gives_an_item_for_every_line(texts: list[bytes], end: bytes) -> None:
    """In their order, whatever is in them; blank lines give none but count."""
    with tempfile.TemporaryFile() as file:
        file.write(b"\n".join(texts) + end)
        file.flush()
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        items = [item for chunk in lines.read_lines(
            file, None, lambda line, index: Item(index, None, line)) for item in chunk]
    assert [(item.tag, item.job) for item in items] == [
        (index, text) for index, text in enumerate(texts) if text.strip()]


KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"
WORDS = ("alice@example.org", "*", "!a", '"', "namespaces=\"git,file\"", "valid-before=20300101", "valid-after=1",
         "cert-authority", "ssh-ed25519", KEY, "# note", ",", "\t", "\\", "x=")


@settings(max_examples=150, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=6), good=st.integers(0, 2))
def test_allowed_signers_are_lines_or_an_error_with_its_line(words: list[str], good: int) -> None:
    text = f"alice {KEY}\n" * good + " ".join(words).replace("\n", " ")
    with contextlib.suppress(allowed_signers.AllowedSignersError):
        assert len(allowed_signers.parse(text)) in (good, good + 1)
        return
    with pytest.raises(allowed_signers.AllowedSignersError, match=r"^line \d+: "):
        allowed_signers.parse(text)


def test_memory_of_a_long_field() -> None:
    """A small multiple of the line, whatever the field."""
    line = json.dumps({"pk": "00" * 32, "sig": "00" * 64, "u": "00" * 56} | dict.fromkeys(
        ("msg", "k"), "0f" * (1 << 18))).encode()
    for parse, good in ((lambda: lines.parse_line(line, 0, "zip215"), True),
                        (lambda: curve_lines.parse_line("x448", line, 0, None), False)):
        tracemalloc.start()
        try:
            item, peak = parse(), tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert (item.error is None) == good and peak < 6 * len(line)
