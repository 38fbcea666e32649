// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_mont_mul or, compiled with PM_PACKED, pm_mont_mul_packed; every cycle's valid and
// ready are compared with a counter.
//   pm_mont_mul_sim file <path> <stall seed>      vectors of test_pm_mont_mul.py; seed 0: no pauses
//   pm_mont_mul_sim all <digit> <half> <extra> <p> ...
//       every x < R, every y < p, for the moduli named (none: every odd p), both values of wide_i if
//       legal, every legal number of digits that exceeds those of p by at most <extra>
// Prints: vectors, sum of the latencies of all products.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef PM_PACKED
#include "Vpm_mont_mul_packed.h"
using Dut = Vpm_mont_mul_packed;
#else
#include "Vpm_mont_mul.h"
using Dut = Vpm_mont_mul;
#endif
#include "mont_bench.h"

using pm_tb::Big;

namespace {

// Cycles of a product.
uint32_t cycles_of(uint32_t digit, uint32_t half, uint32_t digits, uint32_t wide, uint32_t named) {
#ifdef PM_PACKED
  constexpr uint32_t kNamed[] = {0, 3, 4, 4, 9, 14, 4, 4, 11};
  if (named != 0) return kNamed[named];
  uint32_t segments = 4;
  while (wide && segments * (half / 4) < digits * digit) ++segments;
  return (digits * segments + 3) / 4;
#else
  if (named != 0) pm_tb::fail("pm_mont_mul knows no names");
  return digits * (wide + 1);
#endif
}

struct Bench {
  Dut dut;
  uint32_t digit, half;
  pm_tb::Random random;
  bool stalls;
  bool scramble = false;  // change the operands after acceptance
  uint64_t vectors = 0, cycles = 0;
  // The expected state of the unit.
  uint32_t busy = 0;
  bool valid = false;
  Big result;
  Big p;
  uint32_t latency = 0;

  Bench(uint64_t seed, uint32_t digit_bits, uint32_t half_bits)
      : digit(digit_bits), half(half_bits), random(seed), stalls(seed != 0) {
    dut.valid_i = dut.ready_i = 0;
    pm_tb::reset(dut, 1);
  }

  void modulus(const Big& value, uint32_t pinv, uint32_t digits, uint32_t wide, uint32_t named) {
    p = value;
    pm_tb::put(dut.p_i, p);
    dut.pinv_i = pinv;
    dut.digits_i = digits;
    dut.wide_i = wide;
#ifdef PM_PACKED
    dut.named_i = named;
#endif
    latency = cycles_of(digit, half, digits, wide, named);
  }

  // One cycle, with the operands offered or not; true if they were accepted.
  bool cycle(bool offer, const Big& x, const Big& y, const Big& want) {
    dut.valid_i = offer;
    dut.ready_i = !stalls || random.next() % 2 == 0;
    if (offer) {
      pm_tb::put(dut.x_i, x);
      pm_tb::put(dut.y_i, y);
    } else if (scramble) {
      pm_tb::put(dut.x_i, random.bits(32 * mont::kWords));
      pm_tb::put(dut.y_i, random.bits(32 * mont::kWords));
    }
    dut.eval();
    const bool ready = busy == 0 && (!valid || dut.ready_i);
    if (dut.valid_o != valid) pm_tb::fail("valid_o not as expected, vector " + std::to_string(vectors));
    if (dut.ready_o != ready) pm_tb::fail("ready_o not as expected, vector " + std::to_string(vectors));
    if (valid) {
      const Big got = pm_tb::get(dut.r_o);
      if (!(got == result)) {
        pm_tb::fail("modulus " + p.hex() + ": " + got.hex() + " is not " + result.hex());
      }
    }
    const bool accepted = offer && ready;
    if (valid && dut.ready_i) valid = false;
    if (accepted) {
      result = want;
      busy = latency;
      ++vectors;
    }
    if (busy != 0) {
      ++cycles;
      if (--busy == 0) valid = true;
    }
    pm_tb::tick(dut);
    return accepted;
  }

  void product(const Big& x, const Big& y, const Big& want) {
    while (stalls && random.next() % 4 == 0) cycle(false, x, y, want);
    // Without pauses the operands are offered all the time, and accepted at once when there is room.
    while (!cycle(true, x, y, want)) {
    }
    if (scramble && latency > 1) cycle(false, x, y, want);
  }

  void drain() {
    while (busy != 0 || valid) cycle(false, Big(), Big(), Big());
  }
};

void play(Bench& bench, const char* path) {
  mont::File file(path);
  uint32_t head[6];
  while (file.head(head)) {
    bench.drain();
    const Big p = file.value();
    bench.modulus(p, head[3], head[1], head[2], head[4]);
    file.value();
    file.value();
    for (uint32_t i = 1; i < head[0]; ++i) {
      const Big x = file.value(), y = file.value(), want = file.value();
      bench.product(x, y, want);
    }
  }
}

void all(Bench& bench, uint32_t extra, const std::vector<uint64_t>& chosen) {
  const uint32_t digit = bench.digit, half = bench.half;
  std::vector<uint64_t> moduli = chosen;
  if (moduli.empty()) {
    for (uint64_t p = 3; p < uint64_t{1} << (2 * half); p += 2) moduli.push_back(p);
  }
  for (const uint64_t p : moduli) {
    uint32_t narrow = 1;
    while (p >> (narrow * digit) != 0) ++narrow;
    const uint32_t most = std::min(2 * half / digit, narrow + extra);
    for (uint32_t digits = narrow; digits <= most; ++digits) {
      const uint64_t r = uint64_t{1} << (digits * digit);
      uint64_t r_inverse = 1;  // R^-1 mod p by halving
      for (uint32_t i = 0; i < digits * digit; ++i) {
        r_inverse = (r_inverse & 1 ? r_inverse + p : r_inverse) / 2;
      }
      uint32_t pinv = 0;
      while (((pinv * p + 1) & ((uint64_t{1} << digit) - 1)) != 0) ++pinv;
      for (uint32_t wide = p >> half ? 1 : 0; wide < 2; ++wide) {
        bench.drain();
        bench.modulus(Big(p), pinv, digits, wide, 0);
        for (uint64_t x = 0; x < r; ++x) {
          for (uint64_t y = 0; y < p; ++y) {
            bench.product(Big(x), Big(y), Big(x * y % p * r_inverse % p));
          }
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool from_file = argc > 1 && std::strcmp(argv[1], "file") == 0;
  if (argc < (from_file ? 4 : 5)) pm_tb::fail("usage: file PATH SEED | all DIGIT HALF EXTRA P ...");
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  Bench bench(from_file ? number(3) : 0, from_file ? 32 : number(2),
              from_file ? 16 * mont::kWords : number(3));
  bench.scramble = from_file;
  if (from_file) {
    play(bench, argv[2]);
  } else {
    std::vector<uint64_t> moduli;
    for (int i = 5; i < argc; ++i) moduli.push_back(number(i));
    all(bench, number(4), moduli);
  }
  bench.drain();
  pm_tb::print({{"vectors", bench.vectors}, {"cycles", bench.cycles}});
  return 0;
}
