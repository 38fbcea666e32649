// SPDX-License-Identifier: Apache-2.0
//
// pm_comb_digits with 16 bits and 4 teeth: the columns of every scalar, odd ones as they are and even ones by another
// odd one, add up to it or to its negative; clear_i forgets it.

#include <cstdint>
#include <cstdio>

#include "Vpm_comb_digits.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

constexpr int kTeeth = 4;

VerilatedContext context;
Vpm_comb_digits dut{&context};

void Clock() {
  pm_tb::tick(dut);
  dut.clear_i = dut.load_i = dut.opposite_i = dut.next_i = 0;
}

// What an index stands for: the last tooth, and the others with its sign or the other one.
int64_t Multiple(unsigned index, int columns) {
  int64_t sum = int64_t(1) << ((kTeeth - 1) * columns);
  for (int j = 0; j < kTeeth - 1; ++j) {
    const int64_t tooth = int64_t(1) << (j * columns);
    sum += index >> j & 1 ? tooth : -tooth;
  }
  return sum;
}

}  // namespace

int main() {
  unsigned long walks = 0;
  dut.clk_i = 0;
  dut.clear_i = dut.load_i = dut.opposite_i = dut.next_i = 0;
  dut.eval();
  for (int pairs = 1; pairs <= 2; ++pairs) {
    const int columns = 2 * pairs;
    dut.pairs_i = pairs;
    for (uint32_t k = 0; k < 1u << (kTeeth * columns); ++k) {
      const uint32_t other = (k * 40503u | 1) & ((1u << (kTeeth * columns)) - 1);
      dut.scalar_i = k;
      dut.load_i = 1;
      Clock();
      if (walks % 3) Clock();
      dut.scalar_i = other;
      dut.opposite_i = 1;
      Clock();
      int64_t total = 0;
      for (int column = 0; column < columns; ++column) {
        dut.eval();
        total = 2 * total + (dut.negative_o ? -1 : 1) * Multiple(dut.index_o, columns);
        dut.next_i = 1;
        Clock();
        if (walks % 5 == 0) Clock();
      }
      if (total != (k % 2 ? int64_t(k) : -int64_t(other))) {
        std::printf("FAIL %u with %d columns: %lld\n", k, columns, static_cast<long long>(total));
        return 1;
      }
      ++walks;
    }
  }
  dut.scalar_i = 0xffff;
  dut.load_i = 1;
  Clock();
  dut.clear_i = 1;
  Clock();
  dut.eval();
  if (dut.index_o != 7 || !dut.negative_o) {
    std::printf("FAIL something is left behind clear_i\n");
    return 1;
  }
  std::printf("%lu walks\n", walks);
  return 0;
}
