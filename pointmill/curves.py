# SPDX-License-Identifier: Apache-2.0
"""Curves by name (data/curves.yaml) and from files of user parameters.

The data file is the only place that names curves.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .errors import InputError
from .resources import ROOT
from .yaml_file import read_yaml

DATA_FILE = ROOT / "data" / "curves.yaml"

MAX_BITS = 544
"""The longest modulus that `multicurve` takes."""


class CurveError(InputError):
    """Parameters that are no curve, or a name that nobody knows; the message says why."""


class _Sizes:
    """Sizes of a curve over the integers mod p."""

    p: int

    @property
    def bits(self) -> int:
        """Bits of the modulus."""
        return self.p.bit_length()

    @property
    def bytes(self) -> int:
        """Bytes of a coordinate."""
        return -(-self.bits // 8)


@dataclass(frozen=True)
class Curve(_Sizes):
    """y^2 = x^3 + a x + b mod p. n is the order of the base point g; both may be unknown (None)."""

    name: str
    p: int
    a: int
    b: int
    n: int | None = None
    g: tuple[int, int] | None = None
    source: str = ""

    def contains(self, x: int, y: int) -> bool:
        """Whether (x, y) has coordinates in [0, p) and lies on the curve."""
        if not (0 <= x < self.p and 0 <= y < self.p):
            return False
        return (y * y - (x * x + self.a) * x - self.b) % self.p == 0


@dataclass(frozen=True)
class MontgomeryCurve(_Sizes):
    """v^2 = u^3 + A u^2 + u mod p. u is the base point's coordinate, n its order."""

    name: str
    p: int
    A: int
    n: int
    u: int
    cofactor: int
    source: str = ""

    @property
    def a24(self) -> int:
        """(A - 2) / 4 (RFC 7748, section 5)."""
        return (self.A - 2) // 4


def is_prime(n: int) -> bool:
    """Miller-Rabin with the first 24 primes: exact below 2^81, elsewhere it errs only for composites
    made to deceive these bases."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89)
    if n < 2 or any(n % q == 0 for q in bases):
        return n in bases
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        x = pow(base, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


@cache
def _table() -> tuple[dict[str, Curve | MontgomeryCurve], dict[str, str]]:
    """Curves by name, and names by alias in lower case."""
    raw = read_yaml(DATA_FILE)
    table: dict[str, Curve | MontgomeryCurve] = {}
    names: dict[str, str] = {}
    for name, entry in raw["weierstrass"].items():
        p, a, b, n, gx, gy = (int(entry[key], 16) for key in ("p", "a", "b", "n", "gx", "gy"))
        table[name] = Curve(name, p, a, b, n, (gx, gy), entry["source"])
    for name, entry in raw["montgomery"].items():
        numbers = {key: int(entry[key], 16) for key in ("p", "A", "n", "u", "cofactor")}
        table[name] = MontgomeryCurve(name, **numbers, source=entry["source"])
    for form in raw.values():
        for name, entry in form.items():
            for alias in (name, *entry.get("aliases", [])):
                names[alias.lower()] = name
    return table, names


def known() -> list[str]:
    """Names of all curves, in the order of the data file."""
    return list(_table()[0])


def by_name(name: str) -> Curve | MontgomeryCurve:
    """The curve of a name or an alias, whatever its case. CurveError for an unknown one."""
    table, names = _table()
    if name.lower() not in names:
        raise CurveError(f"no curve {name}; there are {', '.join(table)}")
    return table[names[name.lower()]]


def listed(curve: Curve | MontgomeryCurve) -> bool:
    """Whether a curve is one of the data file, under any name, so that its order is known to be that of its base
    point."""
    numbers = dataclasses.replace(curve, name="", source="")
    return any(numbers == dataclasses.replace(one, name="", source="")
               for one in _table()[0].values() if one.p == curve.p)


def read_params(params: dict, name: str = "params", bits: int = MAX_BITS) -> Curve:
    """The numbers of user parameters {"p", "a", "b"} and optionally "n", "gx", "gy", in big-endian hex,
    whether or not they are a curve.

    CurveError, with the reason, where a value is missing, no number, or one of more than `bits` bits.
    """
    unknown = params.keys() - {"p", "a", "b", "n", "gx", "gy", "name"}
    if unknown:
        raise CurveError(f"{name}: unknown parameter {', '.join(sorted(unknown))}")
    values: dict[str, int] = {}
    for key in ("p", "a", "b", "n", "gx", "gy"):
        if key in params:
            try:
                values[key] = int(params[key], 16)
            except (TypeError, ValueError):
                raise CurveError(f"{name}: {key} is not a hexadecimal number") from None
            if values[key] < 0:
                raise CurveError(f"{name}: {key} is negative")
            if values[key].bit_length() > bits:
                raise CurveError(f"{name}: {key} has more than {bits} bits")
    missing = [key for key in ("p", "a", "b") if key not in values]
    if missing or ("gx" in values) != ("gy" in values):
        raise CurveError(f"{name}: {', '.join(missing) or 'one of gx and gy'} is missing")
    g = (values["gx"], values["gy"]) if "gx" in values else None
    return Curve(params.get("name", name), values["p"], values["a"], values["b"], values.get("n"), g)


def from_params(params: dict, name: str = "params") -> Curve:
    """A curve of user parameters.

    CurveError as in `read_params`, and where p is not an odd prime above 3, a or b is not below p, the
    curve is singular, or the base point is not on it.
    """
    curve = read_params(params, name)
    p, a, b = curve.p, curve.a, curve.b
    if p % 2 == 0 or p < 5:
        raise CurveError(f"{name}: p is {'even' if p % 2 == 0 else 'below 5'}")
    if not is_prime(p):
        raise CurveError(f"{name}: p is composite")
    if a >= p or b >= p:
        raise CurveError(f"{name}: {'a' if a >= p else 'b'} is not below p")
    if (4 * a**3 + 27 * b * b) % p == 0:
        raise CurveError(f"{name}: the curve is singular")
    if curve.n == 0:
        raise CurveError(f"{name}: the order n is 0")
    if curve.g and not curve.contains(*curve.g):
        raise CurveError(f"{name}: the base point is not on the curve")
    return curve


def from_file(path: Path) -> Curve:
    """The curve of a parameter file (JSON). CurveError as in `from_params`, and for a file that is none."""
    try:
        params = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CurveError(f"{path}: {error}") from None
    if not isinstance(params, dict):
        raise CurveError(f"{path}: not an object")
    return from_params(params, path.name)
