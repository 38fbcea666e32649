// SPDX-License-Identifier: Apache-2.0
//
// All operands of the 135 shapes of pm_digit_mul_tb. Prints: products.

#include "Vpm_digit_mul_tb.h"
#include "pm_tb_big.h"

int main() {
  Vpm_digit_mul_tb dut;
  unsigned long long products = 0;
  for (uint32_t a = 0; a < 512; ++a) {
    for (uint32_t d = 0; d < 64; ++d) {
      dut.a_i = a;
      dut.d_i = d;
      dut.eval();
      for (int s = 0; s < 135; ++s) {
        const uint32_t want = (a & ((2u << (s / 15)) - 1)) * (d & ((4u << (s / 3 % 5)) - 1));
        const uint32_t got = (dut.p_o[s / 2] >> (16 * (s % 2))) & 0xffff;
        if (got != want) {
          pm_tb::fail("slot " + std::to_string(s) + ": " + std::to_string(got) + " is not " +
                      std::to_string(want));
        }
        ++products;
      }
    }
  }
  std::printf("products %llu\n", products);
  return 0;
}
