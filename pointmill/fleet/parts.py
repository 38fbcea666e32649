# SPDX-License-Identifier: Apache-2.0
"""The parts of an input: so many rows each, which one device verifies together and of which the results are kept
together. An input is JSON lines, or Parquet with the columns of their fields; a path or a URL that pyarrow opens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as parquet
from pyarrow import fs

_BLOCK = 8 << 20
_COLUMNS = ("pk", "msg", "sig", "tag", "rule")
"""What is read of Parquet; others may be of kinds that JSON has not."""


@dataclass(frozen=True)
class Part:
    """rows: lines or rows in it, the first of them counted from the begin of the input. start, end: its bytes; of
    Parquet the row group, and the first row in that."""

    number: int
    first: int
    rows: int
    start: int
    end: int


def opened(name: str) -> tuple[fs.FileSystem, str]:
    """The file system of a path or a URL, and the path in it."""
    if "://" in name:
        found: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(name)
        return found
    return fs.LocalFileSystem(), name


def is_parquet(name: str) -> bool:
    """By its name."""
    return name.endswith(".parquet")


def fingerprint(name: str) -> list[Any]:
    """Size and time of a file: whether it is the same as before. `FileNotFoundError`."""
    system, path = opened(name)
    info = system.get_file_info(path)
    if info.type == fs.FileType.NotFound:
        raise FileNotFoundError(2, "No such file", name)
    return [name, info.size, str(info.mtime_ns)]


def parts_of(name: str, rows: int) -> list[Part]:
    """The parts of an input, of `rows` rows at most."""
    return list(_row_groups(name, rows) if is_parquet(name) else _lines(name, rows))


def _lines(name: str, rows: int) -> Iterator[Part]:
    """One pass over the file, which looks for the ends of lines only."""
    system, path = opened(name)
    number = start = position = count = first = 0
    with system.open_input_stream(path) as stream:
        while block := stream.read(_BLOCK):
            at = -1
            while (at := block.find(b"\n", at + 1)) >= 0:
                count += 1
                if count == rows:
                    end = position + at + 1
                    yield Part(number, first, count, start, end)
                    number, first, start, count = number + 1, first + count, end, 0
            position += len(block)
            unended = not block.endswith(b"\n")
    if start < position:
        yield Part(number, first, count + unended, start, position)


def _row_groups(name: str, rows: int) -> Iterator[Part]:
    system, path = opened(name)
    number = first = 0
    with system.open_input_file(path) as stream:
        groups = parquet.ParquetFile(stream).metadata
        for group in range(groups.num_row_groups):
            size = groups.row_group(group).num_rows
            for offset in range(0, size, rows):
                count = min(rows, size - offset)
                yield Part(number, first, count, group, offset)
                number, first = number + 1, first + count


def _text(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def read(name: str, part: Part) -> list[bytes]:
    """The lines of a part, those of Parquet as JSON: bytes in hex, without nulls, kinds that JSON has not as text."""
    system, path = opened(name)
    with system.open_input_file(path) as stream:
        if not is_parquet(name):
            lines: list[bytes] = stream.read_at(part.end - part.start, part.start).split(b"\n")
            return lines[:part.rows]
        file = parquet.ParquetFile(stream)
        table = file.read_row_group(part.start, [name for name in _COLUMNS if name in file.schema_arrow.names]).slice(
            part.end, part.rows)
        rows = ({key: _text(value) for key, value in row.items() if value is not None} for row in table.to_pylist())
        return [json.dumps(row, default=str).encode() for row in rows]
