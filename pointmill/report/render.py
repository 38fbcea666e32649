# SPDX-License-Identifier: Apache-2.0
"""Pages made of the committed records: docs/performance.md and its figures, docs/curves.md, tables of the README,
docs/x25519.md, docs/mpu.md, docs/python.md, docs/serve.md, docs/boards.md and of what the cores may be trusted with;
and figures of scheduled blocks.

Command line: ``python -m pointmill.report.render``, part of `make gen`; `make check-gen` fails where they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pointmill.measure.records import ROOT, WHATS, published
from pointmill.report import (
    board_page,
    curves_page,
    diagram,
    edverify,
    exchange_page,
    handshake_page,
    install_page,
    mont_skew_page,
    mpu_page,
    multicurve_page,
    mutation_page,
    resource_tables,
    serve_page,
    tile_page,
    trust_page,
)
from pointmill.report.charts import ABSENT
from pointmill.report.figures import Figures, committed
from pointmill.report.load_page import load_section, multiplier_section
from pointmill.report.marks import filled
from pointmill.report.tables import Table, number

COMMAND = "make measure"
PAGE = ROOT / "docs" / "performance.md"
PICTURE = ROOT / "docs" / "images" / "edverify-cycles.svg"
LOAD_PICTURE = ROOT / "docs" / "images" / "edverify-load.svg"
README = ROOT / "README.md"

# Rows of the table of the README: core, what it computes, figure (id, what, configuration in the record),
# configuration, what is counted, published cycles by key, unit that is placed and routed.
CORES = (
    ("edverify", "Ed25519 verification under six rule sets, decided in hardware; signing, X25519",
     ("edverify.verify", "cycles_per_verification", "tiles"), "tiles", "a verification", ("verify",),
     "pm_edverify_tiles"),
    ("multicurve", "scalar multiplication on any prime curve up to 544 bits; ECDSA, SM2, ECDH, X448",
     ("multicurve.contexts", "cycles_mean", ""), "contexts", "a P-256 scalar multiplication",
     ("table1", "P256", "whole"), multicurve_page.CONTEXTS_CORE),
    ("x25519", "X25519 key agreement", ("x25519.x25519", "cycles_per_operation", "tile"), "tile", "a key agreement",
     ("cycles",), "pm_x25519_tile_core"),
    ("mpu", "704-bit modular arithmetic and scalar multiplication beside a processor",
     ("mpu.affine_dq", "cycles", "full"), "full", "2P and 4P of an affine point", ("cycles", "affine_dq"), "pm_mpu"),
)  # fmt: skip

# Columns of the table of `edverify`: heading, configuration, verifications.
COLUMNS = (
    ("`throughput`", "throughput", "verify"),
    ("`bulk`, cached keys", "bulk", "verify_cached"),
    ("`bulk`, batches", "bulk", "verify_batch"),
    ("`latency`", "latency", "verify"),
    ("`tiles`", "tiles", "verify"),
    ("`tiles`, cached keys", "tiles", "verify_cached"),
    ("`tiles_secret`", "tiles_secret", "verify"),
    ("`paper`", "paper", "verify"),
)

# Rows for operations on secrets, and the columns that have them.
SECRET = (("a signature made", "sign"), ("a key pair", "keygen"), ("X25519", "x25519"))
SIGNERS = ("throughput", "tiles_secret")

# Records of `edverify` that have tables of their own.
APART = ("edverify.load_", "edverify.multiplier", "edverify.short_")


def wiredancer() -> int:
    """DSP-cycles of a verification of Firedancer's wiredancer, derived (data/published.yaml)."""
    other = published("wiredancer")
    return other["multipliers"] * other["dsp_per_multiplier"] * other["cycles"]


def readme_table(figures: Figures) -> str:
    """The table of the README's first screen: cycles of each core beside the published ones; the clock at which it was
    routed, the rate at that clock, and what it takes."""
    rows = []
    for core, computes, figure, config, counted, path, unit in CORES:
        value = figures.value(*figure)
        other = published(core)
        for key in path:
            other = other[key]
        cycles = ABSENT if value is None else f"{value:,.0f} {counted} (`{config}`)"
        mhz = resource_tables.clock(figures, unit)
        rate = None if mhz is None or value is None else mhz * 1e6 / value
        rows.append([f"[`{core}`](docs/{core}.md)", computes, cycles, f"{other:,}",
                     "not routed" if mhz is None else f"{mhz:.1f}", "" if rate is None else f"{rate:,.0f}",
                     *(resource_tables.taken(figures, unit, what) for what in ("dsp", "comb"))])
    return Table(["core", "computes", "cycles (configuration)", "published", "MHz", "a second", "DSP", "LUT"], rows,
                 left=2).markdown()


