// SPDX-License-Identifier: Apache-2.0
//
// Vectors for pm_skew_inverter; the latency of every job is compared with the one given.
//   pm_skew_inverter_sim LATENCY file <path>    vectors of test_pm_skew_inverter.py
//   pm_skew_inverter_sim LATENCY all <width>    every odd modulus of at most that width from 9 on, every operand up to
//                                               it
// A result must be the inverse modulo p, in (0, 2p), or 0 if there is none.
// Prints: vectors, those without an inverse, results from p on.

#include <cstdlib>
#include <cstring>
#include <numeric>

#include "Vpm_skew_inverter.h"
#include "mont_bench.h"

using pm_tb::Big;

namespace {

struct Bench {
  Vpm_skew_inverter dut;
  const uint32_t latency;
  uint64_t vectors = 0, none = 0, large = 0;

  explicit Bench(uint32_t cycles) : latency(cycles) {
    dut.clear_i = dut.valid_i = dut.ready_i = 0;
    pm_tb::reset(dut, 1);
  }

  // want = 0: there is no inverse.
  void run(const Big& p, const Big& a, const Big& want) {
    pm_tb::put(dut.p_i, Big());
    pm_tb::put(dut.a_i, Big());
    dut.ready_i = 0;
    pm_tb::tick(dut);
    pm_tb::put(dut.p_i, p);
    pm_tb::put(dut.a_i, a);
    mont::job(dut, latency, [this] { pm_tb::put(dut.a_i, Big()); });
    const Big got = pm_tb::get(dut.inv_o);
    const bool high = !(got < p);
    const Big least = high ? got - p : got;
    if (!(least == want) || (high && want == Big(0))) {
      pm_tb::fail("modulus " + p.hex() + ", operand " + a.hex() + ": " + got.hex() + " is not " + want.hex());
    }
    dut.ready_i = 1;
    pm_tb::tick(dut);
    ++vectors;
    none += want == Big(0);
    large += high;
  }
};

void play(Bench& bench, const char* path) {
  mont::File file(path);
  uint32_t head[6];
  while (file.head(head)) {
    const Big p = file.value();
    file.value();
    for (uint32_t i = 1; i < head[0]; ++i) {
      const Big a = file.value();
      bench.run(p, a, file.value());
    }
  }
}

void all(Bench& bench, int width) {
  for (uint64_t p = 9; p < uint64_t{1} << width; p += 2) {
    for (uint64_t a = 0; a <= p; ++a) {
      uint64_t inverse = 0;
      if (std::gcd(a, p) == 1) {
        while (inverse * a % p != 1) ++inverse;
      }
      bench.run(Big(p), Big(a), Big(inverse));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) pm_tb::fail("usage: LATENCY file PATH | LATENCY all WIDTH");
  Bench bench(uint32_t(std::atoi(argv[1])));
  if (std::strcmp(argv[2], "file") == 0) {
    play(bench, argv[3]);
  } else {
    all(bench, std::atoi(argv[3]));
  }
  pm_tb::print({{"vectors", bench.vectors}, {"none", bench.none}, {"large", bench.large}});
  return 0;
}
