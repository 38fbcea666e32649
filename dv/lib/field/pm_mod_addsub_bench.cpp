// SPDX-License-Identifier: Apache-2.0
//
// Vectors for pm_mod_addsub_pair, and through it for pm_mod_addsub.
//   pm_mod_addsub_pair_sim file <path>   vectors of test_pm_mod_addsub.py
//   pm_mod_addsub_pair_sim all <width>   every p, every a, b, c in [0, p), every selection
// Prints: vectors, how many of the results were 0.

#include <cstdlib>
#include <cstring>

#include "Vpm_mod_addsub_pair.h"
#include "mont_bench.h"

using pm_tb::Big;

namespace {

struct Bench {
  Vpm_mod_addsub_pair dut;
  uint64_t vectors = 0, zeros = 0;

  // Control: bit 0 sub0, bit 1 sub1, bit 2 chain_a1, bit 3 chain_b1.
  void run(uint32_t control, const Big& r0, const Big& r1) {
    dut.sub0_i = control & 1;
    dut.sub1_i = (control >> 1) & 1;
    dut.chain_a1_i = (control >> 2) & 1;
    dut.chain_b1_i = (control >> 3) & 1;
    dut.eval();
    check("r0", control, pm_tb::get(dut.r0_o), r0, dut.zero0_o);
    check("r1", control, pm_tb::get(dut.r1_o), r1, dut.zero1_o);
    ++vectors;
  }
  void check(const char* name, uint32_t control, const Big& got, const Big& want, bool zero) {
    if (!(got == want) || zero != (want == Big(0))) {
      pm_tb::fail(std::string(name) + " with control " + std::to_string(control) + ": " + got.hex() +
                  " is not " + want.hex());
    }
    zeros += zero;
  }
};

void play(Bench& bench, const char* path) {
  mont::File file(path);
  uint32_t head[6];
  while (file.head(head)) {
    pm_tb::put(bench.dut.p_i, file.value());
    for (int i = 1; i < 6; ++i) file.value();
    for (uint32_t i = 1; i < head[0]; ++i) {
      pm_tb::put(bench.dut.a0_i, file.value());
      pm_tb::put(bench.dut.b0_i, file.value());
      pm_tb::put(bench.dut.a1_i, file.value());
      pm_tb::put(bench.dut.b1_i, file.value());
      const Big r0 = file.value(), r1 = file.value();
      bench.run(head[1], r0, r1);
    }
  }
}

void all(Bench& bench, int width) {
  for (int p = 1; p < 1 << width; ++p) {
    pm_tb::put(bench.dut.p_i, Big(p));
    const auto result = [p](int a, int b, int sub) { return (sub ? a + p - b : a + b) % p; };
    for (int a = 0; a < p; ++a) {
      for (int b = 0; b < p; ++b) {
        for (int c = 0; c < p; ++c) {
          const int d = (a + 3 * c + 1) % p;
          pm_tb::put(bench.dut.a0_i, Big(a));
          pm_tb::put(bench.dut.b0_i, Big(b));
          pm_tb::put(bench.dut.a1_i, Big(c));
          pm_tb::put(bench.dut.b1_i, Big(d));
          for (int control = 0; control < 16; ++control) {
            const int r0 = result(a, b, control & 1);
            const int r1 = result(control & 4 ? r0 : c, control & 8 ? r0 : d, (control >> 1) & 1);
            bench.run(control, Big(r0), Big(r1));
          }
        }
      }
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
  pm_tb::print({{"vectors", bench.vectors}, {"zeros", bench.zeros}});
  return 0;
}
