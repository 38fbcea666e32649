// SPDX-License-Identifier: Apache-2.0
//
// pm_addsub with 8 bits and K = 124 = 4 (2^5 - 1): all operands and shifts in plain integers.
// Prints counters as `name value`, fails on the first difference.

#include <cstdio>
#include <memory>

#include "Vpm_addsub.h"
#include "verilated.h"

int main() {
  auto context = std::make_unique<VerilatedContext>();
  auto dut = std::make_unique<Vpm_addsub>(context.get());
  long total = 0, sums = 0, differences = 0;
  for (int i = 0; i < 1 << 18; i++) {
    int x = i & 255, y = (i >> 8) & 255;
    dut->x_i = uint8_t(x);
    dut->y_i = uint8_t(y);
    dut->shift_x_i = (i >> 16) & 1;
    dut->shift_y_i = i >> 17;
    dut->eval();
    x <<= (i >> 16) & 1;
    y <<= i >> 17;
    bool ok = true;
    if (x < 256 && y < 256 && x + y < 256) {
      ok = dut->sum_o == x + y;
      sums++;
    }
    if (y <= 124 && x < 256 - 124) {
      ok = ok && dut->diff_o == x - y + 124 && (dut->diff_o + y - x) % 31 == 0;
      differences++;
    }
    if (!ok) {
      std::printf("FAIL x %d y %d\n", x, y);
      return 1;
    }
    total++;
  }
  std::printf("total %ld sums %ld differences %ld\n", total, sums, differences);
  dut->final();
  return 0;
}
