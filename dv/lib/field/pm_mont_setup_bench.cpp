// SPDX-License-Identifier: Apache-2.0
//
// Vectors for pm_mont_setup, by definition: bits counted, -1/p checked by 1 + p h.
//   pm_mont_setup_sim file <path> [<half>]    moduli of test_pm_mont_setup.py
//   pm_mont_setup_sim all <digit> <half>     every p of that width, even ones too
// Prints: vectors, how many were rejected.

#include <cstdlib>
#include <cstring>

#include "Vpm_mont_setup.h"
#include "mont_bench.h"

using pm_tb::Big;

namespace {

struct Bench {
  Vpm_mont_setup dut;
  int digit, half;
  uint64_t vectors = 0, refused = 0;

  Bench(int digit_bits, int half_bits) : digit(digit_bits), half(half_bits) {
    dut.valid_i = dut.ready_i = 0;
    pm_tb::reset(dut, 1);
  }

  void run(const Big& p) {
    pm_tb::put(dut.p_i, p);
    mont::job(dut, uint32_t(digit + 2), [] {});
    const bool refuse = !p.bit(0) || p == Big(1);
    if (dut.error_o != refuse) pm_tb::fail("wrong error_o for " + p.hex());
    if (!refuse) {
      const int bits = p.bit_length();
      if (int(dut.bits_o) != bits) pm_tb::fail("wrong bits_o for " + p.hex());
      if (int(dut.digits_o) != (bits + digit - 1) / digit) pm_tb::fail("wrong digits_o for " + p.hex());
      if (dut.wide_o != (bits > half)) pm_tb::fail("wrong wide_o for " + p.hex());
      const uint64_t sum = p.low64() * uint64_t{dut.pinv_o} + 1;
      if ((sum & ((uint64_t{1} << digit) - 1)) != 0) pm_tb::fail("wrong pinv_o for " + p.hex());
    }
    dut.ready_i = 1;
    pm_tb::tick(dut);
    ++vectors;
    refused += refuse;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) pm_tb::fail("usage: file PATH | all DIGIT HALF");
  const bool from_file = std::strcmp(argv[1], "file") == 0;
  Bench bench(from_file ? 32 : std::atoi(argv[2]), argc > 3 ? std::atoi(argv[3]) : 272);
  if (from_file) {
    mont::File file(argv[2]);
    uint32_t head[6];
    while (file.head(head)) {
      for (uint32_t i = 0; i < head[0]; ++i) bench.run(file.value());
    }
  } else {
    for (uint64_t p = 0; p < uint64_t{1} << (2 * bench.half); ++p) bench.run(Big(p));
  }
  pm_tb::print({{"vectors", bench.vectors}, {"refused", bench.refused}});
  return 0;
}
