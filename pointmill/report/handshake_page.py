# SPDX-License-Identifier: Apache-2.0
"""Section of docs/performance.md on TLS 1.3 handshakes by the OpenSSL provider."""

from __future__ import annotations

from pointmill.measure.handshakes import KINDS
from pointmill.report.figures import Figures, complete
from pointmill.report.resource_tables import clock
from pointmill.report.tables import Table

ROUTED = "pm_edverify_tiles_secret"
"""The clock that is taken for all cores: that of the largest one that was routed."""


def parts(figures: Figures, group: str) -> list[list[str | float | None]]:
    """Rows of a group: each part of a handshake by the core, and as often a second by OpenSSL."""
    kind = KINDS[group]
    by_client = {part: name for part, name in kind.client.items() if part not in kind.server}
    rows: list[list[str | float | None]] = []
    for side, what, of in (("server", "cycles", kind.server), ("client", "cycles_mean", by_client)):
        rows += [[group, side, f"`{name}`", figures.value(f"tls.{group}.{part}", what, side),
                  figures.value(f"tls.{group}.{part}", "per_second", "openssl")] for part, name in of.items()]
    return rows


def rates(figures: Figures, group: str) -> list[str | float | None]:
    """The row of a group: cycles of a server's handshake, how many a second at the routed clock, how many OpenSSL does
    on one processor, and the clock at which both are level."""
    def rate(part: str) -> float | None:
        return figures.value(f"tls.{group}.{part}", "per_second", "openssl")

    values = complete((figures.value(f"tls.{group}.handshake", "cycles", "server"),
                       clock(figures, ROUTED), rate("derive"), rate("sign")))
    if values is None:
        return [group, None, None, None, None]
    cycles, mhz, derive, sign = values
    software = 1 / (2 / derive + 1 / sign)
    return [group, cycles, mhz * 1e6 / cycles, software, cycles * software / 1e6]


def section(figures: Figures) -> str:
    """Two tables; empty where no handshake was measured."""
    if not any(figures.value(f"tls.{group}.handshake", "cycles", "server") for group in KINDS):
        return ""
    mhz = clock(figures, ROUTED)
    heads = ["group", "side", "operation", "cycles", "a second by OpenSSL on one processor"]
    return (
        "\n## TLS 1.3 handshakes\n\nOperations of a full handshake by the [OpenSSL provider](openssl.md), one job at a "
        "time: `edverify` in `throughput` for Ed25519 and X25519, `multicurve` in `fast` for the curves, which are "
        "loaded with a fixed-base comb. The certificate of X25519 is one of Ed25519, of the others one of ECDSA. The "
        "client also does the server's first operations. `openssl speed` in the same run times the last column; it has "
        "no generation of keys.\n\n"
        + Table(heads, [row for group in KINDS for row in parts(figures, group)], left=3).markdown()
        + f"\nHandshakes of a server: a core at {'the clock' if mhz is None else f'{mhz:g} MHz, the clock'} of "
        f"`{ROUTED}` after place and route on an ECP5-85, although the configurations above were not routed and "
        "may reach less; one processor with OpenSSL, where a generation is taken for a key agreement; and the clock at "
        "which the core would do as many. With more than one job waiting `edverify` works on up to twelve at once, "
        "which counts for nothing here.\n\n"
        + Table(["group", "cycles a handshake", "handshakes a second by the core", "by OpenSSL", "level at MHz"],
                [rates(figures, group) for group in KINDS]).markdown()
    )
