# SPDX-License-Identifier: Apache-2.0
"""Pages made of the committed records: docs/performance.md, its pictures, and the table of the README.

Command line: ``python -m pointmill.bench.render``, part of `make gen`; `make check-gen` fails where they differ.
"""

from __future__ import annotations

import re
from pathlib import Path

from pointmill.bench import multicurve_page, resource_tables
from pointmill.bench.figures import ABSENT, Figures, committed
from pointmill.bench.load_page import draw_load, load_section, measured_loads, multiplier_section
from pointmill.bench.records import ROOT, WHATS, published
from pointmill.evidence.tables import number

COMMAND = "make measure"
PAGE = ROOT / "docs" / "performance.md"
PICTURE = ROOT / "docs" / "images" / "edverify-cycles.svg"
LOAD_PICTURE = ROOT / "docs" / "images" / "edverify-load.svg"
README = ROOT / "README.md"
_MARK = re.compile(r"(<!-- bench:start -->\n).*(<!-- bench:end -->)", re.DOTALL)

# Columns of the table of the README: heading, configuration, verifications.
COLUMNS = (
    ("`throughput`", "throughput", "verify"),
    ("`bulk`, kept keys", "bulk", "verify_cached"),
    ("`bulk`, batches", "bulk", "verify_batch"),
    ("`latency`", "latency", "verify"),
    ("`compact27`", "compact27", "verify"),
    ("`paper`", "paper", "verify"),
)

# Records of `edverify` that have tables of their own.
APART = ("edverify.load_", "edverify.multiplier")

# Phases of a verification: our record, its name in the picture, the published record.
PHASES = (
    ("phase_receive", "receive", None),
    ("phase_decompression", "decompress A and R", "decompression"),
    ("phase_challenge", "k mod L", "modl"),
    ("phase_double_scalar", "S*G - k*A", "double_scalar"),
    ("phase_compare", "compare", None),
)
_COLOURS = ("#999999", "#0072b2", "#cc79a7", "#009e73", "#e69f00", "#dddddd")


def wiredancer() -> int:
    """DSP-cycles of a verification of Firedancer's wiredancer, derived (data/published.yaml)."""
    other = published("wiredancer")
    return other["multipliers"] * other["dsp_per_multiplier"] * other["cycles"]


def readme_table(figures: Figures) -> str:
    """The table of the README's first screen."""
    paper = published("edverify")
    pace = "cycles_per_verification"
    configs = [config for _, config, _ in COLUMNS]
    dsp = [figures.found("core", "dsp", config) for config in configs]
    ours = [figures.found(name, pace, config) for _, config, name in COLUMNS]
    busy = [figures.found(name, "utilisation", config) for _, config, name in COLUMNS]
    alone = [figures.found(name, "cycles_mean" if config == "paper" else "cycles_alone", config)
             for _, config, name in COLUMNS]
    # What a column must have: not a job alone where only many together are measured.
    missing = [None if config == "bulk" else ABSENT for config in configs]

    def cells(values, absent=(ABSENT,) * len(COLUMNS)) -> list[str]:
        return [(other or "") if value is None else number(value) for value, other in zip(values, absent, strict=True)]

    rows = [
        ("clock cycles a verification", *cells(ours), number(paper["verify"])),
        ("share of the multiplier that is used",
         *(ABSENT if share is None else f"{share:.1%}" for share in busy), ""),
        ("cycles of one job alone", *cells(alone, missing), ""),
        ("DSP48E1", *cells(dsp), number(paper["total"][2])),
        ("DSP-cycles a verification",
         *cells([None if None in pair else pair[0] * pair[1] for pair in zip(dsp, ours, strict=True)]),
         number(paper["dsp_cycles"])),
    ]
    single = [
        ("S*G - k*A, cycles", ("double_scalar", "cycles_mean"), paper["double_scalar"], ("paper",)),
        ("decompression, cycles", ("decompression", "cycles_max"), paper["decompression"], ("paper",)),
        ("modular inversion, cycles", ("inversion", "cycles_mean"), paper["inversion"], ("paper",)),
        ("LUT (ours by Yosys, before placement)", ("core", "lut"), paper["total"][0], configs),
    ]
    for name, key, printed, of in single:
        found = [figures.found(*key, config) for config in configs]
        rows.append((name, *cells(found, [ABSENT if config in of else None for config in configs]), number(printed)))
    text = f"| `edverify` | {' | '.join(heading for heading, _, _ in COLUMNS)} | published |\n"
    text += "|---|" + "---:|" * (len(COLUMNS) + 1) + "\n"
    text += "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return text + (
        f"\nFor comparison, Firedancer's wiredancer: {wiredancer():,} DSP-cycles a verification, derived "
        "from its source.\n"
    )


