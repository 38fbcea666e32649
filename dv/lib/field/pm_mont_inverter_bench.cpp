// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_mont_inverter; the latency of every job is compared with steps + 2.
//   pm_mont_inverter_sim file <path>    vectors of test_pm_mont_inverter.py
//   pm_mont_inverter_sim all <width>    every modulus, even ones too, every operand of that width, with
//                                       as many steps as always suffice, and with fewer
// Prints: vectors, jobs that ended with an error, sum of the latencies.

#include <cstdlib>
#include <cstring>
#include <numeric>

#include "Vpm_mont_inverter.h"
#include "mont_bench.h"

using pm_tb::Big;

namespace {

struct Bench {
  Vpm_mont_inverter dut;
  uint64_t vectors = 0, errors = 0, cycles = 0;

  Bench() {
    dut.clear_i = dut.valid_i = dut.ready_i = 0;
    pm_tb::reset(dut, 1);
  }

  // want = 0: an error is expected.
  void run(const Big& p, uint32_t steps, const Big& a, const Big& want) {
    const uint32_t latency = steps + 2;
    pm_tb::put(dut.p_i, p);
    pm_tb::put(dut.a_i, a);
    dut.steps_i = steps;
    mont::job(dut, latency, [this] {
      dut.steps_i = 0;
      pm_tb::put(dut.a_i, Big());
    });
    const Big got = pm_tb::get(dut.inv_o);
    const bool error = want == Big(0);
    if (!(got == want) || dut.error_o != error) {
      pm_tb::fail("modulus " + p.hex() + ", operand " + a.hex() + ", " + std::to_string(steps) +
                  " steps: " + got.hex() + " is not " + want.hex());
    }
    dut.ready_i = 1;
    pm_tb::tick(dut);
    ++vectors;
    cycles += latency;
    errors += error;
  }
};

void play(Bench& bench, const char* path) {
  mont::File file(path);
  uint32_t head[6];
  while (file.head(head)) {
    const Big p = file.value();
    file.value();
    for (uint32_t i = 1; i < head[0]; ++i) {
      const Big a = file.value(), want = file.value();
      bench.run(p, head[1], a, want);
    }
  }
}

int length(uint64_t a) {
  int n = 0;
  for (; a != 0; a >>= 1) ++n;
  return n;
}

void all(Bench& bench, int width) {
  for (uint64_t p = 2; p < uint64_t{1} << width; ++p) {
    for (uint64_t a = 0; a < uint64_t{1} << width; ++a) {
      uint64_t inverse = 0;
      if (p % 2 == 1 && std::gcd(a, p) == 1) {
        while (inverse * a % p != 1) ++inverse;
      }
      const auto at = [&](uint32_t steps) {
        uint64_t want = inverse;
        for (uint32_t i = 0; i < steps; ++i) want = 2 * want % p;
        bench.run(Big(p), steps, Big(a), Big(want));
      };
      at(length(p) + length(a));
      at(2 * width);
      if (a == 1) at(length(p));
      // Too few: at least bits(p) - 1 steps are needed to bring p to 1.
      if (p > 2) bench.run(Big(p), length(p) - 2, Big(a), Big());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) pm_tb::fail("usage: file PATH | all WIDTH");
  Bench bench;
  if (std::strcmp(argv[1], "file") == 0) {
    play(bench, argv[2]);
  } else {
    all(bench, std::atoi(argv[2]));
  }
  pm_tb::print({{"vectors", bench.vectors}, {"errors", bench.errors}, {"cycles", bench.cycles}});
  return 0;
}
