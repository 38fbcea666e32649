# SPDX-License-Identifier: Apache-2.0
"""The page build/report/index.html, without anything from elsewhere, of the committed records.

Figures whose sources have changed since are marked as stale, what belongs on the page and has no record as not
measured. The page is the same for the same tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from pointmill.measure import store
from pointmill.measure.plan import Measurement, measurements
from pointmill.measure.run import KEPT, MISSING, STALE, state
from pointmill.measure.store import Entry
from pointmill.report import sections, svg
from pointmill.report.figures import Figures, origins
from pointmill.report.sections import Section
from pointmill.report.tables import Table, in_html
from pointmill.simbuild import ROOT

OUT = ROOT / "build" / "report" / "index.html"
HERE = Path(__file__).parent


def _paragraph(part: str) -> str:
    return part if part.startswith("<") else f"<p>{in_html(part)}</p>\n"


def section_html(section: Section, stale: Sequence[str]) -> str:
    """A section, with a note that names the stale records that it shows."""
    note = ""
    if stale:
        names = ", ".join(f"<code>{escape(name)}</code>" for name in stale)
        note = f'<p class=stale><b>Stale:</b> sources have changed since these were measured: {names}</p>\n'
    body = "".join(_paragraph(part) for part in section.parts if part)
    return f"<section id={section.name}>\n<h2>{escape(section.title)}</h2>\n{note}{body}</section>\n"


def records_section(plan: Mapping[str, Measurement], entries: Mapping[str, Entry],
                    states: Mapping[str, str]) -> Section:
    """A line for each measurement, made or not."""
    lines, marks = [], set()
    for place, (name, one) in enumerate(plan.items()):
        entry = entries.get(name)
        if states[name] == STALE:
            marks.add(place)
        made = [entry.date, entry.revision[:10] + (" and changes" if entry.dirty else ""),
                ", ".join(f"{tool} {version}" for tool, version in entry.tools.items()),
                entry.seconds] if entry else [""] * 4
        lines.append([f"`{name}`", "holds" if states[name] == KEPT else states[name], f"`{one.command}`", *made])
    table = Table(["measurement", "record", "command", "date", "revision", "tools", "s"], lines, left=6,
                  marks=frozenset(marks))
    return Section("records", "Records", [
        "Every figure of ours comes from one of these runs. A record holds while the sources that its figures depend "
        "on are those that were measured.", table.html()])  # fmt: skip


def page(entries: Mapping[str, Entry], plan: Mapping[str, Measurement]) -> str:
    """The page."""
    states = {name: state(one, entries) for name, one in plan.items()}
    figures, where = Figures(store.figures(entries)), origins(entries)
    body, menu = "", ""
    for make in sections.ALL:
        figures.asked.clear()
        section = make(figures)
        shown = {where[key] for key in figures.asked if key in where}
        body += section_html(section, [name for name in states if name in shown and states[name] == STALE])
        menu += f'<a href="#{section.name}">{escape(section.title)}</a> '
    body += section_html(records_section(plan, entries, states), [])
    menu += '<a href="#records">Records</a>'
    count = {state: sum(found == state for found in states.values()) for state in (KEPT, STALE, MISSING)}
    dates = sorted(entry.date for entry in entries.values())
    since = f", measured from {dates[0]} to {dates[-1]}" if len(set(dates)) > 1 else "".join(f", measured on {date}"
                                                                                             for date in dates[:1])
    lead = (f"{len(plan)} measurements: {count[KEPT]} hold{since}; stale: {count[STALE]}; "
            f"not measured: {count[MISSING]}.")
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>Pointmill: evidence</title>\n"
        '<meta name=viewport content="width=device-width, initial-scale=1">\n'
        f"<style>\n{(HERE / 'page.css').read_text()}</style></head><body>\n{svg.patterns()}"
        "<header><h1>Pointmill: evidence</h1><p>Open hardware for elliptic curves. "
        f"{lead}</p><nav>{menu}</nav></header>\n"
        f"<main>\n{body}</main>\n<script>\n{(HERE / 'page.js').read_text()}</script></body></html>\n"
    )


def write() -> Path:
    """Writes the page of the committed records; its file."""
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(page(store.load_all(), measurements()))
    return OUT