def performance_page(figures: Figures) -> str:
    """docs/performance.md"""
    source = published("edverify")["source"]
    text = (
        f"<!-- Generated from data/records by `make gen`. Do not edit. -->\n\n# Performance\n\n"
        f"Figures of the [committed records](evidence.md), which `{COMMAND}` refreshes: cycles of the verilated cores, "
        "resources by Yosys before placement. Published figures of `edverify`: " + source + ". An empty cell means "
        "that the paper prints no such figure.\n\n"
        "Configuration `paper` verifies one signature at a time, over one-block messages signed by OpenSSL. "
        "The other configurations are measured in steady state, over the 1,024 signatures of sign.input "
        "and then one-block messages signed by OpenSSL: with at most 9 SHA-512 blocks a "
        "message the hash is no bottleneck. Their `cycles_mean` and `cycles_max` are those of a job among "
        "others. A verification of Firedancer's wiredancer takes "
        f"{wiredancer():,} DSP-cycles, derived from its source (data/published.yaml).\n\n"
        "![Where the cycles of a verification go](images/edverify-cycles.svg)\n\n"
        "The decompression handles A and R together.\n"
        + multiplier_section(figures)
        + load_section(figures, f"images/{LOAD_PICTURE.name}")
        + multicurve_page.section(figures)
        + resource_tables.sections(figures)
        + "\n## All figures\n\nOf `edverify`. Of the point operations, `printed_*` are the "
        "formulas in the printed order, `used_*` those of the program.\n\n"
        "| id | config | what | ours | published | unit |\n|---|---|---|---:|---:|---|\n"
    )
    for record in figures.records:
        if record.id.startswith("edverify.") and not record.id.startswith(APART):
            text += (
                f"| {record.id} | {record.config} | {record.what} | "
                f"{number(record.value)} | {number(record.published)} | {record.unit} |\n"
            )
    text += "\n## Words of `what`\n\n"
    text += "".join(f"- `{word}`: {meaning}\n" for word, meaning in WHATS.items())
    return text


def draw(figures: Figures, path: Path) -> None:
    """Where the cycles of a verification go, ours and published, as stacked bars."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "pointmill"
    from matplotlib import pyplot

    paper = published("edverify")
    ours = [figures.found(name, "cycles_mean", "paper") or 0 for name, _, _ in PHASES]
    theirs = [paper[name] if name else 0 for _, _, name in PHASES]
    names = [name for _, name, _ in PHASES] + ["not printed apart (with R)"]
    bars = [[*ours, 0.0], [*theirs, paper["verify"] - sum(theirs)]]
    figure, axis = pyplot.subplots(figsize=(9, 2.4), layout="constrained")
    left = [0.0, 0.0]
    for i, name in enumerate(names):
        widths = [bar[i] for bar in bars]
        axis.barh((0, 1), widths, left=left, color=_COLOURS[i], edgecolor="white", label=name)
        for row, width in enumerate(widths):
            if width > 400:
                middle = left[row] + width / 2
                axis.text(middle, row, f"{width:,.0f}", ha="center", va="center", fontsize=8)
        left = [start + width for start, width in zip(left, widths)]
    for row, total in enumerate(left):
        axis.text(total + 60, row, f"{total:,.0f}" if total else ABSENT, va="center", fontsize=9, weight="bold")
    axis.set_yticks((0, 1), ("ours", "published"))
    axis.set_ylim(1.6, -0.6)
    axis.set_xlim(0, 1.08 * max(left))
    axis.xaxis.set_major_formatter("{x:,.0f}")
    axis.set_xlabel("clock cycles of one verification", fontsize=8)
    axis.legend(fontsize=7, ncols=6, loc="upper center", bbox_to_anchor=(0.5, 1.25), frameon=False)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": "pointmill"})
    pyplot.close(figure)


def outputs(figures: Figures) -> dict[Path, str]:
    """The text files by path."""
    readme = _MARK.sub(lambda m: m[1] + readme_table(figures) + m[2], README.read_text())
    return {PAGE: performance_page(figures), README: readme}


def render() -> list[Path]:
    """Writes page, pictures and README table; returns the files."""
    figures = committed()
    texts = outputs(figures)
    for path, text in texts.items():
        path.write_text(text)
    draw(figures, PICTURE)
    pictures = [PICTURE]
    if measured_loads(figures):
        draw_load(figures, LOAD_PICTURE)
        pictures.append(LOAD_PICTURE)
    else:
        LOAD_PICTURE.unlink(missing_ok=True)
    return [*texts, *pictures]


if __name__ == "__main__":
    render()
