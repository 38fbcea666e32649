# SPDX-License-Identifier: Apache-2.0
"""Makes the SystemVerilog package of primes whose multiples cost pm_mont_mul_packed no product.

The output depends on data/curves.yaml alone; `python -m pointmill.gen` writes it.

With steps of 64 bits, q = -t/p mod 2^64 for the lowest 64 bits t of a sum S, and S + q p becomes S - t plus a few
numbers at certain bits, each of them q, or made of q or t alike:

q    the quotient                                      half   (t + q p) / 2^64 where p ends in 2^32 - 1
twin q (2^32 + 1), for two negative terms 32 apart     rest   -(t + q p) / 2^64 where p ends in -19

They are added in two rows of the lanes of pm_mont_mul_packed: `plus`, and `minus` in which a number that is
subtracted stands as its complement. The ones that correct the complements fill places of both rows that are free.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pointmill import curves
from pointmill.gen.text import enum, localparams, package
from pointmill.resources import ROOT

PACKAGE = ROOT / "hw" / "lib" / "field" / "pm_named_prime_pkg.sv"
CURVES = ("P-192", "P-224", "P-256", "P-384", "P-521", "sm2p256v1", "X25519", "X448")
DIGIT, SEGMENT, LANES, WIDTH = 64, 68, 4, 544
LANE_BITS = 2 * SEGMENT - 2  # of a lane's sum, where it is the last of a step
MINUS_BITS = SEGMENT + DIGIT  # of the complements in the others
WORD_BITS = {"q": 64, "twin": 97, "half": 32, "rest": 64}
MASK = (1 << DIGIT) - 1


@dataclass(frozen=True)
class Term:
    """A number that is added or subtracted (sign 1, -1) at a bit of a sum, 64 below its place after the step."""

    sign: int
    at: int
    word: str = "q"


@dataclass(frozen=True)
class Place:
    """What one segment of a step adds: numbers at bits of it, and ones. lanes: those that ever have it."""

    segment: int
    lanes: int
    plus: tuple[int, str] | None
    minus: tuple[int, str] | None
    plus_ones: int
    minus_ones: int


@dataclass(frozen=True)
class Named:
    """A prime with few signed terms."""

    name: str
    p: int

    @property
    def label(self) -> str:
        return "Named" + self.name.replace("-", "").replace("sm2p256v1", "Sm2")

    @property
    def digits(self) -> int:
        """Digits of 64 bits; R = 2^(64 digits)."""
        return -(-self.p.bit_length() // DIGIT)

    @property
    def half(self) -> int:
        """Bits of the lower half of a factor if pm_named_halves makes the product, or 0."""
        h = -(-self.p.bit_length() // 2)
        return h if self.p in ((1 << (2 * h - 1)) - 1, (1 << (2 * h)) - (1 << h) - 1) else 0

    @property
    def second(self) -> int:
        """Steps of the product of the sums of halves: an array takes half of the digits, of 32 bits."""
        return -(-(self.half + 1) // DIGIT) if self.half else 0

    @property
    def steps(self) -> int:
        """Steps of a product, each with a digit of 64 bits or, of halves, with one of 32 bits in each array."""
        return -(-self.half // (DIGIT // 2)) + self.second if self.half else self.digits

    @property
    def segments(self) -> int:
        """Segments of a step."""
        return LANES if self.half else max(LANES, -(-self.p.bit_length() // SEGMENT))

    @property
    def cycles(self) -> int:
        """Of a product. `ValueError` for lanes that are idle, or a step in three cycles: no lane looks for them."""
        if self.steps * self.segments % LANES or any(
                i * self.segments % LANES + self.segments > 2 * LANES for i in range(self.steps)):
            raise ValueError(f"{self.name}: {self.steps} steps of {self.segments} segments are out of time with the "
                             "lanes")
        return self.steps * self.segments // LANES

    def words(self, t: int) -> dict[str, int]:
        """The numbers of a step whose sum ends in t, by name; 0 <= t < 2^64."""
        q = -t * pow(self.p, -1, 1 << DIGIT) & MASK
        low = (t + q * self.p) % (1 << (DIGIT + DIGIT)) >> DIGIT
        return {"q": q, "twin": q * ((1 << 32) + 1), "half": low & ((1 << 32) - 1),
                "rest": -((t - 19 * q) >> DIGIT)}

    def terms(self) -> tuple[Term, ...]:
        """Signed terms of p, the ones below 2^64 together with t. `ValueError` if they are none of the known."""
        terms, at, rest = [], 0, self.p
        while rest:
            if rest & 1:
                digit = 2 - rest % 4
                rest -= digit
                terms.append(Term(digit, at))
            rest, at = rest >> 1, at + 1
        low = tuple((term.sign, term.at) for term in terms if term.at < DIGIT)
        joined = {((-1, 0),): (), ((1, 0),): (Term(1, 0),), ((-1, 0), (1, 32)): (Term(1, DIGIT, "half"),),
                  ((1, 0), (-1, 2), (-1, 4)): (Term(-1, DIGIT, "rest"),)}
        if low not in joined:
            raise ValueError(f"{self.name}: no rule for a prime that ends in {low}")
        high = [term for term in terms if term.at >= DIGIT]
        for i in range(len(high) - 1):
            if high[i].sign == high[i + 1].sign == -1 and high[i + 1].at == high[i].at + 32:
                high[i:i + 2] = [Term(-1, high[i].at, "twin")]
                break
        return (*joined[low], *high)

    def lanes_of(self, segment: int) -> int:
        """Mask of the lanes that work on a segment in the schedule of pm_mont_mul_packed."""
        return sum(1 << lane for lane in range(LANES)
                   if any((i * self.segments + segment) % LANES == lane for i in range(self.steps)))

    def places(self) -> tuple[Place, ...]:
        """Rows of all segments that add anything. `ValueError` if two numbers want the same row of a segment."""
        if self.half:
            return ()
        s = self.segments
        found: dict[tuple[int, int], Term] = {}
        correction = 0
        for term in self.terms():
            segment = min(term.at // SEGMENT, s - 1)
            if term.word != "q" and any((i * s + segment) % LANES < segment for i in range(self.steps)):
                raise ValueError(f"{self.name}: {term.word} is wanted a cycle after its step begins")
            if (segment, term.sign) in found:
                raise ValueError(f"{self.name}: two terms in segment {segment}")
            found[segment, term.sign] = term
            if term.sign < 0:
                correction += 1 << term.at
                if segment < s - 1:
                    correction -= 1 << (SEGMENT * segment + MINUS_BITS)
        correction %= 1 << (SEGMENT * (s - 1) + LANE_BITS)
        places = []
        for j in range(s):
            bits = SEGMENT if j < s - 1 else LANE_BITS
            ones = correction >> (SEGMENT * j) & ((1 << bits) - 1)
            plus, minus = (((term.at - SEGMENT * j, term.word) if term else None)
                           for term in (found.get((j, 1)), found.get((j, -1))))
            below = (1 << minus[0]) - 1 if minus else (1 << LANE_BITS) - 1
            plus_ones, minus_ones = ones & ~below, ones & below
            if minus:
                top = LANE_BITS if j == s - 1 else MINUS_BITS
                minus_ones |= (1 << top) - (1 << (minus[0] + WORD_BITS[minus[1]]))
            if plus and plus_ones & (((1 << WORD_BITS[plus[1]]) - 1) << plus[0]):
                raise ValueError(f"{self.name}: no room for the correction in segment {j}")
            if plus or minus or plus_ones or minus_ones:
                places.append(Place(j, self.lanes_of(j), plus, minus, plus_ones, minus_ones))
        return tuple(places)


def named() -> tuple[Named, ...]:
    """The primes, in the order of their numbers from 1 on."""
    return tuple(Named(name, curves.by_name(name).p) for name in CURVES)


def sv_package(primes: tuple[Named, ...]) -> str:
    """Text of the package."""
    def table(kind: str, name: str, values: list[str]) -> list[str]:
        return [f"  localparam {kind} {name} = {{", ",\n".join(f"    {v}" for v in reversed(values)), "  };"]

    words = {word: f"Word{word.title()}" for word in WORD_BITS}
    places = [(prime, place) for prime in primes for place in prime.places()]

    def entry(prime: Named, place: Place) -> str:
        numbers = [f"{prime.label}", f"3'd{place.segment}", f"{LANES}'b{place.lanes:0{LANES}b}"]
        for term in (place.plus, place.minus):
            at, word = term or (0, "q")
            numbers += [f"1'b{int(term is not None)}", f"8'd{at}", words[word]]
        return "{" + ", ".join([*numbers, *(f"{LANE_BITS}'h{ones:x}"
                                           for ones in (place.plus_ones, place.minus_ones))]) + "}"

    what = ("Primes whose multiples are sums of a few shifted numbers, and where pm_mont_mul_packed adds them:\n"
            "// pointmill/gen/named_prime.py says how they come about.\n")  # fmt: skip
    return package("pm_named_prime_pkg", "data/curves.yaml", what, [
        *enum("named_e", "", {label: i for i, label in enumerate(["NamedNone", *(prime.label for prime in primes)])},
              4),
        "",
        *localparams({"NumNamed": len(primes), "NamedLaneBits": LANE_BITS}),
        "",
        "  // By the number of the prime: the prime; digits of R, of 64 bits; steps, segments of each and cycles of a "
        "product;",
        "  // where pm_named_halves makes it, the steps of its second part.",
        *table(f"logic [NumNamed:0][{WIDTH - 1}:0]", "NamedPrime",
               [f"{WIDTH}'h{p:x}" for p in (0, *(prime.p for prime in primes))]),
        *(line for name, of in (("NamedDigits", lambda n: n.digits), ("NamedSteps", lambda n: n.steps),
                                ("NamedSegments", lambda n: n.segments), ("NamedCycles", lambda n: n.cycles),
                                ("NamedSecond", lambda n: n.second))
          for line in table("logic [NumNamed:0][4:0]", name, [f"5'd{v}" for v in (0, *map(of, primes))])),
        "",
        "  // Numbers that a step adds, by their bits: the quotient q, q (2^32 + 1), what is left of the lowest",
        "  // digit of the sum and of q p where p ends in 2^32 - 1, and in -19.",
        *enum("word_e", "", {label: i for i, label in enumerate(words.values())}, 2),
        "",
        "  function automatic int unsigned word_bits(word_e word);",
        "    unique case (word)",
        *(f"      {words[word]}: return {bits};" for word, bits in WORD_BITS.items() if word != "q"),
        f"      default: return {WORD_BITS['q']};",
        "    endcase",
        "  endfunction",
        "",
        "  // What a segment of a step adds, in the lanes that ever have it: a row with a number and ones, and a",
        "  // row with the complement of a number and ones.",
        "  typedef struct packed {",
        "    named_e named;",
        "    logic [2:0] segment;",
        f"    logic [{LANES - 1}:0] lanes;",
        "    logic plus;",
        "    logic [7:0] plus_at;",
        "    word_e plus_word;",
        "    logic minus;",
        "    logic [7:0] minus_at;",
        "    word_e minus_word;",
        f"    logic [{LANE_BITS - 1}:0] plus_ones;",
        f"    logic [{LANE_BITS - 1}:0] minus_ones;",
        "  } place_t;",
        "",
        f"  localparam int unsigned NumPlaces = {len(places)};",
        *table("place_t [NumPlaces-1:0]", "Places", [entry(*pair) for pair in places]),
    ])  # fmt: skip


def outputs() -> dict[Path, str]:
    """Text of the generated file by path, before it is formatted."""
    return {PACKAGE: sv_package(named())}
