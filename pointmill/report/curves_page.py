# SPDX-License-Identifier: Apache-2.0
"""docs/curves.md: the curves of data/curves.yaml, what they are, and what they take on `multicurve`."""

from __future__ import annotations

from pointmill.curves import MAX_BITS, Curve, EdwardsCurve, MontgomeryCurve, aliases, by_name, known, oid
from pointmill.measure.benches.multicurve import CORE, NAMES, kind
from pointmill.measure.records import ROOT
from pointmill.report.figures import Figures
from pointmill.report.tables import Cell, Table, number
from pointmill.ucode.multicurve import NAMED, Modulus
from pointmill.ucode.multicurve_table import Comb

PAGE = ROOT / "docs" / "curves.md"
KINDS = {"m3": "-3", "0": "0", "any": "any"}
RECORDS = {known: name for name, known in NAMES.items()}
"""Names in the records by those of the table."""


def _names(name: str) -> str:
    return ", ".join(f"`{alias}`" for alias in aliases(name))


def _order(curve: Curve | MontgomeryCurve) -> tuple[Cell, Cell]:
    """Bits of n, and the cofactor."""
    cofactor = curve.cofactor or 0
    return (curve.n or 0).bit_length(), str(cofactor) if cofactor < 100 else f"{cofactor.bit_length()} bits"


def _weierstrass() -> Table:
    rows = [[f"`{curve.name}`", _names(curve.name), oid(curve.name) or "", curve.source, KINDS[kind(curve)], curve.bits,
             *_order(curve)] for curve in map(by_name, known()) if isinstance(curve, Curve)]
    heads = ["curve", "other names", "object identifier", "source", "a", "bits of p", "bits of n", "cofactor"]
    return Table(heads, rows, left=5)


