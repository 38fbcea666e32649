// SPDX-License-Identifier: Apache-2.0
//
// All factors of the 135 shapes of pm_digit_mul_tb, with random addends. Prints: products, sums.

#include <random>

#include "Vpm_digit_mul_tb.h"
#include "pm_tb_big.h"

namespace {

void check(const char* what, int slot, const uint32_t* from, uint32_t want) {
  const uint32_t got = (from[slot / 2] >> (16 * (slot % 2))) & 0xffff;
  if (got != want) {
    pm_tb::fail(std::string(what) + ", slot " + std::to_string(slot) + ": " + std::to_string(got) +
                " is not " + std::to_string(want));
  }
}

}  // namespace

int main() {
  Vpm_digit_mul_tb dut;
  std::mt19937 random(1);
  unsigned long long products = 0, sums = 0;
  for (uint32_t a = 0; a < 512; ++a) {
    for (uint32_t d = 0; d < 64; ++d) {
      dut.a_i = a;
      dut.d_i = d;
      dut.c0_i = random();
      dut.c1_i = random();
      dut.eval();
      for (int s = 0; s < 135; ++s) {
        const int width = s / 15 + 1, digit = s / 3 % 5 + 2;
        const uint32_t product = (a & ((1u << width) - 1)) * (d & ((1u << digit) - 1));
        check("product", s, dut.p_o.data(), product);
        ++products;
        const uint32_t sum = product + dut.c0_i + dut.c1_i;
        check("sum", s, dut.sum_o.data(), sum & ((2u << (width + digit)) - 1));
        ++sums;
      }
    }
  }
  std::printf("products %llu sums %llu\n", products, sums);
  return 0;
}
