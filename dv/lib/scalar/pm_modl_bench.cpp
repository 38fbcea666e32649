// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_modl against plain integers, with a behavioural model of the shared
// multiplier.
//   pm_modl_sim <count> <seed> <latency> <jitter>
// latency: cycles from acceptance of a request to its half products. jitter 1: the multiplier
// rejects requests at random and responds up to 7 cycles later, and results wait before being taken.
// Prints: vectors, results not below 2^252 (only the last addition of L makes these), results that
// the folds as printed (without offsets) would leave outside [0, L), shortest and longest latency
// from acceptance to valid_o.

#include <vector>

#include "Vpm_modl.h"
#include "pm_tb_big.h"
#include "pm_tb_clock.h"

using pm_tb::Big;

namespace {

struct Multiplier {
  int latency;
  bool jitter;
  pm_tb::Random random;
  int wait = -1;  // cycles until the answer, -1: idle
  Big h, l;
};

struct Bench {
  Vpm_modl dut;
  Multiplier mul;
  Big order;
  uint64_t vectors = 0, high = 0, outside = 0, shortest = ~uint64_t{0}, longest = 0;

  Bench(int latency, bool jitter, uint64_t seed)
      : mul{latency, jitter, pm_tb::Random(seed ^ 0x5eed), -1, Big(), Big()} {
    order = Big::power_of_two(252) +
            Big::from_decimal("27742317777372353535851937790883648493");
    dut.clear_i = dut.valid_i = dut.ready_i = dut.mul_part_valid_i = dut.mul_ready_i = 0;
    pm_tb::reset(dut, 1);
    tick();
  }

  // One clock cycle, with the multiplier's inputs for it decided before the edge.
  void tick() {
    dut.mul_ready_i = !mul.jitter || mul.random.next() % 3 != 0;
    dut.mul_part_valid_i = mul.wait == 0;
    // Without an answer the ports carry garbage.
    pm_tb::put(dut.mul_h_i, mul.wait == 0 ? mul.h : mul.random.bits(258));
    pm_tb::put(dut.mul_l_i, mul.wait == 0 ? mul.l : mul.random.bits(258));
    dut.eval();
    if (mul.wait >= 0) --mul.wait;
    if (dut.mul_valid_o && dut.mul_ready_i) {
      if (mul.wait >= 0) pm_tb::fail("two requests outstanding");
      const Big a = pm_tb::get(dut.mul_a_o), b = pm_tb::get(dut.mul_b_o);
      mul.h = slice(a, 129, 129) * slice(b, 129, 129);
      mul.l = slice(a, 0, 129) * slice(b, 0, 129);
      mul.wait = mul.latency - 1 + (mul.jitter ? static_cast<int>(mul.random.next() % 8) : 0);
    }
    pm_tb::tick(dut);
  }

  // Where the three folds of the paper end, without any multiple of L added: inside [0, L)?
  bool printed_folds_inside(const Big& x) const {
    const Big low = order - Big::power_of_two(252);
    Big value = x;
    bool negative = false;
    for (int round = 0; round < 3; ++round) {
      const int at = round == 0 ? 254 : 252;
      // Floor division by 2^at, as bits of a two's complement number.
      Big xh = slice(value, at, 386), xl = slice(value, 0, at);
      if (negative && !(xl == Big(0))) {
        xh = xh + Big(1);
        xl = Big::power_of_two(at) - xl;
      }
      const Big product = low * Big(round == 0 ? 4 : 1) * xh;
      if (negative) {  // xl + t*|xh|
        value = xl + product;
        negative = false;
      } else if (xl < product) {
        value = product - xl;
        negative = true;
      } else {
        value = xl - product;
      }
    }
    return !negative && value < order;
  }

  void run(const Big& x) {
    if (!dut.ready_o) pm_tb::fail("not ready when idle");
    pm_tb::put(dut.x_i, x);
    dut.valid_i = 1;
    tick();
    dut.valid_i = 0;
    pm_tb::put(dut.x_i, mul.random.bits(512));
    uint64_t cycles = 1;
    while (!dut.valid_o) {
      tick();
      if (++cycles > 500) pm_tb::fail("no result for " + x.hex());
    }
    if (mul.jitter) {
      for (uint64_t i = mul.random.next() % 4; i > 0; --i) tick();
    }
    const Big want = mod(x, order), got = pm_tb::get(dut.r_o);
    if (!dut.valid_o || !(want == got)) {
      pm_tb::fail(x.hex() + " mod L = " + want.hex() + ", not " + got.hex());
    }
    dut.ready_i = 1;
    tick();
    dut.ready_i = 0;
    ++vectors;
    high += want.bit(252);
    outside += !printed_folds_inside(x);
    if (cycles < shortest) shortest = cycles;
    if (cycles > longest) longest = cycles;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) pm_tb::fail("usage: count seed latency jitter");
  const uint64_t count = std::strtoull(argv[1], nullptr, 10);
  const uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  Bench bench(std::atoi(argv[3]), std::atoi(argv[4]) != 0, seed);
  pm_tb::Random random(seed);
  const Big one(1), limit = Big::power_of_two(512), order = bench.order;

  // Edges: powers of two, splits of the folds at their extremes.
  std::vector<Big> edges = {Big(0), one, limit - one};
  for (int i = 1; i < 512; ++i) {
    edges.push_back(Big::power_of_two(i));
    edges.push_back(Big::power_of_two(i) - one);
    edges.push_back(limit - Big::power_of_two(i));
    edges.push_back(Big::power_of_two(i) + one);
  }
  // Multiples of L: small, around every power of two, random, the largest.
  std::vector<Big> factors;
  for (uint64_t k = 1; k <= 64; ++k) factors.push_back(Big(k));
  for (int i = 6; i < 259; ++i) {
    factors.push_back(Big::power_of_two(i));
    factors.push_back(Big::power_of_two(i) - one);
  }
  for (int i = 0; i < 500; ++i) factors.push_back(random.bits(259));
  const Big largest = limit - one - mod(limit - one, order);
  for (const Big& near : {largest - one, largest, largest + one}) edges.push_back(near);
  for (const Big& k : factors) {
    const Big multiple = k * order;
    for (const Big& near : {multiple - one, multiple, multiple + one}) {
      if (near < limit) edges.push_back(near);
    }
    // Just below and just above a multiple, as far as the last fold can be off (2^131).
    if (multiple < limit) {
      edges.push_back(multiple - random.bits(131));
      const Big above = multiple + random.bits(131);
      if (above < limit) edges.push_back(above);
    }
  }
  for (const Big& x : edges) bench.run(x);
  for (uint64_t i = 0; i < count; ++i) bench.run(random.bits(512));
  std::printf("%llu %llu %llu %llu %llu\n", static_cast<unsigned long long>(bench.vectors),
              static_cast<unsigned long long>(bench.high),
              static_cast<unsigned long long>(bench.outside),
              static_cast<unsigned long long>(bench.shortest),
              static_cast<unsigned long long>(bench.longest));
  return 0;
}
