# SPDX-License-Identifier: Apache-2.0
"""Curves by name (data/curves.yaml) and from files of user parameters.

The data file is the only place that names curves.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from .errors import InputError
from .resources import ROOT
from .yaml_file import read_yaml

DATA_FILE = ROOT / "data" / "curves.yaml"

MAX_BITS = 544
"""The longest modulus that `multicurve` takes."""

Coordinates = tuple[int, int]


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
    """y^2 = x^3 + a x + b mod p. n is the order of the base point g; both may be unknown (None), as may the cofactor.

    edwards: the curve of which this is the short Weierstrass form, if points are wanted in its coordinates.
    """

    name: str
    p: int
    a: int
    b: int
    n: int | None = None
    g: Coordinates | None = None
    source: str = ""
    cofactor: int | None = None
    edwards: EdwardsCurve | None = None

    def contains(self, x: int, y: int) -> bool:
        """Whether (x, y) has coordinates in [0, p) and lies on the curve."""
        if not (0 <= x < self.p and 0 <= y < self.p):
            return False
        return (y * y - (x * x + self.a) * x - self.b) % self.p == 0


@dataclass(frozen=True)
class MontgomeryCurve(_Sizes):
    """v^2 = u^3 + A u^2 + u mod p. u is the base point's coordinate, n its order. form: the name of the short
    Weierstrass curve of the points (u + A / 3, v)."""

    name: str
    p: int
    A: int
    n: int
    u: int
    cofactor: int
    source: str = ""
    form: str = ""

    @property
    def a24(self) -> int:
        """(A - 2) / 4 (RFC 7748, section 5)."""
        return (self.A - 2) // 4


@dataclass(frozen=True)
class EdwardsCurve(_Sizes):
    """a x^2 + y^2 = 1 + d x^2 y^2 mod p with the base point g; complete, which means that a is a square and d none.

    form: a short Weierstrass curve with the same points. `to_form` and `from_form` are the map between the two that
    takes base point to base point (NIST SP 800-186, appendix B: by the Montgomery curve B v^2 = u^3 + A u^2 + u with
    u = (1 + y) / (1 - y) and v = u / x).
    """

    name: str
    p: int
    a: int
    d: int
    g: Coordinates
    form: Curve
    source: str = ""

    def contains(self, x: int, y: int) -> bool:
        """Whether (x, y) has coordinates in [0, p) and lies on the curve."""
        if not (0 <= x < self.p and 0 <= y < self.p):
            return False
        return (self.a * x * x + y * y - 1 - self.d * x * x * y * y) % self.p == 0

    def _montgomery(self, x: int, y: int) -> Coordinates:
        u = (1 + y) * pow(1 - y, -1, self.p) % self.p
        return u, u * pow(x, -1, self.p) % self.p

    @cached_property
    def _map(self) -> tuple[int, int, int]:
        """(A / 3, scale of u + A / 3, scale of v)."""
        (u, v), p = self._montgomery(*self.g), self.p
        assert self.form.g is not None
        third = 2 * (self.a + self.d) * pow(3 * (self.a - self.d), -1, p) % p
        return third, self.form.g[0] * pow(u + third, -1, p) % p, self.form.g[1] * pow(v, -1, p) % p

    def to_form(self, x: int, y: int) -> Coordinates | None:
        """The point of `form`; None for the neutral element (0, 1), which is infinity there, and for coordinates that
        are not below p or have no image. A point off this curve has no image or one off that curve."""
        p, (third, u_scale, v_scale) = self.p, self._map
        if not (0 <= x < p and 0 <= y < p):
            return None
        if x == 0:
            return (u_scale * third % p, 0) if y == p - 1 else None
        if y in (1, p - 1):
            return None
        u, v = self._montgomery(x, y)
        return u_scale * (u + third) % p, v_scale * v % p

    def from_form(self, point: Coordinates | None) -> Coordinates:
        """The point of this curve for one of `form`, None being infinity."""
        if point is None:
            return 0, 1
        p, (third, u_scale, v_scale) = self.p, self._map
        u, v = (point[0] * pow(u_scale, -1, p) - third) % p, point[1] * pow(v_scale, -1, p) % p
        if v == 0:  # of order 2, of which a complete curve has one
            return 0, p - 1
        return u * pow(v, -1, p) % p, (u - 1) * pow(u + 1, -1, p) % p


AnyCurve = Curve | MontgomeryCurve | EdwardsCurve


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


def _curves(raw: dict[str, dict[str, dict]]) -> dict[str, AnyCurve]:
    """The curves of the data file by name."""
    table: dict[str, AnyCurve] = {}
    for name, entry in raw["weierstrass"].items():
        p, a, b, n, gx, gy = (int(entry[key], 16) for key in ("p", "a", "b", "n", "gx", "gy"))
        table[name] = Curve(name, p, a, b, n, (gx, gy), entry["source"], int(entry.get("cofactor", "1"), 16))
    for name, entry in raw["montgomery"].items():
        numbers = {key: int(entry[key], 16) for key in ("p", "A", "n", "u", "cofactor")}
        table[name] = MontgomeryCurve(name, **numbers, source=entry["source"], form=entry["weierstrass"])
    for name, entry in raw["edwards"].items():
        a, d, gx, gy = (int(entry[key], 16) for key in ("a", "d", "gx", "gy"))
        form = table[entry["weierstrass"]]
        assert isinstance(form, Curve)
        table[name] = EdwardsCurve(name, form.p, a, d, (gx, gy), form, entry["source"])
    return table


@cache
def _table() -> tuple[dict[str, AnyCurve], dict[str, str], dict[str, str]]:
    """Curves by name, and in lower case names by alias and by object identifier."""
    raw = read_yaml(DATA_FILE)
    entries = {name: entry for form in raw.values() for name, entry in form.items()}
    names = {alias.lower(): name for name, entry in entries.items() for alias in (name, *entry.get("aliases", ()))}
    oids = {entry["oid"]: name for name, entry in entries.items() if "oid" in entry}
    return _curves(raw), names, oids


def known() -> list[str]:
    """Names of all curves, in the order of the data file."""
    return list(_table()[0])


def aliases(name: str) -> list[str]:
    """Other names of the curve `name`, in lower case."""
    return [alias for alias, target in _table()[1].items() if target == name and alias != name.lower()]


def oid(name: str) -> str | None:
    """The object identifier of the curve `name`, in dotted decimals; None for one without."""
    return next((number for number, target in _table()[2].items() if target == name), None)


def by_name(name: str) -> AnyCurve:
    """The curve of a name or an alias, whatever its case, or of an object identifier. CurveError for an unknown one."""
    table, names, oids = _table()
    found = names.get(name.lower()) or oids.get(name)
    if found is None:
        raise CurveError(f"no curve {name}; there are {', '.join(table)}")
    return table[found]


def weierstrass(name: str) -> Curve:
    """The short Weierstrass curve of a name, of an Edwards curve its form with `edwards`. CurveError for a name that is
    unknown, or that of a Montgomery curve."""
    curve = by_name(name)
    if isinstance(curve, MontgomeryCurve):
        raise CurveError(f"{curve.name} is no short Weierstrass curve; {curve.form} has the same points as one")
    return curve if isinstance(curve, Curve) else replace(curve.form, name=curve.name, edwards=curve)


def listed(curve: Curve | MontgomeryCurve) -> bool:
    """Whether a curve is one of the data file, under any name, so that its order is known to be that of its base
    point."""
    def numbers(one: AnyCurve) -> tuple:
        return (one.p, one.a, one.b, one.n, one.g) if isinstance(one, Curve) else (one.p, one)

    return any(numbers(one) == numbers(curve) for one in _table()[0].values())


def read_params(params: dict, name: str = "params", bits: int = MAX_BITS) -> Curve:
    """The numbers of user parameters {"p", "a", "b"} and optionally "n", "gx", "gy", in big-endian hex,
    whether or not they are a curve.

    CurveError, with the reason, where a value is missing, no number, or one of more than `bits` bits.
    """
    unknown = params.keys() - {"p", "a", "b", "n", "gx", "gy", "name"}
    if unknown:
        raise CurveError(f"{name}: unknown parameter {', '.join(sorted(unknown))}")
    if not isinstance(params.get("name", ""), str):
        raise CurveError(f"{name}: name is not a string")
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