def _equation(curve: EdwardsCurve) -> str:
    """With a and d in figures where they are short."""
    a, d = (number - curve.p if number > curve.p // 2 else number for number in (curve.a, curve.d))
    left = {1: "x^2", -1: "-x^2"}.get(a, "a x^2")
    return f"{left} + y^2 = 1 {'+ d' if abs(d) >= 1 << 32 else f'- {-d}' if d < 0 else f'+ {d}'} x^2 y^2"


def _others() -> Table:
    rows: list[list[Cell]] = []
    for curve in map(by_name, known()):
        if isinstance(curve, EdwardsCurve):
            rows.append([f"`{curve.name}`", _names(curve.name), oid(curve.name) or "", curve.source, _equation(curve),
                         f"`{curve.form.name}`", curve.bits, *_order(curve.form)])
        elif isinstance(curve, MontgomeryCurve):
            rows.append([f"`{curve.name}`", _names(curve.name), oid(curve.name) or "", curve.source,
                         f"v^2 = u^3 + {curve.A} u^2 + u", f"`{curve.form}`", curve.bits, *_order(curve)])
    return Table(["curve", "other names", "object identifier", "source", "equation", "short Weierstrass form",
                  "bits of p", "bits of n", "cofactor"], rows, left=6)


def _cycles(figures: Figures) -> Table:
    rows: list[list[Cell]] = []
    for curve in map(by_name, known()):
        if not isinstance(curve, Curve):
            continue
        cells: list[Cell] = [Modulus.of(curve.p, config).length for config in ("paper", "fast")]
        record = RECORDS.get(curve.name)
        for what in ("whole_inversion", "secret"):
            found = figures.cycles(f"{CORE}.{record}_{what}", "fast") if record else None
            cells.append(None if found is None else number(round(found)))
        rows.append([f"`{curve.name}`", "yes" if curve.p in NAMED else "", *cells])
    return Table(["curve", "special-prime reduction", "multiplication, `paper`", "multiplication, `fast`",
                  "public scalar, `fast`", "secret scalar, `fast`"], rows, left=2)


def _least_comb() -> int:
    """Bits of the shortest order from which on all have a comb."""
    return 1 + max(bits for bits in range(2, MAX_BITS) if not Comb(bits).fits)


def _limits() -> Table:
    return Table(["", "what `multicurve` takes"], [
        ["p", f"an odd prime from 5 to {MAX_BITS} bits; an odd number that is no prime is not rejected"],
        ["a, b", "any; a = -3 and a = 0 have programs of their own, which take fewer cycles"],
        ["order n", f"up to {MAX_BITS} bits, shorter or longer than p; odd for signatures; unknown: no signatures"],
        ["cofactor", "any; scalar multiplication is exact for points of every order"],
        ["fixed-base comb", f"orders from {_least_comb()} bits on, in `fast`: every curve above"],
    ], left=2)


def _tests() -> Table:
    return Table(["test", "what"], [
        ["`tests/test_curves.py`", "primes, base points, orders, numbers of points; names; parameters and object "
         "identifiers of OpenSSL"],
        ["`tests/test_edwards_curves.py`", "the maps both ways: small curves in full, python-ecdsa, public keys of "
         "OpenSSL, a published point of Curve41417"],
        ["`tests/test_cli_curve_names.py`", "every name through command, driver and core; points of Edwards curves, "
         "hostile ones too"],
        ["`dv/multicurve/test_pm_multicurve_libraries.py`", "keys, key agreement and ECDSA on every curve against "
         "OpenSSL, python-ecdsa and arkworks; points outside the subgroup; operands that are rejected"],
    ], left=2)


def document(figures: Figures) -> str:
    """The document."""
    return (
        "<!-- Generated from data/curves.yaml and data/records by `make gen`. Do not edit. -->\n\n# Curves\n\n"
        f"The {len(known())} curves that have a name, for the [commands](cli.md#commands-on-multicurve), "
        "[Python](python.md) and the cores [multicurve](multicurve.md) and [mpu](mpu.md). A name is taken in any case; "
        "so are the other names, and an object identifier in dotted decimals. Other curves are given by their "
        "parameters.\n\n"
        "```sh\n"
        "echo '{\"k\":\"02\"}' | pointmill ecmul --curve brainpoolP256r1 -\n"
        "echo '{\"k\":\"02\"}' | pointmill ecmul --curve 1.3.132.0.10 -\n"
        "echo '{\"k\":\"02\"}' | pointmill ecmul --curve Ed25519 -\n"
        "```\n\n"
        "## Short Weierstrass curves\n\ny^2 = x^3 + a x + b mod p, base point of prime order n.\n\n"
        + _weierstrass().markdown()
        + "\n`W-25519` and `Wei25519` differ in the sign of the base point: that of `W-25519` is the image of the base "
        "point of `Ed25519`.\n\n"
        "## Edwards and Montgomery curves\n\n" + _others().markdown()
        + "\n- **Edwards curves** are computed in their short Weierstrass form. `ecmul`, `ecmul2`, `pubkey-check` and "
        "`keygen` take and give their own coordinates: the client maps each point (NIST SP 800-186, appendix B), the "
        "core checks the image. The neutral element (0, 1) is infinity: `r_infinity` as a result, `invalid_point` as "
        "an operand. `ecdh` and signatures take the form, under its name. For EdDSA see [edverify](edverify.md).\n"
        "- **Montgomery curves** have the commands `x25519` and `x448`. All other commands take the form, under its "
        "name; there x = u + A / 3.\n"
        "- In Python `EdwardsCurve.to_form` and `from_form` are the map; `load_job` loads the form.\n\n"
        "## Limits and security\n\n" + _limits().markdown()
        + "\n- **Subgroup.** With a cofactor above 1, `pubkey-check`, `ecdh` and `ecdsa-verify` accept every point of "
        "the curve. A point is in the subgroup of order n exactly if `ecmul` with k = n gives infinity. Check it where "
        "a protocol wants it, as those on `BLS12-381-G1` do. `ecdh` does not multiply by the cofactor.\n"
        "- Curves of 160 to 224 bits are for old data.\n\n"
        "## Performance\n\nCycles of a modular multiplication; of a scalar multiplication where it was measured "
        "([performance.md](performance.md)): the mean of random public scalars with inversion, and the Montgomery "
        "ladder of a secret one without. They depend on the bits of p, on a and on special-prime reduction; those of a "
        "public scalar, of as many bits as n, also on its digits.\n\n"
        + _cycles(figures).markdown()
        + "\n## Tests\n\n" + _tests().markdown()
    )
