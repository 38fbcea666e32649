// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_mont_inverter; the latency of every job is compared with steps + 2.
//   pm_mont_inverter_sim file <path>    vectors of test_pm_mont_inverter.py; of a group for public_i each vector has
//                                       the steps and cycles that it takes
//   pm_mont_inverter_sim all <width>    every modulus, even ones too, every operand of that width, with
//                                       as many steps as always suffice, and with fewer; compiled with PM_PUBLIC
//                                       also for public_i, by the steps that the unit says it made
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
    dut.clk_i = dut.rst_ni = 0;
    dut.clear_i = dut.valid_i = dut.ready_i = dut.public_i = 0;
    dut.eval();
    pm_tb::tick(dut);
    dut.rst_ni = 1;
    dut.eval();
  }

  // want = 0: an error is expected.
  void run(const Big& p, uint32_t steps, const Big& a, const Big& want) { run(p, steps, a, want, false, 0, steps + 2); }

  void run(const Big& p, uint32_t steps, const Big& a, const Big& want, bool is_public, uint32_t made,
           uint32_t latency) {
    pm_tb::put(dut.p_i, p);
    pm_tb::put(dut.a_i, a);
    dut.steps_i = steps;
    dut.valid_i = 1;
    dut.ready_i = 0;
    dut.public_i = is_public;
    dut.eval();
    if (!dut.ready_o || dut.valid_o) pm_tb::fail("not idle");
    pm_tb::tick(dut);
    dut.valid_i = 0;
    dut.steps_i = 0;
    dut.public_i = !is_public;
    pm_tb::put(dut.a_i, Big());
    for (uint32_t cycle = 1; cycle < latency; ++cycle) {
      if (dut.valid_o || dut.ready_o) pm_tb::fail("valid or ready in cycle " + std::to_string(cycle));
      pm_tb::tick(dut);
    }
    if (!dut.valid_o) pm_tb::fail("late");
    const Big got = pm_tb::get(dut.inv_o);
    const bool error = want == Big(0);
    if (is_public && dut.steps_o != made) pm_tb::fail("wrong steps_o, operand " + a.hex());
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

#ifdef PM_PUBLIC
// One job with public_i; returns steps_o.
uint32_t run_public(Bench& bench, uint64_t p, uint32_t least, uint64_t a, uint64_t inverse) {
  auto& dut = bench.dut;
  pm_tb::put(dut.p_i, Big(p));
  pm_tb::put(dut.a_i, Big(a));
  dut.steps_i = least;
  dut.public_i = dut.valid_i = 1;
  dut.ready_i = 0;
  uint32_t cycles = 0;
  const uint32_t most = 4 * 64;
  do {
    pm_tb::tick(dut);
    dut.valid_i = dut.public_i = 0;
  } while (++cycles < most && !dut.valid_o);
  uint64_t want = inverse;
  for (uint32_t i = 0; i < dut.steps_o; ++i) want = 2 * want % p;
  if (!(pm_tb::get(dut.inv_o) == Big(want)) || dut.error_o != (inverse == 0)) {
    pm_tb::fail("modulus " + std::to_string(p) + ", public operand " + std::to_string(a));
  }
  if (cycles > dut.steps_o + 2 || dut.steps_o < least) pm_tb::fail("wrong steps or cycles");
  dut.ready_i = 1;
  pm_tb::tick(dut);
  ++bench.vectors;
  bench.errors += inverse == 0;
  return dut.steps_o;
}
#endif

void play(Bench& bench, const char* path) {
  mont::File file(path);
  uint32_t head[6];
  while (file.head(head)) {
    const Big p = file.value();
    file.value();
    for (uint32_t i = 1; i < head[0]; ++i) {
      const Big a = file.value(), want = file.value();
      if (head[2] != 0) {
        const Big counts = file.value();
        bench.run(p, head[1], a, want, true, counts.w[0], counts.w[1]);
      } else {
        bench.run(p, head[1], a, want);
      }
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
#ifdef PM_PUBLIC
      if (p % 2 == 1 && p > 2) {
        if (run_public(bench, p, 0, a, inverse) > uint32_t(length(p) + length(a))) pm_tb::fail("too many steps");
        run_public(bench, p, length(p) + 1, a, inverse);
      }
#endif
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
  std::printf("vectors %llu errors %llu cycles %llu\n",
              static_cast<unsigned long long>(bench.vectors),
              static_cast<unsigned long long>(bench.errors),
              static_cast<unsigned long long>(bench.cycles));
  return 0;
}
