// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_inverter. Every result is checked by a * inv = 1 mod p with plain integers.
//   pm_inverter_sim random <N> <C> <count> <seed>   edge values, then random ones in [0, 2^(N+1))
//   pm_inverter_sim all <N> <C>                     every operand in [0, 2^(N+1))
// Prints: vectors, inverses found, sum of latencies, longest latency (cycles, accept to valid_o; of
// the random or exhaustive operands alone).

#include <cstring>
#include <numeric>
#include <vector>

#include "Vpm_inverter.h"
#include "pm_tb_big.h"
#include "pm_tb_clock.h"

using pm_tb::Big;

namespace {

struct Bench {
  Vpm_inverter dut;
  Big p;
  uint64_t vectors = 0, inverses = 0, cycle_sum = 0, cycle_max = 0;

  explicit Bench(const Big& modulus) : p(modulus) {
    dut.clear_i = dut.valid_i = dut.ready_i = 0;
    pm_tb::reset(dut, 1);
    tick();
  }
  void tick() { pm_tb::tick(dut); }
  // Runs one inversion; returns the latency.
  uint64_t run(const Big& a, bool has_inverse) {
    if (!dut.ready_o) pm_tb::fail("not ready when idle");
    pm_tb::put(dut.a_i, a);
    dut.valid_i = 1;
    tick();
    dut.valid_i = 0;
    uint64_t cycles = 1;
    while (!dut.valid_o) {
      tick();
      if (++cycles > 4000) pm_tb::fail("no result for " + a.hex());
    }
    const Big inv = pm_tb::get(dut.inv_o);
    if (!(inv < p)) pm_tb::fail("not canonical: inverse of " + a.hex() + " is " + inv.hex());
    const Big want = has_inverse ? Big(1) : Big(0);
    const Big got = has_inverse ? mod(mod(a, p) * inv, p) : inv;
    if (!(got == want)) pm_tb::fail("inverse of " + a.hex() + " is not " + inv.hex());
    dut.ready_i = 1;
    tick();
    dut.ready_i = 0;
    ++vectors;
    inverses += has_inverse;
    return cycles;
  }
  void count(uint64_t cycles) {
    cycle_sum += cycles;
    if (cycles > cycle_max) cycle_max = cycles;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) pm_tb::fail("usage: random N C count seed | all N C");
  const int n = std::atoi(argv[2]);
  const Big one(1), c(std::strtoull(argv[3], nullptr, 10));
  const Big top = Big::power_of_two(n + 1);
  Bench bench(Big::power_of_two(n) - c);
  const Big& p = bench.p;

  if (std::strcmp(argv[1], "all") == 0) {
    for (uint64_t a = 0; a < top.low64(); ++a) {
      bench.count(bench.run(Big(a), std::gcd(a, p.low64()) == 1));
    }
  } else {
    std::vector<Big> edges = {Big(0), one, Big(2), Big(3), p - one, p, p + one, p + p - one,
                              p + p, p + p + one, top - one, p - Big(2), p + Big(2)};
    for (int i = 2; i <= n; ++i) {
      edges.push_back(Big::power_of_two(i));
      edges.push_back(Big::power_of_two(i) - one);
      edges.push_back(p - Big::power_of_two(i - 1));
    }
    for (const Big& a : edges) bench.run(a, !(mod(a, p) == Big(0)));
    pm_tb::Random random(std::strtoull(argv[5], nullptr, 10));
    for (uint64_t i = 0, count = std::strtoull(argv[4], nullptr, 10); i < count; ++i) {
      const Big a = random.bits(n + 1);
      bench.count(bench.run(a, !(mod(a, p) == Big(0))));
    }
  }
  std::printf("%llu %llu %llu %llu\n", static_cast<unsigned long long>(bench.vectors),
              static_cast<unsigned long long>(bench.inverses),
              static_cast<unsigned long long>(bench.cycle_sum),
              static_cast<unsigned long long>(bench.cycle_max));
  return 0;
}
