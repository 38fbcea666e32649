# SPDX-License-Identifier: Apache-2.0
"""The figures of the committed records, as the pages look them up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pointmill.measure import store
from pointmill.measure.records import Record
from pointmill.measure.store import Entry
from pointmill.report import area


class Figures:
    """Figures by (id, configuration, what), those of `edverify` and its parts with their resources. asked: what was
    looked up, there or not."""

    def __init__(self, found: Iterable[Record]):
        found = list(found)
        self.records = [*found, *area.records(found)]
        self.by_key = {(record.id, record.config, record.what): record for record in self.records}
        self.asked: set[tuple[str, str, str]] = set()

    def found(self, name: str, what: str, config: str) -> float | None:
        """A value of `edverify`; None where it was not measured."""
        return self.value(f"edverify.{name}", what, config)

    def value(self, identity: str, what: str, config: str) -> float | None:
        """A value; None where it was not measured."""
        self.asked.add((identity, config, what))
        record = self.by_key.get((identity, config, what))
        return None if record is None else record.value

    def measured(self, identity: str, what: str, config: str) -> float:
        """A value that other figures say is there; `ValueError` where it was not measured."""
        value = self.value(identity, what, config)
        if value is None:
            raise ValueError(f"{identity}, {config}: {what} was not measured")
        return value

    def cycles(self, identity: str, config: str) -> float | None:
        """Cycles, exact or the mean; None where neither was measured."""
        exact, mean = (self.value(identity, what, config) for what in ("cycles", "cycles_mean"))
        return mean if exact is None else exact


def complete(values: Iterable[float | None]) -> list[float] | None:
    """The values; None where one of them was not measured."""
    found: list[float] = []
    for value in values:
        if value is None:
            return None
        found.append(value)
    return found


def committed(entries: Mapping[str, Entry] | None = None) -> Figures:
    """The figures of all committed records."""
    return Figures(store.figures(store.load_all() if entries is None else entries))


def origins(entries: Mapping[str, Entry]) -> dict[tuple[str, str, str], str]:
    """The measurement of every figure by (id, configuration, what)."""
    found = {(figure.id, figure.config, figure.what): name for name, entry in entries.items()
             for figure in entry.figures}
    units = {key: (unit, area.FAMILY, key[2]) for key, (unit, _) in area.parts().items()}
    return found | {key: found[source] for key, source in units.items() if source in found}
