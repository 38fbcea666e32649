# SPDX-License-Identifier: Apache-2.0
"""`pointmill fleet verify`: parts go through Ray Data to actors with a device each, and their results come back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from .cluster import connected
from .parts import fingerprint, parts_of
from .store import Store
from .verifier import Verifier, What


@dataclass(frozen=True)
class Summary:
    """Results by reason; rows that were done before, and by this run."""

    reasons: dict[str, int]
    kept: int
    done: int


def verify(what: What, out: Path, rows: int, devices: int, address: str | None,
           begin: Callable[[int], Callable[[int], None]]) -> Summary:
    """Verifies all rows of the input and writes a result line for each, in their order.

    rows: of a part at most. devices: actors, on this machine or on the cluster at `address`. begin: called with the
    number of rows that are left, gives what is called with the number of rows that came. `ClusterError`, `InputError`,
    `OSError`; what was done is kept, and the same call goes on with the rest.
    """
    parts = parts_of(what.name, rows)
    store = Store(out, [fingerprint(what.name), rows, asdict(what)], parts)
    missing = store.missing()
    left = sum(part.rows for part in missing)
    advance, done = begin(left), 0
    if missing:
        with connected(address, devices + 1) as ray:
            context = ray.data.DataContext.get_current()
            context.enable_progress_bars = False
            context.max_errored_blocks = 0
            dataset = ray.data.from_items([asdict(part) for part in missing],
                                          override_num_blocks=len(missing)).map_batches(
                Verifier, fn_constructor_args=(what,), batch_size=1, concurrency=(1, devices), num_cpus=1)
            sizes = {part.number: part.rows for part in missing}
            for row in dataset.iter_rows():
                done += store.put(int(row["number"]), row["text"])
                advance(sizes[int(row["number"])])
    return Summary(store.finish(), sum(part.rows for part in parts) - left, done)
