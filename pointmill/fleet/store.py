# SPDX-License-Identifier: Apache-2.0
"""Results that are done: a file for each part beside the output, until all are there. A run that was ended by anything
goes on where it was."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError
from .parts import Part, is_parquet


class Store:
    """The folder OUT.parts. inputs: what the results depend on; results of others are not taken over."""

    def __init__(self, out: Path, inputs: list[Any], parts: list[Part]) -> None:
        """`InputError` if the folder is one of another run, whose results would be mixed with these."""
        self._out, self._parts = out, parts
        self._folder = out.with_name(f"{out.name}.parts")
        self._folder.mkdir(parents=True, exist_ok=True)
        plan = self._folder / "plan.json"
        text = json.dumps([inputs, len(parts), parts[-1].first + parts[-1].rows if parts else 0])
        if not plan.exists():
            for part in parts:  # without a plan they may be of any input
                self._file(part).unlink(missing_ok=True)
            self._write(plan, text.encode())
        elif plan.read_text() != text:
            raise InputError(f"{self._folder} has results of another input, rule set or device: remove it")

    @staticmethod
    def _write(path: Path, data: bytes) -> None:
        """All of it or nothing, also if the machine stops."""
        made = path.with_suffix(".new")
        with open(made, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)

    def _file(self, part: Part) -> Path:
        return self._folder / f"{part.number:09d}.jsonl"

    def missing(self) -> list[Part]:
        """Parts without results."""
        return [part for part in self._parts if not self._file(part).exists()]

    def put(self, number: int, data: bytes) -> int:
        """Keeps the results of a part, unless it has some: a part that was done twice counts once. How many results
        were new."""
        path = self._file(self._parts[number])
        if path.exists():
            return 0
        self._write(path, data)
        return data.count(b"\n")

    def _texts(self) -> Iterator[bytes]:
        for part in self._parts:
            yield self._file(part).read_bytes()

    def finish(self) -> dict[str, int]:
        """Writes the output, in the order of the input, and removes the parts; how many results have each reason."""
        reasons: dict[str, int] = {}
        made = self._out.with_name(f"{self._out.name}.new")
        writer = _parquet(made) if is_parquet(self._out.name) else _lines(made)
        next(writer)
        for text in self._texts():
            for line in text.splitlines():
                reason = json.loads(line)["reason"]
                reasons[reason] = reasons.get(reason, 0) + 1
            writer.send(text)
        writer.close()
        made.replace(self._out)
        shutil.rmtree(self._folder)
        return reasons


def _lines(path: Path) -> Any:
    """Takes texts and writes them."""
    with open(path, "wb") as file:
        while True:
            file.write((yield))


def _parquet(path: Path) -> Any:
    """Takes texts and writes their lines as rows; tag and rule, which a malformed line may have as numbers, are strings
    there, without halves of characters, which they cannot have."""
    import pyarrow
    import pyarrow.parquet as parquet

    schema = pyarrow.schema([("tag", pyarrow.string()), ("valid", pyarrow.bool_()), ("reason", pyarrow.string()),
                             ("rule", pyarrow.string()), ("cycles", pyarrow.int64()), ("error", pyarrow.string()),
                             ("device", pyarrow.string())])
    with parquet.ParquetWriter(path, schema) as writer:
        while True:
            rows = [json.loads(line) for line in (yield).splitlines()]
            for row in rows:
                row |= {name: str(row[name]).encode("utf-8", "backslashreplace").decode()
                        for name in ("tag", "rule") if row[name] is not None}
            if rows:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema))