def edverify_table(figures: Figures) -> str:
    """Configurations of `edverify` side by side."""
    paper = published("edverify")
    pace = "cycles_per_verification"
    configs = [config for _, config, _ in COLUMNS]
    dsp = [figures.found("core", "dsp", config) for config in configs]
    ours = [figures.found(name, pace, config) for _, config, name in COLUMNS]
    busy = [figures.found(name, "utilisation", config) for _, config, name in COLUMNS]
    alone = [figures.found(name, "cycles_mean" if config == "paper" else "cycles_alone", config)
             for _, config, name in COLUMNS]
    # What a column must have: not a job alone where only many together are measured.
    missing = [ABSENT if name == "verify" else None for _, _, name in COLUMNS]

    def cells(values: Sequence[float | None], absent: Sequence[str | None] | None = None) -> list[str]:
        others = absent or [ABSENT] * len(values)
        return [(other or "") if value is None else number(value) for value, other in zip(values, others, strict=True)]

    rows = [
        ("clock cycles a verification", *cells(ours), number(paper["verify"])),
        ("share of the multiplier that is used",
         *(ABSENT if share is None else f"{share:.1%}" for share in busy), ""),
        ("single-job latency, cycles", *cells(alone, missing), ""),
        *((f"cycles of {text}", *cells([figures.found(name, "cycles_per_operation", config) for config in configs],
                                       [ABSENT if config in SIGNERS else None for config in configs]), "")
          for text, name in SECRET),
        ("DSP48E1", *cells(dsp), number(paper["total"][2])),
        ("DSP-cycles a verification",
         *cells([None if count is None or cycles is None else count * cycles
                  for count, cycles in zip(dsp, ours, strict=True)]),
         number(paper["dsp_cycles"])),
    ]
    single = [
        ("S*G - k*A, cycles", ("double_scalar", "cycles_mean"), paper["double_scalar"], ("paper",)),
        ("decompression, cycles", ("decompression", "cycles_max"), paper["decompression"], ("paper",)),
        ("LUT (ours by Yosys, before placement)", ("core", "lut"), paper["total"][0], configs),
    ]
    for name, key, printed, of in single:
        found = [figures.found(*key, config) for config in configs]
        rows.append((name, *cells(found, [ABSENT if config in of else None for config in configs]), number(printed)))
    table = Table(["`edverify`", *(heading for heading, _, _ in COLUMNS), "published"], rows)
    return table.markdown() + (
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
        "others.\n\n"
        + edverify_table(figures)
        + "\n![Where the cycles of a verification go](images/edverify-cycles.svg)\n\n"
        "The decompression handles A and R together.\n"
        + multiplier_section(figures)
        + load_section(figures, f"images/{LOAD_PICTURE.name}")
        + multicurve_page.section(figures)
        + handshake_page.section(figures)
        + resource_tables.sections(figures)
        + "\n## All figures\n\nOf `edverify`. Of the point operations, `printed_*` are the "
        "formulas in the printed order, `used_*` those of the program.\n\n"
        "| id | config | what | ours | published | unit |\n|---|---|---|---:|---:|---|\n"
    )
    for record in figures.records:
        if record.id.startswith("edverify.") and not record.id.startswith(APART):
            text += (
                f"| {record.id} | {record.config} | {record.what} | {number(record.value)} | "
                f"{number(record.published)} | {record.unit} |\n"
            )
    text += "\n## Words of `what`\n\n"
    text += "".join(f"- `{word}`: {meaning}\n" for word, meaning in WHATS.items())
    return text


def outputs(figures: Figures) -> dict[Path, str]:
    """The files by path."""
    files = {PAGE: performance_page(figures), README: filled(README, {"bench": readme_table(figures)}),
             exchange_page.PAGE: exchange_page.document(figures), mpu_page.PAGE: mpu_page.document(figures),
             install_page.PAGE: install_page.document(figures), curves_page.PAGE: curves_page.document(figures),
             serve_page.PAGE: serve_page.document(figures), board_page.PAGE: board_page.document(figures),
             mutation_page.PAGE: mutation_page.document(figures), **trust_page.documents(figures),
             **mont_skew_page.documents(figures), **tile_page.documents(figures),
             PICTURE: edverify.phases(figures).document(), **diagram.drawn()}
    if picture := edverify.load(figures):
        files[LOAD_PICTURE] = picture.document()
    if picture := serve_page.picture(figures):
        files[serve_page.PICTURE] = picture.document()
    return files


def render() -> list[Path]:
    """Writes page, pictures and README table; returns the files."""
    figures = committed()
    texts = outputs(figures)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(texts)


if __name__ == "__main__":
    render()
