// SPDX-License-Identifier: Apache-2.0
//
// Vectors for pm_limb_canon, from test_pm_limb_canon.py: records of 34 words of 16 bits, limbs and digits of the
// result. done_o is expected 52 cycles after start_i, in no other cycle. Every fifth number is begun, cleared and begun
// again.
// Prints: numbers, zeros, cleared.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "Vpm_limb_canon.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

constexpr int kLimbs = 17, kCycles = 52;

[[noreturn]] void fail(const std::string& what, unsigned long record) {
  std::fprintf(stderr, "record %lu: %s\n", record, what.c_str());
  std::exit(1);
}

struct Bench {
  Vpm_limb_canon dut;
  unsigned long numbers = 0, zeros = 0, cleared = 0;

  Bench() {
    pm_tb::reset(dut);
  }
  void tick() { pm_tb::tick(dut); }
  unsigned digit(int i) {
    const int at = 15 * i;
    const uint64_t two = dut.r_o[at / 32] | (at / 32 < 7 ? uint64_t{dut.r_o[at / 32 + 1]} << 32 : 0);
    return (two >> (at % 32)) & 0x7fff;
  }
  void begin(const uint16_t* limbs) {
    for (int i = 0; i < 9; ++i) dut.limbs_i[i] = 0;
    for (int i = 0; i < kLimbs; ++i) dut.limbs_i[i / 2] |= uint32_t{limbs[i]} << (16 * (i % 2));
    dut.start_i = 1;
    tick();
    dut.start_i = 0;
  }
  void run(const uint16_t* record) {
    if (numbers % 5 == 4) {
      begin(record);
      for (unsigned long i = 0; i < numbers % 50; ++i) tick();
      dut.clear_i = 1;
      tick();
      dut.clear_i = 0;
      for (int i = 0; i < kLimbs; ++i) {
        if (digit(i) != 0) fail("digits stayed after clear", numbers);
      }
      ++cleared;
    }
    begin(record);
    for (int cycle = 1; cycle < kCycles; ++cycle) {
      if (dut.done_o) fail("done too early", numbers);
      tick();
    }
    if (!dut.done_o) fail("not done", numbers);
    bool zero = true;
    for (int i = 0; i < kLimbs; ++i) {
      if (digit(i) != record[kLimbs + i]) fail("digit " + std::to_string(i) + " is wrong", numbers);
      zero = zero && record[kLimbs + i] == 0;
    }
    if (dut.zero_o != zero) fail("the flag is wrong", numbers);
    tick();
    if (dut.done_o) fail("done twice", numbers);
    zeros += zero;
    ++numbers;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) fail("usage: pm_limb_canon_sim PATH", 0);
  std::FILE* file = std::fopen(argv[1], "rb");
  if (file == nullptr) fail("cannot open the vectors", 0);
  Bench bench;
  uint16_t record[2 * kLimbs];
  while (std::fread(record, sizeof record, 1, file) == 1) bench.run(record);
  std::fclose(file);
  std::printf("numbers %lu zeros %lu cleared %lu\n", bench.numbers, bench.zeros, bench.cleared);
  return 0;
}
